from quaestor.research.offline.words.names import find_names


def test_a_small_word_of_the_language_that_opens_a_question_is_no_part_of_the_name_behind_it() -> None:
    assert list(find_names("Come Ekdal chiude il forno?")) == ["Ekdal"]
    assert list(find_names("Dlaczego Ekdal zamknął piec?")) == ["Ekdal"]
    assert list(find_names("Come Home was sung by whom?")) == ["Come Home"]

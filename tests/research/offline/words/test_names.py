import pytest

from quaestor.research.offline.words.names import find_names, name_parts, parted_from_year, without_initials


def test_a_small_word_of_the_language_that_opens_a_question_is_no_part_of_the_name_behind_it() -> None:
    assert list(find_names("Come Ekdal chiude il forno?")) == ["Ekdal"]
    assert list(find_names("Dlaczego Ekdal zamknął piec?")) == ["Ekdal"]
    assert list(find_names("Come Home was sung by whom?")) == ["Come Home"]


def test_initials_are_parts_of_a_name() -> None:
    assert list(find_names("When was Booker T. Washington born?")) == ["Booker T. Washington"]
    assert list(find_names("What did W. E. B. Du Bois say?")) == ["W. E. B. Du Bois"]
    assert list(find_names("J.R.R. Tolkien wrote what?")) == ["J.R.R. Tolkien"]
    assert list(find_names("Did Ann Lee know it. Who did?")) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("name", "bare"),
    [("Booker T. Washington", "Booker Washington"), ("J. R. R. Tolkien", "Tolkien"), ("J. Hale", "J. Hale")],
)
def test_initials_that_texts_leave_out_are_no_words_of_a_name(name: str, bare: str) -> None:
    assert without_initials(name) == bare


def test_a_day_on_which_something_is_belongs_to_no_name() -> None:
    assert list(find_names("Is it on Thursday Arabic?")) == ["Thursday", "Arabic"]
    assert list(find_names("Is there one on Friday 22 August?")) == ["Friday", "22 August"]
    assert list(find_names("What is on Sun Microsystems at 10:30?")) == ["Sun Microsystems", "10:30"]
    assert list(find_names("Who reads the Sunday Times after Black Friday?")) == ["Sunday Times", "Black Friday"]


def test_an_option_of_a_program_is_a_name_with_its_dashes() -> None:
    assert [*find_names("Is --jar-lid of Corkfit new -- or not?")] == ["--jar-lid of Corkfit"]
    assert name_parts("--jar-lid of Corkfit") == ("--jar-lid", "Corkfit")
    assert [*find_names("Are a--b and 4--5 the same?")] == ["4", "5"]


def test_a_day_of_the_month_in_german_is_one_name() -> None:
    assert [*find_names("Wer kommt am Sonntag, dem 22. Juni 2025?")] == ["Sonntag", "22. Juni 2025"]
    assert [*find_names("Wer kommt am 22. Juni?")] == ["22. Juni"]
    assert [*find_names("Wer war am 3. Ann Lee?")] == ["3", "Ann Lee"]
    assert [*find_names("Kam 1922. Juni war es?")] == ["1922"]
    assert [*find_names("Kam am 3, Juni sagte es?")] == ["3", "Juni"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Wer hat im Juli Urlaub?", ["Juli", "Urlaub"]),
        ("Wer hat am 22. März Notdienst?", ["22. März", "Notdienst"]),
        ("Wer hat im Juli 2026 Urlaub?", ["Juli 2026", "Urlaub"]),
        ("Was kam am 22. März 2026?", ["22. März 2026"]),
        ("Wie oft haben wir 2026 Isofluran bestellt?", ["2026", "Isofluran"]),
        ("Ist die Lieferung Corkfit angekommen?", ["Lieferung", "Corkfit"]),
        ("Welche Dosis Thiamazol bekam Mia?", ["Dosis", "Thiamazol", "Mia"]),
        ("Wann zahlt die Freie Schule Nord?", ["Freie Schule Nord"]),
        ("Wann zahlt der TSV Nord?", ["TSV Nord"]),
        ("Wann hat Petra Huber Geburtstag?", ["Petra Huber", "Geburtstag"]),
        ("Wann hat Petra Huber Geburtstag gefeiert?", ["Petra Huber Geburtstag"]),
        ("Was hat Petra Huber?", ["Petra Huber"]),
        ("Wann ist Petra Huber da?", ["Petra Huber"]),
    ],
)
def test_nouns_side_by_side_in_german_are_no_one_name(question: str, names: list[str]) -> None:
    assert list(find_names(question)) == names


def test_a_year_is_parted_from_one_word_in_german() -> None:
    assert parted_from_year("Sommerfest 2025", "de") == ("Sommerfest", "2025")
    assert parted_from_year("Juni 2025", "de") == ("Juni 2025",)
    assert parted_from_year("22. Juni 2025", "de") == ("22. Juni 2025",)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Stefan Huber 2025", ("Stefan Huber", "2025")),
        ("Holm Fair 1893", ("Holm Fair", "1893")),
        ("14 July 2026", ("14 July 2026",)),
        ("Expo 2020", ("Expo 2020",)),
        ("Jar Lid 3000", ("Jar Lid 3000",)),
    ],
)
def test_the_year_behind_a_name_of_several_words_is_no_part_of_it(name: str, parts: tuple[str, ...]) -> None:
    assert parted_from_year(name) == parts

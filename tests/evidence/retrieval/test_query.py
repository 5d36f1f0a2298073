from quaestor.evidence.retrieval.query import take_apart

STORY = (
    "Anna kept the light of Aldmouth for years. The fog bell was struck by hand at night. "
    "Ships paid light dues at the harbour. The leading lights stood on iron towers."
)


def test_a_question_is_one_part_and_a_story_has_many() -> None:
    assert not take_apart("Who cast the fog bell of Aldmouth?").tells
    told = take_apart(STORY)
    assert told.tells
    assert [STORY[part.start : part.start + 8] for part in told.parts] == [
        "Anna kep",
        "The fog ",
        "Ships pa",
        "The lead",
    ]
    assert "dues" not in told.part_at(STORY.index("hand"))
    assert told.part_at(len(STORY) + 1) == told.terms


def test_a_long_sentence_is_cut_at_its_commas() -> None:
    clauses = [" ".join(f"{letter}{'x' * number}" for number in range(1, 16)) for letter in "bcd"]
    assert len(take_apart(", ".join(clauses)).parts) == 2
    assert len(take_apart(", ".join(clauses[:2])).parts) == 1


def test_of_names_that_overlap_the_longest_is_meant() -> None:
    query = take_apart("Where did Mark King Junior live?")
    known = {"=mark+king": 1, "=king": 3, "=mark": 2, "=junior": 1}
    assert [mention.key for mention in query.mentioned(known)] == ["=mark+king", "=junior"]
    assert query.mentioned({}) == ()


def test_names_are_what_the_query_writes_as_such() -> None:
    assert take_apart("Who was the mayor of Aldmouth?").names == ("=aldmouth",)
    assert take_apart("Does MTHFR deficiency raise risk?").names == ()
    assert take_apart("who was the mayor").names == ()


def test_what_is_compared_has_sides() -> None:
    assert take_apart("difference between fog bells and leading lights").sides == (
        ("differ", "fog", "bell"),
        ("lead", "light"),
    )
    assert take_apart("bells and lights").sides == ()
    assert len(take_apart("雾钟和导灯的区别").sides) == 2


def test_a_query_without_words_has_no_terms() -> None:
    assert take_apart("?!").terms == ()
    assert take_apart("was it by the").terms

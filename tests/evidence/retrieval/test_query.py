from quaestor.evidence.retrieval.query import parse_query

STORY = (
    "Anna kept the light of Aldmouth for years. The fog bell was struck by hand at night. "
    "Ships paid light dues at the harbour. The leading lights stood on iron towers."
)


def test_a_question_is_one_part_and_a_story_has_many() -> None:
    assert not parse_query("Who cast the fog bell of Aldmouth?").tells
    told = parse_query(STORY)
    assert told.tells
    assert [STORY[part.start : part.start + 8] for part in told.parts] == [
        "Anna kep",
        "The fog ",
        "Ships pa",
        "The lead",
    ]
    assert "dues" not in told.part_terms_at(STORY.index("hand"))
    assert told.part_terms_at(len(STORY) + 1) == told.terms


def test_a_long_sentence_is_cut_at_its_commas() -> None:
    clauses = [" ".join(f"{letter}{'x' * number}" for number in range(1, 16)) for letter in "bcd"]
    assert len(parse_query(", ".join(clauses)).parts) == 2
    assert len(parse_query(", ".join(clauses[:2])).parts) == 1


def test_of_names_that_overlap_the_longest_is_meant() -> None:
    query = parse_query("Where did Mark King Junior live?")
    known = {"=mark+king": 1, "=king": 3, "=mark": 2, "=junior": 1}
    assert [mention.key for mention in query.known_names(known)] == ["=mark+king", "=junior"]
    assert query.known_names({}) == ()
    numbered = parse_query("What happened to LID-16 and LID-20?")
    assert [mention.key for mention in numbered.known_names({"=lid": 3, "=lid+16": 1})] == ["=lid+16", "=lid"]


def test_names_are_what_the_query_writes_as_such() -> None:
    assert parse_query("Who was the mayor of Aldmouth?").names == ("=aldmouth",)
    assert parse_query("Does MTHFR deficiency raise risk?").names == ()
    assert parse_query("who was the mayor").names == ()


def test_what_is_compared_has_sides() -> None:
    assert parse_query("difference between fog bells and leading lights").sides == (
        ("differ", "fog", "bell"),
        ("lead", "light"),
    )
    assert parse_query("bells and lights").sides == ()
    assert len(parse_query("雾钟和导灯的区别").sides) == 2


def test_a_query_without_words_has_no_terms() -> None:
    assert parse_query("?!").terms == ()
    assert parse_query("was it by the").terms


def test_a_statement_ends_in_a_full_stop_and_asks_nothing() -> None:
    assert parse_query("Anna Marsh kept the light of Aldmouth.").states
    assert parse_query('The bell is called "Old Anna".').states
    for asked in ("Who kept the light of Aldmouth?", "List the keepers of Aldmouth.", "Say who kept it.", "fog bell"):
        assert not parse_query(asked).states


def test_the_word_that_asks_for_a_time_is_not_searched() -> None:
    assert "long" not in parse_query("How long may the bell ring?").terms
    assert "long" in parse_query("How long is the bridge?").terms
    assert "often" not in parse_query("How often does it ring?").terms


def test_the_words_that_ask_how_many_there_are_in_all_are_not_searched() -> None:
    assert parse_query("What is the total number of jars?").terms == parse_query("How many jars are there?").terms
    assert "number" in parse_query("What is the number on the jar?").terms


def test_what_is_said_in_passing_at_the_end_of_a_clause_is_not_searched() -> None:
    assert parse_query("What did the lids cost in the end?").terms == ("lid", "cost")
    assert parse_query("What stood in the end of the cellar?").terms == ("stand", "end", "cellar")
    assert parse_query("Wer hat die Deckel zurzeit?").plain == ("hat", "die", "deckel")

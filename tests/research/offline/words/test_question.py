import pytest

from quaestor.research.offline.words.language import AnswerKind
from quaestor.research.offline.words.question import (
    asks_for_list,
    core_words,
    find_relation,
    parse_question,
    split_clauses,
)


def test_a_title_is_what_stands_between_outer_quotes() -> None:
    asked = parse_question("Who wrote \"Future 'wide' Tags\" and “Marking the environment's edge”?")

    assert asked.titles == ("Future 'wide' Tags", "Marking the environment's edge")


def test_names_are_capitalised_runs_with_their_numbers_and_small_words() -> None:
    asked = parse_question("What did Haymo of Faversham say about RFC 2119 and asyncio.gather in North Carolina?")

    assert asked.names == ("Haymo of Faversham", "RFC 2119", "asyncio.gather", "North Carolina")


def test_the_first_word_alone_is_no_name() -> None:
    assert parse_question("Explain how jars close.").names == ()
    assert parse_question("Describe Leland.").names == ("Leland",)
    assert parse_question("Where was Petra Kim born?").names == ("Petra Kim",)  # which is a small word in Turkish
    assert parse_question("Maximum Overdrive was shot there.").names == ("Maximum Overdrive",)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ('Which was made first, "Lidded Jars" or "No More Jars"?', ("Lidded Jars", "No More Jars")),
        ("When should I use threads, processes or asyncio?", ("threads", "processes", "asyncio")),
        ("Which singer is American, Mark King or Nick Hexum?", ("Mark King", "Nick Hexum")),
        ("How do cats differ from dogs?", ("cats", "dogs")),
        ("What is the difference between tin and copper?", ("tin", "copper")),
        ("What is the difference between tin and copper in roofs?", ("tin", "copper")),
        ("Which came first, between Lids and A Day in the Sun?", ("Lids", "Day in the Sun")),
        ("Are Ann Lee and Bo Ek both potters?", ("Ann Lee", "Bo Ek")),
        ("Compare the makers of jars and lids", ("jars", "lids")),
        ("Compare how Tannis, Quell and Orlia go together with salt", ("Tannis", "Quell", "Orlia")),
        ("Compare jar shut --fast and --slow", ("jar shut --fast", "jar shut --slow")),
        ("Compare jars and lids: how long do they last?", ("jars", "lids")),
        ("Compare the jar prices of 2025 and 2026", ("jar prices of 2025", "jar prices of 2026")),
        ("Compare shut with a cork and shut with a lid", ("shut with a cork", "shut with a lid")),
        ("What is the difference between tying to oak and tying to Ox Tail?", ("tying to oak", "tying to Ox Tail")),
        ("Compare jars with lids and pots", ("jars", "lids and pots")),
        ("Compare the lid weight of jars and of pots", ("jars", "pots")),
        ("Compare the Bank of Leland and the Mint of Quell", ("Bank of Leland", "Mint of Quell")),
        ("Who made the jar?", ()),
    ],
)
def test_options_are_what_a_question_sets_side_by_side(question: str, options: tuple[str, ...]) -> None:
    assert parse_question(question).options == options


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who made it?", AnswerKind.PERSON),
        ("In what year was it made?", AnswerKind.DATE),
        ("¿Cuántos años tiene?", AnswerKind.NUMBER),
        ("How long may a jar stand?", AnswerKind.DURATION),
        ("Wie oft wird sie gefüllt?", AnswerKind.DURATION),
        ("How long is the jar?", AnswerKind.PROSE),
        ("Is it glazed?", AnswerKind.YES_NO),
        ("Why does it crack?", AnswerKind.PROSE),
        ("谁发明了电话\uff1f", AnswerKind.PERSON),
        ("電話はいつ発明されましたか。", AnswerKind.DATE),
        ("Quando è stato fatto il vaso?", AnswerKind.DATE),
        ("Em que ano foi feita a jarra?", AnswerKind.DATE),
        ("Wanneer werd de kruik gemaakt?", AnswerKind.DATE),
        ("Kiedy zrobiono dzban?", AnswerKind.DATE),
        ("Когда сделали кувшин?", AnswerKind.DATE),
        ("Quem fez a jarra?", AnswerKind.PERSON),
        ("Kto zrobił dzban?", AnswerKind.PERSON),
        ("Кто сделал кувшин?", AnswerKind.PERSON),
        ("टेलीफोन का आविष्कार किसने किया?", AnswerKind.PERSON),
        ("โทรศัพท์ถูกประดิษฐ์เมื่อไร", AnswerKind.DATE),
    ],
)
def test_the_question_word_says_what_is_wanted(question: str, wanted: AnswerKind) -> None:
    assert parse_question(question).wanted is wanted


def test_a_facet_is_no_part_of_what_a_question_is_about() -> None:
    asked = parse_question("What objections to lidded jars are there?")

    assert [facet.name for facet in asked.facets] == ["objections"]
    assert parse_question("When does a lid raise an error?").facets == ()
    assert core_words(asked) == "lidded jars"


def test_clauses_are_asked_one_by_one() -> None:
    assert split_clauses("Why was the lid added and what objections were raised?") == (
        "Why was the lid added",
        "what objections were raised",
    )


def test_a_relation_ends_with_the_verb_of_its_subject() -> None:
    described = find_relation('When was the note that "Lidded Jars" replaces created?')

    assert described is not None
    assert (described.text, described.named_is_agent) == ('the note that "Lidded Jars" replaces', True)


def test_a_relation_knows_who_acts() -> None:
    passive = find_relation('What is the status of the note required by "Lidded Jars"?')
    active = find_relation('Who wrote the note that superseded "Lidded Jars"?')

    assert passive is not None
    assert active is not None
    assert (passive.named_is_agent, active.named_is_agent) == (True, False)


def test_core_words_of_a_script_without_blanks_are_the_text_between_its_marks() -> None:
    assert core_words(parse_question("谁发明了电话\uff1f")) == "谁发明了电话"


def test_a_word_that_asks_for_leave_is_no_month() -> None:
    assert parse_question("When may I sell jars?").core == ("sell", "jar")
    assert parse_question("May I sell jars in May?").core == ("sell", "jar", "may")
    assert parse_question("May?").core == ("may",)


def test_one_quoted_word_in_small_letters_is_no_title() -> None:
    assert parse_question("Is ''jarlike'' a word?").titles == ()
    assert parse_question('Who wrote "Jars"?').titles == ("Jars",)
    assert parse_question('Who wrote "plain jars"?').titles == ("plain jars",)


def test_an_open_range_is_no_second_alternative() -> None:
    assert parse_question("Which packages require Python 3.10 or newer?").options == ()
    assert parse_question("Which is lighter, jars or lids?").options == ("jars", "lids")
    assert parse_question("Is jar 7 made of tin or still of oak?").options == ("tin", "oak")


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("Is jar 7 active or still a draft?", ()),
        ("Was the lid of 1901 accepted or rejected?", ()),
        ("Ist der Deckel noch gültig oder schon aufgehoben?", ()),
        ("Is the mill open or closed on Mondays?", ()),
        ("Is the lid red or closed?", ("red", "closed")),
    ],
)
def test_the_states_in_which_one_thing_may_be_are_no_two_sides(question: str, options: tuple[str, ...]) -> None:
    assert parse_question(question).options == options


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("What is the default size of jars versus lids?", ("jars", "lids")),
        ("How long is the term under Rule 1.1 compared to Rule 2.0?", ("Rule 1.1", "Rule 2.0")),
        ("What are the rules of jars versus the rules of lids?", ("rules of jars", "rules of lids")),
        ("The War of the Jars vs Lids", ("War of the Jars", "Lids")),
        ("How do jars compare with lids?", ("jars", "lids")),
        ("How does --jars differ from --lids?", ("--jars", "--lids")),
        ("What is the difference between the rent of the hall and the flat?", ("hall", "flat")),
        ("What is the difference between the Guild of Quell and the board?", ("Guild of Quell", "board")),
        ("How does it compare with lids?", ()),
        ("How have jars changed compared to 2019?", ()),
    ],
)
def test_what_is_asked_of_the_first_side_is_asked_of_the_second(question: str, options: tuple[str, ...]) -> None:
    assert parse_question(question).options == options


def test_what_holds_for_all_is_no_list_unless_it_is_asked_for() -> None:
    assert asks_for_list("What are all the jars of the north?")
    assert asks_for_list("Which jars in the R&D 500 have their lids in Holm?")
    assert not asks_for_list("How do I fill all jars?")
    assert not asks_for_list("Who runs the All Jars meeting?")
    assert not asks_for_list("What surplus did the fair make?")
    assert asks_for_list("Which menus do they have?")
    assert not asks_for_list("What is the name of the book in which the keeper notes which lids are in use?")
    assert not asks_for_list("What does the ticket cost for us each way?")
    assert not asks_for_list("What share of jars must a keeper fill each year?")
    assert not asks_for_list("What is paid for a jar every month?")
    assert asks_for_list("What is the price for each year?")
    assert asks_for_list("Name the price of every jar.")
    assert asks_for_list("Which glass jars do you sell?")
    assert not asks_for_list("What does openJars do?")
    assert asks_for_list("Which lids does the jar have?")
    assert not asks_for_list("Which glass does the jar have?")
    assert asks_for_list("Which glass jars of the old shop were filled with oil?")
    assert not asks_for_list("Which glass of the old shop was filled with oil?")
    assert not asks_for_list("Tin and glass lids: what does each cost?")
    assert not asks_for_list("I sell jars of tin. Is that all right?")


def test_the_title_of_a_person_ends_no_sentence_and_is_no_name() -> None:
    assert parse_question("Who killed Dr. Robinson?").names == ("Robinson",)


def test_what_raises_an_error_is_not_asked_for_what_was_said_against_it() -> None:
    assert parse_question("Which errors does jar.close raise?").facets == ()
    assert parse_question("How do I copy an object?").facets == ()
    assert parse_question("How do I clean the objective?").facets == ()
    assert parse_question("Who voted against the new lids?").facets == ()
    assert parse_question("What was the result of the A team against Dale Valley?").facets == ()
    assert parse_question("How many may shut the mill against their will?").facets == ()
    assert [one.name for one in parse_question("What was argued against lids?").facets] == ["objections"]
    assert [one.name for one in parse_question("Which objections were raised to lids?").facets] == ["objections"]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("What changed between version 2 and version 3 of the jar rules?", ("version 2", "version 3")),
        ("What is new in Jar version 2 compared to version 1?", ("Jar version 2", "Jar version 1")),
        ("What is the difference between Jar version 2 and Lid version 1?", ("Jar version 2", "Lid version 1")),
        ("What is the difference between lid sys and lid fd in JarRunner?", ("lid sys", "lid fd")),
        ("How many jars were sold in 2021 compared with the year before?", ("2021", "2020")),
        ("What is the difference between a jar and a lid in Holm?", ("jar", "lid in Holm")),
        ("Compare the work required for tin lids and cork lids", ("tin lids", "cork lids")),
        ("What is the default price of jars compared with lids?", ("jars", "lids")),
        ("How long does a jar hold by default compared with a lid?", ()),
        ("Compare jar rule 1, 2 and 3", ("jar rule 1", "jar rule 2", "jar rule 3")),
        ("Compare rule 2 and 3 of the guild", ("rule 2", "rule 3")),
        ("How do rules 1 and 2 differ?", ("rules 1", "rules 2")),
        ("What is the difference between 2 and 3 jars?", ()),
    ],
)
def test_what_is_asked_of_both_sides_belongs_to_none(text: str, sides: tuple[str, ...]) -> None:
    assert parse_question(text).options == sides


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Compare the local and the global labels of a sheet", ("local labels", "global labels of a sheet")),
        ("What is the difference between the file and pass backends?", ("file backends", "pass backends")),
        ("Compare jars and glass lids", ("jars", "glass lids")),
        ("Compare tin and green glass", ("tin", "green glass")),
        ("Compare Ek and glass jars", ("Ek", "glass jars")),
        ("Compare the price and the weight of the red jars", ("price", "weight of the red jars")),
    ],
)
def test_a_plural_behind_the_second_side_is_of_both(question: str, sides: tuple[str, ...]) -> None:
    assert parse_question(question).options == sides


def test_one_in_a_comparison_has_the_kind_of_the_other_side() -> None:
    assert parse_question("What is the difference between the lid policy of 2019 and the current one?").options == (
        "lid policy of 2019",
        "current lid policy",
    )


def test_what_is_denied_of_both_is_no_choice() -> None:
    assert parse_question("Which jar cannot be shut or filled?").options == ()
    assert parse_question("Which jar doesn't break or leak?").options == ()
    assert parse_question("Can a jar be shut or filled?").options == ("shut", "filled")


def test_a_list_is_asked_for_where_a_long_text_asks_and_not_where_it_tells() -> None:
    told = "We keep jars in a damp cellar. All of the lids rust within a year. The neighbours have no such trouble."

    assert not asks_for_list(f"{told} How should we paint the lids?")
    assert asks_for_list(f"{told} Which paints are there?")


def test_the_portuguese_article_sets_nothing_side_by_side() -> None:
    assert parse_question("Quem é o marido de Ana Falcão?").options == ()
    assert parse_question("¿Qué es más ligero, el corcho o la tapa?").options == ("corcho", "tapa")


def test_a_word_that_says_what_is_to_be_done_is_not_what_a_question_is_about() -> None:
    assert parse_question("How do the letters explain that a lid is closed?").core == ("letter", "lid", "close")


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("What happens if a lid rusts?", ("lid", "rust")),
        ("What would happen if a lid rusts?", ("lid", "rust")),
        ("When did the lids happen to rust?", ("lid", "happen", "rust")),
        ("How quickly must lids be shut?", ("lid", "shut")),
        ("How long does it take to shut a lid?", ("shut", "lid")),
        ("How long is a lid?", ("long", "lid")),
        ("How old may a lid be?", ("lid",)),
        ("How old is a lid?", ("old", "lid")),
        ("How far is the lid?", ("lid",)),
        ("quel couvercle pour mon bocal ?", ("couvercl", "bocal")),
    ],
)
def test_the_words_that_ask_are_not_what_a_question_is_about(question: str, core: tuple[str, ...]) -> None:
    assert parse_question(question).core == core

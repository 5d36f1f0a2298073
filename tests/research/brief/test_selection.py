from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from quaestor.contracts.source import Quote, Source
from quaestor.research.brief.selection import mark_best
from quaestor.research.contracts.brief import BriefPassage


def source(title: str) -> Source:
    return Source(
        sha256=sha256(title.encode()).hexdigest(),
        title=title,
        uri=f"/notes/{title.casefold()}.txt",
        media_type="text/plain",
        characters=99,
        retrieved_at=datetime(2026, 5, 4, tzinfo=UTC),
    )


def passage(number: int, part: str, text: str, *, title: str, heading: str, absent: tuple[str, ...]) -> BriefPassage:
    place = Quote(source=source(title).sha256, start=0, end=len(text), text=text)
    return BriefPassage(
        number=number,
        finding=f"t1/{number}",
        source=place.source,
        start=0,
        end=place.end,
        text=text,
        part=part,
        context=place,
        heading=heading,
        absent=absent,
    )


def best(part: str, *shown: tuple[str, str, str, tuple[str, ...]], others: Mapping[str, Sequence[str]]) -> list[str]:
    passages = [
        passage(number, part, text, title=title, heading=heading, absent=absent)
        for number, (title, heading, text, absent) in enumerate(shown, 1)
    ]
    sources = {source(title).sha256: source(title) for title, *_ in shown}
    return [one.text for one in mark_best(passages, (), sources, others) if one.is_best]


def test_a_passage_that_lacks_what_was_done_is_better_than_one_that_lacks_what_it_was_done_to() -> None:
    part = "When was corkfit added?"
    act = ("Errors", "", "A note can be added.", ("corkfit",))
    thing = ("Corkfit", "", "Corkfit shuts jars.", ("added",))

    assert best(part, act, thing, others={part: ()}) == ["Corkfit shuts jars."]


def test_a_passage_that_lacks_a_word_is_better_than_one_that_lacks_a_name() -> None:
    part = "How heavy are the lids of Ann Lee?"
    nobody = ("Lids", "", "Lids are heavy.", ("Ann Lee",))
    named = ("Potters", "", "Ann Lee made lids.", ("heavy",))

    assert best(part, nobody, named, others={part: ()}) == ["Ann Lee made lids."]


def test_a_passage_about_another_thing_is_not_the_best_however_many_words_it_holds() -> None:
    part = "How many drops of Mordol may an old person take in a day?"
    other = ("Veltrin", "", "An old person may take 20 drops in a day.", ("Mordol",))
    named = ("Mordol", "", "Mordol of the day tastes of oranges.", ("drops", "old", "person", "take"))

    assert best(part, other, named, others={part: ()}) == ["Mordol of the day tastes of oranges."]


def test_nothing_is_the_best_where_no_passage_holds_a_name_of_the_part() -> None:
    part = "Does Pellet ship with Kuber?"
    other = ("Jars", "", "Yes, jars are free to ship.", ("Pellet", "Kuber"))
    named = ("Pellet", "", "Pellet is free.", ("ship", "Kuber"))

    assert best(part, other, others={part: ()}) == []
    assert best(part, other, named, others={part: ()}) == ["Pellet is free."]


def test_a_passage_that_holds_but_the_name_of_the_part_is_not_the_best() -> None:
    part = "Which secret codes does Pellet show?"
    other = ("Lids", "", "These are secret codes of lids.", ("Pellet",))
    named = ("Pellet", "", "Pellet is free.", ("secret", "codes"))
    telling = ("Pellet", "", "Pellet has codes.", ("secret",))

    assert best(part, other, named, others={part: ()}) == []
    assert best(part, other, named, telling, others={part: ()}) == ["Pellet has codes."]


def test_a_passage_that_holds_one_word_in_four_is_not_the_best() -> None:
    part = "How many smiths died building jars?"
    one = ("Jars", "", "We lent much to build it.", ("smiths", "died", "jars"))
    two = ("Jars", "", "Twelve smiths made jars.", ("died", "building"))

    assert best(part, one, others={part: ()}) == []
    assert best(part, one, two, others={part: ()}) == ["Twelve smiths made jars."]


def test_a_passage_that_holds_but_the_side_of_a_comparison_is_not_the_best() -> None:
    shown = passage(1, "jar: lid weight", "A jar is free.", title="Jars", heading="", absent=("lid", "weight"))
    marked = mark_best([shown.revised(side="jar")], (), {shown.source: source("Jars")}, {"jar: lid weight": ()})

    assert not marked[0].is_best


@pytest.mark.parametrize(
    ("part", "idle", "telling"),
    [
        ("When was the jar mended?", "When the jar was mended is asked.", "The jar was mended on 2 June."),
        ("Who is the keeper of jars?", "The keeper of jars will ask.", "Ann Lee became keeper of jars."),
        ("How long may jars stand?", "For long jars may stand.", "Jars may stand for three days."),
        ("How many jars are mended?", "Some jars are mended.", "Then 12 jars were mended."),
    ],
)
def test_of_equals_one_that_holds_what_is_asked_for_is_best(part: str, idle: str, telling: str) -> None:
    assert best(part, ("Jars", "", idle, ()), ("Jars", "", telling, ()), others={part: ()}) == [telling]


def test_a_document_is_called_by_the_name_of_its_file_as_it_is_spelt() -> None:
    part = "jarly"
    stem = ("jars", "", "A jar of tin.", ())
    file = ("jarly", "", "It shuts jars.", ())

    assert best(part, stem, file, others={part: ()}) == ["It shuts jars."]


def test_a_word_in_small_letters_that_a_document_is_called_by_is_a_name() -> None:
    part = "Which secret codes does corkfit give?"
    other = ("Errors", "", "Lidfit gives these codes.", ("corkfit",))
    own = ("Corkfit", "", "It has two numbers.", ("secret", "codes"))

    assert best(part, other, own, others={part: ()}) == ["It has two numbers."]


def test_a_section_on_the_asked_side_of_the_subject_is_best_also_under_its_other_name() -> None:
    part = "What was said against the glass lid?"
    called = ("Closed Vessels", "Abstract", "It became known as the glass lid.", ())
    elsewhere = ("Corks", "Rejected ideas", "The glass lid is heavier than a cork.", ())
    objection = ("Closed Vessels", "Frequent objections", "A vessel of glass breaks.", ())

    assert best(part, called, elsewhere, objection, others={part: ("Closed Vessels",)}) == ["A vessel of glass breaks."]
    assert best(part, called, elsewhere, objection, others={part: ()}) == ["It became known as the glass lid."]


def test_of_passages_that_lack_as_much_the_one_of_the_document_that_is_named_is_best() -> None:
    part = "What does Fog Signals say about oil?"
    mention = ("Lamps", "", "Oil is dear, as was said in fog with signals.", ())
    named = ("Fog Signals", "Stores", "Oil is kept cold.", ())

    assert best(part, mention, named, others={part: ()}) == ["Oil is kept cold."]

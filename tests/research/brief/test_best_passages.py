from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from quaestor.contracts.source import Quote, Source, TableCell, TablePlace
from quaestor.research.brief.best_passages import mark_best
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.offline.words.aliases import Alias


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


def best(part: str, *shown: tuple[str, str, str, tuple[str, ...]], others: Mapping[str, Sequence[Alias]]) -> list[str]:
    passages = [
        passage(number, part, text, title=title, heading=heading, absent=absent)
        for number, (title, heading, text, absent) in enumerate(shown, 1)
    ]
    sources = {source(title).sha256: source(title) for title, *_ in shown}
    return [one.text for one in mark_best(passages, (), sources, others) if one.is_best]


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


def test_a_field_says_something_whole_as_a_sentence_does_and_a_word_alone_does_not() -> None:
    asked, told = "Who is the keeper of jars?", "The keeper of jars is Ann Lee."
    others = {asked: ()}

    assert best(asked, ("Jars", "", "Keeper: Bo Ek", ()), ("Jars", "", told, ()), others=others) == ["Keeper: Bo Ek"]
    assert best(asked, ("Jars", "", "Keeper Bo Ek", ()), ("Jars", "", told, ()), others=others) == [told]


def test_what_introduces_a_list_that_is_shown_says_something_whole() -> None:
    asked = "What are the lids of jars made of?"
    shown = passage(1, asked, "The lids of jars are made of:", title="Jars", heading="", absent=())
    whole = shown.context.revised(end=shown.end + 7, text=f"{shown.text}\n- tin.")
    other = passage(2, asked, "The lids of jars are made of tin.", title="Jars", heading="", absent=())
    sources = {other.source: source("Jars")}

    with_list = mark_best([shown.revised(context=whole), other], (), sources, {asked: ()})
    assert [one.is_best for one in with_list] == [True, False]
    assert [one.is_best for one in mark_best([shown, other], (), sources, {asked: ()})] == [False, True]


def test_what_a_long_text_tells_before_it_asks_makes_no_passage_the_best() -> None:
    told = "We keep jars of Ann Lee in a damp cellar. Each lid rusts within a year. The neighbours have no trouble."
    part = f"{told} How should we paint the lids?"
    background = ("Jars", "", "Ann Lee kept jars in a cellar.", ("paint", "lids"))
    answer = ("Lids", "", "Paint lids with oil.", ("Ann Lee",))

    assert best(part, background, answer, others={part: ()}) == ["Paint lids with oil."]


def test_of_equals_the_best_passage_gives_a_reason_where_one_is_asked_for() -> None:
    part = "Why is the red lid taken off?"
    order = ("Orders", "", "The keeper said: the red lid is taken off, since 1910 if not then.", ())
    reason = ("Lids", "", "The red lid is taken off, since it rusts.", ())

    assert best(part, order, reason, others={part: ()}) == ["The red lid is taken off, since it rusts."]
    stated = "When is the red lid taken off?"
    assert best(stated, order, reason, others={stated: ()}) == [order[2]]


def test_the_best_passage_in_a_script_without_blanks_holds_most_of_the_question() -> None:
    part = "青い瓶と赤い蓋の違いは何ですか。"
    of_one = ("", "", "赤い蓋は冬に割れる。", ())
    of_both = ("", "", "青い瓶は軽く、赤い蓋は重い。", ())

    assert best(part, of_one, of_both, others={part: ()}) == ["青い瓶は軽く、赤い蓋は重い。"]
    elsewhere = ("瓶の色", *of_both[1:])
    assert best(part, of_one, elsewhere, others={part: ()}) == ["赤い蓋は冬に割れる。"], "the search knows better"


def test_a_passage_that_lacks_a_word_of_two_pieces_lacks_two() -> None:
    part = "What is the default value of lid-level?"
    other = ("Lids", "", "The default value of lid-colour is red.", ("lid-level",))
    own = ("Lids", "", "Set the lid-level to a low value.", ("default",))

    assert best(part, other, own, others={part: ()}) == ["Set the lid-level to a low value."]


def test_of_equals_one_of_the_later_of_two_documents_with_one_name_is_best() -> None:
    part, old, new = (
        "How long is the stout boiled?",
        "The stout is boiled for 90 minutes.",
        "The stout is boiled for 75.",
    )
    shown = (("Stout (version 6)", "", old, ()), ("Stout (version 7)", "", new, ()))
    assert best(part, *shown, others={part: ()}) == [new]
    part = "How long was the stout boiled in 2022?"
    assert best(part, ("Stout 2022", "", old, ()), ("Stout 2024", "", new, ("2022",)), others={part: ()}) == [old]


def test_of_equals_one_of_the_document_whose_own_number_is_named_is_best_though_it_does_not_hold() -> None:
    part = "What is the status of proposal 12?"
    other = ("Costs", "", "Proposal: 17\nStatus: Final\nReplaces: 12", ())
    own = ("Fund", "", "Proposal: 12\nStatus: Final\nSuperseded-By: 17", ())

    def best_of(part: str, *, title: str = "Fund") -> list[str]:
        shown = (other, (title, *own[1:]))
        passages = [
            passage(number, part, text, title=name, heading="", absent=absent).revised(
                status="Superseded-By: 17" if name == title else None
            )
            for number, (name, _, text, absent) in enumerate(shown, 1)
        ]
        sources = {source(name).sha256: source(name) for name, *_ in shown}
        return [one.text for one in mark_best(passages, (), sources, {part: ()}) if one.is_best]

    assert best_of(part) == [own[2]]
    assert best_of("What is the status of proposal 17?") == [other[2]]
    assert best_of("What is the status of the final proposal?") == [other[2]]


def test_the_name_of_a_file_tells_the_number_of_its_document() -> None:
    part = "How heavy are the lids of note 12?"
    other, own = ("Note-17", "", "The lids of note 12 are heavy.", ()), ("Note-0012", "", "The lids are heavy.", ())
    assert best(part, other, own, others={part: ()}) == [own[2]]


def test_a_long_name_that_lacks_counts_more_than_a_short_one() -> None:
    part = "Did Lee meet Ann Berta Moor in old Quell?"
    meeting = ("Jars", "", "Lee was at an old meet of potters.", ("Ann Berta Moor", "Quell"))
    named = ("Jars", "", "Then Ann Berta Moor came to the old boat.", ("Lee", "meet", "Quell"))

    assert best(part, meeting, named, others={part: ()}) == [named[2]]


def test_of_equals_the_one_of_the_latest_record_is_best_unless_a_day_is_asked_for_or_named() -> None:
    part, dated, day = "Who has the lids?", "Who had the lids in May 2023?", "When are the lids there?"
    old = ("Committee, 3 May 2023", "", "Bo Ek has the lids.", ())
    new = ("Committee, 8 June 2024", "", "Ann Lee has the lids.", ())
    undated = ("Rules", "", "Cy Orr has the lids.", ())

    assert best(part, old, new, others={part: ()}) == ["Ann Lee has the lids."]
    assert best(part, undated, old, new, others={part: ()}) == ["Cy Orr has the lids."]
    assert best(dated, old, new, others={dated: ()}) == ["Bo Ek has the lids."]
    assert best(day, old, new, others={day: ()}) == ["Bo Ek has the lids."]


def test_of_equals_one_that_another_text_corrects_is_not_the_best() -> None:
    part = "How heavy are the lids?"
    old, new = ("Lids of 2023", "", "The lids are heavy.", ()), ("Lids of Ek", "", "The lids are heavy, he says.", ())
    passages = [
        passage(number, part, text, title=title, heading=heading, absent=absent)
        for number, (title, heading, text, absent) in enumerate((old, new), 1)
    ]
    sources = {source(title).sha256: source(title) for title, *_ in (old, new)}

    def best_of(corrected: frozenset[int]) -> list[int]:
        marked = mark_best(passages, (), sources, {part: ()}, corrected=corrected)
        return [one.number for one in marked if one.is_best]

    assert (best_of(frozenset()), best_of(frozenset({1}))) == ([1], [2])


def test_a_row_holds_what_its_columns_are_called_and_its_month_in_numbers() -> None:
    part = "How many lids were sold in September 2025?"
    cells = (("month", "2025-09"), ("lids sold", "902"))
    row = passage(2, part, "2025-09,902", title="sold.csv", heading="", absent=())
    place = TablePlace(row=9, cells=tuple(TableCell(column=name, value=said, quoted=True) for name, said in cells))
    said = passage(1, part, "12 lids were sold.", title="Minutes", heading="", absent=())
    sources = {source(title).sha256: source(title) for title in ("sold.csv", "Minutes")}

    for in_table, held in ((place, row.text), (None, said.text)):
        marked = mark_best([said, row.revised(in_table=in_table)], (), sources, {part: ()})
        assert [one.text for one in marked if one.is_best] == [held]

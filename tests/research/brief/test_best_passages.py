from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from quaestor.contracts.source import Quote, Source
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


def test_a_passage_that_lacks_what_was_done_is_better_than_one_that_lacks_what_it_was_done_to() -> None:
    part = "When was corkfit added?"
    act = ("Errors", "", "A note can be added.", ("corkfit",))
    thing = ("Corkfit", "", "Corkfit shuts jars.", ("added",))

    assert best(part, act, thing, others={part: ()}) == ["Corkfit shuts jars."]


def test_of_equals_a_line_of_an_earlier_letter_is_not_the_best() -> None:
    part = "Who brings the lids?"
    cited = ("May", "", "> Ann Lee brings the lids.", ())
    new = ("June", "", "Bo Ek brings the lids.", ())

    assert best(part, cited, new, others={part: ()}) == [new[2]]
    assert best(part, ("May", "", cited[2].removeprefix("> "), ()), new, others={part: ()}) == [
        "Ann Lee brings the lids."
    ]
    assert best(part, cited, ("June", "", "Bo Ek brings them.", ("lids",)), others={part: ()}) == [cited[2]]


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

    assert best(part, called, elsewhere, objection, others={part: (Alias("glass lid", "Closed Vessels"),)}) == [
        "A vessel of glass breaks."
    ]
    assert best(part, called, elsewhere, objection, others={part: ()}) == ["It became known as the glass lid."]


def test_of_passages_that_lack_as_much_the_one_of_the_document_that_is_named_is_best() -> None:
    part = "What does Fog Signals say about oil?"
    mention = ("Lamps", "", "Oil is dear, as was said in fog with signals.", ())
    named = ("Fog Signals", "Stores", "Oil is kept cold.", ())

    assert best(part, mention, named, others={part: ()}) == ["Oil is kept cold."]


def test_what_a_long_text_tells_before_it_asks_makes_no_passage_the_best() -> None:
    told = "We keep jars of Ann Lee in a damp cellar. Each lid rusts within a year. The neighbours have no trouble."
    part = f"{told} How should we paint the lids?"
    background = ("Jars", "", "Ann Lee kept jars in a cellar.", ("paint", "lids"))
    answer = ("Lids", "", "Paint lids with oil.", ("Ann Lee",))

    assert best(part, background, answer, others={part: ()}) == ["Paint lids with oil."]


def best_of_side(*shown: tuple[str, str, tuple[str, ...]], side: str = "lid close") -> list[str]:
    told = [
        passage(number, side, text, title=title, heading="", absent=absent).revised(side=side)
        for number, (title, text, absent) in enumerate(shown, 1)
    ]
    other = passage(9, "lid open", "Lid open.", title="Jars", heading="", absent=()).revised(side="lid open")
    sources = {source(title).sha256: source(title) for title in ("Jars", "Lid Close", "Lid Open")}
    marked = mark_best([*told, other], (), sources, {side: (), "lid open": ()})
    return [one.text for one in marked if one.is_best and one.side == side]


def test_the_best_passage_of_a_side_holds_what_sets_it_apart() -> None:
    shared = ("Jars", "With lid open all is seen.", ("close",))

    assert best_of_side(shared, ("Jars", "It will close a jar.", ("lid",))) == ["It will close a jar."]


def test_a_letter_alone_sets_no_side_apart() -> None:
    letter = ("Jars", "Of jars, p is the weight.", ("lid", "open"))

    assert best_of_side(letter, ("Jars", "The lid is open.", ("p",)), side="lid open -p") == ["The lid is open."]


def test_of_equals_the_best_passage_of_a_side_is_of_the_document_that_is_called_so() -> None:
    of_other = ("Lid Open", "The lid may close.", ())

    assert best_of_side(of_other, ("Lid Close", "The lid will close.", ())) == ["The lid will close."]


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


def test_a_word_in_another_item_of_its_list_is_not_what_an_item_holds() -> None:
    part = "Which jar is the default if none is specified?"
    item = passage(1, part, "lid: it is red, if none is specified.", title="Options", heading="", absent=())
    listed = f"Options:\n\n- jar: it is of tin\n- {item.text}\n- cork: the default one"
    context = Quote(source=item.source, start=0, end=len(listed), text=listed)
    start = listed.index(item.text)
    marked = item.revised(start=start, end=start + len(item.text), context=context)
    own = passage(2, part, "The default jar is of tin.", title="Jars", heading="", absent=("specified",))
    sources = {source(title).sha256: source(title) for title in ("Options", "Jars")}

    assert [one.number for one in mark_best([marked, own], (), sources, {part: ()}) if one.is_best] == [2]


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


def test_of_equals_one_that_repeats_the_words_of_the_part_in_their_order_is_best() -> None:
    part = "What if there is no lid list for a broken jar?"
    apart = ("Jars", "", "A list shows broken lids of the jar.", ())
    near = ("Jars", "", "Where there is no lid list for a broken jar, ask.", ())

    assert best(part, apart, near, others={part: ()}) == [near[2]]


def test_of_equals_one_that_holds_a_name_itself_is_better_than_one_whose_document_is_called_so() -> None:
    part = "How long may jars of Quell stand?"
    lent = ("Quell", "", "Jars stand for three days, the red ones too.", ())
    own = ("Quell", "", "Where jars stand for nine days, is Quell.", ())

    assert best(part, lent, own, others={part: ()}) == [own[2]]


def test_a_passage_that_only_asks_is_not_better_than_one_that_says_something() -> None:
    part = "How soon must a broken lid be shut?"
    asking = ("Lids", "", "How soon can a broken lid be shut?", ())
    telling = ("Lids", "", "A lid must be shut within one day.", ("broken",))

    assert best(part, asking, telling, others={part: ()}) == [telling[2]]


def test_the_date_of_a_text_is_not_better_than_what_the_text_tells() -> None:
    header = ("Flood", "", "date: 2021-08-02", ())
    telling = ("Flood", "", "The Ise flood came in the night to the 15th of July 2021.", ())
    undated = ("Flood", "", "The flood came up to the church.", ())

    for shown in (telling, undated):
        assert best("When was the flood?", header, shown, others={"When was the flood?": ()}) == [shown[2]]
    written = "When was the text on the flood written?"
    assert best(written, header, undated, others={written: ()}) == ["date: 2021-08-02"]


def test_a_row_that_does_not_say_the_most_is_the_best_only_where_a_table_answers() -> None:
    part = "Which jar was the longest of Quell?"
    row = passage(1, part, "| Jar A | Quell | 212 |", title="Jars", heading="", absent=("longest",))
    sources = {row.source: source("Jars")}

    assert [mark_best([row], (), sources, {part: ()}, rows_answer=answers)[0].is_best for answers in (False, True)] == [
        False,
        True,
    ]


def test_who_tells_of_himself_all_that_is_asked_but_his_name_is_better_than_one_who_is_named() -> None:
    part = "When did Lee set sail from Quell?"
    named = ("Jars", "", "In Quell a jar is named after Lee.", ("set", "sail"))
    own = ("Jars", "", "At noon of April 24 I set sail from Quell.", ("Lee",))
    other = ("Jars", "", "At noon of April 24 she set sail from Quell.", ("Lee",))

    assert best(part, named, own, others={part: ()}) == [own[2]]
    assert best(part, named, other, others={part: ()}) == []


def test_a_long_name_that_lacks_counts_more_than_a_short_one() -> None:
    part = "Did Lee meet Ann Berta Moor in old Quell?"
    meeting = ("Jars", "", "Lee was at an old meet of potters.", ("Ann Berta Moor", "Quell"))
    named = ("Jars", "", "Then Ann Berta Moor came to the old boat.", ("Lee", "meet", "Quell"))

    assert best(part, meeting, named, others={part: ()}) == [named[2]]


def test_what_stands_first_in_the_section_that_is_called_so_need_not_repeat_its_name() -> None:
    part = "How does shut lid work?"
    first = ("Jars", "Jars > Shut Lid", "One turns it by hand.", ())
    second = ("Jars", "Jars > Shut Lid", "A shut lid is kept dry.", ())
    stated = ("Jars", "Jars > Lid, shut", "Place: It is kept dry.", ())
    named = ("Jars", "Jars > Lid, shut", "A shut lid is kept wet.", ())

    sided = [
        passage(number, part, one[2], title=one[0], heading=one[1], absent=()).revised(side="shut lid")
        for number, one in enumerate((first, second), 1)
    ]
    marked = mark_best(sided, (), {sided[0].source: source("Jars")}, {part: ()})
    assert [one.is_best for one in marked] == [True, False]
    assert best(part, stated, named, others={part: ()}) == [named[2]]


def test_what_stands_under_a_heading_of_its_own_is_not_said_of_the_one_further_up() -> None:
    part = "What are the steps for starting the pump?"
    stop = ("Pumps", "Starting the pump > Stopping the pump", "Close the valve of the pump.", ("steps",))
    start = ("Pumps", "Starting the pump", "Open the valve of the pump.", ("steps",))

    assert best(part, stop, start, others={part: ()}) == ["Open the valve of the pump."]

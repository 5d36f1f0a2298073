from datetime import UTC, datetime
from hashlib import sha256

from quaestor.contracts.source import Quote, Source
from quaestor.research.brief.shared_paragraphs import share_paragraphs
from quaestor.research.contracts.brief import BriefPassage

RULES = "".join(f"{number}. Rule {number} of the jars.\n" for number in range(1, 400))
SOURCE = Source(
    sha256=sha256(RULES.encode()).hexdigest(),
    title="Rules",
    uri="/notes/rules.txt",
    media_type="text/plain",
    characters=len(RULES),
    retrieved_at=datetime(2026, 5, 4, tzinfo=UTC),
)


def passage(number: int, rule: int, *, around: int = 2, part: str = "", absent: tuple[str, ...] = ()) -> BriefPassage:
    """Return a passage that marks a rule among those around it."""
    lines = RULES.splitlines(keepends=True)
    place = len("".join(lines[: rule - 1]))
    words = lines[rule - 1].rstrip()
    first = len("".join(lines[: max(rule - 1 - around, 0)]))
    text = "".join(lines[max(rule - 1 - around, 0) : rule + around])
    return BriefPassage(
        number=number,
        finding=f"t1/{number}",
        source=SOURCE.sha256,
        start=place,
        end=place + len(words),
        text=words,
        part=part,
        context=Quote(source=SOURCE.sha256, start=first, end=first + len(text), text=text),
        absent=absent,
    )


def test_passages_whose_paragraphs_overlap_share_one_and_follow_each_other() -> None:
    shown = list(share_paragraphs([passage(1, 10), passage(2, 90), passage(3, 12), passage(4, 9)]))

    assert [one.number for one in shown] == [1, 3, 4, 2]
    assert len({one.context for one in shown[:3]}) == 1
    assert shown[0].context.text.splitlines() == RULES.splitlines()[6:14]
    assert all(one.context.text == RULES[one.context.start : one.context.end] for one in shown)
    assert shown[3] == passage(2, 90)


def test_what_one_passage_of_a_shared_paragraph_holds_is_absent_from_none() -> None:
    shown = share_paragraphs([passage(1, 10, absent=("lid", "cork")), passage(2, 11, absent=("cork", "tin"))])

    assert [one.absent for one in shown] == [("cork",), ("cork",)]


def test_paragraphs_of_several_parts_and_long_ones_stay_apart() -> None:
    parts = [passage(1, 10), passage(2, 11, part="Lids?")]
    long = [passage(1, 100, around=35), passage(2, 160, around=35)]

    assert list(share_paragraphs(parts)) == parts
    assert list(share_paragraphs(long)) == long

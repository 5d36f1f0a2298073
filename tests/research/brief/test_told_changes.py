from datetime import UTC, datetime
from hashlib import sha256

from quaestor.contracts.source import Quote, Source
from quaestor.research.brief.told_changes import told_changes
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.tools import ToldChange

HEDGE = "The hedge is cut."


def hash_of(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def passage(number: int, name: str) -> BriefPassage:
    quote = Quote(source=hash_of(name), start=0, end=len(HEDGE), text=HEDGE)
    return BriefPassage(**quote.model_dump(), number=number, finding=f"t1/{number}", part="Who?", context=quote)


def told(name: str, start: int, *, only_later: bool) -> ToldChange:
    said = Quote(source=hash_of(name), start=start, end=start + 4, text="Done")
    when = datetime(2025, 1, 1, tzinfo=UTC)
    own = Source(
        sha256=hash_of(name), uri=f"/{name}.md", title=name, media_type="text/plain", characters=99, retrieved_at=when
    )
    quote = Quote(source=hash_of("garden"), start=0, end=len(HEDGE), text=HEDGE)
    return ToldChange(quote=quote, said=said, source=own, only_later=only_later)


def test_behind_the_changes_stand_two_later_records_that_are_not_shown_at_all() -> None:
    later = [told(name, 90, only_later=True) for name in ("garden", "shown", "change", "june", "july", "august")]
    found = [*later, told("change", 50, only_later=False)]
    shown = [*told_changes(found, [passage(1, "garden"), passage(2, "shown")], ())]
    assert [(number, one.source.title) for number, one in shown] == [(1, "change"), (1, "june"), (1, "july")]


def test_a_change_of_what_is_not_shown_stands_behind_the_others_unless_it_is_seen() -> None:
    shown = [passage(1, "mill"), passage(2, "garden").revised(is_best=True), passage(3, "barn")]
    strange = Quote(source=hash_of("pond"), start=0, end=len(HEDGE), text=HEDGE)
    of_pond = [
        told(name, start, only_later=False).revised(quote=strange) for name, start in (("june", 50), ("barn", 8))
    ]
    later = told("july", 50, only_later=True).revised(quote=strange)
    found = [*of_pond, later, told("may", 50, only_later=False)]
    assert [(number, one.source.title) for number, one in told_changes(found, shown, ())] == [(2, "may"), (2, "june")]

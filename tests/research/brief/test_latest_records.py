from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.contracts.source import Quote, Source
from quaestor.research.brief.latest_records import later_than_shown
from quaestor.research.contracts.brief import Brief, BriefPassage

ASKED = "Who cooks the supper of the fair?"
FIRST = "Fair supper: the cook is Green Fork.\n\nMaximum 90 places.\n"
LATER = "Supper: 71 booked so far. Green Fork let us down."


def letter(day: int, said: str, month: str = "Aug") -> str:
    return f"From: Pat <pat@lids.example>\nDate: {day} {month} 2026 12:00:00 +0000\nSubject: News\n\n{said}\n"


def folder_of(place: Path, records: Mapping[str, str]) -> Path:
    place.mkdir()
    for number in range(8):
        (place / f"lids-{number}.txt").write_text(f"Jars of kind {number} are kept in the mill.\n")
    for name, text in records.items():
        (place / f"{name}{'.eml' if text.startswith('From') else '.txt'}").write_text(text)
    return place


async def shown(folder: Path, question: str, **records: str) -> list[str]:
    place = folder_of(folder, records)
    async with open_home(place.parent / f"home-{place.name}", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [place])
    assert isinstance(made, Brief)
    return [one.context.text for one in made.passages]


async def test_the_last_letter_is_shown_that_is_later_than_all_others_although_it_holds_little(tmp_path: Path) -> None:
    minutes = {"minutes-2026-07-14": FIRST, "early": letter(2, "The supper of May was good.", "May")}
    letters = {"later": letter(18, LATER), "before": letter(17, "Supper. Our supper.")}
    told = await shown(tmp_path / "a", ASKED, **letters, **minutes)

    assert [text.strip().splitlines()[-1] for text in told] == ["Maximum 90 places.", LATER]


async def test_what_is_of_no_day_not_later_or_asked_of_a_day_is_no_last_record(tmp_path: Path) -> None:
    minutes = {"minutes-2026-07-14": FIRST}
    for name, question, records in (
        ("undated", ASKED, {"minutes": FIRST, "later": letter(18, LATER)}),
        ("earlier", ASKED, {**minutes, "later": letter(13, LATER, "Jul")}),
        ("other", ASKED, {**minutes, "later": letter(18, "Jars: 71 booked so far.")}),
        ("day", ASKED.replace("?", " on 14 July 2026?"), {**minutes, "later": letter(18, LATER)}),
    ):
        told = await shown(tmp_path / name, question, **records)
        assert len(told) == 1, name
        assert told[0].startswith("Fair supper"), name


def dated(number: int, media_type: str, day: int) -> tuple[BriefPassage, Source]:
    place = Quote(source=str(number) * 64, start=0, end=5, text="Lids.")
    made = BriefPassage(
        number=number,
        finding=f"t1/{number}",
        source=place.source,
        start=0,
        end=5,
        text=place.text,
        part="Is it a lid?",
        context=place,
        is_best=number == 1,
    )
    when = datetime(2026, 11, 4, tzinfo=UTC)
    source = Source(sha256=place.source, title="", uri="/lids", media_type=media_type, characters=9, retrieved_at=when)
    return made, source.revised(published=date(2026, 5, day))


@pytest.mark.parametrize(
    ("media_type", "number"), [("message/rfc822", 2), ("text/markdown", None), ("application/pdf", None)]
)
def test_a_day_that_is_not_that_of_a_letter_or_a_name_makes_no_later_record(
    media_type: str, number: int | None
) -> None:
    told = [dated(1, "message/rfc822", 3), dated(2, media_type, 4)]
    found = later_than_shown([one for one, _ in told], {1}, {source.sha256: source for _, source in told})
    assert (found.number if found else None) == number


def test_of_several_later_records_the_last_one_is_it_and_of_one_day_the_first_in_the_order_of_the_search() -> None:
    told = [dated(number, "message/rfc822", day) for number, day in ((1, 3), (2, 4), (3, 5), (4, 5))]
    found = later_than_shown([one for one, _ in told], {1}, {source.sha256: source for _, source in told})
    assert found
    assert found.number == 3


def test_a_later_record_holds_a_word_that_is_asked_and_stands_beside_a_best_one_of_a_record() -> None:
    told = [dated(number, "message/rfc822", day) for number, day in ((1, 3), (2, 4))]
    sources = {source.sha256: source for _, source in told}
    first, later = (one for one, _ in told)
    assert later_than_shown([first, later], {1}, sources) == later
    assert later_than_shown([first, later.revised(absent=("lid",))], {1}, sources) is None
    assert later_than_shown([first.revised(is_best=False), later], {1}, sources) is None

"""Two sessions that read the same text under different names."""

from pathlib import Path

import quaestor
from fakes.papers import PAPERS

BUILT = "When was the Aldmouth lighthouse built?"


async def test_no_session_shows_the_names_of_another_ones_documents(tmp_path: Path) -> None:
    text = PAPERS["lighthouse.md"].partition("\n")[2]
    places = [tmp_path / "ward-7" / "patient-jane-doe.md", tmp_path / "public" / "lighthouse.md"]
    for place in places:
        place.parent.mkdir()
        place.write_text(text)
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        for place in places:
            report = await q.research(BUILT, docs=[place.parent])
            assert {source.uri for source in report.sources} == {str(place)}
            shown = await q.render_report((await q.sessions())[0].id, "json")
            assert shown is not None
            assert ("jane" in shown) == ("jane" in str(place))

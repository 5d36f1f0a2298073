from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

LIDS = "# {}Lids of cork\n\nThe lids of jars are made of cork, since tin is dear.\n"


async def status_of(place: Path, name: str, title: str, **others: str) -> str | None:
    """Return the status of the passage on lids of a file, beside others called by their numbers."""
    for path, text in {name: LIDS.format(title), **{f"{key}.md": text for key, text in others.items()}}.items():
        (place / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
        (place / "notes" / path).write_text(text)
    async with open_home(place / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Why are the lids of jars made of cork?", [place / "notes"])
    assert isinstance(made, Brief)
    [status] = [one.status for one in made.passages if "tin is dear" in one.text]
    return status


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("---\ntitle: Tin\nreplaces: 12\n---\n\nTin is cheap.\n", "Tin: “replaces: 12”"),
        ("---\ntitle: Tin\nsupersedes: [LID-0012]\n---\n\nTin is cheap.\n", "Tin: “supersedes: [LID-0012]”"),
        (
            "# Tin\n\nThis note proposes an amendment to LID-12: tin.\n",
            "Tin: “This note proposes an amendment to LID-12: tin.”",
        ),
        (
            "# Tin\n\nIt amends the rules for the makers of jars (see [LID 12](https://lids.example/12.0)).\n",
            "Tin: “It amends the rules for the makers of jars (see LID 12).”",
        ),
        ("# Tin\n\n- Supersedes: https://lids.example/lids/12\n", "Tin: “Supersedes: https://lids.example/lids/12”"),
        ("# Tin\n\n- Supersedes: https://lids.example/pull/12\n", None),
        ("# Remove lids of cork\n\nIn [note 12](../notes/lid-0012.md) lids came.\n", "Remove lids of cork"),
        ("# Remove lids of cork\n\nIn [note 12](lid-0012.md#top) lids came.\n", "Remove lids of cork"),
        ("# Remove lids of cork\n\nIn [note 12](old-lid-0012.md) lids came.\n", None),
        ("# Remove lids of cork\n\nNote 12 made lids.\n", None),
        ("# Lids of cork\n\nIn [note 12](../notes/lid-0012.md) we drop lids.\n", None),
        ("---\ntitle: Tin\nsupersedes: JAR 12\n---\n\nTin is cheap.\n", None),
        ("---\ntitle: Tin\nreplaces: 112\n---\n\nTin is cheap.\n", None),
        ("---\ntitle: Tin\nstatus: Rejected\nreplaces: 12\n---\n\nTin is cheap.\n", None),
        ("# Tin\n\nIt updates the shelf for 12 jars. LID-12 is of use.\n", None),
        ("# Tin\n\nIt adds to LID-12 rather than replaces LID-12.\n", None),
    ],
)
async def test_what_a_document_beside_it_replaces_or_amends_is_told(
    tmp_path: Path, said: str, told: str | None
) -> None:
    assert await status_of(tmp_path, "lid-0012.md", "LID 12: ", **{"lid-0030": said}) == told


async def test_a_document_may_be_called_by_its_folder(tmp_path: Path) -> None:
    tin = "# LID 30: Tin\n\n- Supersedes: LID 0012\n"
    told = await status_of(tmp_path / "beside", "0012-lids/README.md", "LID 12: ", **{"0030-tin/README": tin})
    elsewhere = await status_of(tmp_path / "else", "0012-lids/README.md", "LID 12: ", **{"old/0030-tin/README": tin})
    assert (told, elsewhere) == ("LID 30: Tin: “Supersedes: LID 0012”", None)


async def test_the_day_of_a_record_is_no_number(tmp_path: Path) -> None:
    tin = "# Tin\n\n- Supersedes: minutes 12\n"
    assert await status_of(tmp_path, "minutes-may-12.md", "", **{"minutes-may-30": tin}) is None


async def test_what_tells_itself_to_be_replaced_is_not_told_so_again(tmp_path: Path) -> None:
    tin = "---\ntitle: Tin\nreplaces: 12\n---\n\nTin is cheap.\n"
    own = "LID 12\n\nStatus: Superseded by LID 30\n\n# "
    status = await status_of(tmp_path, "lid-0012.md", own, **{"lid-0030": tin})
    assert status == "Status: Superseded by LID 30"

from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief

LIDS = "# Lids of cork\n\nStatus: Draft\n\nThe lids of jars are made of cork, since tin is dear.\n"
ROWS = "| Number | Title | Status |\n|---|---|---|\n| [12](jars/12-lids.md) | Lids of cork | {status} |\n"
LISTED = "## Accepted\n\n- [Lids of cork](jars/12-lids.md)\n"


@pytest.mark.parametrize(
    ("name", "index", "told"),
    [
        ("README.md", ROWS.format(status="**Accepted**"), "Status: Draft; README.md: Accepted"),
        ("README.md", LISTED, "Status: Draft; README.md: Accepted"),
        ("README.md", ROWS.format(status="Draft"), "Status: Draft"),
        (
            "README.md",
            ROWS.replace("12-lids.md", "9-tin.md").format(status="Superseded by [12](jars/12-lids.md)"),
            "Status: Draft",
        ),
        ("README.md", LISTED.replace("Accepted", "All of them"), "Status: Draft"),
        ("README.md", LISTED.replace("- [", "It is as in ["), "Status: Draft"),
        ("README.md", LISTED.replace("- [", "1. ["), "Status: Draft; README.md: Accepted"),
        ("README.md", LISTED.replace("12-lids.md", "13-tin.md"), "Status: Draft"),
        ("README.md", ROWS.format(status="Accepted").replace("12-lids.md", "13-tin.md"), "Status: Draft"),
        (
            "README.md",
            ROWS.format(status="Accepted").replace("jars/12-lids.md", "./jars/12-lids.md"),
            "Status: Draft; README.md: Accepted",
        ),
        ("jars/README.md", ROWS.format(status="Accepted").replace("jars/12-lids.md", "a12-lids.md"), "Status: Draft"),
        ("README.md", ROWS.format(status="Accepted").replace("jars/12-lids.md", "12-lids.md"), "Status: Draft"),
        (
            "jars/README.md",
            ROWS.format(status="Accepted").replace("jars/12-lids.md", "12-lids.md"),
            "Status: Draft; README.md: Accepted",
        ),
        (
            "jars/all/README.md",
            ROWS.format(status="Accepted").replace("jars/", "../"),
            "Status: Draft; README.md: Accepted",
        ),
        ("news.md", ROWS.format(status="Accepted"), "Status: Draft"),
    ],
)
async def test_a_status_that_an_index_gives_a_document_stands_beside_its_own(
    tmp_path: Path, name: str, index: str, told: str
) -> None:
    folder = tmp_path / "proposals"
    (folder / "jars").mkdir(parents=True)
    (folder / "jars" / "12-lids.md").write_text(LIDS)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"# Proposals\n\n{index}")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Why are the lids of jars made of cork?", [folder])

    assert isinstance(made, Brief)
    [status] = [one.status for one in made.passages if "tin is dear" in one.text]
    assert status == told


async def test_an_index_is_found_among_many_passages_by_the_number_of_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "proposals"
    folder.mkdir()
    listed = "The list of lids and jars of cork is an index of tin. Status: 12 lists of lids are kept by the index."
    header = "  LID: 0012\n  Title: Lids of cork\n  Status: Draft\n  Created: 2024-05-06\n"
    (folder / "lid-0012.md").write_text(f"<pre>\n{header}</pre>\n\n" + f"## Lids\n\n{listed}\n\n" * 15)
    rows = "\n".join(f"[{n}](lid-{n:04}.md) | Lids {n} | Final" for n in range(9, 30))
    (folder / "README.md").write_text(f"# Lids\n\nNumber | Title | Status\n--- | --- | ---\n{rows}\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("What is the status of LID 12?", [folder])

    assert isinstance(made, Brief)
    assert made.answer is None
    assert any("“README.md” may say otherwise" in gap and gap.endswith("“Final”.") for gap in made.gaps)
    assert made.passages[0].status == "Status: Draft; README.md: Final"


async def test_a_file_that_is_called_as_others_are_is_linked_to_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "proposals"
    for name, text in (("lids", LIDS), ("tins", "# Tins\n\nStatus: Draft\n\nOf tin.\n")):
        (folder / name).mkdir(parents=True)
        (folder / name / "specification.md").write_text(text)
    rows = "| {0} | [text]({0}/specification.md) | {1} |\n"
    listed = "| Name | Link | Status |\n|---|---|---|\n" + rows.format("tins", "Done") + rows.format("lids", "Accepted")
    (folder / "README.md").write_text(f"# Proposals\n\n{listed}")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Why are the lids of jars made of cork?", [folder])

    assert isinstance(made, Brief)
    [status] = [one.status for one in made.passages if "tin is dear" in one.text]
    assert status == "Status: Draft; README.md: Accepted"

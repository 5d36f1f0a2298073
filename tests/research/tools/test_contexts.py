from pathlib import Path

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief


async def test_a_name_that_much_of_the_corpus_holds_tells_no_passage_from_another(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(30):
        (folder / f"note-{number}.md").write_text(f"# Note {number}\n\nCorkfit may have jars of kind {number}.\n")
    (folder / "lids.md").write_text("# Lids\n\nJars of any kind may have a Twistlid.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Do the jars of Corkfit have a Twistlid?", [folder])

    assert isinstance(made, Brief)
    assert [one.text for one in made.passages if one.is_best] == ["Jars of any kind may have a Twistlid."]
    assert made.gaps == ()

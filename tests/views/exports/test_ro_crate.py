from pathlib import Path

from rocrate.rocrate import ROCrate

from quaestor.app.reports.exports import write_export
from quaestor.contracts.export import ExportKind
from quaestor.views.exports.ro_crate import write_ro_crate
from views.exports.material import material


def test_another_program_reads_the_crate_and_its_process(tmp_path: Path) -> None:
    given = material()
    write_export(write_ro_crate(given), ExportKind.FOLDER, tmp_path / "crate")
    crate = ROCrate(tmp_path / "crate")
    assert crate.name == given.title
    parts = {part.id for part in crate.root_dataset["hasPart"]}
    written = {str(path.relative_to(tmp_path / "crate")) for path in (tmp_path / "crate").rglob("*") if path.is_file()}
    assert parts == written - {"ro-crate-metadata.json"}
    action = crate.get("#session")
    assert {each.id for each in action["object"]} == {f"sources/{source.sha256}.txt" for source in given.sources}
    assert {each.id for each in action["result"]} <= parts
    assert [each["name"] for each in action["instrument"]] == ["Quaestor", "offline"]
    assert crate.get(f"sources/{given.sources[0].sha256}.txt")["isBasedOn"] == "https://coast.example/1"

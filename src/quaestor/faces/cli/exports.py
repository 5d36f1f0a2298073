"""A report in the formats of other programs; a session as a bundle, and back."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.copies.bundle_import import import_bundle
from quaestor.app.copies.bundles import export_bundle
from quaestor.app.reports.exports import choose_exporter, export_report, write_export
from quaestor.app.text import count_noun
from quaestor.contracts.errors import UsageError
from quaestor.contracts.export import ExportKind
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.output import check_output_path, command_line, write_stderr, write_stdout
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.reports import report_faults


async def export(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    out: Annotated[Path | None, Parameter(help="The file, or the folder that is made.")] = None,
    form: Annotated[
        str | None,
        Parameter(name="--format", help="A format that docs/exports.md lists; as --out ends, if left out."),
    ] = None,
    bundle: Annotated[
        Path | None,
        Parameter(help="Write everything into this one file, which `quaestor verify FILE` checks anywhere."),
    ] = None,
    version: Annotated[int | None, Parameter(help="Export this version of the report; the newest without it.")] = None,
    home: Home = None,
) -> int:
    """Write the report of a session in the format of another program, or the whole session as a bundle.

    As a Word file or PDF, its sources for a reference manager, its quotes as web annotations, as notes, as a page that
    checks itself, or as a research object with the process that made it.
    """
    if (out is None) == (bundle is None) or (bundle and form):
        raise UsageError("name a target: --out FILE with a format, or --bundle FILE without one")
    if bundle:
        await _export_bundle(session, bundle, version, home)
    elif out:
        await _export_report(session, out, form, version, home)
    return 0


async def _export_bundle(session: str, file: Path, version: int | None, home: Path | None) -> None:
    check_output_path("--bundle", file)
    async with open_home(home) as quaestor:
        manifest = await export_bundle(quaestor, session, file, version)
    signed = f", signed by {manifest.signed.key}" if manifest.signed else ""
    write_stderr(f"{file}: {count_noun(manifest.head.events, 'event')}, head {manifest.head.hash}{signed}")
    write_stderr(f"check it anywhere with: {command_line(None, 'verify', str(file))}")


async def _export_report(session: str, out: Path, form: str | None, version: int | None, home: Path | None) -> None:
    exporter = choose_exporter(form, out)
    if exporter.kind is ExportKind.FILE:
        check_output_path("--out", out)
    async with open_home(home) as quaestor:
        files = await export_report(quaestor, session, exporter, version)
    write_export(files, exporter.kind, out)
    write_stderr(f"{out}: {exporter.description}")


async def import_session(
    file: Annotated[Path, Parameter(name="FILE", help="A bundle, as `quaestor export --bundle FILE` writes it.")],
    /,
    *,
    home: Home = None,
) -> int:
    """Take the session of a bundle into this home, under its id.

    The bundle is checked first, as `verify FILE` does; with a fault nothing is stored, and the exit code is 1. From
    then on the session runs with your settings, over the sources of the bundle.
    """
    async with open_home(home) as quaestor:
        imported = await import_bundle(quaestor, file)
    checked = imported.checked
    if checked.faults:
        return report_faults(str(file), checked.faults)
    manifest = checked.manifest
    write_stdout(f"{manifest.session_id}\n")
    if not imported.is_new:
        write_stderr("the session is here already")
        return 0
    write_stderr(
        f"imported {count_noun(manifest.head.events, 'event')} with {count_noun(checked.quotes, 'quote')} from "
        f"{count_noun(checked.sources, 'source')}"
    )
    if manifest.signed and checked.signature != "valid":
        write_stderr(f"signed by {manifest.signed.key}, which is not your key: ask its owner whether it is theirs")
    write_stderr(f"read it with: {command_line(home, 'report', manifest.session_id)}")
    return 0

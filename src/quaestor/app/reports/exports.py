"""Exports of a report in the formats of other programs, into a file or a folder."""

import asyncio
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import assert_never

from quaestor.app.reports.versions import find_version, render_report
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import (
    ExportedFiles,
    ExportedQuote,
    ExportedStatement,
    Exporter,
    ExportKind,
    ExportMaterial,
)
from quaestor.files import write_whole
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.report import Citation, Report
from quaestor.research.reports.fixed_words import report_words
from quaestor.research.views.report_outline import claim_status, place_label
from quaestor.runtime.exporters import exporter_names, exporter_of_suffix, get_exporter
from quaestor.version import __version__

__all__ = [
    "choose_exporter",
    "export_report",
    "exporter_names",
    "gather_material",
    "get_exporter",
    "pack_export",
    "pack_report",
    "write_export",
]


def choose_exporter(name: str | None, out: Path) -> Exporter:
    """Return the exporter that is named, else the one that the suffix of the target says.

    Raises UsageError for an unknown name, and where the target says none.
    """
    chosen = name or exporter_of_suffix(out.suffix.lower())
    if chosen is None:
        raise UsageError(
            f"the format of {out} does not follow from its name; name one of {', '.join(exporter_names())}"
        )
    return get_exporter(chosen)


async def export_report(
    quaestor: Quaestor, session_id: str, exporter: Exporter, version: int | None = None
) -> ExportedFiles:
    """Return the files of an export of the newest report, or of one version of it.

    Raises UsageError for a session without this report, MissingExtra where the format needs what is not installed.
    """
    material = await gather_material(quaestor, session_id, version)
    return await asyncio.to_thread(exporter.write, material)


async def gather_material(quaestor: Quaestor, session_id: str, version: int | None = None) -> ExportMaterial:
    """Return a report with what proves it. Raises UsageError for a session without this report."""
    session = await quaestor.session(session_id)
    document = await find_version(quaestor, session_id, version)
    texts = {source.sha256: await quaestor.library.text(source.sha256) for source in document.sources}
    lost = [name for name, text in texts.items() if text is None]
    if lost:
        raise SetupError(f"the text of source {lost[0]} is not in the home; `verify` names what is damaged")
    return ExportMaterial(
        session_id=session.id,
        workflow=session.workflow,
        version=document.version,
        question=document.question,
        title=document.title if isinstance(document, Report) else document.question,
        begun_at=session.created_at,
        written_at=session.last_at or session.created_at,
        program=f"Quaestor {__version__}",
        model=document.making.model,
        markdown=render_report(document, "md"),
        html=render_report(document, "html"),
        json_text=render_report(document, "json"),
        statements=_statements(document),
        sources=document.sources,
        texts={name: text for name, text in texts.items() if text is not None},
    )


def _statements(document: ResearchDocument) -> tuple[ExportedStatement, ...]:
    match document:
        case Report():
            return tuple(
                ExportedStatement(
                    number=claim.number,
                    text=claim.text,
                    standing=claim_status(claim, document.language),
                    quotes=_quotes(document, claim.citations),
                )
                for claim in document.claims()
            )
        case Brief():
            return tuple(
                ExportedStatement(
                    number=each.number, text=each.text, standing="passage", quotes=_quotes(document, (each,))
                )
                for each in document.passages
            )
        case never:
            assert_never(never)


def _quotes(document: ResearchDocument, citations: Sequence[Citation]) -> tuple[ExportedQuote, ...]:
    sources = {source.sha256: source for source in document.sources}
    words = report_words(document.language)
    return tuple(
        ExportedQuote(
            source=each.source,
            start=each.start,
            end=each.end,
            text=each.text,
            place=place_label(each, sources[each.source], words),
        )
        for each in citations
    )


async def pack_report(quaestor: Quaestor, session_id: str, exporter: Exporter, version: int | None = None) -> bytes:
    """Return an export as one file. Raises as `export_report` does."""
    files = await export_report(quaestor, session_id, exporter, version)
    return await asyncio.to_thread(pack_export, files, exporter.kind)


def pack_export(files: ExportedFiles, kind: ExportKind) -> bytes:
    """Return the one file of an export, or its folder as a ZIP archive, the same to the byte for the same files."""
    if kind is ExportKind.FILE:
        (content,) = files.values()
        return content
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def write_export(files: ExportedFiles, kind: ExportKind, out: Path) -> None:
    """Write the files of an export: the one file at `out`, or all below the new or empty folder `out`.

    Raises UsageError for a folder that holds something, SetupError where it cannot be written.
    """
    try:
        match kind:
            case ExportKind.FILE:
                (content,) = files.values()
                write_whole(out, content)
            case ExportKind.FOLDER:
                _write_folder(files, out)
            case never:
                assert_never(never)
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}; choose another place") from error


def _write_folder(files: ExportedFiles, out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is no empty folder; name one that does not exist yet")
    for path, content in files.items():
        inside = PurePosixPath(path)
        if inside.is_absolute() or ".." in inside.parts:
            raise SetupError(f"the exporter wants to write {path!r} outside of {out}")
        (out / inside).parent.mkdir(parents=True, exist_ok=True)
        write_whole(out / inside, content)

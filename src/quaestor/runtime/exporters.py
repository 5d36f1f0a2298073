"""The formats that a report is exported in, by name: those that are built in, and those of other packages."""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType

from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import ExportedFiles, Exporter, ExportKind, ExportMaterial
from quaestor.contracts.installed import load_installed
from quaestor.contracts.lazy import deferred
from quaestor.contracts.suggestion import suggest

ENTRY_POINT_GROUP = "quaestor.exporters"
"""The entry points by which other packages bring formats; each leads to an `Exporter`."""


def _built_in(kind: ExportKind, suffix: str, media_type: str, description: str, place: str) -> Exporter:
    write: Callable[[ExportMaterial], ExportedFiles] = deferred(f"quaestor.{place}")
    return Exporter(kind, suffix, media_type, description, write)


_FILE, _FOLDER = ExportKind.FILE, ExportKind.FOLDER
_ZIP = "application/zip"
BUILT_IN_EXPORTERS: Mapping[str, Exporter] = MappingProxyType(
    {
        "docx": _built_in(
            _FILE,
            ".docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "a Word file (extra `export`)",
            "tools.typesetting:write_docx",
        ),
        "pdf": _built_in(_FILE, ".pdf", "application/pdf", "a PDF (extra `export`)", "tools.typesetting:write_pdf"),
        "bibtex": _built_in(
            _FILE, ".bib", "application/x-bibtex", "the sources for BibTeX", "views.exports.references:write_bibtex"
        ),
        "ris": _built_in(
            _FILE,
            ".ris",
            "application/x-research-info-systems",
            "the sources as RIS",
            "views.exports.references:write_ris",
        ),
        "csl": _built_in(
            _FILE,
            ".json",
            "application/vnd.citationstyles.csl+json",
            "the sources as CSL-JSON, for Zotero and pandoc",
            "views.exports.references:write_csl",
        ),
        "annotations": _built_in(
            _FILE,
            ".jsonld",
            "application/ld+json",
            "every quote as a W3C Web Annotation",
            "views.exports.annotations:write_annotations",
        ),
        "proof": _built_in(
            _FILE,
            ".html",
            "text/html",
            "a page that checks its quotes in the reader's browser",
            "views.exports.proof:write_proof",
        ),
        "obsidian": _built_in(
            _FOLDER, "", _ZIP, "a folder of notes for Obsidian", "views.exports.notes:write_obsidian"
        ),
        "quarto": _built_in(
            _FOLDER, "", _ZIP, "a document for Quarto with its bibliography", "views.exports.notes:write_quarto"
        ),
        "ro-crate": _built_in(
            _FOLDER,
            "",
            _ZIP,
            "an RO-Crate 1.2 with the process that made it",
            "views.exports.ro_crate:write_ro_crate",
        ),
    }
)


def exporter_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return (*BUILT_IN_EXPORTERS, *sorted(set(entry_points(group=ENTRY_POINT_GROUP).names) - set(BUILT_IN_EXPORTERS)))


def get_exporter(name: str) -> Exporter:
    """Return the exporter of a format.

    Raises UsageError for an unknown name, SetupError for what a package brings under it and is no exporter.
    """
    if name in BUILT_IN_EXPORTERS:
        return BUILT_IN_EXPORTERS[name]
    others = entry_points(group=ENTRY_POINT_GROUP)
    if name not in others.names:
        known = exporter_names()
        raise UsageError(f"no format of exports is called {name!r}; {suggest(name, known)}known are {', '.join(known)}")
    exporter = load_installed(others[name], "exporter")
    if not isinstance(exporter, Exporter):
        raise SetupError(
            f"the exporter {name!r} at {others[name].value} is a {type(exporter).__name__}, not an Exporter"
        )
    return exporter


def exporter_of_suffix(suffix: str) -> str | None:
    """Return the name of the built-in format that files with a suffix have; None where none has it."""
    return next((name for name, each in BUILT_IN_EXPORTERS.items() if suffix and each.suffix == suffix), None)

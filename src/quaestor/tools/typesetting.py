"""Word and PDF files, set from Markdown by pandoc and typst (extra `export`)."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.contracts.errors import MissingExtra, SetupError
from quaestor.contracts.export import ExportedFiles, ExportMaterial
from quaestor.contracts.lazy import deferred

_convert_text: Callable[..., str] = deferred("pypandoc:convert_text")
_compile: Callable[..., bytes] = deferred("typst:compile")

_MARKDOWN = "commonmark+footnotes+pipe_tables+strikeout"
"""What our Markdown is; nothing of it is raw HTML or TeX."""
_LAYOUT = '#set page(paper: "a4", margin: 25mm, numbering: "1")\n#set text(size: 10.5pt)\n#set par(justify: true)\n'


def write_docx(material: ExportMaterial) -> ExportedFiles:
    """Write the report as a Word file. Raises MissingExtra without the extra, SetupError where pandoc fails."""
    with TemporaryDirectory(prefix="quaestor-export-") as folder:
        file = Path(folder) / "report.docx"
        _convert(material, "docx", file)
        return {file.name: file.read_bytes()}


def write_pdf(material: ExportMaterial) -> ExportedFiles:
    """Write the report as a PDF. Raises MissingExtra without the extra, SetupError where pandoc or typst fails."""
    with TemporaryDirectory(prefix="quaestor-export-") as folder:
        source = Path(folder) / "report.typ"
        _convert(material, "typst", source)
        source.write_text(_LAYOUT + source.read_text("utf-8"), "utf-8")
        try:
            return {"report.pdf": _compile(source, root=folder, timestamp=int(material.written_at.timestamp()))}
        except ModuleNotFoundError as error:
            raise _missing(error) from error
        except RuntimeError as error:
            raise SetupError(f"typst could not set the report: {error}; export it as docx or html") from error


def _convert(material: ExportMaterial, form: str, file: Path) -> None:
    """Convert the report in pandoc's sandbox, which reads and fetches nothing that the words of a source name."""
    title = (f"--metadata=title:{material.title}",) if form == "docx" else ()
    try:
        _convert_text(material.markdown, form, _MARKDOWN, extra_args=title, outputfile=file, sandbox=True)
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    except (RuntimeError, OSError) as error:
        raise SetupError(f"pandoc could not convert the report: {error}; export it as md or html") from error


def _missing(error: ModuleNotFoundError) -> MissingExtra:
    return MissingExtra(f"docx and pdf need an extra ({error.name} is missing)", "export")

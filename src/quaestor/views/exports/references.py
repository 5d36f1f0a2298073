"""The cited sources for reference managers: BibTeX, RIS and CSL-JSON."""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pydantic import JsonValue

from quaestor.contracts.export import ExportedFiles, ExportMaterial
from quaestor.contracts.source import Source
from quaestor.views.escaping import one_line

_TEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_TEX_PATTERN = re.compile(r"[\\{}$&#%_^~]")
_NO_WORD = re.compile(r"[^0-9A-Za-z]+")
_KEY_CHARACTERS = 40


def reference_key(source: Source) -> str:
    """Return the key by which a source is cited: words of its title and the beginning of its hash, in ASCII."""
    words = _NO_WORD.sub("-", source.title)[:_KEY_CHARACTERS].strip("-").lower()
    return f"{words or 'source'}-{source.sha256[:8]}"


def write_bibtex(material: ExportMaterial) -> ExportedFiles:
    """Write an entry `@online` or `@misc` for each source, as biblatex reads them; text is escaped for TeX."""
    return {"references.bib": "\n".join(map(_bibtex_entry, material.sources)).encode()}


def _bibtex_entry(source: Source) -> str:
    fields = {
        "title": f"{{{_tex(source.title)}}}",
        "url": _tex_url(source_iri(source)),
        "urldate": source.retrieved_at.date().isoformat(),
        **({"date": source.published.isoformat()} if source.published else {}),
        "note": f"SHA-256 of the stored text: {source.sha256}",
    }
    kind = "online" if _is_page(source) else "misc"
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{reference_key(source)},\n{lines}}}\n"


def _tex(text: str) -> str:
    return _TEX_PATTERN.sub(lambda found: _TEX_SPECIAL[found[0]], one_line(text))


def _tex_url(uri: str) -> str:
    """Return an address with what would end the field, or open a command, percent-encoded."""
    return re.sub(r"[\s{}\\%]", _percent, one_line(uri))


def _percent(found: re.Match[str]) -> str:
    return r"\%" if found[0] == "%" else f"\\%{ord(found[0]):02X}"


def write_ris(material: ExportMaterial) -> ExportedFiles:
    """Write a record for each source as RIS: a tag and a value on each line, ended with CR LF."""
    lines = (line for source in material.sources for line in (*_ris_record(source), ""))
    return {"references.ris": "".join(f"{line}\r\n" for line in lines).encode()}


def _ris_record(source: Source) -> Iterator[str]:
    yield f"TY  - {'ELEC' if _is_page(source) else 'GEN'}"
    yield f"ID  - {reference_key(source)}"
    yield f"TI  - {one_line(source.title)}"
    yield f"UR  - {source_iri(source)}"
    if source.published:
        yield f"DA  - {source.published:%Y/%m/%d}/"
        yield f"PY  - {source.published:%Y}"
    yield f"Y2  - {source.retrieved_at:%Y/%m/%d}/"
    yield f"N1  - SHA-256 of the stored text: {source.sha256}"
    yield "ER  - "


def write_csl(material: ExportMaterial) -> ExportedFiles:
    """Write the sources as CSL-JSON, which Zotero, pandoc and citeproc read."""
    items = [_csl_item(source) for source in material.sources]
    return {"references.json": (json.dumps(items, ensure_ascii=False, indent=2) + "\n").encode()}


def _csl_item(source: Source) -> dict[str, JsonValue]:
    return {
        "id": reference_key(source),
        "type": "webpage" if _is_page(source) else "document",
        "title": one_line(source.title),
        "URL": source_iri(source),
        "accessed": _csl_date(source.retrieved_at.date()),
        **({"issued": _csl_date(source.published)} if source.published else {}),
        "note": f"SHA-256 of the stored text: {source.sha256}",
    }


def _csl_date(day: date) -> dict[str, JsonValue]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def source_iri(source: Source) -> str:
    """Return where a source is from as an IRI; a path on this machine as `file:`."""
    return Path(source.uri).as_uri() if source.uri.startswith("/") else one_line(source.uri)


def _is_page(source: Source) -> bool:
    return source.uri.startswith(("http://", "https://"))

"""The report as an RO-Crate: files with a description of what they are and of the process that made them.

RO-Crate 1.2 (https://w3id.org/ro/crate/1.2) with the profile Process Run Crate 0.5
(https://w3id.org/ro/wfrun/process/0.5): an action took the sources, used the program and the model, and gave the
report.
"""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from quaestor.contracts.export import ExportedFiles, ExportMaterial
from quaestor.contracts.source import Source
from quaestor.views.exports.annotations import write_annotations
from quaestor.views.exports.references import source_iri, write_bibtex

METADATA_FILE = "ro-crate-metadata.json"
_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_REPORTS: Mapping[str, tuple[str, str]] = {
    "report.md": ("text/markdown", "The report"),
    "report.html": ("text/html", "The report as a page"),
    "report.json": ("application/json", "The report with claims, quotes and verdicts"),
    "annotations.jsonld": ("application/ld+json", "Every quote as a W3C Web Annotation"),
    "references.bib": ("application/x-bibtex", "The cited sources"),
}
Entity = dict[str, JsonValue]


def write_ro_crate(material: ExportMaterial) -> ExportedFiles:
    """Write a folder with the report in three formats, its quotes, its sources' texts, and their description."""
    files: dict[str, bytes] = {
        "report.md": material.markdown.encode(),
        "report.html": material.html.encode(),
        "report.json": material.json_text.encode(),
        **write_annotations(material),
        **write_bibtex(material),
        **{source_path(source): material.texts[source.sha256].encode() for source in material.sources},
    }
    return {METADATA_FILE: describe_crate(material, {}), **files}


def source_path(source: Source) -> str:
    """Return where the stored text of a source is in a crate."""
    return f"sources/{source.sha256}.txt"


def describe_crate(material: ExportMaterial, more: Mapping[str, tuple[str, str]]) -> bytes:
    """Return the metadata file of a crate; `more` has the media type and the name of further files by their path."""
    named = {**_REPORTS, **more}
    graph = [_descriptor(), _root(material, named), *_process(material), *_files(named), *_sources(material)]
    document = {"@context": "https://w3id.org/ro/crate/1.2/context", "@graph": graph}
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _descriptor() -> Entity:
    return {
        "@id": METADATA_FILE,
        "@type": "CreativeWork",
        "conformsTo": _reference("https://w3id.org/ro/crate/1.2"),
        "about": _reference("./"),
    }


def _root(material: ExportMaterial, named: Mapping[str, tuple[str, str]]) -> Entity:
    parts = (*named, *map(source_path, material.sources))
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": material.title,
        "description": f"What was found to the question: {material.question}",
        "datePublished": material.written_at.isoformat(),
        "license": "The sources keep the licences of their owners; the report states none.",
        "identifier": f"urn:quaestor:{material.session_id}/{material.version}",
        "conformsTo": _reference(_PROFILE),
        "hasPart": [_reference(part) for part in parts],
        "mentions": _reference("#session"),
    }


def _process(material: ExportMaterial) -> Iterator[Entity]:
    name, _, version = material.program.rpartition(" ")
    yield {"@id": _PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}
    yield {"@id": "#program", "@type": "SoftwareApplication", "name": name, "softwareVersion": version}
    yield {"@id": "#model", "@type": "SoftwareApplication", "name": material.model}
    yield {
        "@id": "#session",
        "@type": "CreateAction",
        "name": f"Session {material.session_id}",
        "description": material.question,
        "startTime": material.begun_at.isoformat(),
        "endTime": material.written_at.isoformat(),
        "instrument": [_reference("#program"), _reference("#model")],
        "object": [_reference(source_path(source)) for source in material.sources],
        "result": [_reference(path) for path in _REPORTS],
        "actionStatus": _reference("http://schema.org/CompletedActionStatus"),
    }


def _files(named: Mapping[str, tuple[str, str]]) -> Iterator[Entity]:
    for path, (media_type, name) in named.items():
        yield {"@id": path, "@type": "File", "name": name, "encodingFormat": media_type}


def _sources(material: ExportMaterial) -> Iterator[Entity]:
    for source in material.sources:
        yield {
            "@id": source_path(source),
            "@type": "File",
            "name": source.title,
            "encodingFormat": "text/plain",
            "isBasedOn": source_iri(source),
            "sha256": source.sha256,
            "dateCreated": source.retrieved_at.isoformat(),
            **({"dateModified": source.published.isoformat()} if source.published else {}),
        }


def _reference(identifier: str) -> Entity:
    return {"@id": identifier}

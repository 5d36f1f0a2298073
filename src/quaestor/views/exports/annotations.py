"""The quotes as W3C Web Annotations, which annotation tools place on the source itself.

https://www.w3.org/TR/annotation-model/: a text quote selector finds the words where the page was changed around them,
a text position selector counts code points of the stored text.
"""

import json

from pydantic import JsonValue

from quaestor.contracts.export import ExportedFiles, ExportedStatement, ExportMaterial
from quaestor.contracts.source import Quote, Source
from quaestor.views.exports.references import source_iri

_CONTEXT_CHARACTERS = 32
"""Before and behind a quote, to tell it from the same words elsewhere."""


def write_annotations(material: ExportMaterial) -> ExportedFiles:
    """Write an annotation collection: one for each quote of each statement, with the statement as its body.

    A statement that is refuted or not confirmed has that as a tag.
    """
    sources = {source.sha256: source for source in material.sources}
    items = [
        _annotation(material, statement, quote, number, sources[quote.source])
        for statement in material.statements
        for number, quote in enumerate(statement.quotes, 1)
    ]
    collection = {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": f"{_session_uri(material)}/annotations",
        "type": "AnnotationCollection",
        "label": material.title,
        "total": len(items),
        "first": {"type": "AnnotationPage", "startIndex": 0, "items": items},
    }
    return {"annotations.jsonld": (json.dumps(collection, ensure_ascii=False, indent=2) + "\n").encode()}


def _annotation(
    material: ExportMaterial, statement: ExportedStatement, quote: Quote, number: int, source: Source
) -> JsonValue:
    before, after = material.around(quote, _CONTEXT_CHARACTERS)
    said: JsonValue = {
        "type": "TextualBody",
        "value": statement.text,
        "format": "text/plain",
        "purpose": "commenting",
    }
    status: JsonValue = {"type": "TextualBody", "value": statement.standing, "purpose": "tagging"}
    return {
        "id": f"{_session_uri(material)}/statements/{statement.number}/quotes/{number}",
        "type": "Annotation",
        "motivation": "linking",
        "created": material.written_at.isoformat(),
        "generator": {"type": "Software", "name": material.program},
        "body": [said, status] if statement.standing else said,
        "target": {
            "source": source_iri(source),
            "state": {"type": "TimeState", "sourceDate": source.retrieved_at.isoformat()},
            "selector": [
                {"type": "TextQuoteSelector", "exact": quote.text, "prefix": before, "suffix": after},
                {"type": "TextPositionSelector", "start": quote.start, "end": quote.end},
            ],
        },
    }


def _session_uri(material: ExportMaterial) -> str:
    return f"urn:quaestor:{material.session_id}/{material.version}"

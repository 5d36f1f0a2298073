from collections.abc import Mapping
from datetime import UTC, date, datetime
from hashlib import sha256

from quaestor.contracts.export import ExportedQuote, ExportedStatement, ExportMaterial
from quaestor.contracts.source import Source

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLAIN = {"Lights": "The lamp of Aldmouth burns oil. It was lit in 1823."}


def material(texts: Mapping[str, str] = PLAIN, uri: str = "https://coast.example/{}") -> ExportMaterial:
    """Return what is exported of a report with one statement for each source, which quotes its first sentence."""
    sources, statements, stored = list[Source](), list[ExportedStatement](), dict[str, str]()
    for number, (title, text) in enumerate(texts.items(), 1):
        name = sha256(text.encode()).hexdigest()
        stored[name] = text
        sources.append(
            Source(
                sha256=name,
                title=title,
                uri=uri.format(number),
                media_type="text/html",
                characters=len(text),
                retrieved_at=NOON,
                published=date(2019, 5, 4),
            )
        )
        quoted = text.partition(". ")[0]
        quote = ExportedQuote(source=name, start=0, end=len(quoted), text=quoted)
        statements.append(ExportedStatement(number=number, text=f"It says: {quoted}", standing="", quotes=(quote,)))
    return ExportMaterial(
        session_id="20260301-120000-abcdef",
        workflow="research",
        version=1,
        question="What does the lamp burn?",
        title="What does the lamp burn?",
        begun_at=NOON,
        written_at=NOON,
        program="Quaestor 0.1.0",
        model="offline",
        markdown="# What does the lamp burn?\n\nOil. [1]\n",
        html="<!doctype html>\n<html></html>\n",
        json_text="{}\n",
        statements=tuple(statements),
        sources=tuple(sources),
        texts=stored,
    )

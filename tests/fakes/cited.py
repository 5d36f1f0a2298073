"""A report of one claim, whose source tries to look like more citations."""

from datetime import UTC, datetime

from quaestor.contracts.cost import Spend
from quaestor.contracts.source import Source
from quaestor.research.contracts.report import Citation, Claim, GenerationInfo, Report

SHA256 = "a" * 64
HOSTILE = "See [1] and <b>[2]</b> \\[1] \U0001f600 of\u202e x"


def report(uri: str, text: str) -> Report:
    quote = Citation(source=SHA256, start=3, end=3 + len(text), text=text, number=1, finding="t1/1")
    source = Source(
        sha256=SHA256, title=text, uri=uri, media_type="text/html", characters=99, retrieved_at=datetime.now(UTC)
    )
    claim = Claim(number=1, text=text, quoted=True, citations=(quote,))
    making = GenerationInfo(
        model="m", todos=1, todos_done=1, searches=1, sources_searched=1, spend=Spend(), extractive=False
    )
    return Report(version=1, question=text, title=text, summary=(claim,), sources=(source,), making=making)

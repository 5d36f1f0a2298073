"""From sentences and findings to claims and citations."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote, Source
from quaestor.evidence.text_reuse import fingerprint, is_copy_of
from quaestor.research.contracts.report import Citation, Claim
from quaestor.research.contracts.writing import WrittenSentence


@dataclass
class CitationBuilder:
    """Numbers claims and citations in the order in which they are asked for.

    `doubted` holds sentences, blanks folded, that are not supported whatever they cite. Equal sentences are one claim
    and equal quotes one citation, wherever they are in the report. Of quotes of different sources that copy one
    another a claim cites the first: they prove it once. With `drop` set, sentences that no verified finding supports
    are left out.
    """

    findings: Mapping[str, Finding]
    verified: Collection[str]
    doubted: Collection[str] = ()
    drop: bool = False
    _claims: dict[str, Claim] = field(default_factory=dict)
    _citations: dict[tuple[str, int, int], Citation] = field(default_factory=dict)

    def claims(self, sentences: Iterable[WrittenSentence]) -> tuple[Claim, ...]:
        """Return the claims of a part of the report."""
        return tuple(self.claim(sentence) for sentence in sentences if not self.drop or self.supports(sentence))

    def claim(self, sentence: WrittenSentence) -> Claim:
        """Return the claim of a sentence; it is supported when it names findings and every one of them was verified."""
        said = " ".join(sentence.text.split())
        if said not in self._claims:
            proven = [self.findings[ref] for ref in sentence.findings if self._is_proven(ref)]
            citations = [self._cite(finding, quote) for finding, quote in _independent_quotes(proven)]
            self._claims[said] = Claim(
                number=len(self._claims) + 1,
                text=said,
                supported=self.supports(sentence),
                citations=tuple({citation.number: citation for citation in citations}.values()),
            )
        return self._claims[said]

    def supports(self, sentence: WrittenSentence) -> bool:
        """Return whether a sentence names only verified findings, at least one, and is not doubted."""
        doubted = " ".join(sentence.text.split()) in self.doubted
        return not doubted and bool(sentence.findings) and all(map(self._is_proven, sentence.findings))

    def sources(self, known: Iterable[Source]) -> tuple[Source, ...]:
        """Return the cited sources in order of first citation."""
        by_hash = {source.sha256: source for source in known}
        cited = dict.fromkeys(citation.source for citation in self._citations.values())
        return tuple(by_hash[sha] for sha in cited)

    def _is_proven(self, ref: str) -> bool:
        return ref in self.verified and ref in self.findings

    def _cite(self, finding: Finding, quote: Quote) -> Citation:
        spot = (quote.source, quote.start, quote.end)
        if spot not in self._citations:
            self._citations[spot] = Citation(**quote.model_dump(), number=len(self._citations) + 1, finding=finding.id)
        return self._citations[spot]


def _independent_quotes(findings: Iterable[Finding]) -> list[tuple[Finding, Quote]]:
    """Return the quotes of findings in order, without those that copy one of an earlier finding from another source."""
    kept: list[tuple[Finding, Quote]] = []
    for finding in findings:
        others = [quote for one, quote in kept if one is not finding]
        kept.extend(
            (finding, quote) for quote in finding.quotes if not any(_is_copied_quote(quote, one) for one in others)
        )
    return kept


def _is_copied_quote(quote: Quote, other: Quote) -> bool:
    return quote.source != other.source and is_copy_of(fingerprint(quote.text), fingerprint(other.text))

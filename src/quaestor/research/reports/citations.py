"""From sentences and findings to claims and citations."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote, Source, TablePlace
from quaestor.research.contracts.report import Citation, Claim
from quaestor.research.contracts.verdicts import RULES, UNCHECKED, ClaimCheck, Verdict
from quaestor.research.contracts.writing import WrittenSentence, normalize_sentence
from quaestor.research.reports.draft import Spot, Statement, spot, to_statement

_is_copy_of: Callable[[str, str], bool] = deferred("quaestor.evidence.text_reuse:is_copy_of")


@dataclass
class CitationBuilder:
    """Numbers claims and citations in the order in which they are asked for.

    `checks` holds the verdicts on statements, and `places` the places of quotes in tables. Equal sentences on the same
    quotes are one claim and equal quotes one citation, wherever they are in the report. Of quotes of different sources
    that copy one another a claim cites the first: they prove it once. With `drop` set, sentences that are not quoted,
    or that their quotes do not bear out, are left out everywhere; those that name findings of nobody always are, and
    those that are not quoted where the report sums up.
    """

    findings: Mapping[str, Finding]
    verified: Collection[str]
    checks: Mapping[Statement, ClaimCheck] = field(default_factory=dict)
    drop: bool = False
    places: Mapping[Spot, TablePlace] = field(default_factory=dict)
    _claims: dict[Statement, Claim] = field(default_factory=dict)
    _citations: dict[Spot, Citation] = field(default_factory=dict)

    def claims(self, sentences: Iterable[WrittenSentence]) -> tuple[Claim, ...]:
        """Return the claims of a section; words that it says once are not said again on other quotes."""
        shown = (
            sentence
            for sentence in sentences
            if self.is_known(sentence)
            and (not self.drop or (self.is_quoted(sentence) and not self.is_denied(sentence)))
        )
        once: dict[str, WrittenSentence] = {}
        for sentence in shown:
            once.setdefault(normalize_sentence(sentence.text), sentence)
        return tuple(map(self.claim, once.values()))

    def leading_claims(self, sentences: Iterable[WrittenSentence]) -> tuple[Claim, ...]:
        """Return the claims of a part that sums up, which holds nothing that is not quoted or not borne out."""
        return self.claims(one for one in sentences if self.is_quoted(one) and not self.is_denied(one))

    def answer(self, sentence: WrittenSentence | None, question: str) -> Claim | None:
        """Return the claim of a direct answer; None for one that is not quoted, or that a check did not confirm."""
        if sentence is None or not self.is_quoted(sentence):
            return None
        check = self._check(sentence, question)
        return self.claim(sentence, check) if check.verdict in {Verdict.SUPPORTED, Verdict.NOT_CHECKED} else None

    def claim(self, sentence: WrittenSentence, check: ClaimCheck | None = None) -> Claim:
        """Return the claim of a sentence; it is quoted when it names findings and every one of them was verified."""
        statement = to_statement(sentence, self.findings)
        if statement not in self._claims:
            proven = [self.findings[ref] for ref in sentence.findings if self._is_proven(ref)]
            citations = [self._cite(finding, quote) for finding, quote in independent_quotes(proven)]
            check = check or self._check(sentence)
            self._claims[statement] = Claim(
                number=len(self._claims) + 1,
                text=statement.text,
                quoted=self.is_quoted(sentence),
                verdict=check.verdict,
                confidence=check.confidence,
                note=check.note,
                checked_by=check.checked_by,
                citations=tuple({citation.number: citation for citation in citations}.values()),
            )
        return self._claims[statement]

    def is_known(self, sentence: WrittenSentence) -> bool:
        """Return whether every finding that a sentence names was made, if it names any."""
        return self.findings.keys() >= set(sentence.findings)

    def is_quoted(self, sentence: WrittenSentence) -> bool:
        """Return whether a sentence names only verified findings, at least one."""
        return bool(sentence.findings) and all(map(self._is_proven, sentence.findings))

    def is_denied(self, sentence: WrittenSentence) -> bool:
        """Return whether a checker found that the quotes of a sentence deny it, or rules that they lack its words."""
        check = self._check(sentence)
        return check.verdict is Verdict.REFUTED or check.checked_by == RULES

    def _check(self, sentence: WrittenSentence, question: str = "") -> ClaimCheck:
        return self.checks.get(to_statement(sentence, self.findings, question), UNCHECKED)

    def sources(self, known: Iterable[Source]) -> tuple[Source, ...]:
        """Return the cited sources in order of first citation."""
        by_hash = {source.sha256: source for source in known}
        cited = dict.fromkeys(citation.source for citation in self._citations.values())
        return tuple(by_hash[sha] for sha in cited)

    def _is_proven(self, ref: str) -> bool:
        return ref in self.verified and ref in self.findings

    def _cite(self, finding: Finding, quote: Quote) -> Citation:
        place = spot(quote)
        if place not in self._citations:
            self._citations[place] = Citation(
                **quote.model_dump(),
                number=len(self._citations) + 1,
                finding=finding.id,
                in_table=self.places.get(place),
            )
        return self._citations[place]


def independent_quotes(findings: Iterable[Finding]) -> list[tuple[Finding, Quote]]:
    """Return the quotes of findings in order, without those that copy one of an earlier finding from another source."""
    kept: list[tuple[Finding, Quote]] = []
    for finding in findings:
        others = [quote for one, quote in kept if one is not finding]
        kept.extend(
            (finding, quote) for quote in finding.quotes if not any(_is_copied_quote(quote, one) for one in others)
        )
    return kept


def _is_copied_quote(quote: Quote, other: Quote) -> bool:
    return quote.source != other.source and _is_copy_of(quote.text, other.text)

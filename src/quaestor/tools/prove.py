"""Quotes against stored sources: located before they are recorded, compared again before they are cited."""

from collections.abc import Sequence
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import Verdict
from quaestor.contracts.ledger import Finding
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Library
from quaestor.contracts.roles import DraftFinding, DraftQuote
from quaestor.contracts.source import Quote, Source
from quaestor.contracts.tools import Proof, ProveGiven, Verdicts, VerifyGiven
from quaestor.evidence.quotes import locate

_SHOWN = 60
_HASH_SHOWN = 8


class Prove:
    """Turns what a reader says into findings whose quotes stand in stored sources; a `Tool`."""

    name: ClassVar[str] = "prove"
    description: ClassVar[str] = "Locates quotes in stored sources."
    takes: ClassVar[type[Noun]] = ProveGiven
    gives: ClassVar[type[Noun]] = Proof
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend()

    def __init__(self, library: Library) -> None:
        self._library = library

    async def run(self, given: Noun) -> Proof:
        """Give a finding for each draft with a quote that was located, and the reason for each that has none."""
        if not isinstance(given, ProveGiven):
            raise ToolFailed(f"prove takes a ProveGiven, not a {type(given).__name__}; give it drafts")
        texts = await self._texts(given.drafts)
        findings: list[Finding] = []
        refused: list[str] = []
        for draft in given.drafts:
            quotes = tuple(dict.fromkeys(quote for said in draft.quotes if (quote := _located(said, texts))))
            if quotes:
                own = f"{given.todo_id}/{given.first + len(findings)}"
                findings.append(Finding(id=own, claim=draft.claim, quotes=quotes))
            else:
                refused.append("; ".join(_refusal(said, texts) for said in draft.quotes))
        return Proof(findings=tuple(findings), sources=await self._sources(findings), refused=tuple(refused))

    async def _texts(self, drafts: Sequence[DraftFinding]) -> dict[str, str | None]:
        named = dict.fromkeys(quote.source for draft in drafts for quote in draft.quotes)
        return {sha256: await self._library.text(sha256) for sha256 in named}

    async def _sources(self, findings: Sequence[Finding]) -> tuple[Source, ...]:
        named = dict.fromkeys(quote.source for finding in findings for quote in finding.quotes)
        known = [await self._library.source(sha256) for sha256 in named]
        return tuple(source for source in known if source)


class Verify:
    """Compares the quotes of findings with the stored sources once more; a `Tool`."""

    name: ClassVar[str] = "verify"
    description: ClassVar[str] = "Compares located quotes with stored sources once more."
    takes: ClassVar[type[Noun]] = VerifyGiven
    gives: ClassVar[type[Noun]] = Verdicts
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend()

    def __init__(self, library: Library) -> None:
        self._library = library

    async def run(self, given: Noun) -> Verdicts:
        """Give one verdict a finding; it is verified when every one of its quotes stands where it says."""
        if not isinstance(given, VerifyGiven):
            raise ToolFailed(f"verify takes a VerifyGiven, not a {type(given).__name__}; give it findings")
        return Verdicts(verdicts=tuple([await self._verdict(finding) for finding in given.findings]))

    async def _verdict(self, finding: Finding) -> Verdict:
        faults = await self._library.damaged(finding.quotes)
        return Verdict(finding=finding.id, verified=not faults, reason="; ".join(faults))


def _located(said: DraftQuote, texts: dict[str, str | None]) -> Quote | None:
    text = texts[said.source]
    place = locate(text, said.text) if text is not None else None
    if text is None or place is None:
        return None
    start, end = place
    return Quote(source=said.source, start=start, end=end, text=text[start:end])


def _refusal(said: DraftQuote, texts: dict[str, str | None]) -> str:
    source = said.source[:_HASH_SHOWN]
    if texts[said.source] is None:
        return f"no source {source} is stored"
    return f"not in source {source}: {_shortened(said.text)!r}"


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[:_SHOWN]}…"

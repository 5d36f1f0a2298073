"""How the roles of a research session are played without a model: by extraction."""

from quaestor.contracts.plugin import AnswerRule, OfflineRules, ToolRule
from quaestor.research.contracts.delegate_verdicts import CitationInput, CitationVerdicts, FactInput, FactVerdict
from quaestor.research.contracts.optional_roles import (
    CheckInput,
    DelegateSummaryInput,
    DelegateToolInput,
    SentenceVerdicts,
)
from quaestor.research.contracts.roles import ClarifyInput, PlanInput, QueriesInput, ReadInput, ReviewInput
from quaestor.research.contracts.writing import FrameInput, SectionInput, SummarizeInput
from quaestor.research.offline.planner import clarify, draft_plan
from quaestor.research.offline.query_writer import choose_searches, write_digest, write_queries
from quaestor.research.offline.reader import read_passages
from quaestor.research.offline.reflector import review
from quaestor.research.offline.writer import summarize, write_frame, write_section


def offline_rules() -> OfflineRules:
    """Return the rules of the research roles."""
    return (
        AnswerRule(ClarifyInput, clarify),
        AnswerRule(PlanInput, draft_plan),
        AnswerRule(QueriesInput, write_queries),
        AnswerRule(FactInput, _gather_evidence),  # before the rule of its base
        AnswerRule(ReadInput, read_passages),
        AnswerRule(CitationInput, lambda _: CitationVerdicts()),
        AnswerRule(ReviewInput, review),
        AnswerRule(SummarizeInput, summarize),
        AnswerRule(SectionInput, write_section),
        AnswerRule(FrameInput, write_frame),
        AnswerRule(CheckInput, lambda _: SentenceVerdicts()),
        AnswerRule(DelegateSummaryInput, write_digest),
        ToolRule(DelegateToolInput, choose_searches),
    )


def _gather_evidence(given: FactInput) -> FactVerdict:
    """Return passages that share words with a statement; whether they say so is not understood."""
    return FactVerdict(
        statement=given.task,
        is_verified=False,
        status="unverifiable",
        confidence=0,
        evidence=read_passages(given).findings,
        notes="No model read the evidence.",
    )

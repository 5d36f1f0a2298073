"""The contracts by which the log of a research session is decoded."""

from quaestor.contracts.codec import build_codec
from quaestor.contracts.mcp import ConsultInput, McpToolSurvey, SurveyInput
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.contracts.web import FetchInput, Page, PickInput, SearchWebInput, WebResults
from quaestor.research.contracts.commands import COMMANDS
from quaestor.research.contracts.delegate_verdicts import CitationVerdicts, FactVerdict
from quaestor.research.contracts.optional_roles import SentenceVerdicts
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.roles import Clarity, Queries, Reading, Review
from quaestor.research.contracts.tools import (
    ContextInput,
    Contexts,
    DepositInput,
    Proof,
    ProveInput,
    RecheckInput,
    RecheckResult,
    Verdicts,
    VerifyInput,
)
from quaestor.research.contracts.writing import Frame, Section, Summary
from quaestor.research.events import PAYLOADS

CODEC = build_codec(
    payloads=PAYLOADS,
    commands=COMMANDS,
    contracts=(
        CitationVerdicts,
        Clarity,
        FactVerdict,
        Frame,
        PlanDraft,
        Queries,
        Reading,
        Review,
        Section,
        SentenceVerdicts,
        Summary,
    ),
    aliases={"Check": SentenceVerdicts, "Reflection": Review},
    tools={
        "consult": (ConsultInput, SearchResults),
        "contexts": (ContextInput, Contexts),
        "deposit": (DepositInput, SearchResults),
        "fetch": (FetchInput, Page),
        "operate": (ConsultInput, SearchResults),
        "pick": (PickInput, SearchResults),
        "prove": (ProveInput, Proof),
        "recheck": (RecheckInput, RecheckResult),
        "search": (SearchInput, SearchResults),
        "survey": (SurveyInput, McpToolSurvey),
        "verify": (VerifyInput, Verdicts),
        "search_web": (SearchWebInput, WebResults),
        "web_search": (SearchWebInput, WebResults),  # the name in logs of 0.1.0
    },
)

"""What a session with a model needs behind its first answer: loaded while that is awaited, not between two calls."""

from collections.abc import Callable, Sequence

from quaestor.contracts import ledger, source, web
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.library import Document, TermFrequencies
from quaestor.contracts.tools import SearchInput, SearchResults
from quaestor.research import events
from quaestor.research.contracts import optional_roles, plan, report, roles, tools, writing
from quaestor.research.options import ResearchOptions, writes_brief

_FUNCTIONS = (
    "quaestor.evidence.text_reuse:find_copies",
    "quaestor.evidence.contradictions:find_contradictions",
    "quaestor.evidence.passages:split_passages",
    "quaestor.research.claims.rules:check_by_rules",
    "quaestor.research.reports.languages:report_language",
    "quaestor.research.reports.fixed_words:report_words",
    "quaestor.research.reports.source_bounds:left_out_notes",
    "quaestor.research.reports.assembly:assemble_report",
)
_PLANNED = (
    plan.DraftTodo,
    plan.Todo,
    plan.PlanUpdate,
    roles.PlanOutlineItem,
    events.PlanCreated,
    events.PlanUpdated,
    events.TodoStarted,
)
_READ = (
    web.SearchWebInput,
    web.WebSearchInput,
    web.WebHit,
    web.WebResults,
    web.FetchInput,
    web.Link,
    web.Page,
    web.PickInput,
    Document,
    TermFrequencies,
    SearchInput,
    SearchResults,
    source.Hit,
    source.Source,
    source.Passage,
    source.Quote,
    roles.ReadInput,
    roles.DraftQuote,
    roles.DraftFinding,
    roles.Reading,
    tools.ProveInput,
    tools.Proof,
    roles.ReviewInput,
    roles.Review,
)
_RECORDED = (ledger.Finding, ledger.LedgerEntry, ledger.MemoryLine, events.TodoRecorded, events.ContradictionsFound)
_WRITTEN = (
    writing.SectionInput,
    writing.WrittenSentence,
    writing.Section,
    writing.FrameInput,
    writing.Frame,
    tools.VerifyInput,
    tools.Verdicts,
    events.QuoteVerdict,
    tools.ShownPassage,
    optional_roles.QuotedSentence,
    optional_roles.CheckInput,
    optional_roles.SentenceVerdict,
    optional_roles.SentenceVerdicts,
    report.Citation,
    report.Claim,
    report.ReportSection,
    report.GenerationInfo,
    report.Report,
    events.ReportVerified,
    events.ReportWritten,
)


def later_steps(options: ResearchOptions) -> Sequence[Callable[[], object]]:
    """Return what imports each function and builds each contract; nothing for a session that waits for no model."""
    if writes_brief(options):
        return ()
    contracts = (*_PLANNED, *_READ, *_RECORDED, *_WRITTEN)
    return (*(LazyImport[object](name).load for name in _FUNCTIONS), *(each.model_rebuild for each in contracts))

"""The options of a new research session: the settings, resolved against the engines, agents and models there are."""

from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.context import SessionRequest, SetupContext
from quaestor.contracts.errors import UsageError
from quaestor.contracts.report_settings import ReportSettings
from quaestor.contracts.settings import Effort, Settings
from quaestor.evidence.retrieval.query import parse_query
from quaestor.research.contracts.plan import TodoKind
from quaestor.research.options import ResearchOptions, writes_brief
from quaestor.research.todos.workflow_todo import todo_options

QUERIES_BY_EFFORT: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 5})
LOOPS_BY_EFFORT: Mapping[Effort, int] = MappingProxyType({"low": 1, "medium": 3, "high": 10})
_CHARACTERS_PER_TOKEN = 3
_PROMPT_OVERHEAD_CHARACTERS = 6_000
"""What a prompt holds beside the material: rules, schema, question and task."""
_MIN_CHARACTERS = 1_000
_BRIEF_HITS = 12
"""Passages a query for a brief: those that hold it together, and two that hold most of it alone."""
_BRIEF_HITS_OF_MANY = 30
"""The same for a text that tells of many things rather than asks for one."""
_BRIEF_CHARACTERS = 60_000
_DEFAULT_REPLY_TOKENS = 4_096


def configure(context: SetupContext, request: SessionRequest) -> ResearchOptions:
    """Return the options of a session over a corpus, the web and the pages that the user named.

    Raises UsageError for a model, an agent, an engine, a budget or a folder that cannot be used, SetupError for a
    missing key.
    """
    corpus, only_named = request.corpus, context.settings.only_named
    _check_dates(context.settings)
    options = ResearchOptions.model_validate(
        {
            **_options_of(context.settings),
            "todos": context.settings.todos,
            "embeddings": context.embedding_model(),
            "engines": () if only_named else context.engine_names(),
            "servers": context.server_names() if context.settings.orchestrate and not only_named else (),
            "urls": request.urls,
            **({"corpus": corpus.corpus, "roots": corpus.roots, "documents": corpus.documents} if corpus else {}),
            **request.options,
        }
    )
    options = context.resolve_models(_with_todo_options(context, options))
    if context.settings.check is None and options.is_extractive:
        options = options.revised(check=False)  # extracts are the words of their quotes
    if options.orchestrate:
        tools = delegable_tools(options, context.settings)
        options = options.revised(agents=context.agent_cards(options, tools))
    if options.allow:
        options = options.revised(workspace=context.workspace(request.text, options, options.workspace))
    return (
        for_brief(options, request.text)
        if writes_brief(options)
        else fit_to_window(options, context.smallest_window(options))
    )


def _check_dates(settings: Settings) -> None:
    if settings.since and settings.as_of and settings.since > settings.as_of:
        raise UsageError(f"no day is from {settings.since} to {settings.as_of}; let the first be the earlier one")


def for_brief(options: ResearchOptions, text: str) -> ResearchOptions:
    """Return options that show rules as many passages as a text may need: nobody pays for what rules read."""
    hits = _BRIEF_HITS_OF_MANY if parse_query(text).tells else _BRIEF_HITS
    return options.revised(hits=hits, reading_characters=max(options.reading_characters, _BRIEF_CHARACTERS))


def _with_todo_options(context: SetupContext, options: ResearchOptions) -> ResearchOptions:
    """Return options with those of the workflows that may carry out todos as these resolve them."""
    if options.allow or options.approve:
        context.todo_options(TodoKind.TOOL, todo_options(options, TodoKind.TOOL))
    todos = {kind: context.todo_options(kind, todo_options(options, kind)) for kind in options.todos}
    return options.revised(todos=todos) if todos else options


def delegable_tools(options: ResearchOptions, settings: Settings) -> frozenset[str]:
    """Return the names of the tools that agents of a session may choose."""
    operable = any(settings.mcp[name].allow for name in options.servers if name in settings.mcp)
    present = {
        "search": True,
        "fetch": bool(options.engines or options.urls),
        "consult": bool(options.servers),
        "operate": operable,
    }
    return frozenset(name for name, is_there in present.items() if is_there)


def fit_to_window(options: ResearchOptions, window: int | None) -> ResearchOptions:
    """Return options whose prompts fit into a window of so many tokens, at three characters a token."""
    if window is None:
        return options
    usual = options.output_tokens or _DEFAULT_REPLY_TOKENS
    reply = min(usual, window // 4)
    room = max((window - reply) * _CHARACTERS_PER_TOKEN - _PROMPT_OVERHEAD_CHARACTERS, _MIN_CHARACTERS)
    return options.revised(
        output_tokens=reply if reply < usual else options.output_tokens,
        reading_characters=min(options.reading_characters, room),
        prompt_characters=min(options.prompt_characters, room * 2 // 3),
    )


def _options_of(settings: Settings) -> dict[str, object]:
    """Return what settings say of a research session, by the names of its options."""
    return {
        **dict(settings.run_options()),
        "workspace": str(settings.workspace.resolve()) if settings.workspace else "",
        "allow": settings.allow or (),
        "approve": settings.approve,
        "approved": settings.approved,
        "approve_after_untrusted": settings.approve_after_untrusted,
        "orchestrate": settings.orchestrate,
        "review_plan": settings.review_plan,
        "check": settings.effort != "low" if settings.check is None else settings.check,
        "discreet": settings.discreet,
        **{name: getattr(settings, name) for name in ReportSettings.model_fields},
        "pages": settings.pages,
        "queries": settings.queries or QUERIES_BY_EFFORT[settings.effort],
        "loops": settings.loops or LOOPS_BY_EFFORT[settings.effort],
        "parallel": settings.parallel,
        "max_todos": settings.max_todos,
        "max_depth": settings.max_depth,
        "max_steps": settings.max_steps,
        "reading_characters": settings.reading_characters,
        "prompt_characters": settings.prompt_characters,
        "unsupported": settings.unsupported,
    }

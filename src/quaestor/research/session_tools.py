"""The tools of a research session: some search and read its sources, some prove what is quoted of them."""

from collections.abc import Sequence

from quaestor.contracts.context import RunContext
from quaestor.contracts.tools import AnyTool
from quaestor.research.options import ResearchOptions
from quaestor.research.state import ResearchState
from quaestor.research.todos.workflow_todo import todo_options
from quaestor.research.tools.contexts import ReadContexts
from quaestor.research.tools.passages import SelectPassages, StoreOutputs
from quaestor.research.tools.verification import LocateQuotes, RecheckSources, VerifyQuotes


async def build_tools(context: RunContext, options: ResearchOptions, _state: ResearchState) -> Sequence[AnyTool]:
    """Return the tools of a session. Raises UsageError, SetupError for an engine or a model that cannot be reached."""
    library = context.library
    web = (
        (context.web_search(options.engines), context.fetch(options.allows_host))
        if options.engines or options.urls
        else ()
    )
    return (
        SelectPassages(library),
        LocateQuotes(library),
        VerifyQuotes(library),
        ReadContexts(library),
        context.search(options.corpus, embeddings=options.embeddings, dates=options.dates),
        *web,
        RecheckSources(library, web[1] if web else None),
        *(context.servers() if options.servers else ()),
        *(await _todo_tools(context, options) if options.todo_kinds else ()),
    )


async def _todo_tools(context: RunContext, options: ResearchOptions) -> Sequence[AnyTool]:
    """Return what the workflows call that carry out todos, and what keeps what they produced."""
    tools = [await context.todo_tools(kind, todo_options(options, kind)) for kind in options.todo_kinds]
    return (StoreOutputs(context.library, context.clock), *(tool for own in tools for tool in own))

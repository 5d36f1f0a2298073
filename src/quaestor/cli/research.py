from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, check, open_home
from quaestor.cli.delivery import Delivery
from quaestor.cli.indexing import indexed
from quaestor.cli.place import Home
from quaestor.cli.watched import watched
from quaestor.contracts.errors import UsageError
from quaestor.contracts.options import Effort

Question = Annotated[str, Parameter(name="QUESTION", help="What is to be answered; after -- it may begin with a dash.")]
Docs = Annotated[
    list[Path],
    Parameter(
        name="--docs", consume_multiple=True, negative="", help="Files and folders to research; may be given again."
    ),
]
Json = Annotated[
    bool,
    Parameter(name="--json", negative="", show_default=False, help="Print every event as a JSON line, as it happens."),
]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Knobs:
    """The settings that a command line can give; what it does not give comes from the environment or a file."""

    effort: Annotated[Effort | None, Parameter(help="How many queries and loops a todo may take.")] = None
    max_loops: Annotated[int | None, Parameter(help="Loops a todo.")] = None
    max_todos: Annotated[int | None, Parameter(help="Todos a session.")] = None
    parallel: Annotated[int | None, Parameter(help="Todos in progress at the same time.")] = None
    model: Annotated[str | None, Parameter(help="offline, or script:FILE for trials.")] = None


async def research(
    question: Question,
    /,
    *,
    docs: Docs,
    knobs: Knobs = Knobs(),
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    json: Json = False,
    home: Home = None,
) -> int:
    """Research a question over documents and print the cited report.

    The documents are indexed first, and later only what changed. The same question over the same documents goes on
    with its unfinished session. With --json the report is in the event report_written.
    """
    delivery.check()
    if not docs:
        raise UsageError("--docs names no file or folder; name at least one")
    options = {
        "effort": knobs.effort,
        "loops": knobs.max_loops,
        "max_todos": knobs.max_todos,
        "parallel": knobs.parallel,
        "model": knobs.model,
    }
    async with open_home(home, **options) as quaestor:
        check(question, quaestor.settings)
        session_id = await quaestor.start(question, await indexed(quaestor, docs))
        return await watched(quaestor, session_id, delivery, home, json=json)


async def resume(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="Its id; the newest unfinished one, if left out.")
    ] = None,
    /,
    *,
    last: Annotated[bool, Parameter(negative="", show_default=False, help="The newest unfinished session.")] = False,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    json: Json = False,
    home: Home = None,
) -> int:
    """Go on with a session that is not finished.

    Nothing that was finished is done again. Of a finished session it prints the report.
    """
    delivery.check()
    if session and last:
        raise UsageError("--last chooses the session by itself; give it or a session's id, not both")
    async with open_home(home) as quaestor:
        return await watched(quaestor, session or await _unfinished(quaestor), delivery, home, json=json)


async def _unfinished(quaestor: Quaestor) -> str:
    for session in await quaestor.sessions():
        if session.outcome is None:
            return session.id
    raise UsageError("no session is unfinished; `quaestor ps` lists them all, `quaestor research` starts one")

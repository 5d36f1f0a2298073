from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import Json, ReportOutput
from quaestor.faces.cli.interactive import run_interactively
from quaestor.faces.cli.params import After, Home
from quaestor.faces.cli.report_output import check_output_path


async def resume(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="Its id; the newest unfinished one, if left out.")
    ] = None,
    /,
    *,
    last: Annotated[bool, Parameter(negative="", show_default=False, help="The newest unfinished session.")] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Go on with a session that is not finished.

    Nothing that was finished is done again. Of a finished session it prints the report.
    """
    check_output_path("--out", delivery.out)
    if session and last:
        raise UsageError("--last chooses the session by itself; give it or a session's id, not both")
    async with open_home(home) as quaestor:
        session_id = session or await _newest_unfinished(quaestor)
        return await run_interactively(quaestor, session_id, delivery, home, json=json, after=after)


async def _newest_unfinished(quaestor: Quaestor) -> str:
    for session in await quaestor.sessions():
        if session.outcome is None:
            return session.id
    raise UsageError("no session is unfinished; `quaestor ps` lists them all, `quaestor research` starts one")

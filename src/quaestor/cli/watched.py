"""One run under the eyes of a person: carried on, shown, and ended with its report and what to do next."""

import asyncio
from pathlib import Path

from quaestor.app import Quaestor
from quaestor.cli.carry import carry
from quaestor.cli.codes import BUDGET_REACHED, FAILED, INTERRUPTED, WAITING
from quaestor.cli.delivery import Delivery
from quaestor.cli.display import display
from quaestor.cli.phrase import counted
from quaestor.cli.speech import command, say
from quaestor.contracts.errors import NoEvidence, StoreFull
from quaestor.contracts.event import Outcome
from quaestor.contracts.report import Report
from quaestor.contracts.run import Result


async def watched(quaestor: Quaestor, session_id: str, delivery: Delivery, home: Path | None, *, json: bool) -> int:
    """Carry a session on to its end or its next rest; give the exit code."""
    past = await quaestor.events(session_id)
    say(f"session {session_id}")
    try:
        with display(past, json=json) as show:
            result = await carry(quaestor, session_id, show, after=0 if json else past[-1].seq)
    except asyncio.CancelledError:
        return _interrupted(session_id, home)
    except StoreFull as error:
        say(f"quaestor: {error}")
        _interrupted(session_id, home)
        return error.exit_code
    match result.status:
        case "finished":
            return _finished(result, delivery, home, json=json)
        case "paused":
            return _interrupted(session_id, home)
        case "waiting":
            say(f"waits for a person; then go on with: {command(home, 'resume', session_id)}")
            return WAITING


def _finished(result: Result, delivery: Delivery, home: Path | None, *, json: bool) -> int:
    if result.report is None:
        say(result.statement)
        return NoEvidence.exit_code if result.outcome == "no_evidence" else FAILED
    if not json or delivery.out:
        delivery.hand_over(result.report)
    if result.outcome != "done":
        say(result.statement)
    _close(result.session_id, result.report, delivery, home)
    return _code(result.outcome)


def _code(outcome: Outcome | None) -> int:
    match outcome:
        case "done":
            return 0
        case "partial":
            return BUDGET_REACHED
        case "no_evidence":
            return NoEvidence.exit_code
        case _:
            return FAILED


def _close(session_id: str, report: Report, delivery: Delivery, home: Path | None) -> None:
    """Say what was proven, where the report is, and what to try next."""
    claims = report.claims()
    citations = {citation.number for claim in claims for citation in claim.citations}
    unsupported = sum(not claim.supported for claim in claims)
    doubt = f"; {counted(unsupported, 'claim')} unsupported" if unsupported else ""
    say(f"{counted(len(citations), 'verified citation')} from {counted(len(report.sources), 'source')}{doubt}")
    if delivery.out:
        say(f"the report is in {delivery.out}")
    cited = next((claim.number for claim in claims if claim.citations), 1)
    say(f"  read it again  {command(home, 'report', session_id)}")
    say(f"  check a claim  {command(home, 'explain', session_id, '--claim', str(cited))}")


def _interrupted(session_id: str, home: Path | None) -> int:
    say(f"interrupted; nothing is lost. Go on with: {command(home, 'resume', session_id)}")
    return INTERRUPTED

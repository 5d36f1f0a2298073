"""What is said and given when a run has ended or rests: its report, its question, or how to go on."""

from pathlib import Path

from quaestor.cli.codes import BUDGET_REACHED, FAILED, INTERRUPTED, WAITING
from quaestor.cli.delivery import Delivery
from quaestor.cli.phrase import counted
from quaestor.cli.speech import command, give, say
from quaestor.contracts.errors import NoEvidence, SetupError
from quaestor.contracts.event import Outcome, QuestionAsked
from quaestor.contracts.report import Report
from quaestor.contracts.run import Result


def ended(result: Result, delivery: Delivery, home: Path | None, *, json: bool) -> int:
    """Hand over the report of a run, or say what it waits for and how it goes on; give the exit code."""
    if result.status == "finished":
        return _finished(result, delivery, home, json=json)
    if result.status == "waiting" and result.asked:
        return _waiting(result.asked, result.session_id, home)
    if result.pause == "setup":
        say(f"paused: {result.statement}. Go on with: {command(home, 'resume', result.session_id)}")
        return SetupError.exit_code
    return interrupted(result.session_id, home)


def interrupted(session_id: str, home: Path | None) -> int:
    """Say that a run was interrupted, and how it goes on; give the exit code."""
    say(f"interrupted; nothing is lost. Go on with: {command(home, 'resume', session_id)}")
    return INTERRUPTED


def _waiting(asked: QuestionAsked, session_id: str, home: Path | None) -> int:
    """Say what the session asks and how it is answered."""
    for question in asked.questions:
        say(f"  {question}")
    if asked.kind == "plan_confirmation":
        say(f"look at it  {command(home, 'plan', session_id)}")
        say(f"confirm it  {command(home, 'answer', session_id, '/confirm_plan')}")
    elif asked.kind == "approval":
        say(f"approve it  {command(home, 'answer', session_id, 'yes')}")
        say(f"decline it  {command(home, 'answer', session_id, 'no, because ...')}")
    else:
        say(f"answer with: {command(home, 'answer', session_id, 'YOUR ANSWER')}")
    return WAITING


def _finished(result: Result, delivery: Delivery, home: Path | None, *, json: bool) -> int:
    if result.report is None:
        return _stated(result, json=json)
    if not json or delivery.out:
        delivery.hand_over(result.report)
    if result.outcome != "done":
        say(result.statement)
    _close(result.session_id, result.report, delivery, home)
    return _code(result.outcome)


def _stated(result: Result, *, json: bool) -> int:
    """Hand over the statement of a run that writes no report; where there is nothing to hand over, say it."""
    if result.outcome not in {"done", "partial"}:
        say(result.statement)
    elif not json:
        give(f"{result.statement}\n")
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

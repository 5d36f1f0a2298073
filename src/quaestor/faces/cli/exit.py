"""What is printed when a run has ended or rests: its report, its question, or how to go on."""

from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.app import Quaestor
from quaestor.app.reports.versions import render_report, summarize_report
from quaestor.contracts.errors import (
    EXIT_BUDGET_REACHED,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_WAITING,
    NoEvidence,
    SetupError,
)
from quaestor.contracts.event import Outcome, QuestionAsked
from quaestor.contracts.result import Result
from quaestor.contracts.terminal import ReportOutput
from quaestor.faces.cli.output import command_line, write_output, write_stderr, write_stdout
from quaestor.faces.cli.report_view import is_rendered, show_report

if TYPE_CHECKING:
    from quaestor.app.reports.versions import ReportSummary


def conclude_run(result: Result, delivery: ReportOutput, home: Path | None, *, json: bool) -> int:
    """Write the report of a run, or print what it waits for and how to continue it; return the exit code."""
    if result.status == "finished":
        return _deliver_report(result, delivery, home, json=json)
    if result.status == "waiting" and result.asked:
        return _print_question(result.asked, result.session_id, home)
    if result.pause == "setup":
        write_stderr(f"paused: {result.statement}. Go on with: {command_line(home, 'resume', result.session_id)}")
        return SetupError.exit_code
    return conclude_interrupted(result.session_id, home)


async def with_standing_report(quaestor: Quaestor, result: Result) -> Result:
    """Return a result with the report that stands where a cycle was done without another one; print why it stands."""
    if result.outcome != "done" or result.report is not None:
        return result
    standing = await quaestor.document(result.session_id)
    if standing is None:
        return result
    write_stderr(result.statement)
    return result.revised(report=standing)


def conclude_interrupted(session_id: str, home: Path | None) -> int:
    """Print that a run was interrupted and how to continue it; return the exit code."""
    write_stderr(f"interrupted; nothing is lost. Go on with: {command_line(home, 'resume', session_id)}")
    return EXIT_INTERRUPTED


def _print_question(asked: QuestionAsked, session_id: str, home: Path | None) -> int:
    """Print what the session asks and how it is answered; return the exit code."""
    for question in asked.questions:
        write_stderr(f"  {question}")
    if asked.kind == "plan_confirmation":
        write_stderr(f"look at it  {command_line(home, 'plan', session_id)}")
        write_stderr(f"edit it     {command_line(home, 'plan', session_id, 'edit')}")
        write_stderr(f"confirm it  {command_line(home, 'answer', session_id, '/confirm_plan')}")
    elif asked.kind == "approval":
        write_stderr(f"approve it  {command_line(home, 'answer', session_id, 'yes')}")
        if asked.call:
            write_stderr(f"for good    {command_line(home, 'answer', session_id, 'always tool')}")
        write_stderr(f"decline it  {command_line(home, 'answer', session_id, 'no, because ...')}")
    else:
        write_stderr(f"answer with: {command_line(home, 'answer', session_id, 'YOUR ANSWER')}")
    return EXIT_WAITING


def _deliver_report(result: Result, delivery: ReportOutput, home: Path | None, *, json: bool) -> int:
    if result.report is None:
        return _deliver_statement(result, json=json)
    if not json and is_rendered(delivery):
        show_report(render_report(result.report, "md"), command_line(home, "report", result.session_id, "--pager"))
    elif not json or delivery.out:
        write_output(render_report(result.report, delivery.format), delivery.out)
    if result.outcome != "done":
        write_stderr(result.statement)
    _print_summary(result.session_id, summarize_report(result.report), delivery, home)
    return _exit_code(result.outcome)


def _deliver_statement(result: Result, *, json: bool) -> int:
    """Write the statement of a run without a report: to stdout where it is the result, else to stderr."""
    if result.outcome not in {"done", "partial"}:
        write_stderr(result.statement)
    elif not json:
        write_stdout(f"{result.statement}\n")
    return _exit_code(result.outcome)


def _exit_code(outcome: Outcome | None) -> int:
    match outcome:
        case "done":
            return 0
        case "partial":
            return EXIT_BUDGET_REACHED
        case "no_result":
            return NoEvidence.exit_code
        case _:
            return EXIT_FAILED


def _print_summary(session_id: str, report: "ReportSummary", delivery: ReportOutput, home: Path | None) -> None:
    """Print what was proven, where the report is, and what to try next."""
    write_stderr(report.text)
    if delivery.out:
        write_stderr(f"the report is in {delivery.out}")
    write_stderr(f"  read it again  {command_line(home, 'report', session_id)}")
    explained = (f"--{report.explains}", str(report.number))
    write_stderr(f"  check a quote  {command_line(home, 'explain', session_id, *explained)}")

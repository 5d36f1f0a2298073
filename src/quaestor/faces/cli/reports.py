"""The report of a session, and whether it can be trusted."""

from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.inspection import verify_session
from quaestor.app.reports import attach_signature, diff_report, explain_claim, read_report
from quaestor.app.text import count_noun, format_timestamp
from quaestor.contracts.errors import LogCorrupt, UsageError
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.signature import SignedHead
from quaestor.contracts.terminal import ReportOutput, SessionId
from quaestor.faces.cli.output import check_output_path, command_line, write_output, write_stderr, write_stdout
from quaestor.faces.cli.params import Home


async def report(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    version: Annotated[int | None, Parameter(help="Print this version; the newest without it.")] = None,
    diff: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Print how that version differs from the one before, as text."),
    ] = False,
    signed: Annotated[
        bool, Parameter(negative="", show_default=False, help="Sign the log, and put its head and signature below.")
    ] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Print the report of a session; of a decision session, its results so far."""
    check_output_path("--out", delivery.out)
    if diff and (signed or delivery != ReportOutput()):
        raise UsageError("--diff is text for stdout; leave out --format and --out, and --signed")
    async with open_home(home) as quaestor:
        if diff:
            text = await diff_report(quaestor, session, version)
        else:
            text = await read_report(quaestor, session, delivery.format, version)
        if signed and text is not None:
            text = attach_signature(text, delivery.format, await quaestor.sign(session))
    if text is None:
        raise UsageError(f"session {session} has no report yet; continue with: {command_line(home, 'resume', session)}")
    write_output(text, delivery.out)
    return 0


async def verify(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    key: Annotated[
        str | None, Parameter(help="The public key by which the head has to be signed; your own without it.")
    ] = None,
    home: Home = None,
) -> int:
    """Check the log, the sources, every quote and the signed heads of a session, and print its head.

    Prints each fault on a line of stdout, and ends with exit code 1 when there is one.
    """
    async with open_home(home) as quaestor:
        checked = await verify_session(quaestor, session, key)
    if checked.faults:
        write_stdout("".join(f"{fault}\n" for fault in checked.faults))
        write_stderr(f"session {session}: {count_noun(len(checked.faults), 'fault')}")
        return LogCorrupt.exit_code
    if checked.erased:
        write_stdout(
            f"session {session} was erased on {format_timestamp(checked.erased.erased_at)}: it had "
            f"{count_noun(checked.erased.events, 'event')}\n"
        )
    else:
        write_stdout(
            f"session {session} holds: {count_noun(checked.events, 'event')}, "
            f"{count_noun(checked.quotes, 'quote')} from {count_noun(checked.sources, 'source')}\n"
        )
    write_stdout(f"head {checked.head}\n")
    if checked.signed:
        write_stdout(_describe_signature(checked.signed))
    else:
        write_stderr(f"the head is not signed; sign it with: {command_line(home, 'sign', session)}")
    return 0


def _describe_signature(signed: SignedHead) -> str:
    return (
        f"signed up to event {signed.head.events} on {format_timestamp(signed.signed_at)} by {signed.key}\n"
        f"signature {signed.signature}\n"
    )


async def sign(session: SessionId, /, *, home: Home = None) -> int:
    """Sign the head of the log of a session.

    That is done by itself whenever a run ends or rests. The key is made at first use, in the keyring or in a file
    beside your settings.
    """
    async with open_home(home) as quaestor:
        signed = await quaestor.sign(session)
    write_stdout(f"head {signed.head.hash}\n{_describe_signature(signed)}")
    return 0


async def explain(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    claim: Annotated[int, Parameter(help="The number of the claim, as `quaestor report --format json` prints it.")],
    home: Home = None,
) -> int:
    """Trace one claim of a report back to its sources.

    Shows each quote with the words around it, the search that found it, the todo, and the numbers of the events.
    """
    async with open_home(home) as quaestor:
        write_stdout(await explain_claim(quaestor, session, claim))
    return 0

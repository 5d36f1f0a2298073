"""The report of a session, and whether it can be trusted."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import is_session_id, open_to_look
from quaestor.app.copies.bundles import find_bundle, summarize_check, verify_bundle
from quaestor.app.reports.explanations import explain_claim
from quaestor.app.reports.versions import attach_signature, diff_report, read_report
from quaestor.app.text import count_noun, format_timestamp, one_line
from quaestor.app.verification import verify_session
from quaestor.contracts.errors import LogCorrupt, UsageError
from quaestor.contracts.session import NEWEST_SESSION, Verification
from quaestor.contracts.signature import SignedHead
from quaestor.contracts.terminal import JsonObject, ReportOutput, SessionId
from quaestor.faces.cli.output import (
    check_output_path,
    command_line,
    write_json,
    write_output,
    write_stderr,
    write_stdout,
)
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.report_view import is_rendered, page_report, show_report


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
    pager: Annotated[bool, Parameter(negative="", show_default=False, help="Show all of it in your pager.")] = False,
    delivery: ReportOutput = ReportOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Print the report of a session; of a decision session, its results so far.

    On a terminal it is rendered, as much as fits the screen; `--format md` prints it whole, as Markdown.
    """
    check_output_path("--out", delivery.out)
    if pager and (diff or signed or delivery != ReportOutput()):
        raise UsageError("--pager shows the report as it is; leave out --format, --out, --diff and --signed")
    if diff and (signed or delivery != ReportOutput()):
        raise UsageError("--diff is text for stdout; leave out --format and --out, and --signed")
    async with open_to_look(home) as quaestor:
        if diff:
            text = await diff_report(quaestor, session, version)
        else:
            text = await read_report(quaestor, session, delivery.format, version)
        if signed and text is not None:
            text = attach_signature(text, delivery.format, await quaestor.sign(session))
    if text is None:
        raise UsageError(f"session {session} has no report yet; continue with: {command_line(home, 'resume', session)}")
    if pager:
        page_report(text)
    elif is_rendered(delivery) and not diff and not signed:
        show_report(text, command_line(home, "report", session, "--pager"))
    else:
        write_output(text, delivery.out)
    return 0


async def verify(
    session: Annotated[
        str, Parameter(name="SESSION", help="A session, named as everywhere, or the file of a bundle.")
    ] = NEWEST_SESSION,
    /,
    *,
    key: Annotated[
        str | None, Parameter(help="The public key by which the head has to be signed; your own without it.")
    ] = None,
    json: JsonObject = False,
    home: Home = None,
) -> int:
    """Check the log, the sources, every quote and the signed heads of a session, and print its head.

    The file of a bundle is checked by itself: with no home, on any machine. Prints each fault on a line of stdout, and
    ends with exit code 1 when there is one.
    """
    if not is_session_id(session) and (bundle := find_bundle(session)):
        return _verify_bundle(bundle, key, json=json)
    async with open_to_look(home) as quaestor:
        session = session if is_session_id(session) else await quaestor.resolve_session_id(session)
        checked = await verify_session(quaestor, session, key)
    if json:
        return _write_verification(checked)
    if checked.faults:
        return report_faults(f"session {session}", checked.faults)
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
        if checked.signature == "foreign":
            write_stderr("the session was imported, and this is not the key of this home; `--key KEY` compares it")
    else:
        write_stderr(f"the head is not signed; sign it with: {command_line(home, 'sign', session)}")
    return 0


def _write_verification(checked: Verification) -> int:
    write_json(checked)
    return LogCorrupt.exit_code if checked.faults else 0


def _verify_bundle(file: Path, key: str | None, *, json: bool) -> int:
    checked = verify_bundle(file, key)
    if json:
        return _write_verification(summarize_check(checked))
    if checked.faults:
        return report_faults(str(file), checked.faults)
    manifest = checked.manifest
    write_stdout(
        f"session {one_line(manifest.session_id)} holds: {count_noun(manifest.head.events, 'event')}, "
        f"{count_noun(checked.quotes, 'quote')} from {count_noun(checked.sources, 'source')}, "
        f"{count_noun(len(manifest.files), 'file')}\nhead {manifest.head.hash}\n"
    )
    if manifest.signed:
        write_stdout(_describe_signature(manifest.signed))
    if checked.signature != "valid":
        write_stderr(
            "compare the key with the one that its owner names: `--key KEY` does"
            if manifest.signed
            else "the head is not signed: whoever made the file could have made another log"
        )
    return 0


def report_faults(checked: str, faults: Sequence[str]) -> int:
    """Print what is wrong with something that was checked; return the exit code."""
    write_stdout("".join(f"{one_line(fault)}\n" for fault in faults))
    write_stderr(f"{checked}: {count_noun(len(faults), 'fault')}")
    return LogCorrupt.exit_code


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
    async with open_to_look(home) as quaestor:
        signed = await quaestor.sign(session)
    write_stdout(f"head {signed.head.hash}\n{_describe_signature(signed)}")
    return 0


async def explain(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    claim: Annotated[
        int,
        Parameter(
            name=["--claim", "--passage"],
            help="The number of the claim, or of the passage of a brief, as `quaestor report --format json` prints it.",
        ),
    ],
    home: Home = None,
) -> int:
    """Trace one claim of a report, or one passage of a brief, back to its sources.

    Shows each quote with the words around it, the search that found it, the todo, and the numbers of the events.
    """
    async with open_to_look(home) as quaestor:
        write_stdout(await explain_claim(quaestor, session, claim))
    return 0

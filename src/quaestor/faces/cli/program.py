"""The commands and the outermost border, where whatever was raised becomes one line and an exit code."""

import asyncio
import os
import traceback
from collections.abc import Mapping, Sequence
from inspect import BoundArguments, isawaitable
from pathlib import Path
from typing import Annotated, get_args, get_origin

from cyclopts import App, CycloptsError, Parameter, Token

from quaestor.app import is_session_id, open_to_look
from quaestor.app.workflows import built_in_commands, installed_commands
from quaestor.contracts.errors import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    CommandRefused,
    HomeNotWritable,
    LeaseUnavailable,
    MissingExtra,
    MissingKey,
    ModelRefused,
    ModelUnsuitable,
    NoSessions,
    QuaestorError,
    SetupError,
    UnknownSession,
    UntrustedSettings,
    UsageError,
)
from quaestor.contracts.terminal import SessionId
from quaestor.faces.cli.completion import Shell, completion_script
from quaestor.faces.cli.help import EVERYWHERE, HelpConsole, help_epilogue, help_group
from quaestor.faces.cli.output import write_stderr, write_stdout
from quaestor.faces.cli.refusals import ASKING_ON, explain_refusal
from quaestor.faces.cli.streams import discard_stdout
from quaestor.faces.cli.terminal import CliTerminal
from quaestor.faces.cli.usage import describe_usage_error
from quaestor.version import __version__

_THREAD_REFUSED = "can't start new thread"
"""The words of the interpreter, which has no error of its own for it."""
_NO_THREADS = (
    "the system allows this user no more processes and threads; raise the limit (`ulimit -u`) or end other programs, "
    "then try again: a session that has begun goes on with `quaestor resume`"
)

_OWN_COMMANDS = {
    "resume": "quaestor.faces.cli.control:resume",
    "run": "quaestor.faces.cli.workflow:run_workflow",
    "attach": "quaestor.faces.cli.background:attach",
    "ps": "quaestor.faces.cli.listing:ps",
    "search": "quaestor.faces.cli.listing:search",
    "show": "quaestor.faces.cli.sessions:show",
    "open": "quaestor.faces.cli.browser:open_page",
    "answer": "quaestor.faces.cli.control:answer",
    "pause": "quaestor.faces.cli.control:pause",
    "finish": "quaestor.faces.cli.control:finish",
    "cancel": "quaestor.faces.cli.control:cancel",
    "approvals": "quaestor.faces.cli.approvals:approvals",
    "budget": "quaestor.faces.cli.control:budget",
    "fork": "quaestor.faces.cli.control:fork",
    "follow": "quaestor.faces.cli.events:follow",
    "copied": "quaestor.faces.cli.events:read_copy",
    "events": "quaestor.faces.cli.events:events",
    "spend": "quaestor.faces.cli.sessions:spend",
    "report": "quaestor.faces.cli.reports:report",
    "export": "quaestor.faces.cli.exports:export",
    "import": "quaestor.faces.cli.exports:import_session",
    "verify": "quaestor.faces.cli.reports:verify",
    "sign": "quaestor.faces.cli.reports:sign",
    "explain": "quaestor.faces.cli.reports:explain",
    "rm": "quaestor.faces.cli.erasure:rm",
    "prune": "quaestor.faces.cli.erasure:prune",
    "backup": "quaestor.faces.cli.backup:backup",
    "restore": "quaestor.faces.cli.backup:restore",
    "store": "quaestor.faces.cli.stores:store",
    "agents": "quaestor.faces.cli.installation:agents",
    "graph": "quaestor.faces.cli.workflow:draw_graph",
    "trust": "quaestor.faces.cli.installation:trust",
    "setup": "quaestor.faces.cli.setup:setup",
    "settings": "quaestor.faces.cli.configuration:settings",
    "models": "quaestor.faces.cli.configuration:models",
    "doctor": "quaestor.faces.cli.installation:doctor",
    "docs": "quaestor.faces.cli.documentation:docs",
    "completion": "quaestor.faces.cli.program:completion",
    "serve": "quaestor.faces.server.commands:serve",
    "worker": "quaestor.faces.cli.workers:worker",
    "workers": "quaestor.faces.cli.workers:workers",
    "drain": "quaestor.faces.cli.workers:drain",
    "token": "quaestor.faces.server.commands:token",
    "mcp": "quaestor.faces.mcp.commands:mcp",
}
_HELP = "help"
COMMANDS = {**built_in_commands(), **_OWN_COMMANDS}
"""Each command with the place it is loaded from when it is called; those of workflows come first."""

_SESSION_PARAMETERS = (SessionId, SessionId | None)

_HINTS: Mapping[type, str] = {
    HomeNotWritable: "--home DIR names another home",
    LeaseUnavailable: "`quaestor attach SESSION` watches it",
    MissingExtra: "`quaestor doctor` lists the extras",
    MissingKey: "`quaestor setup` keeps it; a .env of this folder is read after `quaestor trust`",
    NoSessions: "`quaestor research 'YOUR QUESTION' --docs FOLDER` begins one",
    UnknownSession: "`quaestor ps` lists the sessions",
    UntrustedSettings: "`quaestor trust` trusts it as it is",
}
"""Hints that the messages of the core cannot contain: the command or option that helps, by kind of error."""

EPILOGUE = """\
Data goes to stdout, progress to stderr. Every other setting is read from the environment, QUAESTOR_ and its name in \
capitals, or from your own quaestor.toml; an option of a command \
overrides both. What quaestor.toml in the current folder may set is limited until `quaestor trust`.

Exit codes: 0 done, 1 failed, 2 usage, 3 set-up, 4 partial report (budget reached, or asked to finish), 5 waiting for \
a person, 6 no evidence, 130 interrupted (resumable)."""


def build_app(argv: Sequence[str] = ()) -> App:
    """Return the parser with all commands; when a command line names one of them, only that one is loaded."""
    app = App(
        name="quaestor",
        help="Research questions, carry out long tasks and decide trades. Every citation is proven, and nothing is "
        "lost.",
        help_epilogue=EPILOGUE,
        help_format="markdown",
        version=f"quaestor {__version__}",
        result_action="return_value",
        group_commands=EVERYWHERE,
        console=HelpConsole(),
    )
    unknown = COMMANDS.keys().isdisjoint(argv)
    if argv and argv[0] in COMMANDS:
        commands = {argv[0]: COMMANDS[argv[0]]}  # for each argument the parser goes through all commands it has
    else:
        commands = {**installed_commands(), **COMMANDS} if unknown else COMMANDS  # other packages are asked last
    for order, (name, place) in enumerate(commands.items()):
        app.command(place, name=name, sort_key=order, group=help_group(name), help_epilogue=help_epilogue(name))
        if unknown:
            app[name]  # loads it, for its line in the list of commands

    @app.meta.default
    async def in_home(
        *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
        home: Annotated[
            Path | None,
            Parameter(name="--home", group=EVERYWHERE, converter=_home_path, help="Where everything is kept."),
        ] = None,
    ) -> int | None:
        """Read `--home` before or after the command, and pass it on."""
        command, bound, injected = app.parse_args(tokens, exit_on_error=False, print_error=False)
        await _complete_session_ids(bound, home)
        offered = {"home": home, "terminal": CliTerminal(home)}
        result = command(*bound.args, **bound.kwargs, **{name: offered[name] for name in offered if name in injected})
        try:
            code: int | None = await result if isawaitable(result) else result
        except UnknownSession:
            await _complete_session_ids(bound, home, whole_too=True)  # raises with the id that was probably meant
            raise
        except CommandRefused as refused:
            if tokens[0] not in ASKING_ON:
                raise
            raise await explain_refusal(refused, bound.arguments["session"], home) from refused
        return code

    return app


def _home_path(_kind: object, tokens: Sequence[Token]) -> Path:
    """Return the home that a line names. Raises UsageError for "", which is no name of the current folder."""
    [token] = tokens
    if not token.value:
        raise UsageError("--home is an empty path; name a folder, or leave it out for the usual one")
    return Path(token.value)


def completion(shell: Annotated[Shell, Parameter(name="SHELL", help="bash, zsh or fish.")], /) -> None:
    """Print what completes commands and options in a shell; its first lines say where to put it."""
    write_stdout(completion_script(shell, build_app().generate_completion(prog_name="quaestor", shell=shell)))


async def _complete_session_ids(bound: BoundArguments, home: Path | None, *, whole_too: bool = False) -> None:
    """Replace what names a session by its id; for a whole id the home is opened only if that is wanted."""
    for name, parameter in bound.signature.parameters.items():
        given = bound.arguments.get(name, parameter.default)
        if _names_session(parameter.annotation) and given is not None and (whole_too or not is_session_id(given)):
            async with open_to_look(home) as quaestor:
                bound.arguments[name] = await quaestor.resolve_session_id(given)


def _names_session(annotation: object) -> bool:
    """Return whether a parameter names a session, also where it has a help text of its own."""
    explained = get_args(annotation)[0] if get_origin(annotation) is Annotated else None
    return annotation in _SESSION_PARAMETERS or explained in _SESSION_PARAMETERS


async def run_command(argv: Sequence[str]) -> int:
    """Run one command line in a loop that runs already; return its exit code. Raises what it raises.

    `help COMMAND` is `COMMAND --help`.
    """
    line = [*argv[1:], "--help"] if argv[:1] == [_HELP] else [*argv]
    return await build_app(line).meta.run_async(line, exit_on_error=False, print_error=False) or 0


def run(argv: Sequence[str]) -> int:
    """Run one command line; every error ends here, in one line on stderr and an exit code."""
    try:
        return asyncio.run(run_command(argv))
    except CycloptsError as error:
        return _report_failure(describe_usage_error(error, argv), EXIT_USAGE)
    except QuaestorError as error:
        return _report_failure(f"{error}{_hint(error, argv)}", error.exit_code)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _report_failure("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        discard_stdout()
        return 0
    except OSError as error:  # a full disk or a mode, wherever it was met: no defect of this program
        refused = f"the system refused {error.filename or 'the output'}: {error.strerror}; mend that, then try again"
        return _report_failure(refused, EXIT_FAILED)
    except RuntimeError as error:
        return (
            _report_failure(_NO_THREADS, SetupError.exit_code)
            if str(error) == _THREAD_REFUSED
            else _report_defect(error)
        )
    except Exception as error:  # noqa: BLE001 -- a crash is what is counted here
        return _report_defect(error)


def _report_defect(error: Exception) -> int:
    """Report an error that nobody foresaw; return the exit code."""
    if os.environ.get("QUAESTOR_DEBUG") == "1":
        traceback.print_exception(error)
    return _report_failure(f"unexpected {type(error).__name__}: {error}. QUAESTOR_DEBUG=1 shows where.", EXIT_FAILED)


def _hint(error: QuaestorError, argv: Sequence[str]) -> str:
    """Return this program's hint for an error, in parentheses; nothing where the message is enough."""
    hint = next((_HINTS[kind] for kind in type(error).__mro__ if kind in _HINTS), "")
    if not hint and type(error) is UsageError and argv and argv[0] in COMMANDS:
        hint = f"`quaestor {argv[0]} --help` lists what it takes"
    if not hint and isinstance(error, SetupError) and error.session_id:
        hint = f"`quaestor resume {error.session_id}` goes on"
        if isinstance(error, ModelRefused | ModelUnsuitable):
            hint += f", `quaestor fork {error.session_id} --at {error.paused_at} --model MODEL` with another model"
    return f" ({hint})" if hint else ""


def _report_failure(message: str, code: int) -> int:
    write_stderr(f"quaestor: {message}")
    return code

"""The command that sets a machine up: a model and search engines found, a key kept, the user's settings written."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from difflib import unified_diff
from getpass import getpass
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from quaestor.app.doctor.model_offers import ModelOffer, find_engines, find_models
from quaestor.app.doctor.model_probe import ModelProbe, probe_model
from quaestor.app.settings.configuration import (
    FileChange,
    changed_settings,
    configuration_files,
    own_settings_text,
    write_settings,
)
from quaestor.app.settings.keys import KeyStore, key_variable, keyring_available, store_key
from quaestor.app.text import count_noun
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.terminal import AtTerminal, Terminal, split_names
from quaestor.faces.cli.interactive import is_interactive
from quaestor.faces.cli.output import write_stderr, write_stdout

_RUN_COMMAND: Callable[[Sequence[str]], Awaitable[int]] = deferred("quaestor.faces.cli.program:run_command")
OFFLINE = "offline"
_LISTED = 12
_UNSUITABLE = ("embed", "rerank", "whisper", "tts", "moderation", "dall-e", "image")
"""Words in names of models that write no text."""


class _Choice(NamedTuple):
    """What the person, or the command line, decided on."""

    model: str
    web: tuple[str, ...] | None


async def setup(
    *,
    model: Annotated[
        str | None, Parameter(help="offline or PROVIDER:NAME; else you choose from what is found.")
    ] = None,
    web: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Search the web with these engines by default."),
    ] = None,
    key_stdin: Annotated[
        bool, Parameter(negative="", show_default=False, help="Read the key of the model's provider from stdin.")
    ] = False,
    keep: Annotated[
        KeyStore | None, Parameter(help="Where a key is kept: keyring, or file (for you alone, 0600).")
    ] = None,
    probe: Annotated[bool, Parameter(help="Ask the model for one contract and one tool call.")] = True,
    yes: Annotated[bool, Parameter(negative="", show_default=False, help="Write without asking.")] = False,
    terminal: AtTerminal,
) -> int:
    """Set this machine up: choose a model and search engines, try them, and write your settings.

    Keys in the environment and model servers on this machine are found by themselves. Nothing is written before it was
    shown and you said yes; without a terminal that is --yes.
    """
    offers = await find_models()
    _print_found(offers)
    chosen = _choose(offers, model, web)
    if key_stdin or (is_interactive() and _lacks_key(chosen.model, offers)):
        _keep_key(chosen.model, keep, read_stdin=key_stdin, confirmed=yes)
    changes = [FileChange(("model",), chosen.model)]
    if chosen.web is not None:
        changes.append(FileChange(("web",), list(chosen.web)))
    if probe and chosen.model != OFFLINE:
        tried = await probe_model(chosen.model)
        _print_probe(tried)
        if not tried.ok:
            raise SetupError(f"{chosen.model} cannot be used as it is; nothing was written to your settings")
        changes += [change] if (change := tried.setting()) else []
    if not _write(changes, confirmed=yes):
        return 0 if is_interactive() else UsageError.exit_code
    return await _first_question(terminal) if is_interactive() else 0


def _print_found(offers: Sequence[ModelOffer]) -> None:
    write_stderr("found:")
    width = max(len(name) for name in ("search", *(one.provider for one in offers if one.state != "absent"))) + 2
    for offer in offers:
        match offer.state:
            case "listed":
                write_stderr(f"  {offer.provider:<{width}}{count_noun(len(offer.models), 'model')}, {offer.access}")
            case "unlisted":
                write_stderr(f"  {offer.provider:<{width}}{offer.access}")
            case "refused":
                write_stderr(f"  {offer.provider:<{width}}{offer.reason}")
            case "absent":
                pass
    if not any(offer.local and offer.state == "listed" for offer in offers):
        write_stderr("  no model server on this machine (Ollama, LM Studio, llama.cpp and vLLM on their usual ports)")
    engines = ", ".join(f"{one.engine}{f' ({one.variable})' if one.variable else ''}" for one in find_engines())
    write_stderr(f"  {'search':<{width}}{engines}")


def _choose(offers: Sequence[ModelOffer], model: str | None, web: list[str] | None) -> _Choice:
    names = [f"{offer.provider}:{name}" for offer in offers for name in offer.models if _writes_text(name)]
    engines = None if web is None else tuple(map(str, split_names(web) or ()))
    if not is_interactive():
        return _Choice(model or next(iter(names), OFFLINE), engines)
    if model is None:
        model = _ask_model([OFFLINE, *names])
    if engines is None and _confirm(f"search the web by default, with {find_engines()[0].engine}?"):
        engines = tuple(one.engine for one in find_engines())
    return _Choice(model, engines)


def _writes_text(name: str) -> bool:
    return not any(word in name.lower() for word in _UNSUITABLE)


def _ask_model(names: Sequence[str]) -> str:
    write_stderr("which model answers?")
    for number, name in enumerate(names[:_LISTED], 1):
        write_stderr(f"  {number:>2}  {name}{'  passages and quotes alone; no key, no network' * (name == OFFLINE)}")
    if rest := len(names[_LISTED:]):
        write_stderr(f"      and {rest} more: quaestor models")
    default = "1" if len(names) == 1 else "2"
    answer = _ask(f"a number, or PROVIDER:NAME [{default}]") or default
    if not answer.isdigit():
        return answer
    if not 1 <= int(answer) <= min(len(names), _LISTED):
        raise UsageError(f"{answer} is none of the numbers; nothing was written")
    return names[int(answer) - 1]


def _lacks_key(model: str, offers: Sequence[ModelOffer]) -> bool:
    provider = model.partition(":")[0]
    return key_variable(model) is not None and not any(offer.provider == provider for offer in offers)


def _keep_key(model: str, keep: KeyStore | None, *, read_stdin: bool, confirmed: bool) -> None:
    variable = key_variable(model)
    if variable is None:
        raise UsageError(f"{model} takes no key")
    key = sys.stdin.readline().strip() if read_stdin else getpass(f"key for {variable} (not shown): ").strip()
    store = keep or ("keyring" if keyring_available() else "file")
    if not confirmed and not _confirm(f"keep it in the {store}?" if is_interactive() else ""):
        raise UsageError("the key was not kept; add --yes")
    write_stderr(f"{variable} is kept in {store_key(variable, key, store)}")


def _print_probe(tried: ModelProbe) -> None:
    write_stderr(f"{tried.model}: tried in {tried.seconds:.1f} s")
    for attempt in tried.attempts:
        write_stderr(f"  {attempt.kind:<9}{'ok' if attempt.ok else attempt.reason}")
    if tried.output:
        write_stderr(f"  the server takes contracts as: {tried.output}")


def _write(changes: Sequence[FileChange], *, confirmed: bool) -> bool:
    """Show how the user's settings would change, ask, and write them; return whether they are as wanted."""
    before, after = own_settings_text(), changed_settings(changes)
    file = str(configuration_files()[0].path)
    if before == after:
        write_stderr(f"{file} says so already")
        return True
    write_stdout("".join(unified_diff(before.splitlines(True), after.splitlines(True), file, file)))
    if not confirmed and not _confirm(f"write {file}?"):
        write_stderr("nothing was written; --yes writes without asking")
        return False
    write_stderr(f"written: {write_settings(after)}")
    return True


async def _first_question(terminal: Terminal) -> int:
    question = _ask("a first question (empty: later)")
    if not question:
        write_stderr(f"later: {terminal.command_line('research', 'QUESTION', '--docs', 'FOLDER')}")
        return 0
    folder = _ask("a folder with documents (empty: search the web)")
    return await _RUN_COMMAND(["research", question, *(["--docs", folder] if folder else ["--web"])])


def _ask(prompt: str) -> str:
    sys.stderr.write(f"{prompt} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _confirm(prompt: str) -> bool:
    return is_interactive() and _ask(f"{prompt} [y/N]").casefold() in {"y", "yes"}

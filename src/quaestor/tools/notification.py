"""The ways by which a notice reaches a person: the bell of the terminal, the desktop, a webhook, a command."""

import asyncio
import html
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import httpcore2

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.notice import Notice, NoticeState
from quaestor.contracts.settings import Settings
from quaestor.tools.fetch.guard import ALLOWLIST_VARIABLE, Guard, parse_allowlist
from quaestor.tools.fetch.guarded_client import GuardedClient, GuardedResponse, Resolver, resolve_host
from quaestor.tools.fetch.politeness import FetchPolicy
from quaestor.tools.fetch.url import Url, parse_url

_SECONDS = 10.0
_TERMINAL = "/dev/tty"
_APPLESCRIPT = (
    *("-e", "on run argv"),
    *("-e", "display notification (item 2 of argv) with title (item 1 of argv)"),
    *("-e", "end run"),
)
_TITLES: Mapping[NoticeState, str] = {
    "done": "Quaestor: done",
    "failed": "Quaestor: failed",
    "waiting": "Quaestor: waiting for you",
}


class Channel(Protocol):
    """One way to a person."""

    async def send(self, notice: Notice) -> None:
        """Send a notice. Raises ToolFailed when it does not get through."""


def open_channels(settings: Settings, environment: Mapping[str, str]) -> Sequence[Channel]:
    """Return the ways that the settings name. Raises UsageError for hosts that are allowed in a wrong notation."""
    channels: list[Channel] = []
    if settings.notify_bell:
        channels.append(Bell())
    if settings.notify_desktop:
        channels.append(Desktop())
    if settings.notify_webhook:
        channels.append(Webhook(settings.notify_webhook, environment.get(ALLOWLIST_VARIABLE, "")))
    if settings.notify_command:
        channels.append(Program(settings.notify_command))
    return channels


class Bell:
    """The bell of the terminal that the process has; a process without one rings none."""

    async def send(self, notice: Notice) -> None:
        """Ring."""
        del notice
        _ring()


class Desktop:
    """A notification of the desktop, by `notify-send`, or by `osascript` on macOS."""

    async def send(self, notice: Notice) -> None:
        """Show a notice. Raises ToolFailed without such a program, or a desktop."""
        title, shown = _TITLES[notice.state], notice.question
        if sys.platform == "darwin":
            line = ["osascript", *_APPLESCRIPT, title, shown]
        else:
            line = ["notify-send", "--app-name=Quaestor", "--", title, html.escape(shown, quote=False)]
        if shutil.which(line[0]) is None:
            raise ToolFailed(f"the desktop cannot be notified: {line[0]} is not installed")
        await asyncio.to_thread(_run, line, b"")


class Program:
    """A command of the user's own, which gets the notice as one line of JSON on its standard input."""

    def __init__(self, command: str) -> None:
        self._command = command

    async def send(self, notice: Notice) -> None:
        """Run the command, without a shell. Raises ToolFailed when it fails or takes too long."""
        try:
            line = shlex.split(self._command)
        except ValueError as error:
            raise ToolFailed(f"notify_command cannot be read: {error}; write it as in a shell") from error
        await asyncio.to_thread(_run, line, f"{notice.model_dump_json()}\n".encode())


class Webhook:
    """A URL to which the notice is posted as JSON, by the rules of the fetch guard; no redirect is followed."""

    def __init__(
        self,
        url: str,
        allowed: str,
        resolver: Resolver = resolve_host,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._url = url
        self._client = GuardedClient(
            Guard(parse_allowlist(allowed)),
            FetchPolicy().user_agent,
            resolver,
            network or httpcore2.AnyIOBackend(),
            _SECONDS,
        )

    async def send(self, notice: Notice) -> None:
        """Post a notice. Raises ToolFailed, which does not show the URL, when the host does not take it."""
        try:
            url = parse_url(self._url)
            async with self._client.post(url, "application/json", notice.model_dump_json().encode()) as answer:
                _require_success(url, answer)
        except TimeoutError as error:
            raise ToolFailed(f"the webhook did not answer within {_SECONDS:g} s") from error
        except ToolFailed as error:
            raise ToolFailed(f"the webhook was not called: {error}") from error


def _ring() -> None:
    with suppress(OSError), Path(_TERMINAL).open("wb", buffering=0) as terminal:
        terminal.write(b"\a")


def _require_success(url: Url, answer: GuardedResponse) -> None:
    if not answer.is_success:
        raise ToolFailed(f"{url.host} answered with status {answer.status}")


def _run(line: Sequence[str], given: bytes) -> None:
    try:
        done = subprocess.run(  # noqa: S603 -- the user's own settings name it
            line,
            input=given,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolFailed(f"{line[0]} did not end within {_SECONDS:g} s") from error
    except (OSError, ValueError, IndexError) as error:
        raise ToolFailed(f"the command of a notification cannot be started: {error}") from error
    if done.returncode:
        raise ToolFailed(f"{line[0]} ended with code {done.returncode}")

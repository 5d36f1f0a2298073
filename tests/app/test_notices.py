"""A person is notified when a session is done, has failed or waits for them, once, and of nothing else."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import JsonValue
from typing_extensions import override

from fakes.http_server import Answer, Connection, HttpServer, Request
from fakes.papers import QUESTION, write_papers
from quaestor.app import open_home
from quaestor.contracts import command
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.notice import Notice
from quaestor.tools.fetch.guard import ALLOWLIST_VARIABLE
from quaestor.tools.notification import Desktop, Program, Webhook

NOTICE = Notice(
    session_id="20260101-120000-3fa91c",
    state="done",
    question="--icon <b>harbour</b> lights?",
    address="http://127.0.0.1:8765/sessions/20260101-120000-3fa91c",
)


class Hook(HttpServer[Request]):
    """Records what is posted, and answers with a status."""

    status = 204

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        await connection.send(Answer(status=self.status, headers={"Location": "http://127.0.0.1:1/"}))
        return False

    @property
    def notices(self) -> Sequence[Notice]:
        return [Notice.model_validate_json(request.raw) for request in self.requests]


def recorder(folder: Path) -> tuple[str, Path]:
    """Return a command that appends its standard input to a file, and the file."""
    program, file = folder / "record.py", folder / "recorded.jsonl"
    program.write_text(f"import sys\nopen({str(file)!r}, 'a').write(sys.stdin.read())\n")
    return f"{sys.executable} '{program}'", file


async def test_each_state_is_sent_once_also_over_restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line, recorded = recorder(tmp_path)
    async with Hook() as hook:
        monkeypatch.setenv(ALLOWLIST_VARIABLE, f"127.0.0.1:{hook.port}")
        settings: dict[str, JsonValue] = {
            "notify_webhook": f"{hook.url}/secret",
            "notify_command": line,
            "review_plan": True,
        }
        async with open_home(tmp_path / "home", effort="low", **settings) as q:
            name = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
            assert (await q.run(name)).status == "waiting"
        async with open_home(tmp_path / "home", notify_address="https://lab.example/", **settings) as q:
            assert (await q.run(name)).status == "waiting"
            assert [notice.state for notice in hook.notices] == ["waiting"]
            await q.tell(name, command.Answer(text="/confirm_plan"))
            assert (await q.run(name)).outcome == "done"
            await q.run(name)
        first, second = hook.notices
        assert first == Notice(
            session_id=name, state="waiting", question=QUESTION, address=f"http://127.0.0.1:8765/sessions/{name}"
        )
        assert (second.state, second.address) == ("done", f"https://lab.example/sessions/{name}")
        assert {request.method for request in hook.requests} == {"POST"}
        assert [json.loads(each)["state"] for each in recorded.read_text().splitlines()] == ["waiting", "done"]


async def test_what_a_person_did_is_no_news(tmp_path: Path) -> None:
    line, recorded = recorder(tmp_path)
    async with open_home(tmp_path / "home", effort="low", notify_command=line, review_plan=True) as q:
        name = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        await q.store.send(name, command.Cancel(), q.clock.now())
        assert (await q.run(name)).outcome == "cancelled"
    assert not recorded.exists()


async def test_a_webhook_that_is_not_public_is_reported_and_ends_no_run(tmp_path: Path) -> None:
    notes: list[str] = []
    async with open_home(tmp_path / "home", effort="low", notify_webhook="http://127.0.0.1:8080/T0/secret") as q:
        name = await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        assert (await q.run(name, note=notes.append)).outcome == "done"
    [note] = notes
    assert note.startswith("a notice was not sent: the webhook was not called: 127.0.0.1 is at 127.0.0.1, which is ")
    assert "secret" not in note


async def test_a_webhook_is_not_followed_elsewhere() -> None:
    async with Hook() as hook:
        hook.status = 302
        with pytest.raises(ToolFailed, match=r"127\.0\.0\.1 answered with status 302"):
            await Webhook(f"{hook.url}/secret", f"127.0.0.1:{hook.port}").send(NOTICE)
        assert len(hook.requests) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("false", "false ended with code 1"),
        ("/nowhere/notify", "cannot be started"),
        ("'", "notify_command cannot be read"),
        ("", "cannot be started"),
    ],
)
async def test_a_command_that_fails_is_reported(line: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        await Program(line).send(NOTICE)


async def test_the_desktop_is_shown_no_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    shown = tmp_path / "shown"
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {shown}\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    await Desktop().send(NOTICE)
    assert shown.read_text().splitlines()[1:] == ["--", "Quaestor: done", "--icon &lt;b&gt;harbour&lt;/b&gt; lights?"]

"""The OpenAPI document: its examples work, its routes are all there, and no generated request ends in a 5xx."""

import asyncio
import logging
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from faces.server.served import Serve, Served
from fakes.sittings import LIGHTHOUSE
from quaestor.app.operations import places


async def described(served: Served) -> dict[str, Any]:
    document: dict[str, Any] = (await served.anonymous().get("/api/v1/openapi.json")).json()
    return document


async def test_every_route_is_described_with_its_errors_and_its_security(served: Served) -> None:
    document = await described(served)
    found = {
        f"{method.upper()} {path}": operation
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }
    assert found.keys() == places("routes") - {"POST /mcp"}  # a protocol of its own, which describes itself
    for route, operation in found.items():
        assert operation["summary"], route
        assert operation["description"], route
        form = "application/json" if " /v1/" in route else "application/problem+json"
        assert operation["responses"]["default"]["content"].keys() == {form}
        assert bool(operation.get("security")) == (route not in {"GET /healthz", "GET /readyz", "GET /login"}), route
    references = set(_references(document))
    assert {name.rpartition("/")[2] for name in references} <= document["components"]["schemas"].keys()


def _references(node: object) -> Iterator[str]:
    match node:
        case {"$ref": str(name)}:
            yield name
        case Mapping():
            for each in node.values():
                yield from _references(each)
        case list():
            for each in node:
                yield from _references(each)
        case _:
            pass


async def test_every_example_of_a_body_does_what_it_says(served: Served) -> None:
    document = await described(served)
    await served.upload()
    client = await served.client()
    tried = set()
    for path, operations in document["paths"].items():
        content = operations.get("post", {}).get("requestBody", {}).get("content", {})
        for name, example in content.get("application/json", {}).get("examples", {}).items():
            body = example["value"]
            session_id = await prepared_session(served, body.get("kind", "")) if "{session_id}" in path else ""
            answer = await client.post(path.format(session_id=session_id), json=body)
            # nothing has failed in that session, and no model wrote its brief
            expected = {409} if name in {"retry", "revise"} else {200, 201}
            assert answer.status_code in expected, (example, answer.text)
            tried.add(name)
    assert tried >= {"documents", "question", "fork", "edit plan", "background", "chat"}


async def prepared_session(served: Served, kind: str) -> str:
    """Return a session that takes a command of a kind."""
    if kind in {"ask", "refresh", "revise"}:
        return await served.finished()
    if kind in {"edit_plan", "review_plan", "retry"}:
        session_id = await served.start(f"{LIGHTHOUSE} For {kind}.", review_plan=True, questions=False)
    else:
        verbs = {"answer": "built", "pause": "cast", "resume": "lit", "finish": "sold", "cancel": "moved"}
        session_id = await served.start(f"When was it {verbs.get(kind, 'paid')}?", max_tokens=1_000_000)
    await served.asked(session_id)
    return session_id


@pytest.mark.parametrize(
    ("phases", "examples", "cases"),
    [("fuzzing", 1, 30), pytest.param("examples,coverage,fuzzing", 30, 2_000, marks=pytest.mark.soak)],
    ids=["short", "long"],
)
async def test_no_generated_request_ends_in_a_fault_of_the_server(
    serve: Serve, phases: str, examples: int, cases: int
) -> None:
    # a call that waited for its session, and a stream that never fell silent, would leave no time for others
    served = await serve(requests_a_minute=10**9, foreground_seconds=0.2, heartbeat_seconds=600).begin()
    await served.finished()
    options = {
        "--header": f"Authorization: Bearer {await served.secret('admin')}",
        "--checks": "not_a_server_error",
        "--phases": phases,
        "--max-examples": str(examples),
        "--seed": "1",
        "--exclude-path": "/logout",
        "--request-timeout": "20",
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{served.url}/api/v1/openapi.json", "--no-color"),
        *(word for option in options.items() for word in option),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    tried = re.search(r"(\d+) generated, (\d+) passed", output.decode())
    assert tried, output.decode()
    logging.getLogger(__name__).info("%s requests were generated", tried[1])  # shown by --log-cli-level info
    assert int(tried[1]) == int(tried[2]) >= cases
    assert not [status for status in served.state.responses if status >= 500]

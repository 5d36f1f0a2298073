"""The OpenAPI document: its examples work, its routes are all there, and no generated request ends in a 5xx."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from faces.server.examples_setup import prepared_session
from faces.server.served import Served
from quaestor.app.operations import places

GENERATED = 6
SOAK = 120


async def described(served: Served) -> Any:
    return (await served.anonymous().get("/api/v1/openapi.json")).json()


async def test_every_route_is_described_with_its_errors_and_its_security(served: Served) -> None:
    document = await described(served)
    found = {
        f"{method.upper()} {path}": operation
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }
    assert found.keys() == places("routes")
    for route, operation in found.items():
        assert operation["summary"], route
        assert operation["description"], route
        assert operation["responses"]["default"]["content"].keys() == {"application/problem+json"}
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
    tried = 0
    for path, operations in document["paths"].items():
        for example in (
            operations.get("post", {})
            .get("requestBody", {})
            .get("content", {})
            .get("application/json", {})
            .get("examples", {})
            .values()
        ):
            body = example["value"]
            session_id = await prepared_session(served, path, body)
            answer = await client.post(path.format(session_id=session_id), json=body)
            assert answer.status_code in {200, 201}, (example, answer.text)
            tried += 1
    assert tried > 12


@pytest.mark.parametrize("count", [GENERATED, pytest.param(SOAK, marks=pytest.mark.soak)], ids=["short", "long"])
async def test_no_generated_request_ends_in_a_fault_of_the_server(served: Served, count: int) -> None:
    import asyncio  # noqa: PLC0415

    await served.finished()
    secret = await served.secret("admin")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "schemathesis.cli",
        "run",
        f"{served.url}/api/v1/openapi.json",
        "--header",
        f"Authorization: Bearer {secret}",
        "--checks",
        "not_a_server_error",
        "--phases",
        "examples,coverage,fuzzing",
        "--max-examples",
        str(count),
        "--seed",
        "1",
        "--exclude-path",
        "/logout",
        "--exclude-path-regex",
        "/events$",
        "--request-timeout",
        "20",
        "--no-color",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()

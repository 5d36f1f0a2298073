"""The table of operations agrees with what the command line and the server have."""

from collections.abc import Iterable
from typing import get_args

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from quaestor.app.network.person_commands import PersonCommand
from quaestor.app.operations import OPERATIONS, Absent, Operation, places
from quaestor.faces.cli.program import COMMANDS
from quaestor.faces.server.application import PAGE_ROUTERS, ROUTERS


def routes(routers: Iterable[APIRouter]) -> set[str]:
    return {
        f"{method} {route.path}"
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }


def test_every_command_of_the_program_belongs_to_an_operation_and_none_is_missing() -> None:
    assert places("cli") == set(COMMANDS)


def test_every_route_belongs_to_an_operation_and_none_is_missing() -> None:
    assert places("routes") == routes(ROUTERS)
    assert places("pages") == routes(PAGE_ROUTERS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_an_operation_has_a_face_and_a_reason_for_each_that_it_lacks(operation: Operation) -> None:
    faces: list[tuple[str, ...] | Absent] = [operation.cli, operation.routes]
    assert operation.tool or operation.pages or any(not isinstance(face, Absent) for face in faces)
    assert all(face.reason if isinstance(face, Absent) else face for face in faces)


def test_every_command_to_a_session_is_an_operation() -> None:
    union, _ = get_args(PersonCommand)
    kinds = {get_args(command.model_fields["kind"].annotation)[0] for command in get_args(union)}
    assert kinds == {operation.kind for operation in OPERATIONS if operation.kind}


def test_names_are_used_once() -> None:
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)

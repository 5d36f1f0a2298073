"""Commands that a person gives a session with a form: all of them, the edits of its plan, and its erasure."""

import json
from http import HTTPStatus

from fastapi import APIRouter, Response
from fastapi.responses import RedirectResponse
from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import FormData

from quaestor.app.erasure import erase
from quaestor.app.network.person_commands import PersonCommand, perform_command
from quaestor.app.network.plan_editing import EditableTodo, preview_edits, read_editable_plan
from quaestor.contracts.errors import CommandRefused, LeaseUnavailable, UsageError
from quaestor.contracts.faults import first_fault
from quaestor.contracts.session import Session
from quaestor.faces.server.authentication import Caller, Reader, Runner, State, VisibleSession
from quaestor.faces.server.web.forms import SentForm, read_fields
from quaestor.faces.server.web.live import render_live
from quaestor.faces.server.web.navigation import render_session_page

router = APIRouter(prefix="/sessions/{session_id}", include_in_schema=False)
_COMMANDS: TypeAdapter[PersonCommand] = TypeAdapter(PersonCommand)
_JSON_FIELDS = frozenset({"edits", "standing"})
_EDITED_FIELDS = ("task", "after", "before", "drop")
_NEW = "new"


@router.post("/commands")
async def command(session: VisibleSession, sent: SentForm, caller: Runner, state: State) -> Response:
    """Give a session the command of a form, and lead back to its page; to that of the new session after a fork."""
    given = _parse_command(sent)
    try:
        done = await perform_command(caller.quaestor, session.id, given, caller.submitter, state.carry)
    except CommandRefused as refused:
        return await render_live(session, caller, state, refused=str(refused))
    return RedirectResponse(f"/sessions/{done.session_id}?done={given.kind}", HTTPStatus.SEE_OTHER)


@router.post("/erase")
async def erase_session(session: VisibleSession, caller: Runner, state: State) -> Response:
    """Erase a session with what only it uses, and lead to the first page."""
    try:
        await erase(caller.quaestor, [session.id])
    except (CommandRefused, LeaseUnavailable) as refused:
        return await render_live(session, caller, state, refused=str(refused))
    state.forget(session.id)
    return RedirectResponse("/", HTTPStatus.SEE_OTHER)


@router.get("/plan")
async def edit_plan(session: VisibleSession, caller: Reader) -> Response:
    """Show the plan of a session in a form."""
    return await _render_form(session, caller)


@router.post("/plan")
async def review_edits(session: VisibleSession, sent: SentForm, caller: Runner) -> Response:
    """Show what the edits of a form would change in the plan, before they are made."""
    edited = _parse_todos(sent)
    try:
        preview = await preview_edits(caller.quaestor, session.id, edited)
    except UsageError as error:
        return await _render_form(session, caller, edited, (str(error),))
    if preview.refused or not preview.changes:
        return await _render_form(session, caller, edited, preview.refused)
    return await render_session_page(
        "plan_changes.html", caller, session, "live", preview=preview, seen=sent.get("seen")
    )


async def _render_form(
    session: Session, caller: Caller, edited: tuple[EditableTodo, ...] | None = None, refused: tuple[str, ...] = ()
) -> Response:
    """Return the form; with what was written into it, and why it cannot be used, where it is shown again."""
    return await render_session_page(
        "plan_form.html",
        caller,
        session,
        "live",
        status=HTTPStatus.CONFLICT if refused else HTTPStatus.OK,
        plan=await read_editable_plan(caller.quaestor, session.id),
        edited={each.todo_id: each for each in edited or ()},
        refused=refused,
        is_unchanged=edited is not None and not refused,
    )


def _parse_command(sent: FormData) -> PersonCommand:
    """Return the command that a form holds. Raises UsageError for none."""
    fields: dict[str, object] = {**read_fields(sent)}
    try:
        for name in _JSON_FIELDS & fields.keys():
            fields[name] = json.loads(str(fields[name]))
        return _COMMANDS.validate_python(fields)
    except ValidationError as error:
        raise UsageError(f"the command cannot be used: {first_fault(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the command cannot be read: {error}") from error


def _parse_todos(sent: FormData) -> tuple[EditableTodo, ...]:
    """Return the todos of a form, whose fields are named as `task-t1`; those of a new one as `task-new`."""
    fields = read_fields(sent)
    ids = dict.fromkeys(name.partition("-")[2] for name in sent if name.partition("-")[0] in _EDITED_FIELDS)
    try:
        return tuple(
            EditableTodo.model_validate(
                {
                    "todo_id": "" if todo_id == _NEW else todo_id,
                    **{name: fields[f"{name}-{todo_id}"] for name in _EDITED_FIELDS if f"{name}-{todo_id}" in fields},
                }
            )
            for todo_id in ids
        )
    except ValidationError as error:
        raise UsageError(f"the plan cannot be used: {first_fault(error)}") from error

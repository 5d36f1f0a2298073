"""Every command that a person can give a session over a network, with what it does."""

from collections.abc import Callable
from typing import Annotated, Literal, assert_never

from pydantic import Field

from quaestor.app.network.submissions import SessionSettings, Submitter, choose_settings
from quaestor.app.shorthands import Quaestor
from quaestor.app.workflows import parse_answer
from quaestor.contracts.base import Contract
from quaestor.contracts.command import AddBudget, Answer, Cancel, FinishNow, Pause, RevokeApproval
from quaestor.contracts.errors import CommandRefused
from quaestor.contracts.host import send_command
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan, ReviseSection


class Resume(Contract):
    """Go on with a session that was paused or interrupted."""

    kind: Literal["resume"] = "resume"


class AskOn(Contract):
    """Ask a finished session a follow-up question."""

    kind: Literal["ask"] = "ask"
    question: str = Field(min_length=1, max_length=20_000)


class Refresh(Contract):
    """Look again at the sources that the report of a finished session cites."""

    kind: Literal["refresh"] = "refresh"


class ForkAt(Contract):
    """Begin another session with the events up to a number."""

    kind: Literal["fork"] = "fork"
    at: int = Field(ge=1, le=2**53, description="The number of the last event that both have.")
    model: str | None = Field(default=None, max_length=200, description="Another model to continue with.")


PersonCommand = Annotated[
    Answer
    | EditPlan
    | ReviewPlan
    | Pause
    | Resume
    | FinishNow
    | Cancel
    | AddBudget
    | RevokeApproval
    | RetryTodo
    | ReviseSection
    | AskOn
    | Refresh
    | ForkAt,
    Field(discriminator="kind"),
]

_EFFECTS = {
    "answer": "answered",
    "edit_plan": "the plan is edited",
    "review_plan": "the review of the plan is ended",
    "pause": "paused",
    "resume": "resumed",
    "finish": "the report is being written from what there is",
    "cancel": "cancelled",
    "add_budget": "the budget is raised",
    "revoke_approval": "it is asked about again",
    "retry": "the todo is tried again",
    "revise": "the section is written again",
    "ask": "asked",
    "refresh": "the sources are looked at again",
    "fork": "forked",
}


class CommandEffect(Contract):
    """What a command did."""

    effect: str
    session_id: str = Field(description="Of the session that the command was for; of a fork, of the new one.")


async def perform_command(
    quaestor: Quaestor, session_id: str, command: PersonCommand, submitter: Submitter, carry: Callable[[str], None]
) -> CommandEffect:
    """Give a session a command, and let it be carried on where that is what the command is for.

    Raises CommandRefused with the reason where the session does not take it now, UsageError for what no session takes.
    """
    session = await quaestor.session(session_id)
    match command:
        case Answer(text=text):
            await send_command(quaestor, session_id, parse_answer(session.workflow, text))
        case AskOn(question=question):
            await quaestor.ask(session_id, question)
        case Refresh():
            await quaestor.refresh(session_id)
        case ForkAt(at=at, model=model):
            settings = choose_settings(quaestor, SessionSettings(model=model), submitter) if model else None
            return CommandEffect(effect=_EFFECTS["fork"], session_id=await quaestor.fork(session_id, at, settings))
        case Resume():
            if session.outcome is not None:
                raise CommandRefused(f"session {session_id}: the session is finished; ask on, or fork it")
        case (
            EditPlan()
            | ReviewPlan()
            | Pause()
            | FinishNow()
            | Cancel()
            | AddBudget()
            | RevokeApproval()
            | RetryTodo()
            | ReviseSection()
        ):
            await send_command(quaestor, session_id, command)
        case never:
            assert_never(never)
    if await _goes_on(quaestor, session_id, command):
        carry(session_id)
    return CommandEffect(effect=_EFFECTS[command.kind], session_id=session_id)


async def _goes_on(quaestor: Quaestor, session_id: str, command: PersonCommand) -> bool:
    """Return whether a session is to be carried on after a command: not one that a person has paused to look at it."""
    match command:
        case Pause() | ForkAt() | RevokeApproval():
            return False
        case EditPlan() | AddBudget():
            return (await quaestor.result(session_id)).status != "paused"
        case _:
            return True

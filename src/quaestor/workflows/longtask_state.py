"""What a long task knows: the fold of its events. Nearly all of it is the life of its rounds."""

from quaestor.contracts.event import Event, Forked, Paused, Resumed, SessionFinished, SessionStarted
from quaestor.contracts.noun import Noun
from quaestor.contracts.task import TaskOptions
from quaestor.workflows.parts import rounds_fold
from quaestor.workflows.parts.rounds_state import Rounds


class LongTaskState(Noun):
    """Everything `LongTask.next` looks at."""

    rounds: Rounds | None = None
    paused: bool = False
    finished: bool = False


def fold(state: LongTaskState, event: Event) -> LongTaskState:
    """Give the state after one more event."""
    match event.payload:
        case SessionStarted(question=task, task_key=task_key, options=options):
            return _with(state, rounds=rounds_fold.born(task, task_key, TaskOptions.model_validate(options)))
        case Forked(options=options) if state.rounds:
            forked = state.rounds.model_copy(update={"options": TaskOptions.model_validate(options)})
            return _with(state, rounds=forked)
        case SessionFinished():
            return _with(state, finished=True)
        case Paused():
            return _with(state, paused=True)
        case Resumed():
            state = _with(state, paused=False)
        case _:
            pass
    return _with(state, rounds=rounds_fold.apply(state.rounds, event)) if state.rounds else state


def _with(state: LongTaskState, **changes: object) -> LongTaskState:
    return state.model_copy(update=changes)

"""Whose files lie in the workspace: those of the task alone, or of others too. Pure rules over what its tools saw.

Nobody but the tools changes the workspace of a task. So what they left is what the next of them finds; if it finds
anything else, somebody was there meanwhile, or before. What changed while a program was interrupted was its own doing.
"""

from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.workspace import OUTPUTS, OWN_FILES, Dumped, FilePart, FileWritten, ProgramResult, Seen
from quaestor.workflows.parts.calls import WITH_EFFECTS
from quaestor.workflows.parts.rounds_state import Rounds


def after_call(rounds: Rounds, outcome: ToolResponded | ToolInterrupted) -> Rounds:
    """Give the task after a call; of one that came to no end nobody knows what it left."""
    if outcome.tool not in WITH_EFFECTS:
        return rounds
    match outcome:
        case ToolResponded(tool="write_file", result=result, error=None):
            return _after(rounds, FileWritten.model_validate(result).seen)
        case ToolResponded(result=result, error=None):
            return _after(rounds, ProgramResult.model_validate(result).seen)
        case _:
            return rounds.model_copy(update={"left": None})


def after_dump(rounds: Rounds, dumped: Dumped) -> Rounds:
    """Give the task after its files were written, which changes nothing that counts."""
    return _after(rounds, Seen(before=dumped.seen, after=dumped.seen))


def is_own(rounds: Rounds, part: FilePart) -> bool:
    """Say whether a file is as the task wrote it, or written from its log."""
    made = rounds.artifacts.get(part.path)
    if made is not None and made.sha256 == part.sha256:
        return True
    return part.path in OWN_FILES or (part.path.startswith(f"{OUTPUTS}/") and not rounds.shared)


def _after(rounds: Rounds, seen: Seen) -> Rounds:
    strange = rounds.left is not None and rounds.left != seen.before
    return rounds.model_copy(update={"left": seen.after, "shared": rounds.shared or strange})

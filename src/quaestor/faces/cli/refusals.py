"""What helps where a session refuses a command because its last question is not answered yet."""

from pathlib import Path

from quaestor.app import Quaestor, open_to_look
from quaestor.contracts.errors import CommandRefused
from quaestor.faces.cli.output import command_line

ASKING_ON = frozenset({"ask", "refresh", "revise"})
"""Commands that only a finished session takes."""


async def explain_refusal(refused: CommandRefused, session_id: str, home: Path | None) -> CommandRefused:
    """Return a refusal with what an unfinished session that no process carries on needs, and the command for it."""
    async with open_to_look(home) as quaestor:
        needed = await _describe_rest(quaestor, session_id)
    if not needed:
        return refused
    return CommandRefused(f"{refused}. {needed}: {command_line(home, 'resume', session_id)}")


async def _describe_rest(quaestor: Quaestor, session_id: str) -> str:
    if await quaestor.holder(session_id):
        return ""
    result = await quaestor.result(session_id)
    match result.status:
        case "finished":
            return ""
        case "waiting" if result.asked:
            return f"It waits for a person ({' '.join(result.asked.questions)}); this shows how to answer"
        case _:
            return "No process carries it on; go on with"

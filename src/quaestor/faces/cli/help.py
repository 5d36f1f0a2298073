"""The help: how the commands are grouped, an example of each, and where it is printed."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from cyclopts import Group
from rich.console import Console
from typing_extensions import override


class Help(NamedTuple):
    """The group of a command, and a line that uses it."""

    group: str
    example: str


_RESEARCH = "Research"
_TASKS = "Tasks and decisions"
_SESSIONS = "Sessions"
_PERSON = "While a session runs"
_RESULTS = "Reports and evidence"
_LOG = "The log"
_SETUP = "This machine"
_SERVERS = "Servers and assistants"
_GROUPS = (_RESEARCH, _TASKS, _SESSIONS, _PERSON, _RESULTS, _LOG, _SETUP, _SERVERS)
_OTHERS = Help("Other packages", "")
EVERYWHERE = Group("Everywhere", sort_key=len(_GROUPS) + 1)
"""The group of the options that every command has."""

HELP: Mapping[str, Help] = {
    "research": Help(_RESEARCH, "quaestor research 'Why was the walrus operator added?' --docs notes/ papers/"),
    "ask": Help(_RESEARCH, "quaestor ask last 'Who was against it?'"),
    "revise": Help(_RESEARCH, "quaestor revise last 2 'Name the amounts, in three sentences.'"),
    "refresh": Help(_RESEARCH, "quaestor refresh last"),
    "plan": Help(_PERSON, "quaestor plan last add 'Compare it with other languages' --after t1"),
    "retry": Help(_PERSON, "quaestor retry last t2"),
    "demo": Help(_RESEARCH, "quaestor demo"),
    "task": Help(_TASKS, "quaestor task 'Sort the notes by year' --workspace notes/"),
    "rebuild": Help(_TASKS, "quaestor rebuild last"),
    "decide": Help(_TASKS, "quaestor decide --mandate mandate.toml"),
    "backtest": Help(_TASKS, "quaestor backtest --mandate mandate.toml --out results.html"),
    "cycles": Help(_TASKS, "quaestor cycles last --action buy"),
    "resume": Help(_SESSIONS, "quaestor resume --all"),
    "run": Help(_TASKS, "quaestor run hello 'Say hello'"),
    "attach": Help(_SESSIONS, "quaestor attach last"),
    "ps": Help(_SESSIONS, "quaestor ps --status waiting interrupted"),
    "search": Help(_SESSIONS, "quaestor search 'walrus operator'"),
    "show": Help(_SESSIONS, "quaestor show last"),
    "open": Help(_SESSIONS, "quaestor open last"),
    "answer": Help(_PERSON, "quaestor answer last 'The second one'"),
    "pause": Help(_PERSON, "quaestor pause last"),
    "finish": Help(_PERSON, "quaestor finish last --out report.html"),
    "cancel": Help(_PERSON, "quaestor cancel last"),
    "approvals": Help(_PERSON, "quaestor approvals --revoke 1"),
    "budget": Help(_PERSON, "quaestor budget last --add 0.25"),
    "fork": Help(_SESSIONS, "quaestor fork last --at 40 --model ollama:qwen3"),
    "follow": Help(_LOG, "quaestor follow --to jsonl:copies/"),
    "copied": Help(_LOG, "quaestor copied 20260101-120000-3fa91c --from jsonl:copies/"),
    "events": Help(_LOG, "quaestor events last --type todo_recorded"),
    "spend": Help(_RESULTS, "quaestor spend last"),
    "report": Help(_RESULTS, "quaestor report last --out report.html"),
    "export": Help(_RESULTS, "quaestor export last --out report.docx"),
    "import": Help(_RESULTS, "quaestor import evidence.zip"),
    "verify": Help(_RESULTS, "quaestor verify last"),
    "sign": Help(_RESULTS, "quaestor sign last"),
    "explain": Help(_RESULTS, "quaestor explain last --claim 3"),
    "rm": Help(_SESSIONS, "quaestor rm 3fa91c"),
    "prune": Help(_SESSIONS, "quaestor prune --older 30d"),
    "backup": Help(_SETUP, "quaestor backup home.tar"),
    "restore": Help(_SETUP, "quaestor restore home.tar"),
    "store": Help(_SETUP, "quaestor store copy ~/.local/share/quaestor postgresql://db.example/quaestor"),
    "agents": Help(_SETUP, "quaestor agents show researcher"),
    "graph": Help(_SETUP, "quaestor graph research"),
    "trust": Help(_SETUP, "quaestor trust"),
    "setup": Help(_SETUP, "quaestor setup --model ollama:qwen3 --yes"),
    "settings": Help(_SETUP, "quaestor settings set effort high"),
    "models": Help(_SETUP, "quaestor models ollama"),
    "doctor": Help(_SETUP, "quaestor doctor --no-ask"),
    "docs": Help(_SETUP, "quaestor docs longtask"),
    "completion": Help(_SETUP, "quaestor completion bash > ~/.local/share/bash-completion/completions/quaestor"),
    "serve": Help(_SERVERS, "quaestor serve --port 8765"),
    "worker": Help(_SERVERS, "quaestor worker --sessions 8"),
    "workers": Help(_SERVERS, "quaestor workers"),
    "drain": Help(_SERVERS, "quaestor drain"),
    "token": Help(_SERVERS, "quaestor token add laptop --scope run --expires 30d"),
    "mcp": Help(_SERVERS, "quaestor mcp install claude-code"),
}


class HelpConsole(Console):
    """The console of the parser; a reader that goes away is for the border of the program to handle."""

    @override
    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, instead of ending the program with an exit code of rich's own."""
        raise BrokenPipeError


def help_group(command: str) -> Group:
    """Return the group in which a command is listed; those of other packages come last."""
    return _group(HELP.get(command, _OTHERS).group)


@cache
def _group(name: str) -> Group:
    """Return the one group of a name, as the parser takes no two."""
    return Group(name, sort_key=_GROUPS.index(name) if name in _GROUPS else len(_GROUPS))


def help_epilogue(command: str) -> str | None:
    """Return the example of a command, as the last line of its help."""
    known = HELP.get(command)
    return f"Example: `{known.example}`" if known else None

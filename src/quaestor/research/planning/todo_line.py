"""One todo as one line that a person writes: `t3 [research] Compare the costs  (after t1, t2; agent researcher)`."""

import json
import re
from collections.abc import Iterator

from quaestor.contracts.immutable import Immutable, field
from quaestor.research.contracts.plan import Todo

TODO_ID_PATTERN = r"t[0-9]+(?:\.[0-9]+)*"

_HEAD = re.compile(rf"(?:(?P<id>{TODO_ID_PATTERN})(?![^\s\[])\s*)?(?:\[(?P<kind>[^\]]*)\]\s*)?(?P<rest>.*)", re.DOTALL)
_STRING = r'"(?:[^"\\]|\\.)*"'
_EXTRAS = re.compile(rf"\(\s*(?P<extras>(?:after|agent)\b(?:[^()\"]|{_STRING})*)\)$")
_EXTRA = re.compile(rf"\s*(?:after\s(?P<after>[^;\"]*)|agent\s+(?P<agent>{_STRING}|[^\s;()\"]+))\s*(?:;|$)")
_PLAIN_NAME = re.compile(r"[^\s;()\"]+")
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters, line ends, and the marks that turn the direction of all that follows them."""

_SURROGATES = re.compile(r"[\ud800-\udfff]")


class TodoLineError(ValueError):
    """A line is no todo; the message has the reason and what to write instead."""


class TodoLine(Immutable):
    """The content of a line; without an id it is a new todo, without a kind it keeps the one it has."""

    todo_id: str | None
    kind: str | None
    task: str
    after: tuple[str, ...] = field(default=())
    agent: str | None = None


def line_from_todo(todo: Todo) -> TodoLine:
    """Return the line of a todo."""
    return TodoLine(todo.id, todo.kind, todo.task, todo.dependencies, todo.agent or None)


def format_line(line: TodoLine) -> str:
    """Write a line. A task that would be read as something else is quoted, as a JSON string."""
    plain = _join_parts(line, line.task)
    try:
        faithful = not _HIDDEN.search(line.task) and parse_line(plain) == line
    except TodoLineError:
        faithful = False
    return plain if faithful else _join_parts(line, _quote(line.task))


def parse_line(text: str) -> TodoLine:
    """Parse a line. Raises TodoLineError where it is ambiguous."""
    head = _HEAD.fullmatch(text.strip())
    if head is None:
        raise TodoLineError("it is no todo; write: id [kind] task (after ids; agent name)")
    rest = head["rest"]
    task, extras = _split_quoted(rest) if rest.startswith('"') else _split_plain(rest)
    if not task.strip():
        raise TodoLineError("it has no task; say what is to be done, or take the line away")
    after, agent = _parse_extras(extras)
    if _SURROGATES.search(f"{task}{agent}"):
        raise TodoLineError("it holds half of a character (U+D800 to U+DFFF); write the whole one")
    return TodoLine(head["id"], None if head["kind"] is None else head["kind"].strip(), task, after, agent)


def _join_parts(line: TodoLine, task: str) -> str:
    head = (line.todo_id, f"[{line.kind}]" if line.kind else None, task)
    extras = (
        f"after {', '.join(line.after)}" if line.after else None,
        f"agent {_format_agent(line.agent)}" if line.agent else None,
    )
    said = "; ".join(extra for extra in extras if extra)
    return " ".join(part for part in head if part) + (f"  ({said})" if said else "")


def _format_agent(agent: str) -> str:
    return agent if _PLAIN_NAME.fullmatch(agent) and not _HIDDEN.search(agent) else _quote(agent)


def _quote(text: str) -> str:
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], json.dumps(text, ensure_ascii=False))


def _split_plain(rest: str) -> tuple[str, str]:
    found = _EXTRAS.search(rest)
    return (rest[: found.start()].rstrip(), found["extras"]) if found else (rest, "")


def _split_quoted(rest: str) -> tuple[str, str]:
    task, end = _unquote(rest)
    tail = rest[end:].strip()
    found = _EXTRAS.fullmatch(tail)
    if tail and not found:
        raise TodoLineError(
            f"after the quoted task comes {tail!r}; a task that begins with a quotation mark "
            'stands in quotes as a whole, with \\" for those inside'
        )
    return task, found["extras"] if found else ""


def _unquote(text: str) -> tuple[str, int]:
    """Return the JSON string that a text begins with, and where it ends."""
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except json.JSONDecodeError as error:
        raise TodoLineError(
            f'its quotes cannot be read as a JSON string ({error.msg}); write \\" and \\\\ inside'
        ) from error
    return str(value), end


def _parse_extras(text: str) -> tuple[tuple[str, ...], str | None]:
    after: tuple[str, ...] | None = None
    agent: str | None = None
    for extra in _iter_extras(text):
        if (extra["after"] is not None and after is not None) or (extra["agent"] and agent):
            raise TodoLineError(f"it says {'after' if extra['after'] else 'agent'} twice in {f'({text})'!r}")
        if extra["after"] is not None:
            after = tuple(_parse_ids(extra["after"]))
        else:
            agent = _unquote(extra["agent"])[0] if extra["agent"].startswith('"') else extra["agent"]
    return after or (), agent


def _iter_extras(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while text[place:].strip():
        extra = _EXTRA.match(text, place)
        if extra is None:
            raise TodoLineError(
                f"{text[place:].strip()!r} is neither 'after' with ids nor 'agent' with a name; "
                "put the task in quotes if this belongs to it"
            )
        yield extra
        place = extra.end()


def _parse_ids(text: str) -> Iterator[str]:
    for name in text.split(","):
        if not re.fullmatch(TODO_ID_PATTERN, name.strip()):
            raise TodoLineError(
                f"{name.strip()!r} in 'after' is no id of a todo; write ids with commas between them, "
                "and put the task in quotes if this belongs to it"
            )
        yield name.strip()

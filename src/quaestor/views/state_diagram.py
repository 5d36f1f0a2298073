"""A workflow's state table as a Mermaid state diagram."""

from collections.abc import Iterable, Iterator, Mapping

from quaestor.contracts.workflow import StateSpec

_TODO_STATE = "each_todo"


def render_mermaid(name: str, table: Mapping[str, StateSpec]) -> str:
    """Draw a table in its own order; the states of a todo's life stand in a composite state.

    The first state of either kind is where it begins, a state that leads nowhere is where it ends. A state is
    labelled with its contract (takes -> gives), its role and its tools. The text ends with a line end.
    """
    order = {state: place for place, state in enumerate(table)}
    session = {state: row for state, row in table.items() if not row.per_todo}
    todo = {state: row for state, row in table.items() if row.per_todo}
    lines = (
        "stateDiagram-v2",
        f"    accTitle: {_escape_label(name)}",
        *_states(session, order, 1),
        *_composite(todo, order),
    )
    crossing = (
        f"    {state} --> {other}"
        for state, row in table.items()
        for other in _ordered(row.leads_to, order)
        if other not in (todo if row.per_todo else session)
    )
    return "\n".join((*lines, *crossing)) + "\n"


def _composite(todo: Mapping[str, StateSpec], order: Mapping[str, int]) -> Iterator[str]:
    if todo:
        yield f'    state "each todo" as {_TODO_STATE} {{'
        yield from _states(todo, order, 2)
        yield "    }"


def _states(rows: Mapping[str, StateSpec], order: Mapping[str, int], depth: int) -> Iterator[str]:
    indent = "    " * depth
    for state, row in rows.items():
        yield f"{indent}{state} : {state}"
        yield from (f"{indent}{state} : {_escape_label(label)}" for label in _labels(row))
    for begin in list(rows)[:1]:
        yield f"{indent}[*] --> {begin}"
    for state, row in rows.items():
        yield from (f"{indent}{state} --> {other}" for other in _ordered(row.leads_to, order) if other in rows)
        if not row.leads_to:
            yield f"{indent}{state} --> [*]"


def _labels(row: StateSpec) -> Iterator[str]:
    yield f"{row.takes} -> {row.gives.__name__}" if row.gives else row.takes
    if row.role:
        yield f"role {row.role}"
    if row.tools:
        yield f"tools {', '.join(sorted(row.tools))}"


def _ordered(states: Iterable[str], order: Mapping[str, int]) -> list[str]:
    return sorted(states, key=lambda state: (order.get(state, len(order)), state))


def _escape_label(label: str) -> str:
    """Return a label in which nothing ends it early: Mermaid reads `#58;` as the character with that number."""
    return "".join(f"#{ord(sign)};" if sign in '#:;"%' else sign for sign in " ".join(label.split()))

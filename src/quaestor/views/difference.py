"""What changed from one plan or report to the next, as plain text: + is new, - is gone, ~ is another now.

Nothing in it is hidden and every change stands on one line, whatever the texts hold.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from quaestor.contracts.order import at_rest
from quaestor.contracts.plan import Plan, Todo, TodoStatus
from quaestor.contracts.report import Claim, Report, ReportSection
from quaestor.contracts.source import Quote, Source
from quaestor.views.outline import numbers
from quaestor.views.visible import one_line

T = TypeVar("T")


def plan_difference(before: Plan, after: Plan) -> str:
    """Say what todos are gone, new, changed (task, kind, agent, dependencies, status) and moved.

    Dropped todos come first, the others in the order of the plan as it is after. What is said to be moved is the
    least that explains the new order, and is pending wherever that is enough.
    """
    old = {todo.id: todo for todo in before.todos}
    new = {todo.id: todo for todo in after.todos}
    begun = [todo.id for todo in before.todos if todo.status is not TodoStatus.PENDING]
    resting = at_rest(list(old), list(new), begun)
    places = _places(list(new))
    lines = [f"- {_todo(todo)}" for todo in before.todos if todo.id not in new]
    for todo in after.todos:
        if todo.id not in old:
            lines.append(f"+ {_todo(todo)}, {places[todo.id]}")
            continue
        lines += [f"~ {todo.id} {change}" for change in _changes(_facts(old[todo.id]), _facts(todo))]
        lines += [f"~ {todo.id} moved, now {places[todo.id]}"] if todo.id not in resting else []
    return _text(lines or ["The plan stays as it is."])


def report_difference(before: Report, after: Report) -> str:
    """Say what a later version of a report says otherwise: its parts in reading order, then its sources.

    A claim is the same if its words and its part are; its number and its place among the others do not count.
    How the reports were made is not compared.
    """
    blocks = [
        _block("Report", _changes(_headlines(before), _headlines(after)), mark="~ "),
        _block("Sections", _sections(before.sections, after.sections)),
        *(_block(heading, _claims(old, new)) for heading, old, new in _parts(before, after)),
        _block("Contradictions", _plain(_contradictions(before), _contradictions(after))),
        _block("Gaps", _plain(before.gaps, after.gaps)),
        _block("Blocked", _plain(before.blocked, after.blocked)),
        _block("Sources", _sources(before.sources, after.sources)),
    ]
    changed = [line for block in blocks if block for line in ("", *block)]
    versions = f"Version {before.version} and version {after.version}"
    return _text([f"{versions} differ:", *changed] if changed else [f"{versions} say the same."])


def _todo(todo: Todo) -> str:
    extras = (
        f"after {', '.join(todo.dependencies)}" if todo.dependencies else "",
        f"agent {todo.agent}" if todo.agent else "",
    )
    said = "; ".join(extra for extra in extras if extra)
    return f"{todo.id} [{todo.kind}] {todo.task}{f' ({said})' if said else ''}"


def _places(order: Sequence[str]) -> dict[str, str]:
    """Give for each id before which other one it stands."""
    following = dict(pairwise(order))
    return {own: f"before {following[own]}" if own in following else "at the end" for own in order}


def _facts(todo: Todo) -> dict[str, str]:
    return {
        "task": todo.task,
        "kind": todo.kind,
        "agent": todo.agent or "none",
        "after": ", ".join(todo.dependencies) or "nothing",
        "status": todo.status.value.replace("_", " "),
    }


def _headlines(report: Report) -> dict[str, str]:
    return {
        "question": report.question,
        "title": report.title,
        "answer": report.answer or "none",
        "ended early": report.partial or "no",
    }


def _changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    return (f"{name}: {was} -> {after[name]}" for name, was in before.items() if was != after[name])


def _parts(before: Report, after: Report) -> Iterator[tuple[str, Sequence[Claim], Sequence[Claim]]]:
    """Give the claims of each part in both reports, a section by its todo, sections that are gone after the others."""
    old = {section.todo_id: section for section in before.sections}
    new = {section.todo_id: section for section in after.sections}
    yield "Answer", _answer(before), _answer(after)
    yield "Summary", before.summary, after.summary
    yield "Key findings", before.key_findings, after.key_findings
    for todo_id, section in {**new, **{own: gone for own, gone in old.items() if own not in new}}.items():
        claims = [own[todo_id].claims if todo_id in own else () for own in (old, new)]
        yield f"Section {_section(section)}", claims[0], claims[1]
    yield "Disputed", before.disputed, after.disputed
    yield "Conclusion", before.conclusion, after.conclusion


def _answer(report: Report) -> tuple[Claim, ...]:
    return (report.answer_claim,) if report.answer_claim else ()


def _sections(before: Sequence[ReportSection], after: Sequence[ReportSection]) -> Iterator[str]:
    old = {section.todo_id: section for section in before}
    new = {section.todo_id: section for section in after}
    resting = at_rest(list(old), list(new))
    yield from (f"- {_section(section)}" for section in before if section.todo_id not in new)
    places = _places(list(new))
    for own, section in new.items():
        if own not in old:
            yield f"+ {_section(section)}"
            continue
        yield from (f"~ {own} {change}" for change in _changes(_signs(old[own]), _signs(section)))
        if own not in resting:
            yield f"~ {own} moved, now {places[own]}"


def _section(section: ReportSection) -> str:
    return f"{section.todo_id}: {section.heading}"


def _signs(section: ReportSection) -> dict[str, str]:
    return {"heading": section.heading, "note": section.note or "none"}


def _claims(before: Sequence[Claim], after: Sequence[Claim]) -> Iterator[str]:
    gone, come, same = _matched(before, after, lambda claim: claim.text)
    yield from (f"- {_claim(claim)}" for claim in gone)
    yield from (f"+ {_claim(claim)}" for claim in come)
    for old, new in same:
        if old.supported != new.supported:
            yield f"~ {new.text} (now {'supported' if new.supported else 'unsupported'})"
        lost, won, _ = _matched(old.citations, new.citations, _span)
        yield from (f"~ {new.text} (cites no more: “{quote.text}”)" for quote in lost)
        yield from (f"~ {new.text} (cites now: “{quote.text}”)" for quote in won)


def _claim(claim: Claim) -> str:
    markers = "".join(f"[{number}]" for number in numbers(claim))
    return f"{claim.text}{f' {markers}' if markers else ''}{'' if claim.supported else ' (unsupported)'}"


def _span(quote: Quote) -> Hashable:
    return quote.source, quote.start, quote.end


def _contradictions(report: Report) -> list[str]:
    return [f"{one.subject}: {' against '.join(one.values)}" for one in report.contradictions]


def _plain(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    gone, come, _ = _matched(before, after, lambda line: line)
    yield from (f"- {line}" for line in gone)
    yield from (f"+ {line}" for line in come)


def _sources(before: Sequence[Source], after: Sequence[Source]) -> Iterator[str]:
    gone, come, _ = _matched(before, after, lambda source: source.sha256)
    gone, come, again = _matched(gone, come, lambda source: source.uri)
    yield from (f"- {_source(source)}" for source in gone)
    yield from (f"+ {_source(source)}" for source in come)
    for old, new in again:
        yield f"~ {_source(new)}: another text than sha256 {old.sha256[:12]}"


def _source(source: Source) -> str:
    return f"{source.title}, {source.uri}, sha256 {source.sha256[:12]}"


def _matched(
    before: Sequence[T], after: Sequence[T], key: Callable[[T], Hashable]
) -> tuple[list[T], list[T], list[tuple[T, T]]]:
    """Give what only the one has, what only the other has, and the pairs; equal keys pair in their order."""
    waiting: dict[Hashable, list[int]] = {}
    for place, old in enumerate(before):
        waiting.setdefault(key(old), []).append(place)
    come: list[T] = []
    pairs: list[tuple[int, T]] = []
    for new in after:
        alike = waiting.get(key(new))
        if alike:
            pairs.append((alike.pop(0), new))
        else:
            come.append(new)
    paired = {place for place, _ in pairs}
    gone = [old for place, old in enumerate(before) if place not in paired]
    return gone, come, [(before[place], new) for place, new in pairs]


def _block(heading: str, lines: Iterable[str], mark: str = "") -> list[str]:
    found = [f"{mark}{line}" for line in lines]
    return [heading, *found] if found else []


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{one_line(line)}\n" for line in lines)

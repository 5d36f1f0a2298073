"""What changed from one plan or report to the next, as plain text: + is new, - is gone, ~ is another now.

Nothing in it is hidden and every change is on one line, whatever the texts hold.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from quaestor.contracts.source import Quote, Source
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.report import Claim, Report, ReportSection
from quaestor.research.views.report_outline import citation_numbers, claim_status
from quaestor.views.escaping import one_line
from quaestor.views.sequence_diff import unmoved_items

T = TypeVar("T")


def diff_plans(before: Plan, after: Plan) -> str:
    """Return the todos that are gone, new, changed (task, kind, agent, dependencies, status) and moved.

    Dropped todos come first, the others in the order of the plan as it is after. What counts as moved is the
    least that explains the new order, and is pending wherever that is enough.
    """
    old = {todo.id: todo for todo in before.todos}
    new = {todo.id: todo for todo in after.todos}
    begun = [todo.id for todo in before.todos if todo.status is not TodoStatus.PENDING]
    resting = unmoved_items(list(old), list(new), begun)
    places = _describe_positions(list(new))
    lines = [f"- {_format_todo(todo)}" for todo in before.todos if todo.id not in new]
    for todo in after.todos:
        if todo.id not in old:
            lines.append(f"+ {_format_todo(todo)}, {places[todo.id]}")
            continue
        lines += [f"~ {todo.id} {change}" for change in _field_changes(_todo_fields(old[todo.id]), _todo_fields(todo))]
        lines += [f"~ {todo.id} moved, now {places[todo.id]}"] if todo.id not in resting else []
    return _join_lines(lines or ["The plan stays as it is."])


def diff_documents(before: ResearchDocument, after: ResearchDocument) -> str:
    """Return what changed in a later version of a report or of a brief; of two kinds, that the kind changed."""
    match before, after:
        case Report(), Report():
            return diff_reports(before, after)
        case Brief(), Brief():
            return _diff_briefs(before, after)
        case _:
            return _join_lines(
                [f"Version {before.version} is a {before.kind}, version {after.version} a {after.kind}."]
            )


def _diff_briefs(before: Brief, after: Brief) -> str:
    """Return what changed in a later version of a brief: its fields, its passages by their words, its sources."""
    gone, come, _ = _match_items(before.passages, after.passages, lambda one: (one.source, one.text))
    passages = (*(f"- “{one.text}”" for one in gone), *(f"+ “{one.text}”" for one in come))
    blocks = [
        _block("Brief", _field_changes(_brief_fields(before), _brief_fields(after)), mark="~ "),
        _block("Passages", passages),
        _block("Gaps", _diff_lines(before.gaps, after.gaps)),
        _block("Sources", _diff_sources(before.sources, after.sources)),
    ]
    return _join_blocks(before.version, after.version, blocks)


def diff_reports(before: Report, after: Report) -> str:
    """Return what changed in a later version of a report: its parts in reading order, then its sources.

    A claim is the same if its words and its part are; its number and its place among the others do not count.
    How the reports were made is not compared.
    """
    blocks = [
        _block("Report", _field_changes(_report_fields(before), _report_fields(after)), mark="~ "),
        _block("Sections", _diff_sections(before.sections, after.sections)),
        *(_block(heading, _diff_claims(old, new)) for heading, old, new in _claim_parts(before, after)),
        _block("Contradictions", _diff_lines(_format_contradictions(before), _format_contradictions(after))),
        _block("Gaps", _diff_lines(before.gaps, after.gaps)),
        _block("Blocked", _diff_lines(before.blocked, after.blocked)),
        _block("Sources", _diff_sources(before.sources, after.sources)),
    ]
    return _join_blocks(before.version, after.version, blocks)


def _join_blocks(before: int, after: int, blocks: Iterable[Sequence[str]]) -> str:
    changed = [line for block in blocks if block for line in ("", *block)]
    versions = f"Version {before} and version {after}"
    return _join_lines([f"{versions} differ:", *changed] if changed else [f"{versions} say the same."])


def _format_todo(todo: Todo) -> str:
    extras = (
        f"after {', '.join(todo.dependencies)}" if todo.dependencies else "",
        f"agent {todo.agent}" if todo.agent else "",
    )
    said = "; ".join(extra for extra in extras if extra)
    return f"{todo.id} [{todo.kind}] {todo.task}{f' ({said})' if said else ''}"


def _describe_positions(order: Sequence[str]) -> dict[str, str]:
    """Return for each id the one that follows it."""
    following = dict(pairwise(order))
    return {own: f"before {following[own]}" if own in following else "at the end" for own in order}


def _todo_fields(todo: Todo) -> dict[str, str]:
    return {
        "task": todo.task,
        "kind": todo.kind,
        "agent": todo.agent or "none",
        "after": ", ".join(todo.dependencies) or "nothing",
        "status": todo.status.value.replace("_", " "),
    }


def _report_fields(report: Report) -> dict[str, str]:
    return {
        "question": report.question,
        "title": report.title,
        "answer": report.answer or "none",
        "ended early": report.partial or "no",
    }


def _brief_fields(brief: Brief) -> dict[str, str]:
    return {
        "question": brief.question,
        "answer": brief.answer or "none",
        "ended early": brief.partial or "no",
    }


def _field_changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    return (f"{name}: {was} -> {after[name]}" for name, was in before.items() if was != after[name])


def _claim_parts(before: Report, after: Report) -> Iterator[tuple[str, Sequence[Claim], Sequence[Claim]]]:
    """Return the claims of each part in both reports; a section is found by its todo, removed ones come last."""
    old = {section.todo_id: section for section in before.sections}
    new = {section.todo_id: section for section in after.sections}
    yield "Answer", _answer_claims(before), _answer_claims(after)
    yield "Summary", before.summary, after.summary
    yield "Key findings", before.key_findings, after.key_findings
    for todo_id, section in {**new, **{own: gone for own, gone in old.items() if own not in new}}.items():
        claims = [own[todo_id].claims if todo_id in own else () for own in (old, new)]
        yield f"Section {_format_section(section)}", claims[0], claims[1]
    yield "Disputed", before.disputed, after.disputed
    yield "Conclusion", before.conclusion, after.conclusion


def _answer_claims(report: Report) -> tuple[Claim, ...]:
    return (report.answer_claim,) if report.answer_claim else ()


def _diff_sections(before: Sequence[ReportSection], after: Sequence[ReportSection]) -> Iterator[str]:
    old = {section.todo_id: section for section in before}
    new = {section.todo_id: section for section in after}
    resting = unmoved_items(list(old), list(new))
    yield from (f"- {_format_section(section)}" for section in before if section.todo_id not in new)
    places = _describe_positions(list(new))
    for own, section in new.items():
        if own not in old:
            yield f"+ {_format_section(section)}"
            continue
        yield from (
            f"~ {own} {change}" for change in _field_changes(_section_fields(old[own]), _section_fields(section))
        )
        if own not in resting:
            yield f"~ {own} moved, now {places[own]}"


def _format_section(section: ReportSection) -> str:
    return f"{section.todo_id}: {section.heading}"


def _section_fields(section: ReportSection) -> dict[str, str]:
    return {"heading": section.heading, "note": section.note or "none"}


def _diff_claims(before: Sequence[Claim], after: Sequence[Claim]) -> Iterator[str]:
    gone, come, same = _match_items(before, after, lambda claim: claim.text)
    yield from (f"- {_format_claim(claim)}" for claim in gone)
    yield from (f"+ {_format_claim(claim)}" for claim in come)
    for old, new in same:
        if old.quoted != new.quoted:
            yield f"~ {new.text} (now {'quoted' if new.quoted else 'not quoted'})"
        if old.verdict != new.verdict:
            yield f"~ {new.text} (now {new.verdict})"
        lost, won, _ = _match_items(old.citations, new.citations, _quote_key)
        yield from (f"~ {new.text} (cites no more: “{quote.text}”)" for quote in lost)
        yield from (f"~ {new.text} (cites now: “{quote.text}”)" for quote in won)


def _format_claim(claim: Claim) -> str:
    markers = "".join(f"[{number}]" for number in citation_numbers(claim))
    status = claim_status(claim)
    return f"{claim.text}{f' {markers}' if markers else ''}{f' ({status})' if status else ''}"


def _quote_key(quote: Quote) -> Hashable:
    return quote.source, quote.start, quote.end


def _format_contradictions(report: Report) -> list[str]:
    return [f"{one.subject}: {' against '.join(one.values)}" for one in report.contradictions]


def _diff_lines(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    gone, come, _ = _match_items(before, after, lambda line: line)
    yield from (f"- {line}" for line in gone)
    yield from (f"+ {line}" for line in come)


def _diff_sources(before: Sequence[Source], after: Sequence[Source]) -> Iterator[str]:
    gone, come, _ = _match_items(before, after, lambda source: source.sha256)
    gone, come, again = _match_items(gone, come, lambda source: source.uri)
    yield from (f"- {_format_source(source)}" for source in gone)
    yield from (f"+ {_format_source(source)}" for source in come)
    for old, new in again:
        yield f"~ {_format_source(new)}: another text than sha256 {old.sha256[:12]}"


def _format_source(source: Source) -> str:
    return f"{source.title}, {source.uri}, sha256 {source.sha256[:12]}"


def _match_items(
    before: Sequence[T], after: Sequence[T], key: Callable[[T], Hashable]
) -> tuple[list[T], list[T], list[tuple[T, T]]]:
    """Return what only the one has, what only the other has, and the pairs; equal keys pair in their order."""
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


def _join_lines(lines: Iterable[str]) -> str:
    return "".join(f"{one_line(line)}\n" for line in lines)

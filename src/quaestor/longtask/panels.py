"""The page of a task: its plan, its answer, the files of its workspace, and its rounds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quaestor.contracts.event import Event, FactRecorded
from quaestor.contracts.panels import Panel, PanelItem, PanelRow, PanelTable, Tone
from quaestor.longtask.contracts import Acted, Judged, Phase, PhaseStatus
from quaestor.longtask.reply_evaluation import describe_call
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.workflow import LongTask, LongTaskState
from quaestor.views.escaping import one_line
from quaestor.views.text import count_noun

_TONES: dict[PhaseStatus, Tone] = {"todo": "plain", "in_progress": "warn", "complete": "good"}
_WORKFLOW = LongTask()
_LAST_ROUNDS = 200
_MAX_CHARACTERS = 600
"""Of what a round answered."""


@dataclass(slots=True)
class _Rounds:
    """What came of each of the last rounds: its answer, its call, and the outcome of the call."""

    judged: dict[int, Judged] = field(default_factory=dict[int, Judged])
    acted: dict[int, Acted] = field(default_factory=dict[int, Acted])
    hidden: int = 0
    """Earlier rounds."""

    def take(self, event: Event) -> None:
        match event.payload:
            case FactRecorded(value=Judged() as judged):
                self.judged[judged.round] = judged
                if len(self.judged) > _LAST_ROUNDS:
                    oldest = min(self.judged)
                    del self.judged[oldest]
                    self.acted.pop(oldest, None)
                    self.hidden += 1
            case FactRecorded(value=Acted() as acted):
                self.acted[acted.round] = acted
            case _:
                pass


@dataclass(slots=True)
class TaskPanels:
    """A reader of the panels of a task: its state, and of the last rounds the answer, the call and its outcome."""

    _state: LongTaskState = field(default_factory=LongTaskState)
    _rounds: _Rounds = field(default_factory=_Rounds)

    def take(self, event: Event) -> None:
        """Take the next event of the log."""
        self._state = _WORKFLOW.apply(self._state, event)
        self._rounds.take(event)

    def panels(self) -> Sequence[Panel]:
        """Return the panels of the task, as far as its events go."""
        if not isinstance(self._state.task, PlannedTask):
            return (Panel(heading="Plan", note="There is no plan yet."),)
        return tuple(_planned_panels(self._state.task, self._rounds))


def _planned_panels(task: PlannedTask, rounds: _Rounds) -> Iterator[Panel]:
    if task.answer:
        yield Panel(heading="Last answer", text=task.answer)
    yield Panel(heading="Plan", text=task.plan.goal, items=tuple(map(_phase_item, task.plan.phases)))
    made = sorted(task.workspace.artifacts.values(), key=lambda one: one.path)
    rows = tuple(
        PanelRow(cells=(one_line(one.path), f"{one.version:,}", f"{one.size:,}", one.sha256[:12])) for one in made
    )
    yield Panel(
        heading="Files",
        facts=(("Workspace", task.setup.options.workspace),),
        table=_table(("File", "Version", "Bytes", "SHA-256"), rows, 1, 2),
        note="" if rows else "No file was made yet.",
    )
    yield Panel(
        heading="Rounds",
        table=_table(
            ("Round", "Answer", "Call", "Outcome"),
            tuple(
                _round_row(rounds.judged[each], rounds.acted.get(each)) for each in sorted(rounds.judged, reverse=True)
            ),
            0,
        ),
        note=f"And {count_noun(rounds.hidden, 'earlier round')}, which the log has." if rounds.hidden else "",
    )


def _phase_item(phase: Phase) -> PanelItem:
    return PanelItem(
        text=f"{phase.id}: {phase.title}",
        status=phase.status.replace("_", " "),
        tone=_TONES[phase.status],
        below=tuple((item.text, item.done) for item in phase.checklist),
    )


def _round_row(judged: Judged, acted: Acted | None) -> PanelRow:
    call = describe_call(judged.call) if judged.call else "none"
    outcome, tone = _outcome(judged, acted)
    shown = (f"{judged.round:,}", judged.answer, call, outcome)
    return PanelRow(cells=tuple(_cut(one_line(cell)) for cell in shown), tone=tone)


def _outcome(judged: Judged, acted: Acted | None) -> tuple[str, Tone]:
    if judged.refusal:
        return f"not run: {judged.refusal}", "warn"
    if acted is None:
        return judged.done or "", "plain"
    return acted.did, "bad" if acted.error else "good" if acted.ran else "warn"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"


def _table(heads: tuple[str, ...], rows: tuple[PanelRow, ...], *numbers: int) -> PanelTable | None:
    return PanelTable(heads=heads, rows=rows, numbers=frozenset(numbers)) if rows else None

"""The stream of a response: a fold of the log of its session, so that every event has the same number each time."""

from collections.abc import Iterator, Mapping

from quaestor.app.turns.turn_state import TurnSearch, TurnState, fold_turn
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import replace
from quaestor.faces.server.openai.objects import (
    AnnotationAdded,
    ItemEvent,
    ItemEventType,
    LifecycleEvent,
    LifecycleType,
    OutputItem,
    OutputMessage,
    OutputText,
    PartEvent,
    PartEventType,
    QuoteProof,
    Response,
    ResponseStatus,
    SearchEvent,
    SearchEventType,
    StreamedEvent,
    TextDelta,
    TextDone,
)
from quaestor.faces.server.openai.rendering import ResponseRenderer, turn_state, turn_status

_DELTA_CHARACTERS = 1_000
_ENDS: Mapping[ResponseStatus, LifecycleType] = {
    "completed": "response.completed",
    "failed": "response.failed",
    "incomplete": "response.incomplete",
    "cancelled": "response.cancelled",
}
"""The last event of a stream, by the status of the response."""


class ResponseEncoder:
    """An encoder from the events of a log, from the anchor of a turn on, to those of its response.

    While an event is yielded, `snapshot` is the response as one knows it who has seen all events before that one.
    """

    def __init__(self, renderer: ResponseRenderer, turn: TurnState) -> None:
        self.turn = turn
        self._shown = turn
        """The turn as the last event about the response as a whole showed it."""
        self._renderer = renderer
        self._output: list[OutputItem] = []
        self._places: dict[str, int] = {}
        self._number = -1

    def encode(self, event: Event) -> Iterator[StreamedEvent]:
        """Return the events of the response that the next event of the log leads to."""
        before, after = self.turn, fold_turn(self.turn, event)
        self.turn = after
        if after.begun_at is None:
            return
        is_begun = before.begun_at is not None
        if not is_begun:
            yield from self._lifecycle("response.created", after)
            yield from self._lifecycle("response.queued", after)
        elif turn_state(before) != turn_state(after) and not after.end:
            yield from self._lifecycle("response.in_progress", after)
        for key, search in after.searches.items():
            if not is_begun or before.searches.get(key) != search:
                yield from self._search(key, search)
        if after.end and not before.end:
            for item in self._renderer.closing_items(after):
                yield from self._message(item) if isinstance(item, OutputMessage) else self._proof(item)
            yield from self._lifecycle(_ENDS[turn_status(after)], after)

    def snapshot(self) -> Response:
        """Return the response with the items that were sent."""
        return self._renderer.response(self._shown, self._output)

    def created_again(self, number: int) -> LifecycleEvent:
        """Return the event with which a stream begins that goes on behind an event, under the number of that one."""
        return LifecycleEvent(type="response.created", sequence_number=number, response=self.snapshot())

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _lifecycle(self, kind: LifecycleType, turn: TurnState) -> Iterator[StreamedEvent]:
        response = self._renderer.response(turn, self._output)
        yield LifecycleEvent(type=kind, sequence_number=self._next(), response=response)
        self._shown = turn

    def _search(self, key: str, search: TurnSearch) -> Iterator[StreamedEvent]:
        if key not in self._places:
            item = self._renderer.search_item(replace(search, status="in_progress", urls=()))
            self._places[key] = place = len(self._output)
            yield from self._item("response.output_item.added", place, item)
            yield self._search_event("response.web_search_call.in_progress", place, item.id)
            yield self._search_event("response.web_search_call.searching", place, item.id)
        if search.status != "in_progress":
            place, item = self._places[key], self._renderer.search_item(search)
            if search.status == "completed":
                yield self._search_event("response.web_search_call.completed", place, item.id)
            yield from self._item("response.output_item.done", place, item)

    def _search_event(self, kind: SearchEventType, place: int, item_id: str) -> SearchEvent:
        return SearchEvent(type=kind, sequence_number=self._next(), output_index=place, item_id=item_id)

    def _message(self, message: OutputMessage) -> Iterator[StreamedEvent]:
        place, written, [whole] = len(self._output), OutputText(text=""), message.content
        yield from self._item("response.output_item.added", place, message.revised(status="in_progress", content=()))
        yield self._part("response.content_part.added", place, message.id, written)
        for start in range(0, len(whole.text), _DELTA_CHARACTERS):
            self._output[place] = message.revised(status="in_progress", content=(written,))
            delta = whole.text[start : start + _DELTA_CHARACTERS]
            yield TextDelta(sequence_number=self._next(), output_index=place, item_id=message.id, delta=delta)
            written = OutputText(text=whole.text[: start + _DELTA_CHARACTERS])
        self._output[place] = message.revised(status="in_progress", content=(whole,))
        for index, annotation in enumerate(whole.annotations):
            yield AnnotationAdded(
                sequence_number=self._next(),
                output_index=place,
                item_id=message.id,
                annotation_index=index,
                annotation=annotation,
            )
        yield TextDone(sequence_number=self._next(), output_index=place, item_id=message.id, text=whole.text)
        yield self._part("response.content_part.done", place, message.id, whole)
        yield from self._item("response.output_item.done", place, message)

    def _part(self, kind: PartEventType, place: int, item_id: str, part: OutputText) -> PartEvent:
        return PartEvent(type=kind, sequence_number=self._next(), output_index=place, item_id=item_id, part=part)

    def _proof(self, proof: QuoteProof) -> Iterator[StreamedEvent]:
        place = len(self._output)
        yield from self._item("response.output_item.added", place, proof)
        yield from self._item("response.output_item.done", place, proof)

    def _item(self, kind: ItemEventType, place: int, item: OutputItem) -> Iterator[StreamedEvent]:
        yield ItemEvent(type=kind, sequence_number=self._next(), output_index=place, item=item)
        self._output[place:] = [item, *self._output[place + 1 :]]

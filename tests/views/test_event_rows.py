from quaestor.contracts.event import ErrorRecorded, StateEntered
from quaestor.contracts.progress import EventDescription
from quaestor.views.event_description import describe_event
from quaestor.views.event_rows import event_row
from storage.samples import event


def test_a_row_has_where_and_what_and_how_much_it_matters() -> None:
    row = event_row(event(3, ErrorRecorded(message="the disk\nis \u202efull")), describe_event)
    assert (row.seq, row.state, row.type, row.todo_id, row.importance) == (3, "EXECUTING", "error", None, "problem")
    assert row.text == "error: the disk is \ufffdfull"


def test_a_long_description_is_cut() -> None:
    payload = StateEntered(scope="session", previous=None)
    row = event_row(event(1, payload), lambda _: EventDescription(text="word " * 100_000))
    assert (len(row.text) <= 240, row.text.endswith("…")) == (True, True)

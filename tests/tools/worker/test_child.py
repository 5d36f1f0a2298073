import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.worker.child import FrameTooLarge, read_frame, write_frames


@given(st.lists(st.binary()))
def test_messages_come_as_they_were_sent(messages: list[bytes]) -> None:
    pipe = io.BytesIO()
    write_frames(pipe, *messages)
    pipe.seek(0)
    assert [read_frame(pipe, 1_000) for _ in messages] == messages
    assert read_frame(pipe, 1_000) is None


@pytest.mark.parametrize("cut", [0, 3, 8, 10])
def test_a_pipe_that_ends_early_gives_nothing(cut: int) -> None:
    pipe = io.BytesIO()
    write_frames(pipe, b"words")
    assert read_frame(io.BytesIO(pipe.getvalue()[:cut]), 1_000) is None


def test_more_than_is_taken_is_refused_before_it_is_read() -> None:
    pipe = io.BytesIO()
    write_frames(pipe, b"words")
    pipe.seek(0)
    with pytest.raises(FrameTooLarge, match="5 bytes where 4 are accepted"):
        read_frame(pipe, 4)

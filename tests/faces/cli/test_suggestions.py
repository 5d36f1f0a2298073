"""What is answered to a slip: the name that was probably wanted, wherever a name is typed."""

import pytest

from faces.cli.conftest import Ended, Quaestor


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reserch x", '"research"'),
        ("research x --efort low", "--effort"),
        ("ps --status runing", '"running"'),
        ("settings set efort high", "'effort'"),
        ("settings get efort", "'effort'"),
        ("agents show reasercher", "'researcher'"),
        ("docs longtsak", "longtask"),
        ("graph reserch", "'research'"),
        ("models olama", "'ollama'"),
        ("research x --model olama:x --docs .", "'ollama'"),
        ("research x --web wikpedia", "'wikipedia'"),
        ("task x --allow shel", "'shell'"),
        ("completion bsh", '"bash"'),
        ("show lsat", "'last'"),
    ],
)
def test_a_slip_is_answered_with_the_name_that_was_probably_wanted(quaestor: Quaestor, typed: str, meant: str) -> None:
    ended = quaestor(*typed.split())
    assert (ended.code, ended.out) == (2, "")
    assert meant in ended.err
    assert len(ended.err.splitlines()) == 1


def test_so_is_one_in_what_belongs_to_a_session(quaestor: Quaestor, finished: Ended) -> None:
    last = finished.session[-1]
    slip = f"{finished.session[:-1]}{'0' if last != '0' else '1'}"
    assert f"did you mean '{finished.session}'?" in quaestor("show", slip).err
    assert "did you mean 'todo_recorded'?" in quaestor("events", "last", "--type", "todo_recordd").err
    assert "did you mean 'SEARCHING'?" in quaestor("events", "last", "--state", "SEARCHNG").err
    assert "did you mean 'docx'?" in quaestor("export", "last", "--format", "dcx", "--out", "x").err


@pytest.mark.parametrize("command", ["verify", "import", "restore"])
def test_a_file_that_is_not_there_is_no_session(quaestor: Quaestor, command: str) -> None:
    ended = quaestor(command, "nothing.zip")
    assert (ended.code, ended.out) == (2, "")
    assert "there is no file" in ended.err
    assert "nothing.zip" in ended.err
    assert "there is no session" not in ended.err

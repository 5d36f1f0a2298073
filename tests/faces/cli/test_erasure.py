from pathlib import Path

import pytest

from faces.cli.conftest import Ended, Quaestor


def test_a_session_is_erased_and_its_tombstone_shown(quaestor: Quaestor, finished: Ended) -> None:
    ended = quaestor("rm", finished.session, "--yes")
    assert ended.code == 0, ended.err
    assert f"erased {finished.session}" in ended.err
    shown = quaestor("verify", finished.session)
    assert shown.code == 0
    assert "was erased on 20" in shown.out
    assert "head " in shown.out
    assert quaestor("ps").out == ""
    again = quaestor("show", finished.session)
    assert again.code == 2
    assert "was erased on" in again.err


def test_nothing_is_erased_where_nobody_can_be_asked(quaestor: Quaestor, finished: Ended) -> None:
    for command in (("rm", finished.session), ("prune", "--older", "0h")):
        ended = quaestor(*command)
        assert ended.code == 2
        assert "--yes" in ended.err
        assert finished.session in ended.out
    assert finished.session in quaestor("ps").out


@pytest.mark.usefixtures("finished")
def test_what_has_long_been_idle_is_erased(quaestor: Quaestor) -> None:
    ended = quaestor("prune", "--older", "30d", "--yes")
    assert (ended.code, ended.err) == (0, "no session has been idle for 30d\n")
    assert quaestor("prune", "--older", "0h", "--yes").code == 0
    assert quaestor("ps").out == ""


def test_an_age_that_is_none_is_refused(quaestor: Quaestor, home: Path) -> None:
    for age in ("30", "d", "-1d", "1 month"):
        assert quaestor("prune", f"--older={age}").code == 2
    assert home.exists()


def test_a_home_is_backed_up_and_restored(quaestor: Quaestor, finished: Ended, tmp_path: Path) -> None:
    file, other = tmp_path / "b.tar", tmp_path / "other"
    assert "holds 1 session, 1 file" in quaestor("backup", file).err
    assert quaestor("restore", file).code == 2
    assert quaestor("restore", file, "--home", other).err == "restored 1 session\n"
    assert quaestor("verify", finished.session, "--home", other).code == 0

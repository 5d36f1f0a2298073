import os
import subprocess
import sys

from quaestor.machine import SystemClock, SystemIds, alive, this_process


def test_this_process_is_alive_and_a_later_one_with_its_number_is_not_it() -> None:
    me = this_process()
    assert me.pid == os.getpid()
    assert alive(me) is True
    assert alive(me.model_copy(update={"started": "1"})) is False


def test_an_ended_process_is_dead_even_before_it_is_waited_for() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    code = f"from quaestor.machine import _started; print(_started({child.pid}))"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    owner = this_process().model_copy(update={"pid": child.pid, "started": started})
    assert alive(owner) is True
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert alive(owner) is False
    child.communicate()
    assert alive(owner) is False


def test_another_machine_cannot_be_judged_from_here() -> None:
    assert alive(this_process().model_copy(update={"host": "elsewhere.example"})) is None


def test_ids_differ_and_sort_by_time() -> None:
    ids = SystemIds()
    first, second = ids.session(), ids.session()
    assert first != second
    assert first[:15] <= second[:15]
    assert SystemClock().now().utcoffset() is not None

import os
import subprocess
import sys

from quaestor.runtime.system import SystemClock, SystemIdGenerator, current_process, is_alive


def test_this_process_is_alive_and_a_later_one_with_its_number_is_not_it() -> None:
    me = current_process()
    assert me.pid == os.getpid()
    assert is_alive(me) is True
    assert is_alive(me.model_copy(update={"started": "1"})) is False


def test_an_ended_process_is_dead_even_before_it_is_waited_for() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    code = f"from quaestor.runtime.system import _process_start; print(_process_start({child.pid}))"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    owner = current_process().model_copy(update={"pid": child.pid, "started": started})
    assert is_alive(owner) is True
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert is_alive(owner) is False
    child.communicate()
    assert is_alive(owner) is False


def test_another_machine_cannot_be_judged_from_here() -> None:
    assert is_alive(current_process().model_copy(update={"host": "elsewhere.example"})) is None


def test_ids_differ_and_sort_by_time() -> None:
    ids = SystemIdGenerator()
    first, second = ids.session(), ids.session()
    assert first != second
    assert first[:15] <= second[:15]
    assert SystemClock().now().utcoffset() is not None

import subprocess
import sys

import quaestor


def test_the_public_face_is_small_sorted_and_real() -> None:
    assert sorted(quaestor.__all__) == quaestor.__all__
    assert len(quaestor.__all__) <= 15
    assert all(getattr(quaestor, name) for name in quaestor.__all__)


def test_what_is_not_there_is_said() -> None:
    assert not hasattr(quaestor, "nothing_of_this_name")


def test_importing_it_imports_nothing_heavy() -> None:
    code = "import sys, quaestor; print(sorted({'pydantic', 'apsw', 'rich', 'cyclopts'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

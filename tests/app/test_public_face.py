import subprocess
import sys

import quaestor
from quaestor.contracts.setting_options import SettingOptions
from quaestor.contracts.settings import Settings


def test_the_public_face_is_small_sorted_and_real() -> None:
    assert sorted(quaestor.__all__) == quaestor.__all__
    assert len(quaestor.__all__) <= 17
    assert all(getattr(quaestor, name) for name in quaestor.__all__)


def test_the_public_names_are_listed_before_they_are_imported() -> None:
    code = "import quaestor; print(sorted(dir(quaestor)) == sorted(quaestor.__all__))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


def test_every_setting_is_a_typed_option_and_no_other() -> None:
    assert SettingOptions.__annotations__.keys() == Settings.model_fields.keys()
    assert SettingOptions.__total__ is False


def test_what_is_not_there_is_said() -> None:
    assert not hasattr(quaestor, "nothing_of_this_name")


def test_importing_it_imports_nothing_heavy() -> None:
    code = "import sys, quaestor; print(sorted({'pydantic', 'apsw', 'rich', 'cyclopts'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_every_command_imports_of_research_takes_no_text_apart() -> None:
    mine = "quaestor.research.contracts.roles, quaestor.research.reports.fixed_words, quaestor.research.tools.contexts"
    heavy = "{'Stemmer', 'quaestor.evidence.tokenization', 'quaestor.research.offline'}"
    code = f"import sys, {mine}; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"

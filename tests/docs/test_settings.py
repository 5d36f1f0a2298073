from pathlib import Path

from quaestor.settings import PREFIX, Settings

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


def test_every_setting_is_documented_with_its_name_in_the_environment_and_its_default() -> None:
    rows = {
        name: f"| `{name}` | `{PREFIX}{name.upper()}` | {'none' if field.default is None else field.default} "
        f"| {field.description} |"
        for name, field in Settings.model_fields.items()
    }
    assert [name for name, row in rows.items() if row not in PAGE] == []


def test_no_setting_is_documented_that_does_not_exist() -> None:
    documented = {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `") and PREFIX in line}
    assert documented - Settings.model_fields.keys() - {f"{PREFIX}HOME", f"{PREFIX}DEBUG"} == set()

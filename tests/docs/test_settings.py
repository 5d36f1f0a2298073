"""docs/settings.md names every setting and every provider, and what it shows as an example can be set."""

import re
import shlex
from decimal import Decimal
from pathlib import Path

import pytest

from quaestor.contracts.cost import Price
from quaestor.contracts.settings import Settings
from quaestor.models.providers import KNOWN_PROVIDERS, resolve_base_url
from quaestor.runtime.resources import open_catalogue
from quaestor.runtime.settings import ENV_PREFIX, RESERVED_VARIABLES, resolve_settings, user_settings_file

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "settings.md").read_text(encoding="utf-8")
FILES = [
    (page.name, block)
    for page in sorted(DOCS.glob("*.md"))
    for block in re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    if page.name not in {"workflows.md", "trading.md"}  # where TOML is a pyproject.toml, or a mandate
    and not block.startswith("[project.")
]
VARIABLES = dict(
    assignment.split("=", 1)
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for assignment in shlex.split(block)
    if "=" in assignment
)


def default(value: object) -> str:
    """Return a default as the page writes it."""
    match value:
        case None | () | {}:
            return "none"
        case bool():
            return "on" if value else "off"
        case _:
            return str(value)


def test_every_setting_is_documented_with_its_name_in_the_environment_and_its_default() -> None:
    rows = {
        name: f"| `{name}` | `{ENV_PREFIX}{name.upper()}` | {default(field.default)} | {field.description} |"
        for name, field in Settings.model_fields.items()
    }
    assert [row for row in rows.values() if row not in PAGE] == []


def test_no_setting_is_documented_that_does_not_exist() -> None:
    documented = {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `") and ENV_PREFIX in line}
    assert documented - Settings.model_fields.keys() - RESERVED_VARIABLES == set()


@pytest.mark.parametrize(("page", "block"), FILES)
def test_a_file_that_is_shown_can_be_used(page: str, block: str, tmp_path: Path) -> None:
    file = tmp_path / "quaestor.toml"
    file.write_text(block, encoding="utf-8")
    assert resolve_settings({}, {}, file) != Settings(), page


def test_the_nested_tables_reach_models_providers_and_prices(tmp_path: Path) -> None:
    file = tmp_path / "quaestor.toml"
    file.write_text(next(block for page, block in FILES if page == "settings.md" and "[prices" in block))
    settings = resolve_settings({}, {}, file)
    catalogue = open_catalogue(settings, {"OPENAI_API_KEY": "k"})
    for name in (settings.model, *settings.models.values(), *settings.fallback):
        assert catalogue.resolve_name(name) == name
    assert settings.prices["openai:gpt-5-mini"] == Price(
        input=Decimal("0.25"), output=Decimal(2), cached_input=Decimal("0.025")
    )
    assert settings.providers["ollama"].in_flight == 1


def test_what_the_environment_is_shown_to_hold_can_be_set() -> None:
    settings = resolve_settings({}, VARIABLES)
    assert settings.models == {"planner": "openai:gpt-5", "reader": "ollama:qwen3"}
    assert settings.fallback == ("ollama:qwen3",)
    assert settings.prices["lab:small"].output == Decimal(0)
    assert settings.cache


def test_every_known_provider_is_named_with_its_key_and_its_address() -> None:
    rows = {line.split("`")[1]: line for line in PAGE.splitlines() if re.match(r"\| `[a-z-]+` \| .*_BASE_URL", line)}
    assert list(rows) == list(KNOWN_PROVIDERS)
    for name, provider in KNOWN_PROVIDERS.items():
        assert (provider.key_env or "none") in rows[name]
        assert (provider.base_url or "extra `llm`") in rows[name]
        [variable] = re.findall(r"`(\w+_BASE_URL)`", rows[name])
        assert resolve_base_url(name, provider, {variable: "http://x"}) == "http://x"


def test_the_place_of_the_users_own_file_is_named() -> None:
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        assert variable in PAGE
        assert user_settings_file({variable: "/x"}) == Path("/x/quaestor/quaestor.toml")

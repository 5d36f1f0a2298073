"""The commands that show and change settings, and list the models that can be used now."""

from collections.abc import Iterator
from typing import Annotated, Literal, assert_never

from cyclopts import Parameter

from quaestor.app.doctor.model_offers import ModelOffer, find_models
from quaestor.app.settings.configuration import (
    DEFAULT_SOURCE,
    EffectiveSetting,
    changed_settings,
    configuration_files,
    effective_settings,
    parse_change,
    write_settings,
)
from quaestor.app.text import count_noun, replace_hidden, truncate_line
from quaestor.contracts.errors import UsageError
from quaestor.contracts.suggestion import suggest
from quaestor.contracts.terminal import JsonLines
from quaestor.faces.cli.output import write_json, write_stderr, write_stdout, write_table

_WIDEST_VALUE = 44
_LISTED_MODELS = 5


async def settings(
    action: Annotated[
        Literal["show", "get", "set", "path"], Parameter(name="ACTION", help="show, get, set or path.")
    ] = "show",
    name: Annotated[str | None, Parameter(name="NAME", help="A setting, as effort or providers.lab.output.")] = None,
    value: Annotated[str | None, Parameter(name="VALUE", help="Its new value, as TOML or as a text.")] = None,
    /,
    *,
    all_settings: Annotated[
        bool, Parameter(name="--all", negative="", show_default=False, help="Show those at their default, too.")
    ] = False,
    json: JsonLines = False,
) -> int:
    """Show the settings that apply in this folder and where they come from, or change your own.

    What may be secret is hidden. `set` writes your own file, whose other lines and comments stay as they are.
    """
    if json and action != "show":
        raise UsageError(f"--json is for `quaestor settings show`; leave it out of settings {action}")
    match action:
        case "show":
            _show_settings(all_settings=all_settings or name is not None, name=name, json=json)
        case "get":
            write_stdout(f"{replace_hidden(_find(_required(name, 'get')).value)}\n")
        case "set":
            change = parse_change(_required(name, "set"), _required(value, "set NAME"))
            file = write_settings(changed_settings([change]))
            write_stderr(f"{name} is set in {file}")
        case "path":
            files = configuration_files()
            write_table([("FILE", "WHAT", ""), *((str(f.path), f.purpose, _presence(f.path.exists())) for f in files)])
        case never:
            assert_never(never)
    return 0


def _show_settings(*, all_settings: bool, name: str | None, json: bool) -> None:
    known = [_find(name)] if name else [*effective_settings()]
    shown = [setting for setting in known if all_settings or setting.source != DEFAULT_SOURCE]
    if json:
        for one in shown:
            write_json(one)
        return
    rows = [(one.name, truncate_line(one.value, _WIDEST_VALUE), one.source, one.description) for one in shown]
    write_table([("SETTING", "VALUE", "FROM", "MEANING"), *rows])
    if rest := len(known) - len(shown):
        write_stderr(f"{count_noun(rest, 'setting')} at the default; `quaestor settings --all` shows them")


def _find(name: str) -> EffectiveSetting:
    known = {setting.name: setting for setting in effective_settings()}
    if name not in known:
        raise UsageError(f"no setting is called {name!r}; {suggest(name, known)}`quaestor settings --all` lists them")
    return known[name]


def _required(argument: str | None, action: str) -> str:
    if argument is None:
        raise UsageError(f"settings {action}: an argument is missing; `quaestor settings --help` shows them")
    return argument


def _presence(exists: bool) -> str:
    return "" if exists else "(none)"


async def models(
    provider: Annotated[str | None, Parameter(name="PROVIDER", help="List every model of this provider.")] = None,
    /,
    *,
    json: JsonLines = False,
) -> int:
    """List the models that can be used now: servers on this machine, and providers whose key is there.

    Each is asked for its list. A provider with an API of its own is not asked.
    """
    offers = await find_models(provider)
    if json:
        for offer in offers:
            write_json(offer)
        return 0
    write_stdout("offline  no model: passages and quotes alone, no key, no network\n")
    for offer in offers:
        for line in _lines(offer, whole=provider is not None):
            write_stdout(f"{replace_hidden(line)}\n")
    return 0


def _lines(offer: ModelOffer, *, whole: bool) -> Iterator[str]:
    match offer.state:
        case "listed":
            yield f"{offer.provider}  {count_noun(len(offer.models), 'model')} ({offer.access})"
            shown = offer.models if whole else offer.models[:_LISTED_MODELS]
            yield from (f"  {offer.provider}:{name}" for name in shown)
            if rest := len(offer.models) - len(shown):
                yield f"  and {rest:,} more: quaestor models {offer.provider}"
        case "unlisted":
            yield f"{offer.provider}  any model by its name ({offer.access})"
        case "refused":
            yield f"{offer.provider}  {offer.reason} ({offer.access})"
        case "absent" if not offer.local or whole:
            yield f"{offer.provider}  no answer: {offer.reason} ({offer.access})"
        case "absent":  # most machines have none of these servers
            pass

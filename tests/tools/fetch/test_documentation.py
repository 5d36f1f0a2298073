from pathlib import Path

from quaestor.tools.fetch.allowance import VARIABLE, read_allowance
from quaestor.tools.fetch.guard import OWN_NAMES, PORTS
from quaestor.tools.fetch.manners import Manners

PAGE = " ".join((Path(__file__).parents[3] / "docs" / "fetching.md").read_text(encoding="utf-8").split())


def test_every_port_and_every_name_is_documented() -> None:
    *most, last = sorted(PORTS)
    assert f"{', '.join(map(str, most))} and {last}." in PAGE
    assert not [name for name in OWN_NAMES if f"`{name}`" not in PAGE]


def test_every_limit_is_documented() -> None:
    manners = Manners()
    assert f"robots.txt, redirects and retries | {manners.seconds} s |" in PAGE
    assert f"its turn at a host | {manners.waiting_seconds} s |" in PAGE
    assert f"packed or unpacked | {manners.most_bytes:,} bytes |" in PAGE
    assert f"| redirects | {manners.redirects} |" in PAGE
    assert f"the server is busy | {manners.retries} |" in PAGE
    assert f"a longer pause, {manners.most_pause_seconds} seconds at most" in PAGE


def test_the_allowance_that_is_shown_can_be_read() -> None:
    shown = PAGE.split(f'{VARIABLE}="')[1].split('"')[0]
    assert len(read_allowance(shown).hosts) == 3

from pathlib import Path

from quaestor.tools.fetch.guard import ALLOWED_PORTS, ALLOWLIST_VARIABLE, NON_PUBLIC_NAMES, parse_allowlist
from quaestor.tools.fetch.politeness import FetchPolicy

PAGE = " ".join((Path(__file__).parents[3] / "docs" / "fetching.md").read_text(encoding="utf-8").split())


def test_every_port_and_every_name_is_documented() -> None:
    *most, last = sorted(ALLOWED_PORTS)
    assert f"{', '.join(map(str, most))} and {last}." in PAGE
    assert not [name for name in NON_PUBLIC_NAMES if f"`{name}`" not in PAGE]


def test_every_limit_is_documented() -> None:
    policy = FetchPolicy()
    assert f"robots.txt, redirects and retries | {policy.timeout_seconds} s |" in PAGE
    assert f"its turn at a host | {policy.max_wait_seconds} s |" in PAGE
    assert f"packed or unpacked | {policy.max_bytes:,} bytes |" in PAGE
    assert f"| redirects | {policy.max_redirects} |" in PAGE
    assert f"the server is busy | {policy.max_retries} |" in PAGE
    assert f"a longer pause, {policy.max_pause_seconds} seconds at most" in PAGE


def test_the_allowance_that_is_shown_can_be_read() -> None:
    shown = PAGE.split(f'{ALLOWLIST_VARIABLE}="')[1].split('"')[0]
    assert len(parse_allowlist(shown).hosts) == 3

import os
import subprocess
import sys
from pathlib import Path

from fakes.needed import lacking
from fakes.site import PUBLIC

TESTS = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("island.py")
NAMESPACE = ("unshare", "--map-root-user", "--net")


def can_have_an_island() -> bool:
    try:
        tried = subprocess.run([*NAMESPACE, "ip", "link", "set", "lo", "up"], capture_output=True, check=False)
    except OSError:
        return False
    return tried.returncode == 0


def test_with_real_sockets_too_only_public_addresses_are_connected_to() -> None:
    if not can_have_an_island():
        lacking("a namespace", "needs one of the network of its own, and the program ip")
    ended = subprocess.run(
        [*NAMESPACE, sys.executable, str(PROGRAM)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == [
        "http://public.example/page",
        "http://six.example:8080/page",
        "2606:2800:220:1::1",
        PUBLIC,
    ]

"""A program for a network namespace of its own: URLs and redirects that lead to private addresses, with real sockets.

Public and private addresses alike live on its loopback device, with one server on all of them. It prints what was
fetched, and then every address that was connected to, one a line.
"""

import asyncio
import subprocess
from collections import defaultdict
from contextlib import suppress

from fakes.site import PUBLIC, Names, Serve, Site, leading_to, page
from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.guard import Allowlist
from quaestor.tools.fetch.page_fetcher import PageFetcher
from quaestor.tools.fetch.politeness import FetchPolicy
from tools.fetch.attacks import ATTACKS

PUBLIC_6 = "2606:2800:220:1::1"
PRIVATE = ("10.0.0.1", "100.64.0.1", "169.254.169.254", "168.63.129.16", "192.168.0.1", "172.17.0.1")
PRIVATE_6 = ("fd00:ec2::254", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2a00::5efe:7f00:1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 -- in a namespace of its own


def settle() -> None:
    """Bring up the device and give it all addresses."""
    addresses = [f"{each}/32" for each in (PUBLIC, *PRIVATE)] + [f"{each}/128" for each in (PUBLIC_6, *PRIVATE_6)]
    for arguments in ("link set lo up", *(f"addr add {address} dev lo" for address in addresses)):
        subprocess.run(["ip", *arguments.split()], check=True)


async def main() -> None:
    locations = [url for url in ATTACKS if url.isascii() and url.isprintable()]
    serves: dict[str, Serve] = {f"/{place}": leading_to(location) for place, location in enumerate(locations)}
    serves |= {"/page": page("words"), "/moved": leading_to("/page")}
    private = dict(enumerate((*PRIVATE, *PRIVATE_6)))
    answers = {"public.example": [[PUBLIC]], "six.example": [[PUBLIC_6]]}
    answers |= {f"rebinding{place}.example": [[PUBLIC], [address]] for place, address in private.items()}
    answers |= {f"mixed{place}.example": [[PUBLIC, address]] for place, address in private.items()}
    web = PageFetcher(Allowlist(), FetchPolicy(pause_seconds=0, obey_robots=False), Names(answers, other="127.0.0.1"))
    tries = [*ATTACKS, *(f"http://public.example/{place}" for place in range(len(locations)))]
    tries += [f"http://{kind}{place}.example/moved" for kind in ("rebinding", "mixed") for place in private]
    fetched: dict[str, int] = defaultdict(int)
    doors = [Site(serves, host, port) for host in EVERYWHERE for port in (80, 8080)]
    async with doors[0], doors[1], doors[2], doors[3]:
        for url in [*tries, "http://public.example/page", "http://six.example:8080/page"]:
            with suppress(ToolFailed):
                fetched[(await web.get(url)).url] += 1
    for line in (*fetched, *sorted({asked.reached for door in doors for asked in door.asked})):
        print(line)  # noqa: T201 -- a program speaks so


settle()
asyncio.run(main())

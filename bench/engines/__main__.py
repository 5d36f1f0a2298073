"""Engines that could wake workers, under the same load and the same failures: one table.

Run `python bench/engines [--only NAME ...]`. Candidates are the workers of this program, PgQueuer and Procrastinate;
the packages of the last two are not among those of development: `pip install pgqueuer procrastinate` first. The server
is one of the tests, with fsync off; workers are processes of this machine, each with the lease of a machine of its own.
"""

import argparse
import asyncio
import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from bench.engines.candidates import CANDIDATES
from bench.engines.cells import CELLS
from bench.engines.footprint import footprint
from bench.engines.machines import site
from bench.engines.sessions import Carrying
from bench.evidence.table import lined

from fakes.postgres import _server
from quaestor.storage.postgres import open_store


def measure(names: list[str]) -> None:
    """Print the table of the named candidates."""
    server = _server()
    if isinstance(server, str):
        raise SystemExit(server)
    rows = [["", *names]]
    for number, (title, cell) in enumerate(CELLS.items()):
        rows.append([title])
        for name in names:
            with site(server, name, number) as place:
                rows[-1].append(cell(place))
            print(f"{name}: {title}: {rows[-1][-1]}", file=sys.stderr)
    rows.append(["brings", *(footprint(CANDIDATES[name].packages) for name in names)])
    print(lined(rows))


async def carry(*given: str) -> None:
    """Be a worker of a candidate until the process is killed."""
    name, url, begins, seconds, machine, places = given
    logging.disable()  # of engines, which print every connection that is lost
    named = f"{url}&application_name={machine}"
    carrying = Carrying(open_store(named), Path(begins), float(seconds), machine)
    await CANDIDATES[name].work(named, carrying, int(places))


def main() -> None:
    if sys.argv[1:2] == ["--carry"]:
        asyncio.run(carry(*sys.argv[2:]))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=CANDIDATES, default=list(CANDIDATES), metavar="NAME")
    measure(parser.parse_args().only)


if __name__ == "__main__":
    main()

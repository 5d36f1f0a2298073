"""How well the search finds what answers, in one table: every figure by the product's own index and search tool.

Run `python bench/evidence [DATA] [--only NAME ...] [--ablation]`. DATA is the folder with the data sets, one folder
each; without it the environment variable QUAESTOR_BENCH_DATA names it. With --ablation the figures are measured again
with each choice of the search left out. A module of this package that has `rows(data)` is a data set.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.evidence import clapnq, excerpts, hotpotqa, mrag, musique, own_questions, peps, scifact, speed, wikiqa, xquad
from bench.evidence.ablation import ablation
from bench.evidence.table import Row, table

DATA_ENV = "QUAESTOR_BENCH_DATA"

SETS: Mapping[str, Callable[[Path], Awaitable[list[Row]]]] = {
    "hotpotqa": hotpotqa.rows,
    "musique": musique.rows,
    "mrag": mrag.rows,
    "scifact": scifact.rows,
    "xquad": xquad.rows,
    "excerpts": excerpts.rows,
    "clapnq": clapnq.rows,
    "peps": peps.rows,
    "wikiqa": wikiqa.rows,
    "own": own_questions.rows,
    "speed": speed.rows,
}


async def measure(data: Path, names: list[str], *, vary: bool) -> int:
    """Print the table of the named data sets; 1 when a figure misses its bound."""
    if vary:
        print(await ablation(data, {name: SETS[name] for name in names}))
        return 0
    rows = [row for name in names for row in await SETS[name](data)]
    print(table(rows))
    return int(not all(row.holds for row in rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.pop(DATA_ENV, None), help=f"or {DATA_ENV}")
    parser.add_argument("--only", nargs="+", choices=SETS, default=list(SETS), metavar="NAME", help=", ".join(SETS))
    parser.add_argument("--ablation", action="store_true", help="leave out one choice of the search at a time")
    given = parser.parse_args()
    if given.data is None or not Path(given.data).is_dir():
        parser.error(f"name the folder of the data sets, or set {DATA_ENV} to it")
    return asyncio.run(measure(Path(given.data), given.only, vary=given.ablation))


if __name__ == "__main__":
    sys.exit(main())

"""How far one Postgres carries a fleet: a simulation by discrete events of 1, 10 and 100 machines.

    python bench/scale.py

The constants are measured by `bench/actions.py`, but for those that are assumed, which are named so. A place of a
worker carries one session after the other. An action waits for its model, then for the one core of its process, then
for a core of the shard of Postgres that its session is in, and for the round trips between. A process asks for work
once a second, and prolongs the leases of its sessions, each at the price of a claim. Sessions that wait for a person
are in no queue.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import product
from math import log
from statistics import fmean, quantiles

WORKER_CPU, SERVER_CPU, ROUND_TRIPS, CLAIM_CPU = 0.0094, 0.0026, 12, 0.0002
"""Measured: seconds of CPU of an action, in its process and in Postgres; its round trips; seconds of a claim."""
ACTIONS = 18
"""Measured: of a session without a model; one with a model has as many or more."""
MODEL_SECONDS, SPREAD, NETWORK_SECONDS = 6.0, 0.8, 0.0005
"""Assumed: the median time of a model call, the spread of its logarithm, and a round trip in a data centre."""
MACHINE_CORES, SERVER_CORES, LEASE_RENEWAL = 8, 16, 5.0
"""Assumed: processes and cores of a machine; cores of each Postgres; seconds between two renewals of a lease."""
SESSIONS, SIMULATED_ACTIONS, WARM_UP = 1_000_000, 150_000, 0.3
CONNECTIONS_OF_PROCESS, MOST_CONNECTIONS = 6, 1_000
"""Connections of a process; and assumed: what one Postgres serves well."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """Machines with so many places in each process, on so many Postgres servers."""

    machines: int
    places: int
    shards: int

    @property
    def processes(self) -> int:
        return self.machines * MACHINE_CORES

    @property
    def connections(self) -> int:
        """Connections to each shard, where each process is a worker of one."""
        return self.processes * CONNECTIONS_OF_PROCESS // self.shards


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a fleet came to: actions a second, shares of cores that were busy, seconds that an action waited."""

    rate: float
    worker_load: float
    server_load: float
    waits: tuple[float, float]
    """The mean and the 95th percentile."""


class Cores:
    """Cores that serve in the order of arrival."""

    def __init__(self, count: int, share: float = 1.0) -> None:
        self._free = [0.0] * count
        self._share = share
        """What is left of each core beside other work."""
        self.busy = 0.0

    def serve(self, at: float, seconds: float) -> float:
        """Return when work that arrives now is done; arrivals come in order of time."""
        done = max(at, self._free[0]) + seconds / self._share
        heapreplace(self._free, done)
        self.busy += seconds
        return done


def simulate(fleet: Fleet, chance: random.Random) -> Outcome:
    """Return what a fleet does in a steady state, in which sessions always wait for a place."""
    beside = fleet.processes * CLAIM_CPU * (1 + fleet.places / LEASE_RENEWAL) / fleet.shards / SERVER_CORES
    if beside >= 1:
        return Outcome(0.0, 0.0, 1.0, (float("inf"), float("inf")))
    processes = [Cores(1) for _ in range(fleet.processes)]
    shards = [Cores(SERVER_CORES, 1 - beside) for _ in range(fleet.shards)]
    left = [chance.randint(1, ACTIONS) for _ in range(fleet.processes * fleet.places)]
    arrivals = [(chance.uniform(0, MODEL_SECONDS), place, False) for place in range(len(left))]
    heapify(arrivals)
    counted, began, ended, asked, waits = 0, 0.0, 0.0, dict[int, float](), list[float]()
    total = max(SIMULATED_ACTIONS, 8 * len(left))
    while counted < total:
        at, place, is_stored = heappop(arrivals)
        process = place // fleet.places
        if not is_stored:
            asked[place] = at
            heappush(arrivals, (processes[process].serve(at, WORKER_CPU), place, True))
            continue
        done = shards[process % fleet.shards].serve(at, SERVER_CPU) + ROUND_TRIPS * NETWORK_SECONDS
        counted += 1
        if counted == int(total * WARM_UP):
            began = at
            for cores in (*processes, *shards):
                cores.busy = 0.0
            waits.clear()
        waits.append(done - asked[place])
        ended = at
        left[place] -= 1
        if not left[place]:
            left[place] = ACTIONS
            done += chance.uniform(0, 1)  # until the process asks again
        heappush(arrivals, (done + chance.lognormvariate(log(MODEL_SECONDS), SPREAD), place, False))
    seconds = ended - began
    return Outcome(
        rate=total * (1 - WARM_UP) / seconds,
        worker_load=fmean(each.busy for each in processes) / seconds,
        server_load=beside + fmean(each.busy for each in shards) / seconds / SERVER_CORES,
        waits=(fmean(waits), quantiles(waits, n=20)[18]),
    )


def fleets() -> Iterator[Fleet]:
    """Return the fleets of the page: on one Postgres, then the largest on several."""
    yield from (Fleet(machines, places, 1) for machines, places in product((1, 10, 100), (8, 64)))
    yield from (Fleet(100, 64, shards) for shards in (2, 4, 8))


def main() -> None:
    print("machines, sessions at once, shards, actions/s, load of workers, of Postgres, wait, connections, 1M sessions")
    for fleet in fleets():
        outcome = simulate(fleet, random.Random(7))  # noqa: S311 -- a simulation
        hours = SESSIONS * ACTIONS / outcome.rate / 3600 if outcome.rate else float("inf")
        print(
            f"| {fleet.machines} | {fleet.processes * fleet.places:,} | {fleet.shards} | {outcome.rate:,.0f} | "
            f"{outcome.worker_load:.0%} | {outcome.server_load:.0%} | "
            f"{outcome.waits[0] * 1e3:,.0f} ms, {outcome.waits[1] * 1e3:,.0f} ms | "
            f"{fleet.connections:,}{' (too many)' if fleet.connections > MOST_CONNECTIONS else ''} | {hours:,.1f} h |",
            flush=True,
        )


if __name__ == "__main__":
    main()

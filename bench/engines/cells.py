"""The cells: what each candidate does under one load, or under one failure."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping

from bench.engines.machines import Site
from bench.engines.sessions import answer, count_begins, create

READY = 200
WAITING = 9_900
CROWD = 1_000
ANSWERS = 20
_IDLE_SECONDS = 10
_SESSIONS_A_WORKER = 80


def claims(site: Site) -> str:
    """Begin 200 sessions without work, by 4 workers of 8 places."""
    _prepare(site, READY)
    site.start(4, 0)
    done = site.until(lambda: len(count_begins(site.read())) >= READY)
    begins = site.read()
    seconds = begins[-1].at - begins[0].at
    return f"{(len(begins) - 1) / seconds:.0f} a second" if done else f"{len(begins)} of {READY}"


def waiting(site: Site) -> str:
    """Wait with 10,000 sessions of which 9,900 wait for a person: what 4 workers cost when nothing is to be done."""
    _prepare(site, 0)
    _multiply(site, WAITING + 100)
    site.server.run("VACUUM ANALYZE", database=site.database)
    site.start(4, 0)
    time.sleep(5)
    before = site.transactions(), site.server_cpu(), site.worker_cpu()
    time.sleep(_IDLE_SECONDS)
    after = site.transactions(), site.server_cpu(), site.worker_cpu()
    transactions, server, workers = ((b - a) / _IDLE_SECONDS for a, b in zip(before, after, strict=True))
    return f"{transactions:.0f} queries/s, CPU {server * 1e3:.0f} + {workers * 1e3:.0f} ms/s"


def scaling(site: Site) -> str:
    """Run sessions of 1 s beside 9,900 that wait, by 1, 2 and 4 workers: how many a second, what each session costs.

    CPU is that of workers and server together: as long as it is the same for each session, workers add up until the
    cores are used up. Memory is that of a worker.
    """
    _prepare(site, 0)
    _multiply(site, WAITING)
    site.server.run("VACUUM ANALYZE", database=site.database)
    rates, costs, memory = [], [], []
    for workers in (1, 2, 4):
        site.start(workers - len(site.workers), 1)
        names = [f"r{workers}-{number}" for number in range(_SESSIONS_A_WORKER * workers)]
        asyncio.run(create(site.store, names, "paused", "a"))
        begun, used = len(site.read()), site.worker_cpu() + site.server_cpu()
        site.server.run("UPDATE sessions SET status = 'running' WHERE status = 'paused'", database=site.database)
        asyncio.run(site.candidate.enqueue(site.url, names))
        site.until(lambda: len(site.read()) >= begun + len(names))  # noqa: B023 -- waited for here
        begins, used = site.read()[begun:], site.worker_cpu() + site.server_cpu() - used
        costs.append(f"{used / len(names) * 1e3:.0f}")
        rates.append(f"{(len(begins) - 1) / (begins[-1].at - begins[0].at):.0f}")
        memory.append(f"{site.worker_memory() / 1e6:.0f}")
    return f"{', '.join(rates)} a second; CPU of a session {', '.join(costs)} ms; {', '.join(memory)} MB"


def takeover(site: Site) -> str:
    """Kill a worker that runs 8 sessions: how long until another machine has begun them all."""
    names = _prepare(site, 8)
    site.start(1, 600)
    site.until(lambda: len(site.read()) == len(names))
    site.start(1, 600)
    time.sleep(2)
    killed = time.time()
    site.kill(0)
    second = site.workers[1].pid
    done = site.until(lambda: len({each.session_id for each in site.read() if each.process == second}) == len(names))
    last = max((each.at for each in site.read() if each.process == second), default=killed)
    return f"{last - killed:.1f} s" if done else "never"


def failures(site: Site) -> str:
    """Restart Postgres and end all its connections twice, in the middle of 100 sessions of 1 s by 4 workers."""
    names = _prepare(site, 100)
    site.start(4, 1)
    for failure in (site.server.crash, None, site.server.crash, None):
        begun = len(site.read())
        site.until(lambda: len(site.read()) > begun + 5, 30)  # noqa: B023 -- waited for here
        if failure:
            failure()
            time.sleep(0.5)
            site.server.start()
        else:
            site.server.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IS NOT NULL "
                "AND pid <> pg_backend_pid()"
            )
    site.until(lambda: _finished(site) == len(names), 60)
    doubled = sum(count - 1 for count in count_begins(site.read()).values())
    return f"{len(names) - _finished(site)} lost, {doubled} begun twice"


def latency(site: Site) -> str:
    """Answer one of many waiting sessions: how long until a worker has begun it."""
    names = _prepare(site, 0)
    names = [f"s{number}" for number in range(ANSWERS)]
    asyncio.run(create(site.store, names, "waiting"))
    _multiply(site, WAITING)
    site.start(2, 0)
    time.sleep(2)
    seconds = []
    for name in names:
        time.sleep(random.uniform(0.2, 0.9))  # noqa: S311 -- at any moment between two polls
        sent = time.time()
        asyncio.run(answer(site.store, name))
        asyncio.run(site.candidate.enqueue(site.url, [name]))
        site.until(lambda: name in count_begins(site.read()), 30)  # noqa: B023 -- waited for here
        seconds.append(site.read()[-1].at - sent)
    return f"p50 {sorted(seconds)[ANSWERS // 2]:.2f} s, most {max(seconds):.2f} s"


def fairness(site: Site) -> str:
    """Begin the one session of a tenant behind 1,000 of another one: how many of these begin before it."""
    crowd = _prepare(site, CROWD)
    asyncio.run(create(site.store, ["one"], "running", "b"))
    asyncio.run(site.candidate.enqueue(site.url, ["one"]))
    site.start(2, 0.02, 4)
    done = site.until(lambda: "one" in count_begins(site.read()), 600)
    before = [each.session_id for each in site.read()]
    return f"{before.index('one')} of {len(crowd)}" if done else "never"


CELLS: Mapping[str, Callable[[Site], str]] = {
    "200 ready sessions, 4 workers": claims,
    "10,000 sessions, 9,900 wait": waiting,
    "1, 2, 4 workers beside 9,900 that wait": scaling,
    "take-over after kill -9, lease 3 s": takeover,
    "2 restarts and 2 times all connections lost": failures,
    "from a command to its begin": latency,
    "begun before the other tenant's one": fairness,
}


def _prepare(site: Site, count: int) -> list[str]:
    """Make the tables, and sessions that are to be run."""
    names = [f"s{number}" for number in range(count)]
    asyncio.run(site.candidate.install(site.url))
    asyncio.run(create(site.store, names, "running", "a"))
    if names:
        asyncio.run(site.candidate.enqueue(site.url, names))
    return names


def _finished(site: Site) -> int:
    query = "SELECT count(*) FROM sessions WHERE outcome IS NOT NULL"
    return int(str(site.server.scalar(query, site.database)))


def _multiply(site: Site, count: int) -> None:
    """Add so many sessions that wait for a person, without events."""
    columns = "task_key, workflow, question, created_at, events, cycle, head, tenant, status, progress"
    asyncio.run(create(site.store, ["w"], "waiting"))
    site.server.run(
        f"INSERT INTO sessions (id, {columns}) SELECT 'w' || number, {columns} FROM sessions, "  # noqa: S608
        f"generate_series(2, {count}) AS number WHERE id = 'w'",
        database=site.database,
    )

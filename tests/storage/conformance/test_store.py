from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaestor.contracts.command import Pause
from quaestor.contracts.errors import LeaseLost, UnknownSession, UsageError
from quaestor.contracts.event import FinishRequested, UnknownPayload
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease, LogStatus
from quaestor.storage.chain import find_breaks
from quaestor.storage.event_rows import parse_record, record_row
from storage.samples import (
    NOON,
    OWNER,
    RIVAL,
    begun,
    event,
    finished,
    later,
    reply,
    session,
    started,
    todo,
)

HOSTILE = ["", "../x", "s1'; DROP TABLE events; --", "s1\0", "%", "x" * 5000, "S1", "\ud800"]


async def test_gives_back_what_was_appended(store: Store) -> None:
    lease = await begun(store)
    log = [
        todo(2),
        reply(3, "Ærø 日本 \n\0 " * 400),
        event(4, UnknownPayload(type="dreamt", stored_version=3, body='{"of": 1}')),
        reply(5, "Ærø 日本 \n\0 " * 400),
    ]
    await store.append(lease, log[:1])
    await store.append(lease, log[1:])
    assert await store.events("s1") == [started(), *log]
    assert await store.verify_chain("s1") == []


async def test_gives_the_log_word_for_word(store: Store) -> None:
    long = reply(3, "Ærø 日本 \n\0 " * 400)
    unknown = event(4, UnknownPayload(type="dreamt", stored_version=3, body='{"of":   1}'))
    await store.append(await begun(store), [todo(2), long, unknown])
    records = await store.records("s1", 0, 9)
    assert [parse_record(record) for record in records] == [started(), todo(2), long, unknown]
    assert (records[3].type, records[3].version, records[3].body) == ("dreamt", 3, '{"of":   1}')
    assert [(each.seq, each.previous, each.hash) for each in records] == [
        (each.seq, each.previous, each.hash) for each in await store.links("s1", 0, 9)
    ]
    assert list(find_breaks(lambda: map(record_row, records), 4, (await store.head("s1")).hash)) == []
    assert [each.seq for each in await store.records("s1", 1, 2)] == [2, 3]
    assert await store.records("s1", 4, 9) == []


async def test_gives_a_part_of_the_log(store: Store) -> None:
    await store.append(await begun(store), [todo(seq) for seq in range(2, 8)])
    assert [found.seq for found in await store.events("s1", after=5)] == [6, 7]
    assert [found.seq for found in await store.events("s1", after=2, limit=3)] == [3, 4, 5]
    assert await store.events("s1", after=7) == []
    assert await store.events("s1", limit=0) == []


async def test_finds_the_last_event_of_some_types(store: Store) -> None:
    await store.append(await begun(store), [todo(2), reply(3, "long " * 999), todo(4), finished(5)])
    assert await store.latest("s1", {"finish_requested"}) == todo(4)
    assert await store.latest("s1", {"model_responded", "session_started"}) == reply(3, "long " * 999)
    assert await store.latest("s1", {"dreamt"}) is None
    both = {"model_responded", "finish_requested"}
    assert await store.events_of("s1", both) == [todo(2), reply(3, "long " * 999), todo(4)]
    assert await store.events_of("s1", both, after=3) == [todo(4)]
    assert await store.events_of("s1", both, limit=1) == [todo(2)]
    assert await store.events_of("s1", ()) == []
    assert await store.latest("s1", ()) is None
    assert await store.latest("s2", {"finish_requested"}) is None


async def test_a_session_sums_up_its_events(store: Store) -> None:
    lease = await begun(store)
    assert await store.session("s1") == session().model_copy(update={"events": 1, "last_at": later(0.001)})
    await store.append(lease, [todo(2), finished(3)])
    ended = await store.session("s1")
    assert (ended.events, ended.last_at, ended.outcome) == (3, later(0.003), "done")


async def test_the_status_is_that_after_the_last_append(store: Store) -> None:
    lease = await begun(store)
    halfway = LogStatus(state="waiting", progress="1/2", dollars=Decimal("0.0000001"))
    await store.append(lease, [todo(2)], (), halfway)
    assert (await store.session("s1")).status == halfway
    await store.append(lease, [todo(3)])
    assert (await store.session("s1")).status is None, "nobody knows what event 3 changed"


async def test_a_status_is_kept_for_the_events_that_it_was_folded_from(store: Store) -> None:
    lease = await begun(store)
    halfway = LogStatus(state="running", progress="1/2")
    await store.append(lease, [todo(2)])
    await store.put_status("s1", 1, halfway, "/papers")
    assert (await store.session("s1")).status is None, "another process appended meanwhile"
    await store.put_status("s1", 2, halfway, "/papers")
    kept = await store.session("s1")
    assert (kept.status, kept.folder) == (halfway, "/papers")


async def test_lists_the_leases_that_were_not_given_back(store: Store) -> None:
    kept, given_back = await begun(store, "s1"), await begun(store, "s2")
    await store.release_lease(given_back)
    assert await store.held_leases() == [kept]


async def test_a_new_cycle_is_unfinished(store: Store) -> None:
    lease = await begun(store)
    await store.append(lease, [finished(2)])
    await store.append(lease, [event(3, FinishRequested(), cycle=2)])
    assert (await store.session("s1")).outcome is None
    await store.append(lease, [finished(4, cycle=2), todo(5).model_copy(update={"cycle": 2})])
    assert (await store.session("s1")).outcome == "done"
    again = started().payload
    await store.append(lease, [event(6, again, cycle=2)])
    assert (await store.session("s1")).outcome is None


async def test_a_cycle_may_begin_and_end_in_one_batch(store: Store) -> None:
    lease = await begun(store)
    again = [finished(2, cycle=2), event(3, FinishRequested(), cycle=2)]
    await store.append(lease, again)
    assert (await store.session("s1")).outcome == "done"


async def test_lists_and_finds_the_newest_first(store: Store) -> None:
    await store.create_session(session("a", "red", later(1)), [])
    await store.create_session(session("b", "red", later(3)), [])
    await store.create_session(session("c", "blue", later(2)), [])
    await store.create_session(session("d", "red", later(3)), [])
    assert [found.id for found in await store.sessions()] == ["d", "b", "c", "a"]
    found = await store.find_session("red")
    assert found is not None
    assert found.id == "d"
    assert await store.find_session("green") is None


async def test_finds_no_session_that_finished(store: Store) -> None:
    lease = await begun(store)
    await store.append(lease, [finished(2)])
    assert await store.find_session("key") is None
    await store.append(lease, [event(3, FinishRequested(), cycle=2)])
    assert await store.find_session("key") is not None


async def test_an_id_is_given_once(store: Store) -> None:
    await begun(store)
    with pytest.raises(UsageError, match="s1"):
        await store.create_session(session(), [started()])
    assert await store.events("s1") == [started()]


async def test_a_session_with_a_wrong_first_event_is_not_created(store: Store) -> None:
    with pytest.raises(UsageError):
        await store.create_session(session(), [todo(2)])
    assert await store.sessions() == []


@pytest.mark.parametrize("name", HOSTILE)
async def test_an_unknown_session_is_an_error_and_nothing_is_created(store: Store, name: str) -> None:
    await begun(store)
    for asked in (
        store.session(name),
        store.events(name),
        store.lease(name),
        store.verify_chain(name),
        store.take_lease(name, OWNER, 0, later(60)),
        store.append(Lease(session_id=name, epoch=1, owner=OWNER, expires_at=later(60)), [todo(1, name)]),
    ):
        with pytest.raises(UnknownSession if name != "\ud800" else UsageError) as caught:
            await asked
        assert ascii(name[:80]) in str(caught.value)
        assert len(str(caught.value)) < 200
    assert [found.id for found in await store.sessions()] == ["s1"]


@pytest.mark.parametrize("seqs", [[1], [3], [2, 2], [2, 4], [3, 2]])
async def test_numbers_go_on_without_a_gap(store: Store, seqs: list[int]) -> None:
    lease = await begun(store)
    with pytest.raises(UsageError):
        await store.append(lease, [todo(seq) for seq in seqs])
    assert await store.events("s1") == [started()]
    await store.append(lease, [todo(2)])


async def test_an_append_is_of_one_session_and_not_empty(store: Store) -> None:
    lease = await begun(store)
    with pytest.raises(UsageError):
        await store.append(lease, [todo(2, "s2")])
    with pytest.raises(UsageError, match="nothing to append"):
        await store.append(lease, [])


async def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    lease = await begun(store)
    naive = todo(2).model_copy(update={"at": datetime(2026, 3, 1)})  # noqa: DTZ001 -- the fault under test
    with pytest.raises(UsageError, match="zone"):
        await store.append(lease, [naive])


async def test_a_time_of_another_zone_is_the_same_time(store: Store) -> None:
    lease = await begun(store, seconds=60)
    abroad = todo(2).model_copy(update={"at": later(1).astimezone(timezone(timedelta(hours=5)))})
    await store.append(lease, [abroad])
    assert (await store.events("s1"))[1].at == later(1)


def prolonged(store: Store, lease: Lease) -> bool:
    renewer = store.open_renewer()
    try:
        return renewer.renew(lease, later(60))
    finally:
        renewer.close()


async def test_an_append_needs_a_lease(store: Store) -> None:
    await store.create_session(session(), [started()])
    with pytest.raises(LeaseLost, match="s1"):
        await store.append(Lease(session_id="s1", epoch=1, owner=OWNER, expires_at=later(60)), [todo(2)])


async def test_a_taken_lease_ends_the_one_before(store: Store) -> None:
    old = await begun(store)
    new = await store.take_lease("s1", RIVAL, old.epoch, later(90))
    assert new is not None
    with pytest.raises(LeaseLost, match="s1"):
        await store.append(old, [todo(2)])
    assert not prolonged(store, old)
    await store.release_lease(old)
    await store.append(new, [todo(2)])
    assert await store.lease("s1") == new


async def test_a_lease_that_expired_and_was_not_taken_still_covers_an_append(store: Store) -> None:
    lease = await begun(store, seconds=0.002)
    await store.append(lease, [todo(2)])
    assert prolonged(store, lease)
    held = await store.lease("s1")
    assert held is not None
    assert held.expires_at == later(60)


async def test_a_lease_is_taken_once_an_epoch(store: Store) -> None:
    await store.create_session(session(), [])
    assert await store.lease("s1") is None
    assert await store.take_lease("s1", OWNER, 1, later(1)) is None
    first = await store.take_lease("s1", OWNER, 0, later(1))
    assert first == Lease(session_id="s1", epoch=1, owner=OWNER, expires_at=later(1))
    assert await store.lease("s1") == first
    assert await store.take_lease("s1", RIVAL, 0, later(1)) is None
    assert await store.take_lease("s1", RIVAL, 2, later(1)) is None
    assert await store.lease("s1") == first


async def test_a_lease_given_back_covers_nothing_and_its_epoch_is_not_given_again(store: Store) -> None:
    lease = await begun(store)
    await store.release_lease(lease)
    last = await store.lease("s1")
    assert last is not None
    assert last.epoch == 1
    assert last.expires_at < NOON
    with pytest.raises(LeaseLost):
        await store.append(lease, [todo(2)])
    assert not prolonged(store, lease)
    assert await store.take_lease("s1", RIVAL, 0, later(60)) is None
    assert await store.take_lease("s1", RIVAL, 1, later(60)) is not None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.integers(1, 4), max_size=5), large=st.integers(0, 9))
async def test_batches_leave_no_trace(store: Store, batches: list[int], large: int) -> None:
    name = f"s{len(await store.sessions()) + 1}"
    lease = await begun(store, name)
    log = [started(name)]
    for size in batches:
        first = len(log) + 1
        batch = [reply(seq, "x" * (2000 if seq == large else 9), name) for seq in range(first, first + size)]
        await store.append(lease, batch)
        log.extend(batch)
    assert await store.events(name) == log
    assert await store.verify_chain(name) == []
    assert (await store.session(name)).events == len(log)


async def test_a_session_is_created_where_none_came_between(store: Store) -> None:
    assert await store.create_session_after(None, session("s1"), [started("s1")])
    assert not await store.create_session_after(None, session("s2"), [started("s2")])
    assert not await store.create_session_after("s0", session("s2"), [started("s2")])
    assert await store.create_session_after("s1", session("s2", at=later(1)), [started("s2")])
    assert [found.id for found in await store.sessions()] == ["s2", "s1"]
    assert await store.create_session_after(None, session("s3", "other key"), [])


RUNNING = LogStatus(state="running", progress="1/2")


async def runnable(store: Store, limit: int = 99, *, at: float = 0, tenant_limit: int | None = None) -> list[str]:
    return [found.id for found in await store.runnable_sessions(limit, later(at), tenant_limit)]


async def start_as(store: Store, name: str, tenant: str, at: float, status: LogStatus = RUNNING) -> None:
    await store.create_session(session(name, at=later(at)).revised(tenant=tenant, status=status), [started(name)])


async def test_what_waits_for_a_person_or_is_held_is_not_runnable(store: Store) -> None:
    for name, state in (
        ("s1", "running"),
        ("s2", "waiting"),
        ("s3", "paused"),
        ("s4", "waiting"),
        ("s5", "running"),
        ("s6", "stopped"),
    ):
        await start_as(store, name, "a", 1, LogStatus.model_validate({"state": state, "progress": ""}))
    await store.send("s4", Pause(), NOON)
    held = await store.take_lease("s5", OWNER, 0, later(60))
    assert held is not None
    assert await runnable(store) == ["s1", "s4", "s6"]
    await store.release_lease(held)
    assert await runnable(store) == ["s1", "s4", "s5", "s6"]
    ending = await store.take_lease("s1", OWNER, 0, later(60))
    assert ending is not None
    await store.append(ending, [finished(2)], (), LogStatus(state="finished", progress=""))
    await store.release_lease(ending)
    assert await runnable(store) == ["s4", "s5", "s6"]


async def test_a_tenant_with_very_many_sessions_keeps_no_other_one_waiting(store: Store) -> None:
    for number in range(6):
        await start_as(store, f"many{number}", "many", number)
    await start_as(store, "one", "one", 90)
    assert await runnable(store, 3) == ["many0", "one", "many1"]
    for name in ("many0", "many1"):
        assert await store.take_lease(name, OWNER, 0, later(60)) is not None
    assert await runnable(store, 3) == ["one", "many2", "many3"]


async def test_what_is_paused_until_a_time_is_runnable_from_then_on(store: Store) -> None:
    await start_as(store, "s1", "a", 1, LogStatus(state="paused", progress="", due_at=later(60)))
    await start_as(store, "s2", "a", 1, LogStatus(state="paused", progress=""))
    assert await runnable(store, at=59.9) == []
    assert await runnable(store, at=60) == ["s1"]
    found = (await store.session("s1")).status
    assert found == LogStatus(state="paused", progress="", due_at=later(60))
    lease = await store.take_lease("s1", OWNER, 0, later(99))
    assert lease is not None
    await store.append(lease, [todo(2)], (), RUNNING)
    await store.release_lease(lease)
    await store.put_status("s1", 2, LogStatus(state="paused", progress=""), "")
    assert await runnable(store, at=999) == [], "it waits for a person now"


async def test_priority_moves_a_session_before_others_of_its_tenant_until_these_are_older(store: Store) -> None:
    for name, tenant, at, queued in (
        ("s1", "a", 0, None),
        ("s2", "a", 700, None),
        ("s3", "a", 900, 900 - 600),
        ("s4", "b", 2000, None),
    ):
        made = session(name, at=later(at)).revised(tenant=tenant, status=RUNNING)
        await store.create_session(made.revised(queued_at=None if queued is None else later(queued)), [started(name)])
    assert await runnable(store) == ["s1", "s4", "s3", "s2"]
    assert (await store.session("s3")).queued_at == later(300)


async def test_no_tenant_runs_more_sessions_than_its_limit(store: Store) -> None:
    for number in range(3):
        await start_as(store, f"many{number}", "many", number)
    await start_as(store, "one", "one", 90)
    assert await store.take_lease("many0", OWNER, 0, later(60)) is not None
    assert await runnable(store, tenant_limit=1) == ["one"]
    assert await runnable(store, tenant_limit=2) == ["one", "many1"]

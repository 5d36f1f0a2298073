"""Snapshots beside every store: one a session, replaced as a whole, gone with it."""

from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.contracts.snapshot import Snapshot
from storage.samples import NOON, begun

TAKEN = Snapshot(session_id="s1", events=1, head="a" * 64, fold="1", state='["a state, Ære"]')


async def test_a_snapshot_is_read_as_it_was_put(store: Store, snapshots: SnapshotCache) -> None:
    await begun(store)
    assert await snapshots.snapshot("s1") is None
    await snapshots.put_snapshot(TAKEN)
    assert await snapshots.snapshot("s1") == TAKEN


async def test_the_next_one_takes_its_place(store: Store, snapshots: SnapshotCache) -> None:
    await begun(store)
    await begun(store, "s2")
    later, other = TAKEN.revised(events=2, state="[" + "1," * 9_999 + "1]"), TAKEN.revised(session_id="s2")
    for each in (TAKEN, other, later):
        await snapshots.put_snapshot(each)
    assert await snapshots.snapshot("s1") == later
    assert await snapshots.snapshot("s2") == other
    await snapshots.put_snapshot(TAKEN)
    assert await snapshots.snapshot("s1") == TAKEN, "an earlier one is as good where the later one did not fit"


async def test_each_fold_has_its_own_and_places_in_a_log_are_kept_beside_each_other(
    store: Store, snapshots: SnapshotCache
) -> None:
    await begun(store)
    await snapshots.put_snapshot(TAKEN)
    places = [TAKEN.revised(name="stream", events=events) for events in (1_000, 3_000, 2_000)]
    for each in places:
        await snapshots.put_snapshot(each, beside=True)
    assert await snapshots.snapshot("s1") == TAKEN
    assert await snapshots.snapshot("s1", "stream") == places[1]
    assert await snapshots.snapshot("s1", "stream", upto=2_999) == places[2]
    assert await snapshots.snapshot("s1", "stream", upto=999) is None
    assert await snapshots.snapshot("s1", "live") is None


async def test_there_is_none_without_a_session(store: Store, snapshots: SnapshotCache) -> None:
    await begun(store)
    await snapshots.put_snapshot(TAKEN.revised(session_id="s2"))
    assert await snapshots.snapshot("s2") is None


async def test_it_is_erased_with_its_session(store: Store, snapshots: SnapshotCache) -> None:
    lease = await begun(store)
    await snapshots.put_snapshot(TAKEN)
    await store.erase(lease, NOON)
    await snapshots.put_snapshot(TAKEN)
    await store.shred(NOON)
    assert await snapshots.snapshot("s1") is None

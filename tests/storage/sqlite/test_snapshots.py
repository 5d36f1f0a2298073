from hashlib import sha256

import pytest

from quaestor.contracts.snapshot import Snapshot
from quaestor.storage.sqlite import open_store
from storage.samples import begun


@pytest.mark.parametrize("state", [b"\xff\xfe", b"\xed\xa0\x80"])
async def test_a_snapshot_that_is_no_text_is_none_whatever_hash_it_has(state: bytes) -> None:
    store = open_store(":memory:")
    await begun(store)
    await store.snapshots.put_snapshot(Snapshot(session_id="s1", events=1, head="a" * 64, fold="1", state="[]"))
    forged = (state, len(state), sha256(state).hexdigest())
    store._database.run("UPDATE snapshots SET data = ?, size = ?, sha256 = ?", forged)
    assert await store.snapshots.snapshot("s1") is None
    await store.close()

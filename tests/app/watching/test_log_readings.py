import asyncio
import gc
from typing import Any

import pytest

from quaestor.app.watching.log_readings import LogReadings


async def test_a_reading_that_fails_while_nobody_waits_is_tried_again_by_the_next_look() -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    readings: LogReadings[list[int]] = LogReadings(most=2)
    ready = asyncio.Event()

    async def fail(_: list[int]) -> None:
        await ready.wait()
        raise OSError("the disk is gone")

    async def go_on(found: list[int]) -> None:
        found.append(1)

    assert await readings.read("s", list, fail, patience=0) == ([], False)
    ready.set()
    for _ in range(3):
        await asyncio.sleep(0)
    assert await readings.read("s", list, go_on) == ([1], True)
    gc.collect()
    assert not faults
    with pytest.raises(OSError, match="gone"):
        await readings.read("t", list, fail)

"""The inbox of a session: anybody sends, the holder of the lease settles."""

import asyncio
import signal
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from functools import partial
from itertools import product
from multiprocessing import get_context

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.children import die, ended, fork
from quaestor.contracts.command import AddBudget, Answer, Cancel, Command, FinishNow, InboxEntry, Pause, Settlement
from quaestor.contracts.errors import LeaseLost, UnknownSession, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease
from quaestor.research.codec import CODEC
from quaestor.research.contracts.commands import EditPlan, RetryTodo, ReviewPlan
from quaestor.research.contracts.plan import AddTodo, ChangeTodo, DropTodo, MoveTodo, TodoKind
from storage.samples import NOON, OWNER, RIVAL, begun, later, session, started, todo

ORDERS: tuple[Command, ...] = (
    Answer(text="The one in Ærø."),
    EditPlan(
        edits=(
            AddTodo(task="Look", does=TodoKind.RESEARCH, dependencies=("t1", "t2"), before="t3"),
            ChangeTodo(todo_id="t1", agent="", dependencies=()),
            MoveTodo(todo_id="t2"),
            DropTodo(todo_id="t3", force=True),
        ),
        seen=4,
    ),
    ReviewPlan(review="confirmed"),
    Pause(),
    FinishNow(),
    Cancel(),
    AddBudget(dollars=Decimal("0.10"), tokens=10**12, seconds=0.1),
    RetryTodo(todo_id="t1"),
)
HOSTILE = [
    " ",
    "\0",
    "a\0b",
    "\r\n\t\u2028\x7f",
    "'; DROP TABLE commands; --",
    '"}, {"kind": "cancel"',
    "\\u0000 \\ud800",
    "Ærø 日本 \U0001f600 e\u0301 \ufeff\u202e",
    "%s {0} $1 ?1",
    "x" * 20_000,
]


async def sent(store: Store, *texts: str) -> list[InboxEntry]:
    return [await store.send("s1", Answer(text=text), NOON) for text in texts]


def obeyed(*numbers: int) -> list[Settlement]:
    return [Settlement(number=number) for number in numbers]


async def waiting(store: Store, name: str = "s1") -> list[int]:
    return [command.number for command in await store.commands(name)]


async def test_every_order_arrives_as_it_was_sent(store: Store) -> None:
    await begun(store)
    commands = [await store.send("s1", order, later(1)) for order in ORDERS]
    assert commands == [
        InboxEntry(session_id="s1", number=number, at=later(1), order=order) for number, order in enumerate(ORDERS, 1)
    ]
    arrived = [each.revised(order=CODEC.decode_command(each.order)) for each in await store.commands("s1")]
    assert arrived == commands


async def test_a_text_is_kept_to_the_byte(store: Store) -> None:
    lease = await begun(store)
    await sent(store, *HOSTILE)
    orders = [command.order for command in await store.commands("s1")]
    assert [order.text.encode() for order in orders if isinstance(order, Answer)] == [text.encode() for text in HOSTILE]
    refused = [Settlement(number=number, refused=text) for number, text in enumerate(HOSTILE, 1)]
    await store.append(lease, [], refused)
    assert [await store.settled("s1", end.number) for end in refused] == refused


async def test_what_is_not_valid_unicode_is_refused(store: Store) -> None:
    lease = await begun(store)
    with pytest.raises(UsageError, match="Unicode"):
        await store.send("s1", RetryTodo(todo_id="\udcff"), NOON)
    assert await store.commands("s1") == []
    await store.send("s1", Pause(), NOON)
    with pytest.raises(UsageError, match="Unicode"):
        await store.append(lease, [], [Settlement(number=1, refused="\udcff")])
    assert await waiting(store) == [1]


async def test_numbers_count_from_1_within_the_session(store: Store) -> None:
    await begun(store)
    await begun(store, "s2")
    numbers = [(await store.send(name, Pause(), NOON)).number for name in ("s1", "s2", "s1", "s1", "s2")]
    assert numbers == [1, 1, 2, 3, 2]
    assert [command.session_id for command in await store.commands("s2")] == ["s2", "s2"]


async def test_a_number_is_given_once(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a", "b")
    await store.append(lease, [], obeyed(1, 2))
    assert [command.number for command in await sent(store, "c")] == [3]


async def test_commands_wait_in_the_order_they_were_sent(store: Store) -> None:
    """The time is the sender's, and clocks differ."""
    await begun(store)
    commands = [await store.send("s1", Pause(), later(-number)) for number in range(12)]
    arrived = [each.revised(order=CODEC.decode_command(each.order)) for each in await store.commands("s1")]
    assert arrived == commands


async def test_any_command_may_be_settled_first(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a", "b", "c")
    await store.append(lease, [todo(2)], obeyed(3, 1))
    assert await waiting(store) == [2]
    assert [await store.settled("s1", number) for number in (1, 2, 3)] == [*obeyed(1), None, *obeyed(3)]


async def test_the_sender_sees_the_refusal(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a", "b", "c")
    ends = [Settlement(number=1, refused="the plan was edited"), Settlement(number=2, refused=""), Settlement(number=3)]
    await store.append(lease, [todo(2)], ends)
    assert [await store.settled("s1", end.number) for end in ends] == ends
    assert await store.events("s1") == [started(), todo(2)]


async def test_a_command_is_settled_without_an_event(store: Store) -> None:
    lease = await begun(store)
    before = await store.session("s1")
    await sent(store, "a")
    await store.append(lease, [], obeyed(1))
    assert await store.commands("s1") == []
    assert await store.session("s1") == before
    assert await store.events("s1") == [started()]
    assert await store.verify_chain("s1") == []


async def test_a_command_that_does_not_wait_is_not_settled(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a")
    for numbers, events in product([[2], [1, 1], [1, 2], [3, 1]], [[], [todo(2)]]):
        with pytest.raises(UsageError, match="s1"):
            await store.append(lease, events, obeyed(*numbers))
        assert await waiting(store) == [1]
        assert await store.events("s1") == [started()]


async def test_what_was_settled_stays(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a")
    refused = Settlement(number=1, refused="no")
    await store.append(lease, [], [refused])
    with pytest.raises(UsageError, match="command 1"):
        await store.append(lease, [], obeyed(1))
    assert await store.settled("s1", 1) == refused


async def test_a_command_is_settled_in_its_own_session_alone(store: Store) -> None:
    await begun(store)
    other = await begun(store, "s2")
    await sent(store, "a")
    with pytest.raises(UsageError, match="s2"):
        await store.append(other, [], obeyed(1))
    assert await waiting(store) == [1]


async def test_wrong_events_settle_nothing(store: Store) -> None:
    lease = await begun(store)
    await sent(store, "a")
    with pytest.raises(UsageError):
        await store.append(lease, [todo(3)], obeyed(1))
    assert await waiting(store) == [1]


@pytest.mark.parametrize("events", [[], [todo(2)]], ids=["alone", "with an event"])
async def test_a_stale_lease_settles_nothing(store: Store, events: list[Event]) -> None:
    old = await begun(store)
    await sent(store, "a")
    new = await store.take_lease("s1", RIVAL, old.epoch, later(90))
    assert new is not None
    with pytest.raises(LeaseLost, match="s1"):
        await store.append(old, events, obeyed(1))
    assert await waiting(store) == [1]
    await store.append(new, events, obeyed(1))
    assert await waiting(store) == []


@pytest.mark.parametrize("events", [[], [todo(2)]], ids=["alone", "with an event"])
async def test_a_lease_given_back_settles_nothing(store: Store, events: list[Event]) -> None:
    lease = await begun(store)
    await sent(store, "a")
    await store.release_lease(lease)
    with pytest.raises(LeaseLost, match="s1"):
        await store.append(lease, events, obeyed(1))
    assert await waiting(store) == [1]


async def test_settling_needs_a_lease(store: Store) -> None:
    await store.create_session(session(), [])
    await sent(store, "a")
    with pytest.raises(LeaseLost, match="s1"):
        await store.append(Lease(session_id="s1", epoch=1, owner=OWNER, expires_at=later(60)), [], obeyed(1))
    assert await waiting(store) == [1]


async def test_sending_disturbs_neither_the_log_nor_the_lease(store: Store) -> None:
    lease = await begun(store)
    before = await store.session("s1")
    await sent(store, "a")
    assert await store.session("s1") == before
    assert await store.lease("s1") == lease
    assert await store.verify_chain("s1") == []
    await store.append(lease, [todo(2)])
    assert await waiting(store) == [1]


async def test_an_unknown_session_has_no_inbox(store: Store) -> None:
    await begun(store)
    for name in ("", "s2", "S1", "s1\0", "'; DROP TABLE commands; --"):
        for asked in (store.send(name, Pause(), NOON), store.commands(name), store.settled(name, 1)):
            with pytest.raises(UnknownSession) as caught:
                await asked
            assert ascii(name) in str(caught.value)
    assert await store.commands("s1") == []


async def test_a_number_that_nobody_was_given_is_an_error(store: Store) -> None:
    await begun(store)
    await sent(store, "a")
    for number in (-1, 0, 2):
        with pytest.raises(UsageError, match=f"command {number}"):
            await store.settled("s1", number)


async def test_a_time_is_kept_and_one_without_a_zone_is_refused(store: Store) -> None:
    await begun(store)
    command = await store.send("s1", Pause(), later(1).astimezone(timezone(timedelta(hours=5))))
    assert command.at == later(1)
    with pytest.raises(UsageError, match="zone"):
        await store.send("s1", Pause(), datetime(2026, 3, 1))  # noqa: DTZ001 -- the fault under test
    assert await store.commands("s1") == [command]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.one_of(st.just(None), st.integers(0, 9)), max_size=16))
async def test_whatever_the_order_each_command_is_settled_once(store: Store, steps: list[int | None]) -> None:
    """A step sends a command, or settles one of those that wait."""
    name = f"s{len(await store.sessions()) + 1}"
    lease = await begun(store, name)
    left: list[int] = []
    count = 0
    for step in steps:
        if step is None:
            count += 1
            assert (await store.send(name, Pause(), NOON)).number == count
            left.append(count)
        elif left:
            await store.append(lease, [], obeyed(left.pop(step % len(left))))
        assert await waiting(store, name) == left
    ends = [await store.settled(name, number) for number in range(1, count + 1)]
    assert [end is None for end in ends] == [number in left for number in range(1, count + 1)]


def test_two_processes_send_at_once_and_nothing_is_lost(reopened: Callable[[], Store]) -> None:
    texts = {sender: [f"{sender} {number}" for number in range(30)] for sender in ("rome", "carthage")}
    gate = get_context("fork").Barrier(len(texts))

    async def prepare() -> None:
        store = reopened()
        await begun(store)
        await store.close()

    async def send(sender: str) -> None:
        store = reopened()
        commands: list[InboxEntry] = []
        for text in texts[sender]:
            gate.wait(200)
            commands += await sent(store, text)
        found = {command.number: command for command in await store.commands("s1")}
        assert [found[command.number] for command in commands] == commands
        await store.close()

    async def read() -> list[InboxEntry]:
        store = reopened()
        found = list(await store.commands("s1"))
        await store.close()
        return found

    asyncio.run(prepare())
    children = [fork(partial(send, sender)) for sender in texts]
    assert [ended(child) for child in children] == [0, 0]
    found = asyncio.run(read())
    assert [command.number for command in found] == list(range(1, 61))
    said = [command.order.text for command in found if isinstance(command.order, Answer)]
    for sender, own in texts.items():
        assert [text for text in said if text.startswith(sender)] == own


def test_a_holder_killed_before_it_settles_leaves_the_command_to_the_next(reopened: Callable[[], Store]) -> None:
    async def work() -> None:
        store = reopened()
        await begun(store)
        await sent(store, "a")
        assert await waiting(store) == [1]
        die()

    async def go_on() -> None:
        store = reopened()
        assert [command.order for command in await store.commands("s1")] == [Answer(text="a")]
        assert await store.settled("s1", 1) is None
        lease = await store.take_lease("s1", RIVAL, 1, later(60))
        assert lease is not None
        await store.append(lease, [todo(2)], obeyed(1))
        assert await store.commands("s1") == []
        await store.close()

    assert ended(fork(work)) == -signal.SIGKILL
    asyncio.run(go_on())

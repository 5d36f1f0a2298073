"""What a reply counts for, before it is an event of a run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from fakes.chores import ONE_CALL, Broom, Done, Picking, Summing
from quaestor.contracts.action import OutputPass, ToolPass
from quaestor.contracts.base import sanitize_text
from quaestor.contracts.event import ContractAccepted, ContractRejected, ToolCall, ToolsChosen
from quaestor.contracts.model import ModelReply
from quaestor.kernel.reply_validation import filter_storable_calls, validate_calls, validate_output
from quaestor.replies.strict_json import unstorable_in_value

ASKED = OutputPass(key="sum", state="SUMMING", todo_id="t1", role="summer", given=Summing())
OFFERED = ToolPass(key="pick", state="PICKING", todo_id="t1", role="picker", given=Picking(), tools=("broom",))
TOOLS = {"brush": Broom(), "broom": Broom()}
TEXTS = st.text(st.characters(codec=None) | st.sampled_from("\0\ud800\udfff"))


def reply(text: str = "", *calls: ToolCall, fault: str | None = None) -> ModelReply:
    return ModelReply(text=text, calls=calls, fault=fault, spend=ONE_CALL)


def call(name: JsonValue, tool: str = "broom", ref: str = "c1") -> ToolCall:
    return ToolCall(ref=ref, tool=tool, given={"name": name})


def chosen(answer: ModelReply) -> ToolsChosen:
    return validate_calls(OFFERED, answer, TOOLS)


@pytest.mark.parametrize("final", [False, True])
def test_a_kept_contract_is_accepted_with_what_it_says_also_at_the_last_try(final: bool) -> None:
    assert validate_output(ASKED, reply('{"said": "swept"}'), 3, final=final) == ContractAccepted(
        key="sum", role="summer", contract="Done", output=Done(said="swept")
    )


def test_it_is_on_record_that_a_reply_was_repaired() -> None:
    accepted = validate_output(ASKED, reply("{'said': 'swept',}"), 1, final=False)
    assert isinstance(accepted, ContractAccepted)
    assert (accepted.output, accepted.repaired) == (Done(said="swept"), True)


@pytest.mark.parametrize(("attempt", "final"), [(1, False), (3, True)])
def test_a_broken_contract_is_rejected_with_the_reason_and_whether_it_is_the_last_try(
    attempt: int, final: bool
) -> None:
    assert validate_output(ASKED, reply('{"said": ""}'), attempt, final=final) == ContractRejected(
        key="sum",
        role="summer",
        contract="Done",
        attempt=attempt,
        objections=("say more",),
        final=final,
    )


@pytest.mark.parametrize(
    ("answer", "objection"),
    [
        (reply('{"said": "swept"}', fault="cut off"), "cut off"),
        (reply("", call("hall"), fault="cut off"), "cut off"),
        (reply("", call("hall")), "a tool call, where a Done is wanted; answer with its JSON"),
        (reply('{"said": "swept"}', call("hall")), "a tool call, where a Done is wanted; answer with its JSON"),
        (reply(""), "the reply is empty"),
        (reply('{"said": "swept"}', fault="no\0 \ud800"), "no\N{REPLACEMENT CHARACTER} ?"),
    ],
)
def test_a_contract_is_kept_by_a_faultless_reply_without_tool_calls_alone(answer: ModelReply, objection: str) -> None:
    rejected = validate_output(ASKED, answer, 1, final=False)
    assert isinstance(rejected, ContractRejected)
    assert rejected.objections == (objection,)


@given(TEXTS | TEXTS.map(lambda said: json.dumps({"said": said})))
def test_whatever_a_model_writes_is_judged_and_can_be_stored(text: str) -> None:
    fact = validate_output(ASKED, reply(text), 1, final=False)
    assert unstorable_in_value(fact.model_dump(mode="json")) is None


def test_a_choice_of_nothing_is_a_choice() -> None:
    assert chosen(reply("enough")) == ToolsChosen(key="pick", role="picker")


def test_good_calls_keep_their_order_and_bad_ones_their_reasons() -> None:
    calls = (call("hall"), call(3), call("stairs", "mop"), call("yard", "brush"), call("hall"))
    fact = chosen(reply("", *calls))
    assert fact.calls == (call("hall"), call("yard", "brush"), call("hall"))
    assert fact.refused == (
        "broom: name: Input should be a valid string",
        "mop: no such tool; there is broom, brush",
    )


def test_of_a_faulty_choice_nothing_runs_and_every_reason_is_told() -> None:
    fact = chosen(reply("", call("hall"), call("hall", "mop"), fault="cut off"))
    assert (fact.calls, fact.refused) == ((), ("cut off", "mop: no such tool; there is broom, brush"))


def test_every_fault_of_one_call_is_one_reason() -> None:
    odd = ToolCall(ref="c1", tool="broom", given={"fast": True})
    assert chosen(reply("", odd)).refused == ("broom: name: Field required; fast: Extra inputs are not permitted",)


@given(st.lists(st.builds(call, TEXTS, TEXTS | st.just("broom"), TEXTS), max_size=4))
def test_every_call_runs_or_is_refused_and_all_that_is_said_of_it_can_be_stored(calls: list[ToolCall]) -> None:
    fact = chosen(reply("", *calls))
    assert len(fact.calls) + len(fact.refused) == len(calls)
    assert all(one.tool in TOOLS for one in fact.calls)
    assert filter_storable_calls(fact.calls) == fact.calls
    assert list(map(sanitize_text, fact.refused)) == list(fact.refused)


@given(TEXTS)
def test_a_storable_text_is_as_long_as_it_was_and_only_what_no_store_takes_is_replaced(text: str) -> None:
    kept = sanitize_text(text)
    assert kept.encode().decode() == kept
    assert "\0" not in kept
    assert len(kept) == len(text)
    odd = [one == "\0" or "\ud800" <= one <= "\udfff" for one in text]
    assert all(replaced or old == new for replaced, old, new in zip(odd, text, kept, strict=True))


@pytest.mark.parametrize(
    "odd", [call("a\0"), call("hall", "broom\ud800"), call("hall", ref="\0"), call(["a", {"b\0": 1}])]
)
def test_a_call_that_no_store_takes_is_left_out_of_what_is_stored(odd: ToolCall) -> None:
    assert filter_storable_calls((call("hall"), odd, call("yard"))) == (call("hall"), call("yard"))

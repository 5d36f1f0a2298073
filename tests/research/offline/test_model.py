from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as examples
from hypothesis import strategies as st

from fakes.offline import offline_model
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.ledger import Finding
from quaestor.contracts.model import OutputRequest, ToolOffer, ToolsRequest
from quaestor.contracts.ports import Model
from quaestor.contracts.roles import RoleInput
from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchInput
from quaestor.models.offline import OfflineModel
from quaestor.research.contracts.optional_roles import (
    CheckInput,
    DelegateSummaryInput,
    DelegateToolInput,
    QuotedSentence,
)
from quaestor.research.contracts.roles import (
    ClarifyInput,
    PlanInput,
    QueriesInput,
    ReadInput,
    ReviewInput,
)
from quaestor.research.contracts.writing import FrameInput, SectionInput, SummarizeInput

HitOf = Callable[..., Hit]
FindingOf = Callable[..., Finding]


def request(given: RoleInput) -> OutputRequest:
    return OutputRequest(key="k", todo_id=None, role="r", ordinal=1, attempt=1, given=given)


def every_role(text: str, hit: HitOf, finding: FindingOf) -> tuple[RoleInput, ...]:
    found = (finding("t1/1", text), finding("t2/1", "Lidded Jars (Note 40) — Replaces: 12"))
    return (
        ClarifyInput(question=text),
        PlanInput(question=text),
        QueriesInput(question=text, task=text, wanted=3, known=(text,)),
        ReadInput(question=text, task=text, hits=(hit(text, title=text),)),
        ReadInput(question=text, task=text, findings=found),
        ReviewInput(question=text, todo_id="t1", task=text, findings=found, loops_left=1, room=1),
        SummarizeInput(lines=(text,), characters=10),
        SectionInput(question=text, todo_id="t1", task=text, summary=text, findings=found),
        DelegateSummaryInput(question=text, task=text, findings=found, characters=60),
        DelegateSummaryInput(question=text, task=text),
        CheckInput(sentences=(QuotedSentence(number=1, text=text, quotes=(text,)),)),
        FrameInput(question=text, headings=(), findings=found),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Why was the lid added and what objections were raised?",
        'Who wrote the note that superseded "Plain Jars"?',
        "谁发明了电话\uff1f",
        "ใครประดิษฐ์โทรศัพท์",
        "?",
    ],
)
async def test_every_role_gets_its_contract_the_same_every_time(text: str, hit: HitOf, finding: FindingOf) -> None:
    model: Model = offline_model()
    for given in every_role(text, hit, finding):
        asked = request(given)
        prepared = model.prepare(asked)
        first, again = await model.answer(asked, prepared), await model.answer(asked, prepared)
        reply = given.gives.model_validate_json(first.text)

        assert given.objections(reply) == ()
        assert first == again
        assert first.spend == prepared.ceiling == Spend(model_calls=1)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@examples(
    text=st.lists(
        st.sampled_from(
            [
                '"',
                "'",
                "“",
                "?",
                " or ",
                "Jar",
                "the ",
                "that ",
                "which ",
                "both ",
                "12",
                ": ",
                "\n",
                "—",
                "谁",
                "a.b",
                "_",
            ]
        )
        | st.text(max_size=4),
        min_size=1,
        max_size=25,
    )
    .map("".join)
    .filter(lambda text: bool(text.strip()))
)
async def test_no_text_breaks_a_role(text: str, hit: HitOf, finding: FindingOf) -> None:
    for given in every_role(text, hit, finding):
        asked = request(given)
        reply = await offline_model().answer(asked, offline_model().prepare(asked))
        assert given.objections(given.gives.model_validate_json(reply.text)) == ()


async def test_a_role_it_does_not_know_is_refused() -> None:
    with pytest.raises(ModelFailed, match="no rule for RoleInput"):
        await offline_model().answer(request(RoleInput()), offline_model().prepare(request(RoleInput())))


async def test_a_delegate_searches_once_in_its_first_tool_pass() -> None:
    shown = DelegateToolInput(
        question="Who kept the lighthouse?", task="Find the keeper of the lighthouse", passes_left=2
    )
    for executed, wanted in ((), 2), (("keeper lighthouse",), 0):
        asked = ToolsRequest(
            key="k",
            todo_id="t1",
            role="researcher",
            ordinal=1,
            attempt=1,
            given=shown.model_copy(update={"executed": executed}),
            tools=(ToolOffer(name="search", description="Finds passages.", takes={}),),
        )
        reply = await offline_model().answer(asked, offline_model().prepare(asked))
        assert (len(reply.calls), reply.text) == (wanted, "")
        assert all(SearchInput.model_validate(call.given).query for call in reply.calls)


def test_it_is_called_offline() -> None:
    assert OfflineModel.name == "offline"

from quaestor.contracts.budget import Spend
from quaestor.contracts.checking import Check, CheckGiven
from quaestor.contracts.decision import DecisionGiven, LookGiven, QuantGiven, StrategyGiven, StudyGiven
from quaestor.contracts.delegation import DigestGiven, ScoutGiven
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.event import ToolCall
from quaestor.contracts.kit import NO_RULES, Rules
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, Prepared, ToolsRequest
from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import (
    ClarifyGiven,
    FrameGiven,
    Given,
    PlanGiven,
    QueriesGiven,
    ReadGiven,
    ReflectGiven,
    ReviewGiven,
    SectionGiven,
    Shown,
    SummarizeGiven,
)
from quaestor.contracts.task import RoundGiven, TaskPlanGiven
from quaestor.models.offline.clarifying import clarify
from quaestor.models.offline.deciding import look, manage, quantify, strategise
from quaestor.models.offline.delegating import digest, scout
from quaestor.models.offline.planning import plan
from quaestor.models.offline.querying import write_queries
from quaestor.models.offline.reading import read
from quaestor.models.offline.reflecting import reflect
from quaestor.models.offline.reviewing import review
from quaestor.models.offline.summarising import summarise
from quaestor.models.offline.working import plan_task, work
from quaestor.models.offline.writing import write_frame, write_section

_ONE_CALL = Spend(model_calls=1)


class OfflineModel:
    """Fulfils every contract by extraction, with no network and no weights, the same to the byte every time."""

    name = "offline"

    def __init__(self, rules: Rules = NO_RULES) -> None:
        self._rules = rules

    def prepare(self, request: ModelRequest) -> Prepared:  # noqa: ARG002 - the port's signature; all calls are alike
        """Say what any call is: one call, no prompt, no tokens, no dollars."""
        return Prepared(model=self.name, ceiling=_ONE_CALL, pure=True)

    async def answer(self, request: ModelRequest, prepared: Prepared) -> ModelReply:  # noqa: ARG002 - nothing to send
        """Answer with the JSON of the contract; ModelFailed for a role whose input it does not know."""
        match request:
            case OutputRequest(given=given):
                rule = self._rules.get(type(given), fulfil)
                return ModelReply(text=rule(given).model_dump_json(), spend=_ONE_CALL)
            case ToolsRequest():
                return ModelReply(text="", calls=choose(request.given), spend=_ONE_CALL)


def choose(shown: Shown) -> tuple[ToolCall, ...]:
    """Give the tool calls of one role's tool pass."""
    match shown:
        case ScoutGiven():
            return scout(shown)
        case LookGiven():
            return look(shown)
        case StudyGiven():
            return ()
        case _:
            raise _unknown(shown)


def fulfil(given: Given) -> Noun:  # noqa: C901 -- one arm a role
    """Give the reply to one role's input."""
    match given:
        case ClarifyGiven():
            return clarify(given)
        case PlanGiven():
            return plan(given)
        case QueriesGiven():
            return write_queries(given)
        case ReadGiven():
            return read(given)
        case ReflectGiven():
            return reflect(given)
        case ReviewGiven():
            return review(given)
        case SummarizeGiven():
            return summarise(given)
        case SectionGiven():
            return write_section(given)
        case FrameGiven():
            return write_frame(given)
        case CheckGiven():
            return Check()
        case DigestGiven():
            return digest(given)
        case TaskPlanGiven():
            return plan_task(given)
        case RoundGiven():
            return work(given)
        case StrategyGiven():
            return strategise(given)
        case QuantGiven():
            return quantify(given)
        case DecisionGiven():
            return manage(given)
        case _:
            raise _unknown(given)


def _unknown(shown: Shown) -> ModelFailed:
    return ModelFailed(f"the offline model has no rule for {type(shown).__name__}; choose another model for this role")

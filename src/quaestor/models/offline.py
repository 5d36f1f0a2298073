from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall, ToolsRequest
from quaestor.contracts.plugin import NO_OFFLINE_RULES, OfflineRules
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.longtask.contracts import RoundInput, TaskPlanInput
from quaestor.longtask.offline_rules import next_round, plan_task
from quaestor.research.contracts.optional_roles import Check, CheckInput, DelegateSummaryInput, DelegateToolInput
from quaestor.research.contracts.roles import (
    ClarifyInput,
    FrameInput,
    PlanInput,
    QueriesInput,
    ReadInput,
    ReflectInput,
    ReviewInput,
    SectionInput,
    SummarizeInput,
)
from quaestor.research.offline.planner import clarify, draft_plan, review
from quaestor.research.offline.query_writer import choose_searches, write_digest, write_queries
from quaestor.research.offline.reader import read_passages
from quaestor.research.offline.reflector import reflect
from quaestor.research.offline.summarizer import summarize
from quaestor.research.offline.writer import write_frame, write_section
from quaestor.trading.contracts.role_inputs import (
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
)
from quaestor.trading.offline_rules import choose_tool_calls, decide_trade, plan_trade, report_signal

_ONE_CALL = Spend(model_calls=1)


class OfflineModel:
    """Fulfils every contract by extraction, with no network and no weights, the same to the byte every time."""

    name = "offline"

    def __init__(self, rules: OfflineRules = NO_OFFLINE_RULES) -> None:
        self._rules = rules

    def prepare(self, request: ModelRequest) -> PreparedCall:  # noqa: ARG002 - the port's signature; all calls are alike
        """Say what any call is: one call, no prompt, no tokens, no dollars."""
        return PreparedCall(model=self.name, ceiling=_ONE_CALL, pure=True)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:  # noqa: ARG002 - nothing to send
        """Answer with the JSON of the contract; ModelFailed for a role whose input it does not know."""
        match request:
            case OutputRequest(given=given):
                rule = self._rules.get(type(given), answer_role)
                return ModelReply(text=rule(given).model_dump_json(), spend=_ONE_CALL)
            case ToolsRequest():
                return ModelReply(text="", calls=choose_tools(request.given), spend=_ONE_CALL)


def choose_tools(shown: PromptInput) -> tuple[ToolCall, ...]:
    """Give the tool calls of one role's tool pass."""
    match shown:
        case DelegateToolInput():
            return choose_searches(shown)
        case StrategyToolsInput():
            return choose_tool_calls(shown)
        case QuantToolsInput():
            return ()
        case _:
            raise _unknown_input(shown)


def answer_role(given: RoleInput) -> Contract:  # noqa: C901 -- one arm a role
    """Give the reply to one role's input."""
    match given:
        case ClarifyInput():
            return clarify(given)
        case PlanInput():
            return draft_plan(given)
        case QueriesInput():
            return write_queries(given)
        case ReadInput():
            return read_passages(given)
        case ReflectInput():
            return reflect(given)
        case ReviewInput():
            return review(given)
        case SummarizeInput():
            return summarize(given)
        case SectionInput():
            return write_section(given)
        case FrameInput():
            return write_frame(given)
        case CheckInput():
            return Check()
        case DelegateSummaryInput():
            return write_digest(given)
        case TaskPlanInput():
            return plan_task(given)
        case RoundInput():
            return next_round(given)
        case StrategyInput():
            return plan_trade(given)
        case QuantInput():
            return report_signal(given)
        case DecisionInput():
            return decide_trade(given)
        case _:
            raise _unknown_input(given)


def _unknown_input(shown: PromptInput) -> ModelFailed:
    return ModelFailed(f"the offline model has no rule for {type(shown).__name__}; choose another model for this role")

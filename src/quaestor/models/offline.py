"""The model that needs none: each role's contract fulfilled by the offline rules of its workflow."""

from collections.abc import Callable
from functools import cached_property

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.event import ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall, ToolsRequest
from quaestor.contracts.plugin import AnswerRule, OfflineRules, ToolRule
from quaestor.contracts.roles import PromptInput, RoleInput

_ONE_CALL = Spend(model_calls=1)


class OfflineModel:
    """A model that applies the rules of a workflow, with no network and no weights, the same to the byte every time."""

    name = "offline"

    def __init__(self, load_rules: Callable[[], OfflineRules]) -> None:
        self._load_rules = load_rules

    @cached_property
    def _rules(self) -> OfflineRules:
        return self._load_rules()

    def prepare(self, request: ModelRequest) -> PreparedCall:  # noqa: ARG002 - the port's signature; all calls are alike
        """Return what any call is: one call, no prompt, no tokens, no dollars."""
        return PreparedCall(model=self.name, ceiling=_ONE_CALL, pure=True)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:  # noqa: ARG002 - nothing to send
        """Answer with the JSON of the contract, or with tool calls. Raises ModelFailed for an input without a rule."""
        match request:
            case OutputRequest(given=given):
                return ModelReply(text=answer_role(self._rules, given).model_dump_json(), spend=_ONE_CALL)
            case ToolsRequest(given=given):
                return ModelReply(text="", calls=choose_tools(self._rules, given), spend=_ONE_CALL)


def answer_role(rules: OfflineRules, given: RoleInput) -> Contract:
    """Return the reply to a role's input. Raises ModelFailed for an input without a rule."""
    for rule in rules:
        if isinstance(rule, AnswerRule) and isinstance(given, rule.given):
            return rule.answer(given)
    raise _no_rule(given)


def choose_tools(rules: OfflineRules, given: PromptInput) -> tuple[ToolCall, ...]:
    """Return the tool calls of a role's tool pass. Raises ModelFailed for an input without a rule."""
    for rule in rules:
        if isinstance(rule, ToolRule) and isinstance(given, rule.given):
            return rule.choose(given)
    raise _no_rule(given)


def _no_rule(given: PromptInput) -> ModelFailed:
    return ModelFailed(f"the offline model has no rule for {type(given).__name__}; choose another model for this role")

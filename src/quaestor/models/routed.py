"""Which model answers which call: by role, and by how often the call got no reply."""

from collections.abc import Mapping, Sequence

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed, ModelRefused
from quaestor.contracts.model import ModelReply, ModelRequest, Prepared
from quaestor.contracts.ports import Model


class RoutedModel:
    """Asks the first model of a role's chain, and the next one when it gave no reply; a `Model`.

    Every try is a call of its own with its own reservation, so each event names the model that was asked.
    """

    def __init__(self, default: Sequence[Model], by_role: Mapping[str, Sequence[Model]]) -> None:
        self.name = default[0].name
        self._default = default
        self._by_role = by_role

    @property
    def longest(self) -> int:
        """How many models the longest chain has."""
        return max(len(chain) for chain in (self._default, *self._by_role.values()))

    def prepare(self, request: ModelRequest) -> Prepared:
        """Say what the call will be with the model whose turn it is."""
        model, own = self._turn(request)
        return model.prepare(own)

    async def answer(self, request: ModelRequest, prepared: Prepared) -> ModelReply:
        """Answer by the model whose turn it is; one that refuses leaves the turn to the next one, if there is one."""
        model, own = self._turn(request)
        try:
            return await model.answer(own, prepared)
        except ModelRefused as error:
            if model is self._chain(request)[-1]:
                raise
            raise ModelFailed(str(error), Spend(model_calls=1)) from error

    def _turn(self, request: ModelRequest) -> tuple[Model, ModelRequest]:
        """Give the model whose turn it is, and the request with the failures that are its own."""
        chain = self._chain(request)
        place = min(request.failures, len(chain) - 1)
        return chain[place], request.model_copy(update={"failures": request.failures - place})

    def _chain(self, request: ModelRequest) -> Sequence[Model]:
        return self._by_role.get(request.role, self._default)

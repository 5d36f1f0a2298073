from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ModelFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import ModelReply, ModelRequest
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
    SummarizeGiven,
)
from quaestor.models.offline.clarifying import clarify
from quaestor.models.offline.planning import plan
from quaestor.models.offline.querying import write_queries
from quaestor.models.offline.reading import read
from quaestor.models.offline.reflecting import reflect
from quaestor.models.offline.reviewing import review
from quaestor.models.offline.summarising import summarise
from quaestor.models.offline.writing import write_frame, write_section

_ONE_CALL = Spend(model_calls=1)


class OfflineModel:
    """Fulfils every contract by extraction, with no network and no weights, the same to the byte every time."""

    name = "offline"

    def ceiling(self, request: ModelRequest) -> Spend:  # noqa: ARG002 - the port's signature; every call costs the same
        """Give the cost of any call: one call, no tokens, no dollars."""
        return _ONE_CALL

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Answer with the JSON of the contract; ModelFailed for a role whose input it does not know."""
        return ModelReply(text=fulfil(request.given).model_dump_json(), spend=_ONE_CALL)


def fulfil(given: Given) -> Noun:
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
        case _:
            raise ModelFailed(
                f"The offline model has no rule for {type(given).__name__}; choose another model for this role."
            )

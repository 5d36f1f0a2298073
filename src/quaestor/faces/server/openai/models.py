"""The models that OpenAI clients may name: one for each workflow that answers."""

from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter

from quaestor.contracts.base import Contract
from quaestor.faces.server.authentication import Reader
from quaestor.faces.server.openai.requests import WORKFLOWS, ModelId
from quaestor.faces.server.problems import ProblemRaised

router = APIRouter(prefix="/v1", tags=["openai"])
_CREATED = 1_767_225_600
"""The beginning of 2026: clients expect a time."""


class Model(Contract):
    """A model."""

    id: ModelId
    object: Literal["model"] = "model"
    created: int = _CREATED
    owned_by: Literal["quaestor"] = "quaestor"


class ModelList(Contract):
    """All models."""

    object: Literal["list"] = "list"
    data: tuple[Model, ...]


def require_model(name: str) -> ModelId:
    """Return a model. Raises ProblemRaised for one that there is not."""
    for known in WORKFLOWS:
        if name == known:
            return known
    raise ProblemRaised(
        HTTPStatus.NOT_FOUND,
        f"there is no model {name[:60]!r}; name {' or '.join(WORKFLOWS)}",
        name="model-not-found",
    )


@router.get("/models")
async def models(caller: Reader) -> ModelList:
    """List the models."""
    del caller
    return ModelList(data=tuple(Model(id=name) for name in WORKFLOWS))


@router.get("/models/{model}")
async def model(model: str, caller: Reader) -> Model:
    """Look at a model."""
    del caller
    return Model(id=require_model(model))

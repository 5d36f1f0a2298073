"""Which models a server offers now, by its list of models."""

from typing import Literal

from pydantic import BaseModel, ValidationError

from quaestor.contracts.immutable import Immutable
from quaestor.http.body import decode_text, read_body
from quaestor.http.client import HttpClient
from quaestor.http.errors import HttpError
from quaestor.http.limits import RateLimit
from quaestor.models.chat.exchange import is_error_response, provider_endpoint

_MAX_LIST_BYTES = 4 * 1024 * 1024


class ServedModels(Immutable):
    """The answer of a server that was asked for its models: their names, or why there are none."""

    state: Literal["listed", "absent", "refused"]
    """absent: no server answers there."""
    names: tuple[str, ...] = ()
    reason: str = ""


class _Model(BaseModel):
    id: str


class _Models(BaseModel):
    data: tuple[_Model, ...]


async def list_served_models(base_url: str, key: str | None, seconds: float) -> ServedModels:
    """Ask a chat API for its models, for so many seconds at most. Raises UsageError for an invalid base URL or key."""
    endpoint = provider_endpoint(base_url, key)
    client = HttpClient(RateLimit(timeout_seconds=seconds))
    try:
        async with client.send("GET", endpoint.url("models"), endpoint.headers) as response:
            if is_error_response(response):
                return ServedModels("refused", reason=f"{endpoint.display_url} answered {response.status_code}")
            listed = _Models.model_validate_json(decode_text(await read_body(response, _MAX_LIST_BYTES)))
            return ServedModels("listed", tuple(sorted(model.id for model in listed.data)))
    except HttpError as error:
        return ServedModels("absent", reason=endpoint.redaction.redact(str(error)))
    except ValidationError:
        return ServedModels("refused", reason=f"{endpoint.display_url} has no list of models")
    finally:
        await client.close()

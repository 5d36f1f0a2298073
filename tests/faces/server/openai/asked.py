"""What tests ask by the SDK, and what they look at in its answers."""

from collections.abc import Sequence
from typing import Any

from openai import AsyncOpenAI
from openai.types.responses import Response, ResponseOutputMessage
from openai.types.responses import ResponseFunctionWebSearch as Search
from pydantic import TypeAdapter

from faces.server.served import COLLECTION, until
from fakes.sittings import LIGHTHOUSE

RESEARCH = "quaestor-research"
UNCLEAR = "When was it built?"
SOURCES: Any = [{"type": "file_search", "vector_store_ids": [COLLECTION]}]
_ITEM: TypeAdapter[Search | ResponseOutputMessage] = TypeAdapter(Search | ResponseOutputMessage)


async def ask(client: AsyncOpenAI, question: str = LIGHTHOUSE, **options: Any) -> Any:  # noqa: ANN401 -- as the SDK says
    return await client.responses.create(**{"model": RESEARCH, "input": question, "tools": SOURCES, **options})


async def poll(client: AsyncOpenAI, response_id: str) -> Response:
    """Return a response at its end, as clients wait for it that cannot follow."""

    async def ended() -> Response | None:
        found = await client.responses.retrieve(response_id)
        return None if found.status in {"queued", "in_progress"} else found

    found = await until(ended)
    assert found
    return found


def checked_items(response: Response) -> Sequence[Any]:
    """Return the items of a response; those that the SDK knows are held against its types."""
    items = [item.to_dict() for item in response.output]
    return [item if str(item["type"]).startswith("quaestor:") else _ITEM.validate_python(item) for item in items]

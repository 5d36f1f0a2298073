"""Examples of the OpenAPI document. Tests send every one of them."""

from fastapi.openapi.models import Example

_QUESTION = "When was the Aldmouth lighthouse built?"
_DOCUMENTS = [{"type": "file_search", "vector_store_ids": ["harbour"]}]

RESPONSES: dict[str, Example] = {
    "background": {
        "summary": "Ask in the background",
        "value": {"model": "quaestor-research", "input": _QUESTION, "background": True, "tools": _DOCUMENTS},
    },
}

CHATS: dict[str, Example] = {
    "chat": {
        "summary": "Ask and wait",
        "value": {
            "model": "quaestor-research",
            "messages": [{"role": "user", "content": _QUESTION}],
            "tools": _DOCUMENTS,
        },
    },
}

"""How the fake chat completions server puts an answer into bytes: at once, or as a stream of events."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from fakes.openai_wire import Asked, Calls, Said
from quaestor.contracts.cost import Usage

_PIECE = 7
"""Characters of an answer in one event."""


def whole(asked: Asked, answer: Said | Calls, usage: Usage) -> bytes:
    """Return the answer as one JSON body, with much that nobody asked for."""
    message: dict[str, JsonValue] = {"role": "assistant", "reasoning_content": "Hm.", "annotations": []}
    match answer:
        case Said():
            message |= {"content": answer.text, "refusal": answer.refusal}
        case Calls():
            message |= {"content": answer.text, "tool_calls": list(_calls(answer))}
    choice: JsonValue = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(answer)}
    body: dict[str, JsonValue] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1767225600,
        "model": asked.model,
        "choices": [choice],
        "system_fingerprint": "fp_1",
    }
    if _counted(answer):
        body["usage"] = _usage(usage)
    return json.dumps(body, ensure_ascii=False).encode()


def stream(asked: Asked, answer: Said | Calls, usage: Usage) -> tuple[bytes, ...]:
    """Return the answer as the bytes of a stream, cut anywhere, also within a character."""
    events = [
        ": waiting\r\n\r\n",
        *(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in _events(asked, answer, usage)),
        "data: [DONE]\r\n\r\n",
    ]
    sent = "".join(events).encode()
    return tuple(sent[start : start + 101] for start in range(0, len(sent), 101))


def _events(asked: Asked, answer: Said | Calls, usage: Usage) -> Iterator[JsonValue]:
    for delta in _deltas(answer):
        yield _event(asked, [{"index": 0, "delta": delta, "finish_reason": None}])
    yield _event(asked, [{"index": 0, "delta": {}, "finish_reason": _finish(answer)}])
    if asked.stream_options.get("include_usage") and _counted(answer):
        yield {**_event(asked, []), "usage": _usage(usage)}


def _deltas(answer: Said | Calls) -> Iterator[JsonValue]:
    yield {"role": "assistant", "content": ""}
    match answer:
        case Said():
            for start in range(0, len(answer.text), _PIECE):
                yield {"content": answer.text[start : start + _PIECE]}
            if answer.refusal:
                yield {"refusal": answer.refusal}
        case Calls():
            if answer.text:
                yield {"content": answer.text}
            for index, call in enumerate(answer.calls):
                named: JsonValue = {"name": call.name, "arguments": ""}
                yield {"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": named}]}
                for start in range(0, len(call.arguments), _PIECE):
                    part: JsonValue = {"arguments": call.arguments[start : start + _PIECE]}
                    yield {"tool_calls": [{"index": index, "function": part}]}


def _event(asked: Asked, choices: list[JsonValue]) -> dict[str, JsonValue]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": asked.model, "choices": choices}


def _calls(answer: Calls) -> Iterator[JsonValue]:
    for call in answer.calls:
        function: JsonValue = {"name": call.name, "arguments": call.arguments}
        yield {"type": "function", "function": function} | ({"id": call.id} if call.id else {})


def _finish(answer: Said | Calls) -> str:
    return answer.finish if isinstance(answer, Said) else "tool_calls"


def _counted(answer: Said | Calls) -> bool:
    return answer.counted if isinstance(answer, Said) else True


def _usage(usage: Usage) -> JsonValue:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens, "audio_tokens": 0},
    }

"""Requests and answers of the fake native servers, in the form of chat completions.

The shapes are those of the Anthropic Messages API, Bedrock's Converse, Gemini's generateContent, Mistral's chat
completions and OpenAI's Responses, as their references document them.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue, TypeAdapter
from typing_extensions import override

from fakes.openai_wire import Asked, Call, Calls, Said, Status
from quaestor.contracts.cost import Usage

Json = dict[str, JsonValue]
Body = dict[str, Any]

_OBJECT: TypeAdapter[Json] = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as it is sent."""

    body: JsonValue
    headers: Mapping[str, str]


class Dialect(ABC):
    """One API."""

    @abstractmethod
    def asked(self, body: Body, path: str) -> Asked:
        """Return what a body asks. Raises KeyError, TypeError or ValidationError for one that the API does not take."""

    @abstractmethod
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        """Return an answer."""

    def refusal(self, status: Status) -> Refusal:
        """Return an error: `code` is its type or its code."""
        error: Json = {"message": status.message, "type": "error", "param": None, "code": status.code}
        return Refusal({"error": error}, {})


class Anthropic(Dialect):
    """POST /v1/messages."""

    _TYPES: Mapping[int, str] = {
        400: "invalid_request_error",
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        529: "overloaded_error",
    }
    _STOPS: Mapping[str, str] = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}

    @override
    def asked(self, body: Body, path: str) -> Asked:
        system = [{"role": "system", "content": _text(body.get("system", []))}] if body.get("system") else []
        told = [{"role": message["role"], "content": _text(message["content"])} for message in body["messages"]]
        offered = [(tool["name"], tool["description"], tool["input_schema"]) for tool in body.get("tools", [])]
        return _asked(
            model=body["model"],
            messages=[*system, *told],
            limit=body["max_tokens"],
            temperature=body.get("temperature"),
            schema=body.get("output_config", {}).get("format", {}).get("schema"),
            tools=offered,
            forced=body.get("tool_choice", {}).get("type") in {"any", "tool"},
        )

    @override
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        counted = usage or Usage(input_tokens=0, output_tokens=0)
        said = answer.text or ""
        content: list[JsonValue] = [{"type": "text", "text": said, "citations": None}] if said else []
        stop = "tool_use"
        match answer:
            case Said(refusal=refusal, finish=finish):
                stop = "refusal" if refusal else self._STOPS[finish]
            case Calls():
                content += [
                    {"type": "tool_use", "id": call.id or "toolu_1", "name": call.name, "input": _given(call)}
                    for call in answer.calls
                ]
        return {
            "id": "msg_01",
            "type": "message",
            "role": "assistant",
            "model": "claude-test",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {
                "input_tokens": counted.input_tokens - counted.cached_tokens - counted.written_tokens,
                "cache_creation_input_tokens": counted.written_tokens,
                "cache_read_input_tokens": counted.cached_tokens,
                "output_tokens": counted.output_tokens,
                "service_tier": "standard",
            },
        }

    @override
    def refusal(self, status: Status) -> Refusal:
        error: Json = {"type": self._TYPES.get(status.status, "api_error"), "message": status.message}
        return Refusal({"type": "error", "error": error, "request_id": "req_01"}, {"request-id": "req_01"})


class Bedrock(Dialect):
    """POST /model/MODEL/converse."""

    _CODES: Mapping[int, str] = {
        400: "ValidationException",
        403: "AccessDeniedException",
        404: "ResourceNotFoundException",
        429: "ThrottlingException",
        503: "ServiceUnavailableException",
    }
    _STOPS: Mapping[str, str] = {"stop": "end_turn", "length": "max_tokens", "content_filter": "content_filtered"}

    @override
    def asked(self, body: Body, path: str) -> Asked:
        system = [{"role": "system", "content": _text(body["system"])}] if body.get("system") else []
        told = [{"role": message["role"], "content": _text(message["content"])} for message in body["messages"]]
        offered = [tool["toolSpec"] for tool in body.get("toolConfig", {}).get("tools", []) if "toolSpec" in tool]
        structure = body.get("outputConfig", {}).get("textFormat", {}).get("structure")
        return _asked(
            model=path.split("/")[2],
            messages=[*system, *told],
            limit=body["inferenceConfig"]["maxTokens"],
            temperature=body["inferenceConfig"].get("temperature"),
            schema=json.loads(structure["jsonSchema"]["schema"]) if structure else None,
            tools=[(tool["name"], tool["description"], tool["inputSchema"]["json"]) for tool in offered],
            forced="any" in body.get("toolConfig", {}).get("toolChoice", {}),
        )

    @override
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        counted = usage or Usage(input_tokens=0, output_tokens=0)
        content: list[JsonValue] = [{"text": answer.text}] if answer.text else []
        stop = "tool_use"
        match answer:
            case Said(refusal=refusal, finish=finish):
                stop = "content_filtered" if refusal else self._STOPS[finish]
            case Calls():
                content += [
                    {"toolUse": {"toolUseId": call.id or "tooluse_1", "name": call.name, "input": _given(call)}}
                    for call in answer.calls
                ]
        message: Json = {"role": "assistant", "content": content}
        return {
            "output": {"message": message},
            "stopReason": stop,
            "metrics": {"latencyMs": 1},
            "usage": {
                "inputTokens": counted.input_tokens - counted.cached_tokens - counted.written_tokens,
                "outputTokens": counted.output_tokens,
                "totalTokens": counted.input_tokens + counted.output_tokens,
                "cacheReadInputTokens": counted.cached_tokens,
                "cacheWriteInputTokens": counted.written_tokens,
            },
        }

    @override
    def refusal(self, status: Status) -> Refusal:
        code = self._CODES.get(status.status, "InternalServerException")
        return Refusal({"message": status.message}, {"x-amzn-errortype": f"{code}:"})


class Google(Dialect):
    """POST /v1beta/models/MODEL:generateContent."""

    _STATUSES: Mapping[int, str] = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        503: "UNAVAILABLE",
    }
    _STOPS: Mapping[str, str] = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}

    @override
    def asked(self, body: Body, path: str) -> Asked:
        system = [{"role": "system", "content": _text(body["systemInstruction"]["parts"])}]
        roles = {"user": "user", "model": "assistant"}
        told = [{"role": roles[turn["role"]], "content": _text(turn["parts"])} for turn in body["contents"]]
        settings = body["generationConfig"]
        offered = [each for tool in body.get("tools", []) for each in tool["functionDeclarations"]]
        return _asked(
            model=path.rpartition("/")[2].partition(":")[0],
            messages=[*system, *told],
            limit=settings["maxOutputTokens"],
            temperature=settings.get("temperature"),
            schema=settings.get("responseJsonSchema"),
            tools=[(each["name"], each["description"], each["parameters_json_schema"]) for each in offered],
            forced=body.get("toolConfig", {}).get("functionCallingConfig", {}).get("mode") == "ANY",
        )

    @override
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        parts: list[JsonValue] = [{"text": answer.text}] if answer.text else []
        stop = "STOP"
        match answer:
            case Said(refusal=refusal, finish=finish):
                stop = "PROHIBITED_CONTENT" if refusal else self._STOPS[finish]
            case Calls():
                parts += [{"functionCall": {"name": call.name, "args": _given(call)}} for call in answer.calls]
        content: Json = {"role": "model", "parts": parts}
        body: Json = {
            "candidates": [{"content": content, "finishReason": stop, "index": 0}],
            "modelVersion": "gemini-test",
            "responseId": "r1",
        }
        if usage:
            thought = usage.output_tokens // 2
            body["usageMetadata"] = {
                "promptTokenCount": usage.input_tokens,
                "cachedContentTokenCount": usage.cached_tokens,
                "candidatesTokenCount": usage.output_tokens - thought,
                "thoughtsTokenCount": thought,
                "totalTokenCount": usage.input_tokens + usage.output_tokens,
            }
        return body

    @override
    def refusal(self, status: Status) -> Refusal:
        error: Json = {"code": status.status, "message": status.message}
        error["status"] = self._STATUSES.get(status.status, "INTERNAL")
        if status.code:  # here: how long to wait, as 0.01s
            error["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": status.code}]
        return Refusal({"error": error}, {})


class Mistral(Dialect):
    """POST /v1/chat/completions."""

    @override
    def asked(self, body: Body, path: str) -> Asked:
        offered = [tool["function"] for tool in body.get("tools") or []]
        told = [{"role": message["role"], "content": _text(message["content"])} for message in body["messages"]]
        return _asked(
            model=body["model"],
            messages=told,
            limit=body["max_tokens"],
            temperature=body.get("temperature"),
            schema=((body.get("response_format") or {}).get("json_schema") or {}).get("schema"),
            tools=[(tool["name"], tool["description"], tool["parameters"]) for tool in offered],
            forced=body.get("tool_choice") in {"any", "required"} or isinstance(body.get("tool_choice"), dict),
        )

    @override
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        message: Json = {"role": "assistant", "content": answer.text or "", "tool_calls": None}
        finish = "tool_calls"
        match answer:
            case Said():
                finish = "error" if answer.refusal else answer.finish
            case Calls():
                message["tool_calls"] = [
                    {"id": call.id or "Zk4jQx0p1", "index": index, "function": _function(call)}
                    for index, call in enumerate(answer.calls)
                ]
        choice: Json = {"index": 0, "message": message, "finish_reason": finish}
        counted = usage or Usage(input_tokens=0, output_tokens=0)
        return {
            "id": "cmpl-1",
            "object": "chat.completion",
            "created": 1767225600,
            "model": "mistral-test",
            "choices": [choice],
            "usage": {
                "prompt_tokens": counted.input_tokens,
                "completion_tokens": counted.output_tokens,
                "total_tokens": counted.input_tokens + counted.output_tokens,
            },
        }

    @override
    def refusal(self, status: Status) -> Refusal:
        return Refusal({"object": "error", "message": status.message, "type": "error", "code": status.code}, {})


class Responses(Dialect):
    """POST /v1/responses."""

    @override
    def asked(self, body: Body, path: str) -> Asked:
        told = [{"role": message["role"], "content": _text(message["content"])} for message in body["input"]]
        return _asked(
            model=body["model"],
            messages=told,
            limit=body["max_output_tokens"],
            temperature=body.get("temperature"),
            schema=body.get("text", {}).get("format", {}).get("schema"),
            tools=[(tool["name"], tool["description"], tool["parameters"]) for tool in body.get("tools", [])],
            forced=body.get("tool_choice") == "required",
        )

    @override
    def answer(self, answer: Said | Calls, usage: Usage | None) -> Json:
        output = list(self._output(answer))
        cut = answer.finish if isinstance(answer, Said) and answer.finish != "stop" else None
        reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
        body: Json = {
            "id": "resp_01",
            "object": "response",
            "created_at": 1767225600,
            "model": "gpt-test",
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": reasons[cut]} if cut else None,
            "error": None,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        if usage:
            body["usage"] = {
                "input_tokens": usage.input_tokens,
                "input_tokens_details": {"cached_tokens": usage.cached_tokens},
                "output_tokens": usage.output_tokens,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage.input_tokens + usage.output_tokens,
            }
        return body

    def _output(self, answer: Said | Calls) -> Iterator[JsonValue]:
        said: list[JsonValue] = []
        if answer.text:
            said.append({"type": "output_text", "text": answer.text, "annotations": []})
        if isinstance(answer, Said) and answer.refusal:
            said.append({"type": "refusal", "refusal": answer.refusal})
        if said:
            yield {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": said}
        if isinstance(answer, Calls):
            for call in answer.calls:
                named: Json = {"type": "function_call", "id": "fc_1", "call_id": call.id or "call_1"}
                yield {**named, **_function(call), "status": "completed"}


def dialect(path: str) -> Dialect | None:
    """Return the API that is served at a path."""
    match path.partition("?")[0].strip("/").split("/"):
        case ["v1", "messages"]:
            return Anthropic()
        case ["model", _, "converse"]:
            return Bedrock()
        case ["v1beta", "models", named] if named.endswith(":generateContent"):
            return Google()
        case ["v1", "chat", "completions"]:
            return Mistral()
        case ["v1", "responses"]:
            return Responses()
        case _:
            return None


def _asked(
    *,
    model: str,
    messages: list[Body],
    limit: int,
    temperature: float | None,
    schema: Body | None,
    tools: list[tuple[str, str, Body]],
    forced: bool,
) -> Asked:
    """Return a body as one of chat completions, which is refused with both tools and a schema."""
    functions = [{"name": name, "description": told, "parameters": takes} for name, told, takes in tools]
    choice = {"type": "function", "function": {"name": tools[0][0]}} if forced and len(tools) == 1 else "auto"
    contract = {"name": "contract", "strict": True, "schema": schema}
    return Asked.model_validate(
        {
            "model": model,
            "messages": messages,
            "max_tokens": limit,
            "temperature": temperature,
            "response_format": {"type": "json_schema", "json_schema": contract} if schema else None,
            "tools": [{"type": "function", "function": function} for function in functions],
            "tool_choice": choice if tools else None,
        }
    )


def _text(content: str | list[Body]) -> str:
    """Return the text of a content: a string, or parts; marks of caching have none."""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _given(call: Call) -> Json:
    return _OBJECT.validate_json(call.arguments)


def _function(call: Call) -> Json:
    return {"name": call.name, "arguments": call.arguments}

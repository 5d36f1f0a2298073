"""What a dutiful language model would answer: it reads the prompt it is sent, and nothing else.

It knows a contract by the fields of the schema it is asked for, finds its material between the fences of the prompt,
and quotes what stands there.
"""

import json
import re
from collections.abc import Mapping, Sequence

from pydantic import JsonValue, TypeAdapter

from fakes.openai_wire import Answer, Asked, Call, Calls

TASKS = (
    "When was the Aldmouth lighthouse built and what did it cost?",
    "When was the fog bell of Aldmouth cast and what did it cost?",
    "When were the leading lights of Aldmouth lit and what did they cost?",
)
_PART = re.compile(r"^(~{3,}) (\S+)[^\n]*\n(.*?)\n\1$", re.DOTALL | re.MULTILINE)
_FINDING = re.compile(r"^- (t[\d.]+/\d+): (.*?)(?: \(quotes: .*\))?$", re.MULTILINE)
_SCHEMA: TypeAdapter[dict[str, JsonValue]] = TypeAdapter(dict[str, JsonValue])
_JSON = json.JSONDecoder()


class Researcher:
    """Answers every role of a run; the planner plans these tasks, each on its own."""

    def __init__(self, tasks: Sequence[str] = TASKS) -> None:
        self._tasks = tasks

    def __call__(self, asked: Asked) -> Answer:
        """Return the answer to one request, in the manner in which it is asked for."""
        material = parts(asked)
        if asked.tools and asked.tool_choice == "auto":
            if "executed" in material:
                return "enough"
            query = json.dumps({"query": material["task"]})
            return Calls(calls=(Call(name="search", arguments=query, id="call-1"),))
        text = json.dumps(self._contract(fields(asked), material, asked), ensure_ascii=False)
        if asked.tools:
            return Calls(calls=(Call(name=asked.tools[0].function.name, arguments=text, id="call-1"),))
        return text

    def _contract(self, wanted: frozenset[str], material: Mapping[str, str], asked: Asked) -> JsonValue:  # noqa: C901 -- one arm a contract
        match sorted(wanted):
            case ["assumptions", "is_clear", "questions"]:
                return {"is_clear": True, "questions": [], "assumptions": []}
            case ["assumptions", "todos"]:
                return {
                    "todos": [todo(task, queries=_first_queries(task, asked)) for task in self._tasks],
                    "assumptions": [],
                }
            case ["queries"]:
                return {"queries": list(_queries(material, asked))}
            case ["findings"]:
                return {"findings": [_finding(label, text) for label, text in _passages(material)][:2]}
            case ["confidence", "evidence", "is_verified", "notes", "statement", "status"]:
                read = [_finding(label, text) for label, text in _passages(material)][:2]
                status = "supported" if read else "unverifiable"
                verdict: Mapping[str, JsonValue] = {
                    "is_verified": bool(read),
                    "status": status,
                    "confidence": 1,
                    "notes": "",
                }
                return {"statement": material["task"][:200], "evidence": read, **verdict}
            case ["follow_up_queries", "is_sufficient", "knowledge_gap", "new_todos", "status", "summary"]:
                said = [claim for _, claim in _found(material)]
                return {
                    "is_sufficient": bool(said),
                    "knowledge_gap": "" if said else "Nothing was found.",
                    "follow_up_queries": [],
                    "summary": " ".join(said)[:500],
                    "status": "failed" if "failure" in material else "done",
                    "new_todos": [],
                }
            case ["goal", "phases"]:
                return {"goal": "It is done.", "phases": [{"title": "Do it", "checklist": []}]}
            case ["assistant_answer", "done", "done_reason", "tool_call", "writeback"]:
                written: JsonValue = {"findings_append": [], "progress_append": ["Done."]}
                return {"assistant_answer": "It is done.", "done": True, "done_reason": "done", "writeback": written}
            case ["heading", "sentences"]:
                return {"heading": material["task"][:80], "sentences": _sentences(material)}
            case ["answer", "conclusion", "key_findings", "summary", "title"]:
                said_all = _sentences(material)
                return {
                    "title": "A report",
                    "summary": said_all[:2],
                    "key_findings": said_all[2:4],
                    "conclusion": [],
                    "answer": None,
                }
            case ["text"]:
                return {"text": "In short."}
            case ["verdicts"]:
                numbers = re.findall(r"^~{3,} sentence (\d+)", asked.messages[1].content, re.MULTILINE)
                return {"verdicts": [{"number": int(number), "verdict": "supported"} for number in numbers]}
            case other:
                raise AssertionError(f"no role has the fields {other}")


def todo(task: str, **more: JsonValue) -> dict[str, JsonValue]:
    """Return a todo of a plan."""
    return {
        "task": task,
        "kind": "research",
        "dependencies": [],
        "source_hint": None,
        "queries": [],
        "agent": None,
        **more,
    }


def parts(asked: Asked) -> Mapping[str, str]:
    """Return the texts between the fences of the first user message, by name."""
    user = next(message.content for message in asked.messages if message.role == "user")
    return {found[2]: found[3] for found in _PART.finditer(user)}


def fields(asked: Asked) -> frozenset[str]:
    """Return the fields of the contract that is asked for, in whichever manner."""
    if asked.response_format and asked.response_format.json_schema:
        schema = dict(asked.response_format.json_schema.contract)
    elif asked.tools:
        schema = dict(asked.tools[0].function.parameters)
    else:
        schema = _told(asked.messages[0].content)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    return frozenset(properties)


def _told(system: str) -> dict[str, JsonValue]:
    """Return the JSON Schema in a system message."""
    for place in re.finditer(r"^\{", system, re.MULTILINE):
        value = _SCHEMA.validate_python(_JSON.raw_decode(system, place.start())[0])
        if "properties" in value:
            return value
    raise AssertionError("the system message holds no schema")


def _queries(material: Mapping[str, str], asked: Asked) -> Sequence[str]:
    said = re.search(r"Write exactly (\d+)", asked.messages[1].content)
    assert said
    before = material.get("executed", "").casefold()
    return [query for query in _turned(material["task"]) if query.casefold() not in before][: int(said[1])]


def _first_queries(task: str, asked: Asked) -> list[JsonValue]:
    said = re.search(r"`queries` is (\d+)", asked.messages[1].content)
    assert said
    return [*_turned(task)[: int(said[1])]]


def _turned(task: str) -> Sequence[str]:
    """Return queries of the same words, each in another order."""
    words = task.strip("?").split()
    return [" ".join(words[turn:] + words[:turn]) for turn in range(1, len(words))]


def _passages(material: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    return [(name, text) for name, text in material.items() if re.fullmatch(r"p\d+", name)]


def _finding(label: str, text: str) -> JsonValue:
    sentence = re.split(r"(?<=[.!?])\s", text.strip().replace("\n", " "))[0]
    quote: dict[str, JsonValue] = {"source": label, "text": sentence}
    return {"claim": sentence, "quotes": [quote]}


def _found(material: Mapping[str, str]) -> list[tuple[str, str]]:
    return _FINDING.findall(material.get("findings", ""))


def _sentences(material: Mapping[str, str]) -> list[JsonValue]:
    return [{"text": claim, "findings": [ref]} for ref, claim in _found(material)]

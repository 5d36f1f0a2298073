"""What a dutiful language model would answer in a decision cycle: it reads the prompt it is sent, and nothing else."""

import json
import re
from collections.abc import Callable, Sequence

from pydantic import JsonValue

from fakes.openai_wire import Answer, Asked, Call, Calls
from fakes.researcher import fields, parts

_READING = re.compile(r"(?:^|- )(\S+ \S+ rsi\(14\)) = (\S+) \(run (\S+)\)", re.MULTILINE)
_ROOM = re.compile(r"(\S+): price \S+, held \S+, can be bought up to (\S+),")

Looks = Sequence[Call]
LOOKS: Looks = (
    Call(name="get_portfolio_state", arguments="{}", id="call-1"),
    Call(name="get_market_snapshot", arguments='{"assets": ["BTC/USDT"]}', id="call-2"),
)


class Trader:
    """Plays all three roles: looks at both tools once, computes one more indicator, and buys half of what it may.

    `report` answers for the quant in its place, and `looks` is what the strategist calls at first.
    """

    def __init__(self, report: Callable[[Asked], Answer] | None = None, looks: Looks = LOOKS) -> None:
        self._report = report
        self._looks = looks

    def __call__(self, asked: Asked) -> Answer:
        """Return the answer to one request, in the manner in which it is asked for."""
        material = parts(asked)
        if asked.tools and asked.tool_choice == "auto":
            return self._chosen(asked)
        answer: JsonValue
        match sorted(fields(asked)):
            case ["assets", "constraints", "expected_outputs", "objective", "quant_question", "timeframes"]:
                answer = {
                    "objective": "See whether to buy.",
                    "assets": ["BTC/USDT"],
                    "quant_question": f"Is BTC/USDT cheap? ({len(material.get('memory', ''))})",
                    "timeframes": ["1h"],
                    "constraints": {},
                    "expected_outputs": ["rsi"],
                }
            case ["confidence", "reasoning", "signal", "technical_indicators"]:
                if self._report:
                    return self._report(asked)
                answer = report(asked)
            case ["action", "asset", "confidence", "quantity", "reasoning", "strategy_used"]:
                answer = _decision(material["room"])
            case other:
                raise AssertionError(f"no role of a decision has the fields {other}")
        text = json.dumps(answer)
        return Calls(calls=(Call(name=asked.tools[0].function.name, arguments=text, id="c"),)) if asked.tools else text

    def _chosen(self, asked: Asked) -> Answer:
        material = parts(asked)
        if {"seen", "refused"} & material.keys() or "atr(" in material.get("readings", ""):
            return "enough"
        if "get_portfolio_state" in offered(asked):
            return Calls(calls=tuple(self._looks))
        wanted = json.dumps({"asset": "BTC/USDT", "timeframe": "1h", "indicator": "atr"})
        return Calls(calls=(Call(name="run_indicator", arguments=wanted, id="call-3"),))


def offered(asked: Asked) -> tuple[str, ...]:
    """Name the tools that a request offers."""
    return tuple(tool.function.name for tool in asked.tools)


def report(asked: Asked) -> JsonValue:
    """Return a report whose only number was computed."""
    found = _READING.search(parts(asked)["readings"])
    assert found
    number: JsonValue = {"value": float(found[2]), "run": found[3]}
    return {
        "signal": "bullish",
        "confidence": 0.8,
        "reasoning": "It is cheap.",
        "technical_indicators": {found[1]: number},
    }


def _decision(room: str) -> JsonValue:
    found = _ROOM.search(room)
    assert found
    return {
        "action": "buy",
        "asset": found[1],
        "quantity": float(found[2]) / 2,
        "confidence": 0.8,
        "reasoning": "The report is bullish.",
        "strategy_used": "rsi",
    }

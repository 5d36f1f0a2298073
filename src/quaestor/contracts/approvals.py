"""Approvals that a person gives for good: to one exact call, to every call of a tool, or to every call of a session."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract

ApprovalScope = Literal["command", "tool", "session"]
_ALWAYS = "always"
_SCOPES: dict[str, ApprovalScope] = {"command": "command", "call": "command", "tool": "tool", "session": "session"}
_FILLERS = frozenset({"approve", "allow", "yes", "for", "in", "of", "this", "the", "that", "exact", "exactly", "whole"})
"""Words that may stand beside a scope; with any other one an answer may mean something else."""


class ApprovableCall(Contract):
    """A call that waits for a person's yes."""

    tool: str
    call: str = Field(description="The call with its arguments as JSON; equal calls have an equal one.")

    @property
    def arguments(self) -> Mapping[str, str]:
        """The arguments by name as a person reads them: texts as they are, all else as JSON; none if it is no call.

        What takes one line comes first, as a path before the content of its file.
        """
        try:
            given: object = json.loads(self.call)
        except ValueError:
            return {}
        if not isinstance(given, dict):
            return {}
        texts = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in given.items()
            if name != "tool"
        }
        return dict(sorted(texts.items(), key=lambda named: "\n" in named[1]))


class StandingApproval(Contract):
    """What runs without being asked about again."""

    tool: str | None = Field(default=None, description="The tool; left out: every tool.")
    call: str | None = Field(default=None, description="The exact call as JSON; left out: every call of the tool.")

    def covers(self, tool: str, call: str) -> bool:
        """Return whether a call of a tool needs no further yes."""
        return self.tool in {None, tool} and self.call in {None, call}

    def describe(self) -> str:
        """Return what is approved, in a few words."""
        if self.tool is None:
            return "every call"
        return f"every call of {self.tool}" if self.call is None else f"{self.tool} with exactly {self.call}"


def is_covered(approved: Collection[StandingApproval], tool: str, call: str) -> bool:
    """Return whether one of several approvals covers a call."""
    return any(each.covers(tool, call) for each in approved)


def standing_approval(asked: ApprovableCall | None, answer: str) -> StandingApproval | None:
    """Return what an answer approves for good, as `always tool`; None where it approves nothing, or this call alone."""
    scope = _parse_scope(answer)
    if asked is None or scope is None:
        return None
    match scope:
        case "session":
            return StandingApproval()
        case "tool":
            return StandingApproval(tool=asked.tool)
        case "command":
            return StandingApproval(tool=asked.tool, call=asked.call)


def is_standing(answer: str) -> bool:
    """Return whether an answer approves for good."""
    return _parse_scope(answer) is not None


def _parse_scope(answer: str) -> ApprovalScope | None:
    words = re.findall(r"\w+", answer.casefold())
    if not words or words[0] != _ALWAYS:
        return None
    others = {word for word in words[1:] if word not in _SCOPES}
    named = {_SCOPES[word] for word in words if word in _SCOPES}
    if not others <= _FILLERS:  # "always ask before this tool" approves nothing
        return None
    return named.pop() if len(named) == 1 else None

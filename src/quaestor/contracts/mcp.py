"""Servers of the Model Context Protocol: their addresses, the tools they offer, and requests to them."""

import json
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from quaestor.contracts.base import Contract

INTERRUPTED = "the run ended before an answer came; it may have been done, so it is not done again"
"""What is known of a tool that may change something when its call was cut off."""

_VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_()]*$")]
ServerName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]


class McpServer(Contract):
    """One server: a program that is started and spoken to through its pipes, or an address that is asked over HTTP."""

    command: str | None = Field(default=None, min_length=1, description="The program, by its name or its path.")
    args: tuple[str, ...] = Field(default=(), description="What the program is started with.")
    env: tuple[_VariableName, ...] = Field(
        default=(), description="Variables of the environment that the program gets too."
    )
    url: str | None = Field(default=None, pattern=r"^https?://[^/\s]+\S*$", description="Of a server over HTTP.")
    allow: tuple[str, ...] = Field(default=(), description="Tools to be used that do not say that they only read.")

    @model_validator(mode="after")
    def _is_reached_in_one_way(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("a server has a command or a url; give one of them")
        if self.url and (self.args or self.env):
            raise ValueError("args and env are for a command; a server with a url takes neither")
        return self


class ConsultInput(Contract):
    """For the tools consult and operate: which tool of which server is given what."""

    tool: str = Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_-]*\.\S+$", description="The name of the server, a dot, and that of its tool."
    )
    arguments: Mapping[str, JsonValue] = Field(default={}, description="What the tool takes, by its own schema.")

    @property
    def server(self) -> str:
        """The name of the server."""
        return self.tool.partition(".")[0]

    @property
    def written(self) -> str:
        """The arguments as JSON, equal for equal arguments."""
        return json.dumps(self.arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def call(self) -> str:
        """The call in one line."""
        return f"{self.tool} {self.written}"


class SurveyInput(Contract):
    """For the survey tool: the servers to be asked for their tools."""

    servers: tuple[str, ...] = Field(min_length=1)


class McpToolOffer(Contract):
    """A tool of a server that may be used, as the server describes it."""

    tool: str = Field(description="With the name of its server.")
    reads: bool = Field(description="It only reads, as it says itself; else it was allowed.")
    description: str = ""
    takes: Mapping[str, JsonValue] = Field(default={}, description="The JSON Schema of its arguments.")


class McpToolSurvey(Contract):
    """What servers offer; and which of them, or of their tools, cannot be used, with the reason."""

    offers: tuple[McpToolOffer, ...] = ()
    failures: tuple[str, ...] = ()

"""Who serves a model, and how it is reached."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.noun import Noun

OutputMode = Literal["schema", "object", "tool", "prompt"]
"""How a contract is asked for: by a JSON Schema the provider enforces, as any JSON object, as a call of one tool that
takes the contract, or by words alone."""


class Provider(Noun):
    """One provider as a run uses it; every call of the run to it shares its limits."""

    dialect: Literal["chat", "native"] = Field(
        default="chat", description="chat: the OpenAI chat API. native: the provider's own, with the extra llm."
    )
    base_url: str | None = Field(default=None, description="Of the chat API, as https://api.openai.com/v1.")
    key_env: str | None = Field(default=None, description="The variable that holds the key; None: no key is sent.")
    output: OutputMode = Field(default="schema", description="Tried first; what a server refuses is not tried again.")
    stream: bool = Field(default=False, description="Read the reply as it is written.")
    seconds: float | None = Field(default=None, gt=0, description="Time limit of one request; else call_seconds.")
    retries: int = Field(default=4, ge=0, description="Of a request that was answered 408, 409, 429 or 5xx.")
    backoff_seconds: float = Field(default=0.5, gt=0, description="Before the first retry; twice as long each time.")
    in_flight: int = Field(default=8, ge=1, description="Requests at the same time.")
    per_minute: int | None = Field(default=None, ge=1, description="Requests a minute.")

from typing import Literal

from pydantic import Field

from quaestor.contracts.budget import Budget
from quaestor.contracts.noun import Noun

Effort = Literal["low", "medium", "high"]


class ResearchOptions(Noun):
    """What one research session runs with; recorded when it starts, so that a restart runs with the same."""

    model: str = "offline"
    corpus: str = Field(default="", description="The id of the corpus that is searched.")
    roots: tuple[str, ...] = ()
    documents: int = Field(default=0, ge=0)
    queries: int = Field(default=3, ge=1, le=20, description="Queries a loop.")
    loops: int = Field(default=3, ge=1, le=50, description="Loops a todo.")
    parallel: int = Field(default=4, ge=1, le=200, description="Todos in progress at the same time.")
    max_todos: int = Field(default=20, ge=1, le=1000, description="Todos a session, follow-ups and retries included.")
    max_depth: int = Field(default=3, ge=0, description="How deep follow-ups of follow-ups may go.")
    max_retries: int = Field(default=2, ge=0)
    max_steps: int = Field(default=5000, ge=1, description="Model and tool calls a session.")
    hits: int = Field(default=6, ge=1, le=50, description="Passages a query.")
    reading_characters: int = Field(default=15_000, ge=500, description="The most a reader is shown at once.")
    prompt_characters: int = Field(default=8_000, ge=500, description="The most of ledger or memory a prompt shows.")
    memory_characters: int = Field(default=6_000, ge=500, description="Memory above this is compressed.")
    unsupported: Literal["mark", "drop"] = "mark"
    budget: Budget = Budget()

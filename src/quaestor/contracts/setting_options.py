"""The settings as keyword arguments, so that a type checker knows each name and its type."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import JsonValue
from typing_extensions import TypedDict

from quaestor.contracts.report_settings import Length
from quaestor.contracts.settings import Effort

_Table = Mapping[str, JsonValue]


class SettingOptions(TypedDict, total=False):
    """Settings of `Settings`, which describes them; what is left out comes from the environment or a file."""

    model: str
    models: Mapping[str, str]
    fallback: Sequence[str]
    providers: Mapping[str, _Table]
    prices: Mapping[str, _Table]
    window: int | None
    output_tokens: int | None
    agents: str | Path | None
    orchestrate: bool
    questions: bool
    review_plan: bool
    check: bool | None
    cache: bool
    embeddings: str | None
    web: Sequence[str] | None
    mcp: Mapping[str, _Table]
    discreet: bool
    as_of: str | date | None
    since: str | date | None
    allowed_domains: Sequence[str] | None
    denied_domains: Sequence[str] | None
    only_named: bool | None
    language: str | None
    length: Length | None
    audience: str | None
    sections: Sequence[str] | None
    pages: int
    allow: Sequence[str] | None
    approve: Sequence[str]
    approved: Sequence[_Table]
    approve_after_untrusted: bool
    todos: _Table
    workspace: str | Path | None
    rounds: int
    databases: Mapping[str, _Table]
    follow: str | Sequence[str]
    metrics: str | None
    store: str | None
    shared_folder: str | Path | None
    anchors: str | None
    notify_bell: bool
    notify_desktop: bool
    notify_webhook: str | None
    notify_command: str | None
    notify_address: str
    pause_seconds: float
    contact: str | None
    robots: bool
    effort: Effort
    queries: int | None
    loops: int | None
    parallel: int
    max_todos: int
    max_depth: int
    max_steps: int
    unsupported: Literal["mark", "drop"]
    max_model_calls: int | None
    max_tool_calls: int | None
    max_tokens: int | None
    max_dollars: str | float | Decimal | None
    max_seconds: float | None
    confirm_dollars: str | float | Decimal
    reserve_share: float
    reading_characters: int
    prompt_characters: int
    calls_in_flight: int
    call_seconds: float
    patience_seconds: float
    grace_seconds: float
    lease_seconds: float
    priority: int
    tenant_sessions: int | None

"""New sessions as clients over a network ask for them: what they may set, and which documents they may name."""

from collections.abc import Mapping
from decimal import Decimal

from pydantic import Field, JsonValue, ValidationError

from quaestor.app.network.uploads import DocumentRoots
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.context import SessionRequest
from quaestor.contracts.errors import UsageError
from quaestor.contracts.faults import describe_unusable
from quaestor.contracts.immutable import Immutable, field
from quaestor.contracts.report_settings import ReportSettings
from quaestor.contracts.session import LOCAL_TENANT, MAX_QUESTION_CHARACTERS, Session
from quaestor.contracts.settings import MAX_ROUNDS, Effort, Settings
from quaestor.research.operations import split_paths_and_urls
from quaestor.runtime.registry import FILE_MODELS

FORM_WORKFLOWS = ("research", "longtask")
"""What a person is offered to begin with a text and documents; others need options of their own."""
_MAX_DOCUMENTS = 100


class SessionSettings(ReportSettings):
    """The settings that a client may choose; what is left out is as on the server.

    Absent are those that read, write or start something on the server, or that say where a key is sent.
    """

    model: str | None = Field(default=None, max_length=200, description="offline, PROVIDER:NAME or replay:SESSION.")
    effort: Effort | None = None
    questions: bool | None = Field(default=None, description="Ask a person what is unclear.")
    review_plan: bool | None = Field(default=None, description="Carry out no plan that a person has not confirmed.")
    check: bool | None = Field(default=None, description="Let the checker compare every sentence with its quotes.")
    web: tuple[str, ...] | None = Field(
        default=None, max_length=20, description="Search engines to ask; an empty list is those that are set up."
    )
    discreet: bool | None = None
    allow: tuple[str, ...] | None = Field(default=None, max_length=50, description="The tools that may be called.")
    approve: tuple[str, ...] | None = Field(default=None, max_length=50, description="Calls that need a person's yes.")
    rounds: int | None = Field(default=None, ge=1, le=MAX_ROUNDS)
    pages: int | None = Field(default=None, ge=1, le=50)
    queries: int | None = Field(default=None, ge=1, le=20)
    loops: int | None = Field(default=None, ge=1, le=50)
    parallel: int | None = Field(default=None, ge=1, le=200)
    max_todos: int | None = Field(default=None, ge=1, le=1000)
    max_model_calls: int | None = Field(default=None, ge=0, le=10**9)
    max_tool_calls: int | None = Field(default=None, ge=0, le=10**9)
    max_tokens: int | None = Field(default=None, ge=0, le=10**12)
    max_dollars: Decimal | None = Field(default=None, ge=0, le=10**6, max_digits=12)
    max_seconds: float | None = Field(default=None, ge=0, le=10**9)
    priority: int | None = Field(
        default=None, ge=-10, le=10, description="Among those that wait for a worker; more is earlier."
    )

    def chosen(self) -> Mapping[str, JsonValue]:
        """Return what was chosen, by name."""
        chosen: Mapping[str, JsonValue] = self.model_dump(mode="json", exclude_none=True)
        return chosen


class NewSession(Contract):
    """A session that a client asks for."""

    workflow: str = Field(default="research", max_length=64, description="research, longtask or an installed one.")
    text: str = Field(min_length=1, max_length=MAX_QUESTION_CHARACTERS, description="The question or the task.")
    docs: tuple[str, ...] = Field(
        default=(),
        max_length=_MAX_DOCUMENTS,
        description="`collection:NAME`, or with scope admin a path of the server.",
    )
    urls: tuple[str, ...] = Field(default=(), max_length=_MAX_DOCUMENTS, description="Pages to read.")
    settings: SessionSettings = SessionSettings()


class Submitter(Immutable):
    """What a client may do beyond its own sessions and uploads."""

    is_admin: bool = False
    roots: DocumentRoots = field(default_factory=DocumentRoots)


async def begin_session(quaestor: Quaestor, new: NewSession, submitter: Submitter) -> str:
    """Start a session, or find the unfinished one of the same request; return its id.

    Raises UsageError for what cannot be carried out or may not be asked for, SetupError for a missing key.
    """
    settings = choose_settings(quaestor, new.settings, submitter)
    if new.workflow == "research":
        await quaestor.check(new.text, settings)
    paths, urls = split_paths_and_urls(new.urls)
    if paths:
        raise UsageError(f"{str(paths[0])[:200]!r} is no URL; a page is named by its http or https URL")
    folders = submitter.roots.resolve(quaestor, new.docs)
    corpus = await quaestor.index(folders) if folders else None
    if new.workflow == "research":
        return await quaestor.start(new.text, corpus, settings, urls)
    request = SessionRequest(text=new.text, corpus=corpus, urls=tuple(urls))
    return await quaestor.start_session(new.workflow, request, settings)


def can_replay(session: Session) -> bool:
    """Return whether a session can be run again with the answers of its log: research that is finished."""
    return session.workflow == "research" and session.outcome is not None


def choose_settings(quaestor: Quaestor, chosen: SessionSettings, submitter: Submitter) -> Settings:
    """Return the settings of the server with those that a client chose. Raises UsageError for what it may not."""
    kind = (chosen.model or "").partition(":")[0]
    if kind in FILE_MODELS and not submitter.is_admin:
        raise UsageError(f"the model {(chosen.model or '')[:60]!r} is a file of the server; name another model")
    values: dict[str, JsonValue] = {**chosen.chosen()}
    if (quaestor.tenant or LOCAL_TENANT) != LOCAL_TENANT:
        values["cache"] = False  # a reply that comes at once would show what another tenant has asked
    try:
        return quaestor.settings.revised(**values)
    except ValidationError as error:
        raise UsageError(describe_unusable(error)) from error

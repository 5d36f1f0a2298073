"""Every error Quaestor raises on purpose.

    QuaestorError
      UsageError            the caller's request is invalid                            exit 2
        UnknownSession
          NoSessions        the newest session is named, and there are none
        CommandRefused      a session does not take a command in the state that it is in
        UntrustedSettings   a folder's settings file sets what only a trusted one may
      SetupError            the machine or the home is not ready                       exit 3
        HomeNotWritable
        StoreCorrupt        the database is damaged; the file is left as it was
        StoreFull           no room to append; the run is resumable
        StoreUnavailable    the server of the store does not answer; the run is resumable
        SharedFolderHangs   the folder that machines share does not answer
        MissingKey          a service needs a key that is set nowhere
        MissingExtra        a feature needs a package that is not installed
        ModelRefused        a provider does not accept the key, the model or the request; the run is resumable
        ModelUnsuitable     no reply of a model can be used; the run is resumable
        ProviderUnavailable providers are out of order, or ask to be left alone; the run is resumable
        ReplayMiss          a replay asks for a call that the replayed session never made
      NoEvidence            nothing that was searched answers the question               exit 6
      LeaseUnavailable      another living process holds the session                   exit 1
      LeaseLost             this process lost its lease and may not append             exit 1
      LogCorrupt            the hash chain, a source or a citation does not verify     exit 1
      WorkflowError         a workflow broke its own state table                       exit 1
      ModelFailed           a model gave no usable answer
        ModelUnavailable    its provider is out of order; asking later may succeed
      ToolFailed            a tool could not do what it was asked
        ToolUnavailable     the service that it needs is out of order; asking later may succeed
        LookAhead           a tool was asked for what is later than the clock of its market

A message says what happened, with what input, and what to do.
"""

from collections.abc import Callable
from datetime import datetime

from quaestor.contracts.cost import Spend
from quaestor.contracts.lazy import LazyImport

_INSTALL_COMMAND: LazyImport[Callable[[str], str]] = LazyImport("quaestor.contracts.installation:install_command")

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_BUDGET_REACHED = 4
EXIT_WAITING = 5
EXIT_INTERRUPTED = 130
"""Exit codes that belong to no error."""


class QuaestorError(Exception):
    """The root: anything Quaestor raises on purpose."""

    exit_code = 1


class UsageError(QuaestorError):
    """The caller's request is invalid."""

    exit_code = 2


class UnknownSession(UsageError):
    """No session has this id."""


class NoSessions(UnknownSession):
    """The newest session is named, and there are none."""


class CommandRefused(UsageError):
    """A session does not take a command in the state that it is in."""


class UntrustedSettings(UsageError):
    """The settings file of a folder sets what only a trusted one may."""


class SetupError(QuaestorError):
    """The machine or the home is not ready."""

    exit_code = 3
    session_id: str | None = None
    """The session that was paused because of it; None where none was carried on."""
    paused_at: int | None = None
    """The number of the event that paused it."""


class HomeNotWritable(SetupError):
    """The home folder cannot be created or written."""


class StoreCorrupt(SetupError):
    """The database is damaged; the file is left as it was found."""


class StoreFull(SetupError):
    """There is no room to append; what was acknowledged is safe and the run is resumable."""


class StoreUnavailable(SetupError):
    """The server of the store does not answer; nothing of the transaction was kept and the run is resumable."""


class SharedFolderHangs(SetupError):
    """The folder that machines share does not answer; what waits for it cannot be stopped."""


class MissingKey(SetupError):
    """A service needs a key that is set nowhere."""


class MissingExtra(SetupError):
    """A feature needs a package that is not installed."""

    def __init__(self, need: str, extra: str) -> None:
        super().__init__(f"{need}: {_INSTALL_COMMAND.load()(extra)}")


class ModelRefused(SetupError):
    """A provider does not accept the key, the model or the request; asking again changes nothing."""


class ModelUnsuitable(SetupError):
    """No reply that a model gave in a cycle can be used."""


class ProviderUnavailable(SetupError):
    """Providers are out of order, or ask to be left alone until a time; the run is resumable."""

    def __init__(self, message: str, until: datetime | None = None) -> None:
        super().__init__(message)
        self.until = until


class ReplayMiss(SetupError):
    """A replay asks for a call that the replayed session never made."""


class NoEvidence(QuaestorError):
    """Nothing that was searched answers the question, so there is no report."""

    exit_code = 6


class LeaseUnavailable(QuaestorError):
    """Another living process holds the session."""


class LeaseLost(QuaestorError):
    """The loss of this process's lease; its append was refused."""


class LogCorrupt(QuaestorError):
    """The hash chain, a source or a citation does not verify."""


class WorkflowError(QuaestorError):
    """A workflow asked for a transition that its state table does not declare."""


class ModelFailed(QuaestorError):
    """A model gave no usable answer; `spend` is what the failed call may have cost."""

    recorded: Spend | None = None
    """What it may have cost when it was made, where it is replayed at no cost."""

    def __init__(self, message: str, spend: Spend = Spend(model_calls=1)) -> None:  # noqa: B008 -- frozen
        super().__init__(message)
        self.spend = spend


class ModelUnavailable(ModelFailed):
    """A provider that cannot be reached, is out of order, or asks for a pause of `wait` seconds."""

    def __init__(self, message: str, spend: Spend = Spend(model_calls=1), wait: float | None = None) -> None:  # noqa: B008 -- frozen
        super().__init__(message, spend)
        self.wait = wait


class ToolFailed(QuaestorError):
    """A tool could not do what it was asked."""


class ToolUnavailable(ToolFailed):
    """The service that a tool needs cannot be reached, is out of order, or asks for a pause of `wait` seconds."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class LookAhead(ToolFailed):
    """A tool was asked for what is later than the clock of its market; it gives an error, not data."""

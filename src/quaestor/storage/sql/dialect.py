"""What differs between databases beside their connections: the full-text index, and how what is erased is deleted."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from quaestor.contracts.immutable import Immutable
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.terms import TermIndex


class Dialect(Immutable):
    """The parts of a store that each database has for itself."""

    term_index: Callable[[Database, int], TermIndex]
    """Returns the index of the corpus with a number."""
    delete_events: str
    """The statement that deletes the events of a session that was erased, from a number on."""
    delete_replies: Callable[[Database, AbstractSet[str]], None]
    """Deletes the cached replies that hold one of some texts: the text itself, or an argument of a call."""

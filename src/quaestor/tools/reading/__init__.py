from quaestor.tools.reading.kinds import kind
from quaestor.tools.reading.parse import parse, read
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason

__all__ = ["Parsed", "Reason", "kind", "parse", "read"]

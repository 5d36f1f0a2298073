"""The kinds of content that are fetched."""

from quaestor.tools.reading.kinds import HTML, MARKDOWN, OFFICE, PDF, PLAIN, RST

ACCEPT = f"{HTML},application/xhtml+xml,{MARKDOWN},{PLAIN};q=0.9,{PDF};q=0.9,*/*;q=0.5"
"""What is asked for, best first."""

_ACCEPTED = OFFICE | {
    *(HTML, PDF, PLAIN, MARKDOWN, RST, "application/xhtml+xml", "application/x-pdf", "text/rtf"),
    *("text/x-markdown", "text/csv", "text/xml", "application/xml", "text/json", "application/json"),
}
_TREES = ("application/", "text/")
_SUFFIXES = ("+xml", "+json")
_UNTOLD = frozenset({"", "application/octet-stream", "binary/octet-stream"})
"""What servers say of files that they know nothing of; whoever reads the bytes finds out."""


def is_accepted(content_type: str) -> bool:
    """Say whether content is fetched that a server calls so."""
    told = content_type.partition(";")[0].partition(",")[0].strip().lower()
    return told in _ACCEPTED | _UNTOLD or (told.startswith(_TREES) and told.endswith(_SUFFIXES))

"""How pages are fetched: how long, how much, how often."""

from dataclasses import dataclass

from quaestor.version import __version__

AGENT = "quaestor"
"""The product name that a robots.txt can name."""


@dataclass(frozen=True, slots=True)
class Manners:
    """The limits of a fetch. The defaults are those that are documented; tests and operators may want others."""

    seconds: float = 30
    """For one page, from when it is its turn, over its robots.txt, all redirects and retries, to its last byte."""
    waiting_seconds: float = 80
    """For a turn at a host that other pages of the same run are fetched from."""
    most_bytes: int = 10_000_000
    """Of one page, packed or unpacked."""
    redirects: int = 5
    retries: int = 2
    """Of a page whose server is busy."""
    pause_seconds: float = 1
    """Between two pages of one host."""
    most_pause_seconds: float = 10
    """However long a robots.txt asks to wait between two pages."""
    robots: bool = True
    """Whether to keep to what a robots.txt asks."""
    contact: str = ""
    """Where the owner of a site can complain: an address or a URL, sent in `User-Agent`."""

    @property
    def user_agent(self) -> str:
        """Give what `User-Agent` says."""
        return f"{AGENT}/{__version__}" + (f" (+{self.contact})" if self.contact else "")

"""Strict parsing of web URLs, so that no two parsers can disagree about the host."""

import re
from ipaddress import IPv6Address
from typing import Literal, Self
from urllib.parse import quote, urljoin

import idna
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.tools.fetch.ip_address import IpAddress, parse_address

_MAX_URL_CHARACTERS = 4096
_MAX_DISPLAY_CHARACTERS = 120
_MAX_HOST_CHARACTERS = 253
_MAX_PORT = 65_535
_DEFAULT_PORTS = {"http": 80, "https": 443}

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_URL = re.compile(
    r"(?P<scheme>[Hh][Tt][Tt][Pp][Ss]?)://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?:#.*)?"
)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]@%\s]+)(?::(?P<port>[0-9]{1,5})?)?")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_CREDENTIALS = re.compile(r"//[^/?#]*@")
_SAFE_CHARACTERS = "%/:?#[]@!$&'()*+,;=-._~"


class Url(Immutable):
    """A web URL. `host` is in lower case, in ASCII and without brackets; `target` is path and query."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    target: str

    @property
    def address(self) -> IpAddress | None:
        """Return the host if it is an IP address, not a name."""
        return parse_address(self.host)

    @property
    def authority(self) -> str:
        """Return host and port as in a URL and in the header `Host`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Return scheme, host and port."""
        return f"{self.scheme}://{self.authority}"

    @override
    def __str__(self) -> str:
        return f"{self.origin}{self.target}"

    def with_target(self, target: str) -> Self:
        """Return another URL on the same server."""
        return type(self)(self.scheme, self.host, self.port, target)


def parse_url(text: str) -> Url:
    """Parse a URL; drop its fragment, resolve dot segments and percent-encode what must be.

    Raises ToolFailed for another scheme, credentials, a host in an unusual notation, and characters on which URL
    parsers are known to disagree.
    """
    _refuse_unsafe(text)
    parts = _URL.fullmatch(text)
    if parts is None:
        raise ToolFailed("it is no http or https URL; give one that begins with https:// or http://")
    if "@" in parts["authority"]:
        raise ToolFailed("it has credentials before its host; give it without them")
    scheme: Literal["http", "https"] = "https" if parts["scheme"].lower() == "https" else "http"
    host, port = parse_authority(parts["authority"])
    target = _remove_dot_segments(quote(parts["path"], safe=_SAFE_CHARACTERS)) + quote(
        parts["query"] or "", safe=_SAFE_CHARACTERS
    )
    return Url(scheme, host, _DEFAULT_PORTS[scheme] if port is None else port, target)


def parse_authority(text: str) -> tuple[str, int | None]:
    """Parse `host` or `host:port`; the host as in `Url`. Raises ToolFailed for one in an unusual notation."""
    parts = _AUTHORITY.fullmatch(text)
    if parts is None:
        raise ToolFailed("its host cannot be read; write a plain name or address, with a port in digits if any")
    port = int(parts["port"]) if parts["port"] else None
    if port is not None and not 0 < port <= _MAX_PORT:
        raise ToolFailed(f"there is no port {port}; give one from 1 to {_MAX_PORT}")
    return _parse_host(parts["host"]), port


def resolve_redirect(base: Url, location: str) -> Url:
    """Parse the target of a redirect, absolute or relative. Raises ToolFailed as `parse_url` does."""
    _refuse_unsafe(location)
    try:
        joined = urljoin(str(base), location)
    except ValueError as error:
        raise ToolFailed("its redirect cannot be read; use another page") from error
    # The joined URL is parsed as strictly as one that a person gave: a server chose this text.
    return parse_url(joined)


def display_text(text: str) -> str:
    """Return a URL, or the words of a server, for a message: on one line, short, without credentials."""
    safe = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: _MAX_DISPLAY_CHARACTERS + 1]
    )
    hidden = _CREDENTIALS.sub("//***@", safe)
    return hidden if len(hidden) <= _MAX_DISPLAY_CHARACTERS else f"{hidden[:_MAX_DISPLAY_CHARACTERS]}…"


def _refuse_unsafe(text: str) -> None:
    if len(text) > _MAX_URL_CHARACTERS:
        raise ToolFailed(f"it has {len(text)} characters; {_MAX_URL_CHARACTERS} are the most")
    if _UNSAFE.search(text):
        raise ToolFailed("it has a control character or a backslash; give it without")


def _parse_host(text: str) -> str:
    if text.startswith("["):
        address = parse_address(text[1:-1])
        if not isinstance(address, IPv6Address):
            raise ToolFailed("its host is in brackets but no IPv6 address; write the address or a name")
        return str(address)
    # With a dot at its end it is the same host, but would miss every list of names.
    name = _to_ascii(text).lower().removesuffix(".")
    labels = name.split(".")
    # Systems read such a name as an address, also 127.1 or 0x7f000001, so only the usual notation is taken.
    if _NUMBER.fullmatch(labels[-1]):
        if parse_address(name) is None:
            raise ToolFailed("its host is an address in an odd notation; write four decimal numbers or a name")
        return name
    if len(name) > _MAX_HOST_CHARACTERS or not all(map(_LABEL.fullmatch, labels)):
        raise ToolFailed("its host is no valid name; check how it is spelt")
    return name


def _to_ascii(name: str) -> str:
    """Map a name as browsers do (UTS 46), so that full-width digits, dots and letters become plain ones."""
    if name.isascii():
        return name
    if len(name) > _MAX_HOST_CHARACTERS:
        raise ToolFailed("its host is too long for a name; check how it is spelt")
    try:
        return idna.encode(name, uts46=True).decode()
    except idna.IDNAError as error:
        raise ToolFailed("its host is no valid international name; check how it is spelt") from error


def _remove_dot_segments(path: str) -> str:
    """Remove dot segments, encoded ones too (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    dotted = ""
    for segment in path.removeprefix("/").split("/"):
        plain = segment.lower().replace("%2e", ".")
        dotted = plain if plain in {".", ".."} else ""
        if dotted == "..":
            del kept[-1:]
        elif not dotted:
            kept.append(segment)
    return "/" + "/".join([*kept, ""] if dotted else kept)

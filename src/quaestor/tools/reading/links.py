from collections.abc import Iterable
from urllib.parse import urldefrag, urljoin, urlsplit

from quaestor.contracts.web import Link

_MOST = 500
_LONGEST_URL, _LONGEST_TEXT = 2_000, 200


def links(anchors: Iterable[tuple[str, str]], base: str) -> tuple[Link, ...]:
    """Give the links of a document from its (address, words) pairs: those of the web, in order, each once, at most 500.

    Addresses become absolute by `base` and lose their fragment; a link into the document itself is none.
    """
    found: dict[str, Link] = {}
    here = urldefrag(base).url
    for address, words in anchors:
        url = _absolute(address.strip(), base)
        if url and url != here and url not in found:
            found[url] = Link(url=url, text=" ".join(words.split())[:_LONGEST_TEXT])
            if len(found) == _MOST:
                break
    return tuple(found.values())


def _absolute(address: str, base: str) -> str | None:
    try:
        parts = urlsplit(urldefrag(urljoin(base, address)).url)
    except ValueError:  # such as a bracket that is not closed
        return None
    url = parts.geturl()
    return url if parts.scheme in {"http", "https"} and parts.hostname and len(url) <= _LONGEST_URL else None

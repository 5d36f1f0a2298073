"""What a site asks of crawlers in its robots.txt, after RFC 9309."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

MOST_BYTES = 500 * 1024
"""More of a robots.txt need not be read (RFC 9309, 2.5)."""

_TOKEN = re.compile(r"[A-Za-z_-]+|\*")
_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line that allows or disallows the paths which a pattern fits; `weight` is the length of the pattern."""

    allow: bool
    parts: tuple[str, ...]
    """What stands between the wildcards."""
    to_end: bool
    weight: int

    def fits(self, path: str) -> bool:
        """Say whether a path, as `_normal` gives it, fits."""
        first, *rest = self.parts
        if not path.startswith(first):
            return False
        if not rest:
            return not self.to_end or path == first
        *middle, last = rest
        place = len(first)
        for part in middle:
            place = path.find(part, place)
            if place < 0:
                return False
            place += len(part)
        return path.endswith(last) and len(path) - len(last) >= place if self.to_end else path.find(last, place) >= 0


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for one crawler, and the seconds it is asked to wait between two pages, if any."""

    rules: tuple[Rule, ...] = ()
    delay: float | None = None

    def allow(self, target: str) -> bool:
        """Say whether a path with its query may be fetched: the longest rule that fits decides, allowing before not."""
        path = _normal(target)
        best = max(((rule.weight, rule.allow) for rule in self.rules if rule.fits(path)), default=(0, True))
        return best[1] or path == "/robots.txt"


def read_robots(content: bytes, agent: str) -> Robots:
    """Read the rules for the crawler of this product name, else those for all crawlers, else none."""
    own, others = _Group(), _Group()
    open_groups: tuple[_Group, ...] = ()
    listing = False
    for key, value in _lines(content[:MOST_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")):
        if key == "user-agent":
            named = _TOKEN.match(value)
            meant = {agent.lower(): own, "*": others}.get(named[0].lower() if named else "")
            open_groups = open_groups if listing else ()
            if meant and meant not in open_groups:
                open_groups = (*open_groups, meant)
            own.named = own.named or meant is own
            listing = True
        elif key in {"allow", "disallow"}:
            listing = False  # only a rule ends the list of crawlers that a group is for
            for group in open_groups if value else ():
                group.rules.append(_rule(value, allow=key == "allow"))
        elif key == "crawl-delay" and _SECONDS.fullmatch(value):
            for group in open_groups:
                group.delay = max(group.delay or 0.0, float(value))
    chosen = own if own.named else others
    return Robots(tuple(dict.fromkeys(chosen.rules)), chosen.delay)


@dataclass(slots=True, eq=False)
class _Group:
    """What is gathered for one crawler, from as many places as there are."""

    named: bool = False
    rules: list[Rule] = field(default_factory=list)
    delay: float | None = None


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _rule(pattern: str, *, allow: bool) -> Rule:
    inner = pattern.removesuffix("$")
    parts = tuple(map(_normal, re.sub(r"\*+", "*", inner).split("*")))
    to_end = inner != pattern
    return Rule(allow, parts, to_end, sum(map(len, parts)) + len(parts) - 1 + to_end)


def _normal(path: str) -> str:
    """Write a path in one way: encoded what is special or not ASCII, not what need not be (RFC 9309, 2.2.2, 2.2.3)."""
    return quote(_ENCODED.sub(_decoded, path), safe="%/:?#[]@!&'()+,;=-._~")


def _decoded(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()

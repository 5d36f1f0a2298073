"""A small web on loopback: 200 linked pages about the lights of a coast, and a search engine over them like SearXNG."""

import json
import re
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from fakes.site import Serve, Site, page

TOWNS = 40
KINDS = ("lighthouse", "fog bell", "harbour", "keeper", "index")
_FIRST = ("Al", "Bran", "Cor", "Dun", "Esk", "Fal", "Gar", "Har")
_LAST = ("mouth", "wick", "haven", "ness", "ford")


def town(number: int) -> str:
    """Return the name of a town."""
    return _FIRST[number % len(_FIRST)] + _LAST[number // len(_FIRST)]


def built(number: int) -> int:
    """Return the year in which the lighthouse of a town was built; it is on that page alone."""
    return 1790 + 3 * number


def _text(kind: str, number: int) -> str:
    name = town(number)
    match kind:
        case "lighthouse":
            return (
                f"The lighthouse of {name} was built in {built(number)} by the engineer Henrike Vos. "
                f"The lighthouse of {name} is {20 + number} metres high and stands on the northern mole."
            )
        case "fog bell":
            return f"The fog bell of {name} was cast in {built(number) + 20} and was struck by hand until the war."
        case "harbour":
            return f"The harbour of {name} has {number + 2} quays. Ships of every size call there in summer."
        case "keeper":
            return f"Anna Brandt, the keeper at {name}, logged every ship that passed the mole for {number + 5} years."
        case _:
            return f"What there is to know about {name} on the coast: its light, its bell, its harbour and its people."


def _target(kind: str, number: int) -> str:
    return f"/{town(number).lower()}/{kind.replace(' ', '-')}"


def _html(kind: str, number: int) -> str:
    links = [(each, number) for each in KINDS if each != kind] if kind == "index" else [("index", number)]
    links += [("index", (number + step) % TOWNS) for step in (1, 2, 3)]
    anchors = "".join(
        f'<li><a href="{_target(each, other)}">The {each} of {town(other)}</a></li>' for each, other in links
    )
    heading = f"The {kind} of {town(number)}"
    return (
        f"<html><head><title>{heading}</title></head><body><article><h1>{heading}</h1>"
        f"<p>{_text(kind, number)}</p><p>Notes on the coast are collected by the society of keepers.</p>"
        f"</article><ul>{anchors}</ul></body></html>"
    )


PAGES = {_target(kind, number): _html(kind, number) for number in range(TOWNS) for kind in KINDS}


def coast(known: Sequence[str] = KINDS, robots: str = "", port: int = 0) -> Site:
    """Return the site; its search engine knows the pages of these kinds alone, so that others are found by links."""
    serves: dict[str, Serve] = {target: page(html) for target, html in PAGES.items()}
    serves["/robots.txt"] = page(robots, "text/plain")
    site: Site

    def other(target: str) -> Serve | None:
        split = urlsplit(target)
        if split.path != "/search":
            return None
        words = set(re.findall(r"[a-z]+", parse_qs(split.query)["q"][0].lower()))
        found = sorted(
            (-len(words & set(re.findall(r"[a-z]+", title.lower()))), target, title)
            for target, title in (
                (_target(kind, n), f"The {kind} of {town(n)}") for n in range(TOWNS) for kind in known
            )
        )
        results = [{"url": site.url + target, "title": title, "content": ""} for _, target, title in found[:10]]
        return page(json.dumps({"results": results}), "application/json")

    site = Site(serves, port=port, other=other)
    return site

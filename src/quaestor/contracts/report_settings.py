"""Where a report may draw from, and how it is written: the same settings in files, options, requests and sessions."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints

from quaestor.contracts.base import Contract
from quaestor.contracts.source import DateRange

LANGUAGE_NAMES: Mapping[str, str] = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""Names by code of ISO 639-1, as a writer reads them."""
Length = Literal["short", "normal", "long"]
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def _normalize_domain(text: str) -> str:
    """Return a domain in lower-case ASCII. Raises ValueError for what is none, as an address of a page."""
    try:
        name = text.strip().removeprefix("*.").strip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        name = ""
    if not _DOMAIN.fullmatch(name):
        raise ValueError(f"{text[:80]!r} is no domain; write it as example.org")
    return name


Domain = Annotated[str, StringConstraints(max_length=253), AfterValidator(_normalize_domain)]
Heading = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120, pattern=r"^[^\r\n]+$")]
Language = Annotated[str, StringConstraints(to_lower=True, pattern=r"^[a-zA-Z]{2,3}$")]
"""A code of ISO 639."""


class SourceBounds(Contract):
    """Which sources may be used, by their domain and their date; None where it was not set."""

    allowed_domains: tuple[Domain, ...] | None = Field(
        default=None, max_length=100, description="Pages of these domains alone are read, with those below them."
    )
    denied_domains: tuple[Domain, ...] | None = Field(
        default=None, max_length=100, description="No page of these domains is read, nor of those below them."
    )
    as_of: date | None = Field(default=None, description="Sources dated later are not used.")
    since: date | None = Field(default=None, description="Sources dated earlier are not used.")

    @property
    def dates(self) -> DateRange:
        """The days within which sources are used."""
        return DateRange(first=self.since, last=self.as_of)

    def allows(self, url: str) -> bool:
        """Return whether a page may be read by its domain."""
        is_bounded = self.allowed_domains or self.denied_domains
        return not is_bounded or self.allows_host(_host(url))

    def allows_host(self, host: str) -> bool:
        """Return whether pages of a host may be read, which is in lower-case ASCII."""
        if self.allowed_domains and not _is_within(host, self.allowed_domains):
            return False
        return not _is_within(host, self.denied_domains or ())


ANY_SOURCE = SourceBounds()


class ReportSettings(SourceBounds):
    """What bounds the sources of a report, and how it is written; None where it was not set."""

    only_named: bool | None = Field(
        default=None, description="Read the documents and pages that are named and nothing else: no web, no servers."
    )
    language: Language | None = Field(
        default=None, description="Of the report, by its code as en or pt; else that of the question."
    )
    length: Length | None = Field(
        default=None, description="short: no key findings, few sentences a part; long: every finding; else normal."
    )
    audience: str | None = Field(default=None, min_length=1, max_length=200, description="For whom it is written.")
    sections: tuple[Heading, ...] | None = Field(
        default=None, max_length=20, description="The headings of its sections, in order; else one a todo."
    )

    @property
    def language_name(self) -> str:
        """The language as a writer reads it: its name where that is known, else its code; empty where none is set."""
        return LANGUAGE_NAMES.get(self.language or "", self.language or "")


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".").encode("idna").decode("ascii")
    except ValueError:  # no URL, or no name
        return ""


def _is_within(host: str, domains: tuple[str, ...]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)

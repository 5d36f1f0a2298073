"""The parts of a claim: its values, its names, and the frame around both."""

import re
from collections.abc import Callable
from decimal import Decimal

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.evidence.tokenization import content_terms, normalize, terms, words

ComparableValue = tuple[Decimal | str, ...]


class Value(Immutable):
    """A value at start..end of a claim; values of one kind can be compared.

    A time is (year, month, day) as far as it is stated, anything else one number or name.
    """

    kind: str
    said: ComparableValue
    start: int
    end: int

    def conflicts_with(self, other: "Value") -> bool:
        """Return whether both cannot be true of one thing; a year does not differ from a day in it."""
        if self.kind == "name":
            # "Einstein" and "Albert Einstein" may be one person: names differ only where they share no word.
            return not set(str(self.said[0]).split()) & set(str(other.said[0]).split())
        return any(own != theirs for own, theirs in zip(self.said, other.said, strict=False))


class ParsedClaim(Immutable):
    """A claim taken apart. Only claims with equal names, numerals, kinds and negation may be about one thing."""

    frame: frozenset[str]
    names: frozenset[str]
    numerals: frozenset[str]
    negated: bool
    values: tuple[Value, ...]

    @property
    def signature(self) -> tuple[object, ...]:
        """What claims about one thing have in common to the letter."""
        return self.names, self.numerals, self.negated, tuple(value.kind for value in self.values)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = (
    rf"(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?|{'|'.join(_NUMBER_WORDS)})"
    r"(?:\s(?P<scale>thousand|million|billion|trillion)\b)?"
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_BEFORE, _AFTER = r"(?<![A-Za-z0-9_.,$€£¥/`#\[-])", r"(?![,.]?\d|[/-]\d|-?[A-Za-z_])"
_NAMING_CLAIM = re.compile(
    r"\A(?:(?P<definite>The\b.+?\bof\b.+) (?:is|was|are|were)"
    r"|.+ (?:is|was|are|were) (?:born|located|based|headquartered|buried) in"
    r"|.+ (?:was|were) (?:composed|designed|directed|discovered|founded|invented|painted|written) by)"
    r" (?P<name>[A-Z][\w'-]+(?: (?:(?:of|de|von|van|the) )?[A-Z][\w'-]+)*)\.?\Z"
)

_FIELD = re.compile(r"\s*:?[^\W\d_][\w-]*(?: [\w-]+){0,2}:(?:\s|\Z)")
_DEICTIC = re.compile(r"\b(?:this|these|we|our|my|i|you|your)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\W*(?:it|he|she|they|its|his|her|their|that|those|there|here|both|each|such)\b", re.IGNORECASE)
NEGATION = re.compile(r"\b(?:not|no|never|neither|without|cannot)\b|n['\u2019]t\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost|over|under|than|least|most|up to|\d%? to|circa|ca\.?|some"
    r"|or|between)"
    r"\s+(?:US)?\Z",
    re.IGNORECASE,
)
_COPULA = re.compile(r"\b(?:is|was|are|were|of|equals|at)\s\Z", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\b(?:version|section|chapter|issue|figure|table|step|part|number|no\.|page|level|type|item|line|rule|alpha|beta|candidate|rc|volume|v)"
    r"|(?-i:\b[A-Z][\w.'-]*))\s\Z",
    re.IGNORECASE,
)


def parse_claim(claim: str) -> ParsedClaim | None:
    """Return a parsed claim, or None when it has no value or no subject."""
    if _FIELD.match(claim) or _DEICTIC.search(claim) or _PRONOUN.match(claim):
        return None
    values = _values(claim)
    if not values or any(_HEDGE.search(claim[: value.start]) for value in values):
        return None
    around = _remove_values(claim, values)
    frame = frozenset(content_terms(around))
    names = frozenset(term for word in words(around) if _is_name(word.text) for term in terms(word.text))
    # A script without capital letters shows no names; such claims must share more words instead.
    if not names and claim.lower() != claim.upper():
        return None
    return ParsedClaim(
        frame=frame,
        names=names,
        numerals=frozenset(term for term in frame if any(character.isdigit() for character in term)),
        negated=bool(NEGATION.search(claim)),
        values=values,
    )


def _remove_values(claim: str, values: tuple[Value, ...]) -> str:
    # From the last one on, so that the offsets of the others stay right.
    for value in reversed(values):
        claim = f"{claim[: value.start]} {claim[value.end :]}"
    return claim


def _is_name(word: str) -> bool:
    return word[0].isupper() and word.casefold() not in STOP_WORDS


def _values(claim: str) -> tuple[Value, ...]:
    """Return the values of a claim in order; a number after a label (PEP 8, version 3) is part of a name."""
    found: list[Value] = []
    rest = claim
    for pattern, value in _VALUE_PATTERNS:
        matches = (match for match in pattern.finditer(rest) if value is not _count or _is_counted(claim, match))
        found.extend(map(value, matches))
        # Its length is kept, so offsets stay right, and no later pattern reads the year of a date as a count.
        rest = pattern.sub(lambda match: "\0" * len(match[0]), rest)
    named = _NAMING_CLAIM.match(claim)
    if named and not found:
        found.append(Value("name", (normalize(named["name"]),), *named.span("name")))
    return tuple(sorted(found, key=lambda value: value.start))


def _is_counted(claim: str, number: re.Match[str]) -> bool:
    """Return whether a number counts something: a unit or a noun follows, and no label precedes it."""
    before = claim[: number.start()]
    return bool(before.strip()) and not _LABEL.search(before) and bool(number["unit"] or _COPULA.search(before))


def _time(match: re.Match[str]) -> Value:
    groups = match.groupdict()
    month, day = groups.get("month"), groups.get("day")
    if month and not month.isdigit():
        month = str(_MONTHS.index(month[:3].casefold()) + 1)
    date_parts = tuple(Decimal(part) for part in (groups["year"], month, day) if part)
    return Value("time", date_parts, *match.span())


def _money(match: re.Match[str]) -> Value:
    return Value(f"money {match['currency'][-1]}", (_amount(match),), *match.span())


def _share(match: re.Match[str]) -> Value:
    return Value("share", (_amount(match),), *match.span())


def _count(match: re.Match[str]) -> Value:
    unit = (match["unit"] or "").strip()
    named = "" if unit.casefold() in STOP_WORDS else " ".join(terms(unit))
    return Value(f"number {named}", (_amount(match),), *match.span("amount"))


def _amount(match: re.Match[str]) -> Decimal:
    digits = match["number"].casefold()
    number = Decimal(_NUMBER_WORDS.index(digits) + 2) if digits in _NUMBER_WORDS else Decimal(digits.replace(",", ""))
    return number * _SCALES.get((match["scale"] or "").casefold(), 1)


_YEAR = r"(?P<year>\d{4})"
_VALUE_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Value]], ...] = tuple(
    (re.compile(f"{_BEFORE}{body}", re.IGNORECASE), value)
    for body, value in (
        # The more specific forms come first, because each pattern sees only what those before it have left.
        (rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?!\w)", _time),
        (rf"(?P<day>\d{{1,2}})[ -]{_MONTH}[ -]{_YEAR}{_AFTER}", _time),
        (rf"{_MONTH} (?P<day>\d{{1,2}}),? {_YEAR}{_AFTER}", _time),
        (rf"{_MONTH},? {_YEAR}{_AFTER}", _time),
        (rf"(?P<currency>(?:US)?\$|[€£¥])\s?{_NUMBER}{_AFTER}", _money),
        (rf"{_NUMBER}\s?(?:%|percent\b|per cent\b)", _share),
        (rf"(?P<year>1\d{{3}}|20\d\d)(?=年|{_AFTER}(?!\s[a-z]+s\b))", _time),
        (rf"(?P<amount>{_NUMBER}){_AFTER}(?=(?P<unit>\s[^\W\d_]+|(?-i:[\u3041-\u9fff]))?)", _count),
    )
)

"""Sentences of passages that can stand in a report by themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quaestor.contracts.source import Hit
from quaestor.evidence.blocks import Kind, blocks
from quaestor.evidence.text import sentences, terms, words
from quaestor.models.offline.fields import headers

_ENDED = re.compile(r"[.!?。\uff01\uff1f।॥…][\"'”\u2019」』)\]*_`\s]*(?:\[[\w#*]+\]_?\s*)*$")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_CODE = re.compile(
    r">>>|^\s*(?:\.\. |\$ |#!|@|import |from \w+ import |def |class \w+[:(]|return\b)|[{};]\s*$|::\s*$|\w\(.*\):\s*$"
    r"|^\s*[=\-~^`#*+\"']{3,}",
    re.MULTILINE,
)
_LEANING = re.compile(
    r"(?:this|that|these|those|it|its|they|them|their|he|she|his|her|however|but|also|such|so|therefore|thus|then|and|"
    r"or|here|there|another|instead|otherwise|moreover|furthermore|additionally|similarly|in addition|for example|"
    r"for instance|as a result|on the other hand|finally|first|second|third|yes|no)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r":(\w{1,4}):`(\d[\d.]*)`")
_MARKUP: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^\s*(?:[-*+•>]|\(?\d{1,2}[.)]|#+)\s+"), ""),
    (re.compile(r":[\w:.+-]+:`[~!]?([^`<]+?)(?:\s*<[^`>]*>)?`"), r"\1"),
    (re.compile(r"`([^`<]+?)\s*<[^`>]*>`_{1,2}"), r"\1"),
    (re.compile(r"!?\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\s*\[[#*\w]{1,20}\]_"), ""),
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r"`([^`]+)`_{1,2}"), r"\1"),
    (re.compile(r"\*\*([^*]+)\*\*|(?<!\w)\*([^*\s][^*]*)\*(?!\w)"), r"\1\2"),
    (re.compile(r"\s+"), " "),
)
_CODED = re.compile(r"\w\(|^[=+\-*/<>|&]+$|\)\)|\w_\w|^\W*#|\w=\w")
_MOST_CODED = 0.25
_EARLY = 2500
_MOST_CAPITALS = 0.6
_FEWEST_WORDS = 5
_FEWEST_CHARACTERS = 8
_MOST_CHARACTERS = 600
_LETTERS = 0.72


@dataclass(frozen=True, slots=True)
class Extract:
    """One sentence: its exact words, how it reads on one line, and the index terms of it and of what is around it.

    `standing` is 1 for a sentence that can be read alone and less for one that leans on others; `early` sentences stand
    where a document says what it is about.
    """

    source: str
    quote: str
    claim: str
    rank: int
    place: int
    standing: float
    early: bool
    terms: tuple[str, ...]
    nearby: frozenset[str]
    above: frozenset[str]

    @property
    def own(self) -> frozenset[str]:
        """The terms of the sentence, as a set."""
        return frozenset(self.terms)

    @property
    def said(self) -> frozenset[str]:
        """The terms of the sentence and of the title and heading above it."""
        return self.own | self.above


def extracts(hits: Sequence[Hit]) -> tuple[Extract, ...]:
    """Give the readable sentences of passages in order, each wording once."""
    found: dict[str, Extract] = {}
    for rank, hit in enumerate(hits):
        for extract in _of_hit(rank, hit):
            found.setdefault(extract.claim.casefold(), extract)
    return tuple(found.values())


def named_above(hit: Hit) -> str:
    """Give what a passage stands under: the title and the file name of its document, and its heading."""
    return f"{hit.title}\n{hit.uri.rpartition('/')[2]}\n{hit.passage.heading}"


def readable(text: str) -> str:
    """Put a sentence on one line, without the marks of markup."""
    text = _NUMBERED.sub(lambda match: f"{match[1].upper()} {match[2]}", text)
    for pattern, plain in _MARKUP:
        text = pattern.sub(plain, text)
    return text.strip()


def _of_hit(rank: int, hit: Hit) -> Iterator[Extract]:
    text = hit.passage.text
    spans = sentences(text)
    pieces = [text[start:end].strip() for start, end in spans]
    stems = [tuple(terms(piece)) for piece in pieces]
    fields = tuple(field.text for header in headers(text) for field in header.fields)
    above = frozenset(terms(named_above(hit)))
    told = [(block.start, block.end) for block in blocks(text) if block.kind in {Kind.PROSE, Kind.ITEM}]
    for place, piece in enumerate(pieces):
        claim = readable(piece)
        if not any(start <= spans[place][0] < end for start, end in told):
            continue
        if not _is_sentence(piece, claim) or any(field in piece or piece in field for field in fields):
            continue
        around = stems[max(0, place - 1) : place] + stems[place + 1 : place + 2]
        yield Extract(
            source=hit.passage.source,
            quote=piece,
            claim=claim,
            rank=rank,
            place=place,
            standing=_standing(claim),
            early=hit.passage.start < _EARLY,
            terms=stems[place],
            nearby=frozenset(term for near in around for term in near),
            above=above,
        )


def _is_sentence(piece: str, claim: str) -> bool:
    """Tell a sentence from a heading, code, a table, a directive or a fragment."""
    if (
        not _FEWEST_CHARACTERS <= len(claim) <= _MOST_CHARACTERS
        or len(piece) > 2 * _MOST_CHARACTERS
        or _CODE.search(piece)
        or claim.endswith(":")
    ):
        return False
    parts = claim.split()
    if len(parts) >= _FEWEST_WORDS and sum(part[:1].isupper() for part in parts) > _MOST_CAPITALS * len(parts):
        return False
    if sum(_CODED.search(part) is not None for part in parts) > _MOST_CODED * len(parts):
        return False
    solid = [letter for letter in claim if not letter.isspace()]
    marks = sum(not (letter.isalpha() or _is_mark(letter)) for letter in solid)
    if marks > (1 - _LETTERS) * len(solid):
        return False
    return _UNSPACED.search(claim) is not None or len(words(claim)) >= _FEWEST_WORDS


def _is_mark(letter: str) -> bool:
    """Tell whether a character is a vowel sign or tone mark, which some scripts write as separate characters."""
    return "\u0900" <= letter <= "\u0eff"


def _standing(claim: str) -> float:
    standing = 1.0
    if not _ENDED.search(claim) and not _UNSPACED.search(claim):
        standing *= 0.6
    if claim[0].islower() and not re.match(r"[\w]*[._(]", claim):
        standing *= 0.6
    if _LEANING.match(claim):
        standing *= 0.8
    return standing

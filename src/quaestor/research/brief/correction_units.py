"""The paragraphs and items of a text that may correct others, each with what it stands under and what announces it."""

import re
from functools import cached_property, lru_cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.front_matter_blocks import front_matter_end
from quaestor.evidence.tokenization import sentence_spans
from quaestor.research.brief.announcements import announced_at, tells_mistakes
from quaestor.research.brief.corrected_documents import TextSentence
from quaestor.research.brief.item_names import PLACE
from quaestor.research.offline.sentences.readability import is_begun
from quaestor.research.offline.words.correction_words import (
    CALLED_OFF,
    DECIDED,
    MAY_CORRECT,
    NO_MORE,
    TAKEN_BACK,
    TERMINATED,
)

_SIGNS = (MAY_CORRECT, TAKEN_BACK, CALLED_OFF, DECIDED, TERMINATED, NO_MORE)
_UNIT = re.compile(r"(?:(?!\n[ \t]*\n|\n[ \t]*(?:[-*+\u2022#|>]|\w{1,3}[.)])[ \t]).)+", re.DOTALL)
"""A paragraph, or an item of a list: what corrects one item says nothing of the next."""
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\w{1,3}[.)])[ \t]")
_TELLS = re.compile(r":\s*\S")
_OF_PLACE = re.compile(rf"\W*(?:\w{{1,3}}[.)]\W*)?(?:zu\W+)?{PLACE.pattern}[^\n.;]{{0,60}}\Z", re.IGNORECASE)
"""A line that begins with the place that the lines below it are about."""
_OPENS_WITH_PLACE = re.compile(rf"[\s>*_+\u2022-]*{PLACE.pattern}[*_]*:", re.IGNORECASE)
_SHORT_UNIT = 350
"""Characters of one that is quoted whole."""
_HEADING = re.compile(r"\s*#{1,6}\s")
_LABEL_WORDS = 5
"""Of a sentence that an item begins with, the mark of the item among them, which names its subject."""


class Unit(Immutable, dict=True):
    """A paragraph, or an item of a list, of a text that may correct others."""

    start: int
    text: str
    announced: str
    """The line that says that it is of a correction, or nothing."""
    may_correct: bool
    """Whether a line announces a correction, or it has a word without which nothing is corrected."""
    under: str
    """The last line above it that begins with a place, or the heading below that."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @cached_property
    def is_of_place(self) -> bool:
        """Whether it is short and opens with the place that all of it is about: "Clause 3: 4 jars. It costs 8."."""
        return len(self.text) <= _SHORT_UNIT and _OPENS_WITH_PLACE.match(self.text) is not None

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where its sentences stand in it."""
        return tuple(sentence_spans(self.text))

    @cached_property
    def sentences(self) -> tuple[TextSentence, ...]:
        """Its sentences, each with what stands before it; its first line may name the place of them all."""
        before, first = (self.spans[:1] + self.spans)[:-1], self.text.strip().partition("\n")[0]
        under = first if _OF_PLACE.match(first) else self.under
        opening = self.text[: self.spans[0][1]] if self.spans else ""
        label = opening if len(opening.split()) <= _LABEL_WORDS else ""
        return tuple(
            TextSentence(
                text=self.text[start:end],
                with_previous=self.text[previous:end],
                with_all_before=self.text[:end],
                announced=self.announced,
                under=under,
                label=label if start >= len(opening) else "",
            )
            for (previous, _), (start, end) in zip(before, self.spans, strict=True)
        )


@lru_cache(maxsize=512)  # a text is held against each sentence that is shown
def find_units(words: str, title: str, media_type: str) -> tuple[Unit, ...]:
    """Return the paragraphs and items of a text, but front matter and the items of a list that end a condition."""
    units: list[Unit] = []
    under = ""
    is_condition = False
    for found in _UNIT.finditer(words, front_matter_end(words)):
        is_item = _ITEM.match(found[0]) is not None
        is_condition = is_condition if is_item or not found[0].strip() else is_begun(found[0])
        if is_item and is_condition:
            continue
        units.append(_to_unit(found, title, media_type, under))
        if _OF_PLACE.match(found[0]) or _HEADING.match(found[0]):
            under = found[0]
    return tuple(units)


def _to_unit(found: re.Match[str], title: str, media_type: str, under: str) -> Unit:
    said = found[0]
    announced = announced_at(found.start() + len(said) - len(said.lstrip()), found.string, title, media_type)
    # A line that says at once what is right, as an item of minutes does, speaks of nothing below it; a title does.
    is_for_all = announced in said or tells_mistakes(announced) or not _TELLS.search(announced)
    is_for_all |= bool(title) and title in announced
    may_correct = bool(announced) or any(one.search(said) for one in _SIGNS)
    return Unit(found.start(), said, announced if is_for_all else "", may_correct, under)

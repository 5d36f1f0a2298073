"""Names that stand above a paragraph or beside it.

A letter names its subject once, and a text goes on with "he" or "this organ". What another section is called is not
what a paragraph is about.
"""

from collections.abc import Sequence

from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms
from quaestor.research.brief.paragraphs import Paragraph
from quaestor.research.brief.section_places import headings_beside, section_start
from quaestor.research.offline.sentences.sections import section_of
from quaestor.research.offline.words.dates import (
    PartialDate,
    find_partial_dates,
    holds_date,
    is_date,
    parse_partial_date,
)
from quaestor.research.offline.words.markup import strip_markup
from quaestor.research.offline.words.names import find_names
from quaestor.research.offline.words.wording import AskedWord, asked_language, asked_words

_ABOVE_CHARACTERS = 1000
"""What stands farther above a paragraph is not what it goes on about."""
_TOP_CHARACTERS = 400
"""Above which the day of a letter stands."""
_TELLING_WORDS = 5
_PLACE_WORDS = 3
"""Words for the place beside the day of a letter."""


def names_above(text: str, media_type: str, paragraph: Paragraph, question: str) -> tuple[str, ...]:
    """Return the names of a question that stand above a paragraph, and that it goes on about.

    That is a name whose last word it repeats ("Mr. Lee" of Ann Lee) and, where it names nothing itself, the last one
    that stands above it in its section. A paragraph that names something may be about that alone, as the next entry of
    a list is. All of a letter is of the day above it.
    """
    names = [word for word in asked_words(question) if word.is_name]
    dated = tuple(word.text for word in names if (when := parse_partial_date(word.text)) and _is_of(text, when))
    goes_on = _gone_on_about(text, media_type, paragraph, question) if names and paragraph.is_prose else ()
    return tuple(dict.fromkeys((*dated, *goes_on)))


def _gone_on_about(text: str, media_type: str, paragraph: Paragraph, question: str) -> tuple[str, ...]:
    names = [word for word in asked_words(question) if word.is_name]
    language = asked_language(question)
    own = text[paragraph.start : paragraph.end]
    held = held_stems(own, language)
    lacking = [word for word in names if not word.terms <= held]
    before = " ".join(text[: paragraph.start].split())
    repeated = [word for word in lacking if _repeats(held, word.text) and " ".join(word.text.split()) in before]
    if not lacking or names_more(own, names):
        return tuple(word.text for word in repeated)
    section = section_start(text, media_type, paragraph.start)
    above = text[max(section, paragraph.start - _ABOVE_CHARACTERS) : paragraph.start]
    both = held | held_stems(above, language)
    return tuple(
        word.text
        for word in lacking
        if word in repeated or (word.terms <= both and not names_more(_told_since(word.text, above), names))
    )


def _told_since(name: str, above: str) -> str:
    """Return the lines of a text that tell something since it last had a name; "Dear Ann Lee," is none of them."""
    lines = above[max(above.rfind(name), 0) :].splitlines()
    return "\n".join(line for line in lines if len(line.split()) >= _TELLING_WORDS)


def _is_of(text: str, when: PartialDate) -> bool:
    """Return whether a text has a date, as far as it is known, in a line of its own at its top: "Bergen, May 1893"."""
    for line in map(strip_markup, text[:_TOP_CHARACTERS].splitlines()):
        dates = find_partial_dates(line) if any(map(str.isdigit, line)) else ()
        rest = (terms(line.replace(one.text, " ")) for one in dates if one.month)
        if any(len(words) <= _PLACE_WORDS for words in rest) and holds_date(line, when):
            return True
    return False


def names_beside(text: str, media_type: str, paragraph: Paragraph, title: str, question: str) -> tuple[str, ...]:
    """Return the names of a question that a section beside that of a paragraph is called, and nothing else is for it.

    "Walks around Millbrook" lends its sections no name of which one is called Millbrook; a text that is itself called
    so does.
    """
    names = [word for word in asked_words(question) if word.is_name]
    if not names:
        return ()
    own, beside = headings_beside(text, media_type, paragraph.start)
    others = {section_of("", heading).head for heading in beside}
    called = {section_of("", heading).head for heading in (title, *own)}
    language = asked_language(question)
    held = held_stems("\n".join((text[paragraph.start : paragraph.end], *own[-1:])), language)
    return tuple(
        word.text for word in names if frozenset(terms(word.text)) in others - called and not word.terms <= held
    )


def _repeats(held: frozenset[str], name: str) -> bool:
    """Return whether a text with these index terms holds the last word of a name of several.

    A number is none, nor is a word in small letters: that of a quoted phrase stands for many things.
    """
    first, _, last = name.rpartition(" ")
    return bool(first) and not (last.isdigit() or last[:1].islower()) and held.issuperset(terms(last))


def names_more(text: str, names: Sequence[AskedWord]) -> bool:
    """Return whether a text names anything but the given names; dates, numbers with units and letters are no names."""
    asked = frozenset[str]().union(*(word.terms for word in names))
    named = (name for name in find_names(text) if not (name[0].isdigit() or len(name) == 1 or is_date(name.split()[0])))
    return not all(asked.issuperset(terms(name)) for name in named)

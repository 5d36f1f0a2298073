"""Names that stand above a paragraph: a letter names its subject once, and a text goes on with "he" or "this organ"."""

from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms
from quaestor.research.brief.paragraphs import Paragraph, section_start
from quaestor.research.offline.dates import is_date
from quaestor.research.offline.names import find_names
from quaestor.research.offline.wording import asked_language, asked_words

_ABOVE_CHARACTERS = 1000
"""What stands farther above a paragraph is not what it goes on about."""


def names_above(text: str, media_type: str, paragraph: Paragraph, question: str) -> tuple[str, ...]:
    """Return the names of a question that stand above a paragraph in its section, where it names nothing else.

    One that names something itself may be about that alone, as the next entry of a list is.
    """
    names = [word for word in asked_words(question) if word.is_name]
    section = section_start(text, media_type, paragraph.start)
    above = text[max(section, paragraph.start - _ABOVE_CHARACTERS) : paragraph.start]
    if not (names and paragraph.is_prose):
        return ()
    language = asked_language(question)
    held = held_stems(text[paragraph.start : paragraph.end], language)
    named = (
        name for name in find_names(text[paragraph.start : paragraph.end]) if not (is_date(name) or name[0].isdigit())
    )
    asked = frozenset[str]().union(*(word.terms for word in names))
    if not all(asked.issuperset(terms(name)) for name in named):
        return ()
    both = held | held_stems(above, language)
    return tuple(word.text for word in names if word.terms <= both and not word.terms <= held)

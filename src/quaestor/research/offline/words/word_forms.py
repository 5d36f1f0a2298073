"""Words of a text as a question has them: another form of a word that is asked for counts as that word.

Only of questions in a language with stems of its own: the plain terms of English are stems.
"""

from collections.abc import Mapping, Sequence

from quaestor.contracts.immutable import Immutable, replace
from quaestor.evidence.stemming import added_stems, detect_language
from quaestor.evidence.tokenization import content_terms, surface_terms, terms
from quaestor.evidence.written_forms import full_words
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates, holds_date
from quaestor.research.offline.words.life_spans import AskedLife, asked_life


class WordForms(Immutable):
    """The words of a question by the stems of its language."""

    language: str | None
    asked: Mapping[str, str]
    """The term of each word that is asked for, by its stem and by itself."""
    dates: tuple[PartialDate, ...] = ()
    """Those that are asked for by the names of their months."""
    telling: frozenset[str] = frozenset()
    """The terms of what is asked."""
    life: AskedLife | None = None
    """What is asked of somebody's birth or death."""

    def terms(self, text: str) -> list[str]:
        """Return the index terms of a text, in order; those of a form of an asked word are the word's.

        Behind them are those of the dates that it writes otherwise, of words that it writes in short, and of a birth
        and a death that it dates.
        """
        own = self._terms(text)
        named = [term for when in self.dates if holds_date(text, when) for term in terms(when.text)]
        short = self._terms(" ".join(full_words(text, self.language)))
        lived = sorted(self.life.terms_held(text)) if self.life else ()
        added = dict.fromkeys(term for term in (*named, *short) if term in self.telling and term not in own)
        return [*own, *added, *lived]

    def _terms(self, text: str) -> list[str]:
        if self.language is None:
            return terms(text)
        return [term for word, plain in surface_terms(text) for term in self._asked(word, plain) or plain]

    def _asked(self, word: str, plain: Sequence[str]) -> list[str]:
        forms = (*plain, *added_stems(word, self.language))
        return list(dict.fromkeys(self.asked[form] for form in forms if form in self.asked))


AS_WRITTEN = WordForms(None, {})
"""For texts whose words are compared as their plain terms are."""


def word_forms(text: str) -> WordForms:
    """Return the forms of the words of a question; none in English and in languages without stems, but of dates."""
    language = detect_language(text, is_question=True)
    dates = tuple(when for when in find_partial_dates(text) if when.month)
    life, telling = asked_life(text, None), frozenset(content_terms(text))
    if language is None:
        return replace(AS_WRITTEN, dates=dates, telling=telling, life=life)
    asked = {
        form: term
        for word, plain in surface_terms(text)
        for term in plain[:1]
        if term in telling
        for form in (term, *added_stems(word, language))
    }
    return WordForms(language, asked, dates, telling, life)

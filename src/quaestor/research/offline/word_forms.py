"""Words of a text as a question has them: another form of a word that is asked for counts as that word.

Only of questions in a language with stems of its own: the plain terms of English are stems.
"""

from collections.abc import Mapping, Sequence

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.stemming import added_stems, detect_language
from quaestor.evidence.tokenization import content_terms, surface_terms, terms


class WordForms(Immutable):
    """The words of a question by the stems of its language."""

    language: str | None
    asked: Mapping[str, str]
    """The term of each word that is asked for, by its stem and by itself."""

    def terms(self, text: str) -> list[str]:
        """Return the index terms of a text, in order; those of a form of an asked word are the word's."""
        if self.language is None:
            return terms(text)
        return [term for word, plain in surface_terms(text) for term in self._asked(word, plain) or plain]

    def _asked(self, word: str, plain: Sequence[str]) -> list[str]:
        forms = (*plain, *added_stems(word, self.language))
        return list(dict.fromkeys(self.asked[form] for form in forms if form in self.asked))


AS_WRITTEN = WordForms(None, {})
"""For texts whose words are compared as their plain terms are."""


def word_forms(text: str) -> WordForms:
    """Return the forms of the words of a question; none in English and in languages without stems."""
    language = detect_language(text, is_question=True)
    if language is None:
        return AS_WRITTEN
    telling = frozenset(content_terms(text))
    asked = {
        form: term
        for word, plain in surface_terms(text)
        for term in plain[:1]
        if term in telling
        for form in (term, *added_stems(word, language))
    }
    return WordForms(language, asked)

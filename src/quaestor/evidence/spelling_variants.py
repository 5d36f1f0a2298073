"""British and American spelling: one form for both, so that a text in one is found by words in the other.

The form is the same for all words that end alike, whether or not both spellings exist; it is never shown.
"""

import re

_SAME_FORM = tuple(
    (re.compile(rf"{spelt}\Z"), form)
    for spelt, form in (
        (r"isation(s?)", r"ization\1"),
        (r"(?<=[a-z]{3})is(e|es|ed|er|ers|ing|able)", r"iz\1"),
        (r"lys(e|es|ed|er|ers|ing)", r"lyz\1"),
        (r"(?<=[a-z]{3})our(s|ed|er|ers|ing|ful|able|ite|ites|less|al|ally|hood|hoods|ly)?", r"or\1"),
        (r"(cent|met|lit|theat|fib|calib|spect)re(s?)", r"\1er\2"),
        (r"(catal|dial|anal|monol|prol|epil)ogue(s?)", r"\1og\2"),
        (r"(lic|def|off|pret)ence(s|d|less)?", r"\1ense\2"),
        (r"(travel|model|label|cancel|signal|level|channel|fuel|tunnel|marshal|counsel)l(ed|ing|er|ers)", r"\1\2"),
        (r"programme(s?)", r"program\1"),
        (r"judgement(s?)", r"judgment\1"),
        (r"artefact(s?)", r"artifact\1"),
        (r"sceptic(s|al|ism)?", r"skeptic\1"),
        (r"alumini(um)", r"alumin\1"),
        (r"mould(s|ed|ing|y)?", r"mold\1"),
        (r"plough(s|ed|ing)?", r"plow\1"),
        (r"(?<![a-z])grey(s|ish)?", r"gray\1"),
    )
)


def to_common_spelling(word: str) -> str:
    """Return the one form of a word in small letters that both spellings of it share."""
    for spelt, form in _SAME_FORM:
        changed, count = spelt.subn(form, word, count=1)
        if count:
            return changed
    return word

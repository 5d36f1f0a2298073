"""What prose says of the header field of a document: that another value holds, or that its own does no longer.

Which of the two is right nobody knows here, so that the field is no direct answer beside such a sentence.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.offline.fields.header_fields import Fact, find_headers
from quaestor.research.offline.fields.record_corrections import sets_right
from quaestor.research.offline.fields.reserve_words import CHANGED, GONE, UPDATE
from quaestor.research.offline.fields.row_mentions import is_common_word, is_definite, is_person
from quaestor.research.offline.words.correction_words import DENIAL
from quaestor.research.offline.words.state_words import BACK, IS, NEW_OUTCOME, REALLY, is_state_key

_ARTICLE = r"the|its|der|die|das|le|la|l['\u2019]|el|los|las|il|lo|de|het|os?|as?"
_DENY = r"not|no|never|nicht|kein\w*|nie|pas|jamais|no|nunca|non|mai|niet|geen|nooit|não|instead of|statt|au lieu de"
_OF = re.compile(r" (?:of|for|de|d[eu]s?|della?|del|von|vom|van|do|da|für|über) ", re.IGNORECASE)
_OWNED = re.compile(r"['\u2019]s \Z")
_QUOTED = re.compile(r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u201e\u00ab\u00bb]{3,}?)[\"\u201d\u201c\u00bb]")
_IS_NEXT = re.compile(rf"\W*(?:{IS})\b", re.IGNORECASE)
_BARS = 2
"""Bars in a line that is a row of a table."""
_MAX_NOUNS = 2
"""Words of a title whose last one names the thing alone: "the lantern" is the Ship's lantern."""
_MIN_WORD = 3
_MAX_RECORD = 2000
"""Characters of what is below the header of a record."""
_PERSON = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]+(?: [A-Z\u00c0-\u00de][\w'\u2019-]+)+")
_MESSAGE_KEYS = frozenset({"from", "to", "cc", "bcc", "sent", "reply-to", "message-id"})
"""Fields that a mail program writes: no text corrects these."""


class WatchedField(Immutable, dict=True):
    """A field that an answer is taken of; `head` is the noun by which prose may call its document, or nothing."""

    fact: Fact
    head: str = ""
    others: tuple[str, ...] = ()
    """The values of the other fields of the document."""

    @cached_property
    def is_state(self) -> bool:
        """Whether it holds what is so for a time."""
        return is_state_key(self.fact.key)

    @cached_property
    def name(self) -> re.Pattern[str]:
        """What finds the title or the number of the document."""
        names = [_words_of(self.fact.subject)]
        if self.fact.number:
            names.append(rf"{re.escape(self.fact.scheme)}[ -]?0*{self.fact.number}")
        flags = re.IGNORECASE if " " in self.fact.subject.strip() or self.fact.number else 0
        return re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", flags)

    @cached_property
    def numbered(self) -> re.Pattern[str]:
        """What finds the number of the document in small letters."""
        return re.compile(rf"{re.escape(self.fact.scheme.casefold())}[ -]?0*{self.fact.number}(?!\w)")

    @cached_property
    def noun(self) -> re.Pattern[str]:
        """What finds the noun by which the document may be called."""
        return re.compile(rf"(?<!\w){re.escape(self.head)}(?!\w)", re.IGNORECASE)

    @cached_property
    def value(self) -> re.Pattern[str]:
        """What finds the value."""
        return _whole(self.fact.value)

    @cached_property
    def denied(self) -> re.Pattern[str]:
        """What finds the value beside a word that denies it."""
        return re.compile(
            rf"\b(?:{_DENY})\W+(?:\w+\W+){{0,2}}?{_words_of(self.fact.value)}(?!\w)",
            re.IGNORECASE,
        )

    @cached_property
    def told(self) -> re.Pattern[str]:
        """What finds the start of a sentence that says what the field is: "The author of this article is"."""
        key = _words_of(self.fact.key)
        return re.compile(rf"\W*(?:{_ARTICLE}) ?{key}(?: \w+){{0,5}}? (?:{IS})\b", re.IGNORECASE)

    def names_another(self, sentence: str) -> bool:
        """Return whether a sentence names somebody else than the one that is the value."""
        value = " ".join(self.fact.value.split())
        return is_person(value) and any(name not in value for name in _PERSON.findall(sentence))

    def is_of_other(self, sentence: str) -> bool:
        """Return whether a sentence is about another field alone: it holds the value of one, and not its own."""
        is_own = self.value.search(sentence) or self.key.search(sentence)
        return not is_own and any(_whole(value).search(sentence) for value in self.others)

    @cached_property
    def key(self) -> re.Pattern[str]:
        """What finds the name of the field."""
        return _whole(self.fact.key)

    @cached_property
    def of_document(self) -> re.Pattern[str]:
        """What finds the field beside the number or the title of the document: "the author of PEP 8"."""
        return re.compile(
            rf"(?<!\w){_words_of(self.fact.key)}\s+(?:\w+\s+){{0,2}}?\W?(?:{self.name.pattern})", re.IGNORECASE
        )


class Body(Immutable, dict=True):
    """What a document says below its header, for all fields that are looked after: it is folded and split once."""

    text: str

    @cached_property
    def folded(self) -> str:
        """Its words in small letters on one line, in which a name is found much faster than by a pattern."""
        return " ".join(self.text.casefold().split())

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Its sentences."""
        return tuple(_sentences(self.text))


def is_watched(fact: Fact) -> bool:
    """Return whether prose may speak of a field: it is none that a mail program writes."""
    return fact.key.casefold() not in _MESSAGE_KEYS and bool(fact.value.strip() and fact.subject.strip())


def head_of(title: str) -> str:
    """Return the noun by which prose may call what has a title: its last, or the one before "of"; of others nothing."""
    named = _OF.split(title.strip())[0].split()
    last = named[-1] if 0 < len(named) <= _MAX_NOUNS else ""
    return last.casefold() if last.isalpha() and len(last) >= _MIN_WORD and content_terms(last) else ""


def other_values(text: str, fact: Fact) -> tuple[str, ...]:
    """Return the values that the header of a document has in other fields than that of a fact and its title."""
    header = next(find_headers(text), None)
    fields = header.fields if header else ()
    return tuple(one.value for one in fields if one.value not in ("", fact.value, fact.subject))


def body_of(text: str) -> Body:
    """Return the words of a text below the header that it begins with."""
    for header in find_headers(text):
        last = header.fields[-1].text
        if text.find(header.fields[0].text) <= len(text) - len(text.lstrip("-+ \t\r\n\ufeff")):
            return Body(text[text.index(last) + len(last) :])
        break
    return Body(text)


def find_contradiction(body: Body, watched: WatchedField) -> str:
    """Return the sentence of the document itself that may take a field of it back; or nothing.

    It denies the value; or, in a record, whose few sentences are about it alone, says what the field is without its
    value, sets it right, names somebody else beside it, or tells what has become of it. A long text has other authors,
    types and states to speak of.
    """
    is_record = len(body.text) <= _MAX_RECORD
    return next((one for one in body.sentences if _takes_back(one, watched, is_record=is_record)), "")


def find_mentions(body: Body, watched: WatchedField) -> Iterator[str]:
    """Yield the sentences of another document that name one by its title, by its number or by its noun."""
    for sentence in body.sentences if _may_name(body.folded, watched) else ():
        if _mention(sentence, watched) is not None:
            yield sentence


def speaks_against(sentence: str, watched: WatchedField, *, is_often_named: bool) -> bool:
    """Return whether a sentence that names a document may tell otherwise of a field of it.

    Of a document of a series, of one that many name, or whose title may be any word, it must speak of the field or deny
    its value: such are named for much else. Of another one it denies or sets right anything, or tells a state that
    another one may have followed.
    """
    lacks_value = watched.value.search(sentence) is None
    if watched.fact.number or is_often_named or is_common_word(watched.fact.subject):
        is_of_field = watched.of_document.search(sentence) is not None
        return watched.denied.search(sentence) is not None or (is_of_field and lacks_value)
    if (span := _mention(sentence, watched)) is None:
        return False
    rest = f"{sentence[: span[0]]} {sentence[span[1] :]}"
    if DENIAL.search(rest) or REALLY.search(rest):
        return watched.is_state or not watched.is_of_other(rest)
    if watched.is_state:
        return lacks_value and _tells_state(rest, sentence[span[1] :])
    return lacks_value and watched.key.search(rest) is not None


def _takes_back(sentence: str, watched: WatchedField, *, is_record: bool) -> bool:
    if watched.denied.search(sentence):
        return is_record or " " in watched.fact.value
    if not is_record:
        return False
    lacks_value = watched.value.search(sentence) is None
    if watched.told.match(sentence) and (lacks_value or DENIAL.search(sentence)):
        return True
    names_field, names_another = watched.key.search(sentence) is not None, watched.names_another(sentence)
    if names_field and names_another:
        return True
    if watched.is_state:
        return lacks_value and (NEW_OUTCOME.match(sentence) or UPDATE.match(sentence)) is not None
    return lacks_value and sets_right(
        sentence, watched.fact.key, watched.fact.value, names_field=names_field, names_another=names_another
    )


def _tells_state(rest: str, after: str) -> bool:
    return bool(_IS_NEXT.match(after) or any(one.search(rest) for one in (BACK, GONE, CHANGED)))


def _mention(sentence: str, watched: WatchedField) -> tuple[int, int] | None:
    """Return where a sentence names a document."""
    if found := watched.name.search(sentence):
        return found.span()
    if watched.fact.number:
        return None
    if quoted := next(_quotes_of_title(sentence, watched), None):
        return quoted.span()
    nouns: Iterable[re.Match[str]] = watched.noun.finditer(sentence) if watched.head else ()
    return next((one.span() for one in nouns if _is_meant(sentence, one)), None)


def _may_name(folded: str, watched: WatchedField) -> bool:
    if " ".join(watched.fact.subject.casefold().split()) in folded:
        return True
    if watched.fact.number:
        return watched.numbered.search(folded) is not None
    return bool(watched.head and watched.head in folded) or any(_quotes_of_title(folded, watched))


def _quotes_of_title(text: str, watched: WatchedField) -> Iterator[re.Match[str]]:
    """Yield where a text quotes several words of a title."""
    title = watched.fact.subject.casefold()
    for quoted in _QUOTED.finditer(text):
        said = quoted[1].casefold().strip(" .,")
        if " " in said and said in title:
            yield quoted


def _is_meant(sentence: str, noun: re.Match[str]) -> bool:
    return is_definite(sentence, noun) or _OWNED.search(sentence[: noun.start()]) is not None


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, each on one line, without the rows of its tables."""
    for start, end in sentence_spans(text):
        if (said := " ".join(text[start:end].split())).count("|") < _BARS:
            yield said


def _whole(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_words_of(text)}(?!\w)", re.IGNORECASE)


def _words_of(text: str) -> str:
    """Return what finds the words of a text with any blanks between them."""
    return r"\s+".join(map(re.escape, text.split()))

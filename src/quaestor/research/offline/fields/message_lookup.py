"""Answers that stand in the header of an e-mail: who sent it, to whom, when, and its subject."""

import re
from collections.abc import Iterator, Sequence

from quaestor.evidence.tokenization import content_terms, normalize
from quaestor.research.offline.fields.header_fields import Field, Header
from quaestor.research.offline.words.language import stems_of

_SENDER, _RECIPIENTS, _DATE, _SUBJECT = "from", ("to", "cc"), "date", "subject"
_MESSAGE = re.compile(r"\b(?:e-?mails?|mails?|messages?|letters?|sent|send|sender|recipients?)\b", re.IGNORECASE)
_MESSAGE_WORDS = stems_of(
    "email mail message letter send sent sender write wrote written receive received recipient addressed get got "
    "subject subject-line line date day time"
)
_ASKED = (
    (_SUBJECT, re.compile(r"\b(?:what|which)\b.*\bsubject\b", re.IGNORECASE)),
    (_DATE, re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|time)\b", re.IGNORECASE)),
    ("to", re.compile(r"\bto whom\b|\bwho(?:m)?\b.*\b(?:sent|addressed|written) to\W*$", re.IGNORECASE)),
    ("to", re.compile(r"\bwho (?:received|got)\b|\brecipients?\b", re.IGNORECASE)),
    (_SENDER, re.compile(r"\bwho (?:sent|wrote)\b|\bsender\b|\bfrom whom\b|\bwho(?:m)?\b.*\bfrom\W*$", re.IGNORECASE)),
    (_SENDER, re.compile(r"\bwho was\b.*\b(?:sent|written) by\W*$", re.IGNORECASE)),
)
"""The fields that a question may ask for, each with what asks for it; the first one holds."""
_NAME = r"(?P<name>[^\W\d_a-z][\w.'\u2019-]*(?: [^\W\d_a-z][\w.'\u2019-]*)*)"
_SENT_BY = re.compile(rf"\b(?:from|by|did|does) {_NAME}|{_NAME.replace('name', 'before')} (?:sent|wrote)\b")
_SENT_TO = re.compile(rf"\bto {_NAME}")
_IDENTITY_KEYS = frozenset({_SENDER, *_RECIPIENTS, _SUBJECT})


def asked_message_field(question: str) -> str | None:
    """Return the key of the field of an e-mail that a question asks for, in small letters; None for another."""
    if not _MESSAGE.search(question):
        return None
    return next((key for key, asks in _ASKED if asks.search(question)), None)


def find_message_field(question: str, header: Header) -> Field | None:
    """Return the field that answers, of the header of an e-mail to which every telling word of a question belongs.

    A word belongs to the subject, or to a sender or a recipient where the question has that one in this role. A
    question that tells nothing about the e-mail has no answer here.
    """
    key = asked_message_field(question)
    fields = {normalize(field.key): field for field in header.fields if field.value}
    if key is None or key not in fields or _SENDER not in fields or not {_DATE, _SUBJECT, "to"} & fields.keys():
        return None
    telling = frozenset(content_terms(question)) - _MESSAGE_WORDS
    held = frozenset[str]().union(*(content_terms(fields[name].value) for name in _identity_keys(key) & fields.keys()))
    if not telling or not telling <= held or not _has_roles(question, fields):
        return None
    return fields[key]


def _identity_keys(asked: str) -> frozenset[str]:
    """Return the fields by which an e-mail is told from others: what is asked for is not one of them."""
    return _IDENTITY_KEYS - {asked}


def _has_roles(question: str, fields: dict[str, Field]) -> bool:
    """Return whether the people whom a question has as senders and recipients are that in this e-mail."""
    senders = _people_terms(fields, (_SENDER,))
    recipients = _people_terms(fields, _RECIPIENTS)
    return not any(name & recipients - senders for name in _named(_SENT_BY, question)) and not any(
        name & senders - recipients for name in _named(_SENT_TO, question)
    )


def _people_terms(fields: dict[str, Field], keys: Sequence[str]) -> frozenset[str]:
    return frozenset(term for key in keys if key in fields for term in content_terms(fields[key].value))


def _named(role: re.Pattern[str], question: str) -> Iterator[frozenset[str]]:
    for match in role.finditer(question):
        yield frozenset(content_terms(next(name for name in match.groups() if name)))

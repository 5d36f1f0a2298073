"""The date of a text: when it was written, which is not when that came about of which it tells."""

import re

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.words.language import stems_of

DATE_KEYS = "date datum fecha data дата"
"""What a field is called that says when that was which its document is about."""
_MAKING = """
    write written publish published create created date dated update updated revise revised modify modified post posted
    release released issue issued sign signed print printed send sent receive received file filed letter mail email
    document report version geschrieben verfasst veröffentlicht erschienen datiert aktualisiert gesendet unterschrieben
    écrit écrite publié publiée rédigé mis envoyé signé escrito escrita publicado publicada fechado actualizado enviado
    написан написано опубликован опубликовано отправлено
"""
"""What is done to a text on its date, and what a text is called."""
_FIELD_LINE = re.compile(r"\s*(?P<key>[^\W\d_][\w -]{0,40}?) *: ")


def asks_for_text_date(question: str) -> bool:
    """Return whether a question asks when a text was made or sent, so that the date in its header answers."""
    return not stems_of(_MAKING).isdisjoint(terms(question))


def is_text_date(text: str) -> bool:
    """Return whether a text is nothing but fields of a header, one of them the date."""
    fields = [_FIELD_LINE.match(line) for line in text.splitlines() if line.strip()]
    keys = [field["key"].casefold() for field in fields if field]
    return len(keys) == len(fields) and not frozenset(DATE_KEYS.split()).isdisjoint(keys)

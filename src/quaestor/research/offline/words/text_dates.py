"""The date of a text: when it was written, which is not when that came about of which it tells."""

import re
from collections.abc import Iterable

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.words.dates import PartialDate, find_partial_dates
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
_TEXTS = """
    minutes memo memorandum notice article page paper post note newsletter bulletin announcement invitation statement
    message invoice bill receipt proposal text file protokoll brief bericht mitteilung bekanntmachung einladung rechnung
    nachricht artikel dokument lettre courrier rapport avis article facture message carta informe acta aviso artículo
    factura mensaje lettera verbale rapporto avviso articolo fattura messaggio ata relatório artigo fatura mensagem
    notulen verslag bericht factuur uitnodiging письмо отчёт протокол
"""
"""What else texts are called; a bill and a notice are sent, and so are dated."""
_TEXT_KEYS = (
    "author authors by from to cc bcc sender version layout tags categories slug draft autor autorin von an auteur de à"
    " para autore da van aan автор от кому"
)
"""The fields of a text that was written or sent, in small letters."""
_CALLED_BY_DAY = re.compile(
    rf"\b(?:{'|'.join(_TEXTS.split())}|procès-verbal|compte[ -]rendu)s?"
    r"(?:,? (?:of|from|for|the|our|last|dated|vom|von|zur?|der|des|du|de|del|la|le|della|van|het|meeting|committee"
    r"|board|general|annual|assembly|sitzung|séance|réunion|(?-i:[A-ZÀ-Þ])[\w.-]*))*,? \Z",
    re.IGNORECASE,
)
"""Before a day by which a text is called: "the minutes of the AGM of 16 May"."""
_FIELD_LINE = re.compile(r"\s*(?P<key>[^\W\d_][\w -]{0,40}?) *: ")


def asks_for_text_date(question: str) -> bool:
    """Return whether a question asks when a text was made or sent, so that the date in its header answers."""
    return not stems_of(_MAKING).isdisjoint(terms(question))


def asks_for_date_of_text(question: str) -> bool:
    """Return whether a question for a date says that it is that of a text, in more words than "date": "the minutes"."""
    return not (stems_of(_MAKING + _TEXTS) - stems_of(DATE_KEYS)).isdisjoint(terms(question))


def dates_own_text(key: str, beside: Iterable[str]) -> bool:
    """Return whether a field dates the text that it stands in, and not what the text is about.

    The keys of the fields `beside` it but for the title say so, if one of them tells who wrote or sent it, or there are
    none: "Date" beside "Author" dates a notice of a feast, and beside "Artist" a picture.
    """
    others = {other.casefold() for other in beside}
    return key.casefold() in DATE_KEYS.split() and (not others or not others.isdisjoint(_TEXT_KEYS.split()))


def is_text_date(text: str) -> bool:
    """Return whether a text is nothing but fields of a header, one of them the date."""
    fields = [_FIELD_LINE.match(line) for line in text.splitlines() if line.strip()]
    keys = [field["key"].casefold() for field in fields if field]
    return len(keys) == len(fields) and not frozenset(DATE_KEYS.split()).isdisjoint(keys)


def day_of_named_text(text: str) -> PartialDate | None:
    """Return the last day by which a text calls another one: "Minutes of 16 September approved"; None without any."""
    days = ((one, text.find(one.text)) for one in find_partial_dates(text) if one.day and one.month)
    called = [(place, one) for one, place in days if _CALLED_BY_DAY.search(text[:place])]
    return max(called, key=lambda each: each[0])[1] if called else None

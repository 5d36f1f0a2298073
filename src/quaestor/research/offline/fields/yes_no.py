"""Values that say yes or no, as those of a column "paid", in the languages of tables."""

import re

from quaestor.evidence.normalization import normalize
from quaestor.research.offline.words.markup import strip_markup

_YES = re.compile(
    r"yes|y|true|x|1|ja|j|wahr|oui|o|vrai|sí|si|verdadero|sì|vero|sim|verdadeiro|waar|tak|prawda|да|истина|[✓✔☑✅]"
)
_NO = re.compile(r"n|false|0|falsch|faux|falso|onwaar|fałsz|ложь|[✗✘☐❌]")
_DENIAL = re.compile(
    r"(?:not?(?![.\s]*\d)|none(?=\s)|never|without|nein|nicht|noch nicht|kein\w*|niemals|ohne|non|pas|jamais|aucun\w*"
    r"|sans|nunca|ningun\w*|aún no|todavía no|sin|ancora no|nessun\w*|senza|não|ainda não|nenhum\w*|sem|nee|niet"
    r"|nog niet|geen|nooit|zonder|nie|jeszcze nie|żad\w+|nigdy|brak|bez|нет|не|еще не|ещё не|никогда|без)(?!\w)"
)
"""Words with which a value begins that denies; "No. 7" is a number."""


def says_yes(value: str) -> bool:
    """Return whether a value is a word or a sign for yes."""
    return _YES.fullmatch(_plain(value)) is not None


def says_no(value: str) -> bool:
    """Return whether a value is a word or a sign for no, or begins with a word that denies."""
    plain = _plain(value)
    return _NO.fullmatch(plain) is not None or _DENIAL.match(plain) is not None


def _plain(value: str) -> str:
    return normalize(strip_markup(value)).rstrip(".!")

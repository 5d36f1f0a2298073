"""Whether the value of a field is of the kind that a question asks for: "written" names the author, not when or why."""

import re

from quaestor.research.offline.words.dates import find_dates, parse_date
from quaestor.research.offline.words.field_names import lists_people
from quaestor.research.offline.words.language import AnswerKind
from quaestor.research.offline.words.question import Question
from quaestor.research.offline.words.reasons import asks_for_reasons

_MANNER_OR_PLACE = re.compile(
    r"\b(?:how (?:is|are|was|were|do|does|did|has|have|had|can|could)|where|in what way|wie (?:wird|werden|wurden?)|wo"
    r"|où|comment (?:est|sont|fut|a|ont)|dónde|cómo (?:es|se|fue|fueron|está|están)(?! llaman?\b)|dove|come (?:è|fu)"
    r"|onde|waar|gdzie|где)\b",
    re.IGNORECASE,
)
"""Questions for how or where, in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Russian."""


def is_of_asked_kind(question: Question, key: str, value: str) -> bool:
    """Return whether a field may answer a question: who by no date, when by a date, why by none.

    How many is told by a number, and by people who can be counted; how or where neither by people nor by a date.
    """
    is_people = lists_people(key)
    if asks_for_reasons(question.text):
        return False
    if _MANNER_OR_PLACE.search(question.text):
        return not (is_people or parse_date(value))
    match question.wanted:
        case AnswerKind.PERSON:
            return parse_date(value) is None and not value.isdigit()
        case AnswerKind.DATE:
            return bool(find_dates(value)) and not is_people
        case AnswerKind.NUMBER | AnswerKind.DURATION:
            return is_people or any(map(str.isdigit, value))
        case AnswerKind.NAME | AnswerKind.YES_NO | AnswerKind.PROSE:
            return True

"""What the offline model knows of languages: data, and how to look it up.

Everything here adds: a language without an entry loses a hint, never an answer.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache

from quaestor.contracts.immutable import Immutable
from quaestor.evidence.tokenization import terms
from quaestor.research.reports.languages import report_language


class AnswerKind(StrEnum):
    """What kind of answer a question asks for."""

    PERSON = "person"
    DATE = "date"
    DURATION = "duration"
    NUMBER = "number"
    NAME = "name"
    YES_NO = "yes_no"
    PROSE = "prose"


_QUESTION_WORDS: tuple[tuple[AnswerKind, str], ...] = (
    (AnswerKind.PERSON, "who|whom|whose|quién|quiénes|qui|wer|quem|kto|кто|谁|誰|कौन|किसने|ใคร"),
    (
        AnswerKind.DATE,
        (
            "when|what year|which year|what date|which date|what day|cuándo|en qué año|quand|wann|quando|in che anno|"
            "em que ano|wanneer|in welk jaar|kiedy|w którym roku|когда|в каком году|"
            "何时|什么时候|哪一年|哪年|何時|いつ|何年|कब|किस वर्ष|เมื่อไร|เมื่อไหร่|เมื่อใด|ปีใด|ปีไหน"
        ),
    ),
    (
        AnswerKind.DURATION,
        (
            "how long do|how long does|how long did|how long will|how long would|how long can|how long could|"
            "how long may|how long must|how long should|how long has|how long have|how long had|how often|how soon|"
            "how quickly|how much time|"
            "wie lange|wie oft|combien de temps|cuánto tiempo|quanto tempo|как долго|сколько времени"
        ),
    ),
    (
        AnswerKind.NUMBER,
        (
            "how many|how much|cuántos|cuántas|cuánto|cuánta|combien|wie viele|wie viel|"
            "quanti|quante|quanto|quanta|quantos|quantas|hoeveel|ile|сколько|"
            "多少|几个|几次|いくつ|いくら|何人|何回|कितने|कितनी|कितना|กี่|เท่าไร|เท่าไหร่|เท่าใด"
        ),
    ),
    (
        AnswerKind.NAME,
        "which|where|what|dónde|cuál|cuáles|où|quel|quelle|wo|welche|welcher|welches|哪|どこ|どの|どちら|कहाँ|ที่ไหน|ไหน",
    ),
    (
        AnswerKind.PROSE,
        (
            "why|how|what is|what are|what was|what were|what does|what do|what did|what happens|what makes|"
            "when should|when to|when do|when can|por qué|cómo|pourquoi|comment|warum|wie|为什么|为何|如何|怎么|"
            "什么是|なぜ|どうして|どのように|क्यों|कैसे|ทำไม|เหตุใด|อย่างไร"
        ),
    ),
)
_YES_NO = (
    "is|are|was|were|do|does|did|has|have|had|can|could|should|will|would|must|is it true that|est-ce que|क्या|是否"
)
_SAY_O = frozenset({"es", "it"})
"""Languages that say "o" for "or"; in Portuguese it is an article, in Polish "about"."""
QUESTION_MARKS = " ?\uff1f"
_OR_WORDS = " or | o | ou | oder |还是|或者|それとも| या |หรือ"
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


class Facet(Immutable):
    """A side of a subject: the words by which a question asks for it, and those in which texts speak of it."""

    name: str
    asked: str
    said: str


FACETS = (
    Facet(
        "reasons",
        asked="why background reason reasons motivation rationale purpose contexto motivos razones contexte raisons "
        "hintergrund gründe 背景 为什么 为何 原因 理由 なぜ क्यों कारण पृष्ठभूमि ทำไม เหตุผล ความเป็นมา",
        said="rationale motivation because reason purpose motivated problem goal "
        "porque razón motivo 因为 原因 由于 理由 ため कारण क्योंकि เพราะ เหตุผล",
    ),
    Facet(
        "objections",
        asked="objection criticism critics criticised criticized drawback disadvantage downside controversy "
        "concern oppose opposition against",
        said="objection rejected alternative concern criticism drawback disadvantage argue against oppose confusing "
        "abuse complexity controversial disagree however",
    ),
    Facet(
        "alternatives",
        asked="alternative rejected",
        said="alternative rejected considered instead proposal",
    ),
    Facet(
        "cost",
        asked="cost overhead price expensive performance slowdown penalty",
        said="cost overhead performance slower slow penalty percent memory expensive impact faster regression",
    ),
    Facet(
        "limits",
        asked="limit limitation restriction constraint 限制 límite límites",
        said="limit limitation restrict cannot unsupported constraint impossible only except 限制 límite",
    ),
    Facet(
        "differences",
        asked="differ difference differences compare comparison versus contrast distinguish comparar vergleich "
        "comparer diferencia 比较 比較 区别 差异 違い तुलना अंतर เปรียบเทียบ",
        said="unlike whereas differ difference contrast instead rather than compared both 不同 区别 違い अंतर",
    ),
    Facet(
        "benefits",
        asked="benefit advantage strength gain ventaja 优点 利点 लाभ",
        said="benefit advantage improve faster simpler easier safer allow 优点 利点 लाभ",
    ),
)

ACTION_WORDS = (
    "added introduced adopted proposed created accepted chosen raised made given found mentioned stated listed "
    "said told written"
)
"""What was done to a subject or said of it; beside a facet it tells a text about the subject from no other."""

AUTHOR_WORDS = (
    "author authors writer written wrote by autor autorin autoren autora autores auteur auteurs geschrieben verfasst "
    "escribió escrito écrit автор авторы написал написала 作者 著者 लेखक ผู้เขียน"
)
"""Words that name who made a text; header fields with such a key answer who wrote it."""

_NO_OBJECTION = re.compile(
    r"\bobject(?:s|ives?)?\b(?! to\b)"
    r"|\b(?:vot|fight|fought|play|protect|insur|guard|secur|lean|compet|won|win|lost|lose|charg|sue|match|defend|defence"
    r"|defense|rac|check|test|measur|result|scor|game|goal|draw|drew|beat|vaccin|remed)\w*(?: [\w'-]+){0,5} against\b"
    r"|\bagainst (?:\w+ )?(?:will|wish(?:es)?|advice|consent)\b",
    re.IGNORECASE,
)
"""A thing or an aim, whose stem is that of "objection", and what is done against somebody, or his will."""

_AND = {
    "ar": " و",
    "de": " und ",
    "es": " y ",
    "fr": " et ",
    "hi": " और ",
    "it": " e ",
    "ja": "、",
    "nl": " en ",
    "pl": " i ",
    "pt": " e ",
    "ru": " и ",
    "th": " และ ",
    "tr": " ve ",
    "zh": "、",
}


def is_unspaced(text: str) -> bool:
    """Return whether a text has words of a script that puts no blanks between them."""
    return _UNSPACED.search(text) is not None


def join_names(names: Sequence[str], question: str) -> str:
    """List names as the language of the question does: A, B and C."""
    *first, last = names or ("",)
    return f"{', '.join(first)}{_AND.get(report_language(question), ' and ')}{last}" if first else last


def answer_kind(question: str) -> AnswerKind:
    """Return what kind of answer is asked for: the question word that comes first decides, the longest at one place."""
    lowered = question.casefold()
    found = [
        (match.start(), -len(match.group()), kind)
        for kind, cues in _QUESTION_WORDS
        if (match := _cue_pattern(cues).search(lowered))
    ]
    opening = _cue_pattern(_YES_NO).match(lowered.lstrip(" ¿\"'"))
    if opening or "是否" in lowered or lowered.rstrip(QUESTION_MARKS).endswith("吗"):
        return AnswerKind.YES_NO
    return min(found)[2] if found else AnswerKind.PROSE


def facets_in(question: str) -> tuple[Facet, ...]:
    """Return the facets a question asks for, in the order of the table."""
    stems = set(terms(_NO_OBJECTION.sub(" ", question)))
    lowered = question.casefold()
    return tuple(facet for facet in FACETS if stems & stems_of(facet.asked) or _has_unspaced_cue(facet, lowered))


def asks_for_objections(facets: Sequence[Facet]) -> bool:
    """Return whether it is asked what was said against something."""
    return any(facet.name == "objections" for facet in facets)


@cache
def stems_of(words: str) -> frozenset[str]:
    """Return the index terms of a list of words."""
    return frozenset(terms(words))


def facet_words(facet: Facet, text: str) -> tuple[str, ...]:
    """Return the words in which texts of the language of `text` speak of a facet."""
    code = report_language(text)
    words = facet.said.split()
    return tuple(word for word in words if (word.isascii() if code == "en" else report_language(word) == code))


def split_at_or(text: str) -> tuple[str, str] | None:
    """Split a text at its last word for "or"; None when it has none."""
    places = list(re.finditer(_OR_WORDS, text, re.IGNORECASE))
    if any(place[0] == " o " for place in places) and report_language(text) not in _SAY_O:
        places = [place for place in places if place[0] != " o "]
    if not places:
        return None
    return text[: places[-1].start()], text[places[-1].end() :]


def _has_unspaced_cue(facet: Facet, lowered: str) -> bool:
    return any(cue in lowered for cue in facet.asked.split() if _UNSPACED.search(cue))


@cache
def _cue_pattern(cues: str) -> re.Pattern[str]:
    ordered = sorted(cues.split("|"), key=len, reverse=True)
    return re.compile("|".join(cue if _UNSPACED.search(cue) else rf"(?<!\w){cue}(?!\w)" for cue in ordered))

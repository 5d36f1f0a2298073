"""Whether a piece of text is a sentence, and how well it can be read by itself."""

import re
from collections.abc import Sequence

from quaestor.evidence.tokenization import words
from quaestor.research.offline.words.markup import is_link
from quaestor.research.reports.languages import report_language

SENTENCE_END = re.compile(r"[.!?。\uff01\uff1f।॥…][\"'”\u2019」』)\]*_`\s]*(?:\[[\w#*]+\]_?\s*)*$")
_ITEM_END = re.compile(
    r"(?:;(?:\s+(?:and/or|and|or|und|oder|et|ou|y|o|e|и|или))?,?|,\s+(?:and|or|und|oder|et|ou|y|o|e|и|или),?)\s*\Z",
    re.IGNORECASE,
)
"""How an item of a list ends that is not the last of its sentence: "; or,"."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_CODE = re.compile(
    r">>>|\A\s*(?:import |from \w+ import |def |class \w+[:(]|return\b)|;\s*\Z"  # of prose lines may begin or end so
    r"|^\s*(?:\.\. |\$ |#!|@)|[{}]\s*$|::\s*$|\w\(.*\):\s*$"
    r"|^\s*[=\-~^`#*+\"']{3,}|^\s*[\w.]+\(.*\)\s*$",
    re.MULTILINE,
)
_CONNECTIVE = re.compile(
    r"(?:however|moreover|furthermore|additionally|in addition|also|therefore|thus|hence|consequently|nevertheless|"
    r"nonetheless|finally|further|similarly|instead|as a result|on the other hand|granted|note that|note:),? (?=\w)",
    re.IGNORECASE,
)
"""Words that tie a sentence to the one before it and can go without changing what it says."""
_DEPENDENT_OPENING = re.compile(
    r"(?:this|that|these|those|it|its|they|them|their|he|she|his|her|but|such|so|then|and|or|here|there|another|"
    r"the same|the (?:first|second|third|latter|former)|otherwise|for example|for instance|first|second|third|yes|no"
    r"|as part of (?:this|that)"
    r"|the (?:\w+ )?(?:reasons?|causes?|answer|explanation|result|consequence|difference|problem) (?:is|are|was|were)"
    r")\b",
    re.IGNORECASE,
)
_LIMITING_OPENING = re.compile(
    r"(?:(?:but|however|nevertheless|nonetheless|instead|unless|except|exceptions?|yet|that said"
    r"|(?:in order )?to (?:avoid|circumvent|fix|mitigate|overcome|prevent|remedy|solve|work around)"
    r" (?:this|that|these|those|it|such)"
    r"|allerdings|jedoch|aber|dennoch|trotzdem|stattdessen|ausnahmen?|ausgenommen|abweichend (?:davon|hiervon)"
    r"|toutefois|cependant|mais|néanmoins|pourtant|en revanche|par exception|sauf"
    r"|sin embargo|no obstante|pero|en cambio|salvo|excepto|tuttavia|però|eccezione|echter|maar|behalve"
    r"|no entanto|porém|contudo|exceto)\b|однако\b)",
    re.IGNORECASE,
)
"""How a paragraph opens that limits what the one above it says, or tells how to escape it."""
SELF_REFERENCE = re.compile(
    r"\b[Tt]his (?:[A-Z]{2,}|document|proposal|paper|article|page|guide|module|package|note|report|specification)\b"
)
"""How a document speaks of itself."""
_ASIDE_OR_POINTER = re.compile(
    r"\(|(?:for (?:more |further )?(?:details|information|discussion),? )?(?:please )?see\b"
    r"|.*\b(?:below|following|above)\b",
    re.IGNORECASE,
)
"""Asides, and sentences that send the reader elsewhere."""
_HEARSAY = re.compile(
    r"(?:it (?:is|was|has been|had been)(?: \w+)? "
    r"(?:suggested|claimed|argued|said|believed|thought|assumed|alleged|feared)"
    r"|(?:some|many|most|others|critics|opponents|people)(?: \w+)? "
    r"(?:say|said|claim(?:ed)?|argued?|believed?|suggest(?:ed)?|think|thought|fear(?:ed)?|assumed?))\b",
    re.IGNORECASE,
)
"""How a sentence opens that tells what is said by nobody in particular."""
_DENIAL = re.compile(
    r"\b(?:not|no|never|cannot|none|nothing|however|but|yet|wrong|false|untrue|incorrect|mistaken|contrary|in fact)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
_FINITE_VERB = re.compile(
    r"\d|\b(?:is|are|was|were|be|been|has|have|had|can|cannot|could|may|might|must|should|shall|will|would|does|do|did|"
    r"not)\b|n't\b",
    re.IGNORECASE,
)
_GERUND = re.compile(r"\w+ing\b(?! is\b| are\b| was\b)", re.IGNORECASE)
_NOTICE = re.compile(r"(?:copyright\b|\(c\) |©|all rights reserved)", re.IGNORECASE)
"""How a text opens that says whose its document is."""
_LABELS = re.compile(r"\w+: \w+: ")
_CODE_TOKEN = re.compile(r"\w\(|^[=+\-*/<>|&]+$|\)\)|\w_\w|^\W*#|\w=\w")
_MAX_CODE_SHARE = 0.25
_MAX_CAPITAL_SHARE = 0.6
_MAX_CAPITAL_SHARE_OF_GERMAN = 0.85
"""Words with a capital letter: a title has many, but in German so has every sentence, for its nouns."""
MIN_WORDS = 5
"""Of a sentence; what has fewer may be a fragment."""
_FEWEST_WORDS = 3
"""Words of a sentence that is read with the one before it."""
_TELLS = re.compile(r"\d|(?<=\s)[A-Z\u00c0-\u00de]")
_MIN_CHARACTERS = 8
MAX_CHARACTERS = 600
"""Of a sentence; what has more is none."""
_MIN_LETTER_SHARE = 0.72
_LONG_SENTENCE = 280
_BEGUN = re.compile(
    r"(?<!\w)(?:after|before|if|once|unless|until|when|provided that|nachdem|falls|sobald|wenn|après que|lorsque|quand"
    r"|cuando|después de que|dopo che|quando|nadat|wanneer)[\s*_]*\Z",
    re.IGNORECASE,
)
"""At the end of what is told on a condition: "This is to be done only after"."""


def is_sentence(piece: str, claim: str, *, introduces: bool) -> bool:
    """Return whether a piece is a sentence, and no heading, code, table, directive or fragment.

    So is one that introduces the code below it and states something, for it is shown with that.
    """
    introduces = introduces and claim.endswith(":") and _FINITE_VERB.search(claim) is not None
    if (
        not _MIN_CHARACTERS <= len(claim) <= MAX_CHARACTERS
        or len(piece) > 2 * MAX_CHARACTERS
        or _CODE.search(piece.rstrip(":") if introduces else piece)
        or (claim.endswith((":", "(", ",")) and not (introduces or _ITEM_END.search(claim)))
        or is_link(piece)
        or _LABELS.match(claim)
        or _is_fragment(claim)
    ):
        return False
    if _is_short_statement(claim):
        return True
    parts = claim.split()
    if len(parts) >= MIN_WORDS and _has_many_capitals(claim, parts):
        return False
    if sum(_CODE_TOKEN.search(part) is not None for part in parts) > _MAX_CODE_SHARE * len(parts):
        return False
    solid = [letter for letter in claim if not letter.isspace()]
    marks = sum(not (letter.isalpha() or _is_combining_mark(letter)) for letter in solid)
    if marks > (1 - _MIN_LETTER_SHARE) * len(solid):
        return False
    return _UNSPACED.search(claim) is not None or len(words(claim)) >= MIN_WORDS


def _is_short_statement(claim: str) -> bool:
    """Return whether a short sentence tells a number or a name of what the one before it is about: "It cost £5."."""
    is_whole = SENTENCE_END.search(claim) is not None and len(claim.split()) >= _FEWEST_WORDS
    return is_whole and leans_on_previous(claim) and _TELLS.search(claim) is not None


def _has_many_capitals(claim: str, parts: Sequence[str]) -> bool:
    share = sum(part[:1].isupper() for part in parts) / len(parts)
    is_german = share > _MAX_CAPITAL_SHARE and report_language(claim) == "de"
    return share > (_MAX_CAPITAL_SHARE_OF_GERMAN if is_german else _MAX_CAPITAL_SHARE)


def _is_combining_mark(letter: str) -> bool:
    """Return whether a character is a vowel sign or tone mark, which some scripts write as separate characters."""
    return "\u0900" <= letter <= "\u0eff"


def _is_fragment(claim: str) -> bool:
    """Return whether an English text without an end states nothing; other languages are not judged."""
    ends = SENTENCE_END.search(claim) or _ITEM_END.search(claim)
    if ends or _UNSPACED.search(claim) or report_language(claim) != "en":
        return False
    return _GERUND.match(claim) is not None or "://" in claim.rpartition(" ")[2] or _FINITE_VERB.search(claim) is None


def standalone_score(claim: str) -> float:
    """Score how well a sentence can be read alone, from 0 to 1."""
    worth = 1.0
    is_item = _ITEM_END.search(claim) is not None
    if not (is_item or SENTENCE_END.search(claim) or _UNSPACED.search(claim)):
        worth *= 0.6
    if not is_item and claim[0].islower() and not re.match(r"[\w]*[._(]", claim):
        worth *= 0.6
    if _CONNECTIVE.match(claim):
        worth *= 0.9
    elif _DEPENDENT_OPENING.match(claim) and not SELF_REFERENCE.match(claim):
        worth *= 0.7
    if _ASIDE_OR_POINTER.match(claim):
        worth *= 0.6
    if len(claim) > _LONG_SENTENCE:
        worth *= 0.85
    if _NOTICE.match(claim):
        worth *= 0.4
    return worth


def leans_on_previous(claim: str) -> bool:
    """Return whether a sentence cannot be understood without the one before it."""
    return bool(_CONNECTIVE.match(claim) or _DEPENDENT_OPENING.match(claim)) and not SELF_REFERENCE.match(claim)


def is_begun(text: str) -> bool:
    """Return whether words end in one that begins a condition, which a list below them goes on with."""
    return _BEGUN.search(text) is not None


def limits_previous(claim: str) -> bool:
    """Return whether a sentence opens as one that limits what stands above it: whoever reads that needs it too."""
    return _LIMITING_OPENING.match(claim) is not None


def is_denied(claim: str, after: str) -> bool:
    """Return whether a sentence tells what others say, and the one after it speaks against that."""
    return _HEARSAY.match(claim) is not None and _DENIAL.search(after) is not None

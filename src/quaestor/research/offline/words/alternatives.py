"""What a question sets side by side: one of two alternatives, the sides of a comparison."""

import re
from collections.abc import Sequence

from quaestor.evidence.tokenization import content_terms, words
from quaestor.research.offline.words.language import AnswerKind, answer_kind, split_at_or
from quaestor.research.offline.words.names import QUOTE_MARKS, find_names
from quaestor.research.offline.words.ranges import is_range
from quaestor.research.offline.words.side_names import (
    name_kind,
    names_alone,
    with_command,
    with_numbers,
    with_plural,
    with_year,
    without_tail,
)
from quaestor.research.offline.words.status_words import DRAFT, ENDED

_BETWEEN = re.compile(
    r"\b(?:between|compare|comparing) (?P<one>.+?) (?:and|with|to|versus) (?P<two>.+?)"
    r"(?=: | (?:in|for|when) (?-i:(?:[^A-Z]|(?<=[a-z])[A-Z])+)$|$)",
    re.IGNORECASE,
)
_BETWEEN_ALIKE = re.compile(
    r"\b(?:between|compare|comparing) (?P<one>(?:an? |the )?(?P<lead>\w+ (?:with|to)) .+?) and "
    r"(?P<two>(?:an? |the )?(?P=lead) .+?)(?= (?:in|for|when) (?-i:[^A-Z]+)$|[?.]?$)",
    re.IGNORECASE,
)
"""Sides that begin alike: writing to a file and writing to a pipe; their "to" does not part them."""
_LEADS_TO_ALL = re.compile(r"\b(?:between|among|compare|comparing) $", re.IGNORECASE)
"""What asks of all sides together, and of one alone means nothing."""
_VERSUS = re.compile(
    r"(?:.*?\b(?:how (?:do|does|did|is|are)|how|do|does|is|are) )?(?P<one>[^,]+?) "
    r"(?P<by>vs\.?|versus|differs? from|different from|compare[sd]? (?:to|with)) (?P<two>.+)",
    re.IGNORECASE,
)
_BOTH_OF = re.compile(r"^(?:are|were|is|was|do|did|does) (?P<one>.+?) and (?P<two>.+?) both\b", re.IGNORECASE)
_DIFFER = re.compile(
    r"\b(?:how (?:do|does|are|is) |differences? (?:between|among) )(?P<list>[^,]+?(?:, [^,]+?)*?,? and .+?)"
    r"(?= (?:differ|compare|different)\b| in | for |[?.]?$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_ARTICLE_LAST = re.compile(r"\b(?:an?|the) $", re.IGNORECASE)
_LIST_SEPARATOR = re.compile(r",? and |, ")
_BETWEEN_OPTIONS = re.compile(
    r"[\s,\uff0c、\"'“”]*(?:(?:and|or|the|an?|both|either|vs\.?|versus|compared (?:to|with))(?!\w)[\s,\"'“”]*)*",
    re.IGNORECASE,
)
_OPEN_RANGE = re.compile(
    r"\bor (?:newer|later|older|earlier|more|less|fewer|greater|higher|lower|larger|smaller|above|below|not|so)\b",
    re.IGNORECASE,
)
"""What an "or" may extend without a second alternative: 3.10 or newer."""
_DENIED = re.compile(
    r"\b(?:not|cannot|never|neither|without|nicht|keine?[nmrs]?|jamais|nunca)\b|n['\u2019]t\b", re.IGNORECASE
)
"""Of what is denied an "or" gives no choice: what can be neither caught nor ignored."""
_OF_EACH = re.compile(
    r"(?:(?:the (?-i:[a-z]+)|(?-i:[a-z]+s)) of|the (?-i:[a-z]+ [a-z]+) for) (?P<one>(?:(?! (?:of|for) ).)+)",
    re.IGNORECASE,
)
"""What is compared of two things: the license of one and the other, the expertise required for them."""
_OF_OR_FOR = re.compile(r" (?:of|for) ", re.IGNORECASE)
_OF_IT = re.compile(r".+? of (?P<one>.+)", re.IGNORECASE)
_OF_AGAIN = re.compile(r"of ", re.IGNORECASE)
"""What makes it sure that something is compared of two things: the notice period of one and of the other."""
_ASKED_OF = re.compile(r".*\b(?:of|for|in|under|by|with|on|at|from) (?=\S)", re.IGNORECASE)
_ADVERBS = frozenset({"average", "default", "first", "general", "least", "most", "now", "once", "present", "total"})
"""What is no side behind such a word: what something is by default."""
_LETTERED = re.compile(r"(?P<kind>\w+) (?P<letter>[A-Z])\Z")
_STATE = re.compile(
    rf"{ENDED}|{DRAFT}|active|final|accepted|adopted|approved|implemented|experimental|provisional|proposed|pending"
    r"|in force|valid|current|open|closed|merged|angenommen|abgelehnt|gültig|offen|geschlossen|adoptée?|acceptée?"
    r"|refusée?|ouverte?|fermée?|aprobad[oa]|rechazad[oa]|vigente|abiert[oa]|cerrad[oa]",
    re.IGNORECASE,
)
"""In which state one thing is no two sides are asked of: whether it is active or still a draft."""
_STILL = re.compile(r"\A(?:still|already|noch|schon|encore|déjà|aún|todavía|ya) ", re.IGNORECASE)
_MAX_OPTION_WORDS = 6
_MAX_SIDE_WORDS = 4
"""Words of a second side that is the like of the end of the first one."""
_MAX_COMPARISON_LENGTH = 500
_OF_BOTH = 2
_SHORTEST_OFFICE = 5
"""Letters of a word for an office."""
_FEMININE = frozenset({"in", "innen", "e", "ne", "a", "r"})
"""What the word for a woman ends in behind that for a man, in German, French and Spanish, or the other way round."""


def find_alternatives(text: str, masked: str) -> tuple[str, ...]:
    """Return the alternatives of a question: A or B; between A and B; A versus B; A and B, both."""
    return with_numbers(_find_alternatives(text, masked))


def _find_alternatives(text: str, masked: str) -> tuple[str, ...]:
    if len(masked) > _MAX_COMPARISON_LENGTH:
        return ()
    if alike := _BETWEEN_ALIKE.search(masked):
        return tuple(_strip_option(text[slice(*alike.span(side))]) for side in ("one", "two"))
    for pattern in (_BOTH_OF, _BETWEEN, _VERSUS):
        match = pattern.search(masked)
        if match and pattern is _BETWEEN and is_range(masked, match["one"], match["two"]):
            return ()
        if match:
            return _matched_sides(text, masked, match)
    listed = _DIFFER.search(masked)
    if listed and re.search(r"\b(?:differ|compare|difference|different)", masked, re.IGNORECASE):
        return _split_list(text, masked, *listed.span("list"))
    split = None if _OPEN_RANGE.search(masked) else split_at_or(masked)
    if split is None:
        return ()
    left, right = split
    if _DENIED.search(left):
        return ()
    last = _leading_option(text[len(masked) - len(right) :], masked[len(masked) - len(right) :])
    options = (*_options_before_or(text[: len(left)], left, size=len(words(last))), last)
    if not all(_may_be_option(option, masked) for option in options) or all(map(_STATE.fullmatch, options)):
        return ()
    return () if len(options) == _OF_BOTH and _are_one_office(*options) else options


def _are_one_office(one: str, other: str) -> bool:
    """Return whether two words are what a woman and a man are called in one office: Sprecherin oder Sprecher."""
    long, short = sorted((one.casefold(), other.casefold()), key=len, reverse=True)
    return len(short) >= _SHORTEST_OFFICE and long.startswith(short) and long[len(short) :] in _FEMININE


def _matched_sides(text: str, masked: str, match: re.Match[str]) -> tuple[str, ...]:
    """Return the sides of a comparison that a pattern found, unless one of them is a pronoun."""
    start, end = match.span("one")
    if match.re is _VERSUS:
        shared = _shared_lead(match, masked)
        if match["by"].casefold().startswith("compared") and not shared:
            return ()  # which may compare with how it was: "has changed compared to 2019"
        start += shared
    begin, until = match.span("two")
    again = _OF_AGAIN.match(masked, begin, until)
    begin = again.end() if again else begin
    of_each = _OF_IT if again else _OF_EACH
    each = of_each.fullmatch(masked, start, end) if not _OF_OR_FOR.search(masked, begin, until) else None
    *more, one = _split_list(text, masked, each.start("one") if each else start, end)
    two = _strip_option(text[begin:until])
    one, two = with_year(one, two), with_year(without_tail(two, one), one)
    one = with_plural(one, two)
    if not (content_terms(one) and content_terms(two)):
        return ()  # a pronoun is what another question names
    return names_alone((*more, one, with_command(name_kind(two, one), one)), masked)


def _shared_lead(match: re.Match[str], masked: str) -> int:
    """Return how many characters before the one side are asked of both: the default level of gzip versus zstd."""
    lead = _ASKED_OF.match(match["one"])
    asks = lead and _is_question_lead(masked[: match.start("one") + lead.end()])
    if lead is None or not asks or _ASKED_OF.match(match["two"]) or len(words(match["two"])) > _MAX_SIDE_WORDS:
        return 0
    if match["one"][lead.end() :].casefold() in _ADVERBS:
        return 0
    place = match.start("one") + lead.end()
    cut = (re.search(re.escape(name), masked) for name in find_names(masked))
    return 0 if any(name and name.start() < place < name.end() for name in cut) else lead.end()


def find_side(task: str, options: Sequence[str]) -> str | None:
    """Return the one option that a task names; of one that stands in another, only where it also stands apart."""
    named: list[str] = []
    for option in sorted(options, key=len, reverse=True):
        if option in task:
            named.append(option)
            task = task.replace(option, " ")
    return named[0] if len(named) == 1 else None


def names_letter(text: str, side: str) -> bool:
    """Return whether a text holds a side that ends in one letter word by word, as reviewer A; True for any other side.

    No index has the word "a": what holds all other words of that side is as well about reviewer B.
    """
    lettered = _LETTERED.search(side)
    if lettered is None:
        return True
    return re.search(rf"(?i:{re.escape(lettered['kind'])})\W{{1,3}}{lettered['letter']}\b", text) is not None


def question_per_alternative(text: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """Ask a question of each option alone: "when to use A or B" is "when to use A" and "when to use B".

    Nothing, where the options do not stand together as a part of the sentence.
    """
    places: list[int] = []
    for option in options:  # each behind the one before, of which it may be a part: présidente, président
        places.append(text.find(option, places[-1] + len(options[len(places) - 1]) if places else 0))
    start, end = places[0], places[-1] + len(options[-1])
    articles = [_ARTICLE_LAST.search(text[:place]) for place in places]
    start -= len(articles[0][0]) if articles[0] else 0
    if min(places) < 0 or places != sorted(places) or not re.search(r"\w $", text[:start]):
        return ()
    if _LEADS_TO_ALL.search(text[:start]):
        return ()
    ends = [place + len(option) for place, option in zip(places, options, strict=True)]
    gaps = [text[a:b] for a, b in zip(ends, places[1:], strict=False)]
    if not all(_BETWEEN_OPTIONS.fullmatch(gap) for gap in gaps):
        return ()
    told = [f"{article[0] if article else ''}{option}" for article, option in zip(articles, options, strict=True)]
    return tuple(f"{text[:start]}{option}{text[end:]}" for option in told)


def _split_list(text: str, masked: str, start: int, end: int) -> tuple[str, ...]:
    """Return the parts of a list at start..end."""
    cuts = [(cut.start(), cut.end()) for cut in _LIST_SEPARATOR.finditer(masked, start, end)]
    edges = [start, *(edge for cut in cuts for edge in cut), end]
    return tuple(_strip_option(text[one:two]) for one, two in zip(edges[::2], edges[1::2], strict=True))


def _options_before_or(text: str, masked: str, size: int) -> tuple[str, ...]:
    """Return the options listed before the "or": after the lead with the question word, or at that lead's end."""
    parts = [match.span() for match in re.finditer(r"[^,\uff0c、:\uff1a]+", masked) if match.group().strip()]
    lead = max((place for place, (start, end) in enumerate(parts) if _is_question_lead(masked[start:end])), default=-1)
    listed = tuple(_strip_option(text[start:end]) for start, end in parts[lead + 1 :])
    chooses = answer_kind(masked) in {AnswerKind.NAME, AnswerKind.PERSON}
    if lead < 0 or (listed and chooses):
        return listed
    start, end = parts[lead]
    return (_trailing_option(text[start:end], masked[start:end], size), *listed)


def _is_question_lead(part: str) -> bool:
    """Return the lead of a question from an option in its list: it opens with a word that asks, or a small one."""
    bare = _ARTICLE.sub("", part.lstrip(" ,"))
    return bool(bare) and (answer_kind(part) is not AnswerKind.PROSE or not content_terms(bare.split(maxsplit=1)[0]))


def _may_be_option(option: str, masked: str) -> bool:
    if not content_terms(option):
        return False
    return option not in masked or len(words(option)) <= _MAX_OPTION_WORDS


def _trailing_option(text: str, masked: str, size: int) -> str:
    """Return the name or quote at the end of a text, or its last words."""
    quote = re.search("\0+$", masked.rstrip())
    if quote:
        return _strip_option(text[quote.start() :])
    name = next((name for name in reversed(tuple(find_names(masked))) if masked.rstrip().endswith(name)), None)
    last = words(text)[-max(1, size) :]
    return _strip_option(name or text[last[0].start :]) if last else ""


def _leading_option(text: str, masked: str) -> str:
    """Return the name or quote at the beginning of a text, or its words up to the first small one."""
    quote = re.match("\\s*\0+", masked)
    if quote:
        return _strip_option(text[: quote.end()])
    bare = _strip_option(_STILL.sub("", _strip_option(text)))
    name = next(find_names(f"- {bare}"), None)
    if name and bare.startswith(name):
        return name
    small = next((word.start for word in words(bare) if not content_terms(bare[word.start : word.end])), None)
    return _strip_option(bare if small is None else bare[:small])


def _is_only_words(lead: str) -> bool:
    """Return whether a lead is only small words, which can go, and not marks that belong to the option."""
    return all(letter.isalpha() or letter.isspace() for letter in lead)


def _strip_option(text: str) -> str:
    """Strip blanks and marks around an option, and the small words before it unless it is quoted."""
    stripped = text.strip(" \t\n.,;:?\uff1f。")
    if len(stripped) > 1 and QUOTE_MARKS.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1].strip()
    leading = next((word.start for word in words(stripped) if content_terms(word.text)), 0)
    return stripped[leading:] if _is_only_words(stripped[:leading]) else stripped

"""The summarizer: every memory line in its share of the room, cut where a sentence or a word ends."""

from quaestor.evidence.tokenization import sentence_spans, words
from quaestor.research.contracts.roles import SummarizeInput, Summary

_ELLIPSIS = "…"


def summarize(given: SummarizeInput) -> Summary:
    """Shorten every line to its share; room that a short line leaves goes to those after it."""
    room = given.characters
    told: list[str] = []
    for place, line in enumerate(given.lines):
        share = room // (len(given.lines) - place)
        text = shorten(" ".join(line.split()), share - 1 if told else share)
        if text:
            told.append(text)
            room -= len(text) + (len(told) > 1)
    return Summary(text="\n".join(told) or given.lines[0].strip()[: given.characters] or _ELLIPSIS)


def shorten(text: str, characters: int) -> str:
    """Cut a text to at most so many characters: after a sentence if one fits, else after a word."""
    if len(text) <= characters:
        return text
    ends = [end for _, end in sentence_spans(text) if 0 < end <= characters]
    if ends:
        return text[: ends[-1]].rstrip()
    room = characters - len(_ELLIPSIS)
    stops = [word.end for word in words(text) if word.end <= room]
    return f"{text[: stops[-1]]}{_ELLIPSIS}" if stops else ""

"""The summarizer: every memory line in its share of the room, cut where a sentence or a word ends."""

from quaestor.evidence.tokenization import ELLIPSIS, shorten
from quaestor.research.contracts.roles import SummarizeInput, Summary


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
    return Summary(text="\n".join(told) or given.lines[0].strip()[: given.characters] or ELLIPSIS)

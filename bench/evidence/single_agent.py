"""One agent in one conversation: it searches, every result stays in its context, and its tokens are counted."""

import json
import re
from collections.abc import Callable, Collection, Sequence

from bench.evidence.gold_steps import Case, occurs

from quaestor.contracts.source import Hit
from quaestor.contracts.tools import SearchInput
from quaestor.tools.passage_search import SearchPassages

_HITS = 6
"""Passages a search, as in a session."""
_RULES_TOKENS = 300
"""A short system prompt with one tool."""
_BYTES_A_TOKEN = 4
_NAME = re.compile(r"\w*[A-Z][\w.'-]+(?:\s+(?:(?:of|the|de|von)\s+)?[A-Z][\w.'-]+)*")

Searcher = Callable[[Case, Collection[str], Collection[str]], Sequence[str]]
"""Returns the searches of the next turn, from the gold sentences that were shown and the searches that were made."""


def follow_names(case: Case, shown: Collection[str], executed: Collection[str]) -> Sequence[str]:
    """Search for the question, then for each name in what was read, with the question and alone."""
    names = [name for sentence in shown for name in _NAME.findall(sentence) if not occurs(name, case.question)]
    ladder = ([case.question], [f"{name} {case.question}" for name in names], names)
    fresh = ([query for query in dict.fromkeys(rung) if query not in executed] for rung in ladder)
    return next((queries[:3] for queries in fresh if queries), ())


def follow_plan(case: Case, shown: Collection[str], executed: Collection[str]) -> Sequence[str]:
    """Search for every open step, with the names that were read."""
    known = "\n".join((case.question, *shown))
    open_steps = [place for place, step in enumerate(case.steps) if not set(step.sentences) <= set(shown)]
    fresh = ([query for query in case.queries(place, known) if query not in executed] for place in open_steps)
    return tuple(dict.fromkeys(queries[0] for queries in fresh if queries))


async def share_shown(search: SearchPassages, searcher: Searcher, case: Case, budget: int) -> float:
    """Return the share of the gold that the agent is shown before its tokens are spent, the report included."""
    context, spent = _RULES_TOKENS + _tokens(case.question), 0
    gold = [sentence for step in case.steps for sentence in step.sentences]
    shown: dict[str, None] = {}
    executed: set[str] = set()
    while not set(gold) <= shown.keys():
        queries = searcher(case, shown, executed)
        calls = _tokens(json.dumps(list(queries)))
        hits = [hit for query in queries for hit in (await search.run(SearchInput(query=query, limit=_HITS))).hits]
        spent += context + calls
        context += calls + sum(map(_size, hits))
        if not queries or spent + context > budget:
            break
        executed.update(queries)
        shown |= {sentence: None for sentence in gold for hit in hits if occurs(sentence, hit.passage.text)}
    return sum(sentence in shown for sentence in gold) / len(gold)


def _size(hit: Hit) -> int:
    return _tokens(f"{hit.title}\n{hit.passage.text}")


def _tokens(text: str) -> int:
    return len(text.encode()) // _BYTES_A_TOKEN + 1

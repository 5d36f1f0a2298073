"""MRAG (Besta et al. 2024), version 2: stories that each tell of 1 to 25 things, one article a thing."""

import bz2
import json
from pathlib import Path

from bench.evidence.scores import mean, recall
from bench.evidence.sessions import seated
from bench.evidence.shelf import shelved
from bench.evidence.table import Row

_KNOWN = "BM25 .561, decomposed .706, with titles .725"
_SESSIONS = 100


async def rows(data: Path) -> list[Row]:
    """Return the share of an article's titles among as many documents as the story has."""
    folder = data / "mrag-v2"
    with bz2.open(folder / "wikipedia_articles_v2.json.bz2", "rt", encoding="utf-8") as file:
        articles = {each["title"]: each["text"] for each in json.load(file)}
    with bz2.open(folder / "wikipedia_queries_v2.json.bz2", "rt", encoding="utf-8") as file:
        queries = [(each["text"], each["topics"]) for each in json.load(file)]
    named = {title: f"{number:05}" for number, title in enumerate(articles)}
    texts = {named[title]: f"# {title}\n\n{text}" for title, text in articles.items()}
    gold = [([named[topic] for topic in topics], text) for text, topics in queries]
    async with shelved(texts, ".md") as shelf:
        shares = [recall(await shelf.ranking(text), names, len(names)) for names, text in gold]
    asked = gold[:: len(gold) // _SESSIONS]
    async with seated(texts, ".md") as desk:
        cited = [recall(await desk.cited(text), names, len(names)) for names, text in asked]
    return [
        Row("MRAG v2", f"gold among the first n of sessions, {len(cited)} queries", mean(cited), "", 0.90),
        Row("MRAG v2", "gold among the first n", mean(shares), _KNOWN, 0.80),
    ]

"""SciFact (Wadden et al. 2020): claims of science and the abstracts that speak of them."""

import gzip
import json
from pathlib import Path

from bench.evidence.multihop import lines
from bench.evidence.scores import mean, ndcg
from bench.evidence.sessions import seated
from bench.evidence.shelf import shelved
from bench.evidence.table import Row

_DEPTH = 10
_SESSIONS = 100


async def rows(data: Path) -> list[Row]:
    """Return the figure over the training claims."""
    folder = data / "scifact"
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        abstracts = [json.loads(line) for line in file]
    texts = {str(each["doc_id"]): f"# {each['title']}\n\n{' '.join(each['sentences'])}" for each in abstracts}
    claims = [
        (each["claim"], [str(name) for name in each["cited_doc_ids"]]) for each in lines(folder / "claims_train.jsonl")
    ]
    async with shelved(texts, ".md") as shelf:
        gains = [ndcg(await shelf.ranking(claim), gold, _DEPTH) for claim, gold in claims]
    async with seated(texts, ".md") as desk:
        cited = [ndcg(await desk.cited(claim), gold, _DEPTH) for claim, gold in claims[:: len(claims) // _SESSIONS]]
    return [
        Row("SciFact", f"nDCG@{_DEPTH} of sessions, {len(cited)} claims", mean(cited), "BM25 .679", 0.679),
        Row("SciFact", f"nDCG@{_DEPTH}", mean(gains), "BM25 .679, with MiniLM .724", 0.69),
    ]

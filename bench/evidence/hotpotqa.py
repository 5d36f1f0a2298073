"""HotpotQA (Yang et al. 2018): 100 questions over two documents each, bridges and comparisons."""

from pathlib import Path

from bench.evidence.multihop import Article, Question, figures, lines
from bench.evidence.table import Row


async def rows(data: Path) -> list[Row]:
    """Return the figures."""
    folder = data / "hotpotqa-100"
    articles = {
        str(each["id"]): Article(each["title"], "".join(each["sentences"])) for each in lines(folder / "corpus.jsonl")
    }
    questions = [Question(each["question"], tuple(map(str, each["gold"]))) for each in lines(folder / "queries.jsonl")]
    known = ("BM25 .795, hybrid .820, title hops .945", "BM25 .59, hybrid .64, title hops .90")
    return await figures(
        "HotpotQA-100", articles, questions, known=known, bounds=(0.95, 0.88), cited_bounds=(0.92, 0.82)
    )

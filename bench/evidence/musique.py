"""MuSiQue (Trivedi et al. 2022): 100 questions over two to four documents each, made to admit no short cut."""

from pathlib import Path

from bench.evidence.multihop import Article, Question, figures, lines
from bench.evidence.table import Row


async def rows(data: Path) -> list[Row]:
    """Return the figures."""
    folder = data / "musique-100"
    articles = {str(each["id"]): Article(each["title"], each["text"]) for each in lines(folder / "corpus.jsonl")}
    questions = [Question(each["question"], tuple(map(str, each["gold"]))) for each in lines(folder / "queries.jsonl")]
    known = ("BM25 .507, MiniLM .622, hops .627", "BM25 .16, MiniLM .32, hops .29")
    return await figures(
        "MuSiQue-100", articles, questions, known=known, bounds=(0.66, None), cited_bounds=(None, None)
    )

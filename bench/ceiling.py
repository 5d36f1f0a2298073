"""How much of the gold reaches a report when the model is perfect: everything that is lost is lost by the program.

    python bench/ceiling.py [DATA] [--questions 60] [--only hotpotqa musique]

A simulated model answers over HTTP through the core `chat` model. As a planner it knows the steps of every question,
and writes a search with a name only once the question or a finding named it. As a reader it knows the gold sentences:
it quotes those that it is shown, whole, and nothing else. Beside it single agents with the same search, the same reader
and the same tokens, conversations that every result is added to: one searches for the question and for the names in
what it read, as such agents do; the other one is given the perfect plan. The titles of the documents are shown.
"""

import argparse
import asyncio
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import JsonValue
from typing_extensions import override

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.evidence import gold_steps  # noqa: E402 -- benches and the shipped fakes are not installed
from bench.evidence.gold_steps import Case, occurs  # noqa: E402
from bench.evidence.multihop import Article  # noqa: E402
from bench.evidence.single_agent import follow_names, follow_plan, share_shown  # noqa: E402
from bench.evidence.table import lined  # noqa: E402

from fakes.openai_server import OpenAIServer  # noqa: E402
from fakes.openai_wire import Answer, Asked  # noqa: E402
from fakes.researcher import Researcher, fields, parts, todo  # noqa: E402
from quaestor.app import DATABASE_FILE, Quaestor, open_home  # noqa: E402
from quaestor.contracts.errors import NoEvidence  # noqa: E402
from quaestor.contracts.event import Event, ToolResponded  # noqa: E402
from quaestor.contracts.library import CorpusState  # noqa: E402
from quaestor.contracts.source import Hit, Quote  # noqa: E402
from quaestor.contracts.tools import SearchResults  # noqa: E402
from quaestor.evidence.quote_rules import MIN_CONTENT_WORDS  # noqa: E402
from quaestor.evidence.tokenization import content_words  # noqa: E402
from quaestor.research.contracts.report import Report  # noqa: E402
from quaestor.research.events import TodoRecorded  # noqa: E402
from quaestor.storage.sqlite import open_store  # noqa: E402
from quaestor.tools.passage_search import SearchPassages  # noqa: E402

SETS = {
    "hotpotqa": ("HotpotQA", gold_steps.hotpotqa, "hotpotqa-100", 0.95),
    "musique": ("MuSiQue", gold_steps.musique, "musique-100", 0.90),
}
LOSSES = ("not found", "other passage", "cut off", "refused", "not in the report")
AGENTS = {"single agent": follow_names, "one with the plan": follow_plan}
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)")
_QUERIES_EXPECTED = re.compile(r"Write exactly (\d+)|`queries` is (\d+)")


class PerfectModel(Researcher):
    """Plans, searches and reads with the gold of one question in mind, and does everything else dutifully."""

    def __init__(self) -> None:
        super().__init__()
        self.case = Case("", ())
        self.shown: set[str] = set()
        """The gold sentences that a reader was shown."""

    def begin(self, case: Case) -> None:
        """Forget the last question."""
        self.case, self.shown = case, set()

    @override
    def __call__(self, asked: Asked) -> Answer:
        """Answer from the gold what a planner, a searcher, a reader and a reviewer are asked."""
        material = parts(asked)
        match sorted(fields(asked)):
            case ["assumptions", "todos"]:
                return json.dumps({"todos": list(self._todos(asked)), "assumptions": []})
            case ["queries"]:
                known = "\n".join((material["question"], material.get("known", "")))
                return json.dumps({"queries": self._queries(material, known)[: _count(asked)]})
            case ["findings"]:
                return json.dumps({"findings": list(self._findings(material))})
            case ["follow_up_queries", "is_sufficient", "knowledge_gap", "new_todos", "status", "summary"]:
                return json.dumps(self._review(material))
            case _:
                return super().__call__(asked)

    def _todos(self, asked: Asked) -> Iterator[JsonValue]:
        for place, step in enumerate(self.case.steps):
            queries = () if step.needs else self.case.queries(place, self.case.question)[: _count(asked)]
            needs: list[JsonValue] = [f"t{other + 1}" for other in step.needs]
            yield todo(self.case.task(place), queries=list(queries), dependencies=needs)

    def _queries(self, material: Mapping[str, str], known: str) -> list[JsonValue]:
        """Return searches for a task that were not made before; at last the words of the question in another order."""
        done = {gold_steps.folded(line.lstrip("- ")) for line in material.get("executed", "").splitlines()}
        words = self.case.question.split()
        turned = (" ".join((*words[turn:], *words[:turn])) for turn in range(1, len(words)))
        fresh = (*self.case.queries(self._place(material), known), *turned)
        return [query for query in fresh if gold_steps.folded(query) not in done]

    def _findings(self, material: Mapping[str, str]) -> Iterator[JsonValue]:
        for label, text in material.items():
            if re.fullmatch(r"p\d+", label):
                for step in self.case.steps:
                    for sentence in step.sentences:
                        if occurs(sentence, text):
                            self.shown.add(sentence)
                            claim, words = f"{step.title}: {sentence}", _whole(sentence, text)
                            yield {"claim": claim, "quotes": [{"source": label, "text": words}]}

    def _review(self, material: Mapping[str, str]) -> JsonValue:
        found = material.get("findings", "")
        step = self.case.steps[self._place(material)]
        suffices = all(occurs(sentence, found) for sentence in step.sentences)
        known = "\n".join((material["question"], found))
        return {
            "is_sufficient": suffices,
            "knowledge_gap": "" if suffices else "The gold was not shown.",
            "follow_up_queries": [] if suffices else self._queries(material, known)[:3],
            "summary": "",
            "status": "done",
            "new_todos": [],
        }

    def _place(self, material: Mapping[str, str]) -> int:
        tasks = [gold_steps.folded(self.case.task(place)) for place in range(len(self.case.steps))]
        return tasks.index(gold_steps.folded(material["task"]))


def _whole(sentence: str, text: str) -> str:
    """Return a gold sentence as a reader quotes it: one that the data cut short, as behind "lit.", with what follows.

    So few words prove nothing, whoever quotes them.
    """
    place = text.find(sentence)
    if place < 0 or content_words(sentence, MIN_CONTENT_WORDS) >= MIN_CONTENT_WORDS:
        return sentence
    rest = _SENTENCE_END.search(text, place + len(sentence) + 1)
    return text[place : rest.end() if rest else len(text)]


def _count(asked: Asked) -> int:
    said = _QUERIES_EXPECTED.search(asked.messages[1].content)
    assert said
    return int(said[1] or said[2])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the gold sentences of one question, and what single agents show of them for as many tokens."""

    fates: Mapping[str, str]
    """By sentence: `reported`, or where it was lost."""
    tokens: int
    agents: Sequence[float]

    @property
    def share(self) -> float:
        """Return the share of the gold sentences that the report cites."""
        return sum(fate == "reported" for fate in self.fates.values()) / len(self.fates)


async def research(quaestor: Quaestor, corpus: CorpusState, model: PerfectModel, case: Case) -> dict[str, str]:
    """Run a session; return what became of each gold sentence."""
    model.begin(case)
    session_id = await quaestor.start(case.question, corpus)
    try:
        document = await quaestor.resume(session_id)
    except NoEvidence:
        document = None
    report = document if isinstance(document, Report) else None
    events = await quaestor.events(session_id)
    hits = list(_hits(events))
    kept = "\n".join(quote.text for quote in _recorded(events))
    cited = "\n".join(citation.text for citation in report.citations()) if report else ""
    fates = {}
    for step in case.steps:
        for sentence in step.sentences:
            found = [hit for hit in hits if Path(hit.uri).stem == step.document]
            steps = (
                bool(found),
                any(occurs(sentence, hit.passage.text) for hit in found),
                sentence in model.shown,
                occurs(sentence, kept),
                occurs(sentence, cited),
            )
            fates[sentence] = "reported" if all(steps) else LOSSES[steps.index(False)]
    return fates


def _hits(events: Sequence[Event]) -> Iterator[Hit]:
    for event in events:
        match event.payload:
            case ToolResponded(tool="search", result=SearchResults(hits=hits)):
                yield from hits
            case _:
                pass


def _recorded(events: Sequence[Event]) -> Iterator[Quote]:
    for event in events:
        match event.payload:
            case TodoRecorded(entry=entry):
                yield from (quote for finding in entry.findings for quote in finding.quotes)
            case _:
                pass


def write_articles(folder: Path, articles: Mapping[str, Article]) -> None:
    """Write each document under its title."""
    folder.mkdir()
    for document, article in articles.items():
        (folder / f"{document}.md").write_text(f"# {article.title}\n\n{article.text}\n", encoding="utf-8")


async def measure(name: str, data: Path, count: int) -> list[Outcome]:
    """Return what becomes of the first questions of a data set."""
    _, load, folder, _ = SETS[name]
    articles, cases = load(data / folder)
    model = PerfectModel()
    with TemporaryDirectory() as room:
        documents, home = Path(room, "documents"), Path(room, "home")
        write_articles(documents, articles)
        async with OpenAIServer(model) as server:
            settings: dict[str, JsonValue] = {
                "model": "local:perfect",
                "providers": {"local": {"base_url": server.url}},
                "prices": {"local:perfect": {"input": 1, "output": 1}},
                "questions": False,
            }
            async with open_home(home, **settings) as quaestor:
                corpus = await quaestor.index([documents])
                store = open_store(home / DATABASE_FILE)
                search = SearchPassages(store.library, corpus.corpus)
                outcomes = []
                for case in cases[:count]:
                    server.charged.clear()
                    fates = await research(quaestor, corpus, model, case)
                    spent = sum(usage.input_tokens + usage.output_tokens for usage in server.charged)
                    agents = [await share_shown(search, searcher, case, spent) for searcher in AGENTS.values()]
                    outcomes.append(Outcome(fates, spent, agents))
                await store.close()
    return outcomes


def main() -> int:
    """Print the share of the gold that reports cite, and where the rest is lost; return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=os.environ.pop("QUAESTOR_BENCH_DATA", None))
    parser.add_argument("--questions", type=int, default=60, help="how many of each set")
    parser.add_argument("--only", nargs="+", choices=SETS, default=list(SETS))
    given = parser.parse_args()
    if given.data is None:
        parser.error("name the folder of the data sets, or set QUAESTOR_BENCH_DATA to it")
    headings = ("set", "questions", "gold", "in the report", *LOSSES, "bound", *AGENTS, "tokens")
    rows: list[Sequence[str]] = [headings]
    missing: list[str] = []
    holds = True
    for name in given.only:
        title, _, _, bound = SETS[name]
        outcomes = asyncio.run(measure(name, given.data, given.questions))
        fates = Counter(fate for outcome in outcomes for fate in outcome.fates.values())
        gold = fates.total()
        ours = fates["reported"] / gold
        agents = [
            sum(outcome.agents[place] * len(outcome.fates) for outcome in outcomes) / gold
            for place in range(len(AGENTS))
        ]
        holds = holds and ours >= bound and ours > agents[0]
        lost = (f"{fates[loss]}" for loss in LOSSES)
        spent = f"{sum(outcome.tokens for outcome in outcomes) // len(outcomes):,}"
        rows.append(
            (
                title,
                f"{len(outcomes)}",
                f"{gold}",
                f"{ours:.3f}",
                *lost,
                f"{bound}",
                *(f"{agent:.3f}" for agent in agents),
                spent,
            )
        )
        missing += [
            f"{title}: {fate}: {sentence[:80]!r}"
            for outcome in outcomes
            for sentence, fate in outcome.fates.items()
            if fate != "reported"
        ]
    print(lined(rows))
    print("\n".join(missing))
    print("every bound holds" if holds else "A BOUND DOES NOT HOLD")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())

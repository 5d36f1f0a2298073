"""Questions as the steps that answer them: what each step asks, what it answers, and the gold sentences for it."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from bench.evidence.multihop import Article, lines

_REFERENCE = re.compile(r"#(\d)")
_SENTENCE_END = re.compile(r"(?<=[\w)\]\"'”]{2}[.!?])\s+(?=[\"'“(]?[A-Z0-9])")
_DISAMBIGUATION = re.compile(r"\s*\([^)]*\)$")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an answer; `ask` refers to the answers of earlier ones as #1, #2."""

    ask: str
    answer: str
    document: str
    title: str
    sentences: tuple[str, ...]
    needs: tuple[int, ...]
    """Places of the steps that it follows from."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its steps; every gold sentence belongs to one."""

    question: str
    steps: tuple[Step, ...]

    def task(self, place: int) -> str:
        """Return the task of a step, in words that need no other todo: answers are described, not named."""
        step = self.steps[place]
        asked = self._expanded(step.ask)
        if asked != self.question:
            return asked
        name = base_title(step.title)
        return f"{name}: {asked}" if occurs(name, asked) else f"Part {place + 1} of: {asked}"

    def queries(self, place: int, known: str) -> tuple[str, ...]:
        """Return the searches for a step that the words known so far allow, best first; no name is guessed."""
        step = self.steps[place]
        title = base_title(step.title)
        read = f"{self.question}\n{known}"
        spoken = self._answered(step.ask, known)
        named = [title] if occurs(title, read) else []
        bridges = [self.steps[other].answer for other in step.needs if occurs(self.steps[other].answer, known)]
        led = [base_title(self.steps[other].title) for other in step.needs if occurs(self.steps[other].answer, known)]
        names = dict.fromkeys((*named, *bridges, *led))
        return tuple(
            dict.fromkeys(
                (
                    *(f"{name} {spoken}" for name in named),
                    spoken,
                    *names,
                    *(f"{name} {self.question}" for name in names),
                )
            )
        )

    def _answered(self, ask: str, known: str) -> str:
        """Put known answers in the places of references, and descriptions in those of others."""

        def answer(found: re.Match[str]) -> str:
            step = self.steps[int(found[1]) - 1]
            return step.answer if occurs(step.answer, known) else self._answered(step.ask, known)

        return _REFERENCE.sub(answer, ask)

    def _expanded(self, ask: str) -> str:
        return _REFERENCE.sub(lambda found: f"({self._expanded(self.steps[int(found[1]) - 1].ask)})", ask)


def base_title(title: str) -> str:
    """Return a title without what tells it from others of the same name."""
    return _DISAMBIGUATION.sub("", title)


def folded(text: str) -> str:
    """Return a text in small letters and with single blanks, as it is compared."""
    return " ".join(text.casefold().split())


def occurs(words: str, text: str) -> bool:
    """Return whether words are in a text, whatever the case and the blanks."""
    return folded(words) in folded(text)


def hotpotqa(folder: Path) -> tuple[dict[str, Article], list[Case]]:
    """Return the documents and the cases of HotpotQA: a step for each document with supporting sentences."""
    corpus = {str(each["id"]): each for each in lines(folder / "corpus.jsonl")}
    articles = {name: Article(each["title"], "".join(each["sentences"])) for name, each in corpus.items()}
    return articles, [_hotpotqa_case(each, corpus) for each in lines(folder / "queries.jsonl")]


def _hotpotqa_case(query: Mapping[str, Any], corpus: Mapping[str, Any]) -> Case:
    gold = {corpus[str(name)]["title"]: str(name) for name in query["gold"]}
    said = {
        title: tuple(
            corpus[name]["sentences"][number].strip()
            for where, number in query["supporting_facts"]
            if where == title and number < len(corpus[name]["sentences"])
        )
        for title, name in gold.items()
    }
    titles = sorted(gold, key=lambda title: not occurs(base_title(title), query["question"]))
    return Case(
        query["question"],
        tuple(
            Step(
                ask=query["question"],
                answer=query["answer"],
                document=gold[title],
                title=title,
                sentences=said[title],
                needs=tuple(_leading(title, titles[:place], said, query["question"])),
            )
            for place, title in enumerate(titles)
        ),
    )


def _leading(title: str, before: Sequence[str], said: Mapping[str, Collection[str]], question: str) -> Iterator[int]:
    """Return the places of the documents before one whose gold sentences name it, unless the question does."""
    name = base_title(title)
    if not occurs(name, question):
        yield from (place for place, other in enumerate(before) if occurs(name, " ".join(said[other])))


def musique(folder: Path) -> tuple[dict[str, Article], list[Case]]:
    """Return the documents and the cases of MuSiQue: a step for each part of the decomposition."""
    articles = {str(each["id"]): Article(each["title"], each["text"]) for each in lines(folder / "corpus.jsonl")}
    return articles, [_musique_case(each, articles) for each in lines(folder / "queries.jsonl")]


def _musique_case(query: Mapping[str, Any], articles: Mapping[str, Article]) -> Case:
    parts = query["decomposition"]
    steps = []
    for part, name in zip(parts, _gold_of_parts(parts, sorted(query["gold"]), articles), strict=True):
        sentences = _SENTENCE_END.split(articles[name].text)
        holding = next((each for each in sentences if occurs(part["answer"], each)), sentences[0])
        needs = tuple(int(number) - 1 for number in _REFERENCE.findall(part["question"]))
        step = Step(part["question"], part["answer"], name, articles[name].title, (holding.strip(),), needs)
        steps.append(step)
    return Case(query["question"], tuple(steps))


def _gold_of_parts(
    parts: Sequence[Mapping[str, Any]], gold: Sequence[int], articles: Mapping[str, Article]
) -> tuple[str, ...]:
    """Return the document of each part: those that hold the answers, else in the order of the parts' numbers.

    The data number the paragraphs of a question before equal ones of several questions were made one.
    """
    numbers = [part["paragraph_support_idx"] for part in parts]

    def loss(chosen: Iterable[int]) -> tuple[int, int]:
        names = tuple(chosen)
        without = sum(
            not occurs(part["answer"], articles[str(name)].text) for part, name in zip(parts, names, strict=True)
        )
        moved = sum(abs(name - number - names[0] + numbers[0]) for name, number in zip(names, numbers, strict=True))
        return without, moved

    covering: Iterator[tuple[int, ...]] = (
        names for names in product(gold, repeat=len(parts)) if set(names) == set(gold)
    )
    best = min(covering, key=loss)
    return tuple(map(str, best))

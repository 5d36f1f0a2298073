"""What becomes of false claims: a careless reader, and what share of them a report shows as supported.

    python bench/floor.py

A simulated model reads over HTTP through the core `chat` model. Of the claims that it makes, 10, 30 or 50 % are false:
it quotes true words and drops their negation, or changes a number or a name in the claim. The rules see every sentence;
a checker, where one is asked, errs in one of ten verdicts. Which claims are false is drawn from a fixed seed.
"""

import asyncio
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue
from typing_extensions import override

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from fakes.openai_server import OpenAIServer  # noqa: E402 -- the shipped fakes are not installed
from fakes.openai_wire import Answer, Asked  # noqa: E402
from fakes.researcher import Researcher, fields, parts  # noqa: E402
from quaestor.app import open_home  # noqa: E402
from quaestor.research.contracts.report import Claim  # noqa: E402
from quaestor.research.contracts.verdicts import Verdict  # noqa: E402

SHARES = (0.1, 0.3, 0.5)
CHECKER_ERRORS = 0.1
DOCUMENTS, FACTS = 10, 12
KEEPERS = ("Vos", "Brandt", "Hale", "Ekman", "Lund", "Moreau", "Quist", "Tarn", "Adler", "Ibsen")
VERBS = ("repaired", "painted", "measured", "guarded", "inspected", "lit")
PLACES = (
    "mole",
    "tower",
    "bell",
    "lantern",
    "stair",
    "gallery",
    "cistern",
    "store",
    "wharf",
    "beacon",
    "chain",
    "well",
)
SUPPORTED_BOUND = 0.05
_SENTENCE = re.compile(r"^~{3,} sentence (\d+)[^\n]*\n(.*?)\n~{3,}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Outcome:
    """Of the false claims of reports, how many ended with which verdict."""

    false_claims: int
    verdicts: Mapping[Verdict, int]
    true_supported: float


class CarelessReader(Researcher):
    """Makes a share of false claims under true quotes, and knows which of them are false."""

    def __init__(self, share: float, seed: int) -> None:
        super().__init__([f"What is known of station {number}?" for number in range(1, 8)])
        self._share = share
        self._random = random.Random(seed)  # noqa: S311 -- a simulation
        self._seed = seed
        self.false: set[str] = set()
        self._read: dict[str, str] = {}

    @override
    def __call__(self, asked: Asked) -> Answer:
        """Read carelessly, check with errors, and do everything else dutifully."""
        wanted = fields(asked)
        if wanted == {"findings"}:
            return json.dumps({"findings": [*self._findings(parts(asked))][:12]})
        if wanted == {"verdicts"}:
            return json.dumps({"verdicts": [*self._verdicts(asked)]})
        return super().__call__(asked)

    def _findings(self, material: Mapping[str, str]) -> list[JsonValue]:
        labelled = [(label, text) for label, text in material.items() if re.fullmatch(r"p\d+", label)]
        sentences = [(label, each) for label, text in labelled for each in re.findall(r"In \d{4}[^.]*\.", text)]
        return [{"claim": self._claim(said), "quotes": [{"source": label, "text": said}]} for label, said in sentences]

    def _claim(self, sentence: str) -> str:
        if sentence not in self._read:
            spoilt = self._random.random() < self._share
            self._read[sentence] = self._spoil(sentence) if spoilt else sentence
            if spoilt:
                self.false.add(self._read[sentence])
        return self._read[sentence]

    def _spoil(self, sentence: str) -> str:
        """Drop the negation of a sentence, or change its year or its name."""
        if " did not " in sentence and self._random.random() < 1 / 2:
            return sentence.replace(" did not ", " did ")
        if self._random.random() < 1 / 2:
            return re.sub(r"\d{4}", lambda year: str(int(year[0]) + 7), sentence, count=1)
        name = next(name for name in KEEPERS if name in sentence)
        return sentence.replace(name, self._random.choice([other for other in KEEPERS if other != name]))

    def _verdicts(self, asked: Asked) -> list[JsonValue]:
        said = _SENTENCE.findall(asked.messages[1].content)
        return [{"number": int(number), "verdict": self._verdict(text), "confidence": 0.9} for number, text in said]

    def _verdict(self, text: str) -> str:
        """Judge rightly nine times of ten; the same sentence always alike."""
        errs = random.Random(f"{self._seed}{text}").random() < CHECKER_ERRORS  # noqa: S311 -- a simulation
        return "refuted" if (text in self.false) != errs else "supported"


def write_documents(folder: Path) -> None:
    """Write true sentences, of which a third deny something."""
    draw = random.Random(7)  # noqa: S311 -- a simulation
    folder.mkdir()
    for number in range(1, DOCUMENTS + 1):
        facts = []
        for fact in range(FACTS):
            year, keeper = 1700 + 13 * number + 3 * fact, draw.choice(KEEPERS)
            what = f"the {PLACES[fact]} of station {number}"
            verb = draw.choice(VERBS)
            denies = draw.random() < 1 / 3
            facts.append(f"In {year} the keeper {keeper} did {'not ' if denies else 'indeed '}see {what} {verb}.")
        (folder / f"station{number}.txt").write_text(f"Station {number}\n\n{' '.join(facts)}\n", encoding="utf-8")


async def run(share: float, *, check: bool) -> Outcome:
    """Research once; count what became of the false claims of the report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_documents(folder / "docs")
        reader = CarelessReader(share, seed=round(share * 100))
        async with OpenAIServer(reader) as server:
            settings: dict[str, JsonValue] = {
                "model": "local:small",
                "providers": {"local": {"base_url": server.url}},
                "prices": {"local:small": {"input": 1, "output": 1}},
                "questions": False,
                "check": check,
                "queries": 2,
                "loops": 1,
            }
            async with open_home(folder / "home", **settings) as q:
                corpus = await q.index([folder / "docs"])
                result = await q.run(await q.start("What happened at the stations?", corpus))
    claims: tuple[Claim, ...] = result.report.claims() if result.report else ()
    false = [claim for claim in claims if claim.text in reader.false]
    true = [claim for claim in claims if claim.text not in reader.false]
    supported = sum(claim.verdict is Verdict.SUPPORTED for claim in true)
    return Outcome(len(false), Counter(claim.verdict for claim in false), supported / len(true) if true else 0)


def main() -> int:
    """Print the table; return 1 if more false claims end as supported than the bound allows."""
    print(
        "| false | checker | false claims shown | unverifiable | refuted | not checked | supported | true supported |"
    )
    print("|---|---|---|---|---|---|---|---|")
    worst = 0.0
    for check in (False, True):
        for share in SHARES:
            ended = asyncio.run(run(share, check=check))
            verdicts = (Verdict.UNVERIFIABLE, Verdict.REFUTED, Verdict.NOT_CHECKED, Verdict.SUPPORTED)
            parts_ = [ended.verdicts.get(verdict, 0) / max(ended.false_claims, 1) for verdict in verdicts]
            worst = max(worst, parts_[-1])
            shares = " | ".join(f"{part:.2f}" for part in parts_)
            checker = f"errs {CHECKER_ERRORS:.0%}" if check else "none"
            print(f"| {share:.0%} | {checker} | {ended.false_claims} | {shares} | {ended.true_supported:.2f} |")
    print(f"false claims that end as supported: at most {worst:.2f}, bound {SUPPORTED_BOUND}")
    return 0 if worst <= SUPPORTED_BOUND else 1


if __name__ == "__main__":
    sys.exit(main())

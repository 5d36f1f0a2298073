"""How well the ladder reads what models write, and what it refuses.

It reads replies made here: random objects, each written as models write JSON, rightly and wrongly, with the words they
put around it; all cuts of some of these; and texts of 64 KB made to exhaust a parser. With the path of
https://github.com/nst/JSONTestSuite as a .tar.gz it reads the files of that too: y_ are JSON, n_ are not, i_ are left
to the parser. Bytes that are not UTF-8 become lone surrogates, which no value may hold.
"""

import json
import random
import re
import sys
import tarfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from quaestor.replies.parsing import MAX_REPLY_BYTES, JsonError, parse_reply
from quaestor.replies.strict_json import MAX_NUMBER_CHARACTERS

OBJECTS, CUT_OBJECTS = 40, 3
SLOWEST_SECONDS, READ_SHARE = 1.0, 0.95

WORDS = ("tea", "todos", "is_done", "größe", "x1")
PIECES = (
    *(
        "a tea",
        "é",
        "北京",
        "😀",
        " ",
        ", ",
        ": ",
        "1.5",
        "it's",
        '"',
        "\\",
        "\n",
        "\t",
        "//",
        "/* c */",
        "# ",
        "[1]",
        "{x}",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        '{"a": 1}',
        "</think>",
        "<think>",
        "\n```json\n",
        "~~~",
        "\u201c",
        "\u201d",
        "null",
        "\u2028",
    ),
)
THOUGHTS = 'It wants {"tea": ...} with a [list], I think; { is a bracket.'
AROUND = {
    "nothing": "JSON",
    "a byte-order mark": "\ufeffJSON",
    "prose": "Sure! Here is what {you} asked for [1]: JSON I hope that helps [2].",
    "lines of prose": "Here it is.\n\nJSON\n\nTell me if you need more :)",
    "a fence": "```json\nJSON\n```",
    "a fence without a language": "```\nJSON\n```\n",
    "a fence of tildes": "Here:\n~~~json\nJSON\n~~~",
    "a fence in one line": "```json JSON ```",
    "a fence and prose": "The set {1, 2} is meant.\n\n```json\nJSON\n```\n\nIt follows from [1].",
    "a fence after code": "```python\nd = {'x': 1}\n```\nprints\n```json\nJSON\n```",
    "half a fence": "```json\nJSON",
    "thoughts": f"<think>\n{THOUGHTS}\n</think>\n\nJSON",
    "thoughts with a draft": '<thinking>Perhaps {"tea": 0}?</thinking>\n```json\nJSON\n```',
    "thoughts that do not begin": f"{THOUGHTS}\n</think>\nJSON",
    "tags": "<answer>JSON</answer>",
    "itself": "JSON\n\nAgain, in a fence:\n```json\nJSON\n```",
}
"""What models put around JSON, by name."""


def spelt(
    value: JsonValue,
    *,
    string: Callable[[str], str] = json.dumps,
    key: Callable[[str], str] = json.dumps,
    between: str = ", ",
    end: str = "",
) -> str:
    """Write a value with some rules of JSON changed; `between` and `end` stand in its objects."""

    def written(inner: JsonValue) -> str:
        match inner:
            case dict() if inner:
                return f"{{{between.join(f'{key(name)}: {written(one)}' for name, one in inner.items())}{end}}}"
            case list():
                return f"[{', '.join(map(written, inner))}]"
            case str():
                return string(inner)
            case _:
                return json.dumps(inner)

    return written(value)


def raw_breaks(value: JsonValue) -> str:
    breaks = {"\\n": "\n", "\\t": "\t"}
    return re.sub(r"\\.", lambda escape: breaks.get(escape[0], escape[0]), json.dumps(value, ensure_ascii=False))


def bare(name: str) -> str:
    return name if name in WORDS else json.dumps(name)


def curly(text: str) -> str:
    return f"\u201c{json.dumps(text)[1:-1]}\u201d"


WRITTEN: dict[str, Callable[[JsonValue], str]] = {
    "JSON": json.dumps,
    "indented JSON": lambda value: json.dumps(value, indent=2, ensure_ascii=False),
    "trailing commas": lambda value: spelt(value, between=",\n", end=",\n"),
    "Python": repr,
    "curly quotes": lambda value: spelt(value, string=curly, key=curly),
    "keys without quotes": lambda value: spelt(value, key=bare),
    "comments": lambda value: spelt(value, between=', // a {"note"}\n', end=" /* no, ] */ # more }\n"),
    "raw line breaks": raw_breaks,
    "no commas": lambda value: spelt(value, between="\n"),
    "escaped marks": lambda value: json.dumps(value).replace("'", "\\'").replace("_", "\\_"),
}
"""How models write JSON, rightly and wrongly, by name."""

DIFFERENT = (
    '{"a": 1} {"a": 2}',
    '{"a": 1}\nor\n{"b": 1}',
    '```json\n{"a": 1}\n```\n```json\n{"a": 1.0}\n```',
    'First {"a": 1}, then\n```json\n{"a": true}\n```',
)
"""Replies with two values, to be refused."""


def random_text(chance: random.Random) -> str:
    return "".join(chance.choices(PIECES, k=chance.randrange(6)))


def random_value(chance: random.Random, depth: int) -> JsonValue:
    kinds: list[Callable[[], JsonValue]] = [
        lambda: chance.choice([True, False, None]),
        lambda: chance.randrange(-999, 10**6),
        lambda: chance.uniform(-1e6, 1e6),
        lambda: random_text(chance),
        lambda: [random_value(chance, depth - 1) for _ in range(chance.randrange(4))],
        lambda: random_object(chance, depth - 1, 0),
    ]
    return chance.choice(kinds if depth else kinds[:4])()


def random_object(chance: random.Random, depth: int, least: int = 1) -> JsonValue:
    names = chance.sample(WORDS, chance.randrange(least, 4))
    if chance.random() < 0.2:
        names.append(f"{random_text(chance)}.")
    return {name: random_value(chance, depth) for name in names}


def same(one: JsonValue, other: JsonValue) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@dataclass
class Tally:
    """The result of all readings: crashes, the slowest text, and the seconds it took."""

    crashes: list[str] = field(default_factory=list)
    slowest: str = ""
    seconds: float = 0.0

    def read(self, name: str, text: str) -> tuple[str, Any]:
        """Return the rung and the value of a text, or "refused" and the reason."""
        began = time.perf_counter()
        try:
            parsed = parse_reply(text)
            result: tuple[str, Any] = parsed.method, parsed.value
        except JsonError as fault:
            result = "refused", str(fault)
        except Exception as error:  # noqa: BLE001 -- a crash is what is counted here
            self.crashes.append(f"{name}: {type(error).__name__}: {error}")
            result = "crashed", str(error)
        seconds = time.perf_counter() - began
        if seconds > self.seconds:
            self.slowest, self.seconds = name, seconds
        return result


def wrapped(tally: Tally, objects: Iterable[JsonValue]) -> float:
    """Print how many complete replies are read exactly; return the share."""
    missed: dict[str, int] = defaultdict(int)
    rungs: dict[str, int] = defaultdict(int)
    total = wrong = 0
    for value in objects:
        for (way, write), (around, words) in ((way, words) for way in WRITTEN.items() for words in AROUND.items()):
            rung, read = tally.read(f"{way} in {around}", words.replace("JSON", write(value)))
            total += 1
            rungs[rung] += 1
            if rung == "refused":
                missed[f"{way} in {around}"] += 1
            elif not same(read, value):
                wrong += 1
    share = 1 - (sum(missed.values()) + wrong) / total
    print(f"complete replies   {total:,} in {len(WRITTEN)} spellings and {len(AROUND)} wrappings: {counted(rungs)}")
    print(f"  read exactly     {share:.2%}, bound {READ_SHARE:.0%}; {wrong} read wrongly, bound 0")
    for name, times in sorted(missed.items(), key=lambda item: -item[1])[:5]:
        print(f"  not read         {name}: {times}")
    return share if not wrong else 0.0


def cut(tally: Tally, objects: Iterable[JsonValue]) -> int:
    """Print what cutting replies at every byte makes of them; return how many values it changed."""
    total = read = 0
    changed: list[str] = []
    for value in objects:
        for write, words in ((write, words) for write in WRITTEN.values() for words in AROUND.values()):
            whole = words.replace("JSON", write(value)).encode()
            for end in range(len(whole)):
                text = whole[:end].decode(errors="ignore")
                rung, cut_value = tally.read("a cut", text)
                total += 1
                if rung != "refused":
                    read += 1
                    changed.extend([] if same(cut_value, value) else [text])
    print(f"cuts               {total:,}, of which {read:,} hold the whole value; {len(changed)} changed it, bound 0")
    for text in changed[:5]:
        print(f"  changed          {text!r}")
    return len(changed)


def hostile() -> dict[str, str]:
    """Return texts of 64 KB, each made against one way to read."""
    endless = {
        **{
            name: name for name in ("[", "{", '{"a":', "[\n", '"', '\\"', "'", "\\", " ", "\n", ":", "```", "~~~", "/*")
        },
        **{
            name: name for name in ("<think>", "</think>", "{/*", "[/* </think>", '{"a": </think>', "{a: ", "[]", "[1]")
        },
        **{
            name: name
            for name in ('{"a":1}', "{}", "```json ", "```x\n", '": ', '"   :', "[ ", "//", "#", "]", "{x} ", "\u201c")
        },
        **{
            name: name
            for name in ('{"a": \'</think>', '{"a":"\\u00', "[[1],", "😀", "\ufeff", "<think></think>", "[1\n")
        },
    }
    texts = {
        f"{name!r} again and again": piece * (MAX_REPLY_BYTES // len(piece.encode())) for name, piece in endless.items()
    }
    inside = MAX_REPLY_BYTES - 16
    return texts | {
        "a long number": f"[{'1' * inside}]",
        "a long fraction": f"[0.{'1' * inside}]",
        "many long numbers": f"[{','.join(['1' * MAX_NUMBER_CHARACTERS] * (inside // (MAX_NUMBER_CHARACTERS + 1)))}]",
        "a long string": json.dumps(["\\" * (inside // 2)]),
        "many escapes": json.dumps(["é" * (inside // 6)]),
        "many numbers": json.dumps([1] * (inside // 3)),
        "many keys": json.dumps({str(number): 0 for number in range(inside // 12)}),
        "many keys in single quotes": repr({str(number): [] for number in range(inside // 13)}),
        "many comments": f"[{'/**/' * (inside // 4)}1,]",
        "broken at its end": f"[{'1, ' * (inside // 3)}x]",
        "comments over thoughts": f"{'[/* </think> ' * (inside // 13)}*/ x",
    }


def attacked(tally: Tally) -> None:
    began = time.perf_counter()
    slow = Tally()
    texts = hostile()
    for name, text in texts.items():
        slow.read(name, text)
    tally.crashes.extend(slow.crashes)
    if slow.seconds > tally.seconds:
        tally.slowest, tally.seconds = slow.slowest, slow.seconds
    print(f"hostile texts      {len(texts)} of up to {MAX_REPLY_BYTES:,} bytes in {time.perf_counter() - began:.1f} s")


REASONS = {
    "a bare string, number or word": r"no object",
    "a key that stands twice": r"stands twice",
    "a NUL in a string": r"NUL is",
    "a lone surrogate": r"surrogate",
    "a number that is too large": r"too large",
    "nested too deep": r"nested",
    "cut off": r"cut off",
    "too large or empty": r"at most|empty",
}
"""Classes of refusals, and how each is recognised by its message."""


def suite(tally: Tally, path: Path) -> bool:
    """Print what comes of the files of JSONTestSuite; say whether its bounds hold."""
    files: dict[str, dict[str, list[str]]] = {"y": defaultdict(list), "n": defaultdict(list), "i": defaultdict(list)}
    other = 0
    for name, data in sorted(archived(path)):
        text = data.decode(errors="surrogateescape")
        rung, read = tally.read(name, text)
        reason = next((why for why, told in REASONS.items() if re.search(told, str(read))), "not JSON")
        files[name[0]][f"refused, {reason}" if rung == "refused" else rung].append(name[2:].removesuffix(".json"))
        other += name[0] == "y" and rung != "refused" and not same(read, json.loads(text))
    for kind, rungs in files.items():
        for rung, names in sorted(rungs.items()):
            print(f"  {kind}_ {rung:<40} {len(names):>3}{listed(kind, rung, names)}")
    print(
        f"  n_ files on the strict rung {len(files['n']['strict'])}, bound 0; y_ files read otherwise {other}, bound 0"
    )
    return not files["n"]["strict"] and not other and not files["y"]["refused, not JSON"]


def archived(path: Path) -> list[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        members = [
            (one, archive.extractfile(one)) for one in archive if re.search(r"(^|/)[yni]_[^/]*\.json$", one.name)
        ]
        return [(member.name.rpartition("/")[2], file.read()) for member, file in members if file]


def listed(kind: str, rung: str, names: list[str]) -> str:
    """Name the files of a class that surprises: JSON refused, or what is not JSON read."""
    return f": {', '.join(names)}" if (kind == "y") == rung.startswith("refused") else ""


def counted(rungs: dict[str, int]) -> str:
    return ", ".join(f"{times:,} {rung}" for rung, times in sorted(rungs.items()))


def main() -> int:
    chance = random.Random(1)  # noqa: S311 -- no secret
    objects = [random_object(chance, 3) for _ in range(OBJECTS)]
    tally = Tally()
    share = wrapped(tally, objects)
    changed = cut(tally, sorted(objects, key=lambda one: len(str(one)))[OBJECTS // 2 :][:CUT_OBJECTS])
    ambiguous = sum(tally.read("two values", text)[0] != "refused" for text in DIFFERENT)
    print(f"two values         {len(DIFFERENT)}; {ambiguous} read, bound 0")
    attacked(tally)
    held = all(suite(tally, Path(path)) for path in sys.argv[1:2])
    print(f"slowest            {tally.seconds:.3f} s ({tally.slowest}), bound {SLOWEST_SECONDS:g} s")
    print(f"crashes            {len(tally.crashes)}, bound 0")
    for crash in tally.crashes[:5]:
        print(f"  {crash}")
    held = held and share >= READ_SHARE and not changed and not ambiguous
    held = held and tally.seconds <= SLOWEST_SECONDS and not tally.crashes
    print("every bound holds" if held else "A BOUND DOES NOT HOLD")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())

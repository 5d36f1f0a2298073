"""No pattern hangs: documents and pages are not trusted, and one that repeats a mark must not stop a run.

From each part of each pattern that may be repeated texts are made that repeat it, with what stands before it in the
pattern and with something behind it that cannot match. A pattern that can read such a text in many ways tries them all.
"""

import importlib
import pkgutil
import random
import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from re import _parser  # type: ignore[attr-defined]  # there is no public parser of patterns
from typing import Any

import pytest

import quaestor

Part = tuple[object, Any]
"""An operation of a parsed pattern, and what it is of."""
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_CATEGORIES = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_SPACE": " \n",
    "CATEGORY_NOT_SPACE": "a.",
    "CATEGORY_WORD": "a1",
    "CATEGORY_NOT_WORD": " ,`",
}
_ANY = "a b1A.,-_`'\"()[]<>|:;/#*=\n\té中"
_NO_MATCH = "\0"
_FEW, _MANY = 28, 500
"""How often a part is repeated: 2 to the power of the first is too much, and the third power of the second."""
_CPU_SECONDS = 2.0
"""What takes the square of the length takes a twentieth of it, also on a machine that is busy."""
_TEXTS, _LONG_TEXTS = 14, 2
"""Texts for each part, the first of which are long as well."""


class Samples:
    """Texts that match parts of a pattern, as chance has it."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._groups: dict[object, str] = {}

    def of(self, parts: Sequence[Part]) -> str:
        return "".join(map(self._of_part, parts))

    def _of_part(self, part: Part) -> str:
        match str(part[0]), part[1]:
            case "LITERAL", int(code):
                return chr(code)
            case "NOT_LITERAL", int(code):
                return self._chance.choice(_ANY.replace(chr(code), ""))
            case "ANY", _:
                return "a"
            case "IN", list(choices):
                return self._chance.choice(_characters(choices))
            case (("MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT"), (int(least), most, body)):
                often = least if self._chance.random() < 0.4 else max(least, 1) + self._chance.choice((0, 0, 1))
                return "".join(self.of(body) for _ in range(min(often, most if isinstance(most, int) else often)))
            case "SUBPATTERN", (group, _, _, body):
                self._groups[group] = self.of(body)
                return self._groups[group]
            case "ATOMIC_GROUP", body:
                return self.of(body)
            case "BRANCH", (_, branches):
                return self.of(self._chance.choice(branches))
            case "GROUPREF", group:
                return self._groups.get(group, "")
            case _:
                return ""


def _characters(choices: Sequence[Part]) -> str:
    found = "".join(_of_choice(str(name), value) for name, value in choices)
    is_negated = any(str(name) == "NEGATE" for name, _ in choices)
    return "".join(one for one in _ANY if one not in found) or "a" if is_negated else found


def _of_choice(name: str, value: object) -> str:
    match name, value:
        case "LITERAL", int(code):
            return chr(code)
        case "RANGE", (int(first), int(last)):
            return "".join(map(chr, range(first, min(last, first + 60) + 1)))
        case "CATEGORY", category:
            return _CATEGORIES[str(category)]
        case _:
            return ""


def repeated_parts(parts: Sequence[Part], before: Sequence[Part] = ()) -> Iterator[tuple[list[Part], Sequence[Part]]]:
    """Yield what is repeated in a pattern without a small limit, with what stands before it."""
    above = [*before]
    for name, value in parts:
        match str(name), value:
            case kind, (_, most, body) if kind in _REPEATS:
                if not isinstance(most, int) or most > 3:
                    yield [*above], body
                yield from repeated_parts(body, above)
            case "SUBPATTERN", (_, _, _, body):
                yield from repeated_parts(body, above)
            case "ATOMIC_GROUP", body:
                yield from repeated_parts(body, above)
            case "BRANCH", (_, branches):
                for branch in branches:
                    yield from repeated_parts(branch, above)
            case _:
                pass
        above.append((name, value))


def hanging_text(pattern: re.Pattern[str]) -> str | None:
    """Return the beginning of a text that a pattern does not get through, or None."""
    samples = Samples(random.Random(7))
    for before, body in repeated_parts(_parser.parse(pattern.pattern, pattern.flags)):
        for number in range(_TEXTS):
            start, part = samples.of(before), samples.of(body) + samples.of(body)
            readings = ((_FEW, pattern.search), (_FEW, pattern.match), (_MANY, pattern.match))
            for often, read in readings if number < _LONG_TEXTS else readings[:-1]:
                if not _ends(read, f"{start}{part * often}{_NO_MATCH}"):
                    return f"{start}{part * 3}"
    return None


def _ends(read: Callable[[str], object], text: str) -> bool:
    try:
        with _limited_cpu():
            read(text)
    except TimeoutError:
        return False
    return True


@contextmanager
def _limited_cpu() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_VIRTUAL, _CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _time_out(*_: object) -> None:
    raise TimeoutError


@pytest.fixture(autouse=True)
def _cpu_signal() -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _time_out)
    yield
    signal.signal(signal.SIGVTALRM, before)


def patterns_of_package() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns of all modules with where each is."""
    for found in pkgutil.walk_packages(quaestor.__path__, "quaestor."):
        if not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                yield from ((f"{found.name}.{name}", pattern) for pattern in _patterns_in(value))


def _patterns_in(value: object) -> Iterator[re.Pattern[str]]:
    match value:
        case re.Pattern(pattern=str()):
            yield value
        case str() | bytes():
            pass
        case Mapping():
            for one in value.values():
                yield from _patterns_in(one)
        case tuple() | list() | frozenset():
            for one in value:
                yield from _patterns_in(one)
        case _:
            pass


def test_no_pattern_hangs_on_repeated_text() -> None:
    found = {(one.pattern, one.flags): (place, one) for place, one in patterns_of_package()}
    assert len(found) > 500
    hanging = {place: text for place, one in found.values() if (text := hanging_text(one)) is not None}
    assert hanging == {}


@pytest.mark.parametrize(
    "pattern", [r"(?:a+)+b", r"(?:[\s,]*`+[^`]+`+)*x", r"(?:(?:is|is\b)\s+)*gone", r"no (?:[^\s.,]+\.?[,\s]*){1,6}!"]
)
def test_a_pattern_that_reads_a_text_in_many_ways_is_found(pattern: str) -> None:
    assert hanging_text(re.compile(pattern)) is not None


@pytest.mark.parametrize("pattern", [r"a+b", r"(?:[\s,]*+`++[^`]++`++)*+x", r"\w+(?: \w+){0,3}:"])
def test_a_pattern_that_reads_a_text_in_one_way_is_none(pattern: str) -> None:
    assert hanging_text(re.compile(pattern)) is None

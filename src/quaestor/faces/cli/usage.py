"""What is wrong with a command line, in words, and the line that was probably meant."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from types import UnionType
from typing import Union, get_args, get_origin

from cyclopts import (
    Argument,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
    ValidationError,
)

from quaestor.contracts.suggestion import suggest
from quaestor.faces.cli.output import command_line

_SUGGESTION = "Did you mean"
"""In the words of the parser, where a command was mistyped."""
_QUESTION_WORDS = 3
"""So many words that begin with no command are a question."""

_TEXT_COMMANDS = frozenset({"research", "ask", "task", "answer", "search", "run"})
"""Commands whose last argument is a text."""
_DOCS = "--docs"
_END_OF_OPTIONS = "--"

OTHER_WORDS: Mapping[str, str] = {
    "chat": "research",
    "config": "settings",
    "continue": "resume",
    "delete": "rm",
    "init": "setup",
    "list": "ps",
    "log": "events",
    "logs": "events",
    "ls": "ps",
    "remove": "rm",
    "sessions": "ps",
    "status": "show",
    "stop": "pause",
    "ui": "serve",
    "version": "--version",
    "web": "serve",
}
"""What other programs call a command, with its name here."""

_OPTIONS = ("--help", "--version", "--home")
"""Those before a command."""
_EXPECTED: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    Decimal: "a number",
    date: "a date such as 2026-01-31",
}
"""What an option takes that is no text, by its type."""


def describe_usage_error(error: CycloptsError, argv: Sequence[str]) -> str:
    """Return what is wrong with a command line, and the command whose help says what is right."""
    return f"{_describe(error, argv)} Try `{' '.join(('quaestor', *(error.command_chain or ()), '--help'))}`."


def _describe(error: CycloptsError, argv: Sequence[str]) -> str:
    match error:
        case UnknownCommandError(unused_tokens=[word, *_]) if not error.command_chain and word in OTHER_WORDS:
            return f"{word!r} is no command; it is called: quaestor {OTHER_WORDS[word]}."
        case UnknownCommandError(unused_tokens=[word, *_]) if not error.command_chain and word.startswith("-"):
            return _unknown_option(word)
        case UnusedCliTokensError(unused_tokens=[*left_over]) if left_over:
            return f"{' '.join(left_over)!r} is left over{_hint_at_order(argv, left_over)}."
        case UnknownCommandError() if _SUGGESTION not in str(error):
            asked = _question_in(error.unused_tokens or ())
            return f"a question is asked with: quaestor research {shlex.quote(asked)}." if asked else str(error)
        case MissingArgumentError() if text_first := _with_text_first(argv):
            return f"{_DOCS} takes all that follows it, so the text stands before it: {text_first}."
        case MissingArgumentError(argument=Argument(names=[_, _, *_] as names)):
            return f"{' or '.join(names)} is missing."
        case CoercionError() | ValidationError() if expected := _expected_value(error):
            return expected
        case UnknownOptionError(token=Token(keyword=str(option))) if option in _texts(argv):
            return f"{option!r} stands behind {_END_OF_OPTIONS}, where every word is a text; options stand before it."
        case _:
            return str(error)


def _unknown_option(word: str) -> str:
    meant = suggest(word, _OPTIONS).strip()
    return f"{word!r} is no option; before a command there are {', '.join(_OPTIONS)}{f'; {meant}' if meant else '.'}"


def _texts(argv: Sequence[str]) -> Sequence[str]:
    """Return the words behind the end of the options."""
    return argv[argv.index(_END_OF_OPTIONS) + 1 :] if _END_OF_OPTIONS in argv else ()


def _expected_value(error: CycloptsError) -> str | None:
    """Return what an option takes and what it was given; None where the parser says it well itself."""
    if error.argument is None or not error.argument.tokens:
        return None
    hint = error.argument.hint
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    wanted = next((_EXPECTED[kind] for kind in kinds if kind in _EXPECTED), None)
    given = error.argument.tokens[-1]
    return f"{given.keyword or error.argument.name} takes {wanted}, not {given.value!r}." if wanted else None


def _hint_at_order(argv: Sequence[str], left_over: Sequence[str]) -> str:
    """Return how what is left over was probably meant: as files, or as words of the text before it."""
    if argv[0] == "research" and all(Path(word).exists() for word in left_over):
        return f"; files to research are named by {_DOCS}: {_DOCS} {shlex.join(left_over)}"
    quoted = _with_text_in_quotes(argv, left_over)
    return f"; a text of several words is written in quotes: {quoted}" if quoted else ""


def _with_text_in_quotes(argv: Sequence[str], left_over: Sequence[str]) -> str | None:
    """Return a command line with the words that are left over and the one before them as one text.

    None where they do not follow a text: the command takes none, or the word before them belongs to an option.
    """
    if not argv or argv[0] not in _TEXT_COMMANDS:
        return None
    for begin in range(2, len(argv) - len(left_over) + 1):
        end = begin + len(left_over)
        if [*argv[begin:end]] == [*left_over] and not argv[begin - 2].startswith("-"):
            return command_line(None, *argv[: begin - 1], " ".join(argv[begin - 1 : end]), *argv[end:])
    return None


def _with_text_first(argv: Sequence[str]) -> str | None:
    """Return a command line with the text before the documents, if it is the last of what follows `--docs`."""
    if _DOCS not in argv:
        return None
    begin = argv.index(_DOCS)
    paths = [*takewhile(lambda word: not word.startswith("-"), argv[begin + 1 :])]
    if len(paths) < 2 or " " not in paths[-1] or Path(paths[-1]).exists():  # noqa: PLR2004 -- a path and the text
        return None
    after = argv[begin + 1 + len(paths) :]
    return command_line(None, *argv[:begin], paths[-1], _DOCS, *paths[:-1], *after)


def _question_in(tokens: Sequence[str]) -> str | None:
    """Return the text that stands where a command should, if it has as many words as a question; None for others."""
    words = " ".join(takewhile(lambda token: not token.startswith("-"), tokens)).split()
    return " ".join(words) if len(words) >= _QUESTION_WORDS else None

"""The manual page, made of the help of every command, in the language of `man`."""

import re
from collections.abc import Iterator

from cyclopts import App

from quaestor.faces.cli.help import HELP
from quaestor.faces.cli.program import COMMANDS, EPILOGUE
from quaestor.version import __version__

_QUOTED = re.compile(r"`([^`\n]*)`")


def render_manual(app: App) -> str:
    """Return the manual page of the program, in roff: each command with its options and an example."""
    about = " ".join(app.help.split())
    lines = [
        f'.TH QUAESTOR 1 "" "Quaestor {__version__}"',
        ".SH NAME",
        f"quaestor \\- {_roff(about.partition('.')[0].lower())}",
        ".SH SYNOPSIS",
        "\\fBquaestor\\fR [\\-\\-home \\fIDIR\\fR] \\fICOMMAND\\fR ...",
        ".SH DESCRIPTION",
        *_paragraphs(f"{about}\n\n{EPILOGUE}"),
        ".SH COMMANDS",
    ]
    for name in COMMANDS:
        lines += _command(name, app[name])
    return "\n".join((*lines, ""))


def _command(name: str, command: App) -> Iterator[str]:
    arguments = [each for each in command.assemble_argument_collection() if each.show and each.names]
    named = [each for each in arguments if each.names[0].startswith("-")]
    values = [each.names[0] if each.required else f"[{each.names[0]}]" for each in arguments if each not in named]
    yield f".SS quaestor {_roff(' '.join((name, *values)))}"
    yield from _paragraphs(command.help)
    for each in arguments:
        yield ".TP"
        yield f"\\fB{_roff(', '.join(each.names))}\\fR"
        yield _roff(" ".join((each.parameter.help or "").split()) or "See the documentation.")
    if example := HELP.get(name):
        yield ".PP"
        yield f"Example: \\fB{_roff(example.example)}\\fR"


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in filter(None, (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))):
        yield ".PP"
        yield _roff(paragraph)


def _roff(text: str) -> str:
    """Return a text in which nothing is taken for an instruction; what is between backticks is bold."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = _QUOTED.sub(r"\\fB\1\\fR", escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped

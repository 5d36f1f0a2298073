"""Documents that any machine can print: help of standard modules, tables of constants, metadata of packages."""

import csv
import errno
import importlib
import pydoc
import signal
from collections.abc import Iterable, Sequence
from html.entities import name2codepoint
from http import HTTPStatus
from importlib.metadata import distributions
from pathlib import Path

MODULES = """
    argparse bisect bz2 calendar cmd code codecs collections colorsys configparser contextlib copy csv dataclasses
    datetime difflib dis doctest enum fileinput filecmp fnmatch fractions functools getpass gettext glob graphlib
    gzip heapq hmac html http.cookies http.server imaplib io ipaddress itertools json keyword linecache logging
    mailbox mimetypes netrc operator optparse os.path pathlib pickle pickletools platform plistlib poplib pprint
    profile pty queue random reprlib rlcompleter sched secrets selectors shelve shlex shutil smtplib socketserver
    statistics string stringprep struct subprocess tabnanny tarfile tempfile textwrap threading timeit tokenize
    traceback types uuid warnings wave weakref webbrowser wsgiref.simple_server xmlrpc.client zipapp zipfile
"""


def write_modules(folder: Path) -> None:
    """Write the help of modules, a text each, and tables of status codes, errors, signals and entities."""
    for name in MODULES.split():
        printed = pydoc.plain(pydoc.render_doc(importlib.import_module(name)))
        text = printed.partition("\nFILE\n")[0]  # which names a path of this machine
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    for kind, first in (("client", 400), ("server", 500)):
        rows = [(one.value, one.phrase, one.description) for one in HTTPStatus if first <= one < first + 100]
        _table(folder / f"http_{kind}_errors.csv", ("Code", "Phrase", "Description"), rows)
    _table(folder / "errors.csv", ("Number", "Name"), sorted(errno.errorcode.items()))
    signals = [(one.value, one.name, signal.strsignal(one) or "") for one in signal.Signals]
    _table(folder / "signals.csv", ("Number", "Name", "Meaning"), signals)
    _table(folder / "entities.csv", ("Entity", "Codepoint"), sorted(name2codepoint.items()))


def write_packages(folder: Path) -> None:
    """Write the metadata of every installed package: its fields, and the text of its README."""
    for one in distributions():
        text = one.read_text("METADATA")
        if text and one.name != "quaestor":
            (folder / f"{one.name.casefold()}.txt").write_text(text, encoding="utf-8")


def _table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows((columns, *rows))

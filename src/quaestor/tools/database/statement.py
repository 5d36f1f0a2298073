"""A statement in SQL, read closely enough to refuse what can be recognised before any database sees it.

What really keeps a database from being changed is the database itself. This finds what that does not: a second
statement, results written into files, functions that act outside of a transaction.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from quaestor.contracts.immutable import Immutable
from quaestor.tools.database.protocol import DatabaseKind

QUERY_KEYWORDS = frozenset({"select", "with", "values", "table"})
OTHER_KEYWORDS = frozenset({
    "alter", "analyze", "attach", "begin", "call", "commit", "copy", "create", "delete", "detach", "do", "drop",
    "exec", "execute", "explain", "grant", "handler", "insert", "kill", "listen", "load", "lock", "merge", "notify",
    "optimize", "pragma", "prepare", "reindex", "rename", "replace", "reset", "revoke", "rollback", "savepoint",
    "set", "show", "shutdown", "start", "truncate", "unlisten", "update", "use", "vacuum",
})  # fmt: skip
"""Words that begin a statement which is not a SELECT; anything else that does not begin one is no SQL."""
UNSAFE_FUNCTIONS = frozenset({
    "benchmark", "connectby", "crosstab", "crosstab2", "crosstab3", "crosstab4", "crosstabn", "cursor_to_xml",
    "cursor_to_xmlschema", "database_to_xml", "database_to_xml_and_xmlschema", "database_to_xmlschema", "dbms_lock",
    "edit", "fts3_tokenizer", "get_lock", "load_extension", "load_file", "openquery", "openrowset", "opendatasource",
    "query_to_xml", "query_to_xml_and_xmlschema", "query_to_xmlschema", "readfile", "release_lock", "schema_to_xml",
    "schema_to_xml_and_xmlschema", "schema_to_xmlschema", "set_config", "sleep", "table_to_xml",
    "table_to_xml_and_xmlschema", "table_to_xmlschema", "ts_stat", "utl_file", "utl_http", "writefile", "xpath_table",
})  # fmt: skip
"""Functions that run SQL given as text, read or write files, or wait; a database calls some of them harmless."""
CREDENTIAL_TABLES = frozenset({
    "pg_authid", "pg_file_settings", "pg_hba_file_rules", "pg_shadow", "pg_subscription", "pg_user_mapping",
    "pg_user_mappings",
})  # fmt: skip
"""Tables in which Postgres keeps what others log in with."""

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\n\r\f\v]+)
    | (?P<line>--[^\n\r]*)
    | (?P<block>/\*)
    | (?P<number>\d[\w.]*|\.\d[\w.]*)
    | (?P<word>[A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]*)
    | (?P<dollar>\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$)
    | (?P<string>'(?:[^']|'')*')
    | (?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTES = frozenset("'\"`")
_ESCAPE_STRING = re.compile(r"'(?:[^'\\]|''|\\.)*'", re.DOTALL)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_BLOCK_EDGE = re.compile(r"/\*|\*/")

_TokenKind = Literal["word", "name", "string", "mark"]


class _Token(NamedTuple):
    sort: _TokenKind
    text: str


class StatementRefused(Exception):
    """A statement is not sent, for the reason in the message."""


class NotSql(Exception):
    """It is no SQL."""


class Statement(Immutable):
    """One SELECT statement without its comments, and the names in it in lower case."""

    sql: str
    names: frozenset[str]
    called: frozenset[str]


def parse_statement(text: str, kind: DatabaseKind) -> Statement:
    """Read a query. Raises StatementRefused for SQL that is not one harmless SELECT, NotSql for what is no SQL."""
    if not _begins_as_sql(text):
        raise NotSql
    pieces = list(_tokenize(text, kind))
    tokens = [piece for piece in pieces if isinstance(piece, _Token)]
    while tokens and tokens[-1] == _Token("mark", ";"):
        tokens.pop()
        pieces = pieces[: _last_token_index(pieces)]
    _require_single_select(tokens)
    sql = "".join(piece.text if isinstance(piece, _Token) else piece for piece in pieces).strip()
    named = frozenset(token.text.strip('"`').lower() for token in tokens if token.sort in {"word", "name"})
    statement = Statement(sql, named, frozenset(_called_functions(tokens)))
    _refuse_names(statement, kind)
    return statement


def _begins_as_sql(text: str) -> bool:
    first = re.search(r"\w+", _COMMENT.sub(" ", text))
    return first is not None and first[0].lower() in QUERY_KEYWORDS | OTHER_KEYWORDS


def _last_token_index(pieces: Sequence["_Token | str"]) -> int:
    return max(at for at, piece in enumerate(pieces) if isinstance(piece, _Token))


def _require_single_select(tokens: Sequence[_Token]) -> None:
    begins = next((token.text.lower() for token in tokens if token.text != "("), "")
    if begins not in QUERY_KEYWORDS:
        raise StatementRefused(f"only a SELECT statement is run, not {begins.upper() or 'this'}")
    if _Token("mark", ";") in tokens:
        raise StatementRefused("only one statement is run at a time; leave out what follows the semicolon")
    if any(token.sort == "word" and token.text.lower() == "into" for token in tokens):
        raise StatementRefused("SELECT INTO writes; leave INTO out")


def _called_functions(tokens: Sequence[_Token]) -> Iterator[str]:
    for token, after in pairwise(tokens):
        if after == _Token("mark", "("):
            if token.sort == "word":
                yield token.text.lower()
            elif token.sort == "name":
                yield token.text[1:-1].replace('""', '"').lower()


def _refuse_names(statement: Statement, kind: DatabaseKind) -> None:
    if refused := sorted(statement.called & UNSAFE_FUNCTIONS):
        raise StatementRefused(f"the function {refused[0]} is not run; ask without it")
    if kind == "postgresql" and (refused := sorted(statement.names & CREDENTIAL_TABLES)):
        raise StatementRefused(f"{refused[0]} is not read; ask about other tables")


def _tokenize(text: str, kind: DatabaseKind) -> Iterator["_Token | str"]:
    """Return the tokens, and the text between them; a comment is a blank.

    Raises StatementRefused for what two databases would read in two ways.
    """
    at = 0
    while at < len(text):
        piece, at = _next_token(text, at, kind)
        yield piece


def _next_token(text: str, at: int, kind: DatabaseKind) -> tuple["_Token | str", int]:
    """Return the piece at a place, and where it ends."""
    found = _TOKEN.match(text, at)
    piece = found[0] if found else text[at]
    end = at + len(piece)
    match found.lastgroup if found else None:
        case "blank" | "number":
            return piece, end
        case "line":
            _refuse_ambiguous_comment(piece, kind)
            return " ", end
        case "block":
            return " ", _skip_block_comment(text, end, kind)
        case "dollar":
            return _dollar_quoted(text, at, piece, kind)
        case "word" if kind == "postgresql" and piece.lower() in {"e", "u"}:
            return _prefixed_string(text, at, end)
        case "string" | "name" as sort:
            _refuse_quotes(piece, kind)
            return _Token(sort, piece), end
        case "word":
            return _Token("word", piece), end
        case _ if piece in _QUOTES:
            raise StatementRefused(f"the quote {piece} is not closed")
        case _:
            return _Token("mark", piece), end


def _refuse_ambiguous_comment(piece: str, kind: DatabaseKind) -> None:
    if kind == "other" and piece != "--" and not piece[2].isspace():
        raise StatementRefused("-- begins a comment only before a blank; leave comments out")


def _dollar_quoted(text: str, at: int, delimiter: str, kind: DatabaseKind) -> tuple[_Token, int]:
    """Return a string of Postgres, which ends as it begins."""
    if kind != "postgresql":
        raise StatementRefused("text between dollar signs is not sent; write it between single quotes")
    end = text.find(delimiter, at + len(delimiter))
    if end < 0:
        raise StatementRefused(f"the text that begins with {delimiter} does not end")
    return _Token("string", text[at : end + len(delimiter)]), end + len(delimiter)


def _skip_block_comment(text: str, at: int, kind: DatabaseKind) -> int:
    """Return where a comment ends; those of Postgres hold others."""
    if kind == "other":
        raise StatementRefused("comments between /* and */ are not sent; leave them out")
    depth = 1
    while depth:
        edge = _BLOCK_EDGE.search(text, at)
        if edge is None:
            raise StatementRefused("a comment does not end; close it with */")
        at = edge.end()
        if edge[0] == "*/":
            depth -= 1
        elif kind == "postgresql":
            depth += 1
    return at


def _prefixed_string(text: str, start: int, at: int) -> tuple[_Token, int]:
    """Return the word e or u, or the string of Postgres that it begins."""
    if text[start] in "eE" and (found := _ESCAPE_STRING.match(text, at)):
        return _Token("string", text[start : found.end()]), found.end()
    if text[start] in "eE" and text[at : at + 1] == "'":
        raise StatementRefused("the quote ' is not closed")
    if text[start] in "uU" and text[at : at + 2] in {"&'", '&"'}:
        raise StatementRefused("names and texts with U& are not sent; write their characters as they are")
    return _Token("word", text[start:at]), at


def _refuse_quotes(piece: str, kind: DatabaseKind) -> None:
    if kind == "other" and "\\" in piece:
        raise StatementRefused("a backslash between quotes is not sent; ask without it")
    if kind == "postgresql" and piece.startswith("`"):
        raise StatementRefused('names are not written between ` here; write them between "')

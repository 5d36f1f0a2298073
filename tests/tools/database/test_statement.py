import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.database.protocol import DatabaseKind
from quaestor.tools.database.statement import NotSql, StatementRefused, parse_statement


@given(st.text().filter(lambda text: "\0" not in text), st.sampled_from(["sqlite", "postgresql"]))
def test_what_stands_between_quotes_is_never_taken_for_sql(text: str, kind: DatabaseKind) -> None:
    quoted = "'" + text.replace("'", "''") + "'"
    statement = parse_statement(f"SELECT {quoted}", kind)
    assert statement.names == {"select"}
    assert statement.sql == f"SELECT {quoted}"


@given(
    st.text(alphabet="select(;*/-$'\"` \n\\aEeUu&1", max_size=40), st.sampled_from(["sqlite", "postgresql", "other"])
)
def test_what_is_sent_reads_the_same_again(text: str, kind: DatabaseKind) -> None:
    try:
        statement = parse_statement(f"SELECT {text}", kind)
    except StatementRefused:
        return
    assert parse_statement(statement.sql, kind) == statement


@pytest.mark.parametrize("query", ["", "how many ships?", "Wer war's?", "7", "-- nothing", "ship's tons; all of them"])
def test_words_are_no_statement(query: str) -> None:
    with pytest.raises(NotSql):
        parse_statement(query, "sqlite")


@pytest.mark.parametrize(
    ("query", "kind", "reason"),
    [
        ("SELECT 1; SELECT 2", "sqlite", "one statement"),
        ("drop table ships", "sqlite", "not DROP"),
        ("SELECT 'a", "sqlite", "not closed"),
        ("SELECT 1 /* a", "sqlite", "does not end"),
        ("SELECT 1 /* /* a */", "postgresql", "does not end"),
        ("SELECT $a$ 1", "postgresql", "does not end"),
        ("SELECT E'a", "postgresql", "not closed"),
        ("SELECT `a` FROM t", "postgresql", "between `"),
        ("SELECT u&'a'", "postgresql", "U&"),
        ("SELECT * INTO t FROM s", "other", "INTO"),
        ("SELECT 1 /*! INTO OUTFILE 'x' */", "other", "leave them out"),
        ("SELECT 5--1 INTO t", "other", "comment"),
        ("SELECT 'a\\' INTO OUTFILE '", "other", "backslash"),
        ("SELECT $a$", "other", "dollar"),
        ("SELECT Load_File ('x')", "other", "load_file"),
    ],
)
def test_what_is_no_harmless_select_is_refused(query: str, kind: DatabaseKind, reason: str) -> None:
    with pytest.raises(StatementRefused, match=reason):
        parse_statement(query, kind)


def test_comments_and_the_last_semicolon_are_not_sent() -> None:
    assert parse_statement("-- all\n(SELECT/**/1) -- one\n ; -- end", "postgresql").sql == "(SELECT 1)"


def test_names_are_found_whatever_stands_around_them() -> None:
    statement = parse_statement(
        'WITH a AS (SELECT "Pg_Sleep" /* ( */ (1), f.G(2), in_(3)) SELECT * FROM "Log ""x"""', "postgresql"
    )
    assert statement.called >= {"pg_sleep", "g", "in_"}
    assert "log" not in statement.names

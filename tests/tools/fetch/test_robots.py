import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.fetch.politeness import MAX_ROBOTS_BYTES, parse_robots


def allows(robots: str, target: str) -> bool:
    return parse_robots(robots.encode(), "quaestor").allow(target)


ALL = "user-agent: *\n"


@pytest.mark.parametrize(
    ("robots", "target", "allowed"),
    [
        ("", "/a", True),
        (ALL, "/a", True),
        (ALL + "disallow:", "/a", True),
        (ALL + "disallow: /", "/a", False),
        (ALL + "disallow: /", "/robots.txt", True),
        (ALL + "disallow: /a", "/ab/c?d", False),
        (ALL + "disallow: /a", "/b/a", True),
        (ALL + "disallow: /a/", "/a", True),
        (ALL + "disallow: /A", "/a", True),
        (ALL + "disallow: /a # not this", "/a", False),
        (ALL + "Disallow : /a", "/a", False),
        (ALL + "DISALLOW:/a", "/a", False),
        (ALL + "disallow /a", "/a", True),
        ("disallow: /a", "/a", True),
        ("\ufeff" + ALL + "disallow: /", "/a", False),
        ("user-agent: *\rdisallow: /a\rdisallow: /b", "/b", False),
        (ALL + "sitemap: /x\ndisallow: /a", "/a", False),
        (ALL + "\n\n\ndisallow: /a", "/a", False),
    ],
)
def test_a_line_is_read_as_the_standard_says(robots: str, target: str, allowed: bool) -> None:
    assert allows(robots, target) is allowed


@pytest.mark.parametrize(
    ("rules", "target", "allowed"),
    [
        ("allow: /p\ndisallow: /", "/page", True),
        ("disallow: /\nallow: /p", "/page", True),
        ("allow: /folder\ndisallow: /folder", "/folder/page", True),
        ("allow: /page\ndisallow: /*.htm", "/page.htm", False),
        ("allow: /page\ndisallow: /*.ph", "/page.php5", True),
        ("allow: /$\ndisallow: /", "/", True),
        ("allow: /$\ndisallow: /", "/page.htm", False),
        ("disallow: /example/page/\nallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", True),
        ("disallow: /example/page/disallowed.gif\nallow: /example/page/", "/example/page/disallowed.gif", False),
    ],
)
def test_the_longest_rule_decides_and_allowing_wins_a_tie(rules: str, target: str, allowed: bool) -> None:
    assert allows(ALL + rules, target) is allowed


@pytest.mark.parametrize(
    ("pattern", "target", "fits"),
    [
        ("/*.php", "/index.php", True),
        ("/*.php", "/folder/any.php?a=b", True),
        ("/*.php", "/windows.PHP", False),
        ("/*.php$", "/file.php", True),
        ("/*.php$", "/file.php?a=b", False),
        ("/*.php$", "/file.php.php", True),
        ("/fish*.php", "/fishheads/catfish.php?a", True),
        ("/fish*.php", "/Fish.PHP", False),
        ("/a*b*c$", "/abbcc", True),
        ("/a*b*c$", "/acb", False),
        ("/ab*ba$", "/aba", False),
        ("/*ab*ab", "/ab", False),
        ("/*ab*ab", "/abab", True),
        ("*/b", "/a/b", True),
        ("/a**b", "/a/b", True),
        ("/a$b", "/a$bc", True),
        ("/a", "/%61", True),
        ("/%61", "/a", True),
        ("/ツ", "/%E3%83%84", True),
        ("/%e3%83%84", "/%E3%83%84", True),
        ("/a/%2f", "/a/%2F", True),
        ("/a/%2F", "/a//", False),
        ("/a-%2A", "/a-*", True),
        ("/a-%24", "/a-$", True),
        ("/a*$", "/abc", True),
        ("/a|b", "/a%7Cb", True),
    ],
)
def test_wildcards_and_encodings_fit_as_the_standard_says(pattern: str, target: str, fits: bool) -> None:
    assert allows(f"{ALL}disallow: {pattern}", target) is not fits


@given(st.text("/ab*", max_size=8), st.booleans(), st.text("/ab", max_size=8))
def test_a_pattern_fits_what_the_same_regular_expression_fits(middle: str, ends: bool, target: str) -> None:
    pattern = f"/{middle}{'$' if ends else ''}"
    expression = re.escape(f"/{middle}").replace(r"\*", ".*") + ("$" if ends else "")
    assert allows(f"{ALL}disallow: {pattern}", f"/{target}") is not bool(re.match(expression, f"/{target}"))


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        ("user-agent: quaestor\ndisallow: /a", False),
        ("user-agent: Quaestor/2.0\ndisallow: /a", False),
        ("user-agent: quaest\ndisallow: /a", True),
        ("user-agent: quaestorbot\ndisallow: /a", True),
        ("user-agent: *\ndisallow: /\n\nuser-agent: quaestor\nallow: /", True),
        ("user-agent: quaestor\n\nuser-agent: *\ndisallow: /a", False),
        (
            "user-agent: quaestor\ndisallow: /b\nuser-agent: other\ndisallow: /c\nuser-agent: QUAESTOR\ndisallow: /a",
            False,
        ),
        ("user-agent: quaestor\nuser-agent: other\ndisallow: /a", False),
        ("user-agent: other\ndisallow: /a", True),
        ("user-agent: quaestor\nsitemap: x\nuser-agent: other\ndisallow: /a", False),
        ("user-agent: quaestor\n\nuser-agent: other\nallow: /b\n\nuser-agent: *\ndisallow: /a", True),
    ],
)
def test_the_groups_of_the_own_name_count_and_else_those_for_all(robots: str, allowed: bool) -> None:
    assert allows(robots, "/a") is allowed


@pytest.mark.parametrize(
    ("value", "delay"), [("5", 5.0), ("0.5", 0.5), ("-1", None), ("inf", None), ("1e9", None), ("", None), ("٣", None)]
)
def test_a_delay_is_a_plain_number_of_seconds(value: str, delay: float | None) -> None:
    assert parse_robots(f"user-agent: *\ncrawl-delay: {value}".encode(), "quaestor").delay == delay


def test_only_the_first_part_of_a_long_file_is_read() -> None:
    filling = b"#" * MAX_ROBOTS_BYTES
    robots = parse_robots(ALL.encode() + b"disallow: /a\n" + filling + b"\ndisallow: /b", "quaestor")
    assert not robots.allow("/a")
    assert robots.allow("/b")


@pytest.mark.parametrize(
    "unit", [b"user-agent: quaestor\n", b"disallow: /*a*b\n", b"a" + b" " * 1000, b"\r", b":", b"*", b"\xff"]
)
def test_a_file_made_to_take_long_is_read(unit: bytes) -> None:
    robots = parse_robots(b"user-agent: *\ndisallow: /" + unit * (MAX_ROBOTS_BYTES // len(unit)), "quaestor")
    assert robots.allow("/" + "ab" * 1000) in {True, False}

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.url import display_text, parse_url, resolve_redirect


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://Example.ORG", "https://example.org/"),
        ("HTTP://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443?q", "https://example.org/?q"),
        ("http://example.org:/", "http://example.org/"),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://example.org/a#part", "https://example.org/a"),
        ("https://example.org/#@127.0.0.1/", "https://example.org/"),
        ("https://example.org/a b/ä?q=ö ü", "https://example.org/a%20b/%C3%A4?q=%C3%B6%20%C3%BC"),
        ("https://example.org/%7Ea/%41?b=%20", "https://example.org/%7Ea/%41?b=%20"),
        ("https://example.org/a/./b/../c/%2e%2E/d", "https://example.org/a/d"),
        ("https://example.org/../../a/..", "https://example.org/"),
        ("https://example.org//a//", "https://example.org//a//"),
        ("https://example.org/a?u=http://b/../c", "https://example.org/a?u=http://b/../c"),
        ("https://MÜNCHEN.example/", "https://xn--mnchen-3ya.example/"),
        ("https://my_site.example.org/", "https://my_site.example.org/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://\uff18\uff0e\uff18\u30028.8/", "https://8.8.8.8/"),
        ("https://[2606:4700:0:0::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        ("https://3com.example/", "https://3com.example/"),
    ],
)
def test_a_url_is_written_in_one_way(text: str, url: str) -> None:
    assert str(parse_url(text)) == url


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_url_that_was_read_reads_the_same_again(path: str, query: str) -> None:
    try:
        url = parse_url(f"https://example.org/{path}?{query}")
    except ToolFailed:
        return
    assert parse_url(str(url)) == url
    assert str(url).isascii()
    assert url.host == "example.org"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ftp://example.org/", "no http or https URL"),
        ("http\u017f://example.org/", "no http or https URL"),
        ("https:/example.org", "no http or https URL"),
        ("https://", "host cannot be read"),
        ("https:///example.org/", "host cannot be read"),
        ("https://me@example.org/", "credentials"),
        ("https://example.org@127.0.0.1/", "credentials"),
        ("https://example.org:80@127.0.0.1/", "credentials"),
        ("https://exa mple.org/", "host cannot be read"),
        ("https://exa%6Dple.org/", "host cannot be read"),
        ("https://[::1%25lo]/", "host cannot be read"),
        ("https://[::1]x/", "host cannot be read"),
        ("https://[::1/", "host cannot be read"),
        ("https://[]/", "host cannot be read"),
        ("https://[::g]/", "host cannot be read"),
        ("https://[1.2.3.4]/", "no IPv6 address"),
        ("https://[:::1]/", "no IPv6 address"),
        ("https://example.org:99999/", "no port 99999"),
        ("https://example.org:0/", "no port 0"),
        ("https://example.org:8o/", "host cannot be read"),
        ("https://example.org:٨٠/", "host cannot be read"),
        ("https://example.org:80:80/", "host cannot be read"),
        ("https://example..org/", "no valid name"),
        ("https://example.org../", "no valid name"),
        ("https://-a.example/", "no valid name"),
        (f"https://{'a' * 64}.example/", "no valid name"),
        (f"https://{'a.' * 130}example/", "no valid name"),
        (f"https://{'ä.' * 2000}example/", "too long"),
        ("https://exam!ple.org/", "no valid name"),
        ("https://℀.example/", "no valid international name"),
        ("https://0x7f000001/", "odd notation"),
        ("https://example.org\\@127.0.0.1/", "control character or a backslash"),
        ("https://example.org/\r\nX: y", "control character or a backslash"),
        ("https://example.org/\ud800", "control character or a backslash"),
        ("https://example.org/" + "a" * 4096, "4116 characters"),
    ],
)
def test_a_url_that_could_be_read_in_two_ways_is_refused(text: str, what: str) -> None:
    with pytest.raises(ToolFailed, match=what):
        parse_url(text)


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/b", "https://example.org/b"),
        ("b", "https://example.org/a/b"),
        ("?q", "https://example.org/a/page?q"),
        ("//other.example/b", "https://other.example/b"),
        ("http://other.example", "http://other.example/"),
        ("../../b#c", "https://example.org/b"),
        ("/ü", "https://example.org/%C3%BC"),
    ],
)
def test_a_redirect_is_read_from_where_it_stands(location: str, url: str) -> None:
    assert str(resolve_redirect(parse_url("https://example.org/a/page"), location)) == url


@pytest.mark.parametrize(
    "location",
    [
        "http://[",
        "file:///etc/passwd",
        "/\\127.0.0.1",
        "http://a\tb/",
        "https://a\tb/",
        "/a\nb",
        "\x00/",
        "//me@127.0.0.1/",
        "//127.1/",
    ],
)
def test_a_redirect_is_read_as_strictly(location: str) -> None:
    with pytest.raises(ToolFailed):
        resolve_redirect(parse_url("https://example.org/"), location)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.org/a", "https://example.org/a"),
        ("https://me:secret@example.org/", "https://***@example.org/"),
        ("https://a@b@example.org/", "https://***@example.org/"),
        ("a\r\nb\x1b[31m\u202e\ud800", "a\\r\\nb\\x1b[31m\\u202e\\ud800"),
        ("a" * 200, "a" * 120 + "…"),
    ],
)
def test_a_message_shows_a_url_safely(url: str, safe: str) -> None:
    assert display_text(url) == safe

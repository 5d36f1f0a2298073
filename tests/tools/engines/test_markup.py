import pytest

from quaestor.tools.engines.markup import parse, words
from quaestor.tools.engines.shape import Misshapen

LAUGHS = b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>'
FILE = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'
PARAMETER = b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:9/"> %x;]><r/>'


@pytest.mark.parametrize("body", [LAUGHS, FILE, PARAMETER])
def test_entities_are_refused(body: bytes) -> None:
    with pytest.raises(Misshapen, match="declares the entity"):
        parse(body, "r")


def test_a_document_type_elsewhere_is_not_looked_at() -> None:
    body = b'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/r.dtd"><r>a&unknown;b &amp; c</r>'
    assert words(parse(body, "r")) == "ab & c"


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"<r>", b"<r></s>", b"\xff\xfe\xfd", b'<?xml version="1.0" encoding="nonsense"?><r/>', b"<r/><r/>"],
)
def test_what_is_no_xml_is_refused(body: bytes) -> None:
    with pytest.raises(Misshapen, match="that is no XML"):
        parse(body, "r")


def test_another_root_is_refused() -> None:
    with pytest.raises(Misshapen, match="without 'feed'"):
        parse(b"<html/>", "feed")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(Misshapen, match="nested more than 64 deep"):
        parse(b"<r>" * 100_000, "r")


def test_names_are_without_their_namespaces() -> None:
    top = parse(b'<a:r xmlns:a="urn:a" xmlns="urn:b"><s>x</s><a:t>y</a:t></a:r>', "r")
    assert [child.tag for child in top] == ["s", "t"]
    assert words(top.find("t")) == "y"
    assert words(top.find("u")) == ""

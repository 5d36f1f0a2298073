import pytest

from quaestor.tools.engines.response import InvalidResponse
from quaestor.tools.engines.xml_reply import element_text, parse_xml

LAUGHS = b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>'
FILE = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'
PARAMETER = b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:9/"> %x;]><r/>'


@pytest.mark.parametrize("body", [LAUGHS, FILE, PARAMETER])
def test_entities_are_refused(body: bytes) -> None:
    with pytest.raises(InvalidResponse, match="declares the entity"):
        parse_xml(body, "r")


def test_a_document_type_elsewhere_is_not_looked_at() -> None:
    body = b'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/r.dtd"><r>a&unknown;b &amp; c</r>'
    assert element_text(parse_xml(body, "r")) == "ab & c"


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"<r>", b"<r></s>", b"\xff\xfe\xfd", b'<?xml version="1.0" encoding="nonsense"?><r/>', b"<r/><r/>"],
)
def test_what_is_no_xml_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidResponse, match="that is no XML"):
        parse_xml(body, "r")


def test_another_root_is_refused() -> None:
    with pytest.raises(InvalidResponse, match="without 'feed'"):
        parse_xml(b"<html/>", "feed")


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(InvalidResponse, match="nested more than 64 deep"):
        parse_xml(b"<r>" * 100_000, "r")


def test_names_are_without_their_namespaces() -> None:
    top = parse_xml(b'<a:r xmlns:a="urn:a" xmlns="urn:b"><s>x</s><a:t>y</a:t></a:r>', "r")
    assert [child.tag for child in top] == ["s", "t"]
    assert element_text(top.find("t")) == "y"
    assert element_text(top.find("u")) == ""

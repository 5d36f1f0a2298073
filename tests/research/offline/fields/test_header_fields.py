import pytest

from quaestor.research.offline.fields.header_fields import (
    Fact,
    find_headers,
    parse_fact,
    references,
    split_people,
    to_fact,
)


def test_a_header_joins_continued_lines(old_note: str) -> None:
    (header,) = find_headers(old_note)

    author = header.fields[2]
    assert author.value == "Ann Lee <ann@example.org>, Bo Ek <bo@example.org>"
    assert author.text in old_note
    assert header.number is not None
    assert header.title is not None
    assert (header.number.value, header.title.value) == ("12", "Plain Jars")


def test_the_field_list_of_restructuredtext_is_a_header() -> None:
    [header] = find_headers("Jars\n====\n\n:Author: Bo Ek\n:Status: Rejected\n\nA jar.\n")
    assert [(field.key, field.value) for field in header.fields] == [("Author", "Bo Ek"), ("Status", "Rejected")]


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_key_of_front_matter_has_the_values_that_are_listed_below_it(indent: str) -> None:
    front = f"---\nnote: '0012'\nmakers:\n{indent}- Ann Lee\n{indent}- Bo Ek\nstatus: Living\n---\n"
    [header] = find_headers(f"{front}\n## Jars\n\nLids:\n- clay\nRim: tin\n")
    assert [(field.key, field.value) for field in header.fields] == [
        ("note", "0012"),
        ("makers", "Ann Lee, Bo Ek"),
        ("status", "Living"),
    ]
    assert all(field.text in front for field in header.fields)
    assert header.number is not None


@pytest.mark.parametrize("marks", [("", ""), ("<pre>\n", "</pre>\n"), ("```\n", "```\n")])
def test_the_fields_of_a_header_may_share_an_indent_or_be_preformatted(marks: tuple[str, str]) -> None:
    opening, closing = marks
    text = (
        f"{opening}  Note: 12\n  Title: Plain\n    Jars\n  Author: Bo Ek\n{closing}\nA jar:\n  Lid: clay\n  Rim: tin\n"
    )
    [header] = find_headers(text)
    assert [(field.key, field.value) for field in header.fields] == [
        ("Note", "12"),
        ("Title", "Plain Jars"),
        ("Author", "Bo Ek"),
    ]
    assert all(field.text in text for field in header.fields)


def test_one_field_alone_is_no_header() -> None:
    assert not list(find_headers("Beware: jars break.\n\nThey do.\n"))


def test_a_fact_is_read_back_from_its_claim(new_note: str) -> None:
    (header,) = find_headers(new_note)
    stated = to_fact(header, header.fields[-1], "")

    assert stated.claim() == "Lidded Jars (Note 40) — Replaces: 12"
    assert parse_fact(stated.claim()) == stated


def test_a_sentence_is_no_fact() -> None:
    assert parse_fact("Jars have lids.") is None


def test_a_document_without_a_number_is_named_alone() -> None:
    stated = Fact(subject="Lidded Jars", scheme="", number="", key="Status", value="Final")

    assert parse_fact(stated.claim()) == stated


@pytest.mark.parametrize(
    ("value", "numbers"),
    [("513, 571,599", ("513", "571", "599")), ("RFC 0042", ("42",)), ("after 12 years", ()), ("", ())],
)
def test_references_are_a_value_of_nothing_else(value: str, numbers: tuple[str, ...]) -> None:
    assert references(value) == numbers


def test_names_lose_their_addresses() -> None:
    assert split_people("Ann Lee <ann@example.org>, Bo Ek <bo at example.org>; Cy Fox (cy@example.org)") == (
        "Ann Lee",
        "Bo Ek",
        "Cy Fox",
    )
    assert split_people("Ann Lee <ann@example.org> Bo Ek <bo@example.org>") == ("Ann Lee", "Bo Ek")
    assert split_people("Ann Lee <ann@example.org> and others") == ("Ann Lee and others",)


@pytest.mark.parametrize("written", ["[LP-0012](0012-lids.md)", "`LP-0012 <0012-lids.html>`_", "LP-0012"])
def test_the_number_of_a_document_may_be_a_link(written: str) -> None:
    [header] = find_headers(f"* Proposal: {written}\n* Author: [Ann Lee](mailto:ann@a.example), Bo Ek\n")

    assert header.number
    assert header.number.value == "LP-0012"
    assert [field.value for field in header.fields[1:]] == ["Ann Lee, Bo Ek"]

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.replies.strict_json import (
    MAX_DEPTH,
    MAX_NUMBER_CHARACTERS,
    JsonError,
    parse_json,
    parse_number,
    unstorable_in_text,
    unstorable_in_value,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


def fault(text: str) -> str:
    with pytest.raises(JsonError) as raised:
        parse_json(text)
    return str(raised.value)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_what_was_written_is_read(value: JsonValue, ascii_only: bool, indent: int | None) -> None:
    assert repr(parse_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent))) == repr(value)


@given(
    st.lists(st.sampled_from([*'{}[]",:\\/ 10-.eE\n\t', "\\u", "d83d", "true", '"a":', "[1]", "\0", "\ud800"])).map(
        "".join
    )
)
def test_what_is_read_is_what_python_reads(text: str) -> None:
    try:
        value = parse_json(text)
    except JsonError:
        return
    assert repr(value) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[1,]",
        "{'a': 1}",
        "{a: 1}",
        '["\t"]',
        "[01]",
        "[+1]",
        "[.5]",
        "[1.]",
        "[1] 2",
        "\ufeff[1]",
        "[1",
        '["\\x"]',
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str) -> None:
    assert fault(text).startswith("not JSON at character ")


def test_a_key_that_stands_twice_is_refused_however_it_is_written() -> None:
    assert fault('{"a": 1, "\\u0061": 1}') == "the key 'a' occurs twice in an object"
    assert fault('[{"b": {"a": 1, "a": 2}}]') == "the key 'a' occurs twice in an object"
    assert parse_json('{"a": {"a": 1}}') == {"a": {"a": 1}}


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_a_word_for_what_is_no_number_is_refused(word: str) -> None:
    assert fault(f"[{word}]") == f"{word} is not JSON"


@pytest.mark.parametrize("digits", ["1e400", "-1e400", f"{'9' * 400}.0"])
def test_a_number_beyond_all_floats_is_refused(digits: str) -> None:
    assert fault(f'{{"a": {digits}}}').endswith("is too large")


def test_a_number_is_as_long_as_any_python_reads_it_and_no_longer() -> None:
    longest = "1" * MAX_NUMBER_CHARACTERS
    assert parse_json(f"[{longest}]") == [int(longest)]
    assert fault(f"[{longest}1]") == "the number 11111111... has 641 characters; at most 640 are read"
    assert fault(f"[0.{longest}]") == "the number 0.111111... has 642 characters; at most 640 are read"


def test_a_number_is_an_integer_unless_it_is_written_as_a_fraction_or_with_an_exponent() -> None:
    assert [repr(parse_number(digits)) for digits in ("-0", "1", "1.0", "1e2", "1e-400")] == [
        "0",
        "1",
        "1.0",
        "100.0",
        "0.0",
    ]


def test_brackets_are_nested_64_deep_and_no_deeper() -> None:
    assert json.dumps(parse_json(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    for deeper in (nested(MAX_DEPTH + 1), "[" * 60_000, '{"a":' * 10_000, '["]"' * 100):
        assert fault(deeper) == "the brackets are nested more than 64 deep"
    assert parse_json(json.dumps(["[" * 100, '"' + "[" * 100])) == ["[" * 100, '"' + "[" * 100]
    assert parse_json(f"[{'[],' * 100}1]") == [*[[]] * 100, 1]


@pytest.mark.parametrize("text", ['["a\\u0000"]', '{"a\\u0000": 1}', '[{"a": ["a\\u0000"]}]'])
def test_a_nul_is_refused_wherever_it_stands(text: str) -> None:
    assert fault(text) == "a NUL is character 2 of a string"


@pytest.mark.parametrize("text", ['["\\ud800"]', '["\\udc00\\ud800"]', '{"\\udfff": 1}', '["\ud800"]'])
def test_a_lone_surrogate_is_refused_wherever_it_stands(text: str) -> None:
    assert fault(text) == "a lone surrogate is character 1 of a string"


def test_a_pair_of_surrogates_is_a_character() -> None:
    assert parse_json('["\\ud83d\\ude00"]') == ["😀"]


def test_a_fault_in_a_text_is_named() -> None:
    assert unstorable_in_text("é😀\n\x01") is None
    assert unstorable_in_text("ab\0") == "a NUL is character 3 of a string"
    assert unstorable_in_text("\ud83d\ude00") == "a lone surrogate is character 1 of a string"


def test_a_fault_in_a_value_is_found_at_any_depth() -> None:
    deep: JsonValue = "\0"
    for _ in range(5_000):
        deep = [deep]
    assert unstorable_in_value(deep) == "a NUL is character 1 of a string"
    assert unstorable_in_value({"a": [1, None, True, 1.5, {"b": "c"}]}) is None
    assert unstorable_in_value([{"\ud800": 1}]) == "a lone surrogate is character 1 of a string"

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.replies.lenient_json import parse_lenient
from quaestor.replies.strict_json import MalformedJsonError, TruncatedJsonError

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES: st.SearchStrategy[JsonValue] = st.lists(
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
    ),
    max_size=3,
).map(list[JsonValue])

REPAIRED: dict[str, JsonValue] = {
    '{"a": 1,}': {"a": 1},
    '[1, [2,], {"a": [],},\n]': [1, [2], {"a": []}],
    "{'a': 'b'}": {"a": "b"},
    """['say "x"', "it's"]""": ['say "x"', "it's"],
    "{\u201ca\u201d: \u2018b\u2019}": {"a": "b"},
    '["\u201cx\u201d", \u201c"\u201d]': ["\u201cx\u201d", '"'],
    "{a: 1, b_2: 2, größe: 3, x-y: 4}": {"a": 1, "b_2": 2, "größe": 3, "x-y": 4},
    "[True, False, None, true]": [True, False, None, True],
    '{"a": 1, // one }\n"b": 2 # two ]\n}': {"a": 1, "b": 2},
    '{/* " } */"a"/**/:/* * / */1/***/}': {"a": 1},
    '{"a": "// no", "b": "# no", "c": "/* no */"}': {"a": "// no", "b": "# no", "c": "/* no */"},
    '["a\nb\r\n\tc"]': ["a\nb\r\n\tc"],
    '{"a": 1\n"b": [2]\n\n"c": "x" // y\n d: 4}': {"a": 1, "b": [2], "c": "x", "d": 4},
    '[{"a": 1}\n{"a": 2}\n[3]\n4]': [{"a": 1}, {"a": 2}, [3], 4],
    r"""["it\'s", 'it\'s', "snake\_case \*b\* \#1 \$5 5\% \&c \~ \`d\` \<e\> \-"]""": [
        "it's",
        "it's",
        "snake_case *b* #1 $5 5% &c ~ `d` <e> -",
    ],
    r"""['\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00']""": ['"\\/\b\f\n\r\té😀'],
}

REFUSED: dict[str, str] = {
    "[,]": "a value is missing before ',', at character 2",
    "[1,,2]": "a value is missing before ',', at character 4",
    "{,}": "a key in quotes is missing before ',', at character 2",
    '{"a"}': "a colon is missing after the key 'a', at character 5",
    '{"a" 1}': "a colon is missing after the key 'a', at character 6",
    '{"a": }': "a value is missing before '}', at character 7",
    '{"a": 1 "b": 2}': "a comma or '}' is missing before '\"', at character 9",
    "[1 2]": "a comma or ']' is missing before '2', at character 4",
    '["a"\n"b"]': "a comma or ']' is missing before '\"', at character 6",
    '["a" "b"]': "a comma or ']' is missing before '\"', at character 6",
    "[1\n2]": "a comma or ']' is missing before '2', at character 4",
    "[1}": "a comma or ']' is missing before '}', at character 3",
    '{"a": 1]': "a comma or '}' is missing before ']', at character 8",
    "['it's']": "a comma or ']' is missing before 's', at character 6",
    '["he said "yes""]': "a comma or ']' is missing before 'y', at character 12",
    "[\u201ca \u201cb\u201d\u201d]": "'\u201c' may not stand in a string, at character 5",
    "{true: 1}": "a key in quotes is missing before 't', at character 2",
    "{1: 2}": "a key in quotes is missing before '1', at character 2",
    "[undefined]": "'undefined' is not JSON; a string is written in double quotes, at character 2",
    "[1, ...]": "'...' is not JSON; a string is written in double quotes, at character 5",
    "[NaN]": "'NaN' is not JSON; a string is written in double quotes, at character 2",
    "[-Infinity]": "'-Infinity' is not JSON; a string is written in double quotes, at character 2",
    "[1e400]": "the number '1e400' is too large, at character 2",
    "[01]": "'01' is not JSON; a string is written in double quotes, at character 2",
    "[+1]": "'+1' is not JSON; a string is written in double quotes, at character 2",
    "[.5]": "'.5' is not JSON; a string is written in double quotes, at character 2",
    "[0x1F]": "'0x1F' is not JSON; a string is written in double quotes, at character 2",
    "[1_000]": "'1_000' is not JSON; a string is written in double quotes, at character 2",
    "[\uff11]": "'\uff11' is not JSON; a string is written in double quotes, at character 2",
    "{a: 1, 'a': 2}": "the key 'a' occurs twice in an object, at character 11",
    '["\\d"]': "a backslash before 'd' escapes nothing; write \\\\ for a backslash, at character 3",
    '["\\u12g4"]': "a backslash before 'u' escapes nothing; write \\\\ for a backslash, at character 3",
    '["\\\n"]': "a backslash before '\\n' escapes nothing; write \\\\ for a backslash, at character 3",
    '["\x01"]': "'\\x01' may not stand in a string, at character 3",
    '["\0"]': "'\\x00' may not stand in a string, at character 3",
    "['\\ud800']": "a lone surrogate is character 1 of a string, at character 2",
    "['\\u0000']": "a NUL is character 1 of a string, at character 2",
    "[\f]": "a value is missing before '\\x0c', at character 2",
    f"{'[' * 65},{']' * 65}": "the brackets are nested more than 64 deep, at character 66",
}


def spelt(text: str) -> str:
    """Return what is read in a form that tells 1 from 1.0 and true, or the first words of what is wrong."""
    try:
        return repr(parse_lenient(text)[0])
    except MalformedJsonError as fault:
        return str(fault).partition(";")[0]


@pytest.mark.parametrize(("text", "value"), REPAIRED.items())
def test_what_models_get_wrong_is_read_as_it_was_meant(text: str, value: JsonValue) -> None:
    assert parse_lenient(text) == (value, len(text))
    assert parse_lenient(f"words {text} words", len("words ")) == (value, len("words ") + len(text))


@pytest.mark.parametrize(("text", "fault"), REFUSED.items())
def test_what_could_be_meant_in_two_ways_is_refused_with_its_place(text: str, fault: str) -> None:
    with pytest.raises(MalformedJsonError) as raised:
        parse_lenient(text)
    assert str(raised.value) == fault


@pytest.mark.parametrize("text", REPAIRED)
def test_nothing_that_is_cut_off_is_completed(text: str) -> None:
    for end in range(1, len(text)):
        with pytest.raises(TruncatedJsonError):
            parse_lenient(text[:end])


def test_what_is_cut_off_is_told_with_the_place_where_it_was_opened() -> None:
    for text, fault in {
        '{"a": [1, {"b": 2}, ': "the bracket opened at character 7 is not closed",
        '{"a": "b}': "the string that begins at character 7 is not closed",
        "['\\": "the string that begins at character 2 is not closed",
        "[1 /* ]": "the bracket opened at character 1 is not closed",
    }.items():
        with pytest.raises(TruncatedJsonError, match=f"^the reply is cut off: {fault}$"):
            parse_lenient(text)


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_json_is_read_as_it_is(value: JsonValue, ascii_only: bool, indent: int | None) -> None:
    assert spelt(json.dumps(value, ensure_ascii=ascii_only, indent=indent)) == repr(value)


@given(VALUES)
def test_what_python_writes_is_read_as_it_is(value: JsonValue) -> None:
    read_back = spelt(repr(value))
    assert read_back == repr(value) or read_back.startswith(("a backslash before 'x'", "a backslash before 'U'"))

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.replies.parsing import MAX_REPLY_BYTES, JsonError, ParsedReply, TruncatedJsonError, parse_reply
from quaestor.replies.strict_json import unstorable_in_text

TEXTS = st.lists(
    st.sampled_from(
        [
            *"{}[]\"'`,:#\n\\/",
            "é",
            "😀",
            " a ",
            "//",
            "/*",
            "```",
            "\n```\n",
            "<think>",
            "</think>",
            '{"a": 1}',
            "“",
            "”",
        ]
    ),
    max_size=6,
).map("".join)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
OBJECTS: st.SearchStrategy[dict[str, JsonValue]] = st.dictionaries(
    TEXTS,
    st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
    ),
    min_size=1,
    max_size=3,
)

AROUND = (
    ("\ufeff", ""),
    ("Sure! Here it is: ", " Anything else?"),
    ("Sets like {1, 2} or {x} are meant [1].\n\n", "\n\nSee [1], [2] and {y}."),
    ("```json\n", "\n```"),
    ("```\n", "\n```\nThat is all."),
    ("Here:\n~~~json5\n", "\n~~~"),
    ("```json ", " ```"),
    ("`", "`"),
    ("```json\n", ""),
    ("", "\n```"),
    ("```python\nd = {'x': 1}\n```\n\n```json\n", "\n```"),
    ('<think>Either {"a": 0} or [{...</think>\n', ""),
    ("<THINKING>\n```json\n{\n```\n</THINKING>```json\n", "\n```"),
    ("First { I think, then ]</think>", ""),
    ("First { I think</think>\n", ""),
    ('{"a": ...} perhaps\n</thinking>\n', ""),
    ("<answer>", "</answer>"),
)
"""What may stand around JSON without making it doubtful."""

PIECES = (
    *(
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        ",",
        "\n",
        " ",
        "a",
        "1",
        "true",
        "None",
        '"a"',
        "'b'",
        '"a": 1',
        '{"a": 1}',
        "{}",
    ),
    *(
        '{"a": 2}',
        "[1]",
        "[2]",
        "[]",
        "\\",
        '\\"',
        "\\'",
        "\\u00",
        "\\ud83d",
        "/",
        "//",
        "/*",
        "*/",
        "#",
        "```",
        "~~~",
        "-",
    ),
    *(
        "```json\n",
        "```python\n",
        "\n```\n",
        "<think>",
        "<think></think>",
        "\u201c",
        "\u201d",
        ".",
        "e",
        "text ",
        '{"a": "',
    ),
    *('"b": ', "c: ", "x = ", "\uff1a", "\ufeff"),
)
SOUP = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def content(text: str) -> str | None:
    """Return a form of what is read that differs when values differ, or None for what is refused."""
    try:
        return json.dumps(parse_reply(text).value, sort_keys=True)
    except JsonError:
        return None


def fault(text: str) -> str:
    with pytest.raises(JsonError) as raised:
        parse_reply(text)
    return str(raised.value)


@pytest.mark.parametrize("text", ['{"a": 1}', ' \n{"a": 1}\t', '{\n"a" : 1}'])
def test_a_reply_that_is_json_is_read_on_the_strict_rung(text: str) -> None:
    assert parse_reply(text) == ParsedReply(value={"a": 1}, method="strict")
    assert parse_reply("[]") == ParsedReply(value=[], method="strict")


@pytest.mark.parametrize(("before", "after"), AROUND)
def test_json_is_unwrapped_from_what_stands_around_it(before: str, after: str) -> None:
    values: tuple[JsonValue, ...] = ({"a": 1, "b": ["```", "}</think>", "{<think>"]}, [{"a": {}}, 2])
    for value in values:
        assert parse_reply(before + json.dumps(value) + after) == ParsedReply(value=value, method="unwrapped")


@pytest.mark.parametrize(("before", "after"), AROUND)
def test_what_is_not_quite_json_is_repaired_within_what_stands_around_it(before: str, after: str) -> None:
    reply = before + "{'a': True, // yes }\nb: '```\n</think>',}" + after
    assert parse_reply(reply) == ParsedReply(value={"a": True, "b": "```\n</think>"}, method="repaired")


@given(OBJECTS, st.sampled_from(AROUND), st.booleans(), st.sampled_from([None, 1]))
def test_any_object_is_read_exactly_in_any_wrapping(
    value: dict[str, JsonValue], around: tuple[str, str], ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    parsed = parse_reply(around[0] + text + around[1])
    assert (repr(parsed.value), parsed.method) == (repr(value), "unwrapped")
    assert repr(parse_reply(text)) == repr(ParsedReply(value=value, method="strict"))


@given(OBJECTS, st.sampled_from(AROUND), st.sampled_from([json.dumps, repr]))
def test_a_reply_cut_anywhere_is_refused_or_read_as_the_whole(
    value: dict[str, JsonValue], around: tuple[str, str], write: Callable[[JsonValue], str]
) -> None:
    reply = around[0] + write(value) + around[1]
    whole = content(reply)
    assert {content(reply[:end]) for end in range(len(reply))} <= {None, whole}


@given(SOUP)
@example('{"a": 1} {"a": 2}')
@example('[1] {"a": 1}')
@example('{"a": "```json\n[1]\n```"}')
@example('{"a": 1}\n```json\n{"a": 2}\n```')
@example("{'a': '</think>[1]', / /x}")
@example('"a": [1], "b": {}')
def test_no_text_is_read_as_one_value_and_its_beginning_as_another(text: str) -> None:
    read = {content(text[:end]) for end in range(len(text) + 1)}
    assert len(read - {None}) <= 1


@given(st.text() | st.lists(st.sampled_from([*PIECES, "</think>", "\0", "\ud800"])).map("".join))
def test_any_text_is_read_or_refused_in_words_that_can_be_stored(text: str) -> None:
    assert unstorable_in_text(content(text) or fault(text)) is None


@pytest.mark.parametrize(
    "piece", ["[", '{"a":', "[\n", '"', "\\", "```", "~~~x", "{/*", "[/*</think>", "</think>", "{} ", "[1],"]
)
def test_no_text_exhausts_the_ladder(piece: str) -> None:
    content(piece * (MAX_REPLY_BYTES // len(piece)))


def test_a_reply_of_more_than_64_kb_is_refused() -> None:
    assert fault("x" * 2_000_000) == "the reply has 2,000,000 characters; at most 65,536 bytes are read"
    assert fault("é" * 40_000) == "the reply has 80,000 bytes; at most 65,536 are read"
    text = json.dumps(["x" * (MAX_REPLY_BYTES - 4)])
    assert (len(text), parse_reply(text).method) == (MAX_REPLY_BYTES, "strict")
    assert "at most" in fault(text + " ")
    assert "at most" in fault("\ud800" * 30_000)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_an_empty_reply_is_refused(text: str) -> None:
    assert fault(text) == "the reply is empty"


@pytest.mark.parametrize("text", ["12", '"a"', "true", " null ", "\"{'a': 1}\""])
def test_a_reply_that_is_json_but_no_object_is_refused(text: str) -> None:
    assert fault(text) == f"the reply is JSON, but no object: {text.strip()!r}"


@pytest.mark.parametrize(
    "text", ["I cannot do that.", "See [1], [2] and {x}.", "```python\nd = {'a': 1}\n```", "</think>"]
)
def test_a_reply_without_json_is_refused(text: str) -> None:
    assert fault(text) == "the reply holds no JSON object; answer with one JSON object and nothing else"


def test_a_value_may_be_said_twice_but_two_that_differ_are_refused() -> None:
    assert parse_reply('{"a": 1, "b": 2}\n\n```json\n{"b": 2, "a": 1}\n```').value == {"a": 1, "b": 2}
    for second in (
        '{"a": 2}',
        '{"a": true}',
        '{"a": 1.0}',
        "{}",
        "\n{}",
        '```json\n{"a": 2}\n```',
        '["a"]',
        "{'a': 2}",
    ):
        assert fault(f'{{"a": 1}} {second}').startswith("two different values stand at characters 1 and ")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": {"b": 1}}, "c": 2}', "'}' at character 24 closes nothing"),
        ('{"a": 1}]', "']' at character 9 closes nothing"),
        ('{a 1, "b": {"c": 1}}', "the JSON at character 12 is a member of an object that does not begin"),
        ('"a": 1, "b": {"c": 2}', "the JSON at character 14 is a member of an object that does not begin"),
        ('[see {"a": 1}]', "the JSON at character 6 stands within the bracket opened at character 1, which is no JSON"),
        ('data[{"a": 1}]', "the JSON at character 6 stands within the bracket opened at character 5, which is no JSON"),
        ('[{"a": 1}, oops]', "'oops' is not JSON; a string is written in double quotes, at character 12"),
        ('{"a": oops} Example: {"a": 1}', "'oops' is not JSON; a string is written in double quotes, at character 7"),
    ],
)
def test_a_part_is_never_taken_for_the_whole(text: str, place: str) -> None:
    assert fault(text) == place


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ('{"a": 1', "the bracket opened at character 1 is not closed"),
        ("[1", "the bracket opened at character 1 is not closed"),
        ('Here: {"a": "b', "the string that begins at character 13 is not closed"),
        ('```json\n[{"a": 1}, ', "the bracket opened at character 9 is not closed"),
        ('{"a": 1} and {"b": 1', "the bracket opened at character 14 is not closed"),
        ('<think>{"a": 1}', "<think> at character 1 is not closed"),
    ],
)
def test_a_reply_that_is_cut_off_is_refused_with_what_is_open(text: str, opened: str) -> None:
    with pytest.raises(TruncatedJsonError, match=f"^the reply is cut off: {opened}$"):
        parse_reply(text)


def test_a_mark_of_prose_counts_as_a_value_only_where_a_value_is_awaited() -> None:
    assert parse_reply("Here they are: [1, 2]").value == [1, 2]
    assert parse_reply("答案\uff1a[1, 2]").value == [1, 2]
    assert parse_reply("\ufeff[1, 2] ").value == [1, 2]
    assert parse_reply("\n[]\n.").value == []
    assert parse_reply("Nothing.\n{}").value == {}
    assert parse_reply('{"a": 1}\n\n[1] A. Author\n[2] B. Author').value == {"a": 1}
    assert parse_reply('As in [1], use {} or x["a"]: {"a": 1}').value == {"a": 1}
    assert "no JSON object" in fault("They are [1, 2].")


def test_what_stands_before_a_lone_closing_tag_does_not_count() -> None:
    assert parse_reply('Maybe {"a": 0}? No.</think>{"a": 1}').value == {"a": 1}
    assert parse_reply('{"a": 0} or {"a": 2}</think>{"a": 1}').value == {"a": 1}
    assert parse_reply('```json\n{"a": 0}</think>```python\nd = {"b": 1}\n```\n{"a": 1}').value == {"a": 1}
    assert parse_reply('["x </think> {"a": 1}').value == {"a": 1}
    assert parse_reply('{"a": "x </think> [1]"} is it').value == {"a": "x </think> [1]"}
    assert "'oops' is not JSON" in fault('{"a": "<think>[1]</think>\n[2]", "b": oops}')


def test_a_fault_that_no_rung_mends_is_told_in_any_wrapping() -> None:
    for text, told in {
        '{"a": 1, "a": 1}': "the key 'a' occurs twice",
        '{"a": NaN}': "'NaN' is not JSON",
        '{"a": 1e400}': "the number '1e400' is too large",
        '{"a": "\\u0000"}': "a NUL is character 1",
        '{"a": "\\ud800"}': "a lone surrogate is character 1",
        "[" * 65 + "]" * 65: "nested more than 64 deep",
    }.items():
        for before, after in (("", ""), ("```json\n", "\n```"), ("So: ", " Yes.")):
            assert told in fault(before + text + after)


CORPUS: dict[str, JsonValue] = {
    'Based on the sources, I would plan:\n\n```json\n{\n  "todos": [\n    {"task": "Find {x}", "dependencies": []},\n'
    '    {"task": "Compare", "dependencies": ["t1"]},\n  ]\n}\n```\n\nLet me know [1].': {
        "todos": [{"task": "Find {x}", "dependencies": []}, {"task": "Compare", "dependencies": ["t1"]}]
    },
    "<think>\nThe user wants {\"queries\": [...]}.\n</think>\n{'queries': ['tea in Japan', \"tea's history\"]}": {
        "queries": ["tea in Japan", "tea's history"]
    },
    '{\n  "outcome": "It was found.\n\nTwo lines.",\n  "status": "done"\n  "new_todos": []\n}': {
        "outcome": "It was found.\n\nTwo lines.",
        "status": "done",
        "new_todos": [],
    },
    '{"sentence": "It costs \\$5 \\& more, doesn\\\'t it", # checked\n "findings": [f1]}': None,
    '{"sentence": "It costs \\$5 \\& more, doesn\\\'t it", # checked\n "findings": None}': {
        "sentence": "It costs $5 & more, doesn't it",
        "findings": None,
    },
    '{"quote": "He said "yes" at once."}': None,
    '{"pattern": "\\d+"}': None,
    '{"todos": [{"task": "a"}, ...]}': None,
    '{"title": "A", "summary": ["one", "two"': None,
}


@pytest.mark.parametrize(("reply", "value"), CORPUS.items())
def test_replies_as_models_write_them(reply: str, value: JsonValue) -> None:
    assert content(reply) == (json.dumps(value, sort_keys=True) if value else None)

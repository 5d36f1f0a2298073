from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from Stemmer import Stemmer  # type: ignore[import-not-found]  # it ships no types

from quaestor.evidence.tokenization import content_terms, normalize, term_string, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running runs", ["run", "run"]),
        ("asyncio.TaskGroup", ["asyncio", "taskgroup", "task", "group"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("read_only link_", ["read_only", "read", "onli", "link"]),
        ("__init__ ____", ["__init__", "init"]),
        ("3.11 622 1,234", ["3.11", "622", "1234"]),
        ("pep-0634", ["pep", "0634", "634"]),
        ("GPLv3, GPL v3", ["gpl", "3", "gpl", "3"]),
        ("MPL-1.1.txt", ["mpl", "1", "txt", "1.1"]),
        ("a com-\n  pressed file", ["a", "com", "press", "compress", "file"]),
        ("12\u00a0500 jars", ["12", "500", "12500", "jar"]),
        ("in 1921\u00a0500 jars", ["in", "1921", "500", "jar"]),
        ("an ex\u2010\ntension", ["an", "ex", "tension", "extens"]),
        ("1990s", ["1990s", "1990"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("Knuth's don't", ["knuth", "do"]),
        ("e-mail, U.S.", ["email", "mail", "us"]),
        ("Café ØRSTED naïve", ["cafe", "orst", "naiv"]),
        ("cafe\u0301", ["cafe"]),
        ("北京大学", ["北京", "京大", "大学"]),
        ("1958年", ["1958", "年"]),
        ("タワー", ["タワ", "ワー"]),
        ("か\u309bけ", ["か\u3099け"]),
        ("กินมี", ["กิน", "นมี"]),
        ("대한민국", ["대한", "한민", "민국"]),
        ("भारत की राजधानी", ["भारत", "की", "राजधानी"]),
        ("Привет, мир", ["привет", "мир"]),
        ("ﷺ", ["صلى", "الله", "عليه", "وسلم"]),
        ("", []),
    ],
)
def test_terms_in_many_scripts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When was the Eiffel Tower built?", ["eiffel", "tower", "build"]),
        ("¿Cuál es la capital de España?", ["capit", "espana"]),
        ("Wann wurde der Turm gebaut?", ["turm", "gebaut"]),
        ("WHO said so to the US and to us?", ["who", "said", "us"]),
        ("tower, Tower and towers", ["tower"]),
        ("什么是首都", ["是首", "首都"]),
        ("who is it", []),
    ],
)
def test_content_terms_leave_grammar_out(text: str, expected: list[str]) -> None:
    assert content_terms(text) == expected


def test_words_are_clusters_where_there_are_no_blanks() -> None:
    assert [word.text for word in words("ab-c ที่นี่ 北京")] == ["ab-c", "ที่", "นี่", "北", "京"]


@given(st.text())
def test_words_stand_where_they_say(text: str) -> None:
    found = words(text)
    assert all(text[word.start : word.end] == word.text for word in found)
    assert all(before.end <= after.start for before, after in pairwise(found))


@given(st.text())
def test_terms_hold_no_blanks_and_do_not_depend_on_case(text: str) -> None:
    found = terms(text)
    assert all(term and not any(map(str.isspace, term)) for term in found)
    assert set(content_terms(text)) <= set(found)


@given(st.text(alphabet=st.sampled_from("abcXYZ12 .,'-_\n")))
def test_text_beyond_ascii_leads_to_the_same_terms(text: str) -> None:
    assert terms(f"{text} 中")[:-1] == terms(text)


@given(st.text(), st.sampled_from(" \n\u3000"), st.text())
def test_no_term_reaches_across_a_blank(one: str, blank: str, other: str) -> None:
    assert terms(one + blank + other) == terms(one) + terms(other)
    assert term_string(one + blank + other).split() == terms(one) + terms(other)


@given(st.from_regex(r"[a-z]{1,12}(ed|ing|ly|s|es|ness|ation|ement|ic|al|er|y|o)?", fullmatch=True))
def test_words_are_stemmed_whatever_their_case(word: str) -> None:
    stem = Stemmer("english").stemWord(word)
    assert terms(f"{word} {word.upper()} {word.capitalize()}") == [stem] * 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A  claim\nhere", "a claim here"),
        ("“so” it\u2019s", '"so" it\'s'),
        ("1914\u20131918 -- war", "1914-1918 - WAR"),
        ("soft\u00adhyphen…", "softhyphen..."),
        ("Straße ﬁn", "STRASSE fin"),
    ],
)
def test_fold_sees_through_typography(one: str, other: str) -> None:
    assert normalize(one) == normalize(other)


@given(st.text())
def test_fold_is_done_in_one_step(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The **F**ree shelf", {"free"}),
        ("our cof*fee* here", {"coffe"}),
        ("**cof**fee", {"coffe"}),
        ("5*3*2 and **all** and a * b", set[str]()),
        ("**one** *two*", set[str]()),
    ],
)
def test_a_word_of_which_a_part_is_emphasized_is_one(text: str, held: set[str]) -> None:
    assert {*terms(text)} - {*terms(text.replace("*", " "))} == held


@pytest.mark.parametrize(
    ("row", "held"),
    [
        ("Hall,120,5", ["hall", "120", "5"]),
        ("Quell,2012,711", ["quell", "2012", "711"]),
        ("Café,120", ["cafe", "120"]),
        ("has 1,200,300 jars", ["has", "1200300", "jar"]),
        ("6,120,Eve Lund", ["6", "120", "eve", "lund"]),
        ("Lom,6,120", ["lom", "6", "120"]),
        ("Café,6,120", ["cafe", "6", "120"]),
        ('Hall,"6,120",yes', ["hall", "6120", "yes"]),
        ("said \u201c1,200,\u201d then", ["said", "1200", "then"]),
        ("1,300-1,400 jars", ["1,300", "1", "300", "1,400", "400", "jar"]),
        ("plot,area\n6,120\n", ["plot", "area", "6", "120", "6120"]),
    ],
)
def test_a_comma_joins_the_digits_of_a_number_and_no_cells(row: str, held: list[str]) -> None:
    assert terms(row) == held


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("21.03.2026", ["21", "03", "3", "2026", "21.03.2026"]),
        ("3.12.1", ["3.12.1"]),
    ],
)
def test_a_date_with_full_stops_is_found_by_its_numbers_and_a_version_only_whole(text: str, held: list[str]) -> None:
    assert terms(text) == held

from collections.abc import Callable
from hashlib import sha256

import pytest

from fakes.counting import calls
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote
from quaestor.evidence.contradictions import find_contradictions


def finding(number: int, claim: str, source: str, words: str | None = None) -> Finding:
    said = words or claim
    name = sha256(source.encode()).hexdigest()
    return Finding(id=f"t1/{number}", claim=claim, quotes=(Quote(source=name, start=0, end=len(said), text=said),))


def findings(*claims: str) -> list[Finding]:
    return [finding(number, claim, f"source {number}") for number, claim in enumerate(claims, 1)]


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        ("The Zorblax bridge is 120 metres long.", "The Zorblax bridge is 140 metres long.", ("120", "140")),
        ("The Zorblax bridge opened in 1932.", "The Zorblax bridge opened on 5 May 1931.", ("1932", "5 May 1931")),
        ("PEP 634 was formally accepted in 2021.", "PEP 634 was formally accepted in 2020.", ("2021", "2020")),
        (
            "Acme revenue reached about half of $3 million.",
            "Acme revenue reached half of $4 million.",
            ("$3 million", "$4 million"),
        ),
        ("Acme grew its sales by 5% in 2020.", "Acme grew its sales by 7% in 2020.", ("5%", "7%")),
        ("The capital of Australia is Canberra.", "The capital of Australia is Sydney.", ("Canberra", "Sydney")),
        ("Marie Curie was born in Warsaw.", "Marie Curie was born in Paris.", ("Warsaw", "Paris")),
        ("埃菲尔铁塔于1889年建成。", "埃菲尔铁塔于1887年建成。", ("1889", "1887")),
    ],
)
def test_one_subject_with_two_values_is_a_contradiction(one: str, other: str, values: tuple[str, str]) -> None:
    [found] = find_contradictions(findings(one, other))
    assert found.findings == ("t1/1", "t1/2")
    assert found.values == values
    assert "…" in found.subject


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Zorblax bridge opened in 1932.", "The Zorblax bridge opened on 5 May 1932."),
        ("The Zorblax bridge opened on May 5, 1931.", "The Zorblax bridge opened on 1931-05-05."),
        ("Acme Corp revenue reached $3.5 million.", "Acme Corp revenue reached $3,500,000."),
        ("PEP 634 was formally accepted in 2021.", "PEP 635 was formally accepted in 2020."),
        ("Python 3.9 was released in October 2020.", "Python 3.10 was released in October 2021."),
        ("The Berlin office has 30 employees today.", "The Paris office has 20 employees today."),
        ("The Eiffel Tower has 3 public floors.", "The Eiffel Tower has 1,665 public steps."),
        ("Acme grew its sales by 5% in 2020.", "Acme grew its sales by 7% in 2021."),
        ("Created: 2001-05-05", "Created: 2002-05-05"),
        ("It was released in summer 2001 by the Foundation.", "It was released in summer 2002 by the Foundation."),
        ("In this document the Foo limit is 5 bytes.", "In this document the Foo limit is 7 bytes."),
        ("Berlin has 3,600,000 registered inhabitants.", "Berlin has about 3,000,000 registered inhabitants."),
        ("The Zorblax bridge was not opened in 1932.", "The Zorblax bridge was opened in 1931."),
        ("The Zorblax bridge opened in 1932.", "The Zorblax bridge collapsed in 1940."),
        ("The old Zorblax bridge in Ulm opened in 1932.", "The old Zorblax bridge opened in 1931."),
        (
            "The old Zorblax stone river road bridge on level 7 opened in 1932.",
            "The old Zorblax stone river road bridge opened in 1931.",
        ),
        ("The old Zorblax bridge has 5 stone piers.", "The new Zorblax bridge has 6 stone piers."),
        ("First public release: Foo Server, 2001-05-05", "First public release: Foo Server, 2002-05-05"),
        ("Zorblax old stone road bridge opened in 1932.", "Zorblax old stone rail bridge opened in 1931."),
        ("3.9.0 beta 5: Monday, 2020-07-20", "3.9.0 beta 4: Monday, 2020-07-20"),
        ("See the Foo table in PEP [3]_ for more details.", "See the Foo table in PEP [4]_ for more details."),
        ("The author of Foo is Guido van Rossum.", "The author of Foo is Guido."),
        ("The limit is 5 bytes for each message here.", "The limit is 7 bytes for each message here."),
    ],
)
def test_what_may_both_be_true_is_none(one: str, other: str) -> None:
    assert find_contradictions(findings(one, other)) == ()


OLD, NEW = "The Zorblax bridge is 120 metres long.", "The Zorblax bridge is 140 metres long."


def test_one_other_word_makes_another_subject() -> None:
    road, rail = (
        "The old stone Zorblax road bridge opened in 1932.",
        "The old stone Zorblax rail bridge opened in 1931.",
    )
    assert find_contradictions(findings(road, rail, "The Zorblax road and rail opened in 1900.")) == ()


def test_one_source_does_not_contradict_itself() -> None:
    assert find_contradictions([finding(1, OLD, "a"), finding(2, NEW, "a")]) == ()


def test_sources_that_copy_each_other_count_once() -> None:
    assert find_contradictions([finding(1, OLD, "a", "same words"), finding(2, NEW, "b", "Same  words")]) == ()


def test_each_value_is_told_once() -> None:
    [found] = find_contradictions(findings(OLD, OLD, NEW))
    assert (found.findings, found.values) == (("t1/1", "t1/3"), ("120", "140"))


def test_a_witness_from_another_source_is_looked_for() -> None:
    [found] = find_contradictions([finding(1, OLD, "a"), finding(2, NEW, "a"), finding(3, OLD, "b")])
    assert found.findings == ("t1/3", "t1/2")


def test_many_values_are_a_list_and_no_contradiction() -> None:
    assert (
        find_contradictions(findings(*(f"The Zorblax bridge is {length} metres long." for length in range(100, 106))))
        == ()
    )


def test_contradictions_are_in_the_order_of_the_findings() -> None:
    one, other = "The Alpha tower has 5 stone floors.", "The Alpha tower has 6 stone floors."
    found = find_contradictions(findings(OLD, one, other, NEW))
    assert [each.findings for each in found] == [("t1/1", "t1/4"), ("t1/2", "t1/3")]


def test_the_order_does_not_depend_on_what_is_alike() -> None:
    lone, tower = "The Zorblax stone road opened in 1932.", "The Alpha tower has {} stone floors."
    said = findings(
        lone,
        tower.format(5),
        tower.format(6),
        "The Zorblax bridge opened in 1932.",
        "The Zorblax bridge opened in 1931.",
    )
    assert [each.findings for each in find_contradictions(said)] == [("t1/2", "t1/3"), ("t1/4", "t1/5")]


@pytest.mark.parametrize(
    "claim",
    [
        lambda n: f"The {('red', 'old')[n % 2]} Zorblax {n // 2 % 40} bridge near Paris opened in {1900 + n // 2 % 7}",
        lambda _: OLD,
        lambda n: f"The Zorblax bridge is {n} metres long.",
    ],
    ids=["many things", "one claim", "many measures"],
)
def test_twice_as_many_findings_are_twice_the_work(claim: Callable[[int], str]) -> None:
    few, many = (findings(*map(claim, range(count))) for count in (800, 1600))
    assert calls(lambda: find_contradictions(many)) < 2.5 * calls(lambda: find_contradictions(few))

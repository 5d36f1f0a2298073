import pytest

from evidence.retrieval.samples import hit
from quaestor.contracts.source import Hit
from quaestor.evidence.ranking import idf
from quaestor.evidence.retrieval.selection import PassageSelector

VOS = hit("Henrike Vos was an engineer who built the tower.", title="Henrike Vos", uri="/vos")
TOWER = hit("The tower was built by the engineer.", title="Tower", uri="/tower")
BELL = hit("A bell was cast.", title="Bell", uri="/bell")


def chosen(selection: PassageSelector, *offered: Hit) -> list[str]:
    selection.add_candidates(offered)
    return [each.hit.title for _ in offered if (each := selection.choose())]


def test_what_is_said_already_counts_less() -> None:
    worth = {"tower": 1.0, "engin": 1.0, "bell": 0.9}
    assert chosen(PassageSelector(worth, [], apart=True), TOWER, VOS, BELL) == ["Tower", "Bell", "Henrike Vos"]
    assert chosen(PassageSelector(worth, [], apart=False), TOWER, VOS, BELL) == ["Tower", "Henrike Vos", "Bell"]


def test_the_first_that_was_offered_stays_the_first() -> None:
    assert chosen(PassageSelector({"bell": 1.0}, [], apart=True), TOWER, BELL)[0] == "Tower"


def test_what_is_called_as_the_query_says_comes_before_what_is_not() -> None:
    other = hit("Of a tower that was built.", title="Built", uri="/other")
    named = PassageSelector({"tower": 1.0}, ["=henrik+vos"], apart=False)
    assert chosen(named, TOWER, other, VOS) == ["Tower", "Henrike Vos", "Built"]
    assert chosen(PassageSelector({"tower": 1.0}, [], apart=False), TOWER, other, VOS) == [
        "Tower",
        "Built",
        "Henrike Vos",
    ]


@pytest.mark.parametrize("by_mention", [True, False])
def test_a_lead_is_followed_to_what_bears_the_name_or_holds_it(*, by_mention: bool) -> None:
    selection = PassageSelector({"tower": 1.0, "cast": 0.1}, [], apart=False)
    holding = hit("It was cast by Henrike Vos, they say.", title="Foundry", uri="/foundry")
    titled = hit("An engineer.", title="Henrike Vos", uri="/vos")
    selection.add_candidates([TOWER, BELL, holding, titled])
    selection.choose()
    selection.add_lead("=henrik+vos", 1.0, by_mention=by_mention)
    order = [each.hit.title for _ in range(3) if (each := selection.choose())]
    assert order == (["Henrike Vos", "Foundry", "Bell"] if by_mention else ["Henrike Vos", "Bell", "Foundry"])


def test_what_no_chosen_passage_holds_is_unsaid() -> None:
    selection = PassageSelector({"tower": 1.0, "bell": 1.0}, [], apart=True)
    selection.add_candidates([TOWER, BELL])
    selection.choose()
    assert selection.uncovered_terms() == ["bell"]
    selection.choose()
    assert selection.uncovered_terms() == ["tower", "bell"]
    assert selection.choose() is None
    assert selection.remaining() == []


def test_of_many_passages_those_are_added_that_cover_most_of_the_query() -> None:
    selection = PassageSelector({"tower": 1.0, "engin": 1.0}, [], apart=True)
    selection.add_candidates([BELL, TOWER, VOS], most=1)
    assert [each.hit.title for each in selection.remaining()] == ["Tower"]


def test_a_passage_holds_the_words_of_the_name_of_its_file() -> None:
    selection = PassageSelector({"note": 1.0, "8": 1.0, "bell": 0.5}, [], apart=True)
    selection.add_candidates([BELL, hit("A lid was cut.", uri="/note-0008.txt")])
    assert [each.hit.uri for each in selection.remaining()] == ["/note-0008.txt", "/bell"]


def test_a_rarer_term_weighs_more() -> None:
    assert idf(100, 1) > idf(100, 50) > idf(100, 100) > 0


def test_of_what_is_left_comes_first_what_holds_most_of_the_query_by_itself() -> None:
    long = hit("A bell was cast, and by and by the tower was built. " + "Of jars. " * 90, title="Long", uri="/long")
    selection = PassageSelector({"tower": 1.0, "engin": 1.0, "bell": 0.9}, [], apart=True)
    selection.add_candidates([VOS, BELL, TOWER, long])
    selection.choose()
    assert [one.hit.title for one in selection.remaining()] == ["Bell", "Tower", "Long"]
    assert [one.hit.title for one in selection.holding_most()] == ["Tower", "Long", "Bell"]

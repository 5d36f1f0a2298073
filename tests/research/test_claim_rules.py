import pytest

from quaestor.research.claim_rules import check_by_rules
from quaestor.research.contracts.verdicts import RULES, Verdict


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It was built in 1874.", "The tower was finished in 1874."),
        ("The tower of Aldmouth was built by Vos.", "At Aldmouth, Vos built it."),
        ("It cost 1,200 crowns.", "It cost 1200 crowns."),
        ("It cost 1.2 million.", "It cost 1,200,000 crowns."),
        ("It cost 1,200.", "Es kostete 1.200 Mark."),
        ("It cost 1200.", "Il coûta 1 200 francs."),
        ("It has 3 rooms.", "It has three rooms."),
        ("It ended in 1880.", "It began in 1874 and lasted six years."),
        ("It lasted 6 years.", "It began in 1874 and ended in 1880."),
        ("It rose by 50 %.", "It rose from 20 to 30."),
        ("It was three times, or 300%, of that.", "It was 30 and not 10."),
        ("The WHO was founded then.", "The World Health Organization was founded."),
        ("It opened on 12 March 1874.", "Opened: 1874-03-12"),
        ("Der Turm hat eine Höhe von 31 m und ist alt.", "It stands 31 m above the rock."),
    ],
)
def test_what_stands_in_the_quotes_or_is_computed_from_them_breaks_no_rule(sentence: str, quote: str) -> None:
    assert check_by_rules(sentence, (quote,), ()) is None


@pytest.mark.parametrize(
    ("sentence", "quote", "missing"),
    [
        ("It was built in 1900.", "The tower was finished in 1874.", "“1900” stands in none of its quotes."),
        ("It was built by Brook.", "Vos built it.", "“Brook” stands in none of its quotes."),
        ("It was built by Jan Brook.", "Vos built it.", "“Jan”, “Brook” stand in none of its quotes."),
        ("It opened on 12 April 1874.", "Opened: 1874-03-12", "“April” stands in none of its quotes."),
        ("It cost 12,000 crowns.", "It cost 1200 crowns.", "“12,000” stands in none of its quotes."),
    ],
)
def test_a_number_or_a_name_that_no_quote_holds_is_unverifiable(sentence: str, quote: str, missing: str) -> None:
    check = check_by_rules(sentence, (quote,), ())
    assert check
    assert (check.verdict, check.note, check.checked_by) == (Verdict.UNVERIFIABLE, missing, RULES)


def test_a_name_may_stand_in_the_title_or_the_question() -> None:
    assert check_by_rules("The tower of Aldmouth is old.", ("The tower is old.",), ("Lights of Aldmouth",)) is None
    assert check_by_rules("It was lit in 1874.", ("It was lit.",), ("Lights of 1874",))

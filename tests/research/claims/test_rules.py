import pytest

from quaestor.research.claims.rules import check_by_rules
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


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It cost 300 crowns.", "It cost three hundred crowns."),
        ("Stop 25 took two days.", "The twenty-fifth stop took two days."),
        ("It cost 1.5 million.", "It cost $1.5m."),
        ("It cost 1.2 million crowns.", "| cost (million) | 1.2 |"),
        ("It cost between 1.2 and 1.4 million.", "It cost 1,200,000 crowns, later 1,400,000."),
        ("The war ended in 1918.", "The war of 1914-18 was long."),
        ("It ended the year after, in 1845.", "It began in 1844 and ended a year later."),
        ("It runs on version 3.12.", "It runs on version 3.12.1."),
        ("Its licence is GPL 3.", "Its licence is GPLv3."),
        ("It is 31 m high.", "灯塔高31米。"),
        ("World War 2 came later.", "World War II came later."),
        ("Then the second world war came: World War II.", "It was the Second World War."),
        ("It was tried on several hundred ships.", "It was tried on 317 ships."),
    ],
)
def test_a_number_may_be_written_otherwise(sentence: str, quote: str) -> None:
    assert check_by_rules(sentence, (quote,), ()) is None


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It dates from the 1840s.", "The first stone was laid in 1844."),
        ("It dates from the 19th century.", "The first stone was laid in 1844."),
        ("It dates from the nineteenth century.", "The first stone was laid in 1844."),
        ("It has almost 200 steps.", "It has 198 steps."),
        ("It has about 2,700 steps.", "It has 2,737 steps."),
        ("It cost more than 1 million.", "It cost 1,200,000 crowns."),
        ("It is 76 % done.", "It is 76.3 % done."),
        ("It takes 1.5 hours.", "It takes 90 minutes."),
        ("It is about 100 feet high.", "It is 31 m high."),
        ("It was half of it, 50 %.", "It was half of it."),
        ("Of 1,240 ships 1,054 came, or 85 %; the other 15 % did not.", "85 % of the 1,240 ships came."),
        ("About 200 of them were open.", "Half of the 400 shops were open."),
        ("It fell by 20 %.", "It fell from 50 to 40 ships."),
        ("She died at 69.", "She lived from 1869 to 1938."),
        ("Of both sums 40 % were spent on books.", "Books cost 40,000 crowns, wages 60,000."),
        ("Its price fell by 20 %.", "Its price fell by a fifth."),
        ("It cost half a billion.", "It cost 500 million."),
        ("It rose by 100 %, a factor of 2.", "It doubled."),
        ("It is 300 % of that, three times as much.", "It is triple that."),
        ("Both bells weigh 950 kg.", "One weighs 940 kg and cost 310 pounds, the other 10 kg."),
        ("It rose by 5 dollars.", "It rose from 20 to 25 dollars for the 3 kg bell."),
        ("It rose by £5 million.", "It rose from £20 million to £25 million for the 3 kg bell."),
    ],
)
def test_a_number_may_follow_from_those_of_the_quotes(sentence: str, quote: str) -> None:
    assert check_by_rules(sentence, (quote,), ()) is None


@pytest.mark.parametrize(
    ("sentence", "quote", "missing"),
    [
        ("It cost four hundred crowns.", "It cost three hundred crowns.", "four hundred"),
        ("It has nine keepers.", "It has three keepers.", "nine"),
        ("It has nine keepers.", "Keepers: 3", "nine"),
        ("It has twenty-one lamps.", "It has twenty lamps and three keepers and five boats.", "twenty-one"),
        ("It cost 12 million.", "It cost 1.2 million.", "12"),
        ("It cost 1.2 billion.", "It cost 1.2 million.", "1.2"),
        ("It cost 45,000 crowns.", "It cost 40,000 crowns, the bell 60,000 and the rope 1.5.", "45,000"),
        ("It was built in 1846.", "It was begun in 1844 by 2 keepers.", "1846"),
        ("It opened on 15 May.", "It opened on 12 May with 3 lamps.", "15"),
        ("It runs on version 3.12.2.", "It runs on version 3.12.1.", "3.12.2"),
        ("It opened in March.", "It opened on 1844-05-03.", "March"),
        ("It was opened in July 1844.", "Der Turm wurde am 3. Mai 1844 eröffnet, und die Glocke ist von 1850.", "July"),
        ("灯塔高45米。", "灯塔高31米。", "45"),
        ("It has about 300 steps.", "It has 198 steps.", "300"),
        ("It has more than 200 steps.", "It has 198 steps.", "200"),
        ("It takes 2 hours.", "It takes 90 minutes.", "2"),
        ("It weighs 630 kg.", "It weighs 940 kg and cost 310 pounds.", "630"),
        ("It cost 13,340 pounds.", "It weighs 940 kg and cost 12,400 pounds.", "13,340"),
        ("It weighs 57 kg.", "It was built in 1874 and lit in 1931.", "57"),
        ("It costs at most 12,000 crowns.", "By rule 12 it costs at most 1,300 crowns.", "12,000"),
    ],
)
def test_a_number_that_only_looks_like_one_of_the_quotes_is_missing(sentence: str, quote: str, missing: str) -> None:
    check = check_by_rules(sentence, (quote,), ())
    assert check
    assert check.note == f"“{missing}” stands in none of its quotes."


def test_a_small_number_in_words_may_count_what_the_quotes_name() -> None:
    assert check_by_rules("It had two keepers, Vos and Brandt.", ("Its keepers were Vos and Brandt.",), ()) is None
    assert check_by_rules("A second keeper came.", ("The three keepers got help.",), ()) is None


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Then the World Health Organization was asked.", "The WHO was asked."),
        ("It is made in the United States.", "It is made in the U.S. of today."),
        ("It is made in the USA.", "It is made in the United States of America."),
        ("It is made in the U.S. today.", "It is made in the United States."),
        ("Sales fell in Q3 2020.", "Sales fell in the third quarter of 2020."),
        ("Note: Results differ, as Vos says.", "Vos says that they differ."),
        ("It was built by Vos. Others helped.", "It was built by Vos with help."),
        ("Was it built by Vos? The answer: Yes.", "It was built by Vos."),
        ("All SNPs were read.", "Every SNP was read."),
        ("The Norwegian and the French side signed.", "Norway and France signed."),
        ("It was built by Mr Vos.", "Vos built it."),
        ("It follows from Section 12 of it.", "§ 12 says so."),
        ("It was heated to 250 degrees Celsius.", "It was heated to 250 °C."),
        ("It opened in Dec 2023.", "It opened in December 2023."),
        ("It was built by John Smith of London.", "灯塔由约翰·史密斯设计,建于伦敦。"),
        ("It was built in London by Tchaikovsky.", "Маяк построил в Лондоне инженер Чайковский."),
        ("La torre fue construida por Vos en Londres.", "The tower of London was built by Vos of that city."),
        ("Маяк построил инженер Чайковский.", "Маяк был построен инженером Чайковским."),
    ],
)
def test_a_name_may_be_written_otherwise(sentence: str, quote: str) -> None:
    assert check_by_rules(sentence, (quote,), ()) is None


@pytest.mark.parametrize(
    ("sentence", "quote", "missing"),
    [
        ("It was signed by Sweden.", "It was signed by Norway.", "Sweden"),
        ("Then the World Trade Organization was asked.", "The WHO was asked.", "Trade"),
        ("It was asked of the FAO.", "It was asked of the WHO.", "FAO"),
        ("It was built by Dr. Brandt.", "It was built by Dr. Vos.", "Brandt"),
        ("It was built by J. Brandt.", "It was built by Jonas Vos.", "Brandt"),
        ("Mr. Brandt built it.", "It was built by Jonas Vos.", "Brandt"),
        ("Sales fell in Q2 2020.", "Sales fell in the third quarter of 2020.", "Q2"),
        ("It stands in St. Petersburg.", "It stands in Aldmouth.", "Petersburg"),
        ("The builder of the tower: Brandt, an engineer.", "It was built by Jonas Vos.", "Brandt"),
        ("It was built by Østergaard.", "It was built by Vos.", "Østergaard"),
        ("Маяк построил инженер Прокофьев.", "Маяк построил инженер Чайковский.", "Прокофьев"),
    ],
)
def test_another_name_is_missing(sentence: str, quote: str, missing: str) -> None:
    check = check_by_rules(sentence, (quote,), ())
    assert check
    assert f"“{missing}”" in check.note


@pytest.mark.parametrize(
    ("sentence", "quote", "missing"),
    [
        ("Python 3.10 removed it.", "Python 3.1 removed it.", "3.10"),
        ("It is of version 3.1.", "It is of version 3.10.2.", "3.1"),
        ("It runs on Django 4.2, 5.1 and 5.20.", "It runs on Django 4.2, 5.1 and 5.2.", "5.20"),
    ],
)
def test_a_version_is_compared_by_its_digits(sentence: str, quote: str, missing: str) -> None:
    check = check_by_rules(sentence, (quote,), ())
    assert check
    assert check.note == f"“{missing}” stands in none of its quotes."


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It runs on Django 2.0 and Python 3.10.", "It runs on Django 2 and Python 3.10.4."),
        ("It costs USD 3.50, or Rs 4.10.", "It costs USD 3.5, or Rs 4.1."),
        ("In Norway 3.50 % agreed.", "In Norway 3.5 % agreed."),
        ("It was of Monday 3.5.1874.", "It was of Monday, 3 May 1874."),
    ],
)
def test_an_amount_or_a_whole_version_may_end_in_zeros(sentence: str, quote: str) -> None:
    assert check_by_rules(sentence, (quote,), ()) is None

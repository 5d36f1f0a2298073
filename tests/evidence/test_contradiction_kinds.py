from hashlib import sha256

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote
from quaestor.evidence.contradictions import find_contradictions

NUMBERS = [
    ("The Nile is 6,650 km long.", "The Nile is 6,853 km long."),
    ("Acme employs 1,200 people in Berlin.", "Acme employs 1,500 people in Berlin."),
    ("The default timeout of Foo is 30 seconds.", "The default timeout of Foo is 60 seconds."),
    ("Unemployment in Spain rose to 12.5% in 2023.", "Unemployment in Spain rose to 11.8% in 2023."),
    ("Acme paid $3 million for Widgetco.", "Acme paid $4.5 million for Widgetco."),
    ("Mount Everest is 8,848 metres high.", "Mount Everest is 8,850 metres high."),
    ("The Boeing 747 seats 416 passengers.", "The Boeing 747 seats 467 passengers."),
    ("The Hubble telescope weighs eleven tonnes.", "The Hubble telescope weighs twelve tonnes."),
    ("The Hubble telescope weighs eleven tonnes.", "The Hubble telescope weighs 12 tonnes."),
    ("Lake Baikal holds 23% of all fresh water.", "Lake Baikal holds 20% of all fresh water."),
]
DATES = [
    ("The Eiffel Tower was completed in 1889.", "The Eiffel Tower was completed in 1887."),
    ("PEP 8 was created on 5 July 2001.", "PEP 8 was created on 6 July 2001."),
    ("The Treaty of Rome was signed on 25 March 1957.", "The Treaty of Rome was signed on March 27, 1957."),
    ("Ada Lovelace was born on 10 December 1815.", "Ada Lovelace was born in 1816."),
    ("Acme was founded in May 2004.", "Acme was founded in June 2004."),
    ("The Zorblax bridge opened in 1932.", "In 1931 the Zorblax bridge opened."),
    ("Foo 2.0 was released on 2020-07-20.", "Foo 2.0 was released on 2020-08-20."),
    ("Windows 95 was released in August 1995.", "Windows 95 was released in September 1995."),
    ("The siege of Vienna began on 27 September 1529.", "The siege of Vienna began on 23 September 1529."),
    ("Marie Curie died in 1934 in Passy.", "Marie Curie died in 1935 in Passy."),
]
NAMES = [
    ("The capital of Australia is Canberra.", "The capital of Australia is Sydney."),
    ("The author of Foo is Guido van Rossum.", "The author of Foo is Barry Warsaw."),
    ("Marie Curie was born in Warsaw.", "Marie Curie was born in Paris."),
    ("Acme is headquartered in Berlin.", "Acme is headquartered in Munich."),
    ("Hamlet was written by William Shakespeare.", "Hamlet was written by Christopher Marlowe."),
    ("The maintainer of Bar is Alice Smith.", "The maintainer of Bar is Bob Jones."),
    ("The Foo protocol was designed by Jane Doe.", "The Foo protocol was designed by John Roe."),
    ("Penicillin was discovered by Fleming.", "Penicillin was discovered by Florey."),
    ("The Zorblax bridge is located in Ulm.", "The Zorblax bridge is located in Bern."),
    ("Widgetco was founded by Ann Lee.", "Widgetco was founded by Tom Ray."),
]


def said(number: int, claim: str) -> Finding:
    source = sha256(str(number).encode()).hexdigest()
    return Finding(id=f"t1/{number}", claim=claim, quotes=(Quote(source=source, start=0, end=len(claim), text=claim),))


@pytest.mark.parametrize(("one", "other"), [*NUMBERS, *DATES, *NAMES])
def test_numbers_dates_and_names_that_differ_are_contradictions(one: str, other: str) -> None:
    [found] = find_contradictions([said(1, one), said(2, other)])
    assert found.findings == ("t1/1", "t1/2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Foo supports 5 to 7 users in Berlin offices.", "Foo supports 5 to 9 users in Berlin offices."),
        ("Foo supports up to 64 threads per pool.", "Foo supports up to 128 threads per pool."),
        ("Widgetco was founded by Ann Lee.", "Widgetco was founded by Ann Lee and Tom Ray."),
        ("Acme was founded in May 2004.", "Acme was sold in June 2004."),
        ("Acme has two offices in Berlin today.", "Acme has 2 offices in Berlin today."),
    ],
)
def test_ranges_bounds_more_names_and_other_words_are_none(one: str, other: str) -> None:
    assert find_contradictions([said(1, one), said(2, other)]) == ()

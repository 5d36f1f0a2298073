import pytest

from quaestor.contracts.source import Quote
from quaestor.research.brief.shared_corrections import with_shared
from quaestor.research.contracts.tools import Correction, QuoteContext

MINUTES = "The lid fair is on 21 June."
ROW = "21 June | Lid fair"
MOVED = "The lid fair is moved to 28 June."


def quote_of(text: str, source: str = "a") -> Quote:
    return Quote(source=source * 64, start=0, end=len(text), text=text)


def shared(
    row: str, asked: str = "When is the lid fair?", minutes: str = MINUTES, moved: str = MOVED, source: str = "b"
) -> bool:
    """Return whether what corrects the minutes corrects a row too."""
    quotes = (quote_of(minutes), quote_of(row, source))
    contexts = [QuoteContext(quote=one, paragraph=one) for one in quotes]
    own = Correction(quote=quotes[0], said=quote_of(moved, "c"), title="May")
    told = with_shared(asked, contexts, [own])
    assert told[0] == own
    assert [one.said for one in told[1:]] == [own.said] * len(told[1:])
    return [one.quote for one in told[1:]] == [quotes[1]]


def test_what_moves_the_day_of_one_passage_moves_it_in_another_that_tells_the_same() -> None:
    assert shared(ROW)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"row": "22 June | Lid fair"}, "it tells another day"),
        ({"row": "21 June | Lid sale"}, "it is on something else"),
        ({"row": "Lid fair | 28 June, not 21 June"}, "it has the right day already"),
        ({"row": ROW, "source": "c"}, "it stands where it is corrected"),
        ({"row": ROW, "minutes": f"{MINUTES} {'Jars are sold. ' * 80}"}, "the other is on much"),
        ({"row": ROW, "asked": "When does it begin?"}, "nothing that is asked is in both"),
    ],
)
def test_what_need_not_be_the_same_is_not_corrected_with_it(given: dict[str, str], why: str) -> None:
    assert not shared(**given), why


def test_one_asked_word_is_enough_where_there_is_no_other() -> None:
    assert shared("21 June | Fair", asked="When is the fair?")

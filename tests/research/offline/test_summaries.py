from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.tokenization import shorten
from quaestor.research.contracts.writing import SummarizeInput
from quaestor.research.offline.writer import summarize


@given(lines=st.lists(st.text(min_size=1), min_size=1, max_size=6).map(tuple), characters=st.integers(1, 200))
def test_every_summary_fits(lines: tuple[str, ...], characters: int) -> None:
    asked = SummarizeInput(lines=lines, characters=characters)

    assert asked.objections(summarize(asked)) == ()


def test_what_fits_is_kept_whole() -> None:
    assert (
        summarize(SummarizeInput(lines=("Jars: glass.", "Lids: tin."), characters=40)).text
        == "Jars: glass.\nLids: tin."
    )


def test_every_line_keeps_its_first_sentence() -> None:
    lines = ("Jars are glass. They break easily when they fall.", "Lids are tin. They rust in rain and in the sea.")

    assert summarize(SummarizeInput(lines=lines, characters=50)).text == "Jars are glass.\nLids are tin."


def test_a_long_sentence_is_cut_after_a_word() -> None:
    assert shorten("Jars keep honey and jam", 12) == "Jars keep…"

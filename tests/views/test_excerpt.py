import pytest

from quaestor.views.excerpt import Excerpt, cut_excerpt

TEXT = "First paragraph.\n\nThe lighthouse was built in 1831. It stands there.\n\nThe last one is here."
QUOTE = (TEXT.index("The lighthouse"), TEXT.index(" It stands"))


def text(excerpt: Excerpt) -> str:
    return "".join(run.text for run in excerpt.runs)


def marked(excerpt: Excerpt, mark: str) -> list[str]:
    return [run.text for run in excerpt.runs if run.mark == mark]


def test_a_short_text_is_shown_whole_with_the_quote_and_the_others_marked() -> None:
    other = (TEXT.index("It stands"), TEXT.index("\n\nThe last"))
    shown = cut_excerpt(TEXT, QUOTE, [other, QUOTE])
    assert (text(shown), shown.is_cut_before, shown.is_cut_after) == (TEXT, False, False)
    assert marked(shown, "quote") == ["The lighthouse was built in 1831."]
    assert marked(shown, "other") == ["It stands there."]


@pytest.mark.parametrize("context", [1, 5, 10, 18, 20, 30])
def test_a_cut_is_at_the_edge_of_a_word_and_loses_nothing_of_the_quote(context: int) -> None:
    shown = cut_excerpt(TEXT, QUOTE, context=context)
    assert text(shown) in TEXT
    assert marked(shown, "quote") == ["The lighthouse was built in 1831."]
    assert len(text(shown)) <= QUOTE[1] - QUOTE[0] + 2 * context
    assert shown.is_cut_before == (not TEXT.startswith(text(shown)))
    assert shown.is_cut_after == (not TEXT.endswith(text(shown)))


def test_a_page_is_not_left() -> None:
    page = (TEXT.index("The lighthouse"), TEXT.index("\n\nThe last"))
    shown = cut_excerpt(TEXT, QUOTE, window=page)
    assert text(shown) == "The lighthouse was built in 1831. It stands there."
    over = cut_excerpt(TEXT, (QUOTE[0] - 5, QUOTE[1]), window=page)
    assert marked(over, "quote") == ["The lighthouse was built in 1831."]


def test_where_quotes_overlap_the_one_that_is_asked_for_is_marked() -> None:
    shown = cut_excerpt(TEXT, QUOTE, [(QUOTE[0] - 3, QUOTE[0] + 14), (QUOTE[0] + 4, QUOTE[1] + 5)])
    assert "".join(marked(shown, "quote")) == "The lighthouse was built in 1831."
    assert text(shown) == TEXT


def test_a_quote_of_a_whole_book_is_cut() -> None:
    book = "word " * 100_000
    assert len(text(cut_excerpt(book, (0, len(book))))) < 30_000

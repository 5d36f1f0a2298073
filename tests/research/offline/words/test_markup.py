import pytest

from quaestor.research.offline.words.markup import is_link, is_struck, strip_markup


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Use ``lid()``\n  with *care* and **haste**.", "Use lid() with care and haste."),
        ("See :rfc:`2119` and :class:`~jars.Lid`.", "See RFC 2119 and jars.Lid."),
        ("The `manual <http://example.org>`__ [1]_ says so.", "The manual says so."),
        ("A jar[^lid] is round.", "A jar is round."),
        ("a ``types.Lid`` type with a ``__lid__`` inside", "a types.Lid type with a __lid__ inside"),
        ("Python ``lid``\\s and 2 * 3 * 4 of **kwargs", "Python lids and 2 * 3 * 4 of **kwargs"),
        ("Jars hold honey .", "Jars hold honey."),
        ("- A [jar](http://example.org) is round.", "A jar is round."),
    ],
)
def test_markup_is_taken_off(text: str, plain: str) -> None:
    assert strip_markup(text) == plain


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("`All about jars <https://example.org>`_", True),
        ("[All about jars](https://example.org).", True),
        ("See `all about jars`_ for more", False),
    ],
)
def test_a_link_alone_is_no_sentence(text: str, alone: bool) -> None:
    assert is_link(text) is alone


@pytest.mark.parametrize(
    ("text", "struck"),
    [("~~Antwerp~~ returned", True), ("<del>15</del> 18", True), ("~~ 15 ~~", False), ("a~b", False)],
)
def test_text_that_is_struck_out_is_seen(text: str, struck: bool) -> None:
    assert is_struck(text) == struck

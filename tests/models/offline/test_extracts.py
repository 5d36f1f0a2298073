from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.models.offline.extracts import extracts, readable

HitOf = Callable[..., Hit]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Use ``lid()``\n  with *care* and **haste**.", "Use `lid()` with care and haste."),
        ("See :rfc:`2119` and :class:`~jars.Lid`.", "See RFC 2119 and jars.Lid."),
        ("The `manual <http://example.org>`__ [1]_ says so.", "The manual says so."),
        ("- A [jar](http://example.org) is round.", "A jar is round."),
    ],
)
def test_markup_is_taken_off(text: str, plain: str) -> None:
    assert readable(text) == plain


def test_a_sentence_knows_its_place(hit: HitOf) -> None:
    found = extracts([hit("Jars hold honey and jam. They are made of glass.\n", title="Jars")])

    assert [(one.claim, one.rank, one.place) for one in found] == [
        ("Jars hold honey and jam.", 0, 0),
        ("They are made of glass.", 0, 1),
    ]
    assert found[1].standing < found[0].standing


@pytest.mark.parametrize(
    "text",
    [
        "Jars\n====\n",
        "Author: Ann Lee\nStatus: Final\nCreated: 2001\n",
        "::\n\n    jar = Jar(lid=None)\n    jar.close()\n",
        ".. note:: jars\n",
        "Example::\n\n    the jar is closed by hand and kept in the cool cellar\n",
        "The following kinds of jars are known to us:\n",
        "Too short.\n",
    ],
)
def test_what_cannot_be_read_alone_is_left_out(hit: HitOf, text: str) -> None:
    assert extracts([hit(text)]) == ()

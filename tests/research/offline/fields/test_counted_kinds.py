import pytest

from quaestor.research.offline.fields.counted_kinds import CountedKind


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (CountedKind("singer", 6), "Our choir now has 43 singers."),
        (CountedKind("ketch", 3), "We are down to two ketches."),
        (CountedKind("amphibian", 3), "That makes four amphibians."),
        (CountedKind("amphibian", 3), "We saw 4 amphibians."),
        (CountedKind("berry", 6), "There are only four ripe berries."),
        (CountedKind("child", 30), "All twenty-five children came."),
        (CountedKind("boot", 3), "Wir haben noch zwei Boote."),
        (CountedKind("fish", 1), "No fish left after the otter."),
        (CountedKind("fish", 1), "So there is no longer any fish."),
    ],
)
def test_another_number_of_what_is_counted_denies_it(kind: CountedKind, sentence: str) -> None:
    assert kind.is_denied(sentence)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (CountedKind("ketch", 3), "Three ketches lie here."),
        (CountedKind("ketch", 3), "Two ketches were painted."),
        (CountedKind("ketch", 3), "The two ketches at the pier have new sails."),
        (CountedKind("ketch", 3), "The harbour has room for six ketches."),
        (CountedKind("ketch", 3), "In 1931 four ketches raced."),
        (CountedKind("ketch", 3), "The museum of boats owns 9000 ketches."),
        (CountedKind("ketch", 3), "We have two of the ketches on land."),
        (CountedKind("week", 3), "We have been here for four weeks."),
        (CountedKind("dog", 2), "No dogs on Sundays."),
        (CountedKind(), "We have two boats."),
    ],
)
def test_a_part_of_what_is_counted_or_what_was_once_denies_nothing(kind: CountedKind, sentence: str) -> None:
    assert not kind.is_denied(sentence)

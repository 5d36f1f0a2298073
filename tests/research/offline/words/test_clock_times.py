import pytest

from quaestor.research.offline.words.clock_times import holds_time


@pytest.mark.parametrize(
    ("asked", "text", "held"),
    [
        ("19:30", "The choir sings at 7.30 pm.", True),
        ("7:30", "The choir sings at 7.30 p.m.", True),
        ("22:00", "Ring if you arrive after 10 p.m.", True),
        ("7:30", "Breakfast is served from half past seven.", True),
        ("6:45", "It is served from a quarter to seven.", True),
        ("7:30", "Das Frühstück beginnt um 7.30 Uhr.", True),
        ("7:30", "Breakfast costs 7.30 and is good.", False),
        ("19:30", "The choir sings at 7.30 am.", False),
        ("19:30", "The choir sings at 7.40 pm.", False),
        ("7:30", "It opens at seven.", False),
        ("12:00", "Lunch is at noon.", True),
        ("0:00", "The gate is shut at midnight.", True),
        ("10:00", "The gate is shut at midnight.", False),
    ],
)
def test_a_time_is_held_however_it_is_written(asked: str, text: str, held: bool) -> None:
    assert holds_time(text, asked) is held

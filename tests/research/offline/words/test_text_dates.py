import pytest

from quaestor.research.offline.words.text_dates import asks_for_text_date, day_of_named_text, is_text_date


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("date: 2021-08-02", True),
        ("title: The flood\nauthor: Jane Ray\ndate: 2021-08-02", True),
        ("Datum: 2. August 2021", True),
        ("title: The flood\nauthor: Jane Ray", False),
        ("The date was moved to 2 August 2021.", False),
        ("date: 2021-08-02\nThe Ise rose by three metres.", False),
    ],
)
def test_the_date_of_a_text_stands_among_fields_alone(text: str, is_date: bool) -> None:
    assert is_text_date(text) is is_date


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When was the flood?", False),
        ("When was the account of the flood written?", True),
        ("When was the page last updated?", True),
        ("When did Ann write to Bo?", True),
        ("Wann wurde der Bericht veröffentlicht?", True),
    ],
)
def test_a_question_may_ask_when_a_text_was_made(question: str, asks: bool) -> None:
    assert asks_for_text_date(question) is asks


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Minutes of 16 September approved", "16 September"),
        ("The letter of 3 May and the minutes of the AGM of 16 May give 31", "16 May"),
        ("Protokoll der Sitzung vom 3. Mai 2024: drei Gl\u00e4ser", "3. Mai 2024"),
        ("The letter says that the feast is on 12 May.", None),
        ("On 12 May the minutes were read.", None),
    ],
)
def test_a_text_is_called_by_its_day_where_nothing_but_its_name_stands_between(text: str, day: str | None) -> None:
    found = day_of_named_text(text)
    assert (found and found.text) == day

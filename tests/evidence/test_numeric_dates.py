import pytest

from quaestor.evidence.numeric_dates import asked_date_terms, date_terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2025-09,902", ["202509"]),
        ("2025-09-05", ["202509", "20250905"]),
        ("2025_9_5-board", ["202509", "20250905"]),
        ("on 5.9.2025 and 15. 10. 2024", ["202509", "20250905", "202410", "20241015"]),
        ("2025-09-05, 2025-09-06", ["202509", "20250905", "20250906"]),
        ("tested 09/2025, 10.2024 and 3/2023", ["202509", "202410", "202303"]),
        ("3.2023", []),
        ("15/09/2025", []),
        ("2025.9.1", []),
        ("2025-13", []),
        ("10-2025-09", []),
        ("5/9/2025", []),
        ("1.5.9.2025", []),
    ],
)
def test_a_date_in_numbers_has_the_terms_of_its_month_and_its_day(text: str, found: list[str]) -> None:
    assert list(date_terms(text)) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("What was paid in September 2025?", ["202509"]),
        ("What was paid on 5 September 2025?", ["20250905"]),
        ("What was paid on September 5th, 2025?", ["20250905"]),
        ("What was paid on 2025-09-05 and in 2025-10?", ["20250905", "202510"]),
        ("Was geschah am 3. M\u00e4rz 2024?", ["20240303"]),
        ("Was geschah am 3.3.2024?", ["20240303"]),
        ("Que s'est-il pass\u00e9 le 1er mai 2024 ?", ["20240501"]),
        ("\u00bfQu\u00e9 pas\u00f3 el 15 de mayo de 2023?", ["20230515"]),
        ("Which jars were of the year 2025?", []),
        ("Which jars were sold in September?", []),
    ],
)
def test_a_query_for_a_month_or_a_day_has_its_term(query: str, found: list[str]) -> None:
    assert list(asked_date_terms(query)) == found

import pytest

from quaestor.research.offline.fields.yes_no import says_no, says_yes


@pytest.mark.parametrize("value", ["Yes", "x", "✓", "1", "ja", "Oui", "sí", "sì", "sim", "tak", "да", "`true`"])
def test_a_word_or_a_sign_for_yes_says_yes(value: str) -> None:
    assert (says_yes(value), says_no(value)) == (True, False)


@pytest.mark.parametrize(
    "value",
    ["No", "no, lost", "not yet", "never", "0", "✗", "nein", "noch nicht", "non", "pas encore", "não", "nee", "нет"],
)
def test_a_word_for_no_and_what_begins_with_a_denial_say_no(value: str) -> None:
    assert (says_yes(value), says_no(value)) == (False, True)


@pytest.mark.parametrize("value", ["", "No. 7", "no 7", "none", "noon", "Nienburg", "partly", "12", "4 May 1902"])
def test_other_values_say_neither(value: str) -> None:
    assert (says_yes(value), says_no(value)) == (False, False)

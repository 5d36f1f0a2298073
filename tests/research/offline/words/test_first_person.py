import pytest

from quaestor.research.offline.words.first_person import is_asked_subject, says_i


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I weighed anchor at noon.", True),
        ("At noon, I weighed anchor.", True),
        ("At noon I\u2019ve weighed anchor.", True),
        ("Am Abend ging ich nach Quell.", True),
        ("Alors j'ai mis la voile.", True),
        ("In World War I ships were lost.", False),
        ("Chapter I is long.", False),
        ("He weighed anchor.", False),
    ],
)
def test_who_tells_of_himself_says_i(text: str, *, says: bool) -> None:
    assert says_i(text) is says


def test_a_question_asks_what_somebody_did() -> None:
    assert is_asked_subject("When did Lee set sail from Quell?", "Lee")
    assert is_asked_subject("Was Ann Lee in Quell?", "Ann Lee")
    assert is_asked_subject("When was Captain Lee in Quell?", "Lee")
    assert not is_asked_subject("When did Lee set sail from Quell?", "Quell")

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import normalize_question


@pytest.mark.parametrize(
    "url",
    [
        "https://me:secret@example.org/a",
        "HTTPS://secret@example.org",
        "git+ssh://git:secret@example.org/repo.git",
        "mongodb://a:secret@host:1/db",
        "https:\\\\me:secret@example.org",
        "https://me:s@ecret@example.org",
    ],
)
def test_a_text_with_credentials_in_a_url_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(UsageError, match="credentials") as refused:
        normalize_question(f"What is at {url}, and why?")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "Who is at https://example.org/@me?q=a@b and me@example.org?",
        "Is https://example.org the page of me@example.org?",
        "See https://example.org#a@b, https://example.org?to=a@b, and x://",
    ],
)
def test_an_at_sign_elsewhere_is_no_credential(text: str) -> None:
    assert normalize_question(text) == text


def test_what_prints_nothing_is_a_blank() -> None:
    assert normalize_question("What\0mast\x1b \x7f?") == "What mast ?"
    assert normalize_question("Où est le mât ? 帆柱はどこ 👩‍🚒") == "Où est le mât ? 帆柱はどこ 👩‍🚒"
    with pytest.raises(UsageError, match="the task is empty"):
        normalize_question("\0\n", "task")

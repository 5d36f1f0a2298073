"""What may be named as documents."""

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.research.operations import split_paths_and_urls


@pytest.mark.parametrize("url", ["https://me:secret@example.org/a", "HTTP://token@example.org", "https://a@b?x"])
def test_a_url_with_credentials_is_refused_before_anything_is_logged_and_is_not_shown(url: str) -> None:
    with pytest.raises(UsageError, match="credentials") as refused:
        split_paths_and_urls([url])
    assert "secret" not in str(refused.value)


def test_a_url_with_an_at_sign_in_its_path_is_a_page() -> None:
    assert split_paths_and_urls(["https://example.org/@me?q=a@b", "a@b"]) == (
        ["a@b"],
        ["https://example.org/@me?q=a@b"],
    )


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_path_is_not_this_whole_folder(empty: str) -> None:
    with pytest.raises(UsageError, match="an empty path"):
        split_paths_and_urls(["docs", empty])

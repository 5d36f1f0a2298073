import pytest
from pydantic import ValidationError

from quaestor.contracts.report_settings import ReportSettings


@pytest.mark.parametrize(
    ("domains", "url", "allowed"),
    [
        (("example.org",), "https://example.org/a", True),
        (("example.org",), "https://www.example.org:8443/a?b#c", True),
        (("example.org",), "https://notexample.org/a", False),
        (("example.org",), "https://example.org.evil.net/", False),
        (("*.Example.org.",), "HTTPS://EXAMPLE.ORG./", True),
        (("bücher.example",), "https://xn--bcher-kva.example/", True),
        (("xn--bcher-kva.example",), "https://bücher.example/", True),
        (("127.0.0.1",), "http://127.0.0.1:80/", True),
        (("example.org",), "file:///etc/passwd", False),
        (("example.org",), "http://[::1", False),
    ],
)
def test_a_domain_holds_its_pages_and_those_of_the_domains_below_it(
    domains: tuple[str, ...], url: str, allowed: bool
) -> None:
    assert ReportSettings(allowed_domains=domains).allows(url) is allowed
    if url.casefold().startswith("http") and "[" not in url:
        assert ReportSettings(denied_domains=domains).allows(url) is not allowed


def test_what_is_denied_below_an_allowed_domain_is_left_out() -> None:
    settings = ReportSettings(allowed_domains=("example.org",), denied_domains=("ads.example.org",))
    assert settings.allows("https://example.org/")
    assert not settings.allows("https://ads.example.org/")
    assert ReportSettings().allows("anything")


@pytest.mark.parametrize(
    "faulty",
    [
        {"allowed_domains": ["https://example.org/a"]},
        {"denied_domains": ["a b"]},
        {"denied_domains": [""]},
        {"language": "English"},
        {"language": "../en"},
        {"length": "huge"},
        {"sections": ["one\ntwo"]},
        {"sections": [" "]},
        {"audience": ""},
    ],
)
def test_what_is_no_domain_no_code_and_no_heading_is_refused(faulty: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ReportSettings.model_validate(faulty)


def test_a_language_is_named_where_its_name_is_known() -> None:
    assert [ReportSettings(language=code).language_name for code in ("DE", "eo", None)] == ["German", "eo", ""]

import pytest

from quaestor.research.offline.fields.header_fields import find_headers
from quaestor.research.offline.fields.message_lookup import find_message_field

PUMPS = (
    "From: Anna Berger <anna@example.org>\nTo: Paul Weiss <paul@example.org>\n"
    "Date: Tue, 12 Mar 2024 09:15:00 +0000\nSubject: Delivery of the pumps to Graz\n"
)


def answer(question: str, text: str = PUMPS) -> str | None:
    (header,) = find_headers(text)
    field = find_message_field(question, header)
    return field.value if field else None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who sent the mail about the delivery of the pumps?", "Anna Berger <anna@example.org>"),
        ("Who is the sender of the e-mail about the pumps to Graz?", "Anna Berger <anna@example.org>"),
        ("Who was the mail about the pumps from?", "Anna Berger <anna@example.org>"),
        ("To whom was the e-mail about the pumps sent?", "Paul Weiss <paul@example.org>"),
        ("Who received the message from Anna Berger?", "Paul Weiss <paul@example.org>"),
        ("When was the mail about the pumps sent?", "Tue, 12 Mar 2024 09:15:00 +0000"),
        ("When did Anna send the mail to Paul?", "Tue, 12 Mar 2024 09:15:00 +0000"),
        ("What is the subject of the mail from Anna Berger?", "Delivery of the pumps to Graz"),
    ],
)
def test_a_field_of_an_email_answers(question: str, value: str) -> None:
    assert answer(question) == value


@pytest.mark.parametrize(
    "question",
    [
        "Who sent the mail?",
        "Who sent the mail about the insurance?",
        "What is the subject of the mail from Paul Weiss?",
        "When did Paul send the mail to Anna?",
        "When are the pumps delivered to Graz?",
        "Why was the mail about the pumps sent?",
    ],
)
def test_an_email_that_a_question_does_not_tell_from_others_is_no_answer(question: str) -> None:
    assert answer(question) is None


def test_the_header_of_another_document_is_none_of_an_email() -> None:
    assert answer("When was the message about jars sent?", "Subject: Jars\nDate: 1 May 2001\n") is None

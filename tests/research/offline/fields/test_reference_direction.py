import pytest

from quaestor.research.offline.fields.reference_direction import is_asked_backwards

NAMES = ("Note 12", "Plain Jars")


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("What replaces note 12?", "Replaces"),
        ("Which note replaced the Plain Jars?", "Replaces"),
        ("What is note 12 replaced by?", "Replaces"),
        ("What is superseded by Note 12?", "Superseded-By"),
        ("What does Note 12 supersede?", "Superseded-By"),
        ("Which notes replace Note-0012?", "Replaces"),
        ("Which notes require NOTE#12?", "Requires"),
    ],
)
def test_a_field_that_tells_the_other_way_answers_no_question(question: str, key: str) -> None:
    assert is_asked_backwards(question, key, NAMES)


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("What does note 12 replace?", "Replaces"),
        ("What is replaced by note 12?", "Replaces"),
        ("What supersedes Note 12?", "Superseded-By"),
        ("What is Note 12 superseded by?", "Superseded-By"),
        ("What is the price of note 12?", "Price"),
        ("Who is the author of note 12?", "Author"),
        ("How many pages has note 12?", "Pages"),
    ],
)
def test_a_field_that_tells_what_is_asked_answers(question: str, key: str) -> None:
    assert not is_asked_backwards(question, key, NAMES)

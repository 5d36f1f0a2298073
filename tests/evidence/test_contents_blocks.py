import pytest

from quaestor.evidence.sentences import sentence_spans


def said(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "topics",
    [
        "Leave Aldmouth\u2014The Pilot\u2014Habits of Seals\u2014Wreck of a Brig\u2014Fog\nBells\u2014St. Ann",
        "Abfahrt \u2013 Das Haus am Kai \u2013 Robben \u2013 Ein Wrack vor der Insel \u2013 Nebel \u2013 Heimkehr",
        "Départ -- La maison du pilote -- Phoques -- Naufrage -- Brume sur la baie -- Retour",
    ],
)
def test_the_topics_of_a_chapter_are_no_sentence(topics: str) -> None:
    assert said(f"II\n\n{topics}\n\nWe left at dawn.") == ["II", "We left at dawn."]


@pytest.mark.parametrize(
    "text",
    [
        "The pilot\u2014who was old\u2014came\u2014so he said\u2014for the bell\u2014and for us.",
        "Aldmouth \u2013 Bell Rock \u2013 Ann Harbour \u2013 Fogton \u2013 Seal Bay \u2013 Port Lee",
        "Day at sea 9 \u2013 Night on land 5 \u2013 Boat 12 \u2013 Guide 7 \u2013 Fog bell 3 \u2013 Pilot 20",
        "At Six -- Fog -- Ann took her boat and brought us in with our brig and all of its crew -- Noon -- Tea -- End",
        "\u2014 Who is it? \u2014 The pilot. \u2014 Come in. \u2014 No. \u2014 Why not? \u2014 The fog.",
    ],
)
def test_other_words_between_dashes_are_read(text: str) -> None:
    assert " ".join(said(f"We left at dawn.\n\n{text}\n")[1:]) == text


def test_links_to_the_sections_of_a_document_are_no_items() -> None:
    text = "# Bells\n\n- [Fog bells](#fog)\n  1. [Of iron](#iron)\n- [Ships](ships.md)\n- [Fog](#fog) and ice\n"
    assert said(text) == ["Bells", "[Ships](ships.md)", "[Fog](#fog) and ice"]


def test_a_list_of_lists_is_no_line_of_topics() -> None:
    listed = "* - Day of Ann\n  - Bells\n* - Habits of Seals\n  - Fog\n* - Wreck of a Brig\n  - Noon\n"
    assert said(listed) == ["Day of Ann", "Bells", "Habits of Seals", "Fog", "Wreck of a Brig", "Noon"]

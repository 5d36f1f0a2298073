import pytest

from quaestor.evidence.stemming import held_stems, stemmed_terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wer lief den Marathon?", "Wer ist den Marathon gelaufen?"),
        ("Wann schließt das Tor?", "Wann wird das Tor geschlossen?"),
        ("Wo trafen wir uns?", "Wo haben wir uns getroffen?"),
        ("Wer baute die Bahn?", "Wer hat die Bahn gebaut?"),
        ("Wer lehnte ab?", "Wer hat ab gelehnt?"),
        ("Wann war das Tor abzuschließen?", "Wann war das Tor abgeschlossen?"),
        ("Wer vernimmt ihn?", "Wer hat ihn vernommen?"),
    ],
)
def test_a_german_verb_and_its_forms_have_one_stem(one: str, other: str) -> None:
    assert set(stemmed_terms(one, "de")) == set(stemmed_terms(other, "de"))


@pytest.mark.parametrize(
    ("noun", "verb"), [("das Band", "binden"), ("der Stand", "stehen"), ("das Gebet", "bet"), ("gerecht", "recht")]
)
def test_a_noun_and_what_is_no_participle_keep_their_stem(noun: str, verb: str) -> None:
    assert stemmed_terms(noun, "de") != stemmed_terms(verb, "de")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("gekauft", "Gekauft wurde das Tor im Mai."),
        ("beschlossen", "Das war es.\n- Beschlossen wurde der Umbau."),
        ("angeschafft", "Ja. Angeschafft hat der Verein ein Tor."),
    ],
)
def test_a_verb_is_held_where_it_begins_a_sentence(asked: str, said: str) -> None:
    assert held_stems(said, "de").issuperset(stemmed_terms(asked, "de"))


def test_a_noun_at_the_beginning_of_a_sentence_is_no_verb() -> None:
    assert not held_stems("Das Band ist rot.", "de").issuperset(stemmed_terms("gebunden", "de"))

import pytest

from quaestor.evidence.stemming import stemmed_terms


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

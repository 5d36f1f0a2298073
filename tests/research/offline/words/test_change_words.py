import pytest

from quaestor.research.offline.words.change_words import may_tell_change


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("The lid of tin replaces that of cork.", True),
        ("replaces: 820", False),
        ("Replaces: 12, 13", False),
        ("superseded-by:", False),
        ("replaced: by the lid of tin", True),
        ("The lid is of tin.", False),
        ("We have to raise the fee to 57.", True),
        ("We raise an error.", False),
        ("Tom proposed to extend it to 29 September.", True),
        ("Tom extends a hand.", False),
        ("El patinaje se cierra en febrero.", True),
        ("The pool closes in May.", True),
        ("This closes #12.", False),
        ("The hall is not free on Friday.", True),
        ("The hall is not free of charge.", False),
        ("Wir müssen den Preis auf 57 anheben.", True),
        ("A reporter was there.", False),
        ("We do not renew the policy.", True),
        ("We renew the policy.", False),
        ("Jars are not kept in the mill of the Howells any more.", True),
        ("The Howells is out of the programme.", True),
        ("The bear is out of the wood.", False),
        ("Swap: Ann and Bo on Friday.", True),
        ("Telefon übernimmt Pia ganz.", True),
        ("No se acepta la oferta.", True),
        ("Se acepta la oferta.", False),
        ("Nous ne sommes pas retenus.", True),
        ("Les Cigales annulent.", True),
        ("Bo ha rinunciato.", True),
        ("La lettera riporta ancora il prezzo.", True),
        ("The letter still says so.", True),
        ("La lettera riporta il prezzo.", False),
    ],
)
def test_a_change_is_told_by_a_sentence_with_a_word_for_it_and_by_no_bare_field(said: str, *, tells: bool) -> None:
    assert may_tell_change(said) is tells

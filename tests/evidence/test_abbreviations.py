import pytest

from quaestor.evidence.sentences import sentence_spans


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The reef stretches to the S. E. of the cape (lat. 12° S., long. 96.5° E.) and is bare.",
        "The mill was let to J. O. Marsh, and later to É. Roux and Ł. Bak.",
        "Die Mühle liegt an der Talstr. 9, vgl. Abb. 4, und kostet inkl. Nebenkosten 2 Mio. Franken.",
        "Le moulin, éd. Martin, a env. 40 ans et appartient à Mgr. Duval depuis le 3 déc. 1990.",
        "El molino es del Excmo. Sr. Ruiz y de Dña. Marta, tel. 600 111.",
        "Il mulino è del dott. Neri e della sig. Riva, come si legge a pag. 12.",
        "O moinho é do Exmo. Sr. Melo desde o séc. XIX.",
        "De molen is van dhr. Kok en mevr. Mol, en staat bijv. Zondag stil.",
        "Młyn stoi przy ul. Leśnej i należy do inż. Nowaka, zob. rys. 3.",
        "Мельница стоит на ул. Лесной, её построил проф. Д. Ф. Орлов, см. рис. 3.",
    ],
)
def test_an_abbreviation_or_an_initial_ends_no_sentence(sentence: str) -> None:
    assert said(sentence) == [sentence]


@pytest.mark.parametrize(
    "parts",
    [
        ["It lies to the S. E.", "The reef is bare."],
        ["The water is deep for so long.", "70 boats came."],
        ["Młyn stoi od 20 lat.", "5 okien jest nowych."],
        ["Это план Б.", "Он новый."],
    ],
)
def test_a_sentence_may_end_with_a_word_that_is_an_abbreviation_elsewhere(parts: list[str]) -> None:
    assert said(" ".join(parts)) == parts


def test_initials_at_the_top_of_a_paragraph_are_no_mark_of_an_item() -> None:
    assert said("J. R. Marsh kept the mill.\n\nA. U.S. mills\n") == ["J. R. Marsh kept the mill.", "U.S. mills"]

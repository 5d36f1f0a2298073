import pytest

from quaestor.contracts.tools import SimilarWord
from quaestor.evidence.stemming import held_stems
from quaestor.evidence.tokenization import terms
from quaestor.research.offline.words.light_words import says_little
from quaestor.research.offline.words.wording import absent_words, asked_language, asked_words, with_bare_versions


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who was the BDFL-Delegate of PEP 566?", ["BDFL-Delegate", "PEP 566"]),
        ("What was said against the walrus operator?", ["walrus", "operator"]),
        ('Why does "Plain Jars" name no maker in Leland?', ["Plain Jars", "maker", "Leland"]),
        ("Welchen Krug hat Stefan Huber 2025 verkauft?", ["Krug", "Stefan Huber", "2025", "verkauft"]),
        ("How do lids differ from corks?", ["lids", "corks"]),
        ("Wat is het verschil tussen een kruik en een kurk?", ["kruik", "kurk"]),
        ("How does a lid work?", ["lid"]),
        ("How long did the way of the lid take?", ["way", "lid"]),
        ("How long does a lid last, and how often is it closed?", ["lid", "last", "closed"]),
        ("How long is the pier?", ["long", "pier"]),
        ("When does the fair of lids take place?", ["fair", "lids"]),
        ("Where has the fair taken place?", ["fair"]),
        ("Wann findet der Markt in der Halle statt?", ["Markt", "Halle"]),
        ("Wo hat der Markt stattgefunden?", ["Markt"]),
        ("Quand le marché a-t-il lieu ?", ["marché"]),
        ("¿Cuándo tuvo lugar la feria?", ["feria"]),
        ("Quando avrà luogo la fiera?", ["fiera"]),
        ("Wanneer vindt de markt plaats?", ["markt"]),
        ("Wat kostte een kruik op 31 december 2024?", ["kostte", "kruik", "31 december 2024"]),
        ("Qui tient le marché du 3 mai ?", ["tient", "marché", "3 mai"]),
        ("Waar heeft de markt plaatsgevonden?", ["markt"]),
        ("Quando teve lugar a feira?", ["feira"]),
        ("What did the lid cost in the end?", ["lid", "cost"]),
        ("Who has the lids at the moment, and at the moment of the fair?", ["lids", "moment", "fair"]),
        ("Who has the lids right now, and the right jar?", ["lids", "right", "jar"]),
        ("Wer hat die Kruken im Moment?", ["Kruken"]),
        ("Combien de bocaux au total ?", ["bocaux"]),
        ("Who takes the place of the keeper?", ["takes", "place", "keeper"]),
        ("Did the fair take place?", ["fair", "take", "place"]),
        ("Is it true that somebody sold the lid?", ["sold", "lid"]),
        ("Ist es wahr, dass Deckel rosten?", ["Deckel", "rosten"]),
        ("Darf der Deckel rosten?", ["Deckel", "rosten"]),
        ("Who will work at the pier?", ["work", "pier"]),
        ("Comment fonctionne une écluse ?", ["écluse"]),
        ("Why were lids of tin added?", ["lids", "tin"]),
        ("When were lids added?", ["lids", "added"]),
        ("May jars be sold?", ["jars", "sold"]),
        ("wich lid is it and waht fits?", ["lid", "fits"]),
        ("Is the lid shut becuase of the jar?", ["lid", "shut", "jar"]),
        ("Wich whet stone fits?", ["whet", "stone", "fits"]),
        ("What is the dose of Hwy?", ["dose", "Hwy"]),
        ("Wie viele Deckel gibt es?", ["Deckel"]),
        ("Hoeveel en hoe veel deksels zijn er?", ["deksels"]),
        ("Which lid fits if none is named?", ["lid", "fits"]),
        ("Is None a lid?", ["None", "lid"]),
        ("Who may sell jars in May?", ["sell", "jars", "May"]),
        ("May I sell jars?", ["sell", "jars"]),
        ("Wann hat man die Deckel gefertigt?", ["Deckel", "gefertigt"]),
        ("Wer war der Meister der Kirche Sankt Ek?", ["Meister", "Kirche Sankt Ek"]),
        ("Quand la brosse a-t-elle servi ?", ["brosse", "servi"]),
        ("Come si chiudono i vasi?", ["chiudono", "vasi"]),
        ("Qual è l'altezza dell'argine?", ["altezza", "argine"]),
        ("Combien coûte un vase d'un potier ?", ["coûte", "vase", "potier"]),
        ("Qui a peint l'enseigne d'Anouk ?", ["peint", "enseigne", "Anouk"]),
        ("Qu'est-ce qu'une jarre ?", ["jarre"]),
        ("Welche Krüge stehen im Keller?", ["Krüge", "Keller"]),
        ("Dlaczego Marek rozbił dzban?", ["Marek", "rozbił", "dzban"]),
        ("Który dzban jest pusty?", ["dzban", "pusty"]),
        ("Porque é que o jarro caiu?", ["jarro", "caiu"]),
        ("¿Por qué no se usan jarros en la cueva?", ["jarros", "cueva"]),
        ("Combien coûte-t-il, et où est le rendez-vous ?", ["coûte", "rendez-vous"]),
        ("Pode-se entrar com cães?", ["entrar", "cães"]),
        ("Cos'è il torchio, e com'è fatto?", ["torchio"]),
        ("A cosa serve la leva?", ["serve", "leva"]),
        ("Wie lange dauert der Markt schon?", ["dauert", "Markt"]),
        ("¿Cuánto tiempo dura la feria?", ["dura", "feria"]),
        ("A che ora apre la cantina?", ["apre", "cantina"]),
        ("Jak długo trwa targ?", ["trwa", "targ"]),
        ("Warum ging Professor Ekdal?", ["ging", "Ekdal"]),
        ("Why did professor Ekdal go?", ["Ekdal", "go"]),
        ("Who is the president of the club of Ekdal?", ["president", "club", "Ekdal"]),
        ("什么是黑豹队\uff1f", []),
    ],
)
def test_titles_names_and_telling_words_are_asked_for_and_words_that_only_ask_are_not(
    question: str, asked: list[str]
) -> None:
    assert [word.text for word in asked_words(question)] == asked


def test_a_name_is_held_by_all_of_its_words_and_a_word_in_any_form() -> None:
    asked = asked_words("Which jars did Ann Lee make?")

    assert absent_words(asked, frozenset(terms("A jar of Ann Lee, made of clay"))) == ()
    assert absent_words(asked, frozenset(terms("A jar of Ann Fox"))) == ("Ann Lee",)


@pytest.mark.parametrize("text", ["Jarshell is sold.", "JarShell is sold."])
def test_a_name_with_a_capital_within_is_held_however_it_is_written(text: str) -> None:
    assert absent_words(asked_words("When was JarShell sold?"), held_stems(text, None)) == ()


def test_a_word_is_held_where_the_one_is_that_was_searched_in_its_place() -> None:
    asked = asked_words(
        "Did Ann Leee mak jars?", (SimilarWord(word="Leee", found="Lee"), SimilarWord(word="mak", found="make"))
    )

    assert absent_words(asked, frozenset(terms("A jar that Ann Lee made, as she makes them"))) == ()
    assert absent_words(asked, frozenset(terms("A jar of Ann Fox"))) == ("Ann Leee", "mak")


def test_a_number_with_a_comma_is_one_word_and_no_name() -> None:
    asked = asked_words("Do 30,000 jars of Ann Lee stand in 1990?")

    assert [(word.text, word.is_name) for word in asked] == [
        ("30,000", False),
        ("jars", False),
        ("Ann Lee", True),
        ("stand", False),
        ("1990", True),
    ]


def test_of_a_text_that_tells_before_it_asks_the_words_are_those_of_the_question_and_all_names() -> None:
    told = "We keep jars of Ann Lee in a damp cellar. Each lid rusts within a year. The neighbours have no trouble."
    asked = "How should we paint the lids, and does oil help?"

    assert [word.text for word in asked_words(f"{told} {asked}")] == ["Ann Lee", "paint", "lids", "oil", "help"]
    assert "paint" in [word.text for word in asked_words(f"{told} {asked} Thank you all.")]
    assert "cellar" not in [word.text for word in asked_words(f"{asked} {told}")]
    assert "cellar" in [word.text for word in asked_words(told)]


def test_a_question_in_the_midst_of_a_story_is_part_of_it() -> None:
    story = (
        "We keep jars of Ann Lee in a damp cellar. Was it her lid? No ghost came. Each lid rusts. The rest is paint."
    )

    assert {"cellar", "ghost", "paint"} <= {word.text for word in asked_words(story)}


def test_a_word_with_hyphens_is_held_by_all_of_its_pieces() -> None:
    asked = asked_words("What is the default of lid-level, and of the e-mail?")

    assert absent_words(asked, frozenset(terms("The default of lid-colour, and of the email"))) == ("lid-level",)
    assert absent_words(asked, frozenset(terms("The default level of the lid, and its e-mail"))) == ()


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("How long is the pier?", "The pier has a length of 40 metres.", "The pier is of oak."),
        ("How old was the keeper?", "The keeper was born in 1844.", "The keeper served for six years."),
        ("Wie hoch ist die Gebühr?", "Die Gebühr beträgt 40 Euro.", "Die Gebühr wird bald fällig."),
    ],
)
def test_a_word_that_asks_for_a_measure_is_held_by_what_tells_one(question: str, told: str, other: str) -> None:
    asked, language = asked_words(question), asked_language(question)

    assert absent_words(asked, held_stems(told, language)) == ()
    assert len(absent_words(asked, held_stems(other, language))) == 1


@pytest.mark.parametrize(
    ("question", "common", "terms"),
    [
        ("What is new in Corkfit 3.1.2?", {"corkfit"}, {"3.1.2"}),
        ("What is new in Corkfit 3.1.2?", {"jar"}, {"corkfit", "3.1.2"}),
        ("What is new in Corkfit Jar?", {"corkfit"}, {"corkfit", "jar"}),
    ],
)
def test_a_version_of_what_all_is_about_is_held_by_the_version(
    question: str, common: set[str], terms: set[str]
) -> None:
    [name] = [word for word in with_bare_versions(asked_words(question), frozenset(common)) if word.is_name]
    assert name.terms == terms


def test_a_noun_that_was_searched_is_held_as_it_was_found() -> None:
    asked = asked_words("Was darf der Vorstand ausgeben?", (SimilarWord(word="ausgeben", found="ausgaben"),))
    held = held_stems("Der Vorstand darf Ausgaben beschließen.", "de")
    assert absent_words(asked, held) == ()


@pytest.mark.parametrize(
    ("question", "missed"),
    [
        ("When was the lid supposed to rust?", ["lid", "rust"]),
        ("Wann ist der Deckel eigentlich gerostet?", ["Deckel", "gerostet"]),
        ("Who was the supplier of the best lid?", ["supplier", "lid"]),
    ],
)
def test_the_lack_of_words_that_any_question_may_have_is_not_told(question: str, missed: list[str]) -> None:
    assert [word.text for word in asked_words(question) if not says_little(word)] == missed

"""Words of questions that say little by themselves: an answer seldom has them, and to lack them tells a reader nothing.

They are searched for and counted as others are, but it is not told that no passage holds them: of 26 lines that told
it of such words alone 1 was of use.
"""

from functools import cache

from quaestor.evidence.stemming import added_stems
from quaestor.evidence.tokenization import terms
from quaestor.research.offline.words.wording import AskedWord

_ENGLISH = """
    according actually back bad become begin best better big bring come common current currently different early
    ever exactly fall fell finally general get give gets go going gone good great happen high hold i.e e.g instead
    keep kind large last late less let little log long look low make mere much near need new next old other own part
    people person place please point possible put really run same seem seen set several short sit small someone
    something sort stand start stay still stood suppose supposed take taken than thing think throw time today took
    try turn use usually want way well went wondering work worst young
"""
_GERMAN = """
    aktuell alt ander bekommen besser best bleiben brauchen bringen derzeit eigen eigentlich früh gar geben gehen
    genau gleich groß gut halten hoch jetzt kommen kurz lang lassen leicht letzt liegen machen mögen nah nehmen neu
    nächst richtig schlecht sitzen später spät stehen stellen tun wenig werden wollen
"""
_FRENCH = """
    actuel actuellement aller ancien autre avoir beaucoup bon dernier devenir donner faire grand haut jeune long
    maintenant mettre moment petit plusieurs prendre prochain rester tard tenir tôt venir vieux vouloir
"""
_SPANISH = """
    actual actualmente ahora alto bueno dar decir grande hacer hoy ir joven llegar malo nuevo otro pequeño poner
    querer quedar tarde tener tomar varios venir viejo último
"""
_EVERYDAY = {
    "en": "cost pay year month week day change number name",
    "de": "kosten bezahlen zahlen jahr monat woche tag ändern nummer heißen",
    "fr": "coûter coûte payer paye année an mois semaine jour changer numéro appeler",
    "es": "costar cuesta pagar año mes semana día cambiar número llamar",
    "it": "costare costa pagare anno mese settimana giorno cambiare numero chiamare",
    "nl": "kosten betalen jaar maand week dag veranderen nummer heten",
}
"""What much else is said of as well: a passage that holds no other word of a question is about something else."""
_BY_LANGUAGE = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH}


def says_little(word: AskedWord) -> bool:
    """Return whether an asked word is none whose lack is worth telling; a name always is."""
    return not word.is_name and word.terms <= _light_stems()


def is_everyday(word: AskedWord) -> bool:
    """Return whether an asked word tells no subject by itself; a name always does."""
    return says_little(word) or (not word.is_name and bool(word.terms) and word.terms <= _everyday_stems())


@cache
def _everyday_stems() -> frozenset[str]:
    stems = (stem for language, said in _EVERYDAY.items() for stem in added_stems(said, language))
    return frozenset((*terms(" ".join(_EVERYDAY.values())), *stems))


@cache
def _light_stems() -> frozenset[str]:
    stems = (stem for language, said in _BY_LANGUAGE.items() for stem in added_stems(said, language))
    return frozenset((*terms(" ".join((_ENGLISH, *_BY_LANGUAGE.values()))), *stems))

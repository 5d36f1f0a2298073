"""Abbreviations and initials, whose full stop ends no sentence or may end one as well."""

import re

from quaestor.evidence.stopwords import ENGLISH, RUSSIAN, SPANISH, word_set

_ACRONYM = re.compile(r"[A-Za-z]|(?:[A-Za-z]\.)+[A-Za-z]")
_INITIAL_BEHIND = re.compile(r"[^\W\d_]\.(?!\w)")
_DEGREES_BEHIND = re.compile(r"\d+(?:[.,]\d+)?\s*[°º]")

_ABBREVIATIONS = word_set(
    """
    dr mr mrs ms prof st mt ft gen sen rep gov capt col lt sgt maj cpl rev hon pres supt messrs mme mlle vs cf e.g
    i.e eg ie viz approx ca resp incl excl esp nb ed eds trans vol vols fig figs eq eqs sec chap ch pp par art nr
    nos bd z.b d.h bzw u.a s.a ggf evtl sr sra srta dra ud uds pág págs núm av avda p.ej ee
    lieut cmdr pvt vgl sog inkl exkl zzgl einschl bspw hrsg geb fa dipl ing med mio mrd mmes mlles mgr éd boul
    aprox excmo excma ilmo dña lic gral hnos rvdo mons sig sigg dott avv geom cav egr spett pag pagg cfr exmo exma
    profa séc dhr mevr mej drs bijv evt blz inż np tzn tzw tj ul ks św m.in zob проф акад ул напр св
    """
)
_FINAL_ABBREVIATIONS = word_set(
    """
    etc al inc ltd co corp bros jr sr a.m p.m ph.d m.d b.a m.a b.c a.d b.c.e c.e jan feb mar apr jun jul aug sep
    sept oct nov dec dept univ assn ave blvd rd est min max usw ee.uu uu ibid ex ej phil nat im им ред изд
    """
)
"""These may end a sentence as well ("founded in the U.S. The ..."), so what follows decides."""
_NUMBER_ABBREVIATIONS = word_set(
    """
    no nos op opp p pp para pep bpo issue v ver version art nr n núm s § tel tél abs abb anm kap ziff tab env apdo
    rys ryc godz poz pkt okt dez janv févr avr juil déc ene abr dic стр рис гл кв табл ст п д
    """
)
"""These end no sentence before a number."""
_DEGREES = word_set("lat long lon")
"""These end no sentence before degrees; they are words as well, as "lat" is the years of Polish."""
_OPENERS = ENGLISH | SPANISH | RUSSIAN
_STREET = "str"
"""How the name of a street ends in German before the number of a house: "Bahnhofstr. 5"."""


def is_abbreviation(token: str, behind: str) -> bool:
    """Return whether the full stop after a word ends no sentence; `behind` is what follows, without opening marks."""
    word = token.casefold()
    before_number = behind[:1].isdigit()
    if word in _ABBREVIATIONS or (before_number and (word in _NUMBER_ABBREVIATIONS or word.endswith(_STREET))):
        return True
    if word in _DEGREES and _DEGREES_BEHIND.match(behind):
        return True
    # "To the N. E." goes on, although "E" is a word with which sentences open in other languages.
    is_initial = _ACRONYM.fullmatch(token) is not None or (len(token) == 1 and token.isupper())
    if is_initial and behind[:1].isupper() and _INITIAL_BEHIND.match(behind):
        return True
    return (word in _FINAL_ABBREVIATIONS or is_initial) and not _is_sentence_opener(behind)


def _is_sentence_opener(behind: str) -> bool:
    """Return whether a text begins with a word that sentences open with: a function word with a capital letter."""
    word = re.split(r"\W", behind, maxsplit=1)[0]
    return word[:1].isupper() and not word[1:].isupper() and word.casefold() in _OPENERS

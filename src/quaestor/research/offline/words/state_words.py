"""Words by which prose tells what has become of a thing, or how something really was, in seven languages."""

import re

from quaestor.evidence.tokenization import normalize

_STATE_KEYS = frozenset(
    {
        "status",
        "state",
        "condition",
        "zustand",
        "stand",
        "état",
        "etat",
        "statut",
        "estado",
        "stato",
        "staat",
        "situação",
    }
)
"""Names of fields that hold what is so for a time."""
_PLACE_KEYS = frozenset(
    {
        "place",
        "venue",
        "location",
        "room",
        "where",
        "ort",
        "raum",
        "saal",
        "treffpunkt",
        "lieu",
        "salle",
        "endroit",
        "lugar",
        "sala",
        "luogo",
        "sede",
        "plaats",
        "zaal",
    }
)
"""Names of fields that hold where something is."""
_OUTCOME = (
    r"out of date|outdated|obsolete|superseded|withdrawn|released|published|approved|accepted|rejected|resolved|fixed"
    r"|solved|closed|re-?opened|finished|completed|done|paid|sold|cancelled|returned|sent back|came back"
    r"|veraltet|überholt|zurückgezogen|freigegeben|veröffentlicht|genehmigt|angenommen|abgelehnt|behoben|gelöst"
    r"|erledigt|(?:ab)?geschlossen|bezahlt|verkauft|zurückgegeben|kam zurück"
    r"|périmée?|obsolète|retirée?|publiée?|approuvée?|acceptée?|rejetée?|résolue?|réglée?|terminée?|fermée?|payée?"
    r"|vendue?|rendue?|revenue?"
    r"|obsolet[oa]|retirad[oa]|publicad[oa]|aprobad[oa]|aceptad[oa]|rechazad[oa]|resuelt[oa]|terminad[oa]|cerrad[oa]"
    r"|pagad[oa]|vendid[oa]|devuelt[oa]"
    r"|superat[oa]|ritirat[oa]|pubblicat[oa]|approvat[oa]|accettat[oa]|respint[oa]|risolt[oa]|terminat[oa]|chius[oa]"
    r"|pagat[oa]|vendut[oa]|restituit[oa]"
    r"|verouderd|achterhaald|ingetrokken|vrijgegeven|gepubliceerd|goedgekeurd|afgewezen|opgelost|afgehandeld"
    r"|gesloten|betaald|verkocht|teruggegeven|kwam terug"
    r"|desatualizad[oa]|publicad[oa]|aprovad[oa]|aceit[oa]|rejeitad[oa]|resolvid[oa]|concluíd[oa]|fechad[oa]|pag[oa]"
    r"|vendid[oa]|devolvid[oa]"
)
IS = (
    r"is|was|are|were|has been|ist|war|wurde|est|était|a été|es|era|fue|está|ha sido|è|fu|è stat[oa]|wordt|werd|é|foi"
    r"|foram|estava"
)
"""Verbs that connect a thing with what is said of it."""
_SUBJECT = (
    r"it|this|the|dies\w*|das|der|die|es|er|sie|ce|cet(?:te)?|il|elle|le|la|est[ea]|el|quest[oa]|lo|deze|dit|het|de|hij"
    r"|este|esta|o|a"
)
NEW_OUTCOME = re.compile(
    rf"\W*(?:(?:{_SUBJECT})\b(?: \w+){{0,2}} )?(?:(?:{IS}) )?"
    rf"(?:(?:now|already|jetzt|schon|bereits|désormais|ya|ora|já) )?(?:\w+ (?:and|und|et|y|e|en) )?(?:{_OUTCOME})\b",
    re.IGNORECASE,
)
"""How a sentence begins that tells what has become of what a document is about: "Checked and released by"."""
BACK = re.compile(
    rf"\b(?:{_OUTCOME}|back|t(?:ook|aken) (?:away|over)|zurück|weg|retour|de vuelta|indietro|terug|de volta)\b",
    re.IGNORECASE,
)
"""What tells, beside the name of a thing, that it is elsewhere now or has come to an end."""
REALLY = re.compile(
    r"\b(?:in fact|actually|really|in truth|in reality|eigentlich|tatsächlich|in wirklichkeit|en fait|en réalité"
    r"|vraiment|en realidad|de hecho|realmente|in realtà|in effetti|eigenlijk|in werkelijkheid|feitelijk|na verdade"
    r"|na realidade|de facto)\b",
    re.IGNORECASE,
)
"""What sets something right that is said or written elsewhere."""
SETS_RIGHT = re.compile(
    r"\b(?:instead(?! of)|(?:should|must|ought to) (?:read|be)|stattdessen"
    r"|(?:muss|soll(?:te)?) (?:es )?(?:\w+ )?(?:heißen|lauten)"
    r"|à la place(?! d)|(?:il faut|doit se) lire|en su lugar|debe (?:leerse|decir)|invece(?! di)|deve leggersi"
    r"|in plaats daarvan|moet (?:\w+ )?(?:zijn|luiden)|em vez disso|deve ler-se)\b",
    re.IGNORECASE,
)
"""Said of what holds in place of something that is written above it."""


def is_state_key(key: str) -> bool:
    """Return whether a field holds what is so for a time, as a status."""
    return normalize(key) in _STATE_KEYS


def is_place_key(key: str) -> bool:
    """Return whether a field holds where something is."""
    return normalize(key) in _PLACE_KEYS

"""Questions what holds now and whether something still is, and the words by which texts tell that it is no more."""

import re

_STILL = re.compile(
    r"\b(?:still (?:exist\w*|there|valid|active|used?|in (?:use|force|place)|open|run(?:s|ning)?|appl(?:y|ies)|meet\w*"
    r"|live\w*|work\w*|support\w*|availab\w*)|noch|encore|toujours|todavía|aún|sigue\w*|ancora|nog|ainda)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?<!-)\b(?:still|now|today(?!['\u2019]s)|currently|at (?:the moment|present)|nowadays|these days|any ?more"
    r"|any longer"
    r"|(?:the|our|its|their|your) current (?!working|director|user|time|thread|process|context|session|line)\w+"
    r"|jetzt|derzeit\w*|aktuell\w*|zurzeit|zur zeit|momentan|inzwischen|mittlerweile|heutzutage"
    r"|maintenant|actuel\w*|désormais|aujourd.hui|ahora|actualmente|(?:el|la|los|las) (?:\w+ )?actual(?:es)?|hoy"
    r"|adesso|attual\w*|tuttora|ormai|momenteel|huidige|tegenwoordig|agora|atual\w*)\b",
    re.IGNORECASE,
)
"""Said by who asks for the time at which he asks: a current may be electric, and whoever was present was there then."""
_CLAUSE = re.compile(r"(?<=\w )(?:while|when|if|although|though|because|where|as long as)\b[^,?]*", re.IGNORECASE)
"""What is so at any time at which something else is: "if a lid is still open"."""
_ENDED = {
    "de": "ersetzt aufgelöst abgeschafft eingestellt beendet",
    "en": "replaced dissolved abolished discontinued ended",
    "es": "sustituido disuelto suprimido cancelado terminado",
    "fr": "remplacé dissous supprimé arrêté terminé",
    "it": "sostituito sciolto soppresso cessato terminato",
    "nl": "vervangen opgeheven afgeschaft gestopt beëindigd",
    "pt": "substituído dissolvido extinto cancelado terminado",
}


def asks_for_now(question: str) -> bool:
    """Return whether a question asks what holds at the time when it is asked."""
    asked = _CLAUSE.sub(" ", question)
    return _STILL.search(asked) is not None or _NOW.search(asked) is not None


def ending_words(question: str, language: str) -> str:
    """Return words of a language for the end of what a question asks whether it still is; nothing for any other one."""
    return _ENDED.get(language, "") if _STILL.search(question) else ""

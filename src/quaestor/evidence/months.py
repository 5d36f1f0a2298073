"""The names of the months as texts of some languages write them."""

_MONTHS = (
    "jan enero janvier januar january jan. gennaio janeiro januari stycznia января",
    "feb febrero février februar february feb. febbraio fevereiro februari lutego февраля",
    "mar marzo mars märz march mar. março maart marca марта",
    "apr abril avril april abr apr. aprile kwietnia апреля",
    "may mayo mai maggio maio mei maja мая",
    "jun junio juin juni june jun. giugno junho czerwca июня",
    "jul julio juillet juli july jul. luglio julho lipca июля",
    "aug agosto août august ago aug. augustus sierpnia августа",
    "sep septiembre septembre september sept sep. settembre setembro września сентября",
    "oct octubre octobre oktober october oct. ottobre outubro października октября",
    "nov noviembre novembre november nov. listopada ноября",
    "dec diciembre décembre dezember december dic dec. dicembre dezembro grudnia декабря",
)
MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
"""The number of each month by its names, in small letters."""


def month_number(word: str) -> int | None:
    """Return the number of the month that a word names, or None."""
    return MONTH_NUMBERS.get(word.casefold())

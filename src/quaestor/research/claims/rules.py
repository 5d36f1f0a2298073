"""Rules that need no model: every number and name of a sentence stands in its quotes, or is computed from them.

A sentence that breaks one is unverifiable, whatever else it says. One that breaks none is not supported by that:
whether its quotes mean what it says is for a checker. Years and months are numbers and names like any other.
"""

from collections.abc import Sequence

from quaestor.research.claims.dates import missing_days
from quaestor.research.claims.names import missing_names
from quaestor.research.claims.times import missing_times
from quaestor.research.claims.values import missing_numbers
from quaestor.research.contracts.verdicts import RULES, ClaimCheck, Verdict


def check_by_rules(sentence: str, quotes: Sequence[str], context: Sequence[str]) -> ClaimCheck | None:
    """Return the verdict of the rules on a sentence, or None where they find nothing wrong.

    `context` are the titles of the quoted sources and the question: names may stand there, numbers only in the titles
    and the quotes themselves.
    """
    missing = (
        *missing_numbers(sentence, quotes),
        *missing_names(sentence, quotes, context),
    )
    missing = missing or (*missing_days(sentence, quotes), *missing_times(sentence, quotes))
    if not missing:
        return None
    named = ", ".join(f"“{each}”" for each in dict.fromkeys(missing))
    note = f"{named} {'stands' if len(set(missing)) == 1 else 'stand'} in none of its quotes."
    return ClaimCheck(verdict=Verdict.UNVERIFIABLE, note=note, checked_by=RULES)

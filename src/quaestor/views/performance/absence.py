"""Why a figure is not defined, in words that are the same wherever it is shown."""

from quaestor.contracts.performance import Figure

NO_POINTS = "there is no point of the curve"
ONE_POINT = "there is one point of the curve, so no period"
ONE_RETURN = "there is one period, and a deviation needs two"
NO_START = "the curve starts at zero"
RUINED = "the equity fell to zero, and no return follows on that"
NO_TIME = "all points are of one time"
STILL = "the returns do not vary"
NEVER_BELOW = "no period fell below the target"
SHORT = "the curve is shorter than a year"
NO_EQUITY = "there was no equity"
NO_ROUND_TRIP = "no round trip was closed"


def defined(value: float) -> Figure:
    """Give a figure that has a value."""
    return Figure(value=value)


def absent(why: str) -> Figure:
    """Give a figure that has none, and say why."""
    return Figure(absent=why)

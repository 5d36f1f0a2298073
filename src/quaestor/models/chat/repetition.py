"""A reply that repeats itself: small models come to no end by themselves."""

_MIN_REPEATED_LENGTH = 480
"""Characters at the end of a reply that have to be repetitions."""
_MIN_REPETITIONS = 8
_MAX_UNIT_LENGTH = 240
LONGEST_END = _MAX_UNIT_LENGTH * _MIN_REPETITIONS
"""Characters from the end of a reply that are looked at."""


def repeats_itself(text: str) -> bool:
    """Return whether a text ends in one piece of at most 240 characters, eight times or more, for 480 characters.

    White space without end is such a piece, too: it is what a grammar lets a model write that has nothing to say.
    """
    longest = min(_MAX_UNIT_LENGTH, len(text) // _MIN_REPETITIONS)
    return any(_ends_in_repetitions_of(text, length) for length in range(1, longest + 1))


def _ends_in_repetitions_of(text: str, length: int) -> bool:
    tail = max(_MIN_REPEATED_LENGTH, length * _MIN_REPETITIONS)
    end = text[-tail:]
    return len(end) == tail and end[length:] == end[:-length]

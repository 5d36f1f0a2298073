"""Prints the most frequent words, one a line, with their counts."""

import sys

from counter import count

SHOWN = 20
"""Lines that are printed."""


def main() -> None:
    """Read standard input to its end and print the most frequent words."""
    for word, times in count(sys.stdin).most_common(SHOWN):
        print(f"{times:>8} {word}")

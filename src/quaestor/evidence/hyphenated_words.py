"""Words that some write with a hyphen and others as one: Wi-Fi and wifi, call-out and callout."""

import re

_HYPHENS = "\u2010\u2011-"
_LETTERS = r"[^\W\d_]{2,}"
_HYPHENATED = re.compile(rf"(?<![\w{_HYPHENS}])({_LETTERS})[{_HYPHENS}]({_LETTERS})(?![\w{_HYPHENS}])")
"""Of two parts; one with a single letter, as e-mail, is one term anyway, and what has more is a phrase."""


def joined_forms(text: str) -> tuple[str, ...]:
    """Return the words of a text that have a hyphen, each as one word in small letters, in order."""
    if text.isascii() and "-" not in text:
        return ()
    return tuple(f"{one}{two}".casefold() for one, two in _HYPHENATED.findall(text))

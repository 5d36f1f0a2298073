"""The fields of a post that stand in a comment above it, as `.. title: A`: generators of static sites read them."""

import re

_FIELD = r"[ \t]*(?:\.\. )?[A-Za-z][\w-]*:(?:[ \t][^\n]*)?"
_IN_COMMENT = re.compile(rf"\s*<!--(?P<lines>(?:[ \t]*\n|{_FIELD}\n)*?(?:{_FIELD})?)\s*-->")
"""A comment of Markdown that holds nothing else."""
_COMMENT_LINES = re.compile(r"\s*(?P<lines>(?:\.\. [A-Za-z][\w-]*:(?:[ \t][^\n]*)?(?:\n|\Z))+)")
"""Comments of reStructuredText; a directive has two colons."""
_MARK = re.compile(r"^[ \t]*(?:\.\. )?", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*\S", re.MULTILINE)
_FULL_STOP = re.compile(r"^(title:.*[^\W\d_]{4})\.[ \t]*$", re.MULTILINE)
"""As of "Version 2.0.10 released."; one behind fewer letters may be that of an abbreviation."""
_MAX_CHARACTERS = 10_000


def comment_fields(text: str) -> str:
    """Return the fields in a comment at the top of a text, a line for each; nothing where none of them is its title."""
    top = text[:_MAX_CHARACTERS].removeprefix("\ufeff")
    found = _IN_COMMENT.match(top) or _COMMENT_LINES.match(top)
    if found is None:
        return ""
    fields = "".join(f"{line}\n" for line in _MARK.sub("", found["lines"]).splitlines() if line.strip())
    return _FULL_STOP.sub(r"\1", fields) if _TITLE.search(fields) else ""

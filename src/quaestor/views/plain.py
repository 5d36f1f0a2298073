"""Text that Markdown shows as it is: none of it becomes structure, a link or HTML."""

import re

from quaestor.views.visible import one_line

_ANYWHERE = re.compile(r"[\\`*_\[\]<>#|~$@]|&(?=#?\w+;)|:(?=//)|(?<=mailto):|(?<=www)\.", re.IGNORECASE)
_AT_THE_START = re.compile(r"^(\d+(?=[.)](?: |$))|(?=[-+]))(.)")


def plain(text: str) -> str:
    """Give the text on one line, escaped for Markdown, whether it begins a block or stands inside one."""
    return _AT_THE_START.sub(r"\1\\\2", inline(text))


def inline(text: str) -> str:
    """Give the text on one line, escaped for Markdown inside a line or a cell that something else begins."""
    return _ANYWHERE.sub(r"\\\g<0>", one_line(text))

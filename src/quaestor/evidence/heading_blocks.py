"""Headings: by the signs of a format, by a rule above or below, by capitals, by a number."""

import re
from collections.abc import Sequence

from quaestor.evidence import asciidoc
from quaestor.evidence.block_lines import Block, BlockKind, Line, line_text, make_block
from quaestor.evidence.day_headings import DAY
from quaestor.evidence.numbered_headings import NEAR_LINES, numbered_heading_depth

CAPITALS = "capitals"
"""The style of a heading that is told by its letters alone."""
NUMBERED = "numbered"
"""The style of a heading that is told by its number alone; below it are those with more numbers: 4, 4.1."""
_RULED = "ruled"
"""How the style of a heading begins that has rules of number signs."""

_MAY_BE_CODE = "text/plain"
"""The media type of source code, too, whose comments have number signs before, above and below them."""
_WITHOUT_NUMBER_SIGNS = frozenset({"text/x-rst", _MAY_BE_CODE})
"""Media types in which a line after a number sign is a comment or a shell prompt and no heading."""

_MAX_TITLE = 80
"""Characters of a title above a shorter rule."""
_MAX_CAPITALS = 80
"""Characters of a heading in capitals."""
_REPEAT_LINES = 100
"""How far a line in capitals is searched for again: one that returns is who speaks, or the top of a page."""
_ADORNMENT = re.compile(r"([=\-~^\"'#*+.:_])\1{2,}")
_BACKTICKS = re.compile(r"`{4,}")
"""Below a title no longer than they are; three open code in Markdown."""
_NUMBER_SIGNS = re.compile(r"(#{1,6})[ \t]+(?=[^\s#])")
_CLOSING_SIGNS = re.compile(r"[ \t]+#+\Z")
_WIKI_HEADING = re.compile(
    r"(?P<sign>=(?: ?=){0,5}) +(?P<words>[^\s=](?:.*[^\s=])?) +(?P=sign)"
    r"|(?P<close>={2,6})(?=[^=]*[^\W\d_]) *(?P<within>[^\s=](?:.{0,80}[^\s=])?(?<![.!?:;,])) *(?P=close)"
)
"""Of MediaWiki; a sentence close to its signs is one that some mark as important."""
_CAPITALS = re.compile(
    r"(?P<number>\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,5})[.)]? +)?"
    r"(?P<words>[^\W_](?:[^\W_]|[&,()/:'\u2019\u2013\u2014-]| (?! ))*(?<![ ,:/&-]))"
)
_REMARK = re.compile(r"(?<=\S)(?:[ \t]+\([^()]*\))+\.?\Z")
"""What stands in brackets at the end of a line."""
_OUTER_MARKS = "'\"\u2018\u2019\u201c\u201d!?. "
"""Around a name that a remark follows: "WHO IS THERE? (p. 3)"."""
_MIN_CAPITALS = 5
"""Letters of a heading in capitals that is one word without a number."""
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|code|em|font|i|img|kbd|mark|picture|s|small|source|span|strong|sub|sup|u)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[(?P<words>[^\[\]]*)\]\([^()]*\)")
_EMPHASIS = re.compile(
    r"(?P<code>(?P<ticks>`+)[^`].*?(?P=ticks))"
    r"|(?<![\w*])(?P<mark>\*{1,3})(?=[^\s*])(?P<words>[^*]*[^\s*])(?P=mark)(?![\w*])"
)
"""Code, which stays as it is, or words between stars."""
_MARKS = re.compile(r"[`<\[*]")
"""In all of these; few headings have one."""
_ROLE = re.compile(r":[a-zA-Z][\w:+.-]*:`~?(?P<words>[^`<>]*?)(?:\s*<[^`<>]*>)?`")
"""As :ref:`Settings <settings>` in reStructuredText."""

_DATED_LINE = re.compile(
    r"(?:[^\W\d_]+,? )?(?:[^\W\d_]+\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}\.? [^\W\d_]+\.? \d{4}|\d{4}-\d\d-\d\d)"
)
"""Nothing but a day: "Thursday, Jun 27, 2024"."""


def marked_heading(lines: Sequence[Line], at: int) -> Block | None:
    """Return a heading that a format marks: by signs before it, or by a rule below it or around it."""
    line = lines[at].text
    if signs := _NUMBER_SIGNS.match(line):
        whole = make_block(BlockKind.HEADING, lines, at, at, signs.end())
        return whole._replace(end=whole.bottom - len(line) + len(_CLOSING_SIGNS.sub("", line)), style=signs[1])
    if wiki := _WIKI_HEADING.fullmatch(line):
        sign, part = (wiki["sign"], "words") if wiki["sign"] else (wiki["close"], "within")
        whole = make_block(BlockKind.HEADING, lines, at, at, wiki.start(part))
        return whole._replace(end=whole.top + wiki.end(part), style=sign.replace(" ", ""))
    if line[0] == "=" and not lines[at].indent and (section := asciidoc.section_signs(lines, at)):
        return make_block(BlockKind.HEADING, lines, at, at, section.end())._replace(style=section[1])
    if _ADORNMENT.fullmatch(line):
        return _overlined(lines, at)
    return _underlined(lines, at) or _dated_entry(lines, at)


def _overlined(lines: Sequence[Line], at: int) -> Block | None:
    line, title = lines[at].text, line_text(lines, at + 1)
    if not title or _ADORNMENT.fullmatch(title) or line_text(lines, at + 2) != line or len(title) > len(line) + 1:
        return None
    whole = make_block(BlockKind.HEADING, lines, at, at + 2)
    return whole._replace(start=lines[at + 1].start, end=lines[at + 1].end, style=_rule_style(line[0], 2))


def _underlined(lines: Sequence[Line], at: int) -> Block | None:
    line, below = lines[at].text, line_text(lines, at + 1)
    if not lines[at].indent and _BACKTICKS.fullmatch(below) and line[0] not in "`~" and len(below) >= len(line):
        return make_block(BlockKind.HEADING, lines, at, at + 1)._replace(end=lines[at].end, style=_rule_style("`", 1))
    if lines[at].indent or not _ADORNMENT.fullmatch(below) or line.startswith(("```", "~~~")):
        return None
    # A mark that is shorter than a sentence above it closes a block of AsciiDoc.
    if len(below) < len(line) and (below[0] not in "=-" or line.endswith(".") or len(line) > _MAX_TITLE):
        return None
    return make_block(BlockKind.HEADING, lines, at, at + 1)._replace(end=lines[at].end, style=_rule_style(below[0], 1))


def _dated_entry(lines: Sequence[Line], at: int) -> Block | None:
    """Return the two lines of a heading in a list of changes: what was released, and on which day, above a rule."""
    line, below, rule = lines[at].text, line_text(lines, at + 1), line_text(lines, at + 2)
    is_ruled = rule and set(rule) == {"="} and len(rule) >= max(len(line), len(below)) > 0
    if not is_ruled or lines[at].indent or not _DATED_LINE.fullmatch(below):
        return None
    whole = make_block(BlockKind.HEADING, lines, at, at + 2)
    return whole._replace(end=lines[at + 1].end, style=_rule_style("=", 1))


def _rule_style(sign: str, rules: int) -> str:
    """Return the style of a heading with so many rules of a sign."""
    # Where a line after number signs is a comment, a line above or below a rule of them may still be a heading.
    return f"{_RULED if sign == '#' else ''}{rules * sign}"


def heading_in_capitals(lines: Sequence[Line], at: int) -> Block | None:
    """Return a line in capitals above other words, with or without a number: so plain texts write headings.

    What is in brackets at its end need not be so: "RIVER SONG (p. 12)".
    """
    line, below = lines[at], line_text(lines, at + 1)
    if (at and lines[at - 1].text) or line.indent or len(line.text) > _MAX_CAPITALS:
        return None
    title = _in_capitals(line.text) or _name_with_remark(lines, at)
    if title is None or (below and below == below.upper()):
        return None
    letters = sum(letter.isupper() for letter in title["words"])
    is_several = " " in title["words"] or title["number"]
    near = (*lines[max(0, at - _REPEAT_LINES) : at], *lines[at + 1 : at + _REPEAT_LINES])
    names = {title[0], _without_remark(title[0])}
    if letters < (2 if is_several else _MIN_CAPITALS) or any(_without_remark(one.text) in names for one in near):
        return None
    return make_block(BlockKind.HEADING, lines, at, at)._replace(style=CAPITALS)


def _name_with_remark(lines: Sequence[Line], at: int) -> re.Match[str] | None:
    """Return the name in capitals before a remark in brackets, if the line stands apart from the words below it.

    Of several such lines one below the other, as in a list of officers, each says something itself.
    """
    name = _name_before_remark(lines[at].text)
    is_apart = not line_text(lines, at + 1) or lines[at + 1].indent
    below = next((line.text for line in lines[at + 1 : at + 1 + NEAR_LINES] if line.text), "")
    return name if is_apart and below and not _name_before_remark(below) else None


def _name_before_remark(line: str) -> re.Match[str] | None:
    return _in_capitals(_without_remark(line).strip(_OUTER_MARKS)) if _REMARK.search(line) else None


def _in_capitals(line: str) -> re.Match[str] | None:
    return _CAPITALS.fullmatch(line) if line == line.upper() else None


def _without_remark(line: str) -> str:
    return _REMARK.sub("", line)


def numbered_heading(lines: Sequence[Line], at: int) -> Block | None:
    """Return a line with a number that stands alone above other words."""
    if lines[at].indent or (at and lines[at - 1].text):
        return None
    below = [" " * line.indent + line.text for line in lines[at + 1 : at + 1 + NEAR_LINES]]
    depth = numbered_heading_depth(lines[at].text, below)
    return (
        None if depth is None else make_block(BlockKind.HEADING, lines, at, at)._replace(style=NUMBERED + "." * depth)
    )


def plain_heading(written: str) -> str:
    """Return the words of a heading on one line, without tags, images, addresses and emphasis."""
    if not _MARKS.search(written):
        return " ".join(written.split())
    for mark, words in ((_ROLE, r"\g<words>"), (_TAG, ""), (_IMAGE, ""), (_LINK, r"\g<words>")):
        written = mark.sub(words, written)
    return " ".join(without_emphasis(written).split())


def without_emphasis(written: str) -> str:
    """Return words without the stars around those that Markdown makes bold or italic; code keeps its own.

    Of a role of reStructuredText the words that are shown for it stay.
    """
    return _EMPHASIS.sub(lambda found: found["code"] or found["words"], _ROLE.sub(r"\g<words>", written))


def starts_with_signs(line: str) -> bool:
    """Return whether a line is a heading by its signs, whatever is below it."""
    return bool(_NUMBER_SIGNS.match(line) or _WIKI_HEADING.fullmatch(line))


def is_rule(line: str) -> bool:
    """Return whether a line is drawn: the same mark three times or more."""
    return _ADORNMENT.fullmatch(line) is not None


def is_comment(style: str, media_type: str) -> bool:
    """Return whether what looks like a heading of a style is a comment, framed or not, in texts of a media type."""
    if style.startswith(_RULED):
        return media_type == _MAY_BE_CODE
    return style[0] == "#" and media_type in _WITHOUT_NUMBER_SIGNS


def is_told_by_words(style: str) -> bool:
    """Return whether a heading of a style has no mark of a format: its letters, its number or its day show it."""
    return style in {CAPITALS, DAY} or style.startswith(NUMBERED)

"""The template of an agent: a system message that never changes, and a user message that says what is asked.

The source is parted into messages before anything is put into it, and what is put into it never passes through
Handlebars: a data tag leaves a placeholder, and the framed data takes its place in the finished message. So nothing
in the data can open another message, name a variable or end a block.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from dotpromptz_handlebars import Handlebars, HelperOptions

from quaestor.agents.checks import partial_faults, role_faults, tag_faults
from quaestor.agents.page import Fault, Page, refuse, told
from quaestor.agents.showing import Fact, data, facts
from quaestor.agents.tags import tags
from quaestor.agents.vocabulary import Vocabulary, vocabulary
from quaestor.contracts.agent import Message
from quaestor.contracts.errors import UsageError
from quaestor.contracts.roles import Shown

_PLACE = re.compile("\0(\\w+)\0")


class Template(NamedTuple):
    """A checked template, ready to be filled."""

    system: str
    user: Callable[[Mapping[str, Fact]], str]
    blank: Mapping[str, Fact]
    """Every variable at its zero, for what a given does not have."""

    def messages(self, given: Shown) -> tuple[Message, ...]:
        """Give what a model is told of this given, the part that never changes first."""
        text = self.user({**self.blank, **facts(given)}).strip()
        user = Message(role="user", text=_PLACE.sub(lambda place: data(given, place[1]), text))
        return (Message(role="system", text=self.system), user) if self.system else (user,)


class _Section(NamedTuple):
    role: str
    text: str
    line: int

    @property
    def changing(self) -> bool:
        return self.role != "system"


def template(page: Page, text: str, line: int, kinds: Iterable[type[Shown]], partials: Mapping[str, Page]) -> Template:
    """Check and compile the template that begins at this line of a file, for what the agent can be given.

    Raises UsageError that names the file, and the line and tag of every fault, in the partials too.
    """
    words = vocabulary(kinds)
    sections = {section.role: section for section in _sections(text, line)}
    refuse(page.path, [*role_faults(text, line), *_faults(sections.values(), words, partials)])
    for section in sections.values():
        for name in used(section.text):
            shared = tags(partials[name].text)
            refuse(
                partials[name].path, [*partial_faults(shared), *tag_faults(shared, words, changing=section.changing)]
            )
    try:
        system = _compiled(sections["system"], partials)({}) if "system" in sections else ""
        user = _compiled(sections["user"], partials)
    except ValueError as error:
        raise UsageError(told(page.path, Fault(line, "template", f"it cannot be compiled: {error}"))) from error
    return Template(system.strip(), user, dict.fromkeys(words.conditions, 0))


def used(text: str) -> tuple[str, ...]:
    """Give the names of the partials that a template uses, each once."""
    return tuple(dict.fromkeys(tag.name for tag in tags(text) if tag.kind == "partial"))


def _sections(text: str, line: int) -> Iterator[_Section]:
    roles = [tag for tag in tags(text, line) if tag.kind == "role"]
    for tag, after in zip_longest(roles, roles[1:]):
        yield _Section(tag.name, text[tag.end : after.start if after else len(text)], tag.line)


def _faults(sections: Iterable[_Section], words: Vocabulary, partials: Mapping[str, Page]) -> Iterator[Fault]:
    for section in sections:
        found = tags(section.text, section.line)
        yield from tag_faults(found, words, changing=section.changing)
        for tag in found:
            if tag.kind == "partial" and tag.name not in partials:
                yield Fault(tag.line, tag.source, f"there is no file _{tag.name}.prompt beside this one")


def _compiled(section: _Section, partials: Mapping[str, Page]) -> Callable[[Mapping[str, Fact]], str]:
    """Compile a message with its partials put in, which the engine would compile again for every call."""
    engine = Handlebars(escape_html=False, strict=True)
    engine.register_helper("data", _placeholder)
    whole = section.text
    for tag in reversed(tags(section.text)):
        if tag.kind == "partial":
            whole = whole[: tag.start] + partials[tag.name].text.removesuffix("\n") + whole[tag.end :]
    return engine.compile(whole)


def _placeholder(names: list[Any], _: HelperOptions) -> str:
    return f"\0{names[0]}\0"

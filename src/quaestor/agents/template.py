"""The template of an agent: a constant system message, and a user message that depends on the input.

The source is split into messages before anything is inserted, and inserted data never passes through Handlebars: a
data tag leaves a placeholder, which the framed data replaces in the finished message. So nothing in the data can open
another message, name a variable or end a block.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from dotpromptz_handlebars import Handlebars, HelperOptions

from quaestor.agents.front_matter import TemplateVariables, template_variables
from quaestor.agents.rendering import TemplateValue, render_field, template_values
from quaestor.agents.source_file import Fault, SourceFile, format_fault, raise_faults
from quaestor.agents.template_tags import parse_tags, partial_faults, role_faults, tag_faults
from quaestor.contracts.errors import UsageError
from quaestor.contracts.roles import Message, PromptInput

_PLACEHOLDER = re.compile("\0(\\w+)\0")


class Template(NamedTuple):
    """A compiled and checked template."""

    system: str
    user: Callable[[Mapping[str, TemplateValue]], str]
    defaults: Mapping[str, TemplateValue]
    """Every variable with the value 0, for those that an input lacks."""

    def messages(self, prompt_input: PromptInput) -> tuple[Message, ...]:
        """Return the messages for an input, the constant one first."""
        text = self.user({**self.defaults, **template_values(prompt_input)}).strip()
        user = Message(role="user", text=_PLACEHOLDER.sub(lambda found: render_field(prompt_input, found[1]), text))
        return (Message(role="system", text=self.system), user) if self.system else (user,)


class _RoleSection(NamedTuple):
    role: str
    text: str
    line: int

    @property
    def is_dynamic(self) -> bool:
        return self.role != "system"


def compile_template(
    page: SourceFile, text: str, line: int, kinds: Iterable[type[PromptInput]], partials: Mapping[str, SourceFile]
) -> Template:
    """Check and compile the template that begins at this line of a file, for these types of input.

    Raises UsageError that names the file, and the line and tag of every fault, in the partials too.
    """
    variables = template_variables(kinds)
    sections = {section.role: section for section in _split_roles(text, line)}
    raise_faults(page.path, [*role_faults(text, line), *_section_faults(sections.values(), variables, partials)])
    for section in sections.values():
        for name in partial_names(section.text):
            shared = parse_tags(partials[name].text)
            raise_faults(
                partials[name].path,
                [*partial_faults(shared), *tag_faults(shared, variables, is_dynamic=section.is_dynamic)],
            )
    try:
        system = _compile_section(sections["system"], partials)({}) if "system" in sections else ""
        user = _compile_section(sections["user"], partials)
    except ValueError as error:
        raise UsageError(format_fault(page.path, Fault(line, "template", f"it cannot be compiled: {error}"))) from error
    return Template(system.strip(), user, dict.fromkeys(variables.conditions, 0))


def partial_names(text: str) -> tuple[str, ...]:
    """Return the names of the partials that a template uses, each once."""
    return tuple(dict.fromkeys(tag.name for tag in parse_tags(text) if tag.kind == "partial"))


def _split_roles(text: str, line: int) -> Iterator[_RoleSection]:
    roles = [tag for tag in parse_tags(text, line) if tag.kind == "role"]
    for tag, after in zip_longest(roles, roles[1:]):
        yield _RoleSection(tag.name, text[tag.end : after.start if after else len(text)], tag.line)


def _section_faults(
    sections: Iterable[_RoleSection], variables: TemplateVariables, partials: Mapping[str, SourceFile]
) -> Iterator[Fault]:
    for section in sections:
        found = parse_tags(section.text, section.line)
        yield from tag_faults(found, variables, is_dynamic=section.is_dynamic)
        for tag in found:
            if tag.kind == "partial" and tag.name not in partials:
                yield Fault(tag.line, tag.source, f"there is no file _{tag.name}.prompt beside this one")


def _compile_section(
    section: _RoleSection, partials: Mapping[str, SourceFile]
) -> Callable[[Mapping[str, TemplateValue]], str]:
    """Compile a message with its partials inserted, which the engine would otherwise compile again for every call."""
    whole = section.text
    for tag in reversed(parse_tags(section.text)):
        if tag.kind == "partial":
            whole = whole[: tag.start] + partials[tag.name].text.removesuffix("\n") + whole[tag.end :]
    return _compile_text(whole)


@lru_cache(maxsize=128)
def _compile_text(text: str) -> Callable[[Mapping[str, TemplateValue]], str]:
    """Compile a message. A process opens many homes, and nearly all of them use the built-in agents."""
    engine = Handlebars(escape_html=False, strict=True)
    engine.register_helper("data", _placeholder)
    return engine.compile(text)


def _placeholder(names: list[Any], _: HelperOptions) -> str:
    return f"\0{names[0]}\0"

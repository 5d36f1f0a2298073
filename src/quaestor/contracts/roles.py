"""What each role is given and what it gives back.

A given may refuse a reply that fits its contract but not the question: `objections` are answered to the model
just as validation errors are.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from quaestor.contracts.base import Contract


class PromptFrame(NamedTuple):
    """Untrusted text as a prompt frames it: a text, or short texts one a line, with words on its origin."""

    content: str | tuple[str, ...]
    origins: tuple[str, ...]
    """What it is, as its label, then where it is from."""


class PromptInput(Contract):
    """What a role is shown; the base of every role input."""

    for_delegates: ClassVar[bool] = False
    """Whether it is given to an agent to which a todo is delegated: to choose tools, or to fulfil the contract."""

    def frames(self, field: str) -> Sequence[PromptFrame] | None:  # noqa: ARG002 -- what subclasses decide by
        """Return how a field is framed in a prompt where its value alone does not say it; None: by its value."""
        return None


class RoleInput(PromptInput):
    """What a role is given to fulfil a contract; `gives` is the contract of the reply."""

    gives: ClassVar[type[Contract]]

    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Name what makes a well-formed reply unacceptable here; nothing when it may be accepted."""
        if isinstance(reply, self.gives):
            return ()
        return (f"a {self.gives.__name__} is wanted, not a {type(reply).__name__}",)

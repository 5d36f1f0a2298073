"""What each role is given and what it gives back.

A given may refuse a reply that fits its contract but not the question: `objections` are answered to the model
just as validation errors are.
"""

from typing import ClassVar

from quaestor.contracts.base import Contract


class PromptInput(Contract):
    """What a role is shown; the base of every role input."""


class RoleInput(PromptInput):
    """What a role is given to fulfil a contract; `gives` is the contract of the reply."""

    gives: ClassVar[type[Contract]]

    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Name what makes a well-formed reply unacceptable here; nothing when it may be accepted."""
        if isinstance(reply, self.gives):
            return ()
        return (f"a {self.gives.__name__} is wanted, not a {type(reply).__name__}",)

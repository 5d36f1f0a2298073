"""What the checker is given, and what it gives back: doubts only, for it can take support away and never add any."""

from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.noun import Noun
from quaestor.contracts.roles import Given


class CheckLine(Noun):
    """One sentence of a draft with the verified words it rests on."""

    number: int = Field(ge=1)
    text: str
    quotes: tuple[str, ...] = Field(min_length=1)


class Doubt(Noun):
    """A sentence that says something its quotes do not."""

    number: int = Field(ge=1, description="The number of the sentence.")
    reason: str = Field(min_length=1, max_length=500)


class Check(Noun):
    """The sentences that their quotes do not support; none, if all are supported."""

    doubts: tuple[Doubt, ...] = ()


class CheckGiven(Given):
    """For the checker: sentences that stand on verified quotes."""

    gives: ClassVar[type[Noun]] = Check

    sentences: tuple[CheckLine, ...] = Field(min_length=1)

    @override
    def objections(self, reply: Noun) -> tuple[str, ...]:
        """Refuse doubts about sentences that were not given."""
        if not isinstance(reply, Check):
            return super().objections(reply)
        known = {line.number for line in self.sentences}
        return tuple(f"no sentence has the number {one.number}" for one in reply.doubts if one.number not in known)

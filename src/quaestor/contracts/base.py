"""What all contracts share: frozen, strict about unknown fields, validated when they are changed."""

from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Contract(BaseModel):
    """A frozen value that refuses unknown fields; the base of every contract."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", allow_inf_nan=False)

    def revised(self, **changes: object) -> Self:
        """Return a copy with some fields changed, validated as a whole, unlike `model_copy`.

        Raises ValidationError for a field that does not exist and for a value that its field refuses.
        """
        return type(self).model_validate({**self.__dict__, **changes})


Texts = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]
"""Texts that may also be written as a single one."""


class PromptLine(Contract):
    """An item that a prompt shows on one line; the base of contracts that describe themselves."""

    @property
    def text(self) -> str:
        """The line."""
        raise NotImplementedError


def sanitize_text(text: str) -> str:
    """Return a text that every store takes: without lone surrogates and without NUL."""
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")

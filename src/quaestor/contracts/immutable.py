"""Values in memory: frozen, compared by their fields, and cheap to define, to build and to change.

They are for what never leaves the process unchecked, as states and settings of a call; what crosses a border is a
`Contract`, which validates. `field` is for a default that has to be made, `replace` returns a copy with some fields
changed.
"""

from typing import TYPE_CHECKING, Final, dataclass_transform

from msgspec import Struct, field

if TYPE_CHECKING:
    # The same function, whose arguments type checkers compare with the fields.
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["NOT_STORED", "Immutable", "field", "replace"]

NOT_STORED: Final = "not stored"
"""Marks a field of a state, as `Annotated[X, NOT_STORED]`, that is in no snapshot: it is as before any event."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Immutable(Struct, frozen=True):
    """The base of such values; equal fields of another class are not equal.

    Its options are those of `msgspec.Struct`, as `kw_only=True`, `order=True` to compare by the fields in their order,
    and `dict=True` for a cached property.
    """

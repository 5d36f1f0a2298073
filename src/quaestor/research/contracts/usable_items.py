"""Values in replies of models that are used as far as they are usable: a call is paid whole."""

from pydantic import BeforeValidator, ValidationError

from quaestor.contracts.base import Contract

_ELLIPSIS = "…"
_WHOLE_PERCENT = 100


def usable_items(item: type[Contract], most: int | None = None) -> BeforeValidator:
    """Return the validator of a list that leaves out what is not valid, and then what is beyond `most` items.

    A list without any valid item stays as it is, so that its faults are named.
    """

    def keep_usable(value: object) -> object:
        if not isinstance(value, list | tuple):
            return value
        usable = [one for one in value if _is_valid(item, one)]
        return usable[:most] or value

    return BeforeValidator(keep_usable)


def usable_or_none(item: type[Contract]) -> BeforeValidator:
    """Return the validator of a value that may be missing, and is where it is not valid."""
    return BeforeValidator(lambda value: value if _is_valid(item, value) else None)


def first_items(most: int) -> BeforeValidator:
    """Return the validator of a list that leaves out what is beyond `most` items."""
    return BeforeValidator(lambda value: value[:most] if isinstance(value, list | tuple) else value)


def shortened(most: int) -> BeforeValidator:
    """Return the validator of a text that cuts it to `most` characters."""

    def cut(value: object) -> object:
        if not isinstance(value, str) or len(value) <= most:
            return value
        return value[: most - len(_ELLIPSIS)].rstrip() + _ELLIPSIS

    return BeforeValidator(cut)


def as_share(value: object) -> object:
    """Return a number of percent as a share of one; anything else unchanged."""
    is_percent = isinstance(value, int | float) and not isinstance(value, bool) and 1 < value <= _WHOLE_PERCENT
    return value / _WHOLE_PERCENT if isinstance(value, int | float) and is_percent else value


def _is_valid(item: type[Contract], value: object) -> bool:
    if isinstance(value, item):
        return True
    try:
        item.model_validate(value)
    except ValidationError:
        return False
    return True

"""Lists in replies of models that are used as far as they are usable: a call is paid whole."""

from pydantic import BeforeValidator, ValidationError

from quaestor.contracts.base import Contract


def usable_items(item: type[Contract], most: int) -> BeforeValidator:
    """Return the validator of a list that leaves out what is not valid, and then what is beyond `most` items.

    A list without any valid item stays as it is, so that its faults are named.
    """

    def keep_usable(value: object) -> object:
        if not isinstance(value, list | tuple):
            return value
        usable = [one for one in value if _is_valid(item, one)]
        return usable[:most] or value

    return BeforeValidator(keep_usable)


def _is_valid(item: type[Contract], value: object) -> bool:
    if isinstance(value, item):
        return True
    try:
        item.model_validate(value)
    except ValidationError:
        return False
    return True

"""Why a reply cannot be read. Characters are counted from 1."""


class Unreadable(ValueError):
    """A text that gives no JSON value; the message says what is wrong, in words for the one who wrote it."""


class CutOff(Unreadable):
    """A text that ends before what it opened is closed."""


class Misread(Unreadable):
    """A text that leaves the rules, whatever may follow it.

    It was read from `since` up to `at`, offsets from 0, when that was certain.
    """

    def __init__(self, message: str, since: int, at: int) -> None:
        super().__init__(message)
        self.since = since
        self.at = at

from enum import StrEnum


class Reason(StrEnum):
    """Why a document is not read."""

    NOT_TEXT = "not text"
    NO_WORDS = "holds no words"
    SCANNED = "a scan without text; run OCR over it first"
    ENCRYPTED = "encrypted; save it without a password first"
    DAMAGED = "damaged, or not what its name says"
    CRASHED = "its reader crashed on it or found no more memory"
    TOO_MUCH_TEXT = "holds more than 20 MB of text"
    TOO_MUCH_MEMORY = "takes more than 512 MB of memory to read"
    TOO_MUCH_WORK = "takes more than 5 seconds of processor time to read"
    TOO_SLOW = "takes more than 30 seconds to read"
    NO_READER = "its reader cannot be loaded; install its extra anew"
    LOST = "its reader was ended from outside"

    @property
    def lasts(self) -> bool:
        """Say whether it holds as long as the document is the same; else it may be read another time."""
        return self not in {Reason.TOO_SLOW, Reason.NO_READER, Reason.LOST}

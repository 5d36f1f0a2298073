from quaestor.tools.reading.content_type import detect_media_type
from quaestor.tools.reading.parse import parse, parse_sync
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

__all__ = ["ParsedDocument", "SkipReason", "detect_media_type", "parse", "parse_sync"]

"""A reader of subtitles: what is said in a film."""

from quaestor.tools.reading.protocol import ParsedDocument, SkipReason


def read(content: bytes) -> ParsedDocument | SkipReason:
    if b"-->" not in content:
        return SkipReason.DAMAGED
    lines = content.decode("utf-8", "replace").splitlines()
    said = [line for line in lines if line.strip() and "-->" not in line and not line.strip().isdigit()]
    return ParsedDocument(title=said[0], text="\n".join(said))

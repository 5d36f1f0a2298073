"""An exporter of the statements of a report, one a line."""

from quaestor.contracts.export import ExportedFiles, Exporter, ExportKind, ExportMaterial


def write_outline(material: ExportMaterial) -> ExportedFiles:
    lines = [material.title, *(f"- {statement.text}" for statement in material.statements)]
    return {"outline.txt": "\n".join(lines).encode()}


OUTLINE = Exporter(ExportKind.FILE, ".txt", "text/plain", "the statements, one a line", write_outline)

"""Bundles: a session in one file that anybody can check, with no home and no account."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic_core import to_json

from quaestor.app.reports.exports import gather_material
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.export import BundleManifest, ExportMaterial
from quaestor.contracts.session import Verification
from quaestor.contracts.signature import LogHead, LogRecord
from quaestor.runtime.audit import cited_events, cited_quotes
from quaestor.runtime.bundle import (
    LOG_FILE,
    MANIFEST_FILE,
    SOURCES_FILE,
    open_bundle,
    write_bundle,
)
from quaestor.runtime.bundle_check import BundleCheck, check_bundle
from quaestor.runtime.signing import HeadSigner
from quaestor.storage.errors import quote_for_message
from quaestor.views.exports.proof import render_proof
from quaestor.views.exports.ro_crate import METADATA_FILE, describe_crate, write_ro_crate

__all__ = ["BundleCheck", "export_bundle", "find_bundle", "summarize_check", "verify_bundle"]

PROOF_FILE = "index.html"
_PAGE_SIZE = 1_000
_MAX_PROOF_CHARACTERS = 8_000_000
"""Of a log that the page of a bundle holds, to check it in a browser; a longer one is checked by `verify_bundle`."""
_NAMES = {
    LOG_FILE: ("application/x-ndjson", "The log of the session, word for word"),
    MANIFEST_FILE: ("application/json", "The head of the log, its signature, and the hash of every file"),
    SOURCES_FILE: ("application/json", "The title, address and time of every source"),
    PROOF_FILE: ("text/html", "A page that checks report, quotes and log in the reader's browser"),
}


async def export_bundle(quaestor: Quaestor, session_id: str, file: Path, version: int | None = None) -> BundleManifest:
    """Write a session with its report, every source that it quotes, and its signed log into one file.

    Raises UsageError for a session without this report, SetupError when the file cannot be written.
    """
    signed = await quaestor.sign(session_id)  # first: what a session that goes on records meanwhile is not in the log
    material = await _with_all_sources(quaestor, await gather_material(quaestor, session_id, version))
    manifest = BundleManifest(
        program=material.program,
        session_id=session_id,
        workflow=material.workflow,
        report_version=material.version,
        head=signed.head,
        signed=signed,
        files={},
    )
    try:
        with TemporaryDirectory(prefix=".bundle-", dir=file.parent) as folder:
            log = Path(folder) / LOG_FILE
            shown = await _write_log(quaestor, signed.head, log)
            page = render_proof(material, shown, signed.head, signed)
            files = {
                **write_ro_crate(material),
                METADATA_FILE: describe_crate(material, _NAMES),
                PROOF_FILE: page,
                SOURCES_FILE: to_json(material.sources, indent=2),
            }
            await asyncio.to_thread(write_bundle, file, log, files, manifest)
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror or error}; choose another place") from error
    return manifest


def find_bundle(name: str) -> Path | None:
    """Return the file that has this name; None where there is none, so that it names a session.

    Raises UsageError for a path to no file, which no session is named by.
    """
    try:
        if Path(name).is_file():
            return Path(name)
    except OSError:  # as for a name that is too long for a file
        return None
    if Path(name).suffix or Path(name).name != name:
        raise UsageError(f"there is no file {quote_for_message(name)}; name the file of a bundle, or a session")
    return None


def verify_bundle(file: Path, key: str | None = None) -> BundleCheck:
    """Check a bundle by itself, with no home. Raises UsageError for a file that is no bundle."""
    with open_bundle(file) as bundle:
        return check_bundle(bundle, HeadSigner(os.environ).public_key(), key)


def summarize_check(checked: BundleCheck) -> Verification:
    """Return what a check of a bundle found as that of a session is told."""
    if checked.faults:
        return Verification(faults=checked.faults)
    manifest = checked.manifest
    return Verification(
        events=manifest.head.events,
        quotes=checked.quotes,
        sources=checked.sources,
        head=manifest.head.hash,
        signature=checked.signature,
        signed=manifest.signed,
    )


async def _with_all_sources(quaestor: Quaestor, material: ExportMaterial) -> ExportMaterial:
    """Return the material with every source that the ledger quotes, whether the report cites it or not."""
    known = {source.sha256 for source in material.sources}
    quotes = cited_quotes(await cited_events(quaestor.store, material.session_id))
    library = quaestor.library.of_session(material.session_id)
    sources, texts = list(material.sources), dict(material.texts)
    for name in dict.fromkeys(quote.source for quote in quotes if quote.source not in known):
        source, text = await library.source(name), await library.text(name)
        if source is None or text is None:
            raise SetupError(f"the text of source {name} is not in the home; `verify` names what is damaged")
        sources.append(source)
        texts[name] = text
    return material.revised(sources=tuple(sources), texts=texts)


async def _write_log(quaestor: Quaestor, head: LogHead, file: Path) -> list[LogRecord]:
    """Write the log up to its head, a record a line; return the records if they are few enough for a page."""
    shown: list[LogRecord] = []
    after = characters = 0
    with file.open("w", encoding="utf-8", newline="\n") as written:
        while after < head.events:
            page = await quaestor.store.records(head.session_id, after, min(_PAGE_SIZE, head.events - after))
            for record in page:
                line = record.model_dump_json()
                written.write(f"{line}\n")
                characters += len(line)
                if characters <= _MAX_PROOF_CHARACTERS:
                    shown.append(record)
            after = page[-1].seq
    return shown if characters <= _MAX_PROOF_CHARACTERS else []

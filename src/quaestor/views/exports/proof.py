"""A page that checks itself: hashes, quotes, the chain of the log and its signature, in the reader's browser.

It needs nothing else and reaches nothing. Its one script is named in its policy by hash, so that no word of a source
can run.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files

from quaestor.contracts.export import ExportedFiles, ExportedQuote, ExportedStatement, ExportMaterial
from quaestor.contracts.signature import LogHead, LogRecord, SignedHead
from quaestor.contracts.source import Sha256
from quaestor.views.escaping import Fragment, element, html_page, join, one_line


def write_proof(material: ExportMaterial) -> ExportedFiles:
    """Write a page with the statements, their quotes and the texts that these are from; without the log."""
    return {"proof.html": render_proof(material)}


def render_proof(
    material: ExportMaterial,
    log: Sequence[LogRecord] = (),
    head: LogHead | None = None,
    signed: SignedHead | None = None,
) -> bytes:
    """Return the page.

    With the records of a log it checks their chain up to the head, the signature of that, and that every statement is
    in a report of the log.
    """
    script = files("quaestor.views.exports").joinpath("proof.js").read_text("utf-8")
    sheet = files("quaestor.views.exports").joinpath("proof.css").read_text("utf-8")
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'; base-uri 'none'"
    body = element(
        "body",
        _main(material),
        Fragment(f'<script type="application/json" id="data">{_data(material, log, head, signed)}</script>'),
        Fragment(f"<script>{script}</script>"),
        class_="proof",
    )
    return html_page(material.title, body, sheet, policy=policy, lang="en").encode()


def _main(material: ExportMaterial) -> Fragment:
    about = f"Session {material.session_id}, version {material.version}, written by {material.program}"
    header = element(
        "header",
        element("p", "A report that checks itself", class_="kind"),
        element("h1", one_line(material.title), dir="auto"),
        element("p", about, class_="place"),
    )
    checks = element(
        "section",
        element("ul", id="checks", aria_live="polite"),
        element("noscript", element("p", "Nothing was checked: this page checks itself by a script.", class_="notice")),
        id="checked",
        aria_label="Checks",
    )
    titles = {source.sha256: source.title for source in material.sources}
    statements = element(
        "section", *(_statement(each, titles) for each in material.statements), aria_label="Statements"
    )
    source = element("section", element("p", "Choose a quote to see it in its source."), id="source")
    return element("main", header, checks, statements, source)


def _statement(statement: ExportedStatement, titles: Mapping[Sha256, str]) -> Fragment:
    """Return a statement, and below it a button for each quote with the title of its source."""
    quotes = (
        element(
            "button",
            element("span", _label(quote, titles), dir="auto"),
            type="button",
            data_quote=f"{statement.number}/{place}",
        )
        for place, quote in enumerate(statement.quotes)
    )
    return element(
        "article",
        element("p", f"{statement.number}. ", element("bdi", one_line(statement.text))),
        element("p", join(*quotes, statement.standing, by=" "), class_="standing"),
    )


def _label(quote: ExportedQuote, titles: Mapping[Sha256, str]) -> str:
    title = one_line(titles.get(quote.source, quote.source))
    return f"{title}, {quote.place}" if quote.place else title


def _data(material: ExportMaterial, log: Sequence[LogRecord], head: LogHead | None, signed: SignedHead | None) -> str:
    """Return the data of the script, as JSON without any `<`."""
    data = {
        "statements": [each.model_dump(mode="json") for each in material.statements],
        "sources": [{"sha256": each.sha256, "title": each.title, "uri": each.uri} for each in material.sources],
        "texts": dict(material.texts),
        "log": [each.model_dump(mode="json") for each in log] or None,
        "head": head.model_dump(mode="json") if head else None,
        "signed": {**signed.model_dump(mode="json"), "signed_at": signed.signed_at.isoformat()} if signed else None,
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")

"""Office files, each with no more parts than it needs. Text is put in as XML, so that a test can write references."""

import io
from collections.abc import Mapping
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_OPEN_XML = "application/vnd.openxmlformats-officedocument"
_DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_ODF = f'xmlns:office="{_OASIS}:office:1.0" xmlns:text="{_OASIS}:text:1.0" xmlns:meta="{_OASIS}:meta:1.0" {_DC}'
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

TITLE, CREATED, MODIFIED = "Fog bells", "2019-01-02T03:04:05Z", "2020-05-06T07:08:09Z"


def packed(parts: Mapping[str, str]) -> bytes:
    """Return a ZIP file of these parts; one that is named mimetype is not compressed."""
    file = io.BytesIO()
    with ZipFile(file, "w", compresslevel=1) as archive:
        for name, part in parts.items():
            archive.writestr(name, part, ZIP_STORED if name == "mimetype" else ZIP_DEFLATED)
    return file.getvalue()


def docx(text: str, *, doctype: str = "", modified: str = MODIFIED) -> bytes:
    """Return a Word file with a heading and a paragraph."""
    return docx_of(
        f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The bell</w:t></w:r></w:p>'
        f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>',
        doctype=doctype,
        modified=modified,
    )


def docx_of(body: str, *, doctype: str = "", modified: str = MODIFIED) -> bytes:
    """Return a Word file with this body."""
    document = f'{_XML}{doctype}<w:document xmlns:w="{_MAIN}"><w:body>{body}</w:body></w:document>'
    return _open_xml(
        "word/document.xml", f"{_OPEN_XML}.wordprocessingml.document.main+xml", document, modified=modified
    )


def xlsx(text: str) -> bytes:
    """Return an Excel file with one sheet of one row: the text, the number 1844 and the day 1901-05-02."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = (
        f'<worksheet xmlns="{main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c>'
        '<c r="B1"><v>1844</v></c><c r="C1" s="1"><v>488</v></c></row></sheetData></worksheet>'
    )
    styles = (
        f'<styleSheet xmlns="{main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>'
        "</cellXfs></styleSheet>"
    )
    book = (
        f'<workbook xmlns="{main}" xmlns:r="{_RELATIONS}"><sheets><sheet name="Bells" sheetId="1" r:id="r1"/></sheets>'
        "</workbook>"
    )
    return _open_xml(
        "xl/workbook.xml",
        f"{_OPEN_XML}.spreadsheetml.sheet.main+xml",
        _XML + book,
        {
            "xl/_rels/workbook.xml.rels": _relations({"worksheet": "worksheets/sheet1.xml", "styles": "styles.xml"}),
            "xl/styles.xml": _XML + styles,
            "xl/worksheets/sheet1.xml": _XML + sheet,
        },
    )


def pptx(*texts: str) -> bytes:
    """Return a PowerPoint file with a slide for every text."""
    names = f'xmlns:p="{_MAIN.replace("wordprocessingml", "presentationml")}" xmlns:r="{_RELATIONS}"'
    drawing = f'xmlns:a="{_MAIN.replace("wordprocessingml", "drawingml")}"'
    slides = {
        f"slides/slide{number}.xml": f"{_XML}<p:sld {names} {drawing}><p:cSld><p:spTree><p:nvGrpSpPr>"
        '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr>'
        '<p:cNvPr id="2" name="Title"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody>'
        f"<a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>"
        for number, text in enumerate(texts, 1)
    }
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="r{number}"/>' for number in range(1, len(slides) + 1))
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATIONS}/slide" Target="{name}"/>'
        for number, name in enumerate(slides, 1)
    )
    return _open_xml(
        "ppt/presentation.xml",
        f"{_OPEN_XML}.presentationml.presentation.main+xml",
        f"{_XML}<p:presentation {names}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>",
        {
            "ppt/_rels/presentation.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{relations}'
            "</Relationships>",
            **{f"ppt/{name}": slide for name, slide in slides.items()},
        },
    )


def odt(text: str, *, doctype: str = "") -> bytes:
    """Return an OpenDocument text with a heading and a paragraph."""
    media_type = "application/vnd.oasis.opendocument.text"
    return packed(
        {
            "mimetype": media_type,
            "META-INF/manifest.xml": f'{_XML}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/></manifest:manifest>',
            "content.xml": f"{_XML}{doctype}<office:document-content {_ODF}><office:body><office:text>"
            f'<text:h text:outline-level="1">The bell</text:h><text:p>{text}</text:p>'
            "</office:text></office:body></office:document-content>",
            "meta.xml": f"{_XML}<office:document-meta {_ODF}><office:meta><dc:title>{TITLE}</dc:title>"
            f"<meta:creation-date>{CREATED}</meta:creation-date><dc:date>{MODIFIED}</dc:date>"
            "</office:meta></office:document-meta>",
        }
    )


def epub(text: str) -> bytes:
    """Return an EPUB book of one chapter."""
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'{_XML}<container version="1.0" xmlns="{_OASIS}:container"><rootfiles>'
            '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "book.opf": f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">'
            f'<metadata {_DC}><dc:identifier id="i">x</dc:identifier><dc:title>{TITLE}</dc:title>'
            f"<dc:language>en</dc:language><dc:date>{MODIFIED}</dc:date></metadata><manifest>"
            '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": f'{_XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title></head>'
            f"<body><h1>The bell</h1><p>{text}</p></body></html>",
        }
    )


def rtf(text: str) -> bytes:
    """Return an RTF file."""
    return (
        rf"{{\rtf1\ansi{{\info{{\title {TITLE}}}{{\revtim\yr2020\mo5\dy6}}}}\pard The bell\par {text}\par}}"
    ).encode("ascii")


def _open_xml(
    main: str, media_type: str, document: str, parts: Mapping[str, str] | None = None, *, modified: str = MODIFIED
) -> bytes:
    types = (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{main}" ContentType="{media_type}"/></Types>'
    )
    core = (
        f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" {_DC} '
        f'xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>{TITLE}</dc:title>'
        f"<dcterms:created>{CREATED}</dcterms:created><dcterms:modified>{modified}</dcterms:modified>"
        "</cp:coreProperties>"
    )
    return packed(
        {
            "[Content_Types].xml": types,
            "_rels/.rels": _relations({"officeDocument": main}),
            "docProps/core.xml": core,
            main: document,
            **(parts or {}),
        }
    )


def _relations(targets: Mapping[str, str]) -> str:
    each = "".join(
        f'<Relationship Id="r{number}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets.items(), 1)
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'

"""Sound documents of every kind, read in another process."""

import asyncio
import subprocess
import sys
from datetime import date

import pytest

from fakes.office import docx, epub, odt, packed, pptx, rtf, xlsx
from fakes.pdf import pdf, pdf_of
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.installation import install_command
from quaestor.evidence.passages import find_headings
from quaestor.tools.reading.parse import parse, parse_sync
from quaestor.tools.reading.protocol import PageLink, ParsedDocument, SkipReason

MODIFIED = date(2020, 5, 6)
URL = "https://example.org/a/page"
BELL = "The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy, and it was struck by hand."
PAGE = f"""<!doctype html><html><head><title>Fog  bells</title>
<meta property="article:published_time" content="2019-01-02T00:00:00Z">
<meta property="article:modified_time" content="2020-05-06T07:08:09Z"></head><body><nav><a href="/">Home</a></nav>
<article><h1>The bell</h1><p>{BELL} See <a href="next#x">the <i>next</i></a> and <a href="#top">above</a>.</p></article>
</body></html>"""


def parsed(content: bytes, uri: str = "/a/b", told: str = "") -> ParsedDocument:
    answer = parse_sync(content, told, uri)
    assert isinstance(answer, ParsedDocument), answer
    return answer


async def test_a_page_gives_its_words_its_date_and_its_links() -> None:
    page = await parse(PAGE.encode(), "text/html", URL)
    assert (page.title, page.published, page.pages) == ("Fog bells", MODIFIED, ())
    assert BELL in page.text
    assert "Home" not in page.text
    assert page.links == (
        PageLink(url="https://example.org/", text="Home"),
        PageLink(url="https://example.org/a/next", text="the next"),
    )


HOURS = """<html><head><title>Bell hours</title></head><body><nav><a href="/">Home</a></nav><h1>Bell hours</h1>
<h2>Hours</h2><table><tr><th>Day</th><th>Rung</th></tr><tr><td>Monday</td><td>10:00</td></tr>
<tr><td>Sunday</td><td>9:00</td></tr></table><p>On other days the bell is not rung, for its keeper is at sea.</p>
<h2>History</h2><p>The bell was cast by Ann Lee.</p><footer>Write to us</footer></body></html>"""


def test_a_short_page_without_a_main_part_keeps_its_tables_and_headings() -> None:
    text = parsed(HOURS.encode(), "/hours.html", "text/html").text

    assert "| Sunday | 9:00 |" in text
    assert "## History" in text
    assert "Home" not in text
    assert "Write to us" not in text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("<p>The bell was rung on <time>9 May 1931</time> by the mayor.</p>", "rung on 9 May 1931 by the mayor"),
        (
            "<p>Hold <button>Reset</button> and <label>Mode</label> for five seconds.</p>",
            "Hold Reset and Mode for five",
        ),
        (
            "<figure><img src='a.png'><figcaption>The bell, in thousands of kilograms</figcaption></figure>",
            "in thousands",
        ),
        ("<fieldset><legend>Opened in 1931</legend><p>All came to see it.</p></fieldset>", "Opened in 1931"),
        ("<details><summary>When?</summary>It was rung in May.</details>", "It was rung in May."),
        ("<aside><p>Since 1 May 2025 the bell is rung at 14:00.</p></aside>", "Since 1 May 2025"),
        (
            "<ul><li><a href='mailto:a@b.example'>Ann Lee, chair</a></li><li><a href='tel:4711'>Bo</a></li></ul>",
            "Ann Lee, chair",
        ),
    ],
)
def test_no_word_that_a_reader_sees_is_lost_with_its_element(written: str, told: str) -> None:
    page = HOURS.replace("<h2>History</h2>", f"{written}<h2>History</h2>")
    assert told in parsed(page.encode(), "/hours.html", "text/html").text


def test_an_aside_of_a_page_of_the_web_is_left_out() -> None:
    page = HOURS.replace("<h2>History</h2>", "<aside><p>Since 1 May 2025 the bell is rung at 14:00.</p></aside><h2>")
    assert "Since 1 May" not in parsed(page.encode(), URL, "text/html").text


@pytest.mark.parametrize(
    "told",
    [
        "<p>Rung on <time datetime='2019-05-09'>9 May 2019</time>.</p>",
        "<pre>2019-07-02 21:14 call from the keeper</pre>",
    ],
)
def test_a_date_that_a_page_tells_is_not_its_own(told: str) -> None:
    assert (
        parsed(HOURS.replace("<h2>History</h2>", f"{told}<h2>").encode(), "/hours.html", "text/html").published is None
    )


def test_a_short_page_without_a_main_part_keeps_its_headings_and_what_is_repeated_under_them() -> None:
    room = (
        "<p>Room {} of TOWN has a lamp, a table, a shelf with the books of the guild, and chairs for all who come.</p>"
    )
    rooms = "".join(map(room.format, range(10)))
    towns = "".join(
        f"<h2>{town}</h2>{rooms.replace('TOWN', town)}<p>There is one shower, on the first floor.</p>"
        for town in ("Aldmouth", "Skerry", "Quell")
    )
    page = f"<html><head><title>Offices</title></head><body><h1>Offices</h1>{towns}</body></html>"
    text = parsed(page.encode(), "/offices.html", "text/html").text
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Offices",
        "## Aldmouth",
        "## Skerry",
        "## Quell",
    ]
    assert text.count("There is one shower") == 3


def test_the_caption_of_a_table_stands_above_it_and_in_no_cell() -> None:
    page = HOURS.replace("<table>", "<table><caption>When it is <i>rung</i></caption>")
    text = parsed(page.encode(), "/hours.html", "text/html").text

    assert "When it is rung\n\n| Day | Rung |" in text


def test_a_cell_that_spans_several_rows_stands_in_each_of_them() -> None:
    rows = """<tr><th>Day</th><th>Rung</th><th>By</th></tr>
<tr><td>Monday</td><td rowspan="2">10:00</td><td>Ann</td></tr>
<tr><td>Tuesday</td><td rowspan="2">Bo</td></tr><tr><td colspan="2">Other days</td></tr>"""
    page = HOURS.replace("<table>", f"<table>{rows}")
    text = parsed(page.encode(), "/hours.html", "text/html").text

    assert "| Monday | 10:00 | Ann |" in text
    assert "| Tuesday | 10:00 | Bo |" in text
    assert text.count("| Bo |") == 2


def test_the_line_ends_of_a_page_are_blanks_but_in_what_is_shown_as_it_is_written() -> None:
    words = "<p>The bell was cast by Sir <b>Ann</b>\n  Lee.\nIt is\n cracked.<br>\nIt rang\ntwice.</p>"
    article = f"<article><h1>Bells</h1><p>{BELL}</p>{words}<pre>ring\n  once</pre></article>"
    page = f"<html><head><title>A</title></head><body>{article}</body></html>"
    text = parsed(page.encode(), URL, "text/html").text

    assert "The bell was cast by Sir **Ann** Lee. It is cracked." in text
    assert "\nIt rang twice." in text
    assert "ring\n  once" in text


def test_a_word_of_a_page_is_whole_though_tags_stand_in_it() -> None:
    words = "<p>The <b>b</b>ell is cas<i>t</i> by <b>Ann</b> Lee in the ware<wbr>house, <em>once</em>.</p>"
    page = (
        f"<html><head><title>A</title></head><body><article><h1>Bells</h1><p>{BELL}</p>{words}</article></body></html>"
    )

    assert "The bell is cast by **Ann** Lee in the warehouse, *once*." in parsed(page.encode(), URL, "text/html").text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ('<a href="notes.xhtml#n1" epub:type="noteref">1</a> aged', "1723,[1] aged"),
        ('<sup><a href="#n1">1</a></sup> aged', "1723,[1] aged"),
        ('<a href="#n1"><sup>1</sup></a> aged', "1723,[1] aged"),
        ('<a class="footnote-ref" href="#fn-b">b</a> aged', "1723,[b] aged"),
        ('<a href="#page">4</a> aged', "1723,4 aged"),
        ("<sup>2</sup> aged", "1723,<sup>2</sup> aged"),
    ],
)
def test_the_number_of_a_note_is_no_part_of_the_one_before_it(written: str, told: str) -> None:
    words = f"<article><h1>Bells</h1><p>{BELL}</p><p>Ann Lee died in 1723,{written} 47.</p></article>"
    page = f"<html><head><title>A</title></head><body>{words}</body></html>"
    assert told in parsed(page.encode(), URL, "text/html").text.replace("\\", "")


def test_the_words_of_a_template_that_is_most_of_a_page_are_read() -> None:
    words = f"<h1>Bells</h1><p>{BELL}</p><p>The bell of the mill is of tin.</p>"
    for kind in ("text/x-handlebars-template", "text/template", "text/x-mustache"):
        page = f'<html><head><title>A</title></head><body><script id="t" type="{kind}">{words}</script></body></html>'
        assert "The bell of the mill is of tin." in parsed(page.encode(), "/a.html", "text/html").text
    more = "".join(
        f"<p>The bell of the {place} is of lead, and it was cast there.</p>"
        for place in ("mill", "port", "hall", "gate")
    )
    few = page.replace("</body>", f"{more}</body>")
    assert "of tin" not in parsed(few.encode(), "/a.html", "text/html").text
    program = page.replace("text/x-mustache", "module")
    assert parse_sync(program.encode(), "text/html", "/a.html") is SkipReason.NO_WORDS


def test_characters_that_no_text_may_have_are_no_harm_to_a_page() -> None:
    controls = "".join(chr(code) for code in (*range(1, 9), 11, *range(14, 32), 0xFFFE, 0xFFFF))
    references = "".join(f"&#{ord(one)};&#x{ord(one):X};&#X0{ord(one):x};" for one in controls)
    told = f"The bell rings{controls} at{references} noon,\fat seven and\nagain at &#57; and at &#x31; &#x1F514;."
    page = f"<html><head><title>A{controls}</title></head><body><p>{told} {BELL}</p><pre>a\fb</pre></body></html>"
    read = parsed(page.encode(), URL, "text/html")
    assert read.title == "A"
    assert "The bell rings at noon, at seven and again at 9 and at 1 \U0001f514." in read.text


def test_a_page_may_have_another_base() -> None:
    page = PAGE.replace("<head>", '<head><base href="/docs/">')
    assert parsed(page.encode(), URL).links[1].url == "https://example.org/docs/next"


def test_a_date_in_the_words_of_a_page_is_not_its_own() -> None:
    page = f"<html><head><title>A</title></head><body><p>{BELL} Since 6 May 2020 it is silent.</p></body></html>"
    assert parsed(page.encode(), URL).published is None


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:url" content="https://example.org/2020/05/06/bells">',
        '<link rel="canonical" href="https://example.org/2020/05/06/bells">',
        '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2020-05-06"}</script>',
        '<meta itemprop="dateCreated" content="2020-05-06">',
    ],
)
def test_the_date_of_a_page_may_be_in_its_own_address_its_linked_data_or_its_items(head: str) -> None:
    page = f"<html><head><title>A</title>{head}</head><body><p>{BELL}</p></body></html>"
    assert parsed(page.encode(), URL).published == MODIFIED


def test_the_term_of_a_definition_is_told_with_it() -> None:
    items = (
        "<dt>bow<dd>The foremost part."
        "<dt><b>stern</b></dt> <dt>poop</dt><dd><p>The aftmost part, with the <i>rudder</i>.</p><p>It is wet.</p></dd>"
        "<dt>What is a keel?</dt><dd>The lowest beam.</dd>"
        "<dt>launch(ship, day)</dt><dd>Launch a ship.</dd>"
    )
    page = f"<html><head><title>A</title></head><body><h1>Ships</h1><p>{BELL}</p><dl>{items}</dl></body></html>"
    text = parsed(page.encode(), URL, "text/html").text

    assert "bow: The foremost part." in text
    assert "stern, poop: The aftmost part, with the *rudder*." in text
    assert "What is a keel? The lowest beam." in text
    assert "launch(ship, day)\n" in text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Bells\n=====\n\nThey ring.\n", "Bells"),
        ("A motto.\n\nBells\n=====\n\nThey ring.\n", "Bells"),
        ("They ring.\n\nThey are of bronze.\n\nOld bells\n~~~~~~~~~\n\nThey are cracked.\n", ""),
        ("They ring.\n\nThey are of bronze.\n\n# Bells\n\nThey are cracked.\n", "Bells"),
        ("# Bells 2\n\n## Bell 1\n\n## Bell 2\n", "Bells 2"),
        ("## Changes in 2.1 (May 2021)\n\nRing.\n\n## Changes in 2.0 (March 2020)\n\nRang.\n", ""),
        ("Bells 2.1\nMay 2, 2021\n===========\n\nRing.\n\nBells 2.0\nMarch 3, 2020\n=============\n\nRang.\n", ""),
        ("## Bells\n\nRing.\n\n## Horns\n\nBlow.\n", ""),
        ("Bells\n-----\n\nRing.\n\nHorns\n-----\n\nBlow.\n", ""),
        ("## Bells\n\n### Old\n\nRing.\n\n### New\n\nRing.\n", "Bells"),
        ("# Bells\n\nRing.\n\n# Horns\n\nBlow.\n", "Bells"),
        ("== Bells ==\n\nRing.\n\n== Horns ==\n\nBlow.\n", ""),
        ("==Bells==\n\nRing.\n\n==Horns==\n\nBlow.\n", ""),
        ("== Introduction ==\n\nRing.\n\n=== Horns ===\n\nBlow.\n", ""),
        ("# Introduction\n\nRing.\n\n## Horns\n\nBlow.\n", "Introduction"),
    ],
)
def test_a_heading_of_a_section_or_a_release_is_no_title(text: str, title: str) -> None:
    assert parsed(text.encode(), "/a.md").title == title


@pytest.mark.parametrize("marks", [("", ""), ("<pre>\n", "</pre>\n"), ("```\n", "```\n")])
def test_a_header_that_is_indented_or_preformatted_gives_title_and_date(marks: tuple[str, str]) -> None:
    opening, closing = marks
    fields = "  Note: 12\n  Title: Bells\n    of bronze\n  Created: 2019-02-01\n"
    read = parsed(f"{opening}{fields}{closing}\n== Abstract ==\n\nThey ring.\n".encode(), "/a.mediawiki")
    assert read.title == "Bells of bronze"
    assert read.published == date(2019, 2, 1)


@pytest.mark.parametrize(
    ("text", "file", "title"),
    [
        ("# Bells\n\nRing.\n\n# Horns\n\nBlow.\n", "version-2-0-10-released.md", ""),
        ("# Bells 2020\n\nRing.\n\n# Horns\n\nBlow.\n", "bells.md", "Bells 2020"),
        ("# Bells\n\nRing.\n\n# Horns\n\nBlow.\n", "README.md", "Bells"),
        ("# Noteworthy changes\n\nRing.\n\n## Horns\n\nBlow.\n", "version-2-0-10-released.md", ""),
        ("# Security\n\nRing.\n", "security.md", "Security"),
        ("# The bells\n\nRing.\n\n## Horns\n\nBlow.\n", "version-2-0-10-released.md", "The bells"),
    ],
)
def test_a_file_is_called_by_its_name_where_its_first_heading_is_one_of_equals(
    text: str, file: str, title: str
) -> None:
    assert parsed(text.encode(), f"/docs/{file}").title == title


@pytest.mark.parametrize("file", ["a.md", "a.rst", "a.txt"])
def test_the_header_of_a_post_in_a_comment_gives_its_title_and_its_date(file: str) -> None:
    fields = ".. title: Version 2.0.10 released.\n.. slug: a\n.. date: 2020-05-06 11:54:38 UTC+1\n"
    header = f"<!--\n{fields}-->\n" if file == "a.md" else fields
    post = parsed(f"{header}\nBroker\n======\n\n- Fix the counter.\n\nBuild\n=====\n\n- Faster.\n".encode(), f"/{file}")

    assert (post.title, post.published) == ("Version 2.0.10 released", MODIFIED)
    assert "<!--" not in post.text


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("bells <a href='/b/'><img src='logo.png' align=\"right\" /></a>", "bells"),
        ("[![built](b.svg)](/built) bells ![logo](logo.png)", "bells"),
        ("The **fog** *bells* of [Quell](/quell)", "The fog bells of Quell"),
        ("List<T> is 2 * 3 * 4 of a*b", "List<T> is 2 * 3 * 4 of a*b"),
        ("![logo](logo.png)", ""),
    ],
)
def test_a_title_is_words_without_tags_images_and_emphasis(written: str, title: str) -> None:
    assert parsed(f"# {written}\n\nThey ring.\n\n## Old\n\nCracked.\n".encode(), "/a.md").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "..\n  Signs:\n\n  # titles\n  = parts\n\n.. _bells:\n\n#####\nBells\n#####\n\nRing.\n\nOld\n===\n",
            "Bells",
        ),
        ("Bells\n#####\n\nRing.\n\nOld\n===\n", "Bells"),
        ("=====\nBells\n=====\n\nRing.\n\nOld\n===\n\nCracked.\n\nNew\n===\n", "Bells"),
        ("Old bells\n=========\n\nCracked.\n\nNew bells\n=========\n\nWhole.\n", ""),
        ("# a comment\n\nRing.\n", ""),
    ],
)
def test_the_title_of_restructuredtext_has_rules_that_no_section_has(text: str, title: str) -> None:
    assert parsed(text.encode(), "/a.rst").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("HARBOUR BOARD\n\n1. DUES\nThe dues rise.\n", "HARBOUR BOARD"),
        ("Committee meeting, Wed 12 June 2024\n\nPresent: Ann.\n", "Committee meeting, Wed 12 June 2024"),
        ("Sitzung 4. Februar 2025\nda: Ann, Bo\n\n1) Jars\n", "Sitzung 4. Februar 2025"),
        ("THE JARS OF HOLM.\nJohn made them.\n", "THE JARS OF HOLM"),
        ("THE JARS OF HOLM\nAND THEIR LIDS\n", ""),
        ("The jars are\nof tin.\n", ""),
        ("The jars are of tin.\n\nThe lids are of oak.\n", ""),
        ("NOTICE\n\nNo jars.\n", ""),
        ("Dear Ann\n\nThe jars came.\n", ""),
        ("Weilburg, den 15. Mai 2022\n\nLiebe Ines,\n", ""),
        ("3 February 2022\n\nThe jars came.\n", ""),
        ("From: Ann\n\nThe jars came.\n", ""),
        ("- jars of tin\n\n- lids\n", ""),
        ("Jars of tin\n", ""),
    ],
)
def test_a_text_is_called_by_its_first_line_where_that_stands_apart_and_is_no_sentence(text: str, title: str) -> None:
    assert parsed(text.encode(), "/a/minutes.txt").title == title
    assert parsed(text.encode(), "/a/minutes.log").title == ""


def test_a_server_may_name_the_character_set_of_a_page() -> None:
    page = "<html><head><title>Мир</title></head><body><p>Всё хорошо, это слова.</p></body></html>".encode("koi8-r")
    assert parsed(page, URL, "text/html; charset=koi8-r").title == "Мир"


def test_a_pdf_file_is_read_page_by_page() -> None:
    content = pdf(
        ["The light-", "house (of", "Aldmouth"], [], ["Third page"], said={"Title": "Bells", "ModDate": "D:20200506"}
    )
    document = parsed(content.replace(b"(of", b"\\(of"), "/a/paper.txt")
    assert document.text == "The light-\nhouse (of\nAldmouth\n\n\n\nThird page"
    assert [document.text[start : start + 5] for start in document.pages] == ["The l", "\n\nThi", "Third"]
    assert (document.title, document.published) == ("Bells", MODIFIED)


@pytest.mark.parametrize(
    ("said", "published"),
    [({"CreationDate": "D:20200506070809Z"}, MODIFIED), ({"ModDate": "yesterday"}, None), ({}, None)],
)
def test_the_date_of_a_pdf_file(said: dict[str, str], published: date | None) -> None:
    assert parsed(pdf(["x"], said=said)).published == published
    stated = pdf(["Mill Co", "Date: 1 April 2019", "To: Ann Lee"], ["Date: 2 April 2019"], said=said)
    assert parsed(stated).published == date(2019, 4, 1)
    assert parsed(pdf(["x"], ["Date: 2 April 2019"], said=said)).published == published


CAST = "cast in &lt;1844&gt; *"


@pytest.mark.parametrize(
    "content", [docx(CAST), pptx("The bell", CAST), odt(CAST), epub(CAST), rtf("cast in <1844> *")]
)
def test_office_files_give_their_exact_words_and_what_they_say_of_themselves(content: bytes) -> None:
    document = parsed(content)
    assert document.text.lstrip("# ").startswith("The bell\n\n")
    assert "cast in <1844> *" in document.text
    assert (document.title, document.published) == ("Fog bells", MODIFIED)


def test_a_letter_of_office_is_of_the_day_that_it_states() -> None:
    assert parsed(docx("Date: 1 April 2019")).published == date(2019, 4, 1)


def test_a_sheet_is_read_as_a_table() -> None:
    assert "| R&D | 1844 | 1901-05-02 |" in parsed(xlsx("R&amp;D")).text


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"Fog bells"', "Fog bells"),
        ("'Fog'", "Fog"),
        ('Notes on "Fog"', 'Notes on "Fog"'),
        ('"A" and "B"', '"A" and "B"'),
    ],
)
def test_a_title_loses_the_marks_around_it_and_no_others(written: str, title: str) -> None:
    assert parsed(f"Title: {written}\n\nWords".encode(), "/a.md").title == title


def test_plain_text_gives_its_date_too() -> None:
    assert parsed(b"---\ntitle: A\ndate: 2020-05-06\n---\nWords", "/a.md") == ParsedDocument(
        title="A", text="---\ntitle: A\ndate: 2020-05-06\n---\nWords", published=MODIFIED
    )


@pytest.mark.parametrize(
    ("content", "uri", "reason"),
    [
        (pdf([], []), "/a", SkipReason.NO_WORDS),
        (pdf(["x"], locked=True), "/a", SkipReason.ENCRYPTED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "/a.docx", SkipReason.ENCRYPTED),
        (b"%PDF-1.4 junk", "/a", SkipReason.DAMAGED),
        (b"junk", "/a.docx", SkipReason.DAMAGED),
        (packed({"word/document.xml": "<a>"}), "/a", SkipReason.NO_WORDS),
        (docx("words")[:400], "/a.docx", SkipReason.DAMAGED),
        (b"", "/a.html", SkipReason.NO_WORDS),
        (b"<html><body><img src=x></body></html>", "/a", SkipReason.NO_WORDS),
        (b" \n", "/a.txt", SkipReason.NO_WORDS),
        (b"\0\1\2", "/a.txt", SkipReason.NOT_TEXT),
        (packed({"a": "b"}), "/a.zip", SkipReason.NESTED),
        (packed({"a": "b"}), "/a.jar", SkipReason.NOT_TEXT),
    ],
)
def test_what_cannot_be_read_has_a_reason(content: bytes, uri: str, reason: SkipReason) -> None:
    assert parse_sync(content, "", uri) is reason


async def test_a_reason_is_raised_with_the_address() -> None:
    with pytest.raises(ToolFailed, match=r"^https://example.org/a/page is not read: holds no words"):
        await parse(pdf([]), "application/pdf", URL)


async def test_many_are_read_at_the_same_time() -> None:
    contents = [PAGE.replace("1844", str(year)).encode() for year in range(1800, 1820)]
    pages = await asyncio.gather(*(parse(content, "", URL) for content in contents))
    assert [str(year) in page.text for year, page in enumerate(pages, 1800)] == [True] * 20


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [("trafilatura", "a.html", "web"), ("pypdfium2", "a.pdf", "docs"), ("kreuzberg", "a.odt", "docs")],
)
def test_without_its_extra_a_document_is_refused_with_the_command(package: str, name: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from quaestor.contracts.errors import MissingExtra\n"
        "from quaestor.tools.reading.parse import parse_sync as read\n"
        f"try: read(b'x', '', {name!r})\nexcept MissingExtra as missing: print(missing)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.endswith(f"files need an extra: {install_command(extra)}\n")


def test_a_scan_is_refused_with_the_command_that_adds_its_recognition() -> None:
    code = (
        "import sys; sys.modules['rapidocr'] = None\n"
        "from quaestor.contracts.errors import MissingExtra\n"
        "from quaestor.tools.reading.parse import parse_sync as read\n"
        f"try: read({pdf_of(b'0 0 200 200 re f')!r}, '', 'a.pdf')\nexcept MissingExtra as missing: print(missing)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == f"a scan without text; run OCR over it first, or add an extra: {install_command('ocr')}\n"


def test_the_text_of_a_page_has_no_backslash_that_the_page_does_not_have() -> None:
    words = "<p>Set max_queued_messages to [ true | false ] for &lt;topic&gt;.</p><ul><li># all the bells</li></ul>"
    text = parsed(HOURS.replace("<h2>History</h2>", f"{words}<h2>History</h2>").encode(), "/a.html", "text/html").text

    assert "Set max_queued_messages to [ true | false ] for <topic>." in text
    assert "- # all the bells" in text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "Rung by<ul><li>Ann</li><li>Bo</li></ul>And <b>not</b> by Cy.",
            "Rung by\n\n- Ann\n- Bo\n\nAnd **not** by Cy.",
        ),
        ("<h3>Name</h3>It is <i>Great</i> Ann.<br><br>It was Bo.", "### Name\n\nIt is *Great* Ann.\n\nIt was Bo."),
        ("<dl><dt>bow</dt><dd>Foremost.</dd></dl>So it is.", "- bow: Foremost.\n\nSo it is."),
        ("<section>Words <i>in</i> it.<h3>Name</h3>More.</section>", "Words *in* it.\n\n### Name\n\nMore."),
    ],
)
@pytest.mark.parametrize("page", [HOURS, "<html><body><h1>Hours</h1><h2>History</h2></body></html>"])
def test_words_beside_a_heading_or_a_list_are_paragraphs(written: str, told: str, page: str) -> None:
    page = page.replace("<h2>History</h2>", f"{written}<h2>History</h2><p>It was cast.</p>")
    assert told in parsed(page.encode(), "/hours.html", "text/html").text


def test_a_short_page_keeps_its_heading_and_its_list() -> None:
    page = "<html><body><h1>Hours</h1><p>Rung by all.</p><ul><li>Ann</li><li>Bo</li></ul><p>At ten.</p></body></html>"
    text = parsed(page.encode(), "/hours.html", "text/html").text

    assert text == "# Hours\n\nRung by all.\n\n- Ann\n- Bo\n\nAt ten."


def test_a_list_within_an_item_is_kept() -> None:
    sub = "<dl><dt>bell</dt><dd><p>Rung.</p><p>By <ul><li>Ann</li><li>Bo</li></ul></p></dd></dl>"
    text = parsed(HOURS.replace("<h2>History</h2>", f"{sub}<h2>History</h2>").encode(), "/a.html", "text/html").text

    assert "- Ann\n" in text


def test_code_of_a_page_gives_no_headings_and_its_fences_stand_on_lines_of_their_own() -> None:
    shown = "<pre>#ifndef BELL\n#define <b>BELL</b> <i>1</i> <u>or</u> 2\n\n#endif</pre>"
    item = "<ul><li>Use it so: <pre>#include bell\n# ring</pre></li></ul>"
    article = f"<article><h1>Bells</h1><p>{BELL}</p>{shown}<p>It rang.</p>{item}</article>"
    text = parsed(f"<html><body>{article}</body></html>".encode(), URL, "text/html").text
    assert "```\n#ifndef BELL\n#define BELL 1 or 2\n#endif\n```" in text
    assert "\n```\n#include bell\n# ring\n```" in text
    assert [text[block.start : block.end] for block, _ in find_headings(text, "text/markdown")] == ["Bells"]

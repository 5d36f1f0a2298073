import json
import re

import pypandoc
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quaestor.views.exports.references import write_bibtex, write_csl, write_ris
from views.exports.material import material

HOSTILE = [
    "50% of {lamps} \\write18{rm} $x_1$ & #2 ~ ^",
    "A\nTY  - BOOK\nER  - ",
    "}\n@book{x,",
    "Æther 日本 \u202egnp.exe",
]


def read(form: str, text: bytes) -> list[dict[str, object]]:
    """Return the entries that another program finds in a file of references."""
    found: list[dict[str, object]] = json.loads(pypandoc.convert_text(text.decode(), "csljson", form))
    return found


WRITERS = {"biblatex": write_bibtex, "ris": write_ris, "csljson": write_csl}


@pytest.mark.parametrize("form", WRITERS)
def test_another_program_reads_the_sources_and_hostile_titles_are_titles(form: str) -> None:
    given = material({title: f"Text {title}. End." for title in ("Lights", *HOSTILE)})
    (content,) = WRITERS[form](given).values()
    entries = read(form, content)
    assert len(entries) == len(given.sources)
    assert (entries[0]["title"], entries[0]["URL"]) == ("Lights", "https://coast.example/1")
    assert str(entries[0]["issued"]).startswith("{'date-parts': [[2019")
    assert given.sources[0].sha256 in content.decode()
    assert [each.get("title") for each in entries[2:]] == ["A TY - BOOK ER -", "} @book{x,", "Æther 日本 \ufffdgnp.exe"]


@given(st.text(max_size=40))
@example("\\")
@example("{")
def test_no_title_opens_or_closes_a_field(title: str) -> None:
    (content,) = write_bibtex(material({title: "A text. End."})).values()
    bare = re.sub(r"\\[{}\\]", "", content.decode())
    assert bare.count("{") == bare.count("}")
    assert len(re.findall(r"^@", content.decode(), re.MULTILINE)) == 1


def test_a_file_is_named_by_an_iri() -> None:
    (content,) = write_csl(material(uri="/home/ann/two words{}.md")).values()
    assert json.loads(content)[0]["URL"] == "file:///home/ann/two%20words1.md"

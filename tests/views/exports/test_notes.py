import yaml

from quaestor.views.exports.notes import write_obsidian, write_quarto
from views.exports.material import material


def test_each_source_is_a_note_that_leads_to_the_report_and_back() -> None:
    notes = {path: text.decode() for path, text in write_obsidian(material()).items()}
    (report, source) = notes
    assert report == "What does the lamp burn.md"
    assert f"[[{source.removesuffix('.md')}|Lights]]" in notes[report]
    assert "> The lamp of Aldmouth burns oil\n" in notes[source]
    assert "([[What does the lamp burn]], 1)" in notes[source]
    properties = yaml.safe_load(notes[source].split("---")[1])
    assert (properties["title"], properties["url"]) == ("Lights", "https://coast.example/1")


def test_no_title_leaves_the_folder_or_ends_the_properties() -> None:
    title = '../../etc/passwd: "x"\n---\n[[a|b]] <script>'
    notes = write_obsidian(material({title: f"{title}. End."}))
    assert all(".." not in path and path.count("/") <= 1 for path in notes)
    text = next(text for path, text in notes.items() if path.startswith("sources/")).decode()
    assert yaml.safe_load(text.split("---\n")[1])["title"] == '../../etc/passwd: "x" --- [[a|b]] <script>'
    assert "\n<script>" not in text
    assert "> \\[\\[a\\|b]]" in text


def test_a_quarto_document_has_its_bibliography() -> None:
    files = write_quarto(material())
    properties = yaml.safe_load(files["report.qmd"].decode().split("---")[1])
    assert properties["bibliography"] in files
    assert "Oil. [1]" in files["report.qmd"].decode()

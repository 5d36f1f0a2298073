import pytest

from fakes.findings import source
from quaestor.contracts.source import TableCell, TablePlace
from quaestor.research.offline.words.held_words import held_terms
from quaestor.research.offline.words.wording import absent_words, asked_language, asked_words


def lacking(question: str, text: str) -> tuple[str, ...]:
    asked = asked_words(question)
    return absent_words(asked, held_terms(source(text), "", text, asked_language(question), asked=asked))


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("May pilots drink before a takeoff?", "Pilots drink nothing before the take-off.", ()),
        ("May pilots drink before a take-off?", "Pilots drink nothing before the takeoff.", ()),
        ("May pilots drink before a takeoff?", "Pilots take off and drink.", ("takeoff",)),
        ("Are lifeguards there?", "Life-guards are there.", ()),
        ("Did the pilots ask for 2500000?", "The pilots did ask for 2 500 000 of it.", ()),
        ("Did the pilots ask for 12000?", "The pilots did ask for 12.000 of it.", ()),
        ("Did the pilots ask for 12000?", "The pilots did ask for 12 0001 of it.", ("12000",)),
        ("Is --jar-lid new?", "The new option `--jar-lid` is there.", ()),
        ("Is --jar-lid new?", "The new jar-lid is there.", ()),
        ("Is --jar-lid new?", "The new jar has a lid.", ("--jar-lid",)),
        ("Is --lid new?", "The new jar has several lids.", ("--lid",)),
        ("Is --lid new?", "The new jar has `--lid`.", ()),
        ("Is JarLi new?", "The new JarLy is there.", ("JarLi",)),
        ("Is JarLi new?", "New in jarli 3: lids.", ()),
        ("Is JarLi new?", "The new jar-li is there.", ()),
        ("Is Ann McRoy new?", "New is Ann Lee McRoy.", ()),
        ("Are JarLids new?", "The new JarLid is there.", ()),
        ("Is JarLi a part of Corkfit?", "Corkfit has a part.", ("JarLi",)),
        ("Is --jar-lid in Corkfit Jar?", "Corkfit Jar has a lid.", ("--jar-lid",)),
        ("What is new in 3.14?", "New in v3.14.2: jars.", ()),
        ("What is new in 3.14?", "New in 3.140: jars.", ("3.14",)),
        ("What is new in Corkfit 6?", "New in Corkfit v6: jars.", ()),
        ("What is new in Corkfit 6?", "New in Corkfit 6.0.2.", ()),
        ("What is new in Corkfit 6?", "New in Corkfit 6.x: jars.", ()),
        ("What is new in Corkfit 6?", "New in Corkfit v61 and Corkfit 16.0.", ("Corkfit 6",)),
        ("Is there a jar_64 lid?", "A lid of jar\\_64 is there.", ()),
        ("What is new in Corkfit 3.0?", "Corkfit is new and licensed as GPL-3.0-only.", ("Corkfit 3.0",)),
        ("What is new in Corkfit 3.0?", "Corkfit is new and licensed as GPL-3.0 or later.", ("Corkfit 3.0",)),
        ("What is new in Corkfit 3.0?", "The new Corkfit needs Jarlid 3.0.", ("Corkfit 3.0",)),
        ("What is new in Corkfit 3.0?", "The new text of Corkfit is under CC BY-SA 3.0", ("Corkfit 3.0",)),
        ("What is new in Corkfit 3.0?", "Corkfit 2.9, 3.0 and 3.1 are new.", ()),
        ("What is new in Corkfit 3.0?", "As of version 3.0 new jars are in Corkfit.", ()),
        ("What is new in Corkfit 3.0?", "Since 3.0.1 new jars are in Corkfit.", ()),
        ("Which jar fits Lid/Cork 30?", "The jar fits Lid/Cork 26, by 30% more.", ("Lid/Cork 30",)),
        ("Which jar fits Lid/Cork 30?", "The jar fits Lid/Cork 30.", ()),
        ("Is there wifi?", "Wi-Fi costs nothing.", ()),
        ("Is there Wi-Fi?", "The wifi costs nothing.", ()),
        ("Were the bylaws read?", "The bye-laws were read.", ()),
        ("Is there Wi-Fi at Lake Ode?", "The wifi of Lake Ada costs nothing.", ("Lake Ode",)),
    ],
)
def test_a_word_is_held_with_and_without_its_hyphens(question: str, text: str, lacks: tuple[str, ...]) -> None:
    assert lacking(question, text) == lacks


def test_a_version_is_held_by_its_releases_in_the_heading_above() -> None:
    asked = asked_words("What is new in 3.14?")
    for heading, is_held in (("Changes > 3.14.0 / 2026-08-17", True), ("Changes > 13.14.0", False)):
        held = held_terms(source("a"), heading, "What is new?", "en", asked=asked)
        assert ("3.14" not in absent_words(asked, held)) is is_held


def test_an_option_is_not_held_by_its_words_in_the_heading_above() -> None:
    asked = asked_words("Is --jar-lid new?")
    for heading, is_held in (("Jar lids", False), ("Options > --jar-lid", True)):
        held = held_terms(source("a"), heading, "It is new.", "en", asked=asked)
        assert ("--jar-lid" not in absent_words(asked, held)) is is_held


@pytest.mark.parametrize(
    ("file", "is_held"), [("version-2-0-10-released.md", True), ("2-0-10-1.md", False), ("2020-10.md", False)]
)
def test_a_version_is_held_by_the_name_of_a_file(file: str, is_held: bool) -> None:
    asked = asked_words("What is new in 2.0.10?")
    held = held_terms(source("a").model_copy(update={"uri": f"/docs/{file}"}), "", "What is new?", "en", asked=asked)
    assert ("2.0.10" not in absent_words(asked, held)) is is_held


@pytest.mark.parametrize(
    ("file", "is_held"),
    [
        ("0080-lids.md", True),
        ("080-lids.md", True),
        ("0081-lids.md", False),
        ("80-lids.md", False),
        ("lids-0080.md", False),
    ],
)
def test_the_number_of_a_series_is_held_by_the_file_that_begins_with_it(file: str, is_held: bool) -> None:
    asked = asked_words("What is new in JAR 80?")
    held = held_terms(source("a").model_copy(update={"uri": f"/jars/{file}"}), "", "Lids are.", "en", asked=asked)
    assert ("JAR 80" not in absent_words(asked, held)) is is_held


def test_a_year_is_no_number_of_a_series() -> None:
    asked = asked_words("What is new in JAR 2024?")
    held = held_terms(source("a").model_copy(update={"uri": "/jars/2024-lids.md"}), "", "Lids.", "en", asked=asked)
    assert "JAR 2024" in absent_words(asked, held)


def test_percent_is_held_by_per_cent() -> None:
    assert lacking("How many percent do pilots get?", "Pilots get 25 per cent.") == ()
    assert lacking("How many percent do pilots get?", "Pilots get cents per day.") == ("percent",)


def test_a_word_is_held_by_a_compound_of_which_it_is_the_kind() -> None:
    asked = "Wann melden wir unser Gewicht?"
    assert lacking(asked, "Bis Juni melden wir das Körpergewicht.") == ()
    assert lacking(asked, "Bis Juni melden wir den Gewichtheber.") == ("Gewicht",)
    assert lacking("When do we report our weight?", "By June we report the featherweight.") == ("weight",)


def test_a_small_word_of_the_language_of_a_text_is_no_word_of_a_question_in_another_one() -> None:
    assert lacking("When did the keeper die?", "Man gab dem keeper 1929 die Schuld, und er ging nach Rom.") == ("die",)
    assert lacking("When did the keeper die?", "The keeper would not die in 1929, and he went to Rome.") == ()


def test_a_name_is_held_without_its_initials_and_not_by_two_others() -> None:
    asked = "Where was Ann M. Lee born?"
    assert lacking(asked, "Ann Lee was born in Quell.") == ()
    assert lacking(asked, "The jar of Ann Berg and Bo Lee, who were born in Quell.") == ("Ann M. Lee",)


def test_the_last_word_of_a_name_is_held_where_it_is_that_of_another_name_too() -> None:
    text = "He sailed from Tin Island to Corkfit, which was green. The islands of it are low."
    assert lacking("How far is Tin Island from the Corkfit Islands?", text) == ("far", "Corkfit Islands")


@pytest.mark.parametrize(
    "text",
    [
        "The jar was given by Mr. Ann\nLee, who was born in Quell.",
        "The jar was given by Mr. Ann\n   Lee, who was born in Quell.",
        "The jar: Lee, Ann (born in Quell)",
    ],
)
def test_a_name_is_held_over_the_end_of_a_line_of_prose(text: str) -> None:
    assert lacking("Where was Ann Lee born?", text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Born in Quell:\nAnn Berg\nLee Marsh\n",
        "Born in Quell were\n- the tall Ann\n- Lee of the mill\n",
        "Born in Quell was the tall Ann\n\nLee was born in the mill\n",
    ],
)
def test_rows_items_and_paragraphs_part_two_names(text: str) -> None:
    assert lacking("Where was Ann Lee born?", text) == ("Ann Lee",)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What opens on 8 May?", "The café opens on 8.5.2024."),
        ("Does the choir sing at 19:30?", "The choir sings at 7.30 pm."),
        ("Does the choir sing on 8 May 2025?", "Songs of 2025: the choir sings on 8.5. and on 9.5."),
        ("Are support issues open?", "Issues of the kind type%3A%3Asupport are open."),
        ("Is the course on Thursday Arabic?", "Thu,Arabic,a course"),
        ("Is there a course on Friday 22 August?", "There are courses until Fri. 22 Aug. at noon."),
        ("Is the bell of St Anne grey?", "Saint Anne's bell is grey."),
    ],
)
def test_what_is_asked_is_held_in_other_signs(question: str, text: str) -> None:
    assert lacking(question, text) == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie hoch ist der Beitrag?", "Der Beitrag ist 60 Franken."),
        ("Wie hoch ist der Beitrag?", "Der Beitrag ist bei 60 €."),
        ("How high is the wall?", "The wall is 3 m up."),
        ("What does the lid cost?", "The lid is £3."),
        ("What is the price of the lid?", "Lids: 3 pounds"),
        ("What does the lid cost?", "The lid. It is 3 euros."),
        ("Was kostet der Deckel?", "Der Deckel ist für 3,50 Euro zu haben."),
        ("Combien coûte le bocal ?", "Le bocal : 3 €"),
        ("What is the telephone number of Ann Lee?", "The number of Ann Lee: 01632 960155"),
        ("Hoe hoog is de toren?", "De toren is 30 meter."),
        ("Quanto è alta la torre?", "La torre è di 30 m."),
    ],
)
def test_a_measure_is_held_by_what_tells_it(question: str, text: str) -> None:
    assert lacking(question, text) == ()


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("What does the lid cost?", "The lid is 3 cm wide.", ("cost",)),
        ("Is the lid of 8 May 2025 red?", "The lid of 2024 and of 8 May is red.", ("8 May 2025",)),
        ("Is the lid of 8 May 2025 red?", "The lid of 2025 and of 8.5.2024 is red.", ("8 May 2025",)),
        ("What does the lid cost?", "The lid is wide. It is red. We paid £3.", ("cost",)),
        ("What does the lid cost?", "We paid £3.", ("lid", "cost")),
        ("Is the lid cheap?", "The lid is £3.", ("cheap",)),
        ("What is the telephone of Ann Lee?", "Ann Lee, 12.05.2024 10.30", ("telephone",)),
    ],
)
def test_neither_a_cost_nor_a_day_is_told_by_what_is_of_something_else(
    question: str, text: str, lacks: tuple[str, ...]
) -> None:
    assert lacking(question, text) == lacks


def test_the_parts_of_a_name_with_a_hyphen_are_one_name() -> None:
    assert lacking("Who won the Brandt Olsen cup?", "Bo Lee won the Brandt-Olsen cup.") == ()
    assert lacking("Who won the Brandt Olsen cup?", "Brandt, who was there, saw Bo Lee win the cup of Olsen.") == (
        "Brandt Olsen",
    )


@pytest.mark.parametrize(
    "text",
    [
        "The Pi 2 is sold.",
        "Pi boards: the Pi 3 and 2 are sold.",
        "The Pi models 1 to 2 are sold.",
        "The Pi (2, 3) is sold.",
        "The Pi2 and the Pi-3 are sold.",
        "The 2nd Pi is sold.",
        "Pi boards that are sold:\n\n2. the small one\n",
        "The Pi No. 2 is sold.",
    ],
)
def test_a_number_of_a_name_is_held_where_it_numbers_that(text: str) -> None:
    assert lacking("Is the Pi 2 sold?", f"It is known to everybody.\n{text}") == ()


@pytest.mark.parametrize(
    "text",
    [
        "The Pi 3 is sold since 2026-04-02.",
        "The Pi 32-bit is sold in 2 shops.",
        "The Pi Zero 2 is sold.",
        "The Pi is sold. 2 shops have it.",
        "Of the Pi it is sold at lot1NS2iag9jJ.",
    ],
)
def test_a_number_of_a_name_is_not_held_by_that_of_something_else(text: str) -> None:
    assert lacking("Is the Pi 2 sold?", f"It is known to everybody.\n{text}") == ("Pi 2",)
    assert lacking("Was a Pi sold on 2 May?", "The Pi was sold for 3 crowns on 2 May.") == ()
    assert lacking("Was the fair of May 2024 cold?", "In 2024 the fair was in May, and cold.") == ()


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("It is held by 2 wires.", ("Pi 2",)),
        ("It is the lot1NS2iag9jJ.", ("Pi 2",)),
        ("It is newer than Pi 2.", ()),
        ("It is newer than pi-0002.", ()),
    ],
)
def test_a_document_with_a_number_of_its_own_holds_no_other_of_its_kind(text: str, lacks: tuple[str, ...]) -> None:
    asked = asked_words("What is Pi 2?")
    other, own = (source(text).revised(title="", uri=f"/docs/pi-{number:04}.txt") for number in (3, 2))
    assert absent_words(asked, held_terms(other, "", text, None, asked=asked)) == lacks
    assert absent_words(asked, held_terms(own, "", text, None, asked=asked)) == ()


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("A lid of LID-44 has 16 holes.", ("LID-16",)),
        ("A lid has a rim: u16.", ("LID-16",)),
        ("It is newer than LID-16.", ()),
        ("It is newer than LID 16.", ()),
    ],
)
def test_the_number_behind_a_hyphen_is_that_of_its_name_alone(text: str, lacks: tuple[str, ...]) -> None:
    asked = asked_words("What happened to LID-16?")
    other = source(text).revised(title="LID-44", uri="/docs/44.md")
    assert absent_words(asked, held_terms(other, "", text, None, asked=asked)) == lacks


def test_a_bare_number_is_not_held_by_the_days_of_dates() -> None:
    assert lacking("When did lid.js 22 end?", "The lid.js of 20 ends on 2024-10-22.") == ("22",)
    assert lacking("When did lid.js 22 end?", "The lid.js of 22 ends on 2024-10-22.") == ()


def test_a_single_small_letter_is_no_word_of_a_question() -> None:
    assert lacking("Who runs the 401(k) plan?", "The plan 401 is run by Ann.") == ()
    assert lacking("Who runs plan K?", "The plan is run by Ann.") == ("K",)


def lacking_in_row(question: str, rows: str, row: str, uri: str = "/docs/toll.csv") -> tuple[str, ...]:
    """Return what a row of a table lacks beside the others; the first names the columns."""
    head, *_ = rows.split("\n")
    cells = zip(
        *([cell.strip() for cell in line.removeprefix("| ").removesuffix(" |").split("|")] for line in (head, row)),
        strict=True,
    )
    place = TablePlace(row=1, cells=tuple(TableCell(column=name, value=value, quoted=True) for name, value in cells))
    text = rows.replace("|", ",") if uri.endswith(".csv") else rows
    of = source(text).revised(uri=uri)
    asked = asked_words(question)
    return absent_words(asked, held_terms(of, "", text, asked_language(question), place, asked=asked))


@pytest.mark.parametrize("name", ["Total", "Grand total", "Gesamtsumme", "Totaal"])
def test_a_row_of_totals_holds_nothing_of_the_rows_that_it_sums_up(name: str) -> None:
    rows = f"month|ford|toll\nMay|Quell|20\nMay|Rinn|18\n{name}||38"
    assert lacking_in_row("What is the toll of Rinn?", rows, f"{name}||38", "/docs/toll.csv") == ("Rinn",)
    assert (
        lacking_in_row("What is the toll of Rinn?", rows.replace(name, "Summer"), "Summer||38", "/docs/toll.csv") == ()
    )


@pytest.mark.parametrize("uri", ["/docs/toll.csv", "/docs/toll.md"])
def test_a_row_does_not_hold_what_the_rows_beside_it_say(uri: str) -> None:
    rows = "ford|year|toll\nQuell|2010|20\nRinn|1901|18"
    assert lacking_in_row("What was the toll of Rinn in 2010?", rows, "Rinn|1901|18", uri) == ("2010",)
    assert lacking_in_row("What was the toll of Quell in 2010?", rows, "Quell|2010|20", uri) == ()


def test_a_row_holds_what_stands_above_it_for_several_rows() -> None:
    asked = "When is Ines at Quell on Monday?"
    emptied = "day|name|place\nMonday|Ines|Rinn\n|Ines|Quell"
    same = 'day|name|place\nMonday|Ines|Rinn\n"|Ines|Quell'
    headed = "time|name|place\nMonday||\n9:00|Ines|Quell"
    assert lacking_in_row(asked, emptied, "|Ines|Quell") == ()
    assert lacking_in_row(asked, same, '"|Ines|Quell') == ()
    assert lacking_in_row(asked, headed, "9:00|Ines|Quell") == ()


def test_a_row_holds_what_the_prose_around_its_table_says() -> None:
    rows = "| ford | toll |\n| Quell | 20 |\n| Rinn | 18 |\n\nIn winter nobody pays."
    assert lacking_in_row("What is the toll of Rinn in winter?", rows, "| Rinn | 18 |", "/docs/toll.md") == ()


@pytest.mark.parametrize("row", ["Ann|Lee|87", "Lee|Ann|87", "Ann M.|Lee|87", "Ann|Lee Jr.|87", "87|ann|lee"])
def test_a_name_is_held_by_two_neighbouring_cells(row: str) -> None:
    assert lacking_in_row("What is the age of Ann Lee?", f"one|two|age\n{row}\nBo|Marsh|3", row) == ()


@pytest.mark.parametrize("row", ["Ann Berg|Lee|87", "Bo Ann|Lee Marsh|87", "Ann|87|Lee"])
def test_a_name_is_not_held_by_cells_that_name_others(row: str) -> None:
    assert lacking_in_row("What is the age of Ann Lee?", f"one|two|age\n{row}\nBo|Marsh|3", row) == ("Ann Lee",)


@pytest.mark.parametrize(
    ("rows", "row", "lacks"),
    [
        ("Version|end\n11|2024\n12|2025", "12|2025", ()),
        ("release|end\nv11|2024\nv12|2025", "v12|2025", ()),
        ("Version|end\n11|2024\n12|2025", "11|2024", ("Corkfit 12",)),
        ("lids|end\n11|2024\n12|2025", "12|2025", ("Corkfit 12",)),
    ],
)
def test_the_row_of_a_version_is_that_of_the_name_with_its_number(rows: str, row: str, lacks: tuple[str, ...]) -> None:
    assert lacking_in_row("When is the end of Corkfit 12?", rows, row) == lacks


def test_the_number_of_a_name_is_held_by_no_date_and_no_part_of_a_version() -> None:
    asked = asked_words("When was Lid.js 24 released?")

    def lacks(title: str, text: str) -> tuple[str, ...]:
        return absent_words(asked, held_terms(source(text).revised(title=title), "", text, None, asked=asked))

    assert lacks("Lid.js meeting 2024-07-24", "Marco just released 20.16.0.") == ("24",)
    assert lacks("Lid.js meeting 2024-07-24", "Marco just released Lid.js 24.") == ()
    assert lacks("Lid.js 24", "Marco just released it on 2025-05-06.") == ()


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("When is the annual general meeting?", "The AGM is in May.", ()),
        ("When is the Annual General Meeting of the club?", "The AGM is in May.", ("club",)),
        ("When is the AGM?", "The Annual General Meeting is in May.", ()),
        ("When is the AGM?", "All are a great many.", ("AGM",)),
        ("When is the general annual meeting?", "The AGM is in May.", ("general", "annual", "meeting")),
        ("When is the annual meeting?", "The AM is in May.", ("annual", "meeting")),
        ("When is the annual general meeting?", "The agm is in May.", ("annual", "general", "meeting")),
    ],
)
def test_words_are_held_by_their_initials_in_capitals(question: str, text: str, lacks: tuple[str, ...]) -> None:
    assert lacking(question, text) == lacks


@pytest.mark.parametrize(
    ("uri", "lacks"), [("/d/LID-0075/README.md", ()), ("/d/lids/README.md", ("LID-75",)), ("/d/lid-75.md", ())]
)
def test_a_document_in_a_folder_with_a_number_holds_that_number(uri: str, lacks: tuple[str, ...]) -> None:
    question, text = "Is LID-75 new?", "The jar is new."
    own, asked = source(text).revised(uri=uri), asked_words(question)
    held = held_terms(own, "", text, asked_language(question), asked=asked)
    assert absent_words(asked, held) == lacks


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Jars come with 3 lids.", ("Corkfit 3",)),
        ("Jars have a 3-digit number.", ("Corkfit 3",)),
        ("In 3 the jars are new.", ()),
        ("New: the jars of 3.", ()),
    ],
)
def test_a_number_that_counts_is_not_that_of_a_name_which_stands_above(text: str, lacks: tuple[str, ...]) -> None:
    asked = asked_words("What is new in Corkfit 3?")
    held = held_terms(source("New lids and jars of tin"), "Corkfit", f"New: {text}", None, asked=asked)
    assert absent_words(asked, held) == lacks

import pytest

from quaestor.contracts.source import TablePlace
from quaestor.evidence.passages import split_passages
from quaestor.research.brief.item_context import MAX_PARAGRAPH_CHARACTERS
from quaestor.research.brief.paragraphs import paragraph_around

NOTE = """Note: 12
Title: Plain Jars
Status: Rejected
Superseded-By: 40

Abstract
========

Jars hold honey. They are made of glass.

Lids keep the dust out.

Reasons
=======

Dust spoils honey.
"""


FAR = "The sun shone on the hills of Harwick. " * 30
"""A paragraph that makes a section too long to be shown whole."""


def around(text: str, words: str) -> tuple[str, str]:
    """Return what is shown around words of a text that goes on for long, with its heading."""
    return short(f"{text}\n{FAR}", words)


def short(text: str, words: str) -> tuple[str, str]:
    start = text.index(words)
    found = paragraph_around(text, "text/x-rst", start, start + len(words))
    return text[found.start : found.end], found.heading


def test_a_sentence_is_shown_in_its_paragraph_below_its_heading() -> None:
    assert around(NOTE, "Dust spoils") == ("Dust spoils honey.", "Reasons")


def test_a_short_section_is_shown_whole_up_to_its_headings() -> None:
    told = "Jars hold honey. They are made of glass.\n\nLids keep the dust out."
    assert short(NOTE, "They are made of glass.") == (told, "Abstract")
    assert short(NOTE, "Lids keep") == (told, "Abstract")
    whole = "They may be of tin.\n\n- Ann: for it\n- Bob: against it\n\nThis was not accepted."
    voted = f"# Jars\n\n{whole}\n\n# Lids\n\nNone.\n"
    assert short(voted, "They may be of tin.")[0] == short(voted, "Ann: for it")[0] == whole
    parted = voted.replace("# Lids\n\nNone.", "---\n\nLids are none.")
    assert short(parted, "They may be of tin.")[0] == whole


def test_of_a_section_with_code_or_rows_that_are_not_marked_the_paragraph_is_shown() -> None:
    coded = "# Jars\n\nThey may be of tin.\n\n```\nseal(jar)\n```\n\nNever open them.\n"
    assert short(coded, "They may be of tin.")[0] == "They may be of tin."
    assert short(coded, "seal(jar)")[0].endswith("Never open them.")
    rows = "# Jars\n\nThey may be of tin.\n\nLids are sold.\n\nName: Ann\nLid: tin\n"
    assert short(rows, "They may be of tin.")[0] == "They may be of tin."


def test_a_field_is_shown_with_the_fields_around_it() -> None:
    assert around(NOTE, "Status: Rejected")[0].startswith("Note: 12\nTitle: Plain Jars")


LETTER = "From: Ann Lee\nSubject: Jar fair\n\nDear all,\n\nwe meet on 21 March at the mill.\n"


def test_a_short_letter_is_shown_whole_with_the_answers_below_it() -> None:
    answered = f"{LETTER}\n> From: Bob Ray\n> Not at the mill, it is let.\n"
    assert short(LETTER, "Subject: Jar fair")[0] == LETTER.strip()
    assert short(answered, "we meet on 21 March at the mill.")[0] == answered.strip()
    assert short(f"{LETTER}\n{'Bring jars. ' * 80}", "Subject: Jar fair")[0] == LETTER[: LETTER.index("\n\n")]
    plain = "Harwick, 3 May 2021\n\nDear Ann,\n\nwe meet at the mill.\n\nThe mill is let.\n\nYours,\nBob\n"
    assert short(plain, "The mill is let.")[0] == plain.strip()
    assert around(plain.replace("Dear Ann,", "Ann is dear."), "The mill is let.")[0] == "The mill is let."
    assert short("Jar fair. Now.\n\nName: Ann\nLid: tin\n\nWe meet.\n", "Lid: tin")[0] == "Name: Ann\nLid: tin"


LIST = """A jar may be sold if all of this holds:

(a) it has a lid of cork or of tin; and

(b) it is of glass; or,

(c) it is empty.

The keeper ends with one of several codes. Two of them are rare.

1  The jar is cracked.

The lid has several marks.

4  No lid was found.
"""


def test_an_item_is_shown_with_what_introduces_it_and_an_introduction_with_its_items() -> None:
    whole = LIST[: LIST.index("\n\nThe keeper")]

    assert around(LIST, "it is of glass; or,")[0] == whole
    assert around(LIST, "A jar may be sold if all of this holds:")[0] == whole
    assert around(LIST, "The keeper ends with one of several codes.")[0].endswith("rare.")
    assert around(LIST, "The lid has several marks.")[0].endswith("No lid was found.")
    assert around(LIST.replace("No lid", "No lid " * 200), "The lid has several marks.")[0].endswith("marks.")


def test_an_item_under_a_label_of_its_own_is_shown_alone() -> None:
    minutes = "1. **Lids.** The lids of tin are sold.\n2. **Cellar.** It is closed in the evening.\n3. **Ann Lee**\n"
    assert around(minutes, "It is closed in the evening.")[0] == "**Cellar.** It is closed in the evening."
    assert around(minutes, "**Ann Lee**")[0] == minutes.strip()
    assert around(minutes.replace("**", ""), "It is closed")[0] == minutes.replace("**", "").strip()


def test_a_long_paragraph_is_cut_after_sentences_on_either_side() -> None:
    text = " ".join(f"Jar number {number} holds honey of the north." for number in range(100)) + "\n"
    shown, _ = around(text, "Jar number 50 holds honey of the north.")

    assert len(shown) <= MAX_PARAGRAPH_CHARACTERS
    assert shown.startswith("Jar number 4")
    assert shown.endswith("of the north.")


@pytest.mark.parametrize("words", ["jar 7,", "jar 400,"])
def test_what_has_no_sentences_is_cut_by_lines(words: str) -> None:
    text = "name, price\n" + "\n".join(f"jar {number}, {number} crowns" for number in range(500)) + "\n"
    shown, _ = around(text, words)

    assert words in shown
    assert len(shown) <= 2 * MAX_PARAGRAPH_CHARACTERS


RULES = "Rules\n=====\n\nThe keepers shall not\n\n- lend a jar;\n- smoke.\n\nThey wash up.\n\n- Soap is there.\n"


def test_an_item_is_shown_with_the_words_that_go_on_in_it_though_they_have_no_colon() -> None:
    assert around(RULES, "lend a jar;")[0] == "The keepers shall not\n\n- lend a jar;\n- smoke."
    assert around(RULES, "Soap is there.")[0] == "Soap is there."


ITEMS = "- lend a jar to anybody at all;\n" * 40
LONG = f"Rules\n=====\n\nThe keepers shall not\n\n{ITEMS}- smoke;\n\nThey wash up.\n\n- Soap.\n"


def test_an_item_far_below_what_introduces_it_is_under_these_words() -> None:
    shown, under = around(LONG, "smoke;")

    assert "shall not" not in shown
    assert under == "Rules > The keepers shall not"
    assert around(LONG, "Soap.")[1] == around(LONG, "They wash up.")[1] == "Rules"
    assert around(RULES, "- smoke.")[1] == "Rules"
    assert around(LONG, "- smoke;")[1] == "Rules > The keepers shall not"


def test_an_item_is_not_under_a_name_with_its_value_far_above_it() -> None:
    present = LONG.replace("The keepers shall not", "**Present:** Ann Lee, Bo Ek\n**Away:** Cy Orr")
    told = LONG.replace("The keepers shall not", "Please note of\nthis house: they shall not")

    assert around(present, "smoke;")[1] == "Rules"
    assert around(told, "smoke;")[1] == "Rules > Please note of this house: they shall not"


def test_the_rest_of_an_item_far_above_introduces_no_list() -> None:
    told = "It is asked of all keepers that they read this before the season begins.\n" * 30
    listed = "- lend a jar to anybody at all.\n" * 280
    text = f"Rules\n=====\n\n- keys: Kept.\n{told}See also\n{listed}- smoke: None.\n"

    assert around(text, "smoke: None.")[1] == "Rules"


def test_a_label_without_a_colon_is_shown_with_the_list_below_it() -> None:
    text = "Shelves\n=======\n\nPlums (stewed)\n\n- Cellar: two years\n- Attic: a week\n\nPears\n\nRot is near.\n"

    assert around(text, "Plums (stewed)")[0] == around(text, "Attic: a week")[0]
    assert around(text, "Plums (stewed)")[0].endswith("- Attic: a week")
    assert around(text, "Pears")[0] == "Pears"


def test_an_item_far_below_the_one_that_it_stands_under_is_under_its_words() -> None:
    months = "".join(f"  - Month {number}: lids of tin\n" for number in range(9))
    text = f"Shelves\n=======\n\n- Plums are shut with lids.\n{months}- Pears rot.\n"

    assert around(text, "Month 8: lids of tin")[1] == "Shelves > Plums are shut with lids."
    assert around(text, "Month 1: lids of tin")[1] == around(text, "Pears rot.")[1] == "Shelves"


def test_a_paragraph_is_shown_with_the_one_that_leans_on_it() -> None:
    rule, because = "Jars have no lid by default.", "This default keeps them cheap: lids of cork cost more than jars."
    other = "Corks are sold apart."

    assert around(f"{other}\n\n{rule}\n\n{because}\n\n{other}\n", rule)[0] == f"{rule}\n\n{because}"
    assert around(f"{other}\n\n{rule}\n\n{because}\n\n{other}\n", because)[0] == f"{rule}\n\n{because}"
    assert around(f"{rule}\n\n{other}\n\n{because}\n", rule)[0] == rule


@pytest.mark.parametrize(
    "opening",
    ["However, ", "To avoid this, ", "Except in May: ", "Allerdings ", "Ausgenommen: ", "Toutefois, ", "Sin embargo, "],
)
def test_a_paragraph_is_shown_with_the_one_that_limits_it(opening: str) -> None:
    rule, limit, other = "Jars have no lid.", f"{opening}lids of cork are sold.", "Corks are sold apart."

    assert around(f"{other}\n\n{rule}\n\n{limit}\n\n{other}\n", rule)[0] == f"{rule}\n\n{limit}"
    assert around(f"{rule}\n\n{other}\n\n{limit}\n", rule)[0] == rule
    assert around(f"- {rule}\n\n{limit}\n", rule)[0] == f"- {rule}\n\n{limit}"
    assert around(f"{rule}\n\n{limit}{'Lids rust. ' * (MAX_PARAGRAPH_CHARACTERS // 10)}\n", rule)[0] == rule


def test_a_paragraph_is_shown_with_the_list_that_leans_on_it_and_without_what_is_too_long() -> None:
    rule = "Jars have no lid by default."
    because = "This keeps them cheap. " + "Lids of cork cost more than jars. " * (MAX_PARAGRAPH_CHARACTERS // 34)

    assert around(f"{rule}\n\n{because}\n", rule)[0] == rule
    items = "- This keeps them cheap.\n- One rusts."
    assert around(f"{rule}\n\n{items}\n", rule)[0] == f"{rule}\n\n{items}"
    assert around(f"{rule}\n\n- Corks are sold apart.\n{items}\n", rule)[0] == rule
    assert around(f"{rule}\n\n{because}\n\nYou need:\n\n{items}\n", rule)[0] == rule
    assert around(f"{rule}\n\nThis keeps them cheap, with:\n\n{items}\n", rule)[0].endswith(items)
    several = "Several lids are sold."
    assert around(f"{several}\n\nCork is light.\n\nTo shut one you need this:\n\n{items}\n", several)[0].endswith(
        "light."
    )


def test_a_list_is_read_on_where_a_passage_ends_within_it() -> None:
    text = "Jars\n====\n\n" + "".join(f"- Lid number {number} is of tin.\n" for number in range(90))
    first, second, *_ = split_passages(text, "text/x-rst")
    last, after = text[: first.end].rpartition("- ")[2], text[second.start :].partition("\n")[0]

    place = text.index(last)
    assert paragraph_around(text, "text/x-rst", place, place + len(last)).goes_on
    assert not paragraph_around(text, "text/x-rst", len(text) - 9, len(text) - 1).goes_on
    rows = "".join(f"| Lid number {number} | of tin |\n" for number in range(90))
    assert paragraph_around(f"| Lid | Of |\n|---|---|\n{rows}", "text/x-rst", 40, 60).goes_on
    lines = "".join(f"{number},the lid of the jar {number},tin\n" for number in range(60))
    assert paragraph_around(f"Number,Lid,Of\n{lines}", "text/csv", 14, 38).goes_on
    prose = NOTE.index("Jars hold")
    assert not paragraph_around(NOTE, "text/x-rst", prose, prose + 9).goes_on
    assert after.strip("- ") in around(text, last)[0]
    assert last in around(text, after)[0]


def test_a_row_of_a_file_of_rows_is_shown_between_its_neighbors() -> None:
    rows = [f"Stall {number},Mr. Fox,the jars of hall {number}.\n" for number in range(60)]
    text, place = f"Stall,Helper,Task\n{''.join(rows)}", TablePlace(row=31, cells=())
    start = text.index(rows[30])

    shown = paragraph_around(text, "text/plain", start, start + len(rows[30]) - 1, place)
    assert text[shown.start : shown.end] == "".join(rows[26:35]).strip()
    assert shown.goes_on


def test_the_first_item_of_a_list_is_shown_with_its_mark() -> None:
    rules = "Of jars\n=======\n\n1. Jars are washed.\n2. Lids are dried.\n"

    assert around(rules, "Lids are dried.")[0] == "1. Jars are washed.\n2. Lids are dried."


def test_a_row_is_shown_below_what_its_table_is_called() -> None:
    rows = [f"| meal number {number} | is served for {number} hours |\n" for number in range(90)]
    short, long = (f"**Day 1**\n\n| Meal | Hours |\n|---|---|\n{''.join(rows[:most])}" for most in (2, 90))

    assert around(short, "| meal number 1 |")[0].startswith("**Day 1**")
    assert around(long, "| meal number 20 |")[1] == "Day 1"
    assert "Day 1" not in around(long, "| meal number 20 |")[0]


def test_the_title_of_a_table_stands_above_its_rows_without_the_options_between() -> None:
    rows = "* - Jar\n     - Lid\n   * - red\n     - tin"
    text = f"Jars\n====\n\n.. list-table:: Of clay\n   :header-rows: 1\n\n   {rows}\n"
    assert around(text, "* - red\n     - tin") == (rows, "Jars > Of clay")


def test_a_remark_is_shown_below_what_it_is_said_of() -> None:
    text = (
        "Jars\n====\n\n.. function:: seal(jar)\n\n   It closes a jar.\n\n   .. deprecated:: 4.1\n\n      Use a lid.\n"
    )
    assert around(text, "Use a lid.") == (
        "It closes a jar.\n\n   .. deprecated:: 4.1\n\n      Use a lid.",
        "Jars > seal(jar)",
    )


def test_an_item_under_another_is_shown_with_it_although_it_has_a_label_of_its_own() -> None:
    listed = "Jars\n====\n\n- Tin: 10 and 11\n\n  - **Note:** Only the lids are sold.\n\n- Clay: 12\n"
    assert "Tin: 10 and 11" in around(listed, "Only the lids are sold.")[0]
    flat = "Jars\n====\n\n- **Tin.** 10 and 11 are sold.\n- **Note.** Only the lids are sold.\n"
    assert "Tin" not in around(flat, "Only the lids are sold.")[0]


def test_what_is_put_off_is_shown_with_the_paragraph_that_has_its_new_day() -> None:
    notice = "Fair\n====\n\nThe fair of 9 May is {} for the rain.\n\nNew day: Saturday 30 May 2026.\n\nBring jars.\n"
    for word in ("cancelled", "postponed", "called off"):
        assert around(notice.format(word), "The fair of 9 May")[0].endswith("30 May 2026.")
    assert "30 May" not in around(notice.format("good"), "The fair of 9 May")[0]


def test_a_paragraph_that_stands_alone_above_a_list_is_shown_with_it() -> None:
    led = "People who made jars.\n\n- Ann\n- Bo"
    text = f"Makers\n======\n\n{led}\n\nSales\n=====\n\nWe sold two. Ann was paid.\n\nThe sun shone.\n\n- Ann\n- Bo\n"
    assert around(text, "People who made jars.") == (led, "Makers")
    assert around(text, "The sun shone.")[0] == "The sun shone."


def test_a_line_that_is_called_as_the_paragraph_below_it_is_shown_with_it() -> None:
    told = "A stick of horseradish, a bottle of mint sauce well corked, a bottle of salad dressing, good oil and sugar."
    text = f"They had a picnic.\n\nThings not to be forgotten at a picnic.\n\n{told}\n\nThe sun shone.\n"
    assert (
        around(text, "Things not to be forgotten at a picnic.")[0]
        == text[text.index("Things") : text.index("\n\nThe sun")]
    )
    assert around(text, told)[0] == told


def test_a_line_above_rows_that_blanks_part_is_shown_with_them() -> None:
    rows = "Mill      Ann Berg\nRent      20 a year"
    text = f"# Papers\n\nLease of the mill\n\n{rows}\n\nAnn wrote it.\n"
    assert around(text, "Lease of the mill")[0] == f"Lease of the mill\n\n{rows}"


def test_what_ends_in_a_colon_is_shown_with_the_labels_below_it_and_their_lists() -> None:
    told = "Changes with 1.2:\n\nAdditions:\n\n* jars of tin\n* jars of clay\n\nFixes:\n\n* lids of cork"
    after = "Changes with 1.1:\n\nAdditions:\n\n* songs"
    assert around(f"{told}\n\n{after}\n", "Changes with 1.2:")[0] == told
    assert around("Changes with 1.2:\n\nAdditions:\n\n# Jars\n", "Changes with 1.2:")[0] == "Changes with 1.2:"


def test_what_ends_in_a_colon_is_shown_with_a_long_paragraph_below_it() -> None:
    told = "With one lid it is stored as it is, and with several lids each of them is stored apart. " * 4
    text = f"Two ways are known:\n\n{told.strip()}\n\nThe sun shone.\n"
    assert around(text, "Two ways are known:")[0] == f"Two ways are known:\n\n{told.strip()}"


@pytest.mark.parametrize("words", ["Shut the jar with a lid, e.g.,", "Shut the jar, for example", "Zu, z.\u202fB."])
def test_what_ends_in_words_for_an_example_is_shown_with_it(words: str) -> None:
    said = words.replace("\u202f", " ")
    assert around(f"{said}\n\n```\nlid --shut\n```\n\nIt is shut.\n", said)[0] == f"{said}\n\n```\nlid --shut\n```"


def test_a_tag_stands_between_no_words_and_the_list_that_they_introduce() -> None:
    told = 'Two lids are known:\n\n<div class="lids">\n\n- cork\n- tin'
    assert around(f"{told}\n\n</div>\n", "Two lids are known:")[0] == told
    tag = f'<div class="{"lids " * 20}">'
    assert short(f"Lids\n\n{tag}\n", "Lids")[0] == f"Lids\n\n{tag}"


def test_a_line_in_bold_letters_is_shown_with_the_code_below_it() -> None:
    code = "```\n-lid --shut\n+lid --open\n```"
    for line, shown in (("**Old lid `--shut`**", f"**Old lid `--shut`**\n\n{code}"), ("Old lid", "Old lid")):
        assert around(f"{line}\n\n{code}\n\nIt is shut.\n", line)[0] == shown


def test_words_that_are_quoted_as_the_old_ones_are_shown_with_the_new_ones() -> None:
    songs = "\n\nSongs of the mill are sung in Harwick in May and in June." * 18
    old = "Current text:\n> The mill opens at block 789751."
    new = "Is now changed to:\n> The mill opens at block 791551."
    assert short(f"{old}\n\n{new}{songs}", "789751")[0] == f"{old}\n\n{new}"
    parted = f"{old}\n\nNow changed to:\n\nThe mill opens at block 791551."
    assert short(f"{parted}{songs}", "789751")[0] == parted
    other = old.replace("Current text", "What the mill says")
    assert short(f"{other}\n\n{new}{songs}", "789751")[0] == other


def test_a_short_rest_of_a_long_list_is_shown_with_it() -> None:
    items = [f"- The rank number {number} of all that the mill of Harwick has to give." for number in range(15)]
    text = "\n".join(items)
    assert len(text) > MAX_PARAGRAPH_CHARACTERS
    assert around(f"{text}\n\n", "rank number 7 ")[0].endswith("number 14 of all that the mill of Harwick has to give.")
    longer = "\n".join([*items, *(f"- The other rank number {number} of the mill." for number in range(9))])
    assert not around(f"{longer}\n\n", "rank number 7 ")[0].endswith("number 8 of the mill.")

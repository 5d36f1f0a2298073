import pytest

from quaestor.research.brief.corrected_documents import CorrectingText
from quaestor.research.brief.corrections import correcting_spans
from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.offline.words.dates import find_dates


def correcting(
    text: str,
    marked: str,
    title: str = "Letter",
    *,
    heading: str = "",
    called: str = "",
    is_beside: bool = False,
    is_row: bool = False,
    item: str = "",
    is_near: bool = False,
    is_earlier: bool = False,
    is_of_time: bool = False,
    days: str = "14 February 2025",
) -> list[str]:
    of = find_dates(days)
    about = MarkedSentence(text=marked, heading=heading, title=title, days=of, is_row=is_row, item=item)
    other = CorrectingText(text, called, "text/markdown", is_beside, is_near, is_earlier, is_of_time)
    spans = correcting_spans(other, about)
    return [text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "In our letter of 14 February there is a mistake. The hour costs 2.80, not 1.80.",
            "The hour costs 2.80, not 1.80.",
        ),
        ("The list is wrong:\nan hour of the jar costs 2.80 instead of 1.80.", "an hour of the jar costs 2.80"),
        ("Korrektur: Der Jar kostet nicht 1.80.", "Der Jar kostet nicht 1.80."),
    ],
)
def test_a_sentence_that_denies_a_number_of_a_marked_one_corrects_it(text: str, said: str) -> None:
    [found] = correcting(text, "The hire of a jar is 1.80 per hour.")
    assert said in found


@pytest.mark.parametrize(
    "text",
    [
        "An hour costs 2.80, and there are 1.80 metres.",
        "There is a mistake in the song. It has two parts.\n\nThe hour costs 2.80, it is not 1.80.",
        "There is a mistake: the boat costs 2.80, not 1.80.",
        "There is a mistake: the hour costs 2.80, not 3.",
        "There is a mistake in the list of fares. An hour costs 1.80.",
    ],
)
def test_without_a_word_that_corrects_in_its_paragraph_a_shared_word_and_the_number_nothing_is_corrected(
    text: str,
) -> None:
    assert correcting(text, "The hire of a jar is 1.80 per hour.") == []


def test_what_names_the_day_of_a_document_and_a_word_of_its_sentence_corrects_it() -> None:
    marked = "Ann keeps the jars."
    assert correcting("Minutes of 14 February: this is wrong. Bo keeps the jars.", marked) == ["Bo keeps the jars."]
    assert correcting("Minutes of 15 February: this is wrong. Bo keeps the jars.", marked) == []
    assert correcting("Minutes of 14 February: this is wrong. Bo sold the jars.", marked) == []
    assert correcting("Minutes of 14 February.\n1. This is wrong.\n2. Bo keeps the jars.", marked) == [], "other items"
    assert correcting("Minutes of 14 February: this is wrong. Keeps: jars.", marked) == [], "a label"


def test_an_erratum_that_names_a_document_by_its_title_corrects_it_and_a_program_that_is_wrong_does_not() -> None:
    marked, title = "A jar costs 3.", "Fares of the harbour"
    assert correcting("Correction of the fares: a jar costs 4.", marked, title) == [
        "Correction of the fares: a jar costs 4."
    ]
    assert correcting("If the fares are wrong, a jar is free.", marked, title) == []
    assert correcting("Correction of the songs: a jar is one.", "The fares of jars rise.", title) == []
    assert correcting("Correction of the fares: a jar is one.", "The fares of jars rise.", title) == []


def test_a_document_corrects_itself_by_the_number_alone() -> None:
    text = "Minutes of 14 February. Correction: a jar costs 4, not 30."
    assert correcting(text, "A jar costs 30.", is_beside=True) == ["Correction: a jar costs 4, not 30."]
    assert correcting(text, "A jar is blue.", is_beside=True) == []
    assert correcting(text, "A jar costs 4, not 30. Correction: a jar costs 4, not 30.", is_beside=True) == []
    assert correcting(f"A jar costs 30. {text}", "A jar costs 30.", is_beside=True) == [], (
        "its paragraph is shown whole"
    )


def test_what_stands_in_place_of_a_number_corrects_it_without_more_words() -> None:
    assert correcting("From August a jar costs 1.50 instead of 1 euro.", "A jar costs 1 euro.") != []
    assert correcting("From August a jar costs 1.50 and a lid 1 euro.", "A jar costs 1 euro.") == []


def test_a_sentence_without_another_number_goes_on_to_the_one_that_tells_what_is_right() -> None:
    said = "It is wrong that the jar was bought in 1991. It was bought in 1994."
    assert correcting(said, "The jar was bought in 1991.") == [said]


def test_an_amendment_replaces_the_words_that_it_quotes() -> None:
    text = "The members have resolved:\n\n1. In § 3 the words “three months” are replaced by “six weeks”."
    marked = "A member may leave within three months."
    assert correcting(text, marked, "Statutes", heading="§ 3 Members", called="Amendment of the statutes") != []
    assert correcting(text, marked, "Statutes", heading="§ 4 Members", called="Amendment of the statutes") == []
    assert correcting(text, "A member may leave within two months.", "Statutes", heading="§ 3") == []


def test_an_amendment_says_what_a_section_is_now_and_of_no_section_with_one_word() -> None:
    text = "The members have resolved:\n\n§ 5 is now: Every member works ten hours.\n\nA member may sing."
    amended = "Amendment of the statutes"
    [said] = correcting(text, "Every member works eight hours.", "Statutes", heading="§ 5 Work", called=amended)
    assert said == "§ 5 is now: Every member works ten hours."
    assert correcting(text, "A member pays.", "Statutes", heading="§ 6 Fees", called=amended) == []
    assert correcting(text, "Every member works eight hours.", "Fares", heading="§ 5 Work", called=amended) == []


def test_a_short_item_of_an_amendment_is_told_whole() -> None:
    item = "Clause 3: number of crates raised from 150 to 200. The price goes up to 7,580."
    text = f"Amendment no. 1 to the contract\n\n- Clause 1: none.\n- {item}\n- Clause 4: no jars."
    marked, called = "The movers bring 150 crates.", "Amendment no. 1 to the contract"
    assert correcting(text, marked, "Contract", called=called) == [item]
    other = text.replace("Clause 3: number", "The number")
    assert correcting(other, marked, "Contract", called=called) == ["The number of crates raised from 150 to 200."]
    longer = text.replace("7,580.", f"7,580. {'Nobody sings in the vans. ' * 15}")
    assert correcting(longer, marked, "Contract", called=called) == [item.split(" The price", maxsplit=1)[0]]


ERRATUM = (
    "Correction of the minutes of 14 February 2025\n\n1. Members: 126 (not 124).\n2. The fair of Quell is in July."
)


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        ("We have 124 members.", ["Members: 126 (not 124)."]),
        ("The fair of Quell is in June.", ["The fair of Quell is in July."]),
        ("The fair is in June.", []),
        ("The minutes of the correction are long.", []),
    ],
)
def test_an_erratum_corrects_the_document_of_the_day_that_it_names(marked: str, said: list[str]) -> None:
    assert [one.removeprefix("1. ").removeprefix("2. ") for one in correcting(ERRATUM, marked, "Minutes")] == said


PROPOSAL = "Bo proposes to raise the fee from 45 to 60."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "3. Fee. The proposal of the board (60) was rejected: 9 for, 14 against. It is 50 now.",
            "The proposal of the",
        ),
        ("The fee of 60 was not carried by the members.", "The fee of 60"),
        ("3. Fee. The proposal of the board (70) was rejected.", ""),
        ("3. Songs. The proposal of the board (60) was rejected.", ""),
        ("3. Fee. The proposal of the board (60) was discussed.", ""),
    ],
)
def test_what_became_of_a_proposal_is_told_by_its_value_and_a_word(text: str, said: str) -> None:
    found = correcting(text, PROPOSAL)
    assert [one.startswith(said) for one in found] == ([True] if said else [])
    assert correcting(text, PROPOSAL.replace("proposes", "hopes")) == []
    assert correcting(text, PROPOSAL.replace("proposes", "proposed, as was agreed,")) == []


def test_what_was_asked_for_and_is_taken_already_is_told() -> None:
    asked, taken = "Trauung im Rathaus um 14:00 Uhr (angefragt)", "Der Termin um 14:00 Uhr ist leider bereits vergeben."
    assert correcting(taken, asked) == [taken]
    assert correcting(taken, asked.replace("14:00", "15:00")) == []
    assert correcting(taken, asked.replace(" (angefragt)", "")) == []


def test_the_label_of_an_item_tells_what_its_sentences_are_on() -> None:
    marked = "A new tenant pays a deposit of 30."
    raised = "Raised from 30 to 50 for all."
    assert correcting(f"5. **Deposit (rule 3).** {raised} Carried.", marked) == [raised]
    assert correcting(f"5. **Fine.** {raised} Carried.", marked) == []
    assert correcting("Deposit 50 instead of 30.", "A deposit of 30.") == [], "a sentence is no label of itself"
    assert correcting(f"5. The deposit of a boat is what they told us. {raised} Carried.", marked) == []


def test_what_is_shown_with_a_sentence_is_no_correction_of_it() -> None:
    removed = "The `jar.lid` option was removed."
    shown = f"The flag is new. {removed}"
    about = MarkedSentence(text="The flag is new.", around=shown, heading="", title="Letter", days=())
    other = CorrectingText(f"Of May.\n\n{removed}", "Letter", "text/markdown", True, True)
    assert [*correcting_spans(other, about)] == []
    assert [*correcting_spans(CorrectingText(removed.replace("option", "item"), "B", "text/markdown"), about)] != []


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("Assembly point is NOT the war memorial any more, it is the car park.", True),
        ("The assembly point is no longer the war memorial, but the car park.", True),
        ("The assembly point at the memorial is not the best any more, they say.", False),
        ("The war memorial is not ours any more, says the council.", False),
        ("The hall is not the war memorial any more.", False),
        ("Assembly point is not the car park any more, it is the mill.", False),
        ("Assembly point is the war memorial once more, not the car park.", False),
    ],
)
def test_what_is_so_no_more_is_told_beside_what_told_it(said: str, *, is_found: bool) -> None:
    marked = "Assembly point is the war memorial opposite."
    assert bool(correcting(said, marked)) is is_found
    assert not correcting(said, marked, is_beside=True)


@pytest.mark.parametrize(
    ("said", "called", "is_found"),
    [
        ("New: old clothes instead of uniform, the mill is dusty.", "Letter 2 on the trip", True),
        ("Neu: alte Kleider statt Uniform, weil die Mühle staubig ist.", "Brief: trip", True),
        ("New: old clothes instead of hats, the mill is dusty.", "Letter 2 on the trip", False),
        ("New: old clothes and no uniform, the mill is dusty.", "Letter 2 on the trip", False),
        ("New: old clothes instead of uniform, the mill is dusty.", "Boats", False),
    ],
)
def test_a_later_letter_puts_something_in_the_place_of_a_word(said: str, called: str, *, is_found: bool) -> None:
    marked, title = "School uniform is to be worn.", "Letter 1 on the trip"
    assert correcting(said, marked, title, called=called, is_near=True) == ([said] if is_found else [])
    assert correcting(said, marked, title, called=called) == []
    assert correcting(said, marked, title, called=called, is_near=True, days="") == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("4. **Contract of the lift**: termination of Corkfit on 31 December.", True),
        ("Der Vertrag mit Corkfit über den Lift wurde zum Jahresende gekündigt.", True),
        ("4. **Contract of the lift**: renewal of Corkfit on 31 December.", False),
        ("4. **Contract of the boats**: termination of Corkfit on 31 December.", False),
    ],
)
def test_the_end_of_a_contract_is_told_in_two_words_by_which_its_document_is_called(
    text: str, *, is_found: bool
) -> None:
    assert bool(correcting(text, "In an emergency call 02 41.", "Corkfit lifts")) is is_found
    assert not correcting(text, "In an emergency call 02 41.", "Corkfit lifts", is_beside=True)


def test_an_erratum_of_another_day_corrects_no_document_by_its_title() -> None:
    text = ERRATUM.replace("14 February", "14 May")
    assert correcting(text, "The fair of Quell is in June.", "Minutes") == []


def test_the_line_that_announces_a_correction_corrects_nothing_by_itself() -> None:
    text = "CORRECTION to the prices of 14 February 2025 (pin it OVER the old list).\n\nA jar is 4, not 30."
    assert correcting(text, "The old list of jars came in February 2025.", "Prices") == []


def test_a_value_with_its_unit_and_one_word_are_enough_in_the_correction_of_the_document() -> None:
    text = "Korrektur zum Rundbrief\n\n- Ann wird 90, nicht 91.\n- A lid is 35p and not 40p."
    marked = "Unser ältestes Mitglied, Ann Lee, wird 91."
    assert [one.removeprefix("- ") for one in correcting(text, marked, "Rundbrief Juni")] == ["Ann wird 90, nicht 91."]
    assert correcting(text, "The large lid | 40p", "Rundbrief Juni") != []
    assert correcting(text, marked, "Satzung") == []


def test_a_row_is_corrected_by_the_word_that_it_is_about() -> None:
    text = "CORRECTION to the prices of 14 February 2025\n\nJars: we no longer charge for them."
    assert correcting(text, "| jar, one week | 1.50 |", is_row=True) == ["Jars: we no longer charge for them."]
    assert correcting(text, "| jar, one week | 1.50 |") == []


def test_a_sentence_that_calls_what_is_above_wrong_corrects_the_numbers_there() -> None:
    text = "The date above is wrong, the sweep has put us off! New date: 17 October."
    assert correcting(text, "The chimney will be swept on 3 October at 10.", is_beside=True) == [text]
    assert correcting(text, "The chimney will be swept.", is_beside=True) == []
    assert correcting(text, "The chimney will be swept on 3 October at 10.") == []


def test_a_single_word_is_replaced_in_the_section_that_is_named() -> None:
    text = 'Article 5: for "£250" read "£600".'
    assert correcting(text, "The board may spend up to £250.", heading="Article 5 Money") == [text]
    assert correcting(text, "The board may spend up to £250.", heading="Money") == []


@pytest.mark.parametrize(
    ("above", "heading", "is_found"),
    [
        ("2. § 6 Satz 3", "§ 6 Vorstand", True),
        ("Zu § 6:", "§ 6 Vorstand", True),
        ("Section 6 (board)", "Section 6 Board", True),
        ("2. § 6 Satz 3", "§ 7 Vorstand", False),
        ("Was die Kasse betrifft", "§ 6 Vorstand", False),
        ("§ 6\n\n## Kasse", "§ 6 Vorstand", False),
    ],
)
def test_what_an_amendment_replaces_may_stand_under_a_line_with_its_place(
    above: str, heading: str, *, is_found: bool
) -> None:
    said = 'Die Zahl "1.500" wird durch die Zahl "2.500" ersetzt.'
    text, marked = f"{above}\n\n{said}\n\nAlles andere bleibt.\n", "Der Vorstand darf bis 1.500 Euro ausgeben."
    found = correcting(text, marked, "Satzung", heading=heading, called="Änderung der Satzung")
    assert found == ([said] if is_found else [])


@pytest.mark.parametrize(("number", "is_found"), [("3", True), ("4", False)])
def test_the_new_words_of_a_paragraph_stand_below_the_line_that_names_it(number: str, *, is_found: bool) -> None:
    new = "Er ist mit einer Frist von sechs Wochen in Textform zu melden."
    marked = "Er ist mit einer Frist von drei Monaten schriftlich zu melden."
    heading, called = "§ 3 Mitgliedschaft", "Änderung der Satzung"
    text = f'§ 3 Abs. {number} wird neu gefasst:\n"(3) Der Austritt ist jedes Jahr einmal erlaubt. {new}"\n\nEnde.\n'
    found = correcting(text, marked, "Satzung", heading=heading, called=called, item=f"(3) {marked}")
    assert found == ([f'{new}"'] if is_found else [])


def test_what_is_written_as_code_and_was_removed_is_no_more() -> None:
    text = "Threads have been dropped. The `--max-lids` option has been removed."
    assert correcting(text, "There is now a `--max-lids` option.") == ["The `--max-lids` option has been removed."]
    assert correcting(text, "There is now a `--max-jars` option.") == []
    assert correcting(text.replace("removed", "tested"), "There is now a `--max-lids` option.") == []


def test_what_is_written_as_code_beside_another_thing_that_was_removed_stays() -> None:
    text = "| `press` | One of `tin`, `oak`. `press=wax` is deprecated; use `seal` instead. |"
    assert correcting(text, "| `lid` | It is of `tin`. |", is_row=True) == []
    assert correcting(text.replace("press=wax", "press-wax"), "Set `press-wax` to 3.") == [text.replace("=", "-")]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Correction: the jar fair is on the 12th, not the 5th.", True),
        ("Correction: the jar fair is on 12 July, not 5 July.", True),
        ("Eine Korrektur: die jar fair ist am 12. Juli, nicht am 5. (Halle belegt).", True),
        ("Correction: the jar fair is on the 12th, not the 6th.", False),
        ("Correction: the lid market is on the 12th, not the 5th.", False),
        ("The jar fair is on the 12th, not the 5th day of sun.", False),
    ],
)
@pytest.mark.parametrize("marked", ["Jar fair on 5 July 2025, at 10.", "2025-07-05;15:00;Jar fair;Hall"])
def test_a_correction_denies_a_day_by_its_number(text: str, marked: str, *, is_found: bool) -> None:
    assert bool(correcting(text, marked)) is is_found


def test_a_german_amendment_is_called_by_what_it_amends() -> None:
    text = "§ 8 Abs. 1 erhält folgende Fassung: „Der Vorstand besteht aus fünf Personen.“"
    marked = "Der Vorstand besteht aus drei Personen."
    assert correcting(text, marked, "Satzung", heading="§ 8 Vorstand", called="Erste Satzungsänderung") == [text]
    assert correcting(text, marked, "Hausordnung", heading="§ 8 Vorstand", called="Erste Satzungsänderung") == []
    assert correcting(text, marked, "Satzung", heading="§ 8 Vorstand", called="Veränderung") == []


@pytest.mark.parametrize(
    "said",
    [
        "Where `lids` is set to `tin`, the wax must be removed.",
        "The `lids` margin format will be deprecated and replaced by another one.",
        "`press` was renamed to `lids`.",
        "`press` is replaced by `lids`.",
        "The wax will be removed from the `lids`.",
    ],
)
def test_what_is_written_as_code_stays_where_something_of_it_is_removed(said: str) -> None:
    assert correcting(said, "The `lids` are two.") == []


@pytest.mark.parametrize(
    "said",
    [
        "`lids` was renamed to `covers`.",
        "`press`, `lids` and `oak` have been removed.",
        "We removed the option `lids` in May.",
        "The `lids` option is now deprecated.",
    ],
)
def test_what_is_written_as_code_is_gone_by_whatever_stands_around_it(said: str) -> None:
    assert correcting(said, "The `lids` are two.") == [said]


def test_what_a_sentence_tells_to_end_is_gone_where_another_tells_that_it_is_and_not_that_it_will_be() -> None:
    marked = "Use `covers`, as `lids` is deprecated."
    gone = "The `lids` have been deleted."
    assert correcting(gone, marked) == [gone]
    assert correcting(gone.replace("lids", "covers"), marked) == [gone.replace("lids", "covers")]
    assert correcting("The `lids` will be removed in May.", marked) == []


def test_a_value_that_both_write_as_code_names_nothing_that_was_removed() -> None:
    assert correcting("When `Off` is set, the margins have been removed.", "Lids are `Off` by default.") == []


def test_an_item_of_minutes_that_corrects_others_is_no_announcement_of_the_items_below() -> None:
    items = ("1. Correction of the minutes of 14 February: Ann was there.", "2. A green jar was bought for 3.")
    text = "\n".join(("Minutes of May", "", *items))
    assert correcting(text, "A green jar is bought in spring.", "Minutes") == []


@pytest.mark.parametrize("called", ["Error correction", "Modification of jars"])
def test_a_text_about_corrections_or_changes_corrects_no_other(called: str) -> None:
    text = "Bits are stored twice.\n\nEvery jar of the guild is written twice, and read by two."
    assert (
        correcting(text, "Every jar of the guild is written once.", f"Error of jars and {called}", called=called) == []
    )


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Minutes of 14 February. Item 4 (jars) is rescinded.", True),
        ("Minutes of 14 February: item 4 about jars no longer applies.", True),
        ("Jars (minutes of 14 février 2025, item 4): withdrawn.", True),
        ("Der TOP 4 vom 14. Februar wird aufgehoben.", True),
        ("Item 4 of the minutes of 14 February, read in May, is rescinded.", True),
        ("Minutes of 14 February. Item 5 (jars) is rescinded.", False),
        ("Minutes of 14 March. Item 4 (jars) is rescinded.", False),
        ("Minutes of 14 February. Item 4 (jars) is not rescinded.", False),
        ("Minutes of 14 February. Item 4 (jars) was read.", False),
        ("Minutes of 14 February. Item 4 lets withdrawn jars be sold.", False),
    ],
)
def test_an_item_of_the_minutes_of_a_day_is_taken_back_by_its_number(text: str, *, is_found: bool) -> None:
    marked = "Everyone takes a jar."
    assert bool(correcting(text, marked, "Minutes", item=f"4. Jars. {marked}")) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("The notice of 14 February is lifted.", True),
        ("L'avis du 14 février est levé.", True),
        ("The jar notice of 14 February 2025 is withdrawn.", True),
        ("The lid notice of 14 February 2025 is withdrawn.", False),
        ("The notice of 14 February 2024 is lifted.", False),
        ("On 14 February the jar was withdrawn.", False),
        ("The notice of 14 February may be lifted.", False),
    ],
)
def test_what_a_document_of_a_day_is_called_is_taken_back_by_that_day(text: str, *, is_found: bool) -> None:
    assert bool(correcting(text, "No jar is safe.", "Avis / Notice")) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("D-06: D-03 is suspended until May.", True),
        ("D-03 is rescinded.", True),
        ("D-07: In D-03 the amount is 18 euros.", True),
        ("D-08: For works under D-03 the mayor paid 90 euros.", False),
        ("D-09: D-03 covers cancelled jars.", False),
        ("D-031 is rescinded.", False),
    ],
)
def test_what_begins_with_an_identifier_is_taken_back_or_amended_by_it(text: str, *, is_found: bool) -> None:
    assert bool(correcting(text, "D-03: A jar costs 15 euros.")) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Clause 6 is deleted.", True),
        ("Section 6: the hours become longer.", True),
        ("In clause 6, for 90 read 110.", True),
        ("In clause 6, for 80 read 110.", False),
        ("Clause 7 is deleted.", False),
        ("The motion to let children under clause 6 sing was turned down.", False),
    ],
)
def test_an_amendment_changes_what_it_names_by_its_place(text: str, *, is_found: bool) -> None:
    marked, item = "A lost jar costs 90 euros.", "6. **Jars.** A lost jar costs 90 euros."
    whole = f"Amendment no. 1, 12 May 2026\n\n{text}"
    assert bool(correcting(whole, marked, "Lease of unit 7", item=item, is_near=True)) is is_found
    assert correcting(whole, marked, "Lease of unit 7", item=item) == [], "it may amend a lease of another folder"
    named = f"Amendment to the lease of unit 7\n\n{text}"
    assert bool(correcting(named, marked, "Lease of unit 7", item=item)) is is_found
    assert correcting(named, marked, "Lease of unit 8", item=item, is_near=True) == []


def test_changes_of_a_document_tell_of_a_row_by_the_first_word_of_a_cell() -> None:
    row, text = "13/06 | Oak jar | Green | provisional", "Changes to the programme (20 May)\n\nThe oak jar is off."
    assert correcting(text, row, "programme", is_row=True) == ["The oak jar is off."]
    assert correcting(text, "13/06 | Tin jar | Green | provisional", "programme", is_row=True) == []
    assert correcting(text, row, "prices", is_row=True) == []
    assert correcting(text.replace("programme", "programme 3.12"), row, "programme", is_row=True) == []
    assert correcting(text, "The oak jar rings at 8.", "programme") == ["The oak jar is off."]


@pytest.mark.parametrize(
    ("row", "is_found"),
    [
        ("summer;youth 12-17;16,00;50,00", True),
        ("summer;club;13,00;50,00", False),
        ("summer;youth 12-17;16,00;48,00", False),
    ],
)
def test_an_erratum_in_another_language_names_a_row_by_two_numbers_one_of_which_it_denies(
    row: str, *, is_found: bool
) -> None:
    text = "ERRATUM\n\nJeune 12-17 ans, demi-pension : 53 EUR (et non 50 EUR)"
    assert bool(correcting(text, row, "prices", is_row=True)) is is_found


NEWS = """# Guild, 6 June 2025

{above}Corrections to the minutes of 14 February{below}

The green jars are given by Bo.

{other} Jars

The red jars are given by Cy.
"""


@pytest.mark.parametrize(("above", "below"), [("## ", ""), ("", " were read."), ("", "\n---")])
def test_a_heading_or_a_sentence_announces_corrections_for_its_section_only(above: str, below: str) -> None:
    news = NEWS.format(above=above, below=below, other="##")
    assert correcting(news, "All green jars are given by Ann.") == ["The green jars are given by Bo."]
    assert correcting(news, "All red jars are given by Ann.") == []


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (NEWS.format(above="## ", below="", other="###"), ""),
        (NEWS.format(above="", below="", other="##"), ""),
        (NEWS.format(above="By Ann ", below="", other="##"), "Corrections to the minutes of 14 February"),
    ],
)
def test_what_announces_corrections_of_a_text_or_above_a_section_does_so_for_what_is_below_it(
    text: str, called: str
) -> None:
    assert correcting(text, "All red jars are given by Ann.", called=called) == ["The red jars are given by Cy."]


def test_a_section_of_corrections_may_stand_anywhere_in_a_text() -> None:
    above = "# News\n\nA fair.\n\n## Songs\n\nWe sang.\n\n"
    news = above + "## Correction of the minutes of 14 February\n\nThe green jars are given by Bo.\n"
    assert correcting(news, "All green jars are given by Ann.") == ["The green jars are given by Bo."]


def test_an_earlier_text_corrects_a_later_one_only_by_its_day() -> None:
    text = "# Corrections to the list\n\nA green jar costs 3, not 4.\n"
    marked = "A green jar costs 4."
    assert correcting(text, marked, "List") == ["A green jar costs 3, not 4."]
    assert correcting(text, marked, "List", is_earlier=True) == []
    dated = text.replace("list", "list of 14 February")
    assert correcting(dated, marked, "List", is_earlier=True) == ["A green jar costs 3, not 4."]


def test_front_matter_corrects_nothing_and_announces_nothing() -> None:
    text = "---\nabout: an amendment, where a green jar costs 3 instead of 4.\n---\n\n# Songs\n\nWe sang.\n"
    assert correcting(text, "A green jar costs 4.") == []


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("Dr. Lee was not a jar maker but a vet.", True),
        ("Dr. Lee was no jar maker but a vet.", True),
        ("Dr. Lee had fourteen lids, not eleven.", True),
        ("Dr. Lee had fourteen lids, not 11.", True),
        ("Dr. Lee was not the maker.", True),
        ("Dr. Lee was a vet instead of a maker.", True),
        ("Dr. Lee war kein Maker, sondern Tierarzt.", True),
        ("Le Dr. Lee n'était pas un maker mais un vétérinaire.", True),
        ("Dr. Lee was not only a maker but a vet.", False),
        ("Dr. Lee was not a singer but a vet.", False),
        ("Dr. Lee had fourteen lids, not twelve.", False),
        ("We had fourteen lids, not eleven.", False),
        ("We had fourteen jars, not eleven.", False),
        ("Dr. Moe was not a maker but a vet.", False),
    ],
)
def test_an_erratum_denies_a_word_and_shares_another(said: str, *, is_found: bool) -> None:
    marked = "The guild was founded by the maker Dr. Lee with eleven lids."
    news = f"# News\n\nA fair.\n\n## Songs\n\nWe sang.\n\n## Correction\n\n{said}\n\n## Lids\n"
    assert bool(correcting(news, marked)) is is_found
    assert correcting(news.replace("## Correction", "## Riddles"), marked) == [], "it corrects nothing"
    dated = news.replace("## Correction", "## Correction of the minutes of 3 May 2025")
    assert correcting(dated, marked) == [], "it corrects another document"


def test_what_is_only_supposed_corrects_nothing() -> None:
    marked = "The monthly fee of the club is 10 euros."
    assert correcting("The monthly fee is 12 euros instead of 10.", marked) != []
    assert correcting("If the monthly fee were 12 euros instead of 10, we could heat the hall.", marked) == []


def test_an_erratum_of_one_year_is_none_of_another() -> None:
    text, marked = (
        "Berichtigung zur Ordnung 2023\n\nDer Trockner kostet 1,40 €, nicht 1,80 €.",
        "Der Trockner kostet 1,80 €.",
    )
    assert correcting(text, marked, "Ordnung 2023") != []
    other = "Der Trockner im Keller läuft am Abend."
    assert correcting("Berichtigung zur Ordnung 2023\n\nDer Trockner im Keller ist neu.", other, "Ordnung 2023") != []
    assert correcting("Berichtigung zur Ordnung 2023\n\nDer Trockner im Keller ist neu.", other, "Ordnung 2019") == []


@pytest.mark.parametrize(
    ("text", "item", "is_found"),
    [
        ("Minute 5 of 14 February is rescinded.", "5. A jar costs 3.", True),
        ("Minute 5 of 14 February is rescinded.", "4. A jar costs 3.", False),
        ("This replaces item 5 of 14 February.", "5. A jar costs 3.", True),
        ("This replaces item 5 of 14 February.", "4. A jar costs 3.", False),
        ("This list replaces the one of 14 February.", "", True),
        ("This list replaces the one of 15 February.", "", False),
        ("This list may replace the one of 14 February.", "", False),
        (
            "Minutes of 14 February agreed with a correction: item 5, the sum was 4, the lids left out.",
            "5. A jar",
            True,
        ),
        (
            "Minutes of 14 February agreed with a correction: item 6, the sum was 4, the lids left out.",
            "5. A jar",
            False,
        ),
    ],
)
def test_an_item_or_the_whole_of_a_day_is_corrected_by_its_number_or_replaced(
    text: str, item: str, *, is_found: bool
) -> None:
    marked = item[3:] if item.endswith(".") else "A jar costs 3."
    assert bool(correcting(text, marked, item=item or marked)) is is_found


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("The fee for the jar was raised from £15 to £18.", True),
        ("Die Gebühr für den jar wird von 15 auf 18 Euro erhöht.", False),
        ("Der fee für das jar wurde erhöht von 15 auf 18 Euro.", True),
        ("The fee for the lid was raised from £15 to £18.", False),
        ("The jar was raised from the floor for 15 days.", False),
        ("The fee for the jar was raised from £12 to £15.", False),
    ],
)
def test_a_number_that_was_moved_to_another_one_is_corrected(said: str, *, is_found: bool) -> None:
    assert bool(correcting(said, "The fee for the jar is £15 a year.")) is is_found


def test_a_sentence_in_brackets_is_shown_with_the_one_before_it() -> None:
    said = "The boat goes on Thursday. (A jar costs 4 instead of 3 now.)"
    assert correcting(f"Correction of the fares\n\n{said}", "A jar costs 3.", "Fares of the harbour") == [said]


def test_what_has_the_right_number_already_is_not_corrected() -> None:
    said = "There is a mistake: the hire of a jar is 2.80, not 1.80."
    assert correcting(said, "The hire of a jar is 1.80.") == [said]
    assert correcting(said, "The hire of a jar is 2.80.") == []


def test_an_example_corrects_nothing() -> None:
    said = "In the example you may hire only 10 jars instead of 20 jars."
    assert correcting(said, "You may hire 20 jars.") == []


@pytest.mark.parametrize(
    ("called", "title", "is_found"),
    [
        ("Newsletter October 2025 - two mistakes", "Newsletter, October 2025", True),
        ("Mistakes in the newsletter of October 2025", "Newsletter, October 2025", True),
        ("Zwei Fehler im Rundbrief vom Oktober 2025", "Rundbrief, Oktober 2025", True),
        ("Infolettre octobre 2025 : deux erreurs", "Infolettre, octobre 2025", True),
        ("Newsletter October 2025 - two mistakes", "Newsletter, November 2025", False),
        ("Newsletter October 2025 - two mistakes", "Letter, October 2025", False),
        ("Correction of the newsletter of October 2025", "Newsletter, November 2025", False),
        ("Correction of the newsletter (November 2025)", "Newsletter, October 2025", True),
        ("Errors", "Errors of the newsletter", False),
        ("Error handling in the newsletter", "Newsletter, October 2025", False),
        ("Errors in the newsletter", "Newsletter, October 2025", False),
        ("Newsletter October 2025 - errors of the press", "Newsletter, October 2025", False),
    ],
)
def test_a_title_that_tells_of_mistakes_in_what_is_of_a_date_is_that_of_an_erratum(
    called: str, title: str, *, is_found: bool
) -> None:
    text = f"{called}\n\nThe party will be in the small hall, since the lake hall is wet.\n"
    found = correcting(text, "Friday 12 December from 6 pm in the lake hall.", title, called=called)
    assert bool(found) == is_found


def test_what_denies_a_value_that_is_not_told_corrects_another_thing() -> None:
    text = "Corrections to the newsletter\n\n- The exam in December is on day 13, not 6.\n- Bo is in the lake hall.\n"
    marked = "A party in December with an exam in the lake hall."
    assert correcting(text, marked, "Newsletter", called="Corrections") == ["Bo is in the lake hall."]
    assert len(correcting(text, f"{marked} It is on the 6.", "Newsletter", called="Corrections")) == 2


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("La fête est le 13 décembre, et non le 6 décembre.", True),
        ("La fête : on la tient le 13.12., et non le 6.12.", True),
        ("La fête est le 13 janvier, et non le 6 janvier.", False),
    ],
)
def test_a_day_is_the_same_in_every_language_and_form(said: str, *, is_found: bool) -> None:
    for marked in ("6 December 2025: fête", "Am 6. Dezember 2025 ist die Fête."):
        assert bool(correcting(f"Correction\n\n{said}", marked)) == is_found


def test_a_day_is_no_number_of_something_else() -> None:
    text = "Correction\n\nThe exam in December is on 13 December, not 6 December.\n"
    assert correcting(text, "The party is on 12 December from 6 pm.") == []


@pytest.mark.parametrize(
    ("said", "heading", "item", "is_found"),
    [
        ("§ 5 Abs. 3: drei statt zwei Jahre für den Vorstand.", "§ 5 Vorstand", "(3) Der Vorstand", True),
        ("§ 5: drei statt zwei Jahre für den Vorstand.", "§ 5 Vorstand", "(3) Der Vorstand", True),
        ("§ 5 Abs. 3: drei statt zwei Jahre für den Vorstand.", "5 Vorstand", "", True),
        ("§ 5 Abs. 3: drei statt zwei Jahre für den Vorstand.", "§ 5 Vorstand", "(1) Der Vorstand", False),
        ("§ 5 (3): drei statt zwei Jahre für den Vorstand.", "§ 5 Vorstand", "(1) Der Vorstand", False),
        ("§ 5 Abs. 3: drei statt zwei Jahre für den Vorstand.", "TOP 5 Vorstand", "", False),
        ("TOP 5: drei statt zwei Jahre für den Vorstand.", "TOP 5 Vorstand", "", True),
        ("TOP 5: drei statt zwei Jahre für den Vorstand.", "§ 5 Vorstand", "", False),
    ],
)
def test_a_section_of_rules_is_no_item_of_a_record_and_a_paragraph_no_other_one(
    said: str, heading: str, item: str, *, is_found: bool
) -> None:
    text, marked = f"# Satzungsänderung\n\n- {said}\n", "Der Vorstand wird gewählt."
    assert bool(correcting(text, marked, "Satzung", heading=heading, item=item)) == is_found


@pytest.mark.parametrize(
    ("said", "title", "is_found"),
    [
        ("Ersetzt die Preisliste vom 27. März 2021.", "Preisliste (gültig ab 1. August 2021)", True),
        ("Ersetzt die Preisliste vom 1. August 2021.", "Preisliste (gültig ab 1. August 2021)", True),
        ("Remplace la liste des prix du 27 mars 2021.", "Liste des prix", True),
        ("Ersetzt die Preisliste vom 28. März 2021.", "Preisliste (gültig ab 1. August 2021)", False),
        ("Ersetzt die Preisliste vom 27. März 2021.", "Protokoll der Versammlung", False),
    ],
)
def test_what_replaces_a_document_calls_it_by_any_day_at_its_top(said: str, title: str, *, is_found: bool) -> None:
    text = f"# Preisliste\n\nGültig ab 1. August 2024. {said}\n\n- Mahnung: 5\n"
    assert correcting(text, "Mahnung: 3", title, days="1 August 2021, 27 March 2021") == ([said] if is_found else [])


def test_a_number_of_a_series_is_corrected_by_its_number() -> None:
    text = (
        "# Jar Post, issue 15\n\n**Correction.** In issue {} we gave the fee as 54. It is 52. Who paid gets 2 back.\n"
    )
    own, fee = "Jar Post, issue 14", "The fee goes up to 54 a jar."
    assert correcting(text.format(14), fee, own, called="Jar Post, issue 15", days="") == [
        "In issue 14 we gave the fee as 54. It is 52."
    ]
    assert correcting(text.format(13), fee, own, called="Jar Post, issue 15", days="") == []
    assert correcting(text.format(14), "The fee goes up to 53 a jar.", own, called="Jar Post, issue 15", days="") == []


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Minutes of 14 February approved with one correction: the jars were carried 4-2 (Bo against), not 5-1.", True),
        ("Minutes of 16 March approved with one correction: the jars were carried 4-2 (Bo against), not 5-1.", False),
        ("The minutes of the AGM of 16 March give 31 jars.\nWith the lids carried it must read 4-2, not 5-1.", False),
        ("Correction to what was told on 16 March: the jars were carried 4-2 (Bo against), not 5-1.", True),
    ],
)
def test_what_corrects_the_minutes_of_a_day_corrects_those_of_no_other_one(text: str, *, is_found: bool) -> None:
    assert bool(correcting(text, "The jars of Bo were carried 5-1.")) is is_found


@pytest.mark.parametrize(
    ("note", "between", "is_found"),
    [
        ("The behaviour described here no longer applies as of jars 2.", "\n\n", True),
        ("What this section tells now is no longer valid.", "\n\n", True),
        ("The behaviour of jars no longer applies as of jars 2.", "\n\n", False),
        ("The behaviour described here applies as of jars 2.", "\n\n", False),
        ("The behaviour described here no longer applies as of jars 2.", "\n\nA lid is of tin.\n\n", False),
    ],
)
def test_a_note_right_above_a_sentence_tells_that_what_is_described_there_has_ended(
    note: str, between: str, *, is_found: bool
) -> None:
    marked = "The lids are put on later."
    assert correcting(f"{note}{between}{marked}", marked, is_beside=True) == ([note] if is_found else [])


def test_the_items_of_two_agendas_have_the_same_numbers_and_do_not_take_each_other_back() -> None:
    marked = "Lids: the press is broken."
    assert correcting("TOP 6 Jars: cancelled.", f"TOP 6 {marked}") == []
    assert correcting("D-06 Jars: cancelled.", f"D-06 {marked}") == ["D-06 Jars: cancelled."]


def test_a_section_on_changes_to_something_of_a_title_changes_what_is_called_so_as_a_whole() -> None:
    text = "# Notes\n\n## Changes to the {}\n\nA jar of honey is closed with a lid by default.\n"
    marked = "The lid of a jar of honey is open by default."
    assert correcting(text.format("mill pond"), marked, "Work at the mill") == []
    assert len(correcting(text.format("mill"), marked, "Work at the mill")) == 1


@pytest.mark.parametrize(
    ("called", "is_found"),
    [
        ("2025-03-08_Correction_bill_WE07_Ray", True),
        ("Bill of Ray", True),
        ("2025-03-08_Correction_bill_WE01_Lee", False),
        ("2025-03-08_bill_WE01", False),
        ("Letter", True),
    ],
)
def test_the_new_bill_for_one_flat_replaces_no_bill_of_that_day_for_another(called: str, *, is_found: bool) -> None:
    text = "This bill replaces the one of 14 February."
    assert bool(correcting(text, "Water: 61.", "2025-02-14_bill_WE07_Ray", called=called)) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("The jar check on 12 March 2024 is cancelled.", True),
        ("Die Jarprüfung: die Deckelprüfung am 12. März 2024 fällt aus.", True),
        ("The check of lids on 12 March is postponed.", True),
        ("The check of lids on 13 March is postponed.", False),
        ("The fair on 12 March is postponed.", False),
        ("The check of lids on 12 March is at ten.", False),
    ],
)
def test_what_is_called_off_on_its_day_is_told_beside_it(text: str, *, is_found: bool) -> None:
    marked = "Deckel and lids: we check them on 12 March 2024."
    assert bool(correcting(text, marked)) is is_found
    assert correcting(text, marked, is_beside=True) == []


def test_what_a_text_of_a_day_or_a_version_calls_by_two_words_is_told_to_be_gone() -> None:
    def told(said: str, marked: str = "Codes are entered in the Jar tab.") -> bool:
        return correcting(said, marked, is_of_time=True) != []

    assert told("**Jar tab removed** -- codes are set elsewhere.")
    assert told("The jar tab has finally been removed.")
    assert correcting("The jar tab is removed.", "Codes are entered in the Jar tab.") == []
    assert not told("The jar menu has been removed.")
    assert not told("The jar tab was removed.", "Codes are entered in the ajar table.")
    assert not told("| Tab Delete | The jar tab was deleted |")
    assert not told("From the jar tab lids were removed.")
    assert not told("In the jar removed lids are kept.", "Lids are kept in the jar.")


def test_a_time_limit_that_is_put_off_from_the_first_of_a_month_corrects_it() -> None:
    marked = "Chaque jardin a une cuve de 300 litres avant le 1er avril 2026."
    said = "Cuves : le d\u00e9lai est prolong\u00e9 du 1er avril au 1er octobre 2026."
    assert correcting(said, marked) == [said]
    assert correcting(said.replace("1er avril", "2 avril"), marked) == []
    german = "Fass: die Frist wird vom 1. April auf den 1. Oktober verl\u00e4ngert."
    assert correcting(german, "Ein Fass steht bis 1. April 2026 da.") == [german]


def test_the_title_of_a_text_says_of_all_of_it_that_it_corrects() -> None:
    marked = "Tickets are 10, from me or from the bookshop."
    said = "Tickets for the concert are 9, as printed, not 10."
    title = "Correction: tickets for the concert"
    assert correcting(f"Sorry.\n\n{said}\n", marked, "Concert: who comes", called=title) == [said]
    assert correcting(f"Sorry.\n\n{said}\n", marked, "Concert: who comes", called="Tickets for the concert") == []


def test_a_number_is_replaced_by_another_one_that_follows() -> None:
    marked = "Jars of Quell 3 are sold by the mill."
    assert correcting("The jars were renumbered: 3 is now 4.", marked) == []
    assert correcting("Correction: the jars of Quell, 3 becomes 14.", marked) != []
    assert correcting("While jars were changed for Quell 3, it is now no longer sold by many.", marked) == []


def test_a_group_of_thousands_is_no_number_of_its_own() -> None:
    marked = "A jar is 6 at the mill, a lid 5, a hundred 100."
    assert correcting("Signed for jars: 5 230 instead of 6 100 at the mill.", marked) == []
    assert correcting("Correction of the jars at the mill: 6 100 becomes 7 000.", marked) == []
    assert correcting("Correction of the jars at the mill: 100 becomes 7 000.", marked) != []
    assert correcting("Signed for jars: 90 instead of 100 at the mill.", marked) != []
    assert correcting("Signed for jars: 7 instead of 6 at the mill.", marked) != []


def test_what_replaces_a_document_names_it_by_its_identifier() -> None:
    marked, said = "A jar may be shut with a cork.", "This note obsoletes GEP-12, which proposed corks."
    assert correcting(said, marked, "GEP-12: corks") == [said]
    assert correcting(said, marked, "GEP-121: corks") == []
    assert correcting("Nobody knows whether this note obsoletes GEP-12, the corks.", marked, "GEP-12: corks") == []
    assert correcting("This note follows GEP-12, which replaces lids.", marked, "GEP-12: corks") == []
    assert correcting(said, marked, "GEP-12: corks", is_beside=True) == []


def test_a_list_that_goes_on_with_a_condition_corrects_nothing() -> None:
    marked, said = "The `lid-a` option sets the lid.", "The `lid-a` option has been removed."
    assert [one.lstrip("- ") for one in correcting(f"We were told\n\n- {said}\n", marked, "News")] == [said]
    assert correcting(f"The mill is sold only after\n\n- {said}\n", marked, "News") == []

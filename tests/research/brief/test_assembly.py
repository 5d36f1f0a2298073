from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.ledger import Contradiction, Finding, LedgerEntry
from quaestor.contracts.source import Quote, Source, TableCell, TablePlace
from quaestor.contracts.tools import SimilarWord
from quaestor.research.brief.assembly import BriefMaterial, assemble_brief
from quaestor.research.contracts.brief import Brief, CheckedAnswer, ShownRow
from quaestor.research.contracts.plan import Plan, Todo
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.contracts.tools import Contexts, Correction, DocumentStatus, LookedUp, QuoteContext
from quaestor.research.views.document import render_html, render_markdown

MAKING = GenerationInfo(
    model="offline", todos=1, todos_done=1, searches=1, sources_searched=2, spend=Spend(), extractive=True
)


def source(text: str) -> Source:
    return Source(
        sha256=sha256(text.encode()).hexdigest(),
        title="",
        uri="/notes/jars.txt",
        media_type="text/plain",
        characters=len(text),
        retrieved_at=datetime(2026, 5, 4, tzinfo=UTC),
    )


def quote(text: str, words: str) -> Quote:
    start = text.index(words)
    return Quote(source=source(text).sha256, start=start, end=start + len(words), text=words)


def entry(todo_id: str, task: str, *texts: str, claim: str | None = None) -> LedgerEntry:
    findings = tuple(
        Finding(id=f"{todo_id}/{number}", claim=claim or text, quotes=(quote(text, text),))
        for number, text in enumerate(texts, 1)
    )
    sources = tuple(source(text) for text in texts)
    return LedgerEntry(
        todo_id=todo_id, attempt=0, description=task, findings_summary="", findings=findings, sources=sources
    )


def contexts_of(*entries: LedgerEntry, statuses: Mapping[str, str] | None = None) -> Contexts:
    quotes = [quote for one in entries for finding in one.findings for quote in finding.quotes]
    return Contexts(
        contexts=tuple(QuoteContext(quote=one, paragraph=one) for one in quotes),
        statuses=tuple(
            DocumentStatus(source=source(text).sha256, status=said) for text, said in (statuses or {}).items()
        ),
    )


def brief(
    question: str,
    *entries: LedgerEntry,
    contradictions: tuple[Contradiction, ...] = (),
    statuses: Mapping[str, str] | None = None,
    contexts: Contexts | None = None,
) -> Brief:
    material = BriefMaterial(
        question=question,
        plan=Plan(todos=tuple(Todo(id=one.todo_id, task=one.description) for one in entries)),
        entries={one.todo_id: one for one in entries},
        contexts=contexts or contexts_of(*entries, statuses=statuses),
        contradictions=contradictions,
    )
    return assemble_brief(material, version=1, making=MAKING, partial=None)


def test_a_correction_that_stands_twice_in_its_document_is_told_once() -> None:
    told = entry("t1", "Which lids are of tin?", "The lids are of tin.")
    plain = contexts_of(told)
    [context] = plain.contexts
    said = "The lids are of cork."
    corrections = tuple(
        Correction(
            quote=context.quote,
            said=Quote(source=context.quote.source, start=place, end=place + len(said), text=said),
            title="Notes",
        )
        for place in (40, 90)
    )
    made = brief("Which lids are of tin?", told, contexts=plain.revised(corrections=corrections))
    assert made.passages[0].status == f"see also: “{said}” (Notes)"


def test_a_version_of_what_all_documents_are_about_is_held_without_the_name() -> None:
    told = entry("t1", "When was Corkfit 3.1.2 made?", "Version 3.1.2 was made in May.")
    plain = contexts_of(told)
    for common, absent in (((), ("Corkfit 3.1.2",)), (("corkfit",), ())):
        made = brief("When was Corkfit 3.1.2 made?", told, contexts=plain.revised(common=common))
        assert made.passages[0].absent == absent


def test_the_first_value_below_a_key_is_shown_though_it_holds_no_word_of_its_part() -> None:
    asked, header = "Who wrote Corkfit?", "Authors:\n- Ann Lee\n- Bo Ek"
    told = entry("t1", asked, "Corkfit was good.", "- Ann Lee")
    first, second = contexts_of(told).contexts
    own = quote(header, "- Ann Lee")
    found = told.findings[1].revised(quotes=(own,))
    told = told.revised(findings=(told.findings[0], found), sources=(*told.sources, source(header)))
    within = Contexts(contexts=(first, second.revised(quote=own, paragraph=quote(header, header))))

    assert [one.text for one in brief(asked, told, contexts=within).passages] == ["Corkfit was good.", "- Ann Lee"]


def test_passages_keep_the_order_of_the_search_and_say_what_they_do_not_hold() -> None:
    asked = "Where were lids of tin sold by Ann Lee?"
    made = brief(asked, entry("t1", asked, "Ann Lee sold lids.", "Lids are of tin."))

    assert [(one.number, one.text, one.absent) for one in made.passages] == [
        (1, "Ann Lee sold lids.", ("tin",)),
        (2, "Lids are of tin.", ("sold", "Ann Lee")),
    ]
    assert made.gaps == ("None of these passages that names “Ann Lee” holds “tin”; they may say it in other words.",)


def test_a_question_in_another_language_than_the_passages_is_told_so() -> None:
    asked, told = "Wann hat Ann Lee den Krug verkauft?", "When the jar was sold by Ann Lee, it was full of oil."
    gap = "The question is in another language"

    assert brief(asked, entry("t1", asked, told)).gaps[0].startswith(gap)
    german = entry("t1", asked, told, "Den Krug hat Ann Lee im Mai verkauft, und er war mit dem Deckel zu.")
    assert not any(one.startswith(gap) for one in brief(asked, german).gaps)
    assert not any(one.startswith(gap) for one in brief(asked, entry("t1", asked, "Ann Lee: 1831")).gaps)


def test_the_language_of_the_first_passage_is_that_which_is_told() -> None:
    asked = "Wann hat Ann Lee den Krug verkauft?"
    english = "When the jar was sold by Ann Lee, it was full of oil."

    assert not any("another language" in one for one in brief(asked, entry("t1", asked, "Ann Lee: 1831", english)).gaps)


@pytest.mark.parametrize(
    ("asked", "told", "is_absent"),
    [
        ("What does Ruth Cole bring?", "Ruth and Max Cole bring the cakes.", False),
        ("Who is Chidi Okafor?", "The Okafors (Ada, Chidi) park the cars.", False),
        ("Who is Jack Ward?", "J. R. Ward, known as Jack, is the vet.", False),
        ("What does Ann Lee bring?", "Ann Berg and Bo Lee bring the cakes.", True),
        ("What does Ann Lee bring?", "Ann brings a cake. Bo Lee brings the tea.", True),
        ("Are there 12 torches?", "A dozen torches are in the box.", False),
        ("Are there 12 torches?", "Half a dozen torches are in the box.", True),
    ],
)
def test_a_name_is_not_told_to_be_absent_where_a_sentence_may_have_it(asked: str, told: str, is_absent: bool) -> None:
    assert any("names" in gap for gap in brief(asked, entry("t1", asked, told)).gaps) is is_absent


def test_a_table_tells_no_language() -> None:
    asked, rows = "Which boats are electric?", "Boat,Kind,Seats\nAda,e-boat,4\nDido,e-canoe,2\n"

    assert not any("another language" in one for one in brief(asked, entry("t1", asked, rows)).gaps)


def test_names_and_words_that_nothing_holds_are_gaps() -> None:
    asked = "Did Ann Lee marry Bo Ek?"
    made = brief(asked, entry("t1", asked, "Ann Lee sold lids."))

    assert made.gaps == (
        "None of these passages names “Bo Ek”.",
        "None of these passages holds “marry”; they may say it in other words.",
    )


SCATTERED = (
    "None of these passages holds more than {held} of the {asked} words that are asked: the nearest, [1],"
    " lacks “wax”, “seal”; they may say it in other words."
)


@pytest.mark.parametrize(
    ("asked", "first", "told"),
    [
        ("Is wax a seal of tin?", "Tin is a seal.", None),
        ("Is wax a seal of tin jars?", "Tin jars are dear.", SCATTERED.format(held=2, asked=4)),
        ("Is wax a seal of tin jars on oak shelves?", "Tin jars on oak shelves.", SCATTERED.format(held=4, asked=6)),
        ("Is wax of tin jars?", "Tin jars are dear.", None),
        ("Is wax a seal of tin jars in Holm?", "Tin jars are dear.", "None of these passages names “Holm”."),
    ],
)
def test_that_the_asked_words_stand_in_several_passages_is_told(asked: str, first: str, told: str | None) -> None:
    made = brief(asked, entry("t1", asked, first, "Wax is dear in a mill.", "A seal is on the old door."))
    assert made.gaps == ((told,) if told else ())


def test_two_names_that_no_passage_holds_together_are_told() -> None:
    asked = "Did Ann Lee marry Bo Ek?"
    apart = entry("t1", asked, "Ann Lee did marry a cooper.", "Bo Ek did marry a widow.")
    compared = "Is Ann Lee or Bo Ek older?"

    assert brief(asked, apart).gaps == (
        "None of these passages that names “Ann Lee” holds “Bo Ek”; they may say it in other words.",
    )
    together = entry("t1", asked, "Ann Lee did marry a cooper.", "Bo Ek did marry a widow.", "Ann Lee did marry Bo Ek.")
    assert brief(asked, together).gaps == ()
    assert not any("Bo Ek" in gap for gap in brief(compared, apart.revised(description=compared)).gaps)


def test_a_row_of_a_table_holds_what_its_columns_are_called() -> None:
    asked = "What are the berths and the depth of Quell?"
    found = entry("t1", asked, "Quell,14")
    place = TablePlace(row=2, cells=(TableCell(column="depth in metres", value="14", quoted=True),))
    read = contexts_of(found)
    made = brief(asked, found, contexts=Contexts(contexts=(read.contexts[0].revised(in_table=place),)))

    assert made.passages[0].absent == ("berths",)
    assert made.gaps == ("None of these passages holds “berths”; they may say it in other words.",)


def test_a_word_in_a_row_that_is_shown_beside_the_marked_one_is_lacking_there_and_no_gap() -> None:
    asked = "What was the toll of Quell in 1911?"
    found = entry("t1", asked, "Quell | 1910 | 14")
    rows = "Quell | 1910 | 14\nMoor | 1911 | 9"
    cells = (("ford", "Quell"), ("year", "1910"), ("toll", "14"))
    place = TablePlace(row=1, cells=tuple(TableCell(column=name, value=value, quoted=True) for name, value in cells))
    one = contexts_of(found).contexts[0]
    shown = one.revised(in_table=place, paragraph=one.paragraph.revised(end=len(rows), text=rows))
    made = brief(asked, found, contexts=Contexts(contexts=(shown,)))

    assert made.passages[0].absent == ("1911",)
    assert made.gaps == ()


def test_that_something_took_place_on_a_day_is_its_date() -> None:
    asked = "When did the fair of Quell take place?"
    said = "The fair of Quell took place on 3 May 1911."
    made = brief(asked, entry("t1", asked, said, "The fair of Quell was cold."))

    assert made.answer == "3 May 1911"
    assert [one.absent for one in made.passages] == [(), ()]


def test_words_beside_another_name_than_that_of_the_document_are_told_apart() -> None:
    asked = "Who translated JARS into Orlian?"
    other = "The Orlian team translated mugs."
    found = entry("t1", asked, "JARS are of tin.", other)
    named = tuple(one.revised(uri="/notes/mugs.txt") if one.characters == len(other) else one for one in found.sources)

    assert brief(asked, found.revised(sources=named)).gaps == (
        "None of these passages that names “JARS” holds “translated”, “Orlian”; they may say it in other words.",
    )


def test_a_quoted_phrase_in_small_letters_is_what_no_passage_is_about() -> None:
    asked = 'Is the lid removed from the shelf when I choose "remove old"?'
    made = brief(asked, entry("t1", asked, "One may remove an old lid.", "A shelf is of oak, and I choose it."))

    assert not any("that name" in gap for gap in made.gaps)


def test_the_sides_of_a_comparison_take_turns() -> None:
    corks, lids = (
        entry("t1", "When to use a cork?", "A cork rots.", "A cork floats."),
        entry("t2", "When to use a lid?", "A lid is heavy.", "A lid rusts."),
    )
    made = brief("When to use a cork or a lid?", corks, lids)

    assert [(one.side, one.text) for one in made.passages] == [
        ("cork", "A cork rots."),
        ("lid", "A lid is heavy."),
        ("cork", "A cork floats."),
        ("lid", "A lid rusts."),
    ]


def test_a_passage_that_was_found_for_a_side_stands_under_the_one_that_it_names() -> None:
    older = entry("t1", "Did the fair sell more jars in 2024?", "The fair sold 5 jars in 2025.")
    newer = entry("t2", "Did the fair sell more jars in 2025?", "In 2025 the fair sold lids.")
    made = brief("Did the fair sell more jars in 2024 or 2025?", older, newer)

    assert [(one.part, one.side) for one in made.passages] == [
        (older.description, "2025"),
        (newer.description, "2025"),
    ]


def test_a_passage_found_for_two_parts_is_shown_once() -> None:
    made = brief("Lids?", entry("t1", "Lids?", "A lid rusts."), entry("t2", "Tin?", "Tin is light.", "A lid rusts."))

    assert [one.text for one in made.passages] == ["A lid rusts.", "Tin is light."]


def test_the_standing_of_a_document_is_beside_its_passage() -> None:
    made = brief("Lids?", entry("t1", "Lids?", "A lid rusts."), statuses={"A lid rusts.": "Status: Rejected"})

    assert made.passages[0].status == "Status: Rejected"


@pytest.mark.parametrize(
    ("heading", "status", "told"),
    [
        (
            "Lids > Alternatives > Tin",
            "Status: Accepted",
            "Status: Accepted; in a section on what was not chosen, or not yet",
        ),
        ("Lids > 4. Rejected ideas", "Status: Final", "Status: Final; in a section on what was not chosen, or not yet"),
        ("Lids > Alternative jars", "Status: Accepted", "Status: Accepted"),
        ("Lids > Rationale and alternatives", "Status: Accepted", "Status: Accepted"),
        ("Lids > Alternatives", None, None),
        ("Lids > Alternatives considered > Tin", None, "in a section on what was not chosen, or not yet"),
        ("Lids > 7. Future possibilities", None, "in a section on what was not chosen, or not yet"),
        (
            "Lids > Reasons and alternatives > A tin alternative",
            None,
            "in a section on what was not chosen, or not yet",
        ),
        ("Lids > Reasons and alternatives > Tin", None, None),
        ("Lids > An alternative lid", None, None),
    ],
)
def test_a_section_of_a_proposal_on_what_it_does_not_propose_is_called_so(
    heading: str, status: str | None, told: str | None
) -> None:
    found = entry("t1", "Lids?", "A lid rusts.")
    contexts = contexts_of(found, statuses={"A lid rusts.": status} if status else None)
    [context] = contexts.contexts
    made = brief("Lids?", found, contexts=contexts.revised(contexts=(context.revised(heading=heading),)))
    assert made.passages[0].status == told


WHEN_WRITTEN = "in a section on what was so when it was written, and may be changed by it"


@pytest.mark.parametrize(
    ("heading", "text", "status", "told"),
    [
        ("Lids > Current situation > Tin", "A lid rusts.", None, WHEN_WRITTEN),
        ("Lids > 2. Ausgangslage", "A lid rusts.", None, WHEN_WRITTEN),
        ("Lids > Problem", "The lid rusts currently.", "Status: Final", f"Status: Final; {WHEN_WRITTEN}"),
        ("Lids > Problem", "A lid rusts.", "Status: Final", "Status: Final"),
        ("Lids > Problem", "The lid rusts currently.", None, None),
        ("Lids > The current lids", "The lid rusts currently.", "Status: Final", "Status: Final"),
    ],
)
def test_a_section_on_what_was_so_before_is_called_so(
    heading: str, text: str, status: str | None, told: str | None
) -> None:
    found = entry("t1", "Lids?", text)
    contexts = contexts_of(found, statuses={text: status} if status else None)
    [context] = contexts.contexts
    made = brief("Lids?", found, contexts=contexts.revised(contexts=(context.revised(heading=heading),)))
    assert made.passages[0].status == told


def test_what_the_standing_of_a_document_says_is_held_beside_its_passage() -> None:
    asked = "Is the rule on rusty lids in force?"
    told = entry("t1", asked, "A rule is made on rusty lids.")

    assert [one.absent for one in brief(asked, told).passages] == [("force",)]
    stated = brief(asked, told, statuses={"A rule is made on rusty lids.": "Status: in force"})
    assert ([one.absent for one in stated.passages], stated.gaps) == ([()], ())


def test_what_a_correction_beside_a_passage_says_is_not_told_as_absent() -> None:
    asked = "Is the limit on lids lifted?"
    told = entry("t1", asked, "We have a rule on lids.")
    plain = contexts_of(told)
    [context] = plain.contexts
    said = "The limit was lifted."
    quote = Quote(source=context.quote.source, start=40, end=40 + len(said), text=said)
    correction = Correction(quote=context.quote, said=quote, title="Notes")

    assert [one.absent for one in brief(asked, told).passages] == [("limit", "lifted")]
    made = brief(asked, told, contexts=plain.revised(corrections=(correction,)))
    assert [one.absent for one in made.passages] == [()]


def test_what_takes_back_what_a_passage_is_about_is_beside_it_and_shown_itself() -> None:
    asked = "Is the parking of wet jars behind the hall free?"
    charge = "Motion 2023/05: that parking of wet jars behind the hall costs £2 and is not free."
    end = "Motion 2023/12: that motion 2023/05 is rescinded."
    first, second = brief(asked, entry("t1", asked, charge, end), statuses={charge: "Status: final"}).passages

    assert (first.text, first.status) == (charge, f"Status: final; see also: “{end}”")
    assert (second.text, second.status) == (end, None)


def test_a_field_that_is_asked_for_is_the_answer() -> None:
    asked = "Who is the author of Note 40?"
    fact = "Lidded Jars (Note 40) — Author: Cy Fox"
    made = brief(asked, entry("t1", asked, "Author: Cy Fox", claim=fact))

    assert made.answer == "Cy Fox"
    assert made.answer_proof
    assert (made.answer_proof.kind, made.answer_proof.label, made.answer_proof.passages) == (
        CheckedAnswer.FIELD,
        "Author of Note 40",
        (1,),
    )


def test_a_sentence_that_reads_as_a_field_answers_nothing() -> None:
    asked = "When must the jars be given back?"
    told = "Please give the jars back — and if you like, here is who keeps them: Cy Fox."
    assert brief(asked, entry("t1", asked, told)).answer is None


def test_a_word_for_the_field_that_answers_is_no_name_that_is_missing() -> None:
    asked = "Wer ist der Autor von H11?"
    fact = "H11 — Author: Cy Fox"
    made = brief(asked, entry("t1", asked, "Author: Cy Fox", claim=fact))

    assert (made.answer, made.gaps) == ("Cy Fox", ())


def test_the_fields_of_several_documents_are_each_told_with_its_own() -> None:
    asked = "Who wrote Note 40 and Note 12?"
    facts = {"Author: Cy Fox": "Lidded Jars (Note 40)", "Author: Ann Lee <ann@example.org>": "Plain Jars (Note 12)"}
    entries = [entry(f"t{n}", asked, text, claim=f"{facts[text]} — {text}") for n, text in enumerate(facts)]
    made = brief(asked, *entries)

    assert made.answer == "Cy Fox (Note 40); Ann Lee (Note 12)"


def test_several_fields_of_one_document_are_told_by_their_names() -> None:
    asked = "What are the status and the type of Note 40?"
    texts = ("Status: Final", "Type: Process")
    entries = [entry(f"t{n}", asked, text, claim=f"Jars (Note 40) — {text}") for n, text in enumerate(texts)]

    assert brief(asked, *entries).answer == "Final (Status); Process (Type)"


def test_a_name_above_the_paragraph_is_not_told_as_absent() -> None:
    asked = "Why are lids of Leland refused?"
    found = entry("t1", asked, "Lids are refused.", "Leland sells jars.")
    contexts = contexts_of(found)
    first, second = contexts.contexts
    named = contexts.revised(contexts=(first.revised(named_above=("Leland",)), second))

    assert [one.absent for one in brief(asked, found).passages] == [("Leland",), ("lids", "refused")]
    assert [one.absent for one in brief(asked, found, contexts=named).passages] == [(), ("lids", "refused")]
    assert [len(brief(asked, found, contexts=one).gaps) for one in (contexts, named)] == [1, 0]


def test_a_name_that_a_section_beside_the_paragraph_is_called_is_absent() -> None:
    asked = "Why are lids of Leland refused?"
    found = entry("t1", asked, "Lids of Leland are refused.")
    (first,) = contexts_of(found).contexts
    contexts = Contexts(contexts=(first.revised(named_above=("Leland",), named_beside=("Leland",)),))

    assert [one.absent for one in brief(asked, found, contexts=contexts).passages] == [("Leland",)]


@pytest.mark.parametrize(
    ("told", "absent"),
    [
        ("No lid is on the well. In fog nobody sees farther than 300 metres.", ("deep",)),
        ("No lid is on the well, which measures 14 metres.", ()),
        ("The well is dry. Its depth is unknown, or deep.", ()),
    ],
)
def test_a_measure_is_told_by_a_sentence_with_another_word_that_is_asked(told: str, absent: tuple[str, ...]) -> None:
    asked = "How deep is the well?"
    assert [one.absent for one in brief(asked, entry("t1", asked, told)).passages] == [absent]


def test_what_is_said_of_one_of_two_names_that_stand_together_is_of_that_name() -> None:
    asked = "How does JarShelf take_all work?"
    made = brief(asked, entry("t1", asked, "take_all(self) gives every jar."))

    assert made.gaps == ("None of these passages names “JarShelf”.",)


def test_a_name_is_held_by_the_row_that_answers() -> None:
    asked = "How many hours did Ann Lee work in the Leland shop?"
    made = entry("t1", asked, "A shop is open.")
    row = "Ann Lee,32"
    found = LookedUp(
        kind=CheckedAnswer.FIELD,
        answer="32",
        label="“hours in the Leland shop” of Ann Lee",
        rows=(ShownRow(name="Ann Lee", quote=quote(row, row)),),
        sources=(source(row),),
    )

    assert "names “Ann Lee”, “Leland”" in brief(asked, made).gaps[0]
    assert brief(asked, made, contexts=contexts_of(made).revised(looked_up=found)).gaps == ()


@pytest.mark.parametrize(
    ("told", "absent"),
    [
        ("Chair: Ann Berg. Keeper: Bo Lee, who has the jars.", ("Ann Lee",)),
        ("Chair: Bo Berg. Keeper: Ann M. Lee, who has the jars.", ()),
        ("Keeper: Lee, Ann, who has the jars.", ()),
        ("There: Bo Lee, Ann Berg, who has the jars.", ("Ann Lee",)),
        ("There: Ann, Lee Berg, who has the jars.", ("Ann Lee",)),
    ],
)
def test_a_name_is_none_of_two_others_that_share_a_word_with_it(told: str, absent: tuple[str, ...]) -> None:
    asked = "Which jars has Ann Lee?"
    made = brief(asked, entry("t1", asked, told))

    assert made.passages[0].absent == absent
    assert any("Ann Lee" in gap for gap in made.gaps) is bool(absent)


def test_a_name_with_a_hyphen_and_one_in_another_language_are_no_two_others() -> None:
    asked, italian = "What does Jar-Shelf Gold cost?", "Qual è il ruolo di Renzo Conci?"
    titled = entry("t1", "Who sells at White Jar?", "Who sells a jar at the hall has white lids.")
    named = titled.revised(sources=tuple(one.revised(title="The jars of Ek") for one in titled.sources))
    told = "Jar-Shelf is a cellar for jars. Gold, which rusts not, is at its door."

    assert "Jar-Shelf Gold" in brief(asked, entry("t1", asked, told)).passages[0].absent
    assert "White Jar" in brief("Who sells at White Jar?", named).passages[0].absent
    assert "Renzo Conci" in brief(italian, entry("t1", italian, "Il ruolo: Bo Conci, Renzo Ek.")).passages[0].absent


def test_a_month_is_held_where_it_is_a_number() -> None:
    asked = "Which jars were sold in September 2031?"
    made = brief(asked, entry("t1", asked, "Jars sold: 55 (2031-09)."), entry("t2", asked, "Jars sold: 7 (2032-09)."))

    assert [one.absent for one in made.passages] == [(), ("September 2031",)]


@pytest.mark.parametrize(
    ("beside", "answer"),
    [
        ("It is of iron.", "1831"),
        ("So says the plate, which was made later.", None),
        ("It was lost and sold again in 1840.", None),
        ("No copy of the bill was found.", None),
    ],
)
def test_a_date_is_not_the_answer_where_the_sentence_beside_it_may_take_it_back(
    beside: str, answer: str | None
) -> None:
    asked = "When was the glass lid sold in Leland?"
    sold = "The glass lid was sold in Leland in 1831."
    found = entry("t1", asked, f"{sold} {beside}")

    assert brief(asked, found).answer == answer


def test_a_date_is_the_answer_only_where_its_sentence_holds_every_word() -> None:
    asked = "When was the glass lid sold in Leland?"
    whole = entry("t1", asked, "The glass lid was sold in Leland in 1831.", "The tin lid was sold in 1829.")
    assert (brief(asked, whole).answer, brief(asked, entry("t1", asked, "Glass lids: 1831.")).answer) == ("1831", None)


@pytest.mark.parametrize(
    ("quoted", "answer"),
    [
        ("The glass lid was sold in Leland. The tin lid was made in 1902.", None),
        ("The glass lid was sold in Leland in 1831. The tin lid was made in 1902.", "1831"),
        ("The glass lid was sold in Leland in 1831. The glass lid was sold in Leland again in 1902.", None),
    ],
)
def test_a_date_of_the_sentence_beside_is_no_answer(quoted: str, answer: str | None) -> None:
    asked = "When was the glass lid sold in Leland?"
    assert brief(asked, entry("t1", asked, quoted)).answer == answer


@pytest.mark.parametrize(
    ("asked", "told", "also_told", "answer"),
    [
        (
            "When did the fair begin in Leland?",
            "The fair began on 1 July 2031 in Leland.",
            "The fair began not on 1 July but on 3 July 2031.",
            None,
        ),
        (
            "When did the fair begin in Leland?",
            "The fair began on 1 July 2031 in Leland.",
            "The fair began on 3 July 2031 in Quell.",
            "1 July 2031",
        ),
        (
            "When did the fair begin in Leland?",
            "The fair began on 1 July 2031 in Leland.",
            "The fair began in July 2031.",
            "1 July 2031",
        ),
        (
            "Wann begann die Messe in Leland?",
            "Die Messe begann am 1. Juli 2031 in Leland.",
            "Die Messe begann am 3. Juli 2031.",
            None,
        ),
        (
            "Wann begann die Messe in Leland?",
            "Die Messe begann am 1. Juli 2031 in Leland.",
            "Der Beginn in Leland wird vom 1. Juli auf den 3. Juli 2031 verschoben.",
            None,
        ),
        (
            "Wann begann die Messe in Leland?",
            "Die Messe begann am 1. Juli 2031 in Leland.",
            "Am 1. Juli 2031 wurde gelacht.",
            "1. Juli 2031",
        ),
        (
            "Wann begann die Messe in Leland?",
            "Die Messe begann am 1. Juli 2031 in Leland.",
            "Die Ernte begann am 3. Juli 2031.",
            "1. Juli 2031",
        ),
    ],
)
def test_a_date_is_no_answer_where_another_sentence_dates_the_same_otherwise(
    asked: str, told: str, also_told: str, answer: str | None
) -> None:
    assert brief(asked, entry("t1", asked, told, also_told)).answer == answer


def test_dates_that_differ_are_no_answer_but_are_shown() -> None:
    asked = "When was the glass lid sold?"
    found = entry("t1", asked, "The glass lid was sold in 1831.", "The glass lid was sold in 1829.")
    differ = Contradiction(subject="The glass lid", findings=("t1/1", "t1/2"), values=("1831", "1829"))
    made = brief(asked, found, contradictions=(differ,))

    assert made.answer is None
    assert [(one.values, one.passages) for one in made.differences] == [(("1831", "1829"), (1, 2))]


def test_what_records_of_two_days_say_is_no_difference() -> None:
    asked = "When is the water of the jars turned on?"
    found = entry("t1", asked, "The water is turned on at 12.", "The water is turned on at 1.")
    differ = Contradiction(subject="The water", findings=("t1/1", "t1/2"), values=("12", "1"))
    first, second = found.sources
    dated = found.revised(
        sources=(first.revised(title="Minutes, 3 May 2023"), second.revised(title="Minutes, 4 May 2024"))
    )

    yearly = found.revised(
        sources=(first.revised(uri="/jars/2023/water.md"), second.revised(uri="/jars/2024/water.md"))
    )

    assert len(brief(asked, found, contradictions=(differ,)).differences) == 1
    assert brief(asked, dated, contradictions=(differ,)).differences == ()
    assert brief(asked, yearly, contradictions=(differ,)).differences == ()


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("rfc-0006", "rfc-0010"), 0),
        (("rfc-0006", "rule-0010"), 1),
        (("rfc-0006", "rfc-0006"), 1),
        (("letter-6", "letter-10"), 1),
        (("rfc-0006", "rfc-0010-votes"), 1),
    ],
)
def test_what_two_proposals_of_a_series_say_of_themselves_is_no_difference(names: tuple[str, str], shown: int) -> None:
    asked = "How many voted for the lid?"
    found = entry("t1", asked, "Of those who voted 12 were for the lid.", "Of those who voted 15 were for the lid.")
    differ = Contradiction(subject="Those who voted", findings=("t1/1", "t1/2"), values=("12", "15"))
    named = zip(found.sources, names, strict=True)
    found = found.revised(sources=tuple(one.revised(uri=f"/jars/{name}.md") for one, name in named))

    assert len(brief(asked, found, contradictions=(differ,)).differences) == shown


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the current lid of jars?", "The lid of jars is of tin."),
        ("Was ist jetzt der Deckel?", "Der Deckel ist aus Blech und nicht aus Ton."),
        ("Quel est le couvercle actuel ?", "Le couvercle est fait de fer et non de bois."),
    ],
)
def test_that_no_passage_says_now_is_no_gap(question: str, told: str) -> None:
    made = brief(question, entry("t1", question, told))
    assert made.passages[0].absent == ()
    assert len(made.gaps) == 1


@pytest.mark.parametrize(
    ("question", "titles", "told"),
    [
        ("Are the lids now of tin?", ("Lids", "Tins"), ["It is asked what holds now: each passage tells"]),
        ("Are the lids of tin?", ("Minutes of 3 May 2024", "Minutes of 3 May 2023"), []),
        (
            "Are the lids still of tin?",
            ("Minutes of 3 May 2024", "Minutes of 3 May 2023"),
            ["is [1], of 2024-05-03."],
        ),
        ("Are the lids still of tin?", ("Minutes of 3 May 2024", "Tins"), ["so when it was written."]),
    ],
)
def test_a_question_for_now_is_told_that_passages_are_of_their_time(
    question: str, titles: tuple[str, str], told: list[str]
) -> None:
    found = entry("t1", question, "The lids of jars are of tin.", "The lids of tins are of tin.")
    titled = zip(found.sources, titles, strict=True)
    found = found.revised(sources=tuple(one.revised(title=title) for one, title in titled))
    made = brief(question, found)

    assert [said in gap for said in told for gap in made.gaps] == [True] * len(told)
    assert len(made.gaps) == len(told)


def test_a_count_and_a_list_are_declined() -> None:
    count, listed = "How many lids did Ann Lee sell?", "Which lids were sold by Ann Lee?"

    silent, telling = entry("t1", count, "Ann Lee sold lids."), entry("t1", count, "Ann Lee sold 3 lids.")

    assert (brief(count, silent).answer, brief(count, telling).answer) == (None, None)
    assert any("number of things" in gap for gap in brief(count, silent).gaps)
    assert brief(count, telling).gaps == ()
    assert any("a list" in gap for gap in brief(listed, entry("t1", listed, "Ann Lee sold lids.")).gaps)


def test_a_count_is_declined_where_only_rows_hold_numbers() -> None:
    asked = "How many false alarms were there at Quell?"
    found = entry("t1", asked, "Quell,14,false alarms")
    place = TablePlace(row=2, cells=(TableCell(column="kind", value="false alarms", quoted=True),))
    one = contexts_of(found).contexts[0]

    rows = brief(asked, found, contexts=Contexts(contexts=(one.revised(in_table=place),)))
    assert any("number of things" in gap for gap in rows.gaps)
    assert not any("number of things" in gap for gap in brief(asked, found).gaps)


def test_german_nouns_are_no_names_that_must_stand_together() -> None:
    asked = "Wer ist Wart des Vereins?"
    made = brief(asked, entry("t1", asked, "Der Wart ist Bo Ek.", "Der Verein ist alt."))

    assert made.gaps == ()


def test_the_most_of_several_is_declined_unless_a_passage_says_it() -> None:
    asked = "Which jar holds the most honey?"
    one, most = "The blue jar holds 2 pounds of honey.", "Of all jars the green one holds the most honey."

    silent, telling = brief(asked, entry("t1", asked, one)), brief(asked, entry("t1", asked, one, most))
    assert any("passages are not compared" in gap for gap in silent.gaps)
    assert not any("passages are not compared" in gap for gap in telling.gaps)


def test_a_question_for_objections_is_told_that_passages_are_not_known_to_object() -> None:
    asked = "What was said against tin lids?"
    made = brief(asked, entry("t1", asked, "Tin lids are sold in Leland."))

    assert made.gaps[0].startswith("The question asks for what was said against something. Whether a passage says so")
    assert not any("against something" in gap for gap in brief("Tin lids?", entry("t1", "Tin lids?", "Tin lids.")).gaps)


def test_one_passage_of_each_part_is_the_best() -> None:
    asked = "Where were lids of tin sold by Ann Lee?"
    made = brief(
        asked,
        entry("t1", asked, "Lids are of tin.", "Ann Lee sold lids of tin.", "Ann Lee sold tin and lids in Ek."),
        entry("t2", "Who was Bo Ek?", "Bo Ek was a smith.", "Bo was old."),
    )
    assert [one.text for one in made.passages if one.is_best] == ["Ann Lee sold lids of tin.", "Bo Ek was a smith."]
    assert [one.number for one in made.passages if one.is_best] == [1, 4]


def test_what_a_passage_does_not_hold_is_told_before_its_words() -> None:
    made = brief("Who made the lids of Bergen?", entry("t1", "Who made the lids of Bergen?", "Bo made the lids."))
    for shown in (render_markdown(made), render_html(made)):
        _, _, passage = shown.partition("Passages</h2>" if "</h2>" in shown else "## Passages")
        assert "Not in it: “Bergen”." in passage.partition("Bo made the lids")[0]


def test_the_fixed_words_of_a_brief_are_in_the_language_of_its_question() -> None:
    asked = "Wo wurden Deckel aus Zinn verkauft, und wer war Bo Ek?"
    material = BriefMaterial(
        question=asked,
        plan=Plan(todos=(Todo(id="t1", task=asked),)),
        entries={"t1": entry("t1", asked, "Deckel aus Zinn verkaufte man.")},
        contexts=contexts_of(entry("t1", asked, "Deckel aus Zinn verkaufte man.")),
        language="de",
    )
    made = assemble_brief(material, version=1, making=MAKING, partial=None)
    assert made.gaps[0] == "Keine dieser Stellen nennt “Bo Ek”."
    nouns = brief("Wo gab es Deckel und Krug-Henkel?", entry("t1", asked, "Man verkaufte Krug und Deckel aus Zinn."))
    assert nouns.gaps == ("None of these passages holds “Krug-Henkel”; they may say it in other words.",)
    named = brief("Wann war im Juni Deckel Fest?", entry("t1", asked, "Man verkaufte Krug und Deckel aus Zinn."))
    assert named.gaps == ("None of these passages holds “Juni”, “Fest”; they may say it in other words.",)
    shown = render_markdown(made)
    assert shown.startswith("> Belegübersicht: ")
    assert "## Was in diesen Stellen nicht steht" in shown
    assert "## Fundstellen" in shown
    assert "## Wie dies entstand" in shown
    assert '<html lang="de" dir="ltr">' in render_html(made)


def test_a_question_of_one_part_is_the_title_and_no_heading_again() -> None:
    shown = render_markdown(brief("Who made the lids?", entry("t1", "Who made the lids?", "Bo made the lids.")))

    assert shown.count("Who made the lids?") == 1
    assert "## Passages" in shown


def test_nothing_is_answered_directly_by_a_word_that_the_question_does_not_have() -> None:
    asked = "When did Ann Leee die?"
    own = entry("t1", asked, "Ann Lee died in 1901.", claim="Death of Ann Lee: 1901")
    material = BriefMaterial(
        question=asked,
        plan=Plan(todos=(Todo(id="t1", task=asked),)),
        entries={"t1": own},
        contexts=contexts_of(own),
        left_out=("Searched “Lee” for “Leee”, which no passage holds in this form.",),
        similar=(SimilarWord(word="Leee", found="Lee"),),
    )
    made = assemble_brief(material, version=1, making=MAKING, partial=None)
    assert made.answer is None
    assert "Searched “Lee” for “Leee”, which no passage holds in this form." in made.gaps


def test_the_best_passage_is_of_a_document_in_force_and_of_sentences_where_all_else_is_equal() -> None:
    old, row, new = "The leave is 27 days.", "leave | 28 days", "The leave is 29 days."
    made = brief(
        "How long is the leave?",
        entry("t1", "How long is the leave?", old, row, new),
        statuses={old: "status: superseded"},
    )
    assert [one.text for one in made.passages if one.is_best] == [new]


def test_a_passage_is_shown_again_for_the_part_that_it_answers_best() -> None:
    both = "The jar was signed on 29 March; digging starts on 8 May."
    less = "Digging a jar out is hard."
    made = brief(
        "When was the jar signed and when does digging start?",
        entry("t1", "When was the jar signed", both),
        entry("t2", "when does digging start (jar)", less, both),
    )
    assert [(one.part, one.text) for one in made.passages if one.is_best] == [
        ("When was the jar signed", both),
        ("when does digging start (jar)", both),
    ]
    assert [one.number for one in made.passages] == [1, 2, 3]


def test_passages_that_hold_less_than_half_of_what_another_holds_are_left_out_unless_a_name_leads_to_them() -> None:
    whole, little = "Lids of tin rust in the damp cellar.", "The cellar is old."
    asked = "Do lids of tin rust in a cellar?"
    assert [one.text for one in brief(asked, entry("t1", asked, whole, little)).passages] == [whole]
    named = "Do lids of Ann Lee rust in a cellar?"
    idle = "Nobody was there."
    assert [one.text for one in brief(named, entry("t1", named, whole, little, idle)).passages] == [whole, little]


def test_beside_a_passage_that_holds_half_of_a_part_one_with_one_word_in_four_is_left_out() -> None:
    asked = "Do lids of tin rust in a cellar?"
    half, little = "Now lids rust.", "The cellar is old."
    named = asked.replace("tin", "Ann Lee")

    assert [one.text for one in brief(asked, entry("t1", asked, half, little)).passages] == [half]
    assert [one.text for one in brief(named, entry("t1", named, half, little)).passages] == [half, little]


def test_a_sentence_that_begins_as_a_field_is_left_out_where_it_holds_nothing() -> None:
    asked = "Do lids of Ann Lee rust?"
    whole, field, told = "Lids of Ann Lee rust.", "Status: Final", "Decided: we buy a jar. It is of clay."

    assert [one.text for one in brief(asked, entry("t1", asked, whole, field, told)).passages] == [whole, field]


def test_of_a_side_of_a_comparison_the_first_passages_are_shown() -> None:
    sides = ("lids of tin", "lids of glass")
    texts = [[f"{side} rust, note {at}." for at in range(9)] for side in sides]
    made = brief(
        f"Compare {sides[0]} and {sides[1]}",
        *(entry(f"t{at}", side, *texts[at - 1]) for at, side in enumerate(sides, 1)),
    )
    assert [one.text for one in made.passages] == [text for pair in zip(*texts, strict=True) for text in pair][:10]


def test_where_no_passage_holds_half_of_the_words_the_three_with_most_are_shown() -> None:
    asked = "Do lids of tin rust early in damp cellars?"
    two, *one = "Lids of tin are sold.", "Cellars are deep.", "It is early.", "It is damp."
    shown = brief(asked, entry("t1", asked, *one, two)).passages
    assert [each.text for each in shown] == [two, "Cellars are deep.", "It is damp."], "early tells no subject"


def test_a_passage_on_both_sides_of_a_comparison_is_shown_once() -> None:
    both = "Lids of tin rust, lids of glass break."
    made = brief(
        "Compare lids of tin and lids of glass", entry("t1", "lids of tin", both), entry("t2", "lids of glass", both)
    )
    assert [each.text for each in made.passages] == [both]


def test_what_names_the_other_side_alone_is_shown_for_that_side_alone() -> None:
    tin, glass = "Lids of tin rust in a cellar.", "Lids of glass break in a cellar."
    stray = "In a cellar few lids are of glass."
    asked = "Compare lids of tin and lids of glass in a cellar"
    made = brief(asked, entry("t1", "lids of tin: cellar", tin, stray), entry("t2", "lids of glass: cellar", glass))

    assert [(one.side, one.text) for one in made.passages] == [("lids of tin", tin), ("lids of glass", glass)]


def test_what_holds_no_word_of_its_side_is_shown_for_it_only_where_nothing_does() -> None:
    tin, glass = "Tin lids rust in a damp room.", "Glass lids break in a damp cellar."
    stray = "In a damp cellar they all rust."
    asked = "Compare tin lids and glass lids in a damp cellar"
    glasses = entry("t2", "glass lids: damp cellar", glass)

    made = brief(asked, entry("t1", "tin lids: damp cellar", tin, stray), glasses)
    assert [one.text for one in made.passages] == [tin, glass]
    made = brief(asked, entry("t1", "tin lids: damp cellar", stray), glasses)
    assert [one.text for one in made.passages] == [stray, glass]


def test_a_passage_whose_document_alone_is_called_as_asked_is_shown_only_where_none_says_more() -> None:
    asked = "Which lids did Corkfit sell?"
    says, stray, under = "Corkfit sold lids of tin.", "Nothing was said this week.", "Of tin and of glass."
    made = entry("t1", asked, says, stray, under)
    titled = made.revised(sources=tuple(one.revised(title="Corkfit") for one in made.sources))
    headed = contexts_of(titled)
    headings = {stray: "Corkfit > Announcements", under: "Corkfit > Lids"}
    headed = headed.revised(
        contexts=tuple(one.revised(heading=headings.get(one.quote.text, "")) for one in headed.contexts)
    )

    assert [one.text for one in brief(asked, titled, contexts=headed).passages] == [says, under]
    alone = titled.revised(findings=titled.findings[1:2])
    assert [one.text for one in brief(asked, alone, contexts=headed).passages] == [stray]


def test_of_a_long_text_that_asks_passages_are_shown_that_hold_what_it_asks() -> None:
    told = "We keep jars of Ann Lee in a damp cellar. Each lid rusts within a year. The neighbours have no trouble."
    asked = f"{told} How should we paint the lids?"
    texts = ("Lids are best if you paint them.", "Ann Lee had a cellar.", "Each year a neighbour came to see the jars.")

    assert [one.text for one in brief(asked, entry("t1", asked, *texts)).passages] == list(texts[:1])
    assert len(brief(told, entry("t1", told, *texts)).passages) == len(texts)


def test_of_words_that_no_shown_paragraph_holds_those_are_told_that_no_document_does() -> None:
    asked = "How are the jars of Corkfit sealed with wax?"
    made = entry("t1", asked, "Corkfit has jars of glass.")
    contexts = contexts_of(made).revised(held=("corkfit", "jar", "wax"))

    assert brief(asked, made).gaps == ("None of these passages holds “sealed”, “wax”; they may say it in other words.",)
    assert brief(asked, made, contexts=contexts).gaps == (
        "None of these passages holds “sealed”; they may say it in other words.",
    )


@pytest.mark.parametrize(
    ("word", "said", "is_told"),
    [
        ("register", "registration", False),
        ("conquer", "conquest", False),
        ("cost", "coat", True),
    ],
)
def test_a_word_is_not_told_as_absent_where_one_begins_as_it(word: str, said: str, is_told: bool) -> None:
    asked = f"Which lids does Ann Lee {word}?"
    made = brief(asked, entry("t1", asked, f"Ann Lee has a {said} of lids."))

    assert any(f"“{word}”" in gap for gap in made.gaps) is is_told


def test_a_word_in_whose_place_another_was_searched_is_told_by_that_alone() -> None:
    asked = "Who kept the lids of the mantainers?"
    found = entry("t1", asked, "Ann Lee kept the lids.")

    def made(*similar: SimilarWord) -> tuple[tuple[str, ...], tuple[str, ...]]:
        material = BriefMaterial(
            question=asked,
            plan=Plan(todos=(Todo(id="t1", task=asked),)),
            entries={"t1": found},
            contexts=contexts_of(found),
            similar=similar,
        )
        brief = assemble_brief(material, version=1, making=MAKING, partial=None)
        return brief.gaps, brief.passages[0].absent

    assert made() == (
        ("None of these passages holds “mantainers”; they may say it in other words.",),
        ("mantainers",),
    )
    assert made(SimilarWord(word="mantainers", found="maintainers")) == ((), ("maintainers",))


def test_a_word_that_says_little_is_not_told_to_be_lacking() -> None:
    asked = "Do people still put tin lids on?"
    assert brief(asked, entry("t1", asked, "Lids are put on.")).passages[0].absent == ("tin",)


def test_what_is_asked_of_a_day_or_in_a_table_need_not_stand_beside_a_name() -> None:
    asked = "Did Ann Lee sell lids in May 2024?"
    made = entry("t1", asked, "In May 2024 the jars were sold.", "Ann Lee had lids.")
    day = "Were lids sold in May 2024?"

    assert brief(asked, made).gaps == (
        "None of these passages that names “Ann Lee” holds “sell”; they may say it in other words.",
    )
    assert brief(day, entry("t1", day, "In May 2024 jars were sold.", "There are lids.")).gaps == ()


def test_a_name_in_one_word_is_held_where_its_parts_stand_together() -> None:
    asked = "Who is GlassLid of Leland?"
    absent = "None of these passages names “GlassLid”."
    apart = entry("t1", asked, "A lid of Glass was made in Leland.")

    assert brief(asked, entry("t1", asked, "Glass Lid lives in Leland.")).gaps == ()
    assert brief(asked, apart).gaps == (absent,)
    assert brief(asked, apart, contexts=contexts_of(apart).revised(held=("glass", "lid"))).gaps == (absent,)


def test_what_much_of_a_corpus_is_about_need_stand_beside_nothing() -> None:
    asked = "Does Corkfit have a Twistlid?"
    made = entry("t1", asked, "Corkfit may have jars of glass.", "Jars of any kind have a Twistlid.")
    plain = contexts_of(made)

    assert brief(asked, made).gaps == (
        "None of these passages that names “Corkfit” holds “Twistlid”; they may say it in other words.",
    )
    known = brief(asked, made, contexts=plain.revised(common=("corkfit",)))
    assert known.gaps == ()
    assert [one.text for one in known.passages if one.is_best] == ["Jars of any kind have a Twistlid."]


def test_dates_in_brackets_behind_a_name_hold_that_somebody_died() -> None:
    asked = "When did Ann Lee die?"
    made = brief(asked, entry("t1", asked, "Ann Lee made jars.", "Ann Lee (8 July 1838 - 8 March 1917) made lids."))

    assert [(one.is_best, one.absent) for one in made.passages] == [(True, ()), (False, ("die",))]


def test_that_no_passage_holds_words_that_say_little_is_not_told() -> None:
    told = "Ann Lee sold the lids in May."
    for asked, lacking in (
        ("Did Ann Lee want to put several lids there?", ""),
        ("Did Ann Lee want to paint several lids?", "“paint”"),
        ("Did someone paint the old lamps?", "“paint”, “lamps”"),
    ):
        gaps = " ".join(brief(asked, entry("t1", asked, told)).gaps)
        assert ("hold" in gaps) is bool(lacking)
        assert lacking in gaps
        assert not any(word in gaps for word in ("several", "want", "put", "old”", "someone"))


def test_of_a_text_in_two_languages_the_marked_sentence_tells_in_which_it_answers() -> None:
    asked, said = "When was the jar sold by Ann Lee?", "The jar was sold by Ann Lee in the spring."
    german = (
        "Den Krug hat Ann Lee im Mai verkauft, und er war mit dem Deckel zu, wie es bei uns so ist. Das ist der Krug."
    )
    text = f"{german}\n{said}\n{german}"
    told = entry("t1", asked, said)
    [quote] = [quote for finding in told.findings for quote in finding.quotes]
    around = quote.revised(start=0, end=len(text), text=text)
    paragraph = Contexts(contexts=(QuoteContext(quote=quote, paragraph=around),))
    assert not any("another language" in gap for gap in brief(asked, told, contexts=paragraph).gaps)

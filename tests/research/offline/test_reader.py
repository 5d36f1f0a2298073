from collections.abc import Callable

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.fields.header_fields import parse_fact
from quaestor.research.offline.reader import MAX_FINDINGS, read_passages

HitOf = Callable[..., Hit]
FindingOf = Callable[..., Finding]

CHAIN = 'When was the note that "Lidded Jars" replaces created?'
LIDS = (
    "Lids\n====\n\nA lid keeps the dust out of a jar, because dust spoils honey. Lids of glass are heavier than lids "
    "of tin.\n\n    >>> jar.close(lid)\n\nHoney was sold in open pots before. This changed later.\n"
)


def claims(question: str, *hits: Hit, task: str | None = None) -> list[str]:
    return [one.claim for one in read_passages(ReadInput(question=question, task=task or question, hits=hits)).findings]


def test_a_reference_is_followed_to_the_field_that_answers(hit: HitOf, old_note: str, new_note: str) -> None:
    assert claims(CHAIN, hit(new_note), hit(old_note)) == [
        "Lidded Jars (Note 40) — Replaces: 12",
        "Plain Jars (Note 12) — Created: 03-May-2001",
    ]


def test_a_reference_found_before_is_followed(hit: HitOf, finding: FindingOf, old_note: str) -> None:
    told = finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12")
    known = (told.revised(quotes=tuple(one.revised(end=12, text="Replaces: 12") for one in told.quotes)),)
    reading = read_passages(ReadInput(question=CHAIN, task=CHAIN, hits=(hit(old_note),), findings=known))

    assert [one.claim for one in reading.findings] == ["Plain Jars (Note 12) — Created: 03-May-2001"]


def test_a_reference_is_followed_by_another_word_for_it_to_a_document_that_is_called_with_a_hyphen(
    hit: HitOf, new_note: str
) -> None:
    old = hit("Note: 12\nTitle: Plain Jars\nAuthor: Ann Lee\nStatus: Final\nSuperseded-By: 40\n")
    new = hit(new_note.replace("Replaces: 12\n", ""))

    assert claims("Who wrote the note that replaced Note-0012?", new, old) == [
        "Plain Jars (Note 12) — Superseded-By: 40",
        "Lidded Jars (Note 40) — Author: Cy Fox",
    ]
    both = claims("Who wrote the note that replaced Note-0012?", hit(new_note), old)
    assert both == ["Plain Jars (Note 12) — Superseded-By: 40", "Lidded Jars (Note 40) — Author: Cy Fox"]
    assert claims("Who wrote Note-12?", new, old) == ["Plain Jars (Note 12) — Author: Ann Lee"]


def test_a_reference_is_followed_backwards(hit: HitOf, old_note: str, new_note: str) -> None:
    other = hit(new_note.replace("Lidded", "Blue").replace("40", "41").replace("12", "13"))

    assert claims('Who wrote the note that replaces "Plain Jars"?', other, hit(new_note), hit(old_note)) == [
        "Lidded Jars (Note 40) — Replaces: 12",
        "Lidded Jars (Note 40) — Author: Cy Fox",
    ]


def test_a_field_is_read_of_the_document_that_is_named(hit: HitOf, old_note: str, new_note: str) -> None:
    assert claims("Who is the author of Note 40?", hit(old_note), hit(new_note)) == [
        "Lidded Jars (Note 40) — Author: Cy Fox"
    ]


def test_a_field_is_read_of_the_document_whose_number_begins_with_0(hit: HitOf) -> None:
    front = '---\nlid: "{number}"\ntitle: Jars of {number}\nmakers:\n- Ann Lee\nstatus: {status}\n---\n\nOf clay.\n'
    made = [
        hit(front.format(number=number, status=status)) for number, status in (("0012", "Final"), ("0120", "Draft"))
    ]
    assert claims("What is the status of LID-0012?", *made) == ["Jars of 0012 (lid 12) — status: Final"]


@pytest.mark.parametrize(
    "asked",
    ["Why was Note 40 written?", "When was Note 40 written?", "Who created Note 40?", "Where was Note 40 created?"],
)
def test_a_field_of_another_kind_than_is_asked_for_is_no_answer(hit: HitOf, new_note: str, asked: str) -> None:
    assert not any(parse_fact(claim) for claim in claims(asked, hit(new_note)))


PACKAGE = "Name: jarlid\nVersion: 2.1\nLicense: MIT\nAuthor: Cy Fox\n\nA jarlid shuts a jar.\n"


@pytest.mark.parametrize(
    ("asked", "is_told"),
    [
        ("Who wrote the green jars proposal?", True),
        ("Who is the author of the jars of green glass?", True),
        ("Who wrote the green corks proposal?", False),
        ("Who wrote the jars proposal?", False),
        ("Who bought the green jars?", False),
    ],
)
def test_who_wrote_a_text_is_read_of_the_one_whose_title_has_the_words_for_it(
    hit: HitOf, asked: str, *, is_told: bool
) -> None:
    text = "Lid 3: Green Glass Jars\n----\n* Author(s): [Cy Fox](https://cy.example)\n* Day: 3 May\n\nThe green lids.\n"
    green, red = (
        hit(text.replace("Green", colour), title=f"Lid 3: {colour} Glass Jars") for colour in ("Green", "Red")
    )
    told = [one for one in claims(asked, red, green) if parse_fact(one)]
    assert told == ["Lid 3: Green Glass Jars — Author(s): Cy Fox"] * is_told
    twice = hit(text.replace("Cy Fox", "Bo Ek"), title="Green Glass Jars of Ann")
    assert not any(map(parse_fact, claims(asked, green, twice)))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Who is the author of jarlid?", "jarlid — Author: Cy Fox"),
        ("What license does Jarlid have?", "jarlid — License: MIT"),
        ("Which version of jarlid is it?", "jarlid — Version: 2.1"),
    ],
)
def test_a_field_is_read_of_a_document_that_is_named_without_quotes(hit: HitOf, asked: str, said: str) -> None:
    other, longer = (hit(PACKAGE.replace("jarlid", name)) for name in ("jar", "jarlid glass"))
    assert claims(asked, other, longer, hit(PACKAGE)) == [said]


@pytest.mark.parametrize(
    "asked",
    [
        "Why does jarlid have a license?",
        "Who is the author of jarlid glass?",
        "Which version of jars does jarlid shut?",
        "Who is the author of jarlids?",
        "What is the latest version of jarlid?",
    ],
)
def test_a_field_answers_no_question_that_asks_for_more(hit: HitOf, asked: str) -> None:
    assert not [one for one in claims(asked, hit(PACKAGE)) if "—" in one]


SHELF = """\
Name: lidkit
Author-email: "Di Poe" <di@example.org>
License-Expression: BSD-3-Clause
Maintainer-email: x@example.org
"""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What is the licence of lidkit?", "License-Expression: BSD-3-Clause"),
        ("Which license does lidkit have?", "License-Expression: BSD-3-Clause"),
        ("Welche Lizenz hat lidkit?", "License-Expression: BSD-3-Clause"),
        ("Who wrote lidkit?", 'Author-email: "Di Poe" <di@example.org>'),
        ("Wer ist der Autor von lidkit?", 'Author-email: "Di Poe" <di@example.org>'),
        ("Кто автор lidkit?", 'Author-email: "Di Poe" <di@example.org>'),
    ],
)
def test_a_field_is_named_by_another_word_or_without_the_form_of_its_value(hit: HitOf, asked: str, said: str) -> None:
    assert claims(asked, hit(SHELF)) == [f"lidkit — {said}"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What is the date of the shed delivery?", []),
        ("When was the shed delivery mail sent?", ["Date: 8 April 2024"]),
        ("What is the date of the visitors from Reutlingen?", []),
        ("What is the date of the lamps fair?", []),
        ("What is the date of the article lamps fair?", ["date: 2024-05-02"]),
        ("What is the date of the Blue Lamp?", ["Date: 1889"]),
    ],
)
def test_the_date_of_a_text_is_not_that_of_what_it_is_about(hit: HitOf, asked: str, said: list[str]) -> None:
    hits = (
        hit("From: Ann\nTo: Bo\nDate: 8 April 2024\nSubject: shed delivery\n\nIt comes on 30 April."),
        hit("From: Ann\nTo: Bo\nDate: 4 April 2024\nSubject: visitors from Reutlingen\n\nThey come in June."),
        hit("title: lamps fair\ndate: 2024-05-02\nauthor: Ann\n\nIt is on 19 July."),
        hit("Title: Blue Lamp\nArtist: Bo Ek\nDate: 1889\n"),
    )
    facts = [claim for claim in claims(asked, *hits) if parse_fact(claim)]
    assert [claim.rpartition(" — ")[2] for claim in facts] == said


def test_an_address_without_a_name_is_nobody(hit: HitOf) -> None:
    assert not [one for one in claims("Who is the maintainer of lidkit?", hit(SHELF)) if "—" in one]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "Who wrote jarlid and lidkit?",
            ["jarlid — Author: Cy Fox", 'lidkit — Author-email: "Di Poe" <di@example.org>'],
        ),
        (
            "Which licenses do lidkit and jarlid have?",
            ["lidkit — License-Expression: BSD-3-Clause", "jarlid — License: MIT"],
        ),
        ("What are the license and the version of jarlid?", ["jarlid — Version: 2.1", "jarlid — License: MIT"]),
        (
            "List the authors of Note 12",
            ["Plain Jars (Note 12) — Author: Ann Lee <ann@example.org>, Bo Ek <bo@example.org>"],
        ),
    ],
)
def test_fields_are_read_of_every_document_that_is_named(
    hit: HitOf, old_note: str, asked: str, said: list[str]
) -> None:
    assert claims(asked, hit(old_note), hit(SHELF), hit(PACKAGE)) == said


@pytest.mark.parametrize("asked", ["Which versions do jarlid and lidkit have?", "Who wrote jarlid and glasskit?"])
def test_fields_of_some_documents_are_no_answer_for_all(hit: HitOf, asked: str) -> None:
    assert not [one for one in claims(asked, hit(SHELF), hit(PACKAGE)) if "—" in one]


def test_what_a_section_says_first_of_the_side_that_heads_it_is_read_for_that_side_alone(hit: HitOf) -> None:
    close = hit("Shut the lid by hand. It may turn.", title="jar", heading="jar > close")
    seal = hit("Shut the lid. Pour the wax.\n\nNobody can close it then.", title="jar", heading="jar > close_all")
    asked = "How does jar.close differ from jar.close_all?"

    assert claims(asked, seal, close, task="jar.close")[0] == "Shut the lid by hand."
    assert claims(asked, close, seal, task="jar.close_all")[0].startswith("Shut the lid. Pour the wax.")


def test_the_side_of_a_comparison_is_read_in_the_section_that_is_called_so(hit: HitOf) -> None:
    own = hit("The potters vote for nine days.", title="jars", heading="Steps > Step 2.4: Vote to Test")
    other = hit("Testing ends before a vote to test is held again.", title="jars", heading="Steps > Step 2.5: Testing")
    asked = "Compare the vote to test and the vote to adopt."

    assert claims(asked, other, own, task="vote to test") == ["The potters vote for nine days."]


def test_a_short_field_is_read_in_the_section_of_the_setting_that_is_asked_for(hit: HitOf) -> None:
    text = "The value of lid_size is that of a jar. A larger value of lid_size holds it.\n\nDefault: 200\n"
    others = [
        hit(f"Song {number} gives lid_size another value and sings of it.", title=f"Songs {number}")
        for number in range(6)
    ]
    asked, own = "What is the default value of lid_size?", hit(text, title="Jars", heading="Jars > lid_size")
    assert "Default: 200" in claims(asked, *others, own)
    assert "Default: 200" not in claims(asked, *others, hit(text, title="Jars", heading="Jars > jar_size"))
    assert "Default: 200" not in claims("What is the value of lid_size?", *others, own)


def test_what_the_named_document_dates_is_read_though_it_has_other_words_for_what_is_asked(hit: HitOf) -> None:
    filler = "The jar was made of clay by a potter. " * 3
    named = hit(f"Quell was a jar of the works. {filler}On 5 October 1930 it fell to the ground.", title="Quell")
    other = hit("On 6 May 1937 the lid fell to the ground.", title="Lids")
    asked = "When did Quell break?"

    assert [("1930" in one, "1937" in one) for one in claims(asked, named, other) if "19" in one] == [(True, False)]
    assert not [one for one in claims("How many lids did Quell break?", named, other) if "1930" in one]


def test_of_a_named_document_is_read_what_else_is_asked_and_not_what_it_is_alone(hit: HitOf) -> None:
    rows = "| `press` | The paint of each. Only `blue` is had. |\n| `width` | The width of each in metres. |\n"
    text = f"# Loki\n\nLoki is a jar of many rooms inspired by Thor.\n\n| Key | Says |\n|---|---|\n{rows}"
    others = [hit(f"Pot {n} is of clay and is painted green.\n", f"Pot {n}") for n in range(6)]
    said = claims("Which painting can the Loki output use?", hit(text, "Loki"), *others)
    assert [claim for claim in said if "blue" in claim] != []


def test_the_one_row_with_a_name_is_read_beside_sentences_with_the_other_names(hit: HitOf) -> None:
    told = "The R&D 500 lists jars by their lids. Jars of the R&D 500 have lids where they come from.\n"
    rows = "Jar,Place\nBlue,Holm\nRed,Omaha\n"
    hits = [hit(told, "R&D 500"), hit(rows, "rows.csv"), *(hit(f"Lids of jars: {n}.\n", f"Lid {n}") for n in range(6))]
    assert [one for one in claims("Which jars in the R&D 500 have their lids in Omaha?", *hits) if "Red" in one] != []


def test_what_several_documents_of_a_series_say_in_the_same_words_is_read_of_each_that_is_named(hit: HitOf) -> None:
    moved = [hit(f"LID-{number}\n======\n\nMoved to LID-01.\n", f"LID-{number}") for number in (16, 20, 33)]
    others = [hit(f"Pot {number} is of clay and has 16 lids.\n", f"Pot {number}") for number in range(6)]
    given = ReadInput(question=(asked := "What happened to LID-16 and LID-20?"), task=asked, hits=(*moved, *others))
    said = [quote.source for one in read_passages(given).findings for quote in one.quotes if "Moved" in one.claim]
    assert set(said) == {one.passage.source for one in moved[:2]}


def test_a_short_sentence_that_goes_on_with_a_number_or_a_name_is_read(hit: HitOf) -> None:
    found = hit("The Aldmouth jar was made in 1874 by Tom Brandt. It cost 4,200 pounds.", title="Jars")
    other = hit("The Aldmouth jar was made in 1874 by Tom Brandt. It was long.", title="Jars")

    [told] = claims("How much did the Aldmouth jar cost?", found)
    assert told.endswith("It cost 4,200 pounds.")
    assert not [one for one in claims("How long was the Aldmouth jar?", other) if one == "It was long."]


def test_sentences_are_quoted_to_the_letter(hit: HitOf) -> None:
    found = hit(LIDS, title="Lids")
    reading = read_passages(
        ReadInput(question="Why does a jar have a lid?", task="Why does a jar have a lid?", hits=(found,))
    )

    first = "A lid keeps the dust out of a jar, because dust spoils honey."
    assert reading.findings[0].claim == f"{first} Lids of glass are heavier than lids of tin."
    assert all(quote.text in found.passage.text for one in reading.findings for quote in one.quotes)
    assert all(quote.source == found.passage.source for one in reading.findings for quote in one.quotes)


def test_headings_and_code_are_no_findings(hit: HitOf) -> None:
    found = claims("How is a jar closed with a lid?", hit(LIDS, title="Lids"))

    assert found
    assert not any("jar.close" in claim or claim == "Lids" for claim in found)


@pytest.mark.parametrize(
    "question",
    [
        'Who wrote "Quantum Jars"?',
        "how does the glass furnace of a village melt sand",
        "why do cork stoppers crack in frost at night",
        "What is the capital of Mongolia?",
        "How many moons does Jupiter have?",
        "why do volcanoes erupt without warning",
    ],
)
def test_what_the_passages_do_not_hold_is_declined(hit: HitOf, old_note: str, question: str) -> None:
    assert claims(question, hit(LIDS, title="Lids"), hit(old_note)) == []


def test_a_name_that_no_passage_has_keeps_nothing_back_that_holds_the_rest(hit: HitOf) -> None:
    lids = hit(LIDS, title="Notes")

    assert claims("Why does Quelling tell us that lids of glass are heavy?", lids)
    assert claims("What is the dust of Quelling?", lids) == []


def test_of_the_rows_of_months_that_is_marked_which_is_asked_for_by_its_name(hit: HitOf) -> None:
    sold = hit("month,jars\n2031-07,41\n2031-08,28\n2031-09,55\n2032-09,7\n", title="sold.csv")

    assert claims("How many jars were sold in September 2031?", sold)[-1] == "2031-09,55"
    assert "2032-09,7" not in claims("How many jars were sold in September 2031?", sold)


def test_one_thing_is_not_said_twice(hit: HitOf) -> None:
    twice = hit("A lid keeps dust out of the jar. A lid keeps the dust out of a jar.\n")

    assert len(claims("What does a lid keep out of a jar?", twice)) == 1


def test_findings_are_few(hit: HitOf) -> None:
    many = hit(" ".join(f"A lid of the jar keeps number {word} out." for word in "abcdefghijklmnop"))

    assert len(claims("What does a lid keep out of a jar?", many)) <= MAX_FINDINGS


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "谁发明了电话\uff1f",
            "电话是由亚历山大·贝尔发明的。天气很好\uff0c我们去公园散步。",
            "电话是由亚历山大·贝尔发明的。",
        ),
        (
            "電話を発明したのは誰ですか。",
            "電話を発明したのはベルです。今日は天気がいいです。",
            "電話を発明したのはベルです。",
        ),
        (
            "¿Quién inventó el teléfono?",
            "Bell inventó el teléfono en 1876. Hoy hace buen tiempo.",
            "Bell inventó el teléfono en 1876.",
        ),
        (
            "टेलीफोन का आविष्कार किसने किया?",
            "टेलीफोन का आविष्कार बेल ने किया था। आज मौसम अच्छा है।",
            "टेलीफोन का आविष्कार बेल ने किया था।",
        ),
        ("ใครประดิษฐ์โทรศัพท์", "เบลล์เป็นผู้ประดิษฐ์โทรศัพท์เครื่องแรกของโลก", "เบลล์เป็นผู้ประดิษฐ์โทรศัพท์เครื่องแรกของโลก"),
    ],
)
def test_every_script_is_read(hit: HitOf, question: str, text: str, answer: str) -> None:
    assert claims(question, hit(text))[0].startswith(answer)


def test_what_was_found_before_is_not_found_again(hit: HitOf, finding: FindingOf) -> None:
    known = (finding("t1/1", "A lid keeps dust out of a jar."),)
    found = hit("A lid keeps dust out of a jar. A lid of a jar keeps the jam in too.\n")
    asked = ReadInput(
        question="What does a lid do?", task="What does a lid of a jar do?", hits=(found,), findings=known
    )

    assert [one.claim for one in read_passages(asked).findings] == ["A lid of a jar keeps the jam in too."]


def test_every_source_on_the_question_is_shown_in_the_order_of_the_search(hit: HitOf) -> None:
    texts = ("A lid keeps the dust out of a jar.", "A jar of honey gets its lid in June.", "The lid of a jar is round.")
    hits = [hit(f"{text}\n", title=f"Note {number}") for number, text in enumerate(texts)]

    assert claims("Why does a jar have a lid?", *hits) == list(texts)


def test_the_side_of_a_comparison_is_shown_by_passages_that_name_it(hit: HitOf) -> None:
    cork, lid = hit("One closes a cork with wax.\n"), hit("One closes a lid with some force.\n")
    question = "When should one close a cork or a lid?"

    assert claims(question, cork, lid, task="When should one close a lid?") == ["One closes a lid with some force."]


def test_the_side_of_a_comparison_is_shown_by_a_sentence_that_names_it_alone(hit: HitOf) -> None:
    both = "A crock and a pan differ in price alone to those who buy them at fairs."
    alone = [
        f"The crock of {guest} keeps {food} over the winter." for guest, food in zip("ABCDEF", "uvwxyz", strict=True)
    ]
    others = [hit(f"To {guest} a pan and a crock differ in nothing.", title=guest) for guest in ("Ann", "Bo", "Cy")]
    found = (hit(f"{both}\n\n{' '.join(alone)}\n"), *others)

    told = [claims("How do a crock and a pan differ?", *found, task=side) for side in ("crock", "pan")]
    assert [any("keeps" in claim for claim in one) for one in told] == [True, False]


def test_the_side_that_ends_in_the_letter_a_is_shown_by_passages_that_name_it_whole(hit: HitOf) -> None:
    one = hit("Judge: A\n\nThe lids of this jar are too thin.\n", title="One")
    two = hit("Judge: B\n\nA judge finds no fault with this jar.\n", title="Two")

    told = claims("How do judge A and judge B differ?", two, one, task="judge A")
    assert any("The lids of this jar are too thin." in claim for claim in told)
    assert not any("no fault" in claim for claim in told)


@pytest.mark.parametrize(
    "question",
    ["Who was the author of the rejected rival of Note 40?", "Who was the editor in chief of Note 40?"],
)
def test_a_question_that_asks_for_more_than_a_field_is_not_answered_by_it(
    hit: HitOf, new_note: str, question: str
) -> None:
    assert not any(" — Author" in claim for claim in claims(question, hit(new_note)))


def test_a_field_in_capitals_is_found_by_its_own_name(hit: HitOf, new_note: str) -> None:
    note = new_note.replace("Status", "BDFL-Delegate: Ann Lee\nStatus")

    assert claims("Who was the BDFL-Delegate of Note 40?", hit(note)) == [
        "Lidded Jars (Note 40) — BDFL-Delegate: Ann Lee"
    ]


def test_findings_without_passages_are_quoted_again(finding: FindingOf) -> None:
    found = (finding("t1/1", "Tin lids are light."), finding("t2/1", "Glass is heavy."))
    reading = read_passages(ReadInput(question="Tin lids?", task="Compare", findings=found))

    assert [one.claim for one in reading.findings] == ["Tin lids are light.", "Glass is heavy."]


def test_a_source_that_holds_little_of_the_question_is_not_quoted_unless_a_name_connects_it(hit: HitOf) -> None:
    harbour = hit("The fog bell of Aldmouth harbour was cast by Ida Brand of Luneford.", title="Aldmouth")
    founder = hit("Ida Brand was a founder. She was born in Kelmar in 1801.", title="Ida Brand")
    stranger = hit("A harbour tax on salt was raised twice a year.", title="Salt")

    found = claims("Where was the woman born who cast the fog bell of Aldmouth harbour?", harbour, founder, stranger)

    assert any("Kelmar" in claim for claim in found)
    assert not any("salt" in claim for claim in found)


def test_a_statement_is_compared_with_every_source_and_declined_for_no_name_alone(hit: HitOf) -> None:
    one = hit("Ethanol stress reduces the growth of bacteria in jars of glass.", title="Growth")
    two = hit("Bacteria in jars die of heat.", title="Heat")

    found = claims("Ethanol stress reduces the expression of SRL in bacteria.", one, two)

    assert found == [one.passage.text, two.passage.text]


def test_a_name_in_a_script_without_blanks_does_not_decide_whether_a_passage_is_on_the_subject(hit: HitOf) -> None:
    text = "这座灯塔建于1831年。"

    assert claims("哪一年由哪些工人建造总共花费多少银两的灯塔 VOS 在北岸建于何处", hit(text)) == [text]


def test_the_first_passage_of_the_search_is_always_shown(hit: HitOf) -> None:
    first = hit("A lid of a jar keeps dust out.", title="One")
    second = hit("Why a jar has a lid of tin, and why tin lids of jars bend, is told in books.", title="Two")

    assert first.passage.text in claims("Why does a tin lid of a jar bend?", first, second)


def test_what_only_shares_words_of_asking_is_not_marked_as_said_against_a_thing(hit: HitOf) -> None:
    about = hit("The walrus operator is the name of a construct.")
    other = hit("Critics argue that operators of decimal numbers are confusing, Tim Peters said.")

    assert claims("What was said against the walrus operator?", about, other) == [
        "The walrus operator is the name of a construct."
    ]


def test_what_stands_under_another_name_of_the_subject_is_about_the_subject(hit: HitOf, finding: FindingOf) -> None:
    asked = "What was said against the glass lid?"
    objection = hit("It breaks when a ship rolls, critics said.", title="Closed Vessels", heading="Objections")
    known = finding("t1/1", 'Closed Vessels: In talks on this note it became known as "the glass lid".')

    assert claims(asked, objection) == []
    reading = read_passages(ReadInput(question=asked, task=asked, hits=(objection,), findings=(known,)))
    assert [one.claim for one in reading.findings] == ["It breaks when a ship rolls, critics said."]


def test_a_document_that_is_called_by_a_word_of_the_question_is_on_its_subject(hit: HitOf) -> None:
    where = "It lies on the coast, and its capital is in the hills."

    assert claims("show me on a map where ecuador is", hit(where, title="Ecuador")) == [where]
    assert claims("show me on a map where ecuador is", hit(where, title="Peru")) == []
    assert claims("show me on a map what happened in 1809", hit(where, title="1809")) == []


STORY = (
    "Mara carried “The Book of Lids” to the market of Brill. There the old potter told of the controversy about jars "
    "of tin. Nobody knew why the river Ems had turned, but the ferry went on. In the evening they played Mill."
)


def test_a_document_without_a_title_is_called_by_the_name_of_its_file(hit: HitOf) -> None:
    found = hit("Jars of clay are kept closed by hand.", title="lidkit.txt")

    assert read_passages(ReadInput(question=ASKED_OF_TWO, task=ASKED_OF_TWO, hits=(found,))).findings


ASKED_OF_TWO = "who paid lidkit, glasskit, jarlid?"


def test_a_story_that_tells_of_a_controversy_asks_for_no_objections(hit: HitOf) -> None:
    river = hit("The river Ems turned south after the flood of the spring.", title="Ems")
    mill = hit("Two players move nine stones each in Mill.", title="Mill")
    market = hit("Mara carried the book of lids there for many years.", title="Brill")

    assert len(claims(STORY, market, river, mill)) == 3


def test_a_title_that_a_story_quotes_is_one_of_its_names(hit: HitOf) -> None:
    assert claims(STORY, hit("The river Ems turned south after the flood of the spring.", title="Ems"))
    assert claims("Who wrote “The Book of Lids” by the river Ems?", hit("The river Ems turned south.")) == []


def test_a_text_calls_a_person_by_the_last_name(hit: HitOf) -> None:
    asked = "In the days of Ida Blom, which cargo was in demand?"

    assert claims(asked, hit("The demand for lamps made Blom rich at last.\n"))
    assert claims(asked, hit("Blom was born on the rock in a storm.\n")) == []
    assert claims(asked, hit("The demand for lamps made Ida rich at last.\n")) == []


def test_a_word_that_many_hold_is_shown_where_the_rare_one_outweighs_it(hit: HitOf) -> None:
    many = [hit(f"Licence {name} grants patents on jars of kind {name}.\n") for name in "abcde"]
    rare = hit("See the specific names mentioned below, as that of a chapter.\n")
    shown = claims("Which licences mention patents?", rare, *many)
    assert any("patents" in claim for claim in shown)


def test_a_month_is_no_name_that_a_passage_must_hold(hit: HitOf) -> None:
    asked = "I am a new driver and would like to go away in June for two weeks with my family, whom do I ask?"
    assert claims(asked, hit("Drivers must not be absent for weeks without the consent of the master.\n"))


def test_a_name_that_most_sources_share_connects_none(hit: HitOf) -> None:
    letters = [hit(f"Ida Voss noted the weather of day {at} and what April was like.\n") for at in range(9)]
    first = hit("The reserve of April stands at nine crowns, says Ida Voss.\n")
    assert claims("What was the reserve of crowns in April?", first, *letters) == [
        "The reserve of April stands at nine crowns, says Ida Voss."
    ]


def test_a_field_is_read_of_the_email_that_a_question_describes(hit: HitOf) -> None:
    lids = hit(
        "From: Ann Lee\nTo: Bo Ek\nDate: Tue, 12 Mar 2024 09:15:00 +0000\nSubject: Lids for jars\n\nThey ship.\n"
    )
    wax = hit("From: Cy Fox\nTo: Ann Lee\nDate: Wed, 13 Mar 2024 10:00:00 +0000\nSubject: Wax for jars\n\nIt melts.\n")

    assert claims("Who sent the mail about the wax?", lids, wax) == ["Wax for jars — From: Cy Fox"]


@pytest.mark.parametrize("thing", ["lids", "jars"])
def test_a_number_that_is_asked_for_is_marked_where_its_sentence_holds_every_word(hit: HitOf, thing: str) -> None:
    told, number = "A tin rack holds lids, and it may rust.", f"A row will hold up to 5 {thing}."
    others = [hit(f"All lids are lids of the {kind} kind.") for kind in ("first", "second", "third", "last")]
    rack = hit(f"{told} It is washed on Sundays.\n\n{number}", heading="Tin > Rack")
    said = claims("How many lids may a tin rack hold at most?", rack, *others)

    assert said[0] == told
    assert (number in said) == (thing == "lids")


RULES = """\
Rules of the cellar
===================

The keepers shall not

(a) let a jar; nor lend it;
(b) smoke.

Keepers may keep a cat, if they pay a deposit of two jars.

| Day | Opens |
|---|---|
| Saturday | 9:00 |
| Monday | 8:00 |
"""


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("May the keepers lend jars?", "let a jar; nor lend it;"),
        ("May the keepers smoke?", "smoke."),
        ("When does the cellar open on Saturday?", "Saturday | 9:00"),
    ],
)
def test_a_line_beside_sentences_is_read_for_a_word_that_these_do_not_hold(
    hit: HitOf, question: str, line: str
) -> None:
    assert any(line in claim for claim in claims(question, hit(RULES)))


def test_a_field_is_read_beside_sentences_one_of_a_header_only_if_it_is_called_by_a_word_of_the_task(
    hit: HitOf,
) -> None:
    said = "\nThe number of seconds after which a lid that nobody has shut is shut by itself.\n"
    alone = hit(f"LID_TIMEOUT\n-----------\n\nDefault: ``180``\n{said}", title="Settings")
    header = hit(f"Name: LID_TIMEOUT\nDefault: ``180``\n{said}", title="Settings")
    value = hit(f"Name: LID_TIMEOUT\nChosen: default\n{said}", title="Settings")

    asked = "What may be the default seconds of a lid?"
    assert ["Default: 180" in " ".join(claims(asked, each)) for each in (alone, header)] == [True, True]
    assert claims(asked, value) == [said.strip()]


def test_the_date_of_what_a_document_is_called_by_is_read(hit: HitOf) -> None:
    fair = hit("Date: 4 June 2031\nPlace: Quell\n\nThe fair was announced for 3 May 2031.\n", title="Jar fair 2031")

    assert claims("When was the jar fair 2031?", fair)[0] == "Date: 4 June 2031"
    assert "The fair was announced for 3 May 2031." in claims("When was the jar fair 2031?", fair)
    assert "Place: Quell" not in claims("When was the jar fair 2031?", fair)


def test_a_line_beside_sentences_that_hold_the_words_of_a_question_is_not_read(hit: HitOf) -> None:
    assert claims("May the keepers keep a cat?", hit(RULES)) == [
        "Keepers may keep a cat, if they pay a deposit of two jars."
    ]


SHELVES = """
Shelves
=======

Plums (stewed)

- Cellar: 24 months
- Attic: 3 weeks

Pears (stewed)

- Cellar: 24 months
- Attic: 9 days

The cellar and the attic keep jars of stewed plums and pears.
"""


def test_an_item_is_read_with_the_label_of_its_list_though_another_list_has_the_same_words(hit: HitOf) -> None:
    asked = "How many months do stewed pears keep in the cellar?"

    assert claims(asked, hit(SHELVES))[0] == "Pears (stewed) - Cellar: 24 months"


def test_an_item_is_read_that_holds_all_of_a_question_with_the_one_that_it_stands_under(hit: HitOf) -> None:
    jam = hit(
        "- The longer your jam boils, the thicker it becomes.\n  - Plum: 7 minutes\n  - Quince: 15 minutes\n"
        "- Plum jam boils for 5 minutes at least, and more does no harm.\n- A jar of quince jam costs 3 crowns.\n"
    )

    assert "Quince: 15 minutes" in claims("How many minutes should quince jam boil?", jam)


def test_a_line_that_names_the_columns_of_a_table_is_not_read(hit: HitOf) -> None:
    assert not any("Opens" in claim for claim in claims("On which day may keepers open?", hit(RULES)))


def test_a_form_of_a_word_is_the_word_in_the_language_of_the_question(hit: HitOf) -> None:
    text = "Hühner laufen gern im Hof herum. Katzen bedürfen der Zustimmung des Wirts.\n"

    assert claims("Wer fängt eine Katze?", hit(text))[0].startswith("Katzen")


def test_a_source_that_holds_the_rest_of_a_question_is_read(hit: HitOf) -> None:
    bell = hit("Die Glocke im Turm goss eine Meisterin aus dem Norden.\n", title="Glocke")
    smith = hit("Ada Berg war viel auf Reisen. Geboren wurde sie in Kiel.\n", title="Leben")

    assert any("Kiel" in claim for claim in claims("Wo wurde die Meisterin der Glocke im Turm geboren?", bell, smith))


def test_a_side_of_a_comparison_is_read_though_it_lacks_what_is_compared(hit: HitOf) -> None:
    question = "Compare the notice terms of the lease and of the policy"

    assert claims(question, hit("The policy runs for one year.\n"), task="policy: notice terms")


def test_a_sentence_of_names_beside_others_on_its_line_is_read_for_a_word_that_these_do_not_hold(hit: HitOf) -> None:
    board = hit("The board is elected for two years. Chair Ms Ida Brand, Keeper Mr Jan Pol.\n")

    assert any("Chair Ms Ida Brand" in claim for claim in claims("Who is the keeper of the board?", board))


def test_a_word_that_is_in_another_name_is_not_the_name(hit: HitOf) -> None:
    hall = hit("The Lantern Hall was built by Ida Brand, who was taught by Ann Lee.\n", title="Hall")
    lee = hit("Ann Lee was born in Ek as a child of smiths. She refused the Order of the Lantern.\n", title="Ann Lee")

    found = claims("Where was the teacher of the builder of the Lantern Hall born?", hall, lee)
    assert "Ann Lee was born in Ek as a child of smiths." in found


TIMETABLE = """\
Parents may call before eight in the morning. Jars are filled by the class keeper of one day and by no other keeper.

| Club | Keeper |
|---|---|
| Robots | Ms Pol |
| Chess | Ms Ek |

The clubs of jars start in the second week of the year.
"""


def test_a_row_is_quoted_alone_though_a_sentence_above_it_is_marked_too(hit: HitOf) -> None:
    found = claims("Which keeper of jars has the robots club?", hit(TIMETABLE))

    assert "Jars are filled by the class keeper of one day and by no other keeper." in found
    assert any(claim.startswith(("| Robots", "Robots")) for claim in found)


def test_a_short_question_of_a_text_is_read_with_the_answer_below_it(hit: HitOf) -> None:
    asked = "**Are lids included?**\nNo. They cost 18 crowns for pots and 9 crowns for jars.\n\n"
    text = f"# Lids\n\n{asked}**Do you sell corks?**\nCorks are sold by weight on every market day.\n"

    assert any(
        "Are lids included? No. They cost 18 crowns" in claim for claim in claims("Included in it are what?", hit(text))
    )


def test_a_source_that_holds_the_rest_of_a_question_without_names_is_read(hit: HitOf) -> None:
    counted = hit("The old lids of the green jars were counted in May by the clerk of the town.")
    weather = hit("Of the weather there are books in which the rain of each day is told.")

    assert len(claims("Who counted the old lids of green jars in all weather?", counted, weather)) == 2


def test_rows_one_below_the_other_are_quoted_each_for_itself(hit: HitOf) -> None:
    rows = "".join(f"| {name} | {kind} |\n" for name, kind in (("Quell", "ford"), ("Rinn", "ford"), ("Moor", "mill")))
    assert claims("Which is a ford?", hit(f"| place | kind |\n|---|---|\n{rows}")) == [
        "| Quell | ford |",
        "| Rinn | ford |",
    ]


def test_a_passage_on_the_subject_need_not_say_that_it_takes_place(hit: HitOf) -> None:
    assert claims("When does the fair take place?", hit("The fair is on the third of May.\n", title="Notes")) == [
        "The fair is on the third of May."
    ]
    assert claims("Who takes the place of Ann at the fair?", hit("The quay is of oak.\n", title="Notes")) == []


def test_a_sentence_that_proves_nothing_alone_is_quoted_with_the_one_before_it(hit: HitOf) -> None:
    manual = hit("Descale the kettle every 60 cups. The programme takes 25 minutes. Do not use vinegar.", "Kettle")
    lamps = hit("| Lamp | Kettle |\n|---|---|\n| blinking red | descaling |\n", "Lamps")

    assert claims("Can I descale with vinegar?", manual, lamps)[0].endswith("25 minutes. Do not use vinegar.")


def test_a_degree_that_no_passage_states_is_no_word_of_the_subject(hit: HitOf) -> None:
    record = hit("The course record of 40:02 was not broken. The women's record of 42:20 was.", "Fell race")

    assert claims("What was the fastest finish time of a woman?", record)[0].endswith(
        "The women's record of 42:20 was."
    )
    assert not claims("What was the usual finish time of a woman?", record)


def test_the_lines_around_a_letter_are_marked_only_where_it_is_asked_who_or_when(hit: HitOf) -> None:
    letter = hit(
        "Harwick, 3 May 2021\n\nDear Ms Falk,\n\nThe fine is 25 euros.\n\nYours truly,\nANN FOX\n", "letter.txt"
    )

    assert claims("How much does Ms Falk have to pay as a fine?", letter) == ["The fine is 25 euros."]
    assert any("ANN FOX" in claim for claim in claims("Who wrote to Ms Falk, Ann Fox?", letter))


def test_a_word_of_what_looks_like_a_name_is_enough_in_a_short_question(hit: HitOf) -> None:
    mended = hit("Die Dachreparatur kostet 11 Euro.", "Protokoll")

    assert claims("Dachreparatur Kosten?", mended) == ["Die Dachreparatur kostet 11 Euro."]
    assert not claims("Dachrinne Kosten?", mended)
    assert not claims("Wer bezahlt dem Dachdecker Kosten und Fahrt und Lohn?", hit("Die Kosten.", "Protokoll"))


def test_what_replaces_a_document_is_not_what_it_replaces(hit: HitOf) -> None:
    fields = "Note: 12\nTitle: Plain Jars\nMaintainer: Bo Ek\nReplaces: 7\n"
    note = hit(fields, title="Plain Jars")

    def claims_for(question: str) -> list[str]:
        return [one.claim for one in read_passages(ReadInput(question=question, task=question, hits=(note,))).findings]

    told = "Plain Jars (Note 12) — Replaces: 7"
    assert claims_for("What does Note 12 replace?") == [told]
    assert told not in claims_for("What replaces Note 12?")
    assert claims_for("Who maintains Note 12?") == ["Plain Jars (Note 12) — Maintainer: Bo Ek"]


def test_who_wrote_a_document_that_is_called_by_a_word_of_its_title_is_read_from_its_header(hit: HitOf) -> None:
    header = "---\nLid: 140\nTitle: Jars Peras - Faster Lids\nAuthors:\n  - Ann Lee <ann@example.org>\n---\n\n# Jars"
    other = hit("- Author to write of the Peras lids first.", title="Lids")
    found = claims("Who wrote the Peras jars?", hit(header, title="Jars Peras - Faster Lids"), other)

    assert any("Ann Lee" in claim for claim in found)
    first, section = (
        hit(text, title="Jars Peras", heading=heading).revised(uri="/docs/peras.md")
        for text, heading in (("The Peras jars are sold with lids.", "Use"), ("## Authors\n\n* Bo Ek\n", "Authors"))
    )
    section = section.revised(passage=section.passage.revised(source=first.passage.source))
    assert any("Bo Ek" in claim for claim in claims("Who wrote the Peras jars?", first, section, other))
    for asked in ("Who sold the Peras jars?", "How are the Peras jars written?"):
        assert not any("Ann Lee" in claim for claim in claims(asked, hit(header, title="Peras"), other))


def test_a_row_with_a_noun_of_a_german_question_is_read_beside_another_document(hit: HitOf) -> None:
    listed = hit("- Ort: Rathaus, Trauung um 14:00 Uhr\n", "Liste")
    rows = "| 13:00 | Trauung im Rathaus | Bo |\n| 15:00 | Kaffee | Ann |\n"
    plan = hit(f"Bitte nur noch diesen benutzen.\n\n| Zeit | Was | Wer |\n|---|---|---|\n{rows}", "Plan")

    found = claims("Um wie viel Uhr ist die Trauung?", listed, plan)
    assert any("14:00" in one for one in found)
    assert any("13:00" in one for one in found)


def test_beside_what_sounds_like_yes_stands_what_says_no(hit: HitOf) -> None:
    text = "Hot filling of jars is understood by clay, tin and glass.\n\nThe fair is open on Monday.\n\n{}\n"
    denied, question = "The signal Hup isn't understood by tin.", "Is hot filling of jars by Hup understood by tin?"
    others = [hit(f"Lids of kind {n} are understood by clay.\n", f"Lid {n}") for n in range(6)]
    others.append(hit("Hot filling of jars goes by Hup.\n", "Hup"))

    assert denied in claims(question, hit(text.format(denied)), *others)
    assert denied not in claims(question.replace("Is hot", "How is hot"), hit(text.format(denied)), *others)


def test_what_says_no_in_most_words_of_a_question_may_be_far_behind_the_best_sentence(hit: HitOf) -> None:
    question = "Can I carry my Corkfit jars straight over to Tinlid?"
    denied = "Carriage of jars from Corkfit to Tinlid is not known here."
    others = [hit(f"Tinlid {n} is older than Corkfit {n} with jars of kind {n}.\n", f"Tinlid {n}") for n in range(3)]
    best = "To carry jars of Corkfit straight over, carry them to Tinlid straight."

    for said, is_told in ((denied, True), (denied.replace("Corkfit", "here"), False)):
        found = claims(question, *others, hit(f"{best}\n\nThe fair is open on Monday.\n\n{said}\n", "Way"))
        assert (said in found) is is_told, said

from collections.abc import Callable

import pytest

from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
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
    known = (finding("t1/1", "Lidded Jars (Note 40) — Replaces: 12"),)
    reading = read_passages(ReadInput(question=CHAIN, task=CHAIN, hits=(hit(old_note),), findings=known))

    assert [one.claim for one in reading.findings] == ["Plain Jars (Note 12) — Created: 03-May-2001"]


def test_a_reference_is_followed_backwards(hit: HitOf, old_note: str, new_note: str) -> None:
    other = hit(new_note.replace("Lidded", "Blue").replace("40", "41").replace("12", "13"))

    assert claims('Who wrote the note that replaces "Plain Jars"?', other, hit(new_note), hit(old_note)) == [
        "Lidded Jars (Note 40) — Replaces: 12",
        "Lidded Jars (Note 40) — Author: Cy Fox",
    ]


def test_a_reference_is_not_followed_against_its_sense(hit: HitOf, old_note: str, new_note: str) -> None:
    assert claims('Who wrote the note that replaces "Lidded Jars"?', hit(new_note), hit(old_note)) == []


def test_a_field_is_read_of_the_document_that_is_named(hit: HitOf, old_note: str, new_note: str) -> None:
    assert claims("Who is the author of Note 40?", hit(old_note), hit(new_note)) == [
        "Lidded Jars (Note 40) — Author: Cy Fox"
    ]


def test_sentences_are_quoted_to_the_letter(hit: HitOf) -> None:
    found = hit(LIDS, title="Lids")
    reading = read_passages(
        ReadInput(question="Why does a jar have a lid?", task="Why does a jar have a lid?", hits=(found,))
    )

    assert reading.findings[0].claim == "A lid keeps the dust out of a jar, because dust spoils honey."
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
        'Who wrote "Dust Jar"?',
        "how does the glass furnace of a village melt sand",
        "why do glass lids crack in frost at night",
        "What is the capital of Mongolia?",
        "How many moons does Jupiter have?",
        "why do volcanoes erupt without warning",
    ],
)
def test_what_the_passages_do_not_hold_is_declined(hit: HitOf, old_note: str, question: str) -> None:
    assert claims(question, hit(LIDS, title="Lids"), hit(old_note)) == []


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
    assert claims(question, hit(text))[0] == answer


def test_an_analysis_sets_dates_in_order(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "Lidded Jars (Note 40) — Created: 09-Jul-2010", "a"),
        finding("t2/1", "Plain Jars (Note 12) — Created: 03-May-2001", "b"),
    )
    reading = read_passages(ReadInput(question="Which was created first?", task="Compare", findings=found))

    (ordered,) = reading.findings
    assert ordered.claim == "Created: 03-May-2001 (Plain Jars); 09-Jul-2010 (Lidded Jars)"
    assert {quote.source for quote in ordered.quotes} == {one.quotes[0].source for one in found}


def test_an_analysis_hears_every_todo(finding: FindingOf) -> None:
    found = tuple(finding(f"t1/{number}", f"Tin lids are light {number}.") for number in range(1, 9))
    reading = read_passages(
        ReadInput(question="Tin lids?", task="Compare", findings=(*found, finding("t2/1", "Glass is heavy.")))
    )

    assert len(reading.findings) == MAX_FINDINGS
    assert reading.findings[-1].claim == "Glass is heavy."


def test_what_speaks_of_the_question_but_not_of_the_task_is_declined(hit: HitOf) -> None:
    near = hit("Glass lids of honey jars keep the dust out. Bees gather much honey in June.")

    assert claims("How do glass lids of honey jars differ from corks?", near, task="corks") == []


def test_what_a_document_under_another_name_says_is_found(hit: HitOf, finding: FindingOf) -> None:
    known = finding("t1/1", 'Closed Vessels: In talks on this note it became known as "the glass lid".')
    text = "Naming a part of a vessel keeps dust out and jam fresh for a longer time.\n"
    found = hit(text, title="Closed Vessels", heading="Rationale")
    question = "Why was the glass lid added?"

    with_name = read_passages(ReadInput(question=question, task=question, hits=(found,), findings=(known,)))
    assert [one.claim for one in with_name.findings] == [text.strip()]
    assert read_passages(ReadInput(question=question, task=question, hits=(found,))).findings == ()


def test_the_other_name_comes_first(hit: HitOf) -> None:
    text = 'Glass lids are heavy because of the glass. In talks on this note they became known as "glass lids".\n'

    assert claims("Why were glass lids introduced?", hit(text, title="Closed Vessels"))[0].startswith(
        "Closed Vessels: In"
    )


def test_what_was_found_before_is_not_found_again(hit: HitOf, finding: FindingOf) -> None:
    known = (finding("t1/1", "A lid keeps dust out of a jar."),)
    found = hit("A lid keeps dust out of a jar. A lid of a jar keeps the jam in too.\n")
    asked = ReadInput(
        question="What does a lid do?", task="What does a lid of a jar do?", hits=(found,), findings=known
    )

    assert [one.claim for one in read_passages(asked).findings] == ["A lid of a jar keeps the jam in too."]


def test_a_sentence_off_the_subject_is_dropped(hit: HitOf) -> None:
    near = hit("A glass lid cracks in frost.\n")
    off = hit("Windows of glass crack in frost at night, as farmers in villages say.\n")

    assert claims("How does a glass lid crack in frost at night?", near, off) == [near.passage.text.strip()]


def test_one_alternative_hears_nothing_of_another(hit: HitOf) -> None:
    both = hit("One closes a cork with wax. One closes a lid with some force.\n")
    question = "When should one close a cork or a lid?"

    assert claims(question, both, task="When should one close a lid?") == ["One closes a lid with some force."]


def test_a_heading_alone_puts_no_sentence_under_an_alternative(hit: HitOf) -> None:
    under = hit("The number of honey pots alive is told here.\n", title="Close", heading="Lid")
    question = "When should one close a cork or a lid?"

    assert claims(question, under, task="When should one close a lid?") == []


def test_what_a_thing_is_comes_first(hit: HitOf) -> None:
    text = "The glass lid and the glass jar crack in frost. Dust is common. A glass lid is a cover of a jar.\n"

    assert claims("What is a glass lid?", hit(text))[0] == "A glass lid is a cover of a jar."


def test_a_section_on_the_side_asked_for_answers(hit: HitOf) -> None:
    plain = hit("Glass lids keep the dust of a house out because it spoils jam.\n", heading="Use")
    rationale = hit("Glass lids keep the damp of a cellar out.\n", heading="Rationale")

    assert claims("Why were glass lids introduced?", plain, rationale)[0] == rationale.passage.text.strip()


def test_a_sentence_that_speaks_of_the_side_asked_for_comes_first(hit: HitOf) -> None:
    text = "Glass lids are sold in Peru and the south. A criticism of glass lids is that they weigh much.\n"

    assert claims("What objections to glass lids were raised in Peru?", hit(text))[0].startswith("A criticism")


def test_a_reason_is_no_objection(hit: HitOf) -> None:
    text = "Glass lids are confusing in the dark. Glass lids were made because corks rot.\n"
    question = "Why were glass lids introduced and what objections were raised?"

    assert claims(question, hit(text), task="Why were glass lids introduced?") == [
        "Glass lids were made because corks rot."
    ]
    assert claims(question, hit(text), task="Objections to glass lids") == ["Glass lids are confusing in the dark."]


def test_what_leads_up_to_a_question_is_short_and_leaves_its_sides_to_others(hit: HitOf) -> None:
    many = " ".join(
        f"Glass lids are used by {who} here." for who in ("cooks", "farmers", "brewers", "monks", "sailors")
    )
    text = f"Glass lids have one drawback, their weight. {many}\n"
    found = claims("What objections to glass lids were raised?", hit(text, title="Objections"), task="About glass lids")

    assert len(found) == 3
    assert not any("drawback" in claim for claim in found)


def test_the_surroundings_of_a_question_without_an_answer_are_not_told(hit: HitOf) -> None:
    near = hit("Glass lids are covers of jars.\n")

    assert claims("Why do glass lids sing hymns?", near, task="About glass lids") == []


def test_an_analysis_says_the_best_of_every_alternative_in_one_claim(finding: FindingOf) -> None:
    found = (
        finding("t1/1", "One should use a lid of wax when wine is to be kept.", "a"),
        finding("t1/2", "A cork keeps the wine in.", "a"),
        finding("t2/1", "A lid keeps the dust out.", "b"),
    )
    question = "When should one use a cork or a lid?"
    (woven,) = read_passages(ReadInput(question=question, task="Cork and lid compared", findings=found)).findings

    assert woven.claim == "Cork: A cork keeps the wine in. Lid: A lid keeps the dust out."
    assert [quote.text for quote in woven.quotes] == [found[1].claim, found[2].claim]

from datetime import date
from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.tools import ContextInput
from quaestor.research.tools.contexts import ReadContexts


async def test_a_name_that_much_of_the_corpus_holds_tells_no_passage_from_another(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(30):
        (folder / f"note-{number}.md").write_text(f"# Note {number}\n\nCorkfit may have jars of kind {number}.\n")
    (folder / "lids.md").write_text("# Lids\n\nJars of any kind may have a Twistlid.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Do the jars of Corkfit have a Twistlid?", [folder])

    assert isinstance(made, Brief)
    assert [one.text for one in made.passages if one.is_best] == ["Jars of any kind may have a Twistlid."]
    assert made.gaps == ()


async def test_of_the_words_of_a_question_it_is_read_which_the_corpus_holds(tmp_path: Path) -> None:
    folder = tmp_path / "candles"
    folder.mkdir()
    for number in range(30):
        (folder / f"candle-{number}.md").write_text(f"# Candle {number}\n\nCandles of kind {number} burn slowly.\n")
    (folder / "wax.md").write_text("# Seals\n\nSeals are made of wax.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        corpus = await quaestor.index([folder])
        asked = ContextInput(findings=(), question="Are candles made of wax or tallow?", corpus=corpus.corpus)
        tool = ReadContexts(quaestor.library)
        contexts = await tool.run(asked)
        dated = await tool.run(asked.revised(before=date(2020, 1, 1)))

    assert {"candl", "wax"} <= set(contexts.held)
    assert "tallow" not in contexts.held
    assert contexts.common == ("candl",)
    assert dated.held == (), "what is dated later may be the only text that holds a word"


async def test_a_passage_is_shown_with_the_sentence_of_another_document_that_corrects_it(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    letter = "# Letter to our guests\n\n14 February 2025\n\nThe hire of a bicycle is 1.80 EUR per hour.\n"
    (folder / "february.md").write_text(letter)
    (folder / "march.md").write_text(
        "# Letter to our guests\n\n3 March 2025\n\nIn our letter of 14 February there is a mistake. "
        "The hour costs 2.80, not 1.80.\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("How much is the hire of a bicycle per hour?", [folder])

    assert isinstance(made, Brief)
    assert made.passages[0].status == "see also: “The hour costs 2.80, not 1.80.” (march.md)"


async def test_a_correction_of_one_row_is_not_shown_with_another_that_shares_a_word_of_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "prices.md").write_text(
        "# Price list\n\n| Article | Price |\n|---|---|\n| Oak board | 24 |\n| Pine board | 9 |\n"
    )
    (folder / "news.md").write_text("# Correction to the price list\n\nThe pine boards are all rotten.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        oak = await quaestor.research("What is the price of an oak board?", [folder])
        pine = await quaestor.research("What is the price of a pine board?", [folder])

    assert isinstance(oak, Brief)
    assert isinstance(pine, Brief)
    assert [one.status for one in oak.passages if "24" in one.text] == [None]
    said = "see also: “The pine boards are all rotten.” (Correction to the price list)"
    assert [one.status for one in pine.passages if "9" in one.text] == [said]


async def test_a_passage_is_shown_with_what_was_added_below_it_and_with_a_correction(tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "trip.md").write_text(
        "# Trip\n\nThe bus leaves at 8.45 from the mill.\n\n*Ann, 2 May*\n\n*PS 19 May: the bus now leaves at 8.31.*\n"
    )
    (folder / "other.md").write_text("# Another letter\n\nThere is a mistake: the bus leaves at 8.15, not 8.45.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("When does the bus leave from the mill?", [folder])

    assert isinstance(made, Brief)
    assert made.passages[0].status == (
        "see also: “PS 19 May: the bus now leaves at 8.31.” (trip.md); "
        "see also: “There is a mistake: the bus leaves at 8.15, not 8.45.” (Another letter)"
    )


async def test_the_rows_of_a_file_of_cells_correct_nothing(tmp_path: Path) -> None:
    said = "There is a mistake: the bus leaves at 8.15, not 8.45."
    for name, text in (("other.md", f"# Letter\n\n{said}\n"), ("other.csv", f"name,note\nbus,{said}\nboat,none\n")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "trip.md").write_text("# Trip\n\nThe bus leaves at 8.45 from the mill.\n")
        (folder / name).write_text(text)
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("When does the bus leave from the mill?", [folder])
        assert isinstance(made, Brief)
        assert [one.status is None for one in made.passages if "8.45 from" in one.text] == [name == "other.csv"]


async def test_a_section_of_corrections_is_no_sign_for_what_is_later_and_the_sections_below_it_are_none(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "council"
    folder.mkdir()
    for month, cost in (("May", 900), ("August", 990)):
        said = f"# Council, 2 {month} 2023\n\n## Path\n\nThe path repair costs £{cost}.\n"
        (folder / f"{month}.md").write_text(said)
    june = folder / "June.md"
    june.write_text(
        "# Council, 6 June 2023\n\n## Corrections to the minutes of the council\n\nThe path repair is done by Bo.\n\n"
        "## Shelter\n\nA shelter repair costs £340.\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("What does the path repair cost?", [folder])

    assert isinstance(made, Brief)
    titles = {one.sha256: one.title for one in made.sources}
    statuses = {titles[one.source]: one.status for one in made.passages if "£9" in one.text}
    assert statuses == {
        "Council, 2 May 2023": "see also: “The path repair is done by Bo.” (Council, 6 June 2023); "
        "later: “The path repair costs £990.” (Council, 2 August 2023)",
        "Council, 2 August 2023": None,
    }


async def test_a_draft_of_an_amendment_corrects_nothing_and_draft_minutes_tell_what_was_agreed(tmp_path: Path) -> None:
    rules = "# Rules of the club\n\n## § 3 Boats\n\nA boat may stay for 12 days.\n"
    amendment = "# Amendment of the rules of the club\n\n- § 3: a boat may stay for 20 days instead of 12.\n"
    texts = {
        "amendment-2026": amendment,
        "draft-amendment-2026": amendment,
        "proposal": amendment.replace("# ", "# DRAFT \u2013 ", 1),
        "minutes-2026-05-03-draft": "# Club\n\nA boat may stay for 20 days instead of 12.\n",
    }
    told = {}
    for name, text in texts.items():
        folder = tmp_path / f"of-{name}"
        folder.mkdir()
        (folder / "rules.md").write_text(rules)
        (folder / f"{name}.md").write_text(text)
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("How many days may a boat of the club stay?", [folder])
        assert isinstance(made, Brief)
        [told[name]] = [one.status is not None for one in made.passages if "for 12 days." in one.text]
    assert told == {
        "amendment-2026": True,
        "draft-amendment-2026": False,
        "proposal": False,
        "minutes-2026-05-03-draft": True,
    }


async def test_of_the_items_of_an_erratum_the_one_on_the_same_is_shown(tmp_path: Path) -> None:
    folder = tmp_path / "school"
    folder.mkdir()
    (folder / "newsletter.md").write_text(
        "# Newsletter\n\n## Exam\n\nThe exam takes place in the lake hall of the school.\n\n"
        "## Party\n\nFriday from six in the lake hall of the school.\n"
    )
    (folder / "erratum-newsletter.txt").write_text(
        "Sorry for this\n\n1. The exam will be in the small hall, not in the lake hall.\n"
        "2. The party will be in the new hall, not in the lake hall.\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("In which hall will the party be?", [folder])

    assert isinstance(made, Brief)
    [status] = [one.status for one in made.passages if "Friday from six" in one.text]
    assert status == "see also: “The party will be in the new hall, not in the lake hall.” (Sorry for this)"


async def test_what_is_replaced_by_a_price_list_of_the_same_kind_comes_after_it_with_a_sign(tmp_path: Path) -> None:
    folder = tmp_path / "prices"
    folder.mkdir()
    (folder / "prices-2021.md").write_text(
        "# Price list (valid from 1 August 2021)\n\nAgreed by the members on 27 March 2021.\n\nA reminder costs 3.\n"
    )
    filler = "\n\n".join(f"Boat {n} is let by the day to whoever asks for it in the old mill." for n in range(40))
    (folder / "prices-2024.md").write_text(
        f"# Prices\n\nReplaces the price list of 27 March 2021.\n\n{filler}\n\nA reminder costs 5.\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("What does a reminder cost?", [folder])

    assert isinstance(made, Brief)
    replaced = "see also: “Replaces the price list of 27 March 2021.” (Prices)"
    later = "later: “A reminder costs 5.” (prices-2024.md)"
    assert [(one.text, one.status) for one in made.passages] == [
        ("A reminder costs 5.", None),
        ("A reminder costs 3.", f"{replaced}; {later}"),
    ]


async def test_a_brief_says_that_some_documents_are_in_another_language_than_the_question(tmp_path: Path) -> None:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "guests.md").write_text("# Guests\n\nGuests pay in cash only, and we cannot take cards.\n")
    (folder / "mai.md").write_text("# Mai\n\nDie Zahlung mit Karte ist seit dem 1. Juni im Hafen für alle möglich.\n")
    (folder / "2024-07-02.md").write_text("# Sitzung\n\nDie Mitglieder haben über den Hafen gesprochen.\n")
    notes = "# Notes, 5 April 2025\n\nThe boats of the harbour are new and it is for all of us to see them.\n\n"
    (folder / "2025-04-05.md").write_text(f"{notes}Die Boote sind neu und bleiben.\n\n{notes[24:]}")
    (folder / "2025-03-04.md").write_text("# Vorstand, 4. März 2025\n\nDie Boote sind nun im Hafen und bleiben da.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        mixed = await quaestor.research("Can guests of the harbour pay by card?", [folder])
        for path in (*folder.glob("2*.md"), folder / "mai.md"):
            path.unlink()
        plain = await quaestor.research("Can the guests of the harbour pay by card?", [folder])

    assert isinstance(mixed, Brief)
    assert isinstance(plain, Brief)
    [told] = [gap for gap in mixed.gaps if "another language" in gap]
    assert told.endswith("The newest of them that are dated: “Vorstand, 4. März 2025”, “Sitzung”.")
    assert [gap for gap in plain.gaps if "another language" in gap] == []


async def test_a_footnote_and_the_notice_of_its_section_stand_beside_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "jars"
    folder.mkdir()
    notice, note = "Notice: The rules below are obsolete.", "The tablet at the mill is in error as to the year."
    told = "The jar was sealed by Ann in 1723."
    filler = "The sun shone on the hills of Harwick. " * 30
    (folder / "jars.md").write_text(
        f"# Jars\n\nAll.\n\n## Rules\n\n{notice}\n\n{filler}\n\n{told}[^1]\n\n[^1]: {note}\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("When was the jar sealed by Ann?", [folder])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if one.text.startswith(told)]
    assert (shown.status or "").startswith(f"see also: “{notice}” (jars.md); see also: “{note}” (jars.md)")


@pytest.mark.parametrize(
    ("said", "called", "is_told"),
    [
        ("It replaces that of May 2022.", "Conditions", True),
        ("It replaces that of June 2022.", "Conditions", False),
        ("It may be that it replaces that of May 2022.", "Conditions", False),
        ("It replaces that of May 2022.", "Conditions (version 4)", True),
        ("It replaces that of May 2022.", "Prices", False),
        ("It is like that of May 2022.", "Conditions", False),
    ],
)
async def test_a_newer_edition_replaces_that_of_a_month(
    tmp_path: Path, said: str, called: str, *, is_told: bool
) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "conditions-2022.md").write_text(
        "# Conditions\n\nVillage hall. May 2022.\n\nNot more than 120 may be seated.\n"
    )
    newer = f"# {called}\n\nThis version: 1 April 2025. {said}\n\nThe hirer is there.\n"
    (folder / f"{called.casefold()}.md").write_text(newer)
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("How many may be seated in the hall?", [folder])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if "120" in one.text]
    assert (said in (shown.status or "")) is is_told


async def test_what_an_earlier_release_took_out_is_no_correction_of_a_later_one(tmp_path: Path) -> None:
    for name, release, is_told in (("later", "5.0", True), ("earlier", "3.0", False)):
        (folder := tmp_path / name).mkdir()
        (folder / "changelog.md").write_text('# Corkfit\n\n## 4.0.0\n\n- The "Lid turner" is available by default.\n')
        removed = 'The experimental "Lid turner" has been removed and will be revisited in a later release.'
        (folder / "migrating.md").write_text(f"# Migrating\n\n## Migrating to {release}\n\n{removed}\n")
        for number in range(20):
            (folder / f"{number}.md").write_text(f"# Note {number}\n\nJars of kind {number} are in the mill.\n")
        async with open_home(tmp_path / f"home-{name}", model="offline", questions=False) as quaestor:
            made = await quaestor.research("Is the Lid turner available by default?", [folder])
        assert isinstance(made, Brief)
        assert ("has been removed" in (made.passages[0].status or "")) == is_told, name


async def test_a_correction_in_a_list_of_changes_is_told_with_its_release(tmp_path: Path) -> None:
    folder = tmp_path / "jars"
    folder.mkdir()
    (folder / "jar.md").write_text("# Jar\n\nThe default interval of the jar is 60 minutes.\n")
    entry = "- The default interval of the jar has been changed from 60 minutes to 10.\n"
    (folder / "news.md").write_text(f"# Changes\n\n## 0.15.0 / 2015-07-21\n\n{entry}")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("What is the default interval of the jar?", [folder])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if one.text.startswith("The default interval of the jar is")]
    assert (shown.status or "").endswith("(news.md, 0.15.0 / 2015-07-21)")


async def test_a_stem_of_two_letters_tells_of_no_word_that_other_passages_hold(tmp_path: Path) -> None:
    folder = tmp_path / "clouds"
    folder.mkdir()
    (folder / "aws.md").write_text("# Servers\n\nWe rent all of our servers from AWS in the north.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        corpus = await quaestor.index([folder])
        asked = ContextInput(findings=(), question="Are our servers awful?", corpus=corpus.corpus)
        assert set((await ReadContexts(quaestor.library).run(asked)).held) == {"server"}


async def test_an_item_with_a_label_is_taken_back_by_its_number(tmp_path: Path) -> None:
    folder = tmp_path / "lease"
    folder.mkdir()
    (folder / "lease.md").write_text(
        "# Lease of unit 7\n\n5. **Subletting.** Not allowed.\n6. **Pets.** A cat may be kept. Dogs may not.\n"
    )
    (folder / "amendment.md").write_text("# Amendment to the lease of unit 7\n\nClause 6 is deleted. Others stand.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("May I keep a cat?", [folder])

    assert isinstance(made, Brief)
    assert [one.status for one in made.passages if "cat" in one.text] == [
        "see also: “Clause 6 is deleted.” (Amendment to the lease of unit 7)"
    ]


@pytest.mark.parametrize(
    ("told", "is_beside"),
    [
        ("The jar fair was opened by Ann Lee. In all 340 lids were sold there. It rained.", True),
        ("- Fair: it was opened by Ann Lee.\n- Lids: 340 lids were sold there.", False),
    ],
)
async def test_a_number_beside_a_marked_sentence_is_shown_with_its_correction_and_not_one_of_another_item(
    tmp_path: Path, told: str, *, is_beside: bool
) -> None:
    folder = tmp_path / "minutes"
    folder.mkdir()
    (folder / "march.md").write_text(f"# Meeting, 4 March 2024\n\n{told}\n")
    said = "Correction to the minutes of 4 March: 360 lids were sold, not 340."
    (folder / "april.md").write_text(f"# Meeting, 8 April 2024\n\n1. {said}\n2. The hall has a roof.\n")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("Who opened the jar fair?", [folder])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if "opened" in one.text]
    assert "340" not in shown.text
    assert shown.status == (f"see also: “{said}” (Meeting, 8 April 2024)" if is_beside else None)


async def test_a_number_in_another_line_of_a_letter_that_is_shown_is_shown_with_its_correction(tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    head = "From: Tom <tom@mill.example>\nTo: all@mill.example\nDate: Mon, 28 Nov 2022 20:14:00 +0000\n"
    asked = "Warm-up is at 5.30 sharp, the winter concert at 7.00."
    (folder / "a.eml").write_text(
        f"{head}Subject: Winter concert: who brings what\n\nDear all,\n\n{asked}\n\nTickets are 10, from me.\n\nTom\n"
    )
    right = "Tickets for the winter concert are 9, as printed on the posters, not 10."
    later = head.replace("28 Nov", "30 Nov")
    (folder / "b.eml").write_text(
        f"{later}Subject: Correction: tickets for the winter concert\n\nSorry. {right}\n\nTom\n"
    )
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research("When is the warm-up for the winter concert?", [folder])

    assert isinstance(made, Brief)
    [shown] = [one for one in made.passages if one.text == asked]
    assert "Tickets are 10" in shown.context.text
    assert shown.status == f"see also: “{right}” (Correction: tickets for the winter concert)"


SUSPENDED = "Open hours have been suspended"
ENDED = "Since May it is no longer necessary to set the lid of a jar for the mill."


@pytest.mark.parametrize(
    ("text", "question", "words", "told"),
    [
        (
            f"## Open hours\n\nOpen hours are held for all members.\n\n### When?\n\n#### {SUSPENDED}\n\nWeekly.\n",
            "For whom are the open hours held?",
            "for all members",
            SUSPENDED,
        ),
        (
            f"It is often necessary to set the lid of a jar for the mill.\n\n    set the lid\n\n{ENDED}\n",
            "Is it often necessary to set the lid of a jar?",
            "often necessary",
            ENDED,
        ),
    ],
)
async def test_what_a_section_ends_below_stands_beside_what_tells_of_it(
    tmp_path: Path, text: str, question: str, words: str, told: str
) -> None:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "rules.md").write_text(f"# Rules\n\n{text}")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [folder])

    assert isinstance(made, Brief)
    [status] = [one.status for one in made.passages if words in one.text]
    assert status == f"see also: “{told}” (rules.md)"

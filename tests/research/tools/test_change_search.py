from collections.abc import Sequence
from pathlib import Path

import pytest

from quaestor.app import open_home
from quaestor.contracts.event import ToolRequested
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Quote
from quaestor.evidence.tokenization import content_terms
from quaestor.research.contracts.brief import Brief
from quaestor.research.contracts.tools import ContextInput, ToldChange
from quaestor.research.tools.contexts import ReadContexts
from quaestor.research.views.document import render_markdown

HEDGE = "The hedge of the orchard is cut by Corkfit of Stonebridge with the ladder."
GARDEN = f"# Garden\n\n{HEDGE}\n"
ASKED = "Who cuts the hedge of the orchard?"
CHANGE = "Corkfit of Stonebridge, hedge and ladder: the contract has been extended by three gates."


def folder_of(place: Path, **texts: str) -> Path:
    place.mkdir()
    for number in range(20):
        (place / f"note-{number}.md").write_text(f"# Note {number}\n\nJars of kind {number} are kept in the mill.\n")
    for name, text in texts.items():
        (place / f"{name.replace('_', '-')}.md").write_text(text)
    return place


async def brief_of(folder: Path, question: str = ASKED) -> Brief:
    async with open_home(folder.parent / f"home-{folder.name}", model="offline", questions=False) as quaestor:
        made = await quaestor.research(question, [folder])
    assert isinstance(made, Brief)
    return made


async def changes_of(place: Path, question: str = ASKED, **texts: str) -> list[str]:
    """Return the sentences that are told of as changes, in a folder of such texts."""
    return [one.said.text for one in (await brief_of(folder_of(place, **texts), question)).changes]


async def changes_among_many(place: Path, question: str, own: str, sentence: str) -> list[str]:
    """Return the changes of a page that a sentence of a page on upgrading tells, where Corkfit is on many pages."""
    pages = {f"of_corkfit_{number}": f"# Corkfit {number}\n\nA jar of Corkfit.\n" for number in range(12)}
    return await changes_of(place, question, own=own, upgrading=f"# Upgrading\n\n{sentence}\n", **pages)


async def test_a_change_is_told_that_shares_words_with_a_passage_and_corrects_nothing_of_it(tmp_path: Path) -> None:
    news = f"# News of 3 June 2025\n\nThe mill is open. {CHANGE} The mill is dry.\n"
    made = await brief_of(folder_of(tmp_path / "garden", garden=f"# Garden\n\n{HEDGE}\n", news=news))

    [told] = made.changes
    assert (told.said.text, told.passage) == (CHANGE, 1)
    assert news[told.said.start : told.said.end] == CHANGE
    assert made.passages[0].text == HEDGE
    assert made.passages[0].status is None
    assert [one.title for one in made.sources] == ["Garden", "News of 3 June 2025"]


async def test_a_change_that_is_itself_set_right_by_now_gives_way_to_that(tmp_path: Path) -> None:
    news = f"# News of 3 June 2025\n\nThe mill is open. {CHANGE} The mill is dry.\n"
    mended = CHANGE.replace("three gates", "4 gates instead of 3 gates")
    news = news.replace("three gates", "3 gates")
    later = f"# News of 9 July 2025\n\n{mended}\n"
    texts = {"garden": f"# Garden\n\n{HEDGE}\n", "news": news}
    alone = await brief_of(folder_of(tmp_path / "alone", **texts))
    both = await brief_of(folder_of(tmp_path / "both", **texts, later=later))

    said = CHANGE.replace("three gates", "3 gates")
    assert said in [one.said.text for one in alone.changes]
    assert [(one.said.text, one.heading) for one in both.changes] == [(mended, "News of 9 July 2025")]
    assert "News of 9 July 2025" in [one.title for one in both.sources]


async def test_what_is_of_no_day_or_an_earlier_one_tells_of_no_change(tmp_path: Path) -> None:
    own = f"# Minutes of 2 May 2025\n\n{HEDGE}\n"
    undated = await brief_of(folder_of(tmp_path / "undated", garden=own, news=f"# News\n\n{CHANGE}\n"))
    earlier = await brief_of(folder_of(tmp_path / "earlier", garden=own, news=f"# News of 3 June 2024\n\n{CHANGE}\n"))
    later = await brief_of(folder_of(tmp_path / "later", garden=own, news=f"# News of 3 June 2025\n\n{CHANGE}\n"))

    assert (undated.changes, earlier.changes, later.changes) == ((), (), ())
    # The last record is shown itself.
    assert [len(one.passages) for one in (undated, earlier, later)] == [1, 1, 2]
    assert CHANGE in later.passages[1].context.text


async def test_a_record_before_the_day_of_a_letter_tells_of_no_change_of_it(tmp_path: Path) -> None:
    letter = f"From: Ann <ann@lids.example>\nDate: 3 May 2025 12:00:00 +0000\nSubject: Lids\n\n{HEDGE}\n"
    for day, told in (("2025-05-02", ()), ("2025-05", (CHANGE,))):
        folder = folder_of(tmp_path / day)
        (folder / "first.eml").write_text(letter)
        (folder / f"minutes-{day}.md").write_text(f"The mill is open. {CHANGE}\n")
        assert tuple(one.said.text for one in (await brief_of(folder)).changes) == told


async def test_of_the_releases_of_a_program_a_later_one_tells_of_a_change(tmp_path: Path) -> None:
    said = "- The default of the hedge cutter was changed for the sake of Corkfit."
    own = "- The hedge cutter of the orchard is Corkfit."
    asked = "What is the hedge cutter of the orchard?"
    for name, newer, older in (("later", said, own), ("earlier", own, said)):
        text = f"# Changes\n\n## 3.0\n\n- Songs.\n{newer}\n\n## 2.9\n\n- Boats.\n{older}\n"
        made = await brief_of(folder_of(tmp_path / name, changes=text), asked)
        told = [one.said.text for one in made.changes]
        assert told == ([said.removeprefix("- ")] if name == "later" else [])


async def test_a_change_is_not_told_twice_nor_of_one_common_word(tmp_path: Path) -> None:
    corrected = f"# News of 3 June 2025\n\n{CHANGE} Correction: the hedge is not cut by Corkfit but by Twistlid.\n"
    made = await brief_of(folder_of(tmp_path / "twice", garden=f"# Garden\n\n{HEDGE}\n", news=corrected))
    common = "# News of 3 June 2025\n\nThe jars of the mill have been replaced. The jars of kind 40 were sold.\n"
    jars = await brief_of(folder_of(tmp_path / "common", news=common), "Which jars are kept in the mill?")

    shown = "".join((made.passages[0].status or "", *(one.context.text for one in made.passages)))
    assert not any(one.said.text in shown for one in made.changes)
    assert "Twistlid" in shown
    assert jars.changes == ()


async def test_a_change_shares_a_rare_word_that_is_asked_for(tmp_path: Path) -> None:
    own = "# Mill\n\nJars are kept in the mill by a man of the stonebridge.\n"
    news = "# News of 3 June 2025\n\nThe man of the stonebridge, by whom jars are kept in the mill, was replaced.\n"
    folder = folder_of(tmp_path / "mill", mill=own, news=news)
    jars = await brief_of(folder, "Which jars are kept in the mill by whom?")
    assert any("stonebridge" in one.text for one in jars.passages)
    assert jars.changes == ()


async def test_the_rarest_word_that_is_shared_may_be_on_some_pages(tmp_path: Path) -> None:
    hedge = HEDGE.replace("Corkfit of Stonebridge", "corkfit from afar")
    change = CHANGE.replace("Corkfit of Stonebridge", "For corkfit from afar")
    news = f"# News of 3 June 2025\n\nThe mill is open. {change} The mill is dry.\n"
    for pages, is_told in ((5, True), (12, False)):
        folder = folder_of(tmp_path / f"on-{pages}", garden=f"# Garden\n\n{hedge}\n", news=news)
        for number in range(pages):
            (folder / f"hedge-{number}.md").write_text(f"# Boat {number}\n\nBoats of kind {number} have a hedge.\n")
        made = await brief_of(folder)
        assert [one.said.text for one in made.changes] == ([change] if is_told else []), pages


async def test_in_a_list_of_changes_every_later_entry_is_one(tmp_path: Path) -> None:
    own, later = (
        "- The hedge cutter of the orchard answers with 503.",
        "- Hedge cutter: an answer of 500 tells a failure.",
    )
    for name, newest in (
        ("entry", later),
        ("other", "- Boats: an answer of 500 tells a failure."),
        ("mended", "- `#12 <https://a.example/12>`_: Fix the hedge cutter whose answer of 500 tells a failure."),
        ("named", "- Fixed: the hedge cutter has an answer of 500 that tells a failure."),
    ):
        text = f"# Jarlid\n\n## 3.0\n\n- Songs.\n{newest}\n\n## 2.9\n\n- Boats.\n{own}\n"
        made = await brief_of(
            folder_of(tmp_path / name, jarlid=text), "What does the hedge cutter of the orchard answer?"
        )
        told = [one.said.text for one in made.changes]
        assert told == ([later.removeprefix("- ")] if name == "entry" else [])


async def test_the_end_of_what_a_question_writes_as_code_is_told_with_its_release(tmp_path: Path) -> None:
    own = "# Options\n\nThe option of the jars is still supported with all lids.\n"
    news = "# Jarlid\n\n## 3.1 (2025-06-03)\n\n- Songs.\n- Remove the deprecated ``--jar-option`` and ``--jar-lid``.\n"
    older = "".join(
        f"\n## 2.{number}\n\n- Changed: the jar option is supported still as an option of the jar.\n"
        for number in range(20)
    )
    folder = folder_of(tmp_path / "jars", options=own, news=f"{news}{older}")
    made = await brief_of(folder, "Is --jar-option still supported?")
    other = await brief_of(folder, "Is --jar still supported?")

    [told] = made.changes
    assert told.said.text == "Remove the deprecated ``--jar-option`` and ``--jar-lid``."
    assert told.heading == "3.1 (2025-06-03)"
    assert "(Jarlid, 3.1 (2025-06-03))" in render_markdown(made)
    assert made.passages[0].absent[0] == "--jar-option"
    assert other.changes == ()


async def test_the_commands_that_have_an_option_are_not_what_is_renamed(tmp_path: Path) -> None:
    own = "# Options\n\nThe option of the jars is still supported with all lids.\n"
    renamed = "The `--jar-option`/`-j` arguments for `jar open`, `jar close`, etc. were renamed to `--lid`/`-l`."
    news = f"# Jarlid\n\n## 3.1 (2025-06-03)\n\n- Songs.\n- {renamed} Enjoy.\n"
    made = await brief_of(folder_of(tmp_path / "jars", options=own, news=news), "Is --jar-option still supported?")
    other = await brief_of(folder_of(tmp_path / "other", options=own, news=news), "Is `open` still supported?")
    assert f"{renamed} Enjoy." in [one.said.text for one in made.changes]
    assert not any(renamed in one.said.text for one in other.changes)


async def changes_beside(folder: Path, quoted: str, question: str, spelt: str = "") -> Sequence[ToldChange]:
    """Return what tells of changes beside a quote where nothing else is cited."""
    async with open_home(folder.parent / f"home-{folder.name}", model="offline", questions=False) as quaestor:
        corpus = (await quaestor.index([folder])).corpus
        [hit] = await quaestor.library.search(corpus, content_terms(quoted), 1)
        start = hit.passage.start + hit.passage.text.index(quoted)
        quote = Quote(source=hit.passage.source, start=start, end=start + len(quoted), text=quoted)
        cited = Finding(id="t1/1", claim=quoted, quotes=(quote,))
        tool = ReadContexts(quaestor.library)
        found = await tool.run(ContextInput(findings=(cited,), question=question, spelt=spelt, corpus=corpus))
    return found.changes


async def told_beside(folder: Path, quoted: str, question: str, spelt: str = "") -> list[tuple[str, str]]:
    """Return the sentences that tell of changes beside a quote, each with its heading."""
    found = await changes_beside(folder, quoted, question, spelt)
    return [(one.said.text, one.heading) for one in found if not one.only_later]


async def test_in_announcements_of_one_program_every_entry_of_a_later_one_is_a_change(tmp_path: Path) -> None:
    own, entry = "The hedge cutter is an experiment.", "The hedge cutter starts with every jar."
    told_of = {
        "Jarlid 3.1 is out": True,
        "Jarlid 2.9 is out": False,
        "Jarlid 3.0 is out": False,
        "Lids 3.1 is out": False,
    }
    for title, is_told in told_of.items():
        later = f"# {title}\n\nWelcome to all.\n\n## Changes\n\n- Songs.\n- {entry}\n"
        folder = folder_of(tmp_path / title, one=f"# Jarlid 3.0 is out\n\n{own}\n", two=later)
        told = await told_beside(folder, own, "Is the hedge cutter still an experiment?")
        assert (entry in [text for text, _ in told]) is is_told


async def test_what_a_list_of_changes_sets_right_later_stands_in_the_place_of_what_it_told(tmp_path: Path) -> None:
    own = "The hedge is printed with `--explicit` and with `--lots`."
    first = "`print`'s `--explicit` flag no longer prints the hedge alone, as it now implies `--lots`."
    then = "The two are parted again (`--explicit` no longer implies `--lots`)."
    news = f"# Jarlid\n\n## 3.1\n\n- Songs.\n- {first}\n"
    texts = {"print": f"# Print\n\n{own}\n", "news": news}
    asked = "Is the hedge printed with --explicit?"
    alone = await told_beside(folder_of(tmp_path / "alone", **texts), own, asked)
    texts["news"] = news.replace("## 3.1", f"## 3.2\n\n- {then}\n\n## 3.1")
    both = await told_beside(folder_of(tmp_path / "both", **texts), own, asked)
    assert alone == [(first, "3.1")]
    assert both == [(then, "3.2")]


async def test_a_letter_that_denies_a_number_of_a_passage_is_told_whatever_its_words(tmp_path: Path) -> None:
    own = "# Trip\n\nThe coach leaves for the mill at 7.30.\n"
    said = {
        "denied": ("the coach at 7.00 not 7.30.", True),
        "other": ("the coach at 7.00 not 8.30.", False),
        "was": ("the coach at 7.00 (was 7.30).", True),
        "late": ("the coach at 7.00, since it was 7.30 when I came.", False),
    }
    for name, (sentence, is_told) in said.items():
        letter = f"# Letter of 9 May 2025\n\nAnn, that means {sentence} Bring jars.\n"
        folder = folder_of(tmp_path / name, trip=own, letter=letter)
        made = await brief_of(folder, "When does the coach leave for the mill?")
        assert [one.said.text for one in made.changes] == ([f"Ann, that means {sentence}"] if is_told else []), name


async def test_the_number_from_which_something_is_moved_is_outdated(tmp_path: Path) -> None:
    own = "# Sluice\n\nThe sluice takes Corkfit 3.7 and Dregs 2.\n"
    said = {
        "moved": ("The least Corkfit is raised from v3.7 to v3.8.", True),
        "named": ("The least Corkfit is raised from cork v3.7 to v3.8.", True),
        "upwards": ("The Corkfit of May goes from v3.7 to v3.8.", False),
        "other": ("The least Corkfit is raised from v3.6 to v3.8.", False),
        "foreign": ("The least lid is raised from v3.7 to v3.8.", False),
    }
    for name, (sentence, is_told) in said.items():
        told = await changes_among_many(tmp_path / name, "Does the sluice still take Corkfit 3.7?", own, sentence)
        assert told == [sentence] * is_told, name


async def test_the_last_letters_of_a_thread_are_told_beside_the_first_one(tmp_path: Path) -> None:
    def letter(subject: str, day: int, said: str) -> str:
        return f"From: Ann <ann@lids.example>\nDate: {day} May 2025 12:00:00 +0000\nSubject: {subject}\n\n{said}\n"

    folder = folder_of(tmp_path / "garden")
    (folder / "first.eml").write_text(letter("Garden", 3, "Shall we cut the hedge of the orchard on 9 May?"))
    (folder / "again.eml").write_text(letter("Re: Garden", 4, "Fine, the 16th at 6 pm. Bring 2 gloves. Ann"))
    (folder / "reply.eml").write_text(letter("Re: Garden", 3, "I am away until 12 May."))
    (folder / "other.eml").write_text(letter("Re: Jars of the garden", 5, "Bring it on the 17th."))

    made = await brief_of(folder, "When is the hedge of the orchard cut?")
    assert made.passages[0].text == "Shall we cut the hedge of the orchard on 9 May?"
    assert [(one.said.text, one.passage) for one in made.changes] == [
        ("Fine, the 16th at 6 pm.", 1),
        ("Bring 2 gloves.", 1),
        ("I am away until 12 May.", 1),
    ]


async def test_who_comes_into_an_office_is_told_where_it_is_asked_who_holds_it(tmp_path: Path) -> None:
    asked, elected = "{} is the secretary of the Corkfit mill in Stonebridge?", "The meeting elected Bo Lee secretary."
    for name, said in (
        ("elected", elected),
        ("stranger", "The meeting elected Bo Lee treasurer."),
        ("thanked", "The meeting thanked Bo Lee, our secretary."),
    ):
        own = "# Contract\n\nThe secretary of the Corkfit mill in Stonebridge is Ann Berg.\n"
        folder = folder_of(tmp_path / name, contract=own)
        (folder / "minutes.md").write_text(f"# Minutes of 3 June 2025\n\nWe met in the barn. {said} Rain fell.\n")
        made = await brief_of(folder, asked.format("Who"))
        assert [one.said.text for one in made.changes] == ([elected] if name == "elected" else []), name
        assert len(made.passages) == 1
    made = await brief_of(tmp_path / "elected", asked.format("When"))
    assert made.changes == ()


async def test_another_name_with_the_office_that_is_asked_for_is_told(tmp_path: Path) -> None:
    own = "The Corkfit mill has signed it, by Ann Berg (Secretary)."
    for name, said, is_told in (
        ("present", "Present: Ann Tin, Bo Lee (Secretary), Cy Dahl", True),
        ("label", "Secretary: Bo Lee", True),
        ("same", "Present: Anna Berg (Secretary), Bo Lee", False),
        ("other", "Present: Bo Lee (Treasurer), Cy Dahl", False),
    ):
        minutes = f"# Minutes of 3 June 2025\n\n{said}\n"
        folder = folder_of(tmp_path / name, contract=f"# Contract\n\n{own}\n", minutes=minutes)
        told = await told_beside(folder, own, "Who is the secretary of the Corkfit mill?")
        assert [text for text, _ in told] == [said] * is_told, name


async def test_an_election_is_found_among_much_that_names_the_office(tmp_path: Path) -> None:
    elected = "The meeting of all that came to the barn and paid for the year elected Bo Lee secretary."
    own = "# Contract\n\nThe secretary of the Corkfit mill in Stonebridge is Ann Berg.\n"
    folder = folder_of(tmp_path / "garden", contract=own)
    for number in range(100):
        said = "The secretary of Corkfit wrote." if number < 14 else f"Lid {number} is of tin."
        (folder / f"{number}.md").write_text(f"# News of {number % 30 + 1} June 2025\n\n{said}\n")
    (folder / "minutes.md").write_text(f"# Minutes of 3 July 2025\n\nWe met. {elected} Rain fell.\n")
    made = await brief_of(folder, "Who is the secretary of the Corkfit mill in Stonebridge?")
    assert elected in [one.said.text for one in made.changes]


async def test_a_letter_among_others_in_one_file_tells_of_a_change(tmp_path: Path) -> None:
    first = "From: Bo\nTo: Ann\nDate: 1 June 2025\n\nDear Ann,\nthe mill is open.\n\n---\n"
    mails = f"{first}From: Ann\nTo: Bo\nDate: 3 June 2025\n\nDear Bo,\nthe mill is open. {CHANGE} The mill is dry.\n"

    assert await changes_of(tmp_path / "sent", garden=GARDEN, post=mails) == [CHANGE]
    assert await changes_of(tmp_path / "noted", garden=GARDEN, post=mails.replace("From:", "By:")) == []


async def test_what_a_proposal_dismissed_is_no_change(tmp_path: Path) -> None:
    for heading, told in (("Dismissed ideas", []), ("Alternatives", []), ("Contracts", [CHANGE])):
        news = f"# News of 3 June 2025\n\nThe mill is open.\n\n## {heading}\n\n{CHANGE} The mill is dry.\n"
        assert await changes_of(tmp_path / heading, garden=GARDEN, news=news) == told


async def test_the_number_of_a_document_is_no_year(tmp_path: Path) -> None:
    for name, told in (("1501_pages", []), ("2025_pages", [CHANGE])):
        news = {name: f"# Pages\n\n{CHANGE} The mill is dry.\n"}
        assert await changes_of(tmp_path / name, garden=GARDEN, **news) == told


async def test_a_change_of_what_has_the_name_of_a_quote_need_hold_no_asked_word(tmp_path: Path) -> None:
    hall = "8. Songs. The Hotel lends the Salon Leie without charge on Friday morning, as the singers may sing there."
    said = "Because of a wedding the Salon Leie is not free on Friday morning; the Salon Schelde is."
    question = "Where may the singers of the choir sing at the hotel?"
    for name, told in (("Salon Leie", [said]), ("large salon", [])):
        news = f"# Letter of 3 June 2025\n\nThe rates are changed. {said.replace('Salon Leie', name)}\n"
        assert await changes_of(tmp_path / name, question, contract=f"# Contract\n\n{hall}\n", news=news) == told


async def test_the_first_part_of_a_german_compound_is_shared(tmp_path: Path) -> None:
    offer = "Das Buffet mit Kuchen von Corkfit aus Steinbruck kostet 54 je Gast, mit Leiter und Hecke im Garten."
    said = "Wir müssen den Buffetpreis von Corkfit mit Leiter und Hecke im Garten auf 57 je Gast anheben."
    for name, told in (("Buffetpreis", [said]), ("Saalpreis", [])):
        brief = f"# Brief vom 3. Juni 2025\n\nDie Mühle ist offen. {said.replace('Buffetpreis', name)}\n"
        texts = {"angebot": f"# Angebot\n\n{offer}\n", "brief": brief}
        assert await changes_of(tmp_path / name, "Was kostet das Buffet?", **texts) == told
    change = CHANGE.replace("hedge", "orchardman").replace("Corkfit of Stonebridge", "For corkfit of late")
    garden, news = GARDEN.replace("Corkfit", "corkfit"), f"# News of 3 June 2025\n\nThe mill is open. {change} Dry.\n"
    assert await changes_of(tmp_path / "english", garden=garden, news=news) == []


async def test_a_rare_name_alone_may_be_what_a_change_is_of(tmp_path: Path) -> None:
    """In German every noun has a capital, and of several words with capitals none is the name."""
    contract = "# Costs\n\nCorkfit insures the tins of the barn until June.\n"
    for number, (said, is_told) in enumerate(
        (
            ("I can tell you that we did not renew with Corkfit.", True),
            ("I can tell you that we wrote to Corkfit.", False),
            ("I can tell you that we did not renew with Corkfit Lane.", False),
            ("I can tell you that we did not renew in June.", False),
            ("Ich sage euch, dass wir nicht verlängert haben, was von Corkfit war.", False),
        )
    ):
        news = f"# Letter of 3 July 2025\n\n{said}\n"
        told = await changes_of(tmp_path / f"of-{number}", "Who insures the tins?", contract=contract, news=news)
        assert told == [said] * is_told, said


async def test_any_page_tells_that_code_is_gone_of_which_it_is_asked_whether_it_is_still_there(tmp_path: Path) -> None:
    kinds = {f"kind_{number}": f"# Kind {number}\n\nA jar lid does exist here.\n" for number in range(12)}
    for number, (question, said, is_told) in enumerate(
        (
            ("Does jar lid still exist?", "The `jar lid` command was moved to a plugin.", True),
            ("Does jar lid still exist?", "The `jar lid` command was moved to the left.", False),
            ("Does jar lid still exist?", "The `jar cork` command was moved to a plugin.", False),
            ("Where does a jar lid exist?", "The `jar lid` command was moved to a plugin.", False),
        )
    ):
        page = f"# Commands\n\n## Whatever else there may be in the barn\n\n{said}\n"
        told = await changes_of(tmp_path / f"of-{number}", question, page=page, **kinds)
        assert told == [said] * is_told, (question, said)


async def test_a_page_on_upgrading_and_notes_tell_of_changes_without_a_day(tmp_path: Path) -> None:
    for title, told in (("Upgrading", [CHANGE]), ("My notes", [CHANGE]), ("Gardening", [])):
        news = f"# {title}\n\nThe mill is open. {CHANGE} The mill is dry.\n"
        assert await changes_of(tmp_path / title, garden=GARDEN, news=news) == told


async def test_a_misspelt_word_is_looked_for_as_it_was_searched(tmp_path: Path) -> None:
    said, asked = "For hedge and orchard the contract has been extended.", "Who cuts the hedge of the orchadr?"
    folder = folder_of(tmp_path / "hedge", garden=GARDEN, news=f"# Letter of 9 May 2025\n\nThe mill is open. {said}\n")
    assert await told_beside(folder, HEDGE, asked) == []
    assert await told_beside(folder, HEDGE, asked, ASKED) == [(said, "Letter of 9 May 2025")]
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        session_id = await quaestor.start(asked, await quaestor.index([folder]))
        await quaestor.run(session_id)
        used = [
            event.payload for event in await quaestor.events(session_id) if isinstance(event.payload, ToolRequested)
        ]
    [given] = [one.given for one in used if isinstance(one.given, ContextInput)]
    assert (given.question, given.spelt) == (asked, ASKED)


async def test_an_item_tells_a_change_of_what_it_is_called_by(tmp_path: Path) -> None:
    own = "# House rules\n\n- Breakfast is at 8.\n- The pool is open from 24 May.\n- Silence from 23.\n"
    opens = "The lining is torn. It is a week late, and slips to 7 June."
    pages = {f"on_pools_{number}": f"# Pool {number}\n\nThe pool is wet.\n" for number in range(9)}
    said = {
        "item": (f"- Pool: {opens}", f"Pool: {opens}"),
        "numbered": (f"3. **Pool.** {opens}", f"**Pool.** {opens}"),
        "line": (f"Pool: {opens}", f"Pool: {opens}"),
        "other": (f"- Barn: {opens}", None),
        "prose": (f"Nobody heard of the barn. {opens}", None),
    }
    for name, (item, told) in said.items():
        minutes = f"# Meeting of 7 April 2025\n\n- Bread: from the mill.\n\n{item}\n"
        folder = folder_of(tmp_path / name, rules=own, minutes=minutes, **pages)
        found = await told_beside(folder, "The pool is open from 24 May.", "From which day is the pool open?")
        assert [text for text, _ in found if "slips" in text] == ([told] if told else []), name


async def test_a_short_item_is_told_whole_and_a_name_may_open_its_sentence(tmp_path: Path) -> None:
    kept = "Three quotes came. It is agreed to take Lidwell at 14."
    ended = "Corkfit not to be renewed."
    for name, said, is_told in (
        ("item", f"2. Work. {kept} {ended}", True),
        ("before", f"2. Work. {ended} {kept}", True),
        ("line", f"Work: {ended} {kept}", True),
        ("other", f"2. Work. {kept} {ended.replace('Corkfit', 'Tinfit')}", False),
        ("kept", f"2. Work. {kept} {ended.replace('not to be renewed', 'is to be asked')}", False),
    ):
        folder = folder_of(
            tmp_path / name, garden=GARDEN, minutes=f"# Meeting of 8 May 2025\n\n1. Mill. Dry.\n{said}\n"
        )
        told = await told_beside(folder, HEDGE, ASKED)
        assert [text for text, _ in told] == [said.removeprefix("2. ")] * is_told, name


async def test_a_change_is_told_of_each_quote_with_which_it_shares_much(tmp_path: Path) -> None:
    other = "The ladder of Corkfit of Stonebridge leans on the hedge of the orchard."
    news = f"# News of 3 June 2025\n\nThe mill is open. {CHANGE} The mill is dry.\n"
    folder = folder_of(tmp_path / "barn", garden=GARDEN, ladder=f"# Ladder\n\n{other}\n", news=news)
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        corpus = (await quaestor.index([folder])).corpus
        quotes = [
            Quote(
                source=hit.passage.source,
                start=(start := hit.passage.text.index(said)),
                end=start + len(said),
                text=said,
            )
            for said in (HEDGE, other)
            for hit in await quaestor.library.search(corpus, content_terms(said), 1)
        ]
        cited = tuple(Finding(id=f"t1/{at}", claim=one.text, quotes=(one,)) for at, one in enumerate(quotes, 1))
        tool = ReadContexts(quaestor.library)
        found = await tool.run(ContextInput(findings=cited, question=ASKED, corpus=corpus))
    assert {one.quote for one in found.changes if one.said.text == CHANGE} == set(quotes)
    assert [one.said.text for one in (await brief_of(folder)).changes].count(CHANGE) == 1


async def test_an_item_is_told_of_which_a_short_sentence_is_marked(tmp_path: Path) -> None:
    work = "The hedge of the orchard is to be cut. Three men came to see it. It is agreed to take Lidwell for a year."
    item = f"Work. {work} Corkfit not to be renewed."
    folder = folder_of(
        tmp_path / "barn", garden=GARDEN, minutes=f"# Meeting of 8 May 2025\n\n1. Mill. Dry.\n2. {item}\n"
    )
    made = await brief_of(folder)
    assert "Work. The hedge of the orchard is to be cut." in [one.text for one in made.passages]
    assert [one.said.text for one in made.changes] == [item]


async def test_a_list_that_goes_on_with_a_condition_tells_no_change(tmp_path: Path) -> None:
    for name, opening in (("news", "It was said that"), ("condition", "The barn is to be sold only after")):
        news = f"# News of 3 June 2025\n\n{opening}\n\n1. {CHANGE}\n2. the mill is dry.\n"
        assert await changes_of(tmp_path / name, garden=GARDEN, news=news) == [CHANGE] * (name == "news"), name


@pytest.mark.parametrize(
    ("item", "is_told"),
    [
        ("  - No longer, as of May.", True),
        ("    * No longer, as of May.", True),
        ("- No longer, as of May.", False),
        (f"  - No longer, as {'they all said ' * 5} of May.", False),
    ],
)
async def test_a_few_words_below_an_item_are_told_with_it(tmp_path: Path, item: str, *, is_told: bool) -> None:
    subject = "Corkfit of Stonebridge, hedge and ladder"
    news = f"# News of 3 June 2025\n\n- The mill\n- {subject}\n{item}\n"
    told = await changes_of(tmp_path / "news", garden=GARDEN, news=news)
    assert told == [f"{subject}\n{item}"] * is_told


async def test_the_front_matter_of_another_document_tells_no_change(tmp_path: Path) -> None:
    news = f"# News of 3 June 2025\n\n{CHANGE}\n"
    top = f"---\nstatus: accepted\nof: {CHANGE}\n---\n\n# News of 3 June 2025\n\nJars.\n"
    assert await changes_of(tmp_path / "text", garden=GARDEN, news=news) == [CHANGE]
    assert await changes_of(tmp_path / "top", garden=GARDEN, news=top) == []


async def test_what_leans_on_the_sentence_before_it_is_told_with_that(tmp_path: Path) -> None:
    before, said = "Corkfit has the ladder by now.", "It has been extended for the hedge of the orchard."
    for name, opens, told in (
        ("near", before, f"{before} {said}"),
        ("long", f"{before[:-1]}{', as told' * 40}.", said),
    ):
        news = f"# Letter of 9 May 2025\n\nThe mill is open. {opens} {said}\n"
        folder = folder_of(tmp_path / name, garden=GARDEN, news=news)
        found = await told_beside(folder, HEDGE, ASKED)
        assert [text for text, _ in found] == [told], name


async def test_what_says_no_of_a_day_is_told_with_what_stands_behind_it_where_a_name_is_shared(tmp_path: Path) -> None:
    own = "# Orchard\n\nThe hedge goes to **Corkfit** at last. The cut begins on 16 June.\n"
    late, then = "The cutters cannot come on the 16 June.", "It is on 23 June."
    for name, letter, told in (
        ("no", f"Corkfit rang for the hedge. {late} {then} Bring jars.", f"{late} {then}"),
        ("other", f"Tinfit rang for the hedge. {late} {then}", None),
        ("day", f"Corkfit rang for the hedge. {late.replace('16', '17')} {then}", None),
        ("yes", f"Corkfit rang for the hedge. {late.replace('cannot', 'will')} {then}", None),
        ("long", f"Corkfit rang for the hedge. {late} It is so{', as all of them have said again' * 12}.", late),
    ):
        folder = folder_of(tmp_path / name, orchard=own, letter=f"# Letter of 9 May 2025\n\n{letter}\n")
        found = await told_beside(folder, "The cut begins on 16 June.", "When does the cut of the hedge begin?")
        assert [text for text, _ in found if text.startswith("The cutters")] == ([told] if told else []), name


async def test_a_word_that_opens_two_sentences_is_no_name(tmp_path: Path) -> None:
    said = "Hedges have been extended by three gates."
    for name, own, is_told in (
        ("both", "Hedges are cut by the men at dawn.", False),
        ("within", "Hedges are cut by the men at dawn. All of them call Hedges a friend.", True),
    ):
        texts = {"garden": f"# Garden\n\n{own}\n", "news": f"# Letter of 9 May 2025\n\n{said}\n"}
        found = await told_beside(
            folder_of(tmp_path / name, **texts), "Hedges are cut by the men at dawn.", "Who are the men?"
        )
        assert [text for text, _ in found] == [said] * is_told, name


async def test_what_is_otherwise_than_was_told_is_a_change_of_what_is_asked(tmp_path: Path) -> None:
    for name, said, is_told in (
        ("later", "The orchard is open a week later than announced.", True),
        ("than", "The orchard is open a week later than the mill.", False),
        ("other", "The mill is open a week later than announced.", False),
        ("beside", "The ladder is here a week later than announced.", False),
    ):
        folder = folder_of(tmp_path / name, garden=GARDEN, news=f"# Letter of 9 May 2025\n\n{said}\n")
        assert await told_beside(folder, HEDGE, ASKED) == [(said, "Letter of 9 May 2025")] * is_told, name


async def test_what_is_asked_may_stand_around_the_marked_words(tmp_path: Path) -> None:
    quoted, said = "The buffet price is as all agreed.", "We must raise the price of all tins to 57 from now on."
    for number, price in enumerate(("Each of the tins is 54.", "Each is 54.")):
        texts = {"offer": f"# Offer\n\n{quoted} {price}\n", "news": f"# Letter of 3 June 2025\n\n{said}\n"}
        folder = folder_of(tmp_path / f"of-{number}", **texts)
        told = await told_beside(folder, quoted, "What is the price of the buffet with tins?")
        assert [text for text, _ in told] == ([said] if "tins" in price else [])


async def test_a_compound_that_is_asked_for_begins_with_what_a_change_tells_of(tmp_path: Path) -> None:
    own = "Bo kümmert sich mit Leiter und Hecke um die Telefonanlage."
    for number, (word, told) in enumerate((("Telefon", True), ("Garten", False))):
        said = f"Bo ist mit Leiter und Hecke fort, {word} übernimmt Pia ganz."
        texts = {"dienste": f"# Dienste\n\n{own}\n", "brief": f"# Brief vom 3. Juni 2025\n\n{said}\n"}
        question = "Wer kümmert sich um die Telefonanlage?"
        assert await changes_of(tmp_path / f"of-{number}", question, **texts) == [said] * told


async def test_a_change_is_told_that_stands_unmarked_around_the_words_of_another_passage(tmp_path: Path) -> None:
    news = f"# News of 3 June 2025\n\nThe orchard has a hedge, cut by whoever cuts it. {CHANGE}\n"
    made = await brief_of(folder_of(tmp_path / "garden", garden=GARDEN, news=news))
    assert any(CHANGE in one.context.text and CHANGE not in one.text for one in made.passages)
    assert [one.said.text for one in made.changes] == [CHANGE]


async def test_a_proposal_that_opens_with_the_end_of_what_is_asked_about_is_told(tmp_path: Path) -> None:
    quoted = "Lids are open in the barn."
    for number, (question, said, is_told) in enumerate(
        (
            ("Are lids still open?", "Remove support for [lids](https://a.example/lids).", True),
            ("Are lids still open?", "Do not open lids or tins.", True),
            ("Are lids still open?", "Remove lids from jars.", True),
            ("Are lids still open?", "## Remove all lids", True),
            ("Are lids still open?", "Remove all lids.", None),
            ("Are lids still open?", "Remove `tin` from lids.", False),
            ("Are lids still open?", "Add support for lids.", False),
            ("Are lids still open?", "Remove support for tins of a shelf with lids.", False),
            ("Are lids still supported?", "Remove support for tins.", False),
            ("Are lids still open?", "Remove support for lids 1.9 of clay tins.", False),
            ("Are jars of lids still open?", "Do not shake jars.", False),
            ("Who opened the lids?", "Remove support for lids.", False),
        )
    ):
        title = "Upgrading" if is_told is False else "Whatever there may be"
        texts = {"own": f"# Barn\n\n{quoted}\n", "page": f"# {title}\n\n{said}\n"}
        told = await told_beside(folder_of(tmp_path / f"of-{number}", **texts), quoted, question)
        assert [text for text, _ in told] == ([said.removeprefix("## ")] if is_told else []), (question, said)


async def test_the_end_of_what_is_asked_about_may_be_told_by_a_heading_or_as_a_fact(
    tmp_path: Path,
) -> None:
    quoted = "Lids are open in the barn."
    for number, (page, told) in enumerate(
        (
            ("## Remove support for lids\n\nIt is so.", "Remove support for lids"),
            ("In the new barn:\n\n* Jars are of clay\n* Lids are removed", "Lids are removed"),
            ("All lids have been removed.", "All lids have been removed."),
            ("Lids of the old barn of clay have been removed.", None),
            ("Lids are moved.", None),
            ("Whoever has opened them and shut them again sees that lids are removed.", None),
        )
    ):
        texts = {"own": f"# Barn\n\n{quoted}\n", "page": f"# Whatever there may be\n\n{page}\n"}
        found = await told_beside(folder_of(tmp_path / f"of-{number}", **texts), quoted, "Are lids still open?")
        assert [text for text, _ in found] == ([told] if told else []), page


async def test_what_is_settled_is_told_beside_what_was_proposed_in_one_of_its_words(tmp_path: Path) -> None:
    for number, (quoted, said, is_told) in enumerate(
        (
            ("Fee. Ann proposes 260 a child.", "The final fee is 285.", True),
            ("Fee. Ann proposes 260 a child.", "The committee agreed on a fee of 285.", True),
            ("Fee. Ann proposes 260 a child.", "The final barn is of clay.", False),
            ("Fee. Ann pays 260 a child.", "The committee agreed on a fee of 285.", False),
        )
    ):
        texts = {"own": f"# Minutes of 3 May 2025\n\n{quoted}\n", "news": f"# Letter of 3 June 2025\n\n{said}\n"}
        folder = folder_of(tmp_path / f"of-{number}", **texts)
        found = await told_beside(folder, quoted, "What does the camp cost a child?")
        assert [text for text, _ in found] == [said] * is_told, said


async def test_a_change_of_what_a_passage_writes_as_code_need_hold_no_asked_word(tmp_path: Path) -> None:
    quoted = "Lost lids are brought back by --find-lost at the barn."
    for option, is_told in (("--find-lost", True), ("--find-last", False)):
        said = f"Rename {option} to --seek."
        texts = {"own": f"# Barn\n\n{quoted}\n", "news": f"# Jarlid 3.1\n\n{said}\n"}
        found = await told_beside(folder_of(tmp_path / option, **texts), quoted, "How are lids brought back?")
        assert [text for text, _ in found] == [said] * is_told


async def test_the_words_of_a_mail_tell_of_changes_though_its_header_stands_in_another_passage(tmp_path: Path) -> None:
    padding = "\n\n".join(
        f"The {word} is dry and the rain is over, as all can see." for word in ("mill", "barn", "inn")
    )
    mail = f"From: bo@mill.example\nTo: ann@mill.example\nSubject: hedge\n\n{padding}\n\n{CHANGE}\n"
    for name, told in (("news.eml", [CHANGE]), ("mail_of_bo.txt", [CHANGE]), ("news.txt", [])):
        folder = folder_of(tmp_path / name, garden=GARDEN)
        (folder / name).write_text(mail if name.endswith(".eml") else mail.partition("\n\n")[2])
        assert [one.said.text for one in (await brief_of(folder)).changes] == told


async def test_the_end_of_what_is_asked_about_is_found_among_much_on_it(tmp_path: Path) -> None:
    quoted, said = "Lids are open in the barn.", "Remove support for lids."
    texts = {f"kind_{number}": f"# Kind {number}\n\nOpen lids, shut lids: lids changed.\n" for number in range(20)}
    page = "Whoever looks at the field sees it, and whoever walks by the mill does not see any of it. " * 3
    texts |= {"own": f"# Barn\n\n{quoted}\n", "page": f"# Whatever there may be\n\n{said} {page}\n"}
    folder = folder_of(tmp_path / "barn", **texts)
    for number in range(60):
        (folder / f"other-{number}.md").write_text(f"# Other {number}\n\nTins of kind {number} are in the inn.\n")
    found = await told_beside(folder, quoted, "Are lids still open?")
    assert said in [text for text, _ in found]


async def test_what_says_no_of_a_name_beside_what_is_asked_may_be_a_change(tmp_path: Path) -> None:
    quoted = "The coaches of the trip are from Corkfit in June."
    for number, (said, is_told) in enumerate(
        (
            ("The coaches are from Millman, as Corkfit had not one left.", True),
            ("The coaches are from Millman, as Corkfit had but one left.", False),
            ("The coaches are from Millman, as Tinlid had not one left.", False),
            ("The lids are from Millman, as Corkfit had not one left.", False),
        )
    ):
        news = f"# Letter of 3 July 2025\n\nThe coaches are red. {said}\n"
        folder = folder_of(tmp_path / f"of-{number}", own=f"# Circular\n\n{quoted}\n", news=news)
        found = await told_beside(folder, quoted, "Whose coaches are those of the trip?")
        assert [text for text, _ in found] == [said] * is_told, said


async def test_a_change_is_told_that_stands_below_the_table_of_a_quote_in_one_passage(tmp_path: Path) -> None:
    table = "| who | what | price |\n|---|---|---|\n| Corkfit Lids | a new hedge cutter | 11,450 |\n"
    bids = f"# Bids of May 2025\n\n{table}| Stonebridge | a used one | 7,200 |\n\n"
    said = "Corkfit rang: came down to 10,900."
    asked = "What is the price of the new hedge cutter?"
    assert await changes_of(tmp_path / "told", asked, bids=f"{bids}{said}\n") == [said]
    other = said.replace("Corkfit", "Nobody")
    assert await changes_of(tmp_path / "other", asked, bids=f"{bids}{other}\n") == []


async def test_the_end_of_code_around_a_quote_is_told_whatever_its_words(tmp_path: Path) -> None:
    said = "We will remove the `getLidId` method."
    record = (
        "# Names of lids\n\nThe orchard tells the hedge cutter its name:\n```java\nString getLidId(String kind);\n```\n"
    )
    asked = "How does the hedge cutter get its name from the orchard?"
    for folder, told in (("2025-10-29-lids", [said]), ("2025-05-29-lids", []), ("lids", [])):
        place = folder_of(tmp_path / f"of-{folder}")
        for name, text in (("2025-07-25-names", record), (folder, f"# Cutter of the jars\n\n{said}\n")):
            (place / name).mkdir()
            (place / name / "README.md").write_text(text)
        assert [one.said.text for one in (await brief_of(place, asked)).changes] == told


async def test_what_only_introduces_a_list_tells_no_change(tmp_path: Path) -> None:
    news = "# News of 3 June 2025\n\nCorkfit of Stonebridge cancels the ladder:\n\n- songs\n- boats\n"
    assert await changes_of(tmp_path / "list", garden=GARDEN, news=news) == []
    told = [news.replace(":", ".").split("\n")[2]]
    assert await changes_of(tmp_path / "told", garden=GARDEN, news=news.replace(":", ".")) == told


async def test_a_number_that_was_refused_is_outdated(tmp_path: Path) -> None:
    own = "# Sluice\n\nThe sluice takes Corkfit 37 and Dregs 2.\n"
    said = {
        "refused": ("The meeting did not approve the Corkfit 37 of May.", True),
        "approved": ("The meeting did approve the Corkfit 37 of May.", False),
        "other": ("The meeting did not approve the Corkfit 36 of May.", False),
    }
    for name, (sentence, is_told) in said.items():
        told = await changes_among_many(tmp_path / name, "Does the sluice take Corkfit 37?", own, sentence)
        assert told == [sentence] * is_told, name


async def test_another_day_of_what_is_asked_for_is_a_change_however_common_its_name_is(tmp_path: Path) -> None:
    own = "# Plan\n\nThe Corkfit is held on 17 July 2026.\n"
    said = {
        "moved": ("It is settled: the Corkfit slips to 24 July 2026.", True),
        "same": ("It is settled: the Corkfit slips to 17 July 2026.", False),
        "bare": ("It is settled: the Corkfit slips to Friday.", False),
        "foreign": ("It is settled: the mill slips to 24 July 2026.", False),
        "held": ("It is said: the Corkfit has jars on 24 July 2026.", False),
    }
    for name, (sentence, is_told) in said.items():
        told = await changes_among_many(tmp_path / name, "When is the Corkfit held?", own, sentence)
        assert told == [sentence] * is_told, name


async def test_what_moves_the_day_of_a_passage_needs_no_word_that_is_asked(tmp_path: Path) -> None:
    own = "# Plan\n\nThe Corkfit is held beside the hedge on 17 July 2026.\n"
    said = {
        "moved": ("The hedge is postponed from 17 to 24 July 2026.", True),
        "other": ("The hedge is postponed from 18 to 24 July 2026.", False),
        "foreign": ("The mill is postponed from 17 to 24 July 2026.", False),
        "bare": ("The hedge is postponed from 17 to 24 jars.", False),
    }
    for name, (sentence, is_told) in said.items():
        told = await changes_among_many(tmp_path / name, "When is the Corkfit held?", own, sentence)
        assert told == [sentence] * is_told, name


async def test_a_long_number_is_outdated_beside_a_name_of_its_quote_whatever_the_words(tmp_path: Path) -> None:
    own = "# Plan\n\nThe offer of the Corkfit is 7650 crowns by now.\n"
    said = {
        "told": ("Bo gets 350 off, so 7300 instead of 7650.", "The Corkfit rang.", True),
        "short": ("Bo gets 3 off, so 73 instead of 76.", "The Corkfit rang.", False),
        "other": ("Bo gets 350 off, so 7300 instead of 7651.", "The Corkfit rang.", False),
        "unnamed": ("Bo gets 350 off, so 7300 instead of 7650.", "The mill rang.", False),
    }
    for name, (sentence, before, is_told) in said.items():
        plan = own.replace("7650", "76") if name == "short" else own
        mail = f"Dear Ann,\n\n{before} The mill is dry, as all can see.\n\n{sentence}\n"
        folder = folder_of(tmp_path / name, plan=plan, mail_of_bo=mail)
        made = await brief_of(folder, "What is the offer by now?")
        assert [one.said.text for one in made.changes] == [sentence] * is_told, name


HELD = "The hedge of the orchard is cut by Corkfit with Ann Twistlid. The bill of 3,240 is due on 14 March 2026."
RECORD = f"# Minutes of 2 May 2025\n\n{HELD}\n"
LAMP = "- Lamps: all are lit.\n"
"""Told before what is sought, so that this is not the first line."""


async def said_later(place: Path, question: str, **records: str) -> list[str]:
    """Return the sentences of later records without a word for a change, beside what is held in May 2025."""
    folder = folder_of(place, garden=RECORD, **records)
    return [one.said.text for one in await changes_beside(folder, HELD, question) if one.only_later]


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("- The hedge of the orchard: Lidfast has the ladder. He is glad of it.", True),
        ("- At last Corkfit came in the rain. He is done.", True),
        ("- At last Ann Twistlid came in the rain. She is done.", True),
        ("- At last Ann Corkscrew came in the rain. She is done.", False),
        ("- In all it is 3,240 + 185 = 3,425.", True),
        ("- On 14 March 2026 there is a fair in the mill.", True),
        ("- Lidfast has the ladder. He is glad of it.", False),
        ("- The jars of kind 7 are in the mill.", False),
        ("Present: Corkfit and Lidfast of the orchard", False),
    ],
)
async def test_a_later_record_is_told_of_in_words_of_a_quote(tmp_path: Path, said: str, is_told: bool) -> None:
    later = f"# Minutes of 3 June 2025\n\n{LAMP}{said}\n"
    told = await said_later(tmp_path / "garden", ASKED, june=later)
    assert told == ([said.removeprefix("- ")] if is_told else [])


async def test_of_a_later_record_is_told_what_shares_most(tmp_path: Path) -> None:
    said = "The hedge of the orchard: Lidfast has the ladder."
    june = f"# Minutes of 3 June 2025\n\n{LAMP}- The ladder of the orchard is red.\n- {said}\n"
    days = {"later": " of 3 June 2025", "earlier": " of 3 June 2024", "same": " of 2 May 2025", "undated": ""}
    records = {name: june.replace(days["later"], day) for name, day in days.items()}
    told = {name: await said_later(tmp_path / name, ASKED, june=text) for name, text in records.items()}
    assert told == {"later": [said], "earlier": [], "same": [], "undated": []}


async def test_a_later_draft_that_is_none_of_minutes_is_not_told_of(tmp_path: Path) -> None:
    june = f"# {{}} of 3 June 2025\n\n{LAMP}- The hedge of the orchard: Lidfast has the ladder.\n"
    told = {
        called: len(await said_later(tmp_path / str(place), ASKED, june=june.format(called)))
        for place, called in enumerate(("Plan", "DRAFT: plan", "DRAFT: minutes"))
    }
    assert told == {"Plan": 1, "DRAFT: plan": 0, "DRAFT: minutes": 1}


async def test_no_record_of_a_later_year_than_the_one_that_is_asked_for_is_told_of(tmp_path: Path) -> None:
    june = f"# Minutes of 3 June 2026\n\n{LAMP}- The hedge of the orchard: Lidfast has the ladder.\n"
    of_year = await said_later(tmp_path / "year", ASKED.replace("?", " in 2025?"), june=june)
    of_any = await said_later(tmp_path / "any", ASKED, june=june)
    assert (len(of_year), len(of_any)) == (0, 1)


async def test_what_a_section_tells_to_be_gone_is_told_where_its_heading_is_asked_about(tmp_path: Path) -> None:
    own = "The fetching of lids brings each lid to its jar."
    gone = "The lids are cork in all mills. The knobs and bolts of it have consequently been removed."
    between = "Jars are of glass and stand on the shelf. " * 30
    page = f"# Mill\n\n## {{}} of lids {{{{#of-lids}}}}\n\n{own}\n\n{between}\n\n{gone}\n"
    asked = "Is the fetching of lids still something that a miller does?"
    for heading, is_told in (("Fetching", True), ("Painting", False)):
        folder = folder_of(tmp_path / heading, mill=page.format(heading))
        assert [text for text, _ in await told_beside(folder, own, asked)] == ([gone] if is_told else [])


async def test_what_a_record_tells_of_who_holds_an_office_is_told_by_the_name_of_its_holder(tmp_path: Path) -> None:
    own = "The treasurer is Nadia."
    said = "{} leaves the valley and resigns from the till in April."
    jars = {f"jars_{n}": f"# Jars {n}\n\nA jar of Nadia and of Odile.\n" for n in range(7)}
    for name, is_told in (("Nadia", True), ("Odile", False)):
        june = f"# Minutes of 3 June 2025\n\n{LAMP}- At last {said.format(name)}\n"
        folder = folder_of(tmp_path / name, garden=f"# Minutes of 2 May 2025\n\n{own}\n", june=june, **jars)
        told = await told_beside(folder, own, "Who is the treasurer?")
        assert [text for text, _ in told] == ([f"At last {said.format(name)}"] if is_told else [])


async def test_words_are_shared_in_any_form_of_a_language_whose_stems_begin_as_they_do(tmp_path: Path) -> None:
    own = "La ditta Corkfit pulisce le scale e i giardini due volte la settimana."
    said = "Da giugno le pulizie dei giardini e delle scale le fa la cooperativa."
    june = f"# Verbale del 3 giugno 2025\n\nLe lampade sono accese. {said}\n"
    folder = folder_of(tmp_path / "scale", garden=f"# Verbale del 2 maggio 2025\n\n{own}\n", june=june)
    found = await changes_beside(folder, own, "Chi pulisce il giardino e la scala?")
    assert [one.said.text for one in found] == [said]


async def test_notes_on_a_version_of_one_number_are_of_a_series(tmp_path: Path) -> None:
    own, entry = "The hedge cutter starts with jar 12 or newer.", "The hedge cutter starts with jar 20 or newer."
    for title, is_told in (("Migrating to v15", True), ("Migrating to v3", False), ("Pruning to v15", False)):
        texts = {"one": f"# Migrating to v8\n\n{own}\n", "two": f"# {title}\n\nLids.\n\n{entry}\n"}
        told = await told_beside(
            folder_of(tmp_path / title, **texts), own, "Which jar does the hedge cutter start with?"
        )
        assert (entry in [text for text, _ in told]) is is_told


async def test_what_a_document_is_called_tells_no_change(tmp_path: Path) -> None:
    own = "The orchard of the hedge is open to Corkfit in June."
    for end, is_told in (("", False), (".", True)):
        said = f"The hedge of the orchard was replaced on 1 September 2022 by Corkfit{end}"
        folder = folder_of(tmp_path / str(is_told), garden=f"# Garden\n\n{own}\n")
        (folder / "notice-2022-09-01.txt").write_text(f"{said}\n\nLids are kept in the mill by the door.\n")
        told = await told_beside(folder, own, "When is the orchard of the hedge open?")
        assert [text for text, _ in told] == ([said] if is_told else [])

"""A passage stands under the side of a comparison that it names, not under that for which it was found."""

from datetime import UTC, datetime

import pytest

from quaestor.contracts.source import Quote, Source, TablePlace
from quaestor.research.brief.sides import with_named_sides
from quaestor.research.contracts.brief import BriefPassage

_SIDES = ("local label", "global label")


def _source(title: str) -> Source:
    return Source(
        sha256="0" * 64,
        title=title,
        uri="/sheets.md",
        media_type="text/markdown",
        characters=9,
        retrieved_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _passage(number: int, side: str | None, text: str, **more: object) -> BriefPassage:
    told = {"part": f"What is a {side}?", "context": Quote(source="0" * 64, start=0, end=len(text), text=text), **more}
    return BriefPassage.model_validate(
        {"number": number, "finding": f"t1/{number}", "source": "0" * 64, "start": 0, "end": len(text), "text": text}
        | {"side": side}
        | told
    )


def _sides(
    *passages: BriefPassage, sides: tuple[str, ...] = _SIDES, title: str = "Sheets"
) -> list[tuple[int, str | None]]:
    return [(one.number, one.side) for one in with_named_sides(passages, sides, {"0" * 64: _source(title)})]


def test_a_passage_that_names_its_side_keeps_it() -> None:
    own = _passage(1, _SIDES[0], "Local labels connect within a sheet.")
    other = _passage(2, _SIDES[1], "Global labels connect all sheets.")
    assert _sides(own, other) == [(1, "local label"), (2, "global label")]


def test_what_names_the_other_side_alone_is_left_to_it() -> None:
    other = _passage(2, _SIDES[1], "Global labels connect all sheets.", is_best=True)
    strange = _passage(3, _SIDES[0], "Power pins are like global labels.")
    assert _sides(other, strange) == [(2, "global label")]
    assert _sides(other, strange.revised(is_best=True)) == [(2, "global label"), (3, "global label")]


def test_what_names_both_sides_stands_under_none() -> None:
    own = _passage(1, _SIDES[0], "Local labels connect within a sheet.")
    both = _passage(2, _SIDES[1], "A global label reaches further than a local label.")
    assert _sides(own, both) == [(1, "local label"), (2, "")]


def test_a_word_of_a_side_that_stands_beside_another_thing_names_no_side() -> None:
    sides = ("common seed-cake", "good seed-cake")
    own = _passage(1, sides[0], "COMMON SEED-CAKE.", is_best=True)
    other = _passage(2, sides[1], "A very good seed-cake takes six eggs.", is_best=True)
    dripping = _passage(3, sides[1], "Take some good dripping, moist sugar, an ounce of caraway seeds and make a cake.")
    assert _sides(own, other, dripping, sides=sides) == [(1, "common seed-cake"), (2, "good seed-cake")]
    assert _sides(own, dripping, sides=sides) == [(1, "common seed-cake"), (3, "")]


def test_what_stands_above_names_the_side_of_what_names_none() -> None:
    own = _passage(1, _SIDES[0], "They connect within a sheet.", heading="Labels > Local labels")
    ones = _passage(2, _SIDES[1], "Global ones connect all sheets.", heading="Labels")
    titled = _passage(3, _SIDES[0], "They connect all sheets.", heading="Use", is_best=True)
    assert _sides(own, ones) == [(1, "local label"), (2, "global label")]
    assert _sides(own, titled, title="Global labels") == [(1, "local label"), (3, "global label")]


def test_a_part_of_an_identifier_names_no_side() -> None:
    sides = ("TerminatingOrFailed", "Failed")
    own = _passage(1, sides[0], "By default it is `TerminatingOrFailed`.", is_best=True)
    part = _passage(2, sides[1], "Before, it was as `TerminatingOrFailed` is.", is_best=True)
    assert _sides(own, part, sides=sides) == [(1, "TerminatingOrFailed"), (2, "TerminatingOrFailed")]


def test_what_calls_a_side_by_another_name_keeps_it_unless_a_word_of_the_side_is_absent() -> None:
    sides = ("JavaScript", "Python")
    own = _passage(1, "JavaScript", "JavaScript has one thread.", is_best=True)
    called = _passage(2, "Python", "CPython has a global lock.", is_best=True)
    assert _sides(own, called, sides=sides) == [(1, "JavaScript"), (2, "Python")]
    assert _sides(own, called.revised(absent=("Python",)), sides=sides) == [(1, "JavaScript"), (2, "")]


def test_a_passage_of_no_comparison_stays_as_it_is() -> None:
    assert _sides(_passage(1, None, "Labels connect.")) == [(1, None)]


def test_of_years_what_names_another_one_is_of_that_one_whatever_stands_above_it() -> None:
    sides = ("summer 2024", "summer 2025")
    own = _passage(1, sides[1], "In summer 2025 there were 4,702 visitors.", is_best=True)
    other = _passage(2, sides[1], "Summer 2024: 4,318 visitors, against 3,975 in 2023.", heading="Summer 2025")
    older = _passage(3, sides[0], "The summer fair of 2023 took 4,870.", heading="Accounts 2024", is_best=True)
    plain = _passage(4, sides[0], "It took 5,310.", heading="Summer 2024")
    assert _sides(own, other, older, plain, sides=sides) == [(1, "summer 2025"), (3, ""), (4, "summer 2024")]


def test_of_versions_a_document_tells_of_the_one_that_it_is_called_by() -> None:
    sides = ("version 2", "version 3")
    changes = _passage(1, sides[1], "Changes to version 2: more dye.", is_best=True)
    older = _passage(2, sides[0], "Version 2 was shorter.", is_best=True)
    assert _sides(changes, older, sides=sides, title="Staining v3") == [(1, "version 3"), (2, "version 3")]
    strange = _passage(3, sides[0], "2. Check the version of 3 jars.", is_best=True)
    assert _sides(changes, older, strange, sides=sides) == [(1, "version 2"), (2, "version 2"), (3, "")]


def test_a_row_is_of_no_side_that_only_the_rows_around_it_name() -> None:
    rows = Quote(source="0" * 64, start=0, end=25, text="Local label,1\nPlain one,2")
    row = _passage(1, _SIDES[0], "Plain one,2", is_best=True, context=rows, absent=("local label",))
    assert _sides(row) == [(1, "local label")]
    assert _sides(row.revised(in_table=TablePlace(row=2, cells=()))) == [(1, "")]


def test_in_a_section_called_by_a_side_words_that_name_the_other_compare_the_two() -> None:
    own = _passage(1, "Alpha", "Alpha is for trials.", part="Compare Alpha and Beta")
    like = _passage(2, "Alpha", "Same as Alpha, but stable.", heading="Levels > Beta", part="Compare Alpha and Beta")
    of_jar = ("Alpha", "Beta of a jar")
    assert _sides(own, like, sides=of_jar) == [(1, "Alpha"), (2, "")]
    about = like.revised(heading="Levels > Alpha")
    other = like.revised(heading="Levels > Jars of Beta")
    sides = ("Alpha", "Beta")
    assert _sides(own, like, sides=sides) == [(1, "Alpha"), (2, "")]
    assert _sides(own, like.revised(heading="Levels > Beta (35)"), sides=sides) == [(1, "Alpha"), (2, "")]
    assert _sides(own, about, sides=sides) == [(1, "Alpha"), (2, "Alpha")]
    assert _sides(own, other, sides=sides) == [(1, "Alpha"), (2, "Alpha")]


def test_a_file_whose_name_ends_as_that_of_a_side_is_another_one() -> None:
    sides = ("jars.yaml", "lid-jars.yaml")
    own = _passage(1, sides[0], "See jars.yaml for all jars.")
    longer = _passage(2, sides[0], "In lid-jars.yaml are the lids, and none in `lid-jars.yaml.old`.")
    other = _passage(3, sides[0], "The old-jars.yaml is gone, and jars have no yaml.")
    above = _passage(4, sides[1], "It has five lids.", heading="Files > lid-jars.yaml")
    assert _sides(own, longer, other, above, sides=sides) == [(1, sides[0]), (4, sides[1])]


@pytest.mark.parametrize("sides", [("jars.yaml", "lids.yaml"), ("3.1", "3.2")])
def test_a_document_that_is_called_as_a_file_or_a_version_tells_of_it(sides: tuple[str, str]) -> None:
    called = _passage(1, sides[0], "Here are all jars.")
    assert _sides(called, title=f"News of {sides[0]}", sides=sides) == [(1, sides[0])]
    assert _sides(called.revised(is_best=True), title=f"News of {sides[1]}", sides=sides) == [(1, sides[1])]


def test_what_names_no_file_is_of_none_and_what_names_no_version_of_that_for_which_it_was_found() -> None:
    names = ((("jars.yaml", "lids.yaml"), ""), (("3.1", "3.2"), "3.1"), (("mill.jar", "mill.lid"), "mill.jar"))
    for sides, side in names:
        assert _sides(_passage(1, sides[0], "All of them are new."), sides=sides) == [(1, side)]


def _numbered(stem: str) -> Source:
    return _source(stem).revised(sha256=stem[3] * 64, uri=f"/proposals/{stem}.md")


def test_of_sides_that_are_numbers_of_documents_each_document_tells_of_its_own() -> None:
    sides = ("JAR-0002", "JAR-0006")
    said = (
        ("0002-lids", "Lids get wider."),
        ("0006-tin", "JAR-0002 is older than this."),
        ("0009-cork", "See JAR-0006."),
    )
    both = ("0009-cork", "JAR-0002 comes before JAR-0006.")
    found = [
        _passage(place, sides[1], text, is_best=True).revised(source=stem[3] * 64)
        for place, (stem, text) in enumerate((*said, both), 1)
    ]

    def named(*stems: str) -> list[str | None]:
        sources = {stem[3] * 64: _numbered(stem) for stem in stems}
        shown = [one for one in found if one.source in sources]
        return [one.side for one in with_named_sides(shown, sides, sources)]

    assert named("0002-lids", "0006-tin", "0009-cork") == ["JAR-0002", "", "", ""]
    assert named("0009-cork") == ["JAR-0006", ""]


def test_a_document_with_a_number_is_no_version_of_that_number() -> None:
    sides = ("version 2", "version 6")
    own = _passage(1, sides[0], "Version 2 has lids.", is_best=True).revised(source="6" * 64)
    assert [one.side for one in with_named_sides([own], sides, {"6" * 64: _numbered("0006-tin")})] == ["version 2"]


@pytest.mark.parametrize(
    ("text", "side"), [("In 1804 it rained at the fair.", "fair 1804"), ("In 1804 it rained.", "")]
)
def test_of_one_thing_in_two_years_a_passage_of_a_year_tells_only_if_it_is_about_that_thing(
    text: str, side: str
) -> None:
    sides = ("fair 1804", "fair 1805")
    assert _sides(_passage(1, sides[0], text, is_best=True), sides=sides) == [(1, side)]


def test_a_side_with_a_sign_is_named_with_it_alone() -> None:
    sides = ("Guild", "Guild+")
    said = ("The Guild has lids.", "Guild+ has jars.", "All guilds have jars.", "Guild and Guild+ have corks.")
    shown = [_passage(place, sides[1], text, is_best=True) for place, text in enumerate(said, 1)]
    assert [side for _, side in _sides(*shown, sides=sides)] == ["Guild", "Guild+", "", ""]


def test_a_side_that_is_the_other_one_with_a_word_that_says_no_is_named_with_both() -> None:
    said = (
        "Lids do not rust.",
        "A tin lid shines.",
        "All non-tin lids are dull.",
        'Not "tin": clay.',
        "Tin or non-tin.",
    )
    shown = [_passage(place, "non-tin", text, is_best=True) for place, text in enumerate(said, 1)]
    assert [side for _, side in _sides(*shown, sides=("tin", "non-tin"))] == ["", "tin", "non-tin", "non-tin", ""]


def test_of_names_of_code_one_of_which_begins_another_each_is_named_as_it_is_written() -> None:
    said = ("Here finds all lids.", "Use `find` for jars.", "findLid has lids.", "`find` and `findLid` have corks.")
    shown = [_passage(place, "find", text, is_best=True) for place, text in enumerate(said, 1)]
    assert [side for _, side in _sides(*shown, sides=("find", "findLid"))] == ["", "find", "findLid", ""]
    assert [side for _, side in _sides(*shown, sides=("find", "seek"))][:1] == ["find"]


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("A removed note was accepted and has no other in its place.", "removed note"),
        ("Status: Removed", "removed note"),
        ("Removed: the note has no other in its place.", "removed note"),
        ("Remove all lids, as a note has it.", ""),
        ("A member of the mill can be removed by a vote of the others who keep the note.", ""),
    ],
)
def test_a_state_is_named_in_its_own_form_and_near_to_what_is_in_it(text: str, side: str) -> None:
    own = _passage(1, "withdrawn", "A note is withdrawn when its writer gives it up.", is_best=True)
    other = _passage(2, "removed note", text, is_best=True)
    assert _sides(own, other, sides=("withdrawn", "removed note")) == [(1, "withdrawn"), (2, side)]


def test_of_one_thing_in_two_versions_a_document_of_another_one_names_none() -> None:
    sides = ("Alpha version 2", "Alpha version 1")
    for title, text, side in (
        ("Alpha v2", "The jar is shut.", sides[0]),
        ("AlphaV2: notes", "The jar is shut.", sides[0]),
        ("On alpha", "Version 2 shuts the jar.", sides[0]),
        ("Notes", "Alpha 2.0 is Alpha version 2.", sides[0]),
        ("Notes", "Version 2 shuts the jar.", ""),
        ("Beta v2", "The lid of Alpha shuts the jar.", ""),
        ("Alpha v21", "The jar is shut.", ""),
    ):
        assert _sides(_passage(1, sides[0], text, is_best=True), sides=sides, title=title) == [(1, side)], (title, text)


def test_a_draft_is_what_its_document_is_called_and_not_what_speaks_of_it() -> None:
    sides = ("jar rules", "draft")
    agreed = _passage(1, sides[1], "The jar rules replace the draft of April.", is_best=True)
    assert _sides(agreed, sides=sides, title="Rules") == [(1, sides[0])]
    assert _sides(agreed, sides=sides, title="DRAFT: rules") == [(1, sides[1])]
    unnamed = _passage(1, sides[1], "It replaces the draft of April.", is_best=True)
    assert _sides(unnamed, sides=sides, title="Rules") == [(1, "")]


def test_a_side_that_has_all_words_of_another_one_is_named_as_a_whole() -> None:
    sides = ("jar lid", "jar cork lid")
    found = [
        _passage(1, sides[1], "A jar lid is of tin, which cork is not.", is_best=True),
        _passage(2, sides[1], "Jar cork lids are soft."),
        _passage(3, sides[0], "The jar lid and the jar cork lid shut jars."),
    ]
    assert _sides(*found, sides=sides) == [(1, sides[0]), (2, sides[1]), (3, "")]

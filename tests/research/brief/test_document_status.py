import pytest

from quaestor.research.brief.document_status import document_status, is_draft, is_out_of_force
from quaestor.research.offline.words.status_words import NOT_IN_FORCE

CONTENTS = "- [Lids](#lids)\n- [Jars](#jars)\n- [Corks](#corks)\n- [Tins](#tins)\n"
HEADER = "Note: 12\nTitle: Clay Jars\nStatus: Rejected\nSuperseded-By: 40\n\nA jar holds honey.\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (HEADER, "Status: Rejected; Superseded-By: 40"),
        ("# Jars\n\nStatus: out of print, replaced by the second edition\n\nA jar.\n", "out of print"),
        ("# By-law 12\n\n**Status:** repealed\n\nJars are taxed.\n", "Status: repealed"),
        ("---\nstage: discontinued\nteams:\n  - jars\n---\n\n# Use tin\n\nJars.\n", "stage: discontinued"),
        ("# 5. Use tin\n\n# Context\n\nJars.\n\n# Status\n\nWithdrawn\n", "Status: Withdrawn"),
        ("# 6. Use tin\n\n* Status: deprecated\n\nJars.\n", "Status: deprecated"),
        ("# 8. Use tar\n\n* Status: withdrawn\n* Superseded by: [9](9.md)\n\nJars.\n", "Superseded by: 9"),
        ("# 7. Use clay\n\n## Status\n\nSuperseded by [9](0009.md)\n\n## Context\n\nJars.\n", "Superseded by"),
        ("# Jars \u2014 draft design\n\n## Superseded\n\nAnother note replaces it.\n", "Superseded: Another note"),
        ("# Jars\n\n> **Deprecated.** Use the other page.\n\nA jar holds honey.\n", "Deprecated."),
        ("![a jar](jar.png)\n# Jars\n\nDEPRECATED. Please see [lids](lids.md).\n\nA jar.\n", "DEPRECATED."),
        ("# Jars\n\n*This version is no longer maintained; see 3.0.*\n\nA jar.\n", "no longer maintained"),
        ("# Jars\n\nNote: this page has been superseded by another.\n\nA jar.\n", "superseded by another"),
        ("> __Warning__ `unrecommended`: deprecated in favor of tin\n\nJars\n====\n\nA jar.\n", "in favor of tin"),
        ("# Tax on jars (repealed)\n\nEvery jar is taxed.\n", "Tax on jars (repealed)"),
        ("[DEPRECATED] Jars\n=================\n\nA jar.\n", "[DEPRECATED] Jars"),
        ("# Rules of 2019\n\nMade in May. These rules are replaced by those of 2025.\n", "These rules are replaced"),
        ("# Fares of 2022\n\n**Superseded \u2014 see the 2024 sheet.**\n\nAdults pay 8.\n", "see the 2024 sheet"),
        ("RULES OF 2019\nMade in May\n\n(These rules are replaced by those of 2025.)\n", "These rules are replaced"),
        (
            "!!! Warning\n    The lids that this guide needs are [deprecated](a.md) since May.\n\n# Jars\n",
            "this guide needs",
        ),
        ("# Jars\n\n> [!CAUTION]\n> What this page says of lids is outdated.\n\nA jar.\n", "is outdated"),
        ("# On jars of clay\n\n> [!WARNING]\n> Jars of clay have been deprecated. Use tin.\n\nA jar.\n", "have been"),
        ("# DRAFT: rules of jars\n\nA jar is taxed.\n", "DRAFT: rules of jars"),
        ("# Regeln (Entwurf)\n\nKrüge.\n", "Regeln (Entwurf)"),
        (
            "# Jars\n\n| | |\n|-|-|\n| **Status** | _Proposed, Final, **Obsolete**_ |\n| **No** | 1 |\n",
            "Status: Obsolete",
        ),
        ("# Satzung\n\nDiese Satzung ist seit 2020 aufgehoben.\n\nKrüge.\n", "aufgehoben"),
        ("# Jarres\n\nAbrogé par le règlement 19.\n\nUne jarre.\n", "Abrogé"),
        (f"# Note 8: tin\n\n{CONTENTS}\n## Lids\n\nIMPORTANT: THIS NOTE HAS BEEN WITHDRAWN\n\nA jar.\n", "HAS BEEN"),
        ("# Jars\n\nType: note\nStatus: Active\n\nWithdrawn since May.\n", "Status: Active; Withdrawn since May."),
        ("= Jars\n:toc:\n\n[cols=2]\n|===\n| Note\n| 8\n\n| Status\n| Withdrawn :hand:\n|===\n", "Status: Withdrawn"),
        (
            "- Name: jars\n- Day: 3 May\n- Of: clay\n- No: 1\n\n## This RFC was adopted, but later *withdrawn*\n",
            "This RFC was adopted, but later withdrawn",
        ),
    ],
)
def test_a_document_says_that_it_is_no_longer_in_force(text: str, status: str) -> None:
    told = document_status(text)
    assert told
    assert status in told
    assert NOT_IN_FORCE.search(told)


@pytest.mark.parametrize(
    "text",
    [
        "Jars hold honey.\n",
        "Note: 12\nTitle: Plain Jars\n",
        "# Jars\n\nThis page is about deprecated functions.\n",
        "# Jars\n\nThis guide explains why the old jar is deprecated.\n",
        "# Jars\n\nThis edition is not withdrawn.\n",
        "# Jars\n\n> [!WARNING]\n> Jars of clay have been deprecated. Use glass.\n\nA jar.\n",
        "# Jars\n\n> [!WARNING]\n> Jars are not deprecated.\n\nA jar.\n",
        "# Jars\n\n> [!WARNING]\n> Jars: deprecated lids do not fit.\n\nA jar.\n",
        "# Jars\n\nIn case of doubt ask the clerk. A jar is updated by hand.\n",
        "# Jars\n\nThis edition replaces the first edition of 2019.\n",
        "# Jars\n\n- Deprecated: the small lid.\n- Removed: the large one.\n",
        "# Jars\n\nA jar.\n\nIt is made of clay.\n\nIt lasts.\n\nDeprecated. Use glass.\n",
        "# Jars\n\n* Deprecated: the small lid.\n\nA jar.\n",
        "# Jars\n\nDeprecated: `lid 3` was used for jars.\n\nA jar.\n",
        "# Jars\n\n## Old ones\n\nDeprecated. Use glass.\n",
        "# Jars\n\nReplaced lids are thrown away.\n",
        "# Jars\n\n!!! Warning\n    The small lid is deprecated.\n\nA jar.\n",
        "# Jars\n\nAll that this guide says of old lids is deprecated by some.\n",
        "# Draft beer in jars\n\nIt is cold.\n",
        "# Jars\n\nThe archived jars are in the cellar.\n",
        "# Lids\n\nLids are on since the jar option has been removed.\n\nJars.\n",
        "# Lids\n\nThis option has been added.\n\nJars.\n",
        "# How to write\n\nAs below.\n\n# Lids\n\n## Status\n\nDraft of lids\n\nStage: 0\n",
        "Jars that go.\n\n" + "What: a jar\nStatus: deprecated\nWhen: in May\n\n" * 3,
        "Jars that go.\n\n" + "A jar of clay\n\nStatus: obsolete\n\n" * 3,
    ],
)
def test_what_only_speaks_of_such_things_is_no_status(text: str) -> None:
    assert document_status(text) is None


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("| Status | Withdrawn |\n|---|---|\n| Superseded By | G-19 |", "Status: Withdrawn; Superseded By: G-19"),
        ("| | |\n|---|---|\n| Author | Cy Fox |\n| Status | Withdrawn |", "Status: Withdrawn"),
        ("| Status: | Withdrawn | \n|---|---|\n| Superseded-By: | G-19 |", "Status: Withdrawn; Superseded-By: G-19"),
        ("| Jar | Status |\n|---|---|\n| tin | sold |", None),
        ("| Jar | Lid | Status |\n|---|---|---|\n| Status | tin | sold |", None),
    ],
)
def test_a_table_of_two_columns_at_the_top_is_a_header(table: str, told: str | None) -> None:
    assert document_status(f"# Jars\n\n{table}\n\n## Lids\n\nA lid.\n") == told
    if ":" not in table:
        assert document_status(f"# Jars\n\nThe jars that we have.\n\n{table}\n") is None


def test_a_note_above_a_page_on_an_option_says_that_it_is_gone() -> None:
    said = "As of 1.2 lids are on and this jar option has been removed."
    above = f".. versionadded:: 1.2\n\n    {said}\n\n.. versionadded:: 1.1\n\n    Lids may be on.\n\n"
    assert document_status(f"{above}lids\n====\n\nThe jar of tin.\n") == said


def test_a_section_on_the_status_of_something_is_none_of_the_document() -> None:
    above = "# Jars\n\nA jar.\n\n## Lids\n\nA lid.\n\n## Status\n\n"
    assert document_status(f"{above}You can see the status of each of the jars on the lid that is on it.\n") is None
    assert document_status(f"{above}Accepted on 4 May.\n") == "Status: Accepted on 4 May."
    told = document_status(f"{above}These rules of jars are obsolete since the lids of glass came into use here.\n")
    assert told
    assert told.startswith("Status: These rules")


def test_a_document_in_force_says_so_too() -> None:
    told = document_status("# By-law 19\n\nStatus: in force since 2021\n\nJars are taxed.\n")
    assert told == "Status: in force since 2021"
    assert not NOT_IN_FORCE.search(told)


@pytest.mark.parametrize("marks", [("", ""), ("<pre>\n", "</pre>\n")])
def test_all_fields_of_a_header_that_is_indented_or_preformatted_tell_its_status(marks: tuple[str, str]) -> None:
    opening, closing = marks
    text = f"{opening}  Note: 12\n  Status: Final\n  Created: 2019-02-01\n  Superseded-By: 17\n{closing}\nA jar.\n"
    assert document_status(text) == "Status: Final; Superseded-By: 17"


def test_a_long_status_is_cut() -> None:
    told = document_status(f"# Jars\n\nStatus: {'replaced by another page ' * 40}\n\nA jar.\n")
    assert told
    assert len(told) <= 200


@pytest.mark.parametrize(
    "folder", ["archive", "Archived", "design", "design-docs", "proposals", "drafts", "old", "defunct", "Archiv"]
)
def test_the_folder_of_a_document_says_it_where_nothing_else_does(folder: str) -> None:
    assert document_status("# Fares\n\nAdults pay 8.\n", "fares", folder) == f"folder: {folder}"
    assert document_status("# Fares\n\nStatus: in force\n\nAdults pay 8.\n", "fares", folder) == "Status: in force"
    assert document_status("# Fares\n\nAdults pay 8.\n", "fares-OBSOLETE", folder) == "file: fares-OBSOLETE"


@pytest.mark.parametrize("folder", ["designers", "the-old-mill", "archives-of-the-town", "docs", ""])
def test_a_folder_that_is_called_otherwise_says_nothing(folder: str) -> None:
    assert document_status("# Fares\n\nAdults pay 8.\n", "fares", folder) is None


@pytest.mark.parametrize(
    ("top", "told"),
    [
        (
            "> [!IMPORTANT]\nThis RFC has been superseded by [tin jars](tin.md)\n",
            "This RFC has been superseded by tin jars",
        ),
        ("*This ADR 12 is obsolete.*\n", "This ADR 12 is obsolete."),
        ("This design doc was superceded by [9](9.md).\n", "This design doc was superceded by 9."),
        ("Dieses Angebot ist ungültig.\n", "Dieses Angebot ist ungültig."),
        ("This jar has been superseded.\n", None),
        ("This MILLSTONE is obsolete.\n", None),
    ],
)
def test_a_notice_calls_the_document_by_its_kind_or_its_series(top: str, told: str | None) -> None:
    assert document_status(f"# Use clay\n\n{top}\nJars are of clay.\n") == told


def test_a_field_of_front_matter_that_has_nothing_but_a_status_tells_it() -> None:
    assert document_status("---\ntitle: Jars\nlayout: withdrawn\n---\n\n# Jars\n\nA jar.\n") == "layout: withdrawn"
    assert document_status("---\ntitle: Jars\nlayout: withdrawn jars\n---\n\n# Jars\n\nA jar.\n") is None


def test_a_status_below_the_third_heading_is_that_of_a_part() -> None:
    assert document_status("# Decisions\n\n## 2022\n\n### Use tin\n\nIt is light.\n\nStatus: obsolete\n") is None
    assert document_status("# Decision\n\n## Use tin\n\nStatus: obsolete\n") == "Status: obsolete"


def test_the_name_of_a_file_says_it_where_the_text_does_not() -> None:
    assert document_status("# Fares\n\nAdults pay 8.\n", "fares_2022_SUPERSEDED") == "file: fares 2022 SUPERSEDED"
    assert document_status("# Fares\n\nAdults pay 8.\n", "draftsman") is None
    assert document_status("# Fares\n\nStatus: in force\n\nAdults pay 8.\n", "draft") == "Status: in force"


@pytest.mark.parametrize(
    "said",
    [
        "A summary of 2022, not updated since.",
        "In case of doubt the German text is valid.",
        "NOTE: this document is kept for historic purposes; see tin.",
        "This is a historical document, later updated by Jar 12.",
    ],
)
def test_a_document_says_that_nobody_keeps_it_or_that_another_decides(said: str) -> None:
    told = document_status(f"# Jars\n\n*{said}*\n\n- No lids.\n")
    assert told == said
    assert is_out_of_force(told)


@pytest.mark.parametrize("name", ["recipe-v6-old", "prices (old)", "satzung_alt", "tarif-ancien"])
def test_the_end_of_the_name_of_a_file_says_that_it_is_old(name: str) -> None:
    told = document_status("# Recipe\n\nBoil it.\n", name)
    assert told == f"file: {name.replace('_', ' ')}"
    assert is_out_of_force(told)


@pytest.mark.parametrize("name", ["old-school", "threshold", "alt", "the-old-mill", "salt", "household"])
def test_a_name_that_tells_of_something_old_is_no_status(name: str) -> None:
    assert document_status("# Mill\n\nIt turns.\n", name) is None
    assert not is_out_of_force("Status: in force")


def test_a_notice_stands_below_the_header_and_the_list_of_contents() -> None:
    header = ":Jar: 10\n:Author: Ann Lee\n:Status: Final\n:Type: Tin\n\n.. contents:: Contents\n   :depth: 3\n\n"
    note = ".. note::\n\n    This is a historical document, updated by Jar 12.\n\n"
    text = f"Jars\n====\n\n{header}{note}Lids\n====\n\nTin.\n"
    assert document_status(text) == "Status: Final; This is a historical document, updated by Jar 12."
    assert is_out_of_force(document_status(text))
    assert document_status(text.replace("This is a", "It is of a")) == "Status: Final"


def test_what_is_taken_back_is_out_of_force() -> None:
    assert is_out_of_force("“Item 4 (dogs) is taken back.”")


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("# Withdrawal Amendment", "status: withdrawn; Withdrawal Amendment: Nobody has time for it."),
        ("## Rejection Notice", "status: withdrawn; Rejection Notice: Nobody has time for it."),
        ("## Reasons for the rejection", "status: withdrawn; Reasons for the rejection: Nobody has time for it."),
        ("## Rejected Ideas", "status: withdrawn"),
        ("## In-Protocol Revocation", "status: withdrawn"),
    ],
)
def test_why_a_document_does_not_hold_is_told_with_its_status(heading: str, said: str) -> None:
    text = (
        f"status: {{status}}\n\n# Jars\n\nA jar is proposed.\n\n{heading}\n\nNobody has *time* for it. It was long.\n"
    )
    assert document_status(text.format(status="withdrawn")) == said
    assert document_status(text.format(status="accepted")) == "status: accepted"


@pytest.mark.parametrize(
    "above",
    [
        "|===\n| Status | Meaning\n\n| Draft | no jar yet\n|===\n",
        "== Jar\n\n== Lid\n\n|===\n|No |1\n|Status |Sold\n|===\n",
    ],
)
def test_a_table_of_asciidoc_that_is_headed_or_further_down_tells_no_status(above: str) -> None:
    assert document_status(f"= Jars\n:toc:\n\nOn jars.\n\n{above}") is None


def test_a_section_on_what_a_draft_rejects_is_no_reason() -> None:
    text = "# Jars\n\nStatus: Draft\n\nA jar.\n\n## Rejection of tin\n\nTin rusts.\n"
    assert document_status(text) == "Status: Draft"


def test_a_status_in_a_field_list_of_restructuredtext_is_told() -> None:
    assert document_status("Jars\n====\n\n:Author: Bo Ek\n:Status: Superseded\n\nA jar.\n") == "Status: Superseded"
    assert document_status("Jars\n====\n\n:Status: Superseded\n\nA jar.\n") == "Status: Superseded"


def test_a_field_that_says_why_a_document_does_not_hold_goes_before_its_sections() -> None:
    text = (
        "---\nstatus: Withdrawn\nwithdrawal-reason: Superseded by 77\n---\n\n# Jars\n\n## Withdrawal\n\nIt is long.\n"
    )
    assert document_status(text) == "status: Withdrawn; withdrawal-reason: Superseded by 77"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# DRAFT \u2013 Amendment of the rules\n\nA jar.\n", "DRAFT"),
        ("# Regeln der Krüge (noch nicht beschlossen!)\n\nEin Krug.\n", "Regeln der Krüge (noch nicht beschlossen!)"),
        (
            "# Rules 2026 \u2014 DRAFT (Kim), not discussed yet\n\nA jar.\n",
            "Rules 2026 \u2014 DRAFT (Kim), not discussed yet",
        ),
        ("# Draft beer - cold and in jars\n\nA jar.\n", None),
    ],
)
def test_a_title_says_that_its_document_is_a_draft(text: str, told: str | None) -> None:
    assert document_status(text) == told
    assert is_draft(text, "jars") == (told is not None)


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Meeting canceled due to lack of agenda.", True),
        ("**The meeting was postponed.**", True),
        ("Die Sitzung f\u00e4llt aus.", True),
        ("R\u00e9union annul\u00e9e.", True),
        ("The meeting of May was cancelled.", False),
        ("We say when a meeting is cancelled.", False),
        ("The meeting is open.", False),
    ],
)
def test_the_agenda_of_a_meeting_says_that_there_was_none(said: str, *, is_told: bool) -> None:
    text = f"# Agenda of 24 February\n\n- Where: the mill\n- When: at 5\n\n## Agenda\n\n{said}\n"
    assert document_status(text) == (said.strip("*") if is_told else None)
    assert document_status(text + "Jars hold honey. " * 300) is None
    assert not is_out_of_force(document_status(text))


FRONT = '---\ntitle: "The jars"\nweight: 10\ndescription: On jars\naliases:\n  - /jars\n---\n\n'


def test_a_notice_stands_below_front_matter() -> None:
    told = "This page is deprecated."
    assert document_status(f"{FRONT}{told}\n\nJars are of tin.\n") == told
    assert document_status(f"{FRONT}# Jars\n\n{told}\n\nJars are of tin.\n") == told


def test_a_note_above_that_what_the_document_is_called_by_is_gone_is_its_status() -> None:
    note = "Note: Support for jars was removed in 7.0"
    assert document_status(f"{FRONT}** {note} **\n\nJars are of tin.\n", "jars") == note
    assert document_status(f"# Jars\n\n{note}.\n\nJars are of tin.\n") == f"{note}."
    assert document_status(f"# Lids\n\n{note}.\n\nLids are of tin.\n", "lids") is None
    assert document_status("# Jars\n\nSupport for jars was removed in 7.0.\n", "jars") is None


@pytest.mark.parametrize(
    ("said", "is_told"), [("OLD - see version 4", True), ("OLD", True), ("Old jars are of tin.", False)]
)
def test_what_is_called_old_in_capitals_does_not_hold(said: str, *, is_told: bool) -> None:
    assert (document_status(f"# Jars\n\n{said}\n\nJars are of clay.\n") == said) is is_told


def test_what_is_proposed_to_take_the_place_of_a_document_is_told_with_its_status() -> None:
    text = "Note: 12\nStatus: Closed\nProposed-Replacement: 40\n\nA jar.\n"
    assert document_status(text) == "Status: Closed; Proposed-Replacement: 40"


def test_a_notice_in_the_first_section_is_no_status_unless_a_list_of_contents_alone_is_above_it() -> None:
    section = "## Lids\n\nNote: this note has been withdrawn.\n\nA jar.\n"
    assert document_status(f"# Note 8: tin\n\n{CONTENTS}\n{section}") == "Note: this note has been withdrawn."
    assert document_status(f"# Note 8: tin\n\n{section}") is None
    assert document_status(f"# Note 8: tin\n\n{CONTENTS}\n## Jars\n\nA jar.\n\n{section}") is None


def test_a_list_that_replaces_older_ones_is_in_force() -> None:
    text = "# Liste, Stand 1. Februar 2026 ({})\n\nAufzug: 31.\n"
    assert document_status(text.format("ersetzt alle älteren Listen"), "liste") is None
    assert document_status(text.format("ersetzt durch Liste 3"), "liste") is not None


@pytest.mark.parametrize(
    ("heading", "said", "told"),
    [
        ("## Status", "Rejected", "Status: Rejected"),
        ("## Status", "Superseded by ADR 40.", "Status: Superseded by ADR 40."),
        ("Status\n------", "Withdrawn", "Status: Withdrawn"),
        ("## Status", "Accepted", None),
        ("## Status", "A lid that was rejected is thrown away.", None),
        ("## Lids", "Rejected", None),
    ],
)
def test_a_section_on_the_status_far_below_tells_that_a_document_does_not_hold(
    heading: str, said: str, told: str | None
) -> None:
    proposal = "Lids keep the dust out of jars.\n\n" * 200
    assert (
        document_status(f"# ADR 29: Lids\n\n## Proposal\n\n{proposal}{heading}\n\n{said}\n\n## Decision\n\nNo.\n")
        == told
    )

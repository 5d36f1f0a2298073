"""The fixed words of reports and briefs: one file a language in `words`, each with all of them."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from quaestor.contracts.immutable import Immutable

ENGLISH_CODE = "en"


class ReportWords(Immutable, kw_only=True, forbid_unknown_fields=True):
    """The words of one language; what stands between braces is filled in."""

    # headings
    summary: str
    key_findings: str
    details: str
    contradictions: str
    assumptions: str
    gaps: str
    conclusion: str
    references: str
    sources: str
    making: str
    contents: str
    absent_heading: str
    differences: str
    changes: str
    said_later: str
    later_than: str
    side_by_side: str
    passages: str
    rows: str

    # around a report and a brief
    report_version: str
    brief_version: str
    question: str
    answer: str
    partial_report: str
    partial_brief: str
    extractive_notice: str
    brief_notice: str
    field: str
    date: str
    date_proof: str
    list: str
    count: str
    calculation: str
    field_of: str
    cell_of: str
    rows_counted: str
    chosen_by: str
    table: str
    captioned: str
    headers_of_series: str
    headers_of_some: str
    largest: str
    smallest: str
    total: str
    under: str
    not_in_it: str
    and_: str
    or_: str
    against: str
    blocked: str
    finding: str
    passage: str

    # claims
    claim: str
    claims: str
    claim_number: str
    claims_quoted: str
    checked_by: str
    not_quoted: str
    supported: str
    refuted: str
    unverifiable: str
    not_checked: str

    # sources
    quote: str
    page: str
    sheet: str
    row: str
    column: str
    place: str
    characters: str
    hash: str
    found_at: str
    retrieved: str
    dated: str
    in_references: str
    close: str

    # how it was made
    model: str
    cycles: str
    cycles_counted: str
    todos: str
    todos_done: str
    searches: str
    sources_searched: str
    model_calls: str
    tool_calls: str
    tokens: str
    cost: str
    dollars: str
    lost_calls: str
    lost_most: str

    # what is missing
    not_proven: str
    said_earlier: str
    is_conclusion: str
    no_finding_belongs: str
    undated: str
    copied: str
    unjudged: str
    unfounded: str
    unplanned: str
    unwritten_sections: str
    unwritten_frame: str
    left_out_domain: str
    left_out_date: str
    not_chosen: str
    when_written: str
    later_item: str
    said_elsewhere: str
    none_names: str
    none_holds: str
    scattered: str
    none_beside: str
    no_count: str
    no_list: str
    no_extreme: str
    other_language: str
    mixed_languages: str
    newest_in_others: str
    asked_now: str
    latest_dated: str
    later_records: str
    count_refused: str
    list_refused: str
    calculation_refused: str
    cell_refused: str
    no_column: str
    corpus_too_large: str
    several_places: str
    holds_operators: str
    too_many_to_list: str
    some_unread: str
    value_ambiguous: str
    value_unclear: str
    value_lacking: str
    only_value_holds: str
    may_be_part: str
    may_be_total: str
    names_repeat: str
    spoken_of: str
    row_unlike: str
    field_excludes: str
    may_be_same: str
    newer_document: str
    passage_speaks: str
    told_otherwise: str
    rows_are_times: str
    scale_beside: str
    no_plain_numbers: str
    units_differ: str
    not_read: str
    similar: str


@cache
def report_words(language: str | None) -> ReportWords:
    """Return the words of a language by its code; the English ones where it has none."""
    folder = files("quaestor.research.reports").joinpath("words")
    file = folder.joinpath(f"{language or ENGLISH_CODE}.toml")
    chosen = file if file.is_file() else folder.joinpath(f"{ENGLISH_CODE}.toml")
    return msgspec.convert(tomllib.loads(chosen.read_text("utf-8")), ReportWords)

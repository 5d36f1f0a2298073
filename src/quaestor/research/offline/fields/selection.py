"""What things of a kind a question chooses by its words, with the cells that show it, and why they may not be all."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter

from quaestor.contracts.immutable import Immutable
from quaestor.research.offline.fields.cell_words import key_tokens, telling_tokens
from quaestor.research.offline.fields.collections import Cell, Collection, Thing
from quaestor.research.offline.fields.conditions import (
    Condition,
    is_authorship,
    named_conditions,
    phrases_said,
    plain_conditions,
    small_keys,
)
from quaestor.research.offline.fields.counted_kinds import UNCOUNTED, CountedKind
from quaestor.research.offline.fields.row_watch import RowWatch, watch_rows
from quaestor.research.reports.fixed_words import ReportWords


class Selection(Immutable):
    """Things with the cells that show why they are chosen, where, why they may not be all, and the words it took."""

    members: tuple[tuple[Thing, Cell], ...]
    chosen_by: frozenset[str]
    """The names of the fields whose values chose them."""
    wanted: frozenset[str]
    """What the value of the one field holds that chose them; nothing where several did."""
    label: str
    refusal: str
    fit: int


def select_things(text: str, left: frozenset[str], collection: Collection, wording: ReportWords) -> Selection | None:
    """Return the things of a kind that these words of a question choose; None where one is not accounted for."""
    if any(not telling for key in collection.keys for telling in phrases_said(text, collection, key).values()):
        return None  # "in use" is a value without a telling word: without it all would be chosen
    whole = left = left | small_keys(text, collection)
    conditions: list[Condition] = []
    for condition, used in (*named_conditions(text, left, collection), *plain_conditions(text, left, collection)):
        if used <= left and used:
            conditions.append(condition)
            left -= used
    if left - collection.named or not _in_order(text, conditions):
        return None
    members = [one for one in collection.things if all(each.holds(one) for each in conditions)]
    if not members:
        return None
    return Selection(
        tuple((one, _shown(one, conditions)) for one in members),
        frozenset(one.key for one in conditions),
        conditions[0].wanted if len(conditions) == 1 else frozenset(),
        _described(conditions, collection, wording),
        _incompleteness(conditions, collection, len(members), wording)
        or _misplaced(conditions, collection, telling_tokens(text), wording),
        len(whole - left),
    )


def watch_selection(
    selection: Selection, columns: AbstractSet[str], collection: Collection, kind: CountedKind = UNCOUNTED
) -> tuple[RowWatch, ...]:
    """Return the rows that were chosen with the columns that are asked for, and the others with those that chose.

    The kind is what the rows that were chosen are counted as.
    """
    chosen = [one for one, _ in selection.members]
    rows = {one.row for one in chosen}
    others = [one for one in collection.things if one.row not in rows]
    watched = [watch_rows(collection, chosen, columns, kind)]
    if others and selection.chosen_by:
        watched.append(watch_rows(collection, others, selection.chosen_by))
    return tuple(each for each in watched if each.rows)


def _in_order(text: str, conditions: Sequence[Condition]) -> bool:
    """Return whether fields and their values follow each other alike, so that no value is taken for another field's."""
    lowered = text.casefold()
    named = [one for one in conditions if one.named and one.wanted]
    places = [(_first(lowered, key_tokens(one.key)), _first(lowered, one.wanted)) for one in named]
    return [key for key, _ in sorted(places)] == [key for key, _ in sorted(places, key=itemgetter(1))]


def _first(text: str, some: frozenset[str]) -> int:
    return min((place for each in some if (place := text.find(each)) >= 0), default=-1)


def _incompleteness(conditions: Sequence[Condition], collection: Collection, members: int, wording: ReportWords) -> str:
    """Return why a list may not be whole, or nothing."""
    if collection.unread:
        return wording.some_unread.format(number=len(collection.unread), document=collection.unread[0])
    for one in conditions:
        if changed := next((each.name for each in collection.things if one.key in each.told_anew), ""):
            return wording.told_otherwise.format(title=changed, name=one.key, place=collection.label)
        if one.is_ambiguous:
            return wording.value_ambiguous.format(field=f"“{one.key}”", place=collection.label)
        if one.is_unclear:
            return wording.value_unclear.format(field=f"“{one.key}”", place=collection.label)
        lacking = sum(one.key not in each.cells or each.cells[one.key].is_empty for each in collection.things)
        if lacking and (not one.named or is_authorship(one.key)):
            return wording.value_lacking.format(
                number=members,
                all=len(collection.things),
                field=f"“{one.key}”",
                lacking=lacking,
                place=collection.label,
            )
    return ""


def _misplaced(
    conditions: Sequence[Condition], collection: Collection, asked: frozenset[str], wording: ReportWords
) -> str:
    """Return why a table in a text may not be what is asked for, or nothing.

    Many texts have a table of methods, and one of these a cell that says "strings": that is no list of string methods.
    """
    chosen = next((one.key for one in conditions if not one.named), "")
    if not (collection.is_part_of_text and chosen) or asked & collection.named:
        return ""
    return wording.only_value_holds.format(field=f"“{chosen}”", place=collection.label)


def _described(conditions: Sequence[Condition], collection: Collection, wording: ReportWords) -> str:
    keys = ", ".join(f"“{one.key}”" for one in conditions)
    return wording.chosen_by.format(fields=keys, place=collection.label) if keys else collection.label


def _shown(thing: Thing, conditions: Sequence[Condition]) -> Cell:
    """Return the cell that shows why a thing is listed: that of the first condition, else its first."""
    return thing.cells[conditions[0].key] if conditions else next(iter(thing.cells.values()))

"""Which lines of tables are read for a task: rows that hold a word of it, or else the names of the columns."""

from collections.abc import Iterator, Sequence

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.sentences.extract import Extract
from quaestor.research.offline.sentences.row_columns import CELL_END
from quaestor.research.offline.words.dates import holds_date
from quaestor.research.offline.words.markup import without_note
from quaestor.research.offline.words.word_forms import WordForms

_FEWEST_WORDS_OF_NAME = 2


def without_silent_rows(extracts: Sequence[Extract], core: frozenset[str], forms: WordForms) -> Iterator[Extract]:
    """Yield what was read: of tables the rows that hold a word of the task, else the names of columns that it calls.

    Where neither is, as where the document is called so, all rows stay. Passages of one document are one table.
    """
    telling = {one.source for one in extracts if one.is_row and one.own & core}
    named = {one.source for one in extracts if one.is_head and _is_called(one, core, forms)} - telling
    for one in extracts:
        is_shown = bool(one.own & core) or one.source not in telling | named if one.is_row else one.source in named
        if is_shown or not (one.is_row or one.is_head):
            yield one


def without_namesakes(extracts: Sequence[Extract], core: frozenset[str], forms: WordForms) -> Iterator[Extract]:
    """Yield what was read without the rows that share with a task a piece of the name of another row alone.

    Flat B2 shares the number with flat A2, of which the task asks.
    """
    named = [one for one in extracts if is_named_row(one, core, forms)]
    pieces = frozenset(term for one in named for term in terms(_first_cell(one)))
    for one in extracts:
        shared = one.own & core
        if one in named or not (one.is_row and shared and shared <= pieces):
            yield one


def without_bare_numbers(extracts: Sequence[Extract], core: frozenset[str], forms: WordForms) -> Iterator[Extract]:
    """Yield what was read without the rows that share but numbers with a task, where other rows have these and words.

    All batches of 2025 share its number, and a few the name of the beer that a task asks of. A date may be one.
    """
    shared = {one.own & core for one in extracts if one.is_row}
    for one in extracts:
        own = one.own & core
        is_number = one.is_row and bool(own) and all(term.isdigit() for term in own)
        is_date = is_number and any(holds_date(one.claim, when) for when in forms.dates)
        if is_date or not (is_number and any(own < other for other in shared)):
            yield one


def _is_called(head: Extract, core: frozenset[str], forms: WordForms) -> bool:
    """Return whether a task calls a column by its whole name, or columns by two words: many names hold some word."""
    names = (frozenset(forms.terms(name)) for name in CELL_END.split(head.claim))
    return len(head.own & core) > 1 or any(name and name <= core for name in names)


def is_named_row(line: Extract, core: frozenset[str], forms: WordForms) -> bool:
    """Return whether a line is a row that a task names by its first cell, so that the other cells are about that."""
    if not line.is_row:
        return False
    name = frozenset(forms.terms(_first_cell(line)))
    return (bool(name) and name <= core) or any(holds_date(_first_cell(line), when) for when in forms.dates)


def is_of_called_table(line: Extract, core: frozenset[str], names: frozenset[str]) -> bool:
    """Return whether a line is a row of a document that is called as a task asks, though no row says a word of it.

    The names on "waiting list moorings.csv" are the waiting list. It takes two words of the `core` of the task, half of
    them, and one that is not among its `names`, as what all documents are about is.
    """
    called = line.document & core
    return line.is_row and len(called) >= max(_FEWEST_WORDS_OF_NAME, len(core) / 2) and not called <= names


def _first_cell(row: Extract) -> str:
    return without_note(next((cell for cell in CELL_END.split(row.claim) if cell.strip()), ""))

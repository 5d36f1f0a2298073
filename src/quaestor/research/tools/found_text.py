"""A text of a corpus that may correct others, as it was found: what it is called, its day, and what it says of them."""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.source import Quote, Source
from quaestor.evidence.retrieval.document_names import file_name, told_file
from quaestor.research.brief.announcements import find_announcements, is_erratum
from quaestor.research.brief.corrected_documents import CorrectingText
from quaestor.research.brief.corrections import correcting_spans
from quaestor.research.brief.document_status import is_draft
from quaestor.research.brief.later_changes import dated_heading, is_of_time, release_of
from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.brief.record_items import day_of, is_before, record_day
from quaestor.research.brief.section_places import heading_at

_SUFFIX = re.compile(r"\.\w{2,4}\Z")
_PARTING = re.compile(r"[\W_]+")


class FoundText(NamedTuple):
    """Words of a found document from a place on."""

    source: Source
    start: int
    words: str
    heading: str = ""
    """That above the words, where they are a passage of it."""

    @property
    def announces(self) -> bool:
        """Whether it says that it, or a section of it, is there to correct others."""
        return bool(find_announcements(self.words, _named(self.source), self.source.media_type))

    @property
    def only_proposes(self) -> bool:
        """Whether it is a draft that corrects nothing; what minutes tell is so before they are agreed."""
        stem = file_name(self.source.uri)
        is_record = record_day(self.source.title, stem) is not None and not self.announces
        return not is_record and is_draft(self.words, stem)

    def correcting(self, marked: MarkedSentence, cited: Source) -> Iterator[Quote]:
        """Yield what corrects a marked sentence of a source."""
        text = CorrectingText(
            self.words,
            _named(self.source),
            self.source.media_type,
            is_beside=self.source.sha256 == cited.sha256,
            is_near=PurePath(self.source.uri).parent == PurePath(cited.uri).parent,
            is_earlier=_is_earlier(self.source, cited) or release_of(marked.heading).is_after(release_of(self.heading)),
            is_of_time=is_of_time(self.source.title, file_name(self.source.uri), self.heading),
        )
        for start, end in correcting_spans(text, marked):
            yield self.quote(start, end)

    def quote(self, start: int, end: int) -> Quote:
        """Return words from an offset on up to another one, with their place in the document."""
        at = self.start + start
        return Quote(source=self.source.sha256, start=at, end=at + end - start, text=self.words[start:end])

    def under(self, place: int) -> "FoundText":
        """Return it with the heading above a place of its words, which are those of the whole document."""
        return self._replace(heading=heading_at(self.words, self.source.media_type, place))

    def called(self, cited: Source) -> str:
        """Return what it is called beside a source, with the version or the day under which the words stand.

        One with the title of the source is called by the name of its file; a name that many files have, as README, is
        told with that of its folder.
        """
        own = self.source.title
        called = own if own and own != cited.title else told_file(self.source.uri)
        dated = dated_heading(self.heading)
        return f"{called}, {dated}" if dated and dated not in called else called


def _is_earlier(one: Source, other: Source) -> bool:
    """Return whether a document is dated before another one; where one has no day nobody knows."""
    own, its = day_of(one), day_of(other)
    return own is not None and its is not None and is_before(own, its)


def _named(source: Source) -> str:
    """Return what a document is called; with the name of its file, if that says that it is an erratum."""
    title, stem = bare_title(source.title), _PARTING.sub(" ", PurePath(source.uri).stem)
    return f"{stem}\n{title}" if is_erratum(stem) and _PARTING.sub(" ", title) != stem else title


def bare_title(title: str) -> str:
    """Return a title without the ending of a file name: "txt" names no document."""
    return _SUFFIX.sub("", title)

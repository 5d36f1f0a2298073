"""The contracts of the writer and the summarizer."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract
from quaestor.contracts.ledger import Finding
from quaestor.contracts.roles import RoleInput
from quaestor.research.contracts.usable_items import shortened, usable_items, usable_or_none


class Summary(Contract):
    """Memory lines in fewer words."""

    text: str = Field(min_length=1)


class SummarizeInput(RoleInput):
    """For the summarizer: memory lines to be said in fewer characters."""

    gives: ClassVar[type[Contract]] = Summary

    lines: tuple[str, ...] = Field(min_length=1)
    characters: int = Field(ge=1)

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse a summary over the size asked for."""
        if not isinstance(reply, Summary):
            return super().objections(reply)
        if len(reply.text) > self.characters:
            return (f"at most {self.characters} characters are wanted, not {len(reply.text)}",)
        return ()


class WrittenSentence(Contract):
    """One sentence of the report and the findings it rests on."""

    text: str = Field(min_length=1)
    findings: tuple[str, ...] = Field(default=(), description="Ids of findings.")


def normalize_sentence(text: str) -> str:
    """Return a sentence as it is compared and shown: with single blanks."""
    return " ".join(text.split())


class Section(Contract):
    """One section of the report."""

    heading: Annotated[str, shortened(300)] = Field(min_length=1, max_length=300)
    sentences: Annotated[tuple[WrittenSentence, ...], usable_items(WrittenSentence)] = Field(min_length=1)


class SectionInput(RoleInput):
    """For the writer of a section: the findings of one todo or of several, less what earlier sections say already."""

    gives: ClassVar[type[Contract]] = Section
    for_delegates: ClassVar[bool] = True

    question: str
    todo_id: str
    task: str
    other_tasks: tuple[str, ...] = Field(default=(), description="Of todos whose few findings are written as well.")
    summary: str
    findings: tuple[Finding, ...]
    gaps: tuple[str, ...] = ()
    other_headings: tuple[str, ...] = Field(
        default=(), description="Of the other sections, where a person gave the headings."
    )
    present: tuple[str, ...] = Field(default=(), description="Its sentences as they are, where it is written again.")
    wish: str = Field(default="", description="How it is to be written again.")
    language: str = Field(default="", description="In which it is written, in place of that of the question.")
    audience: str = Field(default="", description="For whom it is written.")
    length: Literal["short", "long"] | None = None

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse a section without a sentence on findings that were given; one on others is left out of the report."""
        if not isinstance(reply, Section):
            return super().objections(reply)
        return _unknown_findings(reply.sentences, self.findings)


class Frame(Contract):
    """Summary, key findings and conclusion, with the shortest direct answer where one is asked for."""

    title: Annotated[str, shortened(300)] = Field(min_length=1, max_length=300)
    summary: Annotated[tuple[WrittenSentence, ...], usable_items(WrittenSentence)] = Field(min_length=1)
    key_findings: Annotated[tuple[WrittenSentence, ...], usable_items(WrittenSentence)] = ()
    conclusion: Annotated[tuple[WrittenSentence, ...], usable_items(WrittenSentence)] = ()
    answer: Annotated[WrittenSentence | None, usable_or_none(WrittenSentence)] = Field(
        default=None,
        description="A name, a date, a number, a yes or no; None where the question wants prose.",
    )

    def sentences(self) -> tuple[WrittenSentence, ...]:
        """Return every sentence, the direct answer last."""
        answer = (self.answer,) if self.answer else ()
        return (*self.summary, *self.key_findings, *self.conclusion, *answer)


class FrameInput(RoleInput):
    """For the writer of what stands around the sections."""

    gives: ClassVar[type[Contract]] = Frame

    question: str
    headings: tuple[str, ...] = Field(description="What the sections are about, which are written at the same time.")
    findings: tuple[Finding, ...]
    memory: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    language: str = Field(default="", description="In which it is written, in place of that of the question.")
    audience: str = Field(default="", description="For whom it is written.")
    length: Literal["short", "long"] | None = None

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse a frame without a sentence on findings that were given; one on others is left out of the report."""
        if not isinstance(reply, Frame):
            return super().objections(reply)
        sentences = reply.sentences()
        if not any(sentence.findings for sentence in sentences):
            return ("no sentence names a finding, so nothing of it could stand in the report",)
        return _unknown_findings(sentences, self.findings)


def _unknown_findings(sentences: tuple[WrittenSentence, ...], findings: tuple[Finding, ...]) -> tuple[str, ...]:
    known = {finding.id for finding in findings}
    if any(sentence.findings and known.issuperset(sentence.findings) for sentence in sentences):
        return ()
    cited = sorted({ref for sentence in sentences for ref in sentence.findings})
    return tuple(f"no finding has the id {ref!r}" for ref in cited if ref not in known)

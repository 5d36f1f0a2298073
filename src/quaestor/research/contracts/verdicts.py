"""What a checker concluded about a sentence and the words it rests on. `Quoted` and `supported` are two things.

Quoted: every quote under the sentence is in its source, character by character; a comparison of strings.
Supported: a checker read the sentence and its quotes and concluded that they say so; a judgement.
"""

from enum import StrEnum

from pydantic import Field

from quaestor.contracts.base import Contract

RULES = "rules"
"""Who checked, where no model did: the rules for numbers and names."""


class Verdict(StrEnum):
    """Whether the quotes of a sentence say what it says; the stored words never change."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"
    NOT_CHECKED = "not checked"


class ClaimCheck(Contract):
    """The verdict on one sentence, and who gave it."""

    verdict: Verdict
    confidence: float | None = Field(default=None, ge=0, le=1, description="Of a model; None where rules decided.")
    note: str = ""
    checked_by: str = Field(default="", description="The model, or `rules`; empty where nobody checked.")


UNCHECKED = ClaimCheck(verdict=Verdict.NOT_CHECKED)

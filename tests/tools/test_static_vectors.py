"""Vectors of the extra `meaning`: what they are, where they are read, and how a run finds by them."""

import re
from math import isclose
from pathlib import Path

import pytest

from evidence.retrieval.samples import hit
from quaestor.app import open_home
from quaestor.contracts.errors import MissingExtra, NoEvidence, UsageError
from quaestor.contracts.installation import install_command
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.reader import confidence, read_passages
from quaestor.tools.static_vectors import STATIC_MODEL, open_static_vectors

pytest.importorskip("wordllama")
TEXTS = {
    "doctor": "The pediatrician is a doctor who cares for children.",
    "bell": "The fog bell of Aldmouth was cast in bronze.",
}
QUESTION = "Which physician treats kids?"


def cosine(one: str, other: str) -> float:
    vectors = open_static_vectors()
    return sum(a * b for a, b in zip(vectors.vector(one), vectors.vector(other), strict=True))


async def test_a_vector_has_length_one_and_is_the_same_alone_and_among_others() -> None:
    vectors = open_static_vectors()
    alone, [_, among, empty] = vectors.vector("A lid."), await vectors.embed(["A jar of glass", "A lid.", ""])

    assert isclose(sum(number * number for number in alone), 1.0)
    assert among == alone
    assert set(empty) == {0.0}


def test_other_words_for_a_thing_are_nearer_than_words_for_other_things() -> None:
    assert cosine(QUESTION, TEXTS["doctor"]) > cosine(QUESTION, TEXTS["bell"])


async def test_a_run_marks_by_them_what_shares_no_word_with_the_question(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    async with open_home(tmp_path / "home", model="offline", questions=False) as quaestor:
        with pytest.raises(NoEvidence):
            await quaestor.research(QUESTION, [folder])
    async with open_home(tmp_path / "home", model="offline", questions=False, embeddings=STATIC_MODEL) as quaestor:
        made = await quaestor.research(QUESTION, [folder])

    assert [passage.text for passage in made.citations()] == [TEXTS["doctor"]]


def test_a_near_passage_makes_rules_surer_that_it_answers() -> None:
    near, far = (
        ReadInput(question=QUESTION, task=QUESTION, hits=(hit(TEXTS[name]),), meaning=True)
        for name in ("doctor", "bell")
    )

    assert confidence(near) > confidence(far)
    assert [draft.claim for draft in read_passages(near).findings] == [TEXTS["doctor"]]
    assert read_passages(far).findings == ()


async def test_other_static_vectors_are_refused_before_there_is_a_session(tmp_path: Path) -> None:
    (tmp_path / "lids.txt").write_text("Lids rust.", encoding="utf-8")
    async with open_home(tmp_path / "home", model="offline", embeddings="static:other") as quaestor:
        corpus = await quaestor.index([tmp_path / "lids.txt"])
        with pytest.raises(UsageError, match="there are no static vectors static:other"):
            await quaestor.start("Which lids?", corpus)


def test_without_the_package_the_command_that_installs_it_is_named() -> None:
    with pytest.raises(MissingExtra, match=re.escape(f"static:wordllama need an extra: {install_command('meaning')}")):
        open_static_vectors("no_such_package")

import json
from pathlib import Path

import pytest

from fakes.chores import Answers, Summing
from quaestor.contracts.errors import ModelFailed, UsageError
from quaestor.contracts.model import OutputRequest
from quaestor.models.scripted import ScriptedModel, load

OTHERWISE = '{"said": "otherwise"}'


def scripted(folder: Path, text: str) -> ScriptedModel:
    path = folder / "script.yaml"
    path.write_text(text, encoding="utf-8")
    return ScriptedModel("script:script.yaml", load(path), Answers(OTHERWISE))


async def said(model: ScriptedModel, ordinal: int, todo_id: str | None = None, role: str = "reader") -> str:
    request = OutputRequest(key="k", todo_id=todo_id, role=role, ordinal=ordinal, attempt=1, given=Summing())
    reply = await model.answer(request, model.prepare(request))
    return str(json.loads(reply.text)["said"])


async def test_the_nth_call_takes_the_nth_entry_and_then_the_other_model(tmp_path: Path) -> None:
    model = scripted(tmp_path, "reader:\n  - {reply: {said: a}, times: 2}\n  - reply: {said: b}\n")
    assert [await said(model, ordinal) for ordinal in (1, 2, 3, 4)] == ["a", "a", "b", "otherwise"]
    assert await said(model, 1, role="writer") == "otherwise"


async def test_each_todo_counts_for_itself_and_sees_only_what_is_for_it(tmp_path: Path) -> None:
    model = scripted(tmp_path, "reader:\n  - {todo: t2, reply: {said: two}}\n  - reply: {said: any}\n")
    assert await said(model, 1, "t1") == "any"
    assert [await said(model, ordinal, "t2") for ordinal in (1, 2)] == ["two", "any"]


async def test_faults_are_faults(tmp_path: Path) -> None:
    model = scripted(tmp_path, "reader:\n  - fault: error\n  - fault: timeout\n  - fault: garbage\n")
    for ordinal, fault in ((1, "error"), (2, "timeout")):
        with pytest.raises(ModelFailed, match=f"call {ordinal} of reader with: {fault}"):
            await said(model, ordinal)
    with pytest.raises(json.JSONDecodeError):
        await said(model, 3)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("reader: [{fault: explode}]", "reader.0.fault: Input should be 'error', 'timeout', 'outage' or 'garbage'"),
        ("reader: [{replies: {}}]", "reader.0.replies: Extra inputs"),
        ("reader: [{reply: {}, fault: error}]", "reader.0: .*a reply or a fault, not both"),
        ("- reader", "dictionary"),
        ("reader: [", "is not YAML"),
    ],
)
def test_a_faulty_script_names_the_place(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        scripted(tmp_path, text)


def test_a_missing_script_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load(tmp_path / "none.yaml")

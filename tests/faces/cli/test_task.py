"""Long tasks on the command line: what they say on their way, what they give, and how they end."""

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from faces.cli.conftest import Ended, Quaestor
from faces.cli.typing_person import COLUMNS, terminal
from fakes.papers import write_papers
from quaestor.contracts.workspace import MANAGED_FILES, PLAN_FILE
from quaestor.longtask.tools.names import TOOLS

TEXT = "Write a greeting."
PLAIN = ("--allow", "write_file,read_file")
"""Without programs, so that no sandbox is tried."""
STEPS: tuple[Mapping[str, object], ...] = (
    {"goal": "It is written.", "plan": {"Write it": ["Write the file"], "Check it": []}},
    {
        "say": "I write.",
        "write_file": {"path": "hello.txt", "content": "Good day."},
        "tick": {"Phase 1": "Write the file"},
        "phases": {"Phase 1": "complete"},
    },
    {"say": "I read it again.", "read_file": "hello.txt", "progress": "Read it."},
    {"say": "I look elsewhere.", "read_file": "hallo.txt"},
    {"say": "The greeting is in hello.txt.", "done": "It is written."},
)


@pytest.fixture
def book(tmp_path: Path) -> str:
    file = tmp_path / "book.yaml"
    file.write_text(yaml.safe_dump(list(STEPS), sort_keys=False), encoding="utf-8")
    return f"playbook:{file}"


@pytest.fixture
def done(quaestor: Quaestor, book: str, tmp_path: Path) -> Ended:
    ended = quaestor("task", TEXT, "--model", book, "--workspace", tmp_path / "w", *PLAIN)
    assert ended.code == 0, ended.err
    return ended


def told(ended: Ended) -> list[str]:
    """Return what was said after the line with the session's id."""
    return ended.err.splitlines()[1:]


def test_a_task_tells_what_it_says_calls_and_gets_and_gives_its_answer(done: Ended, tmp_path: Path) -> None:
    assert done.out == "The greeting is in hello.txt.\n"
    assert told(done) == [
        "plan: 2 phases",
        "  Phase 1 Write it",
        "  Phase 2 Check it",
        "round 1: I write.",
        "  write_file: hello.txt",
        "  written: hello.txt (9 bytes)",
        "  made hello.txt version 1",
        "round 2: I read it again.",
        "  read_file: hello.txt",
        "  hello.txt, characters 0 to 9 of 9: Good day.",
        "round 3: I look elsewhere.",
        "  read_file: hallo.txt",
        "  failed: there is no file hallo.txt in the workspace; look what there is first",
        "round 4: The greeting is in hello.txt.",
        "done",
        f"its files are in {tmp_path / 'w'}",
    ]
    assert (tmp_path / "w" / "hello.txt").read_text(encoding="utf-8") == "Good day."


def test_ps_and_show_tell_of_its_plan_its_rounds_and_what_it_made(
    quaestor: Quaestor, done: Ended, tmp_path: Path
) -> None:
    listed = quaestor("ps").out.splitlines()[1]
    age, events = listed.split()[3], listed.split()[6]
    assert listed.split() == [done.session, "finished:", "done", age, "1/2", "phases", events, "w", *TEXT.split()]
    shown = {line[:15].strip(): line[15:] for line in quaestor("show", done.session).out.splitlines()}
    assert (shown["question"], shown["status"]) == (TEXT, "finished: done")
    assert (shown["workspace"], shown["tools"]) == (str(tmp_path / "w"), "read_file, write_file")
    assert shown["limits"].startswith("200 rounds")
    assert (shown["rounds"], shown["made"], shown["errors"]) == ("4", "1 file", "1, 1 of them not resolved")
    assert (shown["answer"], shown["plan"]) == ("The greeting is in hello.txt.", "2 phases, 1 complete")
    lines = [" ".join(line.split()) for line in quaestor("show", done.session).out.splitlines()[-4:]]
    assert lines[:3] == ["Phase 1 complete Write it", "[x] Write the file", "Phase 2 todo Check it"]
    assert lines[3].startswith("hello.txt version 1 9 bytes ")


def test_of_a_finished_task_resume_gives_the_answer_and_a_report_is_none(quaestor: Quaestor, done: Ended) -> None:
    assert quaestor("resume", done.session).out == done.out
    report = quaestor("report", done.session)
    assert (report.code, report.out) == (2, "")
    assert "is one of longtask, which ends with an answer and has no report" in report.err
    assert quaestor("verify", done.session).code == 0


def test_as_json_it_gives_the_stream_and_nothing_else(quaestor: Quaestor, book: str) -> None:
    ended = quaestor("task", TEXT, "--model", book, *PLAIN, "--json")
    streamed = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 0
    assert streamed[-1]["type"] == "finished"
    assert streamed[-1]["statement"] == "The greeting is in hello.txt."


@pytest.mark.parametrize("said", [["shell,python"], ["shell", "python"], ["python, shell,", "shell"]])
def test_tools_are_named_apart_or_in_one_word(quaestor: Quaestor, book: str, said: list[str]) -> None:
    ended = quaestor("task", TEXT, "--model", book, "--rounds", "1", "--allow", *said)
    assert ended.code == 4
    assert "not run: write_file: hello.txt: this run has no such tool; it has shell, python" in ended.err


def test_a_task_can_be_allowed_no_tool_at_all(quaestor: Quaestor, book: str) -> None:
    ended = quaestor("task", TEXT, "--model", book, "--rounds", "1", "--allow", "")
    assert "not run: write_file: hello.txt: this run has no such tool; it has none" in ended.err


@pytest.mark.parametrize("command", ["task", "research"])
@pytest.mark.parametrize("option", ["--allow", "--approve"])
def test_a_tool_that_there_is_not_is_refused_with_those_that_there_are(
    quaestor: Quaestor, command: str, option: str
) -> None:
    ended = quaestor(command, TEXT, option, "shell,bash", "--web", "wikipedia")
    assert (ended.code, ended.out) == (2, "")
    assert f"bash: there is no such tool; tools are {', '.join(TOOLS)}" in ended.err


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["--rounds", "201"], "rounds = 201 from the options"),
        (["--rounds", "0"], "rounds = 0 from the options"),
        (["--model", "playbook:none.yaml"], "the playbook none.yaml cannot be read"),
        (["--model", "nonsense"], "nonsense"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_there_is_a_session(
    quaestor: Quaestor, said: list[str], why: str
) -> None:
    ended = quaestor("task", TEXT, *said)
    assert ended.code == 2
    assert why in ended.err
    assert quaestor("ps").out == ""


def test_when_its_rounds_are_used_up_it_gives_what_there_is(quaestor: Quaestor, book: str) -> None:
    ended = quaestor("task", TEXT, "--model", book, "--rounds", "2", *PLAIN)
    assert ended.code == 4
    assert ended.out == "I read it again.\n\nEnded early, because its 2 rounds are used up.\n"


def test_a_person_is_asked_with_the_exact_arguments_and_the_answer_carries_it_on(
    quaestor: Quaestor, book: str, home: Path, tmp_path: Path
) -> None:
    asked = quaestor("task", TEXT, "--model", book, "--workspace", tmp_path / "w", *PLAIN, "--approve", "write_file")
    assert (asked.code, asked.out) == (5, "")
    assert '{"content": "Good day.", "path": "hello.txt", "tool": "write_file"}' in asked.err
    assert f"approve it  quaestor answer {asked.session} yes --home {home}" in asked.err
    assert f"decline it  quaestor answer {asked.session} 'no, because ...' --home {home}" in asked.err
    assert "waits for an answer" in quaestor("ps").out
    unclear = quaestor("answer", asked.session, "perhaps")
    assert unclear.code == 2
    assert "answer yes or no" in unclear.err
    assert not (tmp_path / "w" / "hello.txt").exists()
    ended = quaestor("answer", asked.session, "yes")
    assert (ended.code, ended.out) == (0, "The greeting is in hello.txt.\n")
    assert (tmp_path / "w" / "hello.txt").exists()


def test_a_no_is_told_and_nothing_is_written(quaestor: Quaestor, book: str, tmp_path: Path) -> None:
    asked = quaestor("task", TEXT, "--model", book, "--workspace", tmp_path / "w", *PLAIN, "--approve", "write_file")
    ended = quaestor("answer", asked.session, "no, not there")
    assert ended.code == 0
    assert "  write_file: hello.txt: not run; a person said: no, not there" in ended.err
    assert not (tmp_path / "w" / "hello.txt").exists()


def test_where_nobody_can_be_asked_such_a_call_is_refused(quaestor: Quaestor, book: str) -> None:
    ended = quaestor("task", TEXT, "--model", book, *PLAIN, "--approve", "write_file", "--no-questions")
    assert ended.code == 0
    assert "not run: write_file: hello.txt: write_file runs only with a person's yes, and in this run" in ended.err


def test_three_useless_replies_pause_it_with_the_reason_and_it_can_go_on(
    quaestor: Quaestor, home: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("worker:\n  - {fault: garbage, times: 99}\n", encoding="utf-8")
    paused = quaestor("task", TEXT, "--model", f"script:{script}", *PLAIN)
    assert (paused.code, paused.out) == (3, "")
    last = paused.err.splitlines()[-1]
    assert last.startswith("paused: three replies could not be used: ")
    assert last.endswith(f"Go on with: quaestor resume {paused.session} --home {home}")
    assert "  paused  " in quaestor("ps").out
    assert quaestor("attach", paused.session).code == 3
    script.write_text(
        "worker:\n  - {times: 3}\n  - {reply: {assistant_answer: At last., done: true}}\n", encoding="utf-8"
    )
    ended = quaestor("resume", paused.session)
    assert (ended.code, ended.out) == (0, "At last.\n")


def test_it_can_be_finished_and_cancelled_by_a_person(quaestor: Quaestor, book: str) -> None:
    asked = quaestor("task", TEXT, "--model", book, *PLAIN, "--approve", "write_file")
    forked = quaestor("fork", asked.session, "--at", "10").out.strip()
    ended = quaestor("finish", asked.session)
    assert (ended.code, ended.out) == (4, "I write.\n\nEnded early, because a person asked to finish.\n")
    assert quaestor("cancel", forked).code == 0
    assert quaestor("resume", forked).code == 1


def test_the_same_text_goes_on_with_its_unfinished_session_and_tells_what_changed(
    quaestor: Quaestor, book: str, tmp_path: Path
) -> None:
    said = ("--model", book, "--workspace", tmp_path / "w", *PLAIN, "--approve", "write_file")
    asked = quaestor("task", TEXT, *said)
    plan = tmp_path / "w" / PLAN_FILE
    plan.write_text(plan.read_text(encoding="utf-8").replace("Check it", "Prove it"), encoding="utf-8")
    assert quaestor("task", f"  {TEXT} ", *said).session == asked.session
    ended = quaestor("answer", asked.session, "yes")
    assert ended.session == asked.session
    assert "task_plan.md was edited: 2 phases" in told(ended)
    assert "  Phase 2 Prove it" in told(ended)
    plan.write_text("{", encoding="utf-8")
    assert quaestor("resume", asked.session).code == 0


def test_an_edit_that_is_no_plan_is_told(quaestor: Quaestor, book: str, tmp_path: Path) -> None:
    said = ("--model", book, "--workspace", tmp_path / "w", *PLAIN, "--approve", "write_file")
    asked = quaestor("task", TEXT, *said)
    (tmp_path / "w" / PLAN_FILE).write_text("{", encoding="utf-8")
    ended = quaestor("answer", asked.session, "yes")
    assert any(line.startswith("the edit of task_plan.md cannot be used: ") for line in told(ended))


def test_a_folder_in_which_nobody_can_work_is_refused(quaestor: Quaestor, book: str, home: Path) -> None:
    ended = quaestor("task", TEXT, "--model", book, "--workspace", home.parent)
    assert ended.code == 2
    assert f"the workspace {home.parent} holds the home {home}" in ended.err


def test_documents_of_a_task_are_indexed_and_searched(quaestor: Quaestor, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("{}", encoding="utf-8")
    docs = ("--docs", write_papers(tmp_path))
    ended = quaestor("task", "What did the fog bell cost?", *docs, "--model", f"script:{script}", "--no-questions")
    assert ended.code == 0
    assert "5 documents" in ended.err
    assert "it cannot carry one out" in ended.out


def test_the_files_of_a_finished_task_are_rebuilt_to_the_byte(
    quaestor: Quaestor, book: str, done: Ended, tmp_path: Path
) -> None:
    folder = tmp_path / "w"
    names = ("task_plan.md", "findings.md", "progress.md", ".pwf_state.json")
    before = {name: (folder / name).read_bytes() for name in names}
    (folder / "task_plan.md").unlink()
    (folder / "progress.md").write_bytes(before["progress.md"][:-9])
    ended = quaestor("rebuild", done.session)
    assert ended.code == 0, ended.err
    assert ended.out.splitlines() == [str(folder / "task_plan.md"), str(folder / "progress.md")]
    assert {name: (folder / name).read_bytes() for name in names} == before
    assert (folder / "hello.txt").read_text(encoding="utf-8") == "Good day."
    assert quaestor("rebuild", done.session).out == ""
    assert quaestor("task", "Another one.", "--model", book, "--workspace", folder, *PLAIN).code == 0
    refused = quaestor("rebuild", done.session)
    assert refused.code == 2
    assert "another task works in" in refused.err


def test_the_offline_model_is_refused_with_what_to_do(quaestor: Quaestor) -> None:
    ended = quaestor("task", "Count the words.", "--model", "offline")
    assert ended.code == 2
    assert "cannot carry out a task" in ended.err
    assert "name a model, as ollama:NAME" in ended.err
    assert not quaestor("ps").out


def test_a_todo_of_kind_tool_is_told_of_asked_about_and_cited(quaestor: Quaestor, tmp_path: Path) -> None:
    call = {"tool": "write_file", "path": "a.txt", "content": "x"}
    rounds = [{"assistant_answer": "I write.", "tool_call": call}, {"assistant_answer": "Written.", "done": True}]
    todos = [{"task": "Write it down.", "kind": "tool"}, {"task": "What did the fog bell of Aldmouth cost?"}]
    roles = {"planner": [{"reply": {"todos": todos}}], "worker": [{"reply": one} for one in rounds]}
    docs = write_papers(tmp_path)
    script = tmp_path / "replies.yaml"
    script.write_text(yaml.safe_dump(roles), encoding="utf-8")
    said = ("--docs", docs, "--model", f"script:{script}", "--effort", "low", "--allow", "write_file")
    asked = quaestor("research", "What did the fog bell of Aldmouth cost?", *said, "--approve", "write_file")
    assert asked.code == 5
    assert 't1: round 1 wants to call write_file with exactly this: {"content": "x"' in asked.err
    assert "t1 plan: 1 phase" in told(asked)
    assert "t1 round 1: I write." in told(asked)
    ended = quaestor("answer", asked.session, "yes")
    assert ended.code == 0
    assert "310 crowns" in ended.out
    assert "  t1: written: a.txt (1 byte)" in told(ended)
    assert "  t1: made a.txt version 1" in told(ended)
    shown = quaestor("show", asked.session).out
    workspace = Path(next(line[15:] for line in shown.splitlines() if line.startswith("workspace")))
    assert "tools          write_file" in shown
    assert sorted(file.name for file in (workspace / "t1").iterdir()) == sorted([*MANAGED_FILES, "a.txt"])


def test_without_allow_a_plan_has_no_todos_of_kind_tool(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", "Who built it?", "--docs", docs, "--review-plan", "--no-questions")
    refused = quaestor("plan", ended.session, "add", "Add up.", "--kind", "tool")
    assert refused.code == 2
    assert "'Add up.': this session has no todos of kind tool; kinds are research, analysis. Start" in refused.err


def test_a_call_of_a_task_is_approved_at_the_terminal(home: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.yaml"
    book.write_text(
        '- {say: I write., write_file: {path: a.txt, content: "x"}}\n- {say: Written., done: Written.}\n',
        encoding="utf-8",
    )
    said = ("--model", f"playbook:{book}", "--allow", "write_file", "--approve", "write_file")
    with terminal(home, "task", "Write it.", *said) as person:
        shown = person.screen()
        whole = shown[shown.index("\nround 1 wants to call ") :].splitlines()
        assert max(map(len, whole)) <= COLUMNS
        asked = re.sub(r"\s+", " ", shown)
        assert "round 1: I write." in asked
        assert 'with exactly this: {"content": "x", "path": "a.txt", "tool": "write_file"}' in asked
        assert "(yes, or no and why; an empty line leaves, and the session waits; always command, always tool" in asked
        assert "is one of longtask, not of research" in person.types("/plan\n")
        assert "answer yes or no" in person.types("well\n")
        assert "made a.txt version 1" in person.types("Yes\n")
        assert person.ends() == (0, "Written.\n")


def test_what_an_answer_approves_for_good_is_named_listed_and_revoked(quaestor: Quaestor, tmp_path: Path) -> None:
    book = tmp_path / "book.yaml"
    steps = [{"say": "I write.", "write_file": {"path": f"{name}.txt", "content": "x"}} for name in "ab"]
    book.write_text(yaml.safe_dump([*steps, {"say": "Written.", "done": "Written."}]), encoding="utf-8")
    said = ("--model", f"playbook:{book}", "--allow", "write_file", "--approve", "write_file")
    asked = quaestor("task", "Write both.", *said)
    assert asked.code == 5
    answered = quaestor("answer", "last", "always tool")
    assert (answered.code, answered.out) == (0, "Written.\n")
    assert "approved from now on: every call of write_file" in answered.err
    assert quaestor("approvals").out.split() == ["1", *["every", "call", "of", "write_file"]]
    assert quaestor("approvals", "last").out == quaestor("approvals").out
    assert "the session is finished; it begins nothing" in quaestor("approvals", "last", "--revoke", "1").err
    revoked = quaestor("approvals", "--revoke", "1").err
    assert revoked.startswith("revoked: every call of write_file\nsessions that have begun keep it;")
    assert "nothing is approved for good" in quaestor("approvals").err
    assert quaestor("task", "Write both once more.", *said).code == 5


def test_the_folders_of_tasks_are_for_one_user_from_the_first(quaestor: Quaestor, book: str, home: Path) -> None:
    before = os.umask(0o022)
    try:
        assert quaestor("task", TEXT, "--model", book, *PLAIN).code == 0
    finally:
        os.umask(before)
    folders = [home / "workspaces", *(home / "workspaces").iterdir()]
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    assert "other users could reach" not in quaestor("show").err


def test_a_task_goes_on_in_the_background(quaestor: Quaestor, book: str, tmp_path: Path) -> None:
    begun = quaestor("task", TEXT, "--model", book, "--workspace", tmp_path / "w", *PLAIN, "--detach")
    assert (begun.code, len(begun.out.split())) == (0, 1), begun.err
    watched = quaestor("attach", begun.out.strip())
    assert (watched.code, watched.out) == (0, "The greeting is in hello.txt.\n")

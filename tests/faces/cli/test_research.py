import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from faces.cli.conftest import Ended, Quaestor
from fakes.papers import QUESTION
from fakes.streams import stream_session
from quaestor.contracts.event import Event
from quaestor.contracts.stream import StreamEvent
from quaestor.research.codec import CODEC
from quaestor.research.plugin import PLUGIN

STREAM: TypeAdapter[StreamEvent] = TypeAdapter(StreamEvent)


def test_the_report_goes_to_stdout_and_all_else_to_stderr(finished: Ended) -> None:
    assert finished.out.startswith("> Evidence brief: ")
    assert "## Sources" in finished.out
    first, *told = finished.err.splitlines()
    assert first == "5 documents, 7 passages (5 read)"
    assert told[0] == f"session {finished.session}"
    assert any(line.startswith("t1 recorded: ") for line in told)
    assert f"quaestor report {finished.session}" in finished.err
    assert f"quaestor explain {finished.session} --passage 1" in finished.err


def streamed(ended: Ended) -> list[StreamEvent]:
    return [STREAM.validate_json(line) for line in ended.out.splitlines()]


def logged(quaestor: Quaestor, session: str) -> list[Event]:
    return [CODEC.parse_event(line) for line in quaestor("events", session, "--json").out.splitlines()]


def test_json_is_the_published_stream_and_nothing_in_it_is_told_twice(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--json")
    assert streamed(ended) == list(stream_session(logged(quaestor, ended.session), view=PLUGIN.stream))
    assert [event.type for event in streamed(ended)].count("final_report") == 1


def test_a_resumed_stream_goes_on_where_the_reader_stopped(quaestor: Quaestor, finished: Ended) -> None:
    forked = quaestor("fork", finished.session, "--at", "60").out.strip()
    whole = quaestor("resume", quaestor("fork", finished.session, "--at", "60").out.strip(), "--json")
    rest = quaestor("resume", forked, "--json", "--after", "61")
    assert streamed(whole)[0].seq == 1
    assert streamed(rest) == list(stream_session(logged(quaestor, forked), after=61, view=PLUGIN.stream))


def test_the_log_is_given_raw_from_the_first_event_to_the_last(quaestor: Quaestor, finished: Ended) -> None:
    events = logged(quaestor, finished.session)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (events[0].type, events[-1].type) == ("session_started", "session_finished")


@pytest.mark.parametrize(("form", "begins"), [("md", "> Evidence brief: "), ("html", "<!doctype html>"), ("json", "{")])
def test_a_report_is_written_to_a_file_and_nothing_to_stdout(
    quaestor: Quaestor, docs: Path, tmp_path: Path, form: str, begins: str
) -> None:
    out = tmp_path / f"report.{form}"
    out.write_text("what stood there before")
    ended = quaestor("research", QUESTION, "--docs", docs, "--format", form, "--out", out)
    assert (ended.code, ended.out) == (0, "")
    assert out.read_text(encoding="utf-8").startswith(begins)
    assert f"the report is in {out}" in ended.err
    assert not list(tmp_path.glob(".*.part"))


def test_several_paths_after_one_flag_and_repeated_flags_are_all_read(quaestor: Quaestor, docs: Path) -> None:
    one, two, three = sorted(docs.iterdir())[:3]
    ended = quaestor("research", QUESTION, "--docs", one, two, "--docs", three)
    assert ended.err.startswith("3 documents, ")


def test_knobs_reach_the_session_and_beat_the_environment(
    quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAESTOR_LOOPS", "7")
    monkeypatch.setenv("QUAESTOR_MAX_DEPTH", "1")
    line = ["--effort", "high", "--max-loops", "2", "--max-todos", "9", "--parallel", "3"]
    ended = quaestor("research", QUESTION, "--docs", docs, *line)
    first, *_ = quaestor("events", ended.session, "--json").out.splitlines()
    options = json.loads(first)["payload"]["options"]
    wanted = {"queries": 5, "loops": 2, "max_todos": 9, "parallel": 3, "max_depth": 1}
    assert {name: options[name] for name in wanted} == wanted


def test_a_script_answers(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{docs.parent / 'script.yaml'}")
    assert ended.code == 0
    assert "Who kept the Aldmouth lighthouse?" in ended.out


def test_without_evidence_there_is_no_report_and_a_plain_statement(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", "What is the melting point of tungsten?", "--docs", docs, "--format", "json")
    assert (ended.code, ended.out) == (6, "")
    assert "No report" in ended.err
    assert quaestor("report", ended.session).code == 6


def test_a_word_that_a_query_adds_is_not_told_as_misspelt(quaestor: Quaestor, tmp_path: Path) -> None:
    known = "The Great Lamp is also known as the Rost Light. Any mitigation of its glare was refused by the town."
    text = f"{known}\n\nThe Great Lamp was built for the fishers of the town.\n"
    (tmp_path / "lamp.txt").write_text(text, encoding="utf-8")
    ended = quaestor("research", "Why was the Rost Light biult?", "--docs", tmp_path)
    assert "Searched “built” for “biult”, which no passage holds in this form." in ended.out
    assert "motivation" not in ended.out


def test_a_month_that_is_searched_in_another_language_is_not_told_as_absent(quaestor: Quaestor, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Notes of the keeper\n\n03/11/2025 The lamp was cleaned.\n", encoding="utf-8")
    notice = "Avis aux voisins\n\nLe gardien ferme la tour le 18 novembre, et il ne sera pas là.\n"
    (tmp_path / "avis.txt").write_text(notice, encoding="utf-8")
    ended = quaestor("research", "Was the lamp cleaned in November?", "--docs", tmp_path)
    assert "03/11/2025 The lamp was cleaned." in ended.out
    assert "November”" not in ended.out


def test_a_budget_ends_in_a_partial_report(quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUAESTOR_MAX_MODEL_CALLS", "12")
    ended = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{docs.parent / 'script.yaml'}")
    assert ended.code == 4
    assert "Partial report" in ended.out
    assert "budget" in ended.err


def test_a_question_may_begin_with_a_dash_after_two_dashes(quaestor: Quaestor, docs: Path) -> None:
    ended = quaestor("research", "--home", str(docs.parent / "h"), "--docs", docs, "--", "-- what did the bell cost?")
    assert ended.code in {0, 6}
    assert ended.session


def test_skipped_files_are_named_with_the_reason(quaestor: Quaestor, docs: Path) -> None:
    for number in range(30):
        (docs / f"data{number:02}.bin").write_bytes(b"\x00\x01\x02" * 100)
    (docs / "gone.txt").symlink_to(docs / "nowhere")
    ended = quaestor("research", QUESTION, "--docs", docs)
    assert ended.code == 0
    skipped = [line for line in ended.err.splitlines() if line.startswith("  skipped ")]
    assert len(skipped) == 20
    assert skipped[0].startswith(f"  skipped {docs / 'data00.bin'}: ")
    assert "... and 11 more" in ended.err


class TestRefusals:
    """What cannot be meant ends before any work, with its reason and the code for usage."""

    @pytest.mark.parametrize(
        ("argv", "says"),
        [
            (["research", "q", "--docs", "no/such/folder"], "no/such/folder does not exist"),
            (["research", "q", "--docs"], "no documents were named"),
            (["research", "q"], "no documents were named"),
            (["research"], "QUESTION"),
            (["research", "q", "--docs", ".", "--effort", "huge"], "huge"),
            (["research", "q", "--docs", ".", "--parallel", "many"], "many"),
            (["research", "q", "--docs", ".", "--parallel", "0"], "parallel"),
            (["research", "q", "--docs", ".", "--max-lops", "1"], "--max-loops"),
            (["research", " \t", "--docs", "."], "question is empty"),
            (["task", " "], "the task is empty"),
            (["research", "caf\udce9?", "--docs", "."], "not valid Unicode"),
            (["research", "q", "--docs", ".", "--budget", "nan"], "--budget takes a number, not 'nan'."),
            (["research", "q", "--docs", ".", "--budget", "1e400"], "max_dollars = '1E+400'"),
            (["research", "--", "-q", "--docs", "."], "'--docs' stands behind --, where every word is a text"),
            (["research", "q", "--docs", ".", "--out", "no/such/report.md"], "no/such"),
            (["research", "q", "--docs", ".", "--out", "."], "is a folder"),
            (["research", "q", "--docs", ".", "--format", "pdf"], "pdf"),
            (["reserch", "q"], "reserch"),
        ],
    )
    def test_a_wrong_command_line(self, quaestor: Quaestor, argv: list[str], says: str) -> None:
        ended = quaestor(*argv)
        assert (ended.code, ended.out) == (2, "")
        assert says in ended.err
        assert ended.err.startswith("quaestor: ")
        assert len(ended.err.splitlines()) == 1

    def test_an_empty_folder(self, quaestor: Quaestor, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        ended = quaestor("research", "q", "--docs", tmp_path / "empty")
        assert ended.code == 2
        assert "it holds no files" in ended.err

    def test_only_binary_files(self, quaestor: Quaestor, tmp_path: Path) -> None:
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "a.bin").write_bytes(bytes(range(256)))
        ended = quaestor("research", "q", "--docs", tmp_path / "data")
        assert ended.code == 2
        assert "nothing can be read" in ended.err

    def test_a_question_of_100_kilobytes(self, quaestor: Quaestor, docs: Path) -> None:
        ended = quaestor("research", "why? " * 20_000, "--docs", docs)
        assert ended.code == 2
        assert "99,999 characters" in ended.err
        assert "session" not in ended.err

    @pytest.mark.parametrize(
        ("model", "says"),
        [
            ("script:nowhere.yaml", "nowhere.yaml"),
            ("script:", "the script . cannot be read"),
            ("gpt", "PROVIDER:NAME"),
            ("nobody:gpt", "the provider of 'nobody:gpt' is not known"),
            ("replay:20200101-000000-abcdef", "20200101-000000-abcdef"),
        ],
    )
    def test_a_model_that_is_not_there(self, quaestor: Quaestor, docs: Path, model: str, says: str) -> None:
        ended = quaestor("research", QUESTION, "--docs", docs, "--model", model)
        assert ended.code == 2
        assert says in ended.err

    @pytest.mark.parametrize("address", ["notaurl", "ftp://x/v1", "http://[::1/v1", "http://127.0.0.1:92511/v1"])
    def test_an_address_that_is_none_begins_no_session(
        self, quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch, address: str
    ) -> None:
        monkeypatch.setenv("OLLAMA_BASE_URL", address)
        ended = quaestor("research", QUESTION, "--docs", docs, "--model", "ollama:small")
        assert (ended.code, ended.out) == (2, "")
        assert "the base_url of a provider is no address" in ended.err
        assert "write it as http://host:port/v1" in ended.err
        assert quaestor("ps").out == ""

    def test_a_script_that_is_none(self, quaestor: Quaestor, docs: Path) -> None:
        script = docs.parent / "bad.yaml"
        script.write_text("reader: [{latency: -1}]")
        ended = quaestor("research", QUESTION, "--docs", docs, "--model", f"script:{script}")
        assert ended.code == 2
        assert "latency" in ended.err

    def test_a_setting_in_the_environment(
        self, quaestor: Quaestor, docs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("QUAESTOR_MAX_TODOS", "several")
        ended = quaestor("research", QUESTION, "--docs", docs)
        assert ended.code == 2
        assert "max_todos = 'several' from the environment" in ended.err


def test_a_finished_session_is_resumed_to_its_report(quaestor: Quaestor, finished: Ended) -> None:
    again = quaestor("resume", finished.session)
    assert (again.code, again.out) == (0, finished.out)
    assert "recorded" not in again.err


def test_there_may_be_nothing_to_resume(quaestor: Quaestor, finished: Ended) -> None:
    assert finished.code == 0
    for line in (["resume"], ["resume", "--last"]):
        ended = quaestor(*line)
        assert ended.code == 2
        assert "no session is unfinished" in ended.err
    assert quaestor("resume", finished.session, "--last").code == 2

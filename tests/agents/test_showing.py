from agents.samples import sample
from fakes.findings import finding, hit
from quaestor.agents.showing import data, facts
from quaestor.contracts.delegation import ScoutGiven
from quaestor.contracts.plan import TodoKind
from quaestor.contracts.roles import FrameGiven, PlanGiven, QueriesGiven, ReadGiven, labelled


def test_a_template_may_know_scalars_and_the_number_of_everything_else() -> None:
    given = QueriesGiven(question="Who?", task="", wanted=3, executed=("a", "b"))
    assert facts(given) == {
        "QueriesGiven": True,
        "question": 1,
        "task": 0,
        "wanted": 3,
        "executed": 2,
        "gap": 0,
        "follow_ups": 0,
        "known": 0,
        "source_hint": 0,
    }


def test_words_of_an_enumeration_are_told() -> None:
    assert facts(sample(1)["ReviewGiven"])["status"] == "done"
    assert facts(PlanGiven(question="Who?"))["kinds"] == "research, analysis"
    assert facts(PlanGiven(question="Who?", kinds=()))["kinds"] == 0


def test_no_fact_holds_a_word_from_outside() -> None:
    for given in sample(1).values():
        words = {fact for fact in facts(given).values() if isinstance(fact, str)}
        assert words <= {"done", "research, analysis"}


def test_passages_and_then_quotes_are_labelled_as_the_reader_is_understood() -> None:
    hits, findings = (hit("One."), hit("Two.")), (finding("t1/1", "Three."), finding("t2/1", "Four."))
    read = ReadGiven(question="Who?", task="Find it.", hits=hits, findings=findings)
    shown = f"{data(read, 'hits')}\n{data(read, 'findings')}"
    for label, quote in labelled(hits, findings).items():
        beside, text = shown.split(f"~~~ {label} | ")[1].split("\n")[:2]
        assert text == quote.text
        assert ("a quote of t" in beside) == (label in {"p3", "p4"})
    assert "- t1/1: Three. (quotes: p3)\n- t2/1: Four. (quotes: p4)" in shown
    scout = ScoutGiven(question="Who?", task="Find it.", hits=hits, findings=findings, passes_left=1)
    assert shown == f"{data(scout, 'hits')}\n{data(scout, 'findings')}"


def test_a_passage_tells_its_title_its_heading_and_its_file_but_not_where_that_lies() -> None:
    one = hit("The words.")
    passage = one.passage.model_copy(update={"heading": "Building\nit"})
    given = ReadGiven(
        question="Who?",
        task="Find it.",
        hits=(
            one.model_copy(update={"passage": passage, "title": "Towers", "uri": "/home/somebody/towers.txt"}),
            one.model_copy(update={"title": "", "uri": "https://example.org/a/towers"}),
        ),
    )
    assert data(given, "hits") == (
        "~~~ p1 | Towers | Building it | towers.txt\nThe words.\n~~~\n"
        "~~~ p2 | https://example.org/a/towers\nThe words.\n~~~"
    )


def test_findings_that_cannot_be_quoted_are_claims_with_their_ids() -> None:
    given = FrameGiven(question="Who?", headings=(), findings=(finding("t1/1", "Three\nwords."),))
    assert data(given, "findings") == "~~~ findings\n- t1/1: Three words.\n~~~"


def test_a_sentence_cannot_bring_a_quote_of_its_own() -> None:
    given = sample(7)["CheckGiven"]
    assert data(given, "sentences") == (
        "~~~ sentence 7\nIt was finished.\n~~~\n~~~ quotes of sentence 7\n- finished in 1875\n~~~"
    )


def test_agents_and_todos_are_lines() -> None:
    assert "- researcher: Searches by itself. (gives a Reading, uses search)" in data(sample(1)["PlanGiven"], "agents")
    assert "- t2: Find it." in data(sample(1)["ReviewGiven"], "plan")


def test_what_is_empty_is_an_empty_frame() -> None:
    given = ReadGiven(question="Who?", task="Find it.")
    assert data(given, "hits") == "~~~ hits\n\n~~~"
    assert data(given, "findings") == "~~~ findings\n\n~~~"
    assert data(given, "of_another_given") == "~~~ of_another_given\n\n~~~"


def test_a_number_can_be_data_too() -> None:
    assert data(PlanGiven(question="Who?", max_todos=4), "max_todos") == "~~~ max_todos\n4\n~~~"
    assert data(PlanGiven(question="Who?", kinds=(TodoKind.TOOL,)), "kinds") == "~~~ kinds\n- tool\n~~~"

from agents.samples import sample
from fakes.findings import finding, hit
from quaestor.agents.rendering import render_field, template_values
from quaestor.research.contracts.optional_roles import DelegateToolInput
from quaestor.research.contracts.plan import TodoKind
from quaestor.research.contracts.roles import PlanInput, QueriesInput, ReadInput, label_quotes
from quaestor.research.contracts.writing import FrameInput


def test_a_template_may_know_scalars_and_the_number_of_everything_else() -> None:
    given = QueriesInput(question="Who?", task="", wanted=3, executed=("a", "b"))
    assert template_values(given) == {
        "QueriesInput": True,
        "question": 1,
        "task": 0,
        "wanted": 3,
        "executed": 2,
        "gap": 0,
        "follow_ups": 0,
        "known": 0,
        "source_hint": 0,
    }


def test_words_of_an_enumeration_or_of_a_pattern_are_told() -> None:
    assert template_values(PlanInput(question="Who?"))["kinds"] == "research, analysis"
    assert template_values(PlanInput(question="Who?", kinds=("research", "minutes")))["kinds"] == "research, minutes"
    assert template_values(FrameInput(question="Who?", headings=(), findings=(), length="short"))["length"] == "short"
    assert template_values(PlanInput(question="Who?", kinds=()))["kinds"] == 0


def test_no_fact_holds_a_word_from_outside() -> None:
    for given in sample(1).values():
        words = {fact for fact in template_values(given).values() if isinstance(fact, str)}
        assert words <= {"short", "research, analysis"}


def test_passages_and_then_quotes_are_labelled_as_the_reader_is_understood() -> None:
    hits, findings = (hit("One."), hit("Two.")), (finding("t1/1", "Three."), finding("t2/1", "Four."))
    read = ReadInput(question="Who?", task="Find it.", hits=hits, findings=findings)
    shown = f"{render_field(read, 'hits')}\n{render_field(read, 'findings')}"
    for label, quote in label_quotes(hits, findings).items():
        beside, text = shown.split(f"~~~ {label} | ")[1].split("\n")[:2]
        assert text == quote.text
        assert ("a quote of t" in beside) == (label in {"p3", "p4"})
    assert "- t1/1: Three. (quotes: p3)\n- t2/1: Four. (quotes: p4)" in shown
    scout = DelegateToolInput(question="Who?", task="Find it.", hits=hits, findings=findings, passes_left=1)
    assert shown == f"{render_field(scout, 'hits')}\n{render_field(scout, 'findings')}"


def test_a_passage_tells_its_title_its_heading_and_its_file_but_not_where_that_lies() -> None:
    one = hit("The words.")
    passage = one.passage.model_copy(update={"heading": "Building\nit"})
    given = ReadInput(
        question="Who?",
        task="Find it.",
        hits=(
            one.model_copy(update={"passage": passage, "title": "Towers", "uri": "/home/somebody/towers.txt"}),
            one.model_copy(update={"title": "", "uri": "https://example.org/a/towers"}),
        ),
    )
    assert render_field(given, "hits") == (
        "~~~ p1 | Towers | Building it | towers.txt\nThe words.\n~~~\n"
        "~~~ p2 | https://example.org/a/towers\nThe words.\n~~~"
    )


def test_findings_that_cannot_be_quoted_are_claims_with_their_ids() -> None:
    given = FrameInput(question="Who?", headings=(), findings=(finding("t1/1", "Three\nwords."),))
    assert render_field(given, "findings") == "~~~ findings\n- t1/1: Three words.\n~~~"


def test_a_sentence_cannot_bring_a_quote_of_its_own() -> None:
    given = sample(7)["CheckInput"]
    assert render_field(given, "sentences") == (
        "~~~ sentence 7\nIt was finished.\n~~~\n~~~ quotes of sentence 7\n- finished in 1875\n~~~"
    )


def test_agents_and_todos_are_lines() -> None:
    assert "- researcher: Searches by itself. (gives a Reading, uses search)" in render_field(
        sample(1)["PlanInput"], "agents"
    )
    assert "- t2: Find it." in render_field(sample(1)["ReviewInput"], "plan")


def test_what_is_empty_is_an_empty_frame() -> None:
    given = ReadInput(question="Who?", task="Find it.")
    assert render_field(given, "hits") == "~~~ hits\n\n~~~"
    assert render_field(given, "findings") == "~~~ findings\n\n~~~"
    assert render_field(given, "of_another_given") == "~~~ of_another_given\n\n~~~"


def test_a_number_can_be_data_too() -> None:
    assert render_field(PlanInput(question="Who?", max_todos=4), "max_todos") == "~~~ max_todos\n4\n~~~"
    assert render_field(PlanInput(question="Who?", kinds=(TodoKind.TOOL,)), "kinds") == "~~~ kinds\n- tool\n~~~"

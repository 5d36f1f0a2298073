from quaestor.research.reports.publishing import render_no_evidence


def test_it_says_what_was_searched_and_what_is_missing() -> None:
    assert render_no_evidence("Who paid\nfor it?", ["Who paid.", "\x1b[31mWhen."], 12, 1204) == (
        "No report: nothing that was found answers the question, and nothing is claimed without a source.\n"
        "\n"
        "Question: Who paid for it?\n"
        "Searched: 12 searches over 1,204 sources.\n"
        "\n"
        "What is missing:\n"
        "- Who paid.\n"
        "- \ufffd[31mWhen.\n"
        "\n"
        "Add sources that may hold the answer, or ask more precisely, and run it again."
    )


def test_without_gaps_none_are_promised() -> None:
    text = render_no_evidence("Why?", [], 1, 1)
    assert "missing" not in text
    assert "Searched: 1 search over 1 source." in text


def test_where_no_model_reads_it_is_said_that_words_are_compared() -> None:
    text = render_no_evidence("Why?", [], 1, 1, by_words=True)
    assert text.startswith("No report: no passage that was found shares enough words with the question, and nothing is")
    assert text.endswith("\nAsk in the words and in the language of the documents, or add sources, and run it again.")


def test_claims_that_the_checker_refuted_are_counted() -> None:
    assert "\nRefuted by the checker: 1 claim.\n" in render_no_evidence("Why?", [], 1, 1, refuted=1)
    assert "Refuted" not in render_no_evidence("Why?", [], 1, 1)


def test_why_it_ended_early_is_said_and_a_long_list_of_gaps_is_counted() -> None:
    text = render_no_evidence(
        "Why?", [f"gap {number}" for number in range(25)], 0, 1, "the budget is reached (model_calls: 2)"
    )
    assert "It ended early: the budget is reached (model_calls: 2)." in text
    assert "- gap 19\n- and 5 more\n" in text
    assert text.startswith("No report: it ended early, so what the sources hold is not known, and nothing is claimed")
    assert "Add sources" not in text

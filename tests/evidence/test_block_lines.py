from quaestor.evidence.block_lines import wrapped_breaks


def test_prose_flows_on_where_the_next_word_had_no_room_on_its_line() -> None:
    prose = "The keeper of the lamp was by then quite\nold, and left the port in the spring of\n1860.\nHe came."
    breaks = [place for place, letter in enumerate(prose) if letter == "\n"]

    assert list(wrapped_breaks(prose, 0, len(prose))) == breaks[:2]


def test_the_lines_of_a_poem_and_of_an_address_end_before_there_is_no_more_room() -> None:
    assert list(wrapped_breaks("Ann Lee\nLamp Street 5\nAldmouth", 0, 30)) == []


def test_what_a_term_means_flows_on_from_it() -> None:
    term = "`lid`\n: of tin\n: since 2.0\n:cork: none"
    assert list(wrapped_breaks(term, 0, len(term))) == [5, 14]

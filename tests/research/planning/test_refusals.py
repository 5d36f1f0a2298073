from quaestor.research.planning.refusals import list_refusals, refuse_todo


def test_refusals_are_listed_a_line_for_each_reason_in_the_order_of_the_first() -> None:
    full, retry = "the session's 2 todos are used up", "t1 is not tried again: it failed 3 times"
    refused = (refuse_todo("a", full), retry, refuse_todo("b", "the depth of 3 is reached"), refuse_todo("c", full))
    assert list_refusals(refused) == (
        f"2 todos are not added: {full}: 'a', 'c'",
        retry,
        "'b' is not added: the depth of 3 is reached",
    )


def test_of_many_refusals_the_first_few_are_named() -> None:
    refused = [refuse_todo(f"Find {number}.", "the depth of 3 is reached") for number in range(1_003)]
    assert list_refusals(refused) == (
        "1,003 todos are not added: the depth of 3 is reached: 'Find 0.', 'Find 1.', 'Find 2.' and 1,000 more",
    )
    assert list_refusals(()) == ()

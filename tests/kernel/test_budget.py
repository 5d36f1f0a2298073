from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.cost import Budget, Spend
from quaestor.kernel.budget import exceeded_limit


def test_the_limit_that_refuses_is_named() -> None:
    budget = Budget(tokens=100, dollars=Decimal("0.10"), reserve_share=0.2)
    spent = Spend(tokens=70, dollars=Decimal("0.07"))
    assert exceeded_limit(budget, spent, Spend(tokens=10), uses_reserve=False) is None
    assert exceeded_limit(budget, spent, Spend(tokens=11), uses_reserve=False) == (
        "tokens: 100; the next call may take 11, and 10 is left beside the reserve"
    )
    assert exceeded_limit(budget, spent, Spend(tokens=30), uses_reserve=True) is None
    assert exceeded_limit(budget, spent, Spend(dollars=Decimal("0.02")), uses_reserve=False) == (
        "dollars: 0.10; the next call may take 0.02, and 0.01 is left beside the reserve"
    )
    full = Budget(model_calls=4, reserve_share=0.2)  # of which three and a fraction are for gathering
    assert exceeded_limit(full, Spend(model_calls=3), Spend(model_calls=1), uses_reserve=False) == "model_calls: 4"
    assert exceeded_limit(Budget(), spent, Spend(tokens=10**9), uses_reserve=False) is None
    assert exceeded_limit(Budget(model_calls=0), spent, Spend(tool_calls=1), uses_reserve=False) is None


@given(st.integers(0, 50), st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=30))
def test_no_limit_is_ever_exceeded_and_the_share_is_kept(limit: int, wants: list[tuple[int, bool]]) -> None:
    budget = Budget(tokens=limit, reserve_share=0.2)
    spent = gathered = Spend()
    for tokens, writing in wants:
        if exceeded_limit(budget, spent, Spend(tokens=tokens), uses_reserve=writing) is None:
            spent += Spend(tokens=tokens)
            gathered += Spend(tokens=0 if writing else tokens)
    assert spent.tokens <= limit
    assert gathered.tokens <= limit * Decimal("0.8")

from typing import ClassVar, Literal

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import PortfolioGiven, PortfolioOf, PortfolioState


class GetPortfolioState:
    """Says what the portfolio holds; a `Tool`. The account is a fold of the log, which the workflow hands in."""

    name: ClassVar[str] = "get_portfolio_state"
    description: ClassVar[str] = "Gives cash, holdings, open orders and what all is worth."
    takes: ClassVar[type[Noun]] = PortfolioGiven
    gives: ClassVar[type[Noun]] = PortfolioState
    repeatable: ClassVar[bool] = True
    pure: ClassVar[Literal[True]] = True
    spend: ClassVar[Spend] = Spend()

    async def run(self, given: Noun) -> PortfolioState:
        """Give the portfolio at the cycle's prices."""
        if not isinstance(given, PortfolioOf):
            raise ToolFailed(
                f"get_portfolio_state takes a PortfolioOf, not a {type(given).__name__}; hand in the account"
            )
        held = given.portfolio
        return PortfolioState(cash=held.cash, holdings=held.holdings, open_orders=held.open_orders, equity=given.equity)

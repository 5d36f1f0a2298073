"""What a call costs at most, and what it cost where the server does not say."""

from decimal import Decimal

from quaestor.contracts.budget import Spend
from quaestor.contracts.price import Price
from quaestor.models.chat.wire import Body, encoded

_A_MESSAGE = 16
"""Tokens that mark where a message begins and ends and who speaks; published chat templates use three to seven."""
_A_CALL = 600
"""Tokens a server may add of its own: the most that is published is Anthropic's tool preamble for Opus 3, 530."""


def most(body: Body, output: int, price: Price | None) -> Spend:
    """Give the most a call can cost that sends this body and gets at most `output` tokens back.

    A token stands for at least one byte of what is sent, so there are no more tokens than bytes. Without a price the
    dollars are 0.
    """
    given = len(encoded(body)) + _A_MESSAGE * len(body.messages) + _A_CALL
    dollars = price.most(given, output) if price else Decimal(0)
    return Spend(model_calls=1, tokens=given + output, dollars=dollars)

"""The roles of a decision cycle, played by rules: the same numbers give the same decision."""

from quaestor.models.offline.deciding.managing import manage
from quaestor.models.offline.deciding.quantifying import quantify
from quaestor.models.offline.deciding.strategising import look, strategise

__all__ = ["look", "manage", "quantify", "strategise"]

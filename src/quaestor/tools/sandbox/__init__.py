from quaestor.tools.sandbox.choice import Choice, choose
from quaestor.tools.sandbox.glue import Glue

__all__ = ["Choice", "Glue", "choose"]

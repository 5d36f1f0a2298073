"""Pure renderings of the log: no effects, no clock."""

"""Pure renderings of what the log says: no effects, no clock."""

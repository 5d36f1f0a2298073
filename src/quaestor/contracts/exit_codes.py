"""The exit codes of the program, beside those of the errors in `errors.py`."""

FAILED = 1
USAGE = 2
BUDGET_REACHED = 4
WAITING = 5
INTERRUPTED = 130

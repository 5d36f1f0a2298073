"""The exit codes that belong to no error; the others are the `exit_code` of the error tree."""

FAILED = 1
USAGE = 2
BUDGET_REACHED = 4
WAITING = 5
INTERRUPTED = 130

"""The commands of long tasks by name; each is imported when it is called."""

COMMANDS = {
    "task": "quaestor.longtask.commands.task:task",
    "rebuild": "quaestor.longtask.commands.task:rebuild",
}

"""The commands of research by name; each is imported when it is called."""

COMMANDS = {
    "research": "quaestor.research.commands.research:research",
    "ask": "quaestor.research.commands.follow_up:ask",
    "refresh": "quaestor.research.commands.follow_up:refresh",
    "revise": "quaestor.research.commands.follow_up:revise",
    "plan": "quaestor.research.commands.plan:plan",
    "retry": "quaestor.research.commands.plan:retry",
    "demo": "quaestor.research.commands.demo:demo",
}

"""What the launcher is told: one argument for each, `name=value`, and after `--` the command."""


class Orders:
    """How one command is to be confined; `control` is the descriptor that its starter holds the other end of."""

    def __init__(self, arguments: list[str]) -> None:
        cut = arguments.index("--")
        given: dict[str, list[str]] = {}
        for argument in arguments[:cut]:
            name, _, value = argument.partition("=")
            given.setdefault(name, []).append(value)
        self.command = arguments[cut + 1 :]
        self.control = int(given["control"][0])
        self.workspace = given["workspace"][0]
        self.alone = given["alone"] == ["yes"]
        self.landlock = int(given["landlock"][0])
        self.seconds = float(given["seconds"][0])
        self.memory = int(given["memory"][0])
        self.processes = int(given["processes"][0])
        self.disk = int(given["disk"][0])
        self.readable = given.get("readable", [])
        self.writable = given.get("writable", [])
        self.volatile = given.get("volatile", [])
        self.scratch = given["scratch"][0]
        self.environment = dict(pair.split("=", 1) for pair in given.get("environment", []))

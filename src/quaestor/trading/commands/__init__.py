"""The commands of decision sessions by name; each is imported when it is called."""

COMMANDS = {
    "decide": "quaestor.trading.commands.cycles:decide",
    "backtest": "quaestor.trading.commands.backtest:backtest",
    "cycles": "quaestor.trading.commands.cycles:cycles",
}

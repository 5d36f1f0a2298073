from quaestor.storage.sqlite.connection import Database


class SqliteReplies:
    """The `Replies` port over one SQLite connection."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, call: str) -> str | None:
        """Give the reply that was kept for this call, or None."""
        return next(
            (reply for (reply,) in self._database.rows("SELECT reply FROM replies WHERE call = ?", (call,))), None
        )

    async def remember(self, call: str, reply: str) -> None:
        """Keep the reply to a call; the first one stays."""
        with self._database.writing():
            self._database.run(
                "INSERT INTO replies (call, reply) VALUES (?, ?) ON CONFLICT (call) DO NOTHING", (call, reply)
            )

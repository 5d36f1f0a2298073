"""The tables of a server's access: `tokens`, by the hash of their secret, and `requests` that are answered once."""

from collections.abc import Sequence
from datetime import datetime

from quaestor.contracts.access import AccessToken, RepeatableRequest
from quaestor.contracts.errors import UsageError
from quaestor.contracts.source import Sha256
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.database import Database, ResultRow, performed

_TOKENS = "SELECT name, kind, scope, tenant, created_at, expires_at, revoked_at FROM tokens "


class SqlAccess:
    """The `AccessStore` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @performed
    def add_token(self, token: AccessToken, secret: Sha256) -> None:
        """Add a token with the hash of its secret. Raises UsageError for a name that is in use."""
        with self._database.writing():
            added = self._database.run(
                "INSERT INTO tokens (sha256, name, kind, scope, tenant, created_at, expires_at, revoked_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (
                    secret,
                    token.name,
                    token.kind,
                    token.scope,
                    token.tenant,
                    format_timestamp(token.created_at),
                    format_timestamp(token.expires_at) if token.expires_at else None,
                    format_timestamp(token.revoked_at) if token.revoked_at else None,
                ),
            )
        if not added:
            raise UsageError(f"there is a token {quote_for_message(token.name)} already; choose another name")

    @performed
    def find_token(self, secret: Sha256) -> AccessToken | None:
        """Return the token whose secret has this hash, also one that is expired or revoked, or None."""
        row = self._database.row(_TOKENS + "WHERE sha256 = ?", (secret,))
        return _parse_token(row) if row else None

    @performed
    def tokens(self) -> Sequence[AccessToken]:
        """Return all tokens in order of their creation."""
        return [_parse_token(row) for row in self._database.rows(_TOKENS + "ORDER BY created_at, name")]

    @performed
    def revoke_token(self, name: str, at: datetime) -> None:
        """Revoke a token; a second call changes nothing. Raises UsageError for a name that no token has."""
        with self._database.writing():
            changed = self._database.run(
                "UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE name = ?", (format_timestamp(at), name)
            )
        if not changed:
            raise UsageError(f"there is no token {quote_for_message(name)}")

    @performed
    def find_request(self, tenant: str, key: str) -> RepeatableRequest | None:
        """Return the request that a tenant made under a key, or None."""
        return self._request(tenant, key)

    @performed
    def put_request(self, request: RepeatableRequest, at: datetime) -> RepeatableRequest:
        """Keep a request unless there is one under its key; return the one that is kept."""
        with self._database.writing():
            self._database.run(
                "INSERT INTO requests (tenant, key, body, session_id, anchor, at) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (
                    *(request.tenant, request.key, request.body),
                    *(request.session_id, request.anchor, format_timestamp(at)),
                ),
            )
        return self._request(request.tenant, request.key) or request

    def _request(self, tenant: str, key: str) -> RepeatableRequest | None:
        row = self._database.row(
            "SELECT body, session_id, anchor FROM requests WHERE tenant = ? AND key = ?", (tenant, key)
        )
        return RepeatableRequest(tenant=tenant, key=key, body=row[0], session_id=row[1], anchor=row[2]) if row else None


def _parse_token(row: ResultRow) -> AccessToken:
    name, kind, scope, tenant, created_at, expires_at, revoked_at = row
    return AccessToken(
        name=name,
        kind=kind,
        scope=scope,
        tenant=tenant,
        created_at=parse_timestamp(created_at),
        expires_at=parse_timestamp(expires_at) if expires_at else None,
        revoked_at=parse_timestamp(revoked_at) if revoked_at else None,
    )

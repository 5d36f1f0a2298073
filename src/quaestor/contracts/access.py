"""Who may use a server: tokens, their scopes and tenants, and the requests that are answered once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Protocol

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.session import LOCAL_TENANT
from quaestor.contracts.source import Sha256

Scope = Literal["read", "run", "admin"]
"""What a token allows; each scope includes those before it."""

_SCOPES: tuple[Scope, ...] = ("read", "run", "admin")

AccessName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
"""The name of a token, a tenant or a collection: also safe as the name of a folder."""


class AccessToken(Contract):
    """A token of a program, or the login of a browser, without its secret."""

    name: AccessName
    kind: Literal["token", "browser"] = "token"
    scope: Scope
    tenant: AccessName = Field(default=LOCAL_TENANT, description="Whose sessions it sees and begins.")
    created_at: datetime
    expires_at: datetime | None = Field(default=None, description="None: never.")
    revoked_at: datetime | None = None

    def is_active(self, now: datetime) -> bool:
        """Return whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def allows(self, scope: Scope) -> bool:
        """Return whether its scope includes another one."""
        return _SCOPES.index(scope) <= _SCOPES.index(self.scope)


class RepeatableRequest(Contract):
    """A request that took a turn under a key of its client, so that its repetition takes no other."""

    tenant: str
    key: str
    body: Sha256 = Field(description="Of the request, so that another one under the same key is refused.")
    session_id: str
    anchor: int = Field(default=0, description="Of the turn in its session; 0: the first.")


class AccessStore(Protocol):
    """The store of tokens and of repeatable requests. Secrets are kept as hashes alone."""

    async def add_token(self, token: AccessToken, secret: Sha256) -> None:
        """Add a token with the hash of its secret. Raises UsageError for a name that is in use."""

    async def find_token(self, secret: Sha256) -> AccessToken | None:
        """Return the token whose secret has this hash, also one that is expired or revoked, or None."""

    async def tokens(self) -> Sequence[AccessToken]:
        """Return all tokens in order of their creation."""

    async def revoke_token(self, name: str, at: datetime) -> None:
        """Revoke a token; a second call changes nothing. Raises UsageError for a name that no token has."""

    async def find_request(self, tenant: str, key: str) -> RepeatableRequest | None:
        """Return the request that a tenant made under a key, or None."""

    async def put_request(self, request: RepeatableRequest, at: datetime) -> RepeatableRequest:
        """Keep a request unless there is one under its key; return the one that is kept."""

"""Access to the sessions of a home over a network: tokens of programs, and logins of browsers."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from secrets import token_hex, token_urlsafe
from typing import NamedTuple

from pydantic import ValidationError

from quaestor.app.shorthands import Quaestor
from quaestor.app.turns.turns import TurnRef
from quaestor.contracts.access import AccessToken, RepeatableRequest, Scope
from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import LOCAL_TENANT

_SECRET_PREFIX = "quaestor_"  # noqa: S105 -- the secret follows it
"""How secrets begin, so that scanners of sources find one that was committed."""
_SECRET_BYTES = 32
_LOGIN_LIFETIME = timedelta(days=30)


class IssuedToken(NamedTuple):
    """A token with its secret, which is known only now: the store keeps its hash."""

    secret: str
    token: AccessToken


async def add_token(
    quaestor: Quaestor, name: str, scope: Scope, lifetime: timedelta | None = None, tenant: str = LOCAL_TENANT
) -> IssuedToken:
    """Add a token for a program. Raises UsageError for a name that is in use or cannot be one."""
    now = quaestor.clock.now()
    try:
        token = AccessToken(
            name=name, scope=scope, tenant=tenant, created_at=now, expires_at=now + lifetime if lifetime else None
        )
    except (ValidationError, OverflowError) as error:
        raise UsageError(
            f"no token {name!r} can be made for the tenant {tenant!r}: both names are 1 to 64 letters, digits, dots, "
            "dashes and underscores, and it expires before the year 10000"
        ) from error
    return await _issue(quaestor, token)


async def log_in(quaestor: Quaestor) -> IssuedToken:
    """Add the login of a browser of whoever works on this machine; it can be listed and revoked as a token."""
    now = quaestor.clock.now()
    name = f"browser-{now:%Y%m%d-%H%M%S}-{token_hex(3)}"
    login = AccessToken(name=name, kind="browser", scope="admin", created_at=now, expires_at=now + _LOGIN_LIFETIME)
    return await _issue(quaestor, login)


async def authenticate(quaestor: Quaestor, secret: str) -> AccessToken | None:
    """Return the token that has a secret; None where there is none, or it is expired or revoked."""
    token = await quaestor.access.find_token(_hash(secret))
    return token if token and token.is_active(quaestor.clock.now()) else None


async def list_tokens(quaestor: Quaestor) -> Sequence[AccessToken]:
    """Return all tokens in order of their creation, without their secrets."""
    return await quaestor.access.tokens()


async def has_active_tokens(quaestor: Quaestor) -> bool:
    """Return whether a program could use a server of this home."""
    now = quaestor.clock.now()
    return any(token.kind == "token" and token.is_active(now) for token in await quaestor.access.tokens())


async def revoke_token(quaestor: Quaestor, name: str) -> None:
    """Revoke a token. Raises UsageError for a name that no token has."""
    await quaestor.access.revoke_token(name, quaestor.clock.now())


async def find_repeated(quaestor: Quaestor, key: str, body: bytes) -> TurnRef | None:
    """Return the turn that the tenant took under a key; None for a new key.

    Raises UsageError where the request under the key was another one.
    """
    known = await quaestor.access.find_request(quaestor.tenant or LOCAL_TENANT, key)
    if known and known.body != sha256(body).hexdigest():
        raise UsageError(f"the key {key!r} was used for another request; take a new key for this one")
    return TurnRef(known.session_id, known.anchor) if known else None


async def remember_request(quaestor: Quaestor, key: str, body: bytes, ref: TurnRef) -> TurnRef:
    """Keep which turn a request took under a key; return the turn of the first such request."""
    request = RepeatableRequest(
        tenant=quaestor.tenant or LOCAL_TENANT,
        key=key,
        body=sha256(body).hexdigest(),
        session_id=ref.session_id,
        anchor=ref.anchor,
    )
    kept = await quaestor.access.put_request(request, quaestor.clock.now())
    return TurnRef(kept.session_id, kept.anchor)


async def _issue(quaestor: Quaestor, token: AccessToken) -> IssuedToken:
    secret = f"{_SECRET_PREFIX}{token_urlsafe(_SECRET_BYTES)}"
    await quaestor.access.add_token(token, _hash(secret))
    return IssuedToken(secret, token)


def _hash(secret: str) -> str:
    """Return what is kept of a secret; it is random, so that a fast hash is enough."""
    return sha256(secret.encode(errors="surrogateescape")).hexdigest()

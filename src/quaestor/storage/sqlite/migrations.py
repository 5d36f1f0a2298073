"""The schema, as the named steps that lead to it. A step that was released is never changed; a new one follows it."""

from collections.abc import Sequence

from quaestor.contracts.errors import SetupError
from quaestor.storage.sqlite.connection import APPLICATION_ID, Database
from quaestor.version import __version__

Migration = tuple[str, str]
"""A name and its SQL."""

_SET_APPLICATION_ID = f"PRAGMA application_id = {APPLICATION_ID};"

_SESSIONS = """
CREATE TABLE migrations (
  name     TEXT PRIMARY KEY,
  version  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id          TEXT PRIMARY KEY,
  task_key    TEXT NOT NULL,
  workflow    TEXT NOT NULL,
  question    TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  events      INTEGER NOT NULL,
  cycle       INTEGER NOT NULL,
  last_at     TEXT,
  outcome     TEXT,
  head        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_task ON sessions (task_key);

CREATE TABLE blobs (
  sha256  TEXT PRIMARY KEY,
  size    INTEGER NOT NULL,
  data    BLOB NOT NULL
) STRICT;

CREATE TABLE events (
  session_id  TEXT NOT NULL REFERENCES sessions (id),
  seq         INTEGER NOT NULL,
  cycle       INTEGER NOT NULL,
  at          TEXT NOT NULL,
  state       TEXT NOT NULL,
  type        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  body        TEXT,
  blob        TEXT REFERENCES blobs (sha256),
  previous    TEXT NOT NULL,
  hash        TEXT NOT NULL,
  PRIMARY KEY (session_id, seq),
  CHECK ((body IS NULL) <> (blob IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  session_id  TEXT PRIMARY KEY REFERENCES sessions (id),
  epoch       INTEGER NOT NULL,
  host        TEXT NOT NULL,
  pid         INTEGER NOT NULL,
  started     TEXT NOT NULL,
  expires_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW events_readable AS
SELECT session_id, seq, cycle, at, state, type, version,
       coalesce(body, CAST(sqlar_uncompress(blobs.data, blobs.size) AS TEXT)) AS body
FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob;
"""

_LIBRARY = """
CREATE TABLE sources (
  sha256        TEXT PRIMARY KEY REFERENCES blobs (sha256),
  title         TEXT NOT NULL,
  uri           TEXT NOT NULL,
  media_type    TEXT NOT NULL,
  characters    INTEGER NOT NULL,
  retrieved_at  TEXT NOT NULL
) STRICT;

CREATE TABLE corpora (
  number      INTEGER PRIMARY KEY,
  roots       TEXT NOT NULL UNIQUE,
  generation  INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
  corpus       INTEGER NOT NULL REFERENCES corpora (number),
  uri          TEXT NOT NULL,
  title        TEXT NOT NULL,
  size         INTEGER NOT NULL,
  modified_ns  INTEGER NOT NULL,
  source       TEXT REFERENCES sources (sha256),
  skipped      TEXT,
  PRIMARY KEY (corpus, uri),
  CHECK ((source IS NULL) <> (skipped IS NULL))
) STRICT;

CREATE INDEX documents_by_source ON documents (corpus, source);

CREATE TABLE passages (
  id       INTEGER PRIMARY KEY,
  corpus   INTEGER NOT NULL REFERENCES corpora (number),
  source   TEXT NOT NULL REFERENCES sources (sha256),
  start    INTEGER NOT NULL,
  "end"    INTEGER NOT NULL,
  heading  TEXT NOT NULL
) STRICT;

CREATE INDEX passages_by_source ON passages (corpus, source);
"""

_REPLIES = """
CREATE TABLE replies (
  call   TEXT PRIMARY KEY,
  reply  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_DATES_AND_PAGES = """
ALTER TABLE sources ADD COLUMN published TEXT;
ALTER TABLE sources ADD COLUMN pages TEXT NOT NULL DEFAULT '[]';
"""

_COMMANDS = """
CREATE TABLE commands (
  session_id  TEXT NOT NULL REFERENCES sessions (id),
  number      INTEGER NOT NULL,
  at          TEXT NOT NULL,
  body        TEXT NOT NULL,
  settled     TEXT CHECK (settled IN ('obeyed', 'refused')),
  refusal     TEXT,
  PRIMARY KEY (session_id, number),
  CHECK ((settled IS 'refused') = (refusal IS NOT NULL))
) STRICT;

CREATE INDEX commands_waiting ON commands (session_id, number) WHERE settled IS NULL;
"""

_VECTORS = """
CREATE TABLE vectors (
  model   TEXT NOT NULL,
  sha256  TEXT NOT NULL,
  vector  BLOB NOT NULL,
  PRIMARY KEY (model, sha256)
) STRICT;
"""

_TODOS_AND_OUTCOMES = """
ALTER TABLE events ADD COLUMN todo_id TEXT;

PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'state, type', 'state, todo_id, type') WHERE name = 'events_readable';
PRAGMA writable_schema = RESET;

UPDATE sessions SET outcome = 'no_result' WHERE outcome = 'no_evidence';
"""
# The view is changed in its place: SQLite's integrity check passes over unused pages where a view is the newest table.

_TENANTS = """
ALTER TABLE sessions ADD COLUMN tenant TEXT NOT NULL DEFAULT 'local';

CREATE INDEX sessions_by_time ON sessions (created_at, id);

CREATE TABLE tokens (
  sha256      TEXT PRIMARY KEY,
  name        TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind IN ('token', 'browser')),
  scope       TEXT NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
  tenant      TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  expires_at  TEXT,
  revoked_at  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  tenant      TEXT NOT NULL,
  key         TEXT NOT NULL,
  body        TEXT NOT NULL,
  session_id  TEXT NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
"""

_SESSION_STATUS = """
ALTER TABLE sessions ADD COLUMN status TEXT;
ALTER TABLE sessions ADD COLUMN progress TEXT;

CREATE INDEX leases_held ON leases (session_id) WHERE expires_at <> '1970-01-01T00:00:00.000000Z';
"""

MIGRATIONS: Sequence[Migration] = (
    ("0001_sessions", _SET_APPLICATION_ID + _SESSIONS),
    ("0002_library", _LIBRARY),
    ("0003_replies", _REPLIES),
    ("0004_dates_and_pages", _DATES_AND_PAGES),
    ("0005_commands", _COMMANDS),
    ("0006_vectors", _VECTORS),
    ("0007_todos_and_outcomes", _TODOS_AND_OUTCOMES),
    ("0008_tenants_and_tokens", _TENANTS),
    ("0009_session_status", _SESSION_STATUS),
)


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the steps a database has not had, each in one transaction with its record.

    Raises SetupError, before anything is changed, when a newer release already took steps unknown to this one.
    """
    taken = _applied_migrations(database)
    newer = {name: version for name, version in taken.items() if name not in dict(migrations)}
    if newer:
        name, version = max(newer.items())
        raise SetupError(
            f"{database.path} was written by Quaestor {version} (step {name}), which is newer than this "
            f"{__version__}; install quaestor>={version}, or use another home"
        )
    for name, script in migrations:
        if name not in taken:
            _apply_migration(database, name, script)


def _apply_migration(database: Database, name: str, script: str) -> None:
    with database.writing():
        if name in _applied_migrations(database):
            return  # another process that opened the store at the same time was first
        database.run(script)
        database.run("INSERT INTO migrations (name, version) VALUES (?, ?)", (name, __version__))


def _applied_migrations(database: Database) -> dict[str, str]:
    if not database.rows("SELECT name FROM sqlite_schema WHERE name = 'migrations'"):
        return {}
    return dict(database.rows("SELECT name, version FROM migrations"))

-- Generated: what the migrations up to 0019 come to, so that a new store need not go through each of them.
-- tests/storage/sqlite/test_migrations.py compares the two.

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
, tenant TEXT NOT NULL DEFAULT 'local', status TEXT, progress TEXT, queued_at TEXT, due_at TEXT, dollars TEXT, folder TEXT) STRICT, WITHOUT ROWID;

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
  hash        TEXT NOT NULL, todo_id TEXT,
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
SELECT session_id, seq, cycle, at, state, todo_id, type, version,
       coalesce(body, CAST(sqlar_uncompress(blobs.data, blobs.size) AS TEXT)) AS body
FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob;

CREATE TABLE "texts" (
  sha256        TEXT PRIMARY KEY REFERENCES blobs (sha256),
  characters    INTEGER NOT NULL) STRICT;

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
  source       TEXT REFERENCES "texts" (sha256),
  skipped      TEXT, media_type TEXT NOT NULL DEFAULT '', retrieved_at TEXT NOT NULL DEFAULT '', published TEXT, pages TEXT NOT NULL DEFAULT '[]', form INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (corpus, uri),
  CHECK ((source IS NULL) <> (skipped IS NULL))
) STRICT;

CREATE INDEX documents_by_source ON documents (corpus, source);

CREATE TABLE passages (
  id       INTEGER PRIMARY KEY,
  corpus   INTEGER NOT NULL REFERENCES corpora (number),
  source   TEXT NOT NULL REFERENCES "texts" (sha256),
  start    INTEGER NOT NULL,
  "end"    INTEGER NOT NULL,
  heading  TEXT NOT NULL
) STRICT;

CREATE INDEX passages_by_source ON passages (corpus, source);

CREATE TABLE replies (
  call   TEXT PRIMARY KEY,
  reply  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE vectors (
  model   TEXT NOT NULL,
  sha256  TEXT NOT NULL,
  vector  BLOB NOT NULL,
  PRIMARY KEY (model, sha256)
) STRICT;

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
  at          TEXT NOT NULL, anchor INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_by_blob ON events (blob) WHERE blob IS NOT NULL;

CREATE TABLE session_corpora (
  session_id  TEXT NOT NULL,
  corpus      INTEGER NOT NULL,
  PRIMARY KEY (session_id, corpus)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_corpus ON session_corpora (corpus);

CREATE TABLE session_sources (
  session_id    TEXT NOT NULL,
  source        TEXT NOT NULL REFERENCES texts (sha256),
  title         TEXT NOT NULL,
  uri           TEXT NOT NULL,
  media_type    TEXT NOT NULL,
  retrieved_at  TEXT NOT NULL,
  published     TEXT,
  pages         TEXT NOT NULL,
  PRIMARY KEY (session_id, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_source ON session_sources (source);

CREATE VIEW sources AS
SELECT sha256, title, uri, media_type, characters, min(retrieved_at) AS retrieved_at, published, pages
FROM texts LEFT JOIN (
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM session_sources
  UNION ALL
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM documents
) ON source = sha256
GROUP BY sha256;

CREATE TABLE session_workspaces (
  session_id  TEXT NOT NULL,
  name        TEXT NOT NULL,
  PRIMARY KEY (session_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  session_id   TEXT PRIMARY KEY,
  tenant       TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  erased_at    TEXT NOT NULL,
  events       INTEGER NOT NULL,
  head         TEXT NOT NULL,
  corpora      TEXT NOT NULL,
  workspaces   TEXT NOT NULL,
  finished_at  TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE signatures (
  session_id  TEXT NOT NULL,
  events      INTEGER NOT NULL,
  head        TEXT NOT NULL,
  key         TEXT NOT NULL,
  signed_at   TEXT NOT NULL,
  signature   TEXT NOT NULL,
  PRIMARY KEY (session_id, events, head, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX leases_held ON leases (session_id) WHERE expires_at <> '1970-01-01T00:00:00.000000Z';

CREATE TABLE snapshots (
  session_id  TEXT NOT NULL,
  name        TEXT NOT NULL,
  events      INTEGER NOT NULL,
  head        TEXT NOT NULL,
  fold        TEXT NOT NULL,
  sha256      TEXT NOT NULL,
  size        INTEGER NOT NULL,
  data        BLOB NOT NULL,
  PRIMARY KEY (session_id, name, events)
) STRICT;

CREATE INDEX events_by_type ON events (session_id, type, seq);

CREATE INDEX sessions_running ON sessions (id, tenant, created_at, queued_at)
WHERE status IN ('running', 'stopped') AND outcome IS NULL;

CREATE INDEX sessions_due ON sessions (due_at) WHERE status = 'paused' AND due_at IS NOT NULL AND outcome IS NULL;

CREATE TABLE workers (
  host     TEXT NOT NULL,
  pid      INTEGER NOT NULL,
  started  TEXT NOT NULL,
  places   INTEGER NOT NULL,
  since    TEXT NOT NULL,
  seen_at  TEXT NOT NULL,
  carried  INTEGER NOT NULL,
  drains   INTEGER NOT NULL,
  PRIMARY KEY (host, pid, started)
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_limits (
  provider      TEXT PRIMARY KEY,
  paused_until  REAL NOT NULL,
  request_at    REAL NOT NULL,
  token_at      REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE provider_slots (
  provider  TEXT NOT NULL,
  number    INTEGER NOT NULL,
  until     REAL NOT NULL,
  PRIMARY KEY (provider, number)
) STRICT, WITHOUT ROWID;

"""The schema, as the named steps that lead to it. A step that was released is never changed; a new one follows it.

The tables are those of SQLite, with the same columns, but for the full-text index. Events name no session by a foreign
key, as the row of a session that is erased goes before them.
"""

from collections.abc import Sequence

from quaestor.contracts.errors import SetupError
from quaestor.storage.errors import newer_release
from quaestor.storage.postgres.connection import PostgresDatabase
from quaestor.version import __version__

Migration = tuple[str, str]
"""A name and its SQL."""

_SESSIONS = """
CREATE TABLE sessions (
  id          TEXT COLLATE "C" PRIMARY KEY,
  task_key    TEXT NOT NULL,
  workflow    TEXT NOT NULL,
  question    TEXT COLLATE "C" NOT NULL,
  created_at  TEXT COLLATE "C" NOT NULL,
  events      BIGINT NOT NULL,
  cycle       BIGINT NOT NULL,
  last_at     TEXT,
  outcome     TEXT,
  head        TEXT NOT NULL,
  tenant      TEXT NOT NULL,
  status      TEXT,
  progress    TEXT
) WITH (fillfactor = 70);

CREATE INDEX sessions_by_task ON sessions (task_key);
CREATE INDEX sessions_by_time ON sessions (created_at, id);

CREATE TABLE blobs (
  sha256  TEXT COLLATE "C" PRIMARY KEY,
  size    BIGINT NOT NULL,
  data    BYTEA NOT NULL
);
ALTER TABLE blobs ALTER data SET STORAGE EXTERNAL;

CREATE TABLE events (
  session_id  TEXT COLLATE "C" NOT NULL,
  seq         BIGINT NOT NULL,
  cycle       BIGINT NOT NULL,
  at          TEXT NOT NULL,
  state       TEXT NOT NULL,
  type        TEXT COLLATE "C" NOT NULL,
  version     BIGINT NOT NULL,
  body        TEXT,
  blob        TEXT COLLATE "C" REFERENCES blobs (sha256),
  previous    TEXT NOT NULL,
  hash        TEXT NOT NULL,
  todo_id     TEXT,
  PRIMARY KEY (session_id, seq),
  CHECK ((body IS NULL) <> (blob IS NULL))
);

CREATE INDEX events_by_blob ON events (blob) WHERE blob IS NOT NULL;

CREATE TABLE leases (
  session_id  TEXT COLLATE "C" PRIMARY KEY,
  epoch       BIGINT NOT NULL,
  host        TEXT NOT NULL,
  pid         BIGINT NOT NULL,
  started     TEXT NOT NULL,
  expires_at  TEXT NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX leases_held ON leases (session_id) WHERE expires_at <> '1970-01-01T00:00:00.000000Z';

CREATE TABLE commands (
  session_id  TEXT COLLATE "C" NOT NULL,
  number      BIGINT NOT NULL,
  at          TEXT NOT NULL,
  body        TEXT NOT NULL,
  settled     TEXT CHECK (settled IN ('obeyed', 'refused')),
  refusal     TEXT,
  PRIMARY KEY (session_id, number),
  CHECK ((settled IS NOT DISTINCT FROM 'refused') = (refusal IS NOT NULL))
);

CREATE INDEX commands_waiting ON commands (session_id, number) WHERE settled IS NULL;

CREATE TABLE replies (
  call   TEXT COLLATE "C" PRIMARY KEY,
  reply  TEXT NOT NULL
);

CREATE TABLE tombstones (
  session_id   TEXT COLLATE "C" PRIMARY KEY,
  tenant       TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  erased_at    TEXT NOT NULL,
  events       BIGINT NOT NULL,
  head         TEXT NOT NULL,
  corpora      TEXT NOT NULL,
  workspaces   TEXT NOT NULL,
  finished_at  TEXT
);

CREATE TABLE signatures (
  session_id  TEXT COLLATE "C" NOT NULL,
  events      BIGINT NOT NULL,
  head        TEXT NOT NULL,
  key         TEXT NOT NULL,
  signed_at   TEXT COLLATE "C" NOT NULL,
  signature   TEXT NOT NULL,
  PRIMARY KEY (session_id, events, head, key)
);

CREATE TABLE tokens (
  sha256      TEXT COLLATE "C" PRIMARY KEY,
  name        TEXT COLLATE "C" NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind IN ('token', 'browser')),
  scope       TEXT NOT NULL CHECK (scope IN ('read', 'run', 'admin')),
  tenant      TEXT NOT NULL,
  created_at  TEXT COLLATE "C" NOT NULL,
  expires_at  TEXT,
  revoked_at  TEXT
);

CREATE TABLE requests (
  tenant      TEXT NOT NULL,
  key         TEXT NOT NULL,
  body        TEXT NOT NULL,
  session_id  TEXT COLLATE "C" NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (tenant, key)
);

CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT) LANGUAGE sql IMMUTABLE ROWS 20
AS 'SELECT jsonb_array_elements_text(CAST(replace(list, ''\\u0000'', ''\\u0001\\u0002'') AS JSONB)) AS value';
"""
# A character 0 is written as `statements.TextDumper` writes it.

_LIBRARY = """
CREATE TABLE texts (
  sha256      TEXT COLLATE "C" PRIMARY KEY REFERENCES blobs (sha256),
  characters  BIGINT NOT NULL
);

CREATE TABLE corpora (
  number      BIGINT PRIMARY KEY,
  roots       TEXT NOT NULL,
  generation  BIGINT NOT NULL
);

CREATE INDEX corpora_by_roots ON corpora USING hash (roots);

CREATE TABLE documents (
  corpus        BIGINT NOT NULL,
  uri           TEXT COLLATE "C" NOT NULL,
  title         TEXT NOT NULL,
  size          BIGINT NOT NULL,
  modified_ns   BIGINT NOT NULL,
  source        TEXT COLLATE "C" REFERENCES texts (sha256),
  skipped       TEXT,
  media_type    TEXT NOT NULL,
  retrieved_at  TEXT NOT NULL,
  published     TEXT COLLATE "C",
  pages         TEXT NOT NULL,
  PRIMARY KEY (corpus, uri),
  CHECK ((source IS NULL) <> (skipped IS NULL))
);

CREATE INDEX documents_by_source ON documents (source, corpus);

CREATE TABLE passages (
  id       BIGINT PRIMARY KEY,
  corpus   BIGINT NOT NULL,
  source   TEXT COLLATE "C" NOT NULL REFERENCES texts (sha256),
  start    BIGINT NOT NULL,
  "end"    BIGINT NOT NULL,
  heading  TEXT NOT NULL
);

CREATE INDEX passages_by_source ON passages (source, corpus);
CREATE INDEX passages_by_corpus ON passages (corpus, id);

CREATE TABLE session_corpora (
  session_id  TEXT COLLATE "C" NOT NULL,
  corpus      BIGINT NOT NULL,
  PRIMARY KEY (session_id, corpus)
);

CREATE INDEX sessions_by_corpus ON session_corpora (corpus);

CREATE TABLE session_sources (
  session_id    TEXT COLLATE "C" NOT NULL,
  source        TEXT COLLATE "C" NOT NULL REFERENCES texts (sha256),
  title         TEXT NOT NULL,
  uri           TEXT COLLATE "C" NOT NULL,
  media_type    TEXT NOT NULL,
  retrieved_at  TEXT NOT NULL,
  published     TEXT,
  pages         TEXT NOT NULL,
  PRIMARY KEY (session_id, source)
);

CREATE INDEX sessions_by_source ON session_sources (source);

CREATE VIEW sources AS
SELECT DISTINCT ON (sha256) sha256, title, uri, media_type, characters, retrieved_at, published, pages
FROM texts LEFT JOIN (
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM session_sources
  UNION ALL
  SELECT source, title, uri, media_type, retrieved_at, published, pages FROM documents
) AS seen ON source = sha256
ORDER BY sha256, retrieved_at;

CREATE TABLE session_workspaces (
  session_id  TEXT COLLATE "C" NOT NULL,
  name        TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (session_id, name)
);

CREATE TABLE vectors (
  model   TEXT COLLATE "C" NOT NULL,
  sha256  TEXT COLLATE "C" NOT NULL,
  vector  BYTEA NOT NULL,
  PRIMARY KEY (model, sha256)
);

CREATE TABLE passage_terms (
  corpus   BIGINT NOT NULL,
  passage  BIGINT NOT NULL,
  length   INTEGER NOT NULL,
  terms    TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (corpus, passage)
);

CREATE TABLE postings (
  corpus       BIGINT NOT NULL,
  term         TEXT COLLATE "C" NOT NULL,
  first        BIGINT NOT NULL,
  size         BIGINT NOT NULL,
  passages     BIGINT[],
  occurrences  INTEGER[],
  lengths      INTEGER[],
  PRIMARY KEY (corpus, term, first)
);

CREATE INDEX postings_emptied ON postings (corpus) WHERE size = 0;

CREATE FUNCTION index_key(term TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT CASE WHEN octet_length(term) <= 256 THEN term ELSE encode(sha256(convert_to(term, ''UTF8'')), ''hex'') END';
"""

_PROTECTION = """
CREATE FUNCTION keep_events() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM tombstones WHERE session_id = OLD.session_id) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'events are only appended; % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER keep_events BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_events();
CREATE TRIGGER keep_all_events BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION keep_events();

CREATE FUNCTION delete_erased_events(erased TEXT, since BIGINT) RETURNS VOID
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
AS 'DELETE FROM events WHERE session_id = erased AND seq >= since';
"""
# A role that is granted SELECT and INSERT on events alone erases by this function; the owner of the table, who may do
# anything to it, is kept from it by the trigger.

_SNAPSHOTS = """
CREATE TABLE snapshots (
  session_id  TEXT COLLATE "C" PRIMARY KEY,
  events      BIGINT NOT NULL,
  head        TEXT COLLATE "C" NOT NULL,
  fold        TEXT COLLATE "C" NOT NULL,
  sha256      TEXT COLLATE "C" NOT NULL,
  size        BIGINT NOT NULL,
  data        BYTEA NOT NULL
);
"""

_RUNNING_SESSIONS = """
CREATE INDEX sessions_running ON sessions (id, tenant, created_at)
WHERE status IN ('running', 'stopped') AND outcome IS NULL;
"""

# Several of a session, by name and place. It is a cache: what was in it is folded again.
_NAMED_SNAPSHOTS = """
DROP TABLE snapshots;

CREATE TABLE snapshots (
  session_id  TEXT COLLATE "C" NOT NULL,
  name        TEXT COLLATE "C" NOT NULL,
  events      BIGINT NOT NULL,
  head        TEXT COLLATE "C" NOT NULL,
  fold        TEXT COLLATE "C" NOT NULL,
  sha256      TEXT COLLATE "C" NOT NULL,
  size        BIGINT NOT NULL,
  data        BYTEA NOT NULL,
  PRIMARY KEY (session_id, name, events)
);
"""

_EVENT_TYPES = """
CREATE INDEX events_by_type ON events (session_id, type, seq);
"""

_QUEUE = """
ALTER TABLE sessions ADD COLUMN queued_at TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN due_at TEXT COLLATE "C";

DROP INDEX sessions_running;
CREATE INDEX sessions_running ON sessions (id, tenant, created_at, queued_at)
WHERE status IN ('running', 'stopped') AND outcome IS NULL;
CREATE INDEX sessions_due ON sessions (due_at) WHERE status = 'paused' AND due_at IS NOT NULL AND outcome IS NULL;

CREATE TABLE workers (
  host     TEXT COLLATE "C" NOT NULL,
  pid      BIGINT NOT NULL,
  started  TEXT COLLATE "C" NOT NULL,
  places   BIGINT NOT NULL,
  since    TEXT COLLATE "C" NOT NULL,
  seen_at  TEXT NOT NULL,
  carried  BIGINT NOT NULL,
  drains   BIGINT NOT NULL,
  PRIMARY KEY (host, pid, started)
) WITH (fillfactor = 70);
"""

_CORPUS_TOTALS = """
CREATE TABLE corpus_totals (
  corpus    BIGINT PRIMARY KEY,
  passages  BIGINT NOT NULL,
  terms     BIGINT NOT NULL
) WITH (fillfactor = 50);

INSERT INTO corpus_totals (corpus, passages, terms)
SELECT corpus, count(*), sum(length) FROM passage_terms GROUP BY corpus;

CREATE FUNCTION count_terms() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO corpus_totals AS known (corpus, passages, terms)
  SELECT corpus, CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END,
         CASE TG_OP WHEN 'DELETE' THEN -sum(length) ELSE sum(length) END
  FROM changed GROUP BY corpus
  ON CONFLICT (corpus) DO UPDATE
  SET passages = known.passages + excluded.passages, terms = known.terms + excluded.terms;
  RETURN NULL;
END
$$;

CREATE TRIGGER count_added_terms AFTER INSERT ON passage_terms REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_terms();
CREATE TRIGGER count_removed_terms AFTER DELETE ON passage_terms REFERENCING OLD TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION count_terms();

ALTER TABLE postings DROP CONSTRAINT postings_pkey, ADD PRIMARY KEY (corpus, term, first) INCLUDE (size);
"""
# A trigger counts, so that a program of an older release that is still connected keeps the totals right too.

_TURNS_OF_REQUESTS = """
ALTER TABLE requests ADD COLUMN anchor BIGINT NOT NULL DEFAULT 0;
"""

_LIMITS = """
CREATE TABLE provider_limits (
  provider      TEXT COLLATE "C" PRIMARY KEY,
  paused_until  FLOAT8 NOT NULL,
  request_at    FLOAT8 NOT NULL,
  token_at      FLOAT8 NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE provider_slots (
  provider  TEXT COLLATE "C" NOT NULL,
  number    BIGINT NOT NULL,
  until     FLOAT8 NOT NULL,
  PRIMARY KEY (provider, number)
) WITH (fillfactor = 70);

CREATE FUNCTION unixepoch(unit TEXT) RETURNS FLOAT8 LANGUAGE sql VOLATILE
AS 'SELECT CAST(extract(epoch FROM clock_timestamp()) AS FLOAT8)';
"""

# NULL is not known: it is folded from the events of the session when it is listed.
_COSTS_AND_FOLDERS = """
ALTER TABLE sessions ADD COLUMN dollars TEXT;
ALTER TABLE sessions ADD COLUMN folder TEXT;
"""

_INDEX_FORM = "ALTER TABLE documents ADD COLUMN form INTEGER NOT NULL DEFAULT 1;"

MIGRATIONS: Sequence[Migration] = (
    ("0001_sessions", _SESSIONS),
    ("0002_library", _LIBRARY),
    ("0003_protection", _PROTECTION),
    ("0004_snapshots", _SNAPSHOTS),
    ("0005_running_sessions", _RUNNING_SESSIONS),
    ("0006_named_snapshots", _NAMED_SNAPSHOTS),
    ("0007_event_types", _EVENT_TYPES),
    ("0008_queue", _QUEUE),
    ("0009_corpus_totals", _CORPUS_TOTALS),
    ("0010_turns_of_requests", _TURNS_OF_REQUESTS),
    ("0011_limits", _LIMITS),
    ("0012_costs_and_folders", _COSTS_AND_FOLDERS),
    ("0013_index_form", _INDEX_FORM),
)
_RECORDS = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY, version TEXT NOT NULL)'


def migrate(database: PostgresDatabase, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the steps that the database has not had, in one transaction; of processes that start at once, one does.

    Raises SetupError, before anything is changed, when a newer release already took steps unknown to this one, and for
    a database whose texts are not in UTF-8.
    """
    due = [step for step in migrations if step[0] not in _applied_migrations(database, migrations)]
    if not due:
        return
    if database.row("SHOW server_encoding") != ("UTF8",):
        raise SetupError(f"the texts of the database {database.path} are not in UTF-8; create one with ENCODING 'UTF8'")
    with database.writing():
        database.lock("migrations")
        database.run(_RECORDS)
        applied = _applied_migrations(database, migrations)
        for name, script in due:
            if name not in applied:
                database.run_script(script)
                database.run("INSERT INTO migrations (name, version) VALUES (?, ?)", (name, __version__))


def _applied_migrations(database: PostgresDatabase, migrations: Sequence[Migration]) -> dict[str, str]:
    """Return the steps that were taken, each with the release that took it. Raises SetupError for unknown ones."""
    if database.row("SELECT to_regclass('migrations') IS NULL") == (True,):
        return {}
    taken: dict[str, str] = dict(database.rows("SELECT name, version FROM migrations"))
    newer = {name: version for name, version in taken.items() if name not in dict(migrations)}
    if newer:
        raise newer_release(database.path, *max(newer.items()))
    return taken

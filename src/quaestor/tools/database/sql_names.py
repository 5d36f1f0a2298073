"""Words of SQL that decide whether a statement is refused: what may begin it, and what it may not name."""

QUERY_KEYWORDS = frozenset({"select", "with", "values", "table"})


OTHER_KEYWORDS = frozenset(
    [
        "alter",
        "analyze",
        "attach",
        "begin",
        "call",
        "commit",
        "copy",
        "create",
        "delete",
        "detach",
        "do",
        "drop",
        "exec",
        "execute",
        "explain",
        "grant",
        "handler",
        "insert",
        "kill",
        "listen",
        "load",
        "lock",
        "merge",
        "notify",
        "optimize",
        "pragma",
        "prepare",
        "reindex",
        "rename",
        "replace",
        "reset",
        "revoke",
        "rollback",
        "savepoint",
        "set",
        "show",
        "shutdown",
        "start",
        "truncate",
        "unlisten",
        "update",
        "use",
        "vacuum",
    ]
)
"""Words that begin a statement which is not a SELECT; anything else that does not begin one is no SQL."""


UNSAFE_FUNCTIONS = frozenset(
    [
        "benchmark",
        "connectby",
        "crosstab",
        "crosstab2",
        "crosstab3",
        "crosstab4",
        "crosstabn",
        "cursor_to_xml",
        "cursor_to_xmlschema",
        "database_to_xml",
        "database_to_xml_and_xmlschema",
        "database_to_xmlschema",
        "dbms_lock",
        "edit",
        "fts3_tokenizer",
        "get_lock",
        "load_extension",
        "load_file",
        "openquery",
        "openrowset",
        "opendatasource",
        "query_to_xml",
        "query_to_xml_and_xmlschema",
        "query_to_xmlschema",
        "readfile",
        "release_lock",
        "schema_to_xml",
        "schema_to_xml_and_xmlschema",
        "schema_to_xmlschema",
        "set_config",
        "sleep",
        "table_to_xml",
        "table_to_xml_and_xmlschema",
        "table_to_xmlschema",
        "ts_stat",
        "utl_file",
        "utl_http",
        "writefile",
        "xpath_table",
    ]
)
"""Functions that run SQL given as text, read or write files, or wait; a database calls some of them harmless."""


CREDENTIAL_TABLES = frozenset(
    [
        "pg_authid",
        "pg_file_settings",
        "pg_hba_file_rules",
        "pg_shadow",
        "pg_subscription",
        "pg_user_mapping",
        "pg_user_mappings",
    ]
)
"""Tables in which Postgres keeps what others log in with."""

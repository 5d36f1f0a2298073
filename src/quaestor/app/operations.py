"""Every operation of the program, with its place on each face: a command, a route and a tool for models.

Tests hold this table against the faces: what a face lacks needs a reason here, and a place that no operation has fails.
"""

from typing import Literal

from quaestor.contracts.immutable import Immutable

_ONE_SESSION = "/api/v1/sessions/{session_id}"
_COMMANDS = f"POST {_ONE_SESSION}/commands"
_PAGE = "/sessions/{session_id}"
_FORM = f"POST {_PAGE}/commands"
_RESPONSES = "/v1/responses"
_ONE_RESPONSE = f"{_RESPONSES}/{{response_id}}"
_ONE_CONVERSATION = "/v1/conversations/{conversation_id}"


class Absent(Immutable):
    """Why a face does not have an operation."""

    reason: str


class Operation(Immutable):
    """One thing that can be done; `kind` is what it is called among the commands to a session."""

    name: str
    cli: tuple[str, ...] | Absent
    """Commands of the program."""
    routes: tuple[str, ...] | Absent
    """Methods and paths."""
    pages: tuple[str, ...] = ()
    """Methods and paths of the web page; none where its pages link to the route, or a person does not need it there."""
    tool: str | None = None
    """The tool of the MCP server; None where a model does not need it, or a person is to decide."""
    kind: str | None = None


_THIS_MACHINE = Absent("it is about the machine or the folder where it is called")
_MANDATE = Absent("a mandate names files and accounts of the machine that trades")
_PYTHON = Absent("each command of the program is a turn of its own")
_FOR_SERVERS = Absent("it is about a server")
_CLIENTS = Absent("it is for clients of the OpenAI API; the program has a command for each thing that they do")
_LOCAL_FILES = Absent("the program reads documents where they are")

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "start",
        ("research", "task", "run"),
        ("POST /api/v1/sessions",),
        pages=("POST /sessions",),
        tool="research_start",
    ),
    Operation("replay", ("research",), ("POST /api/v1/sessions",), pages=(f"POST {_PAGE}/inside/replay",)),
    Operation("demonstrate", ("demo",), Absent("it is `start` over documents that the machine has")),
    Operation("turn", _PYTHON, ("POST /api/v1/turns",)),
    Operation("take turn", _CLIENTS, (f"POST {_RESPONSES}", "POST /v1/chat/completions")),
    Operation("read turn", _CLIENTS, (f"GET {_ONE_RESPONSE}", f"GET {_ONE_RESPONSE}/input_items")),
    Operation("cancel turn", _CLIENTS, (f"POST {_ONE_RESPONSE}/cancel",)),
    Operation("erase turn", _CLIENTS, (f"DELETE {_ONE_RESPONSE}",)),
    Operation("read conversation", _CLIENTS, (f"GET {_ONE_CONVERSATION}",)),
    Operation("erase conversation", _CLIENTS, (f"DELETE {_ONE_CONVERSATION}",)),
    Operation("list models", _CLIENTS, ("GET /v1/models", "GET /v1/models/{model}")),
    Operation("list", ("ps", "search"), ("GET /api/v1/sessions",), pages=("GET /",)),
    Operation("show", ("show",), (f"GET {_ONE_SESSION}",), pages=(f"GET {_PAGE}",)),
    Operation(
        "follow", ("attach",), (f"GET {_ONE_SESSION}/events",), pages=(f"GET {_PAGE}/live",), tool="research_status"
    ),
    Operation("read log", ("events",), (f"GET {_ONE_SESSION}/log",), pages=(f"GET {_PAGE}/inside",)),
    Operation("read event", ("events",), (f"GET {_ONE_SESSION}/log",), pages=(f"GET {_PAGE}/inside/events/{{seq}}",)),
    Operation("answer", ("answer",), (_COMMANDS,), pages=(_FORM,), kind="answer", tool="research_answer"),
    Operation(
        "edit plan", ("plan",), (_COMMANDS,), pages=(f"GET {_PAGE}/plan", f"POST {_PAGE}/plan", _FORM), kind="edit_plan"
    ),
    Operation("review plan", ("plan",), (_COMMANDS,), pages=(_FORM,), kind="review_plan"),
    Operation("pause", ("pause",), (_COMMANDS,), pages=(_FORM,), kind="pause"),
    Operation("resume", ("resume",), (_COMMANDS,), pages=(_FORM,), kind="resume"),
    Operation("finish", ("finish",), (_COMMANDS,), pages=(_FORM,), kind="finish"),
    Operation("cancel", ("cancel",), (_COMMANDS,), pages=(_FORM,), kind="cancel", tool="research_cancel"),
    Operation("raise budget", ("budget",), (_COMMANDS,), pages=(_FORM,), kind="add_budget"),
    Operation(
        "approve for good",
        ("approvals",),
        (f"GET {_ONE_SESSION}/approvals", _COMMANDS),
        pages=(f"GET {_PAGE}", _FORM),
        kind="revoke_approval",
    ),
    Operation("retry", ("retry",), (_COMMANDS,), pages=(_FORM,), kind="retry"),
    Operation("ask", ("ask",), (_COMMANDS,), pages=(_FORM,), kind="ask"),
    Operation("refresh", ("refresh",), (_COMMANDS,), pages=(_FORM,), kind="refresh"),
    Operation("revise", ("revise",), (_COMMANDS,), pages=(_FORM,), kind="revise"),
    Operation("fork", ("fork",), (_COMMANDS,), pages=(_FORM,), kind="fork"),
    Operation("erase", ("rm", "prune"), (f"DELETE {_ONE_SESSION}",), pages=(f"POST {_PAGE}/erase",)),
    Operation(
        "report",
        ("report",),
        (f"GET {_ONE_SESSION}/report", f"GET {_ONE_SESSION}/report.{{form}}"),
        tool="research_result",
        pages=(f"GET {_PAGE}/report",),
    ),
    Operation("export", ("export",), (f"GET {_ONE_SESSION}/exports/{{form}}",)),
    Operation("import", ("import",), _THIS_MACHINE),
    Operation("diff", ("report",), (f"GET {_ONE_SESSION}/diff",), pages=(f"GET {_PAGE}/report/versions",)),
    Operation("plan", ("plan",), (f"GET {_ONE_SESSION}/plan",)),
    Operation("spend", ("spend",), (f"GET {_ONE_SESSION}/spend",), pages=(f"GET {_PAGE}/inside/spend",)),
    Operation("verify", ("verify",), (f"GET {_ONE_SESSION}/verify",)),
    Operation(
        "explain",
        ("explain",),
        (f"GET {_ONE_SESSION}/claims/{{number}}",),
        pages=(f"GET {_PAGE}/report/quotes", f"GET {_PAGE}/report/quotes/{{number}}"),
    ),
    Operation(
        "read source",
        Absent("`explain` prints the words around each quote"),
        (
            "GET /api/v1/sources/{sha256}",
            "GET /api/v1/sources/{sha256}/pages/{number}",
            "GET /api/v1/sources/{sha256}/pages/{number}.png",
        ),
    ),
    Operation("upload", _LOCAL_FILES, ("POST /api/v1/files",), pages=("POST /sessions",)),
    Operation("list uploads", _LOCAL_FILES, ("GET /api/v1/files",)),
    Operation(
        "delete uploads",
        _LOCAL_FILES,
        ("DELETE /api/v1/files/{collection}", "DELETE /api/v1/files/{collection}/{name}"),
    ),
    Operation(
        "estimate cost",
        ("research",),
        Absent("`spend` has the figures"),
        pages=("GET /estimate",),
    ),
    Operation("identify caller", _FOR_SERVERS, ("GET /api/v1/me",)),
    Operation("log in", _FOR_SERVERS, ("GET /login",)),
    Operation("log out", _FOR_SERVERS, ("POST /logout",)),
    Operation(
        "load parts of a page", _FOR_SERVERS, Absent("programs need no page"), pages=("GET /assets/{digest}/{name}",)
    ),
    Operation("monitor", _FOR_SERVERS, ("GET /healthz", "GET /readyz", "GET /metrics")),
    Operation(
        "search documents",
        Absent("`research` shows the passages that answer, and where they are"),
        Absent("a session searches what was uploaded"),
        tool="search_documents",
    ),
    Operation(
        "check quote",
        Absent("`verify` checks every quote of a session"),
        Absent("`verify` checks every quote of a session"),
        tool="verify_quote",
    ),
    Operation("serve", ("serve",), _THIS_MACHINE),
    Operation("serve assistants", ("mcp",), ("POST /mcp",)),
    Operation("manage tokens", ("token",), Absent("who has a token could make itself others")),
    Operation("sign", ("sign",), Absent("the key of the home signs, and nobody else")),
    Operation("back up", ("backup",), _THIS_MACHINE),
    Operation("restore", ("restore",), _THIS_MACHINE),
    Operation("work", ("worker",), _THIS_MACHINE),
    Operation("drain", ("drain",), _THIS_MACHINE),
    Operation("list workers", ("workers",), Absent("it is about the processes of every tenant")),
    Operation("copy store", ("store",), _THIS_MACHINE),
    Operation("rebuild", ("rebuild",), _THIS_MACHINE),
    Operation("copy log", ("follow",), _THIS_MACHINE),
    Operation("read copy", ("copied",), _THIS_MACHINE),
    Operation("list agents", ("agents",), _THIS_MACHINE),
    Operation("draw workflow", ("graph",), _THIS_MACHINE),
    Operation("trust folder", ("trust",), _THIS_MACHINE),
    Operation("open page", ("open",), _THIS_MACHINE),
    Operation("read documentation", ("docs",), _THIS_MACHINE),
    Operation("complete commands", ("completion",), _THIS_MACHINE),
    Operation("set up", ("setup",), _THIS_MACHINE),
    Operation("change settings", ("settings",), _THIS_MACHINE),
    Operation("find models", ("models",), _THIS_MACHINE),
    Operation("check machine", ("doctor",), _THIS_MACHINE),
    Operation("decide", ("decide",), _MANDATE),
    Operation("backtest", ("backtest",), _MANDATE),
    Operation("list cycles", ("cycles",), Absent("`read log` has every cycle"), pages=(f"GET {_PAGE}/work",)),
)

Face = Literal["cli", "routes", "pages"]


def places(face: Face) -> frozenset[str]:
    """Return every command or route of a face that the table knows."""
    return frozenset(place for operation in OPERATIONS for place in _places(operation, face))


def _places(operation: Operation, face: Face) -> tuple[str, ...]:
    match face:
        case "cli":
            named = operation.cli
        case "routes":
            named = operation.routes
        case "pages":
            named = operation.pages
    return () if isinstance(named, Absent) else named

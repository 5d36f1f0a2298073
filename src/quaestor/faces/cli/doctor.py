"""Whether this machine is ready, one line a check."""

from quaestor.app.doctor import check_system
from quaestor.contracts.errors import SetupError
from quaestor.faces.cli.output import write_stdout
from quaestor.faces.cli.params import Home

_MARKS = {"ok": "ok", "fault": "FAULT", "absent": "-"}


async def doctor(*, home: Home = None) -> int:
    """Check that this machine is ready.

    Checks Python, SQLite, the home, the database, the settings, the models they name, the sandbox, which it tries to
    get out of, and the extras. Changes nothing and asks no model. The exit code is 3 when there is a fault.
    """
    checks = await check_system(home)
    for check in checks:
        write_stdout(f"{_MARKS[check.state]:<6}{check.subject:<16}{check.text}\n")
    return SetupError.exit_code if any(check.state == "fault" for check in checks) else 0

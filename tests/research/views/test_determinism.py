import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from quaestor.research.contracts.report import Report
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_json import render_json
from quaestor.research.views.report_markdown import render_markdown
from research.views.sample import report

PROGRAM = """
from hashlib import sha256
from research.views.sample import report
from views.test_state_diagram import TABLE
from quaestor.research.views.report_json import render_json
from quaestor.views.state_diagram import render_mermaid
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_markdown import render_markdown
whole = "".join((render_json(report()), render_html(report()), render_markdown(report()), render_mermaid("a", TABLE)))
print(sha256(whole.encode()).hexdigest())
"""


def digest(seed: str, zone: str) -> str:
    """Render everything in a process with its own order of sets and its own local time."""
    path = os.pathsep.join(("src", "tests", os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": path}
    root = Path(__file__).parents[3]
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=root, check=True, capture_output=True, text=True
    )
    return ran.stdout


def test_every_process_gives_the_same_bytes() -> None:
    assert digest("1", "UTC") == digest("2", "Asia/Tokyo")


@pytest.mark.parametrize("render", [render_json, render_html, render_markdown])
def test_a_report_read_back_from_the_log_gives_the_same_bytes(render: Callable[[Report], str]) -> None:
    stored = report(partial="stopped").model_dump_json()
    assert render(Report.model_validate_json(stored)) == render(report(partial="stopped"))

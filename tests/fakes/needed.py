"""What a machine may lack. A test that needs it is skipped there, but for CI, which installs it and so fails."""

import os
from typing import Literal, NoReturn

import pytest

Thing = Literal["a sandbox", "bubblewrap", "a namespace", "Go", "Postgres", "Chromium", "Node", "curl"]


def lacking(thing: Thing, reason: str) -> NoReturn:
    """End a test for want of something: as failed in CI, unless `TESTS_WITHOUT` names it, and as skipped elsewhere."""
    if os.environ.get("CI") == "true" and thing not in os.environ.get("TESTS_WITHOUT", "").split(","):
        pytest.fail(f"{thing} is needed here: {reason}")
    pytest.skip(reason)

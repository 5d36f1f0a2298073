"""A text that a person edits in an editor of their own."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from quaestor.contracts.errors import UsageError

_DEFAULT_EDITOR = "vi"


def edit_text(prefix: str, text: str) -> tuple[Path, str]:
    """Open a text in $VISUAL or $EDITOR; return its file, whose name begins with `prefix`, and what it holds then.

    Raises UsageError when the editor cannot be started or fails, or the text is not UTF-8 any more.
    """
    handle, name = tempfile.mkstemp(prefix=prefix, suffix=".txt")
    os.close(handle)
    file = Path(name)
    file.write_text(text, encoding="utf-8")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or _DEFAULT_EDITOR)
    try:
        code = subprocess.run([*editor, name], check=False).returncode  # noqa: S603 -- the person's own editor
    except OSError as error:
        raise UsageError(f"the editor {' '.join(editor)} cannot be started: {error}; set EDITOR") from error
    if code:
        raise UsageError(f"the editor {' '.join(editor)} ended with code {code}; what you wrote is in {file}")
    try:
        return file, file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"what you wrote in {file} is not valid UTF-8; save it so") from error

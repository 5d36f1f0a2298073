"""Files: ours are written whole or not at all; those of others are judged before they are read.

Of what others may have written, kind and size are judged first, and nesting before it is followed.
"""

import errno
import os
import secrets
import stat
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pydantic import JsonValue

from quaestor.contracts.errors import UsageError
from quaestor.contracts.lazy import LazyImport

if TYPE_CHECKING:
    import yaml

    YamlLoader = type[yaml.CSafeLoader | yaml.SafeLoader]

MAX_SETTINGS_BYTES = 64 * 1024
"""Of a TOML file."""
MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Of a file of agents, replies or steps."""
MAX_NESTING = 32
"""Tables, lists and mappings inside each other."""

_MAX_DOTS = 1000
"""In a line of TOML; its parser needs quadratic time for a dotted key."""
_PIECE = 64 * 1024
"""Bytes read at a time of a file that has more than it says."""

_YAML_EVENTS: "LazyImport[Callable[[str, YamlLoader], Iterator[yaml.Event]]]" = LazyImport("yaml:parse")
_YAML_LOAD: "LazyImport[Callable[[str, YamlLoader], object]]" = LazyImport("yaml:load")
_YAML_ERROR: LazyImport[type[Exception]] = LazyImport("yaml:YAMLError")
_C_LOADER: "LazyImport[YamlLoader]" = LazyImport("yaml:CSafeLoader")
_PYTHON_LOADER: "LazyImport[YamlLoader]" = LazyImport("yaml:SafeLoader")
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def make_private_folder(folder: Path) -> None:
    """Make a folder, with each above it that is missing, for its user alone. Raises OSError."""
    for each in reversed((folder, *folder.parents)):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)  # raises where a file is in the way


def open_private(path: str, flags: int) -> int:
    """Open a file that is for its user alone where it is made; an `opener`. Raises OSError for what is no file.

    A pipe that nobody reads would be waited for without end, and a device keeps nothing of what is appended.
    """
    descriptor = os.open(path, flags | _WITHOUT_WAITING, 0o600)
    try:
        _require_regular(Path(path), os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def replacement(file: Path) -> Iterator[Path]:
    """Yield the path of a new file, which takes the place of `file` at the end of the block, unless that fails.

    Raises OSError where `file` is there and is no file: root could replace a device of the machine.
    """
    with suppress(FileNotFoundError):
        _require_regular(file, file.stat())
    part = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield part
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def resolve_links(path: Path) -> Path:
    """Return an absolute path without links; of a circle of links the path itself, where `resolve` would crash."""
    return Path(os.path.realpath(path))


def write_whole(file: Path, content: bytes) -> None:
    """Write a file whole or not at all, also where a link leads to; a device or a pipe is written to, not replaced."""
    file = resolve_links(file)
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    with replacement(file) as part:
        part.write_bytes(content)


def replace_private_file(path: Path, text: str) -> None:
    """Write a file, whole or not at all, for its user alone; a link to it stays one. Raises OSError."""
    file = resolve_links(path)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacement(file) as part, open(part, "xb", opener=open_private) as opened:
        opened.write(text.encode())


@contextmanager
def open_regular_file(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file to read, without waiting. Raises OSError as `open` does, and for what is no file."""
    _require_regular(path, path.stat())  # opening some devices already does something
    with os.fdopen(os.open(path, os.O_RDONLY | _WITHOUT_WAITING), "rb") as file:
        _require_regular(path, os.fstat(file.fileno()))
        yield file


def read_regular_file(path: Path, limit: int) -> bytes:
    """Return the bytes of a regular file of at most `limit` bytes, without waiting for anything but the disk.

    Raises OSError as `open` does, and for a folder, a pipe, a device or a larger file.
    """
    with open_regular_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        content = _read_at_most(file, limit, size) if size <= limit else b""
    if size > limit or len(content) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit:,} bytes", str(path))
    return content


def _read_at_most(file: BinaryIO, limit: int, size: int) -> bytes:
    """Return what a file of about this size holds, or more than `limit` bytes of a larger one.

    `read` takes the memory of as many bytes as it is asked for before it reads one, so it is not asked for the limit.
    """
    content = file.read(size + 1)
    while len(content) <= limit and (more := file.read(_PIECE)):  # it grew, or has no size, as those of the kernel
        content += more
    return content


def _require_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe, a socket or a device, not a file", str(path))


def parse_toml(content: bytes, parse_float: Callable[[str], object] = float) -> dict[str, JsonValue]:
    """Parse TOML in UTF-8. Raises ValueError for what is no TOML or is nested too deeply."""
    if any(line.count(b".") > _MAX_DOTS for line in content.split(b"\n")):
        raise ValueError(_TOO_DEEP)
    try:
        values = tomllib.loads(content.decode("utf-8"), parse_float=parse_float)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _require_shallow(values)
    return values


def _require_shallow(values: JsonValue) -> None:
    """Raise ValueError for what is nested too deeply, one level after the other and without recursion."""
    level: list[JsonValue] = [values]
    for _ in range(MAX_NESTING + 1):
        level = [inner for outer in level for inner in _children(outer)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _children(value: JsonValue) -> list[JsonValue]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
        case _:
            return []


def parse_yaml(text: str) -> object:
    """Return what YAML holds. Raises ValueError where it is nested too deeply, YAMLError for what is no YAML."""
    require_shallow_yaml(text)
    return _YAML_LOAD.load()(text, _yaml_loader())


def read_yaml(path: Path, what: str) -> object:
    """Return what a YAML file holds; `what` names the file in the message. Raises UsageError when it cannot be read."""
    try:
        return parse_yaml(read_regular_file(path, MAX_TEXT_BYTES).decode("utf-8"))
    except OSError as error:
        raise UsageError(f"the {what} {path} cannot be read: {error.strerror}") from error
    except (_YAML_ERROR.load(), ValueError) as error:
        raise UsageError(f"the {what} {path} is not YAML: {error}") from error


def require_shallow_yaml(text: str) -> None:
    """Raise ValueError for YAML that is nested too deeply, YAMLError for what is none; nothing is built from it."""
    depth = 0
    for event in _YAML_EVENTS.load()(text, _yaml_loader()):
        name = type(event).__name__
        depth += name in {"SequenceStartEvent", "MappingStartEvent"}
        depth -= name in {"SequenceEndEvent", "MappingEndEvent"}
        if depth > MAX_NESTING:
            raise ValueError(_TOO_DEEP)


def _yaml_loader() -> "YamlLoader":
    """Return the loader in C, ten times as fast, or that in Python where PyYAML was built without libyaml."""
    try:
        return _C_LOADER.load()
    except AttributeError:
        return _PYTHON_LOADER.load()


_TOO_DEEP = f"it is nested deeper than {MAX_NESTING} levels"

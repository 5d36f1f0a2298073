from pathlib import Path

import pytest

from quaestor.contracts.errors import UsageError
from quaestor.storage.followers import open_follower

HIDDEN = "tiber-and-tarpeian"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("jsonl:a/log.jsonl", "jsonl:a/log.jsonl"),
        ("jsonl:a/logs/", "jsonl:a/logs/"),
        ("a/log.jsonl", "jsonl:a/log.jsonl"),
        ("JSONL:b", "jsonl:b"),
        ("C", "jsonl:C"),
        ("mongodb://127.0.0.1", "mongodb://127.0.0.1/quaestor"),
        ("mongodb://127.0.0.1:1,127.0.0.1:2/rome?replicaSet=x", "mongodb://127.0.0.1:1,127.0.0.1:2/rome"),
        (f"mongodb://user:{HIDDEN}@127.0.0.1:1/rome?authSource=admin", "mongodb://127.0.0.1:1/rome"),
        (f"mongodb://user:{HIDDEN}@[::1]:1", "mongodb://[::1]:1/quaestor"),
        ("otlp+http://127.0.0.1:4318", "otlp+http://127.0.0.1:4318"),
        (f"OTLP+HTTPS://user:{HIDDEN}@host/api?key={HIDDEN}", "otlp+https://host/api"),
    ],
)
async def test_a_url_means_a_target_and_its_name_shows_no_secret(url: str, name: str) -> None:
    follower = open_follower(url)
    assert follower.name == name
    await follower.close()


async def test_a_folder_that_is_there_is_a_folder(tmp_path: Path) -> None:
    assert open_follower(str(tmp_path)).name == f"jsonl:{tmp_path}/"


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "jsonl:",
        f"http://user:{HIDDEN}@host/",
        f"postgresql://user:{HIDDEN}@host/",
        f"mongo:user:{HIDDEN}@host",
        "mongodb://",
        "mongodb:/host",
        f"mongodb://user:{HIDDEN}/w@host",
        f"mongodb://user:{HIDDEN}@ss@host",
        f"mongodb://user:{HIDDEN}?x@host/",
        f"mongodb://user:{HIDDEN}%zz@host/",
        f"mongodb://user/{HIDDEN}@host/",
        "mongodb://host:port/",
        f"mongodb://user:{HIDDEN}@host/a b",
        f"mongodb://user:{HIDDEN}@host/?serverSelectionTimeoutMS=soon",
        f"mongodb://user:{HIDDEN}@host/?noSuchOption=1",
        f"mongodb://user:{HIDDEN}@host/?tls=true&tlsCAFile=/no/such/file",
        "mongodb+srv://host.of.rome:27017/",
        "otlp+http:",
        f"otlp+https://user:{HIDDEN}@/",
        f"otlp+http://user:{HIDDEN}@host:port/",
        f"otlp+grpc://user:{HIDDEN}@host/",
    ],
)
def test_a_url_that_means_nothing_is_an_error_that_shows_no_secret(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_follower(url)
    seen: BaseException | None = raised.value
    while seen:
        assert HIDDEN not in str(seen)
        assert "tiber" not in repr(seen)
        seen = None if seen.__suppress_context__ else seen.__context__

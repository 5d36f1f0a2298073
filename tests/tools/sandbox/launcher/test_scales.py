import os
from pathlib import Path

from quaestor.tools.sandbox.launcher.usage import UNMEASURABLE, disk_usage


def test_a_file_weighs_what_it_takes_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(100_000))
    assert 100_000 <= disk_usage([str(tmp_path)]) <= 110_000


def test_a_file_with_two_names_weighs_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(100_000))
    (tmp_path / "name").hardlink_to(tmp_path / "file")
    assert 100_000 <= disk_usage([str(tmp_path)]) <= 110_000


def test_an_empty_file_and_an_empty_folder_weigh_something(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    assert disk_usage([str(tmp_path)]) == 2 * 4096


def test_a_file_with_a_hole_weighs_what_is_around_it(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        file.truncate(2**30)
    assert disk_usage([str(tmp_path)]) == 4096


def test_a_link_weighs_nothing_of_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/usr")
    assert disk_usage([str(tmp_path)]) == 4096


def test_a_folder_that_is_too_deep_weighs_too_much(tmp_path: Path) -> None:
    tmp_path.joinpath(*["a"] * 202).mkdir(parents=True)
    assert disk_usage([str(tmp_path)]) >= UNMEASURABLE


def test_a_folder_shut_by_its_owner_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "shut/file").write_bytes(os.urandom(100_000))
    (tmp_path / "shut").chmod(0)
    assert disk_usage([str(tmp_path)]) >= 100_000


def test_every_name_of_a_file_weighs_something(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for number in range(100):
        (tmp_path / str(number)).hardlink_to(tmp_path / "file")
    assert disk_usage([str(tmp_path)]) >= 4096 + 100 * 512

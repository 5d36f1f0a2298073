"""A release is refused with a reason, or leaves a commit and a tag; links of the readme work on an index."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION, CHANGELOG = Path("src/quaestor/version.py"), Path("CHANGELOG.md")


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small project of the same form, whose build and check do nothing, in a repository."""
    place = tmp_path_factory.mktemp("release")
    folder, modules = place / "project", place / "modules"
    (folder / VERSION).parent.mkdir(parents=True)
    (folder / VERSION).write_text('__version__ = "0.1.0"\n')
    (folder / CHANGELOG).write_text("# Changes\n\n## [Unreleased]\n\n- A lamp.\n\n## [0.1.0] - 2026-01-01\n\n- It.\n")
    (folder / ".gitignore").write_text("dist/\n")
    modules.mkdir()
    (modules / "twine.py").write_text("")
    (modules / "hatchling.py").write_text(
        "import os, pathlib\nfrom runpy import run_path\n"
        "version = run_path('src/quaestor/version.py')['__version__']\n"
        "pathlib.Path('dist').mkdir(exist_ok=True)\n"
        "pathlib.Path(f'dist/a-{version}.whl').write_text(os.environ['QUAESTOR_SOURCE'])\n"
    )
    git(place, "init", "--quiet", "project")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "Begin")
    git(folder, "tag", "v0.1.0")
    return folder


def release(project: Path, *words: str) -> tuple[int, str]:
    identity = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    ran = subprocess.run(
        [sys.executable, ROOT / "release" / "release.py", *words, "--source", "https://forge.example/q"],
        cwd=project,
        env={**os.environ, **identity, "PYTHONPATH": str(project.parent / "modules")},
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_a_release_is_refused_with_a_reason_and_changes_nothing(project: Path) -> None:
    reasons = {
        "0.2": "'0.2' is no version",
        "0.1.0": "there is a tag v0.1.0",
        "0.0.9": "0.0.9 is not above 0.1.0",
        "9.0.0": "false failed",
    }
    before = git(project, "tag", "--list")
    for version, reason in reasons.items():
        code, said = release(project, version, "--gate", "false")
        assert (code, reason in said) == (1, True), said
        assert (git(project, "status", "--porcelain"), git(project, "tag", "--list")) == ("", before)
    (project / "more.txt").write_text("")
    assert "changes that are not committed:\n?? more.txt" in release(project, "9.0.0", "--gate", "true")[1]
    (project / "more.txt").unlink()


def test_a_release_is_a_commit_with_a_tag_and_a_dry_run_is_not(project: Path) -> None:
    before = git(project, "rev-parse", "HEAD")
    code, said = release(project, "0.2.0", "--gate", "true", "--dry-run")
    assert (code, git(project, "status", "--porcelain")) == (0, ""), said
    assert "dry run: 0.2.0 can be released" in said
    assert (git(project, "rev-parse", "HEAD"), git(project, "tag", "--list")) == (before, "v0.1.0")
    code, said = release(project, "0.2.0", "--gate", "grep 0.2.0 CHANGELOG.md")
    assert code == 0, said
    assert git(project, "describe") == "v0.2.0"
    assert (project / VERSION).read_text() == '__version__ = "0.2.0"\n'
    assert re.search(
        r"## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n- A lamp\.\n", (project / CHANGELOG).read_text()
    )
    assert (project / "dist" / "a-0.2.0.whl").read_text() == "https://forge.example/q"
    code, said = release(project, "0.3.0", "--gate", "true")
    assert (code, "CHANGELOG.md has no entries below Unreleased" in said) == (1, True)


def test_links_of_the_readme_work_on_an_index() -> None:
    convert = runpy.run_path(str(ROOT / "release" / "metadata.py"))["absolute_links"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = convert(readme, "https://forge.example/q", "1.2.3")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert links
    assert all(link.startswith(("https://", "#")) for link in links)
    paths = [link.split("/v1.2.3/")[1] for link in links if "/v1.2.3/" in link]
    assert [path for path in paths if not (ROOT / path.partition("#")[0]).exists()] == []
    assert "](https://forge.example/q/raw/v1.2.3/docs/session.svg)" in text
    assert not re.search(r"\]\((?!https?:|#)", convert(readme, "", "1.2.3"))


def test_the_installer_is_plain_shell_and_says_what_it_does(tmp_path: Path) -> None:
    calls, programs = tmp_path / "calls", tmp_path / "programs"
    programs.mkdir()
    (programs / "uv").write_text(
        f'#!/bin/sh\necho "$*" >> {calls}\n'
        f'case $* in --version) echo uv 1.0 ;; "tool dir --bin") echo {programs} ;; esac\n'
    )
    (programs / "quaestor").write_text("#!/bin/sh\necho quaestor 1.2.3\n")
    for program in programs.iterdir():
        program.chmod(0o755)
    (tmp_path / "a b.whl").write_text("")
    environment = {"HOME": str(tmp_path), "PATH": f"{programs}:/usr/bin:/bin"}

    def install(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", ROOT / "install.sh", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    done = install("--extras", "web", "a b.whl")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"tool install --force --python >=3.11 quaestor[web] @ file://{tmp_path}/a%20b.whl\n" in calls.read_text()
    assert done.stdout.endswith("next: quaestor setup\nremove it with: sh install.sh --uninstall\n")
    (tmp_path / "a#b;c?d.whl").write_text("")  # of which a URL would name only "a"
    assert install("a#b;c?d.whl").returncode == 0
    assert f"file://{tmp_path}/a%23b%3Bc%3Fd.whl\n" in calls.read_text()
    for folder in (tmp_path / "own", tmp_path / "elsewhere" / "own"):
        folder.mkdir(parents=True)
        (folder / "q.whl").write_text("")
    environment["CDPATH"] = str(tmp_path / "elsewhere")  # where `cd own` would lead
    assert install("own/q.whl").returncode == 0
    assert f"file://{tmp_path}/own/q.whl\n" in calls.read_text()
    assert install().returncode == 0
    assert f"quaestor[web,docs] @ file://{ROOT}\n" in calls.read_text()
    assert install("--uninstall").returncode == 0
    assert calls.read_text().endswith("tool uninstall quaestor\n")
    assert "there is no option --extra;" in install("--extra").stderr
    assert "there is no file nothing.whl" in install("nothing.whl").stderr
    assert "sh install.sh --uninstall" in install("--help").stdout
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", ROOT / "install.sh"], check=True)

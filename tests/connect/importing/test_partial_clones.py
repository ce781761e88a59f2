"""A clone may lack what it can fetch; an import reads what is there and asks no network."""

from __future__ import annotations

import subprocess

import pytest

from helix.connect.importing import git
from helix.model.errors import BadInput

NAME = ("-c", "user.name=Ann", "-c", "user.email=a@example.com")


def run(folder, *arguments):
    done = subprocess.run(
        ["git", "-C", folder, *NAME, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def missing(folder):
    listed = run(folder, "rev-list", "--objects", "--all", "--missing=print")
    return sum(line.startswith("?") for line in listed.splitlines())


@pytest.fixture
def origin(tmp_path):
    folder = tmp_path / "origin"
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    run(folder, "config", "uploadpack.allowFilter", "true")
    for number in range(3):
        (folder / f"f{number}").write_text("".join(f"{each}\n" for each in range(60)))
        run(folder, "add", ".")
        run(folder, "commit", "-qm", f"Add f{number}")
        run(folder, "mv", f"f{number}", f"g{number}")
        with (folder / f"g{number}").open("a") as file:
            file.write("changed\n")
        run(folder, "add", ".")
        run(folder, "commit", "-qm", f"Rename f{number}")
    return folder


def cloned(origin, kind):
    folder = origin.with_name("clone")
    subprocess.run(
        ["git", "clone", "-q", "--no-checkout", f"--filter={kind}", origin.as_uri(), folder],
        check=True,
    )
    return folder


@pytest.mark.parametrize("gone", [False, True])
def test_a_clone_without_its_files_is_read_and_nothing_is_fetched(origin, gone):
    """Whether the place it came from is there or not."""
    folder = cloned(origin, "blob:none")
    before = missing(folder)
    if gone:
        origin.rename(origin.with_name("gone"))
    assert git.has_history(folder)
    assert git.counted(folder) == 6
    read = list(git.commits(folder))
    assert [each.subject for each in read][:2] == ["Add f0", "Rename f0"]
    assert read[1].files == ("f0", "g0")
    assert git.reverted(folder) == set()
    assert missing(folder) == before > 0


def test_where_git_cannot_go_on_it_is_said_why(origin):
    """Without its folders nobody knows what a commit changed; that is not an empty history."""
    folder = cloned(origin, "tree:0")
    before = missing(folder)
    with pytest.raises(BadInput) as refused:
        list(git.commits(folder))
    assert "has no git history" not in refused.value.message
    assert refused.value.message.startswith(f"git could not read the history of {folder}: ")
    assert missing(folder) == before > 0


def test_an_empty_repository_is_said(tmp_path):
    """In git's own words."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert not git.has_history(tmp_path)
    with pytest.raises(BadInput) as refused:
        git.counted(tmp_path)
    assert "HEAD" in refused.value.message

"""One codebase is one project, wherever it is checked out; two never share a scope."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helix.app.project_scope import ResolvedScope, normalise_remote, resolve_scope
from helix.model.errors import BadInput
from helix.model.scope import Realm

REMOTE = "https://github.com/Acme/Billing.git"
BILLING = "project:github.com/acme/billing"

Git = Callable[..., None]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run the real git, untouched by the configuration of whoever runs the tests."""
    surroundings = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }

    def run(*words: str | Path, at: Path) -> None:
        command = ["git", "-c", "protocol.file.allow=always", *map(str, words)]
        subprocess.run(command, cwd=at, env=surroundings, check=True, capture_output=True)

    return run


def repository(git: Git, root: Path, remote: str | None = None) -> Path:
    root.mkdir(parents=True)
    git("init", "-q", at=root)
    git("commit", "-q", "--allow-empty", "-m", "first", at=root)
    if remote:
        git("remote", "add", "origin", remote, at=root)
    return root


def scope_of(folder: Path) -> ResolvedScope:
    found = resolve_scope(folder, {})
    Realm("local", "me", found.scope)  # refuses what is not a scope
    assert found.reason
    assert found.reason.isprintable()
    return found


# --- the order ----------------------------------------------------------------------------


def test_the_remote_names_the_project(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "billing", REMOTE)
    assert scope_of(root) == ResolvedScope(BILLING, f"git remote origin of {root}", root)


def test_a_folder_inside_is_the_same_project(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "mono", REMOTE)
    inside = root / "services" / "api"
    inside.mkdir(parents=True)
    (inside / "main.py").touch()
    assert scope_of(inside) == scope_of(inside / "main.py") == scope_of(root)
    assert scope_of(root / ".git" / "hooks") == scope_of(root)


def test_without_a_remote_the_root_names_the_project(git: Git, tmp_path: Path) -> None:
    first = repository(git, tmp_path / "one" / "app")
    second = repository(git, tmp_path / "two" / "app")
    found = scope_of(first)
    assert re.fullmatch(r"project:app-[0-9a-f]{8}", found.scope)
    assert found.root == first
    assert "no remote" in found.reason
    assert found.scope != scope_of(second).scope


def test_outside_any_repository_the_scope_is_global(tmp_path: Path) -> None:
    found = scope_of(tmp_path)
    assert (found.scope, found.root) == ("global", None)
    assert "no .git" in found.reason


def test_the_environment_is_asked_first(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "billing", REMOTE)
    named = resolve_scope(root, {"HELIX_PROJECT": " ledger "}, {root: "other"})
    assert named == ResolvedScope("project:ledger", "the environment variable HELIX_PROJECT", root)
    assert resolve_scope(root, {"HELIX_PROJECT": "project:ledger"}).scope == "project:ledger"
    assert resolve_scope(root, {"HELIX_PROJECT": "Global"}).scope == "global"
    assert resolve_scope(root, {"HELIX_PROJECT": " "}).scope == BILLING
    assert resolve_scope(tmp_path / "gone", {"HELIX_PROJECT": "x"}).root is None


@pytest.mark.parametrize(
    "bad",
    ["two words", "a\nb", "a\x1b[31m", "naïve", "..", "a/../b", "/a", "a//b", "a@b", "x" * 191,
     "project:", "https://me:secret@host/x", "\ud800", "'; DROP TABLE"],
)  # fmt: skip
def test_a_name_that_cannot_be_used_is_refused_without_repeating_it(
    tmp_path: Path, bad: str
) -> None:
    for environment, projects in (({"HELIX_PROJECT": bad}, {}), ({}, {tmp_path: bad})):
        with pytest.raises(BadInput) as refused:
            resolve_scope(tmp_path, environment, projects)
        assert bad not in refused.value.message or len(bad) < 4
        assert refused.value.remedy


def test_the_settings_name_a_folder_and_everything_below_it(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "mono", REMOTE)
    inside = root / "web" / "src"
    inside.mkdir(parents=True)
    projects = {tmp_path: "all", root / "web": "web"}
    assert resolve_scope(inside, {}, projects).scope == "project:web"
    assert resolve_scope(inside, {}, projects).root == root / "web"
    assert resolve_scope(root, {}, projects).scope == "project:all"
    assert resolve_scope(root, {}, {root: "global"}).scope == "global"
    assert resolve_scope(root, {}, {Path(): "anything"}).scope == BILLING


def test_a_worktree_goes_by_the_settings_of_its_main_checkout(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "app")
    tree = tmp_path / "elsewhere"
    git("worktree", "add", "-q", tree, at=root)
    found = resolve_scope(tree, {}, {root: "app", tmp_path: "all"})
    assert (found.scope, found.root) == ("project:app", tree)
    assert resolve_scope(tree, {}, {root: "app", tree: "trial"}).scope == "project:trial"


# --- nothing inside a repository may choose the project -----------------------------------


def test_no_file_in_the_working_tree_is_asked(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "hostile", REMOTE)
    for name in (".helix", ".helixrc", "helix.toml", ".env", "config"):
        (root / name).write_text('HELIX_PROJECT=victim\n[remote "origin"]\nurl = https://x/y\n')
    assert scope_of(root).scope == BILLING


def test_a_checked_in_folder_dressed_as_a_bare_repository_is_not_asked(
    git: Git, tmp_path: Path
) -> None:
    root = repository(git, tmp_path / "hostile", REMOTE)
    fake = root / "docs"
    git("init", "-q", "--bare", fake, at=root)
    git("remote", "add", "origin", "https://github.com/victim/secrets", at=fake)
    assert scope_of(fake).scope == BILLING


# --- git's shapes -------------------------------------------------------------------------


@pytest.mark.parametrize("remote", [REMOTE, None])
def test_worktrees_are_the_project_of_the_main_checkout(
    git: Git, tmp_path: Path, remote: str | None
) -> None:
    root = repository(git, tmp_path / "app", remote)
    tree = tmp_path / "trees" / "feature"
    git("worktree", "add", "-q", tree, at=root)
    (tree / "deep").mkdir()
    assert scope_of(tree / "deep").scope == scope_of(root).scope
    assert scope_of(tree / "deep").root == tree


@pytest.mark.parametrize("remote", [REMOTE, None])
def test_worktrees_of_a_bare_repository_are_one_project(
    git: Git, tmp_path: Path, remote: str | None
) -> None:
    source = repository(git, tmp_path / "source")
    project = tmp_path / "project"
    git("clone", "-q", "--bare", source, project / ".bare", at=tmp_path)
    git("remote", "remove", "origin", at=project / ".bare")
    if remote:
        git("remote", "add", "origin", remote, at=project / ".bare")
    (project / ".git").write_text("gitdir: ./.bare\n")
    git("worktree", "add", "-q", project / "main", at=project / ".bare")
    assert scope_of(project / "main").scope == scope_of(project).scope
    assert (
        scope_of(project).scope == BILLING if remote else "project:bare-" in scope_of(project).scope
    )


def test_bare_repositories_side_by_side_do_not_share(git: Git, tmp_path: Path) -> None:
    source = repository(git, tmp_path / "source")
    scopes = set()
    for name in ("a.git", "b.git"):
        git("clone", "-q", "--bare", source, tmp_path / name, at=tmp_path)
        git("remote", "remove", "origin", at=tmp_path / name)
        git("worktree", "add", "-q", tmp_path / f"{name}-tree", at=tmp_path / name)
        scopes.add(scope_of(tmp_path / f"{name}-tree").scope)
    assert len(scopes) == 2


def test_a_bare_repository_itself_is_no_project(git: Git, tmp_path: Path) -> None:
    git("init", "-q", "--bare", tmp_path / "store.git", at=tmp_path)
    found = scope_of(tmp_path / "store.git")
    assert found.scope == "global"
    assert "bare repository" in found.reason


def test_a_submodule_is_a_project_of_its_own(git: Git, tmp_path: Path) -> None:
    library = repository(git, tmp_path / "library")
    root = repository(git, tmp_path / "app", REMOTE)
    git("submodule", "add", "-q", library, "libs/library", at=root)
    module = root / "libs" / "library"
    found = scope_of(module)
    assert found.root == module
    assert re.fullmatch(r"project:library-[0-9a-f]{8}", found.scope)
    assert scope_of(root).scope == BILLING
    git("remote", "set-url", "origin", "git@gitlab.com:Acme/Library.git", at=module)
    assert scope_of(module).scope == "project:gitlab.com/acme/library"


def test_a_clone_with_credentials_keeps_them_out_of_scope_and_reason(
    git: Git, tmp_path: Path
) -> None:
    source = repository(git, tmp_path / "source")
    secret = "https://bob:hunter2-s3cret@git.example.com:8443/Team/App.git"
    git("-c", f"url.{source}.insteadOf={secret}", "clone", "-q", secret, "copy", at=tmp_path)
    found = scope_of(tmp_path / "copy")
    assert found.scope == "project:git.example.com:8443/Team/App"
    assert "hunter2" not in repr(found)
    assert "bob" not in found.reason.replace(str(tmp_path), "")


def test_origin_wins_then_the_first_remote_by_name(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "app")
    git("remote", "add", "upstream", "https://github.com/up/app", at=root)
    assert scope_of(root).scope == "project:github.com/up/app"
    git("remote", "add", "fork", "https://github.com/me/app", at=root)
    assert scope_of(root).scope == "project:github.com/me/app"
    git("remote", "add", "origin", "https://github.com/org/app", at=root)
    assert scope_of(root).scope == "project:github.com/org/app"


def test_a_local_remote_falls_back_to_the_root(git: Git, tmp_path: Path) -> None:
    source = repository(git, tmp_path / "source")
    git("clone", "-q", source, "copy", at=tmp_path)
    found = scope_of(tmp_path / "copy")
    assert re.fullmatch(r"project:copy-[0-9a-f]{8}", found.scope)
    assert "not a network address" in found.reason


def test_a_link_into_a_project_is_that_project(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "app")
    (tmp_path / "shortcut").symlink_to(root)
    assert scope_of(tmp_path / "shortcut") == scope_of(root)


def test_a_home_folder_under_git_counts(git: Git, tmp_path: Path) -> None:
    home = repository(git, tmp_path / "home" / "me")
    (home / "notes").mkdir()
    assert scope_of(home / "notes").scope.startswith("project:me-")


def test_a_folder_name_becomes_a_safe_id(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "my äpp\x1b[31m\n")
    assert re.fullmatch(r"project:my-pp-31m-[0-9a-f]{8}", scope_of(root).scope)
    assert re.fullmatch(
        r"project:project-[0-9a-f]{8}", scope_of(repository(git, tmp_path / "日本")).scope
    )


# --- broken things degrade ----------------------------------------------------------------


def damaged(root: Path, how: str) -> None:
    git_entry = root / ".git"
    if how == "empty folder":
        git_entry.mkdir()
    elif how == "broken link":
        git_entry.symlink_to(root / "nowhere")
    elif how == "loop of links":
        git_entry.symlink_to(git_entry)
    elif how == "pipe":
        os.mkfifo(git_entry)
    elif how == "configuration is a pipe":
        git_entry.mkdir()
        os.mkfifo(git_entry / "config")
    elif how == "configuration is a folder":
        (git_entry / "config").mkdir(parents=True)
    else:
        git_entry.write_bytes(how.encode("latin-1"))


@pytest.mark.parametrize(
    "how",
    ["empty folder", "broken link", "loop of links", "pipe", "configuration is a pipe",
     "configuration is a folder", "", "gitdir:", "gitdir: /no/such/place\n", "gitdir: a\x00b",
     "gitdir: \xff\xfe", "noise" * 1000, "gitdir: " + "x/" * 5000],
)  # fmt: skip
def test_a_damaged_repository_is_still_its_own_project(git: Git, tmp_path: Path, how: str) -> None:
    outer = repository(git, tmp_path / "outer", REMOTE)
    root = outer / "inner"
    root.mkdir()
    damaged(root, how)
    found = scope_of(root)
    assert found.scope.startswith("project:inner-")
    assert found.scope != BILLING
    assert "cannot be read" in found.reason


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_degrades(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "app", REMOTE)
    (root / ".git").chmod(0)
    try:
        assert "cannot be read" in scope_of(root).reason
    finally:
        (root / ".git").chmod(0o700)


def test_a_folder_that_is_gone_belongs_to_what_is_left_above_it(git: Git, tmp_path: Path) -> None:
    root = repository(git, tmp_path / "app", REMOTE)
    assert scope_of(root / "was" / "here").scope == BILLING
    assert scope_of(tmp_path / "never" / "was").scope == "global"


def test_a_deleted_working_folder_is_global(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    shutil.rmtree(gone)
    found = scope_of(Path())
    assert found.scope == "global"
    assert "cannot be read" in found.reason


@pytest.mark.parametrize("odd", ["a\x00b", "\ud800", "x" * 5000])
def test_odd_paths_never_raise(tmp_path: Path, odd: str) -> None:
    assert scope_of(tmp_path / odd).scope == "global"
    assert resolve_scope(tmp_path, {}, {tmp_path / odd: "x"}).scope == "global"


def test_a_loop_of_links_is_global(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert scope_of(tmp_path / "loop" / "x").scope == "global"


# --- git's configuration ------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        '[remote "origin"]\n\turl = https://github.com/acme/billing\n',
        '[REMOTE "origin"] URL=https://github.com/acme/billing',
        '\ufeff# c\n; c\n[core]\n\tbare\n[remote "origin"]\r\n'
        '  url = "https://github.com/acme/billing" # x\r\n',
        '[remote "origin"]\nurl = https://github.com/acme/\\\nbilling ; local\n',
        '[remote "origin"]\nurl = https://github.com/"acme"/billing\nurl = https://x/second\n',
        '[remote "origin"]\nfetch = +refs/*\n[branch "url"]\nurl = https://x/y\n'
        '[remote "origin"]\nurl = https://github.com/acme/billing\n',
        '# a comment ending in \\\n[remote "origin"]\nurl=git@github.com:acme/billing\n',
        '[remote "a\\"b\\\\"]\nurl = https://x/y\n'
        '[remote "origin"]\nurl=git@github.com:acme/billing',
        'noise\n[broken "\n[remote "origin"]\nurl=git@github.com:acme/billing',
        '[include]\npath = /etc/passwd\n[remote "origin"]\nurl=git@github.com:acme/billing',
    ],
)  # fmt: skip
def test_configurations_git_reads(tmp_path: Path, config: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_bytes(config.encode())
    assert scope_of(tmp_path).scope == BILLING


CONFIG_NOISE = st.text(st.sampled_from('[]"\\=#; \t\r\n.remotuligx/:@\x00é'), max_size=200)


@settings(deadline=None)
@given(st.one_of(st.binary(max_size=300), CONFIG_NOISE.map(str.encode)))
def test_no_configuration_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, config: bytes
) -> None:
    root = tmp_path_factory.getbasetemp() / "noisy"
    (root / ".git").mkdir(parents=True, exist_ok=True)
    (root / ".git" / "config").write_bytes(config)
    assert scope_of(root).scope.startswith("project:")


@pytest.mark.parametrize(
    "unit", ["\n", "[", '[remote "', "\\", '"', "a", " ", 'url="', "[a]", "=\\\n"]
)
def test_a_megabyte_of_noise_is_read_quickly(tmp_path: Path, unit: str) -> None:
    (tmp_path / ".git").mkdir()
    noise = (unit * (1 << 20))[: 1 << 20]
    (tmp_path / ".git" / "config").write_text(f'[remote "r"]\nurl = {noise}\n{noise}')
    assert scope_of(tmp_path).scope.startswith("project:")


# --- remotes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "git@github.com:Org/Repo.git",
        "github.com:org/repo",
        "git@github.com:/org/repo/",
        "https://github.com/Org/Repo",
        "https://GitHub.com./org//repo.git/",
        "https://user:p%40ss@github.com:443/org/repo.git",
        "https://ghp_0123456789abcdef@github.com/org/repo",
        "https://a@b:c@github.com/org/repo",
        "http://github.com:80/org/repo?token=abc#main",
        "ssh://git@github.com:22/org/repo.git",
        "ssh://git@ssh.github.com:443/org/repo.git",
        "git+ssh://git@github.com/org/repo",
        "git://github.com:9418/org/repo.git",
        "HTTPS://github.com/org/%72epo",
        "  https://github.com/org/repo.git.git\n",
        "https://github.com/org/repo/.git",
    ],
)
def test_spellings_of_one_repository(url: str) -> None:
    assert normalise_remote(url) == "github.com/org/repo"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://git.example.com/Team/App", "git.example.com/Team/App"),
        ("https://git.example.com:8443/Team/App.git", "git.example.com:8443/Team/App"),
        ("ssh://git@git.example.com:02222/app", "git.example.com:2222/app"),
        ("git@git.sr.ht:~user/repo", "git.sr.ht/~user/repo"),
        ("https://github.com/org/.github", "github.com/org/.github"),
        ("https://dev.azure.com/o/My%20App/_git/x", "dev.azure.com/o/My%20App/_git/x"),
        ("git@host:o/My App", "host/o/My%20App"),
        ("https://host/100%", "host/100%25"),
        ("git@work:org/repo", "work/org/repo"),
    ],
)
def test_other_remotes(url: str, expected: str) -> None:
    assert normalise_remote(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "", "/srv/git/app.git", "../app", "./host:app", "~/app", "app", "github.com/org/repo",
        "file:///srv/git/app.git", "C:\\code\\app", "C:/code/app", "\\\\server\\share",
        "https://", "https://host", "https://host/", "https:///org/repo", "git@host:", "host:.git",
        "ext::sh -c evil", "codecommit::eu-west-1://app", "s3://bucket/app", "https:/host/app",
        "https://host:port/app", "https://host:999999/app", "https://[::1]/app", "git@[::1]:app",
        "https://hóst/app", "https://host/äpp", "https://host/%C3%A4pp", "https://host/%ff",
        "https://host/a\x1b[31m", "https://host/a%0Ab", "https://host/a%00", "https://host/a\tb",
        "https://host/../app", "https://host/a/%2e%2e/b", "https://ho st/app", "https://a..b/c",
        "https://host/" + "x" * 200, "\ud800", "https://host:" + "9" * 9999 + "/a",
        # A password that is not encoded ends up where a path is expected.
        "https://user:pa/ss@host/app", "https://user:12#ss@host/app", "https://u:1?x@host/app",
        "git:password@host:org/app", "https:user:pw@host/app", "https://host/me%40corp/app",
        "https://host/x-access-token:abc/app", "https://host/ghp_0123456789abcdefXY/app",
    ],
)  # fmt: skip
def test_what_has_no_name_on_the_network(url: str) -> None:
    assert normalise_remote(url) is None


TRICKY = st.text(st.sampled_from("abcAB019.:/@%?#[]\\~-_+ \t\x00é2e40F"), max_size=40)
URLS = st.one_of(
    st.text(max_size=60),
    TRICKY,
    TRICKY.map("https://".__add__),
    TRICKY.map("ssh://git@github.com".__add__),
    TRICKY.map("git@host:".__add__),
)


@settings(max_examples=1000)
@given(URLS)
@example("https://a./b")
@example("ssh://h:443/b")
@example("https://h/a.git/.git/")
@example("https://github.com/A%2EGIT")
def test_a_normal_form_is_safe_and_final(url: str) -> None:
    found = normalise_remote(url)
    if found is None:
        return
    assert "@" not in found
    Realm("local", "me", f"project:{found}")  # refuses what is not a scope
    assert re.fullmatch(r"[!-~]+/[!-~]+", found)
    assert normalise_remote(f"https://{found}") == found


NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,12}", fullmatch=True)
HOSTS = st.sampled_from(["github.com", "gitlab.com", "git.example.com", "work"])
# Anything a person may put in a URL, with a core that is recognised wherever it turns up.
PASSWORDS = st.tuples(TRICKY, TRICKY).map("TOPSECRET".join)


@given(HOSTS, NAMES, NAMES)
def test_all_spellings_agree(host: str, organisation: str, name: str) -> None:
    path = f"{organisation}/{name}"
    spellings = [
        f"git@{host}:{path}.git",
        f"https://{host}/{path}",
        f"https://user:pw@{host.upper()}:443/{path}.git",
        f"ssh://git@{host}:22/{path}.git",
        f"git+ssh://{host}/{path}/",
    ]
    assert len({normalise_remote(spelling) for spelling in spellings}) == 1
    assert normalise_remote(spellings[0]) is not None


@settings(max_examples=500)
@given(HOSTS, NAMES, PASSWORDS, st.sampled_from(["https://", "ssh://", "http://", ""]))
def test_a_password_never_survives(host: str, name: str, password: str, scheme: str) -> None:
    separator = "/" if scheme else ":"
    for user in (f"user:{password}", password):
        found = normalise_remote(f"{scheme}{user}@{host}{separator}org/{name}")
        assert "topsecret" not in (found or "").lower()

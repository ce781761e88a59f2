"""The audit finds what is known of a locked version, and nothing else."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest
from benchmarks.integrity import audit
from benchmarks.recalling.values import Unavailable

ROOT = Path(__file__).parents[2]


def entry(name="Some_Package", events=(), versions=(), **more):
    affected = {"package": {"ecosystem": "PyPI", "name": name}}
    affected |= {"versions": list(versions)} if versions else {}
    affected |= {"ranges": [{"type": "ECOSYSTEM", "events": list(events)}]} if events else {}
    return {"id": "X-1", "summary": "it\nbreaks", "affected": [affected], **more}


SINCE = {"introduced": "0"}


@pytest.mark.parametrize(
    ("found", "version"),
    [
        (entry(versions=["1.2.0"]), "1.2.0"),
        (entry(events=[SINCE]), "1.2.0"),
        (entry(events=[SINCE, {"fixed": "1.2.1"}]), "1.2.0"),
        (entry(events=[SINCE, {"last_affected": "1.2.0"}]), "1.2.0"),
        (entry(events=[SINCE, {"fixed": "1.0"}, {"introduced": "1.1"}]), "1.2.0"),
        (entry(events=[{"introduced": "1.10"}, {"fixed": "1.11"}]), "1.10.3"),
        (entry(events=[SINCE, {"fixed": "no version"}]), "1.2.0"),
    ],
)
def test_a_version_that_is_affected_is_named(found, version):
    """By list or by range, whatever the spelling of the name; what is unclear is shown."""
    (known,) = audit.vulnerable({"some-package": version}, [found])
    assert (known.package, known.version, known.says) == ("some-package", version, "it breaks")


@pytest.mark.parametrize(
    "found",
    [
        entry(events=[SINCE, {"fixed": "1.2.0"}]),
        entry(events=[{"introduced": "1.2.1"}]),
        entry(events=[SINCE, {"last_affected": "1.1.9"}]),
        entry(versions=["1.2.1"]),
        entry("other-package", versions=["1.2.0"]),
        entry(versions=["1.2.0"], withdrawn="2026-01-01T00:00:00Z"),
        {"id": "X-2", "affected": [{"package": {"ecosystem": "npm", "name": "some-package"},
                                    "versions": ["1.2.0"]}]},
    ],
)  # fmt: skip
def test_what_is_not_affected_is_not_named(found):
    """Fixed, later, another package, another ecosystem, or withdrawn."""
    assert list(audit.vulnerable({"some-package": "1.2.0"}, [found])) == []


def test_an_archive_is_read_against_the_locks(tmp_path):
    """The real lock files, and an archive in the form in which the database publishes them."""
    locked = audit.pinned((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    name, version = next(iter(locked.items()))
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X-1.json", json.dumps(entry(name, versions=[version])))
        archive.writestr("X-2.json", json.dumps(entry("nobody", versions=["1"])))
    findings, lines = audit.run(path, ROOT)
    assert [each["package"] for each in findings["known"]] == [name]
    assert any(name in line for line in lines)
    with pytest.raises(Unavailable):
        audit.run(tmp_path / "none.zip", ROOT)


@pytest.mark.parametrize("lock", audit.LOCKS)
def test_every_locked_package_is_pinned_with_hashes(lock):
    """An index that serves other bytes under the same version is refused."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(blocks) > 10
    assert all("==" in each and "--hash=sha256:" in each for each in blocks)

"""What goes wrong is said in a sentence, with a remedy, and an exit code that can be relied on."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import suppress

import pytest

from helix.doors.error_mapping import EXIT_CODES, fault_of
from helix.model import errors

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


def test_each_family_has_its_exit_code():
    families = [kind.family for kind in errors.HelixError.__subclasses__()]
    assert sorted(families) == sorted(EXIT_CODES)
    assert [EXIT_CODES[kind.family] for kind in (
        errors.BadInput, errors.NotFound, errors.Conflict, errors.StoreUnavailable,
        errors.IntegrityBroken,
    )] == [2, 3, 4, 5, 6]  # fmt: skip


def test_an_error_keeps_its_code_and_remedy():
    fault = fault_of(errors.NotFound("gone", code="lost", remedy="look again"))
    assert fault.exit_code == 3
    assert fault.document == {
        "error": {"code": "lost", "family": "not_found", "message": "gone", "remedy": "look again"}
    }


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "Permission denied", "/x"), 5),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"), 2),
        (ZeroDivisionError("1/0"), 70),
    ],
)
def test_foreign_exceptions_are_mapped_too(error, code):
    fault = fault_of(error)
    assert fault.exit_code == code
    assert fault.remedy


def test_an_error_is_one_paragraph_on_stderr(helix):
    ran = helix("show", "mem_nowhere")
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("helix: no memory 'mem_nowhere' is visible from project:demo-shop.")


def test_errors_as_documents_have_the_same_exit_codes(helix):
    for args, code, family in (
        (["show", "mem_nowhere"], 3, "not_found"),
        (["recall", "x", "--limit", "many"], 2, "bad_input"),
        (["recal", "x"], 2, "bad_input"),
        (["status", "--scope", "somewhere"], 2, "bad_input"),
    ):
        ran = helix(*args, "--json")
        assert ran.code == code
        assert ran.error["family"] == family
        assert set(ran.error) == {"code", "family", "message", "remedy"}


@pytest.mark.parametrize("option", ["--agent", "--store", "--scope"])
def test_an_empty_option_is_told_of_and_not_left_out(helix, option):
    """An empty variable in a script would else make an agent's words the user's."""
    ran = helix("remember", "It runs on port 8080", option, "")
    assert ran.code == 2
    assert "it is empty" in ran.err


def test_the_shared_options_stand_before_or_after_the_command(helix):
    before = helix("--json", "--scope", "global", "status").document
    after = helix("status", "--json", "--scope", "global").document
    assert before == after
    assert before["scope"] == "global"
    elsewhere = str(helix.home / "other.db")
    assert helix("remember", "the build uses pnpm", "--store", elsewhere).code == 0
    assert helix("--store", elsewhere, "status", "--json").document["store"] == elsewhere


@pytest.mark.parametrize(
    "asks", [("recall", "anything"), ("list",), ("status",), ("verify",), ("forget", "mem_1")]
)
def test_a_mistyped_store_is_told_of_and_not_begun(helix, asks):
    """Only what writes down begins a store where one was named."""
    mistyped = helix.home / "memroy.db"
    said = helix(*asks, "--store", str(mistyped))
    assert said.code == 2
    assert f"there is no store at {mistyped}" in said.err
    assert "helix init" in said.err
    assert not mistyped.exists()
    assert helix("recall", "anything", "--store", ":demo:").code == 1


@pytest.mark.parametrize(
    "begins", [("remember", "water is wet"), ("capture", "it rained"), ("init", "--yes")]
)
def test_what_writes_down_begins_a_store_where_it_is_named(helix, begins):
    """As a first command does with the user's own."""
    assert helix(*begins, "--store", str(helix.home / "new.db")).code == 0
    assert (helix.home / "new.db").exists()


def test_a_misspelt_command_is_answered_with_a_guess(helix):
    assert "did you mean recall?" in helix("recal").err


def test_bytes_that_are_not_text_are_no_crash(helix):
    assert helix("remember", text=b"caf\xe9 \xff").code == 0
    assert helix("recall", "caf\udce9").code in (0, 1)
    assert helix("show", "mem_\udcff").code in (2, 3)


def test_broken_settings_are_named(helix):
    (helix.home / "settings.toml").write_text("store = ")
    ran = helix("status")
    assert ran.code == 2
    assert "settings.toml" in ran.err


def test_a_fault_in_helix_shows_no_traceback_unasked(helix):
    broken = helix.home / "sitecustomize.py"
    broken.write_text("import helix.app.settings as s\ns.load = lambda *_: 1 / 0\n")
    environment = {"PYTHONPATH": str(helix.home)}
    ran = helix("status", environment=environment)
    assert ran.code == 70
    assert "Traceback" not in ran.err
    assert "ZeroDivisionError" in ran.err
    asked = helix("status", environment=environment | {"HELIX_TRACEBACK": "1"})
    assert "Traceback" in asked.err


def test_a_reader_that_goes_away_is_no_error(helix, memory):
    memory.remember("water is wet " * 5000)
    process = subprocess.Popen(
        helix.command("recall", "water"), env=helix.environment, cwd=helix.home,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.close()
    with process.stderr as said:
        assert said.read() == b""
    assert process.wait(timeout=30) == 141


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_interrupt_ends_it_with_130(helix, form):
    """Also for programs: what stands on standard error is the document they expect."""
    # Whoever runs the tests in the background has interrupts ignored, and that is inherited.
    heeding = "signal.signal(signal.SIGINT, signal.SIG_DFL)"
    process = subprocess.Popen(
        helix.command("capture", "-", *form, first=heeding), env=helix.environment, cwd=helix.home,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    # More than a pipe holds: once it is written, the program is reading.
    process.stdin.write(b"x" * (1 << 17))
    process.stdin.flush()
    for _ in range(20):
        # Python may miss one that comes between two reads; people press the keys again.
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
            break
    process.kill()
    with process.stdin, process.stdout, process.stderr as said:
        text = said.read()
    assert process.returncode == 130
    if not form:
        assert text == b"\nInterrupted.\n"
        return
    told = json.loads(text)["error"]
    assert (told["code"], told["family"]) == ("interrupted", "interrupted")


@pytest.mark.parametrize(
    "args",
    [
        ["attest", "--out", f"/nonexistent/{TOKEN}"],
        ["attest", "--check", TOKEN],
        ["recall", "x", "--limit", TOKEN],
        [TOKEN],
        ["status", "--scope", f"project:{TOKEN}"],
        ["capture", "x happened", "--session", TOKEN],
        ["show", TOKEN],
        ["remember", "x is so", "--agent", TOKEN],
        ["recall", "x", f"--{TOKEN}"],
    ],
    ids=str,
)
def test_no_error_repeats_a_secret(helix, memory, args):
    """Errors quote what was given, and are kept in terminals and logs of agents."""
    memory.remember("something")
    for more in ([], ["--json"]):
        ran = helix(*args, *more)
        assert ran.code not in (0, 70)
        assert TOKEN not in ran.out + ran.err
        assert ran.err


@pytest.mark.parametrize(
    "error",
    [OSError(2, "No such file", f"/x/{TOKEN}"), ValueError(TOKEN),
     errors.BadInput("no", code="x", remedy=f"try {TOKEN}")],
)  # fmt: skip
def test_a_fault_holds_no_secret_whoever_words_it(error):
    assert TOKEN not in repr(fault_of(error))


def test_an_error_of_an_import_is_one_document(helix):
    """What was found is listed for people, not for programs."""
    (helix.home / "AGENTS.md").write_text("- Use pnpm\n")
    assert helix("import", "auto", "--json").error["code"] == "not_confirmed"

"""`helix scratch`: notes beside the record."""

from __future__ import annotations


def note(helix, *words):
    return helix("scratch", "add", *words, "--json").document["note"]["id"]


def test_notes_are_added_listed_and_shown(helix):
    added = helix("scratch", "add", "the port is 5433 today", "--session", "s1")
    assert added.out.startswith("Noted note_port_5433_today_")
    listed = helix("scratch")
    assert "1 note on the scratchpad of project:demo-shop" in listed.out
    assert "an episode in 30 minutes, or when read 2 times" in listed.out
    assert helix("scratch", "list", "--session", "other").out.startswith("Nothing is on")
    (held,) = helix("scratch", "list", "--json").document["notes"]
    assert (held["content"], held["session"]) == ("the port is 5433 today", "s1")
    first = helix("scratch", "show", held["id"], "--json").document
    assert (first["note"]["reads"], first["episode"]) == (1, None)
    second = helix("scratch", "show", held["id"])
    assert "It is an episode now: ep_port_5433_today" in second.out
    gone = helix("scratch", "show", held["id"], "--json")
    assert (gone.code, gone.error["code"]) == (3, "unknown_note")
    assert helix("recall", "port", "--json").document["found"]


def test_a_note_is_dropped_and_kept_after_all(helix):
    held = note(helix, "dropped by mistake")
    assert helix("scratch", "drop", held).out.startswith(f"Dropped {held}")
    assert helix("scratch", "list", "--json").document["notes"] == []
    assert "1 note dropped from" in helix("scratch", "--dropped").out
    shown = helix("scratch", "show", held, "--json")
    assert (shown.code, shown.error["code"]) == (4, "note_dropped")
    kept = helix("scratch", "keep", held, "--json")
    assert kept.document["outcome"] == "kept"
    assert kept.document["memory"]["content"] == "dropped by mistake"


def test_a_note_can_be_piped_in(helix):
    held = helix("scratch", "add", "-", "--json", text="from a pipe\n").document["note"]
    assert held["content"] == "from a pipe"
    assert helix("scratch", "add", "--json").error["code"] == "no_text"


def test_a_note_is_destroyed_for_good(helix):
    held = note(helix, "the swordfish protocol opens the vault")
    done = helix("forget", held, "--hard", "--yes", "--json").document
    assert (done["notes"], done["memories"], done["residue"]) == (1, 0, [])
    raw = b"".join(each.read_bytes() for each in helix.home.glob("memory.db*"))
    assert b"swordfish" not in raw


def test_a_subject_in_notes_is_shown_and_erased(helix):
    note(helix, "Alice Example waits for the export")
    assert "on the scratchpad" in helix("subject", "Alice Example").out
    done = helix("erase", "--subject", "Alice Example", "--yes")
    assert "1 on the scratchpad went too." in done.out
    assert helix("scratch", "--json").document["notes"] == []


def test_an_export_leaves_notes_out(helix, tmp_path):
    note(helix, "the port is 5433 today")
    folder = tmp_path / "out"
    helix("export", "--markdown", str(folder))
    assert not any("5433" in each.read_text() for each in folder.glob("*.md"))


def test_a_dropped_note_makes_room_and_may_be_noted_anew(helix, memory):
    """What was dropped can be kept for a while, but does not stand in the way."""
    notes = [memory.scratch.add(f"note {number}").note.id for number in range(500)]
    assert helix("scratch", "add", "one more").code == 4
    memory.scratch.drop(notes[0])
    first = note(helix, "one more", "--event-id", "n1")
    helix("scratch", "drop", first)
    again = helix("scratch", "add", "one more", "--event-id", "n1")
    assert again.code == 0, again.err
    assert "Already" not in again.out
    assert "one more" in helix("scratch").out

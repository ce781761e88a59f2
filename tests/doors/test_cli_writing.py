"""Commands that write: init, capture, session, remember, correct, and the judgements."""

from __future__ import annotations

SCOPE = "project:demo-shop"


def test_init_creates_the_store_and_says_where_and_why(helix):
    ran = helix("init")
    assert ran.code == 0
    assert (helix.home / "memory.db").exists()
    assert str(helix.home / "memory.db") in ran.out
    assert f"{SCOPE} (the environment variable HELIX_PROJECT)" in ran.out
    assert "helix remember" in ran.out


def test_init_twice_changes_nothing(helix):
    helix("init")
    before = (helix.home / "memory.db").read_bytes()
    again = helix("init", "--json")
    assert again.document["created"] is False
    assert (helix.home / "memory.db").read_bytes() == before


def test_init_names_the_scope_of_a_folder_outside_every_project(helix):
    document = helix("init", "--json", environment={"HELIX_PROJECT": ""}).document
    assert document["scope"] == "global"
    assert document["scope_reason"].startswith("no project")


def test_init_in_an_impossible_place_is_reported_not_raised(helix):
    blocked = helix.home / "file"
    blocked.write_text("not a folder")
    ran = helix("init", "--store", str(blocked / "memory.db"))
    assert ran.code == 5
    assert ran.err.startswith("helix: ")
    assert "Traceback" not in ran.err


def test_capture_keeps_everything_that_was_said_about_an_event(helix):
    ran = helix(
        "capture", "npm test failed", "--session", "s1", "--tool", "bash", "--exit-status", "1",
        "--file", "a.py", "--file", "b.py", "--parent", "e0", "--occurred-at", "2026-05-14",
        "--importance", "9", "--event-id", "e1", "--attribute", "branch=main", "--json",
    )  # fmt: skip
    document = ran.document
    memory = document["memory"]
    assert (document["outcome"], document["scope"]) == ("kept", SCOPE)
    assert memory["content"] == "npm test failed"
    assert memory["circumstances"] == {
        "event_id": "e1", "session": "s1", "agent": "me", "tool": "bash", "exit_status": 1,
        "files": ["a.py", "b.py"], "parent_event_id": "e0",
    }  # fmt: skip
    assert memory["attributes"] == {"branch": "main"}
    assert memory["importance"] == 9
    assert "2026-05-14T00:00:00Z" in ran.out


def test_the_same_event_twice_is_kept_once(helix):
    helix("capture", "it rained", "--event-id", "e1")
    again = helix("capture", "it rained", "--event-id", "e1")
    assert again.code == 0
    assert again.out.startswith("Already there: ep_rained_1 ")
    other = helix("capture", "it snowed", "--event-id", "e1")
    assert other.code == 4
    assert "used before" in other.err


def test_capture_reads_a_pipe_with_and_without_a_dash(helix):
    assert helix("capture", text="piped in\n").code == 0
    ran = helix("capture", "-", "--json", text="\ufeffgrüße von der röhre\n")
    assert ran.document["memory"]["content"] == "grüße von der röhre"


def test_capture_without_a_text_says_how_to_give_one(helix):
    ran = helix("capture")
    assert ran.code == 2
    assert "Write the text after the command, or pipe it in." in ran.err


def test_an_attribute_without_a_value_is_refused(helix):
    ran = helix("capture", "x", "--attribute", "branch")
    assert ran.code == 2
    assert "--attribute key=value" in ran.err


def test_importance_is_one_to_ten(helix):
    assert helix("capture", "x", "--importance", "11").code == 2
    assert helix("remember", "x", "--importance", "0").code == 2


def test_an_agent_is_named_as_the_one_who_ingested(helix):
    ran = helix("--agent", "claude-code", "capture", "read the manual", "--json")
    assert ran.document["memory"]["provenance"][0]["agent"] == "claude-code"
    assert ran.document["memory"]["provenance"][0]["origin"] == "agent-ingested"


def test_a_session_starts_and_ends_in_the_log(helix):
    started = helix("session", "start", "--json").document
    session = started["session"]
    assert started["state"] == "started"
    ended = helix("session", "end", session)
    assert ended.code == 0
    assert f"Session {session} ended" in ended.out
    assert f"session {session} began" in helix("log").out


def test_a_session_needs_an_id_to_end(helix):
    ran = helix("session", "end")
    assert ran.code == 2
    assert "helix session end --help" in ran.err
    assert helix("session").code == 2


def test_remember_takes_type_time_and_weight(helix):
    ran = helix(
        "remember", "Code", "freeze", "--type", "decision", "--since", "2026-12-20",
        "--until", "2027-01-06", "--expires", "2027-02-01", "--importance", "8",
        "--confidence", "0.7", "--attribute", "by=ops", "--json",
    )  # fmt: skip
    memory = ran.document["memory"]
    assert memory["content"] == "Code freeze"
    assert memory["type"] == "decision"
    assert memory["valid_from"] == "2026-12-20T00:00:00Z"
    assert memory["valid_to"] == "2027-01-06T00:00:00Z"
    assert memory["expires_at"] == "2027-02-01T00:00:00Z"
    assert (memory["importance"], memory["confidence"]) == (8, 0.7)
    assert memory["attributes"] == {"by": "ops"}


def test_remember_everywhere_holds_in_every_project(helix):
    ran = helix("remember", "--everywhere", "--type", "preference", text="I prefer tabs")
    assert "in global" in ran.out
    elsewhere = helix("recall", "tabs", "--scope", "project:other")
    assert elsewhere.code == 0
    assert "preference" in elsewhere.out


def test_the_same_words_again_write_nothing(helix):
    helix("remember", "water is wet")
    again = helix("remember", "water is wet", "--json")
    assert again.document["outcome"] == "joined"


def test_an_unknown_type_is_refused_with_those_that_exist(helix):
    ran = helix("remember", "x", "--type", "rumour")
    assert ran.code == 2
    assert "convention" in ran.err


def test_correct_puts_something_else_in_its_place(helix, memory):
    old = memory.remember("This repo uses npm", type="convention").memory.id
    ran = helix("correct", old, "This repo uses pnpm", "--json")
    assert ran.document["memory"]["content"] == "This repo uses pnpm"
    assert ran.document["memory"]["type"] == "convention"
    assert helix("show", old, "--json").document["memory"]["superseded_by"] == ran.memory_id


def test_an_agent_that_disagrees_with_the_user_is_told_so(helix, memory):
    old = memory.remember("The region is eu-west-1").memory.id
    ran = helix("--agent", "bot", "correct", old, "The region is us-east-1")
    assert ran.code == 0
    assert "Not corrected" in ran.out
    assert "noted beside it" in ran.out
    assert helix("show", old, "--json").document["memory"]["status"] == "active"
    mine = helix("correct", old, "The region is eu-central-1")
    assert "Corrected" in mine.out


def test_correct_reads_a_pipe_and_knows_since_when(helix, memory):
    old = memory.remember("deploys to heroku", valid_from="2025-01-01").memory.id
    ran = helix("correct", old, "--since", "2026-03-01", "--json", text="deploys to fly")
    assert ran.document["memory"]["valid_from"] == "2026-03-01T00:00:00Z"
    assert "heroku" in helix("recall", "deploys", "--on", "2026-02-28").out


def test_what_was_never_right_was_never_right(helix, memory):
    old = memory.remember("the port is 80", valid_from="2025-01-01").memory.id
    assert helix("correct", old, "the port is 8080", "--always").code == 0
    on_the_first_day = helix("recall", "port", "--on", "2025-01-01").out
    assert "8080" in on_the_first_day
    assert "port is 80\n" not in on_the_first_day


def test_since_and_always_contradict_each_other(helix, memory):
    old = memory.remember("a").memory.id
    ran = helix("correct", old, "b", "--always", "--since", "today")
    assert ran.code == 2
    assert "contradict" in ran.err


def test_an_episode_is_not_corrected(helix, memory):
    episode = memory.capture("it rained").memory.id
    ran = helix("correct", episode, "it snowed")
    assert ran.code == 2
    assert "evidence is not edited" in ran.err


def test_confirm_forget_restore_and_pin(helix, memory):
    held = memory.remember("water is wet").memory.id
    assert helix("confirm", held, "--json").document["memory"]["confirmations"] == 1
    assert helix("pin", held, "--json").document["memory"]["pinned"] is True
    assert helix("pin", held, "--off").out.startswith(f"Released {held}")
    assert helix("forget", held, "--reason", "nobody asked").out.startswith(f"Forgot {held}")
    assert helix("recall", "water").code == 1
    assert helix("confirm", held).code == 4
    assert helix("restore", held, "--json").document["memory"]["status"] == "active"
    assert "nobody asked" in helix("log").out


def test_judging_what_is_not_there_points_to_the_list(helix):
    for command in ("confirm", "forget", "restore", "pin", "show", "why"):
        ran = helix(command, "mem_nowhere")
        assert ran.code == 3, command
        assert "`helix list`" in ran.err


def test_relate_draws_an_edge_once(helix, memory):
    start = memory.remember("the checkout service").memory.id
    end = memory.remember("the payments interface").memory.id
    first = helix("relate", start, "depends-on", end, "--json").document
    assert first["edge"]["relation"] == "depends_on"
    assert (first["edge"]["from"], first["edge"]["to"]) == (start, end)
    again = helix("relate", start, "depends_on", end)
    assert f"{start} depends_on {end} (act {first['edge']['position']})" in again.out


def test_relating_a_memory_to_itself_is_refused(helix, memory):
    held = memory.remember("an island").memory.id
    assert helix("relate", held, "near", held).code == 2
    assert helix("relate", held, "near", "mem_nowhere").code == 3

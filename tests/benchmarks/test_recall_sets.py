"""Each loader, on tiny files of its schema."""

from datetime import UTC, datetime

import pytest
from benchmarks.recalling.sets import LOADERS
from benchmarks.recalling.values import Unavailable
from tests.benchmarks.made_sets import MAKERS


def loaded(name, folder, part=None):
    return LOADERS[name](MAKERS[name](folder), part, 1)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_packed_set_is_the_same_as_a_plain_one(name, tmp_path):
    plain = LOADERS[name](MAKERS[name](tmp_path / "plain"), None, 1)
    packed = LOADERS[name](MAKERS[name](tmp_path / "packed", ".zst"), None, 1)
    assert plain == packed


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_gold_is_among_the_notes_or_their_sessions(name, tmp_path):
    for haystack in loaded(name, tmp_path):
        notes = {note.id for note in haystack.notes}
        sessions = {note.session for note in haystack.notes}
        assert len(notes) == len(haystack.notes)
        for asked in haystack.questions:
            assert asked.gold <= (sessions if asked.unit == "session" else notes)
            assert bool(asked.gold) == asked.answerable


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_an_empty_folder_says_what_is_missing(name, tmp_path):
    with pytest.raises(Unavailable, match=r"no .*\* in "):
        LOADERS[name](tmp_path, None, 1)


def test_locomo_turns_carry_speaker_caption_session_and_date(tmp_path):
    (haystack,) = loaded("locomo", tmp_path)
    assert [note.text for note in haystack.notes[:2]] == [
        "Ada: I adopted a hedgehog called Pim.",
        "Bo: Look at this a photo of a lighthouse",
    ]
    assert [note.session for note in haystack.notes] == ["D1", "D1", "D2"]
    assert haystack.notes[2].when == datetime(2031, 8, 9, 10, 40, tzinfo=UTC)


def test_locomo_evidence_is_read_however_it_is_written(tmp_path):
    """Odd forms are read, unknown turns dropped, questions left without gold skipped."""
    (haystack,) = loaded("locomo", tmp_path)
    single, multi, adversarial = haystack.questions
    assert multi.gold == {"D1:2", "D2:1"}
    assert (single.category, multi.category) == ("4", "1")
    assert not adversarial.answerable


def test_locomo_corrections_are_kept_beside_the_published_gold(tmp_path):
    (haystack,) = loaded("locomo", tmp_path)
    single, multi, _ = haystack.questions
    assert (single.gold, single.corrected) == ({"D1:1"}, {"D1:2"})
    assert multi.corrected == multi.gold


def test_locomo_without_an_audit_is_still_measured(tmp_path):
    MAKERS["locomo"](tmp_path)
    (tmp_path / "audit_errors_made.json").unlink()
    (haystack,) = LOADERS["locomo"](tmp_path, None, 1)
    assert haystack.questions[0].corrected == {"D1:1"}


def test_longmemeval_pools_each_session_once_by_turns_oldest_first(tmp_path):
    (haystack,) = loaded("longmemeval-pooled", tmp_path)
    assert [note.id for note in haystack.notes] == ["s2/0", "s1/0", "s1/1"]
    assert [each.answerable for each in haystack.questions] == [True, False]
    assert haystack.questions[0].asked_at == datetime(2031, 7, 30, 8, 15, tzinfo=UTC)


def test_longmemeval_s_gives_each_question_its_own_haystack(tmp_path):
    """Lines end at a line feed only, so a text may hold other separators."""
    haystacks = loaded("longmemeval-s500", tmp_path)
    assert [len(each.notes) for each in haystacks] == [2, 2]
    assert haystacks[0].notes[0].text == "A tyre\u2028and a\u0085bicycle."


def test_beam_strips_the_markers_and_carries_the_date_on(tmp_path):
    (haystack,) = loaded("beam", tmp_path)
    assert [note.text for note in haystack.notes] == [
        "I build a tracker for bees.",
        "Count the hives first.",
        "The hives are blue.",
    ]
    assert {note.when for note in haystack.notes} == {datetime(2031, 8, 4, tzinfo=UTC)}
    assert [each.category for each in haystack.questions] == [
        "information_extraction",
        "abstention",
    ]
    assert loaded("beam", tmp_path, "500K")[0].name == "beam-made-2"


def test_scifact_reads_abstracts_as_lists_and_as_printed_ones(tmp_path):
    (haystack,) = loaded("scifact", tmp_path)
    assert haystack.notes[0].text == "On moss\nMoss is green. It's soft."
    assert haystack.notes[1].text == "On rust\nRust is red. It spreads."
    assert [each.category for each in haystack.questions] == ["SUPPORT", "CONTRADICT"]


def test_multihop_takes_the_part_that_is_asked_for(tmp_path):
    (wiki,) = loaded("multihop", tmp_path)
    (hotpot,) = loaded("multihop", tmp_path, "hotpot")
    assert wiki.notes[0].text == "Blue Kite\nBlue Kite is a film. Its maker is Ola."
    assert wiki.questions[0].gold == {"Blue Kite", "Ola"}
    assert (wiki.questions[0].category, hotpot.questions[0].category) == ("compositional", "bridge")


def test_git_is_replayed_by_date_with_files_and_reverts(tmp_path):
    (haystack,) = loaded("git", tmp_path)
    assert [note.id for note in haystack.notes] == ["aaa", "bbb", "ccc", "ddd"]
    assert haystack.notes[3].cause == "bbb"
    assert haystack.notes[0].files == ("src/cache.py",)
    assert haystack.notes[0].text == "Add a cache #4\nM src/cache.py"


def test_git_asks_by_revert_state_issue_and_path(tmp_path):
    (haystack,) = loaded("git", tmp_path)
    asked = {each.category: each for each in haystack.questions}
    assert (asked["revert"].gold, asked["revert"].without) == ({"bbb"}, {"ddd"})
    assert (asked["state"].gold, asked["state"].stale) == ({"ddd"}, {"bbb"})
    assert [(each.text, *each.gold) for each in haystack.questions if each.category == "issue"] == [
        ("Add a cache #4", "bbb"),
        ("Bound the cache", "aaa"),
    ]
    last = {note.id: note for note in haystack.notes}[next(iter(asked["path"].gold))]
    assert last.when < asked["path"].as_of
    assert asked["path"].text == "what last changed src/cache.py?"


def test_peps_hide_what_supersedes_what_from_the_text(tmp_path):
    (haystack,) = loaded("peps", tmp_path)
    assert [note.id for note in haystack.notes] == ["1", "2", "3", "4"]
    assert [note.supersedes for note in haystack.notes] == [(), ("1",), ("2",), ()]
    assert not any("Final" in note.text for note in haystack.notes)


def test_peps_follow_a_chain_to_what_holds_now(tmp_path):
    (haystack,) = loaded("peps", tmp_path)
    now = [each for each in haystack.questions if each.view == "current"]
    then = [each for each in haystack.questions if each.view == "history"]
    assert {(*each.gold, *sorted(each.stale)) for each in now} == {("3", "1", "2"), ("3", "2")}
    assert {(*each.gold, *each.stale) for each in then} == {("2", "1"), ("3", "2")}

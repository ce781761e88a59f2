"""Tiny sets of the public schemas, made up here, written where a test wants them."""

from __future__ import annotations

import json
from pathlib import Path

import zstandard

Json = object


def write(path: Path, value: Json, *, lines: bool = False) -> None:
    """Write JSON or JSON lines, packed if the name says so."""
    members = value if lines and isinstance(value, list) else [value]
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in members)
    path.parent.mkdir(parents=True, exist_ok=True)
    packed = path.suffix == ".zst"
    path.write_bytes(zstandard.compress(text.encode()) if packed else text.encode())


def turn(place: str, speaker: str, text: str, **more: str) -> Json:
    return {"dia_id": place, "speaker": speaker, "text": text, **more}


def locomo(folder: Path, suffix: str = "") -> Path:
    conversation = {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1_date_time": "3:07 pm on 2 July, 2031",
        "session_1": [
            turn("D1:1", "Ada", "I adopted a hedgehog called Pim."),
            turn("D1:2", "Bo", "Look at this", blip_caption="a photo of a lighthouse"),
        ],
        "session_2_date_time": "10:40 am on 9 August, 2031",
        "session_2": [turn("D2:1", "Bo", "My lighthouse tour was cancelled.")],
    }
    questions = [
        {"question": "What did Ada adopt?", "answer": "x", "evidence": ["D1:1"], "category": 4},
        {
            "question": "What about the lighthouse?",
            "answer": "x",
            "evidence": ["D:1:2; D2:1", "D9:9"],
            "category": 1,
        },
        {"question": "Nowhere to be found?", "answer": "x", "evidence": ["D7:1"], "category": 2},
        {
            "question": "What did Bo adopt?",
            "adversarial_answer": "x",
            "evidence": ["D1:1"],
            "category": 5,
        },
    ]
    audit = [
        {
            "question_id": "locomo_7_qa0",
            "question": "What did Ada adopt?",
            "correct_evidence": ["D1:2"],
        }
    ]
    item = {"sample_id": "conv-made", "conversation": conversation, "qa": questions}
    write(folder / f"locomo_made.json{suffix}", [item])
    write(folder / f"audit_errors_made.json{suffix}", audit)
    return folder


def longmemeval(folder: Path, suffix: str = "") -> Path:
    def item(question_id: str, sessions: list[str]) -> dict[str, Json]:
        return {
            "question_id": question_id,
            "question_type": "multi-session",
            "question": "Which kettle did I buy?",
            "answer": "x",
            "question_date": "2031/07/30 (Wed) 08:15",
            "answer_session_ids": sessions,
        }

    dates = ["2031/07/23 (Wed) 21:30", "2031/07/05 (Sat) 10:00"]
    sessions = [
        [
            {"role": "user", "content": "I bought a copper kettle.", "has_answer": True},
            {"role": "assistant", "content": "Enjoy your tea."},
        ],
        [{"role": "user", "content": "My bicycle has a flat tyre."}],
    ]
    held = {"haystack_dates": dates, "haystack_sessions": sessions}
    oracle = [
        item("q1", ["s1"]) | {"haystack_session_ids": ["s1", "s2"]} | held,
        item("q2_abs", ["s2"]) | {"haystack_session_ids": ["s1", "s2"]} | held,
    ]
    haystack = [
        {"id": "s1", "date": dates[0], "user_text_500": "I bought a copper kettle."},
        {"id": "s2", "date": dates[1], "user_text_500": "A tyre\u2028and a\u0085bicycle."},
    ]
    skeleton = [item("q1", ["s1"]), item("q2_abs", ["s2"])]
    write(folder / f"longmemeval_oracle.made.json{suffix}", oracle)
    write(
        folder / f"lme_s_skeleton_500ch.made.jsonl{suffix}",
        [each | {"haystack": haystack} for each in skeleton],
        lines=True,
    )
    return folder


def beam(folder: Path, suffix: str = "") -> Path:
    def message(number: int, content: str, anchor: str | None = None) -> Json:
        role = "assistant" if number % 2 else "user"
        return {
            "id": number,
            "batch": 1,
            "role": role,
            "time_anchor": anchor,
            "content": content,
        }

    chat = {
        "id": "beam-made-1",
        "turns": [
            message(0, "I build a tracker for bees. ->-> 1,1", "August-04-2031"),
            message(1, "Count the hives first."),
            message(2, "The hives are blue. ->-> 2,N/A"),
        ],
        "questions": [
            {"ability": "information_extraction", "question": "Which hives?", "source_ids": [2, 1]},
            {"ability": "abstention", "question": "Which wasps?", "source_ids": []},
            {"ability": "summarization", "question": "All of it?", "source_ids": []},
        ],
    }
    write(folder / f"beam_100K.jsonl{suffix}", [chat], lines=True)
    write(folder / f"beam_500K.jsonl{suffix}", [chat | {"id": "beam-made-2"}], lines=True)
    return folder


def cosqa(folder: Path, suffix: str = "") -> Path:
    codes = {"def double(n):\n    return 2 * n": 0, "def greet():\n    print('hi')": 1}
    queries = [{"doc": "python double a number n", "retrieval_idx": 0}]
    write(folder / f"code_idx_map.json{suffix}", codes)
    write(folder / f"cosqa-retrieval-made.json{suffix}", queries)
    return folder


def scifact(folder: Path, suffix: str = "") -> Path:
    corpus = [
        {"doc_id": "7", "title": "On moss", "abstract": "['Moss is green.'\n \"It's soft.\"]"},
        {"doc_id": 8, "title": "On rust", "abstract": ["Rust is red.", "It spreads."]},
    ]
    claims = [
        {"claim": "Moss is soft.", "evidence": [{"doc_id": "7", "label": "SUPPORT"}]},
        {"claim": "Rust is blue.", "evidence": {"8": [{"label": "CONTRADICT"}]}},
        {"claim": "Nobody knows.", "evidence": []},
    ]
    write(folder / f"corpus.jsonl{suffix}", corpus, lines=True)
    write(folder / f"claims.jsonl{suffix}", claims, lines=True)
    return folder


def multihop(folder: Path, suffix: str = "") -> Path:
    item = {
        "question": "Where was the maker of the Blue Kite born?",
        "type": "compositional",
        "context": [
            ["Blue Kite", ["Blue Kite is a film.", " Its maker is Ola."]],
            ["Ola", ["Ola was born in Turku."]],
            ["Oslo", ["Oslo is a city."]],
        ],
        "supporting_facts": [["Blue Kite", 1], ["Ola", 0]],
    }
    write(folder / f"2wiki_made.json{suffix}", [item])
    write(folder / f"hotpot_made.json{suffix}", [item | {"type": "bridge"}])
    return folder


def git(folder: Path, suffix: str = "") -> Path:
    def commit(sha: str, day: int, subject: str, path: str, **more: Json) -> Json:
        blank = {"author": "Ada", "body": "", "reverts": None, "refs": [], "parents": []}
        date = f"2024-05-{day:02}T10:00:00+02:00"
        made = {"sha": sha, "date": date, "subject": subject, "files": [["M", path]]}
        return blank | made | more

    commits = [
        commit("aaa", 1, "Add a cache #4", "src/cache.py", refs=["4"]),
        commit("bbb", 2, "Bound the cache", "src/cache.py", refs=["4"]),
        commit("ddd", 9, 'Revert "Bound the cache"', "src/cache.py", reverts="bbb"),
        commit("ccc", 5, "Write docs", "README.md", refs=["9"]),
    ]
    write(folder / f"made__up.commits.jsonl{suffix}", commits, lines=True)
    return folder


def peps(folder: Path, suffix: str = "") -> Path:
    def pep(number: int, title: str, created: str, **more: Json) -> dict[str, Json]:
        text = f"Abstract\n========\n\nThis is about {title.lower()}."
        blank = {"status": "Final", "replaces": [], "superseded_by": []}
        return blank | {"pep": number, "title": title, "created": created, "text": text} | more

    made = [
        pep(3, "Version numbers, third edition", "03-Jan-2003"),
        pep(1, "Version numbers", "01-Jan-2001", superseded_by=[2]),
        pep(2, "Version numbers again", "02-Jan-2002", superseded_by=[3]),
        pep(4, "Naming of modules", "04-Jan-2004"),
    ]
    write(folder / f"peps.jsonl{suffix}", list(made), lines=True)
    return folder


MAKERS = {
    "locomo": locomo,
    "longmemeval-pooled": longmemeval,
    "longmemeval-s500": longmemeval,
    "beam": beam,
    "cosqa": cosqa,
    "scifact": scifact,
    "multihop": multihop,
    "git": git,
    "peps": peps,
}

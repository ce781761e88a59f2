"""How a command ended, read from the text in which an agent's shell answers."""

import pytest

from helix.connect.shells import answered

GEMINI = (
    "Command: make x\nDirectory: (root)\nOutput: boom\nand more\nError: (none)\n"
    "Exit Code: 2\nSignal: 0"
)


@pytest.mark.parametrize(
    "text",
    [
        GEMINI,
        f"{GEMINI}\nProcess Group PGID: 4711",
        "Output: boom\nand more\nExit Code: 2",
        "Command: make x\nDirectory: (root)\nStdout: boom\nand more\nStderr: (empty)\n"
        "Error: (none)\nExit Code: 2\nSignal: (none)\nBackground PIDs: (none)\n"
        "Process Group PGID: 4711",
    ],
)
def test_a_shell_of_gemini(text):
    """The code stands near the end; what the command printed is what is left."""
    assert answered({"llmContent": text, "returnDisplay": "boom"}) == {
        "output": "boom\nand more",
        "exit_code": 2,
    }


def test_what_gemini_does_not_tell_is_not_made_up():
    """Without a code nobody knows how it ended; a signal tells that it was ended."""
    untold = {"llmContent": "Command: make\nOutput: fine\nProcess Group PGID: 1"}
    assert answered(untold) == {"output": "fine", "exit_code": None}
    ended = {"llmContent": "Command: make\nOutput: x\nExit Code: (none)\nSignal: 9"}
    assert answered(ended) == {"output": "x", "exit_code": 137}
    empty = {"llmContent": "Command: make\nOutput: (empty)\nError: (none)\nExit Code: 0"}
    assert answered(empty) == {"output": "", "exit_code": 0}


def test_an_error_of_gemini_is_kept():
    """It is not what the command printed."""
    text = "Command: make\nOutput: (empty)\nError: spawn failed\nExit Code: 1"
    assert answered({"llmContent": text}) == {
        "output": "", "exit_code": 1, "error": "spawn failed",
    }  # fmt: skip
    told = {"llmContent": "Output: x", "error": {"message": "not allowed"}}
    assert answered(told)["error"] == {"message": "not allowed"}


@pytest.mark.parametrize(
    ("text", "code", "out"),
    [
        ("Exit code: 1\nWall time: 0.5 seconds\nOutput:\nE501\n", 1, "E501\n"),
        ("Chunk ID: a\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno", 2, "no"),
        ("Wall time: 1 s\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n", 0, ""),
        ('{"output": "E501", "metadata": {"exit_code": 1}}', 1, "E501"),
    ],
)
def test_a_shell_of_codex(text, code, out):
    """Its tools answer in three ways."""
    told = answered(text)
    assert (told["exit_code"], told["output"]) == (code, out)


@pytest.mark.parametrize(
    "told",
    ["3 passed", "Output:\nExit code: 1\nOutput:\n", {"stdout": "fine"}, {"llmContent": "Hello"},
     {"llmContent": 7}, None, 7, "{broken", "[1]", "\nExit Code: 2"],
)  # fmt: skip
def test_anything_else_stays_as_it_is(told):
    """A text that happens to look alike tells nothing."""
    assert answered(told) == told

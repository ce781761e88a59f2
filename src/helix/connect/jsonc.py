"""JSON with comments, read with the place of everything, so that it can be added to.

Editors and agents keep their settings in JSON that allows comments and trailing commas.
Parsing such a file and writing it again would lose both, so members and items are put in
at their place, and every other byte stays as it was. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from helix.model.errors import BadInput

DEEPEST = 100
_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(r"[-+.\w]+")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(slots=True)
class Node:
    """A value and where it stands. `last` is where the last of its parts ends, comma included."""

    start: int
    end: int
    value: object
    members: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    starts: dict[str, int] = field(default_factory=dict)
    last: int = 0
    trailing_comma: bool = False


def parsed(text: str) -> Node:
    """Return the root of a text, or raise `BadInput` if it is not JSON with comments."""
    node = _value(text, _skipped(text, 0), 0)
    if _skipped(text, node.end) != len(text):
        raise _unreadable(text, node.end)
    return node


def found(root: Node, path: Sequence[str]) -> Node | None:
    """Return the node at a path of keys, or None."""
    node: Node | None = root
    for key in path:
        node = node.members.get(key) if node is not None else None
    return node


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with `value` at `path`; unchanged if it stands there already.

    Raises `BadInput` if something else stands there or in the way.
    """
    if not text.strip():
        return text + _written(_nested(path, value), "", "  ") + "\n"
    root = parsed(text)
    node, rest = _deepest(root, path)
    if not rest:
        if node.value == value:
            return text
        raise _in_the_way(path, "something else stands there")
    if not isinstance(node.value, dict):
        raise _in_the_way(path, "what stands above it is not an object")
    written = json.dumps(rest[0]) + ": "
    return _added(text, root, node, written, _nested(rest[1:], value))


def with_item(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with `value` last in the list at `path`; unchanged if it is in it."""
    if not text.strip():
        return with_member(text, path, [value])
    root = parsed(text)
    node, rest = _deepest(root, path)
    if rest:
        return with_member(text, path, [value])
    if not isinstance(node.value, list):
        raise _in_the_way(path, "what stands there is not a list")
    if value in node.value:
        return text
    return _added(text, root, node, "", value)


def without_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member at `path`; unchanged if it is not there."""
    root = parsed(text)
    parent = found(root, path[:-1])
    if parent is None or path[-1] not in parent.members:
        return text
    return _cut(text, parent, parent.starts[path[-1]], parent.members[path[-1]].end)


def without_items(text: str, path: Sequence[str], marks: str, inner: str = "") -> str:
    """Return the text without those items of a list in whose words `marks` stands.

    An item may be a group, with a list under `inner`: of such a one only what bears the marks
    goes, and the group itself when nothing else is in it.
    """
    while True:
        node = found(parsed(text), path)
        if node is None:
            return text
        ours = [each for each in node.items if marks in text[each.start : each.end]]
        if not ours:
            return text
        parent, item = node, ours[0]
        group = item.members.get(inner)
        if group is not None and len(group.items) > 1:
            marked = [each for each in group.items if marks in text[each.start : each.end]]
            if 0 < len(marked) < len(group.items):
                parent, item = group, marked[0]
        text = _cut(text, parent, item.start, item.end)


# --- reading ------------------------------------------------------------------------------


def _skipped(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None  # it matches the empty text
    return match.end()


def _value(text: str, at: int, depth: int) -> Node:
    if depth > DEEPEST:
        raise _unreadable(text, at)
    letter = text[at : at + 1]
    if letter == "{":
        return _object(text, at, depth)
    if letter == "[":
        return _array(text, at, depth)
    if letter == '"':
        word, end = _string(text, at)
        return Node(at, end, word)
    match = _WORD.match(text, at)
    if match is None:
        raise _unreadable(text, at)
    return Node(at, match.end(), _plain(text, match))


def _plain(text: str, match: re.Match[str]) -> object:
    if match[0] in _WORDS:
        return _WORDS[match[0]]
    try:
        return json.loads(match[0])
    except ValueError:
        raise _unreadable(text, match.start()) from None


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    if match is None:
        raise _unreadable(text, at)
    try:
        return json.loads(match[0], strict=False), match.end()
    except ValueError:
        raise _unreadable(text, at) from None


def _object(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, {}, last=start + 1)
    value: dict[str, object] = {}
    at = _skipped(text, start + 1)
    while text[at : at + 1] != "}":
        key, end = _string(text, at)
        colon = _skipped(text, end)
        if text[colon : colon + 1] != ":":
            raise _unreadable(text, colon)
        part = _value(text, _skipped(text, colon + 1), depth + 1)
        node.members[key], node.starts[key], value[key] = part, at, part.value
        at = _after(text, node, part, "}")
    node.value, node.end = value, at + 1
    return node


def _array(text: str, start: int, depth: int) -> Node:
    node = Node(start, start, [], last=start + 1)
    at = _skipped(text, start + 1)
    while text[at : at + 1] != "]":
        part = _value(text, at, depth + 1)
        node.items.append(part)
        at = _after(text, node, part, "]")
    node.value, node.end = [each.value for each in node.items], at + 1
    return node


def _after(text: str, node: Node, part: Node, closing: str) -> int:
    node.last, node.trailing_comma = part.end, False
    at = _skipped(text, part.end)
    if text[at : at + 1] == ",":
        node.last, node.trailing_comma = at + 1, True
        return _skipped(text, at + 1)
    if text[at : at + 1] != closing:
        raise _unreadable(text, at)
    return at


# --- writing ------------------------------------------------------------------------------


def _deepest(root: Node, path: Sequence[str]) -> tuple[Node, Sequence[str]]:
    node = root
    for index, key in enumerate(path):
        if key not in node.members:
            return node, path[index:]
        node = node.members[key]
    return node, ()


def _nested(path: Sequence[str], value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _added(text: str, root: Node, node: Node, written: str, value: object) -> str:
    unit = _unit(text, root)
    around = _indent(text, node.start)
    inner = around + unit
    newline = "\r\n" if "\r\n" in text else "\n"
    body = (newline + inner + written + _written(value, inner, unit)).replace("\n", newline)
    body = body.replace("\r\r\n", "\r\n")
    if not node.members and not node.items:
        return text[: node.last] + body + newline + around + text[node.last :]
    comma = "" if node.trailing_comma else ","
    # On one line: { "a": 1 } stays on one line, and what is added ends as it began.
    at_end = "" if "\n" in text[node.last : node.end - 1] else newline + around
    return text[: node.last] + comma + body + at_end + text[node.last :]


def _written(value: object, indent: str, unit: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", "\n" + indent)


def _unit(text: str, root: Node) -> str:
    """Return how the file indents: as its first member does."""
    for at in root.starts.values():
        indent = _indent(text, at)
        return indent if indent and indent.isspace() else "  "
    return "  "


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _cut(text: str, parent: Node, start: int, end: int) -> str:
    """Return the text without a part of an object or a list; comments around it stay."""
    ends = [each.end for each in (*parent.members.values(), *parent.items)]
    before = max((each for each in ends if each <= start), default=None)
    comma = _skipped(text, end)
    if text[comma : comma + 1] == ",":
        # Its own comma goes with it, and the one before it stays for what follows.
        after = comma + 1
        if before is None and not (text[parent.start + 1 : start] + text[end:comma]).strip():
            return text[: parent.start + 1] + text[after:]
        return _joined(text[:start].rstrip() + text[end:comma], text[after:])
    if before is not None:
        # The last one: the comma before it goes.
        between = _without_comma(text[before:start])
        return _joined(text[:before] + between.rstrip(), text[end:])
    around = text[parent.start + 1 : start] + text[end : parent.end - 1]
    if not around.strip():
        return text[: parent.start + 1] + text[parent.end - 1 :]
    return _joined(text[:start].rstrip(), text[end:])


def _without_comma(between: str) -> str:
    """Return what stands between two parts without its comma, which a comment may precede."""
    at = _skipped(between, 0)
    return between[:at] + between[at + 1 :]


def _joined(left: str, right: str) -> str:
    """Return two ends put together; what followed a comment's line does not become part of it."""
    ends_in_comment = "//" in left[left.rfind("\n") + 1 :]
    if ends_in_comment and not re.match(r"[ \t]*\r?(?:\n|\Z)", right):
        return f"{left}\n{right}"
    return left + right


def _in_the_way(path: Sequence[str], why: str) -> BadInput:
    return BadInput(
        f"{'.'.join(path)}: {why}",
        code="already_configured",
        remedy="take it out by hand if it is an old one, then try again",
    )


def _unreadable(text: str, at: int) -> BadInput:
    line = text.count("\n", 0, at) + 1
    return BadInput(
        f"line {line} cannot be read as JSON with comments",
        code="unknown_format",
        remedy="nothing was changed; correct the file, or add Helix by hand",
    )

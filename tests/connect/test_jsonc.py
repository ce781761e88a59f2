"""Adding to JSON with comments touches nothing else."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.connect import jsonc
from helix.model.errors import BadInput

SETTINGS = """\
// My settings
{
  "theme": "dark", // at night
  /* servers
     of mine */
  "mcpServers": {
    "other": { "command": "npx", "args": ["-y", "x"], }, // trailing
  },
  "url": "http://example.com//not-a-comment",
}
"""


def value(text):
    return jsonc.parsed(text).value


def test_comments_and_trailing_commas_are_read_over():
    assert value(SETTINGS)["url"] == "http://example.com//not-a-comment"


def test_a_member_is_put_in_at_its_place_and_every_byte_stays():
    after = jsonc.with_member(SETTINGS, ("mcpServers", "helix"), {"command": "helix"})
    assert value(after)["mcpServers"]["helix"] == {"command": "helix"}
    rest = iter(after)
    assert all(letter in rest for letter in SETTINGS)  # nothing was taken out or turned around
    assert "// at night" in after
    assert '    "helix": {\n      "command": "helix"\n    }' in after


def test_putting_in_what_is_there_changes_nothing():
    once = jsonc.with_member(SETTINGS, ("mcpServers", "helix"), {"command": "helix"})
    assert jsonc.with_member(once, ("mcpServers", "helix"), {"command": "helix"}) == once


@pytest.mark.parametrize("text", ["", "  \n", "{}", "{ }\n", "[]", "{\r\n}\r\n", "\ufeff{}"])
def test_files_with_nothing_in_them(text):
    if text == "[]":
        with pytest.raises(BadInput):
            jsonc.with_member(text, ("a", "b"), 1)
        return
    assert value(jsonc.with_member(text, ("a", "b"), 1)) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    "text", ["{", '{"a" 1}', "{a: 1}", "nonsense", '{"a": }', '{"a": 1} x', "{'a': 1}", "[1 2]"]
)
def test_what_is_not_understood_is_refused(text):
    with pytest.raises(BadInput) as caught:
        jsonc.with_member(text, ("a", "b"), 1)
    assert caught.value.code == "unknown_format"


def test_what_stands_in_the_way_is_refused():
    for text in ('{"mcpServers": []}', '{"mcpServers": {"helix": 1}}', '{"mcpServers": null}'):
        with pytest.raises(BadInput) as caught:
            jsonc.with_member(text, ("mcpServers", "helix"), {})
        assert caught.value.code == "already_configured"


def test_lines_end_as_the_file_ends_them():
    after = jsonc.with_member('{\r\n\t"a": 1\r\n}\r\n', ("b",), {"c": [1]})
    assert after.count("\n") == after.count("\r\n")
    assert '\r\n\t"b": {\r\n\t\t"c"' in after


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=4), plain, max_size=4)
paths = st.lists(st.text(max_size=4), min_size=1, max_size=3)
layouts = st.sampled_from([None, 2, 4, "\t"])


@given(objects, layouts)
def test_plain_json_is_read_as_json(whole, indent):
    assert value(json.dumps(whole, indent=indent)) == whole


@given(objects, paths, plain, layouts, st.booleans())
def test_what_is_put_in_is_there_and_can_be_taken_out(whole, path, added, indent, escaped):
    """Putting in changes one value; taking out gives the old ones back."""
    text = json.dumps(whole, indent=indent, ensure_ascii=escaped)
    try:
        after = jsonc.with_member(text, path, added)
    except BadInput:
        return
    node = jsonc.found(jsonc.parsed(after), path)
    assert node is not None
    assert node.value == added
    if after == text:
        return
    parents = [path[:end] for end in range(len(path), 0, -1)]
    new = next(each for each in reversed(parents) if jsonc.found(jsonc.parsed(text), each) is None)
    assert value(jsonc.without_member(after, new)) == whole


@given(st.lists(plain, max_size=4), layouts)
def test_an_item_is_put_last_and_taken_out_again(items, indent):
    text = json.dumps({"list": items}, indent=indent)
    after = jsonc.with_item(text, ("list",), {"mark": "of-helix"})
    assert value(after)["list"] == [*items, {"mark": "of-helix"}]
    assert value(jsonc.without_items(after, ("list",), "of-helix"))["list"] == items


@given(st.text(alphabet='{}[]",:/*\\ \nab1', max_size=40))
def test_any_text_is_read_or_refused(text):
    with suppress(BadInput):
        jsonc.parsed(text)


@pytest.mark.parametrize(
    "text",
    [
        '{ // keep: first\n  "ours": 1,\n  "b": 2\n}',
        '{\n  // keep: alone\n  "ours": 1\n}',
        '{ // keep: alone\n  "ours": 1 }',
        '{ "a": 1, // keep: before\n  "ours": 1\n}',
        '{ "a": 1 /* keep */, "ours": 1 }',
        '{ "a": 1, // keep: before\n  "ours": 1, }',
        '{ "a": 1,\n  "ours": 1, // keep: behind\n  "b": 2 }',
        '{ "a": "http://x",\n  "ours": 1 }',
    ],
)
def test_what_is_taken_out_takes_no_comment_with_it(text):
    after = jsonc.without_member(text, ("ours",))
    expected = value(text)
    del expected["ours"]
    assert value(after) == expected
    assert after.count("keep") == text.count("keep")


COMMENTS = st.sampled_from(["", " ", "\n", " // keep\n", "/* keep */", "\n  // keep\n  "])


@given(st.data())
def test_taking_out_any_member_leaves_the_rest_and_every_comment(data):
    names = data.draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True))
    gap = lambda: data.draw(COMMENTS)  # noqa: E731
    parts = [f'{gap()}"{each}":{gap()}[1, "//"]{gap()}' for each in names]
    text = "{" + ",".join(parts) + (f",{gap()}" if data.draw(st.booleans()) else "") + "}"
    gone = data.draw(st.sampled_from(names))
    after = jsonc.without_member(text, (gone,))
    assert value(after) == {each: [1, "//"] for each in names if each != gone}
    inside = parts[names.index(gone)]
    within = inside[inside.index(f'"{gone}"') : inside.rindex("]")]
    assert after.count("keep") == text.count("keep") - within.count("keep")

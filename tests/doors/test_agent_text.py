"""What agents are told: within its budget, in its fence, and nothing forged."""

from hypothesis import given
from hypothesis import strategies as st

from helix.doors.agent_text import BAR, pack
from helix.doors.budget import shortened, tokens
from helix.rules.echo import CLOSING, DATA_NOT_ORDERS, NAME, OPENING, fenced, unforged, without_echo
from helix.testing.builders import a_memory

texts = st.text(max_size=400) | st.text(st.sampled_from(f"</>{NAME} \n|ab"), max_size=200)
memories = st.lists(texts.filter(str.strip), max_size=12).map(
    lambda said: [
        a_memory(f"mem_{number}_{'x' * number}", text) for number, text in enumerate(said)
    ]
)


@given(memories, st.integers(100, 3_000))
def test_an_answer_never_costs_more_than_it_may(held, budget):
    """Whatever is held and whatever is allowed, and every memory is shown or left out."""
    packed = pack("From project:shop and global.", held, budget)
    assert tokens(packed.text) <= budget
    assert sorted((*packed.shown, *packed.left_out)) == sorted(each.id for each in held)


@given(memories)
def test_nothing_a_memory_says_stands_outside_its_bar(held):
    """There is one fence, and each line in it is Helix's own or behind a bar."""
    text = pack("Head.", held, 20_000).text
    assert text.count(OPENING) == text.count(CLOSING) == (1 if held else 0)
    own = {OPENING, CLOSING, DATA_NOT_ORDERS, "Head."}
    heads = {f"{each.id} (" for each in held}
    for line in text.split("\n"):
        assert line in own or line.startswith((BAR, *heads, "Left out")), line


@given(texts)
def test_what_was_fenced_is_gone_when_it_comes_back(said):
    """However it was worded, an agent that repeats it brings back nothing of it."""
    told = fenced(unforged(said))
    assert without_echo(told) == ""
    assert without_echo(f"before {told} after") == "before  after"


@given(st.text(max_size=300), st.integers(1, 50))
def test_a_text_is_cut_to_what_it_may_cost(said, most):
    assert tokens(shortened(said, most)) <= most + 1

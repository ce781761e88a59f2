"""Scope: this project and global, own and shared; never another's."""

from __future__ import annotations

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import current, head, kept, said, sound

from helix.model.errors import BadInput, NotFound
from helix.model.outcome import Kept
from helix.model.scope import EVERYONE, GLOBAL, Realm, may_read, narrower, visible_from
from helix.testing.builders import HERE

THERE = HERE.in_scope("project:there")
EVERYWHERE = HERE.in_scope(GLOBAL)
BOB = Realm(HERE.tenant, "bob", HERE.scope)
SHARED = Realm(HERE.tenant, EVERYONE, HERE.scope)
SHARED_GLOBAL = Realm(HERE.tenant, EVERYONE, GLOBAL)
OTHER_TENANT = Realm("other", HERE.owner, HERE.scope)


def test_a_project_sees_itself_and_global(seen_from: Opener) -> None:
    """What holds in one project is not seen from another; what holds everywhere is."""
    seen_from(HERE).remember("here we use tabs")
    seen_from(THERE).remember("there we use spaces")
    seen_from(HERE).remember("everywhere we use git", everywhere=True)
    assert current(seen_from(HERE)) == {"here we use tabs", "everywhere we use git"}
    assert current(seen_from(THERE)) == {"there we use spaces", "everywhere we use git"}
    assert said(seen_from(HERE).recall("what do we use?")) == current(seen_from(HERE))


def test_without_a_project_only_global_is_seen(seen_from: Opener) -> None:
    """Asked from global, no project's memory answers: unknown scope fails closed."""
    seen_from(HERE).remember("here we use tabs")
    seen_from(EVERYWHERE).remember("everywhere we use git")
    assert current(seen_from(EVERYWHERE)) == {"everywhere we use git"}


def test_owners_do_not_see_each_other(seen_from: Opener) -> None:
    """The same project of another owner is another place."""
    seen_from(HERE).remember("mine")
    assert current(seen_from(BOB)) == set()


def test_what_is_shared_is_seen_by_every_owner(seen_from: Opener) -> None:
    """Things of everyone are seen by all owners of the tenant, in their scope."""
    seen_from(SHARED).remember("shared here")
    seen_from(SHARED_GLOBAL).remember("shared everywhere")
    for realm in (HERE, BOB):
        assert current(seen_from(realm)) == {"shared here", "shared everywhere"}
    assert current(seen_from(THERE)) == {"shared everywhere"}


def test_tenants_know_nothing_of_each_other(seen_from: Opener) -> None:
    """Another tenant has its own positions, ids and memories, even of the same names."""
    mine = seen_from(HERE).remember("we use tabs")
    theirs = seen_from(OTHER_TENANT).remember("we use tabs")
    assert isinstance(mine, Kept)
    assert isinstance(theirs, Kept)
    assert (mine.position, mine.memory.id) == (theirs.position, theirs.memory.id)
    seen_from(HERE).forget(mine.memory.id)
    assert current(seen_from(OTHER_TENANT)) == {"we use tabs"}
    sound(seen_from(HERE))


def test_the_same_words_may_hold_in_two_projects(seen_from: Opener) -> None:
    """Each project has a memory of its own, told apart by its id."""
    first, second = (kept(seen_from(realm).remember("we use tabs")) for realm in (HERE, THERE))
    assert first.id != second.id
    seen_from(THERE).forget(second.id)
    assert current(seen_from(HERE)) == {"we use tabs"}


def test_what_is_judged_stays_where_it_is(seen_from: Opener) -> None:
    """Confirming or correcting a global memory from a project happens in global."""
    wide = kept(seen_from(HERE).remember("we use git", everywhere=True))
    new = seen_from(HERE).correct(wide.id, "we use jj").memory
    assert new.realm == EVERYWHERE
    assert current(seen_from(THERE)) == {"we use jj"}
    assert [entry.scope for entry in seen_from(THERE).history.log()] == [GLOBAL, GLOBAL]


@pytest.mark.parametrize("hidden_in", [THERE, BOB, OTHER_TENANT])
def test_an_id_cannot_be_probed(seen_from: Opener, hidden_in: Realm) -> None:
    """What exists elsewhere is refused in the same words as what does not exist."""
    hidden = kept(seen_from(hidden_in).remember("a secret plan")).id
    memory = seen_from(HERE)
    own = kept(memory.remember("my own")).id
    before = head(memory)
    for act in (
        memory.why, memory.forget, memory.confirm, memory.restore, memory.pin,
        lambda item: memory.correct(item, "x"),
        lambda item: memory.relate(own, "uses", item),
        lambda item: memory.relate(item, "uses", own),
    ):  # fmt: skip
        sayings = []
        for item in (hidden, "mem_unknown"):
            with pytest.raises(NotFound) as refused:
                act(item)
            sayings.append(str(refused.value).replace(item, "ID"))
        assert sayings[0] == sayings[1]
    assert head(memory) == before


@pytest.mark.parametrize(
    ("start", "end", "belongs"),
    [
        (HERE, HERE, HERE),
        (HERE, EVERYWHERE, HERE),
        (EVERYWHERE, HERE, HERE),
        (SHARED, HERE, HERE),
        (HERE, SHARED, HERE),
        (EVERYWHERE, SHARED, HERE),
        (SHARED_GLOBAL, EVERYWHERE, EVERYWHERE),
        (SHARED, SHARED_GLOBAL, SHARED),
    ],
    ids=lambda realm: f"{realm.owner}:{realm.scope}",
)
def test_a_relation_belongs_where_both_ends_are_seen(
    seen_from: Opener, start: Realm, end: Realm, belongs: Realm
) -> None:
    """It is recorded in the narrower realm, so that its ids are told to nobody else."""
    one = kept(seen_from(start).remember("the private end of it"))
    other = kept(seen_from(end).remember("another thing"))
    edge = seen_from(HERE).relate(one.id, "uses", other.id)
    assert edge.realm == belongs == narrower(start, end)
    for asker in (HERE, BOB, THERE, EVERYWHERE):
        told = {entry.kind for entry in seen_from(asker).history.log()}
        assert ("related" in told) is may_read(asker, belongs)
        assert may_read(asker, belongs) <= (may_read(asker, start) and may_read(asker, end))


def test_why_does_not_tell_of_acts_elsewhere(seen_from: Opener) -> None:
    """Everyone who sees a shared memory sees the acts on it, and nothing of other places."""
    shared = kept(seen_from(SHARED).remember("shared here"))
    seen_from(HERE).pin(shared.id)
    seen_from(HERE).history.rollback(head(seen_from(HERE)), reason="changed my mind")
    account = seen_from(BOB).why(shared.id)
    assert [entry.kind for _, entry in account.beliefs if entry] == [
        "asserted", "pinned", "rolled_back",
    ]  # fmt: skip
    assert {entry.scope for _, entry in account.beliefs if entry} == {HERE.scope}


def test_counts_and_budget_are_of_this_scope(seen_from: Opener) -> None:
    """Status counts what is visible, and the budget of exactly this realm."""
    seen_from(HERE).capture("here", importance_hint=0.5)
    seen_from(THERE).capture("there", importance_hint=0.9)
    seen_from(EVERYWHERE).capture("everywhere", importance_hint=0.7)
    status = seen_from(HERE).upkeep.status()
    assert status.counts == (
        (GLOBAL, "episode", "active", 1),
        (HERE.scope, "episode", "active", 1),
    )
    assert status.budget == 5.0
    assert status.scope == HERE.scope


@pytest.mark.parametrize(
    "scope", ["", "project:", "project", "GLOBAL", "project:a b", "project:a\n", "x:y"]
)
def test_a_scope_is_global_or_a_named_project(scope: str) -> None:
    """Anything else is refused before it can be written or asked from."""
    with pytest.raises(BadInput):
        Realm("local", "me", scope)


@pytest.mark.parametrize("name", ["", "two words", "x" * 201, "bell\x07", "line\n"])
def test_tenants_and_owners_need_printable_names(name: str) -> None:
    """Names that could not be told apart or printed safely are refused."""
    with pytest.raises(BadInput):
        Realm(name, "me", GLOBAL)
    with pytest.raises(BadInput):
        Realm("local", name, GLOBAL)


def test_visible_from_is_what_may_be_read() -> None:
    """The two ways of saying what is visible agree, for every pair of realms."""
    realms = [
        Realm(tenant, owner, scope)
        for tenant in ("local", "other")
        for owner in ("me", "bob", EVERYONE)
        for scope in (GLOBAL, "project:a", "project:b")
    ]
    for asker in realms:
        assert {realm for realm in realms if may_read(asker, realm)} == set(visible_from(asker))
        assert len(visible_from(asker)) == len(set(visible_from(asker)))

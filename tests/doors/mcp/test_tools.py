"""What an agent is offered, what it costs, and that every tool does what it says."""

import json

import pytest
from tests.doors.mcp.conftest import called, connected, run

from helix.doors.budget import tokens
from helix.doors.fields import schema_of
from helix.doors.mcp import calls
from helix.doors.mcp.tools import DEFAULT, MORE, MOST_DEFAULT, offered

SCHEMA_BUDGET = 2_500
FULL_BUDGET = 4_000


def listed(home, folder, *args):
    async def ask():
        async with connected(home, folder, *args) as client:
            return (await client.list_tools()).tools

    return run(ask())


@pytest.mark.parametrize(("args", "most"), [((), SCHEMA_BUDGET), (("--tools=full",), FULL_BUDGET)])
def test_the_list_of_tools_is_cheap(home, repository, args, most):
    """What an agent is told at the start costs less than its budget, as it goes over the wire."""
    tools = listed(home, repository, *args)
    wire = json.dumps([each.model_dump(by_alias=True, exclude_none=True) for each in tools])
    assert tokens(wire) < most
    # The estimate itself is on the safe side: three and a half letters to a token.
    assert len(wire) < 3.5 * most


def test_at_most_eight_tools_by_default(home, repository):
    assert len(listed(home, repository)) <= MOST_DEFAULT


def test_nobody_can_name_a_scope():
    """No tool takes a scope, an owner or a tenant."""
    for tool in offered(full=True):
        assert (
            not {"scope", "owner", "tenant", "project"}
            & schema_of(tool.fields)["properties"].keys()
        )


def test_behaviour_hints_are_told(home, repository):
    """Reading is marked as reading, and only forgetting as taking something away."""
    hints = {each.name: each.annotations for each in listed(home, repository, "--tools=full")}
    readers = {name for name, hint in hints.items() if hint.read_only_hint}
    assert readers == {"recall", "context", "why", "about", "list", "log", "pending", "status"}
    assert {name for name, hint in hints.items() if hint.destructive_hint} == {"forget"}
    assert not any(hint.open_world_hint for hint in hints.values())


def test_every_tool_has_something_behind_it():
    for tool in (*DEFAULT, *MORE):
        assert tool.does is getattr(calls, tool.name)


async def every_tool(client):
    """Call every tool that is listed, and return what each said."""
    names = {each.name for each in (await client.list_tools()).tools}
    said = {
        "remember": {"content": "We chose SQLite for billing", "type": "decision"},
        "capture": {"content": "npm test failed with ERESOLVE", "exit_status": 1},
    }
    for name, arguments in said.items():
        assert not (await called(client, name, **arguments))[0]
    first = "mem_chose_sqlite_billing"
    answers = {}
    for name, arguments in {
        **said,
        "recall": {"question": "which database for billing?"},
        "context": {},
        "pin": {"id": first},
        "confirm": {"id": first},
        "relate": {
            "from_id": first, "relation": "caused_by",
            "to_id": "ep_npm_test_failed_eresolve_2",
        },
        "used": {"id": first, "quality": 5},
        "promote": {"id": "ep_npm_test_failed_eresolve_2"},
        "demote": {"id": "ep_npm_test_failed_eresolve_2"},
        "why": {"id": first},
        "correct": {"id": first, "content": "We chose Postgres for billing"},
        "forget": {"id": "mem_chose_postgres_billing"},
        "restore": {"id": "mem_chose_postgres_billing"},
        "about": {"name": "SQLite"},
        "list": {},
        "log": {},
        "pending": {},
        "submit": {"key": "0", "reply": {}},
        "status": {},
    }.items():  # fmt: skip
        failed, answers[name] = await called(client, name, **arguments)
        # One agent alone cannot make its own episode a fact.
        refusals = {"promote": "uncorroborated", "submit": "unknown_question"}
        refused = answers[name].startswith(refusals.get(name, "-"))
        assert refused if name in refusals else not failed, (name, answers[name])
    assert set(answers) == names
    return answers


def test_every_tool_can_be_called(home, repository):
    """The official client lists and calls every tool there is."""

    async def use():
        async with connected(home, repository, "--tools=full") as client:
            return await every_tool(client)

    answers = run(use())
    assert "We chose SQLite for billing" in answers["recall"]
    assert "npm test failed" in answers["context"]
    assert "decision in project:github.com/acme/shop" in answers["correct"]
    assert "project:github.com/acme/shop" in answers["status"]


def test_a_list_goes_on_from_a_position_and_from_an_id(home, repository):
    """Models write a position as a number; what was concluded has only its id."""

    async def use():
        async with connected(home, repository, "--tools=full") as client:
            for number in range(3):
                await called(client, "remember", content=f"fact number {number}")
            (_, first) = await called(client, "list", limit=1)
            pages = [
                await called(client, "list", limit=1, before=before)
                for before in (3, "3", "mem_fact_number_2")
            ]
            return first, pages, await called(client, "list", before="mem_of_nobody")

    first, pages, nowhere = run(use())
    assert "Page on with before: 3." in first
    assert all("fact number 1" in text and not failed for failed, text in pages), pages
    assert nowhere[0]
    assert "mem_of_nobody" in nowhere[1]


def test_saying_it_twice_changes_nothing(home, repository):
    """Writes that are repeated, as an agent does after a lost answer, are kept once."""

    async def use():
        async with connected(home, repository) as client:
            for name, arguments in (
                ("remember", {"content": "Billing runs on Mongo"}),
                ("capture", {"content": "it failed", "event_id": "e1"}),
                ("correct", {"id": "mem_billing_runs_mongo", "content": "It runs on SQLite"}),
                ("forget", {"id": "mem_runs_sqlite"}),
            ):
                for _ in range(2):
                    failed, answer = await called(client, name, **arguments)
                    assert not failed, answer
            async with connected(home, repository, "--tools=full") as other:
                return (await called(other, "log"))[1]

    opening, _, *lines, closing = run(use()).splitlines()
    assert (opening, closing) == ("<helix-memory>", "</helix-memory>")
    kinds = [line.split()[3] for line in lines]
    assert sorted(kinds) == ["asserted", "captured", "corrected", "forgotten"]


def test_an_event_can_be_told_again_to_another_server(home, repository):
    """Each server makes up a session; the agent said the same both times."""

    async def use():
        for _ in range(2):
            async with connected(home, repository) as client:
                failed, answer = await called(client, "capture", content="it broke", event_id="e9")
                assert not failed, answer
        return answer

    assert "Already there" in run(use())


def test_what_cannot_be_done_is_an_answer_with_a_remedy(home, repository):
    """A wrong argument or id is a result marked as an error, not a broken protocol."""

    async def use():
        async with connected(home, repository) as client:
            return [
                await called(client, "recall"),
                await called(client, "recall", question=["?"]),
                await called(client, "recall", question="x", scope="global"),
                await called(client, "remember", content="x", type="episode"),
                await called(client, "why", id="mem_nothing"),
                await called(client, "recall", question="x", budget=1),
                await called(client, "recall", question="x", on="once"),
            ]

    answers = run(use())
    assert all(failed for failed, _ in answers)
    codes = [text.partition(":")[0] for _, text in answers]
    assert codes[:6] == [
        "missing_argument", "bad_argument", "unknown_argument", "bad_argument",
        "unknown_memory", "bad_argument",
    ]  # fmt: skip


def test_an_answer_keeps_its_budget_and_names_what_it_left_out(home, repository):
    """However much is held, an answer costs no more than was allowed."""

    async def use():
        async with connected(home, repository) as client:
            for number in range(30):
                text = f"Deploy note {number}: " + f"the deploy step {number} needs care. " * 20
                await called(client, "remember", content=text)
            return [
                (budget, (await called(client, "recall", question="deploy", budget=budget))[1])
                for budget in (100, 300, 1_200, 5_000)
            ]

    for budget, text in run(use()):
        assert tokens(text) <= budget, budget
        assert ("Left out for space" in text) == (budget < 5_000)

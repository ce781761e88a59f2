"""The application: the table of operations as routes, over one memory that stays open."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from helix.app.facade import Helix
from helix.app.figures import Figures
from helix.app.watching import Watch
from helix.capture.admission import admitted_id
from helix.doors.fields import parsed, read
from helix.doors.resident import KNOWN_BY
from helix.doors.rest import metrics, openapi
from helix.doors.rest.guarding import Guard
from helix.doors.rest.operations import OPERATIONS, Operation
from helix.doors.rest.problems import Json, problem, refused
from helix.doors.workers import Workers
from helix.model.errors import BadInput

AGENT = "rest"
LONGEST_KEY = 200
WORKERS = 4

Answer = TypeVar("Answer")


class Application:
    """What the server works with: the memory, its threads, and what it counted."""

    def __init__(self, memory: Helix, known_by: str = "") -> None:
        """Take an open memory, which is not closed here, and the word this server is known by.

        It is told only to whoever was let in.
        """
        self.known_by = known_by
        self.figures = Figures()
        self.memory = Helix(replace(memory.context, figures=self.figures))
        self.watch = Watch(memory.context)
        self.workers = Workers(WORKERS)
        self.asked: Counter[str] = Counter()
        self.started = time.time()

    async def on_thread(self, does: Callable[[], Answer]) -> Answer:
        """Run something on one of the threads that keep a connection."""
        return await asyncio.wrap_future(self.workers.submit(does))

    def seen(self, request: Request, agent: str = AGENT) -> Helix:
        """Return the memory as the folder of a request sees it."""
        folder = request.headers.get("helix-folder")
        if folder is not None and re.fullmatch(openapi.FOLDER, folder) is None:
            raise BadInput(
                "the folder must be given whole, percent-encoded", code="unusable_folder",
                remedy="begin it with /, and write a space as %20",
            )  # fmt: skip
        return self.memory.seen_from(_folder(folder) if folder else None, agent)


def _folder(written: str) -> Path:
    """Return the folder of a header. One that is not there would belong to no project."""
    folder = Path(unquote(written))
    # A name with a zero byte is refused with a ValueError, and is no folder either.
    with suppress(OSError, ValueError):
        if folder.is_dir():
            return folder
    raise BadInput(
        f"there is no folder {folder}", code="unusable_folder",
        remedy="name the folder you work in; without the header only `global` is seen",
    )  # fmt: skip


def built(
    application: Application,
    token: str,
    mounted: Any = None,
    clock: Callable[[], float] = time.monotonic,
) -> Guard:
    """Return the guarded application, with the MCP server at /mcp if one is given.

    `clock` counts the seconds by which requests are found to come too often.
    """
    paths = dict.fromkeys(each.path for each in OPERATIONS)
    routes = [_route(application, path) for path in paths]
    routes += [
        Route("/healthz", _healthz, methods=["GET"]),
        Route("/openapi.json", _openapi, methods=["GET"]),
        Route("/metrics", _metrics(application), methods=["GET"]),
        Route("/v1/hooks/{event}", _hook(application), methods=["POST"]),
        Route("/v1/commands/recall", _recall(application), methods=["POST"]),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> Any:
        if mounted is None:
            yield
            return
        async with mounted.router.lifespan_context(mounted):
            yield

    if mounted is not None:
        routes += mounted.routes
    handlers: Any = {404: _unknown, 405: _not_allowed, Exception: _unexpected}
    inner = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    return Guard(inner, token, clock)


def _route(application: Application, path: str) -> Route:
    """Return the route of a path, for all its methods: a refusal of others then names them."""
    operations = {each.method: each for each in OPERATIONS if each.path == path}

    async def answered(request: Request) -> Response:
        each = operations[request.method.replace("HEAD", "GET")]
        application.asked[each.name] += 1
        try:
            given = await _given(request, each)
            memory = application.seen(request)
            document = await application.on_thread(lambda: each.does(memory, given))
        except Exception as error:  # noqa: BLE001 - every error is told as a problem
            return problem(error)
        application.workers.submit(memory.life.write_down_shown)  # after the answer
        return Json(document)

    return Route(path, answered, methods=list(operations))


async def _given(request: Request, each: Operation) -> dict[str, Any]:
    given = {**request.path_params}
    given |= parsed(each.query, request.query_params.multi_items())
    if each.body or request.method != "GET":
        given |= read(each.body, await _document(request, each), nulls=False)
    key = request.headers.get("idempotency-key")
    if each.keyed and key is not None:
        if not key.strip() or len(key) > LONGEST_KEY or not key.isprintable():
            raise BadInput(
                "the idempotency key cannot be used", code="unusable_key",
                remedy=f"use 1 to {LONGEST_KEY} printable characters",
            )  # fmt: skip
        given["key"] = f"rest:{admitted_id(key, 'an idempotency key')}"
    return given


async def _document(request: Request, each: Operation) -> dict[str, Any]:
    raw = await request.body()
    if not raw:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if each.body and kind != "application/json":
        raise BadInput("the body must be JSON", code="not_json", remedy="send application/json")
    told = _parsed(raw)
    if not isinstance(told, dict):
        raise BadInput(
            "the body is not an object", code="not_an_object", remedy="send one JSON object"
        )
    return told


def _parsed(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise BadInput(
            "the body is not JSON", code="not_json", remedy="send one JSON object"
        ) from None


async def _healthz(request: Request) -> Response:
    return Json({"status": "ok"})


async def _openapi(request: Request) -> Response:
    return Json(openapi.document())


def _metrics(application: Application) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        try:
            state = await application.on_thread(application.watch.state)
        except Exception as error:  # noqa: BLE001 - as above
            return problem(error)
        asked = metrics.counted(
            "helix_requests_total", "Requests by operation since the start.", "operation",
            application.asked.items(),
        )  # fmt: skip
        told = [*metrics.of_store(state), *metrics.of_answers(application.figures), asked]
        kind = "text/plain; version=0.0.4; charset=utf-8"
        return PlainTextResponse(metrics.written(told), media_type=kind)

    return answered


def _hook(application: Application) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        from helix.doors.hooks.answering import answered
        from helix.doors.hooks.events import NAMES

        name = request.path_params["event"]
        application.asked["hook"] += 1
        if name not in NAMES:
            return refused(404, "unknown_event", "there is no such event")
        try:
            raw = await request.body()
            agent = request.query_params.get("agent", "")
            text, memory = await application.on_thread(
                lambda: answered(application.memory, name, agent, raw)
            )
        except Exception as error:  # noqa: BLE001 - as above
            return problem(error)
        application.workers.submit(memory.life.write_down_shown)
        return Json({"context": text}, headers={KNOWN_BY: application.known_by})

    return answered


def _recall(application: Application) -> Callable[[Request], Awaitable[Response]]:
    async def answered(request: Request) -> Response:
        from helix.doors.heard import asked

        application.asked["command"] += 1
        try:
            raw = await request.body()
            done = await application.on_thread(lambda: asked(application.memory, raw))
        except Exception as error:  # noqa: BLE001 - as above
            return problem(error)
        return Json(done, headers={KNOWN_BY: application.known_by})

    return answered


async def _unknown(request: Request, error: Exception) -> Response:
    return refused(404, "unknown_path", "there is nothing here", "see /openapi.json")


async def _not_allowed(request: Request, error: Exception) -> Response:
    answer = refused(405, "not_allowed", "this path does not take that method", "see /openapi.json")
    allowed = getattr(error, "headers", None) or {}
    answer.headers.update(allowed)
    return answer


async def _unexpected(request: Request, error: Exception) -> Response:
    return problem(error)

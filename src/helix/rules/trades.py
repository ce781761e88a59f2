"""Which tools do the same work, so that naming one leaves no room for another.

A project that uses npm does not use pnpm beside it, and one that uses Python may well use
Postgres. What is in no list is of no known trade: then only a person can tell.
"""

from __future__ import annotations

from helix.rules.stems import stem
from helix.rules.vocabulary import LANGUAGES, listed

_TRADES = (
    LANGUAGES,
    listed("npm pnpm yarn bun deno"),
    listed("pip pipx poetry pdm conda uv hatch flit"),
    listed("make just bazel gradle maven"),
    listed("hetzner fly render railway linode digitalocean vultr gcp aws azure heroku vercel"
           " netlify"),
    listed("postgres postgresql mysql mariadb sqlite mongo mongodb couchdb dynamodb cassandra"),
    listed("redis valkey memcached"),
    listed("redis rabbitmq kafka nats celery"),
    listed("black ruff prettier biome"),
    listed("flake8 pylint ruff eslint biome"),
    listed("mypy pyright"),
    listed("pytest unittest nose jest vitest mocha jasmine rspec"),
    listed("playwright cypress selenium puppeteer"),
    listed("webpack vite esbuild rollup"),
    listed("react vue angular svelte"),
    listed("django flask fastapi express laravel rails"),
    listed("vim nvim neovim emacs vscode"),
    listed("zsh bash fish"),
    listed("docker podman"),
    listed("jenkins circleci travis"),
    listed("json yaml toml ini xml csv"),
    listed("rest grpc graphql soap"),
    listed("tabs spaces"),
    listed("merge rebase squash"),
    listed("main master develop trunk"),
)  # fmt: skip


def trades(tool: str) -> frozenset[int]:
    """Return the trades of a tool, named in lower case or reduced; empty if none is known."""
    return frozenset(at for at, trade in enumerate(_REDUCED) if tool in trade)


def same_trade(one: str, other: str) -> bool:
    """Return whether two tools are known to do the same work."""
    return bool(trades(one) & trades(other))


def other_trade(one: str, other: str) -> bool:
    """Return whether two tools are known to do different work."""
    return bool(trades(one) and trades(other)) and not same_trade(one, other)


_REDUCED = tuple(trade | frozenset(map(stem, trade)) for trade in _TRADES)

"""The models one can choose, as seen from an open store."""

from __future__ import annotations

from dataclasses import dataclass

from helix.app import models
from helix.app.context import Context
from helix.app.embedder_settings import NONE, SERVED
from helix.app.switching import Standing, standing
from helix.app.wiring import embedder_choice, settings
from helix.model.errors import BadInput
from helix.ports.embedder import Embedder, EmbedderUnavailable
from helix.ports.enrichment import WORDS_ONLY


@dataclass(frozen=True, slots=True)
class Row:
    """A model: what it is, whether it can be used here, and its part in this store.

    `role` is `serving`, `coming` or empty; `cost` says where it runs and what it takes.
    """

    name: str
    says: str
    dimension: int
    megabytes: int
    licence: str
    usable: bool
    role: str
    cost: str
    remedy: str


def listed(context: Context) -> tuple[list[Row], Standing]:
    """Return every model one can choose, and which of them serve this store."""
    chosen = settings(context.schema)
    found = standing(context)
    choice = embedder_choice(chosen)
    rows = []
    for offer in models.CATALOGUE:
        known = models.meant(offer.name, chosen.home, choice)
        embedder = known.embedder
        rows.append(
            Row(
                offer.name, offer.says, offer.dimension, offer.megabytes, offer.licence,
                embedder is not None, _role(embedder, found),
                embedder.cost if embedder else "free, once installed", known.remedy,
            )
        )  # fmt: skip
    if choice.model.startswith(SERVED):
        served = models.active(chosen.home, choice).embedder
        assert served is not None  # a server is always there to be asked
        rows.append(
            Row(
                choice.model, "the server in the settings", choice.dimension, 0, "",
                True, _role(served, found), served.cost, "",
            )
        )  # fmt: skip
    role = "serving" if found.serving == WORDS_ONLY else ""
    rows.append(Row(NONE, "words only", 0, 0, "", True, role, "free", ""))
    return rows, found


def usable(name: str) -> Embedder | None:
    """Return the embedder a person means, None for words only; raise if it cannot be used."""
    chosen = settings()
    choice = embedder_choice(chosen)
    if choice.model == NONE and name != NONE:
        raise BadInput(
            'the settings say `model = "none"`, so no model is used here',
            code="bad_settings",
            remedy=f"take that line out of {chosen.home / 'settings.toml'}, then try again",
        )
    known = models.meant(name, chosen.home, choice)
    if known.embedder is None and name != NONE:
        raise EmbedderUnavailable(known.says, code="model_not_installed", remedy=known.remedy)
    return known.embedder


def _role(embedder: Embedder | None, found: Standing) -> str:
    if embedder is None:
        return ""
    return {found.serving: "serving", found.coming: "coming"}.get(embedder.name, "")

"""Everything a memory says that is screened: its words, those in its attributes, and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helix.model.memory import Circumstances


def whole_texts(
    content: str, attributes: Mapping[str, object] | None, around: Circumstances | None = None
) -> tuple[str, ...]:
    """Return the words of a memory and of its attributes as one text, the names beside as another.

    A tool or a file may be called a sentence, and sleep tells of them in sentences. They are
    judged apart: what a text says about attacks is no excuse for a name, and a path must not
    change what a text is taken for.
    """
    said = "\n".join([content, *_texts(attributes)]) if attributes else content
    names = "\n".join(filter(None, (around.tool, *around.files))) if around else ""
    return (said, names) if names else (said,)


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, part in value.items():
                yield str(name)
                yield from _texts(part)
        case list() | tuple():
            for part in value:
                yield from _texts(part)

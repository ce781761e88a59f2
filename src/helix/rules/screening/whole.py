"""Everything a memory says that is screened: its words, and the words in its attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def whole_text(content: str, attributes: Mapping[str, object] | None) -> str:
    """Return the words of a memory and of its attributes, as one text."""
    return "\n".join([content, *_texts(attributes)]) if attributes else content


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

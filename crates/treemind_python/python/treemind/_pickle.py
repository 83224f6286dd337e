"""What a document is made of again, in another process."""

from __future__ import annotations

from ._native import Document


def document(format: str, texts: list[tuple[str, str]]) -> Document:
    """The document of these texts."""
    return Document._of_texts(format, texts)

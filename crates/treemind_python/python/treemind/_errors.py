"""The exceptions of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Diagnostic


class TreemindError(Exception):
    """Something is wrong with how the package is used; the text says what to do."""


class DocumentError(TreemindError):
    """A document that does not run. Printed, it shows the lines of the document with the places marked."""

    def __init__(self, text: str, diagnostics: list[Diagnostic]) -> None:
        super().__init__(text, diagnostics)
        self._text = text
        self.diagnostics = diagnostics
        """Everything that is wrong, errors first."""

    def __str__(self) -> str:
        return self._text

    @property
    def code(self) -> str | None:
        """The stable code of the first problem, such as `T0102`."""
        return self.diagnostics[0].code if self.diagnostics else None

    @property
    def file(self) -> str | None:
        """The file of the first problem."""
        return self.diagnostics[0].file if self.diagnostics else None

    @property
    def span(self) -> tuple[int, int] | None:
        """The bytes of the file that the first problem is about."""
        return self.diagnostics[0].span if self.diagnostics else None

    @property
    def help(self) -> str | None:
        """What to do about the first problem, if there is a suggestion."""
        return self.diagnostics[0].help if self.diagnostics else None


class RestoreError(TreemindError):
    """Saved bytes that are damaged, or belong to another document."""

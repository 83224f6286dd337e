"""Tests that stand in documents, as tests of pytest: `pytest guard.kdl`.

A document is collected when it is named on the command line. With `treemind_documents = *.kdl` in the settings of
pytest, those that fit are collected from folders, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import _native
from ._errors import DocumentError

_ENDINGS = (".kdl",)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The setting of which documents are collected from folders."""
    parser.addini("treemind_documents", "patterns of documents whose tests are collected from folders", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects a document that was named, or fits the setting."""
    if file_path.suffix not in _ENDINGS:
        return None
    is_named = any(_same(str(argument).split("::")[0], file_path, parent.config.invocation_params.dir) for argument in parent.config.args)
    patterns: list[str] = parent.config.getini("treemind_documents")
    if not is_named and not any(file_path.match(pattern) for pattern in patterns):
        return None
    made: pytest.Collector = DocumentFile.from_parent(parent, path=file_path)
    return made


def _same(argument: str, path: Path, folder: Path) -> bool:
    return (folder / argument).resolve() == path.resolve()


class DocumentFile(pytest.File):
    """A document with tests."""

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each test, and for each case of its table."""
        try:
            document = _native.read_file(str(self.path), manifest=None, allow=[], check=True)
        except DocumentError as error:
            raise self.CollectError(str(error)) from None
        for key, name, _, line in _native.list_tests(document):
            item: pytest.Item = DocumentTest.from_parent(self, name=name, document=document, key=key, line=line)
            yield item


class DocumentFailure(Exception):
    """A test that failed, with what it says of itself."""


class DocumentTest(pytest.Item):
    """A test of a document, or a case of its table."""

    def __init__(self, *, document: _native.Document, key: str, line: int, **others: Any) -> None:
        super().__init__(**others)
        self._document = document
        self._key = key
        self._line = line

    def runtest(self) -> None:
        """Plays it."""
        (outcome,) = _native.test(self._document, only=self._key)
        if not outcome.passed:
            raise DocumentFailure(outcome.failure or "")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What the document's test says; no traceback of Python helps there."""
        if isinstance(excinfo.value, DocumentFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it stands."""
        return self.path, self._line - 1, self.name

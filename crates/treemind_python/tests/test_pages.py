"""The code of the pages on Python, run as it stands there: all blocks of a page, one after the other."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import ROOT

PAGES = [*sorted((ROOT / "docs/python").glob("*.md")), ROOT / "crates/treemind_python/README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_the_code_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    module = ModuleType("page")
    # Where classes of data look for the names of their module.
    monkeypatch.setitem(sys.modules, "page", module)
    blocks = list(BLOCK.finditer(text))
    assert blocks, "a page without code"
    for block in blocks:
        # Lines of the page, so that a traceback says where.
        source = "\n" * text[: block.start(1)].count("\n") + block.group(1)
        exec(compile(source, str(page), "exec", dont_inherit=True), module.__dict__)

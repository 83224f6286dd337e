"""Documents as tests of pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import GUARD

TESTS = """
test patrols tree=guard { tick; expect running ran=patrol; }
test fights tree=guard { tick; expect ran=attack; }
"""


def pytest_in(folder: Path, *args: str) -> tuple[int, str]:
    ran = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args], cwd=folder, capture_output=True, text=True)
    return ran.returncode, ran.stdout


def test_named_documents_are_collected(tmp_path: Path) -> None:
    (tmp_path / "guard.kdl").write_text(GUARD + TESTS)
    status, said = pytest_in(tmp_path, "guard.kdl", "-v")
    assert status == 1 and "1 failed, 1 passed" in said
    assert "guard.kdl::patrols PASSED" in said
    assert "expected:" in said and "attack" in said
    status, said = pytest_in(tmp_path, "guard.kdl::patrols")
    assert status == 0 and "1 passed" in said


def test_folders_need_the_setting_and_mistakes_are_shown(tmp_path: Path) -> None:
    (tmp_path / "guard.kdl").write_text("tree guard { nonsense; }")
    status, said = pytest_in(tmp_path, ".")
    assert status == 5
    status, said = pytest_in(tmp_path, "-o", "treemind_documents=*.kdl", ".")
    assert status == 2 and "nonsense" in said

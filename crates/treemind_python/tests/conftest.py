"""What the tests share: documents, as texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import treemind

GUARD = """
blackboard { key health type=float default=100.0; }
leaves {
    condition see-enemy
    condition enemy-dead
    action patrol
    action run-away
    action attack { param range type=float default=2.0; }
}
tree guard {
    reactive-selector {
        reactive-sequence name=alarm {
            condition see-enemy
            reactive-selector name=fight-or-flight {
                reactive-sequence name=flee { check "health < 20"; action run-away; }
                monitor name=fight { condition enemy-dead not=#true; action attack range=1.5; }
            }
        }
        action patrol
    }
}
"""

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def guard() -> treemind.Document:
    return treemind.loads(GUARD, "guard.kdl")


@pytest.fixture
def examples() -> Path:
    return ROOT / "examples"

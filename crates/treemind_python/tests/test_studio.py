"""The studio in one line, and drawings in notebooks."""

from __future__ import annotations

import urllib.request
from typing import Any

import pytest
from conftest import GUARD

import treemind
from treemind import RUNNING, Cast, Mind, Minds


def agents(kind: str) -> Any:
    document = treemind.loads(GUARD, "guard.kdl")
    leaves = dict.fromkeys(("see-enemy", "enemy-dead"), lambda: False) | dict.fromkeys(("patrol", "run-away", "attack"), lambda **_: RUNNING)
    if kind == "mind":
        return Mind(document, leaves)
    if kind == "crowd":
        return Minds(document, 100, threads=2)
    cast = Cast(leaves)
    cast.add(document)
    cast.spawn("guard", 3)
    return cast


@pytest.mark.parametrize("kind", ["mind", "crowd", "cast"])
def test_agents_are_shown_in_one_line(kind: str) -> None:
    shown = agents(kind)
    page = treemind.studio(shown, "guards")
    step = shown.tick if kind == "mind" else shown.step
    for _ in range(3):
        step()
    # A page of this machine only: no proxy is asked.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(page.url, timeout=10) as answer:
        assert answer.status == 200 and b"<html" in answer.read().lower()
    assert page.wants_tick() in (True, False)
    assert shown.take_faults() == []
    # Nobody watches any more, and the agents go on.
    del page
    step()
    assert shown.take_faults() == []


def test_a_port_that_is_taken_is_an_exception() -> None:
    page = treemind.studio(agents("mind"))
    port = int(page.url.split("//")[1].split("/")[0].rsplit(":", 1)[1])
    with pytest.raises(OSError, match=str(port)):
        treemind.studio(agents("mind"), port=port)


def test_a_notebook_draws_documents_and_minds() -> None:
    mind: Any = agents("mind")
    document: Any = treemind.loads(GUARD)
    for drawn in (document, mind):
        assert drawn._repr_html_().startswith("<svg") and "patrol" in drawn._repr_html_()
    before = mind._repr_html_()
    mind.tick()
    assert mind._repr_html_() != before, "what runs is marked"

"""Documents: read, refused with what helps, converted, tested, learned."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from conftest import GUARD

import treemind


def test_a_mistake_is_an_exception_that_shows_the_line() -> None:
    with pytest.raises(treemind.DocumentError) as raised:
        treemind.loads(GUARD.replace("condition see-enemy\n            reactive", "condition see-enemi\n            reactive"), "guard.kdl")
    error = raised.value
    assert (error.code, error.file) == ("T0102", "guard.kdl")
    assert error.help == "did you mean `see-enemy`?"
    begin, end = error.span or (0, 0)
    assert GUARD.encode()[begin:end] == b"see-enemy"
    shown = str(error)
    assert "unknown condition `see-enemi`" in shown
    assert "guard.kdl:13:23" in shown
    assert "─────────" in shown
    assert error.diagnostics[0].line == 13
    assert isinstance(error, treemind.TreemindError)


def test_all_problems_are_there_and_errors_come_first() -> None:
    with pytest.raises(treemind.DocumentError) as raised:
        treemind.loads("blackboard { key unused type=int; }\nleaves { action a; }\ntree t { sequence { action b; action c; }; }")
    codes = [one.severity for one in raised.value.diagnostics]
    assert codes.count("error") == 2
    assert codes == sorted(codes)


def test_unchecked_documents_have_their_problems() -> None:
    document = treemind.loads("tree t { nonsense; }", check=False)
    assert document.diagnostics
    with pytest.raises(treemind.DocumentError):
        document.check()
    with pytest.raises(treemind.DocumentError):
        treemind.Mind(document)


def test_files_imports_and_paths(tmp_path: Path) -> None:
    (tmp_path / "leaves.kdl").write_text("leaves { action patrol; }")
    file = tmp_path / "guard.kdl"
    file.write_text('import "leaves.kdl"; tree guard { action patrol; }')
    for path in (file, str(file)):
        assert treemind.load(path).trees == ["guard"]
    same = treemind.loads(file.read_text(), files={"leaves.kdl": "leaves { action patrol; }"})
    assert same.trees == ["guard"]
    with pytest.raises(treemind.DocumentError, match="leaves.kdl"):
        treemind.loads(file.read_text())
    with pytest.raises(OSError):
        treemind.load(tmp_path / "no.kdl")
    with pytest.raises(OSError):
        treemind.load(tmp_path)


def test_files_outside_of_the_folder_need_leave(tmp_path: Path) -> None:
    (tmp_path / "leaves.kdl").write_text("leaves { action patrol; }")
    folder = tmp_path / "guards"
    folder.mkdir()
    (folder / "guard.kdl").write_text('import "../leaves.kdl"; tree guard { action patrol; }')
    with pytest.raises(treemind.DocumentError):
        treemind.load(folder / "guard.kdl")
    assert treemind.load(folder / "guard.kdl", allow=[tmp_path]).trees == ["guard"]


def test_tables_with_their_manifest(examples: Path) -> None:
    pet = treemind.load(examples / "02-pet/pet.csv", manifest=examples / "02-pet/pet.kdl")
    assert "pet" in pet.trees
    text, lost = treemind.convert(pet, "kdl")
    assert treemind.loads(text).trees
    assert lost == []


def test_all_examples_load(examples: Path) -> None:
    for file in sorted([*examples.glob("*/*.kdl"), *examples.glob("*/*.scxml")]):
        document = treemind.load(file)
        assert document.trees or document.machines or document.decisions or document.planners or document.texts, file


def test_there_and_back(guard: treemind.Document) -> None:
    json, lost = treemind.convert(guard, "json")
    assert lost == []
    back = treemind.loads(json, "guard.json")
    assert back.outline() == guard.outline()
    xml, _ = treemind.convert(treemind.loads("leaves { action a; }; tree t { sequence { action a; wait 1.0; }; }"), "btcpp")
    assert "<BehaviorTree" in xml
    with pytest.raises(treemind.TreemindError, match="kdl"):
        treemind.convert(guard, "yaml")


def test_fmt() -> None:
    assert treemind.fmt("tree   guard {  action   patrol }") == "tree guard { action patrol; }\n"
    with pytest.raises(treemind.DocumentError):
        treemind.fmt("tree {{{")


def test_pictures(guard: treemind.Document) -> None:
    drawn = treemind.svg(guard)
    assert drawn.startswith("<svg") and "reactive-selector" in drawn and drawn.count("<text") == 11
    assert guard._repr_html_() == drawn  # type: ignore[attr-defined]
    assert "flowchart" in guard.mermaid()
    assert "digraph" in guard.dot()
    assert "<script" not in treemind.svg(treemind.loads('tree t { log "<script>"; }'))


def test_tests_of_documents() -> None:
    text = GUARD + "test patrols tree=guard { tick; expect running ran=patrol; }\ntest fights tree=guard { tick; expect ran=attack; }"
    patrols, fights = treemind.test(treemind.loads(text, "guard.kdl"))
    assert patrols and not fights
    assert fights.failure is not None and "attack" in fights.failure
    assert [one.name for one in treemind.test(treemind.loads(text), "patrol")] == ["patrols"]


def test_learning() -> None:
    rows = [{"health": health, "sees": sees, "does": "flee" if health < 20 else "fight" if sees else "walk"} for health in range(0, 100, 5) for sees in (True, False)]
    learned = treemind.learn(rows, "does", hold_out=0.2)
    assert learned.accuracy is not None and learned.accuracy >= 0.7
    assert learned.document.decisions == ["learned"]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    assert treemind.learn(columns, "does", hold_out=0.2).text == learned.text
    with pytest.raises(treemind.TreemindError, match="nothing"):
        treemind.learn(rows, "nothing")
    with pytest.raises(ValueError, match="depth"):
        treemind.learn(rows, "does", depth=0)


def test_documents_can_be_pickled(guard: treemind.Document) -> None:
    again = pickle.loads(pickle.dumps(guard))
    assert again.texts == guard.texts
    assert again.outline() == guard.outline()
    with pytest.raises(TypeError):
        pickle.dumps(treemind.Mind(treemind.loads("tree t { wait 1.0; }")))


def test_many_loads_keep_the_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def load(times: int) -> None:
        for _ in range(times):
            treemind.Mind(treemind.loads(GUARD), dict.fromkeys(("see-enemy", "enemy-dead", "patrol", "run-away", "attack"), lambda **_: False)).tick()

    if not Path("/proc/self/statm").exists():
        pytest.skip("only where /proc says how much memory there is")
    load(300)
    before = resident()
    load(1_000)
    assert resident() - before < 4 << 20


@pytest.mark.by_hand
def test_ten_thousand_loads_keep_the_memory() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    before = resident()
    for turn in range(11_000):
        if turn == 1_000:
            before = resident()
        treemind.loads(GUARD)
    assert resident() - before < 4 << 20

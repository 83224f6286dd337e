"""Monitors that others wrote look at a guard who plays: `btview` from its command line, and a client on `pyzmq`.

The program under test is `TREEMIND_PROGRAM`. `cargo xtask step Python` builds it and runs these tests.
"""

import json
import os
import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

ROOT = Path(__file__).resolve().parents[4]
PROGRAM = os.environ["TREEMIND_PROGRAM"]
# A message that does not come within this time fails a test.
PATIENCE_SECS = 20


class Game:
    """A guard who plays in real time and is shown to monitors."""

    def __init__(self) -> None:
        guard = ROOT / "examples/01-guard/guard.kdl"
        args = [PROGRAM, "run", str(guard), "--no-ui", "--groot", "0", "--ticks", "100000"]
        self.process = subprocess.Popen(
            args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        said = self.process.stderr.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", said)
        assert found, said
        self.port = int(found[1])
        # Before its first tick, a game shows no tree.
        assert self.process.stdout is not None
        assert self.process.stdout.readline()

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def game() -> Iterator[Game]:
    game = Game()
    yield game
    game.stop()


def btview(game: Game, *args: str) -> str:
    """What a command of `btview` prints."""
    command = [str(Path(sys.executable).parent / "btview"), *args, "-p", str(game.port)]
    done = subprocess.run(
        [*command, "--timeout", str(PATIENCE_SECS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Client:
    """Requests of Groot2's protocol, on `pyzmq`."""

    def __init__(self, port: int) -> None:
        self.context = zmq.Context()
        self.requests = self.context.socket(zmq.REQ)
        self.notes = self.context.socket(zmq.SUB)
        for socket, to in ((self.requests, port), (self.notes, port + 1)):
            socket.setsockopt(zmq.RCVTIMEO, PATIENCE_SECS * 1000)
            socket.setsockopt(zmq.LINGER, 0)
            socket.connect(f"tcp://127.0.0.1:{to}")
        self.notes.subscribe(b"")
        self.count = 0

    def ask(self, kind: str, *parts: bytes) -> list[bytes]:
        self.count += 1
        head = struct.pack("<BBI", 2, ord(kind), self.count)
        self.requests.send_multipart([head, *parts])
        return self.requests.recv_multipart()

    def statuses(self) -> dict[int, int]:
        head, body = self.ask("S")
        assert len(head) == 22 and head[:6] == struct.pack("<BBI", 2, ord("S"), self.count)
        return dict(struct.iter_unpack("<HB", body))

    def close(self) -> None:
        self.requests.close()
        self.notes.close()
        self.context.term()


@pytest.fixture
def client(game: Game) -> Iterator[Client]:
    client = Client(game.port)
    yield client
    client.close()


def uid_of(tree: bytes, tag: str) -> int:
    found = re.search(rf'<{tag}\b[^>]* _uid="(\d+)"', tree.decode())
    assert found, tree.decode()
    return int(found[1])


def test_btview_shows_the_tree_with_its_answers(game: Game) -> None:
    shown = btview(game, "snapshot", "--ascii", "--no-color")
    lines = shown.splitlines()
    for name in ("alarm", "see-enemy", "fight", "patrol"):
        assert sum(bool(re.search(rf"[ )]{name}( |$)", line)) for line in lines) == 1, shown
    [first, *_] = lines
    assert "ReactiveFallback" in first and "RUNNING" in first, shown
    assert "11 nodes" in shown, shown


def test_btview_reads_the_blackboard(game: Game) -> None:
    keys = json.loads(btview(game, "blackboard", "--json"))
    assert keys == {"guard": {"health": 100.0}}


def test_what_btview_exports_is_read_and_has_the_same_tree(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "guard.xml"
    file.write_text(btview(game, "export", "--format", "xml"))
    checked = subprocess.run(
        [PROGRAM, "check", str(file)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    outline = subprocess.run(
        [PROGRAM, "print", str(file)], capture_output=True, text=True, check=True
    ).stdout
    leaves = ("see-enemy", "run-away", "enemy-dead", "attack", "patrol")
    places = [outline.index(name) for name in leaves]
    assert places == sorted(places), outline


def test_a_breakpoint_of_pyzmq_stops_the_game_and_lets_it_go(client: Client) -> None:
    _, tree = client.ask("T")
    patrol = uid_of(tree, "patrol")
    hook = {
        "enabled": True,
        "uid": patrol,
        "mode": 0,
        "once": False,
        "desired_status": "SKIPPED",
        "position": 0,
    }
    head, *rest = client.ask("I", json.dumps(hook).encode())
    assert len(head) == 22 and rest == [], (head, rest)
    note = client.notes.recv_multipart()
    assert note[0][:2] == bytes([2, ord("N")]) and note[1] == str(patrol).encode(), note
    [listed] = json.loads(client.ask("D")[1])
    assert listed["uid"] == patrol and listed["mode"] == 0 and listed["position"] == 0, listed
    # The game stands: nothing changes while it does.
    client.ask("r", b"start")
    client.ask("t")
    time.sleep(0.5)
    assert client.ask("t")[1:] == [b""]
    go = {"uid": patrol, "position": 0, "remove_when_done": True}
    # Answers are not replaced here, and nobody may believe that they were.
    refused = client.ask("U", json.dumps({**go, "desired_status": "SUCCESS"}).encode())
    assert refused[0] == b"error" and b"SKIPPED" in refused[1], refused
    [head] = client.ask("U", json.dumps({**go, "desired_status": "SKIPPED"}).encode())
    assert len(head) == 22
    # The game goes on, and nobody stops it again: after some seconds the guard sees the intruder.
    see_enemy = uid_of(tree, "see-enemy")
    rows: list[tuple[int, int]] = []
    until = time.monotonic() + PATIENCE_SECS
    while (see_enemy, 2) not in rows:
        assert time.monotonic() < until, rows
        [row] = client.ask("t")[1:]
        rows += [(uid, status) for _, uid, status in struct.iter_unpack("<6sHB", row)]
    assert json.loads(client.ask("D")[1]) == []


def test_nonsense_is_refused_and_the_game_goes_on(client: Client) -> None:
    before = client.statuses()
    assert len(before) == 11
    for kind, parts in (
        ("I", [b"{"]),
        ("I", [b'{"uid": 999, "mode": 0}']),
        ("R", [b'{"uid": 999, "position": 0}']),
        ("r", [b"perhaps"]),
        ("q", []),
        ("I", []),
    ):
        answer = client.ask(kind, *parts)
        assert len(answer) == 2 and answer[0] == b"error" and answer[1], (kind, parts, answer)
    assert set(client.statuses()) == set(before)

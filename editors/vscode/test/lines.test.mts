import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, fileOf, isSame, linesOf, nodeAt, socketOf } from "../src/lines.ts";

const definition = {
  texts: [{ name: "guard.kdl" }, { name: "parts/leaves.kdl" }],
  places: [[0, 2, 0, 9, 0], [0, 3, 4, 3, 20], [0, 3, 22, 3, 30], null, [1, 3, 0, 3, 9]] as never,
  behaviour: { lines: ["n0", "n1", "n2", "p3", "n4"].map((id) => ({ id })) },
};

test("a line shows what runs in it before what has ended", () => {
  const lines = linesOf(definition, ["run", "ok", ["run", "0.5"], "run", "fail"], "/x/guard.kdl");
  assert.deepEqual([...lines], [[1, "run"], [2, "run"]]);
  assert.deepEqual([...linesOf(definition, ["", "", "", "", "fail"], "/x/parts/leaves.kdl")], [[2, "fail"]]);
  assert.equal(linesOf(definition, ["was-ok", "cut"], "/x/guard.kdl").size, 0);
});

test("the innermost node at a line is found", () => {
  assert.equal(nodeAt(definition, "/x/guard.kdl", 2), "n0");
  assert.equal(nodeAt(definition, "/x/guard.kdl", 3), "n2");
  assert.equal(nodeAt(definition, "/x/guard.kdl", 8), "n2");
  assert.equal(nodeAt(definition, "/x/guard.kdl", 1), null);
});

test("files and sockets are named as the studio names them", () => {
  assert.ok(isSame("./minds/guard.kdl", "/home/x/minds/guard.kdl"));
  assert.ok(isSame("guard.kdl", "C:\\x\\guard.kdl"));
  assert.ok(!isSame("other/guard.kdl", "/home/x/minds/guard.kdl"));
  assert.ok(!isSame("", "/x"));
  assert.equal(socketOf("http://127.0.0.1:7700/#token=a%2Fb"), "ws://127.0.0.1:7700/socket?token=a%2Fb");
  assert.equal(socketOf("http://localhost:1/"), "ws://localhost:1/socket");
});

test("what is clicked in a studio is found among the files of an editor", () => {
  assert.equal(fileOf("guard.kdl", ["/x/other.kdl", "/x/guard.kdl"]), "/x/guard.kdl");
  assert.equal(fileOf("/y/guard.kdl", ["/x/other.kdl"]), "/y/guard.kdl");
  assert.equal(fileOf("guard.kdl", ["/x/other.kdl"]), null);
  assert.equal(addressOf("http://h/", "test", "guard/a b"), "http://h/#test=guard%2Fa%20b");
  assert.equal(addressOf("http://h/#token=x", "node", "n3"), "http://h/#token=x&node=n3");
});

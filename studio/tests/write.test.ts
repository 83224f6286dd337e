import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import {
  applied,
  difference,
  differences,
  inFile,
  merged,
  type Piece,
  rebased,
  restored,
  Typing,
  typedInto,
  words,
  woven,
} from "../src/edit/typing";

test("the piece in which texts differ is as short as it can be, and never cuts a letter", () => {
  expect(difference("abc", "abxc")).toEqual({ from: 2, to: 2, text: "x" });
  expect(difference("aaa", "aa")).toEqual({ from: 2, to: 3, text: "" });
  expect(difference("a𝄞b", "a𝄢b")).toEqual({ from: 1, to: 3, text: "𝄢" });
  expect(difference("", "x")).toEqual({ from: 0, to: 0, text: "x" });
});

test("a piece of a text with line ends of two letters is where it is in the file", () => {
  const file = "a\r\nb\r\nc";
  expect(inFile(file, { from: 4, to: 4, text: "x\ny" })).toEqual({ from: 6, to: 6, text: "x\r\ny" });
  expect(inFile(file, { from: 1, to: 2, text: "" })).toEqual({ from: 1, to: 3, text: "" });
  expect(inFile("a\nb", { from: 2, to: 3, text: "\n" })).toEqual({ from: 2, to: 3, text: "\n" });
});

test("what was typed goes where it belongs in a text that others have changed", () => {
  const own: Piece = { from: 4, to: 6, text: "xy" };
  expect(rebased(own, [{ from: 0, to: 1, text: "abc" }])).toEqual({ from: 6, to: 8, text: "xy" });
  expect(rebased(own, [{ from: 8, to: 9, text: "" }])).toEqual(own);
  // Where both have written, both are there.
  expect(rebased(own, [{ from: 2, to: 5, text: "abcde" }])).toEqual({ from: 7, to: 8, text: "xy" });
  expect(rebased({ from: 4, to: 4, text: "x" }, [{ from: 2, to: 8, text: "abcde" }])).toEqual({ from: 7, to: 7, text: "x" });
});

test("what is the same between two pieces is in none of them", () => {
  const [before, after] = ["one\ntwo\nthree\nfour\n", "zero\none\ntwo\nthree!\nfour\nfive"];
  const pieces = differences(before, after);
  expect(pieces).toEqual([
    { from: 0, to: 0, text: "zero\n" },
    { from: 13, to: 13, text: "!" },
    { from: 19, to: 19, text: "five" },
  ]);
  expect(pieces.reduceRight(applied, before)).toBe(after);
  expect(differences(before, before)).toEqual([]);
});

test("what was typed in two places stays there when somebody else has written between them", () => {
  const base =
    'leaves { action bite; }\n\ntree wolf {\n    sequence while="hunger > 60" {\n        wait 1.0\n        action bite\n    }\n}\n';
  const shown = `// first\n${base}// last\n`;
  expect(merged(base, shown, base.replace("60", "40"))).toEqual({ text: shown.replace("60", "40"), clashes: false });
  // Whoever merged both before has typed only what is not there yet.
  const theirs = base.replace("1.0", "2.5");
  const both = theirs.replace("bite\n", "bite\n        action sniff\n");
  expect(merged(base, both, theirs)).toEqual({ text: both, clashes: false });
  const kept = { bases: [base], isLost: false, shown: both };
  expect(restored(theirs, kept)).toBe(both);
});

test("what two have written at one place is asked about, and is never one text of both", () => {
  const of = (value: string): string => `tree a {\n    check "health < ${value}" doc="x y"\n    condition dead\n}\n`;
  for (const [own, other] of [
    ["44", "62"],
    ["51", "62"],
    ["24", "30"],
    ["200", "0"],
  ]) {
    expect(merged(of("20"), of(own), of(other))).toEqual({ text: of(own), clashes: true });
    const kept = { bases: [of("20")], isLost: false, shown: of(own) };
    const [mine, was] = [own, "20"].map((one) => `${of(one).split("\n")[1]}\n`);
    expect(typedInto(of(other), kept)).toEqual({ parts: [{ removed: was, text: mine }], clashes: true });
  }
  // In one string, and in a line that somebody else has removed.
  const base = of("20");
  expect(merged(base, base.replace("x", "one"), base.replace("y", "two")).clashes).toBe(true);
  const removed = base.replace("    condition dead\n", "");
  const typed = base.replace("dead", 'dead doc="z"');
  expect(merged(base, typed, removed)).toEqual({ text: typed, clashes: true });
  // Elsewhere in the line, both are there.
  const noted = base.replace('y"', 'y" // why');
  expect(merged(base, noted, of("62"))).toEqual({ text: noted.replace("20", "62"), clashes: false });
  expect(merged(base, `${base}// one\n`, `${base}// two\n`)).toEqual({ text: `${base}// two\n// one\n`, clashes: false });
});

test("what was typed without a connection and clashes is not shown, but asked about", () => {
  for (const isLost of [false, true]) {
    const typing = new Typing("wait 20\n", 1);
    if (isLost) typing.send("wait 24\n", 1, () => true);
    typing.lose();
    const next = typing.take("wait 30\n", 2, 9, "wait 24\n");
    expect(next).toEqual({ shown: "wait 30\n", waits: false, clashes: { bases: ["wait 20\n"], isLost: false, shown: "wait 24\n" } });
    expect(typing.take("wait 31\n", 3, 10, "wait 30\n")).toEqual({ shown: "wait 31\n", waits: false });
  }
});

test("what meets a change of others before it was sent is sent as it was typed, once", () => {
  const typing = new Typing("wait 20\n", 1);
  expect(typing.take("wait 30\n", 2, 3, "wait 24\n")).toEqual({ shown: "wait 24\n", waits: true, meets: true });
  const sent: [Piece, number][] = [];
  const post = (piece: Piece, since: number): boolean => sent.push([piece, since]) > 0;
  expect([typing.since, typing.send("wait 24\n", 3, post), typing.since]).toEqual([1, true, undefined]);
  expect(sent).toEqual([[{ from: 6, to: 7, text: "4" }, 1]]);
  // The server says what has become of both.
  expect(typing.take("wait 34\n", 3, 4, "wait 24\n")).toEqual({ shown: "wait 34\n", waits: false });
  // What was refused is not sent again and again, and what stands apart is put in here.
  typing.send("wait 35\n", 4, post);
  typing.refuse();
  expect(typing.take("wait 36\n", 4, 5, "wait 35\n").meets).toBe(undefined);
  const apart = new Typing("wait 20\nrun\n", 1);
  expect(apart.take("wait 20\nfail\n", 2, 3, "wait 24\nrun\n")).toEqual({ shown: "wait 24\nfail\n", waits: false });
});

test("changes of different lines are all there, whoever made them", () => {
  let state = 7;
  const below = (most: number): number => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
  for (let round = 0; round < 300; round += 1) {
    const lines = Array.from({ length: 4 + below(20) }, (_, nth) => (below(4) === 0 ? "    }" : `    line ${nth} ${below(9)}`));
    const [own, other, both] = [[...lines], [...lines], [...lines]];
    for (let nth = 0; nth < lines.length; nth += 2 + below(3)) {
      const line = below(3) === 0 ? `    new ${round}.${nth}\n${lines[nth]}` : `    new ${round}.${nth}`;
      (below(2) === 0 ? own : other)[nth] = line;
      both[nth] = line;
    }
    const text = (of: string[]): string => `${of.join("\n")}\n`;
    const { text: found, clashes } = merged(text(lines), text(own), text(other));
    expect(woven(text(lines), text(own), text(other))).toBe(found);
    expect(clashes).toBe(false);
    const isThere = (of: string[]): boolean => of.filter((one) => one.includes("new")).every((one) => found.includes(one));
    expect(isThere(own) && isThere(other)).toBe(true);
    // Lines that look alike can be taken for each other; without them, nothing can.
    if (!lines.includes("    }")) expect(found).toBe(text(both));
    expect(pieced(text(lines), text(own))).toBe(text(own));
  }
});

const pieced = (before: string, after: string): string => differences(before, after).reduceRight(applied, before);

/** A server that takes pieces one after the other, and others that change its text. */
function talk(text: string) {
  const server = { text, revision: 1, isOpen: true };
  const typing = new Typing(text, 1);
  const sent: Piece[] = [];
  const post = (piece: Piece): boolean => {
    if (server.isOpen) sent.push(piece);
    return server.isOpen;
  };
  const arrive = (): void => {
    const piece = sent.shift() as Piece;
    server.text = server.text.slice(0, piece.from) + piece.text + server.text.slice(piece.to);
    server.revision += 1;
  };
  const take = (heard: number, shown: string) => typing.take(server.text, server.revision, heard, shown);
  return { server, typing, sent, post, arrive, take };
}

test("one piece is on its way at a time, and what others do in between is put in", () => {
  const { server, typing, sent, post, arrive, take } = talk("a\r\nb\r\nc");
  expect(typing.send("a\nb1\nc", 7, post)).toBe(true);
  expect(typing.send("a\nb12\nc", 7, post)).toBe(true);
  expect(sent).toEqual([{ from: 4, to: 4, text: "1" }]);
  // An answer to an older question, with what somebody else has done: nobody knows whether that has the piece.
  server.text = `zz\r\n${server.text}`;
  expect(take(7, "a\nb12\nc")).toEqual({ shown: "a\nb12\nc", waits: true });
  sent[0].from += 4;
  sent[0].to += 4;
  arrive();
  expect(take(8, "a\nb12\nc")).toEqual({ shown: "zz\na\nb12\nc", waits: false });
  expect(typing.send("zz\na\nb12\nc", 8, post)).toBe(true);
  expect(sent).toEqual([{ from: 9, to: 9, text: "2" }]);
  arrive();
  expect(take(8, "zz\na\nb12\nc")).toEqual({ shown: "zz\na\nb12\nc", waits: false });
  expect(typing.keep("zz\na\nb12\nc")).toBe(null);
});

test("what does not arrive is sent again, and is never there twice", () => {
  for (const hasArrived of [false, true]) {
    const { server, typing, sent, post, arrive, take } = talk("ab");
    typing.send("axb", 3, post);
    if (hasArrived) arrive();
    typing.lose();
    server.isOpen = false;
    expect(typing.send("axyb", 3, post)).toBe(false);
    expect(typing.keep("axyb")).toMatchObject({ isLost: true, shown: "axyb" });
    server.isOpen = true;
    sent.length = 0;
    expect(take(4, "axyb")).toEqual({ shown: "axyb", waits: false });
    expect(typing.send("axyb", 4, post)).toBe(true);
    arrive();
    expect(server.text).toBe("axyb");
  }
});

test("what cannot be sent is kept, and comes back into the text as it is then", () => {
  const { server, typing, post } = talk("ab");
  server.isOpen = false;
  expect(typing.send("a-long-b", 1, post)).toBe(false);
  const kept = typing.keep("a-long-b");
  expect(kept && restored("ab", kept)).toBe("a-long-b");
  expect(kept && restored("z\nab", kept)).toBe("z\na-long-b");
  expect(kept && restored("a-long-b", kept)).toBe("a-long-b");
  expect(typing.drop()).toBe("ab");
});

test("what is not on disk when the program is gone is offered to the next one, with what is typed meanwhile", async () => {
  const typing = await import("../src/edit/typing");
  const stored = () => new Map(JSON.parse(localStorage.getItem("treemind-typed") ?? "[]") as [string, { shown: string }][]);
  const lost = () => typing.strand([{ name: "a.kdl", text: "wait 1\nwait 7\nwait 8\n", saved: "wait 1\n" }]);
  lost();
  expect([typing.left.value.size, stored().get("a.kdl")?.shown]).toEqual([0, "wait 1\nwait 7\nwait 8\n"]);
  // Of the same program, nothing is lost.
  typing.unstrand();
  expect([typing.left.value.size, stored().size]).toEqual([0, 0]);
  lost();
  typing.keep("a.kdl", { bases: ["wait 1\nwait 7\nwait 8\n"], isLost: false, shown: "wait 1\nwait 7\nwait 8\n// x\n" });
  expect(stored().get("a.kdl")?.shown).toBe("wait 1\nwait 7\nwait 8\n// x\n");
  typing.offer();
  const kept = typing.left.value.get("a.kdl");
  expect(kept && restored("// y\nwait 1\n", kept)).toBe("// y\nwait 1\nwait 7\nwait 8\n");
  expect(kept && typing.typedInto("wait 1\n", kept)).toEqual({ parts: [{ removed: "", text: "wait 7\nwait 8\n" }], clashes: false });
  typing.hasCome([{ name: "a.kdl", text: "wait 1\r\n" }]);
  expect(typing.left.value.size).toBe(1);
  typing.hasCome([{ name: "a.kdl", text: "wait 1\r\nwait 7\r\nwait 8\r\n" }]);
  expect(typing.left.value.size).toBe(0);
  // What is on disk is not known: all of the text that is there then gives way.
  typing.strand([{ name: "a.kdl", text: "wait 7\n", saved: undefined }]);
  typing.offer();
  const whole = typing.left.value.get("a.kdl");
  expect(whole && restored("wait 1\n", whole)).toBe("wait 7\n");
  typing.settle("a.kdl");
  typing.keep("a.kdl", null);
});

test("who stands in a text stays there when others change it at several places", () => {
  /** The text with `|` where somebody stands, and as it is after others have made another one of it. */
  const after = (standing: string, now: string): string => {
    const at = standing.indexOf("|");
    const state = EditorState.create({ doc: standing.replace("|", ""), selection: { anchor: at } });
    const changes = words(state.doc.toString(), now).map(({ from, to, text: insert }) => ({ from, to, insert }));
    const next = state.update({ changes }).state;
    expect(next.doc.toString()).toBe(now);
    const head = next.selection.main.head;
    return `${now.slice(0, head)}|${now.slice(head)}`;
  };
  // A name that is changed everywhere: above, below, and twice in one line.
  expect(after("hp\nif hp < 2 &|& hp > 0\nhp\n", "health\nif health < 2 && health > 0\nhealth\n")).toBe(
    "health\nif health < 2 &|& health > 0\nhealth\n",
  );
  expect(after("a hp\nb| x\nc hp\n", "a health\nb x\nc health\n")).toBe("a health\nb| x\nc health\n");
  // Somebody else writes on the same word, before and behind.
  expect(after("on|\n", "two on\n")).toBe("two on|\n");
  expect(after("on|\n", "twoon\n")).toBe("twoon|\n");
  expect(after("on|\n", "ontwo\n")).toBe("on|two\n");
  // A node that is moved across.
  expect(after("moved\none\ntw|o\n", "one\ntwo\nmoved\n")).toBe("one\ntw|o\nmoved\n");
  // Each line is indented.
  expect(after("a {\nb\nc|d\n}\n", "a {\n    b\n    cd\n}\n")).toBe("a {\n    b\n    c|d\n}\n");
});

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { BROKEN, packed, type Shared, unpacked, zip } from "../src/wire/share";

const guard: Shared = {
  files: [
    ["guard.kdl", "tree guard { wait 1.0; }\n"],
    ["yard.map", "####\n"],
  ],
  file: "guard.kdl",
  tick: 190,
  agent: 2,
  seed: 7,
};

test("a link holds everything", async () => {
  expect(await unpacked(await packed(guard))).toEqual(guard);
  const { seed, ...older } = guard;
  expect(await unpacked(await packed(older as Shared))).toEqual({ ...guard, seed: 0 });
});

test("what is no link is refused with a sentence", async () => {
  for (const text of ["", "abc", "%", "A".repeat(100), (await packed(guard)).slice(0, -9)])
    await expect(unpacked(text)).rejects.toThrow(BROKEN);
  await expect(unpacked("A".repeat(10 << 20))).rejects.toThrow("longer than a megabyte");
  const wrong = [
    { ...guard, tick: -1 },
    { ...guard, seed: 0.5 },
    { ...guard, file: "other.kdl" },
    { ...guard, files: [["../guard.kdl", ""]] },
    { ...guard, files: [["guard.exe", ""]] },
  ];
  for (const one of wrong) await expect(unpacked(await packed(one as Shared))).rejects.toThrow(BROKEN);
});

test("what would fill the memory is refused", async () => {
  const large = await packed({ ...guard, files: [["guard.kdl", "a".repeat(3 << 20)]] });
  expect(large.length).toBeLessThan(10_000);
  const bomb = JSON.stringify({ ...guard, files: [["guard.kdl", "a".repeat(8 << 20)]] });
  const stream = new Blob([bomb]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  await expect(unpacked(bytes.toString("base64url"))).rejects.toThrow(BROKEN);
});

test("an archive is one that others read", () => {
  const folder = mkdtempSync(`${tmpdir()}/treemind-`);
  writeFileSync(
    `${folder}/a.zip`,
    zip([
      ["01-guard/guard.kdl", "tree guard { }\n"],
      ["01-guard/höhle.map", "##\n"],
    ]),
  );
  const read = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])";
  execFileSync("python3", ["-c", read, `${folder}/a.zip`, folder]);
  expect(readFileSync(`${folder}/01-guard/guard.kdl`, "utf8")).toBe("tree guard { }\n");
  expect(readFileSync(`${folder}/01-guard/höhle.map`, "utf8")).toBe("##\n");
});

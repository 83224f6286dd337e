import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** The page as it was built last, and checked in. */
const page = `${import.meta.dirname}/../../crates/treemind_studio/page`;

test("the page stays small, without the editor of texts, which is loaded when somebody types", () => {
  const html = readFileSync(`${page}/index.html`);
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(400 * 1024);
  expect(html.includes("cm-content")).toBe(false);
});

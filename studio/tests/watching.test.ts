import { expect, test, vi } from "vitest";
import type { Tests } from "../src/protocol";

const done = vi.hoisted(() => [] as string[]);
vi.mock("../src/wire/wire", () => ({
  say: (of: { say: string; test?: { do: string } }) => done.push(of.test?.do ?? of.say),
  trySay: () => true,
  open: (file: string) => done.push(`open ${file}`),
  lookAgain: () => undefined,
}));

import * as tests from "../src/testing/tests";
import * as model from "../src/wire/model";

test("while the recording of a test is shown, its document is asked for the next one", () => {
  const one = { id: "a", name: "walks", failure: null };
  const opened = { id: "a", file: "walks.tmtrace", tick: 3, nth: 1 };
  model.view.value = { file: "guard.kdl" } as unknown as model.View;
  tests.take({ revision: 2, tests: [one], opened } as unknown as Tests, "guard.kdl");
  tests.watch("a");
  expect(done).toEqual(["open"]);
  model.view.value = { file: opened.file } as unknown as model.View;
  done.length = 0;
  tests.watch("a");
  expect(done).toEqual(["open guard.kdl", "open"]);
  done.length = 0;
  tests.run("a");
  expect(done).toEqual(["open guard.kdl", "run"]);
});

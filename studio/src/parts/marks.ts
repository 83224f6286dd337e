// Marks and classes as small drawings: a shape each, so that nobody needs to tell colours apart.

import { t } from "../texts";
import type { Mark } from "../wire/model";

export const glyphs: Record<Mark, string> = {
  "": "",
  run: "▶",
  entered: "▶",
  ok: "✓",
  fail: "✕",
  skip: "⤼",
  cut: "⊘",
  left: "⊘",
  "was-run": "▷",
  "was-ok": "✓",
  "was-fail": "✕",
  "was-skip": "⤼",
  "was-cut": "⊘",
  "was-left": "⊘",
};

export const toneOf = (mark: Mark): "run" | "ok" | "fail" | "cut" | "faint" => {
  if (mark === "run" || mark === "entered") return "run";
  if (mark === "ok") return "ok";
  if (mark === "fail") return "fail";
  if (mark === "cut" || mark === "left") return "cut";
  return "faint";
};

const words = { run: "running", ok: "success", fail: "failure", skip: "skipped", cut: "cutOff", entered: "entered", left: "left" } as const;

/** A mark in words. */
export function markWord(mark: Exclude<Mark, "">): string {
  const name = mark.replace("was-", "") as keyof typeof words;
  return `${t(words[name])}${mark.startsWith("was-") ? ` (${t("before")})` : ""}`;
}

const classes: Record<string, string> = {
  sequence: "→",
  selector: "∨",
  parallel: "⇉",
  condition: "?",
  check: "≤",
  action: "⚡",
  subtree: "⊞",
  tree: "⊞",
  monitor: "◉",
  test: "≤",
  "test-condition": "?",
  switch: "∨",
  random: "≈",
  goto: "↪",
  branch: "⊞",
  composite: "▣",
  atomic: "▢",
  state: "▢",
  final: "◎",
  transition: "↱",
  "utility-selector": "∨",
  wait: "◷",
  set: "≔",
  initial: "●",
  anywhere: "✱",
  machine: "▣",
  decide: "∨",
  way: "·",
  case: "·",
  option: "·",
  planner: "⚑",
  goal: "★",
  task: "☰",
  method: "↳",
};

/** The sign of a kind of node. */
export function sign(kind: string): string {
  if (kind.startsWith("reactive-")) return `${sign(kind.slice(9))}↻`;
  if (kind === "parallel" || kind.startsWith("parallel")) return "⇉";
  return classes[kind] ?? (kind.endsWith("selector") ? "∨" : kind.endsWith("sequence") ? "→" : "◇");
}

export const isQuestion = (kind: string): boolean => kind === "condition" || kind === "check";

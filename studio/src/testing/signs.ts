// How a test went, as a sign and a colour.

import type { TestState } from "../protocol";

const signs: Record<TestState, string> = { passed: "✓", failed: "✕", waiting: "◷", stale: "○" };
const tones: Record<TestState, string> = { passed: "ok", failed: "fail", waiting: "run", stale: "faint" };

export const signOf = (state: TestState): string => signs[state];
export const toneOf = (state: TestState): string => tones[state];

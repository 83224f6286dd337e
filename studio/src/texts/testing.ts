// What the page says about tests, and about a run that is played again.

import type { Texts } from ".";

export const testing = {
  tests: ["Tests", "测试"],
  runAll: ["Run all", "全部运行"],
  runOne: ["Run", "运行"],
  stopTests: ["Stop", "停止"],
  runBy: ["When the document changes", "文档更改时"],
  by_hand: ["run none", "不运行"],
  by_touched: ["run what the change touches", "运行受影响的测试"],
  by_all: ["run all", "全部运行"],
  passedTests: ["passed", "通过"],
  failedTests: ["failed", "失败"],
  staleTests: ["not run", "未运行"],
  waitingTests: ["running", "运行中"],
  noTests: [
    "This document has no tests. Make one from what happened: mark a stretch of the timeline.",
    "此文档没有测试。可在时间轴上选取一段，由已发生的事生成测试。",
  ],
  notTested: ["There are no tests to run here.", "此处没有可运行的测试。"],
  expected: ["expected", "期望"],
  got: ["got", "实际"],
  inTry: ["try", "第几次尝试："],
  shortest: ["the shortest try that fails, as a test", "最短的失败尝试，写成测试"],
  watchTest: ["Watch it", "观看"],
  watchesTest: ["This is a recording of the test", "这是测试的录像："],
  backToDocument: ["Back to the document", "返回文档"],
  coverage: ["Coverage", "覆盖率"],
  notReached: ["No test reaches", "没有测试到达"],
  reachedInPart: ["reached in part", "部分到达"],
  kTests: ["tests, mark a stretch, clear it", "测试、选取时段、清除"],
} satisfies Texts;

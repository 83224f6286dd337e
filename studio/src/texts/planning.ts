// Planners: goals, plans, and what if.

import type { Texts } from ".";

export const planning = {
  planner: ["Planner", "规划器"],
  goals: ["Goals", "目标"],
  goalPursued: ["pursued", "追求中"],
  goalFruitless: ["no plan", "无计划"],
  goalHolds: ["holds", "已成立"],
  goalOpen: ["open", "可追求"],
  goalClosed: ["not open", "未开启"],
  goalClosedWhy: ["its when does not hold, or its score is not above 0", "其 when 不成立，或评分不大于 0"],
  plan: ["Plan", "计划"],
  plans: ["plan", "计划"],
  noPlanNow: ["It has no plan.", "目前没有计划。"],
  thinks: ["It looks for a plan for", "正在为其寻找计划："],
  planRests: ["It does not run.", "未在运行。"],
  stepDone: ["done", "已完成"],
  stepNow: ["in progress", "进行中"],
  stepNext: ["still to come", "尚未开始"],
  stepCosts: ["costs", "代价"],
  stepLost: ["cannot be done as things are", "目前无法进行"],
  leftOut: ["left out, because they failed or changed nothing:", "因失败或毫无改变而暂不采用："],
  whatIf: ["What if …", "假如……"],
  whatIfLong: ["change facts in a copy, and see the plan", "在副本中改变事实，查看计划"],
  whatIfIs: [
    "What it would do if it began with these facts. Nothing in the game changes.",
    "若以这些事实开始，它会怎么做。游戏本身不会改变。",
  ],
  whatIfBest: ["the goal that it chooses", "由它选择目标"],
  whatIfGoal: ["Goal", "目标"],
  whatIfReset: ["As in the game", "恢复为游戏中的值"],
  whatIfUnset: ["no value", "无值"],
  planHere: ["Then it would do this:", "那么它会这样做："],
  nothingToDo: ["Then there is nothing to do.", "那么无事可做。"],
  noneThen: ["Then there is no plan.", "那么没有计划。"],
} satisfies Texts;

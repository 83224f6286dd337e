// Networks, rules, and what a search for a plan has reached.

import type { Texts } from ".";

export const weighing = {
  network: ["Network", "神经网络"],
  networkInputs: ["Inputs", "输入"],
  networkOutputs: ["Outputs", "输出"],
  networkLayer: ["layer", "层"],
  networkBias: ["bias", "偏置"],
  networkWeight: ["weight", "权重"],
  networkDrawn: [
    "The lines are weights times what comes in: the thicker, the more. Dashed ones are negative.",
    "连线为权重乘以输入：越粗越大，虚线为负。",
  ],
  networkScores: ["weighs for", "用于评分："],
  networkWins: ["the largest", "最大"],
  rulesOf: ["Rules", "规则"],
  ruleFired: ["fired", "已触发"],
  ruleUnmet: ["does not hold", "不成立"],
  ruleHeld: ["held already", "此前已成立"],
  ruleCools: ["cools", "冷却中"],
  ruleSkipped: ["not looked at", "未查看"],
  ruleIdle: ["not asked in this tick", "本帧未询问"],
  ruleLast: ["fired in tick", "触发于帧"],
  searchShow: ["Show the search", "显示搜索"],
  searchIs: ["What the search has reached", "搜索到的局面"],
  searchLooked: ["looked at", "已查看"],
  searchReached: ["only reached", "仅到达"],
  searchOnPlan: ["on the plan", "位于计划中"],
  searchOf: ["situations reached, looked at:", "个局面已到达，其中已查看："],
  searchShown: ["The first are shown:", "仅显示最先到达的："],
  searchBegin: ["as it is now", "当前局面"],
  searchCosts: ["costs", "代价"],
  searchLeast: ["to go at least", "至少还需"],
  searchUnset: ["no value", "无值"],
  searchTask: [
    "A goal that does a task has no situations to draw: its methods are tried in their order.",
    "执行任务的目标没有可绘制的局面：其方法按顺序尝试。",
  ],
} satisfies Texts;

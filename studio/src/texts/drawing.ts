// What the page says of editing in the graph.

import type { Texts } from ".";

export const drawing = {
  actions: ["What can be done", "可执行的操作"],
  switchOff: ["Switch off", "停用"],
  switchOn: ["Switch on", "启用"],
  copy: ["Copy", "复制"],
  cutOut: ["Cut", "剪切"],
  paste: ["Paste", "粘贴"],
  pasteByKey: ["The browser does not give the page what was copied: press Ctrl V.", "浏览器不允许页面读取剪贴板：请按 Ctrl V。"],
  wholeStays: [
    "A whole definition has no other place in the drawing. Alt ↑ and Alt ↓ move it among the definitions of the text.",
    "整个定义在图中没有别的位置。Alt ↑ 和 Alt ↓ 可调整它在文本各定义中的顺序。",
  ],
  notInARow: ["Only nodes that stand one after the other are moved together.", "只有相邻的节点才能一起移动。"],
  kindLike: ["A kind of node; or with its value, such as repeat 3", "节点种类；也可以写上值，例如 repeat 3"],
  waitsForWhat: ["What it waits for", "等待什么"],
  onEvent: ["Event", "事件"],
  afterDelay: ["Delay", "延迟"],
  whenCondition: ["Condition", "条件"],
  historyOf: ["Goes back to", "返回"],
  historyNone: ["its beginning", "起点"],
  historyShallow: ["where it was, one level", "离开时的状态（一层）"],
  historyDeep: ["where it was, all levels", "离开时的状态（所有层）"],
  accept: ["Accept", "接受"],
  cancel: ["Cancel", "取消"],
  branchName: ["Several answers will lead there. Its name", "将有多个答案通向此处，其名称"],
  shareBranch: ["Let others lead here", "允许其他答案通向此处"],
  leadTo: ["Let it lead to …", "使其通向 …"],
  balance: ["Balance", "平衡"],
  learn: ["Learn from a table", "从表格学习"],
  table: ["Table (CSV)", "表格（CSV）"],
  target: ["The column that says what to do", "表示行为的列"],
  asItIs: ["As it is", "现在"],
  asItWouldBe: ["As it would be", "改后"],
  dragHint: ["Drag cards and ○; right click: more.", "拖动卡片或 ○；右键查看更多。"],
} satisfies Texts;

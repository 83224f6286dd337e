// What the page says about new documents, the tour, the pages of nodes, and versions.

import type { Texts } from ".";

export const begin = {
  makeNew: ["Make something new", "新建"],
  emptyFolder: [
    "This folder has no document and no recording yet. Make the first document here, or copy one of the examples below.",
    "此文件夹还没有文档和录制文件。请在此新建第一个文档，或复制下面的某个示例。",
  ],
  fileName: ["Name of the file", "文件名"],
  defines_tree: ["tree", "行为树"],
  defines_machine: ["machine", "状态机"],
  defines_decision: ["decision tree", "决策树"],
  emptyTree: ["Empty tree", "空的行为树"],
  emptyMachine: ["Empty machine", "空的状态机"],
  emptyDecision: ["Decision tree", "决策树"],
  copyThis: ["Copy of a file", "复制某个文件"],
  importFile: ["Import: XML of BehaviorTree.CPP, SCXML, table", "导入：BehaviorTree.CPP 的 XML、SCXML、表格"],
  lostSome: ["Not taken over:", "未能转换："],
  pageOf: ["What this node does", "此节点的说明"],
  versions: ["Compare with …", "与……比较"],
  lastCommit: ["the last commit", "上次提交"],
  beforeStep: ["before", "此步之前："],
  notCompared: ["Left out, because it cannot be read in one of the versions:", "已略去（在其中一个版本中无法读取）："],
  nothingDiffers: ["Nothing differs.", "没有差别。"],
  how_same: ["same", "相同"],
  how_added: ["added", "新增"],
  how_removed: ["removed", "删除"],
  how_moved: ["moved", "移动"],
  how_changed: ["changed", "改动"],
  "how_moved-and-changed": ["moved and changed", "移动并改动"],
  tour: ["Tour", "导览"],
  takeTour: ["Show me around: five steps with the guard", "五步导览：以守卫为例"],
  tourNext: ["Next", "下一步"],
  tourBack: ["Back", "上一步"],
  tourSkip: ["Skip", "跳过"],
  tourDone: ["Done", "完成"],
  tour_graph: ["What it does", "它在做什么"],
  tourSays_graph: [
    "This is the mind of a guard, from the top down. What is filled runs now, and the thick line leads to it. ✓ has succeeded, ✕ has failed, ⊘ was cut off.",
    "这是守卫的思维，自上而下。填充的部分正在运行，粗线通向它。✓ 成功，✕ 失败，⊘ 被打断。",
  ],
  tour_why: ["Why", "原因"],
  tourSays_why: [
    "Here it says what made this begin, what changed, and why nothing else runs. Click on any node to ask about that one; an arrow leads to the tick where something became true.",
    "这里说明是什么使它开始、什么改变了、为什么没有运行别的。点击任一节点即可查看其原因；箭头指向事情成立的那一帧。",
  ],
  tour_time: ["When", "时间"],
  tourSays_time: [
    "Drag on the timeline to any tick that was played. Shift ← and Shift → go from change to change, and Space plays on.",
    "在时间轴上拖动，可到任何已运行的帧。Shift ← 和 Shift → 在变化之间跳转，空格键继续运行。",
  ],
  tour_keys: ["What it knows", "它知道什么"],
  tourSays_keys: [
    "These are its keys. Click on a value to write another one: with 10 health, the guard flees as soon as it sees somebody.",
    "这些是它的键。点击一个值即可改写：生命值为 10 时，守卫一看见人就会逃跑。",
  ],
  tour_edit: ["Change it", "改动它"],
  tourSays_edit: [
    "Edit changes a document while it plays, and Tests runs its tests. Examples stay as they are: make a copy, or something new, on the first page (p).",
    "“编辑”可在运行时改动文档，“测试”运行其测试。示例保持不变：请在首页（p）复制一份，或新建一个。",
  ],
} satisfies Texts;

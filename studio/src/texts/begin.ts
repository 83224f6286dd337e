// What the page says about new documents, the tour, the pages of nodes, and versions.

import type { Texts } from ".";

export const begin = {
  makeNew: ["Make something new", "新建"],
  fileName: ["Name of the file", "文件名"],
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
  nothingDiffers: ["Nothing differs.", "没有差别。"],
  how_same: ["same", "相同"],
  how_added: ["added", "新增"],
  how_removed: ["removed", "删除"],
  how_moved: ["moved", "移动"],
  how_changed: ["changed", "改动"],
  "how_moved-and-changed": ["moved and changed", "移动并改动"],
} satisfies Texts;

// What the page says about the properties of a node.

import type { Texts } from ".";

export const inspecting = {
  comment: ["comment", "注释"],
  commentHow: [
    "The comment above it in the text. Enter writes it, Shift Enter begins a line.",
    "文本中位于其上方的注释。Enter 写入，Shift Enter 换行。",
  ],
  writtenHere: ["written here", "写在此处"],
  fromKey: ["taken from the key", "取自该键"],
  noKeyYet: ["no key is chosen yet", "尚未选择键"],
  fromExpression: ["computed", "由表达式计算"],
  fromLeaf: ["not written: the default of the leaf", "未写：叶节点的默认值"],
  fromTree: ["not written: the default of the port", "未写：该端口的默认值"],
  fromNowhere: ["not written, and has no default", "未写，且没有默认值"],
  worthNow: ["now", "当前"],
  addPoint: ["Add a point", "添加点"],
  removePoint: ["Remove point", "移除点"],
  pointsHow: [
    "Double-click adds a point; at a point, + adds another one and − removes it.",
    "双击可添加点；在某个点上，+ 再加一个，− 移除它。",
  ],
  addRegion: ["Add a region", "添加区域"],
  makeParallel: ["Make it parallel", "改为并行"],
  makeSequential: ["One state at a time", "改为单一状态"],
  manyChosen: [
    "nodes are chosen: moving, copying, wrapping and removing take all of them. The fields are those of the last one.",
    "个节点已选：移动、复制、包裹和移除作用于全部，下面是最后所选节点的属性。",
  ],
} satisfies Texts;

// What the page says about editing together: saving, what clashes, who did what.

import type { Texts } from ".";

export const together = {
  page: ["page", "页面"],
  anotherProgram: ["another program", "另一个程序"],
  saveAtOnce: ["Save at once", "立即保存"],
  saveNow: ["Save", "保存"],
  waitsForSave: ["not saved: the game continues with it when you save", "未保存：保存后游戏才会使用"],
  conflicts: ["Changed here and on disk", "此处与磁盘上都有改动"],
  clash_changed: ["both have changed it", "双方都改了它"],
  clash_moved: ["moved to two places", "被移到两个地方"],
  clash_removed: ["removed by one, changed by the other", "一方删除，另一方修改"],
  clash_whole: ["the texts cannot be put together", "两份文本无法合并"],
  wasBefore: ["before", "原来"],
  here: ["here", "此处"],
  onDisk: ["on disk", "磁盘上"],
  isRemoved: ["removed", "已删除"],
  past: ["Who did what", "谁做了什么"],
  byYou: ["you", "你"],
  alsoHere: ["also chosen by", "也被选中："],
  typedIsGone: ["This node is gone. What you were typing is kept:", "此节点已不存在。你正在输入的内容已保留："],
  typedIsBack: ["This node is there again, and what you were typing is in its field:", "此节点已恢复，你正在输入的内容在其字段中："],
  toTheField: ["Go to the field", "转到该字段"],
} satisfies Texts;

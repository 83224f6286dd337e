// What the page says where texts and values are written.

import type { Texts } from ".";

export const writing = {
  noEditor: [
    "The editor of texts could not be loaded. Is the program still running? Open this view again.",
    "无法加载文本编辑器。程序还在运行吗？请重新打开此视图。",
  ],
  tooLong: [
    "This is longer than 8 MiB, which is the most that the program takes at once. Nothing has changed.",
    "这超过了 8 MiB，即程序一次能接受的上限。没有任何改动。",
  ],
  notSent: [
    "What you typed last is not in the document: it is longer than 8 MiB. It stays here while this page is open. Ctrl Z takes it back; shorter pieces can be pasted one after the other.",
    "您最后输入的内容不在文档中：它超过了 8 MiB。只要此页面打开，它就保留在这里。Ctrl Z 可将其撤回；较短的片段可以依次粘贴。",
  ],
  whereToAdd: ["Where", "位置"],
  beforeIt: ["before it", "放在其前"],
  aroundIt: ["around it", "包在外面"],
  typedClash: [
    "This was written before the connection broke off, and the same place has been changed since. The text has what was written there. If you put yours in, you choose between both; on a map, yours counts:",
    "以下内容在连接中断之前输入，而同一处之后已被改动。文本中是改动后的内容。若写入您的内容，将由您在两者之间选择；在地图中则以您的为准：",
  ],
  typedBefore: [
    "This was written before the connection broke off, and is not in the document:",
    "以下内容在连接中断之前输入，尚未写入文档：",
  ],
  putIn: ["Put it in", "写入文档"],
  cutText: ["These are the first 20 000 lines. “Type in the text” shows all.", "此处为前 20 000 行；“修改文本”会显示全部。"],
  inTheText: ["in the text", "在文本中"],
  fixes: ["Quick fixes", "快速修复"],
  textTools: ["Tools for the text", "文本工具"],
  layOut: ["Format", "格式化"],
  suggestions: ["Suggestions", "建议"],
} satisfies Texts;

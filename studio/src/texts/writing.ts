// What the page says where texts and values are written.

import type { Texts } from ".";

export const writing = {
  noEditor: [
    "The editor of texts could not be loaded. Is the program still running? Open this view again.",
    "无法加载文本编辑器。程序还在运行吗？请重新打开此视图。",
  ],
  fixes: ["Quick fixes", "快速修复"],
  textTools: ["Tools for the text", "文本工具"],
  layOut: ["Format", "格式化"],
  suggestions: ["Suggestions", "建议"],
} satisfies Texts;

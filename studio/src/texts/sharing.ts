// A page alone: links that hold everything, and files to take along.

import type { Texts } from ".";

export const sharing = {
  share: ["Share", "分享"],
  shareWhat: [
    "This link holds the document, its map, the tick and the agent. Nothing is sent to a server.",
    "此链接包含文档、地图、时刻和角色。不会向服务器发送任何内容。",
  ],
  shareLink: ["The link", "链接"],
  copy: ["Copy", "复制"],
  copied: ["Copied", "已复制"],
  download: ["Download", "下载"],
  downloadWhat: [
    "the document with its map and what it imports, as a .zip for `treemind run`",
    "文档及其地图和导入内容，打包为 .zip，可用 `treemind run` 运行",
  ],
  noLink: ["The link could not be opened:", "无法打开链接："],
  workerDied: ["The session in this page has ended, and begins again:", "此页面中的会话已结束，正在重新开始："],
} satisfies Texts;

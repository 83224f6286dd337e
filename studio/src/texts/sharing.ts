// A page alone: links that hold everything, and files to take along.

import type { Texts } from ".";

export const sharing = {
  share: ["Share", "分享"],
  shareWhat: [
    "This link holds the document, its map, the seed, the tick and the agent. Nothing is sent to a server.",
    "此链接包含文档、地图、随机种子、时刻和角色。不会向服务器发送任何内容。",
  ],
  shareLink: ["The link", "链接"],
  copied: ["Copied", "已复制"],
  download: ["Download", "下载"],
  downloadWhat: [
    "the document with its map and what it imports, as a .zip for `treemind run`",
    "文档及其地图和导入内容，打包为 .zip，可用 `treemind run` 运行",
  ],
  noSuchFile: ["The address names a file that is not there:", "地址所指的文件不存在："],
  noLink: ["The link could not be opened:", "无法打开链接："],
  noWebAssembly: ["this browser has no WebAssembly, and the studio needs it", "此浏览器不支持 WebAssembly，而工作室需要它"],
  noWorker: ["the worker of this page did not start", "此页面的后台进程未能启动"],
  silent: ["it has not answered for a while", "它已有一段时间没有响应"],
  setAside: ["was not opened again, because it has ended the session twice.", "已两次使会话结束，因此不再打开。"],
  itsText: ["Its text", "其文本"],
  seed: ["Seed", "随机种子"],
  seedWhat: [
    "Where chance begins: the same number gives the same run, as with `treemind run --seed`.",
    "随机数的起点：相同的数字得到相同的运行，与 `treemind run --seed` 一样。",
  ],
  workerDied: ["The session in this page has ended, and begins again:", "此页面中的会话已结束，正在重新开始："],
} satisfies Texts;

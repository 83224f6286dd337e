// What the page says about maps and folders.

import type { Texts } from ".";

export const maps = {
  map: ["Map", "地图"],
  editMap: ["Edit the map", "编辑地图"],
  ownMap: ["Make a map for this document", "为此文档新建地图"],
  toolMove: ["choose and move", "选择与移动"],
  toolWall: ["wall", "墙"],
  toolFloor: ["floor", "地面"],
  put: ["Put …", "放置……"],
  putWhere: ["Click on a free square, or go there with the arrows and press Enter.", "点击空格，或用方向键移到该处并按 Enter。"],
  actor: ["actor", "角色"],
  spot: ["spot", "地点"],
  mind: ["mind", "思维"],
  addProperty: ["add a property", "添加属性"],
  enlarge: ["Enlarge", "扩大"],
  edge_north: ["above", "上方"],
  edge_east: ["at the right", "右侧"],
  edge_south: ["below", "下方"],
  edge_west: ["at the left", "左侧"],
  mapText: ["Text: script and rules", "文本：脚本与规则"],
  writeText: ["Write", "写入"],
  mapKeys: [
    "Arrows go from square to square, with Shift they paint. A character of the legend, # or . stands where you type it. Enter takes and puts, Delete clears, Esc leaves it.",
    "方向键在方格间移动，加 Shift 则涂画。键入图例中的字符、# 或 . 即写在该处。Enter 拿起与放下，Delete 清除，Esc 取消。",
  ],
  onDiskToo: ["Another program has changed the map, too.", "另一程序也改动了地图。"],
  column: ["column", "列"],
  row: ["row", "行"],
  taken: ["taken", "已拿起"],
  openFolder: ["Open another folder …", "打开其他文件夹……"],
  openThis: ["Open this folder", "打开此文件夹"],
  folderUp: ["Up", "上一级"],
  allFolders: ["Folders that may be opened", "可以打开的文件夹"],
  folderRule: [
    "Only folders with which the program was started, those below them, and those of --allow-folder.",
    "只能打开启动程序时指定的文件夹、其下的文件夹，以及 --allow-folder 指定的文件夹。",
  ],
  inFolder: ["in", "位于"],
  emptyDocument: ["The document is empty. Add something with A.", "文档为空。按 A 添加内容。"],
} satisfies Texts;

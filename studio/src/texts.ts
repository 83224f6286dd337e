// What the page says, in English and Chinese. Names and sentences from documents stay as they are.

import { signal } from "@preact/signals";

const english = {
  agent: "Agent", file: "File", graph: "Graph", text: "Text", live: "Live", paused: "Paused", replay: "Recording", stopped: "Cannot play",
  crowd: "Everybody", findAgents: "name, action or state", whoHolds: "that meet this condition", holdsSuch: "health < 20", write: "Write",
  goesOn: "Paused here; the game continues",
  theme: "Light or dark", language: "中文", keys: "All keys", because: "because", instead: "instead of", cut: "cut off after",
  of: "of", tick: "tick", nothing: "nothing", running: "running", success: "success", failure: "failure", cutOff: "cut off", before: "before", skipped: "skipped",
  why: "Why", blackboard: "Blackboard", noKeys: "no keys", noWrite: "unchanged since the beginning", noWriteSince: "not written since tick", lines: "lines", find: "Find in the list",
  what: "What it does", wrong: "What went wrong", changed: "What changed", other: "Why nothing else", thisNode: "This node", does: "does", states: "state", events: "events",
  play: "Play or pause", back: "One tick back", step: "One tick forward", first: "To the first tick", last: "To the last tick", slower: "Slower", faster: "Faster",
  lost: "The connection to the server is lost. Everything stays readable; the page reconnects by itself.",
  closedBy: "The server has closed this page:", onTheWay: "On the way to tick", stopThere: "Stop",
  wait: "Connecting …", fit: "Fit", nearer: "Zoom in", farther: "Zoom out", arena: "Arena", timeline: "Timeline", list: "List", close: "Close",
  kPlay: "play or pause", kTick: "one tick back or forward", kChange: "previous or next change", kEnds: "first or last tick", kList: "next or previous line",
  search: "Search", searchFor: "A node, a key, a text, or what the agent did, to see when", finds: "Results", noFinds: "Nothing found.", ticks: "ticks", written: "written", writtenIn: "written in",
  sort_ticks: "When", sort_line: "Lines of the definition", sort_key: "Keys", sort_text: "Documents", sort_file: "Other files",
  breakpoints: "Breakpoints", noBreakpoints: "Select a line to stop at it.", stopAt: "Stop at", dontStopAt: "Do not stop at", stopHere: "Stop here", stopAtKey: "Stop when it changes:", stopAtEvent: "Stop at an event",
  removeAll: "remove all", remove: "Remove", edit: "Edit", isOn: "On", hits: "How often it has happened", if: "if", when: "when it", fromTime: "from occurrence", onlyThis: "only this agent", agents: "agents",
  on_enter: "begins or is entered", on_end: "ends or is left", on_success: "succeeds", on_failure: "fails", on_abort: "is cut off",
  event: "event", tickBegins: "the tick begins", eventBack: "One event back", eventOn: "One event forward", kBreak: "breakpoint at the line", kEvent: "one event of the tick forward or back",
  entered: "entered", left: "left", compare: "Two moments", swap: "Go to the other moment", differs: "What differs", noDifference: "Nothing differs.", keepMoment: "Keep this moment to compare others with it",
  uses: "Where it appears", namesHere: "Names here:", defined: "defined", used: "used", fromNextTick: "What runs is marked from the next tick on.", now: "Now", yes: "yes", no: "no", else: "else", aside: "Arena, reasons and values", kZoom: "zoom in or out",
  anyState: "from any state", crumbs: "Where this part is", kAlone: "show only the selected part, go up again", kLevel: "fold below this level, unfold all", kKeep: "keep this moment, swap the two", kSearch: "search everything",
  kFold: "fold or unfold", kFit: "fit the graph", kGraph: "graph or text", kFind: "find in the list", kAgent: "previous or next agent", kSpeed: "slower or faster", kEsc: "close, follow what runs",
};

const chinese: typeof english = {
  agent: "智能体", file: "文件", graph: "图", text: "文本", live: "实时", paused: "已暂停", replay: "录像", stopped: "无法运行",
  crowd: "所有智能体", findAgents: "名称、行为或状态", whoHolds: "满足此条件者", holdsSuch: "health < 20", write: "写入",
  goesOn: "此处已暂停;游戏仍在继续",
  theme: "浅色或深色", language: "English", keys: "所有按键", because: "因为", instead: "而不是", cut: "被打断,已运行",
  of: "/", tick: "帧", nothing: "无", running: "运行中", success: "成功", failure: "失败", cutOff: "被打断", before: "之前", skipped: "已跳过",
  why: "原因", blackboard: "黑板", noKeys: "没有键", noWrite: "初始值", noWriteSince: "自此帧起未写入:", lines: "行", find: "在列表中查找",
  what: "正在做什么", wrong: "出了什么问题", changed: "发生了什么变化", other: "为何不做别的", thisNode: "此节点", does: "行为", states: "状态", events: "事件",
  play: "播放或暂停", back: "后退一帧", step: "前进一帧", first: "到第一帧", last: "到最后一帧", slower: "减速", faster: "加速",
  lost: "服务器已断开。内容仍可阅读;页面会自动重新连接。",
  closedBy: "服务器已关闭此页面:", onTheWay: "正在前往帧", stopThere: "停止",
  wait: "正在连接 …", fit: "适合窗口", nearer: "放大", farther: "缩小", arena: "场地", timeline: "时间线", list: "列表", close: "关闭",
  kPlay: "播放或暂停", kTick: "后退或前进一帧", kChange: "上一个或下一个变化", kEnds: "第一帧或最后一帧", kList: "下一行或上一行",
  search: "搜索", searchFor: "节点、键、文本,或它做过的事:那是什么时候?", finds: "搜索结果", noFinds: "什么也没找到。", ticks: "帧", written: "写入", writtenIn: "写入于",
  sort_ticks: "时间", sort_line: "定义中的行", sort_key: "键", sort_text: "文档", sort_file: "其他文件",
  breakpoints: "断点", noBreakpoints: "选择一行,即可在此停下。", stopAt: "停在", dontStopAt: "不再停在", stopHere: "在此停下", stopAtKey: "变化时停下:", stopAtEvent: "在事件处停下",
  removeAll: "全部移除", remove: "移除", edit: "编辑", isOn: "启用", hits: "已发生的次数", if: "条件", when: "当它", fromTime: "从第几次起", onlyThis: "仅此智能体", agents: "个智能体",
  on_enter: "开始或进入", on_end: "结束或离开", on_success: "成功", on_failure: "失败", on_abort: "被打断",
  event: "事件", tickBegins: "此帧开始", eventBack: "后退一个事件", eventOn: "前进一个事件", kBreak: "在此行设断点", kEvent: "帧内前进或后退一个事件",
  entered: "进入", left: "离开", compare: "两个时刻", swap: "转到另一个时刻", differs: "不同之处", noDifference: "没有不同。", keepMoment: "记住此时刻,以便与其他时刻比较",
  uses: "出现之处", namesHere: "此处的名称:", defined: "定义", used: "使用", fromNextTick: "下一帧起显示正在运行的内容。", now: "现在", yes: "是", no: "否", else: "否则", aside: "场地、原因和值", kZoom: "放大或缩小",
  anyState: "从任何状态", crumbs: "此部分的位置", kAlone: "单独显示所选,返回上一级", kLevel: "折叠到第几层,全部展开", kKeep: "记住此时刻,交换两个时刻", kSearch: "搜索一切",
  kFold: "折叠或展开", kFit: "图适合窗口", kGraph: "图或文本", kFind: "在列表中查找", kAgent: "上一个或下一个智能体", kSpeed: "减速或加速", kEsc: "关闭,跟随运行",
};

export const language = signal<"en" | "zh">(stored("language") === "zh" || (!stored("language") && navigator.language.startsWith("zh")) ? "zh" : "en");
export const theme = signal<"dark" | "light">(stored("theme") === "light" || (!stored("theme") && matchMedia("(prefers-color-scheme: light)").matches) ? "light" : "dark");

export const t = (key: keyof typeof english): string => (language.value === "zh" ? chinese : english)[key];

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

// What the studio and its pages say, as crates/treemind_replay/src/view/protocol declares it. Written by a test; do not edit.

/** The version of the protocol. */
export const VERSION = 7;

/** What a line of a log is about; it decides the colour. */
export type Tone = "calm" | "notice" | "fight" | "fault";

/** A language in which reasons are written. */
export type Language = "en" | "zh";

/** What is wrong with a document, what an edit is called, why it is refused, and the like. It is written in English ([`Display`](fmt::Display)). Who speaks another language has a sentence of their own for each that [`said!`](crate::said) makes, with the same holes. ``` use treemind_doc::{Said, said}; let why = said!("`{}` takes no children", "wait"); assert_eq!(why.to_string(), "`wait` takes no children"); let Said::Sentence { says, with } = why else { unreachable!() }; assert_eq!((says, &with[..]), ("`{}` takes no children", &["wait".into()][..])); ``` */
export type Said = string | {
/** The sentence in English, with a hole, `{}`, for each that is put into it. */
says: string,
/** What is in the holes. */
with: Array<Said>, };

/** A sentence, and the sentences that say why. */
export type Reason = {
  /** The label of the node that it is about, if it is about one. */
  node?: string;
  /** The number of that node in its behaviour. */
  number?: number;
  /** The first tick that the sentence names. */
  tick?: number;
  /** The sentence, without a full stop, on one line and made visible. */
  text: string;
  /** Why it is so. */
  because?: Array<Reason>;
};

/** Why an agent did in a tick what it did. */
export type Explanation = {
  /** The name of its tree or machine. */
  behaviour: string;
  /** Its index in its population. */
  agent: number;
  /** What the game calls it, if it has [said so](crate::Explainer::named). */
  name?: string;
  /** The tick, from 1. */
  tick: number;
  /** The time since the beginning, in seconds. */
  secs: number;
  /** What the root answered, in lower case; `None` when the agent was not ticked. */
  answer: string | null;
  /** What it does, and what led there. */
  does: Array<Reason>;
  /** What made it begin that, in the tick in which it began: what was otherwise in the tick before, with its values. Empty if it began before the agent was followed. */
  because?: Array<Reason>;
  /** What went wrong for it in this tick, and before this tick since the last one: events that found its mailbox full, for example. */
  faults?: Array<Reason>;
  /** What began, ended and changed in this tick. */
  changed: Array<Reason>;
  /** Why it does not do something else. */
  instead: Array<Reason>;
};

/** A stretch of ticks in which something stayed the same. As JSON it is a list: the first tick, the last, what it was, and 1 if it was cut off at its end. */
export type Bar = [from: number, to: number, text: string, cut?: 1];

/** Something that happened: the tick, what it is about, and a sentence. */
export type Happened = [tick: number, tone: Tone, text: string];

/** What a line of a definition is. */
export type LineIs = "node" | "state" | "transition" | "test" | "way" | "part";

/** A piece of an expression. All pieces together are the expression as documents write it. */
export type Piece = {
  /** What is written. */
  text: string;
  /** The position of the key in `keys` that it stands for, if it is a key. */
  key: number | null;
};

/** A value on a line. */
export type LineValue = {
  /** As documents have it, without quotes. */
  text: string;
  /** In pieces, if it is an expression; empty for anything else. */
  parts: Array<Piece>;
};

/** A property of a line. */
export type LineProperty = {
  /** Its name. */
  name: string;
  /** As documents have it, without quotes. */
  text: string;
  /** In pieces, if it is an expression; empty for anything else. */
  parts: Array<Piece>;
};

/** A line of a definition. */
export type Line = {
  /** Its name in addresses and questions: `n6` is node 6, `s2.1` a state, `t2.0` a transition, `q3.0` a test, `w3.0.1` a way, `p7` a part. */
  id: string;
  /** How far it is indented, in characters. */
  indent: number;
  /** What the outline prints, without the `doc`. */
  text: string;
  /** What it is for; empty if the document does not say. */
  doc: string;
  /** What it is. */
  is: LineIs;
  /** Its word: the kind of a node, or `state`, `parallel`, `transition`, `test`, `case`, `entry`, and so on. */
  word: string;
  /** What stands right behind the word: the leaf of an action, the name of a state, the test of a `check`. */
  values: Array<LineValue>;
  /** Its properties, in the order of the outline. */
  properties: Array<LineProperty>;
  /** What a node or a state is called. */
  label?: string;
  /** Of a state: `atomic`, `composite`, `parallel` or `final`. */
  kind?: string;
  /** Of a transition: the ids of the states to which it leads. */
  targets?: Array<string>;
  /** Of a transition: the id of the state from which it leads. */
  source?: string;
};

/** A key of a definition. */
export type Key = {
  /** Its name. */
  name: string;
  /** Who shares it: `agent`, `group` or `world`. */
  scope: string;
  /** Its type, as documents write it. */
  ty: string;
};

/** An event of a definition. */
export type DeclaredEvent = {
  /** Its name. */
  name: string;
  /** Its parameters, in order. */
  params: Array<EventParam>;
};

/** A parameter of an event. */
export type EventParam = {
  /** Its name. */
  name: string;
  /** Its type, as documents write it. */
  ty: string;
};

/** A number that a key is compared with. */
export type Threshold = {
  /** The position of the key in `keys`. */
  key: number;
  /** The number. */
  value: number;
};

/** What an agent runs, line by line. */
export type Behaviour = {
  /** Its name. */
  name: string;
  /** What it is: `tree`, `machine` or `decision tree`. */
  word: string;
  /** Its lines. */
  lines: Array<Line>;
  /** Its keys. */
  keys: Array<Key>;
  /** The events that its agents send and hear. */
  events: Array<DeclaredEvent>;
  /** The numbers that keys are compared with, each pair once. */
  thresholds: Array<Threshold>;
};

/** A document. */
export type Text = {
  /** The name of its file. */
  name: string;
  /** What it says. */
  text: string;
};

/** A problem of a document. */
export type Problem = {
  /** The name of the file. */
  file: string;
  /** Where: the first line (from 1) and column (from 0, in units of UTF-16), the last line, and the column behind the end. */
  at: [line: number, column: number, last: number, end: number];
  /** How severe it is: with an error, the document gives no behaviour. */
  severity: "error" | "warning";
  /** Its code, such as `T0104`. */
  code: string;
  /** What is wrong. */
  text: Said;
  /** What to do about it. */
  help: Said | null;
  /** In the sheet of a document that is edited: which node it is about, if there is one. */
  about?: About;
};

/** What a problem is about. */
export type About = {
  /** The innermost node in whose words it is. */
  id: number;
  /** The name of the property that it marks, or of which it marks a part; of a value, its number from 0. */
  entry?: string;
};

/** Documents that cannot be played. */
export type Draft = {
  /** The documents. */
  texts: Array<Text>;
  /** What is wrong with them. */
  problems: Array<Problem>;
};

/** What a file defines. */
export type Preview = {
  /** The name of the file. */
  file: string;
  /** What its agents run. Nothing is said of a recording. */
  behaviour: Behaviour | null;
  /** What is wrong with it. */
  wrong: Said | null;
};

/** A name that the texts define, with all places where it stands. */
export type Name = {
  /** What it names: `key`, `tree`, and so on. */
  kind: string;
  /** The name. */
  name: string;
  /** The places, each followed by `defined`, `written` or `used`. */
  at: [file: number, line: number, column: number, last: number, end: number, how: "defined" | "written" | "used"][];
};

/** What does not change as long as a file is open, as one agent sees it. */
export type Definition = {
  /** What the agent runs. */
  behaviour: Behaviour | null;
  /** The documents. */
  texts: Array<Text>;
  /** What is wrong with them. */
  problems: Array<Problem>;
  /** What the files of a watched document say now, if that cannot be played. The game continues with `texts`. */
  draft: Draft | null;
  /** Why nothing plays. */
  refusal: Said | null;
  /** The walls and named places of the world. */
  ground: Ground | null;
  /** For each line where its node is in the texts: the file (counted from 0), the first line (from 1) and column (from 0, in units of UTF-16), the last line, and the column behind the end. Empty for what is not written in KDL. */
  places: ([file: number, line: number, column: number, last: number, end: number] | null)[];
  /** The names that the texts define. */
  names: Array<Name>;
  /** Whether the file is in a folder of git, so that it can be compared with the last commit. */
  is_in_git: boolean;
};

/** A named place of a map. */
export type Spot = {
  /** Its name. */
  name: string;
  /** Its sign on the map. */
  sign: string;
  /** Its column. */
  x: number;
  /** Its row. */
  y: number;
};

/** What never changes of a world: its walls and named places. */
export type Ground = {
  /** The rows, with `#` for a wall. */
  rows: Array<string>;
  /** The named places. */
  spots: Array<Spot>;
};

/** Somebody in a world. */
export type Body = {
  /** The name. */
  name: string;
  /** The sign on the map. */
  sign: string;
  /** The distance from the left, in metres. */
  x: number;
  /** The distance from above, in metres. */
  y: number;
  /** The direction of the face. */
  face: [number, number];
  /** `up`, `out`, `tied`, `dead`, `outside` or `gone`. */
  state: string;
  /** Hit points, and how many there are at most. */
  health: number;
  /** The most hit points. */
  most: number;
  /** Whether it strikes. */
  strikes: boolean;
  /** Whether it was hurt a moment ago. */
  hurt: boolean;
  /** The number of its agent, if it has one. */
  mind: number | null;
  /** Whether it is an enemy of the agent that is shown. */
  enemy: boolean;
};

/** Something that lies or stands in a world. */
export type Thing = {
  /** What it is. */
  kind: string;
  /** Its name. */
  name: string;
  /** Its column. */
  x: number;
  /** Its row. */
  y: number;
  /** Whether a door is open. */
  open: boolean;
};

/** Very many people. */
export type People = {
  /** For each, the distance from the left and that from above, in `unit`s: two digits to the base 64 each, from `A` to `Z`, `a` to `z`, `0` to `9`, `-` and `_`. */
  points: string;
  /** How many metres a unit is. */
  unit: number;
  /** For each, its action as a position in `actions` from 1, or 0 for none. */
  does: Array<number>;
  /** The actions. */
  actions: Array<string>;
  /** One of so many is drawn; 1 draws everybody. */
  every: number;
  /** The one that is shown. */
  chosen: number | null;
  /** The numbers of those that are drawn, if that is not everybody. */
  persons: Array<number> | null;
  /** The time of day. */
  clock: string;
  /** How many messages were sent in this second. */
  messages: number;
};

/** Who and what is where. */
export type Scene = {
  /** Those that have a body. */
  bodies: Array<Body>;
  /** What lies and stands there. */
  things: Array<Thing>;
  /** The squares that the agent sees. */
  seen?: Array<[number, number]>;
  /** The squares of its path. */
  way?: Array<[number, number]>;
  /** Very many, as points. */
  crowd?: People;
};

/** A breakpoint. */
export type Breakpoint = {
  /** Its number. */
  id: number;
  /** The agent that was shown when it was set. */
  mind: number;
  /** The name of the definition that it is in. */
  of: string;
  /** The line that it is at. */
  line: string | null;
  /** The text of that line. */
  line_text: string | null;
  /** Or the key. */
  key: string | null;
  /** Or the event. */
  event: string | null;
  /** What has to happen at the line. */
  on: On;
  /** Only for this agent. */
  only: number | null;
  /** A condition over the keys; empty for none. */
  if: string;
  /** It stops at this occurrence, counted from 1, and at every later one. */
  from: number;
  /** How often it has happened. */
  count: number;
  /** Whether it stops. */
  is_on: boolean;
  /** What happens is only listed, and the game does not stop. */
  only_lists: boolean;
  /** Why it cannot stop. */
  wrong: Said | null;
  /** What it waits for, in words. */
  text: string;
};

/** Where a breakpoint has stopped the game. */
export type Stopped = {
  /** The breakpoint. */
  breakpoint: number;
  /** The tick. */
  tick: number;
  /** The first agent to which it happened. */
  mind: number;
  /** How many there were. */
  agents: number;
  /** What happened, in words. */
  text: string;
  /** The line that it is at. */
  line: string | null;
};

/** Something that happened at a breakpoint. */
export type Hit = {
  /** Its number, from 1. */
  nth: number;
  /** What the key held then, or the first keys. */
  values: Array<[string, string]>;
  /** The breakpoint. */
  breakpoint: number;
  /** The tick. */
  tick: number;
  /** The first agent to which it happened. */
  mind: number;
  /** How many there were. */
  agents: number;
  /** What happened, in words. */
  text: string;
  /** The line that it is at. */
  line: string | null;
};

/** The hits that are new to a page. */
export type Hits = {
  /** The number of the last one; the next question repeats it. */
  last: number;
  /** Whether the page forgets those that it has. */
  is_all: boolean;
  /** Those with a number beyond that of the question. */
  fresh: Array<Hit>;
};

/** Who shares a key of a blackboard. */
export type KeyScope = "agent" | "group" | "world";

/** A key or a parameter that is to be added. */
export type SaidKey = {
  /** Its name. */
  name: string;
  /** Its type, as documents write it. */
  ty: string;
  /** What it holds at first, as one types it; empty for the usual value of the type. */
  default: string;
  /** What it is for; empty for nothing. */
  doc: string;
  /** The values of an enumeration, separated by blanks. */
  values: string;
};

/** A node that uses a key or a leaf. */
export type SheetUse = {
  /** The node. */
  id: number;
  /** Whether it reads the key; also if it runs the leaf. */
  is_read: boolean;
  /** Whether it writes the key. */
  is_written: boolean;
};

/** A key, a port, or a parameter of a leaf. */
export type SheetKey = {
  /** Its node; 0 if nothing declares it. */
  id: number;
  /** Its first word: `key`, `in`, `out`, `inout`, `param`; empty if nothing declares it. */
  word: string;
  /** Its name. */
  name: string;
  /** Its type, as it is written; if nothing declares it, the one that fits its uses. */
  ty: string;
  /** What it holds at first. */
  default: string | null;
  /** What it is for. */
  doc: string | null;
  /** Who shares it: `agent`, `group` or `world`; for a key of a tree, `in` and the name of the tree. */
  scope: string;
  /** The values of an enumeration. */
  values: Array<string>;
  /** For a list: for how many items it has room. */
  list: string | null;
  /** The sensor that computes it. */
  sensor: string | null;
  /** The nodes that read or write it, in the order of the text. */
  uses: Array<SheetUse>;
};

/** A leaf of the manifest, or one that is used and that no manifest has. */
export type SheetLeaf = {
  /** Its node in the manifest; 0 if nothing declares it. */
  id: number;
  /** Its kind: `condition`, `action` and so on. */
  kind: string;
  /** Its name. */
  name: string;
  /** For candidates: the type of what is listed. */
  ty: string | null;
  /** What it is for. */
  doc: string | null;
  /** Its parameters. */
  params: Array<SheetKey>;
  /** The nodes that use it, in the order of the text. */
  uses: Array<SheetUse>;
};

/** Where a node goes: beside another one, or into it. */
export type Where = "before" | "after" | "into" | "around";

/** A place in a document. */
export type Beside = {
  /** The node that it is at; 0 with `into` for the first node of an empty document. */
  id: number;
  /** On which side. */
  side: Where;
};

/** A property that is written or removed. */
export type NewEntry = {
  /** Its name. */
  name: string;
  /** What is written, as one types it; it is removed without one. */
  value: string | null;
};

/** What a page wants to change. Nodes are named by the ids of the last sheet. */
export type Edit = {
  "do": "undo" } | { "do": "redo" } | { "do": "save";
  /** The text that counts; without it, what clashes is not written. */
  whose?: Whose;
} | { "do": "save-at-once";

/** At once. */
is_on: boolean;
} | { "do": "settle";

/** The file, by its position in the sheet. */
file: number;

/** The number of the conflict. */
key: number;

/** What counts. */
whose: Whose;
} | { "do": "add";

/** The nodes. */
text: string;

/** Where they go. */
spot: Beside;

/** With `around`: other nodes that go into the first one, too, behind the one that it is put around. */
others?: Array<number>;
} | { "do": "remove";

/** The nodes. */
ids: Array<number>;
} | { "do": "move";

/** The nodes. */
ids: Array<number>;

/** Where they go. */
spot: Beside;
} | { "do": "unwrap";

/** The node. */
id: number;
} | { "do": "change-kind";

/** The node. */
id: number;

/** The kind. */
word: string;
} | { "do": "duplicate";

/** The nodes. */
ids: Array<number>;
} | { "do": "disable";

/** The nodes. */
ids: Array<number>;

/** Whether they are to be disabled. */
is_on: boolean;
} | { "do": "inline";

/** The node. */
id: number;
} | { "do": "reorder";

/** The node. */
id: number;

/** By so many places down; up if it is negative. */
by: number;
} | { "do": "comment";

/** The node. */
id: number;

/** Its lines; empty removes it. */
text: string;
} | { "do": "set-curve";

/** The `consider`. */
id: number;

/** The name of the curve. */
curve: string;
} | { "do": "make-parallel";

/** The state. */
id: number;
} | { "do": "make-sequential";

/** The `parallel`. */
id: number;
} | { "do": "add-state";

/** The machine or the state. */
id: number;

/** The name of the new state. */
name: string;
} | { "do": "set-initial";

/** The state. */
id: number;
} | { "do": "add-transition";

/** The state that it leads out of. */
from: number;

/** The state that it leads to. */
to: number;

/** What it waits for, as in a document: `after=2`, `on=bell`. */
trigger: string;
} | { "do": "retarget";

/** The transition. */
id: number;

/** The state. */
to: number;
} | { "do": "set-history";

/** The transition or the state. */
id: number;

/** `shallow` or `deep`; not at all without it. */
depth: string | null;
} | { "do": "lead";

/** The answer; with `side`, its question. */
id: number;

/** `yes` or `no`, if that answer may not be written yet. */
side: string | null;

/** The question. */
to: number;

/** The name of the branch that it becomes. */
name: string | null;
} | { "do": "share";

/** The question or task. */
id: number;

/** The name of the branch. */
name: string;
} | { "do": "accept";

/** The number of that advice. */
nth: number;
} | { "do": "set-all";

/** The node. */
id: number;

/** The properties. */
entries: Array<NewEntry>;
} | { "do": "set";

/** The node. */
id: number;

/** The property; for a value without a name, its number from 0. */
name: string;

/** What is written, as one types it: `2.5`, `true`, `health < 20`. */
value: string;
} | { "do": "unset";

/** The node. */
id: number;

/** The property. */
name: string;
} | { "do": "rename";

/** The node. */
id: number;

/** The new name. */
name: string;
} | { "do": "extract";

/** The node. */
id: number;

/** The name of the tree. */
name: string;
} | { "do": "add-key";

/** The key. */
key: SaidKey;

/** Who shares it. */
scope: KeyScope;
} | { "do": "set-type";

/** Its node. */
id: number;

/** The type. */
ty: string;

/** The values of an enumeration, separated by blanks; empty for those that it has. */
values: string;
} | { "do": "set-default";

/** Its node. */
id: number;

/** The value, as one types it. */
value: string;
} | { "do": "set-scope";

/** Its node. */
id: number;

/** Who shares it. */
scope: KeyScope;
} | { "do": "add-leaf";

/** Its kind: `condition`, `action` and so on. */
kind: string;

/** Its name. */
name: string;

/** What it is for; empty for nothing. */
doc: string;
} | { "do": "add-param";

/** The leaf. */
id: number;

/** The parameter. */
param: SaidKey;
} | { "do": "fix";

/** The file, by its position in the sheet. */
file: number;

/** The line, from 1. */
line: number;

/** The column in it, from 0, in units of UTF-16. */
column: number;

/** Which of them. */
label: string;
} | { "do": "rename-at";

/** The file, by its position in the sheet. */
file: number;

/** The line, from 1. */
line: number;

/** The column in it, from 0, in units of UTF-16. */
column: number;

/** The new name. */
name: string;
} | { "do": "format";

/** The file, by its position in the sheet. */
file: number;
} | { "do": "put-in";

/** The file, by its position in the sheet. */
file: number;

/** The text from which both come. */
base: string;

/** What the page has made of it. */
text: string;
} | { "do": "type";

/** The file, by its position in the sheet. */
file: number;

/** Where it begins, in units of UTF-16. */
from: number;

/** Where it ends. */
to: number;

/** What takes its place. */
text: string;

/** The revision of the sheet into whose text it was typed: what has changed since moves it. Without one, the text is taken to be as it is. */
since?: number;
};

/** A property of a node. */
export type SheetEntry = {
  /** Its name. */
  name: string;
  /** The value, without quotes. */
  value: string;
};

/** What a node is. */
export type Role = "definition" | "task" | "state" | "transition" | "state-part" | "question" | "answer" | "branch" | "plan" | "other" | "unknown";

/** A node as it is written. */
export type SheetNode = {
  /** A number that it keeps, whatever is done to it. */
  id: number;
  /** How many nodes are around it. */
  depth: number;
  /** Its file, by its position. */
  file: number;
  /** What it is. */
  role: Role;
  /** Its first word. */
  word: string;
  /** Its values, without quotes. */
  values: Array<string>;
  /** Its properties. */
  properties: Array<SheetEntry>;
  /** The lines of the comment above it. */
  comment?: string;
  /** Whether it is switched off. */
  is_disabled: boolean;
  /** Where it is: its first line (from 1) and column (from 0, in units of UTF-16), its last line, and the column behind its end. */
  at: [line: number, column: number, last: number, end: number];
};

/** A file of a document that is edited. */
export type SheetFile = {
  /** Its name. */
  name: string;
  /** Its text. */
  text: string;
  /** Whether all its blocks are closed; only then its nodes can be changed, and otherwise its text. */
  is_whole: boolean;
  /** Whether what is on disk is the same. */
  is_saved: boolean;
  /** Its text as it was last read from disk or written there, if that differs. Changes to a sheet leave it out, because pages know it by then. */
  saved?: string;
};

/** Something that was done. */
export type Done = {
  /** What. */
  label: Said;
  /** The number of the page that did it; empty for another program. */
  by: string;
};

/** What another page has chosen. */
export type Other = {
  /** The number of that page. */
  who: string;
  /** The ids of the nodes. */
  ids: Array<number>;
};

/** A property that a word may have. */
export type WordProperty = {
  /** Its name. */
  name: string;
  /** What it is for. */
  purpose: string;
  /** Its default, if it has one. */
  default: string | null;
  /** Whether it may be an expression. */
  is_computed: boolean;
  /** The words below which alone it means something; none if it does everywhere. */
  below: Array<string>;
};

/** What the value of a word is. */
export type WordValue = "name" | "key" | "condition" | "value";

/** A word of the language in one of the places where it is allowed, the ones that are learnt first at the beginning. */
export type Word = {
  /** The word. */
  name: string;
  /** What it is for. */
  purpose: string;
  /** Where it is allowed: `in a tree`. */
  place: string;
  /** Whether it is a node of a tree. */
  is_node: boolean;
  /** What its value is. */
  value: WordValue;
  /** What it is for, and in what unit, if it has a value. */
  of_value: string | null;
  /** Whether its value may be an expression. */
  is_computed: boolean;
  /** Its own properties. */
  properties: Array<WordProperty>;
};

/** The words of the language. */
export type Words = {
  /** The words. */
  words: Array<Word>;
  /** The properties that every node of a tree may have. */
  of_nodes: Array<WordProperty>;
  /** The curves of a `consider`; the first is that of one without `curve=`. */
  curves: Array<WordCurve>;
};

/** A curve of a `consider`. */
export type WordCurve = {
  /** What `curve=` says. */
  name: string;
  /** Its parameters, and what each is where it is not written. */
  parameters: Array<[string, number]>;
};

/** Something that may stand at a place. */
export type Fit = {
  /** A line of a document to begin with: `action go`. */
  text: string;
  /** Its word. */
  word: string;
  /** What it is for. */
  doc: string;
};

/** What may stand at a place, the likely ones first. */
export type Fits = {
  /** The place. */
  spot: Beside;
  /** What may stand there. */
  fits: Array<Fit>;
  /** Why nothing may, if the place takes nothing. */
  why: Said | null;
};

/** Something that can be worked out for decision trees. */
export type Wanted = {
  "wanted": "balance";
  /** The decision tree. */
  id: number;
} | { "wanted": "learn";

/** The table: values separated by commas, with the names of the columns in the first line. */
table: string;

/** The column that says what to do. */
target: string;

/** The name of the decision tree. */
name: string;
};

/** What was worked out, to be compared with what there is before it is accepted. */
export type Advice = {
  /** By which it is accepted. */
  nth: number;
  /** What it is: `balance watchman`. */
  label: Said;
  /** What it is good for, in sentences. */
  told: Array<Said>;
  /** The lines that change, as they are. */
  before: string;
  /** The same lines as they would be; equal if there is nothing better. */
  after: string;
  /** All nodes of both, for a drawing, as when versions are compared. */
  nodes: Array<Compared>;
};

/** Whether something could be done. */
export type Tried = {
  /** The number that the page gave it. */
  nth: number;
  /** Why it cannot be done, if it cannot. */
  why: Said | null;
};

/** The nodes that a page is to choose. */
export type Selection = {
  /** What the page is called. */
  by: string;
  /** Their ids, the one that was chosen last at the end. */
  ids: Array<number>;
};

/** A document as it is edited. */
export type Sheet = {
  /** Grows with every change. */
  revision: number;
  /** Its files. */
  files: Array<SheetFile>;
  /** Its nodes, in the order of the text, each behind the one that it is in. */
  nodes: Array<SheetNode>;
  /** Its keys and ports, in the order of the text; behind them the keys that expressions name and nothing declares. */
  keys: Array<SheetKey>;
  /** The leaves of its manifests, in the order of the text; behind them those that are used and that none has. */
  leaves: Array<SheetLeaf>;
  /** What `undo` takes back. */
  undo: Done | null;
  /** What `redo` does again. */
  redo: Done | null;
  /** After an undo or a redo, the nodes that were chosen there. */
  selection: Selection | null;
  /** What is wrong with it. */
  problems: Array<Problem>;
  /** What the last edit has left behind or dropped, in sentences. */
  told: Array<Said>;
  /** What keeps it from being saved. */
  unsaved: Unsaved | null;
  /** Whether every edit is saved at once. */
  saves_at_once: boolean;
  /** What was changed here and on disk, and has to be settled. */
  conflicts: Array<Conflict>;
  /** What was done last, the latest at the end, at most 100. */
  done: Array<Done>;
};

/** Which of two texts counts. */
export type Whose = "mine" | "theirs";

/** What is to be done where something is not saved. */
export type Remedy = "choose" | "write-again" | "retry";

/** What keeps a document from being saved. */
export type Unsaved = {
  /** Why. */
  why: Said;
  /** What is to be done. */
  remedy: Remedy;
};

/** The documents of which something is not on disk. */
export type UnwrittenList = {
  /** Another number whenever something else is not on disk; 0 if everything is. */
  revision: number;
  /** All of them, whatever is shown. */
  documents: Array<Unwritten>;
};

/** A document of which something is not on disk: it is lost if the program ends before it is written. */
export type Unwritten = {
  /** The document, as `files` has it. */
  file: string;
  /** What is not on disk, of the document, of what it imports, and of its map. Of a document that the page edits, not what the sheet has. */
  texts: Array<UnwrittenText>;
};

/** A file as it is here and not on disk. */
export type UnwrittenText = {
  /** Its name. */
  name: string;
  /** Its text here. */
  text: string;
  /** Its text as it was read or written last. */
  saved: string;
};

/** What two texts have done to the same node. */
export type Clash = "changed" | "moved" | "removed" | "whole";

/** A node of which the pages and another program have made something different. */
export type Conflict = {
  /** The file, by its position. */
  file: number;
  /** Its number, with which it is settled. */
  key: number;
  /** What both have done. */
  how: Clash;
  /** The nodes around it, from the top. */
  path: Array<string>;
  /** What it was. */
  base: string;
  /** What it is in the pages; empty if they have removed it. */
  mine: string;
  /** What it is on disk; empty if it was removed there. */
  theirs: string;
};

/** What has changed in a file of the sheet. */
export type FileChange = {
  /** Which file. */
  file: number;
  /** Whether all of its blocks are closed. */
  is_whole: boolean;
  /** Whether it is saved. */
  is_saved: boolean;
  /** Where its text has changed, in order: a place in the text before, how much is gone there, both in UTF-16, and what is there instead. */
  parts: Array<[number, number, string]>;
};

/** What has changed in the sheet since a revision that the page has. A list that is left out is as it was; of the others, some items give way to others: the place of the first one, how many give way, and what is there instead. */
export type SheetChange = {
  /** The revision that the page has. */
  since: number;
  /** The revision that it has then. */
  revision: number;
  /** The files that have changed. */
  files: Array<FileChange>;
  /** Nodes that give way to others, in order, with their places before. */
  nodes?: Array<[number, number, Array<SheetNode>]>;
  /** From which node on, as they are now, those of a file that have stayed are so many lines further down than before, up to the next such node. */
  shifts?: Array<[number, number, number]>;
  /** Which nodes that have stayed, as they are now, are elsewhere even so, such as those around a change: where they are. */
  places?: Array<[number, [number, number, number, number]]>;
  /** Keys. */
  keys?: [number, number, Array<SheetKey>];
  /** Leaves. */
  leaves?: [number, number, Array<SheetLeaf>];
  /** Problems. */
  problems?: [number, number, Array<Problem>];
  /** Conflicts. */
  conflicts?: [number, number, Array<Conflict>];
  /** What was done last. */
  done?: [number, number, Array<Done>];
  /** As in the sheet, and all that follows. */
  undo: Done | null;
  /** What `redo` does again. */
  redo: Done | null;
  /** After an undo or a redo, the nodes that were chosen there. */
  selection: Selection | null;
  /** What the last edit has left behind or dropped. */
  told: Array<Said>;
  /** What keeps it from being saved. */
  unsaved: Unsaved | null;
  /** Whether every edit is saved at once. */
  saves_at_once: boolean;
};

/** How it is with a goal. */
export type GoalIs = "pursued" | "fruitless" | "holds" | "open" | "closed";

/** A goal of a planner. */
export type GoalState = {
  /** Its name. */
  name: string;
  /** The expression that is to hold, or the name of the task that is to be done. */
  aim: string;
  /** Whether that is a task. */
  is_task: boolean;
  /** How it is with it. */
  is: GoalIs;
  /** Its score, when the planner looked last; `null` if its `when` did not hold. */
  score: number | null;
  /** Why there is no plan for it, in sentences: only of the planner that the page asks about. */
  why: Array<string>;
};

/** A step of a plan. */
export type StepState = {
  /** The number of its node. */
  node: number;
  /** Its name. */
  name: string;
  /** What it costs; `null` if it is done, or cannot be done as things are. */
  cost: number | null;
  /** What it is for, in a sentence: only of the planner that the page asks about. */
  why: string | null;
};

/** A plan. */
export type PlanShown = {
  /** The position of the goal. */
  goal: number;
  /** The steps, from the first one on. */
  steps: Array<StepState>;
  /** The position of the step that is next or in progress. */
  cursor: number;
  /** What the steps from there on cost; `null` if one of them cannot be done as things are. */
  cost: number | null;
};

/** A planner of the agent that is shown. */
export type PlannerState = {
  /** The number of its node. */
  node: number;
  /** What it is called. */
  name: string;
  /** Whether it runs. */
  is_running: boolean;
  /** Its goals, in the order of the document. */
  goals: Array<GoalState>;
  /** Its plan, if it has one. */
  plan: PlanShown | null;
  /** The position of the goal for which it looks for a plan, in several turns. */
  searches: number | null;
  /** The steps that it leaves out, because they failed or changed nothing. */
  left_out: Array<string>;
  /** The positions of the keys that its plans depend on: what its searches look at, and what the scores of its goals read. */
  keys: Array<number>;
};

/** What a page asks of a planner: what would it do with other facts? */
export type WhatIf = {
  /** The number of its node. */
  node: number;
  /** Keys with other values, as documents write them; an empty text means that the key is unset. All other keys hold what they hold for the agent. */
  given: Array<[string, string]>;
  /** The position of the goal that is looked at, whatever its score; `null` for the one that the planner would choose. */
  goal: number | null;
  /** Whether the page wants to see what the search has reached. */
  search: boolean;
};

/** A situation that a search for a plan has reached. */
export type SituationState = {
  /** Its predecessor, by its position in the list, and the name of the step that leads from there; `null` of the first one. */
  from: [number, string] | null;
  /** How many steps lead to it. */
  steps: number;
  /** What they cost. */
  cost: number;
  /** What is still to be paid at least. */
  estimate: number;
  /** Whether the search has looked at it; otherwise it has only been reached. */
  is_looked_at: boolean;
  /** Whether the plan leads through it. */
  is_on_plan: boolean;
  /** What is otherwise than in its predecessor: a key, and its value as documents write it, or an empty text if it is unset. */
  changes: Array<[string, string]>;
};

/** What a search for a plan has reached. */
export type SearchState = {
  /** The position of the goal. */
  goal: number;
  /** The situations, in the order in which they were reached; the first ones of many. */
  situations: Array<SituationState>;
  /** How many there were. */
  of: number;
  /** How many of them the search looked at. */
  expansions: number;
};

/** What a planner would do with other facts, if an agent began there. */
export type Foreseen = {
  /** The goals that were looked at. */
  goals: Array<GoalState>;
  /** The plan that was found. */
  plan: PlanShown | null;
  /** What the search for it has reached, if the page wants to see it: of the goal with the plan, or else of the first one without. */
  search?: SearchState;
  /** Why nothing can be said. */
  wrong: Said | null;
};

/** A candidate of a `find`. */
export type CandidateState = {
  /** The candidate, as people write it: `(3, 4)`. */
  value: string;
  /** Where it is, in metres from the left and from above, if it is a place. */
  at: [number, number] | null;
  /** Its score; `null` if it is out. */
  score: number | null;
  /** Why it is out: the expression that did not hold, or an empty text if its score is not above 0. */
  out: string | null;
  /** Whether it was chosen. */
  chosen: boolean;
  /** What it was measured at, each with the name of the measure. */
  measured: Array<[string, number]>;
};

/** What a `find` of the agent that is shown looked at last. */
export type FindState = {
  /** The number of its node. */
  node: number;
  /** What it is called. */
  name: string;
  /** The tick in which it looked at candidates last. */
  tick: number;
  /** Whether it has looked at all of them. */
  is_over: boolean;
  /** The candidates that it has looked at, in order. */
  candidates: Array<CandidateState>;
};

/** An input of a network. */
export type InputState = {
  /** Its expression, as documents write it. */
  text: string;
  /** What it came to. */
  value: number;
};

/** A layer of a network. */
export type LayerState = {
  /** What it makes of its sums: `identity`, `relu`, `tanh`, `sigmoid` or `softmax`. */
  function: string;
  /** What each of its units gave. Those of the last layer are the outputs. */
  units: Array<number>;
  /** For each unit its bias, then a weight for each unit before it. Nothing if the network is too large to be drawn. */
  weights: Array<number>;
};

/** An output of a network. */
export type OutputState = {
  /** Its name. */
  name: string;
  /** The position of the key that it is written to, if it is written. */
  key: number | null;
};

/** What a `policy` of the agent that is shown computed last. */
export type NetworkState = {
  /** The number of its node. */
  node: number;
  /** What the node is called. */
  name: string;
  /** The name of the network. */
  network: string;
  /** The tick in which it ran last. */
  tick: number;
  /** Its inputs, in order. */
  inputs: Array<InputState>;
  /** Its layers, in order. */
  layers: Array<LayerState>;
  /** Its outputs, in order. */
  outputs: Array<OutputState>;
};

/** What became of a rule. */
export type RuleIs = "fired" | "unmet" | "held" | "cools" | "skipped" | "idle";

/** A rule of a `rules`. */
export type RuleState = {
  /** Its name. */
  name: string;
  /** The expression that it waits for. */
  when: string;
  /** What became of it in the tick that is shown. */
  is: RuleIs;
  /** Why. */
  why: Reason | null;
  /** The tick in which it fired last, if that is known. */
  fired: number | null;
};

/** A `rules` of the agent that is shown. */
export type RulesState = {
  /** The number of its node. */
  node: number;
  /** What it is called. */
  name: string;
  /** The tick in which it was reached last. */
  tick: number;
  /** Its rules, in the order in which they are looked at. */
  rules: Array<RuleState>;
};

/** A side of the map. */
export type Edge = "north" | "east" | "south" | "west";

/** What is to be done to the map. Squares are columns from the left and rows from the top, from 0. */
export type MapEdit = {
  "do": "undo" } | { "do": "redo" } | { "do": "begin" } | { "do": "paint";
  /** The squares, at most 65536. */
  cells: Array<[number, number]>;
  /** The character. */
  sign: string;
} | { "do": "move";

/** The square. */
from: [number, number];

/** The free one. */
to: [number, number];
} | { "do": "put";

/** The square. */
cell: [number, number];

/** What, as the legend says it: `actor guard mind=main`, `spot hut`, `coin`. */
words: string;
} | { "do": "set";

/** The character. */
sign: string;

/** The property. */
name: string;

/** Its value, empty for a property without one; without this, the property is removed. */
value: string | null;
} | { "do": "rename";

/** Its character. */
sign: string;

/** The name. */
name: string;
} | { "do": "remove";

/** The character. */
sign: string;
} | { "do": "grow";

/** Where. */
edge: Edge;
} | { "do": "text";

/** The text. */
text: string;

/** The revision from which it was written. If the text is another one now, nothing is done. */
base: number;
} | { "do": "save" } | { "do": "settle";

/** The text that counts. */
whose: Whose;
};

/** A line of the legend. */
export type MapSign = {
  /** The first character that it is about. */
  sign: string;
  /** The last one; the same unless it is about several. */
  last: string;
  /** `actor`, `spot`, or what kind of thing it is. */
  word: string;
  /** Its name; empty for none. */
  name: string;
  /** The properties with their values; empty values for those without one. */
  properties: Array<[string, string]>;
};

/** What is wrong with the map. */
export type MapProblem = {
  /** The line, from 1, if it is about one. */
  line: number | null;
  /** A sentence. */
  text: Said;
};

/** The map as it is edited. */
export type MapSheet = {
  /** Grows with every change. */
  revision: number;
  /** The file; empty if the document plays in the yard of the program. */
  file: string;
  /** Why it cannot be edited. */
  refusal: Said | null;
  /** The text. */
  text: string;
  /** The rows of the ground; none while they are not clear. */
  rows: Array<string>;
  /** The legend. */
  legend: Array<MapSign>;
  /** What is wrong with it. The game goes on with the last good map. */
  problem: MapProblem | null;
  /** What `undo` takes back. */
  undo: Done | null;
  /** What `redo` does again. */
  redo: Done | null;
  /** What keeps it from being saved. */
  unsaved: Unsaved | null;
  /** What another program has written into the file in the meantime. */
  theirs: string | null;
  /** What can be the mind of an actor, as the legend says it. */
  minds: Array<string>;
  /** The kinds of things. */
  things: Array<string>;
  /** The properties that an actor may have, each with an example of its value. */
  properties: Array<[string, string]>;
};

/** The files that can be opened. */
export type FileList = {
  /** Their names. */
  files: Array<string>;
};

/** A folder that can be opened, or all that are allowed. */
export type Folder = {
  /** Its name; empty for all that are allowed. */
  folder: string;
  /** The folder around it; empty for all that are allowed, and not there if it is these. */
  up: string | null;
  /** The names of the folders in it. */
  folders: Array<string>;
  /** The names of the documents and recordings in it. */
  documents: Array<string>;
  /** Whether it was opened by this: new documents of the page go there. */
  is_opened: boolean;
  /** All files that can be opened now. */
  files: Array<string>;
};

/** Which tests run by themselves when the document is changed. */
export type RunsBy = "hand" | "touched" | "all";

/** A leaf without code: it answers as a page says. */
export type Stub = {
  /** Its name. */
  leaf: string;
  /** Its kind: `condition`, `action` and so on. */
  kind: string;
  /** Its answers, one per call, of which the last one repeats: `S F R K`, as in scripts. Without any, a condition does not hold, an action runs, and an instant one succeeds. */
  answers: string;
  /** Each call draws one of the answers instead. */
  is_random: boolean;
};

/** Something that happens in a test, as a line of its script. */
export type Fact = {
  /** Before which tick of the game. */
  tick: number;
  /** The line: `given health=10`, `leaf see-enemy answers="F"`, `send bell`. */
  line: string;
};

/** Of which stretch of the timeline to make a test. */
export type Stretch = {
  /** The agent. */
  mind: number;
  /** The first tick. */
  from: number;
  /** The last tick. */
  to: number;
  /** The name of the test; empty for one that says what happens. */
  name: string;
  /** What is never to run: some of what was proposed. */
  never: Array<string>;
  /** What is to happen beside what happened. */
  facts: Array<Fact>;
};

/** What a page wants of the tests. */
export type TestAsk = {
  "do": "run";
  /** Their ids; all without any. */
  ids: Array<string>;
} | { "do": "stop" } | { "do": "by";

/** Which. */
which: RunsBy;
} | { "do": "open";

/** Its id. */
id: string;
} | { "do": "try";

/** Of which. */
of: Stretch;
} | { "do": "draft";

/** Of what. */
of: Stretch;
} | { "do": "add" } | { "do": "forget" };

/** Whether a test can be made of a stretch. */
export type Makeable = {
  /** The agent. */
  mind: number;
  /** The first tick. */
  from: number;
  /** The last tick. */
  to: number;
  /** Why not, if it cannot be made. */
  why: Said | null;
};

/** How a test went. */
export type TestState = "stale" | "waiting" | "passed" | "failed";

/** Why a test failed. */
export type TestFailure = {
  /** The line of the document that was not met, from 1. */
  line: number;
  /** Its text. */
  text: string;
  /** What was expected. */
  expected: Said;
  /** What happened instead. */
  got: Said;
  /** The tick after which it was found. */
  tick: number;
  /** For tries at random: the number of the first one that failed. */
  attempt: number | null;
  /** For tries at random: a test without chance that fails in the same way. */
  fixed: string | null;
};

/** A test, or one case of its table. */
export type Test = {
  /** By which it stays known when the document is changed. */
  id: string;
  /** Its name. */
  name: string;
  /** The file that contains it. */
  file: string;
  /** Its line there, from 1. */
  line: number;
  /** Whether the game behaves at random in it. */
  is_random: boolean;
  /** How it went. */
  state: TestState;
  /** How long it took, in milliseconds. */
  millis: number;
  /** Why it failed. */
  failure: TestFailure | null;
};

/** What tests reached of a definition. */
export type CoveredLines = {
  /** The name of the definition. */
  name: string;
  /** For each of its lines how much of it was reached, and how much there is to reach: 0 and 0, 0 and 1, 1 and 2. */
  lines: Array<[number, number]>;
};

/** What the tests reached that passed or failed since they were touched last. */
export type Covered = {
  /** How many nodes, ways and transitions were reached. */
  reached: number;
  /** How many there are. */
  total: number;
  /** By definition. */
  definitions: Array<CoveredLines>;
};

/** A test that is played as a recording. */
export type OpenedTest = {
  /** The id of the test. */
  id: string;
  /** What the recording is called: a file to look at. */
  file: string;
  /** The tick to look at: the one after which it failed, or the last one. */
  tick: number;
  /** Grows with every test that is opened. */
  nth: number;
};

/** A test that was made of what happened, as it would be added to the document. */
export type TestDraft = {
  /** Of what it was made. */
  of: Stretch;
  /** The text that is added. */
  text: string;
  /** Actions that never ran in the stretch: what may be said to be never the case. */
  proposed: Array<string>;
  /** Why the test would fail. */
  wrong: Said | null;
  /** Why it cannot be added. */
  refusal: Said | null;
  /** How often a test was made. */
  nth: number;
};

/** The tests of a document. */
export type Tests = {
  /** Grows with every change. */
  revision: number;
  /** Which run by themselves. */
  by: RunsBy;
  /** Whether some are running. */
  is_running: boolean;
  /** The tests, in the order of the document. */
  tests: Array<Test>;
  /** What they reached. */
  covered: Covered | null;
  /** Why they cannot be run. */
  wrong: Said | null;
  /** The test that was opened last. */
  opened: OpenedTest | null;
  /** A test that was made of what happened. */
  draft: TestDraft | null;
};

/** Something that differs between two runs. */
export type Differs = "does" | "states" | { "key": string };

/** Where two runs of an agent begin to differ in something. */
export type Difference = {
  /** The first tick. */
  tick: number;
  /** In what. */
  what: Differs;
  /** What it was in the earlier run. */
  was: string;
  /** What it is now. */
  now: string;
};

/** The run that was played before it was played again from an earlier tick. */
export type EarlierRun = {
  /** Grows with every run that is played again. */
  nth: number;
  /** The tick from which it was played again. */
  from: number;
  /** The last tick of the earlier run. */
  to: number;
  /** The last tick up to which both were compared. */
  compared: number;
  /** The names of the keys of `lanes`. */
  keys: Array<string>;
  /** What the agent did then. It is left out if the page has it. */
  lanes: Lanes | null;
  /** In what they differ, first difference first. */
  differences: Array<Difference>;
};

/** What has been typed and is not part of the document yet. */
export type Typed = {
  /** Where it begins in the text as the server has it, in units of UTF-16. */
  from: number;
  /** Where what it replaces ends. */
  to: number;
  /** What takes its place. */
  text: string;
};

/** Where somebody is writing. */
export type Caret = {
  "in": "text";
  /** The file, by its position in the sheet. */
  file: number;
  /** The line, from 1. */
  line: number;
  /** The column in it, from 0, in units of UTF-16. */
  column: number;
  /** What has been typed since the last edit. */
  typed: Typed | null;
} | { "in": "field";

/** The node. */
id: number;

/** The property; for a value without a name, its number from 0. */
name: string;

/** What the field says, as `set` takes it. */
value: string;

/** The place in it, in units of UTF-16. */
at: number;
};

/** Something that could be written. */
export type Completion = {
  /** What a list shows. */
  label: string;
  /** What it stands for: `word`, `property`, `choice`, `key`, `leaf`, `event`, `field`, `definition`, `name`, `enum-value`, `function`, `file` or `code`. */
  kind: string;
  /** What is written. */
  insert: string;
  /** The same with stops for the cursor, as in the language server protocol, if it has some. */
  snippet: string | null;
  /** In a few words: a type, a default. */
  detail: string;
  /** What it is for. */
  doc: string;
};

/** What could be written at a place, the likely things first. */
export type Completions = {
  /** The number of the question. */
  nth: number;
  /** What the chosen one replaces: line (from 1) and column, and where it ends. In a field, the line is 1. */
  replaces: [line: number, column: number, last: number, end: number];
  /** What could be written. */
  items: Array<Completion>;
};

/** What there is to know of the thing at a place. */
export type Hover = {
  /** The number of the question. */
  nth: number;
  /** Where it is: line (from 1) and column, and where it ends. */
  at: [line: number, column: number, last: number, end: number];
  /** What it is, as code; empty if nothing is known. */
  title: string;
  /** Sentences about it, a line each. */
  text: Array<Said>;
  /** What solves the problems at the place; `fix` does one of them. */
  fixes: Array<Said>;
};

/** What a new document begins with. */
export type Origin = {
  "of": "tree" } | { "of": "machine" } | { "of": "decision" } | { "of": "copy";
  /** The file. */
  file: string;
} | { "of": "import";

/** What the file is called there: its ending says the format. */
from: string;

/** What is in it. */
text: string;
};

/** A document that was made. */
export type Made = {
  /** Its name. */
  file: string;
  /** All files that can be opened now. */
  files: Array<string>;
  /** What the new format cannot hold, in sentences. */
  lost: Array<Said>;
};

/** The page of a word of the language. */
export type WordPage = {
  /** The word. */
  word: string;
  /** The place at which it stands; empty if that was not asked. */
  place: string;
  /** The page, in Markdown; empty if there is none. */
  text: string;
};

/** With what the document is compared. */
export type Versus = {
  "with": "file";
  /** Its name. */
  file: string;
} | { "with": "step";

/** How many, from 1. */
back: number;
} | { "with": "commit" };

/** How a node differs. */
export type How = "same" | "added" | "removed" | "moved" | "changed" | "moved-and-changed";

/** A node of both versions. */
export type Compared = {
  /** How many nodes are around it. */
  depth: number;
  /** How it differs. */
  how: How;
  /** Whether it is one of the differences: what is in a node that was added or removed is none. */
  is_told: boolean;
  /** Its word. */
  word: string;
  /** What it says: its word, values and properties. */
  text: string;
  /** Of a node that has changed, what it is called, as far as it still is; otherwise empty. */
  called: string;
  /** What differs in a node that has changed; the values and properties of any other node. */
  says: Said;
  /** For a node that differs: the words and names of the nodes around it, from the top. */
  path?: Array<string>;
  /** At the top: the file in which it is, if the document imports that. */
  file?: string;
};

/** Two versions as one tree. */
export type Comparison = {
  /** The document. */
  file: string;
  /** The nodes, each behind the one that it is in. */
  nodes: Array<Compared>;
  /** Imported files that one of the versions could not read, which are left out of both. */
  missing?: Array<string>;
};

/** The mark of a line. With `was-` in front, it is an answer of an earlier tick. A tick has the same marks, however one came to it. */
export type MarkWord = "" | "run" | "ok" | "fail" | "skip" | "was-run" | "was-ok" | "was-fail" | "was-skip" | "was-cut" | "cut" | "entered" | "left" | "was-left";

/** The mark of a line, or the mark and a note: the score of an option, what became of a transition. */
export type LineMark = MarkWord | [MarkWord, string];

/** A position within a tick. The marks are those after the `nth` event: a line to which something happens later has no mark, or its mark from before. */
export type Within = {
  /** How many events are shown. */
  nth: number;
  /** How many there are. */
  of: number;
  /** The last of them, as a sentence. */
  text: string | null;
  /** The line that it is about. */
  line: string | null;
};

/** Where a transition with a history leads. */
export type Return = {
  /** The position of its line. */
  line: number;
  /** The states in which it would end if it were taken now. */
  states: Array<string>;
  /** Whether these were active when the state was left last; otherwise it was never left, and begins with them. */
  is_remembered: boolean;
};

/** What a key holds. */
export type KeyState = {
  /** The value, as documents write it. */
  value: string;
  /** The tick of its last change, if that is known. */
  changed: number | null;
  /** Who wrote it, in a sentence. */
  by: string | null;
};

/** What an agent did, side by side. */
export type Lanes = {
  /** The actions that it ran. */
  does: Array<Bar>;
  /** The states that it was in. */
  states: Array<Bar>;
  /** The plans that its planners made, each with its goal, until they were done or given up. */
  plans: Array<Bar>;
  /** The values of each key. */
  keys: Array<Array<Bar>>;
  /** What happened. */
  events: Array<Happened>;
};

/** What was filled in, between two ticks. */
export type Past = {
  /** The first tick. */
  from: number;
  /** The last tick. */
  to: number;
  /** The actions that it ran. */
  does: Array<Bar>;
  /** The states that it was in. */
  states: Array<Bar>;
  /** The plans that its planners made, each with its goal, until they were done or given up. */
  plans: Array<Bar>;
  /** The values of each key. */
  keys: Array<Array<Bar>>;
  /** What happened. */
  events: Array<Happened>;
};

/** How many do what, at some ticks. */
export type Shares = {
  /** The actions. */
  actions: Array<string>;
  /** Ticks, each with how many did nothing, and how many each of the actions. Only those that the page does not know. */
  ticks: Array<[number, Array<number>]>;
};

/** What an agent did from a tick on. A bar with the same first tick replaces the one that the page has. */
export type Film = {
  /** The first tick. */
  since: number;
  /** The last tick that was played. */
  to: number;
  /** How often something was filled in that had happened before somebody looked. */
  fills: number;
  /** What was filled in since the page asked last. */
  past: Past | null;
  /** How many of those who follow the same definition did what, if there are many. */
  shares: Shares | null;
  /** The actions that it ran. */
  does: Array<Bar>;
  /** The states that it was in. */
  states: Array<Bar>;
  /** The plans that its planners made, each with its goal, until they were done or given up. */
  plans: Array<Bar>;
  /** The values of each key. */
  keys: Array<Array<Bar>>;
  /** What happened. */
  events: Array<Happened>;
};

/** What there is to see of one agent at a tick. */
export type Agent = {
  /** The action that runs. */
  does: string | null;
  /** What that is for. */
  doc: string | null;
  /** For each line of the definition its mark. */
  marks: Array<LineMark>;
  /** For each transition that returns to where a state was left, where that would be now. */
  returns: Array<Return>;
  /** While it plays, what came and went since the page looked last: lines without a mark, each with the mark that it had. After a jump there is none. */
  flashes: Array<[number, MarkWord]>;
  /** The position within the tick, if that is not shown as a whole. */
  event: Within | null;
  /** What its keys hold. */
  keys: Array<KeyState>;
  /** Who wrote a key before this tick is not known: 0 at the beginning, else the tick of a reload, or one some hundred ticks ago. */
  known_since: number;
  /** Why it did what it did. */
  explanation: Explanation | null;
  /** Why the node that the page asked about answered what it answered. */
  why: Reason | null;
  /** The expressions that the page asked about and that have a value, each with the value as documents write it. */
  worth?: Array<[string, string]>;
  /** Its planners, if it has any. */
  plans?: Array<PlannerState>;
  /** Its searches for the best of several candidates, the one that looked last first. */
  finds?: Array<FindState>;
  /** What its networks computed last, the one that ran last first. */
  networks?: Array<NetworkState>;
  /** Its rules, those that were reached last first. */
  rules?: Array<RulesState>;
  /** What a planner would do with the facts that the page asked about. */
  foreseen?: Foreseen;
  /** What it has done. */
  film: Film | null;
};

/** An agent in the list of all. */
export type Listed = {
  /** Its name. */
  name: string;
  /** The action that it runs. */
  does: string | null;
};

/** An agent that was looked for. */
export type FoundAgent = {
  /** Its number. */
  nth: number;
  /** Its name. */
  name: string;
  /** The action that it runs. */
  does: string | null;
  /** The tick since which it runs it, or none. */
  since: number | null;
  /** Whether it may have done so before, of which nothing is known. */
  is_least: boolean;
};

/** What many agents cannot do, and do something else instead. */
export type Cannot = {
  /** How many run another action, though a branch of higher priority was tried in this tick and failed: a condition in it held, or an action in it failed. */
  count: number;
  /** The branch for which these are most: its name, or that of the first condition or action in it. */
  branch: string;
};

/** Whom the page looks for. */
export type Found = {
  /** How many fit. */
  count: number;
  /** The first of them. */
  agents: Array<FoundAgent>;
  /** What is wrong with the condition. */
  wrong: Said | null;
};

/** How many run a line, and how many it answered success, failure and was cut off in this tick; 0 for nobody. */
export type LineCounts = 0 | [number, number, number, number];

/** What everybody does. */
export type Crowd = {
  /** How many agents there are. */
  agents: number;
  /** For each line of the definition how many are there. */
  counts: Array<LineCounts> | null;
  /** What many of those who follow the definition cannot do. */
  cannot: Cannot | null;
  /** Whom the page looks for. */
  found: Found;
};

/** What there is to see of a game at a tick, for a page that looks at one agent. */
export type Moment = {
  /** The agents, or the first of them. */
  agents: Array<Listed>;
  /** What everybody does, where there may be many. */
  crowd: Crowd | null;
  /** Who and what is where, if there is a world. */
  scene: Scene | null;
  /** How many faults there were so far. */
  faults: number;
  /** The action that runs. */
  does: string | null;
  /** What that is for. */
  doc: string | null;
  /** For each line of the definition its mark. */
  marks: Array<LineMark>;
  /** For each transition that returns to where a state was left, where that would be now. */
  returns: Array<Return>;
  /** While it plays, what came and went since the page looked last: lines without a mark, each with the mark that it had. After a jump there is none. */
  flashes: Array<[number, MarkWord]>;
  /** The position within the tick, if that is not shown as a whole. */
  event: Within | null;
  /** What its keys hold. */
  keys: Array<KeyState>;
  /** Who wrote a key before this tick is not known: 0 at the beginning, else the tick of a reload, or one some hundred ticks ago. */
  known_since: number;
  /** Why it did what it did. */
  explanation: Explanation | null;
  /** Why the node that the page asked about answered what it answered. */
  why: Reason | null;
  /** The expressions that the page asked about and that have a value, each with the value as documents write it. */
  worth?: Array<[string, string]>;
  /** Its planners, if it has any. */
  plans?: Array<PlannerState>;
  /** Its searches for the best of several candidates, the one that looked last first. */
  finds?: Array<FindState>;
  /** What its networks computed last, the one that ran last first. */
  networks?: Array<NetworkState>;
  /** Its rules, those that were reached last first. */
  rules?: Array<RulesState>;
  /** What a planner would do with the facts that the page asked about. */
  foreseen?: Foreseen;
  /** What it has done. */
  film: Film | null;
};

/** A key that pages hold: it is written before each tick, whatever the game writes into it. */
export type Held = {
  /** The agent. */
  mind: number;
  /** The name of the key. */
  key: string;
  /** The value, as documents write it. */
  value: string;
};

/** What the last change of a watched document did. */
export type Reloaded = {
  /** The number of the change, from 1. */
  nth: number;
  /** The tick at which it came. */
  tick: number;
  /** Whether it is played; otherwise the document has errors, and the game continues unchanged. */
  is_done: boolean;
  /** What it did, or why nothing has changed. */
  lines: Array<Said>;
};

/** The answer to a question. */
export type View = {
  /** The number of the question. */
  nth: number;
  /** A number that is another one whenever there is something new to see; the next question repeats it. */
  state: number;
  /** Which definition counts: another number for each file that is opened, and each reload. */
  opened: number;
  /** The agent that is shown. */
  mind: number;
  /** The file. */
  file: string;
  /** The tick that is shown. */
  tick: number;
  /** The time of the game then, in seconds. */
  secs: number;
  /** The earliest tick that can be reached. */
  first: number;
  /** The last tick that was played, or that a game which runs elsewhere has reached. */
  last: number;
  /** The last tick of a recording. */
  end: number | null;
  /** How many ticks a second of the game has. */
  ticks_per_sec: number;
  /** Whether it stands still. */
  is_paused: boolean;
  /** Whether it is on its way to another tick, and to which. */
  is_jumping: boolean;
  /** The tick that it is on its way to. */
  goal: number | null;
  /** The speed, as a multiple of real time. */
  speed: number;
  /** Whether the ticks come from a game that runs elsewhere, and goes on while the page stands still. */
  is_live: boolean;
  /** Whether pages control that game: it stands still while they stand still or look at the past. */
  is_controlled: boolean;
  /** What the last change of a watched document did. */
  reloaded: Reloaded | null;
  /** The keys that are held before the next tick; of a game that runs elsewhere, now. */
  held: Array<Held>;
  /** The leaves without code, and how each answers. */
  stubs: Array<Stub>;
  /** The breakpoints of the file. */
  breakpoints: Array<Breakpoint>;
  /** Where one of them has stopped the game. */
  stopped: Stopped | null;
  /** What happened at breakpoints. */
  hits: Hits;
  /** What does not change, if the page does not have it. */
  definition?: Definition;
  /** The document as it is edited, if the page edits it and does not have it like this. */
  sheet?: Sheet;
  /** What has changed in it, if the page has the sheet before. */
  sheet_change?: SheetChange;
  /** The map of the arena as it is edited, if the page edits it and does not have it like this. */
  map?: MapSheet;
  /** What is not on disk, if the page keeps that and does not have it like this. */
  unwritten?: UnwrittenList;
  /** The tests of the document, if the page shows them and does not have them like this. */
  tests?: Tests;
  /** The run that was played before it was played again from an earlier tick. */
  earlier?: EarlierRun;
  /** What other pages have chosen that edit the document. */
  others?: Array<Other>;
  /** The agents, or the first of them. */
  agents: Array<Listed>;
  /** What everybody does, where there may be many. */
  crowd: Crowd | null;
  /** Who and what is where, if there is a world. */
  scene: Scene | null;
  /** How many faults there were so far. */
  faults: number;
  /** The action that runs. */
  does: string | null;
  /** What that is for. */
  doc: string | null;
  /** For each line of the definition its mark. */
  marks: Array<LineMark>;
  /** For each transition that returns to where a state was left, where that would be now. */
  returns: Array<Return>;
  /** While it plays, what came and went since the page looked last: lines without a mark, each with the mark that it had. After a jump there is none. */
  flashes: Array<[number, MarkWord]>;
  /** The position within the tick, if that is not shown as a whole. */
  event: Within | null;
  /** What its keys hold. */
  keys: Array<KeyState>;
  /** Who wrote a key before this tick is not known: 0 at the beginning, else the tick of a reload, or one some hundred ticks ago. */
  known_since: number;
  /** Why it did what it did. */
  explanation: Explanation | null;
  /** Why the node that the page asked about answered what it answered. */
  why: Reason | null;
  /** The expressions that the page asked about and that have a value, each with the value as documents write it. */
  worth?: Array<[string, string]>;
  /** Its planners, if it has any. */
  plans?: Array<PlannerState>;
  /** Its searches for the best of several candidates, the one that looked last first. */
  finds?: Array<FindState>;
  /** What its networks computed last, the one that ran last first. */
  networks?: Array<NetworkState>;
  /** Its rules, those that were reached last first. */
  rules?: Array<RulesState>;
  /** What a planner would do with the facts that the page asked about. */
  foreseen?: Foreseen;
  /** What it has done. */
  film: Film | null;
};

/** The first answer. */
export type Hello = {
  /** The version of the protocol. */
  version: number;
  /** Another text whenever the program was started again. */
  start: string;
  /** Whether `preview` is answered. */
  has_previews: boolean;
  /** The files that can be opened. */
  files: Array<string>;
  /** Whether the page has the token that editing asks for. */
  may_edit: boolean;
  /** Whether it may make new documents. */
  can_make: boolean;
  /** The folder in which they are made; empty if there is none. */
  folder: string;
  /** Whether that folder has no document and no recording, so that the files are the examples. */
  is_folder_empty: boolean;
  /** The number of the page, by which others see what it did. */
  you: string;
};

/** The answer to a question that makes no sense, or cannot be done. */
export type Refused = {
  /** Why. */
  why: Said;
};

/** What the studio says. */
export type Message =
  | { kind: "hello" } & Hello
  | { kind: "refused" } & Refused
  | { kind: "view" } & View
  | { kind: "preview" } & Preview
  | { kind: "files" } & FileList
  | { kind: "words" } & Words
  | { kind: "fits" } & Fits
  | { kind: "made" } & Made
  | { kind: "folder" } & Folder
  | { kind: "word" } & WordPage
  | { kind: "compared" } & Comparison
  | { kind: "tried" } & Tried
  | { kind: "makeable" } & Makeable
  | { kind: "advice" } & Advice
  | { kind: "completions" } & Completions
  | { kind: "hover" } & Hover
  | { kind: "reveal" } & Reveal;

/** What a page wants to see, and has seen. */
export type Look = {
  /** A number that the page chooses; the answer repeats it. */
  nth: number;
  /** The file to show, one of those of `hello`; without it, the one that the page has looked at before. */
  file: string;
  /** The agent to show: its number, from 0. */
  mind: number;
  /** The `state` of the last view. The answer waits until the state differs from it. */
  seen: number;
  /** The `opened` of the definition that the page has. */
  opened: number;
  /** And the agent whose definition that is. */
  defined: number;
  /** The page knows what the agent did up to this tick. */
  since: number;
  /** And has received so many `fills`. */
  fills: number;
  /** The language of reasons and of what happened. A page that changes it asks for everything again. */
  language: Language;
  /** Explain this node, too: its number. */
  node: number | null;
  /** Only what differs from the view with the state `seen`. */
  delta: boolean;
  /** Which agents to list if there are many: a text in the name, the action or an active state. */
  find: string;
  /** And a condition over keys. */
  where: string;
  /** Those first who have done longest what they do. */
  longest: boolean;
  /** Expressions of the document, at most 16, whose values for the agent the page wants to show. */
  worth: Array<string>;
  /** The number of the planner that the page shows: with what its steps are for, and why goals have no plan. */
  planner: number | null;
  /** What a planner would do with other facts. */
  what_if: WhatIf | null;
  /** The `last` of the `hits` that the page has. */
  hits: number;
  /** The page edits the document: the `revision` of the sheet that it has, 0 for none. */
  sheet: number | null;
  /** The page edits the map: the `revision` of the one that it has, 0 for none. */
  map: number | null;
  /** The page keeps what is not on disk, of whatever document: the `revision` of what it has, 0 for none. */
  unwritten: number | null;
  /** The page shows the tests: the `revision` of those that it has, 0 for none. */
  tests: number | null;
  /** The `nth` of the earlier run whose lanes the page has, as this agent has them; 0 for none. */
  earlier: number;
};

/** A value for a key. */
export type Write = {
  /** The agent. */
  mind: number;
  /** The name of the key. */
  key: string;
  /** The value, as documents write it. */
  value: string;
};

/** An event for an agent. */
export type Send = {
  /** The agent. */
  mind: number;
  /** The name of the event. */
  event: string;
  /** The values of its parameters, in order, as documents write them. */
  values: Array<string>;
};

/** What has to happen at the line of a breakpoint. */
export type On = "enter" | "end" | "success" | "failure" | "abort";

/** A breakpoint to set or to change. What is left out stays as it is. */
export type Break = {
  /** The agent in whose definition it is: its number, from 0. */
  mind: number;
  /** The breakpoint to change. */
  id?: number;
  /** Or the id of the line that it is at. */
  line?: string;
  /** The text of that line, if the page remembers it from an earlier start of the program. */
  text?: string;
  /** Or the key. */
  key?: string;
  /** Or the event. */
  event?: string;
  /** What has to happen at the line. */
  on?: On;
  /** A condition over the keys; empty for none. */
  if?: string;
  /** It stops at this occurrence, counted from 1, and at every later one. */
  from?: number;
  /** Only for the agent `mind`, or for all. */
  only?: boolean;
  /** Whether it stops. */
  is_on?: boolean;
  /** What happens is only listed, and the game does not stop. */
  only_lists?: boolean;
};

/** A place in a text that somebody has chosen. */
export type Reveal = {
  /** The file, as the definition names it. */
  file: string;
  /** The line, from 1. */
  line: number;
  /** The column, from 0, in units of UTF-16. */
  column: number;
};

/** What a page says. */
export type Ask =
  | { say: "hello" }
  | { say: "preview", file: string }
  | { say: "files" }
  | { say: "words" }
  | { say: "look" } & Look
  | { say: "play" }
  | { say: "pause" }
  | { say: "step" }
  | { say: "back" }
  | { say: "follow" }
  | { say: "go", tick: number }
  | { say: "speed", factor: number }
  | { say: "event", by: 1 | -1, mind: number }
  | { say: "set" } & Write
  | { say: "send" } & Send
  | { say: "hold" } & Write
  | { say: "release", mind: number, key: string }
  | { say: "answer", leaf: string, answers: string, is_random: boolean }
  | { say: "break" } & Break
  | { say: "unbreak", id?: number }
  | { say: "fits", spot: Beside }
  | { say: "word", word: string, place?: string }
  | { say: "make", name: string, folder?: string, origin: Origin }
  | { say: "folder", folder: string, opens: boolean }
  | { say: "map", edit: MapEdit }
  | { say: "compare", versus: Versus }
  | { say: "chosen", ids: Array<number> }
  | { say: "try", nth: number, edit: Edit }
  | { say: "advise", wanted: Wanted }
  | { say: "complete", nth: number, caret: Caret }
  | { say: "hover", nth: number, caret: Caret }
  | { say: "edit", edit: Edit }
  | { say: "test", test: TestAsk }
  | { say: "again" }
  | { say: "reveal" } & Reveal
  | { say: "listen" };

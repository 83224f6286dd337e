// What is typed into a text, on its way to the server and back, while others change the text, too. Nothing here knows the page.

import { computed, signal } from "@preact/signals";
import { share, stored } from "./shared";

/** A piece of a text that gives way to another one. */
export interface Piece {
  from: number;
  to: number;
  text: string;
}

/** The piece in which two texts differ. */
export function difference(before: string, after: string): Piece {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  // A letter of two units stays whole.
  const isLow = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "");
  if (isLow(before, from) || isLow(after, from)) from -= 1;
  if (isLow(before, before.length - same) || isLow(after, after.length - same)) same -= 1;
  return { from, to: before.length - same, text: after.slice(from, after.length - same) };
}

export const applied = (text: string, { from, to, text: piece }: Piece): string => text.slice(0, from) + piece + text.slice(to);

/** How many pairs of lines or words are compared at most; longer parts differ as a whole. */
const MOST_PAIRS = 4 << 20;

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** The pieces in which two lists of texts differ, in their order; the first one begins at a place. */
function compared(old: readonly string[], now: readonly string[], start: number): Piece[] {
  // How many the rests of both have in common.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let one = old.length - 1; one >= 0; one -= 1)
    for (let other = now.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      common[at] = old[one] === now[other] ? common[at + width + 1] + 1 : Math.max(common[at + width], common[at + 1]);
    }
  const found: Piece[] = [];
  let [one, other, at] = [0, 0, start];
  while (one < old.length || other < now.length) {
    let [removed, added] = ["", ""];
    while ((one < old.length || other < now.length) && old[one] !== now[other]) {
      const cell = one * width + other;
      if (other === now.length || (one < old.length && common[cell + width] >= common[cell + 1])) removed += old[one++];
      else added += now[other++];
    }
    if (removed !== added) found.push({ from: at, to: at + removed.length, text: added });
    at += removed.length;
    if (one < old.length) at += old[one].length;
    [one, other] = [one + 1, other + 1];
  }
  return found;
}

/** The lines in which two texts differ, in their order: what is the same between two of them is in none. */
function hunks(before: string, after: string): Piece[] {
  const whole = difference(before, after);
  if (whole.from === whole.to && whole.text === "") return [];
  // The lines in which that is.
  const start = before.lastIndexOf("\n", whole.from - 1) + 1;
  const next = before.indexOf("\n", whole.to);
  const end = next < 0 ? before.length : next + 1;
  const [old, now] = [linesOf(before.slice(start, end)), linesOf(after.slice(start, after.length - (before.length - end)))];
  if (old.length * now.length > MOST_PAIRS) return [{ from: start, to: end, text: now.join("") }];
  return compared(old, now, start);
}

/** The same without what begins and ends alike. */
const trimmed = (before: string, pieces: readonly Piece[]): Piece[] =>
  pieces.map(({ from, to, text }) => {
    const own = difference(before.slice(from, to), text);
    return { from: from + own.from, to: from + own.to, text: own.text };
  });

export const differences = (before: string, after: string): Piece[] => trimmed(before, hunks(before, after));

/** The words in which two texts differ, in their order: who stands between two of them, or writes one, stays there. */
export function words(before: string, after: string): Piece[] {
  const split = (text: string): string[] => text.match(/[\p{L}\p{N}_-]+|\s+|./gu) ?? [];
  return hunks(before, after).flatMap((hunk) => {
    const [old, now] = [split(before.slice(hunk.from, hunk.to)), split(hunk.text)];
    return trimmed(before, old.length * now.length > MOST_PAIRS ? [hunk] : compared(old, now, hunk.from));
  });
}

/** Whether two places in a text are apart: there is a space between them, and they are not in one string. */
function areApart(text: string, one: Piece, other: Piece): boolean {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one];
  const between = text.slice(first.to, second.from);
  const before = text.slice(text.lastIndexOf("\n", first.from - 1) + 1, first.from);
  const isInString = before.split('"').length % 2 === 0 && !between.includes('"');
  return /\n/.test(between) || (/\s/.test(between) && !isInString);
}

/** The pieces of `own` that are not in `others`, too. */
const without = (own: readonly Piece[], others: readonly Piece[]): Piece[] =>
  own.filter((one) => !others.some(({ from, to, text }) => from === one.from && to === one.to && text === one.text));

/** What was typed into a text that others change at the same moment. Where both have written, both are there. */
export function woven(base: string, shown: string, now: string): string {
  const others = differences(base, now);
  return without(differences(base, shown), others)
    .map((one) => rebased(one, others))
    .reduceRight(applied, now);
}

/** What two have made of the same lines; `null` if they have written different things at one place. */
function together(base: string, own: string, other: string): string | null {
  if (own === other) return own;
  // Both have added lines.
  if (base === "") return own.includes(other) ? own : other.includes(own) ? other : other + own;
  const others = differences(base, other);
  const isApart = without(differences(base, own), others).every((one) => others.every((two) => areApart(base, one, two)));
  return isApart ? woven(base, own, other) : null;
}

/**
 * What was typed into a text, put into the one that somebody else has made of it. What both have written is there once. Where they
 * have written different things at one place, that `clashes`: there, what was typed counts.
 */
export function merged(base: string, shown: string, now: string): { text: string; clashes: boolean } {
  const [own, others] = [hunks(base, shown), hunks(base, now)];
  const touch = (one: Piece, other: Piece): boolean =>
    (one.from < other.to && other.from < one.to) || (one.from === other.from && one.to === other.to);
  let [text, at, clashes] = ["", 0, false];
  while (own.length > 0 || others.length > 0) {
    // The next lines that one of them has changed, with all that the other one has changed there.
    const parts: [Piece[], Piece[]] = [[], []];
    const isOwn = others.length === 0 || (own.length > 0 && (own[0].from - others[0].from || own[0].to - others[0].to) <= 0);
    const span: Piece = { ...(isOwn ? own : others)[0] };
    parts[isOwn ? 0 : 1].push((isOwn ? own : others).shift() as Piece);
    for (let grows = true; grows; ) {
      grows = false;
      for (const [nth, all] of [own, others].entries())
        while (all.length > 0 && touch(span, all[0])) {
          span.to = Math.max(span.to, all[0].to);
          parts[nth].push(all.shift() as Piece);
          grows = true;
        }
    }
    const lines = base.slice(span.from, span.to);
    const [mine, theirs] = parts.map((all) =>
      all.reduceRight((made, { from, to, text }) => applied(made, { from: from - span.from, to: to - span.from, text }), lines),
    );
    const both = parts[0].length === 0 ? theirs : parts[1].length === 0 ? mine : together(lines, mine, theirs);
    if (both === null) clashes = true;
    text += base.slice(at, span.from) + (both ?? mine);
    at = span.to;
  }
  return { text: text + base.slice(at), clashes };
}

/** A browser keeps line ends as one letter; the file may have two. */
export const plain = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The same piece in a text that has line ends of two letters. */
export function inFile(text: string, piece: Piece): Piece {
  const place = (at: number): number => {
    let left = at;
    let nth = 0;
    for (; left > 0 && nth < text.length; left -= 1) nth += text.startsWith("\r\n", nth) ? 2 : 1;
    return nth;
  };
  const hasReturns = text.includes("\r\n");
  return { from: place(piece.from), to: place(piece.to), text: hasReturns ? piece.text.replaceAll("\n", "\r\n") : piece.text };
}

/** A piece that was typed into a text, in the one that the pieces of somebody else have made of that. Where both have written, both are there. */
export function rebased(own: Piece, others: readonly Piece[]): Piece {
  let [{ from, to }, by] = [own, 0];
  for (const other of others) {
    // The pieces are in order: this one, and those behind it, come after it.
    if (own.to <= other.from) break;
    const end = other.from + other.text.length + by;
    by += other.text.length - (other.to - other.from);
    if (own.from >= other.to) [from, to] = [own.from + by, own.to + by];
    else [from, to] = [end, Math.max(end, own.to + by)];
  }
  return { from, to, text: own.text };
}

/** What is on its way to the server: the text before and after it, and how many questions were asked before it. */
interface Flight {
  before: string;
  after: string;
  asked: number;
  /** Whether the way to the server has broken off, so that nobody knows whether it has arrived. */
  isLost: boolean;
}

/** A text in which somebody types. What the field shows has line ends of one letter. */
export class Typing {
  private flight: Flight | null = null;
  /** Whether there was no way to the server since it said the text: then nobody saw what others have made of it. */
  private wasCut = false;
  /** Whether the last thing that was sent was refused. */
  private isRefused = false;

  /** The text as the server said it last, and its revision. */
  constructor(
    private known: string,
    private revision: number,
  ) {}

  /** What is typed and not sent, in the text that the server will have by then. */
  piece(shown: string): Piece | null {
    const base = this.flight?.after ?? this.known;
    return plain(base) === shown ? null : inFile(base, difference(plain(base), shown));
  }

  /** The revision into whose text that is typed; nobody knows it while something is on its way. */
  get since(): number | undefined {
    return this.flight ? undefined : this.revision;
  }

  /** Sends what is typed, one piece after the other; returns whether nothing is left that could not be sent. */
  send(shown: string, asked: number, post: (piece: Piece, since: number) => boolean): boolean {
    // Nobody knows yet what is to be sent again.
    if (this.flight?.isLost) return false;
    const piece = this.flight ? null : this.piece(shown);
    if (!piece) return true;
    if (!post(piece, this.revision)) return false;
    this.flight = { before: this.known, after: applied(this.known, piece), asked, isLost: false };
    return true;
  }

  /** The way to the server has broken off. */
  lose(): void {
    this.wasCut = true;
    if (this.flight) this.flight.isLost = true;
  }

  /** What was sent was refused. */
  refuse(): void {
    if (this.flight?.isLost) return;
    this.flight = null;
    this.isRefused = true;
  }

  /** Drops what is typed and not sent; returns what is to be shown then. */
  drop(): string {
    return plain(this.flight?.after ?? this.known);
  }

  /**
   * Takes in a text of the server, in its answer to the question `heard`; returns what is to be shown, and whether only the answer
   * to a later question says what has become of what is on its way. What was typed while there was no way to the server, and
   * `clashes` with what others have written, is not shown. What `meets` that otherwise is to be sent as it was typed: the server
   * knows who has written it, and what becomes of both.
   */
  take(text: string, revision: number, heard: number, shown: string): { shown: string; waits: boolean; clashes?: Kept; meets?: boolean } {
    const { flight } = this;
    const isHandled = flight !== null && heard > flight.asked;
    if (flight && text === flight.before && !isHandled) return { shown, waits: flight.isLost };
    if (flight && text !== flight.before && text !== flight.after && !isHandled) return { shown, waits: true };
    // Others have changed the text to which this was added; or it has not arrived.
    const base = flight === null ? this.known : text === flight.before || flight.isLost ? flight.before : flight.after;
    const isSame = text === base || text === flight?.after;
    const { wasCut } = this;
    const meets = !flight && !wasCut && !this.isRefused && !isSame && merged(plain(base), shown, plain(text)).clashes;
    if (meets) return { shown, waits: true, meets };
    [this.flight, this.known, this.revision, this.wasCut, this.isRefused] = [null, text, revision, false, false];
    if (isSame) return { shown, waits: false };
    const [before, now] = [plain(base), plain(text)];
    if (before === shown) return { shown: now, waits: false };
    if (!wasCut) return { shown: woven(before, shown, now), waits: false };
    const both = merged(before, shown, now);
    if (!both.clashes) return { shown: both.text, waits: false };
    return { shown: now, waits: false, clashes: { bases: [base], isLost: false, shown } };
  }

  /** What a later field of the same text is to begin with. */
  keep(shown: string): Kept | null {
    const base = this.flight?.after ?? this.known;
    if (!this.flight?.isLost && plain(base) === shown) return null;
    return { bases: this.flight ? [this.flight.before, this.flight.after] : [this.known], isLost: !!this.flight?.isLost, shown };
  }
}

/** What was typed into a text when its field was closed: the text before, and with what was on its way; that is any text if it is not known. */
export interface Kept {
  bases: string[];
  isLost: boolean;
  shown: string;
  /** The document of which it is a file, if it was not on disk. */
  of?: string;
}

/** What is to be shown of a text, with what was typed into it before. */
export const restored = (text: string, kept: Kept): string => mergedWith(text, kept).text;

const mergedWith = (text: string, kept: Kept): ReturnType<typeof merged> => merged(plain(baseOf(text, kept)), kept.shown, plain(text));

/** Whether others have written something else where it was typed. */
export const clashes = (text: string, kept: Kept): boolean => mergedWith(text, kept).clashes;

/** What was typed, and the text into which it was, with the line ends of the file: who has both texts can merge them with a third one. */
export function versions(text: string, kept: Kept): { base: string; text: string } {
  const base = baseOf(text, kept);
  return { base, text: base.includes("\r\n") ? kept.shown.replaceAll("\n", "\r\n") : kept.shown };
}

/** What was typed in this page and could not be sent, by the names of the files. */
export const waiting = signal<ReadonlyMap<string, Kept>>(new Map());

const STORED = "treemind-typed";

/** What is offered for a file. A file may have several offers: none of them takes the place of another one. */
interface Offer {
  name: string;
  kept: Kept;
  /** As it stands in the storage. */
  text: string;
}

/** What is offered says so: what another page still types, or has to send, is offered only by pages that are loaded later. */
const offerOf = (name: string, kept: Kept): Offer => ({ name, kept, text: JSON.stringify([name, kept, true]) });

const read = (text: string): Offer => {
  const [name, kept] = JSON.parse(text) as [string, Kept];
  return { name, kept, text };
};

/** All that pages that are gone have left, and other pages offer. */
const offers = signal<readonly Offer[]>(stored(STORED).map(read));

/** The first offer of each file: the next one is made when it is answered. */
export const left = computed<ReadonlyMap<string, Kept>>(() => {
  const first = new Map<string, Kept>();
  for (const { name, kept } of offers.value) if (!first.has(name)) first.set(name, kept);
  return first;
});

/** What this page has stored, as it is written there. */
let own: readonly string[] = [];
/** The offers that this page makes itself. What it has found in the storage belongs to others until it is answered. */
const made = new Set<string>();

/** What is in the document and not on disk, if the program is gone: one that is started again does not have it. */
let stranded: ReadonlyMap<string, Kept> = new Map();

// What is answered in one page is answered in all of them; what one offers, all do.
addEventListener("storage", ({ key }) => {
  if (key !== STORED) return;
  const all = stored(STORED);
  const stay = offers.value.filter((one) => all.includes(one.text));
  const known = new Set(offers.value.map((one) => one.text));
  const come = all.filter((one) => one.endsWith(",true]") && !known.has(one)).map(read);
  for (const one of offers.value) if (!all.includes(one.text)) made.delete(one.text);
  if (come.length > 0 || stay.length < offers.value.length) offers.value = [...stay, ...come];
});

/** The program is gone: these texts are not on disk, where `saved` is, as far as that is known. They are files of the document `of`. */
export function strand(files: readonly { name: string; text: string; saved: string | undefined; of?: string }[]): void {
  stranded = new Map(
    files.map(({ name, text, saved, of }) => [name, { bases: saved === undefined ? [] : [saved], isLost: false, shown: plain(text), of }]),
  );
  storeAll();
}

/** The program is there again, and has all that it had. */
export const unstrand = (): void => strand([]);

/** Another program is there: what is not on disk is offered to it. */
export function offer(): void {
  for (const [name, kept] of stranded) put(name, kept);
  unstrand();
}

/** What was typed into what is offered already is one with it; `null` if it was typed into another text. */
const joined = (offered: Kept, typed: Kept): Kept | null =>
  typed.bases.some((base) => plain(base) === offered.shown) ? { ...offered, shown: typed.shown } : null;

/** Offers what is kept, too. */
function put(name: string, kept: Kept): void {
  const isIt = (one: Offer): boolean => one.name === name && made.has(one.text) && joined(one.kept, kept) !== null;
  const before = offers.value.find(isIt);
  const next = offerOf(name, (before && joined(before.kept, kept)) ?? kept);
  if (before) made.delete(before.text);
  made.add(next.text);
  offers.value = [...offers.value.filter((one) => one !== before && one.text !== next.text), next];
}

/** A document has come: what it has after all is offered no more. */
export function hasCome(files: readonly { name: string; text: string }[]): void {
  for (const { name, text } of files) drop((one) => one.name === name && restored(text, one.kept) === plain(text));
}

function storeAll(): void {
  const typed = new Map(waiting.value);
  // What is typed into a text that is not on disk is kept with the rest of that.
  const lost = [...stranded].map(([name, kept]) => {
    const both = typed.has(name) ? joined(kept, typed.get(name) as Kept) : null;
    if (both) typed.delete(name);
    return [name, both ?? kept];
  });
  const now = [...made, ...[...lost, ...typed].map((one) => JSON.stringify(one))];
  share(STORED, own, now);
  own = now;
}

export function keep(file: string, kept: Kept | null): void {
  if (!kept && !waiting.value.has(file)) return;
  waiting.value = changed(waiting.value, file, kept);
  storeAll();
}

/** Others have written something else where it was typed: it is offered, and not put in. */
export function ask(file: string, kept: Kept): void {
  put(file, kept);
  waiting.value = changed(waiting.value, file, null);
  storeAll();
}

/** What is offered first for a file is in the text now, or is not wanted. */
export function settle(file: string): void {
  const first = left.value.get(file);
  const isSame = (one: Kept): boolean => one.shown === first?.shown && one.bases.join() === first.bases.join();
  drop((one) => one.name === file && isSame(one.kept));
}

function drop(isIt: (one: Offer) => boolean): void {
  const gone = offers.value.filter(isIt).map((one) => one.text);
  if (gone.length === 0) return;
  // Those that others have stored are gone for these, too.
  own = [...own, ...gone];
  for (const one of gone) made.delete(one);
  offers.value = offers.value.filter((one) => !isIt(one));
  storeAll();
}

function changed(all: ReadonlyMap<string, Kept>, file: string, kept: Kept | null): ReadonlyMap<string, Kept> {
  const next = new Map(all);
  if (kept) next.set(file, kept);
  else next.delete(file);
  return next;
}

/**
 * The lines that what was typed changes, whole, in their order: those that go, and those that come. Where it clashes with what others
 * have written, they are those of the text into which it was typed.
 */
export function typedInto(text: string, kept: Kept): { parts: { removed: string; text: string }[]; clashes: boolean } {
  const { text: both, clashes } = mergedWith(text, kept);
  const [before, after] = clashes ? [plain(baseOf(text, kept)), kept.shown] : [plain(text), both];
  const parts = hunks(before, after).map((one) => ({ removed: before.slice(one.from, one.to), text: one.text }));
  return { parts, clashes };
}

/** The text into which it was typed: with what was on its way, if that has arrived. */
function baseOf(text: string, { bases, isLost }: Kept): string {
  return bases.find((one) => one === text) ?? bases[isLost ? 0 : bases.length - 1] ?? text;
}

// Links that hold everything, and the files of a document as an archive. Nothing is sent anywhere: what a link holds is in
// its fragment, which browsers keep to themselves.

import { allFiles, bring, keepFile, keptFiles } from "./carrier";

/** What a link holds. */
export interface Shared {
  files: [name: string, text: string][];
  file: string;
  tick: number;
  agent: number;
  /** Where chance begins; 0 in links that say nothing of it. */
  seed: number;
}

/** How long a fragment may be, in characters, and what comes out of it, in bytes. */
const LONGEST_LINK = 1 << 20;
const LONGEST_TEXT = 4 << 20;
/** Names as a page may bring them: plain, and of something that plays. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N} _.-]{0,100}\.(kdl|map)$/u;

export const BROKEN = "the link is damaged, or of another version";

/** The folder of a file, with the slash. */
const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);
const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

/** The document with what is beside it: its map and what it imports. */
export async function around(file: string): Promise<[string, string][]> {
  const folder = folderOf(file);
  const files = (await allFiles()).filter(([name]) => folderOf(name) === folder && PLAIN.test(nameOf(name)));
  return files.map(([name, text]) => [nameOf(name), text]);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(next.value as Uint8Array<ArrayBuffer>);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Everything as text for an address. */
export async function packed(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const small = await through(bytes, new CompressionStream("deflate-raw"), LONGEST_TEXT);
  let binary = "";
  for (const byte of small) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What a text from an address holds. Whoever made it may have meant harm, so everything is looked at. */
export async function unpacked(text: string): Promise<Shared> {
  if (text.length > LONGEST_LINK) throw new Error("the link is longer than a megabyte");
  let all: Shared;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(
      Uint8Array.from(binary, (one) => one.charCodeAt(0)),
      new DecompressionStream("deflate-raw"),
      LONGEST_TEXT,
    );
    all = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Shared;
  } catch {
    throw new Error(BROKEN);
  }
  const isFile = (one: unknown): boolean =>
    Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string") && PLAIN.test(one[0] as string);
  const isNumber = (one: unknown): boolean => Number.isSafeInteger(one) && (one as number) >= 0;
  const hasFiles = !!all && Array.isArray(all.files) && all.files.length <= 64 && all.files.every(isFile);
  const seed = all?.seed ?? 0;
  const isWhole = hasFiles && [all.tick, all.agent, seed].every(isNumber);
  if (!isWhole || !all.files.some(([name]) => name === all.file)) throw new Error(BROKEN);
  return { files: all.files, file: all.file, tick: all.tick, agent: all.agent, seed };
}

/** A short fingerprint, by which the files of two links stay apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let nth = 0; nth < text.length; nth++) hash = Math.imul(hash ^ text.charCodeAt(nth), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Takes in what the address of this page brings along; returns where to go, and why something could not be read. */
export async function arrive(address: URLSearchParams): Promise<string | null> {
  const link = address.get("share");
  const text = address.get("text");
  address.delete("share");
  address.delete("text");
  if (link === null && text === null) return null;
  try {
    if (text !== null) {
      // A document of the book, which stays as long as the page.
      const file = `book-${fingerprint(text)}/document.kdl`;
      if (text.length > LONGEST_LINK) throw new Error("the link is longer than a megabyte");
      bring([[file, text]]);
      address.set("file", file);
      return null;
    }
    const shared = await unpacked(link ?? "");
    const folder = `shared-${fingerprint(JSON.stringify(shared.files))}/`;
    const files = shared.files.map(([name, one]): [string, string] => [folder + name, one]);
    const kept = new Set(keptFiles().map(([name]) => name));
    // What was changed of it at an earlier visit stays changed.
    for (const [name, one] of files) if (!kept.has(name)) keepFile(name, one);
    bring(files.filter(([name]) => !kept.has(name)));
    address.set("file", folder + shared.file);
    address.set("tick", String(shared.tick));
    address.set("agent", String(shared.agent));
    address.set("seed", String(shared.seed));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, nth) => {
  let value = nth;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Files as a zip archive, as they are: the texts are short. */
export function zip(files: [string, string][]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  const record = (length: number, fields: [at: number, size: 2 | 4, value: number][], name: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(length + name.length);
    const view = new DataView(bytes.buffer);
    for (const [place, size, value] of fields) size === 2 ? view.setUint16(place, value, true) : view.setUint32(place, value, true);
    bytes.set(name, length);
    return bytes;
  };
  for (const [file, text] of files) {
    const [name, bytes] = [encoder.encode(file), encoder.encode(text)];
    const sum = crc32(bytes);
    // Names are UTF-8, and every archive has the same date: the first that there is.
    const common = (from: number): [number, 2 | 4, number][] => [
      [from, 2, 20],
      [from + 2, 2, 0x0800],
      [from + 8, 2, 0x0021],
      [from + 10, 4, sum],
      [from + 14, 4, bytes.length],
      [from + 18, 4, bytes.length],
      [from + 22, 2, name.length],
    ];
    const head = record(30, [[0, 4, 0x04034b50], ...common(4)], name);
    central.push(record(46, [[0, 4, 0x02014b50], [4, 2, 20], ...common(6), [42, 4, at]], name));
    local.push(head, bytes);
    at += head.length + bytes.length;
  }
  const size = central.reduce((sum, one) => sum + one.length, 0);
  const end = record(
    22,
    [
      [0, 4, 0x06054b50],
      [8, 2, files.length],
      [10, 2, files.length],
      [12, 4, size],
      [16, 4, at],
    ],
    new Uint8Array(),
  );
  const all = new Uint8Array(at + size + end.length);
  let place = 0;
  for (const part of [...local, ...central, end]) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

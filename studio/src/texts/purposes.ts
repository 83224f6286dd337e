// What the server says in English, in Chinese: what words are for, what is wrong, what edits are called, why something is refused. The page
// asks for the table when somebody reads Chinese.

import { effect, signal } from "@preact/signals";
import type { Said, Words } from "../protocol";
import { language } from ".";

/** The Chinese of an English sentence. */
type Chinese = Record<string, string>;

const chinese = signal<Chinese>({});
let isAsked = false;

async function load(): Promise<void> {
  isAsked = true;
  try {
    const answer = await fetch(new URL("words.zh.json", location.href.split("#")[0]));
    chinese.value = (await answer.json()) as Chinese;
  } catch {
    // English stays, and the next change of the language asks again.
    isAsked = false;
  }
}

effect(() => {
  if (language.value === "zh" && !isAsked) void load();
});

/** What a sentence about a word is in the language of the page. */
export function purpose(english: string): string {
  return language.value === "zh" ? (chinese.value[english] ?? english) : english;
}

/** A sentence of the server in the language of the page. */
export function said(of: Said): string {
  return filled(of, purpose);
}

/** The same in English, as the server knows it. */
export function english(of: Said): string {
  return filled(of, (says) => says);
}

function filled(of: Said, sentence: (says: string) => string): string {
  if (typeof of === "string") return of;
  let next = 0;
  // Holes have numbers where Chinese has another order.
  return sentence(of.says).replace(/\{(\d?)\}/g, (_, nth) => filled(of.with[nth === "" ? next++ : Number(nth)] ?? "", sentence));
}

/** All words, with what they are for in the language of the page. */
export function inLanguage(all: Words): Words {
  const said = <T extends { purpose: string }>(one: T): T => ({ ...one, purpose: purpose(one.purpose) });
  return {
    ...all,
    words: all.words.map((word) => ({
      ...said(word),
      of_value: word.of_value && purpose(word.of_value),
      properties: word.properties.map(said),
    })),
    of_nodes: all.of_nodes.map(said),
  };
}

// What the page says, and in which language: one table for each part of the page.

import { signal } from "@preact/signals";
import { begin } from "./begin";
import { drawing } from "./drawing";
import { finding } from "./finding";
import { inspecting } from "./inspecting";
import { maps } from "./maps";
import { pictures } from "./pictures";
import { planning } from "./planning";
import { sharing } from "./sharing";
import { tables } from "./tables";
import { testing } from "./testing";
import { together } from "./together";
import { watching } from "./watching";
import { weighing } from "./weighing";
import { writing } from "./writing";

/** What is said in English, and in Chinese. */
export type Texts = Record<string, [english: string, chinese: string]>;

const texts = {
  ...watching,
  ...drawing,
  ...tables,
  ...testing,
  ...writing,
  ...together,
  ...pictures,
  ...sharing,
  ...begin,
  ...inspecting,
  ...maps,
  ...planning,
  ...finding,
  ...weighing,
};

export const language = signal<"en" | "zh">(
  stored("language") === "zh" || (!stored("language") && navigator.language.startsWith("zh")) ? "zh" : "en",
);
export const theme = signal<"dark" | "light">(
  stored("theme") === "light" || (!stored("theme") && matchMedia("(prefers-color-scheme: light)").matches) ? "light" : "dark",
);

export const t = (key: keyof typeof texts): string => texts[key][language.value === "zh" ? 1 : 0];

export function stored(key: string): string | null {
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

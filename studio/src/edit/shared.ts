// Lists that several pages of one browser keep in its storage: each writes and removes what is its own, and leaves the rest there.

/** What is stored under a name, each as it is written there. */
export function stored(name: string): string[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(all) ? all.map((one) => JSON.stringify(one)) : [];
  } catch {
    return [];
  }
}

/** What this page has put there last under each name, and when. */
const own = new Map<string, { now: readonly string[]; at: number }>();
/** For how many milliseconds two pages may write without seeing what the other one has written. */
const SAME_MOMENT = 300;

addEventListener("storage", ({ key }) => {
  const last = own.get(key ?? "");
  // What is gone later was written, or is not wanted: another page has decided about it.
  if (!key || !last || Date.now() - last.at > SAME_MOMENT) return;
  const all = stored(key);
  if (last.now.some((one) => !all.includes(one))) share(key, [], last.now);
});

/** Puts what is there now in the place of what this page has written before; what others have written comes first. */
export function share(name: string, before: readonly string[], now: readonly string[]): void {
  own.set(name, { now, at: Date.now() });
  const others = stored(name).filter((one) => !before.includes(one) && !now.includes(one));
  try {
    if (others.length + now.length > 0) localStorage.setItem(name, `[${[...others, ...now].join()}]`);
    else localStorage.removeItem(name);
  } catch {
    // No room, or no storage: then it lasts as long as the page.
  }
}

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

/** What this page keeps under each name. */
const own = new Map<string, readonly string[]>();

addEventListener("storage", ({ key }) => {
  // Another page has written at the same moment, and did not see what this one has written.
  const now = own.get(key ?? "");
  if (!key || !now) return;
  const all = stored(key);
  if (now.some((one) => !all.includes(one))) share(key, [], now);
});

/** Puts what is there now in the place of what this page has written before; what others have written comes first. */
export function share(name: string, before: readonly string[], now: readonly string[]): void {
  own.set(name, now);
  const others = stored(name).filter((one) => !before.includes(one) && !now.includes(one));
  try {
    if (others.length + now.length > 0) localStorage.setItem(name, `[${[...others, ...now].join()}]`);
    else localStorage.removeItem(name);
  } catch {
    // No room, or no storage: then it lasts as long as the page.
  }
}

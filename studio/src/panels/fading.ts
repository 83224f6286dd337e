// What is said in the head of the page of something that is over, and goes after a time.

/** So long something is said that is over. */
export const OLD_MS = 60_000;
/** And so long that something went well. */
export const WELL_MS = 20_000;

/** Does something after a time, but not while somebody points at a box or has the keyboard in it; returns what ends that. */
export function after(ms: number, box: { current: HTMLElement | null }, then: () => void): () => void {
  let wait = setTimeout(look, ms);
  function look(): void {
    const isRead = box.current?.contains(document.activeElement) || box.current?.matches(":hover");
    if (isRead) wait = setTimeout(look, 1_000);
    else then();
  }
  return () => clearTimeout(wait);
}

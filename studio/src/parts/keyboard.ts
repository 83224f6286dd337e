// Who has the keyboard.

/** Whether one types into it: a switch that was clicked on takes no text. */
export function takesText(one: Element | null): boolean {
  if (one instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|file)$/.test(one.type);
  return one instanceof HTMLTextAreaElement || (one instanceof HTMLElement && one.isContentEditable);
}

/** Whether it is a field of a form, which keeps its keys to itself. */
export const isField = (one: Element): boolean => /^(INPUT|SELECT|TEXTAREA)$/.test(one.tagName);

/** For how many frames one waits for what may come only with the next view. */
const FRAMES = 120;

/**
 * Gives the keyboard to something that may come only with the next view, not before all that it belongs to `hasCome`. Whoever
 * types, or takes it meanwhile, keeps it.
 */
export function toKeyboard(what: string, hasCome = (): boolean => true): void {
  const before = document.activeElement;
  const isTaken = (): boolean => {
    const now = document.activeElement ?? document.body;
    return takesText(now) || (now !== document.body && now !== before);
  };
  const wait = (frames: number): void => {
    requestAnimationFrame(() => {
      // What was shown before may have given it back to something in this very frame.
      if (frames < FRAMES ? isTaken() : takesText(document.activeElement)) return;
      const found = hasCome() ? document.querySelector<HTMLElement>(what) : null;
      if (found) found.focus();
      else if (frames > 0) wait(frames - 1);
    });
  };
  wait(FRAMES);
}

// The view in which a page was left, for when it is loaded again.

import * as model from "./model";

const STORED = "treemind-panel";

/** Keeps it as long as the tab lives. */
export function leave(): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([model.view.value?.file ?? "", model.panel.value]));
  } catch {
    // Without a storage, the page begins as for the first time.
  }
}

/** Shows a file as it was shown before the page was loaded again, if it was that one, and if it is more than the graph. */
export function comeBack(file: string): void {
  try {
    const [of, panel] = JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as unknown[];
    if (of === file && (panel === "edit" || panel === "tests")) model.panel.value = panel;
  } catch {
    // What somebody else has put there is nothing to come back to.
  }
}

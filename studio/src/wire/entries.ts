// The entries that the page makes in the history of the browser: one for each file that was shown, so that *Back* of the
// browser leads to the file before.

/** The file of the entry in which the page is; empty before the first one. */
let here = "";
/** The file of the entry to which the browser has gone, while that file is not shown yet. */
let there = "";

/** The file that an address names. */
const fileOf = (address: string): string => new URLSearchParams(address.slice(1)).get("file") ?? "";

/** Writes the address of what is shown. Another file than before gets an entry of its own. */
export function write(address: string): void {
  const file = fileOf(address);
  // The entry to which the browser has gone keeps its address until its file is shown.
  if (there !== "" && there !== file) return;
  if (there === "" && here !== "" && here !== file) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  [here, there] = [file, ""];
}

/** The browser has gone to an entry with this file, or somebody has typed its address. */
export function goTo(file: string): void {
  there = file;
}

/** Somebody has chosen a file; if it is not the one to which the browser has gone, that is given up. */
export function choose(file: string): void {
  if (there !== file) there = "";
}

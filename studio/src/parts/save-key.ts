/** Whether a key is the one by which people save: `Ctrl S`, also with Caps Lock. The editor of texts, a file of its own, asks this too. */
export const isSaveKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s";

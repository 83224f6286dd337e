/** A sentence where nothing can be shown as code, as in a tooltip: without the backquotes around names of the document. */
export const unmarked = (text: string): string => text.replaceAll("`", "");

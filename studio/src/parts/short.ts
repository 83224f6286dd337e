// Long texts in little room. A value of a document may have any length, so nothing measures or shows all of it.

/** How much of a text is looked at where it is shown in a line. */
const MOST = 400;

/** Where a text can end without halving a letter that takes two places, as an emoji does. */
function endOf(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end > 1 && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

/** The beginning of a text that is longer than so many letters. */
export const short = (text: string, most = MOST): string =>
  text.length <= most ? text : `${text.slice(0, endOf(text, most - 1)).trimEnd()}…`;

/** The beginning of a text that is wider than this. It is halved again and again: to measure is slow. */
export function fitting(text: string, width: number, measure: (text: string) => number): string {
  const bounded = short(text);
  if (measure(bounded) <= width) return bounded;
  let [fits, tooLong] = [1, Math.min(text.length, MOST)];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${text.slice(0, middle)}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return `${text.slice(0, Math.max(1, endOf(text, fits))).trimEnd()}…`;
}

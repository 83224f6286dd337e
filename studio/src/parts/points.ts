// Where very many are: a text with four digits for each, and how they have moved. docs/studio-protocol.md says how.

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let nth = 0; nth < 64; nth++) VALUES[DIGITS.charCodeAt(nth)] = nth;

const two = (text: string, at: number): number => VALUES[text.charCodeAt(at)] * 64 + VALUES[text.charCodeAt(at + 1)];
const digits = (number: number): string => DIGITS[number >> 6] + DIGITS[number & 63];

let last = { text: "", places: new Uint16Array() };

/** The places of a text: of each point the distance from the left, then that from above. */
export function placesOf(text: string): Uint16Array {
  if (text !== last.text) {
    const places = new Uint16Array(text.length / 2);
    for (let nth = 0; nth < places.length; nth++) places[nth] = two(text, nth * 2);
    last = { text, places };
  }
  return last.places;
}

/** Points that have moved. */
export function moved(before: string, moves: string): string {
  const out: string[] = [];
  let at = 0;
  for (let nth = 0; nth < moves.length; nth++) {
    const digit = VALUES[moves.charCodeAt(nth)];
    if (digit === 63) {
      out.push(moves.slice(nth + 1, nth + 5));
      nth += 4;
      at += 4;
    } else if (digit >= 49) {
      const end = at + 4 * 2 ** (digit - 48);
      out.push(before.slice(at, end));
      at = end;
    } else {
      out.push(digits(two(before, at) + (digit % 7) - 3), digits(two(before, at + 2) + Math.floor(digit / 7) - 3));
      at += 4;
    }
  }
  return out.join("");
}

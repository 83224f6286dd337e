// Where the situations of a search are drawn.

/** The places of situations as a tree from left to right: the column is how many steps lead there, each leaf has a row. */
export function places(situations: { from: [number, string] | null; steps: number }[]): { column: number; row: number }[] {
  const after: number[][] = situations.map(() => []);
  const first: number[] = [];
  situations.forEach(({ from }, nth) => {
    if (from) after[from[0]].push(nth);
    else first.push(nth);
  });
  const rows = situations.map(() => 0);
  let next = 0;
  // Without recursion: a situation is met again when all that come after it have their rows.
  const todo = first.toReversed().map((nth) => ({ nth, isDone: false }));
  for (let one = todo.pop(); one; one = todo.pop()) {
    const own = after[one.nth];
    if (own.length === 0) {
      rows[one.nth] = next++;
    } else if (one.isDone) {
      rows[one.nth] = (rows[own[0]] + rows[own[own.length - 1]]) / 2;
    } else {
      todo.push({ nth: one.nth, isDone: true });
      for (const child of own.toReversed()) todo.push({ nth: child, isDone: false });
    }
  }
  return situations.map(({ steps }, nth) => ({ column: steps, row: rows[nth] }));
}

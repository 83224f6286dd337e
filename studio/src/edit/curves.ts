// The curves of considerations: what they compute, and where one can take hold of them. docs/utility.md describes them.

/** A name and all its numbers, be they written or not. */
export interface Curve {
  name: string;
  numbers: Readonly<Record<string, number>>;
  points: readonly (readonly [number, number])[];
}

const within = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value));

const exponential = (steep: number, x: number): number => (Math.abs(steep) < 1e-9 ? x : (Math.exp(steep * x) - 1) / (Math.exp(steep) - 1));

/** What a consideration of this value is worth. */
export function worth({ name, numbers: of, points }: Curve, x: number): number {
  if (name === "power") return within(x ** of.exponent);
  if (name === "logistic") return 1 / (1 + Math.exp(-of.steep * (x - of.mid)));
  if (name === "exponential") return within(exponential(of.steep, x));
  if (name === "step") return x >= of.at ? 1 : 0;
  if (name !== "points") return within(of.slope * x + of.offset);
  const next = points.findIndex(([at]) => at >= x);
  if (next < 0) return points.at(-1)?.[1] ?? 0;
  if (next === 0) return points[0][1];
  const [[left, low], [right, high]] = [points[next - 1], points[next]];
  return low + ((high - low) * (x - left)) / (right - left || 1);
}

/** How far beside its middle a logistic curve is held for its steepness. */
const BESIDE = 0.1;

/** The places where one can take hold of a curve. */
export function handles(curve: Curve): [number, number][] {
  const of = curve.numbers;
  if (curve.name === "points") return curve.points.map(([x, y]) => [x, y]);
  if (curve.name === "step") return [[of.at, 0.5]];
  if (curve.name === "logistic") {
    const beside = within(of.mid + BESIDE);
    return [
      [of.mid, 0.5],
      [beside, worth(curve, beside)],
    ];
  }
  const at = curve.name === "power" || curve.name === "exponential" ? [0.5] : [0, 1];
  return at.map((x) => [x, worth(curve, x)]);
}

/** Few digits, so that a person would have written it. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The numbers or points that change when the handle with this number is dragged to a place. */
export function dragged(curve: Curve, nth: number, x: number, y: number): Partial<Curve> {
  const of = curve.numbers;
  const [inX, inY] = [within(x), within(y)];
  // Where the curve is flat, no number leads there.
  const open = within(y, 0.01, 0.99);
  const numbers = (changed: Record<string, number>): Partial<Curve> => ({
    numbers: Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, rounded(value)])),
  });
  if (curve.name === "points") {
    const [low, high] = [curve.points[nth - 1]?.[0] ?? -0.01, curve.points[nth + 1]?.[0] ?? 1.01];
    const moved: [number, number] = [rounded(within(inX, low + 0.01, high - 0.01)), rounded(inY)];
    return { points: curve.points.map((point, at) => (at === nth ? moved : point)) };
  }
  if (curve.name === "step") return numbers({ at: inX });
  if (curve.name === "power") return numbers({ exponent: within(Math.log(open) / Math.log(0.5), 0.05, 8) });
  // At a half, the curve is 1 / (1 + e^(steep / 2)).
  if (curve.name === "exponential") return numbers({ steep: within(2 * Math.log(1 / open - 1), -20, 20) });
  if (curve.name === "logistic")
    return nth === 0 ? numbers({ mid: inX }) : numbers({ steep: within(Math.log(open / (1 - open)) / BESIDE, -60, 60) });
  const right = of.slope + of.offset;
  return nth === 0 ? numbers({ slope: right - inY, offset: inY }) : numbers({ slope: inY - of.offset });
}

/** How far points are apart at least. */
const APART = 0.01;

/** Where a new point goes: behind how many others, and its place; `null` where one is already. */
export function between(points: Curve["points"], x: number, y: number): { behind: number; at: [number, number] } | null {
  const at: [number, number] = [rounded(within(x)), rounded(within(y))];
  if (points.some(([other]) => Math.abs(other - at[0]) < APART - 1e-9)) return null;
  return { behind: points.filter(([other]) => other < at[0]).length, at };
}

/** A place on the curve in the middle between a point and the next one; behind the last one, before it. */
export function halfway(points: Curve["points"], nth: number): [number, number] {
  const [left, right] = nth + 1 < points.length ? [points[nth], points[nth + 1]] : [points[nth - 1], points[nth]];
  return [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
}

/** What is to be written where one curve differs from another: of the curve itself, with `nth` null, and of its points. */
export function differing(was: Curve, is: Partial<Curve>): { nth: number | null; entries: { name: string; value: string }[] }[] {
  const said = (all: [string, number][], before: (name: string) => number | undefined): { name: string; value: string }[] =>
    all.filter(([name, value]) => value !== before(name)).map(([name, value]) => ({ name, value: String(value) }));
  const own = { nth: null, entries: said(Object.entries(is.numbers ?? {}), (name) => was.numbers[name]) };
  const points = (is.points ?? []).map((point, nth) => ({
    nth,
    entries: said(
      point.map((value, at): [string, number] => [String(at), value]),
      (at) => was.points[nth][Number(at)],
    ),
  }));
  return [own, ...points].filter((one) => one.entries.length > 0);
}

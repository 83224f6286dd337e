// A definition in which nothing says how much stands before it, so that a node more changes little of it.
// crates/treemind_studio/src/session/packed.rs makes the same form.

import type { Behaviour, Definition } from "../protocol";

/** A place of a text; what is in this form counts its line from the one before in its file, and its last line from there. */
type Place = [file: number, line: number, column: number, last: number, end: number, ...rest: unknown[]];
type Line = Behaviour["lines"][number];
type Name = Definition["names"][number];

/** A definition in this form: names without their places, and all places of all names in the order of the texts. */
export type Packed = Omit<Definition, "names"> & {
  names: (Omit<Name, "at"> & { at?: Name["at"] })[];
  uses?: [name: string, ...place: Place][];
};

/** The kind and the numbers of an id. */
function numbers(id: string): [kind: string, all: number[]] | null {
  if (!/^[a-z](0|[1-9]\d*)(\.(0|[1-9]\d*))*$/.test(id)) return null;
  return [id[0], id.slice(1).split(".").map(Number)];
}

/** Counts the numbers of ids from those before, or back. */
class Ids {
  private node = 0;
  private within = new Map<string, [node: number, number: number]>();

  packed(id: string, nth: number): string {
    const found = numbers(id);
    if (!found) return `=${id}`;
    const [kind, [node, number, ...rest]] = found;
    if (kind === "p") return id === `p${nth}` ? "p" : `=${id}`;
    const out = [`${kind}${node - this.node}`];
    if (number !== undefined) out.push(String(number - this.before(kind, node)));
    this.turn(kind, node, number);
    return [...out, ...rest].join(".");
  }

  unpacked(text: string, nth: number): string {
    if (text.startsWith("=")) return text.slice(1);
    if (text === "p") return `p${nth}`;
    const kind = text[0];
    const [by, next, ...rest] = text.slice(1).split(".").map(Number);
    const node = this.node + by;
    const number = next === undefined ? undefined : this.before(kind, node) + next;
    this.turn(kind, node, number);
    return `${kind}${[node, ...(number === undefined ? [] : [number]), ...rest].join(".")}`;
  }

  /** The number of the last line of a kind within the same node. */
  private before(kind: string, node: number): number {
    const last = this.within.get(kind);
    return last?.[0] === node ? last[1] : 0;
  }

  private turn(kind: string, node: number, number: number | undefined): void {
    this.node = node;
    if (number !== undefined) this.within.set(kind, [node, number]);
  }
}

/** The states that are the first of their machines with their names: names by ids, and ids by machines and names. */
function states(lines: Line[]): { names: Map<string, string>; ids: Map<string, string> } {
  const [names, ids] = [new Map<string, string>(), new Map<string, string>()];
  for (const { id, is, label } of lines) {
    if (is !== "state" || label === undefined) continue;
    const named = `${id.slice(1).split(".")[0]} ${label}`;
    if (ids.has(named)) continue;
    ids.set(named, id);
    names.set(id, label);
  }
  return { names, ids };
}

/** Says for the keys in expressions whether the first one with that name is meant, or back. */
function withKeys(line: Line, swap: (key: number | null, text: string) => number | null): Line {
  const swapped = <T extends Line["values"][number]>(one: T): T =>
    one.parts.some((part) => swap(part.key, part.text) !== part.key)
      ? { ...one, parts: one.parts.map((part) => ({ ...part, key: swap(part.key, part.text) })) }
      : one;
  return { ...line, values: line.values.map(swapped), properties: line.properties.map(swapped) };
}

function firsts(behaviour: Behaviour): Map<string, number> {
  const out = new Map<string, number>();
  behaviour.keys.forEach((key, nth) => {
    if (!out.has(key.name)) out.set(key.name, nth);
  });
  return out;
}

function withStates(line: Line, swap: (state: string) => string): Line {
  const out = { ...line };
  if (line.source !== undefined) out.source = swap(line.source);
  if (line.targets !== undefined) out.targets = line.targets.map(swap);
  return out;
}

/** Counts the keys of thresholds from those before, or back. */
function withThresholds(behaviour: Behaviour, isBack: boolean): Behaviour["thresholds"] {
  let last = 0;
  return behaviour.thresholds.map((one) => {
    const key = isBack ? last + one.key : one.key - last;
    last = isBack ? key : one.key;
    return { ...one, key };
  });
}

function packedBehaviour(behaviour: Behaviour): Behaviour {
  const { names } = states(behaviour.lines);
  const [ids, keys] = [new Ids(), firsts(behaviour)];
  const named = (state: string): string => (names.has(state) ? `@${names.get(state)}` : `=${state}`);
  const first = (key: number | null, text: string): number | null => (key !== null && keys.get(text) === key ? -1 : key);
  const lines = behaviour.lines.map((line, nth) => {
    const out = withKeys(withStates(line, named), first);
    return { ...out, id: ids.packed(line.id, nth) };
  });
  return { ...behaviour, lines, thresholds: withThresholds(behaviour, false) };
}

function unpackedBehaviour(behaviour: Behaviour): Behaviour {
  const [counted, keys] = [new Ids(), firsts(behaviour)];
  const lines = behaviour.lines.map((line, nth) => ({ ...line, id: counted.unpacked(line.id, nth) }));
  const { ids } = states(lines);
  const first = (key: number | null, text: string): number | null => (key === -1 ? (keys.get(text) ?? key) : key);
  return {
    ...behaviour,
    thresholds: withThresholds(behaviour, true),
    lines: lines.map((line) => {
      const node = line.id.slice(1).split(".")[0];
      const found = (state: string): string => (state[0] === "@" ? (ids.get(`${node} ${state.slice(1)}`) ?? state) : state.slice(1));
      return withKeys(withStates(line, found), first);
    }),
  };
}

/** Counts lines of texts from those before, or back. */
class Lines {
  private last = new Map<number, number>();

  packed<T extends Place>([file, line, column, last, end, ...rest]: T): T {
    const before = this.last.get(file) ?? 0;
    this.last.set(file, line);
    return [file, line - before, column, last - line, end, ...rest] as Place as T;
  }

  unpacked<T extends Place>([file, by, column, last, end, ...rest]: T): T {
    const line = (this.last.get(file) ?? 0) + by;
    this.last.set(file, line);
    return [file, line, column, line + last, end, ...rest] as Place as T;
  }
}

const inOrder = (one: Place, other: Place): number => {
  for (let nth = 0; nth < 5; nth++) if (one[nth] !== other[nth]) return (one[nth] as number) - (other[nth] as number);
  return 0;
};

/** What names are told apart by: kind and name, and a number if that is not enough. */
function nameKeys(names: { kind: string; name: string }[]): string[] {
  const counts = new Map<string, number>();
  return names.map(({ kind, name }) => {
    const key = `${kind} ${name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? key : `${key} ${count}`;
  });
}

/** Puts a definition into this form. */
export function packed(definition: Definition): Packed {
  const { behaviour, places, names, ...rest } = definition;
  const lines = new Lines();
  const out: Packed = {
    ...rest,
    behaviour: behaviour && packedBehaviour(behaviour),
    places: places.map((place) => place && lines.packed(place)),
    names,
  };
  const keys = nameKeys(names);
  const isSorted = ({ at }: Name): boolean => at.every((one, nth) => nth === 0 || inOrder(at[nth - 1], one) <= 0);
  if (!names.every(isSorted)) return out;
  const all = names.flatMap(({ at }, nth) => at.map((one) => [keys[nth], one] as const));
  all.sort(([, one], [, other]) => inOrder(one, other));
  const counted = new Lines();
  out.uses = all.map(([key, at]) => [key, ...counted.packed(at as Place)]);
  out.names = names.map(({ at: _, ...name }) => name);
  return out;
}

/** The definition that is in this form. */
export function unpacked(form: Packed): Definition {
  const { behaviour, places, names, uses, ...rest } = form;
  const lines = new Lines();
  const out = {
    ...rest,
    behaviour: behaviour && unpackedBehaviour(behaviour),
    places: places.map((place) => place && lines.unpacked(place)),
  };
  if (!uses) return { ...out, names } as Definition;
  const keys = nameKeys(names);
  const at = new Map<string, Place[]>(keys.map((key) => [key, []]));
  const counted = new Lines();
  for (const [key, ...place] of uses) at.get(key)?.push(counted.unpacked(place));
  return { ...out, names: names.map((name, nth) => ({ ...name, at: at.get(keys[nth]) ?? [] })) } as Definition;
}

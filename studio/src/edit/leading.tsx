// To what an answer of a decision tree may lead: a drag in the drawing and the lists of the inspector do the same.

import { useState } from "preact/hooks";
import { unmarked } from "../parts/unmarked";
import type { Edit, SheetNode } from "../protocol";
import { t } from "../texts";
import { said } from "../texts/purposes";
import { question } from "./actions";
import { Calm } from "./calm";
import * as sheet from "./sheet";
import { useVerdicts } from "./trial";

/** Questions with two answers, which need not be written. */
export const TWO_SIDED = ["test", "range", "test-condition"];

/** An answer by its own node, or one side of a question. */
export interface Answer {
  id: number;
  side: string | null;
}

/** What lets an answer lead to a node, and the name of the branch that begins there then; none where one begins already. `null` of
 * what the answer stands in. The server knows what else cannot be. */
export function leading(from: Answer, to: SheetNode): { edit: Edit & { do: "lead" }; name: string | null } | null {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const nth = nodes.indexOf(to);
  const place = nodes.findIndex((one) => one.id === from.id);
  if (place < 0 || sheet.parentsOf(place).includes(nth)) return null;
  const parent = sheet.parents.value[nth];
  const isShared = to.word === "goto" || to.role === "branch" || (nodes[parent]?.role === "branch" && parent === nth - 1);
  const name = isShared ? null : suggested(to);
  return { edit: { do: "lead", ...from, to: to.id, name }, name };
}

/** Lets an answer lead there; the branch may get another name than the one that is suggested. */
export function lead({ edit, name }: NonNullable<ReturnType<typeof leading>>): void {
  if (name === null) sheet.edit(edit);
  else question.value = { label: t("branchName"), value: name, edit: (given) => ({ ...edit, name: given }) };
}

/** A name for a branch that begins with a node: its first words, as a name can be written. A number alone says nothing. */
function suggested(of: SheetNode): string {
  const text = (/\p{L}/u.test(of.values[0] ?? "") ? of.values[0] : of.word)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const taken = new Set(sheet.sheet.value?.nodes.filter((one) => one.role === "branch").map((one) => one.values[0]));
  let name = text || of.word;
  for (let count = 2; taken.has(name); count++) name = `${text || of.word}-${count}`;
  return name;
}

/** What stands in the decision tree of an answer that it may lead to. */
export function goalsOf(from: Answer): { to: SheetNode; goal: NonNullable<ReturnType<typeof leading>> }[] {
  const nodes = sheet.sheet.value?.nodes ?? [];
  const top = sheet.parentsOf(nodes.findIndex((one) => one.id === from.id)).at(-1) ?? 0;
  const end = nodes.findIndex((one, nth) => nth > top && one.depth === 0);
  return nodes.slice(top, end < 0 ? undefined : end).flatMap((to) => {
    const goal = /^(question|task|branch)$/.test(to.role) || to.word === "goto" ? leading(from, to) : null;
    return goal ? [{ to, goal }] : [];
  });
}

/** To what the answers of a node lead. */
export function LeadsOn({ of }: { of: SheetNode }) {
  const sides = of.role === "answer" ? [null] : TWO_SIDED.includes(of.word) ? (["yes", "no"] as const) : [];
  return (
    <div class="leads">
      {sides.map((side) => (
        <Goals key={side} from={{ id: of.id, side }} label={side ? `${t(side)}: ${t("leadTo")}` : t("leadTo")} />
      ))}
    </div>
  );
}

/** The goals of an answer. Those that cannot be say why; the server is asked when somebody comes near. */
function Goals({ from, label }: { from: Answer; label: string }) {
  const [isNear, near] = useState(false);
  const goals = goalsOf(from);
  const whys = useVerdicts(isNear ? goals.map((one) => one.goal.edit) : [], sheet.sheet.value?.revision);
  return (
    <Calm
      label={label}
      value=""
      near={() => near(true)}
      take={(id) => {
        const taken = goals.find((one) => String(one.to.id) === id);
        if (taken) lead(taken.goal);
      }}
    >
      <option value="">{label}</option>
      {goals.map(({ to }, nth) => (
        <option key={to.id} value={String(to.id)} disabled={!!whys[nth]} title={unmarked(said(whys[nth] ?? ""))}>
          {to.word} {sheet.said(to).name}
        </option>
      ))}
    </Calm>
  );
}

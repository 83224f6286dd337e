// The text of the documents.

import * as model from "./model";

/** A line of a document with its words coloured. */
function coloured(text: string) {
  const pattern = /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(#?-?\b\d[\d._]*\b|#true|#false)|(^\s*[\w-]+)/g;
  const out = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, comment, string, number, word] = match;
    const start = match.index;
    if (start > from) out.push(text.slice(from, start));
    const kind = comment ? "comment" : string ? "string" : number ? "number" : word ? "word" : "";
    out.push(<span class={kind}>{all}</span>);
    from = start + all.length;
  }
  out.push(text.slice(from));
  return out;
}

export function Document() {
  const definition = model.definition.value;
  const label = model.lines.value.find((line) => line.id === model.selected.value)?.label;
  const at = model.textAt.value;
  // A line of the text leads to what it names in the list, the longest name first.
  const toNode = (text: string): void => {
    const words = new Set(text.match(/[\w-]+/g) ?? []);
    const named = model.lines.value.filter((one) => one.label && words.has(one.label));
    const best = named.sort((left, right) => (right.label?.length ?? 0) - (left.label?.length ?? 0))[0];
    if (best) model.reveal(best.id);
  };
  const isNamed = (line: string): boolean => !!label && new RegExp(`(^|[\\s="])${label.replace(/[^\w-]/g, "\\$&")}($|[\\s="])`).test(line);
  return (
    <div class="text" tabIndex={0}>
      {definition?.texts.map((one) => (
        <pre key={one.name} aria-label={one.name}>
          {one.text.replace(/\n$/, "").split("\n").map((line, nth) => {
            const found = definition.problems.filter((problem) => problem.file === one.name && problem.line === nth + 1);
            return (
              <div
                key={nth} data-line={nth + 1} onClick={() => toNode(line)}
                class={`${found.some((problem) => problem.is_error) ? "bad" : found.length > 0 ? "odd" : ""} ${isNamed(line) ? "named" : ""} ${at?.file === one.name && at.line === nth + 1 ? "here" : ""}`}
              >
                <span class="number">{nth + 1}</span><span>{coloured(line)}</span>
                {found.map((problem) => <em key={problem.code}>{problem.text}{problem.help ? ` · ${problem.help}` : ""} <b>{problem.code}</b></em>)}
              </div>
            );
          })}
        </pre>
      ))}
      {definition?.refusal && definition.texts.length === 0 && <p>{definition.refusal}</p>}
    </div>
  );
}

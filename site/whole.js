// Makes a document that plays of a block in the book. Most blocks are one already. Others are a part: what they leave out,
// the page has declared before, or the page about all nodes has for all of its examples.
(() => {
  /** What plays. */
  const DEFINES = /^(tree|machine|decide|planner)\s+\S.*\{/m;
  /** What is declared for others. */
  const DECLARES = /^(blackboard|leaves)\b/m;
  /** Words that begin something which is neither a node nor plays by itself. */
  const NO_NODE = /^(blackboard|leaves|curve|network|semaphore|test|state|transition|rule|import|from|main|key)\b/;
  /** Where leaves are used, with their properties. */
  const USES = /\b(action|condition|test-condition)\s+([a-z][\w.-]*)((?:\s+[\w-]+=(?:"[^"]*"|#?[\w.-]+))*)/g;
  /** Properties that every node may have. */
  const GENERAL = /^(name|doc|not|disabled|when|while|aborts|(fail|skip|success|run)-if|on-\w+|gives|cost|score|weight|allow|timeout)$/;

  const bare = (text) => text.replace(/\/\/.*$/gm, "").trim();

  /** A block with the files that it imports in place of the imports, if the page shows them. */
  function withImports(text, before) {
    let missing = null;
    const made = text.replace(/^import\s+"([^"]+)".*$/gm, (line, file) => {
      const shown = before.find((block) => block.trimStart().startsWith(`// ${file}`));
      if (!shown) missing = file;
      return shown ?? line;
    });
    return missing ? { why: `It imports ${missing}, which this page does not show.` } : { text: made };
  }

  /** The blocks `leaves { … }` of a text, and the text without them. */
  function leavesOf(text) {
    let [leaves, rest, at] = ["", text, 0];
    for (let found = /^leaves\s*\{/m.exec(rest); found; found = /^leaves\s*\{/m.exec(rest)) {
      let depth = 0;
      for (at = found.index; at < rest.length; at += 1) {
        if (rest[at] === "{") depth += 1;
        if (rest[at] === "}" && --depth === 0) break;
      }
      leaves += rest.slice(found.index, at + 1);
      rest = rest.slice(0, found.index) + rest.slice(at + 1);
    }
    return [leaves, rest];
  }

  /** The type of what a property says; nothing if that cannot be seen. */
  function typeOf(value, text) {
    const key = value.match(/^"\{(\w+)\}"$/)?.[1];
    if (key) return text.match(new RegExp(`\\bkey ${key} type=(\\w+)`))?.[1];
    if (/^#(true|false)$/.test(value)) return "bool";
    if (/^-?\d+$/.test(value)) return "int";
    if (/^-?\d+\.\d+$/.test(value)) return "float";
    return /^"[^={]/.test(value) ? "string" : undefined;
  }

  /** A text with the leaves that it uses and does not declare: they have no code anywhere, and answer as one says. */
  function withLeaves(text) {
    const [declared, rest] = leavesOf(bare(text));
    const missing = new Map();
    for (const [, word, name, properties] of rest.matchAll(USES)) {
      const kind = word === "test-condition" ? "condition" : word;
      if (new RegExp(`\\b${kind} ${name}(?![\\w.-])`).test(declared)) continue;
      const params = missing.get(`${kind} ${name}`) ?? new Map();
      for (const [, property, value] of properties.matchAll(/([\w-]+)=("[^"]*"|#?[\w.-]+)/g)) {
        const type = GENERAL.test(property) ? undefined : typeOf(value, text);
        if (type) params.set(property, type);
      }
      missing.set(`${kind} ${name}`, params);
    }
    if (missing.size === 0) return text;
    const lines = [...missing].map(([leaf, params]) => {
      const inside = [...params].map(([param, type]) => `param ${param} type=${type};`).join(" ");
      return inside === "" ? `    ${leaf}` : `    ${leaf} { ${inside} }`;
    });
    return `leaves {\n${lines.join("\n")}\n}\n${text}`;
  }

  /** A text that says what plays, if it defines several things: the first in `own` that no other one uses. */
  function withMain(text, own) {
    const of = (all) => [...all.matchAll(/^(tree|machine|decide|planner)\s+([\w-]+).*\{/gm)];
    if (of(text).length < 2 || /^main\b/m.test(text)) return text;
    const uses = (name) => new RegExp(`\\b(subtree|run|machine|decide|planner)( |=)${name}\\b(?!.*\\{\\s*$)`, "m").test(text);
    const all = of(own);
    const [, word, name] = all.find((one) => !uses(one[2])) ?? all[0];
    return `main ${word}=${name}\n${text}`;
  }

  /** What a block takes from earlier blocks of its page: what they declare, and the trees, machines and decision trees it uses. */
  function earlier(text, before) {
    const used = (block) =>
      [...block.matchAll(/^(tree|machine|decide|planner)\s+([\w-]+).*\{/gm)].some(([, , name]) => {
        return new RegExp(`\\b(subtree|run|machine|decide|planner) ${name}\\b`).test(text) && !text.includes(` ${name} {`);
      });
    return before.filter((block) => (DECLARES.test(block) && !DEFINES.test(block)) || used(block)).join("\n");
  }

  /** Why a document cannot play although it is one. */
  function lacking(text) {
    const file = text.match(/^network .*\bfrom="([^"]+)"/m)?.[1];
    if (file) return `It reads ${file}, which a page cannot.`;
    const [, word, name] = text.match(/^main (\w+)=([\w-]+)/m) ?? text.match(/^(tree|machine|decide|planner)\s+([\w-]+)/m);
    const begin = text.search(new RegExp(`^${word} ${name}\\b.*\\{`, "m"));
    const isCalled = /^.*\{\s*in [^\n]*type=(?!.*default=)/.test(text.slice(begin));
    return isCalled ? "It is called by others, which give it its parameters." : null;
  }

  /**
   * The document that a block is, as `{ text }`, or why it does not play, as `{ why }`; nothing for a block that only declares
   * something. `before` are the blocks of the page before it, `shared` is what all examples of the page may use; null on pages
   * about mistakes, whose blocks stay as they are.
   */
  function whole(text, before, shared) {
    const own = withImports(text, before);
    if (own.why) return own;
    const isDefinition = DEFINES.test(own.text);
    if (!isDefinition && (!shared || NO_NODE.test(bare(own.text)))) return null;
    const needsLeaves = /\b(action|condition|test-condition)\s/.test(own.text) && !/^leaves\b/m.test(own.text);
    const needsKeys = /"[^"]*[<>=][^"]*"/.test(own.text) && !/^blackboard\b/m.test(own.text) && !/\bkey\s/.test(own.text);
    let made = own.text;
    if (needsLeaves || needsKeys || !isDefinition) {
      const declared = shared || earlier(own.text, before);
      if (declared === "") return { why: "This is a part of a document: it uses names that are declared elsewhere." };
      const tree = `tree example {\n${own.text.replace(/^(?=.)/gm, "    ")}}\n`;
      made = isDefinition ? `${declared}\n${own.text}` : `main tree=example\n${declared}\n${tree}`;
      made = withLeaves(made);
    }
    if (shared !== null) made = withMain(made, own.text);
    if (shared) made = withLeaves(made);
    const why = lacking(made);
    return why ? { why } : { text: made };
  }

  globalThis.treemindWhole = whole;
})();

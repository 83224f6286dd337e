// Makes a document that plays of a block in the book. Most blocks are one already. Others are a part: what they leave out,
// the page has declared before, or the page about all nodes has for all of its examples.
(() => {
  /** What plays. */
  const DEFINES = /^(tree|machine|decide|planner)\s+\S.*\{/m;
  /** What is declared for others. */
  const DECLARES = /^(blackboard|leaves)\b/m;
  /** Words that begin something which is neither a node nor plays by itself. */
  const NO_NODE = /^(blackboard|leaves|curve|network|semaphore|test|state|transition|rule|import|from|main|key)\b/;

  const code = (text) => text.replace(/^\s*\/\/.*$/gm, "").trim();

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

  /**
   * The document that a block is, as `{ text }`, or why it does not play, as `{ why }`; nothing for a block that only declares
   * something. `before` are the blocks of the page before it, `shared` is what all examples of the page may use.
   */
  function whole(text, before, shared) {
    const own = withImports(text, before);
    if (own.why) return own;
    const isDefinition = DEFINES.test(own.text);
    if (!isDefinition && (!shared || NO_NODE.test(code(own.text)))) return null;
    const needsLeaves = /\b(action|condition|test-condition)\s/.test(own.text) && !/^leaves\b/m.test(own.text);
    const needsKeys = /"[^"]*[<>=][^"]*"/.test(own.text) && !/^blackboard\b/m.test(own.text) && !/\bkey\s/.test(own.text);
    if (isDefinition && !needsLeaves && !needsKeys) return own;
    const page = before.filter((block) => DECLARES.test(block) && !DEFINES.test(block)).join("\n");
    const declared = shared || page;
    if (isDefinition) {
      if (declared === "") return { why: "This is a part of a document: it uses names that are declared elsewhere." };
      return { text: `${declared}\n${own.text}` };
    }
    return { text: `${shared}\ntree example {\n${own.text.replace(/^(?=.)/gm, "    ")}}\nmain tree=example\n` };
  }

  globalThis.treemindWhole = whole;
})();

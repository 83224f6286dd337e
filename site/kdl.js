// Documents in the book have colours, as in editors: first words, properties, texts, numbers, comments. The book's own
// highlighter does not know KDL. Without it, or in a browser that cannot read this file, they stay as they are.
(() => {
  const hljs = globalThis.hljs;
  if (!hljs?.registerLanguage) return;
  const name = "[^\\s\"'={}()\\[\\];/\\\\#<>,0-9][^\\s\"'={}()\\[\\];/\\\\#]*";
  hljs.registerLanguage("kdl", (make) => ({
    contains: [
      make.C_LINE_COMMENT_MODE,
      make.C_BLOCK_COMMENT_MODE,
      { className: "comment", begin: "/-" },
      { className: "string", begin: '"""', end: '"""' },
      { className: "string", begin: '"', end: '"', contains: [make.BACKSLASH_ESCAPE] },
      { className: "literal", begin: "#(true|false|null|inf|-inf|nan)\\b" },
      { className: "keyword", begin: `(?<=^[ \\t]*|[{;][ \\t]*)${name}` },
      { className: "attr", begin: `${name}(?==)` },
      { className: "number", begin: "(?<![\\w.-])[-+]?\\d[\\d_]*(\\.\\d[\\d_]*)?([eE][-+]?\\d+)?(?![\\w-])" },
    ],
  }));
  const paint = hljs.highlightElement ?? hljs.highlightBlock;
  for (const code of document.querySelectorAll("main pre > code.language-kdl")) {
    delete code.dataset.highlighted;
    paint.call(hljs, code);
  }
})();

// Documents in the book run beside the text: each block that is a document has a button, and pages about an example show it
// at the ticks that they talk about.
(() => {
  const studio = new URL("studio/index.html", document.currentScript.src).href;

  /** A frame with the studio, below an element. Another one takes its place there. */
  function alive(below, address, title) {
    const known = below.nextElementSibling;
    if (known?.classList.contains("alive")) known.remove();
    const figure = document.createElement("div");
    figure.className = "alive";
    const acts = document.createElement("p");
    acts.className = "acts";
    const close = document.createElement("button");
    close.className = "tick";
    close.textContent = "close";
    close.onclick = () => figure.remove();
    const whole = document.createElement("a");
    whole.href = studio + address;
    whole.textContent = "open alone";
    acts.append(close, whole);
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.src = studio + address;
    figure.append(acts, frame);
    below.after(figure);
    return figure;
  }

  /** Whether a text is a document that stands alone: it has all that it names, as far as one can see without reading it. */
  function isDocument(text) {
    const needsLeaves = /\b(action|condition)\s/.test(text) && !/^leaves\b/m.test(text);
    const needsKeys = /"[^"]*[<>=][^"]*"/.test(text) && !/^blackboard\b/m.test(text);
    return /^(tree|machine|decide|planner)\s+\S.*\{/m.test(text) && !needsLeaves && !needsKeys && !/^import\b/m.test(text);
  }

  for (const code of document.querySelectorAll("main pre > code.language-kdl")) {
    const text = code.textContent;
    if (!isDocument(text)) continue;
    const block = code.parentElement;
    const run = document.createElement("button");
    run.className = "run";
    run.textContent = "run";
    run.onclick = () => alive(run, `#${new URLSearchParams({ text })}`, "this document in the studio");
    block.after(run);
  }

  const example = location.pathname.match(/\/examples\/(\d\d-[^/]+)\//)?.[1];
  const main = document.querySelector("main");
  if (!example || !main) return;
  // The document that the page names first plays.
  fetch(new URL("examples.json", studio))
    .then((answer) => answer.json())
    .then((files) => {
      const documents = files.map(([name]) => name).filter((name) => name.startsWith(`${example}/`) && name.endsWith(".kdl"));
      const place = (name) => (main.textContent.indexOf(name.split("/")[1]) + 1 || 1e9) + name.length / 1e3;
      const file = documents.sort((one, other) => place(one) - place(other))[0];
      if (!file) return;
      const title = main.querySelector("h1");
      let shown = alive(title, `#${new URLSearchParams({ file })}`, `${file} in the studio`);
      const show = (tick) => {
        shown.remove();
        shown = alive(title, `#${new URLSearchParams({ file, tick })}`, `${file} at tick ${tick}`);
        shown.scrollIntoView({ block: "start" });
      };
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        if (!parent.closest("pre, code, a, button, h1, h2, h3, .alive")) texts.push(walker.currentNode);
      }
      for (const node of texts) {
        const found = node.data.match(/\b[Tt]ick (\d+)/);
        if (!found) continue;
        const rest = node.splitText(found.index);
        rest.splitText(found[0].length);
        const button = document.createElement("button");
        button.className = "tick";
        button.textContent = found[0];
        button.onclick = () => show(found[1]);
        rest.replaceWith(button);
      }
    })
    .catch(() => {
      // Without the studio, the page is a page.
    });
})();

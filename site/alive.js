// Documents in the book run beside the text: each block that is a document has a button, and pages about an example show it
// at the ticks that they talk about.
(() => {
  const studio = new URL("studio/index.html", document.currentScript.src).href;
  const home = new URL("./", document.currentScript.src).pathname;

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

  /** What all examples of the pages about nodes may use: the last block of their first page. */
  async function shared() {
    if (/\/codes\/[^/]*$/.test(location.pathname)) return null;
    if (!/\/nodes\/[^/]*$/.test(location.pathname)) return "";
    const answer = await fetch("index.html");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return [...page.querySelectorAll("main pre > code.language-kdl")].at(-1)?.textContent ?? "";
  }

  /** A button below each block that plays; below the others, why they do not. */
  function withButtons(shared) {
    const before = [];
    for (const code of document.querySelectorAll("main pre > code.language-kdl")) {
      const text = code.textContent;
      const made = globalThis.treemindWhole(text, [...before], shared);
      before.push(text);
      const block = code.parentElement;
      if (made?.text) {
        const run = document.createElement("button");
        run.className = "run";
        run.textContent = "run";
        run.onclick = () => alive(run, `#${new URLSearchParams({ text: made.text })}`, "this document in the studio");
        block.after(run);
      } else if (made?.why) {
        const note = document.createElement("p");
        note.className = "no-run";
        note.textContent = made.why;
        block.after(note);
      }
    }
  }
  // Without the page about all nodes, its examples have no buttons.
  shared().then(withButtons).catch(() => withButtons(""));

  // Whoever makes a character needs neither the program nor a folder.
  const begin = /\/your-own-character\.html$/.test(location.pathname) && document.querySelector("main pre");
  if (begin) {
    const here = document.createElement("button");
    here.className = "run";
    here.textContent = "open the studio here";
    here.onclick = () => alive(here, "", "the studio");
    begin.after(here);
  }

  // Whoever comes to the first page sees a guard live with one click.
  const intro = [home, `${home}index.html`].includes(location.pathname) && document.querySelector("main p");
  if (intro) {
    const guard = "#file=01-guard/guard.kdl";
    const acts = document.createElement("p");
    acts.className = "acts";
    const watch = document.createElement("button");
    watch.className = "run";
    watch.textContent = "watch a guard here";
    watch.onclick = () => alive(acts, guard, "a guard in the studio");
    const all = document.createElement("a");
    all.href = studio;
    all.textContent = "all examples in the studio";
    acts.append(watch, " ", all);
    fetch(new URL("examples.json", studio))
      .then((answer) => answer.ok && intro.after(acts))
      .catch(() => {
        // Without the studio, there is nothing to watch.
      });
  }

  const example = location.pathname.match(/\/examples\/(\d\d-[^/]+)\//)?.[1];
  const main = document.querySelector("main");
  if (!example || !main) return;
  fetch(new URL("examples.json", studio))
    .then((answer) => answer.json())
    .then((files) => {
      const documents = files.map(([name]) => name).filter((name) => name.startsWith(`${example}/`) && name.endsWith(".kdl"));
      if (documents.length > 0) told(main, documents);
    })
    .catch(() => {
      // Without the studio, the page is a page.
    });

  /** Makes a button of each tick that a page talks about, and shows the first of them. */
  function told(main, documents) {
    const named = (text) => documents.filter((name) => text.includes(name.split("/")[1]));
    // The document that the page names first plays, and where a section names another one, that.
    const place = (name) => (main.textContent.indexOf(name.split("/")[1]) + 1 || 1e9) + name.length / 1e3;
    const first = documents.sort((one, other) => place(one) - place(other))[0];
    const title = main.querySelector("h1");
    let shown = null;
    const show = (file, tick) => {
      shown?.remove();
      const at = tick === null ? "in the studio" : `at tick ${tick}`;
      shown = alive(title, `#${new URLSearchParams(tick === null ? { file } : { file, tick })}`, `${file} ${at}`);
      return shown;
    };
    let file = first;
    let firstTick = null;
    for (const [node, found] of ticksOf(main, (text, isHeading) => {
      file = isHeading ? first : (named(text)[0] ?? file);
    })) {
      const [of, tick] = [file, found[0].match(/\d+/)[0]];
      if (of === first) firstTick ??= tick;
      const rest = node.splitText(found.index);
      rest.splitText(found[0].length);
      const button = document.createElement("button");
      button.className = "tick";
      button.textContent = found[0];
      button.onclick = () => show(of, tick).scrollIntoView({ block: "start" });
      rest.replaceWith(button);
    }
    show(first, firstTick);
  }

  /** The texts that name a tick, with the place in them. All others are told to `passed`, in order. */
  function* ticksOf(main, passed) {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const node of texts) {
      const parent = node.parentElement;
      if (parent.closest("pre, button, .alive")) continue;
      passed(node.data, parent.closest("h1, h2, h3") !== null);
      if (parent.closest("code, a, h1, h2, h3")) continue;
      const cell = parent.closest("td");
      const isFirst = cell !== null && cell.cellIndex === 0;
      const isOfTicks = isFirst && cell.closest("table").querySelector("th")?.textContent.trim() === "tick";
      const found = node.data.match(isOfTicks ? /\d+/ : /\b[Tt]ick (\d+)/);
      if (found) yield [node, found];
    }
  }
})();

// Keeps the site for the next visit, when there may be no network. What this visit needs is loaded before.
function keep() {
  navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {
    // Not every address may keep something, and then the site works as long as there is a network.
  });
}

if ("serviceWorker" in navigator) {
  // Not every browser says when it is idle.
  const whenIdle = globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 1000));
  const wait = () => whenIdle(keep);
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait);
}

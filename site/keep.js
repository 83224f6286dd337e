// Keeps the site for the next visit, when there may be no network.
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {
    // Not every address may keep something, and then the site works as long as there is a network.
  });
}

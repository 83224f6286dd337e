import { expect, test } from "vitest";

test("a size that was chosen is there again when the page is loaded, within its limits", async () => {
  localStorage.setItem("size-list", "300");
  localStorage.setItem("size-side", "9000");
  localStorage.setItem("size-time", "no number");
  const { sizes } = await import("../src/parts/split");
  expect(sizes.value).toEqual({ list: 300, side: 720 });
  expect(document.documentElement.style.getPropertyValue("--list")).toBe("300px");
});

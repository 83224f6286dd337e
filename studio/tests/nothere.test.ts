import { h, render } from "preact";
import { expect, test } from "vitest";
import { NotHere } from "../src/edit/nothere";

test("why what is dragged cannot go there stands beside the pointer, whatever lies around the rows", () => {
  // happy-dom has no layer above the page: this one remembers what is in it.
  const above = new Set<Element>();
  HTMLElement.prototype.showPopover = function showPopover(this: HTMLElement) {
    above.add(this);
  };
  const { matches } = Element.prototype;
  Element.prototype.matches = function has(this: Element, what: string) {
    return what === ":popover-open" ? above.has(this) : matches.call(this, what);
  };
  const show = (at: { x: number; y: number }) => render(h(NotHere, { why: "`wait` takes no children", at }), document.body);
  show({ x: 100, y: 200 });
  const box = document.querySelector<HTMLElement>("p.why");
  expect([...above]).toEqual([box]);
  expect([box?.style.left, box?.style.top]).toEqual(["114px", "218px"]);
  expect(box?.innerHTML).toBe("<code>wait</code> takes no children");
  show({ x: 100, y: innerHeight });
  expect(Number.parseInt(box?.style.top ?? "", 10)).toBeLessThan(innerHeight);
  render(null, document.body);
});

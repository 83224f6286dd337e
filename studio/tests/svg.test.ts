import { expect, test } from "vitest";
import { SvgPainter } from "../src/graph/svg";

const measure = (text: string): number => text.length * 7;
const sheet = { wide: 100, high: 50, title: "a <b>", background: "#fff" };

test("paths, texts and boxes become elements", () => {
  const painter = new SvgPainter(measure);
  painter.fillStyle = "#123";
  painter.roundRect(0, 0, 20, 10, 5);
  painter.fill();
  painter.globalAlpha = 0.5;
  painter.setLineDash([5, 4]);
  painter.beginPath();
  painter.moveTo(0, 0);
  painter.arcTo(10, 0, 10, 10, 4);
  painter.lineTo(10, 10);
  painter.stroke();
  painter.font = "500 13px Inter, sans-serif";
  painter.textBaseline = "middle";
  painter.textAlign = "right";
  painter.fillText('health < "20" & more', 5, 10, 50);
  painter.fillText("  ", 0, 0);
  const text = painter.done(sheet);
  expect(text).toContain("<title>a &lt;b&gt;</title>");
  // The corner begins four before it, turns to the right, and ends four behind it.
  expect(text).toContain('d="M0 0L6 0A4 4 0 0 1 10 4L10 10" fill="none"');
  expect(text).toContain('stroke-dasharray="5 4" opacity="0.5"');
  expect(text).toContain(">health &lt; &quot;20&quot; &amp; more</text>");
  expect(text).toContain('text-anchor="end" textLength="50"');
  expect(text.match(/<text/g)?.length).toBe(1);
});

test("a corner without an angle is a line", () => {
  const painter = new SvgPainter(measure);
  painter.moveTo(0, 0);
  painter.arcTo(5, 0, 10, 0, 4);
  painter.arcTo(10, 0, 10, 5, 0);
  painter.arc(3, 3, 2);
  painter.stroke();
  const text = painter.done(sheet);
  expect(text).toContain("M0 0L5 0L10 0M1 3A2 2 0 1 1 5 3A2 2 0 1 1 1 3Z");
  expect(text).not.toContain("NaN");
});

// A drawing as SVG: it takes what the painter of the graph says to a canvas.

/** What is drawn on has a size, and a text for those who cannot see it. */
export interface Sheet {
  wide: number;
  high: number;
  title: string;
  background: string;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const short = (value: number): string => String(Math.round(value * 100) / 100);

/** As much of a canvas as the painter of the graph uses. */
export class SvgPainter {
  fillStyle = "#000";
  strokeStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "400 13px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private path = "";
  private at: [number, number] = [0, 0];
  private dash: number[] = [];
  private readonly parts: string[] = [];

  /** `measure` says how wide a text is in a font of CSS. */
  constructor(private readonly measure: (text: string, font: string) => number) {}

  beginPath(): void {
    this.path = "";
  }

  closePath(): void {
    this.path += "Z";
  }

  moveTo(x: number, y: number): void {
    this.path += `M${short(x)} ${short(y)}`;
    this.at = [x, y];
  }

  lineTo(x: number, y: number): void {
    if (this.path === "") {
      this.moveTo(x, y);
      return;
    }
    this.path += `L${short(x)} ${short(y)}`;
    this.at = [x, y];
  }

  /** A corner that is round, as a canvas has it. */
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    const [x0, y0] = this.at;
    const [ax, ay, bx, by] = [x0 - x1, y0 - y1, x2 - x1, y2 - y1];
    const [a, b] = [Math.hypot(ax, ay), Math.hypot(bx, by)];
    const cross = ax * by - ay * bx;
    if (radius <= 0 || a === 0 || b === 0 || Math.abs(cross) < 1e-6 * a * b) {
      this.lineTo(x1, y1);
      return;
    }
    const angle = Math.acos(Math.min(1, Math.max(-1, (ax * bx + ay * by) / (a * b))));
    const along = radius / Math.tan(angle / 2);
    this.lineTo(x1 + (ax / a) * along, y1 + (ay / a) * along);
    const end: [number, number] = [x1 + (bx / b) * along, y1 + (by / b) * along];
    this.path += `A${short(radius)} ${short(radius)} 0 0 ${cross < 0 ? 1 : 0} ${short(end[0])} ${short(end[1])}`;
    this.at = end;
  }

  /** A whole circle: the painter draws no part of one. */
  arc(x: number, y: number, radius: number): void {
    const r = short(radius);
    this.moveTo(x - radius, y);
    this.path += `A${r} ${r} 0 1 1 ${short(x + radius)} ${short(y)}A${r} ${r} 0 1 1 ${short(x - radius)} ${short(y)}Z`;
  }

  roundRect(x: number, y: number, w: number, h: number, radius: number): void {
    const r = Math.min(radius, w / 2, h / 2);
    this.moveTo(x + r, y);
    this.arcTo(x + w, y, x + w, y + h, r);
    this.arcTo(x + w, y + h, x, y + h, r);
    this.arcTo(x, y + h, x, y, r);
    this.arcTo(x, y, x + w, y, r);
    this.closePath();
  }

  setLineDash(dash: number[]): void {
    this.dash = dash;
  }

  /** Nothing is too small to be read: a drawing can be enlarged. */
  getTransform(): { a: number } {
    return { a: Number.POSITIVE_INFINITY };
  }

  measureText(text: string): { width: number } {
    return { width: this.measure(text, this.font) };
  }

  fill(): void {
    this.put(`<path d="${this.path}" fill="${this.fillStyle}"${this.opacity()}/>`);
  }

  stroke(): void {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    this.put(
      `<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth)}"${dash}${this.opacity()}/>`,
    );
  }

  fillRect(x: number, y: number, w: number, h: number): void {
    const box = [x, y, w, h].map(short);
    this.put(`<rect x="${box[0]}" y="${box[1]}" width="${box[2]}" height="${box[3]}" fill="${this.fillStyle}"${this.opacity()}/>`);
  }

  strokeRect(x: number, y: number, w: number, h: number): void {
    this.beginPath();
    this.roundRect(x, y, w, h, 0);
    this.stroke();
  }

  fillText(text: string, x: number, y: number, most?: number): void {
    if (text.trim() === "") return;
    const [, weight, size, family] = this.font.match(/^(\d+) ([\d.]+)px (.*)$/) ?? ["", "400", "13", "sans-serif"];
    // Not all programs know the base lines of SVG: the middle of small letters is moved to the place by hand.
    const base = this.textBaseline === "middle" ? y + Number(size) * 0.35 : y;
    const anchor = { center: "middle", right: "end" }[this.textAlign as string];
    const fits = most !== undefined && this.measure(text, this.font) > most;
    const length = fits ? ` textLength="${short(Math.max(1, most))}" lengthAdjust="spacingAndGlyphs"` : "";
    this.put(
      `<text x="${short(x)}" y="${short(base)}" font-family="${escaped(family)}" font-size="${size}" font-weight="${weight}" fill="${this.fillStyle}"` +
        `${anchor ? ` text-anchor="${anchor}"` : ""}${length}${this.opacity()} xml:space="preserve">${escaped(text)}</text>`,
    );
  }

  /** The document. */
  done({ wide, high, title, background }: Sheet): string {
    const [w, h] = [short(wide), short(high)];
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img">`,
      `<title>${escaped(title)}</title>`,
      `<rect width="${w}" height="${h}" fill="${background}"/>`,
      ...this.parts,
      "</svg>",
      "",
    ].join("\n");
  }

  /** What comes next is drawn this much further to the right and down. */
  translate(x: number, y: number): void {
    this.parts.push(`<g transform="translate(${short(x)} ${short(y)})">`);
  }

  /** Ends what `translate` has begun. */
  restore(): void {
    this.parts.push("</g>");
  }

  private opacity(): string {
    return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : "";
  }

  private put(part: string): void {
    this.parts.push(part);
  }
}

"""Trees as SVG, for notebooks: a row for each node, indented, with lines to the nodes above."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

Node = tuple[int, "int | None", str]

_ROW = 24
_INDENT = 22
_CHAR = 7.3


def svg(nodes: Sequence[Node], running: Iterable[int]) -> str:
    """The drawing. Nodes that run have a frame and bold text, so that colour is not all that tells them apart."""
    runs = set(running)
    depth: dict[int, int] = {}
    row: dict[int, int] = {}
    parts: list[str] = []
    widest = 0.0
    for place, (node, parent, label) in enumerate(nodes):
        level = 0 if parent is None else depth[parent] + 1
        depth[node], row[node] = level, place
        x, y = 8 + level * _INDENT, 4 + place * _ROW
        width = 14 + len(label) * _CHAR
        widest = max(widest, x + width)
        if parent is not None:
            bend = 8 + depth[parent] * _INDENT + 8
            parts.append(f'<path d="M{bend} {4 + row[parent] * _ROW + _ROW - 4}V{y + 10}H{x}" fill="none" stroke="currentColor" stroke-opacity=".35"/>')
        if node in runs:
            parts.append(f'<rect x="{x}" y="{y}" width="{width:.0f}" height="20" rx="4" fill="#2b8a3e" fill-opacity=".16" stroke="#2b8a3e"/>')
        weight = ' font-weight="bold"' if node in runs else ""
        parts.append(f'<text x="{x + 7}" y="{y + 14}"{weight}>{escape(label)}<title>{"running: " if node in runs else ""}{escape(label)}</title></text>')
    height = 8 + len(nodes) * _ROW
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest + 8:.0f}" height="{height}" role="img" aria-label="behaviour tree" font-family="ui-monospace, monospace" font-size="12" fill="currentColor">'
    return head + "".join(parts) + "</svg>"

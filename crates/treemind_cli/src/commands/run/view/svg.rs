//! A frame of the live view as SVG.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use treemind_doc::visible_line;

/// A cell of the terminal, in pixels.
const WIDTH: u16 = 8;
const HEIGHT: u16 = 18;
const MARGIN: u16 = 10;

const TEXT: &str = "#d4d7dc";
const GROUND: &str = "#16181d";

/// The largest number of columns and rows of a frame, because its pixels are counted in 16 bits.
pub(in super::super) const MOST: (u16, u16) = (1_000, 1_000);

/// A frame as SVG; the same frame always gives the same text.
pub(in super::super) fn svg(buffer: &Buffer) -> String {
    drawing(buffer, &pieces(buffer).concat())
}

/// A moving picture: frames of one size one after the other, each for `secs` seconds, again and again. What does not
/// change is drawn once; where nothing moves, the first frame is seen.
pub(in super::super) fn moving(frames: &[Buffer], secs: f64) -> String {
    let Some(first) = frames.first() else {
        return String::new();
    };
    let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (nth, frame) in frames.iter().enumerate() {
        for piece in pieces(frame) {
            seen.entry(piece).or_default().push(nth);
        }
    }
    let mut inside = String::new();
    for (piece, shown) in &seen {
        if shown.len() == frames.len() {
            inside += piece;
            continue;
        }
        let (values, times) = changes(shown, frames.len());
        let hidden = if shown[0] == 0 {
            ""
        } else {
            " display=\"none\""
        };
        let length = secs * frames.len() as f64;
        let _ = writeln!(
            inside,
            "<g{hidden}><animate attributeName=\"display\" values=\"{values}\" keyTimes=\"{times}\" \
             calcMode=\"discrete\" dur=\"{length}s\" repeatCount=\"indefinite\"/>{piece}</g>",
        );
    }
    drawing(first, &inside)
}

/// When something appears and disappears that is in some of the frames, as shares of the whole.
fn changes(shown: &[usize], frames: usize) -> (String, String) {
    let (mut values, mut times) = (Vec::new(), Vec::new());
    let mut was = None;
    for nth in 0..frames {
        let is = shown.binary_search(&nth).is_ok();
        if was != Some(is) {
            values.push(if is { "inline" } else { "none" });
            times.push(format!("{:.4}", nth as f64 / frames as f64));
            was = Some(is);
        }
    }
    (values.join(";"), times.join(";"))
}

/// A picture of the size of a frame.
fn drawing(buffer: &Buffer, inside: &str) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{GROUND}\"/>\n\
         {inside}</svg>\n"
    )
}

/// What is drawn of each run of cells that look alike.
fn pieces(buffer: &Buffer) -> Vec<String> {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let mut all = Vec::new();
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let cell = &buffer[(x, y)];
            // Signs and lines are written one by one, words together with their spaces.
            let mut text = cell.symbol().to_owned();
            let goes_on = |next: &Cell| {
                cell.symbol().is_ascii() && next.symbol().is_ascii() && next.style() == cell.style()
                    || next == cell
            };
            let first = x;
            x += 1;
            while x < columns && goes_on(&buffer[(x, y)]) {
                text.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            let mut out = String::new();
            piece(&mut out, cell, &text, (first, y), x - first);
            if !out.is_empty() {
                all.push(out);
            }
        }
    }
    all
}

/// A run of cells that look alike. Writing to a string cannot fail.
fn piece(out: &mut String, cell: &Cell, text: &str, (x, y): (u16, u16), cells: u16) {
    let (left, top) = (MARGIN + x * WIDTH, MARGIN + y * HEIGHT);
    let wide = cells * WIDTH;
    let colour = hex(cell.fg).unwrap_or(TEXT);
    let mut fill = |colour: &str, opacity: &str| {
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{HEIGHT}\" fill=\"{colour}\"{opacity}/>"
        );
    };
    if let Some(colour) = hex(cell.bg) {
        fill(colour, "");
    }
    match cell.symbol() {
        "█" => return fill(colour, ""),
        "░" => return fill(colour, " opacity=\"0.35\""),
        _ if text.trim().is_empty() => return,
        _ => {}
    }
    if let Some(strokes) = strokes(cell.symbol()) {
        let mut path = String::new();
        for nth in 0..cells {
            let (x, y) = (left + nth * WIDTH, top);
            let (right, bottom) = (x + WIDTH, y + HEIGHT);
            let (across, down) = (x + WIDTH / 2, y + HEIGHT / 2);
            for side in strokes.chars() {
                let _ = match side {
                    'l' => write!(path, "M{across} {down}H{x}"),
                    'r' => write!(path, "M{across} {down}H{right}"),
                    'u' => write!(path, "M{across} {down}V{y}"),
                    _ => write!(path, "M{across} {down}V{bottom}"),
                };
            }
        }
        let _ = writeln!(out, "<path d=\"{path}\" stroke=\"{colour}\"/>");
        return;
    }
    let trimmed = text.trim_end();
    let indent = (trimmed.len() - trimmed.trim_start().len()) as u16;
    let trimmed = trimmed.trim_start();
    let (left, wide) = (
        left + indent * WIDTH,
        trimmed.chars().count() as u16 * WIDTH,
    );
    let weight = match cell.modifier.contains(Modifier::BOLD) {
        true => " font-weight=\"bold\"",
        false => "",
    };
    let escaped = visible_line(trimmed)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let base = top + HEIGHT - 5;
    let _ = writeln!(
        out,
        "<text x=\"{left}\" y=\"{base}\" textLength=\"{wide}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{colour}\"{weight}>{escaped}</text>"
    );
}

/// Which lines go from the middle of a cell: left, right, up, down.
fn strokes(symbol: &str) -> Option<&'static str> {
    Some(match symbol {
        "─" => "lr",
        "│" => "ud",
        "┌" => "rd",
        "┐" => "ld",
        "└" => "ru",
        "┘" => "lu",
        "├" => "rud",
        _ => return None,
    })
}

pub(super) fn hex(colour: Color) -> Option<&'static str> {
    Some(match colour {
        Color::Black => "#16181d",
        Color::Red => "#e06c75",
        Color::LightGreen => "#7ee787",
        Color::LightRed => "#ff7b72",
        Color::Green => "#7ec699",
        Color::Yellow => "#e5c07b",
        Color::Magenta => "#d291e4",
        Color::Cyan => "#56c8d8",
        Color::White => "#ffffff",
        Color::Blue => "#6aa5f0",
        Color::LightYellow => "#ffe08a",
        Color::Indexed(137) => "#af875f",
        Color::Indexed(244) => "#8a8f98",
        Color::Indexed(240) => "#4f545e",
        Color::Indexed(143) => "#afaf5f",
        Color::Indexed(58) => "#4a4a16",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn what_moves_is_shown_in_its_frames() {
        let frame = |left: &str, right: &str| {
            let mut frame = Buffer::empty(Rect::new(0, 0, 4, 1));
            frame.set_string(0, 0, left, Color::Red);
            frame.set_string(2, 0, right, Color::Green);
            frame
        };
        let picture = moving(&[frame("a", "c"), frame("b", "c"), frame("a", "c")], 0.5);
        assert_eq!(picture.matches(">c<").count(), 1, "{picture}");
        assert_eq!(picture.matches(">a<").count(), 1, "{picture}");
        let a = "<g><animate attributeName=\"display\" values=\"inline;none;inline\" keyTimes=\"0.0000;0.3333;0.6667\" calcMode=\"discrete\" dur=\"1.5s\"";
        assert!(picture.contains(a), "{picture}");
        let b =
            "<g display=\"none\"><animate attributeName=\"display\" values=\"none;inline;none\"";
        assert!(picture.contains(b), "{picture}");
    }
}

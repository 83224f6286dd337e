//! The lines of a map, and the part that each is in.

use super::error::MapError;
use treemind::doc::said;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Before,
    Map,
    Legend,
    Script,
    Rules,
    Steer,
}

/// A line that says something: no comment, no heading, and not empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) part: Part,
    /// From 1.
    pub(super) number: usize,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// Without its end, but with the blanks before that.
    pub(super) text: &'t str,
}

/// The lines of a map that say something.
pub(super) fn lines(text: &str) -> Result<Vec<Line<'_>>, MapError> {
    let (mut part, mut start) = (Part::Before, 0);
    let mut all = Vec::new();
    for (nth, whole) in text.split_inclusive('\n').enumerate() {
        let (number, line) = (nth + 1, whole.lines().next().unwrap_or_default());
        // Some editors begin a text with a byte order mark.
        let (line, begin) = match line.strip_prefix('\u{feff}') {
            Some(rest) if nth == 0 => (rest, start + line.len() - rest.len()),
            _ => (line, start),
        };
        start += whole.len();
        let trimmed = line.trim_end();
        if line.starts_with(';') || trimmed.is_empty() {
            continue;
        }
        if !line.starts_with('[') {
            if part == Part::Before {
                let text = said!("a scenario must begin with `[map]`");
                return Err(MapError::at(number, text));
            }
            all.push(Line {
                part,
                number,
                start: begin,
                text: line,
            });
            continue;
        }
        part = match trimmed {
            "[map]" => Part::Map,
            "[legend]" => Part::Legend,
            "[script]" => Part::Script,
            "[rules]" => Part::Rules,
            "[steer]" => Part::Steer,
            _ => {
                let text = said!(
                    "`{}` is not `[map]`, `[legend]`, `[script]`, `[rules]` or `[steer]`",
                    trimmed
                );
                return Err(MapError::at(number, text));
            }
        };
    }
    Ok(all)
}

//! Formatting as replacements of blanks, so that cursors stay where they are: of a file, of some lines, and while typing.

use std::ops::Range;

/// Bytes of a text, and what replaces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The bytes.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub new: String,
}

/// What formats a text, as `treemind fmt` does; nothing when it is not KDL, or formatted already.
pub fn formatted(text: &str, name: &str) -> Vec<Replacement> {
    match treemind_doc::format(text, name) {
        Ok(new) => between(text, &new),
        Err(_) => Vec::new(),
    }
}

/// What formats the lines that a range touches.
pub fn formatted_range(text: &str, name: &str, range: Range<usize>) -> Vec<Replacement> {
    let start = text.get(..range.start).map_or(text.len(), |before| {
        before.rfind('\n').map_or(0, |at| at + 1)
    });
    let end = text.get(range.end..).map_or(text.len(), |behind| {
        behind.find('\n').map_or(text.len(), |at| range.end + at)
    });
    let all = formatted(text, name).into_iter();
    // The end of the line before the first one stays; its blanks do not belong to these lines.
    let is_in = |one: &Replacement| {
        let own = text[one.range.clone()].rfind('\n');
        one.range.end <= end
            && (one.range.start >= start
                || own.is_some_and(|at| one.range.start + at + 1 == start && is_indent(text, one)))
    };
    all.filter(is_in).collect()
}

/// Whether a replacement changes only the blanks at the beginning of a line.
fn is_indent(text: &str, one: &Replacement) -> bool {
    let lines = |text: &str| text.matches('\n').count();
    lines(&text[one.range.clone()]) == lines(&one.new)
}

/// What may change when a text is formatted.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | '\\' | '\u{feff}')
}

/// The blanks that differ between two texts that otherwise say the same; the whole text if they do not.
fn between(old: &str, new: &str) -> Vec<Replacement> {
    let mut all = Vec::new();
    let (mut at, mut to) = (0, 0);
    let blanks = |text: &str, from: usize| {
        let rest = &text[from..];
        from + rest.find(|c| !is_blank(c)).unwrap_or(rest.len())
    };
    while at < old.len() || to < new.len() {
        let (one, other) = (old[at..].chars().next(), new[to..].chars().next());
        if let (Some(one), Some(other)) = (one, other)
            && one == other
            && !is_blank(one)
        {
            at += one.len_utf8();
            to += other.len_utf8();
            continue;
        }
        let (end, until) = (blanks(old, at), blanks(new, to));
        if (end, until) == (at, to) {
            return vec![Replacement {
                range: 0..old.len(),
                new: new.to_owned(),
            }];
        }
        if old[at..end] != new[to..until] {
            all.push(Replacement {
                range: at..end,
                new: new[to..until].to_owned(),
            });
        }
        (at, to) = (end, until);
    }
    all
}

/// What follows when somebody has typed a line end or a `}`: the indentation of the line, if it is not right.
pub fn typed(text: &str, offset: usize, letter: char) -> Vec<Replacement> {
    if !matches!(letter, '\n' | '}') || !text.is_char_boundary(offset) {
        return Vec::new();
    }
    let Some(before) = text.get(..offset) else {
        return Vec::new();
    };
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[start..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let closes = rest[blanks..].starts_with('}');
    if letter == '}' && !closes {
        return Vec::new();
    }
    let Some(depth) = depth(&text[..start]) else {
        return Vec::new();
    };
    let wanted = " ".repeat(UNIT * depth.saturating_sub(usize::from(closes)));
    if rest[..blanks] == wanted {
        return Vec::new();
    }
    vec![Replacement {
        range: start..start + blanks,
        new: wanted,
    }]
}

/// How many blanks a level has.
const UNIT: usize = 4;

/// How many blocks are open at the end of a text; `None` within a string or a comment.
fn depth(text: &str) -> Option<usize> {
    let mut depth: usize = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '"', '/']) {
        let found = &rest[at..];
        let hashes = rest[..at].len() - rest[..at].trim_end_matches('#').len();
        let length = match found.as_bytes()[0] {
            b'{' => {
                depth += 1;
                1
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                1
            }
            b'"' => string(found, hashes)?,
            _ if found.starts_with("//") => found.find('\n').unwrap_or(found.len()),
            _ if found.starts_with("/*") => found.find("*/")? + 2,
            _ => 1,
        };
        rest = &found[length..];
    }
    Some(depth)
}

/// The length of the string that begins with a quote behind some `#`.
fn string(text: &str, hashes: usize) -> Option<usize> {
    let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
    let mut at = quotes;
    loop {
        let next = at + text[at..].find(['"', '\\'])?;
        if text[next..].starts_with('\\') && hashes == 0 {
            let escaped = text[next + 1..].chars().next()?;
            at = next + 1 + escaped.len_utf8();
            continue;
        }
        let rest = &text[next..];
        let end = format!("{}{}", "\"".repeat(quotes), "#".repeat(hashes));
        if rest.starts_with(&end) {
            return Some(next + end.len());
        }
        at = next + 1;
    }
}

//! Makes texts from elsewhere safe to show.

use std::borrow::Cow;

/// A text with its invisible control characters made visible, for terminals and logs.
///
/// Documents, file names and messages from a host may contain characters that control a terminal (escape sequences
/// clear it, bells ring) or that reverse other letters, so that a line reads differently from what it is. The
/// control characters of ASCII are replaced by their pictures, such as `␛` for U+001B; the others, those that
/// set the direction of writing, and the two that no text may have (U+FFFE and U+FFFF) by escapes such as `\u{9b}`. So the
/// text has only characters that XML can have. Line ends and tabs stay. Visible characters do not
/// change, so making a text visible twice changes nothing more.
///
/// ```
/// use treemind_doc::visible;
///
/// assert_eq!(visible("\u{1b}[2Jgone\u{7}"), "␛[2Jgone␇");
/// assert_eq!(visible("is\u{202e}nimda"), r"is\u{202e}nimda");
/// assert_eq!(visible("two\r\nlines"), "two\r\nlines");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_kept = |at: usize, c: char| match c {
        '\n' | '\t' => true,
        '\r' => text[at + 1..].starts_with('\n'),
        c => !is_hidden(c),
    };
    escaped(text, is_kept)
}

/// Like [`visible`], for text that must stay on one line: line ends and tabs also become `␊` and `␉`.
///
/// ```
/// assert_eq!(treemind_doc::visible_line("one\nerror: two"), "one␊error: two");
/// ```
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_, c| !is_hidden(c))
}

/// Whether a character controls a terminal, ends a line, reverses letters, or is none.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

fn escaped(text: &str, is_kept: impl Fn(usize, char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.char_indices().find(|(at, c)| !is_kept(*at, *c)) else {
        return Cow::Borrowed(text);
    };
    let mut out = text[..first.0].to_owned();
    for (at, c) in text[first.0..].char_indices() {
        match c {
            c if is_kept(first.0 + at, c) => out.push(c),
            '\u{7f}' => out.push('␡'),
            // Their pictures are in the same order.
            c if c.is_ascii() => out.extend(char::from_u32(0x2400 + u32::from(c))),
            c => out.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_commands_is_left_and_nothing_else_changes() {
        let all: String = ('\0'..='\u{2fff}').collect();
        for shown in [visible(&all), visible_line(&all)] {
            let bad = |c: &char| is_hidden(*c) && !matches!(c, '\n' | '\t');
            assert_eq!(shown.chars().find(bad), None);
            assert_eq!(visible_line(&visible(&shown)), visible_line(&shown));
        }
        assert_eq!(visible("\0\u{1f}\u{7f}\u{9b}"), "␀␟␡\\u{9b}");
        // A lone carriage return lets the following text cover the text before it.
        assert_eq!(visible("a\rb\r\n\r"), "a␍b\r\n␍");
        let plain = "naïve 日本 👩‍👩‍👧 ␛ \\u{1b}\ttab\n";
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }
}

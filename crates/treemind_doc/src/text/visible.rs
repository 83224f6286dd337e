//! Texts from elsewhere, so that they can be shown.

use std::borrow::Cow;

/// A text with its invisible commands made visible, for terminals and logs.
///
/// Documents, file names and what a host is told may hold characters that a terminal obeys (escape sequences clear it, bells
/// ring) or that turn other letters around, so that a line reads otherwise than it is. The control characters of ASCII
/// become their pictures, `␛` for U+001B; the others, and those that set the direction of writing, become `\u{9b}`.
/// Line ends and tabs stay. What is visible stays as it is, so that doing it twice changes nothing more.
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

/// As [`visible`], for what has to stay on one line: line ends and tabs become `␊` and `␉`, too.
///
/// ```
/// assert_eq!(treemind_doc::visible_line("one\nerror: two"), "one␊error: two");
/// ```
pub fn visible_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_, c| !is_hidden(c))
}

/// What a terminal obeys, ends a line, or turns letters around.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
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
            // Their pictures lie in the same order.
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
        // A carriage return alone lets what follows cover what was there.
        assert_eq!(visible("a\rb\r\n\r"), "a␍b\r\n␍");
        let plain = "naïve 日本 👩‍👩‍👧 ␛ \\u{1b}\ttab\n";
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }
}

//! Output for people: all text that comes from documents, file names and hosts is made visible on its way to the
//! terminal, and only this program sets colours.

use super::{Failure, unwritten};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use treemind_doc::{visible, visible_line};

/// A line for people, in which only this program sets colours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(String);

impl Line {
    /// The word `error` in colour, and a sentence.
    pub(crate) fn error(sentence: &str) -> Self {
        Line::default().red("error").then(": ").then(sentence)
    }

    /// Like [`Line::error`], for a problem that does not stop the command.
    pub(crate) fn warning(sentence: &str) -> Self {
        Line::default().yellow("warning").then(": ").then(sentence)
    }

    /// Like [`Line::error`], for a fault in a run, which did not end it.
    pub(crate) fn fault(sentence: &str) -> Self {
        let sentence = visible_line(sentence);
        Line::default().yellow("fault").then(": ").then(&sentence)
    }

    /// Adds text to the line.
    pub(crate) fn then(mut self, text: &str) -> Self {
        self.0.push_str(&visible(text));
        self
    }

    /// Adds a word in red; the colour is removed if standard error is not a terminal.
    pub(crate) fn red(self, word: &str) -> Self {
        self.styled(word, anstyle::AnsiColor::Red)
    }

    /// Like [`Line::red`], for something less severe.
    pub(crate) fn yellow(self, word: &str) -> Self {
        self.styled(word, anstyle::AnsiColor::Yellow)
    }

    fn styled(mut self, word: &str, colour: anstyle::AnsiColor) -> Self {
        let style = colour.on_default().bold();
        self.0
            .push_str(&format!("{style}{}{style:#}", visible(word)));
        self
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Line::default().then(text)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line::from(&*text)
    }
}

/// Prints a line on standard error. If that is closed, the error is ignored, as it cannot be reported.
pub(crate) fn tell(line: impl Into<Line>) {
    let _ = writeln!(anstream::stderr().lock(), "{}", line.into().0);
}

/// Writes results for people to standard output, always made visible, even if it is not a terminal.
pub(crate) fn print_shown(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    print(true, write)
}

/// Like [`print_shown`], for a command that does more than print: when nobody reads on, or it cannot be printed any more,
/// `write` goes on, and the failure comes at the end.
pub(crate) fn print_shown_to_the_end(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    print_to_the_end(true, write)
}

/// Like [`print_shown_to_the_end`], for programs: [`print_exact`].
pub(crate) fn print_exact_to_the_end(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    print_to_the_end(io::stdout().is_terminal(), write)
}

fn print_to_the_end(
    is_shown: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut failed = Ok(());
    let printed = print(is_shown, |out| {
        let mut out = ToTheEnd { out, failed: None };
        write(&mut out)?;
        failed = out.failed.map_or(Ok(()), Err);
        Ok(())
    });
    printed.and(failed.map_err(unwritten))
}

/// Writes until the first error, and drops everything after it.
struct ToTheEnd<'w> {
    out: &'w mut dyn Write,
    failed: Option<io::Error>,
}

impl ToTheEnd<'_> {
    fn unless_failed(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(self.out).err();
        }
    }
}

impl Write for ToTheEnd<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_failed(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_failed(|out| out.flush());
        Ok(())
    }
}

/// Writes results for programs to standard output, byte for byte; they are made visible only on a terminal.
pub(crate) fn print_exact(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    print(io::stdout().is_terminal(), write)
}

fn print(
    is_shown: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = if is_shown {
        let mut shown = Visible::new(&mut out);
        write(&mut shown).and_then(|()| shown.flush())
    } else {
        write(&mut out)
    };
    let written = written.and_then(|()| out.flush());
    if written.is_err() {
        // On drop, the buffer would try to write the rest again.
        let _ = out.into_parts();
    }
    written.map_err(unwritten)
}

/// Makes everything that is written visible, line by line.
struct Visible<W> {
    out: W,
    /// The beginning of a line that is not complete yet.
    line: Vec<u8>,
}

impl<W: Write> Visible<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            line: Vec::new(),
        }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line);
        self.out.write_all(visible(&text).as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => {
                self.line.extend_from_slice(&bytes[..=end]);
                self.pass_on()?;
                self.line.extend_from_slice(&bytes[end + 1..]);
            }
            None => self.line.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_ours_alone() {
        let line = Line::error("no \u{1b}[31mred\u{1b}[0m").then("\u{7}");
        let shown = anstream::adapter::strip_str(&line.0).to_string();
        assert_eq!(shown, "error: no ␛[31mred␛[0m␇");
        assert!(line.0.starts_with("\u{1b}["), "{:?}", line.0);
    }

    #[test]
    fn what_is_written_in_pieces_is_made_visible_as_a_whole() {
        let text = "a\u{9b}2J\u{202e}b\r\nc\u{1b}d\r\ne\r";
        for size in 1..text.len() {
            let mut out = Vec::new();
            let mut shown = Visible::new(&mut out);
            for piece in text.as_bytes().chunks(size) {
                shown.write_all(piece).unwrap();
            }
            shown.flush().unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), visible(text), "{size}");
        }
    }
}

//! Places in a text as programs count them that keep texts in UTF-16, such as browsers and editors.

/// How many bytes are counted at most for one answer.
const STEP: usize = 1 << 10;

/// Turns offsets in bytes into offsets in UTF-16, and back. A byte order mark counts, as in the text itself.
///
/// ```
/// use treemind_doc::edit::Utf16;
///
/// let text = "tree 守卫 {\r\n    action \"🗡\" // x\r\n}";
/// let places = Utf16::new(text);
/// let comment = text.find("//").unwrap();
/// assert_eq!(places.of_byte(comment), 27);
/// assert_eq!(places.to_byte(27), comment);
/// assert_eq!(places.line_column(comment), (1, 16));
/// assert_eq!(places.at_line(1, 16), comment);
/// ```
#[derive(Clone, Debug)]
pub struct Utf16<'t> {
    text: &'t str,
    /// Bytes and the same in UTF-16, at least once in every [`STEP`] bytes.
    steps: Vec<(usize, usize)>,
    /// Where the lines begin.
    lines: Vec<usize>,
}

impl<'t> Utf16<'t> {
    /// The places of a text.
    pub fn new(text: &'t str) -> Self {
        let mut steps = vec![(0, 0)];
        let (mut at, mut units) = (0, 0);
        while text.len() - at > STEP {
            let next = crate::source::char_start(text, at + STEP);
            units += length(&text[at..next]);
            at = next;
            steps.push((at, units));
        }
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            // A return and a line feed are one line end together.
            let ends = *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                lines.push(at + 1);
            }
        }
        Self { text, steps, lines }
    }

    /// The offset in UTF-16 of a byte; for a byte within a character, that of the character. A byte behind the end is the
    /// end.
    pub fn of_byte(&self, offset: usize) -> usize {
        let offset = crate::source::char_start(self.text, offset);
        let step = self.steps.partition_point(|(byte, _)| *byte <= offset) - 1;
        let (byte, units) = self.steps[step];
        units + length(&self.text[byte..offset])
    }

    /// The byte of an offset in UTF-16; in the middle of a character, the beginning of the character. An offset behind the
    /// end is the end.
    pub fn to_byte(&self, offset: usize) -> usize {
        let step = self.steps.partition_point(|(_, units)| *units <= offset) - 1;
        let (byte, units) = self.steps[step];
        behind(&self.text[byte..], offset - units) + byte
    }

    /// Line and column in UTF-16 of a byte, both from 0. Lines end at `\n`, `\r\n` and `\r`, as in most editors.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = crate::source::char_start(self.text, offset);
        let line = self.lines.partition_point(|start| *start <= offset) - 1;
        (line, self.of_byte(offset) - self.of_byte(self.lines[line]))
    }

    /// The byte at a line and a column in UTF-16, both from 0. A column behind the end of the line is its end, and a line
    /// behind the last one the end of the text.
    pub fn at_line(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.lines.get(line).copied() else {
            return self.text.len();
        };
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text[start..end].trim_end_matches(['\r', '\n']);
        let column = self.of_byte(start).saturating_add(column);
        self.to_byte(column).min(start + text.len())
    }
}

/// How long a text is in UTF-16.
fn length(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.encode_utf16().count(),
    }
}

/// The byte behind some units of UTF-16.
fn behind(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (at, c) in text.char_indices() {
        passed += c.len_utf16();
        if passed > units {
            return at;
        }
    }
    text.len()
}

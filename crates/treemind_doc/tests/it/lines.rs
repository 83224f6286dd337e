//! Line numbers, with every kind of line end.

use miette::SourceCode;
use treemind_doc::{Document, Source};

/// What KDL takes as the end of a line.
const ENDS: [&str; 8] = [
    "\n", "\r\n", "\r", "\u{85}", "\u{0B}", "\u{0C}", "\u{2028}", "\u{2029}",
];

#[test]
fn lines_are_counted_at_every_end_of_a_line() {
    for end in ENDS {
        let lines = [
            "// first",
            "leaves { action go; }",
            "tree é {",
            "    sequence { action go; action gone; }",
            "}",
        ];
        let text = lines.join(end);
        let document = Document::parse(&text, "t.kdl");
        let [item] = document.diagnostics() else {
            panic!("{end:?}: {:?}", document.diagnostics());
        };
        assert_eq!(item.line_column(), (4, 34), "{end:?}");
        let source = item.source();
        for (number, line) in (1..).zip(lines) {
            assert_eq!(source.line(number), Some(line), "{end:?}");
        }
        assert_eq!(source.line(6), None);
        // The excerpt has the same lines with the same numbers.
        let shown = source
            .read_span(&item.span().into(), 1, 1)
            .expect("an excerpt");
        let data = std::str::from_utf8(shown.data()).expect("text");
        let trimmed: Vec<&str> = data.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, lines[2..], "{end:?}");
        assert_eq!((shown.line(), shown.column()), (2, 0), "{end:?}");
        // Offsets do not change.
        let begin = item.span().start - shown.span().offset();
        assert!(data[begin..].starts_with("gone"), "{end:?}");
        assert_eq!(item.source().slice(&item.span()), "gone");
    }
}

#[test]
fn both_signs_together_are_one_end() {
    let source = Source::new("t", "a\r\n\rb\n\rc\r\r\n");
    let line = |at: usize| source.line_column(at).0;
    assert_eq!([0, 3, 4, 6, 7].map(line), [1, 2, 3, 4, 5]);
    assert_eq!(source.line(7), Some(""));
    assert_eq!(source.line(8), None);
}

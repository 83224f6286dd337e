//! Formatting: the result, that nothing else changes, and that formatting twice gives the same as once.

use std::path::{Path, PathBuf};
use treemind_doc::{Code, Document, MAX_DIAGNOSTICS, outline};

fn formatted(text: &str) -> String {
    let once = treemind_doc::format(text, "test.kdl")
        .unwrap_or_else(|refusal| panic!("{text:?}\n{}", refusal.to_plain()));
    assert_eq!(
        essence(&once),
        essence(text),
        "nothing is lost, added or moved:\n{text:?}\n{once:?}"
    );
    let twice = treemind_doc::format(&once, "test.kdl").expect("formatted");
    assert_eq!(twice, once, "from {text:?}");
    once
}

/// The text without what formatting may change: blanks, line ends, `;` and `\`. Comments count.
fn essence(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, ';' | '\\'))
        .collect()
}

#[test]
fn nodes_and_blocks() {
    for (text, expected) in [
        ("", ""),
        ("\n \n;\n", ""),
        ("\u{feff}", "\u{feff}"),
        ("\u{feff}\n a", "\u{feff}a\n"),
        ("a", "a\n"),
        ("a;b ;; c", "a\nb\nc\n"),
        ("a\n\n\n\nb\n\n", "a\n\nb\n"),
        (
            "  a   1\t\"b  c\"  d = 0x1F   #true",
            "a 1 \"b  c\" d=0x1F #true\n",
        ),
        ("a{}", "a {}\n"),
        ("a {\n\n}", "a {}\n"),
        ("a{b;c}", "a { b; c; }\n"),
        ("a { b { c } ; d }", "a { b { c; }; d; }\n"),
        ("a {\nb; c { d }}", "a {\n    b\n    c { d; }\n}\n"),
        ("a {\n\n  b\n\n\n  c\n\n}\nd", "a {\n    b\n\n    c\n}\nd\n"),
        ("a { b\n}", "a {\n    b\n}\n"),
        (
            "a {\n  b {\n c }\n }",
            "a {\n    b {\n        c\n    }\n}\n",
        ),
        ("a \"x\" /-{ b } { c }", "a \"x\" /-{ b; } { c; }\n"),
        ("a \\\n  1 \\\n\\\n2", "a \\\n    1 \\\n    2\n"),
        ("a 1 \\\n\nb", "a 1\nb\n"),
        ("a \\", "a\n"),
        ("\\\na", "a\n"),
        ("a\r\nb{\r\nc}", "a\r\nb {\r\n    c\r\n}\r\n"),
        ("a\rb\u{2028}c", "a\nb\nc\n"),
        (
            "a {\n  b \"\"\"\n  x\n    y\n  \"\"\"   c\n}",
            "a {\n    b \"\"\"\n  x\n    y\n  \"\"\" c\n}\n",
        ),
    ] {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn comments_in_nasty_places() {
    for (text, expected) in [
        ("// c", "// c\n"),
        ("/* c */", "/* c */\n"),
        ("// c   \n\n\n// d", "// c\n\n// d\n"),
        ("a // c", "a // c\n"),
        ("a;// c\nb", "a // c\nb\n"),
        ("a; /* c */ // d\nb", "a /* c */ // d\nb\n"),
        ("a; /* c */ b", "a\n/* c */ b\n"),
        ("a; /* c */", "a /* c */\n"),
        ("/* c */ ; a", "/* c */ a\n"),
        (
            "/* c */ a/* d */1/* e */b=2/* f */{/* g */x/* h */;/* i */}/* j */ // k",
            "/* c */ a /* d */ 1 /* e */ b=2 /* f */ { /* g */ x /* h */ /* i */; } /* j */ // k\n",
        ),
        ("a b/* c */=/* d */1", "a b /* c */ = /* d */ 1\n"),
        ("a /* x /* y */ z */ 1", "a /* x /* y */ z */ 1\n"),
        ("a /* x\n   y */ 1", "a /* x\n   y */ 1\n"),
        ("a { // c\n b }", "a { // c\n    b\n}\n"),
        ("a { /* c */ // d\n b }", "a { /* c */ // d\n    b\n}\n"),
        (
            "a {\n // c\n b\n // d\n}",
            "a {\n    // c\n    b\n    // d\n}\n",
        ),
        ("a {\n // c\n}", "a {\n    // c\n}\n"),
        ("a {/* c */}", "a { /* c */ }\n"),
        ("a { b } // c\nd", "a { b; } // c\nd\n"),
        ("a { b }; // c\nd", "a { b; } // c\nd\n"),
        ("a {\nb\n} /* c */\nd", "a {\n    b\n} /* c */\nd\n"),
        ("a \\ // c\n 1", "a \\ // c\n    1\n"),
        ("a \\ /* c */ // d\n 1", "a /* c */ \\ // d\n    1\n"),
        ("a \\ // c\n\n b", "a // c\nb\n"),
        ("a \\ // c\n // d\n b", "a \\ // c\n    // d\nb\n"),
        ("a \\ // c\n ; /* d */\n", "a // c\n/* d */\n"),
        ("a \\ // c", "a // c\n"),
        ("\\ // c\n a", "// c\na\n"),
        ("a \\ // c\n { b }", "a \\ // c\n    { b; }\n"),
        ("a x= \\\n 1", "a x= \\\n    1\n"),
    ] {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn what_does_not_count() {
    for (text, expected) in [
        ("/- a", "/-a\n"),
        ("/-\n\n a {\nb }", "/-a {\n    b\n}\n"),
        ("/- // c\n a", "/- // c\n    a\n"),
        ("/- /* c */ a", "/- /* c */ a\n"),
        ("a  /-  b c", "a /-b c\n"),
        ("a /- b = c 1", "a /-b=c 1\n"),
        ("a /-\n b 1", "a /-b 1\n"),
        ("a /- // c\n b 1", "a /- // c\n    b 1\n"),
        ("a /- \\ // c\n b 1", "a /- // c\n    b 1\n"),
        ("a /-{b}", "a /-{ b; }\n"),
        ("a {b} /- {c} // d", "a { b; } /-{ c; } // d\n"),
        ("a { /-b; c }", "a { /-b; c; }\n"),
        ("a {b; /-c {d}}", "a { b; /-c { d; }; }\n"),
        ("a /- -1 /- \"b\"", "a /--1 /-\"b\"\n"),
        ("/-a {} {b}\nc", "/-a {} { b; }\nc\n"),
    ] {
        assert_eq!(formatted(text), expected, "{text:?}");
    }
}

#[test]
fn a_block_fits_into_a_hundred_columns() {
    let text = |length: usize| format!("x {{ a {{ {}; }}; }}\n", "b".repeat(length));
    let fits = text(100 - "x { a { ; }; }".len());
    assert_eq!(fits.trim_end().len(), 100);
    assert_eq!(formatted(&fits), fits);
    let name = "b".repeat(87);
    assert_eq!(
        formatted(&text(87)),
        format!("x {{\n    a {{ {name}; }}\n}}\n")
    );
    let name = "é".repeat(100);
    assert_eq!(
        formatted(&format!("x {{ a {{ {name}; }} }} // c")),
        format!("x {{\n    a {{\n        {name}\n    }}\n}} // c\n")
    );
    // Text after the block does not count.
    let behind = format!("a {{ b; }} // {}\n", "c".repeat(100));
    assert_eq!(formatted(&behind), behind);
}

#[test]
fn what_is_no_kdl_is_refused() {
    for (text, code) in [
        ("a {", Code::Unclosed),
        ("a /* b", Code::Unclosed),
        ("a = 1", Code::Syntax),
        ("a true", Code::BareKeyword),
        ("(b)a", Code::TypeAnnotation),
        ("a \u{202e}", Code::NotText),
    ] {
        let refusal = treemind_doc::format(text, "test.kdl").expect_err(text);
        assert_eq!(refusal[0].code(), code, "{text:?}");
        assert_eq!(refusal[0].source().name(), "test.kdl");
    }
    for text in ["a {", "/-a {", "a /-{", "a {\n"] {
        for closed in ["", "}"] {
            let deep = text.repeat(100_000) + &closed.repeat(100_000);
            let refusal = treemind_doc::format(&deep, "deep.kdl").expect_err("too deep");
            assert_eq!(refusal[0].code(), Code::TooDeep);
            assert!(refusal.len() <= 2 * MAX_DIAGNOSTICS + 1);
        }
    }
}

#[test]
fn long_texts_take_no_long_time() {
    let many = if super::is_thorough() { 30_000 } else { 10_000 };
    for part in [
        "a;",
        "a\n",
        ";",
        "\n",
        "/* c */ ",
        "/* c */\n",
        "a; /* c */\n",
        "a {}\n",
        "a { b; }\n",
        "// c\n",
        "/- a\n",
        "a \\\n 1\n",
    ] {
        formatted(&part.repeat(many));
        formatted(&format!("a {{ {} }}", part.repeat(many)));
    }
    for part in [
        " 1",
        " /-1",
        " /* c */",
        " x=1",
        " \\\n",
        " \\ // c\n",
        " /-{}",
    ] {
        formatted(&format!("a {}", part.repeat(many)));
    }
    // Nothing fits this far to the right, but the innermost block is empty.
    let deep = "a { ".repeat(256) + &"}".repeat(256);
    assert_eq!(formatted(&deep).lines().count(), 2 * 255 + 1);
}

/// All documents of the repository.
fn documents() -> Vec<PathBuf> {
    fn gather(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                gather(&path, into);
            } else if path.extension().is_some_and(|ending| ending == "kdl") {
                into.push(path);
            }
        }
    }
    let mut all = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["examples", "conformance", "crates", "docs"] {
        gather(&root.join(folder), &mut all);
    }
    all.sort();
    all
}

#[test]
fn documents_mean_the_same_afterwards() {
    let mut sound = 0;
    for path in documents() {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let name = path.display().to_string();
        let Ok(once) = treemind_doc::format(&text, &name) else {
            assert!(Document::parse(&text, &name).has_errors(), "{name}");
            continue;
        };
        formatted(&text);
        let (before, after) = (Document::parse(&text, &name), Document::parse(&once, &name));
        let messages = |document: &Document| -> Vec<String> {
            let all = document.diagnostics().iter();
            all.map(|item| item.code().to_string()).collect()
        };
        assert_eq!(messages(&before), messages(&after), "{name}");
        if let (Ok(before), Ok(after)) = (before.behaviour(None), after.behaviour(None)) {
            assert_eq!(outline(&before), outline(&after), "{name}");
            sound += 1;
        }
    }
    assert!(sound > 30, "{sound}");
}

/// Numbers that look random and are the same every time.
struct Noise(u64);

impl Noise {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const GAPS: [&str; 9] = [
    " ",
    "  ",
    " /* c */ ",
    "/* /* */ */",
    "\\\n",
    " \\ // d\n",
    " \\ /* e */ // f\r\n",
    "/* g\n h */",
    " \\\n\\\n",
];
const LINE_ENDS: [&str; 11] = [
    "\n",
    "\r\n",
    ";",
    " ; ",
    "\n\n\n",
    " // c\n",
    "; // d\n",
    "; /* e */\n",
    "; /* f */ ",
    "\n/* g */\n",
    ";\\ // h\n",
];
const DROPS: [&str; 6] = [
    "/-",
    "/- ",
    "/-\n",
    "/- // c\n",
    "/- /* d */",
    "/- \\ // e\n",
];
const VALUES: [&str; 8] = [
    "1",
    "-2.5e3",
    "\"x y\"",
    "#true",
    "word",
    "#\"r\"\"#",
    "\"\"\"\n  m\r\n  \"\"\"",
    "\"a \\\n  b\"",
];

fn node(noise: &mut Noise, depth: usize, out: &mut String) {
    if noise.below(6) == 0 {
        out.push_str(noise.one_of(&DROPS));
    }
    out.push_str(noise.one_of(&["a", "sequence", "\"n m\""]));
    for _ in 0..noise.below(4) {
        out.push_str(noise.one_of(&GAPS));
        if noise.below(5) == 0 {
            out.push_str(noise.one_of(&DROPS));
        }
        if noise.below(3) == 0 {
            out.push_str(noise.one_of(&["k", "\"k k\""]));
            out.push_str(noise.one_of(&["=", " = ", "/* c */=", "= /* d */", " \\\n= \\ // e\n"]));
        }
        out.push_str(noise.one_of(&VALUES));
    }
    if depth < 4 && noise.below(2) == 0 {
        out.push_str(noise.one_of(&GAPS));
        if noise.below(6) == 0 {
            out.push_str(noise.one_of(&DROPS));
        }
        out.push('{');
        out.push_str(noise.one_of(&[
            "",
            " ",
            "\n",
            " // c\n",
            "/* d */",
            "/* e */\n",
            "\n\n",
            " // f\n\n",
        ]));
        for _ in 0..noise.below(4) {
            node(noise, depth + 1, out);
            out.push_str(noise.one_of(&LINE_ENDS));
        }
        if noise.below(2) == 0 {
            node(noise, depth + 1, out);
        }
        out.push_str(noise.one_of(&["", " ", "\n", " // c\n", "/* d */", " \\\n"]));
        out.push('}');
    }
}

#[test]
fn documents_that_nobody_writes() {
    for seed in 0..super::cases(20_000) as u64 {
        let mut noise = Noise(seed);
        let mut text = noise.one_of(&["", "\u{feff}", "\n", "// c\r\n"]).to_owned();
        for _ in 0..noise.below(4) {
            node(&mut noise, 0, &mut text);
            text.push_str(noise.one_of(&LINE_ENDS));
        }
        formatted(&text);
    }
}

#[test]
fn documents_with_parts_moved_about() {
    let mut texts: Vec<String> = ["guard.kdl", "options.kdl", "every-node.kdl"]
        .map(super::good)
        .to_vec();
    for seed in 0..40 {
        let mut noise = Noise(seed);
        let mut text = String::new();
        for _ in 0..6 {
            node(&mut noise, 1, &mut text);
            text.push_str(noise.one_of(&LINE_ENDS));
        }
        texts.push(text);
    }
    let mut taken = 0;
    for (index, text) in texts.iter().enumerate() {
        let parts: Vec<&str> = text
            .split_inclusive([' ', '\n', ';', '{', '}', '=', '/', '*'])
            .collect();
        for seed in 0..super::cases(500) {
            let mut noise = Noise((index * 1_000 + seed) as u64);
            let mut moved = parts.clone();
            for step in 0..2 {
                let from = noise.below(moved.len());
                let to = (from + 1 + noise.below(4)).min(moved.len());
                let part: Vec<&str> = moved[from..to].to_vec();
                match step {
                    0 => drop(moved.drain(from..to)),
                    _ => {
                        let at = noise.below(moved.len() + 1);
                        drop(moved.splice(at..at, part));
                    }
                }
            }
            let text = moved.concat();
            match treemind_doc::format(&text, "moved.kdl") {
                Ok(_) => {
                    formatted(&text);
                    taken += 1;
                }
                Err(refusal) => assert!(
                    refusal.iter().all(|item| item.code() != Code::Internal),
                    "{text:?}"
                ),
            }
        }
    }
    assert!(taken > super::cases(1_600), "{taken}");
}

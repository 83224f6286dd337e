//! Every code has a page, and what the page says about the code is true. `UPDATE_EXPECTED=1` updates the diagnostics
//! on the pages.

use std::fs;
use std::path::PathBuf;
use treemind_doc::{Code, Document, Severity};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/codes")
}

fn page(code: Code) -> String {
    let text = fs::read_to_string(folder().join(format!("{code}.md")));
    text.unwrap_or_else(|_| panic!("{code} has no page"))
        .replace("\r\n", "\n")
}

/// The blocks of code of a page, with their languages.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut parts = page.split("```");
    parts.next();
    let mut blocks = Vec::new();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        blocks.push(block.split_once('\n').expect("a language"));
    }
    blocks
}

/// The diagnostics for a text of a language: the code, the severity, and the plain rendering.
fn said(language: &str, text: &str) -> Vec<(Code, Severity, String)> {
    let of = |item: &treemind_doc::Diagnostic| (item.code(), item.severity(), item.to_plain());
    if language == "text" {
        let script = treemind_doc::script::parse(text, "answers.txt");
        let problems = script.err().map(|problems| problems.into_vec());
        return problems.iter().flatten().map(of).collect();
    }
    let load = |path: &str| match path {
        "mood.weights" => Ok(include_bytes!("../../../../conformance/mood.weights").to_vec()),
        "town.kdl" => Ok(b"tree mood { succeed; }\n".to_vec()),
        _ => Err("there is no such file"),
    };
    let document = Document::read_with(text.as_bytes(), &format!("guard.{language}"), load);
    document.diagnostics().iter().map(of).collect()
}

#[test]
fn every_code_has_a_page_that_is_true() {
    let index = fs::read_to_string(folder().join("README.md")).expect("an index");
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    for &code in Code::ALL {
        let page = page(code);
        let title = format!("# {code}: {}\n", code.title());
        assert!(page.starts_with(&title), "{code} is {}", code.title());
        let line = format!("| [{code}]({code}.md) |");
        let row = index.lines().find(|row| row.starts_with(&line));
        let row = row.unwrap_or_else(|| panic!("{code} is not in the index"));
        assert!(row.ends_with(&format!(" {} |", code.title())), "{row}");
        assert_eq!(row.contains("*w*"), code.can_be_a_warning(), "{row}");

        let blocks = blocks(&page);
        let [(language, wrong), (_, expected), (_, right)] = blocks[..] else {
            assert!(blocks.is_empty(), "{code} has {} blocks", blocks.len());
            continue;
        };
        let found = said(language, wrong);
        assert!(
            found.iter().any(|(of, ..)| *of == code),
            "{code}: {found:?}"
        );
        let text: String = found.iter().map(|(.., text)| text.as_str()).collect();
        if update {
            let new = page.replacen(
                &format!("```text\n{expected}```\n\nCorrect"),
                &format!("```text\n{text}```\n\nCorrect"),
                1,
            );
            fs::write(folder().join(format!("{code}.md")), new).expect("a written page");
        } else {
            assert_eq!(expected, text, "{code}");
        }
        for (of, severity, text) in said(language, right) {
            assert!(
                of != code && severity == Severity::Warning,
                "{code}: {text}"
            );
        }
    }
}

#[test]
fn there_is_no_page_without_a_code() {
    for entry in fs::read_dir(folder()).expect("the folder of codes") {
        let name = entry.expect("an entry").file_name().into_string().unwrap();
        let stem = name.strip_suffix(".md").expect("pages only");
        let is_code = Code::ALL.iter().any(|code| code.as_str() == stem);
        assert!(is_code || stem == "README", "{name}");
    }
}

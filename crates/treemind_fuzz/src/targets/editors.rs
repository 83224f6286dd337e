//! The language server: the bytes before the first zero are a text that somebody has open, those behind it say what is
//! asked and typed. Bytes that begin as a message are what a client sends.

use std::io::Cursor;

/// The most questions about one text.
const MOST: usize = 16;

const URI: &str = "file:///fuzz/fuzz.kdl";

/// What is asked, and what else the parameters say.
const QUESTIONS: [(&str, &str); 18] = [
    ("textDocument/completion", ""),
    ("textDocument/hover", ""),
    ("textDocument/signatureHelp", ""),
    ("textDocument/definition", ""),
    ("textDocument/documentHighlight", ""),
    ("textDocument/prepareRename", ""),
    ("textDocument/rename", r#","newName":"b""#),
    (
        "textDocument/references",
        r#","context":{"includeDeclaration":true}"#,
    ),
    ("textDocument/prepareCallHierarchy", ""),
    (
        "textDocument/codeAction",
        r#","context":{"diagnostics":[]}"#,
    ),
    (
        "textDocument/codeAction",
        r#","context":{"diagnostics":[],"only":["source.fixAll"]}"#,
    ),
    ("textDocument/inlayHint", ""),
    ("textDocument/semanticTokens/full", ""),
    ("textDocument/documentSymbol", ""),
    ("textDocument/foldingRange", ""),
    ("textDocument/codeLens", ""),
    (
        "textDocument/rangeFormatting",
        r#","options":{"tabSize":4,"insertSpaces":true}"#,
    ),
    (
        "textDocument/onTypeFormatting",
        r#","ch":"}","options":{"tabSize":4,"insertSpaces":true}"#,
    ),
];

/// What is typed.
const TYPED: [&str; 8] = ["", "a", "{", "}", "\"", "\\n", " name=", "守"];

pub(super) fn check(bytes: &[u8]) {
    if bytes.starts_with(b"Content-Length") {
        let _ = serve(bytes.to_vec());
        return;
    }
    let end = bytes
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(bytes.len());
    let Ok(text) = std::str::from_utf8(&bytes[..end]) else {
        return;
    };
    let mut sent =
        message(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#);
    let text: String = text.chars().map(escaped).collect();
    sent.push_str(&message(&format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{URI}","languageId":"treemind","version":1,"text":"{text}"}}}}}}"#
    )));
    let choices = bytes.get(end + 1..).unwrap_or_default();
    let asked = choices.chunks_exact(4).take(MOST);
    let count = asked.len();
    for (nth, choice) in asked.enumerate() {
        sent.push_str(&step(nth + 1, choice));
    }
    let answered = serve(sent.into_bytes());
    assert!(!answered.contains("\"code\":-32603"), "{answered}");
    assert!(!answered.contains("\"code\":-32602"), "{answered}");
    for id in 1..=count {
        assert!(
            answered.contains(&format!("\"id\":{id},")),
            "{id} has no answer"
        );
    }
}

/// A change at a place, and a question there.
fn step(id: usize, choice: &[u8]) -> String {
    let (line, column) = (u32::from(choice[2] % 64), u32::from(choice[3]));
    let typed = TYPED[usize::from(choice[1]) % TYPED.len()];
    let position = format!(r#"{{"line":{line},"character":{column}}}"#);
    let range = format!(r#"{{"start":{position},"end":{position}}}"#);
    let change = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":{id}}},"contentChanges":[{{"range":{range},"text":"{typed}"}}]}}}}"#
    )
    .replace(r#":"""}]"#, r#":"\""}]"#);
    let (method, more) = QUESTIONS[usize::from(choice[0]) % QUESTIONS.len()];
    let question = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"textDocument":{{"uri":"{URI}"}},"position":{position},"range":{range}{more}}}}}"#
    );
    message(&change) + &message(&question)
}

fn escaped(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

fn message(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// What the server answers.
fn serve(sent: Vec<u8>) -> String {
    let mut answered = Vec::new();
    treemind_lsp::serve(Cursor::new(sent), &mut answered).expect("answers can be written");
    String::from_utf8_lossy(&answered).into_owned()
}

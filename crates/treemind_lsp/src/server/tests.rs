//! What only the inside of a server can show.

use super::serve;
use std::io::Cursor;

fn message(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn a_panic_is_answered_with_an_error_and_a_report() {
    let asked = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"treemind/panic","params":null}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"workspace/symbol","params":{"query":""}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#,
        r#"{"jsonrpc":"2.0","method":"exit"}"#,
    ];
    let asked: String = asked.iter().map(|one| message(one)).collect();
    let mut answered = Vec::new();
    assert!(serve(Cursor::new(asked), &mut answered).unwrap());
    let answered = String::from_utf8(answered).unwrap();
    assert!(
        answered.contains(r#""id":2,"error":{"code":-32603"#),
        "{answered}"
    );
    assert!(answered.contains(r#""id":3,"result":[]"#), "{answered}");
    let begin = answered.find("report in ").expect("a report") + "report in ".len();
    let path = answered[begin..].split(' ').next().unwrap();
    let report = std::fs::read_to_string(path).unwrap();
    assert!(
        report.contains("`treemind/panic`") && report.contains("as the test wants"),
        "{report}"
    );
    std::fs::remove_file(path).unwrap();
}

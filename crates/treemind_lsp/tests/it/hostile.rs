//! What no client should send.

use crate::client::{Client, URI};
use serde_json::{Value, json};
use std::io::{BufReader, Write, pipe};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The questions at a place.
const AT: [&str; 8] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/prepareCallHierarchy",
    "textDocument/references",
];

/// The questions about a file.
const OF: [&str; 6] = [
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/codeAction",
];

fn ask_everything(client: &mut Client, uri: &str, [line, column]: [u32; 2]) {
    let position = json!({ "line": line, "character": column });
    let asked = json!({
        "textDocument": { "uri": uri },
        "position": position,
        "range": { "start": position, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
    });
    for method in AT.iter().chain(&OF) {
        client.ask(method, asked.clone());
    }
}

#[test]
fn places_outside_the_text_and_unknown_files_have_empty_answers() {
    let (mut client, _) = Client::on("tree 守 { succeed; }\n");
    for place in [
        [0, 6],
        [0, 4_000_000_000],
        [9, 9],
        [4_000_000_000, 4_000_000_000],
    ] {
        ask_everything(&mut client, URI, place);
        ask_everything(&mut client, "file:///nowhere/else.kdl", place);
        ask_everything(&mut client, "nonsense", place);
    }
    assert!(client.end());
}

#[test]
fn examples_cut_anywhere_are_answered() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(root.join("01-guard/guard.kdl")).unwrap();
    let (mut client, _) = Client::on("");
    for cut in (0..text.len())
        .step_by(191)
        .filter(|at| text.is_char_boundary(*at))
    {
        client.change(URI, None, &text[..cut]);
        let line = u32::try_from(text[..cut].matches('\n').count()).unwrap();
        ask_everything(&mut client, URI, [line, 9999]);
    }
    assert!(client.end());
}

#[test]
fn what_is_no_message_is_passed_over() {
    let mut client = Client::new();
    for bytes in [
        &b"Content-Length: 5\r\n\r\nhello"[..],
        b"Content-Length: x\r\n\r\n",
        b"nonsense\r\n\r\n\r\n",
        b"Content-Length: 2\r\n\r\n{}",
        b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
        b"Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"x\"}",
    ] {
        client.bytes(bytes);
    }
    client.tell("textDocument/didOpen", json!({ "textDocument": 3 }));
    client.tell("textDocument/didChange", json!([]));
    client.tell("no/such/thing", json!(null));
    client.tell("$/cancelRequest", json!({ "id": {} }));
    assert!(
        client
            .refused("no/such/thing", Value::Null)
            .contains("not known")
    );
    let bad = json!({ "position": -1 });
    assert!(!client.refused("textDocument/hover", bad).is_empty());
    assert!(
        client
            .refused("initialize", json!({}))
            .contains("cannot be asked now")
    );
    client.change("file:///never/opened.kdl", None, "x");
    assert!(client.end());
}

#[test]
fn a_client_may_say_nothing_or_vanish() {
    assert!(!Client::raw().vanish());
    assert!(!Client::new().vanish());
    let mut client = Client::raw();
    assert!(
        client
            .refused("textDocument/hover", json!({}))
            .contains("waits for `initialize`")
    );
    client.bytes(b"Content-Length: 999999999\r\n\r\nthe end");
    assert!(!client.vanish());
}

#[test]
fn a_client_that_never_reads_has_to_wait() {
    let (from_client, mut input) = pipe().unwrap();
    let (output, to_client) = pipe().unwrap();
    let server = thread::spawn(move || treemind_lsp::serve(BufReader::new(from_client), to_client));
    let (sender, sent) = channel();
    // Asks until nobody takes the questions any more.
    thread::spawn(move || {
        for id in 0.. {
            let body = json!({ "jsonrpc": "2.0", "id": id, "method": "no/such/thing" }).to_string();
            let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
            if input.write_all(message.as_bytes()).is_err() || sender.send(()).is_err() {
                return;
            }
        }
    });
    let mut count = 0;
    while sent.recv_timeout(Duration::from_millis(300)).is_ok() {
        count += 1;
        assert!(count < 20_000, "the server keeps what it cannot say");
    }
    assert!(count > 100, "{count}");
    // When it goes away, the server ends.
    drop(output);
    assert!(server.join().unwrap().is_err());
}

#[test]
fn a_long_line_does_not_stop_the_others() {
    let (mut client, _) = Client::on("tree t { succeed; }\n");
    let long = "file:///nowhere/long.kdl";
    client.open(long, &"x".repeat(10 << 20));
    let told = client.diagnostics(long);
    assert!(
        told[0]["message"].as_str().unwrap().contains("too long"),
        "{told:?}"
    );
    ask_everything(&mut client, long, [0, 5_000_000]);
    // A part of what is not kept cannot be changed; a whole text can.
    client.change(long, Some([0, 0, 0, 9]), "y");
    client.change(long, None, &"tree t { succeed; } ".repeat(20_000));
    ask_everything(&mut client, long, [0, 200_000]);
    ask_everything(&mut client, URI, [0, 3]);
    assert!(client.end());
}

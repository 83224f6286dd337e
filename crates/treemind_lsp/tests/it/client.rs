//! A client in the same process.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::thread::JoinHandle;

/// A client with its server.
pub(crate) struct Client {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    server: Option<JoinHandle<std::io::Result<bool>>>,
    last: i64,
    version: i64,
    /// What the server told and was not asked for.
    pub(crate) told: Vec<Value>,
}

/// The file that most tests have.
pub(crate) const URI: &str = "file:///nowhere/guard.kdl";

impl Client {
    /// A client with nothing open; it can do everything.
    pub(crate) fn new() -> Self {
        Self::with(&json!({
            "capabilities": {
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
                "workspace": { "workspaceEdit": { "documentChanges": true } },
            },
        }))
    }

    pub(crate) fn with(params: &Value) -> Self {
        let mut client = Self::raw();
        let answer = client.ask("initialize", params.clone());
        assert!(answer["capabilities"].is_object(), "{answer}");
        client.tell("initialized", json!({}));
        client
    }

    /// A client that has said nothing.
    pub(crate) fn raw() -> Self {
        let (from_client, input) = pipe().unwrap();
        let (output, to_client) = pipe().unwrap();
        let serve = move || treemind_lsp::serve(BufReader::new(from_client), to_client);
        Self {
            input: Some(input),
            output: BufReader::new(output),
            server: Some(std::thread::spawn(serve)),
            last: 0,
            version: 1,
            told: Vec::new(),
        }
    }

    /// A client with a text; `¦` in it is where the cursor is.
    pub(crate) fn on(text: &str) -> (Self, Value) {
        let mut client = Self::new();
        let place = client.open(URI, text);
        (client, place)
    }

    /// Opens a text; returns the parameters of a question at its `¦`, or at its beginning.
    pub(crate) fn open(&mut self, uri: &str, text: &str) -> Value {
        let at = text.find('¦').unwrap_or(0);
        let before = &text[..at];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..].encode_utf16().count();
        let text = text.replace('¦', "");
        let item = json!({ "uri": uri, "languageId": "treemind", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
        json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": column },
        })
    }

    /// Replaces a range of the text, or all of it.
    pub(crate) fn change(&mut self, uri: &str, range: Option<[u32; 4]>, text: &str) {
        self.version += 1;
        let mut change = json!({ "text": text });
        if let Some([line, column, last, end]) = range {
            change["range"] = json!({
                "start": { "line": line, "character": column },
                "end": { "line": last, "character": end },
            });
        }
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": self.version }, "contentChanges": [change] }),
        );
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.bytes(framed.as_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks without waiting; returns the id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.last += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }),
        );
        self.last
    }

    /// The whole answer to a request, with its error if it has one.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.told.push(message);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The message of the error that a request has.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.begin(method, params);
        let answer = self.answer(id);
        answer["error"]["message"]
            .as_str()
            .expect("an error")
            .to_owned()
    }

    fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server has ended"
            );
            if line == "\r\n" {
                break;
            }
            length = line["Content-Length: ".len()..].trim().parse().unwrap();
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The next diagnostics that are told of a file.
    pub(crate) fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let is_it = |one: &Value| {
                one["method"] == "textDocument/publishDiagnostics" && one["params"]["uri"] == uri
            };
            if let Some(at) = self.told.iter().position(is_it) {
                let one = self.told.remove(at);
                return one["params"]["diagnostics"].as_array().unwrap().clone();
            }
            let message = self.next();
            self.told.push(message);
        }
    }

    /// The codes of the next diagnostics.
    pub(crate) fn codes(&mut self, uri: &str) -> Vec<String> {
        let all = self.diagnostics(uri);
        all.iter()
            .map(|one| one["code"].as_str().unwrap_or("").to_owned())
            .collect()
    }

    /// Ends the server; whether it says that this was in order.
    pub(crate) fn end(mut self) -> bool {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.ended()
    }

    /// Goes away without a word.
    pub(crate) fn vanish(mut self) -> bool {
        self.input = None;
        self.ended()
    }

    /// Reads what the server still sends, so that it does not wait for room in the pipe, and how it ended.
    fn ended(mut self) -> bool {
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).unwrap();
        self.server.take().unwrap().join().unwrap().unwrap()
    }
}

/// A text after edits of the protocol, which do not overlap.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let byte = |position: &Value| {
        let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
        let column = usize::try_from(position["character"].as_u64().unwrap()).unwrap();
        let rest = &text[starts[line]..];
        let mut units = 0;
        let mut found = rest.char_indices().find(|(_, c)| {
            let is_there = units >= column;
            units += c.len_utf16();
            is_there
        });
        starts[line] + found.take().map_or(rest.len(), |(at, _)| at)
    };
    let mut all: Vec<(usize, usize, String)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let new = edit["newText"].as_str().unwrap().to_owned();
            (
                byte(&edit["range"]["start"]),
                byte(&edit["range"]["end"]),
                new,
            )
        })
        .collect();
    all.sort();
    let mut out = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}

/// The text of a file after a change of many files.
pub(crate) fn changed(text: &str, uri: &str, change: &Value) -> String {
    let files = change["documentChanges"].as_array().unwrap();
    let own = files.iter().find(|one| one["textDocument"]["uri"] == uri);
    own.map_or_else(|| text.to_owned(), |own| edited(text, &own["edits"]))
}

//! How long the language server takes, and how much memory: `cargo run --release -p treemind_lsp --example times`.
//!
//! Somebody types 200 keys into a document of 2 000 lines with five imports; after each, the example asks for a
//! completion, and waits for the diagnostics. Then it opens 200 documents of 500 lines.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::time::{Duration, Instant};

struct Client {
    input: PipeWriter,
    output: BufReader<PipeReader>,
    told: Vec<Value>,
    last: i64,
}

impl Client {
    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len());
        sent.expect("a server that reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id)
    }

    /// The diagnostics of a version of a file.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Value {
        self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        })
    }

    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.told.iter().position(&is_it) {
            return self.told.swap_remove(at);
        }
        loop {
            let message = self.next();
            if is_it(&message) {
                return message;
            }
            self.told.push(message);
        }
    }

    fn next(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output
                .read_line(&mut line)
                .expect("a server that writes");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a whole message");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn open(&mut self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "treemind", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": item }));
    }
}

/// Trees of ten lines each.
fn trees(name: &str, lines: usize) -> String {
    let one = |tree: usize| {
        format!(
            "tree {name}-{tree} {{\n    selector {{\n        sequence {{\n            check \"health < {tree}\"\n            \
             condition near\n            action go speed=2.0\n        }}\n        action rest when=\"health > 3\"\n    \
             }}\n}}\n"
        )
    };
    (0..lines / 10).map(one).collect()
}

const NAMES: &str = "blackboard {\n    key health type=float default=100.0\n}\nleaves {\n    condition near\n    action go { \
                     param speed type=float default=1.0; }\n    action rest\n}\n";

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what}: median {median:.1?}, worst {worst:.1?} of {} keys",
        times.len()
    );
}

/// How long the threads of this process have computed, which does not depend on what else the machine does; 0 where the
/// system does not tell.
fn computed() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let nanos = tasks.filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

/// What this process has in memory, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    number.unwrap_or(0) / 1024
}

fn main() {
    let (from_client, input) = pipe().expect("a pipe");
    let (output, to_client) = pipe().expect("a pipe");
    std::thread::spawn(move || treemind_lsp::serve(BufReader::new(from_client), to_client));
    let mut client = Client {
        input,
        output: BufReader::new(output),
        told: Vec::new(),
        last: 0,
    };
    client.ask("initialize", json!({ "capabilities": {} }));
    client.tell("initialized", json!({}));
    // Documents may import only from folders that exist.
    let made = tempfile::tempdir().expect("a folder");
    let folder = format!("file://{}", made.path().display());
    type_keys(&mut client, &folder);
    open_many(&mut client, &folder);
}

fn type_keys(client: &mut Client, folder: &str) {
    client.open(&format!("{folder}/names.kdl"), NAMES);
    for part in 0..4 {
        let text = trees(&format!("part{part}"), 400);
        client.open(&format!("{folder}/part{part}.kdl"), &text);
    }
    let imports: String = (0..4)
        .map(|part| format!("import \"part{part}.kdl\"\n"))
        .collect();
    let text = format!("import \"names.kdl\"\n{imports}{}", trees("main", 2_000));
    let uri = format!("{folder}/main.kdl");
    client.open(&uri, &text);
    client.diagnostics(&uri, 1);
    println!(
        "{} lines, {} bytes, five imports",
        text.lines().count(),
        text.len()
    );
    let (mut completing, mut checking) = (Vec::new(), Vec::new());
    let (mut complete_work, mut check_work) = (Vec::new(), Vec::new());
    let typed = "        action rest";
    for key in 0_i64..200 {
        // Letter by letter in a new line of some tree, and away again.
        let line = 12 + 10 * (key / 20);
        let column = typed.len() as i64 - 4 + key % 4;
        let new = match key % 4 {
            0 => format!("{}r", &typed[..typed.len() - 4]),
            at => typed[typed.len() - 4 + at as usize..][..1].to_owned(),
        };
        let start = if key % 4 == 0 { 0 } else { column };
        let end = if key % 4 == 0 {
            json!({ "line": line, "character": 999 })
        } else {
            json!({ "line": line, "character": column })
        };
        let worked = computed();
        let begun = Instant::now();
        let version = key + 2;
        client.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{ "range": { "start": { "line": line, "character": start }, "end": end }, "text": new }],
            }),
        );
        let place = json!({ "line": line, "character": column + 1 });
        let found = client.ask(
            "textDocument/completion",
            json!({ "textDocument": { "uri": uri }, "position": place }),
        );
        completing.push(begun.elapsed());
        complete_work.push(computed() - worked);
        assert_eq!(
            found["result"]["items"][0]["label"], "rest",
            "{key}: {found}"
        );
        client.diagnostics(&uri, version);
        checking.push(begun.elapsed());
        check_work.push(computed() - worked);
    }
    show("completion after a key", completing);
    show(
        "diagnostics after a key, behind the completion and a pause of 5 ms",
        checking,
    );
    show("  of which it computed, for the completion", complete_work);
    show("  and for both", check_work);
    println!("memory: {} MB", memory());
}

fn open_many(client: &mut Client, folder: &str) {
    let begun = Instant::now();
    for nth in 0..200 {
        let text = format!("{NAMES}{}", trees("many", 490));
        client.open(&format!("{folder}/many{nth}.kdl"), &text);
    }
    client.diagnostics(&format!("{folder}/many199.kdl"), 1);
    let took = begun.elapsed();
    println!(
        "200 documents of 500 lines opened in {took:.1?}; memory: {} MB",
        memory()
    );
}

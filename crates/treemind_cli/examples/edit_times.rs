//! How long the studio takes to answer edits of a document of 2 000 lines, as a page sees it, and how much it sends:
//! `cargo build --profile dist -p treemind_cli`, then `cargo run -p treemind_cli --example edit_times target/dist/treemind`.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, connect};

/// How often each edit is done and undone.
const TIMES: u64 = 20;

/// A document with that many lines, all of which play.
fn document(lines: usize) -> String {
    let trees = lines / 10;
    let mut text = String::from(
        "blackboard {\n    key health type=float default=100.0\n}\nleaves { condition near; action go; action rest; }\n\
         tree guard {\n    selector {\n",
    );
    for tree in 0..trees {
        text += &format!("        subtree t{tree}\n");
    }
    text += "    }\n}\n";
    for tree in 0..trees * 9 / 10 {
        text += &format!(
            "tree t{tree} {{\n    selector {{\n        sequence {{\n            check \"health < {tree}\"\n            \
             condition near\n            action go\n        }}\n        action rest when=\"health > 3\"\n    }}\n}}\n"
        );
    }
    for tree in trees * 9 / 10..trees {
        text += &format!("tree t{tree} {{ action rest; }}\n");
    }
    text
}

/// The program, which ends with this.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A page, as far as it counts.
struct Page {
    socket: tungstenite::WebSocket<tungstenite::stream::MaybeTlsStream<std::net::TcpStream>>,
    state: Value,
    opened: Value,
    revision: u64,
    /// The ids of nodes, by their words, as the first sheet had them.
    nodes: Vec<(String, u64)>,
}

impl Page {
    fn say(&mut self, what: &Value) {
        let sent = self.socket.send(Message::text(what.to_string()));
        sent.expect("the program answers");
    }

    fn look(&mut self) {
        let look = json!({"say": "look", "delta": true, "nth": 1, "seen": self.state, "opened": self.opened,
            "defined": 0, "mind": 0, "sheet": self.revision});
        self.say(&look);
    }

    /// The next view, and its bytes.
    fn hear(&mut self) -> (Value, usize) {
        loop {
            let message = self.socket.read().expect("the program answers");
            let Message::Text(text) = message else {
                continue;
            };
            let view: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(view["kind"], "view", "{view}");
            (self.state, self.opened) = (view["state"].clone(), view["opened"].clone());
            for sheet in [&view["sheet"], &view["sheet_change"]] {
                self.revision = sheet["revision"].as_u64().unwrap_or(self.revision);
            }
            for node in view["sheet"]["nodes"].as_array().into_iter().flatten() {
                let word = node["word"].as_str().expect("a word").to_owned();
                self.nodes
                    .push((word, node["id"].as_u64().expect("a number")));
            }
            return (view, text.len());
        }
    }

    /// The time until the document has changed, the time until the game plays it, and the bytes of all answers until then.
    fn edit(&mut self, edit: &Value) -> (Duration, Duration, usize) {
        let (before, opened) = (self.revision, self.opened.clone());
        self.look();
        let begun = Instant::now();
        self.say(&json!({"say": "edit", "edit": edit}));
        let (mut answered, mut bytes) = (None, 0);
        loop {
            bytes += self.hear().1;
            if self.revision > before && answered.is_none() {
                answered = Some(begun.elapsed());
            }
            if let Some(answered) = answered
                && self.opened != opened
            {
                return (answered, begun.elapsed(), bytes);
            }
            self.look();
        }
    }

    fn node(&self, word: &str, nth: usize) -> u64 {
        let mut nodes = self.nodes.iter().filter(|(of, _)| of == word);
        nodes.nth(nth).expect("so many").1
    }
}

fn show(what: &str, mut all: Vec<(Duration, Duration, usize)>) {
    let of = |of: &mut dyn FnMut(&(Duration, Duration, usize)) -> Duration, all: &[_]| {
        let mut times: Vec<Duration> = all.iter().map(of).collect();
        times.sort_unstable();
        (times[times.len() / 2], times[times.len() - 1])
    };
    let (answered, slowest) = of(&mut |one| one.0, &all);
    let (played, latest) = of(&mut |one| one.1, &all);
    all.sort_unstable_by_key(|one| one.2);
    let bytes = all[all.len() / 2].2;
    println!(
        "{what:<8} answered {answered:>8.1?} (worst {slowest:>8.1?}), plays {played:>8.1?} (worst {latest:>8.1?}), {bytes} bytes"
    );
}

fn main() {
    let program = std::env::args().nth(1).expect("the path of the program");
    let lines = std::env::args()
        .nth(2)
        .map_or(2_000, |lines| lines.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    let text = document(lines);
    println!("{} lines, {} bytes", text.lines().count(), text.len());
    std::fs::write(&path, text).expect("it is written");
    let mut child = Command::new(program)
        .arg("studio")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("an output"));
    let _program = Program(child);
    out.read_line(&mut address).expect("an address");
    let (host, token) = address.trim()["http://".len()..]
        .split_once("/#token=")
        .expect("a token");
    let (socket, _) = connect(format!("ws://{host}/socket?token={token}")).expect("a web socket");
    let mut page = Page {
        socket,
        state: json!(0),
        opened: json!(0),
        revision: 0,
        nodes: Vec::new(),
    };
    page.say(&json!({"say": "pause"}));
    while page.nodes.is_empty() {
        page.look();
        page.hear();
    }
    let (go, wait) = (page.node("action", 90), page.node("check", 100));
    let (near, other) = (page.node("condition", 30), page.node("condition", 140));
    let tree = page.node("tree", 50);
    let edits = [
        (
            "set",
            json!({"do": "set", "id": go, "name": "doc", "value": "so"}),
        ),
        (
            "value",
            json!({"do": "set", "id": wait, "name": "0", "value": "health < 7"}),
        ),
        (
            "add",
            json!({"do": "add", "text": "wait 0.5", "spot": {"id": go, "side": "after"}}),
        ),
        (
            "wrap",
            json!({"do": "add", "text": "repeat 3", "spot": {"id": near, "side": "around"}}),
        ),
        (
            "move",
            json!({"do": "move", "ids": [near], "spot": {"id": other, "side": "after"}}),
        ),
        ("remove", json!({"do": "remove", "ids": [near]})),
        (
            "rename",
            json!({"do": "rename", "id": tree, "name": "other"}),
        ),
        (
            "extract",
            json!({"do": "extract", "id": go, "name": "going"}),
        ),
        (
            "type",
            json!({"do": "type", "file": 0, "from": 3_000, "to": 3_000, "text": " "}),
        ),
    ];
    let mut undone = Vec::new();
    for (what, edit) in edits {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            times.push(page.edit(&edit));
            undone.push(page.edit(&json!({"do": "undo"})));
        }
        show(what, times);
    }
    show("undo", undone);
}

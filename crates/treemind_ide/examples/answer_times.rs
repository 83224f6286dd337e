//! How long answers take in a document of 2 000 lines: `cargo run --release -p treemind_ide --example answer_times`.

use std::time::{Duration, Instant};
use treemind_doc::edit::Editor;

/// A document with that many lines, most of them tasks.
fn document(lines: usize) -> String {
    let mut text = String::from(
        "blackboard {\n    key health type=float default=100.0\n    key target type=entity optional=#true\n}\n\
         leaves { condition near; action go { param to type=vec2 default=\"0.0, 0.0\"; }; action rest; }\n",
    );
    for tree in 0..lines / 10 {
        text.push_str(&format!(
            "tree t{tree} {{\n    selector {{\n        sequence {{\n            check \"health < {tree}\"\n            \
             condition near\n            action go\n        }}\n        action rest when=\"health > 3\"\n    }}\n}}\n"
        ));
    }
    text
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what}: median {median:.1?}, worst {worst:.1?} of {} keys",
        times.len()
    );
}

fn main() {
    let text = document(2_000);
    println!("{} lines, {} bytes", text.lines().count(), text.len());
    let places: Vec<usize> = text
        .match_indices("        action r")
        .map(|(at, found)| at + found.len())
        .collect();
    let (mut completing, mut checking) = (Vec::new(), Vec::new());
    for nth in 0..200 {
        let at = places[nth % places.len()];
        let typed = format!("{}{}", &text[..at], &text[at + 3..]);
        let begun = Instant::now();
        let editor = Editor::of_texts(&[("guard.kdl", typed.as_str())]);
        let found = treemind_ide::complete(&editor, at, &[]);
        completing.push(begun.elapsed());
        assert_eq!(found.items[0].label, "rest");
        let begun = Instant::now();
        assert!(editor.document().has_errors());
        checking.push(begun.elapsed());
    }
    show("completion, with reading the text", completing);
    show("diagnostics", checking);
}

//! How long an edit of a document of 2 000 lines takes: the change, the new text, its outline and its diagnostics.
//!
//! ```text
//! cargo run --release -p treemind_doc --example edit_cost
//! ```

use std::time::{Duration, Instant};
use treemind_doc::Document;
use treemind_doc::edit::{At, Change, EditError, Editor, Spot};

/// A document with trees, a machine and a decision tree, with that many lines or a few more.
fn document(lines: usize) -> String {
    let mut text = String::from(
        "blackboard {\n    key health type=float default=100.0\n    key alarm type=bool\n}\n\
         leaves {\n    action go { param at type=float default=1.0; }\n    condition see\n}\nmain tree=part-0\n",
    );
    let mut count = text.lines().count();
    let mut number = 0u32;
    while count < lines {
        let part = format!(
            "\n// Part {number}\ntree part-{number} {{\n    in limit type=float default=20.0\n    selector name=root {{\n        \
             sequence when=\"health < limit\" {{\n            action go at=3.0 // away\n            wait 0.5\n            \
             force-success {{\n                condition see\n            }}\n        }}\n        reactive-sequence {{\n            \
             check \"!alarm\"\n            repeat 3 {{\n                action go\n            }}\n        }}\n        subtree rest\n    }}\n}}\n"
        );
        count += part.lines().count();
        text.push_str(&part);
        number += 1;
        if number.is_multiple_of(20) {
            let machine = format!(
                "\nmachine mode-{number} {{\n    initial calm\n    state calm {{\n        do {{ action go; }}\n        \
                 transition to=wild when=\"alarm\"\n    }}\n    state wild {{\n        transition to=calm after=2.0\n    }}\n}}\n"
            );
            count += machine.lines().count();
            text.push_str(&machine);
        }
    }
    text.push_str("\ntree rest {\n    action go\n}\n");
    text
}

type Edit = fn(&Editor, &dyn Fn(&str) -> At) -> Result<Change, EditError>;

const EDITS: [(&str, Edit); 12] = [
    ("insert", |editor, at| {
        editor.insert(Spot::After(at("wait 0.5")), "action go")
    }),
    ("remove", |editor, at| editor.remove(at("wait 0.5"))),
    ("move", |editor, at| {
        editor.move_node(at("wait 0.5"), Spot::Before(at("check")))
    }),
    ("wrap", |editor, at| editor.wrap(at("check"), "invert")),
    ("set", |editor, at| editor.set(at("check"), "name", "calm")),
    ("change kind", |editor, at| {
        editor.change_kind(at("reactive-sequence"), "sequence")
    }),
    ("duplicate", |editor, at| {
        editor.duplicate(at("force-success"))
    }),
    ("rename a key used everywhere", |editor, at| {
        editor.rename(at("health type"), "life")
    }),
    ("extract", |editor, at| {
        editor.extract(at("sequence when"), "other")
    }),
    ("inline", |editor, at| editor.inline(at("subtree"), true)),
    ("add a transition", |editor, at| {
        editor.add_transition(at("state calm"), at("state wild"), "after=1")
    }),
    ("type a letter", |editor, at| {
        let At { file, offset } = at("away");
        editor.replace(file, offset..offset, "x")
    }),
];

fn main() {
    let text = document(2_000);
    let document = Document::parse(&text, "large.kdl");
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    let editor = Editor::new(document).expect("KDL");
    let nodes = editor.outline().nodes().len();
    println!("{} lines, {nodes} nodes", text.lines().count());
    let middle = text.len() / 2;
    let at = |what: &str| {
        let found = text[middle..].find(what).map(|at| at + middle);
        At::from(found.or_else(|| text.find(what)).expect("it is there"))
    };
    println!(
        "{:30} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "ms", "change", "apply", "outline", "check", "most"
    );
    for (name, edit) in EDITS {
        let mut times: Vec<[Duration; 4]> = Vec::new();
        for _ in 0..21 {
            let mut editor = editor.clone();
            // What was known of the text before the edit is known.
            editor.document();
            let mut laps = [Duration::ZERO; 4];
            let start = Instant::now();
            let change = edit(&editor, &at).expect(name);
            laps[0] = start.elapsed();
            editor.apply(&change).expect("made for it");
            laps[1] = start.elapsed();
            std::hint::black_box(editor.outline());
            laps[2] = start.elapsed();
            std::hint::black_box(editor.document().diagnostics());
            laps[3] = start.elapsed();
            times.push(laps);
        }
        times.sort_by_key(|laps| laps[3]);
        let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
        let middle = times[times.len() / 2];
        let [change, apply, outline, check] = middle;
        println!(
            "{name:30} {:9.2} {:9.2} {:9.2} {:9.2} {:9.2}",
            ms(change),
            ms(apply - change),
            ms(outline - apply),
            ms(check - outline),
            ms(times[times.len() - 1][3])
        );
    }
    let place = Spot::After(at("wait 0.5"));
    let time = |work: &dyn Fn()| {
        let mut times: Vec<Duration> = (0..21)
            .map(|_| {
                let start = Instant::now();
                work();
                start.elapsed()
            })
            .collect();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1_000.0
    };
    let fits = time(&|| drop(std::hint::black_box(editor.fits(place))));
    let may_move = time(&|| drop(std::hint::black_box(editor.may_move(at("check"), place))));
    println!(
        "what fits at a place: {fits:.2} ms; whether a node may be dropped there: {may_move:.2} ms"
    );
}

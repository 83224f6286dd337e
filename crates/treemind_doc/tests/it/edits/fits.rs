//! What may stand where: judged without the edit, and compared with what the checks say after it.

use super::sequences::Random;
use super::{editor, marked};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use treemind_doc::edit::{At, Change, EditError, Editor, SourceRole, Spot};
use treemind_doc::{Document, Severity};

fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut texts = vec![OWN.to_owned()];
    for folder in ["01-guard", "03-boss", "04-cleaning-robot", "10-soldier"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        for path in paths {
            if path.extension().is_some_and(|kind| kind == "kdl") {
                texts.push(fs::read_to_string(path).expect("text"));
            }
        }
    }
    texts.retain(|text| !Document::parse(text, "test.kdl").has_errors());
    assert!(texts.len() > 3, "{}", texts.len());
    texts
}

const OWN: &str = "blackboard { key a type=bool; key n type=int; }\nleaves { action go doc=\"Walks.\"; action beep instant=#true; condition see; event bell; }\nmain tree=t\n\
tree t {\n    key own type=int\n    selector {\n        sequence { check \"own > 1\"; action go; set \"own = 2\"; }\n        invert { condition see; }\n        switch \"n\" { case 1 { run; }; default { fail; }; }\n        subtree u p=\"{own}\"\n        utility-selector { action go score=\"n\"; run { score { consider \"n\"; }; }; }\n    }\n}\n\
tree u { in p type=int; check \"p > 1\"; }\n\
machine m {\n    initial x\n    state x { entry { action beep; emit bell; }; do { action go; }; transition to=y on=bell { action beep; }; }\n    state y { transition to=x { when { condition see; }; }; }\n}\n\
decide d {\n    test \"a\" { yes { goto far; }; no { action go; }; }\n    test-condition see { action go; }\n    random { option 1 { none; }; option 2 { goto far; }; }\n    branch far { run; }\n}\n";

fn all_nodes(editor: &Editor) -> Vec<At> {
    let outline = editor.outline();
    // Tests of the document are another language.
    let nodes = outline.nodes().iter();
    let nodes = nodes.filter(|node| node.role != SourceRole::Test && node.word != "test");
    nodes
        .map(|node| At::from((node.file, node.span.start)))
        .collect()
}

fn spots(at: At) -> [Spot; 3] {
    [Spot::Before(at), Spot::After(at), Spot::Into(at, 99)]
}

/// The codes of the errors after a change.
fn errors(editor: &Editor, change: &Change) -> Vec<String> {
    let text = change.apply_to(0, editor.text(0)).expect("made for it");
    let document = Document::parse(&text, "test.kdl");
    let all = document.diagnostics().iter();
    let errors = all.filter(|found| found.severity() == Severity::Error);
    errors
        .map(|found| format!("{} {}", found.code(), found.message()))
        .collect()
}

/// Errors that say that a node may not stand where it is, or that a name is not known there.
fn is_about_place(error: &str) -> bool {
    let codes = ["T0101", "T0103", "T0113", "T0114", "T0302"];
    codes.iter().any(|code| error.starts_with(code))
}

#[test]
fn what_is_refused_would_be_a_mistake_and_the_rest_would_not() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (seed, text) in texts().into_iter().enumerate() {
        let editor = editor(&text);
        let nodes = all_nodes(&editor);
        let mut random = Random::new(seed as u64 + 5);
        for _ in 0..400 {
            let (from, to) = (
                nodes[random.below(nodes.len())],
                nodes[random.below(nodes.len())],
            );
            let spot = spots(to)[random.below(3)];
            let Ok(change) = editor.move_node(from, spot) else {
                assert!(editor.may_move(from, spot).is_err());
                continue;
            };
            let errors = errors(&editor, &change);
            let verdict = editor.may_move(from, spot);
            let kind = match (
                &verdict,
                errors.is_empty(),
                errors.iter().any(|error| is_about_place(error)),
            ) {
                (Ok(()), _, false) => "allowed, and no mistake of place",
                (Err(_), false, _) => "refused, and a mistake",
                (Ok(()), _, true) => "allowed, but a mistake of place",
                (Err(_), true, _) => "refused, but no mistake",
            };
            // The same word may be right in both places, but something else.
            let is_other =
                |why: &EditError| why.message().to_string().contains("means something else");
            if kind.contains("but") && !verdict.as_ref().is_err_and(is_other) {
                let words = |at| editor.node(at).map(|node| text[node.line].to_owned());
                let (from, to) = (words(from), words(to));
                wrong.push(format!(
                    "{kind}: {from:?} to {to:?} {spot:?} {verdict:?} {errors:?}"
                ));
                continue;
            }
            if kind.contains("but") {
                continue;
            }
            *counts.entry(kind).or_default() += 1;
        }
    }
    assert!(
        wrong.is_empty(),
        "{counts:?} {}",
        wrong
            .iter()
            .take(6)
            .cloned()
            .collect::<Vec<_>>()
            .join("\n------\n")
    );
    assert!(
        counts.values().all(|count| *count > 100) && counts.len() == 2,
        "{counts:?}"
    );
}

#[test]
fn what_fits_can_be_inserted() {
    let mut count = 0;
    for text in texts() {
        let editor = editor(&text);
        for at in all_nodes(&editor) {
            for spot in spots(at) {
                let fits = editor.fits(spot).expect("a place");
                // A few of them, from the first on.
                for fit in fits.iter().take(4).chain(fits.iter().skip(4).step_by(9)) {
                    assert!(!fit.doc.is_empty(), "{fit:?}");
                    editor.may_insert(spot, &fit.text).expect("it fits");
                    let change = match editor.insert(spot, &fit.text) {
                        Ok(change) => change,
                        Err(why) => panic!("{why}: {fit:?} at {spot:?}\n{text}"),
                    };
                    if count % 7 == 0 {
                        let errors = errors(&editor, &change);
                        // Whether a branch leads back to itself is seen only with all of its ways.
                        let leads_back =
                            |error: &str| fit.word == "goto" && error.starts_with("T0114");
                        let misplaced = errors
                            .iter()
                            .find(|error| is_about_place(error) && !leads_back(error));
                        assert_eq!(
                            misplaced,
                            None,
                            "{fit:?} at {spot:?} {:?}\n{text}",
                            editor.node(at)
                        );
                    }
                    count += 1;
                }
            }
            for fit in editor.fits_around(at).unwrap_or_default() {
                let row = fit.text.as_str();
                let head = match row {
                    "for-each" | "semaphore" | "interruptible" | "on-change" | "node" => continue,
                    _ => row,
                };
                editor
                    .wrap(at, head)
                    .unwrap_or_else(|why| panic!("{why}: {fit:?}"));
            }
        }
    }
    assert!(count > 2_000, "{count}");
}

#[test]
fn the_likely_words_come_first() {
    let (text, marks) = marked(
        "leaves { action go doc=\"Walks.\"; action stop; condition see doc=\"Looks.\"; }\ntree t { selector { sequence { condition see; §action go; }; sequence { condition see; action go; }; fail; }; }\ntree other doc=\"Something else.\" { subtree t; }\ntree u { run; }\n",
    );
    let editor = editor(&text);
    let fits = editor.fits(Spot::After(marks[0].into())).expect("a place");
    let texts: Vec<&str> = fits.iter().map(|fit| fit.text.as_str()).collect();
    assert_eq!(texts[..2], ["condition see", "action go"]);
    assert_eq!((fits[0].doc.as_str(), fits[0].uses), ("Looks.", 3));
    for there in [
        "action stop",
        "sequence",
        "subtree u",
        "wait",
        "sticky-sequence",
    ] {
        assert!(texts.contains(&there), "{there} {texts:?}");
    }
    let place = |what: &str| texts.iter().position(|text| *text == what);
    assert!(place("wait") < place("sticky-sequence"));
    // They would contain themselves.
    assert!(!texts.contains(&"subtree t") && !texts.contains(&"subtree other"));
    let around = editor.fits_around(marks[0]).expect("a task");
    assert_eq!(around[0].text, "sequence");
    assert!(!around.iter().any(|fit| fit.word == "wait"));
    let why = editor.fits_around(0).unwrap_err();
    assert_eq!(
        why.message(),
        "`leaves` is not a task, and only tasks can be wrapped"
    );
}

/// Where nothing fits, what is around the place says why.
#[test]
fn where_nothing_fits_there_is_a_reason() {
    let text = "tree t { sequence { cooldown 2 { wait 1; }; fail; }; }\n";
    let editor = editor(text);
    let at = |what: &str| At::from(text.find(what).unwrap_or_else(|| panic!("{what}")));
    for (spot, why) in [
        (
            Spot::After(at("wait")),
            Some("`cooldown` takes only one child"),
        ),
        (Spot::Into(at("wait"), 0), Some("`wait` takes no children")),
        (Spot::After(at("cooldown")), None),
    ] {
        let fits = editor.fits(spot).expect("a place");
        assert_eq!(fits.is_empty(), why.is_some(), "{fits:?}");
        let found = editor.why_nothing_fits(spot).expect("a place");
        assert_eq!(found.map(|why| why.to_string()).as_deref(), why);
    }
}

#[test]
fn a_refusal_says_why() {
    let (text, _) = marked(OWN);
    let editor = editor(&text);
    let at = |what: &str| At::from(text.find(what).unwrap_or_else(|| panic!("{what}")));
    for (spot, new, why) in [
        (
            Spot::Into(at("invert"), 0),
            "run",
            "`invert` takes only one child",
        ),
        (
            Spot::Into(at("tree t"), 0),
            "run",
            "a tree has only one root",
        ),
        (
            Spot::Into(at("selector"), 0),
            "state x",
            "`state` cannot stand in `selector`; it stands in a machine or state or in a decision tree that leads to states",
        ),
        (
            Spot::Into(at("entry"), 0),
            "wait 1",
            "tasks here end at once, and `wait` may take time",
        ),
        (
            Spot::Into(at("entry"), 0),
            "action go",
            "tasks here end at once, and the action `go` is not declared with `instant=#true`",
        ),
        (
            Spot::Into(at("state x"), 0),
            "do { run; }",
            "there can be only one `do` here",
        ),
        (
            Spot::After(at("in p")),
            "subtree t",
            "a tree has only one root",
        ),
        (
            Spot::Into(at("sequence {"), 9),
            "subtree t",
            "`t` would contain itself",
        ),
        (
            Spot::Into(at("test \"a\""), 9),
            "run",
            "this `test` has answers; put it into one of them",
        ),
        (
            Spot::Into(at("test-condition"), 9),
            "no { run; }",
            "what is in this `test-condition` is its yes side; an answer of its own needs `yes { … }` first",
        ),
        (
            Spot::Into(at("sequence {"), 9),
            "sequnce",
            "unknown word `sequnce`",
        ),
        (
            Spot::Top(0, 0),
            "sequence",
            "`sequence` cannot stand at the top of a document; it stands in a tree or in a decision tree",
        ),
        (
            Spot::Top(0, 0),
            "action go",
            "`action` cannot stand at the top of a document; it stands in a tree, in a decision tree or in `leaves`",
        ),
        (
            Spot::Into(at("state x"), 0),
            "action beep",
            "`action` cannot stand in `state`; put it into its `do`, `entry` or `exit`",
        ),
    ] {
        let error = editor.may_insert(spot, new).expect_err(new);
        assert_eq!(error.message(), why);
    }
    let why = editor
        .may_move(at("check \"own"), Spot::Into(at("yes"), 9))
        .unwrap_err();
    assert_eq!(
        why.message(),
        "it uses the key `own`, which means something else or nothing there"
    );
    editor
        .may_insert(Spot::Into(at("entry"), 0), "action beep")
        .expect("it ends at once");
    editor
        .may_insert(Spot::Into(at("invert"), 0), "run disabled=#true")
        .expect("it does not count");
}

#[test]
fn a_goto_does_not_lead_back_to_the_branch_around_it() {
    let text = "leaves { action a; }\ndecide d {\n    goto one\n    branch one { test \"1 < 2\" { action a; }; }\n    \
                branch two { test \"1 < 2\" { goto one; }; }\n    branch three { action a; }\n}\n";
    let editor = Editor::new(Document::parse(text, "t.kdl")).expect("KDL");
    let names = |spot: Spot| -> Vec<String> {
        let fits = editor.fits(spot).expect("a place").into_iter();
        let leads = fits.filter(|fit| fit.word == "goto");
        leads.filter_map(|fit| fit.name).collect()
    };
    let into = |place: &str| Spot::Into(text.find(place).expect("a place").into(), usize::MAX);
    let mut anywhere = names(into("decide d"));
    anywhere.sort();
    assert_eq!(anywhere, ["one", "three", "two"]);
    // From two, it would come back to one.
    assert_eq!(names(into("branch one")), ["three"]);
    let mut from_two = names(into("branch two"));
    from_two.sort();
    assert_eq!(from_two, ["one", "three"]);
    let error = editor
        .may_insert(into("branch one"), "goto two")
        .expect_err("a circle");
    assert_eq!(error.to_string(), "branch `one` would lead back to itself");
}

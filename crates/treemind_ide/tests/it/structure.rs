//! What is called at a place, and what a file consists of.

use treemind_doc::edit::Editor;
use treemind_ide::{Signature, defined, folds, signature};

/// What is called at the `|` of a text.
fn called(text: &str) -> Option<Signature> {
    let offset = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    signature(&Editor::of_texts(&[("t.kdl", text.as_str())]), offset)
}

#[test]
fn calls_say_which_parameter_is_written() {
    let found = called("tree t { check \"clamp(1, min(2, 3), |\" }").expect("a call");
    assert_eq!(
        (found.label.as_str(), found.active),
        ("clamp(x, low, high)", Some(2))
    );
    let leaves = "leaves { action go doc=\"Walks.\" { param to type=vec2; param speed type=float default=1.0; }; }\n";
    let found = called(&format!("{leaves}tree t {{ action go speed=| }}")).expect("a leaf");
    assert_eq!(found.label, "action go(to: vec2, speed: float = 1.0)");
    assert_eq!((found.active, found.doc.as_str()), (Some(1), "Walks."));
    assert_eq!(called("tree t { check \"a > |\" }"), None);
}

#[test]
fn a_file_is_told_by_what_it_defines() {
    let text = "blackboard {\n    key health\n}\nmachine m {\n    state a {\n        state b\n    }\n}\ntree t { wait 1 name=pause }\ntest \"it works\" {";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    let all = defined(&editor, 0);
    let named = all.iter().map(|one| {
        let parent = one.parent.map_or("", |parent| all[parent].name.as_str());
        format!("{} {} in {parent}", one.word, one.name)
    });
    assert_eq!(
        named.collect::<Vec<_>>(),
        [
            "blackboard blackboard in ",
            "key health in blackboard",
            "machine m in ",
            "state a in m",
            "state b in a",
            "tree t in ",
            "wait pause in t",
            "test it works in ",
        ]
    );
    let folded = folds(&editor, 0);
    assert_eq!(folded.len(), 3);
    assert!(
        text[folded[0].clone()].starts_with("{\n    key") && text[folded[0].clone()].ends_with('}')
    );
    assert!(defined(&editor, 9).is_empty() && folds(&editor, 9).is_empty());
}

/// Steps of a planner are called like what they run.
#[test]
fn goals_steps_and_rules_are_in_what_a_file_defines() {
    let text = "planner smith {
    goal armed when=\"!sword\" wants=\"sword\"
    task forge { method by-hand { step hammer } }
    action hammer gives=\"sword = true\"
    subtree fetch name=fetched gives=\"ore = true\"
    each place of=places { action walk to=\"{place}\" }
    wait 1.0
}
tree t { sequence { action hammer; rules { rule hurt when=\"hp < 4\" { action cry } } } }";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    let all = defined(&editor, 0);
    let named = all.iter().map(|one| {
        let parent = one.parent.map_or("", |parent| all[parent].name.as_str());
        (format!("{} {} in {parent}", one.word, one.name), one)
    });
    let named: Vec<_> = named.collect();
    let told: Vec<&str> = named.iter().map(|(told, _)| told.as_str()).collect();
    assert_eq!(
        told,
        [
            "planner smith in ",
            "goal armed in smith",
            "task forge in smith",
            "action hammer in smith",
            "subtree fetched in smith",
            "each place in smith",
            "action walk in place",
            "tree t in ",
            "rule hurt in t",
        ]
    );
    assert_eq!(&text[named[3].1.place.clone()], "hammer");
    assert_eq!(&text[named[8].1.place.clone()], "hurt");
}

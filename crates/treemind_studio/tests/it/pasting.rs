//! What is pasted, and what is put around nodes and taken away again.

use crate::editing::Desk;
use treemind_replay::view::protocol::{Beside, Edit, Where};

/// What ran alone goes on running when a second tree comes to it, in one step that is undone at once.
#[test]
fn what_ran_is_named_when_something_else_could_run() {
    let text = "// About.\n\n// A cat.\ntree cat {\n    sequence {\n        wait 1.0\n    }\n}\n";
    let mut desk = Desk::new(text);
    let extract = Edit::Extract {
        id: desk.node("wait 1.0").id,
        name: "inner".to_owned(),
    };
    desk.edit(&extract).expect("it is extracted");
    let after = desk.text().to_owned();
    let (main, cat) = (
        after.find("main tree=cat\n"),
        after.find("// A cat.\ntree cat"),
    );
    assert!(
        main.expect("it is named") < cat.expect("the comment stays"),
        "{after}"
    );
    let document = treemind_doc::Document::parse(&after, "cat.kdl");
    assert_eq!(document.behaviour(None).expect("it runs").name(), "cat");
    desk.edit(&Edit::Undo).expect("it is undone");
    assert_eq!(desk.text(), text);
    desk.edit(&Edit::Redo).expect("it is done again");
    assert_eq!(desk.text(), after);
}

/// A copy of what ran alone does not keep it from running, either; where nothing says any more what runs, that is a problem.
#[test]
fn a_copy_leaves_no_doubt_of_what_runs() {
    let text = "machine lamp {\n    initial off\n    state off\n}\n";
    let mut desk = Desk::new(text);
    let ids = vec![desk.node("machine lamp").id];
    desk.edit(&Edit::Duplicate { ids }).expect("it is copied");
    let after = desk.text().to_owned();
    assert!(
        after.starts_with("main machine=lamp\n\nmachine lamp {"),
        "{after}"
    );
    assert!(after.contains("machine lamp-2 {"), "{after}");
    assert!(desk.sheet().problems.iter().all(|one| one.code != "T0304"));
    let main = desk.node("main machine=lamp").id;
    desk.edit(&Edit::Remove { ids: vec![main] })
        .expect("it is removed");
    let problems = desk.sheet().problems;
    let found: Vec<_> = (problems.iter())
        .filter(|one| one.severity == "error")
        .map(|one| (one.code.as_str(), one.at[0], one.text.to_string()))
        .collect();
    let why = "the document does not say which of its machines to run".to_owned();
    assert_eq!(found, [("T0304", 1, why)]);
    desk.edit(&Edit::Undo).expect("it is back");
    desk.edit(&Edit::Undo).expect("the copy is gone");
    assert_eq!(desk.text(), text);
}

/// A definition that is added without a name leaves no doubt of what runs: not before it gets its name, and not behind that.
#[test]
fn what_ran_is_named_before_the_second_definition_has_a_name() {
    let text = "tree imp {\n    wait 1.0\n}\n";
    let mut desk = Desk::new(text);
    let spot = Beside {
        id: desk.node("tree imp").id,
        side: Where::After,
    };
    desk.edit(&Edit::Add {
        text: "machine".to_owned(),
        spot,
        others: Vec::new(),
    })
    .expect("it is added");
    assert_eq!(desk.text(), format!("main tree=imp\n\n{text}\nmachine\n"));
    let sheet = desk.sheet();
    let machine = sheet.nodes.iter().find(|one| one.word == "machine");
    desk.edit(&Edit::Set {
        id: machine.expect("it is there").id,
        name: "0".to_owned(),
        value: "lamp".to_owned(),
    })
    .expect("it is named");
    assert_eq!(
        desk.text(),
        format!("main tree=imp\n\n{text}\nmachine lamp\n")
    );
    desk.edit(&Edit::Undo).expect("it can be undone");
    desk.edit(&Edit::Undo).expect("it can be undone");
    assert_eq!(desk.text(), text);
}

/// A definition that was typed without a name is a second one when it gets one elsewhere.
#[test]
fn what_ran_is_named_when_what_was_typed_gets_its_name() {
    let text = "tree imp {\n    wait 1.0\n}\n\nmachine {\n    initial a\n    state a\n}\n";
    let mut desk = Desk::new(text);
    let sheet = desk.sheet();
    let wait = sheet.nodes.iter().find(|one| one.word == "wait");
    let machine = sheet.nodes.iter().find(|one| one.word == "machine");
    let set = |of: Option<&treemind_replay::view::protocol::SheetNode>, value: &str| Edit::Set {
        id: of.expect("it is there").id,
        name: "0".to_owned(),
        value: value.to_owned(),
    };
    desk.edit(&set(wait, "2.0")).expect("it is set");
    assert!(!desk.text().contains("main"), "{}", desk.text());
    desk.edit(&set(machine, "lamp")).expect("it is named");
    let after = desk.text().to_owned();
    assert!(after.starts_with("main tree=imp\n\ntree imp {"), "{after}");
    assert!(desk.sheet().problems.iter().all(|one| one.code != "T0304"));
}

/// What is pasted goes where its kind may stand, in one step; what may stand nowhere changes nothing.
#[test]
fn what_is_pasted_goes_where_it_may_stand() {
    let text = "blackboard { key health type=float; }\ntree guard {\n    sequence {\n        run\n    }\n}\n";
    let mut desk = Desk::new(text);
    let spot = Beside {
        id: desk.node("run").id,
        side: Where::After,
    };
    let paste = |desk: &mut Desk, text: &str| {
        let (text, others) = (text.to_owned(), Vec::new());
        desk.edit(&Edit::Add { text, spot, others })
    };
    for (new, why) in [
        ("Please look at the guard", "unknown word `Please`"),
        (
            "wait 1\nstate x { do { run; }; }",
            "`state` cannot stand in `sequence`; it stands in a machine or state or in a decision tree that leads to states",
        ),
        ("key health type=int", "another key is named `health`"),
    ] {
        assert_eq!(paste(&mut desk, new), Err(why.to_owned()));
        assert_eq!(desk.text(), text);
        assert!(desk.sheet().undo.is_none());
    }
    paste(&mut desk, "key ammo type=int\nwait 2\ntree guard { run; }").expect("it may stand");
    assert_eq!(
        desk.text(),
        "main tree=guard\n\nblackboard { key health type=float; key ammo type=int; }\ntree guard {\n    sequence {\n        run\n        \
         wait 2\n    }\n}\n\ntree guard-2 { run; }\n"
    );
    assert_eq!(
        desk.sheet().told,
        ["`guard` is taken, so this one is called `guard-2`"]
    );
    desk.edit(&Edit::Undo).expect("it can be undone");
    assert_eq!(desk.text(), text);
}

/// What is put around a node and taken away again leaves the bytes as they were.
#[test]
fn wrapping_and_unwrapping_gives_the_same_text() {
    let text = "tree t {\n    utility-selector {\n        action rest score=\"1 / 2\" when=\"true\"\n        \
                wait 1 weight=2 name=w\n    }\n}\n";
    for node in ["action rest", "wait 1"] {
        let mut desk = Desk::new(text);
        let sheet = desk.sheet();
        let (word, value) = node.split_once(' ').expect("a value");
        let mut nodes = sheet.nodes.iter();
        let found = nodes.find(|one| one.word == word && one.values[0] == value);
        let spot = Beside {
            id: found.expect("it is there").id,
            side: Where::Around,
        };
        let (text_of, others) = ("invert".to_owned(), Vec::new());
        desk.edit(&Edit::Add {
            text: text_of,
            spot,
            others,
        })
        .expect("it can be wrapped");
        assert_ne!(desk.text(), text);
        let sheet = desk.sheet();
        let outer = sheet.nodes.iter().find(|one| one.word == "invert");
        let id = outer.expect("it is there").id;
        desk.edit(&Edit::Unwrap { id })
            .expect("it can be unwrapped");
        assert_eq!(desk.text(), text);
    }
}

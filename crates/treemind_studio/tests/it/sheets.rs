//! What pages see of problems, and of what could not be written.

use crate::editing::{Desk, GUARD};
use treemind_replay::view::protocol::{Edit, Remedy};

#[test]
fn a_problem_says_which_node_and_which_value_it_is_about() {
    let text = "tree t {
    sequence {
        wait \"soon\" when=#\"c \"d\" e\"#
        run /* \" */ /-off=1 while=\"(1 > 3)a\"
        wiat 1.0
    }
}
";
    let desk = Desk::new(text);
    let sheet = desk.sheet();
    let found: Vec<(String, Option<String>)> = (sheet.problems.iter())
        .filter_map(|one| {
            let about = one.about.as_ref()?;
            let node = sheet.nodes.iter().find(|node| node.id == about.id);
            Some((node.expect("a node").word.clone(), about.entry.clone()))
        })
        .collect();
    assert_eq!(found.len(), sheet.problems.len());
    for (word, entry) in [
        ("wait", Some("0")),
        ("wait", Some("when")),
        ("run", Some("while")),
        ("wiat", None),
    ] {
        let wanted = (word.to_owned(), entry.map(str::to_owned));
        assert!(found.contains(&wanted), "{wanted:?} of {found:#?}");
    }
}

/// What could not be written is written by itself when that is possible again.
#[test]
fn what_could_not_be_written_is_tried_again() {
    let mut desk = Desk::new(GUARD);
    let id = desk.node("action patrol").id;
    let set = |value: &str| Edit::Set {
        id,
        name: "doc".to_owned(),
        value: value.to_owned(),
    };
    desk.memory.is_full = true;
    desk.edit(&set("walks")).expect("it is done here");
    let name = "guard.kdl".to_owned();
    assert_eq!(desk.editing.unsaved(), std::slice::from_ref(&name));
    desk.editing.try_again(&mut desk.memory);
    let unsaved = desk.sheet().unsaved.expect("a reason");
    assert_eq!(unsaved.remedy, Remedy::Retry);
    desk.memory.is_full = false;
    assert_eq!(desk.on_disk(), GUARD);
    let before = desk.editing.revision();
    desk.editing.try_again(&mut desk.memory);
    assert_eq!((desk.on_disk(), desk.sheet().unsaved), (desk.text(), None));
    assert!(desk.editing.revision() > before && desk.editing.unsaved().is_empty());

    // What waits for a page is not written before it asks.
    desk.edit(&Edit::SaveAtOnce { is_on: false })
        .expect("a switch");
    desk.edit(&set("goes")).expect("it is done here");
    desk.memory.is_full = true;
    desk.edit(&Edit::Save { whose: None }).expect("it is tried");
    desk.memory.is_full = false;
    let saved = desk.on_disk().to_owned();
    desk.editing.try_again(&mut desk.memory);
    assert_eq!(
        (desk.on_disk(), desk.editing.unsaved()),
        (&*saved, vec![name])
    );
    // That a file cannot be read is no longer said when it can.
    desk.edit(&Edit::Save { whose: None }).expect("it is saved");
    desk.memory.is_scrambled = true;
    desk.editing.look(&mut desk.memory);
    assert!(desk.sheet().unsaved.is_some());
    desk.memory.is_scrambled = false;
    desk.editing.try_again(&mut desk.memory);
    assert_eq!(desk.sheet().unsaved, None);
}

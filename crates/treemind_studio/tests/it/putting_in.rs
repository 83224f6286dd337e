//! What a page has kept while the program was gone, put into a document that others have changed meanwhile.

use crate::editing::{Desk, GUARD};
use treemind_replay::view::protocol::{Edit, Whose};

fn put_in(text: &str) -> Edit {
    Edit::PutIn {
        file: 0,
        base: GUARD.to_owned(),
        text: text.to_owned(),
    }
}

/// Lines that others have added stay, beside those that were kept and inside of the same blocks.
#[test]
fn what_was_kept_goes_in_with_what_others_have_written() {
    let kept = GUARD.replace("health < 20", "health < 30");
    let theirs = GUARD.replace("action patrol\r\n", "action patrol\r\n        wait 1.0\r\n");
    assert_ne!(theirs, GUARD);
    let mut desk = Desk::new(&theirs);
    assert_eq!(desk.editing.may_edit(&put_in(&kept)), Ok(()));
    desk.edit(&put_in(&kept)).expect("it is put in");
    let both = theirs.replace("health < 20", "health < 30");
    assert_eq!((desk.text(), desk.on_disk()), (&*both, &*both));
    assert_eq!(desk.sheet().conflicts.len(), 0);
    let undo = desk.sheet().undo.expect("it was done");
    assert_eq!(undo.label.to_string(), "put in what was kept");
    desk.edit(&Edit::Undo).expect("it can be undone");
    assert_eq!(desk.on_disk(), theirs);
}

/// Only what both have changed is to be chosen; all else is there already.
#[test]
fn what_both_have_changed_stands_side_by_side() {
    let kept = GUARD.replace("health < 20", "health < 30");
    let kept = kept.replace("default=100.0", "default=44.0");
    let theirs = GUARD.replace("action patrol\r\n", "action patrol\r\n        wait 1.0\r\n");
    let theirs = theirs.replace("default=100.0", "default=62.0");
    for (whose, value) in [(Whose::Mine, "44.0"), (Whose::Theirs, "62.0")] {
        let mut desk = Desk::new(&theirs);
        desk.edit(&put_in(&kept)).expect("it is put in");
        assert_eq!(desk.on_disk(), theirs, "nothing is overwritten");
        let sheet = desk.sheet();
        let [clash] = &sheet.conflicts[..] else {
            panic!("{sheet:?}")
        };
        assert!(clash.mine.contains("44.0") && clash.theirs.contains("62.0"));
        let (file, key) = (0, clash.key);
        desk.edit(&Edit::Settle { file, key, whose })
            .expect("it is settled");
        let wanted = theirs.replace("default=62.0", &format!("default={value}"));
        let wanted = wanted.replace("health < 20", "health < 30");
        assert_eq!((desk.text(), desk.on_disk()), (&*wanted, &*wanted));
    }
}

/// A text that is not closed has no nodes: all of it is chosen, and what others wrote is in the history.
#[test]
fn a_text_that_is_not_closed_is_chosen_as_a_whole() {
    let kept = format!("{GUARD}tree open {{\r\n");
    let theirs = GUARD.replace("health < 20", "health < 70");
    let mut desk = Desk::new(&theirs);
    desk.edit(&put_in(&kept)).expect("it is put in");
    assert_eq!((desk.text(), desk.on_disk()), (&*kept, &*theirs));
    assert!(desk.sheet().unsaved.is_some());
    let whose = Some(Whose::Theirs);
    desk.edit(&Edit::Save { whose }).expect("it is settled");
    assert_eq!((desk.text(), desk.on_disk()), (&*theirs, &*theirs));
}

/// A conflict is one between the pages' text and the one on disk: what waits here has to be saved before.
#[test]
fn what_clashes_with_what_is_not_saved_is_refused() {
    let mut desk = Desk::new(GUARD);
    let off = Edit::SaveAtOnce { is_on: false };
    desk.edit(&off).expect("it is a switch");
    let flee = desk.node("action flee when=health < 20").id;
    let (name, value) = ("when".to_owned(), "health < 60".to_owned());
    let own = Edit::Set {
        id: flee,
        name,
        value,
    };
    desk.edit(&own).expect("it is done");
    let before = desk.text().to_owned();
    let kept = GUARD.replace("health < 20", "health < 30");
    let why = desk.editing.may_edit(&put_in(&kept)).expect_err("a clash");
    assert!(why.to_string().contains("save that first"), "{why}");
    desk.edit(&put_in(&kept)).expect_err("a clash");
    assert_eq!(desk.text(), before);
    // What does not clash goes in.
    let kept = GUARD.replace("default=100.0", "default=44.0");
    desk.edit(&put_in(&kept)).expect("it is put in");
    assert!(desk.text().contains("default=44.0") && desk.text().contains("health < 60"));
}

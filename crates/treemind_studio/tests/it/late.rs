//! What another program writes into a file after that was replaced here.

use crate::editing::{Desk, GUARD};
use treemind_replay::view::protocol::Edit;

/// What another program writes into the file that was replaced is merged with what replaced it, and on disk with it.
#[test]
fn what_comes_into_the_file_that_was_replaced_is_merged() {
    let mut desk = Desk::new(GUARD);
    let patrol = desk.node("action patrol").id;
    let (name, value) = ("name".to_owned(), "round".to_owned());
    let own = Edit::Set {
        id: patrol,
        name,
        value,
    };
    desk.edit(&own).expect("it is done");
    let mine = desk.text().to_owned();
    let theirs = GUARD.replace("health < 20", "health < 70");
    let both = mine.replace("health < 20", "health < 70");
    assert!(!desk.editing.try_again(&mut desk.memory));
    desk.memory.late = Some([GUARD.to_owned(), theirs]);
    assert!(desk.editing.try_again(&mut desk.memory));
    assert_eq!((desk.text(), desk.on_disk()), (&*both, &*both));
    assert_eq!(
        (desk.sheet().conflicts.len(), desk.sheet().unsaved),
        (0, None)
    );
    // The same place: both stand side by side.
    let theirs = both.replace("health < 70", "health < 80");
    let flee = desk.node("action flee when=health < 70").id;
    let (name, value) = ("when".to_owned(), "health < 60".to_owned());
    let own = Edit::Set {
        id: flee,
        name,
        value,
    };
    desk.edit(&own).expect("it is done");
    desk.memory.late = Some([both, theirs.clone()]);
    desk.editing.try_again(&mut desk.memory);
    assert_eq!(desk.sheet().conflicts.len(), 1);
    assert_eq!(desk.on_disk(), theirs);
    assert!(desk.text().contains("health < 60"));
}

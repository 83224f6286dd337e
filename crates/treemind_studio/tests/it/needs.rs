//! What a node needs where it stands now is said at once.

use crate::editing::Desk;
use treemind_replay::view::protocol::{Beside, Edit, Where};

#[test]
fn what_is_needed_after_a_move_is_said() {
    let text = "tree t {\n    sequence {\n        utility-selector {\n            run score=0.5\n            fail score=0.2\n        }\n        succeed\n    }\n}\n";
    let mut desk = Desk::new(text);
    let moved = |desk: &mut Desk, what: &str, to: &str| {
        let ids = vec![desk.node(what).id];
        let spot = Beside {
            id: desk.node(to).id,
            side: Where::After,
        };
        desk.edit(&Edit::Move { ids, spot }).expect("it can");
        let told = desk.sheet().told;
        told.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        moved(&mut desk, "succeed", "run score=0.5"),
        ["this child of a `utility-selector` has no score: line 5"]
    );
    // Said once: what it does not make worse is not said again.
    let again = moved(&mut desk, "succeed", "fail score=0.2");
    assert_eq!(again, Vec::<String>::new());
    // Out again, all is well.
    assert_eq!(
        moved(&mut desk, "succeed", "utility-selector"),
        Vec::<String>::new()
    );
    assert_eq!(desk.text(), text);
}

#[test]
fn what_another_kind_needs_is_said() {
    let mut desk = Desk::new("tree t { selector { run; }; }");
    let id = desk.node("selector").id;
    let word = "utility-selector".to_owned();
    desk.edit(&Edit::ChangeKind { id, word }).expect("it can");
    assert_eq!(
        desk.sheet().told,
        ["this child of a `utility-selector` has no score: line 1"]
    );
}

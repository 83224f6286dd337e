use super::sheet_change;
use crate::view::protocol::{Done, Role, Sheet, SheetFile, SheetNode};

fn node(id: u64, line: usize, word: &str) -> SheetNode {
    SheetNode {
        id,
        depth: 1,
        file: 0,
        role: Role::Task,
        word: word.to_owned(),
        values: Vec::new(),
        properties: Vec::new(),
        is_disabled: false,
        comment: String::new(),
        at: [line, 4, line, 12],
    }
}

fn sheet(revision: u64, text: &str, nodes: Vec<SheetNode>) -> Sheet {
    Sheet {
        revision,
        files: vec![SheetFile {
            name: "a.kdl".to_owned(),
            text: text.to_owned(),
            is_whole: true,
            is_saved: true,
            saved: None,
        }],
        nodes,
        keys: Vec::new(),
        leaves: Vec::new(),
        undo: None,
        redo: None,
        selection: None,
        problems: Vec::new(),
        told: Vec::new(),
        unsaved: None,
        saves_at_once: true,
        conflicts: Vec::new(),
        done: vec![Done {
            label: "x".to_owned().into(),
            by: "y".to_owned(),
        }],
    }
}

/// A node that is inserted shifts those behind it; only the new one is sent. Places in texts are in UTF-16.
#[test]
fn only_what_is_new_is_sent() {
    let before = sheet(
        1,
        "𝄞\nwait\nlog\n",
        vec![node(1, 1, "tree"), node(2, 2, "wait"), node(3, 3, "log")],
    );
    let after = sheet(
        2,
        "𝄞\nfail\nwait\nlog\n",
        vec![
            node(1, 1, "tree"),
            node(9, 2, "fail"),
            node(2, 3, "wait"),
            node(3, 4, "log"),
        ],
    );
    let change = sheet_change(&before, &after).expect("the same files");
    assert_eq!((change.since, change.revision), (1, 2));
    assert_eq!(change.nodes, [(1, 0, vec![node(9, 2, "fail")])]);
    assert_eq!(change.shifts, [(2, 0, 1)]);
    assert_eq!(change.files[0].parts, [(3, 0, "fail\n".to_owned())]);
    assert_eq!(change.done, None);

    // What is around it ends further down, and is not sent again.
    let mut longer = after.clone();
    longer.nodes[0].at = [1, 4, 5, 1];
    let change = sheet_change(&before, &longer).expect("the same files");
    assert_eq!(change.places, [(0, [1, 4, 5, 1])]);
    assert_eq!(change.nodes, [(1, 0, vec![node(9, 2, "fail")])]);

    let back = sheet_change(&after, &before).expect("the same files");
    assert_eq!(back.nodes, [(1, 1, Vec::new())]);
    assert_eq!(back.shifts, [(1, 0, -1)]);
    let mut other = after.clone();
    other.files[0].name = "b.kdl".to_owned();
    assert!(sheet_change(&before, &other).is_none());
}

/// A comment moves its node a line further down, and is not taken for a mere shift.
#[test]
fn a_comment_above_a_node_is_sent() {
    let before = sheet(1, "wait\n", vec![node(1, 1, "tree"), node(2, 2, "wait")]);
    let mut after = sheet(
        2,
        "// x\nwait\n",
        vec![node(1, 1, "tree"), node(2, 3, "wait")],
    );
    after.nodes[1].comment = "x".to_owned();
    let change = sheet_change(&before, &after).expect("the same files");
    assert_eq!(change.nodes, [(1, 1, vec![after.nodes[1].clone()])]);
}

/// Of what moves from one end to the other, only itself is sent, and by how much the nodes between are shifted.
#[test]
fn what_moves_far_takes_little() {
    let nodes: Vec<SheetNode> = (1..=200).map(|id| node(id, id as usize, "wait")).collect();
    let before = sheet(1, &"wait\n".repeat(200), nodes.clone());
    let mut moved = nodes;
    let first = moved.remove(20);
    moved.insert(180, first);
    for (nth, node) in moved.iter_mut().enumerate() {
        (node.at[0], node.at[2]) = (nth + 1, nth + 1);
    }
    let after = sheet(2, &"wait\n".repeat(200), moved);
    let change = sheet_change(&before, &after).expect("the same files");
    assert_eq!(
        change.nodes,
        [(20, 1, vec![]), (181, 0, vec![after.nodes[180].clone()])]
    );
    assert_eq!(change.shifts, [(20, 0, -1), (181, 0, 0)]);
    assert_eq!(change.places, []);
}

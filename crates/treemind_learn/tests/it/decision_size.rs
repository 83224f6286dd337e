//! The size of an example's decision tree.

use treemind_core::Kind;
use treemind_doc::Document;

#[test]
fn the_watchman_asks_what_its_page_says() {
    let text = include_str!("../../../../examples/09-watchman/watchman.kdl");
    let watchman = Document::parse(text, "watchman.kdl");
    let behaviour = watchman.decision("watchman").unwrap();
    let root = behaviour.node(behaviour.root());
    let Kind::Decide(decision) = &root.kind else {
        panic!("a {}", root.kind.keyword());
    };
    let size = treemind_learn::decision_size(decision, root.children.len());
    assert_eq!(
        (size.tests, size.leaves, size.depth, size.shared),
        (5, 5, 4, 1)
    );
    let page = include_str!("../../../../examples/09-watchman/README.md");
    assert!(page.contains("five tests, four deep"), "{page}");
}

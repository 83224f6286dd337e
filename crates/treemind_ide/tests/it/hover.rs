//! What there is to know of the thing at a place.

use treemind_doc::edit::Editor;
use treemind_ide::{Hover, hover};

const GUARD: &str = "blackboard { key health type=float default=100.0 doc=\"What is left.\"; }
leaves { action go doc=\"Walks there.\" { param to type=vec2; param speed type=float default=1.0; }; }
tree guard {
    sequence { action go when=\"min(health, 5) < 3\" to=\"1.0, 2.0\"; set \"health = 3\"; }
}
";

fn at(place: &str, behind: usize) -> Option<Hover> {
    let offset = GUARD.find(place).expect("a place") + behind;
    hover(&Editor::of_texts(&[("guard.kdl", GUARD)]), offset)
}

/// The title and the text at the place of a piece.
fn said(place: &str, behind: usize) -> (String, String) {
    let found = at(place, behind).expect("something");
    (found.title, found.text)
}

#[test]
fn names_say_what_they_are_and_where_they_are_used() {
    let (title, text) = said("health, 5", 1);
    assert_eq!(title, "key health: float = 100.0");
    assert_eq!(text, "What is left.\nRead in 1 place, written in 1 place.");
    let (title, text) = said("go when", 0);
    assert_eq!(title, "action go(to: vec2, speed: float = 1.0)");
    assert_eq!(text, "Walks there.\nUsed in 1 place.");
}

#[test]
fn words_properties_and_functions_say_what_they_are_for() {
    let (title, text) = said("sequence", 0);
    assert_eq!(title, "sequence");
    assert!(text.contains("Runs its children in order"), "{text}");
    assert!(text.ends_with("docs/nodes/sequence.md"), "{text}");
    let (title, text) = said("when=", 2);
    assert_eq!(title, "when=");
    assert!(!text.is_empty());
    assert_eq!(
        said("min(", 1),
        (
            "min(a, b)".to_owned(),
            "The smaller of two numbers.".to_owned()
        )
    );
    assert_eq!(at("\n    seq", 2), None);
}

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
    let lines: Vec<String> = found.text.iter().map(|line| line.to_string()).collect();
    (found.title, lines.join("\n"))
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

#[test]
fn planners_curves_and_lists_say_what_they_are() {
    let text = "blackboard { key hp type=float; key seen type=entity list=4; key near type=entity; }
leaves { action shoot doc=\"Bang.\"; }
curve fear doc=\"How afraid.\" from=0.0 to=30.0 shape=linear
planner p doc=\"Fights.\" { goal live wants=\"hp > 3\" does=attack; action shoot name=fire gives=\"hp += 1\"; task attack { method \"fire\"; }; }
tree t { sequence { planner p; check \"fear(hp) > 1\"; set \"seen += near\"; rules { rule x when=\"hp > 1\" { run; }; }; }; }
";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    let title = |place: &str, behind: usize| {
        let offset = text.find(place).expect("a place") + behind;
        hover(&editor, offset).map_or_else(String::new, |found| found.title)
    };
    for (place, behind, expected) in [
        ("planner p;", 8, "planner p"),
        ("planner p;", 1, "planner"),
        ("goal live", 1, "goal"),
        ("goal live", 6, "goal live"),
        ("does=attack", 6, "task attack"),
        ("\"fire\"", 2, "action fire"),
        ("gives=", 1, "gives="),
        ("method", 1, "method"),
        ("fear(hp)", 1, "curve fear"),
        ("fear(hp)", 6, "key hp: float"),
        ("seen +=", 1, "key seen: entity"),
        ("+= near", 4, "key near: entity"),
        ("rule x", 1, "rule"),
        ("rules {", 1, "rules"),
    ] {
        let found = title(place, behind);
        assert!(found.starts_with(expected), "{place} {behind}: {found}");
    }
}

/// The value behind a word says what it is and in what unit.
#[test]
fn values_say_what_they_are() {
    let text = "tree t { sequence { wait 2.0; repeat 3 { log \"on\"; }; }; }";
    let editor = Editor::of_texts(&[("t.kdl", text)]);
    let said = |place: &str| {
        let found = hover(&editor, text.find(place).expect("a place")).expect("something");
        let lines: Vec<String> = found.text.iter().map(|line| line.to_string()).collect();
        (found.title, lines.join("\n"), text[found.span].to_owned())
    };
    let (title, about, span) = said("2.0");
    assert_eq!((&*title, &*span), ("wait", "2.0"));
    assert!(
        about.starts_with("the seconds: measured by the clock"),
        "{about}"
    );
    let (title, about, span) = said("3 {");
    assert_eq!((&*title, &*span), ("repeat", "3"));
    assert!(about.starts_with("the number: how many runs"), "{about}");
    let (title, about, _) = said("wait");
    assert_eq!(title, "wait");
    assert!(about.contains("the seconds: measured"), "{about}");
}

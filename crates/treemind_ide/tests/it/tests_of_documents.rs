//! Tests of documents: what their leaves answer by keys, and the keys of what they run.

use treemind_doc::edit::Editor;
use treemind_ide::{complete, hover};

const BEFORE: &str = "blackboard { key ammo type=int doc=\"What is left to shoot.\"; key mood type=enum { value calm angry; }; }
leaves { action fire; condition near; }
main tree=t
archetype soldier tree=t
tree t { in goal type=int; key shots type=int; sequence { condition near; action fire; check \"goal > 0\"; }; }
tree u { in other type=int; key hits type=int; sequence { scope { key deep type=int; action fire; }; check \"other > 0\"; }; }
";

fn text(test: &str, line: &str) -> String {
    format!("{BEFORE}test \"by keys\" {test} {{\n    {line}\n    tick\n    expect running\n}}\n")
}

/// What is offered at the `|` of a line of a test.
fn labels(test: &str, line: &str) -> Vec<String> {
    let text = text(test, line);
    let offset = text.find('|').expect("a cursor");
    let text = text.replacen('|', "", 1);
    let editor = Editor::of_texts(&[("t.kdl", text.as_str())]);
    let found = complete(&editor, offset, &[]).items;
    found.into_iter().map(|one| one.label).collect()
}

#[test]
fn what_no_test_may_ask_is_not_offered() {
    let words = labels("tree=t", "leaf fire answers=\"S\" fail-if=\"|\"");
    assert!(words.contains(&"abs".to_owned()), "{words:?}");
    for word in ["now", "age", "since_written", "free"] {
        assert!(!words.contains(&word.to_owned()), "{word}");
    }
}

#[test]
fn what_a_leaf_answers_by_keys_is_offered() {
    let words = labels("tree=t", "leaf fire answers=\"S\" |");
    for word in [
        "each-run",
        "fail-if",
        "succeed-if",
        "skip-if",
        "on-success",
        "on-failure",
        "on-end",
    ] {
        assert!(words.iter().any(|one| one == word), "{word}: {words:?}");
    }
    for word in ["answers", "when", "on-abort"] {
        assert!(words.iter().all(|one| one != word), "{word}: {words:?}");
    }
    let flags = labels("tree=t", "leaf fire answers=\"S\" each-run=|");
    assert_eq!(flags, ["#true", "#false"]);
    let values = labels("tree=t", "leaf fire answers=\"S\" on-end=\"mood = |\"");
    assert_eq!(values[..2], ["calm", "angry"]);
    let asked = labels("tree=t", "leaf fire answers=\"S\" fail-if=\"|\"");
    assert!(
        asked.iter().all(|one| one != "active" && one != "ran"),
        "{asked:?}"
    );
    let asked = labels("tree=t", "expect that=\"|\"");
    assert!(asked.iter().any(|one| one == "active"), "{asked:?}");
}

#[test]
fn keys_of_what_a_test_runs_are_offered() {
    let keys = |test: &str, line: &str| {
        let mut found = labels(test, line);
        found.retain(|one| !matches!(one.as_str(), "fail" | "mood" | "ammo"));
        found.sort();
        found
    };
    let written = "leaf fire answers=\"S\" on-end=\"|\"";
    assert_eq!(keys("tree=t", written), ["goal", "shots"]);
    assert_eq!(keys("archetype=soldier", written), ["goal", "shots"]);
    assert_eq!(keys("seed=1", written), ["goal", "shots"]);
    assert_eq!(keys("tree=u", written), ["hits", "other"]);
    let second = "leaf fire answers=\"S\" on-end=\"ammo -= 1; sh|\"";
    assert_eq!(keys("tree=t", second), ["shots"]);
    let expected = labels("tree=u", "expect that=\"hi|\"");
    assert_eq!(expected[0], "hits");
}

#[test]
fn what_a_leaf_answers_by_keys_is_explained() {
    let line =
        "leaf fire answers=\"R S\" fail-if=\"ammo == 0\" on-end=\"shots += 1\" each-run=#true";
    let text = text("tree=t", line);
    let editor = Editor::of_texts(&[("t.kdl", text.as_str())]);
    for (mark, title, said) in [
        ("fail-if=", "fail-if=", "when the last answer is due"),
        ("on-end=", "on-end=", "statements that the leaf carries out"),
        ("each-run=", "each-run=", "begin anew when a run has ended"),
        ("ammo ==", "key ammo: int", "What is left to shoot."),
        ("shots +=", "key shots: int", "written in 1 place"),
        ("fire answers", "action fire", "Used in 3 places."),
    ] {
        let at = text.find(mark).expect(mark) + 1;
        let found = hover(&editor, at).expect(mark);
        assert_eq!(found.title, title);
        let mut lines = found.text.iter();
        let is_there = lines.any(|line| line.to_string().contains(said));
        assert!(is_there, "{mark}: {:?}", found.text);
    }
}

#[test]
fn rules_are_offered_where_a_test_expects_them_to_fire() {
    let rules = "tree r { rules { rule hurt when=\"ammo < 2\" { fail; }; rule calm when=\"ammo > 2\" { fail; }; }; }\n";
    let text = format!("{BEFORE}{rules}test \"one\" tree=r {{ tick; expect fired=| }}\n");
    let offset = text.find('|').expect("a cursor");
    let editor = Editor::of_texts(&[("t.kdl", text.replacen('|', "", 1).as_str())]);
    let found = complete(&editor, offset, &[]).items;
    let labels: Vec<String> = found.into_iter().map(|one| one.label).collect();
    assert_eq!(labels, ["hurt", "calm"]);
}

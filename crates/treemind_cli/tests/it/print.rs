use crate::{assert_ran, treemind, treemind_in};

#[test]
fn a_tree_as_an_outline() {
    let expected = "\
tree guard
  reactive-selector
    reactive-sequence name=fight
      condition see-enemy  // an enemy is in sight
      reactive-selector
        reactive-sequence
          check \"health < 20.0\"
          action run-away
        monitor
          condition enemy-dead not=#true
          action attack range=2.5  // hit the nearest enemy
    action patrol
";
    assert_ran(&treemind("print guard.kdl"), 0, expected, "");
    assert_ran(&treemind("print guard.kdl --tree guard"), 0, expected, "");
}

#[test]
fn a_tree_that_is_not_there_is_a_sentence_with_a_suggestion() {
    let expected =
        "guard.kdl:1:1: error[T0106]: unknown tree `gaurd`\n  help: did you mean `guard`?\n";
    assert_ran(&treemind("print guard.kdl --tree gaurd"), 1, "", expected);
}

#[test]
fn a_document_with_errors_is_not_printed() {
    let ran = treemind("print typos.kdl");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("see-enemy"), "{}", ran.err);
}

#[test]
fn the_size_of_a_tree() {
    let ran = treemind("print guard.kdl --stats");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let counts = "\
tree guard
  nodes: 11, on 5 levels
    action             3
    check              1
    condition          2
    monitor            1
    reactive-selector  2
    reactive-sequence  2
  leaves of the host: 5
  keys of the blackboard: 1
";
    let sizes = ran
        .out
        .strip_prefix(counts)
        .unwrap_or_else(|| panic!("{}", ran.out));
    // How the executor represents the tree is internal, and may change.
    let names: Vec<&str> = sizes
        .lines()
        .map(|line| {
            let (name, size) = line.trim().split_once(": ").expect("a name and a size");
            let size: f64 = size.trim_end_matches(" bytes").parse().expect("a number");
            assert!(size > 0.0 && size < 1_000.0, "{line}");
            name
        })
        .collect();
    let expected = [
        "instructions",
        "slots per agent",
        "state of one agent alone",
        "state per agent of 1024",
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_no_test_reaches_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
leaves { condition see-enemy; action attack; action patrol; }
tree fight { sequence { condition see-enemy; action attack; } }
tree guard { selector { subtree fight; action patrol; } }
test "patrols" tree=guard { leaf see-enemy answers=F; tick; expect active=patrol; }
"#;
    std::fs::write(folder.path().join("guard.kdl"), text).unwrap();
    let expected = " tree guard
   selector
     subtree fight (sequence)
       condition see-enemy
!      action attack
     action patrol
";
    let print = |args: &str| treemind_in(folder.path(), args, b"");
    assert_ran(
        &print("print guard.kdl --coverage --tree guard"),
        0,
        expected,
        "",
    );
    let ran = print("print guard.kdl --coverage --tree fight");
    let expected = "error: no test runs `fight` alone; its nodes count where it is used\n";
    assert_ran(&ran, 1, "", expected);
    let ran = treemind("print typos.kdl --coverage --stats");
    assert_eq!(ran.code, 2, "{}", ran.err);
    let ran = treemind("print guard.kdl --coverage");
    assert!(ran.err.contains("has no tests"), "{}", ran.err);
}

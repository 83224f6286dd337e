//! Documents of several files, and archetypes.

use crate::{assert_ran, data, treemind, treemind_in};

#[test]
fn what_is_imported_is_found_beside_the_document() {
    let well = "1 file checked: no errors, no warnings\n";
    assert_ran(&treemind("check hunters.kdl"), 0, "", well);
    assert_ran(
        &treemind_in(&data().join("parts"), "check ../hunters.kdl", b""),
        0,
        "",
        well,
    );
    assert_ran(&treemind("check parts/leaves.kdl"), 0, "", well);
    let stdin = std::fs::read(data().join("hunters.kdl")).unwrap();
    assert_ran(&treemind_in(&data(), "check -", &stdin), 0, "", well);
    let expected = "\
standard input:1:8: error[T0120]: cannot import `parts/leaves.kdl`: there is no such file
  help: write the path relative to the folder of this file; this one leads to `parts/leaves.kdl`
1 file checked: 1 error, no warnings
";
    let ran = treemind_in(&data().join("parts"), "check -", &stdin);
    assert_ran(&ran, 1, "", expected);
}

#[test]
fn an_archetype_plays_its_tree_with_its_own_keys() {
    let played =
        |arguments: &str| treemind(&format!("trace hunters.kdl --ticks 1 {arguments}")).out;
    assert_eq!(played(""), "1 SUCCESS | tick strike SUCCESS\n");
    assert_eq!(
        played("--archetype archer"),
        "1 SUCCESS | tick shoot SUCCESS\n"
    );
    assert_eq!(
        played("--archetype swordsman"),
        "1 SUCCESS | tick strike SUCCESS\n"
    );
    let ran = treemind("run hunters.kdl --archetype archer --no-ui --ticks 1 --script day.txt");
    assert!(
        ran.err.contains("tree `hunter` has no condition or action"),
        "{}",
        ran.err
    );
}

#[test]
fn an_archetype_is_printed_in_front_of_its_tree() {
    let expected = "\
archetype archer number=7  // shoots
  given range=20
tree hunter
  selector
    sequence
      check \"weapon == bow && range > 10.0\"
      action shoot
    action strike
";
    assert_ran(
        &treemind("print hunters.kdl --archetype archer"),
        0,
        expected,
        "",
    );
    let expected = "hunters.kdl:1:1: error[T0121]: unknown archetype `archr`\n  help: did you mean `archer`?\n";
    assert_ran(
        &treemind("print hunters.kdl --archetype archr"),
        1,
        "",
        expected,
    );
    let ran = treemind("print hunters.kdl --archetype archer --tree hunter");
    assert_eq!(ran.code, 2);
}

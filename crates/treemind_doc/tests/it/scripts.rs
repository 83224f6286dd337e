//! Scripted leaves.

use treemind_core::Status::{Failure, Running, Skipped, Success};
use treemind_doc::script;

#[test]
fn lines_give_the_answers_of_leaves() {
    let text = "# who sees what\nsee-enemy: S F\r\n\n  attack :R R S # hits\nhide:K\n";
    let script = script::parse(text, "a.script").expect("a good script");
    assert_eq!(script.entries.len(), 3);
    assert_eq!(script.answers("see-enemy"), Some(&[Success, Failure][..]));
    assert_eq!(
        script.answers("attack"),
        Some(&[Running, Running, Success][..])
    );
    assert_eq!(script.answers("hide"), Some(&[Skipped][..]));
    assert_eq!(script.answers("patrol"), None);
    assert!(
        script::parse("", "empty")
            .expect("nothing is wrong with nothing")
            .entries
            .is_empty()
    );
}

#[test]
fn mistakes_are_all_reported() {
    let text = "see S F\n: S\nhide:\nwalk: S X R\nrun: s\nrun: S\nrun: F\nfly: SF\n";
    let error = script::parse(text, "a.script").expect_err("mistakes");
    let expected = "\
a.script:1:1: error[T0701]: expected `:` after the name of the leaf
  help: write a line such as `see-enemy: S F R`
a.script:2:1: error[T0701]: expected the name of a leaf before `:`
  help: write a line such as `see-enemy: S F R`
a.script:3:1: error[T0701]: `hide` has no answers
  help: write at least one of S, F, R and K, or remove the line: a leaf without a line always answers S
a.script:4:9: error[T0701]: `X` is not an answer
  help: use S (success), F (failure), R (running) or K (skipped), separated by spaces
a.script:5:6: error[T0701]: `s` is not an answer
  help: use S (success), F (failure), R (running) or K (skipped), separated by spaces
a.script:7:1: error[T0110]: `run` already has a line
  help: write all answers of a leaf on one line
a.script:8:6: error[T0701]: `SF` is not an answer
  help: use S (success), F (failure), R (running) or K (skipped), separated by spaces
";
    assert_eq!(error.to_plain(), expected);
}

#[test]
fn floods_end() {
    assert!(script::parse(&"x\n".repeat(100_000), "flood").is_err());
    assert!(script::parse(&":".repeat(1_000_000), "flood").is_err());
    assert!(script::parse(&"a: S\n".repeat(100_000), "flood").is_err());
}

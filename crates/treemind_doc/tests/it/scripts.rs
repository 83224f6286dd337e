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
a.script:1:1: error[T0701]: a `:` is missing behind the name of the leaf
  help: a line looks like `see-enemy: S F R`
a.script:2:1: error[T0701]: the name of the leaf is missing in front of `:`
  help: a line looks like `see-enemy: S F R`
a.script:3:1: error[T0701]: `hide` is given no answer
  help: write at least one of S, F, R and K; a leaf without a line always answers S
a.script:4:9: error[T0701]: `X` is not an answer
  help: answers are S (success), F (failure), R (running) and K (skipped), with spaces between them
a.script:5:6: error[T0701]: `s` is not an answer
  help: answers are S (success), F (failure), R (running) and K (skipped), with spaces between them
a.script:7:1: error[T0110]: `run` has a line already
  help: write all answers of a leaf into one line
a.script:8:6: error[T0701]: `SF` is not an answer
  help: answers are S (success), F (failure), R (running) and K (skipped), with spaces between them
";
    assert_eq!(error.to_plain(), expected);
}

#[test]
fn floods_end() {
    assert!(script::parse(&"x\n".repeat(100_000), "flood").is_err());
    assert!(script::parse(&":".repeat(1_000_000), "flood").is_err());
    assert!(script::parse(&"a: S\n".repeat(100_000), "flood").is_err());
}

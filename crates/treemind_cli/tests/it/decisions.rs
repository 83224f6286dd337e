//! Decision trees on the command line.

use crate::{assert_ran, treemind};

#[test]
fn one_is_played_by_name_as_main_and_in_a_tree() {
    let expected = "\
1 SUCCESS | tick stand SUCCESS
2 RUNNING | tick is-armed FAILURE; tick walk-to-hut RUNNING
3 SUCCESS | tick is-armed FAILURE; tick walk-to-hut SUCCESS
4 SUCCESS | tick run-to-alarm SUCCESS
";
    let trace = "trace watchman.kdl --script watchman.txt --ticks 4 --seed 1";
    assert_ran(&treemind(trace), 0, expected, "");
    let named = format!("{trace} --decide watchman");
    assert_ran(&treemind(&named), 0, expected, "");
    let refused = treemind("trace watchman.kdl --ticks 1 --decide watchmen");
    assert_eq!(refused.code, 1);
    let help = "help: did you mean `watchman`?";
    assert!(refused.err.contains(help), "{}", refused.err);
    let both = treemind("trace watchman.kdl --ticks 1 --decide watchman --tree guard");
    assert_eq!(both.code, 2);
}

#[test]
fn the_way_that_each_test_took_is_told_as_json() {
    let ran = treemind(
        "trace watchman.kdl --script watchman.txt --ticks 2 --seed 1 --tree guard --format json",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let line = ran.out.lines().nth(1).expect("a second tick");
    let line: serde_json::Value = serde_json::from_str(line).expect("an object");
    let events = line["events"].as_array().expect("a list").iter();
    let branches = events.filter(|event| event["event"] == "branch");
    let branches: Vec<String> = branches
        .map(|event| {
            assert_eq!(event["name"], "watchman");
            let (test, way) = (&event["test"], &event["way"]);
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            format!("{test} {} {}", text(&event["text"]), text(way))
        })
        .collect();
    let expected = [
        "0 test \"alarm_on\" no",
        "1 test \"enemy_distance <= 3.0\" yes",
        "2 test-condition is-armed no",
    ];
    assert_eq!(branches, expected);
}

#[test]
fn what_is_asked_is_counted() {
    let ran = treemind("print watchman.kdl --stats");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // The draw always has an option to choose, and all its options are equally likely.
    let expected = "  decision tree watchman: 5 tests, 4 deep, 5 leaves, 1 shared parts; 2.12 tests on average, each way being as likely\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
}

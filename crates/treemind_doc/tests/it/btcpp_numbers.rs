//! Counts and times from keys that scripts give any number, and keys that hold texts and numbers.

use super::btcpp::{played, tree};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::{Code, Document, Format, convert};

/// A document without mistakes.
fn read(inside: &str) -> Document {
    let document = Document::parse(&tree(inside), "t.xml");
    assert!(
        !document.has_errors(),
        "{inside} {:?}",
        document.diagnostics()
    );
    document
}

fn plays(inside: &str, answers: &str, expected: &[&str]) {
    let ticks = u64::try_from(expected.len()).expect("a few ticks");
    let lines = played(&read(inside), answers, ticks, 0);
    assert_eq!(lines, expected, "{inside}");
}

/// The codes of the faults in the first tick.
fn faults(inside: &str) -> Vec<String> {
    let behaviour = read(inside).behaviour(None).expect("it has no errors");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    population.tick(&mut host, Duration::from_millis(100));
    let faults = population.take_faults();
    let codes = faults
        .kept()
        .iter()
        .map(|fault| fault.kind.code().to_owned());
    codes.collect()
}

/// What a count does that stands there, it does from a key: as a whole number, as a double, and as a text.
#[test]
fn counts_of_any_kind() {
    let loops = [
        "<Repeat num_cycles=\"N\"><Act name=\"A\"/></Repeat>",
        "<RetryUntilSuccessful num_attempts=\"N\"><Act name=\"A\"/></RetryUntilSuccessful>",
    ];
    for inside in loops {
        for count in ["0", "1", "2", "3", "-1", "-2"] {
            for answers in [
                "A: S",
                "A: F",
                "A: R S F",
                "A: S S F S",
                "A: F F S",
                "A: K S F",
            ] {
                let literal = inside.replace('N', count);
                let expected = played(
                    &read(&format!(
                        "<ReactiveSequence><AlwaysSuccess/>{literal}</ReactiveSequence>"
                    )),
                    answers,
                    6,
                    0,
                );
                let given = [
                    format!("<Script code=\"n := {count}\"/>"),
                    format!("<Script code=\"n := {count} * 2; n /= 2\"/>"),
                    format!("<Script code=\"n := '{count}'\"/>"),
                    format!("<SetBlackboard value=\"{count}\" output_key=\"n\"/>"),
                    format!(
                        "<Script code=\"n := 'many'\"/><UnsetBlackboard key=\"n\"/><Script code=\"n := {count} / 1\"/>"
                    ),
                ];
                for given in given {
                    let by_key = inside.replace('N', "{n}");
                    let by_key = format!("<ReactiveSequence>{given}{by_key}</ReactiveSequence>");
                    let lines = played(&read(&by_key), answers, 6, 0);
                    assert_eq!(lines, expected, "{by_key} {answers}");
                }
            }
        }
    }
}

/// A robot slows down as its battery empties.
#[test]
fn times_that_scripts_compute() {
    plays(
        "<Sequence><Script code=\"pause := 100 * 1.5\"/><Delay delay_msec=\"{pause}\"><Act name=\"A\"/></Delay><Sleep msec=\"{pause}\"/></Sequence>",
        "",
        &[
            "1 RUNNING",
            "2 RUNNING",
            "3 RUNNING | tick A SUCCESS",
            "4 RUNNING",
            "5 SUCCESS",
        ],
    );
    plays(
        "<Sequence><Script code=\"patience := 300 / 2\"/><Timeout msec=\"{patience}\"><Act name=\"A\"/></Timeout></Sequence>",
        "A: R",
        &[
            "1 RUNNING | tick A RUNNING",
            "2 RUNNING | tick A RUNNING",
            "3 FAILURE | halt A",
        ],
    );
    assert_eq!(
        faults("<Sequence><Script code=\"t := -100 / 1\"/><Sleep msec=\"{t}\"/></Sequence>"),
        ["bad-duration"]
    );
}

/// There, these are exceptions when the node begins to need its count.
#[test]
fn what_is_no_whole_number() {
    let nodes = [
        "<Repeat num_cycles=\"{n}\"><Act name=\"A\"/></Repeat>",
        "<RetryUntilSuccessful num_attempts=\"{n}\"><Act name=\"A\"/></RetryUntilSuccessful>",
        "<Delay delay_msec=\"{n}\"><Act name=\"A\"/></Delay>",
        "<Timeout msec=\"{n}\"><Act name=\"A\"/></Timeout>",
        "<Sleep msec=\"{n}\"/>",
    ];
    for node in nodes {
        for (value, fault) in [
            ("7 / 2", "not-a-number"),
            ("1e300", "not-a-number"),
            ("0 / 0", "not-a-number"),
            ("1 / 0", "not-a-number"),
            ("'two'", "not-a-number"),
        ] {
            let inside = format!("<Sequence><Script code=\"n := {value}\"/>{node}</Sequence>");
            assert_eq!(faults(&inside), [fault], "{inside}");
            let inside = format!(
                "<Sequence><Script code=\"n := {value}\"/><Script code=\"n := n\"/><Fallback>{node}<AlwaysSuccess/></Fallback></Sequence>"
            );
            assert_eq!(faults(&inside), [fault], "{inside}");
        }
        assert_eq!(
            faults(&format!(
                "<Sequence><SetBlackboard value=\"2.5\" output_key=\"n\"/>{node}</Sequence>"
            )),
            ["not-a-number"]
        );
        assert_eq!(faults(&format!("<Sequence>{node}</Sequence>")), ["unset"]);
    }
}

/// Conditions that hold, and scripts that run, in BehaviorTree.CPP, too.
#[test]
fn keys_with_texts_and_numbers() {
    for inside in [
        "<Script code=\"n := 'abc'\"/><UnsetBlackboard key=\"n\"/><Script code=\"n := 3; n -= 1\"/><ScriptCondition code=\"n == 2\"/>",
        "<Script code=\"n := 3\"/><SetBlackboard value=\"idle\" output_key=\"n\"/><ScriptCondition code=\"n == 'idle'\"/><SetBlackboard value=\"{m}\" output_key=\"n\" _skipIf=\"true\"/><Script code=\"m := n\"/>",
        "<Script code=\"n := 3\"/><Script code=\"n := '4'\"/><ScriptCondition code=\"n == 4\"/><ScriptCondition code=\"n - 1 == 3\"/><ScriptCondition code=\"n &lt; 5\"/><ScriptCondition code=\"n != 5\"/>",
        "<Script code=\"n := '3'\"/><ScriptCondition code=\"n == 3\"/><ScriptCondition code=\"3 == n\"/><ScriptCondition code=\"n != 4\"/>",
        "<SetBlackboard value=\"true\" output_key=\"flag\"/><ScriptCondition code=\"flag == true\"/><ScriptCondition code=\"flag == 1\"/><ScriptCondition code=\"flag != false\"/><ScriptCondition code=\"flag != 0\"/>",
        "<SetBlackboard value=\"false\" output_key=\"flag\"/><ScriptCondition code=\"flag == false\"/><ScriptCondition code=\"flag == 0\"/><ScriptCondition code=\"flag != true\"/>",
        "<Script code=\"mode := true ? 'slow' : 3\"/><ScriptCondition code=\"mode == 'slow'\"/>",
        "<Script code=\"mode := false ? 'slow' : 3\"/><ScriptCondition code=\"mode == 3\"/>",
        "<Script code=\"a := 'x'\"/><Script code=\"b := 'y'\"/><ScriptCondition code=\"a &lt; b\"/><Script code=\"c := 1; d := c * 2; c := d\"/><Script code=\"a := 'z'; d := 1\"/>",
    ] {
        let inside = format!("<Sequence>{inside}</Sequence>");
        plays(&inside, "", &["1 SUCCESS"]);
    }
    // There, calculating with a text is an exception.
    let text = "<Sequence><SetBlackboard value=\"idle\" output_key=\"n\"/><Script code=\"n := n * 2\"/></Sequence>";
    assert_eq!(faults(text), ["not-a-number"]);
}

/// A tree gives its port a number once, and a text once.
#[test]
fn ports_with_texts_and_numbers() {
    let document = Document::parse(
        "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\"><BehaviorTree ID=\"Main\"><Sequence>\
         <SubTree ID=\"Drive\" speed=\"3\"/><Inverter><SubTree ID=\"Drive\" name=\"b\" speed=\"fast\"/></Inverter></Sequence></BehaviorTree>\
         <BehaviorTree ID=\"Drive\"><Sequence _failureIf=\"speed == 'fast'\"><Script code=\"twice := speed * 2\"/>\
         <ScriptCondition code=\"twice == 6\"/></Sequence></BehaviorTree></root>",
        "t.xml",
    );
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    assert_eq!(played(&document, "", 1, 0), ["1 SUCCESS"]);
}

/// What throws whenever it runs is refused.
#[test]
fn what_can_never_run() {
    for code in ["n := 'a'; n -= 1", "'a' == 3", "n := 2 * 'a'"] {
        let text = tree(&format!("<Script code=\"{code}; m := 1\"/>"));
        let text = text.replace("'a' == 3; m := 1", "m := 'a' == 3");
        let document = Document::parse(&text, "t.xml");
        let codes: Vec<Code> = document
            .diagnostics()
            .iter()
            .map(|one| one.code())
            .collect();
        assert_eq!(codes, [Code::NotYet], "{code}");
    }
}

#[test]
fn counts_come_back() {
    let xml = tree(
        "<Sequence><Script code=\"n := 6 / 2; t := '100'\"/><Repeat num_cycles=\"{n}\"><Delay delay_msec=\"{t}\"><A/></Delay></Repeat></Sequence>",
    );
    let kdl = convert(&xml, "t.xml", Format::BtCpp, Format::Kdl)
        .expect("KDL")
        .text;
    assert!(
        kdl.contains("int(n)") && kdl.contains("int(t) / 1000"),
        "{kdl}"
    );
    // Without the notes about spelling, everything is written anew.
    let plain: Vec<&str> = kdl
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let back = convert(&plain.join("\n"), "t.kdl", Format::Kdl, Format::BtCpp).expect("XML");
    for part in ["num_cycles=\"{n}\"", "delay_msec=\"{t}\""] {
        assert!(back.text.contains(part), "{}", back.text);
    }
}

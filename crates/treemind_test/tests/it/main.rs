//! Plays the tests of documents and compares what people read.

mod by_keys;
mod each;
mod examples;
mod happened;
mod happened_led;
mod planners;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use treemind_doc::Document;
use treemind_test::{Outcome, Report, junit, run};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn document(name: &str) -> Document {
    let text = fs::read_to_string(fixture(name)).expect("a fixture");
    Document::parse(&text.replace("\r\n", "\n"), name)
}

fn report(name: &str) -> Report {
    run(&document(name), "").unwrap_or_else(|errors| panic!("{errors}"))
}

/// Compares a text with a file, or writes the file if `UPDATE_EXPECTED` is set.
fn same(text: &str, file: &str) {
    let path = fixture(file);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(path, text).expect("it is written");
        return;
    }
    let expected = fs::read_to_string(path).expect("it is there");
    assert_eq!(text, expected.replace("\r\n", "\n"), "{file}");
}

#[test]
fn what_should_pass_passes() {
    let report = report("passing.kdl");
    let failed = report.outcomes.iter().filter(|one| !one.passed());
    let failed: Vec<String> = failed.map(Outcome::to_string).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(report.outcomes.len(), 16);
    assert!(report.passed());
}

#[test]
fn nodes_of_the_game_let_tests_reach_their_children() {
    let text = r#"
        leaves { decorator shift; composite vote; action dig; action haul; action sleep; }
        tree miner {
            selector {
                node shift { node vote { action dig; action haul; }; }
                action sleep
            }
        }
        test "by itself, a node of the game leads to its children" tree=miner {
            leaf dig answers="R S"
            tick
            expect chosen=dig active=dig
            tick
            expect running chosen="dig haul"
        }
        test "with answers, it does not" tree=miner {
            leaf shift answers="R F"
            tick
            expect running active=shift inactive=dig
            tick
            expect stopped=shift outcome=failure active=sleep
            never dig
        }"#;
    let report = run(&Document::parse(text, "miner.kdl"), "").expect("no mistakes");
    let failed: Vec<String> = report.outcomes.iter().map(Outcome::to_string).collect();
    assert!(report.passed(), "{}", failed.join("\n"));
    assert_eq!(
        report.coverage.percent(),
        100.0,
        "{:?}",
        report.coverage.uncovered
    );
}

#[test]
fn a_failure_says_what_was_expected_and_what_happened() {
    let report = report("failing.kdl");
    let mut out = String::new();
    for outcome in &report.outcomes {
        let _ = writeln!(out, "{outcome}");
    }
    let passed = report.outcomes.iter().filter(|one| one.passed());
    let passed: Vec<&str> = passed.map(|one| one.name.as_str()).collect();
    assert_eq!(passed, ["case calm"]);
    same(&out, "failing.expected");
}

#[test]
fn what_chance_found_fails_without_chance() {
    let text = fs::read_to_string(fixture("failing.kdl")).expect("a fixture");
    let report = report("failing.kdl");
    let found = report.outcomes.iter().filter_map(|one| {
        let failure = one.failure.as_ref()?;
        Some((failure, failure.fixed.as_ref()?))
    });
    let mut count = 0;
    for (failure, fixed) in found {
        let text = format!("{text}\n{fixed}");
        let document = Document::parse(&text, "fixed.kdl");
        let again = run(&document, "found by chance").unwrap_or_else(|errors| panic!("{errors}"));
        let [outcome] = &again.outcomes[..] else {
            panic!("one test in\n{fixed}")
        };
        let again = outcome.failure.as_ref().expect("it fails, too");
        assert_eq!(again.expected, failure.expected, "{fixed}");
        assert_eq!(again.got, failure.got, "{fixed}");
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn coverage_lists_what_no_test_reached() {
    let mut out = String::new();
    for name in ["passing.kdl", "failing.kdl"] {
        let coverage = report(name).coverage;
        let _ = writeln!(out, "{name}: {} of {}", coverage.reached, coverage.total);
        assert_eq!(coverage.total - coverage.reached, coverage.uncovered.len());
        for missing in &coverage.uncovered {
            let _ = writeln!(out, "  {}: {}", missing.subject.name(), missing.text);
        }
        for outline in &coverage.outlines {
            let _ = writeln!(out, "{}\n{outline}", outline.subject.name());
        }
    }
    same(&out, "coverage.expected");
}

#[test]
fn a_filter_runs_only_some_tests() {
    let all = run(&document("passing.kdl"), "door").expect("it is good");
    let names: Vec<&str> = all.outcomes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["the door"]);
}

#[test]
fn a_document_with_errors_runs_no_test() {
    let document = Document::parse(
        "tree t { run }\ntest \"x\" tree=u { tick; expect success; }",
        "t.kdl",
    );
    let errors = run(&document, "").expect_err("it has an error").to_string();
    assert!(errors.contains("unknown tree `u`"), "{errors}");
}

#[test]
fn build_servers_get_xml() {
    let document = Document::parse(
        "leaves { action go; }\ntree t { action go; }\n\
         test \"<good> & \\\"fine\\\"\" tree=t { tick; expect running; }\n\
         test \"bad\" tree=t { tick; expect success; }",
        "t.kdl",
    );
    let mut report = run(&document, "").expect("it is good");
    for outcome in &mut report.outcomes {
        outcome.time = std::time::Duration::from_micros(1500);
    }
    let xml = junit(&[("t.kdl".to_owned(), report)]).expect("it is written");
    same(&xml, "junit.xml");
}

#[test]
#[should_panic(expected = "expected: success")]
fn the_test_of_a_game_fails_with_the_reason() {
    treemind_test::check(fixture("failing.kdl"));
}

#[test]
fn the_test_of_a_game_is_one_line() {
    treemind_test::check(fixture("passing.kdl"));
}

/// Documents whose tests at random fail, each for one reason.
const FOUND: [(&str, &str, u64); 11] = [
    // It never happens, so the counterexample has as many ticks as the rule gives.
    (
        "leaves { condition see; action attack; action patrol; }
        tree t { selector { sequence { condition see; condition see; action attack; }; action patrol; }; }
        test \"fights at last\" tree=t {
            random runs=20 ticks=40 { leaf see answers=\"S F\"; }
            eventually \"active(attack)\" within=12
        }",
        "\n    tick 12\n}",
        0,
    ),
    // The try ends before the rule is judged: it stays as long as it is.
    (
        "leaves { action attack; action patrol; }
        tree t { selector { action patrol; action attack; }; }
        test \"too short\" tree=t {
            tick 2
            random runs=20 ticks=10 { leaf attack answers=\"S F\"; }
            eventually \"active(attack)\" within=50
        }",
        "\n    tick 10\n}",
        1,
    ),
    (
        "blackboard { key near type=double default=0.5; }
        leaves { condition \"null\"; action attack; action patrol; }
        tree t { selector { sequence { condition \"null\"; check \"near > 0.9\"; action attack; }; action patrol; }; }
        test \"a \\u{1b} name\" tree=t dt=0.25 seed=9007199254740993 {
            random runs=500 ticks=20 { leaf \"null\" answers=\"S F\"; key near min=0.6 max=0.95; }
            never attack
        }",
        "\n    leaf \"null\" answers=\"S\"\n",
        0,
    ),
    (
        "leaves { condition see; action attack; }
        tree t { sequence { condition see; action attack; }; }
        test \"always\" tree=t {
            random runs=9 ticks=20 { leaf see answers=\"S F\"; leaf attack answers=\"R S\"; }
            always \"!ran(attack)\"
        }",
        "\n    leaf see answers=\"S\"\n    tick\n}",
        0,
    ),
    (
        "blackboard { key n type=int default=2147483647; }
        leaves { event more { param by type=int; }; action wait; }
        machine m {
            initial few
            state few { transition to=many on=more when=\"event.by > 2\"; }
            state many { do { action wait; }; }
        }
        test \"messages\" machine=m {
            random runs=50 ticks=20 { send more by=3 chance=0.2; send more by=1 chance=0.5; }
            always \"!active(many)\"
        }",
        "\n    send more by=3\n    tick\n}",
        0,
    ),
    (
        "leaves { event more; action wait; action work; }
        machine m {
            initial few
            state few { transition to=many on=more; do { action wait; }; }
            state many { transition to=few after=0.3; do { action work; }; }
        }
        test \"a machine\" machine=m {
            random runs=50 ticks=40 { send more chance=0.3; }
            eventually \"active(few) && active(many)\" within=20
        }",
        "\n    tick 20\n}",
        1,
    ),
    (
        "blackboard { key mood type=enum { value calm angry furious; }; key n type=float default=0.0; }
        leaves { action attack; action patrol; }
        decide d { switch \"mood\" { case furious { action attack; }; default { action patrol; }; }; }
        test \"a decision\" decide=d {
            random runs=50 ticks=20 { key mood; key n min=0.0 max=9.0; }
            never attack
        }",
        "\n    given mood=furious\n    tick\n}",
        0,
    ),
    (
        "blackboard { key n type=int default=1; }
        leaves { action patrol; action attack; }
        tree t { selector { sequence { check \"10 / n > 0\"; action patrol; }; fail; action patrol; sequence { fail; action attack; }; }; }
        test \"no fault\" tree=t {
            random runs=50 ticks=20 { key n min=0 max=3; }
            never attack
        }",
        "\n    given n=0\n    tick\n}",
        0,
    ),
    (
        "leaves { condition see; action attack; action patrol; }
        tree t { selector { sequence { condition see; action attack; }; action patrol; }; }
        test \"met before\" tree=t {
            leaf see answers=\"F\"
            tick 3
            random runs=20 ticks=40 { leaf see answers=\"F\"; }
            eventually \"active(attack)\" within=7
        }",
        "\n    tick 3\n    eventually \"active(attack)\" within=7\n    tick 4\n}",
        1,
    ),
    // Only the items that matter stay in a list.
    (
        "blackboard { key target type=entity default=0; key spotted type=entity list=4; }
        leaves { action patrol; action attack; }
        tree t { selector { sequence { check \"contains(spotted, target)\"; action attack; }; action patrol; }; }
        test \"never seen\" tree=t {
            random runs=100 ticks=20 { key target min=7 max=7 chance=0.5; key spotted min=5 max=7 max-items=3; }
            never attack
        }",
        "\n    given target=7\n    given-list spotted 7\n    tick\n}",
        0,
    ),
    // Of vectors, each part is drawn, also in lists, and rounded if it may be.
    (
        "blackboard { key at type=vec2; key seen type=vec3 list=4; }
        leaves { action patrol; action attack; }
        tree t { selector { sequence { check \"at.x > 5 && at.y < 3 && len(seen) > 0 && item(seen, 0).z == 2\"; action attack; }; action patrol; }; }
        test \"never seen\" tree=t {
            random runs=100 ticks=20 { key at min=\"6,1\" max=\"7,1\"; key seen min=\"-1,0,2\" max=\"-1,0,2\"; }
            never attack
        }",
        "\n    given at=\"7.0, 1.0\"\n    given-list seen \"-1.0, 0.0, 2.0\"\n    tick\n}",
        0,
    ),
];

#[test]
fn the_shortest_try_still_fails_for_the_same_reason() {
    for (text, wanted, first) in FOUND {
        let document = Document::parse(text, "t.kdl");
        let report = run(&document, "").unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let [outcome] = &report.outcomes[..] else {
            panic!("one test in\n{text}")
        };
        let failure = outcome.failure.as_ref().expect("it fails");
        let fixed = failure.fixed.as_ref().expect("it was found by chance");
        assert!(fixed.contains(wanted), "{wanted}\n{failure}");
        let attempt = failure.attempt.expect("it says in which try");
        assert!(first == 0 || attempt == first, "{failure}");
        let named = format!(
            "    found in: try {attempt}; `treemind trace FILE --test NAME --try {attempt}` plays it\n"
        );
        assert!(failure.to_string().contains(&named), "{failure}");
        let again = Document::parse(&format!("{text}\n{fixed}"), "t.kdl");
        let again =
            run(&again, "found by chance").unwrap_or_else(|errors| panic!("{errors}\n{fixed}"));
        let again = again.outcomes[0].failure.as_ref().expect("it fails, too");
        assert_eq!(again.expected, failure.expected, "{fixed}");
        assert_eq!(again.got, failure.got, "{fixed}");
        assert_eq!(again.tick, failure.tick, "{fixed}");
    }
}

#[test]
fn what_goes_on_without_being_ticked_is_running() {
    let text = "leaves { action walk; action rest; }
        tree t { selector { sequence { action walk; action rest; }; action rest; }; }
        test \"a pause\" tree=t {
            leaf walk answers=\"R K\"
            tick
            expect active=walk
            tick
            expect active=walk
        }
        test \"not so\" tree=t { leaf walk answers=\"R K\"; tick 2; expect inactive=walk; }";
    let report = run(&Document::parse(text, "t.kdl"), "").expect("it is good");
    let [good, bad] = &report.outcomes[..] else {
        panic!("two tests")
    };
    assert!(good.passed(), "{good}");
    let bad = bad.to_string();
    assert!(
        bad.contains("got:      `walk`, `rest` are running"),
        "{bad}"
    );
    assert!(bad.contains("OPEN          action walk"), "{bad}");
}

/// Whether a text is well-formed XML 1.0, of which every character is allowed.
fn check_xml(xml: &str) {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    loop {
        let unescaped = match reader.read_event().expect("it is XML") {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => tag
                .attributes()
                .map(|attribute| {
                    let attribute = attribute.expect("an attribute");
                    attribute.unescape_value().expect("a value").into_owned()
                })
                .collect(),
            quick_xml::events::Event::Text(text) => text.decode().expect("a text").into_owned(),
            _ => String::new(),
        };
        let bad = unescaped.chars().find(|c| !is_allowed(*c));
        assert_eq!(bad, None, "{xml}");
    }
    assert_eq!(xml.chars().find(|c| !is_allowed(*c)), None);
}

#[test]
fn xml_is_well_formed_whatever_names_are() {
    let all: String = ('\0'..='\u{a0}')
        .chain(['\u{202e}', '\u{fffe}', '\u{ffff}'])
        .collect();
    for name in [
        "esc \u{1b}",
        "\u{fffe}",
        "]]>",
        "<!--",
        "&#0;",
        "\0",
        "a\nb\r",
        &all,
    ] {
        let text = "leaves { action go; }\ntree t { action go; }\n\
             test good tree=t { tick; expect running; }\n\
             test bad tree=t { tick; expect success; }";
        let mut report = run(&Document::parse(text, name), "").expect("it is good");
        for outcome in &mut report.outcomes {
            outcome.name += name;
            if let Some(failure) = &mut outcome.failure {
                failure.got = name.into();
                failure.tree += name;
                failure.at.1 += name;
            }
        }
        let xml = junit(&[(name.to_owned(), report.clone()), (String::new(), report)]);
        check_xml(&xml.expect("it is written"));
    }
}

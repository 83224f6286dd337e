//! Decision trees declared in code are the same as those in documents.

use std::collections::BTreeSet;
use std::path::Path;
use treemind_core::Behaviour;
use treemind_doc::tree::decisions::{
    branch, case, decide, default_case, goto, no, none, option, random, range, state, switch, test,
    test_condition, yes,
};
use treemind_doc::tree::{self, Declarations, Node, TreeError, action, check, states};
use treemind_doc::{Document, Severity, outline};

/// The declarations of a document, without its trees, machines, decision trees and tests.
fn declarations(text: &str) -> Declarations {
    let mut kept = String::new();
    let mut is_kept = true;
    for line in text.lines() {
        if !line.starts_with([' ', '}']) {
            let word = line.split(' ').next().unwrap_or_default();
            is_kept = !["main", "tree", "machine", "decide", "test"].contains(&word);
        }
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let kept = Document::parse(&kept, "declared.kdl");
    assert!(!kept.has_errors(), "{:?}", kept.diagnostics());
    Declarations::new().document(&kept)
}

fn same(built: Result<Behaviour, TreeError>, read: Behaviour) {
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outline(&built), outline(&read));
    assert_eq!(built, read);
}

/// The documents in a folder and in the folders in it that have a decision tree.
fn with_decisions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            with_decisions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "kdl") {
            let text = std::fs::read_to_string(&path).expect("a document");
            if !Document::parse(&text, "a.kdl").decisions().is_empty() {
                found.insert(path.display().to_string());
            }
        }
    }
}

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn all_documents_with_decision_trees_are_here_in_code() {
    let mut found = BTreeSet::new();
    let fixtures = super::fixtures().join("good");
    with_decisions(&fixtures, &mut found);
    with_decisions(&examples(), &mut found);
    let here = [
        examples().join("09-watchman").join("watchman.kdl"),
        examples().join("10-soldier").join("soldier.kdl"),
        examples().join("16-apprentice").join("by-hand.kdl"),
        fixtures.join("decisions.kdl"),
    ];
    // What the villager draws is what the watchman does, too.
    let villager = examples().join("19-villager").join("villager.kdl");
    assert!(found.remove(&villager.display().to_string()));
    assert_eq!(
        found,
        here.map(|path| path.display().to_string())
            .into_iter()
            .collect()
    );
}

/// An example as its text and as a document.
fn example(path: &str) -> (String, Document) {
    let text = std::fs::read_to_string(examples().join(path)).expect("an example");
    let document = Document::parse(&text, "example.kdl");
    assert!(!document.has_errors());
    (text, document)
}

#[test]
fn the_watchman_is_what_it_is_in_its_document() {
    let (text, document) = example("09-watchman/watchman.kdl");
    let declared = declarations(&text).decide(
        "watchman",
        decide([
            test("alarm_on", [action("run-to-alarm")]),
            range(
                "enemy_distance",
                [yes([test_condition(
                    "is-armed",
                    [yes([action("strike")]), no([goto("shelter")])],
                )])],
            )
            .max(3.0),
            switch("weather", [case("rain", [goto("shelter")]).value("storm")]),
            random([
                option(2, [action("patrol")]),
                option(1, [action("look-around")]),
            ])
            .timeout_secs(8.0),
            branch("shelter", [action("walk-to-hut")]),
        ])
        .doc("the alarm first, then strangers, then the weather"),
    );
    let read = || document.behaviour(None).expect("a behaviour");
    same(declared.decision_behaviour("watchman"), read());
    assert_eq!(tree::decide("watchman").problems("t", &declared), []);
    // A tree around it.
    let inside = format!("{text} tree guard {{ selector {{ decide watchman; run; }}; }}");
    let inside = Document::parse(&inside, "guard.kdl");
    same(
        tree::selector([tree::decide("watchman"), tree::run()]).behaviour("guard", &declared),
        inside.behaviour(Some("guard")).expect("a behaviour"),
    );
}

#[test]
fn the_transitions_of_the_soldier_are_what_they_are_in_its_document() {
    let (text, document) = example("10-soldier/soldier.kdl");
    let alert = states::state(
        "alert",
        [
            states::initial("on-guard"),
            states::transition_by("facing"),
            states::state("on-guard", [states::entry([action("take-post")])]),
            states::state("fight", [states::entry([action("open-fire")])]),
        ],
    );
    let flee = states::state(
        "flee",
        [
            states::entry([action("run-for-cover")]),
            states::transition_by("fled"),
        ],
    );
    let outmatched = |goal: &str| {
        [
            test("health < 30", [goto(goal)]),
            test("enemy_strength > 2", [goto(goal)]),
            state("fight", []),
        ]
    };
    let declared = declarations(&text)
        .machine(
            "deciding-soldier",
            states::machine([states::initial("alert"), alert, flee]),
        )
        .decide(
            "facing",
            decide([
                test("enemy_seen", outmatched("run")),
                state("on-guard", []),
                branch("run", [state("flee", [])]),
            ]),
        )
        .decide(
            "fled",
            decide([
                test(
                    "safe",
                    [test("enemy_seen", outmatched("back")), goto("back")],
                ),
                none(),
                branch("back", [state("on-guard", [])]),
            ]),
        );
    let read = document.machine("deciding-soldier").expect("a machine");
    same(declared.machine_behaviour("deciding-soldier"), read);
}

#[test]
fn the_keys_of_the_apprentice_are_what_they_are_in_their_document() {
    let (text, document) = example("16-apprentice/by-hand.kdl");
    let keys = [
        ("up", "patrol"),
        ("right", "run-to-alarm"),
        ("left", "walk-to-hut"),
        ("strike", "strike"),
    ];
    let declared = declarations(&text).decide(
        "by-hand",
        decide([
            switch("pressed", keys.map(|(key, does)| case(key, [action(does)]))),
            action("look-around"),
        ])
        .doc("what each key means"),
    );
    let read = document.behaviour(None).expect("a behaviour");
    same(declared.decision_behaviour("by-hand"), read);
}

/// All decision trees of the fixture, and what is around them.
fn fixture() -> Declarations {
    let watchman = decide([
        test("alarm_on", [action("run-to-alarm")]),
        range(
            "enemy_distance",
            [yes([test_condition(
                "is-armed",
                [yes([action("strike")]), no([goto("shelter")])],
            )
            // On its line, as in the document: the name of a test is its text.
            .option("with", "sword")])],
        )
        .max(3.0),
        switch("weather", [case("rain", [goto("shelter")]).value("storm")]),
        random([
            option(2, [action("patrol")]),
            option("courage", [action("stand")]),
        ])
        .timeout_secs(8.0),
        branch("shelter", [action("walk-to-hut")]),
    ]);
    let twice = decide([
        test(
            "alarm_on",
            [
                yes([tree::decide("calm")]),
                no([
                    test_condition("is-armed", [goto("away")])
                        .negated()
                        .name("unarmed"),
                    tree::decide("calm"),
                ]),
            ],
        ),
        branch("away", [goto("home")]),
        branch(
            "home",
            [
                test("courage > 0.5", [none()]),
                action("walk-to-hut").name("home"),
            ],
        ),
    ]);
    let calm = decide([
        tree::key("turns").of_type("int").default_value(0),
        switch(
            "weather",
            [
                case("clear", [action("patrol").on_end("turns += 1")]),
                default_case([goto("wait")]),
            ],
        ),
        branch("wait", [random([option("turns", [action("stand")])])]),
    ]);
    let near = decide([
        tree::input("distance").of_type("float"),
        range("distance", [no([tree::fail()])]).min(1.0).max(3.0),
        action("strike"),
    ]);
    let chooser = decide([
        test(
            "enemy_distance < courage",
            [tree::decide("near")
                .param("distance", "{enemy_distance}")
                .name("close")],
        ),
        tree::decide("calm"),
    ]);
    let sentry = states::machine([
        states::initial("on-duty"),
        states::state(
            "on-duty",
            [
                states::activity(tree::decide("chooser")),
                states::transition_to("off").when("weather == storm"),
            ],
        ),
        states::final_state("off"),
    ]);
    declarations(&super::good("decisions.kdl"))
        .decide("watchman", watchman.doc("on the wall"))
        .decide("twice", twice)
        .decide("calm", calm)
        .decide("near", near)
        .decide("chooser", chooser)
        .machine("sentry", sentry)
}

#[test]
fn the_fixture_is_what_it_is_as_a_document() {
    let document = Document::parse(&super::good("decisions.kdl"), "decisions.kdl");
    let declared = fixture();
    for decision in document.decisions() {
        let read = document.decision(decision.name()).expect("a behaviour");
        same(declared.decision_behaviour(decision.name()), read);
    }
    let read = document.machine("sentry").expect("a machine");
    same(declared.machine_behaviour("sentry"), read);
    let guard = tree::selector([
        tree::decide("near").param("distance", 2.0).when("alarm_on"),
        tree::decide("twice"),
        tree::machine("sentry"),
    ]);
    let read = document.behaviour(Some("guard")).expect("a behaviour");
    same(guard.behaviour("guard", &declared), read);
    assert_eq!(guard.problems("guard", &declared), []);
}

const KEYS: &str = "blackboard {
    key a type=bool
    key n type=int
    key mood type=enum default=calm { value calm angry; }
}
leaves {
    condition armed { param range type=float default=2.0; }
    action walk
}
";

/// Checks a decision tree in code against one in a document.
fn same_decision(node: Node, written: &str) {
    let text = format!("{KEYS}decide d {written}");
    let document = Document::parse(&text, "whole.kdl");
    let read = document.decision("d");
    let read = read.unwrap_or_else(|errors| panic!("{}", errors.to_plain()));
    same(
        declarations(KEYS).decide("d", node).decision_behaviour("d"),
        read,
    );
}

#[test]
fn every_word_that_is_left_is_what_it_is_in_a_document() {
    same_decision(
        decide([
            tree::key("found")
                .of_type("enum")
                .default_value("none")
                .child(Node::new("value").value("none").value("some")),
            tree::key("seen")
                .of_type("int")
                .optional()
                .doc("how many it has seen"),
            tree::input("far").of_type("float").default_value(2.5),
            tree::output("result").of_type("int").default_value(0),
            tree::inout("both").of_type("bool").default_value(true),
            test("a", [none()]).disabled(),
            switch(
                "n",
                [
                    case(1, [test("both", [none()])]).value(2),
                    Node::new("case").max(5).child(tree::set("result = 3")),
                    Node::new("case").min(7).max(12).child(none()),
                    default_case([action("walk")]),
                ],
            ),
            test(
                "has(seen) && found == some",
                [no([random([
                    option("n + 1", [tree::wait(1.0)]),
                    option(0.5, [tree::sequence([action("walk")])]),
                ])
                .timeout_ticks(3)])],
            ),
            test_condition("armed", [yes([none()])])
                .param("range", "=far * 2")
                .doc("ready"),
            check("a").when("n > 0"),
        ]),
        r#"{
            key found type=enum default=none { value none some; }
            key seen type=int optional=#true doc="how many it has seen"
            in far type=float default=2.5
            out result type=int default=0
            inout both type=bool default=#true
            test "a" disabled=#true { none; }
            switch "n" {
                case 1 2 { test "both" { none; }; }
                case max=5 { set "result = 3"; }
                case min=7 max=12 { none; }
                default { action walk; }
            }
            test "has(seen) && found == some" {
                no { random timeout-ticks=3 { option "n + 1" { wait 1.0; }; option 0.5 { sequence { action walk; }; }; }; }
            }
            test-condition armed doc="ready" { param range "=far * 2"; yes { none; }; }
            check "a" when="n > 0"
        }"#,
    );
}

#[test]
fn a_transition_that_decides_is_what_it_is_in_a_document() {
    let machine = states::machine([
        states::initial("here"),
        states::transition_by("d")
            .when("n > 0")
            .child(tree::set("n -= 1")),
        states::state("here", []),
        states::state("there", [states::state("in", []), states::initial("in")]),
    ]);
    let d = decide([test(
        "a",
        [state("there", [tree::set("a = false"), tree::log("goes")])],
    )]);
    let text = format!(
        "{KEYS}machine m {{
            initial here
            transition decide=d when=\"n > 0\" {{ set \"n -= 1\"; }}
            state here
            state there {{ state in; initial in; }}
        }}
        decide d {{ test \"a\" {{ state there {{ set \"a = false\"; log goes; }}; }}; }}"
    );
    let read = Document::parse(&text, "whole.kdl").machine("m");
    let read = read.unwrap_or_else(|errors| panic!("{}", errors.to_plain()));
    let declared = declarations(KEYS).machine("m", machine).decide("d", d);
    same(declared.machine_behaviour("m"), read);
}

#[test]
fn what_is_wrong_with_a_decision_tree_is_said_of_its_part() {
    let said = |parts: Vec<Node>| {
        let declared = declarations(KEYS).decide("d", decide(parts));
        declared
            .decision_behaviour("d")
            .expect_err("a problem")
            .to_string()
    };
    let of = |part: Node| said(vec![part, none()]);
    let ends = || branch("end", [action("walk")]);
    assert_eq!(
        said(vec![test("a", [goto("edn")]), goto("end"), ends()]),
        "d > test a > goto edn: unknown branch `edn`; did you mean `end`?"
    );
    assert_eq!(
        of(test("n > 1", [no([action("wlak")])])),
        "d > test \"n > 1\" > no > wlak: unknown action `wlak`; did you mean `walk`?"
    );
    assert_eq!(
        of(test_condition("armd", [none()])),
        "d > test-condition armd: unknown condition `armd`; did you mean `armed`?"
    );
    for (part, path) in [
        (test("a", []), "d > test a: "),
        (range("n", [none()]), "d > range n: "),
        (
            test("a", [branch("b", [none()])]),
            "d > test a > branch b: ",
        ),
        (
            test("a", [yes([none()]), yes([none()])]),
            "d > test a > yes: ",
        ),
        (
            switch("mood", [case("clam", [none()])]),
            "d > switch > case: ",
        ),
        (
            switch("mood", [default_case([none()]), case("calm", [none()])]),
            "d > switch > case: ",
        ),
        (random([option(-1, [none()])]), "d > random > option -1: "),
        (
            random([option(1, [none()])]).timeout_ticks(0),
            "d > random: ",
        ),
        (
            test("a", [state("there", [action("wlak")])]),
            "d > test a > there > wlak: ",
        ),
        (tree::decide("e"), "d > e: "),
        (Node::new("tset").value("a"), "d > tset: "),
    ] {
        let error = of(part);
        assert!(error.starts_with(path), "{error}");
    }
    assert!(said(vec![]).starts_with("d: "), "{}", said(vec![]));
    let circle = said(vec![goto("b"), branch("b", [goto("b")])]);
    assert!(circle.starts_with("d > branch b > goto b: "), "{circle}");
    let twice = declarations(KEYS).decide("d", decide([none()]));
    let twice = twice.decide("d", decide([none()])).decision_behaviour("d");
    let twice = twice.expect_err("a problem").to_string();
    assert!(twice.starts_with("d: "), "{twice}");
    let machine = states::machine([
        states::initial("here"),
        states::transition_by("e"),
        states::state("here", []),
    ]);
    let lost = declarations(KEYS).machine("m", machine);
    let lost = lost.machine_behaviour("m").expect_err("a problem");
    assert!(
        lost.to_string().starts_with("m > transition decide=e: "),
        "{lost}"
    );
}

#[test]
fn warnings_are_said_of_their_part() {
    let declared = declarations(KEYS).decide(
        "d",
        decide([
            switch("mood", [case("calm", [action("walk")])]),
            branch("unused", [none()]),
        ]),
    );
    assert!(declared.decision_behaviour("d").is_ok());
    let warnings = |root: Node| -> Vec<String> {
        let all = root.problems("t", &declared).into_iter();
        all.map(|problem| {
            assert_eq!(problem.severity(), Severity::Warning);
            problem.to_string()
        })
        .collect()
    };
    let unused = "d > branch unused: branch `unused` is never used; lead to it with `goto unused`, or remove it";
    let no_default = "d > switch: `d` may end without a decision after this test; add what to do then, or `none` for nothing";
    assert_eq!(warnings(tree::decide("d")), [no_default, unused]);
    let makes_up = tree::selector([tree::decide("d"), tree::run()]);
    assert_eq!(warnings(makes_up), [unused]);
}

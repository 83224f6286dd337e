//! Decision trees rewritten with a profile: the resulting text, its cost, and which trees are refused.

use treemind_core::behaviour::TestName;
use treemind_doc::Document;
use treemind_learn::profile::DecisionProfile;
use treemind_learn::{
    Balanced, NotBalanced, Profile, Proof, balance, decision_alone, same_decisions,
};

const WORLD: &str = "blackboard {
    key alarm_on type=bool
    key enemy_distance type=float default=50.0
    key weather type=enum default=clear { value clear rain storm; }
    key tiredness type=int
    key guess type=int optional=#true
}
leaves {
    condition is-armed { param with type=enum default=any { value any sword bow; }; }
    action run-to-alarm
    action strike
    action walk-to-hut
    action patrol
    action stand
}
";

fn document(text: &str) -> Document {
    let document = Document::parse(&format!("{WORLD}{text}"), "test.kdl");
    let errors: String = document
        .diagnostics()
        .iter()
        .map(|item| item.to_plain())
        .collect();
    assert!(!document.has_errors(), "{errors}");
    document
}

/// The tests of a decision tree, in an order in which they may be asked.
fn tests(document: &Document, name: &str) -> Vec<TestName> {
    let alone = decision_alone(document, name).unwrap();
    let root = alone.behaviour.node(alone.behaviour.root());
    match &root.kind {
        treemind_core::Kind::Decide(decision) => decision.tests.clone(),
        kind => panic!("a {}", kind.keyword()),
    }
}

/// A profile of the decision tree `top`: the answers of tests, by their text, and how often they came.
fn profile(document: &Document, paths: &[(u64, &[(&str, &str)])]) -> Profile {
    let names = tests(document, "top");
    let of = Profile::of(&decision_alone(document, "top").unwrap().behaviour);
    let mut known = DecisionProfile::new(of.decision("top").unwrap().tests().to_vec()).unwrap();
    for (count, answers) in paths {
        let place = |(test, way): &(&str, &str)| {
            let found = known.tests().iter().position(|known| known.test == *test);
            let found = found.unwrap_or_else(|| panic!("no `{test}` in {names:?}"));
            let way = known.tests()[found]
                .ways
                .iter()
                .position(|known| known == way);
            (found, way.expect("there is such a way"))
        };
        let path = answers.iter().map(place).collect();
        known.add(path, *count).unwrap();
    }
    let mut profile = Profile::default();
    profile.insert("top".to_owned(), known);
    profile
}

fn rewritten(text: &str, paths: &[(u64, &[(&str, &str)])]) -> (String, Balanced, Proof) {
    let before = document(text);
    let balanced = balance(&before, "top", &profile(&before, paths)).unwrap();
    let after = Document::parse(&balanced.text, "test.kdl");
    let errors: String = after
        .diagnostics()
        .iter()
        .map(|item| item.to_plain())
        .collect();
    assert_eq!(
        after.diagnostics().len(),
        before.diagnostics().len(),
        "{errors}\n{}",
        balanced.text
    );
    let proof = same_decisions(&before, &after, "top", &balanced);
    let proof = proof.unwrap_or_else(|error| panic!("{error}\n{}", balanced.text));
    assert!(proof.is_complete);
    let rest = balanced
        .text
        .strip_prefix(WORLD)
        .expect("nothing else changed");
    let rest = rest.to_owned();
    (rest, balanced, proof)
}

#[test]
fn the_likeliest_of_tests_that_exclude_each_other_comes_first() {
    let none = [
        ("test \"enemy_distance < 2\"", "no"),
        ("test \"enemy_distance < 10\"", "no"),
        ("test \"enemy_distance < 30\"", "no"),
    ];
    let (text, balanced, proof) = rewritten(
        "decide top {
    test \"enemy_distance < 2\" { action strike; }
    test \"enemy_distance < 10\" { action run-to-alarm; }
    test \"enemy_distance < 30\" { action stand; }
    action patrol
}
",
        &[(90, &none), (10, &[("test \"enemy_distance < 2\"", "yes")])],
    );
    assert_eq!(
        text,
        "decide top {
    test \"enemy_distance < 30\" { no { action patrol; }; }
    test \"enemy_distance < 2\" { action strike; }
    test \"enemy_distance < 10\" { action run-to-alarm; }
    action stand
}
"
    );
    assert!(balanced.is_changed);
    assert_eq!(proof.cases, 4);
}

#[test]
fn dear_questions_come_late_and_comments_stay_with_their_tests() {
    let armed = "test-condition is-armed";
    let (text, balanced, _) = rewritten(
        "/* before */ decide top doc=\"one\" { // first
    key turns type=int default=0 // counted
    // Asks the host.
    test-condition is-armed {
        // Far away it does not matter.
        test \"enemy_distance < 3\" { action strike; } // blows
        goto home
    }
    // Tired ones go home.
    test \"tiredness > 5\" { goto home; }
    /-test \"alarm_on\" { none; }
    action patrol on-end=\"turns += 1\" /* always */ // all night
    // Where it is warm.
    branch home {
        sequence { // in the block
            action walk-to-hut
        }
    }
    // last
}
// after
",
        &[
            (8, &[(armed, "yes"), ("test \"enemy_distance < 3\"", "no")]),
            (1, &[(armed, "no"), ("test \"tiredness > 5\"", "no")]),
        ],
    );
    let expected = "/* before */ decide top doc=\"one\" { // first
    key turns type=int default=0 // counted
    // Tired ones go home.
    test \"tiredness > 5\" {
        // Far away it does not matter.
        test \"enemy_distance < 3\" { no { goto home; }; }
        // Asks the host.
        test-condition is-armed { goto strike; }
        goto home
    }
    test-condition is-armed {
        no {
            /-test \"alarm_on\" { none; }
            /* always */
            action patrol on-end=\"turns += 1\" // all night
        }
    }
    test \"enemy_distance < 3\" { goto strike; }
    goto home
    // Where it is warm.
    branch home {
        sequence { // in the block
            action walk-to-hut
        }
    }
    branch strike { action strike; } // blows
    // last
}
// after
";
    assert_eq!(text, expected);
    assert_eq!((balanced.before.tests, balanced.before.cost), (2.0, 11.0));
    assert!(balanced.after.cost < 10.0, "{:?}", balanced.after);
}

#[test]
fn what_may_be_at_fault_is_asked_only_where_it_was() {
    let (alarm, guess) = ("test \"alarm_on\"", "test \"guess > 3\"");
    let text = "decide top {
    test \"alarm_on\" {
        test \"guess > 3\" { action strike; }
        goto calm
    }
    test \"guess > 3\" { action patrol; }
    goto calm
    branch calm { action stand; }
}
";
    let paths: [(u64, &[(&str, &str)]); 3] = [
        (90, &[(alarm, "no"), (guess, "no")]),
        (5, &[(alarm, "yes"), (guess, "no")]),
        (5, &[(alarm, "yes"), (guess, "yes")]),
    ];
    let (both, balanced, _) = rewritten(text, &paths);
    assert_eq!(
        both,
        "decide top {
    test \"guess > 3\" { no { goto calm; }; }
    test \"alarm_on\" { action strike; }
    action patrol
    branch calm { action stand; }
}
"
    );
    assert_eq!((balanced.before.tests, balanced.after.tests), (2.0, 1.05));
    // Here only one side asks it, so it has to wait, however much it would save.
    let one_side = text.replace("    test \"guess > 3\" { action patrol; }\n", "");
    let (kept, balanced, _) = rewritten(&one_side, &paths[1..]);
    assert_eq!(kept, one_side);
    assert!(!balanced.is_changed);
    assert_eq!(balanced.before, balanced.after);
}

#[test]
fn a_draw_is_come_to_as_before_and_what_is_behind_it_is_balanced_by_itself() {
    let (alarm, random) = ("test \"alarm_on\"", "random timeout=8.0");
    let (near, nearer) = (
        "test \"enemy_distance < 10\"",
        "test \"enemy_distance < 3\"",
    );
    let (text, balanced, proof) = rewritten(
        "decide top {
    test \"alarm_on\" { none; }
    random timeout=8.0 {
        option 2 {
            test \"enemy_distance < 3\" { action strike; }
            test \"enemy_distance < 10\" { action stand; }
            action patrol
        }
        option 1 { action walk-to-hut; }
    }
}
",
        &[
            (1, &[(alarm, "yes")]),
            (
                9,
                &[
                    (alarm, "no"),
                    (random, "option 2"),
                    (nearer, "no"),
                    (near, "no"),
                ],
            ),
        ],
    );
    assert_eq!(
        text,
        "decide top {
    test \"alarm_on\" { none; }
    random timeout=8.0 {
        option 2 {
            test \"enemy_distance < 10\" { no { action patrol; }; }
            test \"enemy_distance < 3\" { action strike; }
            action stand
        }
        option 1 { action walk-to-hut; }
    }
}
"
    );
    assert_eq!((balanced.before.tests, balanced.after.tests), (3.7, 2.8));
    assert_eq!(proof.cases, 7);
}

#[test]
fn a_switch_goes_first_when_it_says_most() {
    let (alarm, weather) = ("test \"alarm_on\"", "switch \"weather\"");
    let (text, balanced, _) = rewritten(
        "decide top {
    test \"alarm_on\" {
        switch \"weather\" {
            case rain storm { goto hut; }
        }
        action run-to-alarm
    }
    switch \"weather\" {
        case rain storm { goto hut; } // wet
    }
    action patrol
    branch hut { action walk-to-hut; }
}
",
        &[
            (1, &[(alarm, "yes"), (weather, "case rain storm")]),
            (9, &[(alarm, "no"), (weather, "case rain storm")]),
        ],
    );
    assert_eq!(
        text,
        "decide top {
    // wet
    switch \"weather\" {
        case rain storm { goto hut; }
    }
    test \"alarm_on\" { action run-to-alarm; }
    action patrol
    branch hut { action walk-to-hut; }
}
"
    );
    assert_eq!((balanced.before.tests, balanced.after.tests), (2.0, 1.0));
}

#[test]
fn what_cannot_be_rewritten_is_refused_with_a_reason() {
    let text = "decide top {
        test \"alarm_on\" { none; }
        test \"tiredness > 5\" disabled=#true { action stand; }
        test \"enemy_distance > 20\" { none; }
        action patrol
    }";
    let known = document(text);
    let (alarm, far) = ("test \"alarm_on\"", "test \"enemy_distance > 20\"");
    let asked = profile(&known, &[(1, &[(alarm, "no"), (far, "yes")])]);
    let Err(NotBalanced::Unread(span)) = balance(&known, "top", &asked) else {
        panic!("{:?}", balance(&known, "top", &asked));
    };
    let source = known.sources().next().unwrap();
    assert_eq!(source.slice(&span), "test \"tiredness > 5\" disabled=#true");
    let sound = document(&text.replace(" disabled=#true", ""));
    let Err(NotBalanced::Stale(stale)) = balance(&sound, "top", &asked) else {
        panic!("{:?}", balance(&sound, "top", &asked));
    };
    assert_eq!(stale.unknown, ["test \"tiredness > 5\""]);
    assert_eq!(
        balance(&sound, "top", &Profile::default()),
        Err(NotBalanced::NoProfile)
    );
    assert_eq!(
        balance(&sound, "bottom", &asked),
        Err(NotBalanced::Unknown("bottom".to_owned()))
    );
}

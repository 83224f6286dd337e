//! What is said about rules and about searches for the best of several candidates.

use super::nodes::{explained, says, told, whys};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::trace::Trace;
use treemind_core::{Population, Program};
use treemind_doc::Document;
use treemind_explain::{Explainer, Language};

#[test]
fn rules_say_why_they_fired_or_did_not() {
    let text = "blackboard { key n type=int; }
        leaves { action wave instant=#true; action call instant=#true; action shout instant=#true; action rest instant=#true; }
        tree guard { sequence {
            set \"n += 1\"
            rules {
                rule waves when=\"n > 0\" { action wave; }
                rule calls when=\"n == 1 || n == 3\" cooldown=9.0 { action call; }
                rule shouts when=\"n > 5\" { action shout; }
                rule rests when=\"n == 3\" { action rest; }
                rule nods when=\"n == 2\" { action wave; }
                rule sings when=\"n != 2\" cooldown=0.15 { action wave; }
            }
        } }";
    let found = explained(text, 1, 3);
    says(
        &found,
        &[
            "`waves` did not fire: it fired in tick 1, and its condition has held ever since",
            "`calls` did not fire: it fired in tick 1, and cools for 8.8 s more",
            "`shouts` did not fire: its condition does not hold\n",
            "`rests` fired",
            "`nods` did not fire: its condition does not hold; it fired last in tick 2",
        ],
    );
    let sings =
        "`sings` did not fire: its condition has held since tick 3; it fired last in tick 1";
    says(&explained(&text.replace("0.15", "0.25"), 1, 5), &[sings]);
}

/// A condition that has a fault, or a time to cool, does not give its values to the rules after it.
#[test]
fn a_rule_whose_condition_has_a_fault_says_so() {
    let text =
        "blackboard { key n type=int; key m type=int default=1; key u type=int optional=#true; }
        leaves { action wave instant=#true; action call instant=#true; }
        tree guard { rules when=\"m == 1\" {
            rule waves when=\"10 / n > 2\" { action wave; }
            rule calls when=\"u > 1\" { action call; }
            rule nods when=\"m > 0\" cooldown=\"double(10 / n)\" { action wave; }
            rule sings when=\"m > 5\" { action wave; }
        }; }";
    let found = explained(text, 1, 1);
    says(
        &found,
        &[
            "`waves` did not fire: its condition has a fault",
            "`10 / n > 2` has a fault: an int was divided by zero: 10 / 0 > 2",
            "`calls` did not fire: its condition has a fault",
            "`u > 1` has a fault: the key `u` is unset",
            "`nods` fired",
            "`sings` did not fire: its condition does not hold\n",
            "`m > 5` does not hold: 1 > 5",
        ],
    );
}

/// A rule is asked for alone, also while its node is not reached.
#[test]
fn a_rule_says_when_it_fired_last_and_why_it_does_not_now() {
    let text = "blackboard { key n type=int; }
        leaves { action wave instant=#true; }
        tree guard { sequence {
            set \"n += 1\"
            check \"n < 3\"
            rules name=remarks { rule waves when=\"n == 1\" { action wave; }; rule nods when=\"n > 1\" { action wave; }; }
        }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut ids = behaviour.node_ids();
    let remarks = ids.find(|id| behaviour.label(*id) == "remarks").unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let mut explainer = Explainer::new(&population, 0);
    let mut told = [0, 1].map(|_| Vec::new());
    for _ in 0..3 {
        explainer.before_tick(&population);
        let mut trace = Trace::with_values();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        explainer.after_tick(&population, &trace);
        for (number, told) in told.iter_mut().enumerate() {
            let why = explainer.why_rule_in(&population, remarks, number, Language::English);
            told.push(why.expect("a rule").to_string());
        }
    }
    let [waves, nods] = told;
    says(
        &waves[0],
        &["  `waves` fired\n    `n == 1` holds: 1 == 1\n"],
    );
    says(
        &waves[1],
        &[
            "  `waves` did not fire: its condition does not hold; it fired last in tick 1\n    `n == 1` does not hold: 2 == 1\n",
        ],
    );
    says(
        &waves[2],
        &[
            "  `waves` was not looked at; it fired last in tick 1\n    `remarks` was not reached\n",
            "`n < 3` does not hold",
        ],
    );
    says(
        &nods[0],
        &["`nods` did not fire: its condition does not hold\n"],
    );
    says(
        &nods[2],
        &["`nods` was not looked at; it fired last in tick 2\n"],
    );
    let chinese = explainer.why_rule_in(&population, remarks, 0, Language::Chinese);
    says(&chinese.unwrap().to_string(), &["未查看规则"]);
    let none = explainer.why_rule_in(&population, remarks, 2, Language::English);
    assert!(none.is_none());
}

/// Somebody who comes later does not know when what held began to hold, nor when it fired.
#[test]
fn rules_that_were_not_seen_to_fire_name_no_tick() {
    let text = "leaves { action wave instant=#true; }
        tree guard { rules { rule waves when=\"1 > 0\" { action wave; }; }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour)), 1);
    let tick = Duration::from_millis(100);
    population.tick(&mut host, tick);
    let mut late = Explainer::new(&population, 0);
    late.before_tick(&population);
    let mut trace = Trace::with_values();
    population.tick_traced(&mut host, tick, &mut trace);
    late.after_tick(&population, &trace);
    let held = "`waves` did not fire: its condition has held since it was last looked at\n";
    says(&late.explain(&population).to_string(), &[held]);
}

#[test]
fn a_find_says_what_it_chose_and_why_others_were_out() {
    let text = "blackboard { key spot type=vec2; key all type=vec2 list=6 { default \"0,1\" \"3,4\" \"0,9\" \"0,8\"; }; key none type=vec2 list=2; }
        leaves { action go; }
        tree guard { selector {
            find place in=\"{none}\" into=\"{spot}\"
            find place in=\"{all}\" into=\"{spot}\" { keep \"length(place) > 10\"; }
            sequence {
                find place in=\"{all}\" into=\"{spot}\" name=best {
                    keep \"length(place) < 6\"
                    score \"length(place) / 10 - 0.2\"
                }
                action go
            }
        } }";
    let found = explained(text, 1, 1);
    says(
        &found,
        &[
            "`best` chose (3, 4), 0.30",
            "2 of 4 were out for `length(place) < 6.0`",
            "1 of 4 was out: its score is not above 0",
        ],
    );
    // Over several ticks, all that it has looked at counts.
    let slow = text.replace("name=best", "name=best per-tick=3");
    let behaviour = Document::parse(&slow, "test.kdl").behaviour(None).unwrap();
    let (_, why) = told(&slow, &mut Scripted::new(&behaviour, 1), 1, "best");
    says(
        &why,
        &[
            "`best` is running",
            "1 of 3 was out for `length(place) < 6.0`, so far",
            "1 of 3 was out: its score is not above 0, so far",
        ],
    );
    says(
        &explained(&slow, 1, 2),
        &[
            "`best` chose (3, 4), 0.30",
            "2 of 4 were out for `length(place) < 6.0`\n",
            "1 of 4 was out: its score is not above 0\n",
        ],
    );
}

/// Of a candidate whose score is infinite, nobody can say that it is not above 0.
#[test]
fn a_candidate_whose_score_has_a_fault_is_told_as_such() {
    let text = "blackboard { key at type=vec2; key z type=float; key pts type=vec2 list=4 { default \"1,1\" \"0,5\" \"2,0\"; }; }
        leaves { action do-idle; }
        tree t { sequence { find p in=\"{pts}\" into=\"{at}\" { score \"1 / (p.x - z)\"; }; action do-idle; } }";
    let found = explained(text, 1, 1);
    says(&found, &["the score of a candidate is not a finite number"]);
    let why = whys(text, "find", 1);
    says(
        &why,
        &["1 of 3 was out: its score has a fault, or is not above 0"],
    );
}

#[test]
fn a_rate_says_how_much_each_of_its_considerations_counts() {
    let text = "blackboard { key d type=float default=0.25; key n type=int; key threat type=float; }
        leaves { action do-idle; }
        tree t { sequence {
            rate \"{threat}\" combine=average { consider \"0.5\" weight=0.2; consider \"1.0\" weight=\"d * 2\"; }
            rate \"{threat}\" combine=max { consider \"d\"; consider \"d * 3\"; }
            rate \"{threat}\" { consider \"1 / n\"; }
            action do-idle
        } }";
    let said = whys(text, "rate", 1);
    says(
        &said,
        &[
            "it came to 0.857\n      `1.0` 1.000, with the weight `d * 2.0` of 0.500\n      `0.5` 0.500, with the weight `0.2` of 0.200",
            "it came to 0.750\n      `d * 3.0` 0.750\n      `d` 0.250",
            "failed: it has a fault\n    an int was divided by zero",
        ],
    );
}

/// A time stands with its value, as a key does, and so does the length of a list.
#[test]
fn times_and_lengths_have_their_values() {
    let text = "blackboard { key alarm type=bool; key seen type=int list=4 { default 7 8; }; }
        leaves { action do-rest; }
        tree t { reactive-sequence {
            check \"age(alarm) < 5\"
            check \"now() - since_written(alarm) < 1 && len(seen) == 2\"
            action do-rest
        }; }";
    let said = explained(text, 1, 3);
    for wanted in [
        "`age(alarm) < 5.0` holds: 0.3 < 5.0",
        "`now() - since_written(alarm) < 1.0 && len(seen) == 2` holds: 0.3 - 0.3 < 1.0 && 2 == 2",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}

/// Not by the first measure that it needs.
#[test]
fn a_find_over_a_list_is_called_by_the_list() {
    let text = "blackboard { key seen type=entity list=4 { default 3 5; }; key best type=entity optional=#true; key none type=entity list=2; }
        leaves { action go; measure danger { param of type=entity; }; }
        tree guard { selector {
            find e in=\"{none}\" into=\"{best}\" { score \"danger(e)\"; }
            find e in=\"{seen}\" into=\"{best}\" { keep \"danger(e) > 1\"; score \"danger(e) + 1\"; }
            action go
        } }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let finds = behaviour.node_ids().map(|node| behaviour.label(node));
    assert_eq!(
        finds.collect::<Vec<_>>(),
        ["selector", "find", "find", "go"]
    );
    says(
        &explained(text, 1, 1),
        &[
            "the find `none` had no candidates",
            "all 2 candidates of the find `seen` were out",
        ],
    );
}

//! Why a bid for a place of a semaphore got none.

use super::nodes::{explained, explained_to, says, whys};
use treemind_doc::Document;

/// Three bid for one place: who has it says so, and the others how their bids compare.
#[test]
fn bids_are_compared() {
    let text = |more: &str| {
        format!(
            "blackboard {{ key n type=double; }}
            leaves {{ action do-perform; action do-wait; }}
            tree actor {{ selector {{
                semaphore stage max=1 scope=world for=best {more} {{ action do-perform; }}
                action do-wait
            }}; }}"
        )
    };
    let equal = explained(&text("bid=\"2 - n\""), 2, 2);
    let lines = [
        "the semaphore `stage` gave it no place",
        "after the tick, its place is held by agent 0",
        "its bid 2 is not below 2 of agent 0, but nobody loses a place to a higher bid here",
    ];
    says(&equal, &lines);
    let not_enough = explained(&text("bid=\"2 - n\" hysteresis=0.25"), 2, 2);
    says(
        &not_enough,
        &["its bid 2 does not exceed 2 of agent 0 by more than 0.25"],
    );
    let nothing = explained(&text("bid=\"n\""), 2, 2);
    says(&nothing, &["the semaphore `stage` gave it no place"]);
}

/// Whoever has the place bids less from then on.
#[test]
fn who_loses_a_place_says_so() {
    let text = "blackboard { key held type=double; }
        leaves { action do-perform; action do-wait; }
        tree actor { reactive-selector {
            semaphore stage max=1 scope=world for=best bid=\"2 - held\" hysteresis=0.0 {
                sequence { set \"held += 1\"; action do-perform; }
            }
            action do-wait
        }; }";
    let behaviour = Document::parse(text, "test.kdl").behaviour(None).unwrap();
    let found = explained_to(behaviour, (2, 0), 4);
    says(
        &found,
        &[
            "`do-wait` is running",
            "the semaphore `stage` took its place back for a higher bid",
        ],
    );
}

/// A run that loses its place to a higher bid is cut off by that bid; here it is another one of the same agent.
#[test]
fn a_run_that_loses_its_place_says_to_which_bid() {
    let text = "blackboard { key n type=double; }
        leaves { action do-strike; action do-circle; }
        tree actor { parallel {
            reactive-sequence { set \"n += 10\"; semaphore stage max=1 scope=world for=best bid=\"n\" hysteresis=5 wait=#true { action do-strike; }; }
            semaphore stage bid=20.0 wait=#true { action do-circle; }
        }; }";
    let tick = |ticks| explained(text, 1, ticks);
    let all: Vec<String> = (1..8).map(tick).collect();
    says(
        &all.join(""),
        &["`do-circle` was cut off: the semaphore `stage` took its place back for a higher bid"],
    );
}

/// Two nodes of one agent ask for one place: only the one that has it says so, and the other one names it.
#[test]
fn nodes_of_one_agent_compete() {
    let text = "leaves { action do-strike; action do-circle; }
        tree actor { parallel {
            semaphore stage max=1 scope=world for=best bid=10.0 hysteresis=5 min-hold=0.3 wait=#true { action do-strike; }
            semaphore stage bid=20.0 wait=#true { action do-circle; }
        }; }";
    let found = whys(text, "semaphore", 2);
    let circle = "the `semaphore` of `do-circle` of this agent itself";
    says(
        &found,
        &[
            "the semaphore `stage` gave it no place",
            &format!("after the tick, its place is held by {circle}"),
            &format!("its bid 10 is below 20 of {circle}"),
        ],
    );
    let has_one = found.matches("has one after the tick").count();
    assert_eq!(has_one, 0, "{found}");
}

/// A bid with a fault is told: it counts as 0.
#[test]
fn a_bid_with_a_fault_says_so() {
    let text = "blackboard { key gone type=double optional=#true; }
        leaves { action do-strike; action do-circle; }
        tree actor { parallel {
            semaphore stage max=1 scope=world for=best bid=10.0 hysteresis=5 wait=#true { action do-strike; }
            semaphore stage bid=\"gone\" wait=#true { action do-circle; }
        }; }";
    says(
        &whys(text, "semaphore", 2),
        &["its bid has a fault and counts as 0, so it asks for no place: the key `gone` is unset"],
    );
}

/// `min-hold` is named where it keeps a place for somebody, and as long as it does; a place that is given back is for one
/// of those who ask.
#[test]
fn min_hold_is_named_where_it_keeps_a_place() {
    let found = |hold: &str, ticks| {
        let late = |bid: f64| format!("bid=\"if now() > 0.25 {{ {bid:?} }} else {{ 1.0 }}\"");
        let (circle, wait) = (late(20.0), late(18.0));
        let text = format!(
            "leaves {{ action do-strike; action do-circle; action do-wait; }}
            tree actor {{ parallel {{
                semaphore stage max=1 scope=world for=best bid=10.0 hysteresis=5 {hold} wait=#true {{ action do-strike; }}
                semaphore stage {circle} wait=#true {{ action do-circle; }}
                semaphore stage {wait} wait=#true {{ action do-wait; }}
            }}; }}"
        );
        whys(&text, "semaphore", ticks)
    };
    let [strike, circle] = ["strike", "circle"]
        .map(|name| format!("the `semaphore` of `do-{name}` of this agent itself"));
    let kept = |bid| {
        format!(
            "its bid {bid} exceeds 10 of {strike}, who keeps the place until `min-hold` is over"
        )
    };
    let next = format!("its bid 20 exceeds 10 of {strike}, who has to give the place back");
    let behind = format!("its bid 18 does not exceed 20 of {circle}, who is to get the next place");
    let held = found("min-hold=1.0", 3);
    says(&held, &[&kept(20), &kept(18)]);
    for (hold, ticks) in [("", 3), ("min-hold=1.0", 11)] {
        let free = found(hold, ticks);
        says(&free, &[&next, &behind]);
        assert!(!free.contains("min-hold"), "{free}");
    }
}

/// A score with a fault is told as one, and hides no other.
#[test]
fn a_score_with_a_fault_hides_no_other() {
    let text = "main machine=m
        blackboard { key a type=double default=0.25; key b type=double default=0.5; key o type=double optional=#true; }
        leaves { action do-a; action do-b; action do-c; }
        machine m { initial w; state w { initial one; transition decide=choose;
            state one { do { action do-a; }; }; state two { do { action do-b; }; }; state three { do { action do-c; }; }; }; }
        decide choose { best hysteresis=\"o\" {
            option \"o\" { state three; }; option \"a\" { state one; }; option \"b\" { state two; }
        }; }";
    let told = [
        "m: w → one: its score 0.25 is lower than 0.5 of `two`",
        "m: w → three: its score has a fault; `two` was chosen",
    ];
    says(&explained(text, 1, 3), &told);
}

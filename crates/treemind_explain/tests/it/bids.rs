//! Why a bid for a place of a semaphore got none.

use super::nodes::{explained, explained_to, says};
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

//! Faults that a host reports, as words in a key.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Answers, Call, Host, Lanes};
use treemind_core::{Outcome, Population, Program, Status, Text, Value};

/// An action that does not find its way, each time for another reason.
struct Lost(u64);

impl Host for Lost {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let reasons = ["locked: the door to the cellar", "no way there", "lost", ""];
        for agent in lanes {
            if let Some(reason) = reasons.get((self.0 as usize + agent) % 5) {
                call.fault(agent, *reason);
            }
            answers.set(agent, Status::Failure);
        }
    }
}

#[test]
fn the_word_before_the_colon_is_the_code() {
    let text = "main tree=t
        leaves { action go; }
        blackboard { key why type=string; key then type=string; }
        tree t { selector {
            sequence on-fault=\"{why}\" on-failure=\"then = why\" { force-success { fail; }; action go; }
        }; }";
    let behaviour = treemind_doc::Document::parse(text, "lost.kdl").behaviour(None);
    let behaviour = behaviour.unwrap_or_else(|problems| panic!("{problems}"));
    let [why, then] = ["why", "then"].map(|key| behaviour.key_id(key).expect("a key"));
    let program = Arc::new(Program::new(behaviour));
    for agents in [1, 70] {
        let mut population = Population::new(Arc::clone(&program), agents);
        for tick in 0..6 {
            population.tick(&mut Lost(tick), Duration::from_secs(1));
            for agent in 0..agents {
                let code = ["locked", "host", "lost", "host", ""][(tick as usize + agent) % 5];
                for key in [why, then] {
                    let held = population.get(agent, key);
                    assert_eq!(held, Value::Text(Text::new(code)), "{tick} {agent}");
                }
            }
        }
    }
}

//! Agents that rest: who does, and what wakes them. In the properties of the other tests, crowds rest, too.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Answers, Call, Host, Lanes, Order};
use treemind_core::{KeyId, Outcome, Population, Program, Status, Tally, Value};
use treemind_doc::Document;

const DT: Duration = Duration::from_millis(100);

/// Answers every condition with no, and runs every action for ever. Notes who is called.
struct Noting {
    order: Order,
    calls: Vec<usize>,
}

impl Host for Noting {
    fn order(&self) -> Order {
        self.order
    }

    fn ask(&mut self, _: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        for agent in lanes {
            self.calls.push(agent);
            answers.set(agent, Status::Failure);
        }
    }

    fn start(&mut self, _: &mut Call<'_>, lanes: Lanes<'_>) {
        self.calls.extend(lanes);
    }

    fn update(&mut self, _: &mut Call<'_>, lanes: Lanes<'_>, _: &mut Answers<'_>) {
        self.calls.extend(lanes);
    }

    fn stop(&mut self, _: &mut Call<'_>, lanes: Lanes<'_>, _: Outcome) {
        self.calls.extend(lanes);
    }
}

fn program(text: &str) -> Arc<Program> {
    let document = Document::parse(text, "rest.kdl");
    let behaviour = document.behaviour(None);
    Arc::new(Program::new(
        behaviour.unwrap_or_else(|errors| panic!("{errors}")),
    ))
}

const AGENTS: usize = 1_500;

/// Plays 30 ticks, with what `between` does after each of them; compares with a population in which nobody rests.
/// Returns how many rest after each tick.
fn play(text: &str, between: impl FnMut(&mut Population, usize)) -> Vec<usize> {
    play_with(text, &|_| Order::Independent, between)
}

fn play_with(
    text: &str,
    order: &dyn Fn(usize) -> Order,
    mut between: impl FnMut(&mut Population, usize),
) -> Vec<usize> {
    let program = program(text);
    let mut population = Population::new(Arc::clone(&program), AGENTS);
    let mut awake = Population::new(program, AGENTS).sweeping_all();
    let [mut host, mut expected] = [(); 2].map(|()| Noting {
        order: Order::Independent,
        calls: Vec::new(),
    });
    let mut resting = Vec::new();
    for tick in 1..=30 {
        for noting in [&mut host, &mut expected] {
            noting.order = order(tick);
            noting.calls.clear();
        }
        let tallies: [Tally; 2] = [
            population.tick(&mut host, DT),
            awake.tick(&mut expected, DT),
        ];
        assert_eq!(tallies[0], tallies[1], "tick {tick}");
        for noting in [&mut host, &mut expected] {
            noting.calls.sort_unstable();
        }
        assert_eq!(host.calls, expected.calls, "tick {tick}");
        resting.push(population.resting());
        assert_eq!(awake.resting(), 0);
        between(&mut population, tick);
        between(&mut awake, tick);
    }
    resting
}

/// How many agents are awake after ticks.
fn awake(resting: &[usize]) -> Vec<usize> {
    resting.iter().map(|resting| AGENTS - resting).collect()
}

#[test]
fn a_reported_action_rests_until_it_is_finished() {
    let text = "leaves { action walk reports=#true; }
        tree t { sequence { action walk; action walk; }; }";
    let rested = play(text, |population, tick| {
        if tick == 8 {
            let node = population.program().behaviour().node_ids().nth(1);
            let ticket = population.ticket(2, node.expect("the first child"));
            let finished = population.finish(ticket.expect("it runs"), true);
            finished.expect("it runs");
        }
    });
    // The executor looks from time to time for agents that rest, until there are some.
    assert_eq!(rested[4..8], [AGENTS; 4]);
    assert_eq!(awake(&rested[8..11]), [1, 0, 0]);
}

#[test]
fn those_who_wait_for_an_event_rest_until_it_comes() {
    let text = "leaves { event word; event shout; }
        tree t { repeat forever { sequence {
            wait-for-event word; wait 0.3;
        }; }; }";
    let rested = play(text, |population, tick| {
        let event = |name| population.program().behaviour().leaf_id(name).unwrap();
        let (word, shout) = (event("word"), event("shout"));
        if tick == 8 {
            assert!(population.send(1_400, word, &[]));
            assert!(!population.send(3, shout, &[]));
        }
    });
    assert_eq!(rested[4..8], [AGENTS; 4]);
    // It hears the event and begins to wait; three ticks later it ends, and in the next tick it waits for an event again.
    assert_eq!(awake(&rested[8..15]), [1, 0, 0, 1, 1, 0, 0]);
}

#[test]
fn each_agent_wakes_when_its_own_time_comes() {
    let text = "blackboard { key secs type=double default=1.05; }
        tree t { repeat forever { wait \"secs\"; }; }";
    let rested = play(text, |population, tick| {
        let secs = population.program().behaviour().key_id("secs").unwrap();
        if tick == 1 {
            (0..AGENTS).for_each(|agent| {
                let value = Value::Double(1.05 + agent as f64 % 10.0 / 10.0);
                population.set(agent, secs, value).expect("a double");
            });
        }
    });
    // All begin together, and end their first waits together, because they began them before the keys were set.
    let awake = awake(&rested);
    assert_eq!(
        (&awake[4..11], awake[11], &awake[15..23]),
        (&[0; 7][..], AGENTS, &[0; 8][..])
    );
    // From now on, in each tick a tenth ends to wait, and another one begins anew.
    assert_eq!(
        (awake[23], &awake[24..]),
        (AGENTS / 10, &[AGENTS / 5; 6][..])
    );
}

#[test]
fn a_guard_over_a_key_rests_until_the_key_is_written() {
    let text = "blackboard { key level type=int; key other type=int; }
        leaves { action flee; }
        tree t { reactive-selector {
            reactive-sequence { check \"level > 3\"; action flee; }
            sequence { check \"other == 0\"; run; }
        }; }";
    let rested = play(text, |population, tick| {
        let level = population.program().behaviour().key_id("level");
        let level = level.expect("there is that key");
        match tick {
            5 => population.set(1, level, Value::Int(2)).expect("an int"),
            9 => population.set(1, level, Value::Int(4)).expect("an int"),
            14 => population.set(1, level, Value::Int(0)).expect("an int"),
            16 => population
                .board(1_030)
                .set(level, 1_030, Value::Int(9))
                .expect("an int"),
            _ => {}
        }
    });
    assert_eq!(awake(&rested[4..16]), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(awake(&rested[17..]), [1; 13]);
}

#[test]
fn a_key_that_agents_share_wakes_those_who_may_read_it() {
    let text = |read: &str| {
        format!(
            "blackboard scope=world {{ key alarm type=int; key rain type=int; }}
            blackboard scope=group {{ key camp type=int; }}
            tree t {{ reactive-selector {{ check \"{read} > 3\"; run; }}; }}"
        )
    };
    let writes = |population: &mut Population, tick| {
        let key = |name| {
            population
                .program()
                .behaviour()
                .key_id(name)
                .expect("a key")
        };
        let (alarm, rain, camp) = (key("alarm"), key("rain"), key("camp"));
        let written = match tick {
            9 => population.set_shared(alarm, 0, Value::Int(2)),
            12 => population.set_shared(camp, 1, Value::Int(9)),
            14 => {
                population.set_group(7, 1);
                Ok(())
            }
            16 => population.set_shared(rain, 0, Value::Int(9)),
            20 => population.set_shared(alarm, 0, Value::Int(9)),
            22 => population.set_shared(alarm, 0, Value::Int(0)),
            24 => population.set_shared(camp, 0, Value::Int(9)),
            _ => {
                population.set_group(0, 1);
                Ok(())
            }
        };
        written.expect("an int");
    };
    for (read, rest_at_end) in [("alarm", AGENTS), ("rain", 0), ("camp", 0)] {
        let rested = play(&text(read), writes);
        // That the answers change where they should is seen by the tallies; who succeeds in each tick does not rest.
        assert!(rested[7] >= AGENTS - 1, "{read}: {rested:?}");
        assert_eq!(
            rested[29].max(1) / AGENTS,
            rest_at_end / AGENTS,
            "{read}: {rested:?}"
        );
    }
}

#[test]
fn a_machine_rests_until_an_event_or_its_time_comes() {
    let text = "leaves { event noise; }
        machine door {
            initial shut
            state shut { transition to=open on=noise; }
            state open { transition to=shut after=0.5; }
        }
        main machine=door";
    for mode in ["", "mode=statechart "] {
        let text = text.replace("machine door {", &format!("machine door {mode}{{"));
        let rested = play(&text, |population, tick| {
            if tick == 6 {
                let noise = population.program().behaviour().leaf_id("noise");
                assert!(population.send(2, noise.expect("an event"), &[]));
            }
        });
        // Opened in tick 7, quiet from 8 on, shut in 12.
        let expected = [0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
        assert_eq!(awake(&rested[4..14]), expected, "{mode}");
    }
}

#[test]
fn hosts_of_both_orders_leave_those_who_rest_alone() {
    let text = "leaves { condition see not=#false; action walk; }
        tree t { reactive-selector { reactive-sequence { check \"far\"; run; }; action walk; }; }";
    let text = text.replace(" not=#false", "");
    let text = text.replace(
        "tree t",
        "blackboard { key far type=bool default=#true; }\n tree t",
    );
    let alternate = |tick: usize| match tick % 3 {
        0 => Order::Sequential,
        _ => Order::Independent,
    };
    let rested = play_with(&text, &alternate, |population, tick| {
        let far = population
            .program()
            .behaviour()
            .key_id("far")
            .expect("a key");
        match tick {
            8 => population.set(5, far, Value::Bool(false)).expect("a bool"),
            20 => population.set(5, far, Value::Bool(true)).expect("a bool"),
            _ => {}
        }
    });
    assert_eq!(awake(&rested[5..8]), [0; 3]);
    assert_eq!(awake(&rested[8..20]), [1; 12]);
    assert_eq!(awake(&rested[22..]), [0; 8]);
}

#[test]
fn what_a_host_writes_for_others_wakes_them() {
    /// Each agent that walks writes a key of its neighbour.
    struct Neighbours(u64, KeyId);
    impl Host for Neighbours {
        fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
        fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
        fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
            for agent in lanes {
                self.0 += 1;
                if agent % 100 < 99 {
                    let written = call.board().set(self.1, agent + 1, Value::Bool(false));
                    written.expect("a bool");
                }
                answers.set(agent, Status::Running);
            }
        }
        fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
    }
    let text = "leaves { action walk; }
        blackboard { key far type=bool default=#true; }
        tree t { reactive-selector { reactive-sequence { check \"far\"; run; }; action walk; }; }";
    let program = program(text);
    let far = program.behaviour().key_id("far").expect("a key");
    let mut population = Population::new(program, 1_000);
    let mut host = Neighbours(0, far);
    for _ in 0..8 {
        population.tick(&mut host, DT);
    }
    assert_eq!(population.resting(), 1_000);
    population.set(0, far, Value::Bool(false)).expect("a bool");
    for ticks in 1..=5 {
        population.tick(&mut host, DT);
        assert_eq!(host.0, (1..=ticks).sum::<u64>());
    }
}

/// A planner that hides from danger, and otherwise goes somewhere.
fn careful(every: u32, rest: &str) -> String {
    format!(
        "blackboard {{ key danger type=bool; key safe type=bool; key there type=bool; }}
        leaves {{ action walk reports=#true; action hide reports=#true; action idle reports=#true; }}
        main tree=t
        tree t {{ reactive-selector {{ planner careful; action idle; }}; }}
        planner careful every={every} {{
            goal hide wants=\"safe\" when=\"danger\" score=2.0
            {rest}
            action walk gives=\"there = true\"
            action hide gives=\"safe = true\"
        }}"
    )
}

fn endanger(population: &mut Population, agent: usize, danger: bool) {
    let key = population.program().behaviour().key_id("danger");
    let set = population.set(agent, key.expect("it has this key"), Value::Bool(danger));
    set.expect("it is a bool");
}

#[test]
fn agents_who_follow_a_plan_rest_until_a_fact_changes() {
    let text = careful(1, "goal go wants=\"there\"");
    let rested = play(&text, |population, tick| match tick {
        12 => endanger(population, 2, true),
        20 => endanger(population, 2, false),
        _ => {}
    });
    let awake = awake(&rested);
    assert_eq!((awake[11], awake[12], awake[20]), (0, 1, 1), "{awake:?}");
    assert_eq!(awake[29], 0, "{awake:?}");
}

#[test]
fn agents_without_a_plan_rest_while_they_do_something_else() {
    let text = careful(1, "goal sit wants=\"there\" when=\"danger\"");
    let rested = play(&text, |population, tick| match tick {
        12 => endanger(population, 2, true),
        20 => endanger(population, 2, false),
        _ => {}
    });
    let awake = awake(&rested);
    assert_eq!((awake[11], awake[12], awake[20]), (0, 1, 1), "{awake:?}");
    assert_eq!(awake[29], 0, "{awake:?}");
}

#[test]
fn agents_who_seldom_think_rest_when_a_turn_has_passed() {
    let text = careful(4, "goal go wants=\"there\"");
    let rested = play(&text, |population, tick| {
        if tick == 16 {
            for agent in 0..8 {
                endanger(population, agent, true);
            }
        }
    });
    let awake = awake(&rested);
    assert_eq!((awake[15], awake[16]), (0, 8), "{awake:?}");
    assert_eq!(awake[29], 0, "{awake:?}");
}

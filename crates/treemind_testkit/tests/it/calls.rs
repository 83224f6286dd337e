//! Machines of crowds do the same with and without a trace, and call the host in the same order: recordings are made
//! without a trace, and played with one. The two ways share little code: see `crowd_by_table.rs` of core.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Order, Scripted};
use treemind_core::trace::Trace;
use treemind_core::{
    Answers, Behaviour, Call, Host, Lanes, NodeId, Outcome, Population, Program, Status,
};
use treemind_doc::Document;
use treemind_testkit::random::Random;

/// What was called, for which node, and for whom.
type Noted = (&'static str, NodeId, Vec<usize>);

/// Notes every call.
struct Listening {
    host: Scripted,
    calls: Vec<Noted>,
}

impl Listening {
    fn note(&mut self, what: &'static str, call: &Call<'_>, lanes: Lanes<'_>) {
        let agents = lanes.into_iter().collect();
        self.calls.push((what, call.node(), agents));
    }
}

impl Host for Listening {
    fn order(&self) -> Order {
        self.host.order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.note("ask", call, lanes);
        self.host.ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.note("start", call, lanes);
        self.host.start(call, lanes);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.note("update", call, lanes);
        self.host.update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.note("stop", call, lanes);
        self.host.stop(call, lanes, outcome);
    }
}

const LEAVES: &str = "
    blackboard { key count type=int default=0; }
    leaves {
        condition c1; condition c2; condition c3; condition c4
        action a1; action a2; action a3; action a4
        action t1 instant=#true; action t2 instant=#true
    }";

const MACHINES: [&str; 5] = [
    // Flat, with the answers of activities and times.
    "machine m {
        initial s1
        state s1 { do { action a1; }; transition to=s2 { when { condition c1; }; }; transition to=s3 after=0.3; }
        state s2 { do { action a2; }; transition to=s3 done=success; transition to=s1 { when { condition c2; }; }; }
        state s3 { do { action a3; }; transition to=s1 done=any; transition to=s2 { when { all { condition c3; condition c4; }; }; }; }
    }",
    // States inside, with transitions of the states around them and expressions.
    "machine m {
        initial on
        state off { do { action a4; }; transition to=on { when { condition c4; }; }; }
        state on {
            initial slow
            do { action a1; }
            state slow { do { action a2; }; transition to=fast { when { condition c1; }; }; transition to=off when=\"count > 3\"; }
            state fast { do { action a3; }; transition to=slow { when { condition c2; }; }; transition to=off after=0.5; }
            transition to=off { when { condition c3; }; }
        }
    }",
    // States that are not entered again, or not at all.
    "machine m {
        initial s1
        state s1 { do { action a1; }; transition to=s2; }
        state s2 enter-if=\"count < 2\" { do { action a2; }; transition to=s3 { when { condition c2; }; }; transition to=s1 { when { condition c1; }; }; }
        state s3 { do { action a3; }; transition to=s1 { when { condition c3; }; }; }
    }",
    // Tasks of states and transitions.
    "machine m {
        initial s1
        state s1 {
            entry { action t1; }
            do { action a1; }
            transition to=s2 { when { condition c1; }; set \"count = min(count + 1, 9)\"; }
            transition to=s3 { when { condition c4; }; action t2; }
        }
        state s2 { entry { action t2; }; exit { action t1; }; do { action a2; }; transition to=s3 { when { condition c2; }; }; transition to=s1 done=failure; }
        state s3 { entry { set \"count = 0\"; }; do { action a3; }; transition to=s1 { when { condition c3; }; }; }
    }",
    // A history, and the end of the machine.
    "machine m {
        initial work
        state work {
            initial w1
            state w1 { do { action a1; }; transition to=w2 { when { condition c1; }; }; }
            state w2 { do { action a2; }; transition to=w1 { when { condition c2; }; }; }
            transition to=pause { when { condition c3; }; }
        }
        state pause { do { action a3; }; transition to=work history=deep { when { condition c4; }; }; transition to=finished after=0.7; }
        state finished final=#true
    }",
];

fn host(behaviour: &Behaviour, agents: usize, seed: u64) -> Listening {
    let mut random = Random::new(seed);
    let mut host = Scripted::new(behaviour, agents);
    let labels = host.labels().to_vec();
    for agent in 0..agents {
        for label in &labels {
            let often = match label.as_bytes()[0] {
                b'a' => Status::Running,
                b'c' => Status::Failure,
                _ => Status::Success,
            };
            let rare = [Status::Success, Status::Failure];
            let answer = |random: &mut Random| match random.below(4) {
                0 if often != Status::Success => *random.pick(&rare),
                _ => often,
            };
            let answers: Vec<Status> = (0..40).map(|_| answer(&mut random)).collect();
            host.set(agent, label, &answers);
        }
    }
    Listening {
        host,
        calls: Vec::new(),
    }
}

#[test]
fn machines_of_crowds_do_the_same_with_and_without_a_trace() {
    for (number, machine) in MACHINES.into_iter().enumerate() {
        let text = format!("{LEAVES}\n{machine}");
        let document = Document::parse(&text, "machine.kdl");
        let behaviour = document
            .behaviour(None)
            .unwrap_or_else(|error| panic!("{error}"));
        let program = Arc::new(Program::new(behaviour));
        for agents in [70, 300, 2_000] {
            let seed = number as u64 * 10_000 + agents as u64;
            let mut hosts = [(); 2].map(|()| host(program.behaviour(), agents, seed));
            let mut plain = Population::new(Arc::clone(&program), agents).with_seed(seed);
            let mut traced = plain.clone();
            let mut moves = 0;
            for tick in 1..=30 {
                let dt = Duration::from_millis([100, 0, 250][tick % 3]);
                plain.tick(&mut hosts[0], dt);
                let mut trace = Trace::new();
                traced.tick_traced(&mut hosts[1], dt, &mut trace);
                let place = format!("machine {number}, {agents} agents, tick {tick}");
                assert!(hosts[0].calls == hosts[1].calls, "{place}: other calls");
                assert!(plain.save() == traced.save(), "{place}: another state");
                moves += hosts[0]
                    .calls
                    .iter()
                    .filter(|(what, ..)| *what == "start")
                    .count();
                hosts.iter_mut().for_each(|host| host.calls.clear());
            }
            assert!(moves > 10, "machine {number}, {agents} agents: {moves}");
        }
    }
}

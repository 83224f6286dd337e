//! Agents that are not ticked in every tick: what they and their hosts see of it.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Leaf, LeafKind};
use treemind_core::host::{Answers, Call, Host, Lanes};
use treemind_core::{Behaviour, Budget, Kind, LeafId, Node, Outcome, Parts, Population, Program};

const DT: Duration = Duration::from_millis(10);

fn behaviour() -> Behaviour {
    let root = Node::leaf(Kind::Action {
        leaf: LeafId::new(0),
        args: Vec::new(),
    });
    Behaviour::new(Parts {
        name: "walk".to_owned(),
        enums: Vec::new(),
        keys: Vec::new(),
        leaves: vec![Leaf::new("walk", LeafKind::ACTION)],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root,
    })
    .expect("its parts fit together")
}

/// Notes each update: the tick, the agent and the time step in milliseconds.
#[derive(Default)]
struct Noting(Vec<(u64, usize, u64)>);

impl Host for Noting {
    fn ask(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Answers<'_>) {}
    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, _: &mut Answers<'_>) {
        let (tick, dt) = (call.tick(), call.dt_ns() / 1_000_000);
        self.0
            .extend(lanes.into_iter().map(|agent| (tick, agent, dt)));
    }
    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}
}

impl Noting {
    fn of(&self, agent: usize) -> Vec<(u64, u64)> {
        let own = self.0.iter().filter(|(_, of, _)| *of == agent);
        own.map(|&(tick, _, dt)| (tick, dt)).collect()
    }
}

fn population(agents: usize) -> Population {
    Population::new(Arc::new(Program::new(behaviour())), agents)
}

fn tick(population: &mut Population, host: &mut Noting, times: usize) -> Vec<u64> {
    let running = |_| population.tick(host, DT).running;
    (0..times).map(running).collect()
}

#[test]
fn the_time_step_is_the_time_since_the_last_tick() {
    for agents in [1, 3, 70, 1_500] {
        let (mut population, mut host) = (population(agents), Noting::default());
        population.set_interval(0, 3);
        tick(&mut population, &mut host, 7);
        assert_eq!(host.of(0), [(1, 10), (3, 20), (6, 30)], "{agents} agents");
        if agents > 1 {
            assert_eq!(host.of(1).len(), 7);
            assert!(host.of(1).iter().all(|(_, dt)| *dt == 10));
        }
    }
}

#[test]
fn an_interval_is_changed_and_taken_back() {
    let (mut population, mut host) = (population(2), Noting::default());
    tick(&mut population, &mut host, 2);
    population.set_interval(1, 4);
    population.set_interval(1, 4);
    assert_eq!((population.interval(0), population.interval(1)), (1, 4));
    assert_eq!(tick(&mut population, &mut host, 6), [2, 1, 1, 1, 2, 1]);
    population.set_interval(1, 1);
    assert_eq!(tick(&mut population, &mut host, 2), [2, 2]);
    assert_eq!(
        host.of(1),
        [(1, 10), (2, 10), (3, 10), (7, 40), (9, 20), (10, 10)]
    );
}

#[test]
fn newcomers_are_due_at_once_and_keep_their_place_when_chunks_grow() {
    let far = Arc::new(Program::new(behaviour().with_interval(5)));
    let (mut population, mut host) = (Population::new(far, 60), Noting::default());
    assert_eq!(tick(&mut population, &mut host, 6)[1..], [12; 5]);
    // More than one small chunk holds, so that everybody moves.
    population.spawn_many(300);
    assert_eq!(
        tick(&mut population, &mut host, 6),
        [12 + 300, 72, 72, 72, 72, 72]
    );
    population.remove(7, &mut host);
    let agent = population.spawn().index();
    assert_eq!((agent, population.stable_id(7)), (7, 360));
    let before = host.of(7).len();
    tick(&mut population, &mut host, 6);
    assert_eq!(host.of(7)[before..], [(13, 10), (15, 20)]);
}

#[test]
fn a_crowd_thinks_in_turns() {
    let (mut population, mut host) = (population(40_000), Noting::default());
    (0..40_000).for_each(|agent| population.set_interval(agent, 8));
    let due = tick(&mut population, &mut host, 17);
    assert_eq!(due[0], 40_000);
    assert!(
        due[1..].iter().all(|due| (4_000..=6_000).contains(due)),
        "{due:?}"
    );
    assert_eq!(due[1..9], due[9..]);
    for (agent, turn) in [
        (0, 0),
        (63, 63),
        (1_023, 1_023),
        (1_024, 16),
        (1_087, 16),
        (1_088, 17),
        (16_383, 255),
        (16_384, 16),
        (17_407, 16),
        (17_408, 17),
        (39_999, 39),
    ] {
        let ticks = host.of(agent).into_iter().map(|(tick, _)| tick);
        let own: Vec<u64> = (1..=17)
            .filter(|tick| *tick == 1 || (tick + turn) % 8 == 0)
            .collect();
        assert_eq!(ticks.collect::<Vec<_>>(), own, "agent {agent}");
    }
}

#[test]
fn agents_of_a_word_have_intervals_of_their_own() {
    let (mut population, mut host) = (population(2_000), Noting::default());
    (0..2_000).for_each(|agent| population.set_interval(agent, 4));
    tick(&mut population, &mut host, 9);
    // In one word, one hurries, one is removed, and another one is born there.
    population.set_interval(1_500, 1);
    population.remove(1_501, &mut host);
    tick(&mut population, &mut host, 1);
    assert_eq!(population.spawn().index(), 1_501);
    population.set_interval(1_501, 3);
    tick(&mut population, &mut host, 10);
    population.set_interval(1_500, 4);
    tick(&mut population, &mut host, 9);
    // 1 500 / 64 is 23; the id of the newborn is 2 000, and 2 000 / 64 is 31.
    let ticks = |host: &Noting, agent| -> Vec<u64> {
        host.of(agent).into_iter().map(|(tick, _)| tick).collect()
    };
    let hurried = (10..=20).chain([21, 25, 29]);
    let of_first = [1, 5, 9].into_iter().chain(hurried).collect::<Vec<_>>();
    assert_eq!(ticks(&host, 1_500), of_first);
    assert_eq!(ticks(&host, 1_501), [1, 5, 9, 11, 14, 17, 20, 23, 26, 29]);
    assert_eq!(ticks(&host, 1_502), [1, 5, 9, 13, 17, 21, 25, 29]);
    assert_eq!(population.interval(1_502), 4);
}

#[test]
fn with_a_budget_everybody_gets_a_turn() {
    for agents in [1, 7, 64, 65, 1_500] {
        for most in [1, 3, 64, 1_000] {
            let (mut population, mut host) = (population(agents), Noting::default());
            let ticks = 4 * agents.div_ceil(most);
            for tick in 1..=ticks as u64 {
                let tally = population.tick_some(&mut host, DT, Budget::Agents(most));
                assert_eq!(tally.running as usize, most.min(agents));
                assert_eq!(population.ticks(), tick);
            }
            let times: Vec<usize> = (0..agents).map(|agent| host.of(agent).len()).collect();
            let (least, most) = (times.iter().min(), times.iter().max());
            assert!(
                *least.unwrap() >= 4 && most.unwrap() - least.unwrap() <= 1,
                "{times:?}"
            );
        }
    }
}

#[test]
fn who_was_left_out_has_a_longer_time_step() {
    let (mut population, mut host) = (population(3), Noting::default());
    for most in [2, 2, 0, 5] {
        population.tick_some(&mut host, DT, Budget::Agents(most));
    }
    tick(&mut population, &mut host, 1);
    assert_eq!(host.of(0), [(1, 10), (2, 10), (4, 20), (5, 10)]);
    assert_eq!(host.of(1), [(1, 10), (4, 30), (5, 10)]);
    assert_eq!(host.of(2), [(2, 20), (4, 20), (5, 10)]);
}

#[test]
fn a_deadline_stops_between_chunks_and_goes_on_there() {
    let (mut population, mut host) = (population(2_500), Noting::default());
    let mut seen = Vec::new();
    for chunks in [1, 1, 0, 1, 1, 9] {
        let mut left = chunks;
        let mut goes_on = || {
            left -= 1;
            left >= 0
        };
        let tally = population.tick_some(&mut host, DT, Budget::While(&mut goes_on));
        seen.push(tally.running);
    }
    // 1 024, 1 024 and 452 are the chunks.
    assert_eq!(seen, [1_024, 1_024, 0, 452, 1_024, 2_500]);
    assert_eq!(host.of(2_400), [(4, 40), (6, 20)]);
}

/// The clock stops at its end, after 584 years. Agents that were ticked there go on by a clock that begins.
#[test]
fn agents_from_the_end_of_time_go_on_in_a_young_population() {
    let (mut old, mut host) = (population(3), Noting::default());
    old.set_interval(1, 4);
    for _ in 0..5 {
        old.tick(&mut host, Duration::MAX);
    }
    let taken = old.take_out(&[0, 1, 2]);
    let (mut young, mut host) = (population(1), Noting::default());
    tick(&mut young, &mut host, 1);
    young.put_in(&taken).expect("they fit");
    tick(&mut young, &mut host, 4);
    assert_eq!(host.of(1), [(2, 10), (3, 10), (4, 10), (5, 10)]);
    assert!(!host.of(2).is_empty());
}

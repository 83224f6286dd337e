//! Agents that change their group, leave, have others added, and give tickets for what they run, from within leaves.

use crate::trees::DT;
use std::collections::BTreeSet;
use std::sync::Arc;
use treemind::blackboard::KeyId;
use treemind::blackboard::{Text, Type, Value};
use treemind::leaves::{Late, Ticket};
use treemind::population::{Behaviour, Dead, Population, Program, Society};
use treemind::population::{Bound, Newborn};
use treemind::prelude::*;
use treemind::trace::FaultKind;

fn behaviour(text: &str) -> Behaviour {
    let document = Document::parse(text, "t.kdl");
    let behaviour = document.behaviour(None);
    behaviour.unwrap_or_else(|problems| panic!("{problems}"))
}

fn bound<W: 'static>(text: &str, leaves: &Registry<W>) -> (Arc<Program>, Bound<W>) {
    let behaviour = behaviour(text);
    let bound = leaves.bind(&behaviour).expect("the leaves fit");
    (Arc::new(Program::new(behaviour)), bound)
}

/// What happened, with the tick.
type Log = Vec<(u64, usize, &'static str)>;

#[test]
fn who_removes_itself_is_stopped_once_and_its_place_goes_on() {
    const TEXT: &str = r#"
        leaves { action attack; action live; }
        blackboard scope=world { key last type=int; }
        tree guard {
            parallel success=all failure=all {
                action live
                semaphore stage max=1 scope=world wait=#true {
                    action attack on-abort="last = 7"
                }
            }
        }"#;
    let mut leaves = Registry::<Log>::new();
    leaves
        .action("live", |log: &mut Log, me: &mut Agent| {
            if (me.tick(), me.index()) == (5, 0) {
                me.remove();
                me.remove();
                log.push((5, 0, "leaves"));
            }
            Status::Running
        })
        .action_with(
            "attack",
            update(|_: &mut Log, _: &mut Agent| Status::Running)
                .start(|log: &mut Log, me: &mut Agent| log.push((me.tick(), me.index(), "start")))
                .stop(|log: &mut Log, me: &mut Agent, _| {
                    // It is leaving already.
                    me.remove();
                    log.push((me.tick(), me.index(), "stop"));
                }),
        );
    let (program, bound) = bound(TEXT, &leaves);
    for agents in [2, 70, 300] {
        let mut log = Log::new();
        let mut population = Population::new(Arc::clone(&program), agents);
        let first = population.id_of(0).expect("it lives");
        for _ in 0..5 {
            population.tick(&mut bound.host(&mut log), DT);
        }
        assert_eq!(population.index_of(first), Err(Dead));
        assert_eq!(population.shared(KeyId::new(0), 0), Value::Int(7));
        let next = population.spawn();
        assert_eq!((next.index(), next.generation()), (0, 2));
        population.tick(&mut bound.host(&mut log), DT);
        let expected = [
            (2, 0, "start"),
            (5, 0, "leaves"),
            (5, 0, "stop"),
            (6, 1, "start"),
        ];
        assert_eq!(log, expected, "{agents}");
    }
}

#[test]
fn a_new_group_counts_when_the_tick_has_ended() {
    const TEXT: &str = r#"
        leaves { action go; }
        blackboard scope=group { key mark type=int; }
        tree t { action go; }"#;
    let mut leaves = Registry::<Vec<u32>>::new();
    leaves.action("go", |seen: &mut Vec<u32>, me: &mut Agent| {
        seen.push(me.group());
        match me.tick() {
            2 => {
                me.set_group(3);
                me.set_group(1);
                me.set("mark", 5_i64);
            }
            4 => me.set_group(u32::MAX),
            _ => {}
        }
        Status::Success
    });
    let (program, bound) = bound(TEXT, &leaves);
    let mut population = Population::new(program, 1);
    let mut seen = Vec::new();
    for _ in 0..5 {
        population.tick(&mut bound.host(&mut seen), DT);
    }
    assert_eq!(seen, [0, 0, 1, 1, 1]);
    // There is no room for groups that nobody was in at the end of a tick, and what it wrote went to the old group.
    assert_eq!(population.groups(), 2);
    let marks = [0, 1].map(|group| population.shared(KeyId::new(0), group));
    assert_eq!(marks, [Value::Int(5), Value::Int(0)]);
    let faults = population.take_faults();
    let kinds: Vec<_> = faults.iter().map(|fault| fault.kind.clone()).collect();
    let text = "group 4294967295 is beyond 1048576 groups";
    assert_eq!(kinds, [FaultKind::Host(text.to_owned())]);
}

#[test]
fn births_come_last_with_the_keys_of_the_archetype() {
    const TEXT: &str = r#"
        leaves { action live; }
        blackboard {
            key health type=int default=3
            key mood type=enum { value calm angry; }
        }
        tree t { action live; }
        archetype strong tree=t { given health=9; }"#;
    let mut leaves = Registry::<Log>::new();
    leaves.action("live", |log: &mut Log, me: &mut Agent| {
        log.push((me.tick(), me.index(), "live"));
        if (me.tick(), me.index()) == (1, 0) {
            me.spawn("strong", &[]);
            me.spawn("weak", &[]);
            me.spawn("strong", &[("mood", Value::Text(Text::new("angry")))]);
            me.spawn("strong", &[("mind", Value::Int(1))]);
            me.spawn("strong", &[("health", Value::Bool(true))]);
            me.spawn("strong", &[("health", Value::Int(1))]);
            me.remove();
        }
        Status::Running
    });
    let mut minds = Minds::read(TEXT.as_bytes(), "t.kdl", &leaves, 1).expect("it is right");
    let mut log = Log::new();
    let parent = minds.parts().0.id_of(0).expect("it lives");
    minds.tick(&mut log, DT);
    let (population, _) = minds.parts();
    assert!(
        population
            .newborns()
            .iter()
            .all(|newborn| newborn.parent == parent)
    );
    let born = population
        .newborns()
        .iter()
        .map(|Newborn { id, .. }| (id.index(), id.generation()));
    // The first takes the place of its parent.
    assert_eq!(born.collect::<Vec<_>>(), [(0, 2), (1, 1), (2, 1)]);
    let keys = |agent| [0, 1].map(|key| population.get(agent, KeyId::new(key)).to_string());
    assert_eq!(keys(0)[0], "9");
    assert_ne!(keys(0)[1], keys(1)[1]);
    assert_eq!(
        (&keys(1)[0], &keys(2)[0]),
        (&"9".to_owned(), &"1".to_owned())
    );
    let faults = population.take_faults();
    let problems: Vec<String> = faults.iter().map(|fault| fault.kind.to_string()).collect();
    assert_eq!(problems.len(), 3);
    assert!(
        problems[0].contains("there is no archetype `weak`"),
        "{problems:?}"
    );
    assert!(
        problems[1].contains("`strong` has no key `mind`"),
        "{problems:?}"
    );
    minds.tick(&mut log, DT);
    assert!(minds.parts().0.newborns().is_empty());
    let expected = [
        (1, 0, "live"),
        (2, 0, "live"),
        (2, 1, "live"),
        (2, 2, "live"),
    ];
    assert_eq!(log, expected);
}

#[test]
fn a_late_result_never_ends_another_run() {
    const TEXT: &str = r#"
        leaves { action plan reports=#true; }
        tree t { action plan; }"#;
    let mut leaves = Registry::<Vec<Ticket>>::new();
    leaves
        .action_with(
            "plan",
            update(|_: &mut Vec<Ticket>, _: &mut Agent| Status::Running)
                .start(|tickets: &mut Vec<Ticket>, me: &mut Agent| tickets.push(me.ticket())),
        )
        .reports();
    let (program, bound) = bound(TEXT, &leaves);
    for agents in [1, 300] {
        let mut tickets = Vec::new();
        let mut population = Population::new(Arc::clone(&program), agents);
        let tick = |population: &mut Population, tickets: &mut Vec<Ticket>| {
            tickets.clear();
            population.tick(&mut bound.host(tickets), DT)
        };
        tick(&mut population, &mut tickets);
        let first = tickets[0];
        assert_eq!(population.ticket(0, first.node), Some(first));
        // The run is cut off, and the next one has begun when the result of the first comes.
        population.abort(0, &mut bound.host(&mut Vec::new()));
        assert_eq!(population.finish(first, true), Err(Late::Over));
        tick(&mut population, &mut tickets);
        let second = tickets[0];
        assert_eq!(population.finish(first, true), Err(Late::Over));
        // A copy of the population knows its tickets, too.
        let mut saved = population.clone();
        assert_eq!(saved.finish(second, false), Ok(()));
        assert_eq!(tick(&mut saved, &mut tickets).failure, 1);
        assert_eq!(population.finish(second, true), Ok(()));
        assert_eq!(population.finish(second, false), Err(Late::Over));
        assert_eq!(tick(&mut population, &mut tickets).success, 1);
        assert_eq!(population.finish(second, true), Err(Late::Over));
        // Who lives there now never gets the result for another.
        population.remove(0, &mut bound.host(&mut Vec::new()));
        population.spawn();
        for _ in 0..2 {
            tick(&mut population, &mut tickets);
        }
        assert_eq!(population.finish(second, true), Err(Late::Dead));
    }
}

/// Agents that live, and do something at random.
const CAST: &str = r#"
    leaves { action live; }
    blackboard { key age type=int; }
    blackboard scope=group { key size type=int merge=add; key last type=int; }
    blackboard scope=world { key all type=int merge=add; }
    tree t { reactive-sequence { set "size += 1; all += 1; last = age; age += 1"; action live; } }
    archetype child tree=t { given age=-5; }
"#;

/// The runs that began and ended, in the order of the calls in each part.
#[derive(Default)]
struct Part {
    runs: Vec<(AgentId, bool)>,
}

/// What an agent does in a tick: a number from 0 to 15, and a group.
fn deed(id: AgentId, tick: u64) -> (u64, u32) {
    let mixed = (id.to_bits() ^ tick << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 60, (mixed >> 32) as u32 % 4)
}

fn cast_leaves() -> Registry<Part> {
    let mut leaves = Registry::<Part>::new();
    leaves.action_with(
        "live",
        update(|_: &mut Part, me: &mut Agent| {
            let (deed, group) = deed(me.id(), me.tick());
            match deed {
                0 => me.remove(),
                1 => me.spawn("child", &[("age", Value::Int(i64::from(group)))]),
                2 => {
                    me.spawn("child", &[]);
                    me.remove();
                    me.spawn("child", &[]);
                }
                3..6 => me.set_group(group),
                6 => return Status::Success,
                _ => {}
            }
            Status::Running
        })
        .start(|part: &mut Part, me: &mut Agent| part.runs.push((me.id(), true)))
        .stop(|part: &mut Part, me: &mut Agent, _| part.runs.push((me.id(), false))),
    );
    leaves
}

/// What can be seen of all agents.
fn seen(population: &Population) -> Vec<(Option<AgentId>, u32, Vec<Value>)> {
    let keys = |agent| {
        (0..4)
            .map(move |key| population.get(agent, KeyId::new(key)))
            .collect()
    };
    let agents = 0..population.len();
    agents
        .map(|agent| {
            (
                population.id_of(agent),
                population.group(agent),
                keys(agent),
            )
        })
        .collect()
}

/// The groups of those who live, by index, and how many have lived there, as a list.
#[derive(Default)]
struct Model {
    alive: Vec<Option<u32>>,
    generations: Vec<u32>,
}

impl Model {
    fn new(agents: usize) -> Self {
        Self {
            alive: vec![Some(0); agents],
            generations: vec![1; agents],
        }
    }

    /// One tick, given the handles of all before.
    fn tick(&mut self, ids: &[Option<AgentId>], tick: u64) {
        let mut births = 0;
        for (agent, id) in ids.iter().enumerate() {
            let Some(id) = *id else { continue };
            let (deed, group) = deed(id, tick);
            births += [0, 1, 2].get(deed as usize).copied().unwrap_or(0);
            match deed {
                0 | 2 => self.alive[agent] = None,
                3..6 => self.alive[agent] = Some(group),
                _ => {}
            }
        }
        for (agent, id) in ids.iter().enumerate() {
            self.generations[agent] += u32::from(id.is_some() && self.alive[agent].is_none());
        }
        for _ in 0..births {
            match self.alive.iter().position(Option::is_none) {
                Some(free) => self.alive[free] = Some(0),
                None => {
                    self.alive.push(Some(0));
                    self.generations.push(1);
                }
            }
        }
    }

    fn seen(&self) -> Vec<(Option<u32>, u32)> {
        let of = |(alive, generation): (&Option<u32>, &u32)| {
            (alive.map(|_| *generation), alive.unwrap_or(0))
        };
        self.alive.iter().zip(&self.generations).map(of).collect()
    }
}

#[test]
fn who_lives_does_not_depend_on_threads_and_each_start_has_one_stop() {
    let (program, bound) = bound(CAST, &cast_leaves());
    for agents in [1, 7, 150, 2_500] {
        let mut populations = [1, 2, 5].map(|threads| {
            let mut population = Population::new(Arc::clone(&program), agents);
            population.name_archetype("child", &[(KeyId::new(0), Value::Int(-5))], 1);
            (threads, population, BTreeSet::new())
        });
        let mut model = Model::new(agents);
        for tick in 1..=12 {
            let before = &populations[0].1;
            let ids: Vec<_> = (0..before.len()).map(|agent| before.id_of(agent)).collect();
            model.tick(&ids, tick);
            for (threads, population, open) in &mut populations {
                let mut parts: Vec<Part> = (0..*threads).map(|_| Part::default()).collect();
                let mut hosts: Vec<_> = parts.iter_mut().map(|part| bound.host(part)).collect();
                population.tick_in_parallel(&mut hosts, DT);
                for (id, begins) in parts.iter().flat_map(|part| &part.runs) {
                    let is_right = if *begins {
                        open.insert(*id)
                    } else {
                        open.remove(id)
                    };
                    assert!(is_right, "{id:?} in tick {tick}");
                }
                assert!(open.iter().all(|id| population.index_of(*id).is_ok()));
            }
            let [(_, one, _), others @ ..] = &populations;
            for (threads, other, _) in others {
                assert_eq!(seen(one), seen(other), "{threads} threads in tick {tick}");
                assert_eq!(one.newborns(), other.newborns());
            }
            let generation = |id: Option<AgentId>| id.map(AgentId::generation);
            let now = seen(one).into_iter().map(|(id, group, _)| match id {
                Some(_) => (generation(id), group),
                None => (None, 0),
            });
            assert_eq!(now.collect::<Vec<_>>(), model.seen(), "in tick {tick}");
        }
        for (_, population, open) in &mut populations {
            let mut part = Part::default();
            let everybody = 0..population.len();
            population.remove_many(everybody, &mut bound.host(&mut part));
            part.runs
                .iter()
                .for_each(|(id, begins)| assert!(!begins && open.remove(id)));
            assert!(open.is_empty());
        }
    }
}

#[test]
fn in_a_society_births_reach_other_programs_and_mail_the_old_group() {
    const TEXT: &str = r#"
        leaves { action live; }
        blackboard scope=group { key size type=int merge=add; }
        blackboard { key mood type=enum { value calm angry; }; }
        tree t { reactive-sequence { set "size += 1"; action live; } }"#;
    let mut leaves = Registry::<Log>::new();
    leaves.action("live", |log: &mut Log, me: &mut Agent| {
        log.push((me.tick(), me.index(), "live"));
        if (me.tick(), me.index()) == (1, 0) {
            let angry = me.get::<Value>("mood");
            me.set_group(2);
            me.spawn("other", &[("mood", angry)]);
        }
        Status::Running
    });
    let (program, bound) = bound(TEXT, &leaves);
    // The other program knows the values in another order.
    let other = TEXT.replace("calm angry", "sad angry calm");
    let other = Arc::new(Program::new(behaviour(&other)));
    let mut society = Society::new();
    let mut first = Population::new(program, 2);
    let mood = first
        .program()
        .behaviour()
        .key_id("mood")
        .expect("it is there");
    let Type::Enum(list) = first.program().behaviour().key(mood).ty else {
        panic!("it is an enum");
    };
    first
        .set(0, mood, Value::Enum(list, 1))
        .expect("it is right");
    let mut second = Population::new(Arc::clone(&other), 0);
    second.name_archetype("other", &[], 1);
    let [first, second] = [("first", first), ("second", second)]
        .map(|(name, population)| society.join(name, population).expect("they agree"));
    let mut log = Log::new();
    for _ in 0..2 {
        let mut step = society.step(DT);
        step.tick(first, &mut bound.host(&mut log));
    }
    assert_eq!(society.groups(), 3);
    let size = society
        .population(second)
        .program()
        .behaviour()
        .key_id("size");
    let size = size.expect("it is there");
    // In step 1 both were in group 0, in step 2 one of them was in group 2.
    let sizes = [0, 2].map(|group| society.population(second).shared(size, group));
    assert_eq!(sizes, [Value::Int(3), Value::Int(1)]);
    let born = society.population(second);
    assert_eq!(born.len(), 1);
    assert!(born.newborns().is_empty(), "that was a step before");
    assert_eq!(born.get(0, mood), Value::Enum(list, 1));
    assert_eq!(society.population(first).faults().total(), 0);
}

//! Who lives, and how many agents a group has: counted up at each change, compared with counting all.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{AgentId, Held, Population, PopulationId, Program, Society, Value};
use treemind_testkit::random::Random;

const TICK: Duration = Duration::from_millis(100);

fn program(text: &str) -> Arc<Program> {
    let document = treemind_doc::Document::read(text.as_bytes(), "test.kdl");
    let behaviour = document.behaviour(None).expect("it has no errors");
    Arc::new(Program::new(behaviour))
}

/// It asks about its group and about an agent.
fn counting() -> Arc<Program> {
    program(
        "blackboard { key count type=int; key friend type=entity; key lives type=bool; key me type=entity; key others type=int }
        blackboard { key mates type=entity list=20 sensor=members; }
        tree counts { set \"count = members(); lives = alive(friend); me = me(); others = len(mates)\"; }",
    )
}

/// It asks nothing.
fn silent() -> Arc<Program> {
    program("tree silent { run; }")
}

struct Play {
    society: Society,
    ids: Vec<PopulationId>,
    /// All handles that there ever were.
    handles: Vec<AgentId>,
    random: Random,
}

impl Play {
    fn join(&mut self, program: &Arc<Program>, agents: usize) {
        let population = Population::new(Arc::clone(program), agents);
        let id = self.society.join("one", population);
        let id = id.expect("they share nothing that differs");
        self.ids.push(id);
        let population = self.society.population(id);
        let new = (0..agents).filter_map(|agent| population.id_of(agent));
        self.handles.extend(new);
    }

    fn hosts(&self) -> Vec<Scripted> {
        let host = |id: &PopulationId| {
            let population = self.society.population(*id);
            Scripted::new(population.program().behaviour(), population.len())
        };
        self.ids.iter().map(host).collect()
    }

    /// Something changes.
    fn change(&mut self) {
        let id = *self.random.pick(&self.ids);
        let agent = self.random.below(self.society.population(id).len());
        let behaviour = self.society.population(id).program().behaviour().clone();
        let mut host = Scripted::new(&behaviour, 200);
        let mut population = self.society.population_mut(id);
        match self.random.below(4) {
            0 => population.set_group(agent, self.random.below(4) as u32),
            1 => population.remove(agent, &mut host),
            2 => self.handles.push(population.spawn()),
            _ => {
                // Several changes in one go, and one that is none.
                population.set_group(agent, 2);
                population.remove_many([agent, agent], &mut host);
                self.handles.extend(population.spawn_many(2));
            }
        }
    }

    /// Sets whom each agent asks about, ticks, and compares what they have found out with what is the case.
    fn check(&mut self) {
        let mut asked = Vec::new();
        for id in self.ids.clone() {
            let population = self.society.population(id);
            let Some(friend) = population.program().behaviour().key_id("friend") else {
                continue;
            };
            for agent in 0..population.len() {
                if !self.society.population(id).is_alive(agent) {
                    continue;
                }
                let other = self.random.pick(&self.handles).to_bits();
                let other = *self.random.pick(&[other, other, other, 0, 7, u64::MAX]);
                let mut population = self.society.population_mut(id);
                let set = population.set(agent, friend, Value::Entity(other));
                set.expect("it is an entity");
                asked.push((id, agent, other));
            }
        }
        let mut hosts = self.hosts();
        let mut step = self.society.step(TICK);
        for (id, host) in self.ids.iter().zip(&mut hosts) {
            step.tick(*id, host);
        }
        step.end();
        let mut members: [Vec<AgentId>; 4] = Default::default();
        for id in &self.ids {
            let population = self.society.population(*id);
            for agent in (0..population.len()).filter(|agent| population.is_alive(*agent)) {
                members[population.group(agent) as usize].extend(population.id_of(agent));
            }
        }
        for (group, members) in (0..).zip(&members) {
            assert!(self.society.members(group).eq(members.iter().copied()));
        }
        for (id, agent, other) in asked {
            let population = self.society.population(id);
            let key = |name: &str| {
                population
                    .program()
                    .behaviour()
                    .key_id(name)
                    .expect("a key")
            };
            let lives = AgentId::from_bits(other).is_some_and(|other| {
                self.ids.contains(&other.population()) && self.society.index_of(other).is_ok()
            });
            let members = &members[population.group(agent) as usize];
            let count = members.len() as i64;
            let itself = population.id_of(agent).expect("it lives").to_bits();
            let others = members.iter().map(|member| member.to_bits());
            let others = others.filter(|other| *other != itself);
            let others: Vec<_> = others.take(20).map(Value::Entity).collect();
            let Held::List(mates) = population.held(agent, key("mates")) else {
                panic!("it is a list");
            };
            assert_eq!(mates.iter().collect::<Vec<_>>(), others);
            let listed = population.get(agent, key("others"));
            assert_eq!(listed, Value::Int(others.len() as i64));
            let given = ["count", "lives", "me"].map(|name| population.get(agent, key(name)));
            let wanted = [Value::Int(count), Value::Bool(lives), Value::Entity(itself)];
            assert_eq!(given, wanted, "{id:?}/{agent} about {other:x}");
        }
    }
}

#[test]
fn counting_up_comes_to_the_same_as_counting_all() {
    let (counting, silent) = (counting(), silent());
    for seed in 0..20 {
        let mut play = Play {
            society: Society::new(),
            ids: Vec::new(),
            handles: Vec::new(),
            random: Random::new(seed),
        };
        play.join(&silent, 3);
        play.join(&counting, 70);
        for round in 0..30 {
            for _ in 0..play.random.below(6) {
                play.change();
            }
            match round {
                8 => play.join(&counting, 2),
                // A copy goes its own way.
                12 => {
                    let copy = play.society.clone();
                    play.change();
                    play.check();
                    play.society = copy;
                }
                16 => {
                    let bytes = play.society.save();
                    let programs = [&silent, &counting, &counting];
                    let restored =
                        Society::restore(&bytes, |place, _| Some(Arc::clone(programs[place])));
                    play.society = restored.expect("it was saved");
                }
                20 => {
                    let id = play.ids.remove(1);
                    let left = play.society.leave(id);
                    alone(left);
                }
                _ => {}
            }
            play.check();
        }
    }
}

/// A population that has left counts its own agents.
fn alone(mut population: Population) {
    let behaviour = population.program().behaviour().clone();
    let mut host = Scripted::new(&behaviour, population.len() + 1);
    let first = (0..population.len()).find(|agent| population.is_alive(*agent));
    let first = first.expect("somebody lives");
    population.spawn();
    population.set_group(first, 3);
    population.tick(&mut host, TICK);
    let alive = (0..population.len()).filter(|agent| population.is_alive(*agent));
    let third = alive.filter(|agent| population.group(*agent) == 3).count();
    let count = behaviour.key_id("count").expect("there is this key");
    assert_eq!(population.get(first, count), Value::Int(third as i64));
}

#[test]
fn an_event_to_an_agent_that_dies_in_the_same_step_reaches_nobody() {
    let mut society = Society::new();
    let caller = program(
        "leaves { event call; }
        blackboard { key friend type=entity; }
        tree caller { emit call to=\"{friend}\"; }",
    );
    let called = program(
        "leaves { event call; }
        blackboard { key calls type=int; }
        tree called { sequence { received call; set \"calls += 1\"; }; }",
    );
    let friend = caller.behaviour().key_id("friend").expect("a key");
    let calls = called.behaviour().key_id("calls").expect("a key");
    let mut caller_host = Scripted::new(caller.behaviour(), 1);
    let mut called_host = Scripted::new(called.behaviour(), 2);
    let callers = society
        .join("caller", Population::new(caller, 1))
        .expect("it joins");
    let called = society
        .join("called", Population::new(called, 2))
        .expect("it joins");
    let second = society.population(called).id_of(1).expect("it lives");
    let mut population = society.population_mut(callers);
    let set = population.set(0, friend, Value::Entity(second.to_bits()));
    set.expect("it is an entity");
    drop(population);
    let mut unheard = Vec::new();
    for tick in 0..4 {
        let mut step = society.step(TICK);
        let tally = step.tick(callers, &mut caller_host);
        step.tick(called, &mut called_host);
        unheard.push((tally.success, step.end().unheard));
        if tick == 1 {
            assert_eq!(society.population(called).get(0, calls), Value::Int(0));
            assert_eq!(society.population(called).get(1, calls), Value::Int(1));
            society.population_mut(called).remove(1, &mut called_host);
            // Another one lives there now, who is not meant.
            society.population_mut(called).spawn();
        }
    }
    assert_eq!(unheard, [(1, 0), (1, 0), (0, 0), (0, 0)]);
}

#[test]
fn groups_and_their_numbers_of_agents_go_on_with_another_program() {
    let mut population = Population::new(counting(), 3);
    population.set_group(1, 2);
    population.set_group(2, 2);
    let other = program(
        "blackboard { key others type=int; key count type=int; }
        tree counts { set \"others = members() - 1\"; }",
    );
    let mut host = Scripted::new(other.behaviour(), 3);
    population.change_program(Arc::clone(&other), &mut host);
    population.set_group(2, 0);
    population.tick(&mut host, TICK);
    let others = other.behaviour().key_id("others").expect("a key");
    let given = [0, 1, 2].map(|agent| (population.group(agent), population.get(agent, others)));
    let wanted = [(0, 1), (2, 0), (0, 1)].map(|(group, others)| (group, Value::Int(others)));
    assert_eq!(given, wanted);
}

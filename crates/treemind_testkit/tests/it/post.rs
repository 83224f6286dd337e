//! Events that hosts send, and what becomes of events.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::{Addressee, Emitted, Scripted};
use treemind_core::society::SendError;
use treemind_core::trace::Trace;
use treemind_core::{
    Delivery, LeafId, Limits, Population, PopulationId, Program, Sent, Society, Text, To, Value,
};

const TICK: Duration = Duration::from_millis(100);

const GUARD: &str = r#"
    leaves { event noise { param volume type=float; }; }
    blackboard { key heard type=float; key who type=entity default=7; }
    tree guard { sequence { received noise volume="{heard}" sender="{who}"; run; }; }
"#;

/// It knows the event by other parameters than the guard, and nothing in it waits for `noise`.
const MEDIC: &str = r#"
    leaves {
        event hurt { param how type=enum { value badly slightly; }; }
        event noise
    }
    blackboard { key how type=enum { value badly slightly; }; }
    machine medic {
        initial rest
        state rest { transition to=help on=hurt; }
        state help
    }
"#;

fn joined(
    society: &mut Society,
    name: &str,
    text: &str,
    agents: usize,
) -> (PopulationId, Scripted) {
    let document = treemind_doc::Document::read(text.as_bytes(), name);
    let behaviour = document.behaviour(None).expect("it has no errors");
    let host = Scripted::new(&behaviour, agents);
    let population = Population::new(Arc::new(Program::new(behaviour)), agents);
    (society.join(name, population).expect("it may join"), host)
}

fn value(society: &Society, id: PopulationId, agent: usize, key: &str) -> String {
    let population = society.population(id);
    let behaviour = population.program().behaviour();
    let key = behaviour.key_id(key).expect("there is this key");
    behaviour.display_held(population.held(agent, key))
}

#[test]
fn a_host_sends_to_one_agent_to_a_group_and_to_all() {
    let mut society = Society::new();
    let (guards, mut guard_host) = joined(&mut society, "guard", GUARD, 4);
    let (medics, mut medic_host) = joined(&mut society, "medic", MEDIC, 2);
    let mut step = |society: &mut Society| {
        let mut open = society.step(TICK);
        open.tick(guards, &mut guard_host);
        open.tick(medics, &mut medic_host);
        assert_eq!(open.end(), Delivery::default());
    };
    step(&mut society);
    for agent in [1, 3] {
        society.population_mut(guards).set_group(agent, 2);
    }
    let third = society.population(guards).id_of(2).expect("it lives");
    let loud = |volume: f32| [Value::Float(volume)];
    let sent = |received, lost| Ok(Sent { received, lost });
    // An `int` widens. The medics have an event of this name, too, but it has no parameter; they are not asked for one
    // agent.
    assert_eq!(
        society.send(To::Agent(third), "noise", &[Value::Int(2)]),
        sent(1, 0)
    );
    assert_eq!(
        society.send(To::World, "noise", &loud(1.0)),
        Err(SendError::WrongValues {
            event: "noise".to_owned(),
            population: "medic".to_owned()
        })
    );
    let mut guard = society.population_mut(guards);
    let noise = guard
        .program()
        .behaviour()
        .leaf_id("noise")
        .expect("it has one");
    assert_eq!(
        guard.send_to(To::Group(2), noise, &loud(4.5)),
        Ok(Sent {
            received: 2,
            lost: 0
        })
    );
    assert_eq!(
        guard.send_to(To::Group(9), noise, &loud(9.0)),
        Ok(Sent::default())
    );
    drop(guard);
    let badly = [Value::Text(Text::new("badly"))];
    assert_eq!(society.send(To::World, "hurt", &badly), sent(2, 0));
    step(&mut society);
    let heard: Vec<String> = (0..4)
        .map(|agent| value(&society, guards, agent, "heard"))
        .collect();
    assert_eq!(heard.join(" "), "0 4.5 2 4.5");
    // The host is nobody.
    assert_eq!(value(&society, guards, 1, "who"), "0");
    assert_eq!(value(&society, guards, 0, "who"), "7");
    assert_eq!(
        society.send(To::World, "hurt", &[Value::Text(Text::new("fatally"))]),
        Err(SendError::WrongValues {
            event: "hurt".to_owned(),
            population: "medic".to_owned()
        })
    );
    let unknown = society
        .send(To::World, "nosie", &[])
        .expect_err("nobody knows it");
    assert_eq!(unknown.to_string(), "no program has the event `nosie`");
    assert_eq!(
        society.send(To::Agent(third), "hurt", &badly),
        Err(SendError::UnknownEvent("hurt".to_owned()))
    );
    society
        .population_mut(guards)
        .remove(2, &mut Scripted::new(&behaviour(GUARD), 4));
    assert_eq!(
        society.send(To::Agent(third), "noise", &loud(1.0)),
        Err(SendError::Dead)
    );
}

fn behaviour(text: &str) -> treemind_core::Behaviour {
    let document = treemind_doc::Document::read(text.as_bytes(), "one");
    document.behaviour(None).expect("it has no errors")
}

/// A mailbox keeps 16 events: what comes to more is lost, and the host learns how many.
#[test]
fn the_host_learns_what_is_lost() {
    let program = Arc::new(Program::new(behaviour(GUARD)));
    let noise = program.behaviour().leaf_id("noise").expect("it has one");
    let mut population = Population::new(program, 3);
    let send = |population: &mut Population, to| {
        let sent = population.send_to(to, noise, &[Value::Float(1.0)]);
        sent.map(|sent| [sent.received, sent.lost])
    };
    let first = To::Agent(population.id_of(0).expect("it lives"));
    assert_eq!(send(&mut population, first), Ok([1, 0]));
    for _ in 0..15 {
        assert_eq!(send(&mut population, To::World), Ok([3, 0]));
    }
    assert_eq!(send(&mut population, To::World), Ok([2, 1]));
    assert_eq!(send(&mut population, To::Group(0)), Ok([0, 3]));
    assert!(!population.send(0, noise, &[Value::Float(1.0)]));
    assert_eq!(population.faults().total(), 0);
}

/// What agents shout: 5 shout 4 times in the first tick, and only 2 other agents listen.
#[test]
fn a_step_says_how_many_events_nobody_received() {
    let shouter = "leaves { event noise { param volume type=float; }; event mumble; }
        tree shouter { run-once { sequence {
            emit noise volume=1.0 to=world
            emit noise volume=1.0 to=group
            emit noise volume=1.0 to=self
            emit mumble to=world
        }; }; }";
    let mut society = Society::new();
    let (shouters, mut shouting) = joined(&mut society, "shouter", shouter, 5);
    let (guards, mut guarding) = joined(&mut society, "guard", GUARD, 2);
    society.population_mut(guards).set_group(1, 1);
    let mut step = |society: &mut Society| {
        let mut open = society.step(TICK);
        open.tick(guards, &mut guarding);
        open.tick(shouters, &mut shouting);
        open.end()
    };
    let delivery = Delivery {
        posted: 20,
        unheard: 10,
        lost: 0,
    };
    assert_eq!(step(&mut society), delivery);
    assert_eq!(step(&mut society), Delivery::default());
}

/// Two shouters emit 9 events each, and a mailbox keeps 16.
#[test]
fn a_step_says_how_many_machines_and_mailboxes_have_lost_events() {
    let shouter = "leaves { event noise { param volume type=float; }; }
        tree shouter { repeat 9 yields=never { emit noise volume=1.0 to=world; }; }";
    let mut society = Society::new();
    let (shouters, mut shouting) = joined(&mut society, "shouter", shouter, 2);
    joined(&mut society, "guard", GUARD, 3);
    let mut open = society.step(TICK);
    open.tick(shouters, &mut shouting);
    let delivery = Delivery {
        posted: 18,
        unheard: 2,
        lost: 3,
    };
    assert_eq!(open.end(), delivery);
    assert_eq!(society.emitted().count(), 18);
    // Whoever does nothing in a step has emitted nothing in it.
    assert_eq!(society.step(TICK).end(), Delivery::default());
    assert_eq!(society.emitted().count(), 0);
}

/// Agents talk to their groups, to all and to themselves. Each adds up what it hears, in order.
const TALKER: &str = r#"
    leaves { event word { param n type=int; }; event shout { param n type=int; }; }
    blackboard { key number type=int; key time type=int; key heard type=int; key sum type=int; }
    tree talker { sequence {
        set "time += 1"
        until-failure yields=never { sequence {
            received "word shout"
            set "sum = (sum * 31 + 7) % 1000003"
        }; }
        until-failure yields=never { sequence {
            received word where="event.n % 5 != number % 5" n="{heard}"
            set "sum = (sum * 31 + heard) % 1000003"
        }; }
        force-success { sequence { check "event(shout)"; set "sum = (sum + event(shout, n)) % 1000003"; }; }
        force-success { sequence { check "(time + number) % 4 == 0"; emit word n="{number}" to=group; }; }
        force-success { sequence { check "(time * 7 + number) % 31 == 0"; emit shout n="{time}" to=world; }; }
        force-success { sequence { check "sum % 3 == 0"; emit word n="{sum}" to=self; }; }
    }; }
"#;

/// Agents from some number on, in three groups.
fn talkers(program: &Arc<Program>, first: usize, agents: usize) -> (Population, Scripted) {
    let host = Scripted::new(program.behaviour(), agents);
    let mut population = Population::new(Arc::clone(program), agents);
    let number = program
        .behaviour()
        .key_id("number")
        .expect("there is this key");
    for agent in 0..agents {
        population.set_group(agent, ((first + agent) % 3) as u32);
        let value = Value::Int((first + agent) as i64);
        population.set(agent, number, value).expect("it is an int");
    }
    (population, host)
}

/// What each agent has added up, and what became of all events.
fn sums(population: &Population) -> Vec<String> {
    let behaviour = population.program().behaviour();
    let key = behaviour.key_id("sum").expect("there is this key");
    let agents = 0..population.len();
    agents
        .map(|agent| behaviour.display_held(population.held(agent, key)))
        .collect()
}

/// An event that was emitted: the number of the agent, to whom, the event, and its values.
type Said = (usize, &'static str, LeafId, Vec<Value>);

/// What agents from some number on have emitted, in order.
#[warn(clippy::wildcard_enum_match_arm)]
fn said<'p>(first: usize, emitted: impl Iterator<Item = Emitted<'p>> + 'p) -> Vec<Said> {
    emitted
        .map(|one| {
            let to = match one.to {
                Addressee::Sender => "self",
                Addressee::Group => "group",
                Addressee::World => "world",
                Addressee::Agent(_) => "agent",
                _ => treemind_core::unlisted(&one.to),
            };
            let number = first + one.from.index();
            (number, to, one.event, one.values.to_vec())
        })
        .collect()
}

#[test]
fn all_hear_the_same_however_they_are_divided() {
    const AGENTS: usize = 300;
    const TICKS: usize = 40;
    let program = Arc::new(Program::new(behaviour(TALKER)));
    let (mut together, mut host) = talkers(&program, 0, AGENTS);
    let mut wanted = Vec::new();
    let (mut heard, mut lost) = (0, 0);
    for _ in 0..TICKS {
        together.tick(&mut host, TICK);
        let delivery = together.delivery();
        heard += delivery.posted - delivery.unheard;
        lost += delivery.lost;
        let emitted = said(0, together.emitted());
        assert_eq!(emitted.len() as u64, delivery.posted);
        wanted.push((sums(&together), delivery, emitted));
    }
    assert!(
        heard > 1_000 && lost > 1_000,
        "{heard} were heard, {lost} mailboxes were full"
    );
    for (ends, is_backwards) in [
        (vec![AGENTS], false),
        (vec![65, AGENTS], false),
        (vec![1, 100, 164, AGENTS], true),
    ] {
        let mut society = Society::new();
        let mut first = 0;
        let mut members = Vec::new();
        for end in &ends {
            let (population, host) = talkers(&program, first, end - first);
            let groups = (first..*end).map(|agent| (agent % 3) as u32);
            let id = society
                .join(format!("{first}"), population)
                .expect("they agree");
            let mut population = society.population_mut(id);
            groups
                .enumerate()
                .for_each(|(agent, group)| population.set_group(agent, group));
            members.push((id, host, first));
            first = *end;
        }
        for (tick, wanted) in wanted.iter().enumerate() {
            let mut open = society.step(TICK);
            let mut order: Vec<_> = members.iter_mut().collect();
            if is_backwards {
                order.reverse();
            }
            for (id, host, _) in order {
                open.tick(*id, host);
            }
            let delivery = open.end();
            let ids = members.iter().map(|(id, ..)| *id);
            let sums = ids.flat_map(|id| sums(society.population(id))).collect();
            let emitted = society.emitted().flat_map(|(id, one)| {
                let (.., first) = members.iter().find(|(of, ..)| *of == id).expect("joined");
                said(*first, std::iter::once(one))
            });
            let emitted: Vec<_> = emitted.collect();
            assert_eq!(
                &(sums, delivery, emitted),
                wanted,
                "tick {tick}, divided at {ends:?}"
            );
        }
    }
}

/// The document and the host say how many events a mailbox keeps; a fault names what was lost, the limit, and what to do.
#[test]
fn a_full_mailbox_is_a_fault_that_says_all_about_it() {
    let shouter = "leaves { event noise { param volume type=float; }; }
        tree shouter { repeat 9 yields=never { emit noise volume=1.0 to=world; }; }";
    for (limits, limit) in [(None, 4), (Some(6), 6), (Some(9), 9)] {
        let guard = GUARD.replace("tree guard {", "tree guard mailbox=4 {");
        assert_ne!(guard, GUARD);
        let mut society = Society::new();
        let (shouters, mut shouting) = joined(&mut society, "shouter", shouter, 1);
        let (guards, _) = joined(&mut society, "guard", &guard, 3);
        if let Some(events) = limits {
            let limits = Limits::new().mailbox(events);
            society.population_mut(guards).set_limits(limits);
        }
        assert_eq!(society.population(guards).mailbox(), limit);
        let mut open = society.step(TICK);
        open.tick(shouters, &mut shouting);
        open.end();
        let faults = society.population_mut(guards).take_faults();
        if limit == 9 {
            assert_eq!(faults.total(), 0);
            continue;
        }
        let [sum] = faults.sums() else {
            panic!("one fault: {:?}", faults.sums());
        };
        assert_eq!((sum.count, sum.first.agent), (3, 0));
        let text = sum.first.to_string();
        for part in [
            "agent 0".to_owned(),
            "the event `noise` is lost".to_owned(),
            format!("keeps {limit} events"),
            format!("`mailbox={}`", limit * 2),
        ] {
            assert!(text.contains(&part), "{text}");
        }
    }
}

/// All faults of a traced tick can be read, also those that the host has taken or that were too many to keep, and those
/// between the tick and the one before.
#[test]
fn the_latest_faults_are_those_of_the_tick_that_was_traced() {
    let shouter = "leaves { event noise { param volume type=float; }; }
        tree shouter { repeat 9 yields=never { emit noise volume=1.0 to=world; }; }";
    let guard = GUARD.replace("tree guard {", "tree guard mailbox=4 {");
    let mut society = Society::new();
    let (shouters, mut shouting) = joined(&mut society, "shouter", shouter, 1);
    let (guards, mut guarding) = joined(&mut society, "guard", &guard, 200);
    let mut trace = Trace::default();
    let mut step = |society: &mut Society, shouts: bool, is_traced: bool| {
        let mut open = society.step(TICK);
        if shouts {
            open.tick(shouters, &mut shouting);
        }
        match is_traced {
            true => open.tick_traced(guards, &mut guarding, &mut trace),
            false => open.tick(guards, &mut guarding),
        };
        open.end();
    };
    let agents = |society: &Society| -> Vec<(u64, usize)> {
        let faults = society.population(guards).latest_faults().iter();
        faults.map(|fault| (fault.tick, fault.agent)).collect()
    };
    step(&mut society, true, true);
    let all: Vec<_> = (0..200).map(|agent| (1, agent)).collect();
    assert_eq!(agents(&society), all);
    assert_eq!(society.population_mut(guards).take_faults().total(), 200);
    assert_eq!(agents(&society), all);
    // Tick 2 reads the mailboxes, and nothing goes wrong in it.
    step(&mut society, false, true);
    assert_eq!(agents(&society), []);
    let third = society.population(guards).id_of(2).expect("it lives");
    for loud in 0..5 {
        let values = [Value::Float(loud as f32)];
        society
            .send(To::Agent(third), "noise", &values)
            .expect("it is there");
    }
    // What the host sends in vain, the host learns. The mailboxes are read before the shouts of tick 3 arrive.
    step(&mut society, true, true);
    let all: Vec<_> = (0..200).map(|agent| (3, agent)).collect();
    assert_eq!(agents(&society), all);
    // A tick that is not traced keeps none, and neither does a step without the population.
    step(&mut society, true, false);
    assert_eq!(agents(&society), []);
    assert!(society.population(guards).faults().total() > 0);
    step(&mut society, true, true);
    assert_eq!(agents(&society).len(), 200);
    society.step(TICK).end();
    assert_eq!(agents(&society), []);
}

//! Agents that are divided among the populations of a society do what they do in one population.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Leaf, LeafKind, PlacedNode, Scope};
use treemind_core::host::Scripted;
use treemind_core::society::JoinError;
use treemind_core::{
    Behaviour, Delivery, KeyId, Kind, Population, PopulationId, Program, Sent, Society, Tally, To,
    Type, Value,
};
use treemind_testkit::compare::{Meddler, case_of_seed, cell_of, profile_of_seed, write_cell};
use treemind_testkit::generate::{Case, Op};

/// The state after each tick: the tally, all keys of all agents as text, which is the same for every NaN, and what became
/// of events.
type Left = (Tally, Vec<String>, Post);

/// What became of events: of those that the host has sent to many, and of those that agents have emitted to others.
#[derive(Debug, Default, PartialEq)]
struct Post {
    sent: Vec<Sent>,
    delivery: Delivery,
}

impl Post {
    fn add(&mut self, more: Delivery) {
        self.delivery.posted += more.posted;
        self.delivery.unheard += more.unheard;
        self.delivery.lost += more.lost;
    }
}

fn keys_of(population: &Population, behaviour: &Behaviour, agents: usize) -> Vec<String> {
    let keys = (0..agents).flat_map(|agent| {
        let key = |key| cell_of(population.held(agent, KeyId::new(key)));
        (0..behaviour.keys().len()).map(key).collect::<Vec<_>>()
    });
    keys.map(|cell| format!("{cell:?}")).collect()
}

/// Plays a case in one population, with the agents distributed over all groups in turn.
fn play_together(case: &Case, program: &Arc<Program>) -> Vec<Left> {
    let behaviour = program.behaviour();
    let mut population = Population::new(Arc::clone(program), case.agents).with_seed(case.seed);
    for agent in 0..case.agents {
        population.set_group(agent, agent as u32 % 3);
    }
    let mut host = Meddler::new(case, behaviour);
    let mut left = Vec::new();
    for step in &case.steps {
        let mut post = Post::default();
        for op in &step.ops {
            match *op {
                Op::Group(agent, group) if agent < case.agents => {
                    population.set_group(agent, group);
                }
                Op::Interval(agent, ticks) if agent < case.agents => {
                    population.set_interval(agent, ticks);
                }
                Op::Tell(agent, event, ref values) if agent < case.agents => {
                    population.send(agent, event, values);
                }
                Op::Set(agent, key, ref cell) if agent < case.agents => {
                    write_cell(&mut population.board(agent), key, agent, cell);
                }
                Op::TellMany(group, event, ref values) => {
                    let to = group.map_or(To::World, To::Group);
                    let sent = population.send_to(to, event, values);
                    post.sent.push(sent.expect("it is to no single agent"));
                }
                Op::Abort(agent) if agent < case.agents => {
                    population.abort(agent, &mut host);
                    post.add(population.delivery());
                }
                _ => {}
            }
        }
        let tally = population.tick(&mut host, step.dt);
        post.add(population.delivery());
        let keys = keys_of(&population, behaviour, case.agents);
        left.push((tally, keys, post));
    }
    left
}

/// How the populations of a society are ticked.
#[derive(Clone, Copy, Debug)]
enum Way {
    InOrder,
    Backwards,
    OnThreads,
    /// Each on two threads.
    InParallel,
}

/// A part of a case's agents, with their population.
struct Block {
    id: PopulationId,
    first: usize,
    case: Case,
    /// The first serves all agents; if the population is ticked on two threads, each serves those of its part.
    hosts: [Meddler; 2],
}

/// Plays a case with its agents divided among several populations.
fn play_divided(case: &Case, program: &Arc<Program>, ends: &[usize], way: Way) -> Vec<Left> {
    let behaviour = program.behaviour();
    let mut society = Society::new();
    let mut first = 0;
    let mut blocks = Vec::new();
    for &end in ends {
        let part = Case {
            agents: end - first,
            scripts: case.scripts[first..end].to_vec(),
            ..case.clone()
        };
        let population = Population::new(Arc::clone(program), part.agents)
            .with_seed(case.seed)
            .with_first_id(first as u64);
        let id = society.join(format!("block {first}"), population);
        blocks.push(Block {
            id: id.expect("one program agrees with itself"),
            first,
            hosts: [(); 2].map(|()| Meddler::new(&part, behaviour)),
            case: part,
        });
        first = end;
    }
    for block in &blocks {
        let mut population = society.population_mut(block.id);
        for agent in 0..block.case.agents {
            population.set_group(agent, (block.first + agent) as u32 % 3);
        }
    }
    let mut left = Vec::new();
    for step in &case.steps {
        let mut post = Post::default();
        for op in &step.ops {
            if let Op::TellMany(group, event, values) = op {
                let to = group.map_or(To::World, To::Group);
                let name = &behaviour.leaf(*event).name;
                let sent = society.send(to, name, values);
                post.sent.push(sent.expect("all have the event"));
            }
            apply(&mut society, &mut blocks, (case, way), op);
        }
        let (tally, delivery) = tick(&mut society, &mut blocks, step.dt, way);
        post.add(delivery);
        let keys = blocks
            .iter()
            .flat_map(|block| keys_of(society.population(block.id), behaviour, block.case.agents));
        left.push((tally, keys.collect(), post));
    }
    left
}

fn apply(society: &mut Society, blocks: &mut [Block], (case, way): (&Case, Way), op: &Op) {
    let (Op::Group(agent, _)
    | Op::Tell(agent, ..)
    | Op::Set(agent, ..)
    | Op::Interval(agent, _)
    | Op::Abort(agent)) = *op
    else {
        return;
    };
    if agent >= case.agents {
        return;
    }
    let mut blocks = blocks.iter_mut().rev();
    let block = blocks
        .find(|block| block.first <= agent)
        .expect("it is in a block");
    let agent = agent - block.first;
    let mut population = society.population_mut(block.id);
    match *op {
        Op::Group(_, group) => population.set_group(agent, group),
        Op::Interval(_, ticks) => population.set_interval(agent, ticks),
        Op::Tell(_, event, ref values) => {
            population.send(agent, event, values);
        }
        Op::Set(_, key, ref cell) => write_cell(&mut population.board(agent), key, agent, cell),
        _ => {
            let is_second = population
                .parts(2)
                .skip(1)
                .any(|part| part.contains(&agent));
            let host = usize::from(matches!(way, Way::InParallel) && is_second);
            population.abort(agent, &mut block.hosts[host]);
        }
    }
}

fn tick(society: &mut Society, blocks: &mut [Block], dt: Duration, way: Way) -> (Tally, Delivery) {
    let mut step = society.step(dt);
    let tally = match (way, &mut *blocks) {
        (Way::OnThreads, [one, two, others @ ..]) => {
            let [first, second] = step.tickers([one.id, two.id]);
            let tallies = std::thread::scope(|scope| {
                let there = scope.spawn(|| second.tick(&mut two.hosts[0]));
                let here = first.tick(&mut one.hosts[0]);
                here + there.join().expect("hosts do not panic")
            });
            let others = others.iter_mut();
            others.fold(tallies, |sum, block| {
                sum + step.tick(block.id, &mut block.hosts[0])
            })
        }
        (Way::Backwards, blocks) => {
            let blocks = blocks.iter_mut().rev();
            blocks.fold(Tally::default(), |sum, block| {
                sum + step.tick(block.id, &mut block.hosts[0])
            })
        }
        (Way::InParallel, blocks) => blocks.iter_mut().fold(Tally::default(), |sum, block| {
            sum + step.tick_in_parallel(block.id, &mut block.hosts)
        }),
        (_, blocks) => blocks.iter_mut().fold(Tally::default(), |sum, block| {
            sum + step.tick(block.id, &mut block.hosts[0])
        }),
    };
    (tally, step.end())
}

/// The cases of some seeds in which agents share something, or talk to one another. The readings of sensors, the
/// candidates of a `find`, and the decisions of a host's own nodes depend on the place of the agent, which differs in a
/// society; so they are left out. So are keys with the handles of others.
fn cases() -> impl Iterator<Item = (u64, Case, Arc<Program>)> {
    // Handles differ, too.
    let seeds = (0..super::cases(240, 70)).filter(|seed| profile_of_seed(*seed).handles == 0);
    seeds.filter_map(|seed| {
        let agents = [2, 5, 64, 65, 130, 1_000][seed as usize % 6];
        let mut case = case_of_seed(seed, agents, 12);
        case.readings.fill(None);
        let behaviour = case.behaviour().expect("a case's parts fit together");
        let is_shared = behaviour.keys().iter().any(|key| key.scope != Scope::Agent)
            || behaviour
                .semaphores()
                .iter()
                .any(|one| one.scope != Scope::Agent);
        let emitted = behaviour.nodes().iter().filter_map(|node| match node.kind {
            Kind::Emit {
                leaf, to: Some(_), ..
            } => Some(behaviour.leaf(leaf)),
            _ => None,
        });
        let emitted: Vec<&Leaf> = emitted.collect();
        let is_awaited =
            |node: &PlacedNode| matches!(node.kind, Kind::Received { .. } | Kind::Machine(_));
        let listens = behaviour.nodes().iter().any(is_awaited);
        let talks = !emitted.is_empty() && listens;
        let is_own = |kind| matches!(kind, LeafKind::Composite { .. } | LeafKind::Decorator);
        let lists = |node: &PlacedNode| matches!(node.kind, Kind::Find(_));
        if behaviour.nodes().iter().any(lists) {
            return None;
        }
        // An enumeration in a value of any type reaches other populations as a text.
        if behaviour.keys().iter().any(|key| key.mates) {
            return None;
        }
        let is_any = |leaf: &Leaf| leaf.params.iter().any(|param| param.ty == Type::Any);
        let mut keys = behaviour.keys().iter();
        if emitted.into_iter().any(is_any)
            || keys.any(|key| key.scope != Scope::Agent && key.ty == Type::Any)
        {
            return None;
        }
        let mut leaves = behaviour.nodes().iter().filter_map(|node| node.kind.leaf());
        let has_own = leaves.any(|leaf| is_own(behaviour.leaf(leaf).kind));
        let program = Arc::new(Program::new(behaviour));
        ((is_shared || talks) && !has_own && case.agents > 1).then_some((seed, case, program))
    })
}

#[test]
fn it_does_not_matter_how_agents_are_divided() {
    let mut tried = 0;
    for (seed, case, program) in cases() {
        let together = play_together(&case, &program);
        let agents = case.agents;
        let halves = [agents / 2, agents];
        let parts = [agents / 3, agents / 2, agents];
        let ways = [
            (&halves[..], Way::InOrder),
            (&parts[..], Way::InOrder),
            (&parts[..], Way::Backwards),
            (&halves[..], Way::OnThreads),
            (&parts[..], Way::InParallel),
        ];
        for (ends, way) in ways {
            let divided = play_divided(&case, &program, ends, way);
            for (tick, (divided, together)) in (1..).zip(divided.iter().zip(&together)) {
                let keys = divided.1.iter().zip(&together.1).enumerate();
                let other = keys.filter(|(_, (divided, together))| divided != together);
                let other: Vec<_> = other.take(5).collect();
                let tallies = (divided.0, together.0);
                assert!(
                    other.is_empty() && tallies.0 == tallies.1,
                    "seed {seed}, {agents} agents divided at {ends:?}, {way:?}, tick {tick}: \
                     {tallies:?}, of {} keys: {other:?}",
                    program.behaviour().keys().len()
                );
                // What is lost in a tick and in an abort before it counts once.
                assert_eq!(
                    divided.2, together.2,
                    "seed {seed}, divided at {ends:?}, {way:?}, tick {tick}"
                );
            }
        }
        tried += 1;
    }
    assert!(tried >= 20, "{tried} cases in which agents share something");
}

/// A population of one document with a scripted host, in which everything runs at once.
fn joined(
    society: &mut Society,
    name: &str,
    text: &str,
    agents: usize,
) -> Result<(PopulationId, Scripted), JoinError> {
    let document = treemind_doc::Document::read(text.as_bytes(), name);
    let behaviour = document.behaviour(None).expect("it has no errors");
    let host = Scripted::new(&behaviour, agents);
    let population = Population::new(Arc::new(Program::new(behaviour)), agents);
    society.join(name, population).map(|id| (id, host))
}

fn admitted(
    society: &mut Society,
    name: &str,
    text: &str,
    agents: usize,
) -> (PopulationId, Scripted) {
    joined(society, name, text, agents).expect("it may join")
}

const TICK: Duration = Duration::from_millis(100);

fn value(society: &Society, id: PopulationId, agent: usize, key: &str) -> String {
    let population = society.population(id);
    let behaviour = population.program().behaviour();
    let key = behaviour.key_id(key).expect("there is this key");
    behaviour.display_held(population.held(agent, key))
}

const ALARM: &str = "blackboard scope=world {
    key alarm type=bool
    key mood type=enum { value calm angry; }
    key said type=any default=0
    key posts type=string list=3
}\n";

/// A guard raises the alarm in its second tick; a medic, with keys in another order, sees it in the tick after.
#[test]
fn programs_share_keys_by_name() {
    let mut society = Society::new();
    let guard = format!(
        "{ALARM} blackboard {{ key ticks type=int; }}
        tree guard {{ sequence {{
            set \"ticks += 1\"
            check \"ticks == 2\"
            set \"alarm = true; mood = angry; said = mood\"
        }}; }}"
    );
    let medic = "blackboard scope=world {
        key posts type=string list=3
        key said type=any default=0
        key mood type=enum { value calm angry; }
        key alarm type=bool
    }
    blackboard { key seen type=int; key told type=int; }
    tree medic { parallel success=all failure=all repeat-finished=#true {
        sequence { check \"alarm && mood == angry\"; set \"seen += 1\"; }
        sequence { changed alarm; set \"told += 1\"; }
    }; }";
    // The medic joins first, and is ticked last.
    let (medics, mut medic_host) = admitted(&mut society, "medic", medic, 2);
    let (guards, mut guard_host) = admitted(&mut society, "guard", &guard, 1);
    let mut seen = Vec::new();
    for _ in 1..=4 {
        let mut step = society.step(TICK);
        step.tick(guards, &mut guard_host);
        step.tick(medics, &mut medic_host);
        step.end();
        seen.push(
            [
                value(&society, medics, 1, "seen"),
                value(&society, medics, 1, "told"),
            ]
            .join(" "),
        );
    }
    assert_eq!(seen, ["0 0", "0 0", "1 1", "2 1"]);
    let posts = society
        .population(guards)
        .program()
        .behaviour()
        .key_id("posts");
    let mut guard = society.population_mut(guards);
    let mut list = guard.shared_list_mut(posts.expect("there is this key"), 0);
    let list = list.as_mut().expect("it is a list");
    list.push(Value::Text("gate".into()))
        .expect("there is room");
    drop(guard);
    assert_eq!(value(&society, medics, 0, "posts"), "['gate']");
    // In an `any`, another program knows the value of an enumeration by its name.
    assert_eq!(value(&society, guards, 0, "said"), "calm");
    let said = society
        .population(medics)
        .program()
        .behaviour()
        .key_id("said");
    let said = society
        .population(medics)
        .get(0, said.expect("there is this key"));
    assert_eq!(said, Value::Text("calm".into()));
}

#[test]
fn what_is_shared_has_to_agree() {
    let mut society = Society::new();
    let one = "blackboard scope=world { key alarm type=bool; key ammo type=int default=3; }
        blackboard { key mine type=int; }
        tree a { semaphore stage max=1 scope=world { set \"mine = ammo\"; }; }";
    let other = "blackboard scope=world { key ammo type=int default=4; }
        blackboard scope=group { key alarm type=int; }
        blackboard { key mine type=bool; }
        tree b { semaphore stage max=2 scope=world { set \"mine = ammo > alarm\"; }; }";
    admitted(&mut society, "one", one, 1);
    let error = joined(&mut society, "other", other, 1).expect_err("they disagree");
    assert_eq!(
        error.to_string(),
        "`other` cannot join: \
         key `alarm` is `scope=world type=bool default=false` in `one` (one:1:30) and \
         `scope=group type=int default=0` in `other` (other:2:38); \
         key `ammo` is `scope=world type=int default=3` in `one` (one:1:51) and \
         `scope=world type=int default=4` in `other` (other:1:30); \
         semaphore `stage` is `scope=world max=1` in `one` (one:3:28) and \
         `scope=world max=2` in `other` (other:4:28)"
    );
    assert_eq!(society.ids().count(), 1);
    assert_eq!(error.population.len(), 1);
}

/// An event that crosses programs has the same parameters in all of them; others may differ.
#[test]
fn events_that_are_sent_have_to_agree() {
    let sender = |to: &str| {
        format!(
            "leaves {{ event noise {{ param volume type=float; }}; }}
            tree a {{ emit noise volume=1.0 {to}; }}"
        )
    };
    let other = "leaves { event noise { param volume type=int; param from type=entity; }; }
        tree b { emit noise volume=2 from=3; }";
    let mut society = Society::new();
    admitted(&mut society, "other", other, 1);
    admitted(&mut society, "quiet", &sender(""), 1);
    let error = joined(&mut society, "loud", &sender("to=world"), 1).expect_err("they disagree");
    assert_eq!(
        error.to_string(),
        "`loud` cannot join: event `noise` is `volume type=int, from type=entity` in `other` and \
         `volume type=float` in `loud` (loud:1:16)"
    );
}

/// One stage for two programs: whoever has waited longest is given it, and then whoever joined first.
#[test]
fn programs_take_places_in_turn() {
    let mut society = Society::new();
    let actor = "blackboard { key turns type=int; }
        tree actor { semaphore stage max=1 scope=world wait=#true {
            sequence { set \"turns += 1\"; wait 0.1; }
        }; }";
    let singer = actor.replace("tree actor", "tree singer");
    let mut members = [
        admitted(&mut society, "actor", actor, 1),
        admitted(&mut society, "singer", &singer, 2),
    ];
    let mut turns = Vec::new();
    for _ in 1..=9 {
        let mut step = society.step(TICK);
        for (id, host) in members.iter_mut().rev() {
            step.tick(*id, host);
        }
        drop(step);
        let [(actors, _), (singers, _)] = &members;
        let of = |id, agent| value(&society, id, agent, "turns");
        turns.push([of(*actors, 0), of(*singers, 0), of(*singers, 1)].join(" "));
    }
    assert_eq!(
        turns,
        [
            "0 0 0", "1 0 0", "1 0 0", "1 1 0", "1 1 0", "1 1 1", "1 1 1", "2 1 1", "2 1 1"
        ]
    );
    // The actor leaves the stage together with the society.
    let mut step = society.step(TICK);
    for (id, host) in &mut members {
        step.tick(*id, host);
    }
    step.end();
    let actors = society.leave(members[0].0);
    assert_eq!(actors.len(), 1);
    let mut step = society.step(TICK);
    step.tick(members[1].0, &mut members[1].1);
    step.end();
    assert_eq!(value(&society, members[1].0, 0, "turns"), "2");
}

/// A population that is not ticked stands still; what others write is there when it goes on.
#[test]
fn a_population_may_pause() {
    let mut society = Society::new();
    let clock = "blackboard scope=world { key hour type=int; }; tree clock { set \"hour += 1\"; }";
    let bell = "blackboard scope=world { key hour type=int; }; blackboard { key rung type=int; };
        tree bell { sequence { wait 0.1; changed hour; set \"rung += hour\"; }; }";
    let (clock, mut clock_host) = admitted(&mut society, "clock", clock, 1);
    let (bell, mut bell_host) = admitted(&mut society, "bell", bell, 1);
    for number in 1..=6 {
        let mut step = society.step(TICK);
        step.tick(clock, &mut clock_host);
        if number % 3 == 0 {
            step.tick(bell, &mut bell_host);
        }
    }
    assert_eq!(society.steps(), 6);
    assert_eq!(society.population(bell).ticks(), 2);
    assert_eq!(value(&society, bell, 0, "rung"), "5");
    // A step that is forgotten ends when the next one begins.
    let mut step = society.step(TICK);
    step.tick(clock, &mut clock_host);
    std::mem::forget(step);
    assert_eq!(value(&society, bell, 0, "hour"), "6");
    society.step(TICK).end();
    assert_eq!(value(&society, bell, 0, "hour"), "7");
}

/// Groups are numbered for all; values of groups that a newcomer brings along are known to all.
#[test]
fn groups_are_common_to_all() {
    let mut society = Society::new();
    let text =
        "blackboard scope=group { key flag type=int default=1; }; tree t { set \"flag += 1\"; }";
    let (first, _) = admitted(&mut society, "first", text, 2);
    society.population_mut(first).set_group(1, 1);
    let document = treemind_doc::Document::read(text.as_bytes(), "second");
    let program = Arc::new(Program::new(
        document.behaviour(None).expect("it has no errors"),
    ));
    let mut population = Population::new(Arc::clone(&program), 3);
    let flag = program
        .behaviour()
        .key_id("flag")
        .expect("there is this key");
    for group in 1..3 {
        population.set_group(group as usize, group);
        let set = population.set_shared(flag, group, Value::Int(10 * i64::from(group)));
        set.expect("it is an int");
    }
    let second = society.join("second", population).expect("they agree");
    assert_eq!(society.groups(), 3);
    // Of group 1, the society knew the value; of group 2 it did not.
    let seen = |id, group| society.population(id).shared(flag, group);
    for id in [first, second] {
        assert_eq!(
            [0, 1, 2].map(|group| seen(id, group)),
            [1, 1, 20].map(Value::Int)
        );
    }
}

//! Random scripts for agents, and what happens to a population between its ticks.

use super::{ExprMaker, Profile, random_parts};
use crate::random::Random;
use crate::reference::Cell;
use std::time::Duration;
use treemind_core::behaviour::{Form, LeafKind, Life, Parts, Scope};
use treemind_core::host::Order;
use treemind_core::{Behaviour, BehaviourError, KeyId, LeafId, Node, NodeId, Status, Value};

/// The answers of one agent: by label, one per call, the last one repeats.
pub type AgentScript = Vec<(String, Vec<Status>)>;

/// When a scripted leaf writes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before it answers.
    Answer,
    /// When a run starts.
    Start,
    /// When a run stops.
    Stop,
}

/// A leaf of the host that writes a key: the values in turn, again and again, counted for each agent.
#[derive(Clone, Debug)]
pub struct Write {
    /// The label of the nodes that write.
    pub label: String,
    /// The moment of the write.
    pub moment: Moment,
    /// The key.
    pub key: KeyId,
    /// The values, of the key's type and form; not empty.
    pub values: Vec<Cell>,
    /// Whether the items of lists are added to the existing ones.
    pub adds: bool,
}

/// What happens to a population between two ticks.
#[derive(Clone, Debug)]
pub enum Op {
    /// One agent is aborted.
    Abort(usize),
    /// All agents are aborted.
    AbortAll,
    /// An agent's key is written from outside; a shared key for all agents that share it.
    Set(usize, KeyId, Cell),
    /// An agent is moved to a group.
    Group(usize, u32),
    /// An agent leaves.
    Remove(usize),
    /// An agent joins.
    Spawn,
    /// The host reports, for some agents, that the actions with a label are finished, if it reports on them.
    /// [`report_of`] the salt says for which agents, and with which result.
    Finish(String, u64),
    /// An event with these values is sent to the machines of an agent.
    Tell(usize, LeafId, Vec<Value>),
    /// An event with these values is sent to all agents of a group, or to all.
    TellMany(Option<u32>, LeafId, Vec<Value>),
    /// Has an agent ticked in every so many ticks only.
    Interval(usize, u32),
}

/// Whether an [`Op::Finish`] with this salt applies to the agent at a place, and whether it reports success.
pub fn report_of(salt: u64, place: usize) -> Option<bool> {
    let mut random = Random::new(salt.wrapping_add(place as u64));
    random.percent(50).then(|| random.percent(65))
}

impl Op {
    /// The place of the agent that it is about, if it is about one agent.
    pub fn place(&self) -> Option<usize> {
        match self {
            Op::Abort(place)
            | Op::Set(place, _, _)
            | Op::Group(place, _)
            | Op::Tell(place, _, _)
            | Op::Interval(place, _)
            | Op::Remove(place) => Some(*place),
            Op::AbortAll | Op::Spawn | Op::Finish(..) | Op::TellMany(..) => None,
        }
    }
}

/// One tick, with what happens before it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens before the tick, in order. Operations on an agent that does not exist are ignored.
    pub ops: Vec<Op>,
    /// How far the clock advances.
    pub dt: Duration,
    /// How many agents may be ticked at most.
    pub budget: Option<usize>,
}

/// Everything that a comparison needs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The behaviour.
    pub parts: Parts,
    /// How often the loops of an agent may go back in one tick, if not the default.
    pub max_turns: Option<u32>,
    /// In every how many ticks agents are ticked at first.
    pub interval: u32,
    /// The number of agents at the beginning.
    pub agents: usize,
    /// The population's seed.
    pub seed: u64,
    /// Whether agents are ticked side by side.
    pub order: Order,
    /// Per place of an agent, the answers of its leaves; as many places as there may ever be agents.
    pub scripts: Vec<AgentScript>,
    /// What leaves write.
    pub writes: Vec<Write>,
    /// Per key, the readings of its sensor, if it has one. The sum of the tick and the place of the agent is the
    /// number of the reading, in a cycle; `None` stands for no value.
    pub readings: Vec<Option<Vec<Option<Cell>>>>,
    /// The ticks.
    pub steps: Vec<Step>,
}

impl Case {
    /// The behaviour made of its parts.
    ///
    /// # Errors
    /// As [`Behaviour::new`].
    pub fn behaviour(&self) -> Result<Behaviour, BehaviourError> {
        let behaviour = Behaviour::new(self.parts.clone())?.with_interval(self.interval);
        Ok(match self.max_turns {
            Some(max_turns) => behaviour.with_max_turns(max_turns),
            None => behaviour,
        })
    }
}

/// A random case with this many agents and ticks.
pub fn random_case(seed: u64, profile: Profile, agents: usize, ticks: usize) -> Case {
    let mut random = Random::new(seed);
    let parts = random_parts(&mut random, profile);
    with_parts(parts, profile, (seed, &mut random), agents, ticks)
}

/// The same with a generator that is led by bytes.
pub fn case_led_by(bytes: &[u8], profile: Profile, agents: usize, ticks: usize) -> Case {
    let mut random = Random::led_by(bytes);
    let parts = random_parts(&mut random, profile);
    let seed = random.bits();
    with_parts(parts, profile, (seed, &mut random), agents, ticks)
}

/// A random case with a given behaviour.
pub fn case_of(behaviour: &Behaviour, seed: u64, agents: usize, ticks: usize) -> Case {
    let mut random = Random::new(seed);
    let profile = Profile {
        machines: 1,
        ..Profile::without_faults(&mut random)
    };
    let parts = parts_of(behaviour);
    with_parts(parts, profile, (seed, &mut random), agents, ticks)
}

/// What a behaviour is built from.
fn parts_of(behaviour: &Behaviour) -> Parts {
    fn node(behaviour: &Behaviour, id: NodeId) -> Node {
        let placed = behaviour.node(id);
        let children = placed.children.iter();
        Node {
            kind: placed.kind.clone(),
            name: placed.name.clone(),
            doc: placed.doc.clone(),
            guards: placed.guards.clone(),
            hooks: placed.hooks.clone(),
            written: placed.written.clone(),
            children: children.map(|child| node(behaviour, *child)).collect(),
        }
    }
    Parts {
        name: behaviour.name().to_owned(),
        enums: behaviour.enums().to_vec(),
        keys: behaviour.keys().to_vec(),
        leaves: behaviour.leaves().to_vec(),
        semaphores: behaviour.semaphores().to_vec(),
        labels: behaviour.labels().to_vec(),
        root: node(behaviour, behaviour.root()),
    }
}

fn with_parts(
    parts: Parts,
    profile: Profile,
    (seed, random): (u64, &mut Random),
    agents: usize,
    ticks: usize,
) -> Case {
    let labels = labels(&parts);
    let comes_and_goes = random.percent(25);
    let places = agents + if comes_and_goes { 8 } else { 0 };
    let scripts = (0..places)
        .map(|_| random_script(random, profile, &labels, ticks))
        .collect();
    let writes = random_writes(random, profile, &parts, &labels);
    let readings = random_readings(random, profile, &parts);
    let mut steps = random_steps(random, profile, &parts, places, comes_and_goes, ticks);
    add_reports(random, &labels, &mut steps);
    add_events(random, profile, &parts, places, &mut steps);
    let interval = add_intervals(seed, places, &mut steps);
    Case {
        parts,
        max_turns: max_turns(seed, profile),
        interval,
        agents,
        seed: random.bits(),
        order: if random.percent(20) {
            Order::Sequential
        } else {
            Order::Independent
        },
        scripts,
        writes,
        readings,
        steps,
    }
}

/// Often a small limit where loops spin, sometimes one elsewhere. Drawn from a separate generator, so that seeds
/// keep their trees.
fn max_turns(seed: u64, profile: Profile) -> Option<u32> {
    let mut random = Random::new(!seed);
    let is_small = random.percent(if profile.spins { 40 } else { 15 });
    is_small.then(|| *random.pick(&[0, 1, 2, 5, 20]))
}

/// Sometimes gives agents intervals, at first or between ticks, and ticks budgets; returns what they have at first. Drawn from a separate
/// generator, so that seeds keep their trees.
fn add_intervals(seed: u64, places: usize, steps: &mut [Step]) -> u32 {
    let mut random = Random::new(seed ^ 0x1E_4E_11);
    if random.percent(70) {
        return 1;
    }
    let interval = |random: &mut Random| *random.pick(&[1, 2, 3, 4, 7]);
    let most = if random.percent(50) { places } else { 2 };
    let has_budgets = random.percent(40);
    for step in steps {
        let is_limited = has_budgets && random.percent(60);
        step.budget = is_limited.then(|| random.below(places + 1));
        for _ in 0..if random.percent(30) {
            random.below(most + 1)
        } else {
            0
        } {
            let place = random.below(places);
            let ticks = interval(&mut random);
            step.ops.push(Op::Interval(place, ticks));
        }
    }
    if random.percent(40) {
        interval(&mut random)
    } else {
        1
    }
}

/// The labels of the host's leaves, each once, with the kind of the first leaf that has it.
fn labels(parts: &Parts) -> Vec<(String, LeafKind)> {
    let mut found: Vec<(String, LeafKind)> = Vec::new();
    let mut pending: Vec<&Node> = vec![&parts.root];
    while let Some(node) = pending.pop() {
        pending.extend(&node.children);
        let Some(leaf) = node.kind.leaf() else {
            continue;
        };
        let leaf = &parts.leaves[leaf.index()];
        if leaf.kind == LeafKind::Event {
            continue;
        }
        let label = node.name.as_ref().unwrap_or(&leaf.name);
        if found.iter().all(|(known, _)| known != label) {
            found.push((label.clone(), leaf.kind));
        }
    }
    found
}

fn random_script(
    random: &mut Random,
    profile: Profile,
    labels: &[(String, LeafKind)],
    ticks: usize,
) -> AgentScript {
    let longest = 24.max(ticks / 2);
    let mut script = AgentScript::new();
    for (label, kind) in labels {
        if random.percent(4) {
            continue;
        }
        let is_condition = *kind == LeafKind::Condition;
        let running = if is_condition {
            profile.waiting_conditions
        } else {
            profile.runs
        };
        let rest = 100 - running;
        let good = if is_condition { 75 } else { 60 };
        let weights = [
            rest * good / 100,
            rest * (100 - good) / 100,
            running,
            profile.skips,
        ];
        let all = [
            Status::Success,
            Status::Failure,
            Status::Running,
            Status::Skipped,
        ];
        let shortest = if random.percent(25) { 1 } else { 12 };
        let length = random.between(shortest, longest);
        let answers = (0..length).map(|_| all[random.weighted(&weights)]);
        script.push((label.clone(), answers.collect()));
    }
    script
}

fn random_writes(
    random: &mut Random,
    profile: Profile,
    parts: &Parts,
    labels: &[(String, LeafKind)],
) -> Vec<Write> {
    if labels.is_empty() || parts.keys.is_empty() || random.percent(60) {
        return Vec::new();
    }
    let number = random.between(1, 4);
    (0..number)
        .map(|_| {
            let place = written_key(random, parts);
            let moments = [Moment::Answer, Moment::Answer, Moment::Start, Moment::Stop];
            Write {
                label: random.pick(labels).0.clone(),
                moment: *random.pick(&moments),
                key: KeyId::new(place),
                values: (0..random.between(1, 4))
                    .map(|_| random_cell(random, profile, parts, place))
                    .collect(),
                adds: random.percent(60),
            }
        })
        .collect()
}

/// Any key; shared lists more often, because writes of several agents to them are the most interesting.
fn written_key(random: &mut Random, parts: &Parts) -> usize {
    let is_shared_list = |place: &usize| {
        let key = &parts.keys[*place];
        key.form.is_list() && key.scope != Scope::Agent
    };
    let lists: Vec<usize> = (0..parts.keys.len()).filter(is_shared_list).collect();
    if !lists.is_empty() && random.percent(40) {
        return *random.pick(&lists);
    }
    random.below(parts.keys.len())
}

/// Adds reports of the host on the actions that it reports on; rarely on others, for which a report makes no sense.
fn add_reports(random: &mut Random, labels: &[(String, LeafKind)], steps: &mut [Step]) {
    let life = Life::Reported;
    let is_reported = |(_, kind): &&(String, LeafKind)| *kind == LeafKind::Action { life };
    let reported: Vec<&String> = labels
        .iter()
        .filter(is_reported)
        .map(|(label, _)| label)
        .collect();
    let all: Vec<&String> = labels.iter().map(|(label, _)| label).collect();
    for step in steps {
        if !reported.is_empty() && random.percent(45) {
            let label = (*random.pick(&reported)).clone();
            step.ops.push(Op::Finish(label, random.bits()));
        }
        if !all.is_empty() && random.percent(1) {
            let label = (*random.pick(&all)).clone();
            step.ops.push(Op::Finish(label, random.bits()));
        }
    }
}

/// Adds events for machines and mailboxes, now and then more than they can store.
fn add_events(
    random: &mut Random,
    profile: Profile,
    parts: &Parts,
    places: usize,
    steps: &mut [Step],
) {
    let leaves = (0..parts.leaves.len()).filter(|leaf| parts.leaves[*leaf].kind == LeafKind::Event);
    let events: Vec<usize> = leaves.collect();
    let has_mailbox = parts.keys.iter().any(|key| key.heard.is_some());
    let listens = profile.machines > 0 || has_mailbox;
    if events.is_empty() || !listens || random.percent(30) {
        return;
    }
    for step in steps {
        let number = match random.weighted(&[50, 30, 15, 5]) {
            3 => random.between(15, 20),
            number => number,
        };
        let place = random.below(places);
        for _ in 0..number {
            let event = *random.pick(&events);
            let mut maker = ExprMaker {
                random,
                profile,
                enums: &parts.enums,
                keys: &parts.keys,
                may_draw: false,
            };
            let params = parts.leaves[event].params.iter();
            let values = params.map(|param| maker.value(param.ty)).collect();
            let (event, random) = (LeafId::new(event), &mut *maker.random);
            step.ops.push(match random.percent(80) {
                true => Op::Tell(place, event, values),
                false => {
                    let group = random.percent(70).then(|| random.below(4) as u32);
                    Op::TellMany(group, event, values)
                }
            });
        }
    }
}

fn random_readings(
    random: &mut Random,
    profile: Profile,
    parts: &Parts,
) -> Vec<Option<Vec<Option<Cell>>>> {
    let mut all = Vec::with_capacity(parts.keys.len());
    for (place, key) in parts.keys.iter().enumerate() {
        let number = random.between(1, 5);
        let readings = key.sensed.as_ref().map(|_| {
            let each = (0..number).map(|_| {
                let cell = random_cell(random, profile, parts, place);
                (!random.percent(10)).then_some(cell)
            });
            each.collect()
        });
        all.push(readings);
    }
    all
}

fn random_cell(random: &mut Random, profile: Profile, parts: &Parts, place: usize) -> Cell {
    let mut maker = ExprMaker {
        random,
        profile,
        enums: &parts.enums,
        keys: &parts.keys,
        may_draw: false,
    };
    let key = &parts.keys[place];
    match key.form {
        Form::Optional { .. } if maker.random.percent(40) => Cell::Unset,
        Form::One | Form::Optional { .. } => Cell::One(maker.value(key.ty)),
        Form::List { bound, .. } => {
            let items = maker.random.between(0, bound.min(40) as usize);
            Cell::List((0..items).map(|_| maker.value(key.ty)).collect())
        }
    }
}

fn random_steps(
    random: &mut Random,
    profile: Profile,
    parts: &Parts,
    places: usize,
    comes_and_goes: bool,
    ticks: usize,
) -> Vec<Step> {
    let dt_ms = [0, 50, 100, 100, 100, 250, 1_000];
    let varies = random.percent(50);
    let meddles = random.percent(50);
    let is_shared = |scope: Scope| scope != Scope::Agent;
    let shares = random.percent(50)
        && (parts.keys.iter().any(|key| is_shared(key.scope))
            || parts.semaphores.iter().any(|of| is_shared(of.scope)));
    let mut steps = Vec::with_capacity(ticks);
    for _ in 0..ticks {
        let mut ops = Vec::new();
        for _ in 0..1 + places / 60 {
            if random.percent(12) {
                ops.push(Op::Abort(random.below(places)));
            }
            if meddles && !parts.keys.is_empty() && random.percent(12) {
                let place = random.below(parts.keys.len());
                let value = random_cell(random, profile, parts, place);
                ops.push(Op::Set(random.below(places), KeyId::new(place), value));
            }
            if shares && random.percent(20) {
                ops.push(Op::Group(random.below(places), random.below(4) as u32));
            }
            if comes_and_goes && random.percent(15) {
                let remove = Op::Remove(random.below(places));
                ops.push(if random.percent(50) {
                    remove
                } else {
                    Op::Spawn
                });
            }
        }
        if random.percent(3) {
            ops.push(Op::AbortAll);
        }
        let ms = if varies { *random.pick(&dt_ms) } else { 100 };
        let dt = Duration::from_millis(ms);
        steps.push(Step {
            ops,
            dt,
            budget: None,
        });
    }
    steps
}

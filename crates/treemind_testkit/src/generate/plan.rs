//! Random scripts for agents, and what happens to a population between its ticks.

use super::{ExprMaker, Profile, random_parts};
use crate::random::Random;
use std::time::Duration;
use treemind_core::behaviour::{LeafKind, Parts, Scope};
use treemind_core::host::Order;
use treemind_core::{KeyId, Kind, Node, Status, Value};

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

/// A leaf of the host's that writes a key: the values in turn, over and over, counted for each agent.
#[derive(Clone, Debug)]
pub struct Write {
    /// The label of the nodes that do so.
    pub label: String,
    /// When.
    pub moment: Moment,
    /// Which key.
    pub key: KeyId,
    /// What, of the key's type; not empty.
    pub values: Vec<Value>,
}

/// What happens to a population between two ticks.
#[derive(Clone, Debug)]
pub enum Op {
    /// One agent is aborted.
    Abort(usize),
    /// All are.
    AbortAll,
    /// One agent's key is written from outside; a shared one for all who share it.
    Set(usize, KeyId, Value),
    /// An agent is put into a group.
    Group(usize, u32),
    /// An agent leaves.
    Remove(usize),
    /// An agent joins.
    Spawn,
}

impl Op {
    /// The place of the agent that it concerns, if it is one agent.
    pub fn place(&self) -> Option<usize> {
        match self {
            Op::Abort(place) | Op::Set(place, _, _) | Op::Group(place, _) | Op::Remove(place) => {
                Some(*place)
            }
            Op::AbortAll | Op::Spawn => None,
        }
    }
}

/// One tick and what comes before it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens before the tick, in order. What concerns an agent that is not there is left out.
    pub ops: Vec<Op>,
    /// By how much the clock moves on.
    pub dt: Duration,
}

/// All that a comparison needs.
#[derive(Clone, Debug)]
pub struct Case {
    /// The behaviour.
    pub parts: Parts,
    /// How many agents there are in the beginning.
    pub agents: usize,
    /// The population's seed.
    pub seed: u64,
    /// Whether agents are ticked side by side.
    pub order: Order,
    /// Per place of an agent what its leaves answer; as many as there may ever be agents.
    pub scripts: Vec<AgentScript>,
    /// What leaves write.
    pub writes: Vec<Write>,
    /// Per key what its sensor has to say, if it has one: the value whose number is the sum of the tick and the place
    /// of the agent, around and around; `None` stands for nothing.
    pub readings: Vec<Option<Vec<Option<Value>>>>,
    /// The ticks.
    pub steps: Vec<Step>,
}

/// A random case with so many agents and ticks.
pub fn random_case(seed: u64, profile: Profile, agents: usize, ticks: usize) -> Case {
    let mut random = Random::new(seed);
    let parts = random_parts(&mut random, profile);
    let labels = labels(&parts);
    let comes_and_goes = random.percent(25);
    let places = agents + if comes_and_goes { 8 } else { 0 };
    let scripts = (0..places)
        .map(|_| random_script(&mut random, profile, &labels, ticks))
        .collect();
    let writes = random_writes(&mut random, profile, &parts, &labels);
    let readings = random_readings(&mut random, profile, &parts);
    let steps = random_steps(&mut random, profile, &parts, places, comes_and_goes, ticks);
    Case {
        parts,
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

/// The labels of the host's leaves, each once, and whether they belong to a condition.
fn labels(parts: &Parts) -> Vec<(String, bool)> {
    let mut found: Vec<(String, bool)> = Vec::new();
    let mut pending: Vec<&Node> = vec![&parts.root];
    while let Some(node) = pending.pop() {
        pending.extend(&node.children);
        let (Kind::Condition { leaf, .. } | Kind::Action { leaf, .. }) = node.kind else {
            continue;
        };
        let leaf = &parts.leaves[leaf.index()];
        let label = node.name.as_ref().unwrap_or(&leaf.name);
        if found.iter().all(|(known, _)| known != label) {
            found.push((label.clone(), leaf.kind == LeafKind::Condition));
        }
    }
    found
}

fn random_script(
    random: &mut Random,
    profile: Profile,
    labels: &[(String, bool)],
    ticks: usize,
) -> AgentScript {
    let longest = 24.max(ticks / 2);
    let mut script = AgentScript::new();
    for (label, is_condition) in labels {
        if random.percent(4) {
            continue;
        }
        let running = if *is_condition {
            profile.waiting_conditions
        } else {
            profile.runs
        };
        let rest = 100 - running;
        let good = if *is_condition { 75 } else { 60 };
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
    labels: &[(String, bool)],
) -> Vec<Write> {
    if labels.is_empty() || random.percent(60) {
        return Vec::new();
    }
    let number = random.between(1, 4);
    (0..number)
        .map(|_| {
            let place = random.below(parts.keys.len());
            let moments = [Moment::Answer, Moment::Answer, Moment::Start, Moment::Stop];
            Write {
                label: random.pick(labels).0.clone(),
                moment: *random.pick(&moments),
                key: KeyId::new(place),
                values: (0..random.between(1, 4))
                    .map(|_| random_value(random, profile, parts, place))
                    .collect(),
            }
        })
        .collect()
}

fn random_readings(
    random: &mut Random,
    profile: Profile,
    parts: &Parts,
) -> Vec<Option<Vec<Option<Value>>>> {
    let mut all = Vec::with_capacity(parts.keys.len());
    for (place, key) in parts.keys.iter().enumerate() {
        let number = random.between(1, 5);
        let readings = key.sensed.as_ref().map(|_| {
            let each = (0..number).map(|_| {
                let value = random_value(random, profile, parts, place);
                (!random.percent(10)).then_some(value)
            });
            each.collect()
        });
        all.push(readings);
    }
    all
}

fn random_value(random: &mut Random, profile: Profile, parts: &Parts, place: usize) -> Value {
    let mut maker = ExprMaker {
        random,
        profile,
        enums: &parts.enums,
        keys: &parts.keys,
    };
    maker.value(parts.keys[place].ty)
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
    let shares = random.percent(50) && parts.keys.iter().any(|key| key.scope != Scope::Agent);
    let mut steps = Vec::with_capacity(ticks);
    for _ in 0..ticks {
        let mut ops = Vec::new();
        for _ in 0..1 + places / 60 {
            if random.percent(12) {
                ops.push(Op::Abort(random.below(places)));
            }
            if meddles && random.percent(12) {
                let place = random.below(parts.keys.len());
                let value = random_value(random, profile, parts, place);
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
        steps.push(Step { ops, dt });
    }
    steps
}

//! The leaves of a case: for the executor, as a host of all agents; for the reference, as the leaves of one.

use super::decider::Decider;
use super::{CallKind, Called};
use crate::generate::{Case, Moment, Write};
use crate::random::Random;
use crate::reference::{Cell, Keys, Leaves, Readings, Reference};
use crate::scripts::Scripts;
use std::collections::HashMap;
use treemind_core::host::{
    Answers, Call, Candidates, Host, Lanes, Move, Moves, Order, Pairs, Scripted, Told,
};
use treemind_core::{
    Behaviour, Board, Held, KeyId, Kind, LeafId, NodeId, Outcome, PushError, Status, Type, Value,
};

/// Core's scripted host, extended with services and own nodes, and with leaves and sensors that write keys.
#[derive(Clone, Debug)]
pub struct Meddler {
    scripted: Scripted,
    /// Per agent.
    deciders: Vec<Decider>,
    order: Order,
    writes: Vec<Write>,
    /// Per node, the writes that belong to it.
    of_node: Vec<Vec<usize>>,
    /// Per write and agent, how often it was done.
    counts: Vec<Vec<usize>>,
    /// Per node and agent, how often candidates were listed.
    listed: Vec<Vec<u64>>,
    /// Per key, the readings of its sensor.
    readings: Vec<Option<Vec<Option<Cell>>>>,
}

impl Meddler {
    /// The host of a case.
    pub fn new(case: &Case, behaviour: &Behaviour) -> Self {
        let places = case.scripts.len();
        let mut scripted = Scripted::new(behaviour, places);
        for (agent, script) in case.scripts.iter().enumerate() {
            for (label, answers) in script {
                scripted.set(agent, label, answers);
            }
        }
        Self {
            scripted,
            deciders: (0..places)
                .map(|place| Decider::new(behaviour, case.seed, place))
                .collect(),
            order: case.order,
            writes: case.writes.clone(),
            of_node: writes_of_nodes(&case.writes, behaviour),
            counts: vec![vec![0; places]; case.writes.len()],
            listed: vec![vec![0; places]; behaviour.nodes().len()],
            readings: case.readings.clone(),
        }
    }

    fn write(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moment: Moment) {
        for &index in &self.of_node[call.node().index()] {
            let write = &self.writes[index];
            if write.moment != moment {
                continue;
            }
            for agent in lanes {
                let count = &mut self.counts[index][agent];
                let value = &write.values[*count % write.values.len()];
                *count += 1;
                match value {
                    Cell::List(items) if write.adds => {
                        add_items(&mut call.board(), write.key, agent, items);
                    }
                    _ => write_cell(&mut call.board(), write.key, agent, value),
                }
            }
        }
    }
}

/// Makes a key of an agent hold a cell.
///
/// When the cell does not have the type and form of the key.
/// When it is not of the type and form of the key.
pub fn write_cell(board: &mut Board<'_>, key: KeyId, agent: usize, cell: &Cell) {
    match cell {
        Cell::One(value) => {
            let written = board.set(key, agent, *value);
            written.expect("a written value is of its key's type");
        }
        Cell::Unset => assert!(board.unset(key, agent), "only what is optional is unset"),
        Cell::List(items) => {
            let mut list = board.list_mut(key, agent).expect("the key is a list");
            list.clear();
            for item in items {
                list.push(*item).expect("an item fits the list");
            }
        }
    }
}

/// Adds items to a list of an agent, until the list is full.
fn add_items(board: &mut Board<'_>, key: KeyId, agent: usize, items: &[Value]) {
    let mut list = board.list_mut(key, agent).expect("the key is a list");
    for item in items {
        match list.push(*item) {
            Ok(()) | Err(PushError::Full) => {}
            Err(error) => panic!("an item fits the list: {error}"),
        }
    }
}

/// What a key of a population holds, in the reference's form.
#[warn(clippy::wildcard_enum_match_arm)]
pub fn cell_of(held: Held<'_>) -> Cell {
    match held {
        Held::One(value) => Cell::One(value),
        Held::Unset => Cell::Unset,
        Held::List(list) => Cell::List(list.iter().collect()),
        _ => treemind_core::unlisted(&held),
    }
}

/// Per node, the writes with the node's label.
fn writes_of_nodes(writes: &[Write], behaviour: &Behaviour) -> Vec<Vec<usize>> {
    behaviour
        .node_ids()
        .map(|id| {
            let label = behaviour.label(id);
            let fits = |index: &usize| writes[*index].label == label;
            (0..writes.len()).filter(fits).collect()
        })
        .collect()
}

impl Host for Meddler {
    fn order(&self) -> Order {
        self.order
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.write(call, lanes, Moment::Answer);
        self.scripted.ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.write(call, lanes, Moment::Start);
        self.scripted.start(call, lanes);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.write(call, lanes, Moment::Answer);
        self.scripted.update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.write(call, lanes, Moment::Stop);
        self.scripted.stop(call, lanes, outcome);
    }
    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.write(call, lanes, Moment::Answer);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        self.write(call, lanes, Moment::Answer);
        for agent in lanes {
            let told = moves.told(agent);
            let wanted = self.deciders[agent].decide(call.node(), call.children(), told);
            // Giving no answer means the same.
            if wanted != Move::Answer(Status::Running) || agent.is_multiple_of(2) {
                moves.set(agent, wanted);
            }
        }
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.write(call, lanes, Moment::Answer);
        for agent in lanes {
            let count = &mut self.listed[call.node().index()][agent];
            for candidate in some_candidates(candidates.ty(), agent, *count) {
                candidates.push(agent, candidate);
            }
            *count += 1;
        }
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        for pair in 0..pairs.len() {
            let number = some_number(call.leaf(), pairs.place(pair), pairs.args_of(pair));
            pairs.set(pair, number);
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        let Some(readings) = &self.readings[key.index()] else {
            return;
        };
        for agent in lanes {
            let place = (call.tick() + agent as u64) as usize % readings.len();
            if let Some(reading) = &readings[place] {
                write_cell(&mut call.board(), key, agent, reading);
            }
        }
    }
}

/// The candidates that an agent gets when it asks for the nth time: none, few, or more than most nodes take. Nothing is
/// allocated for them.
fn some_candidates(ty: Type, agent: usize, nth: u64) -> impl Iterator<Item = Value> {
    let mut random = Random::new(agent as u64 * 1_000 + nth);
    let number = [0, 1, 2, 3, 5, 9, 20][random.below(7)];
    (0..number).map(move |_| {
        let mut part = || [-1.5, 0.0, 0.25, 0.5, 1.0, 2.0, 7.0][random.below(7)];
        match ty {
            Type::Vec2 => Value::Vec2([part(), part()]),
            Type::Vec3 => Value::Vec3([part(), part(), part()]),
            _ => Value::Entity((part() * 4.0 + 8.0) as u64),
        }
    })
}

/// What is measured, given all arguments; now and then, it is no number.
fn some_number(leaf: LeafId, place: usize, args: &[Value]) -> f32 {
    let mut sum = (leaf.index() * 31 + place) as u32;
    let mut add = |bits: u64| {
        for half in [bits as u32, (bits >> 32) as u32] {
            sum = (sum ^ half).wrapping_mul(0x9e37_79b1).rotate_left(13);
        }
    };
    #[warn(clippy::wildcard_enum_match_arm)]
    for arg in args {
        match arg {
            Value::Bool(value) => add(u64::from(*value)),
            Value::Int(value) => add(*value as u64),
            Value::Float(value) => add(u64::from(value.to_bits())),
            Value::Double(value) => add(value.to_bits()),
            Value::Enum(_, value) => add(u64::from(*value)),
            Value::Entity(value) => add(*value),
            Value::Vec2(parts) => parts.iter().for_each(|part| add(part.to_bits().into())),
            Value::Vec3(parts) => parts.iter().for_each(|part| add(part.to_bits().into())),
            Value::Text(text) => add(text.as_str().len() as u64),
            _ => treemind_core::unlisted(arg),
        }
    }
    match sum % 13 {
        0 => f32::NAN,
        1 => f32::INFINITY,
        2 => -1.0,
        _ => (sum >> 8) as f32 / 0x0100_0000 as f32,
    }
}

/// The leaves of one agent of a case; records every call.
#[derive(Clone, Debug)]
pub struct ScriptedAgent {
    scripts: Scripts,
    decider: Decider,
    /// Per node, the number of its children.
    children: Vec<usize>,
    writes: Vec<Write>,
    of_node: Vec<Vec<usize>>,
    counts: Vec<usize>,
    place: usize,
    /// Per node, how often candidates were listed, and the type of its candidates.
    listed: HashMap<NodeId, u64>,
    types: Vec<Option<Type>>,
    calls: Vec<Called>,
}

impl ScriptedAgent {
    /// The leaves of the agent at a place.
    pub fn new(case: &Case, behaviour: &Behaviour, place: usize) -> Self {
        let mut scripts = Scripts::new(behaviour);
        for (label, answers) in &case.scripts[place] {
            scripts.set(label, answers);
        }
        let children = behaviour.nodes().iter().map(|node| node.children.len());
        Self {
            scripts,
            decider: Decider::new(behaviour, case.seed, place),
            children: children.collect(),
            writes: case.writes.clone(),
            of_node: writes_of_nodes(&case.writes, behaviour),
            counts: vec![0; case.writes.len()],
            place,
            listed: HashMap::new(),
            types: behaviour
                .nodes()
                .iter()
                .map(|node| match &node.kind {
                    Kind::Find(find) => Some(behaviour.key(find.item).ty),
                    _ => None,
                })
                .collect(),
            calls: Vec::new(),
        }
    }

    /// The calls since the last [`forget_calls`](Self::forget_calls).
    pub fn calls(&self) -> &[Called] {
        &self.calls
    }

    /// Forgets the calls.
    pub fn forget_calls(&mut self) {
        self.calls.clear();
    }

    fn write(&mut self, node: NodeId, keys: &mut Keys<'_>, moment: Moment) {
        for &index in &self.of_node[node.index()] {
            let write = &self.writes[index];
            if write.moment == moment {
                let value = &write.values[self.counts[index] % write.values.len()];
                match value {
                    Cell::List(items) if write.adds => {
                        for item in items {
                            keys.push(write.key, *item);
                        }
                    }
                    _ => keys.set(write.key, value.clone()),
                }
                self.counts[index] += 1;
            }
        }
    }

    fn note(&mut self, node: NodeId, args: &[Value], what: CallKind) {
        self.calls.push(Called {
            node,
            what,
            args: args.to_vec(),
            text: String::new(),
        });
    }
}

impl Leaves for ScriptedAgent {
    fn ask(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.write(node, keys, Moment::Answer);
        let answer = self.scripts.next(node);
        self.note(node, args, CallKind::Ask(answer));
        answer
    }

    fn start(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) {
        self.write(node, keys, Moment::Start);
        self.note(node, args, CallKind::Start);
    }

    fn update(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status {
        self.write(node, keys, Moment::Answer);
        let answer = self.scripts.next(node);
        self.note(node, args, CallKind::Update(answer));
        answer
    }

    fn stop(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>, outcome: Outcome) {
        self.write(node, keys, Moment::Stop);
        self.note(node, args, CallKind::Stop(outcome));
    }
    fn serve(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) {
        self.write(node, keys, Moment::Answer);
        self.note(node, args, CallKind::Serve);
    }

    fn decide(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>, told: Told) -> Move {
        self.write(node, keys, Moment::Answer);
        let wanted = self.decider.decide(node, self.children[node.index()], told);
        self.note(node, args, CallKind::Decide(told, wanted));
        wanted
    }

    fn candidates(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Vec<Value> {
        self.write(node, keys, Moment::Answer);
        self.note(node, args, CallKind::List);
        let ty = self.types[node.index()].expect("it is a `find`");
        let count = self.listed.entry(node).or_default();
        *count += 1;
        some_candidates(ty, self.place, *count - 1).collect()
    }

    fn measure(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        pairs: &[(usize, Vec<Value>)],
        _: &mut Keys<'_>,
    ) -> Vec<f32> {
        let mut numbers = Vec::new();
        for (place, args) in pairs {
            self.note(node, args, CallKind::Measure);
            numbers.push(some_number(leaf, *place, args));
        }
        numbers
    }

    fn log(&mut self, node: NodeId, text: String) {
        self.calls.push(Called {
            node,
            what: CallKind::Log,
            args: Vec::new(),
            text,
        });
    }

    fn event(&mut self, node: NodeId, args: &[Value]) {
        self.note(node, args, CallKind::Event);
    }
}

/// The agent of a case at a place, with the readings of its sensors; `id` is its stable id.
pub fn reference_of<'b>(
    case: &Case,
    behaviour: &'b Behaviour,
    place: usize,
    id: u64,
) -> Reference<'b> {
    // The first agent that lives at this index.
    let handle = (place as u64) << 24 | 1;
    let mut reference = Reference::new(behaviour, case.seed, id).with_handle(handle);
    for (index, readings) in case.readings.iter().enumerate() {
        if let Some(readings) = readings {
            let readings = Readings::ByTick(readings.clone(), place as u64);
            reference.set_readings(KeyId::new(index), readings);
        }
    }
    reference
}

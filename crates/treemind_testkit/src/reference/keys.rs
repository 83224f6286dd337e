//! The blackboard of one agent, and the nodes that use it.

use super::Reference;
use treemind_core::behaviour::{Form, Key, Scope};
use treemind_core::{Behaviour, Event, KeyId, Kind, NodeId, Value};

/// The content of a key of the agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A value.
    One(Value),
    /// No value.
    Unset,
    /// The items of a list.
    List(Vec<Value>),
}

impl Cell {
    /// The content of a key for a new agent.
    pub fn start(key: &Key) -> Self {
        match &key.form {
            Form::One | Form::Optional { starts_set: true } => Cell::One(key.default),
            Form::Optional { starts_set: false } => Cell::Unset,
            Form::List { items, .. } => Cell::List(items.clone()),
        }
    }
}

/// What an agent has written to a shared key in a tick.
#[derive(Clone, Debug)]
pub enum Staged {
    /// The new content, which may be no value.
    Whole(Cell),
    /// The changes to a list: whether it is emptied, and the items that are added.
    List {
        /// Whether it is emptied first.
        cleared: bool,
        /// The items that are added.
        added: Vec<Value>,
    },
}

impl Staged {
    /// The content of a key after the changes, if it held `before`, and whether anything was written.
    pub fn over(&self, before: &Cell, key: &Key) -> (Cell, bool) {
        let (cleared, added) = match self {
            Staged::Whole(cell) => return (cell.clone(), true),
            Staged::List { cleared, added } => (*cleared, added),
        };
        let mut items = match before {
            Cell::List(items) if !cleared => items.clone(),
            _ => Vec::new(),
        };
        let room = bound(key) - items.len();
        items.extend(added.iter().take(room));
        (Cell::List(items), cleared || room.min(added.len()) > 0)
    }
}

/// How many items a list can hold.
fn bound(key: &Key) -> usize {
    match key.form {
        Form::List { bound, .. } => bound as usize,
        Form::One | Form::Optional { .. } => 0,
    }
}

/// The content of all keys as one agent sees them.
#[derive(Clone, Debug)]
pub struct Keys<'b> {
    behaviour: &'b Behaviour,
    values: Vec<Cell>,
    /// What this agent has written to shared keys, for the end of the tick.
    staged: Vec<Option<Staged>>,
    /// Per node: whether its key was written since it last looked.
    written: Vec<bool>,
}

impl<'b> Keys<'b> {
    pub(super) fn new(behaviour: &'b Behaviour) -> Self {
        let values: Vec<Cell> = behaviour.keys().iter().map(Cell::start).collect();
        Self {
            behaviour,
            staged: vec![None; values.len()],
            written: vec![false; behaviour.nodes().len()],
            values,
        }
    }

    /// The content of the keys, in their order; shared keys as they were at the start of the tick.
    pub fn values(&self) -> &[Cell] {
        &self.values
    }

    /// Writes like nodes and leaves: a shared key gets its value at the end of the tick.
    pub fn set(&mut self, key: KeyId, value: Cell) {
        match self.behaviour.key(key).scope {
            Scope::Agent => self.write(key, value),
            Scope::Group | Scope::World => {
                self.staged[key.index()] = Some(match value {
                    Cell::List(added) => Staged::List {
                        cleared: true,
                        added,
                    },
                    Cell::One(_) | Cell::Unset => Staged::Whole(value),
                });
            }
        }
    }

    /// Adds an item to a list like leaves do; to a shared list at the end of the tick. Nothing happens when the
    /// list is full; a shared list counts as full for an agent that has itself added as many items as the list can
    /// hold.
    ///
    /// # Panics
    /// When the key is not a list.
    pub fn push(&mut self, key: KeyId, item: Value) {
        let declared = self.behaviour.key(key);
        let bound = bound(declared);
        if declared.scope == Scope::Agent {
            let Cell::List(items) = &mut self.values[key.index()] else {
                panic!("the key is no list");
            };
            if items.len() < bound {
                items.push(item);
                self.tell(key, true);
            }
            return;
        }
        let nothing = Staged::List {
            cleared: false,
            added: Vec::new(),
        };
        if let Staged::List { added, .. } = self.staged[key.index()].get_or_insert(nothing)
            && added.len() < bound
        {
            added.push(item);
        }
    }

    /// Removes the content of a key.
    pub(super) fn unset(&mut self, key: KeyId) {
        let nothing = match self.values[key.index()] {
            Cell::List(_) => Cell::List(Vec::new()),
            Cell::One(_) | Cell::Unset => Cell::Unset,
        };
        self.set(key, nothing);
    }

    /// Writes at once.
    fn write(&mut self, key: KeyId, value: Cell) {
        self.values[key.index()] = value;
        self.tell(key, true);
    }

    /// Informs every node that looks at the key.
    fn tell(&mut self, key: KeyId, is_written: bool) {
        for id in self.behaviour.node_ids() {
            if let Kind::Changed { key: of } | Kind::OnChange { key: of, .. } =
                self.behaviour.node(id).kind
                && of == key
            {
                self.written[id.index()] = is_written;
            }
        }
    }
}

/// The readings of a sensor; `None` stands for a sensor that writes nothing.
#[derive(Clone, Debug)]
pub enum Readings {
    /// One reading each time that it is asked; the last one repeats.
    InTurn(Vec<Option<Cell>>),
    /// The sum of the tick and the shift is the number of the reading, in a cycle.
    ByTick(Vec<Option<Cell>>, u64),
}

/// The state of one sensed key.
#[derive(Clone, Debug, Default)]
pub(super) struct Sensing {
    readings: Option<Readings>,
    /// How often it was computed.
    times: usize,
    /// The tick in which it was last computed.
    tick: Option<u64>,
    /// The clock from which on it is computed again, if it has an interval.
    next_ns: u128,
}

impl Reference<'_> {
    /// Sets the readings of a key's sensor. Without this it writes nothing.
    pub fn set_readings(&mut self, key: KeyId, readings: Readings) {
        self.sensing[key.index()].readings = Some(readings);
    }

    /// The content of all keys.
    pub fn keys(&self) -> &[Cell] {
        self.keys.values()
    }

    /// Writes a key from outside, at once.
    pub fn write(&mut self, key: KeyId, value: Cell) {
        self.keys.write(key, value);
    }

    /// Gives the agent another value of a shared key because it joins a group; this does not count as written.
    pub fn see(&mut self, key: KeyId, value: Cell) {
        self.keys.values[key.index()] = value;
    }

    /// Takes what the agent has written to shared keys since the last call.
    pub fn take_staged(&mut self) -> Vec<(KeyId, Staged)> {
        let staged = self.keys.staged.iter_mut().enumerate();
        staged
            .filter_map(|(index, value)| Some((KeyId::new(index), value.take()?)))
            .collect()
    }

    /// A node asks about a key: if the host computes it and it is due, it is computed.
    pub(super) fn ask_for(&mut self, node: NodeId, key: KeyId) {
        let Some(sensed) = &self.behaviour.key(key).sensed else {
            return;
        };
        let (tick, now) = (self.tick, self.now());
        let sensing = &mut self.sensing[key.index()];
        if sensing.tick == Some(tick) || now < sensing.next_ns {
            return;
        }
        if let Some(secs) = sensed.interval_secs {
            sensing.next_ns = now + (secs * 1e9).round() as u128;
        }
        let value = match &sensing.readings {
            Some(Readings::InTurn(values)) => values
                .get(sensing.times)
                .or(values.last())
                .cloned()
                .flatten(),
            Some(Readings::ByTick(values, shift)) => {
                values[(tick + shift) as usize % values.len()].clone()
            }
            None => None,
        };
        sensing.tick = Some(tick);
        sensing.times += 1;
        self.report(node, Event::Sense(key));
        if let Some(value) = value {
            self.keys.set(key, value);
        }
    }

    /// Whether the key of a node was written since the node last looked; this counts as a look.
    pub(super) fn look(&mut self, node: NodeId, key: KeyId) -> bool {
        self.ask_for(node, key);
        std::mem::take(&mut self.keys.written[node.index()])
    }

    /// Resets the keys of a `scope` to their defaults, as for a new agent.
    pub(super) fn begin_scope(&mut self, keys: &[KeyId]) {
        for &key in keys {
            self.keys.values[key.index()] = Cell::start(self.behaviour.key(key));
            self.keys.tell(key, false);
        }
    }
}

/// The end of a tick, or of an abort, of agents that are all in one group, in the order of their indices: their
/// writes to shared keys take effect; if several agents wrote a key, the last one wins.
pub fn settle(agents: &mut [&mut Reference<'_>]) {
    let mut staged = Vec::new();
    for agent in agents.iter_mut() {
        staged.extend(agent.take_staged());
    }
    for (key, staged) in staged {
        for agent in agents.iter_mut() {
            let before = &agent.keys()[key.index()];
            let (cell, is_written) = staged.over(before, agent.behaviour.key(key));
            if is_written {
                agent.write(key, cell);
            }
        }
    }
}

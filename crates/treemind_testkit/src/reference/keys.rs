//! The blackboard of one agent, and the nodes that use it.

use super::eval::same;
use super::{Age, Reference, ReferenceFault};
use std::collections::HashMap;
use treemind_core::behaviour::{Form, Key, Merge, Scope};
use treemind_core::{Behaviour, Event, FaultKind, KeyId, Kind, NodeId, Text, Type, Value};

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
    /// Everything that it has written, in order; a write may remove the value.
    Whole(Vec<Cell>),
    /// The changes to a list: whether it is emptied, and the items that are added.
    List {
        /// Whether it is emptied first.
        cleared: bool,
        /// The items that are removed first.
        removed: Vec<Value>,
        /// The items that are added.
        added: Vec<Value>,
    },
}

/// A write to a shared key would have made a sum overflow.
#[derive(Clone, Copy, Debug)]
pub struct Overflow;

impl Staged {
    /// The content of a key after the changes, if it held `before`, and whether anything was written. `start` is what
    /// it held at the start of the tick, if others have written it since. Values that are left out are an overflow.
    pub fn over(
        &self,
        before: &Cell,
        start: Option<&Cell>,
        key: &Key,
    ) -> (Option<Cell>, Result<(), Overflow>) {
        let (cleared, removed, added) = match self {
            Staged::Whole(cells) => return together(key.merge, before, start, cells),
            Staged::List {
                cleared,
                removed,
                added,
            } => (*cleared, removed, added),
        };
        let mut items = match before {
            Cell::List(items) if !cleared => items.clone(),
            _ => Vec::new(),
        };
        let mut has_lost = false;
        for gone in removed {
            has_lost |= take_out(key, &mut items, *gone);
        }
        let room = bound(key) - items.len();
        items.extend(added.iter().take(room));
        let is_written = cleared || has_lost || room.min(added.len()) > 0;
        (is_written.then_some(Cell::List(items)), Ok(()))
    }
}

/// What a key holds after all that an agent has written: first its own values are merged, then the result with what
/// others have written.
fn together(
    merge: Merge,
    before: &Cell,
    start: Option<&Cell>,
    cells: &[Cell],
) -> (Option<Cell>, Result<(), Overflow>) {
    let at_start = start.unwrap_or(before);
    let mut own = cells[0].clone();
    let mut overflow = Ok(());
    for cell in &cells[1..] {
        match merged(merge, &own, Some(at_start), cell) {
            Ok(sum) => own = sum,
            Err(Overflow) => overflow = Err(Overflow),
        }
    }
    match merged(merge, before, start, &own) {
        Ok(cell) => (Some(cell), overflow),
        Err(Overflow) => (None, Err(Overflow)),
    }
}

/// The content of a key to which a value is written.
#[warn(clippy::wildcard_enum_match_arm)]
fn merged(
    merge: Merge,
    before: &Cell,
    start: Option<&Cell>,
    written: &Cell,
) -> Result<Cell, Overflow> {
    let (Cell::One(before), Cell::One(new)) = (before, written) else {
        return Ok(written.clone());
    };
    let takes_new = |is_less: bool, is_greater: bool, is_number: bool| match merge {
        _ if start.is_none() || !is_number => true,
        Merge::Min => is_less,
        Merge::Max => is_greater,
        Merge::Last | Merge::Add => true,
        _ => treemind_core::unlisted(&merge),
    };
    let start = match start {
        Some(Cell::One(start)) => start,
        _ => before,
    };
    Ok(Cell::One(match (*before, *new, *start) {
        (Value::Int(before), Value::Int(new), Value::Int(start)) if merge == Merge::Add => {
            let change = i128::from(new) - i128::from(start);
            let sum = i64::try_from(i128::from(before) + change).map_err(|_| Overflow)?;
            Value::Int(sum)
        }
        (Value::Float(before), Value::Float(new), Value::Float(start)) if merge == Merge::Add => {
            Value::Float(before + (new - start))
        }
        (Value::Double(before), Value::Double(new), Value::Double(start))
            if merge == Merge::Add =>
        {
            Value::Double(before + (new - start))
        }
        (Value::Int(old), Value::Int(new), _) if !takes_new(new < old, new > old, true) => {
            Value::Int(old)
        }
        (Value::Bool(old), Value::Bool(new), _) if !takes_new(!new & old, new & !old, true) => {
            Value::Bool(old)
        }
        (Value::Float(old), Value::Float(new), _)
            if !takes_new(new < old, new > old, !old.is_nan()) =>
        {
            Value::Float(old)
        }
        (Value::Double(old), Value::Double(new), _)
            if !takes_new(new < old, new > old, !old.is_nan()) =>
        {
            Value::Double(old)
        }
        (_, new, _) => new,
    }))
}

/// Removes the first item that is equal to a value; returns whether there was one.
fn take_out(key: &Key, items: &mut Vec<Value>, gone: Value) -> bool {
    let place = items.iter().position(|item| equal(key, *item, gone));
    if let Some(place) = place {
        items.remove(place);
    }
    place.is_some()
}

/// Whether two items of a list are equal.
fn equal(key: &Key, one: Value, other: Value) -> bool {
    match key.ty {
        Type::Any => same(one, other),
        _ => one == other,
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
    /// Per key: when it was written, and when it changed.
    ages: Vec<Age>,
}

impl<'b> Keys<'b> {
    pub(super) fn new(behaviour: &'b Behaviour) -> Self {
        let values: Vec<Cell> = behaviour.keys().iter().map(Cell::start).collect();
        Self {
            behaviour,
            staged: vec![None; values.len()],
            written: vec![false; behaviour.nodes().len()],
            ages: vec![Age::of_new(); values.len()],
            values,
        }
    }

    /// The content of the keys, in their order; shared keys as they were at the start of the tick.
    pub fn values(&self) -> &[Cell] {
        &self.values
    }

    /// When the keys were written, and when they changed, in their order.
    pub(super) fn ages(&self) -> &[Age] {
        &self.ages
    }

    /// The clock is about to leave `now_ns`.
    pub(super) fn end_period(&mut self, now_ns: u64) {
        for (age, value) in self.ages.iter_mut().zip(&self.values) {
            age.end_period(value, now_ns);
        }
    }

    /// The value of a key that a leaf was given itself: the zero of its type while it is unset.
    pub(super) fn now(&self, key: KeyId) -> Value {
        match &self.values[key.index()] {
            Cell::One(value) => *value,
            _ => self.behaviour.key(key).ty.zero(),
        }
    }

    /// Writes like nodes and leaves: a shared key gets its value at the end of the tick.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn set(&mut self, key: KeyId, value: Cell) {
        match self.behaviour.key(key).scope {
            Scope::Agent => self.write(key, value),
            Scope::Group | Scope::World => {
                let staged = &mut self.staged[key.index()];
                match (value, &mut *staged) {
                    (Cell::List(added), _) => {
                        *staged = Some(Staged::List {
                            cleared: true,
                            removed: Vec::new(),
                            added,
                        });
                    }
                    (value, Some(Staged::Whole(cells))) => cells.push(value),
                    (value, _) => *staged = Some(Staged::Whole(vec![value])),
                }
            }
            other => treemind_core::unlisted(&other),
        }
    }

    /// Gives a computed key its value, which does not count as written.
    pub(super) fn compute(&mut self, key: KeyId, value: Cell) {
        self.values[key.index()] = value;
    }

    /// Adds an item to a list like leaves do; to a shared list at the end of the tick. Nothing happens when the
    /// list is full; a shared list counts as full for an agent that has itself added as many items as the list can
    /// hold. Returns whether there was room.
    ///
    /// # Panics
    /// When the key is not a list.
    pub fn push(&mut self, key: KeyId, item: Value) -> bool {
        let bound = bound(self.behaviour.key(key));
        let has_room;
        match self.changes(key) {
            None => {
                let items = self.items(key);
                has_room = items.len() < bound;
                if has_room {
                    items.push(item);
                    self.tell(key, true);
                }
            }
            Some((_, _, added)) => {
                has_room = added.len() < bound;
                if has_room {
                    added.push(item);
                }
            }
        }
        has_room
    }

    /// Removes the first item of a list that is equal to a value, for a node. Of a shared list: one that the agent has
    /// added, otherwise one that it sees and has not removed yet, at the end of the tick.
    pub(super) fn take_out(&mut self, key: KeyId, gone: Value) {
        let behaviour = self.behaviour;
        let declared = behaviour.key(key);
        let seen = self.items(key).clone();
        let Some((cleared, removed, added)) = self.changes(key) else {
            take_out(declared, self.items(key), gone);
            self.tell(key, true);
            return;
        };
        if take_out(declared, added, gone) || cleared {
            return;
        }
        let count = |items: &[Value]| {
            let equal = items.iter().filter(|item| equal(declared, **item, gone));
            equal.count()
        };
        if count(removed) < count(&seen) {
            removed.push(gone);
        }
    }

    /// The items of a list, as the agent sees it.
    fn items(&mut self, key: KeyId) -> &mut Vec<Value> {
        match &mut self.values[key.index()] {
            Cell::List(items) => items,
            Cell::One(_) | Cell::Unset => panic!("the key is not a list"),
        }
    }

    /// What the agent has done to a shared list in this tick: whether it has emptied it, and the items that it removes
    /// and adds. `None` for a list of its own.
    fn changes(&mut self, key: KeyId) -> Option<(bool, &mut Vec<Value>, &mut Vec<Value>)> {
        if self.behaviour.key(key).scope == Scope::Agent {
            return None;
        }
        let nothing = Staged::List {
            cleared: false,
            removed: Vec::new(),
            added: Vec::new(),
        };
        match self.staged[key.index()].get_or_insert(nothing) {
            Staged::List {
                cleared,
                removed,
                added,
            } => Some((*cleared, removed, added)),
            Staged::Whole(_) => panic!("the key is not a list"),
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

    /// A key of the agent counts as not written for all nodes that look at it.
    pub(super) fn forget(&mut self, key: KeyId) {
        if self.behaviour.key(key).scope == Scope::Agent {
            self.tell_lookers(key, false);
        }
    }

    /// Writes at once.
    fn write(&mut self, key: KeyId, value: Cell) {
        self.values[key.index()] = value;
        self.tell(key, true);
    }

    /// Informs every node that looks at the key.
    fn tell(&mut self, key: KeyId, is_written: bool) {
        if is_written {
            self.ages[key.index()].write();
        } else {
            self.ages[key.index()] = Age::of_new();
        }
        self.tell_lookers(key, is_written);
    }

    fn tell_lookers(&mut self, key: KeyId, is_written: bool) {
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

    /// Gives the agent another value of a shared key, which is as old as it says, because it joins a group; this does
    /// not count as written.
    pub fn see(&mut self, key: KeyId, value: Cell, age: Age) {
        self.keys.values[key.index()] = value;
        self.keys.ages[key.index()] = age;
    }

    /// When a key was written, and when it changed.
    pub fn age(&self, key: KeyId) -> &Age {
        &self.keys.ages[key.index()]
    }

    /// Records that a value that the agent wrote to a merged key made the sum overflow, and was left out.
    pub fn merge_overflowed(&mut self) {
        self.faults.push(ReferenceFault {
            node: self.behaviour.root(),
            tick: self.tick,
            kind: FaultKind::Overflow,
        });
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
        if let Some(heard) = self.behaviour.key(key).heard {
            return self.hear(key, heard);
        }
        if self.behaviour.key(key).mates {
            return self.list_mates(key);
        }
        let Some(sensed) = &self.behaviour.key(key).sensed else {
            return;
        };
        let (tick, own_tick, now) = (self.tick, self.own_ticks[0], self.now());
        let sensing = &mut self.sensing[key.index()];
        let interval = sensed.interval_secs.unwrap_or(0.0);
        let interval_ns = (interval * 1e9).round() as u128;
        let is_current = match interval_ns {
            0 => sensing.tick == Some(own_tick),
            _ => now < sensing.next_ns,
        };
        if is_current {
            return;
        }
        sensing.next_ns = now + interval_ns;
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
        sensing.tick = Some(own_tick);
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

/// The end of a tick, or of an abort, of agents in the order of their populations and indices: their writes to shared
/// keys take effect. The agents may run different behaviours; what they share has the same name in each. If a key was
/// written several times, the values are merged.
pub fn settle(agents: &mut [&mut Reference<'_>]) {
    let mut starts: HashMap<(String, Option<u32>), Cell> = HashMap::new();
    for writer in 0..agents.len() {
        for (key, staged) in agents[writer].take_staged() {
            let behaviour = agents[writer].behaviour;
            let declared = behaviour.key(key);
            let group = (declared.scope == Scope::Group).then(|| agents[writer].group);
            let before = agents[writer].keys()[key.index()].clone();
            let place = (declared.name.clone(), group);
            let (cell, overflow) = staged.over(&before, starts.get(&place), declared);
            if let Some(cell) = cell {
                for agent in agents.iter_mut() {
                    if group.is_none_or(|group| group == agent.group) {
                        agent.hear_of(behaviour, declared, &cell);
                    }
                }
            }
            if overflow.is_err() {
                agents[writer].merge_overflowed();
            }
            starts.entry(place).or_insert(before);
        }
    }
}

impl Reference<'_> {
    /// A shared key was written by an agent of a behaviour, which need not be this one's.
    fn hear_of(&mut self, behaviour: &Behaviour, key: &Key, cell: &Cell) {
        let ours = self.behaviour.key_id(&key.name);
        let ours = ours.filter(|ours| self.behaviour.key(*ours).scope != Scope::Agent);
        let Some(ours) = ours else { return };
        let ty = self.behaviour.key(ours).ty;
        let known_as = |value: Value| match (value, ty) {
            _ if std::ptr::eq(behaviour, self.behaviour) => value,
            (Value::Enum(_, index), Type::Enum(list)) => Value::Enum(list, index),
            (value @ Value::Enum(..), _) => Value::Text(Text::new(&behaviour.display_value(value))),
            (value, _) => value,
        };
        let cell = match cell {
            Cell::One(value) => Cell::One(known_as(*value)),
            Cell::Unset => Cell::Unset,
            Cell::List(items) => Cell::List(items.iter().map(|item| known_as(*item)).collect()),
        };
        self.write(ours, cell);
    }
}

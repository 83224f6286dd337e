//! The keys that names stand for in the place that is being checked.
//!
//! What a name stands for is resolved before: it is a symbol, or several if it depends on the place of its tree. Here
//! each symbol has the key that it is in the current place.

use super::fault_words::FaultWords;
use super::known::said_in_full;
use super::measures::Finding;
use super::questions::Asked;
use super::semaphores::Semaphores;
use super::value_names::ValueNames;
use crate::syntax::{Span, Text};
use crate::text::ByAddress;
use crate::{Said, said};
use std::collections::{BTreeSet, HashMap, HashSet};
use treemind_core::behaviour::{Enum, EventPart, Form, Heard, Key, Leaf};
use treemind_core::expr::NamedCurve;
use treemind_core::{EnumId, Expr, KeyId, LeafId, Type, Value};

/// The name of the sender among the parts of an event. A parameter of that name hides it.
pub(crate) const SENDER: &str = "sender";

/// Number of a symbol: something that has a name.
pub(crate) type SymbolId = usize;

/// The symbols that the names in the nodes of a document stand for.
#[derive(Debug, Default)]
pub(crate) struct Sites(ByAddress<Vec<SymbolId>>);

impl Sites {
    pub(crate) fn new(sites: ByAddress<Vec<SymbolId>>) -> Self {
        Self(sites)
    }

    /// The symbols of a name, which must be borrowed from the nodes: a copy has none.
    pub(crate) fn at(&self, name: &str) -> &[SymbolId] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The key of a symbol in the place that is being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) key: KeyId,
    /// Whether it is read-only there.
    pub(crate) is_read_only: bool,
}

/// The names of a tree while it is being checked.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    names: BTreeSet<String>,
    /// The symbols with their keys; while the frame is visible, with the keys that it hides.
    symbols: Vec<(SymbolId, Option<Bound>)>,
    /// Whether other names are those of the frame below.
    inherits: bool,
    /// The prefix of the tree's keys.
    pub(crate) prefix: String,
}

impl Frame {
    pub(crate) fn new(prefix: String, inherits: bool) -> Self {
        Self {
            inherits,
            prefix,
            ..Self::default()
        }
    }

    pub(crate) fn insert(&mut self, name: String, symbols: &[SymbolId], local: Local) {
        let bound = Bound { local, depth: 0 };
        self.symbols
            .extend(symbols.iter().map(|symbol| (*symbol, Some(bound))));
        self.names.insert(name);
    }
}

/// A visible key, and the number of its frame; 0 for the keys that are known everywhere.
#[derive(Clone, Copy, Debug)]
struct Bound {
    local: Local,
    depth: usize,
}

/// What a planner has to foresee: what it asks and what its steps change in situations that only may come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Foresight {
    /// It is no matter of a planner.
    #[default]
    None,
    /// An expression.
    Asked,
    /// Statements that are carried out, and foreseen before.
    Effect,
    /// Statements that are only foreseen, so that they may name what cannot be written.
    Gives,
}

/// The ids of items of `each` begin here; no document has so many keys.
const FIRST_KNOWN: usize = 1 << 31;

/// The item of an `each`.
#[derive(Debug)]
struct Known {
    key: Key,
    /// The key that was made for it.
    real: Option<KeyId>,
}

/// What names may refer to.
#[derive(Debug, Default)]
pub(crate) struct KeyScope {
    pub(crate) sites: Sites,
    /// One per symbol: its key, if it has one here.
    bound: Vec<Option<Bound>>,
    pub(crate) enums: Vec<Enum>,
    /// One per enumeration: the positions of its values.
    positions: Vec<HashMap<String, u32>>,
    enum_ids: HashMap<Vec<String>, EnumId>,
    pub(crate) keys: Vec<Key>,
    /// The keys that are known everywhere; they come first.
    key_ids: HashMap<String, (KeyId, Span)>,
    /// The names of the trees that are being checked, the innermost last.
    frames: Vec<Frame>,
    /// The items of `each`, which stand for values: their ids come after those of all keys. A behaviour has only those
    /// that [`real`](Self::real) has made keys of, so no view shows what nobody has written.
    known: Vec<Known>,
    /// The keys that leaves were given themselves, and may write.
    pub(crate) lent: HashSet<SymbolId>,
    /// Names of keys whose declaration has a mistake. It is reported there, and not at each use.
    pub(crate) broken: HashSet<String>,
    /// The words for faults that the document names.
    pub(crate) fault_words: FaultWords,
    /// Whether the expression being read is evaluated again and again, so that drawing is not allowed.
    pub(crate) is_asked: bool,
    /// Whether a planner has to foresee what is being read.
    pub(crate) foresight: Foresight,
    pub(crate) semaphores: Semaphores,
    /// The curves with names.
    pub(crate) curves: Vec<NamedCurve>,
    /// The measures, and the `find` in whose block they are called.
    pub(crate) measures: Vec<(LeafId, Leaf)>,
    pub(crate) finding: Option<Finding>,
    /// In the conditions of a test, what they ask about nodes and states.
    pub(crate) asked: Option<Vec<Asked>>,
    /// The events, for `event(NAME)`.
    pub(crate) events: Vec<(LeafId, Leaf)>,
    /// The keys of the current definition that say something about events, so that each is there once.
    heard: HashMap<Heard, KeyId>,
    /// The events about which the document asks.
    asked_events: HashSet<LeafId>,
    /// The key of `event.sender`, where it is known.
    pub(crate) sender: Option<KeyId>,
    pub(crate) value_names: ValueNames,
}

impl KeyScope {
    /// An id for the item of an `each`, which stands for the default of the key.
    pub(crate) fn add_known_key(&mut self, key: Key) -> KeyId {
        self.known.push(Known { key, real: None });
        KeyId::new(FIRST_KNOWN + self.known.len() - 1)
    }

    fn known_item(&self, key: KeyId) -> Option<&Known> {
        self.known.get(key.index().checked_sub(FIRST_KNOWN)?)
    }

    /// What a key always holds, because it stands for a value of an `each`.
    pub(crate) fn known(&self, key: KeyId) -> Option<Value> {
        self.known_item(key).map(|item| item.key.default)
    }

    /// The value of a key: what it stands for, if it is an item of an `each`.
    pub(crate) fn value_of(&self, key: KeyId, ty: Type) -> Expr {
        let known = self.known(key).map(said_in_full);
        known.unwrap_or(Expr::Key(key, ty))
    }

    /// What a key always holds, as texts show it; hosts may have words of their own for entities.
    pub(crate) fn text_of_known(&self, key: KeyId) -> Option<String> {
        match self.known(key)? {
            Value::Entity(_) => None,
            value => Some(self.text_of(value)),
        }
    }

    /// A value as documents write it.
    pub(crate) fn text_of(&self, value: Value) -> String {
        match value {
            Value::Enum(list, nth) => self.enums[list.index()].values[nth as usize].clone(),
            value => value.to_string(),
        }
    }

    /// The key, as a behaviour can have it. Of an item of an `each`, what only keys can be asked needs a key of its own.
    pub(crate) fn real(&mut self, key: KeyId) -> KeyId {
        let Some(item) = self.known_item(key) else {
            return key;
        };
        if let Some(real) = item.real {
            return real;
        }
        let real = self.add_key(item.key.clone());
        self.known[key.index() - FIRST_KNOWN].real = Some(real);
        real
    }

    /// What is declared of a key, or of an item of an `each`.
    pub(crate) fn key(&self, key: KeyId) -> &Key {
        match self.known_item(key) {
            Some(item) => &item.key,
            None => &self.keys[key.index()],
        }
    }

    /// The curve that an expression names, with `_` for `-`.
    pub(super) fn curve(&self, name: &str) -> Option<&NamedCurve> {
        let find = |name: &str| self.curves.iter().find(|curve| curve.name == name);
        find(name).or_else(|| find(&name.replace('_', "-")))
    }

    /// The event that an expression names, with `_` for `-`.
    pub(super) fn event(&self, name: &str) -> Option<&(LeafId, Leaf)> {
        let find = |name: &str| self.events.iter().find(|(_, leaf)| leaf.name == name);
        find(name).or_else(|| find(&name.replace('_', "-")))
    }

    /// What `event(NAME)` or `event(NAME, PARAMETER)` is about, and its type.
    pub(super) fn heard(event: &(LeafId, Leaf), part: Option<&str>) -> Option<(Heard, Type)> {
        let (id, leaf) = event;
        let (part, ty) = match part {
            None => (None, Type::Bool),
            Some(name) => {
                let param = leaf.params.iter().position(|param| param.name == name);
                match param {
                    Some(param) => (Some(EventPart::Param(param)), leaf.params[param].ty),
                    None if name == SENDER => (Some(EventPart::Sender), Type::Entity),
                    None => return None,
                }
            }
        };
        Some((Heard { event: *id, part }, ty))
    }

    /// Whether an expression asks about an event.
    pub(crate) fn asks_about(&self, event: LeafId) -> bool {
        self.asked_events.contains(&event)
    }

    /// Removes and returns all keys from this position on.
    pub(crate) fn take_keys(&mut self, from: usize) -> Vec<Key> {
        self.heard.retain(|_, key| key.index() < from);
        self.known.clear();
        self.keys.split_off(from)
    }

    /// The key that says something about events.
    pub(super) fn key_of_heard(&mut self, heard: Heard, ty: Type, text: String) -> KeyId {
        self.asked_events.insert(heard.event);
        if let Some(key) = self.heard.get(&heard) {
            return *key;
        }
        let form = match heard.part {
            None => Form::One,
            Some(_) => Form::Optional { starts_set: false },
        };
        let key = self.add_key(Key {
            ty,
            form,
            heard: Some(heard),
            ..Key::new(text, ty.zero())
        });
        self.heard.insert(heard, key);
        key
    }

    /// Whether `event.NAME` is the sender of the event.
    pub(super) fn sender_key(&self, whole: &str, name: &str) -> Option<KeyId> {
        self.sender.filter(|_| whole == "event" && name == SENDER)
    }

    pub(crate) fn new(sites: Sites, symbols: usize) -> Self {
        Self {
            sites,
            bound: vec![None; symbols],
            ..Self::default()
        }
    }

    pub(crate) fn add_key(&mut self, key: Key) -> KeyId {
        let id = KeyId::new(self.keys.len());
        self.keys.push(key);
        id
    }

    /// Adds a key that is known everywhere.
    pub(crate) fn add_global(&mut self, name: &Text, key: Key) {
        let key = self.add_key(key);
        self.key_ids
            .insert(name.value.clone(), (key, name.span.clone()));
        let local = Local {
            key,
            is_read_only: false,
        };
        for symbol in self.sites.at(&name.value) {
            self.bound[*symbol] = Some(Bound { local, depth: 0 });
        }
    }

    /// The key with this name that is known everywhere, and where it is declared.
    pub(crate) fn global(&self, name: &str) -> Option<&(KeyId, Span)> {
        self.key_ids.get(name)
    }

    /// Whether a key is known everywhere.
    pub(crate) fn is_global(&self, key: KeyId) -> bool {
        key.index() < self.key_ids.len()
    }

    /// Makes the names of a frame visible.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
        let depth = self.frames.len();
        for (symbol, bound) in &mut self.frames[depth - 1].symbols {
            if let Some(bound) = bound {
                bound.depth = depth;
            }
            std::mem::swap(&mut self.bound[*symbol], bound);
        }
    }

    /// Hides the names of the last frame again.
    pub(crate) fn pop(&mut self) -> Option<Frame> {
        let mut frame = self.frames.pop()?;
        for (symbol, bound) in &mut frame.symbols {
            std::mem::swap(&mut self.bound[*symbol], bound);
        }
        Some(frame)
    }

    /// The prefix of the keys of the tree that is being checked.
    pub(crate) fn prefix(&self) -> &str {
        self.frames.last().map_or("", |frame| &frame.prefix)
    }

    /// The key that a name in the nodes stands for. The name of a parameter of an event may lack `event.`.
    pub(crate) fn find(&self, name: &str) -> Option<(KeyId, Type)> {
        let id = self.local(name)?.key;
        Some((id, self.key(id).ty))
    }

    /// Whether a name, wherever it is written, is that of a key that can be used.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }

    /// How many values a key holds.
    pub(crate) fn form(&self, key: KeyId) -> &Form {
        &self.key(key).form
    }

    pub(crate) fn is_list(&self, key: KeyId) -> bool {
        self.form(key).is_list()
    }

    /// Whether the key that a name in the nodes stands for is read-only.
    pub(crate) fn is_read_only(&self, name: &str) -> bool {
        self.local(name).is_some_and(|local| local.is_read_only)
    }

    /// Whether a key is computed, so that nothing else writes it.
    pub(crate) fn is_sensed(&self, key: KeyId) -> bool {
        self.key(key).is_computed()
    }

    /// What a key is that no node may write; `name` is the name that the node has for it.
    pub(crate) fn why_not_written(&self, key: KeyId, name: &str) -> Option<Said> {
        if self.known(key).is_some() {
            Some(said!("a value of an `each`"))
        } else if self.is_read_only(name) {
            Some(said!("an `in` port"))
        } else if self.is_sensed(key) {
            Some(said!("computed by a sensor"))
        } else {
            None
        }
    }

    /// The frames whose names are known, innermost first.
    fn frames(&self) -> impl Iterator<Item = &Frame> + Clone {
        let mut reaches = true;
        self.frames.iter().rev().take_while(move |frame| {
            let is_known = reaches;
            reaches &= frame.inherits;
            is_known
        })
    }

    /// Of the keys that a name may stand for, the one that hides the others.
    fn local(&self, name: &str) -> Option<Local> {
        let symbols = self.sites.at(name.strip_prefix("event.").unwrap_or(name));
        let bound = symbols.iter().filter_map(|symbol| self.bound[*symbol]);
        let outermost = self.frames.len() + 1 - self.frames().count();
        let visible = bound.filter(|bound| bound.depth == 0 || bound.depth >= outermost);
        let nearest = visible.max_by_key(|bound| bound.depth)?;
        Some(nearest.local)
    }

    /// The names of all keys that can be used.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let local = self.frames().flat_map(|frame| &frame.names);
        let global = self.keys.iter().take(self.key_ids.len());
        let global = global.map(|key| key.name.as_str());
        let global = global.filter(|name| self.frames().all(|frame| !frame.names.contains(*name)));
        local.map(String::as_str).chain(global)
    }

    /// The enumeration with these values, which must be distinct. Equal lists are the same type, so that keys and
    /// parameters fit together.
    pub(crate) fn enumeration(&mut self, values: Vec<String>) -> EnumId {
        if let Some(id) = self.enum_ids.get(&values) {
            return *id;
        }
        let id = EnumId::new(self.enums.len());
        let positions = values.iter().cloned().zip(0..).collect();
        self.positions.push(positions);
        self.enum_ids.insert(values.clone(), id);
        self.enums.push(Enum { values });
        id
    }

    /// Whether some enumeration has a value with this name.
    pub(crate) fn is_value(&self, name: &str) -> bool {
        let mut lists = self.positions.iter();
        lists.any(|positions| positions.contains_key(name))
    }

    /// A value of an enumeration that a text names: the string that it is in, and where it is in the value of that string.
    pub(crate) fn named_value(&self, list: EnumId, name: &str, at: (usize, Span)) -> Option<Value> {
        let position = *self.positions[list.index()].get(name)?;
        self.value_names.note(at, (list, position), false);
        Some(Value::Enum(list, position))
    }

    /// A value of an enumeration.
    pub(crate) fn enum_value(&self, list: EnumId, name: &str) -> Option<Value> {
        let position = self.positions[list.index()].get(name)?;
        Some(Value::Enum(list, *position))
    }
}

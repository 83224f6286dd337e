//! What lists held when a tick read or wrote them. A trace has only their lengths.

use std::collections::HashMap;
use treemind_core::behaviour::Scope;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Held, KeyId, Kind, Population, Value};

/// How many items of a list are shown.
const MOST_ITEMS: usize = 8;

/// The items of each list at one moment.
pub(super) type Items = HashMap<KeyId, Vec<Value>>;

/// The lists of an agent before a tick and after it.
pub(super) struct Lists {
    before: Items,
    after: Items,
    /// How often each list is still written in the tick, and how often it has been.
    to_come: HashMap<KeyId, usize>,
    done: HashMap<KeyId, usize>,
}

/// What the lists of an agent hold now.
pub(super) fn items(population: &Population, agent: usize) -> Items {
    let keys = 0..population.program().behaviour().keys().len();
    let lists = keys.filter_map(|nth| match population.held(agent, KeyId::new(nth)) {
        Held::List(list) => Some((KeyId::new(nth), list.iter().collect())),
        _ => None,
    });
    lists.collect()
}

/// The key that an event writes.
fn written(event: Event) -> Option<KeyId> {
    match event {
        Event::Set(key) | Event::HostSet(key) => Some(key),
        _ => None,
    }
}

impl Lists {
    /// Those of an agent in the tick of a trace; its lists held `before` at the beginning.
    pub(super) fn new(
        (population, agent): (&Population, usize),
        before: Items,
        trace: &Trace,
    ) -> Self {
        let mut to_come = HashMap::new();
        for (_, event) in trace.agent(agent) {
            if let Some(key) = written(event) {
                *to_come.entry(key).or_default() += 1;
            }
        }
        Self {
            before,
            after: items(population, agent),
            to_come,
            done: HashMap::new(),
        }
    }

    /// What a list holds at an event that reads or writes it, of which the trace knows the length. Between two writes in one
    /// tick, nothing more is known.
    pub(super) fn at(
        &mut self,
        behaviour: &Behaviour,
        event: Event,
        length: Value,
    ) -> Option<String> {
        let key = match event {
            Event::Read(key) => key,
            event => written(event)?,
        };
        let declared = behaviour.key(key);
        if !declared.form.is_list() {
            return None;
        }
        let is_written = written(event).is_some();
        if is_written {
            *self.done.entry(key).or_default() += 1;
            self.to_come.entry(key).and_modify(|count| *count -= 1);
        }
        let is_first = self.done.get(&key).is_none_or(|count| *count == 0);
        let is_last = self.to_come.get(&key).is_none_or(|count| *count == 0);
        let [before, after] = [&self.before, &self.after].map(|items| items.get(&key));
        // No event tells that a scope resets its keys.
        let is_of_scope = (behaviour.nodes().iter())
            .any(|node| matches!(&node.kind, Kind::Scope { keys } if keys.contains(&key)));
        let items = match declared.scope {
            _ if is_of_scope => before.filter(|_| before == after && is_first && is_last),
            // What is written to a shared key is there from the end of the tick on.
            Scope::Group | Scope::World if !is_written => before,
            _ if is_last => after,
            _ if is_first => before,
            _ => None,
        };
        let items = items.filter(|items| Value::Int(items.len() as i64) == length);
        Some(match items {
            Some(items) => behaviour.display_list(items.iter().copied(), MOST_ITEMS),
            None => format!("[… {length} in all]"),
        })
    }
}

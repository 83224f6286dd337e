//! What a page shows of one agent.

use crate::definition::marks;
use crate::film::Film;
use crate::show::Wish;
use serde_json::{Value, json};
use treemind_core::{KeyId, NodeId, Population};
use treemind_watch::Mind;

/// What a page shows of an agent after the last tick: its marks, keys and reasons, and what it did.
pub fn view_of(mind: &Mind, population: &Population, wish: &Wish, film: &Film) -> Value {
    let behaviour = population.program().behaviour();
    let keys = mind.keys().iter().enumerate();
    let keys: Vec<Value> = keys
        .map(|(nth, key)| {
            let by = mind.written(population, KeyId::new(nth));
            json!({"value": key.value, "changed": key.changed, "by": by.map(|reason| reason.text)})
        })
        .collect();
    let count = behaviour.node_ids().count();
    let node = wish.node.filter(|node| *node < count).map(NodeId::new);
    let action = mind.marks().running_action(behaviour);
    json!({
        "does": action.map(|(id, _)| behaviour.label(id)),
        "doc": action.and_then(|(id, leaf)| {
            let own = behaviour.node(id).doc.as_deref();
            own.or(behaviour.leaf(leaf).doc.as_deref())
        }),
        "marks": marks(behaviour, mind.marks()),
        "keys": keys,
        "explanation": mind.explanation(population),
        "why": node.and_then(|node| mind.why(population, node)),
        "film": film.since(wish.mind, wish.since),
    })
}

//! What a page shows of one agent.

use super::Wish;
use super::definition::{flashes, marks_at};
use super::finds::finds;
use super::plans::{foreseen, planners};
use super::protocol::{Agent, Film, KeyState, Shares, Within};
use super::returns::returns;
use super::weighed::{networks, rules};
use crate::follow::lines::line_of;
use crate::follow::{Follower, Timeline, deeds, said, worth};
use treemind_core::trace::Event;
use treemind_core::{Behaviour, KeyId, NodeId, Population};
use treemind_doc::outline_lines;
use treemind_explain::Words;

/// What a page shows of an agent after the last tick: its marks, keys and reasons, and what it did.
pub fn view_of(mind: &Follower, population: &Population, wish: &Wish, film: &Timeline) -> Agent {
    let behaviour = population.program().behaviour();
    let explainer = mind.explainer();
    let keys = mind.keys().iter().enumerate();
    let keys = keys.map(|(nth, key)| {
        let by = explainer.and_then(|it| it.written(population, KeyId::new(nth), wish.language));
        KeyState {
            value: key.value.clone(),
            changed: key.changed,
            by: by.map(|reason| reason.text),
        }
    });
    let count = behaviour.node_ids().count();
    let node = wish.node.filter(|node| *node < count).map(NodeId::new);
    // As after the last of the events that are shown.
    let own = steps((mind, behaviour));
    let shown = wish.event.map(|nth| nth.min(own.len()));
    let events = shown.map(|nth| match nth {
        0 => 0,
        nth => own[nth - 1].0 + 1,
    });
    let event = shown.map(|nth| {
        let last = nth.checked_sub(1).map(|last| &own[last]);
        Within {
            nth,
            of: own.len(),
            text: last.map(|(_, words)| words.written(wish.language)),
            line: last.map(|(at, _)| line_of(mind.events()[*at])),
        }
    });
    // Nobody has looked before, if nothing is known.
    let since = match wish.since {
        0 => u64::MAX,
        since => since.max(wish.plays_since),
    };
    let lines = outline_lines(behaviour);
    let marks = (behaviour, mind.marks());
    let action = mind.marks().running_action(behaviour);
    let doc = action.and_then(|(id, leaf)| {
        let own = behaviour.node(id).doc.clone();
        own.or_else(|| behaviour.leaf(leaf).doc.clone())
    });
    let actions = deeds(behaviour);
    let shares = film.shares(mind.behaviour(), wish.since, &actions);
    let actions = actions.into_iter().map(str::to_owned).collect();
    let names = behaviour.keys().iter().map(|key| key.name.as_str());
    let names: Vec<&str> = names.collect();
    Agent {
        does: action.map(|(id, _)| behaviour.label(id).to_owned()),
        doc,
        marks: marks_at(&lines, marks, (mind.events(), events), wish.language),
        returns: returns(&lines, behaviour, (population, mind.agent())),
        flashes: flashes(&lines, marks, since),
        event,
        keys: keys.collect(),
        known_since: mind.known_since().unwrap_or(population.ticks()),
        explanation: explainer.map(|it| it.explain_in(population, wish.language)),
        why: explainer
            .zip(node)
            .map(|(it, node)| it.why_in(population, node, wish.language)),
        worth: values_now(mind, population, wish),
        plans: planners(mind, population, wish),
        finds: finds(mind, population),
        networks: networks(mind, population),
        rules: rules(mind, population, wish.language),
        foreseen: wish
            .what_if
            .as_ref()
            .and_then(|asked| foreseen((population, mind.agent()), asked, wish.language)),
        film: film
            .since(wish.mind, (wish.since, wish.fills), &names, wish.language)
            .map(|known| Film {
                shares: shares.map(|ticks| Shares { actions, ticks }),
                ..known
            }),
    }
}

/// How many expressions a page may ask about.
const MOST_WORTH: usize = 16;

/// What the expressions come to that a page asks about.
fn values_now(mind: &Follower, population: &Population, wish: &Wish) -> Vec<(String, String)> {
    let all = wish.worth.iter().take(MOST_WORTH);
    let known = all.filter_map(|text| Some((text.clone(), worth(population, mind.agent(), text)?)));
    known.collect()
}

/// The events of the last tick that can be told in a sentence, each with its place among all of them.
pub fn steps((mind, behaviour): (&Follower, &Behaviour)) -> Vec<(usize, Words)> {
    let all = mind.events().iter().enumerate();
    all.filter_map(|(nth, (node, event)): (usize, &(NodeId, Event))| {
        Some((nth, said(behaviour, *node, *event)?))
    })
    .collect()
}

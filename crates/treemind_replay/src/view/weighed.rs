//! What a page shows of the networks and the rules of an agent.

use super::protocol::{
    InputState, LayerState, NetworkState, OutputState, RuleIs, RuleState, RulesState,
};
use crate::follow::{Follower, Ran, Ruled};
use treemind_core::behaviour::in_order;
use treemind_core::{Behaviour, Kind, Network, Population};
use treemind_doc::expression_text;
use treemind_explain::{Language, RuleTold, RuleVerdict};

/// With more weights than that, a network is not drawn, and its weights are not sent.
const MOST_WEIGHTS: usize = 400;

/// The networks of an agent that have run, the one that ran last first.
pub(super) fn networks(mind: &Follower, population: &Population) -> Vec<NetworkState> {
    let behaviour = population.program().behaviour();
    let ran = mind.networks().iter().filter(|one| one.tick > 0);
    let mut all: Vec<NetworkState> = ran.filter_map(|one| network(behaviour, one)).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.tick));
    all
}

fn network(behaviour: &Behaviour, one: &Ran) -> Option<NetworkState> {
    let Kind::Policy(policy) = &behaviour.node(one.node).kind else {
        return None;
    };
    let network = &*policy.network;
    let inputs = policy.inputs.iter().zip(&one.inputs);
    let written = |nth: usize| policy.outputs.iter().find(|(output, _)| *output == nth);
    let outputs = network.outputs().iter().enumerate();
    Some(NetworkState {
        node: one.node.index(),
        name: behaviour.label(one.node).to_owned(),
        network: network.name().to_owned(),
        tick: one.tick,
        inputs: inputs
            .map(|(input, value)| InputState {
                text: expression_text(behaviour, input, &|_| None),
                value: *value,
            })
            .collect(),
        layers: layers(network, &one.inputs),
        outputs: outputs
            .map(|(nth, name)| OutputState {
                name: name.clone(),
                key: written(nth).map(|(_, key)| key.index()),
            })
            .collect(),
    })
}

fn layers(network: &Network, inputs: &[f32]) -> Vec<LayerState> {
    let layers = network.layers();
    let weights: usize = layers.iter().map(|layer| layer.weights.len()).sum();
    let all = layers.iter().zip(network.units(inputs));
    all.map(|(layer, units)| LayerState {
        function: layer.activation.name(),
        units,
        weights: match weights > MOST_WEIGHTS {
            true => Vec::new(),
            false => layer.weights.clone(),
        },
    })
    .collect()
}

/// The rules of an agent that were reached, those that were reached last first.
pub(super) fn rules(
    mind: &Follower,
    population: &Population,
    language: Language,
) -> Vec<RulesState> {
    let reached = mind.rules().iter().filter(|one| one.tick > 0);
    let all = reached.filter_map(|one| rules_of(mind, population, (one, language)));
    let mut all: Vec<RulesState> = all.collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.tick));
    all
}

fn rules_of(
    mind: &Follower,
    population: &Population,
    (one, language): (&Ruled, Language),
) -> Option<RulesState> {
    let behaviour = population.program().behaviour();
    let Kind::Rules { rules, .. } = &behaviour.node(one.node).kind else {
        return None;
    };
    let explainer = mind.explainer();
    let told = explainer.map(|it| it.rules(population, one.node, language));
    let mut told: Vec<RuleTold> = told.unwrap_or_default();
    let states = in_order(rules).into_iter().map(|(number, _)| {
        let rule = &rules[number];
        let place = told.iter().position(|one| one.number == number);
        let now = place.map(|place| told.swap_remove(place));
        RuleState {
            name: rule.name.clone(),
            when: expression_text(behaviour, &rule.when, &|_| None),
            is: now.as_ref().map_or(RuleIs::Idle, |one| is(one.verdict)),
            why: now.map(|one| one.reason),
            fired: one.fired[number],
        }
    });
    Some(RulesState {
        node: one.node.index(),
        name: behaviour.label(one.node).to_owned(),
        tick: one.tick,
        rules: states.collect(),
    })
}

fn is(verdict: RuleVerdict) -> RuleIs {
    match verdict {
        RuleVerdict::Fired => RuleIs::Fired,
        RuleVerdict::Unmet => RuleIs::Unmet,
        RuleVerdict::Held => RuleIs::Held,
        RuleVerdict::Cools => RuleIs::Cools,
        RuleVerdict::NotLookedAt => RuleIs::Skipped,
    }
}

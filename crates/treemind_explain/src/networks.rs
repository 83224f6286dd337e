//! What a network gave, and what each of its inputs changed.

use crate::evaluated::evaluated;
use crate::explainer::Explainer;
use crate::explanation::Told;
use crate::facts::Case;
use crate::say;
use crate::words::{Join, Words};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{Key, Parts, PolicyRun, Scope};
use treemind_core::expr::Assign;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Expr, KeyId, Kind, Node, NodeId, Population, Program, Value};

/// How many inputs are told about.
const MOST_INPUTS: usize = 4;

impl Explainer {
    /// The inputs that a `policy` has read in the last tick; `None` if the node is none, was not reached or had a fault, or if
    /// the trace was one without values.
    pub fn network_inputs(&self, population: &Population, node: NodeId) -> Option<Vec<f32>> {
        let case = self.known_case(population)?;
        match &case.node(node).kind {
            Kind::Policy(policy) => case.inputs_of(node, policy),
            _ => None,
        }
    }
}

impl Case<'_> {
    /// The outputs of a policy in this tick, and what they would be if one of its inputs came from the defaults of its
    /// keys; the inputs that change most come first.
    pub(crate) fn of_policy(&self, id: NodeId, policy: &PolicyRun) -> Vec<Told> {
        let Some(inputs) = self.inputs_of(id, policy) else {
            return Vec::new();
        };
        let gave = policy.network.run(&inputs);
        let written = |outputs: &[f32]| {
            let one = |(output, _): &(usize, KeyId)| {
                let name = Words::code(&policy.network.outputs()[*output]);
                say!(ScoreOf, name, score = number(outputs[*output]))
            };
            Words::several(Join::Names, policy.outputs.iter().map(one))
        };
        let mut changes: Vec<(f32, Told)> = Vec::new();
        for (nth, default) in defaults(self.behaviour, policy).into_iter().enumerate() {
            let Some(default) = default.filter(|default| *default != inputs[nth]) else {
                continue;
            };
            let mut others = inputs.clone();
            others[nth] = default;
            let others = policy.network.run(&others);
            let moved = policy.outputs.iter();
            let moved = moved.map(|(output, _)| (gave[*output] - others[*output]).abs());
            let words = say!(
                InputChanges,
                input = self.expression(&policy.inputs[nth]),
                value = number(inputs[nth]),
                default = number(default),
                outputs = written(&others)
            );
            changes.push((moved.fold(0.0, f32::max), Told::about(id, words)));
        }
        changes.sort_by(|one, other| other.0.total_cmp(&one.0));
        let changes = changes.into_iter().map(|(_, told)| told);
        let words = say!(
            NetworkGave,
            name = Words::code(policy.network.name()),
            outputs = written(&gave)
        );
        vec![Told::about(id, words).because(changes.take(MOST_INPUTS).collect())]
    }

    /// What the inputs of a policy came to in this tick.
    pub(crate) fn inputs_told(&self, id: NodeId, policy: &PolicyRun) -> Option<Told> {
        let values = self.inputs_of(id, policy)?;
        let all = policy.inputs.iter().zip(values);
        let all = all.map(|(input, value)| {
            say!(
                ScoreOf,
                name = self.expression(input),
                score = number(value)
            )
        });
        let inputs = Words::several(Join::Names, all);
        Some(Told::about(id, say!(InputsWere, inputs)))
    }

    /// The inputs that a policy has read in this tick, if the trace has them all.
    fn inputs_of(&self, id: NodeId, policy: &PolicyRun) -> Option<Vec<f32>> {
        let answer = self.events.answer(id)?;
        let mut found = evaluated(self.events, id, answer.at).into_iter();
        let inputs = policy.inputs.iter().map(|input| match input {
            Expr::Value(value) => double(*value),
            _ => double(found.next()?.result?),
        });
        inputs.collect()
    }
}

fn double(value: Value) -> Option<f32> {
    match value {
        Value::Double(value) => Some(value as f32),
        _ => None,
    }
}

fn number(value: f32) -> Words {
    Words::value(format!("{value:.3}"))
}

/// What each input is when all keys hold their defaults; nothing for one that needs a key without a default.
fn defaults(behaviour: &Behaviour, policy: &PolicyRun) -> Vec<Option<f32>> {
    let found = evaluated_apart(behaviour, &policy.inputs, &[]);
    let found = found.unwrap_or_else(|| vec![None; policy.inputs.len()]);
    let found = found.into_iter();
    found.map(|value| value.map(|value| value as f32)).collect()
}

/// Evaluates `double` expressions in a program of their own, for an agent whose keys hold these values, and others their
/// defaults.
pub(crate) fn evaluated_apart(
    behaviour: &Behaviour,
    exprs: &[Expr],
    held: &[(KeyId, Value)],
) -> Option<Vec<Option<f64>>> {
    let mut keys: Vec<Key> = behaviour.keys().to_vec();
    for key in &mut keys {
        key.sensed = None;
        key.scope = Scope::Agent;
    }
    let first = keys.len();
    let mut children = Vec::new();
    for (nth, input) in exprs.iter().enumerate() {
        let key = KeyId::new(first + nth);
        keys.push(Key::new(format!("input {nth}"), Value::Double(f64::NAN)));
        let assigns = vec![Assign::set(key, input.clone())];
        let child = Node::leaf(Kind::Set { assigns });
        let even_running = false;
        children.push(Node::with(Kind::ForceSuccess { even_running }, vec![child]));
    }
    let behaviour = Behaviour::new(Parts {
        name: String::new(),
        enums: behaviour.enums().to_vec(),
        keys,
        leaves: behaviour.leaves().to_vec(),
        semaphores: behaviour.semaphores().to_vec(),
        labels: Vec::new(),
        root: Node::with(Kind::ReactiveSequence, children),
    });
    let behaviour = behaviour.ok()?;
    let mut host = Scripted::new(&behaviour, 1);
    let mut agent = Population::new(Arc::new(Program::new(behaviour)), 1);
    for (key, value) in held {
        agent.set(0, *key, *value).ok()?;
    }
    agent.tick(&mut host, Duration::ZERO);
    let values = (0..exprs.len()).map(|nth| match agent.get(0, KeyId::new(first + nth)) {
        Value::Double(value) if !value.is_nan() => Some(value),
        _ => None,
    });
    Some(values.collect())
}

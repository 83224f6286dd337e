//! A host that answers from scripts: lists of answers per leaf, one per call, the last one repeats.

use super::{Answers, Call, Host, Lanes, Moves};
use crate::behaviour::{Behaviour, Kind, LeafKind};
use crate::ids::{LeafId, NodeId};
use crate::status::{Outcome, Status};
use crate::value::Value;

/// Answers for the leaves of a behaviour, by the labels of their nodes. Every agent goes through its own copy
/// of the answers, or has answers of its own.
///
/// An action named `Echo` with a parameter `in` has no answers: it succeeds, and what it was given can be
/// [taken](Self::take_echoes).
#[derive(Clone, Debug)]
pub struct Scripted {
    /// For each node the place of its answers, shared by nodes of one label.
    places: Vec<Option<usize>>,
    labels: Vec<String>,
    /// Per place: what a leaf without answers of its own says.
    fallback: Vec<Status>,
    agents: Vec<AgentScript>,
    /// The action that says what it is given, and the position of that among its parameters.
    echo: Option<(LeafId, usize)>,
    echoes: Vec<Echo>,
}

/// What an `Echo` was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// The agent.
    pub agent: usize,
    /// The node.
    pub node: NodeId,
    /// The value of its parameter `in`.
    pub value: Value,
}

#[derive(Clone, Debug)]
struct AgentScript {
    answers: Vec<Vec<Status>>,
    position: Vec<usize>,
}

impl Scripted {
    /// A host for so many agents whose leaves all answer success until they are given answers.
    pub fn new(behaviour: &Behaviour, agents: usize) -> Self {
        Self::with_fallback(behaviour, agents, |_| Status::Success)
    }

    /// As [`new`](Self::new), with what a leaf answers that is given nothing.
    pub fn with_fallback(
        behaviour: &Behaviour,
        agents: usize,
        fallback: impl Fn(LeafKind) -> Status,
    ) -> Self {
        let echo = echo_of(behaviour);
        let mut labels: Vec<String> = Vec::new();
        let mut fallbacks = Vec::new();
        let mut places = Vec::new();
        for id in behaviour.node_ids() {
            let (Kind::Condition { leaf, .. } | Kind::Action { leaf, .. }) =
                behaviour.node(id).kind
            else {
                places.push(None);
                continue;
            };
            if echo.is_some_and(|(echo, _)| echo == leaf) {
                places.push(None);
                continue;
            }
            let label = behaviour.label(id);
            let place = labels
                .iter()
                .position(|known| known == label)
                .unwrap_or_else(|| {
                    labels.push(label.to_owned());
                    fallbacks.push(fallback(behaviour.leaf(leaf).kind));
                    labels.len() - 1
                });
            places.push(Some(place));
        }
        let blank = AgentScript {
            answers: vec![Vec::new(); labels.len()],
            position: vec![0; labels.len()],
        };
        Self {
            places,
            labels,
            fallback: fallbacks,
            agents: vec![blank; agents],
            echo,
            echoes: Vec::new(),
        }
    }

    /// What `Echo` was given since this was asked last, in the order of the calls.
    pub fn take_echoes(&mut self) -> Vec<Echo> {
        std::mem::take(&mut self.echoes)
    }

    /// The labels that answers can be given for.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Gives one agent its answers for a label; `false` when no leaf has that label. The last answer repeats.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn set(&mut self, agent: usize, label: &str, answers: &[Status]) -> bool {
        let Some(place) = self.labels.iter().position(|known| known == label) else {
            return false;
        };
        self.agents[agent].answers[place] = answers.to_vec();
        self.agents[agent].position[place] = 0;
        true
    }

    /// Gives all agents the same answers for a label; `false` when no leaf has that label.
    pub fn set_all(&mut self, label: &str, answers: &[Status]) -> bool {
        (0..self.agents.len()).all(|agent| self.set(agent, label, answers))
            && self.labels.iter().any(|l| l == label)
    }

    /// The next answer of a node for an agent.
    fn next(&mut self, node: NodeId, agent: usize) -> Status {
        let Some(place) = self.places[node.index()] else {
            return Status::Success;
        };
        let script = &mut self.agents[agent];
        let (answers, position) = (&script.answers[place], &mut script.position[place]);
        let Some(&answer) = answers.get(*position).or(answers.last()) else {
            return self.fallback[place];
        };
        *position += 1;
        answer
    }
}

/// The action `Echo` and the position of its parameter `in`, if there are such.
fn echo_of(behaviour: &Behaviour) -> Option<(LeafId, usize)> {
    let id = behaviour.leaf_id("Echo")?;
    let leaf = behaviour.leaf(id);
    let is_action = matches!(leaf.kind, LeafKind::Action { .. });
    let param = leaf.params.iter().position(|param| param.name == "in")?;
    is_action.then_some((id, param))
}

impl Host for Scripted {
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        for agent in lanes {
            answers.set(agent, self.next(call.node(), agent));
        }
    }

    fn start(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if let Some((echo, param)) = self.echo
            && echo == call.leaf()
        {
            let node = call.node();
            let said = lanes.iter().map(|agent| Echo {
                agent,
                node,
                value: call.arg(param, agent),
            });
            self.echoes.extend(said);
        }
        self.ask(call, lanes, answers);
    }

    fn stop(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: Outcome) {}

    /// Nothing: services have no answers.
    fn serve(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    /// Running, without a child ticked: scripts know of no decisions.
    fn decide(&mut self, _: &mut Call<'_>, _: Lanes<'_>, _: &mut Moves<'_>) {}
}

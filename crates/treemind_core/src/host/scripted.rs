//! A host that answers from scripts: a list of answers per leaf, one per call; the last one repeats.

use super::{Answers, Call, Candidates, Host, Lanes, Message, Move, Moves, Nav2, Pairs, Told};
use crate::behaviour::{Behaviour, Kind, LeafKind, Life};
use crate::chance::Draw;
use crate::ids::{KeyId, LeafId, NodeId};
use crate::status::{Outcome, Status};
use crate::value::Value;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// Answers for the leaves of a behaviour, by the labels of their nodes. Every agent goes through the answers
/// separately, and agents can have different answers.
///
/// A composite or decorator of the host with a list answers from it, and ticks no child. Without one, a decorator does
/// what its child does, and a composite ticks its children from the first in each tick, until one does not succeed.
/// Those of [`Nav2`] do what they do there. A label that a condition or an action has, too, is theirs alone.
///
/// Sensed keys get their values from lists too; a key without a list keeps its default. What agents log and emit is
/// recorded if the host is [listening](Self::listening).
///
/// An action named `Echo` with a parameter `in` has no answers: it always succeeds, and the values of `in` can be
/// [taken](Self::take_echoes).
#[derive(Clone, Debug)]
pub struct Scripted {
    /// For each node, the index of its answers, which nodes with the same label share.
    places: Vec<Option<usize>>,
    labels: Vec<String>,
    /// Per index: the answer of a leaf without a list.
    fallback: Vec<Status>,
    agents: Vec<AgentScript>,
    sensed: Vec<SensedScript>,
    /// What is listed for `find`, and what is measured of the candidates, by the leaf.
    candidates: HashMap<LeafId, Vec<Value>>,
    measures: HashMap<LeafId, Vec<f32>>,
    /// Per index: what decides on its answers.
    rules: HashMap<usize, Rule>,
    messages: Option<Vec<Message>>,
    /// The action `Echo`, and the position of `in` among its parameters.
    echo: Option<(LeafId, usize)>,
    echoes: Vec<Echo>,
    nav2: Nav2,
}

/// An answer of a script that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The agent.
    pub agent: usize,
    /// The answer of the list.
    pub answer: Status,
    /// Whether it is the last one of the list, which repeats.
    pub is_last: bool,
}

/// Decides on an answer that is due; it may read and write keys.
#[derive(Clone)]
struct Rule(Arc<Decision>);

type Decision = dyn Fn(&mut Call<'_>, Due) -> Status + Send + Sync;

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rule")
    }
}

/// The values of a sensed key, and how many of them each agent has had.
#[derive(Clone, Debug)]
struct SensedScript {
    key: KeyId,
    values: Vec<Option<Value>>,
    positions: Vec<usize>,
}

/// The value that was passed to an `Echo`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Echo {
    /// The agent.
    pub agent: usize,
    /// The node.
    pub node: NodeId,
    /// The value of its parameter `in`; `None` if that is a key without a value.
    pub value: Option<Value>,
}

#[derive(Clone, Debug)]
struct AgentScript {
    answers: Vec<Vec<Status>>,
    position: Vec<usize>,
    /// Whether each answer is drawn from the list.
    is_drawn: Vec<bool>,
    /// Whether the list begins anew with each run.
    is_each_run: Vec<bool>,
}

impl Scripted {
    /// A host for `agents` agents in which all leaves answer success until they get other answers.
    pub fn new(behaviour: &Behaviour, agents: usize) -> Self {
        Self::with_fallback(behaviour, agents, |_| Status::Success)
    }

    /// Like [`new`](Self::new), with a function that gives the answer of a leaf without a list.
    pub fn with_fallback(
        behaviour: &Behaviour,
        agents: usize,
        fallback: impl Fn(LeafKind) -> Status,
    ) -> Self {
        let echo = echo_of(behaviour);
        let is_leaf = |id: &NodeId| {
            matches!(
                behaviour.node(*id).kind,
                Kind::Condition { .. } | Kind::Action { .. }
            )
        };
        let of_leaves: HashSet<&str> = behaviour
            .node_ids()
            .filter(is_leaf)
            .map(|id| behaviour.label(id))
            .collect();
        let mut labels: Vec<String> = Vec::new();
        let mut fallbacks = Vec::new();
        let mut places = Vec::new();
        for id in behaviour.node_ids() {
            let (Kind::Condition { leaf, .. } | Kind::Action { leaf, .. } | Kind::Own { leaf, .. }) =
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
            let is_own = matches!(behaviour.node(id).kind, Kind::Own { .. });
            if is_own && of_leaves.contains(label) {
                places.push(None);
                continue;
            }
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
            is_drawn: vec![false; labels.len()],
            is_each_run: vec![false; labels.len()],
        };
        Self {
            places,
            labels,
            fallback: fallbacks,
            agents: vec![blank; agents],
            sensed: Vec::new(),
            candidates: HashMap::new(),
            measures: HashMap::new(),
            rules: HashMap::new(),
            messages: None,
            echo,
            echoes: Vec::new(),
            nav2: Nav2::new(),
        }
    }

    /// Like [`new`](Self::new), with the answers of leaves that nobody has thought about, as tests of documents have them:
    /// no condition holds, actions run, and instant ones succeed.
    pub fn idle(behaviour: &Behaviour, agents: usize) -> Self {
        Self::with_fallback(behaviour, agents, Self::idle_answer)
    }

    /// How a leaf of a kind answers in [`idle`](Self::idle).
    pub fn idle_answer(kind: LeafKind) -> Status {
        match kind {
            LeafKind::Condition => Status::Failure,
            LeafKind::Action {
                life: Life::Instant,
            } => Status::Success,
            _ => Status::Running,
        }
    }

    /// How many agents it has answers for.
    pub(super) fn agent_count(&self) -> usize {
        self.agents.len()
    }

    /// Has answers for so many agents; new ones get those of the first, from the beginning.
    pub(super) fn grow(&mut self, agents: usize) {
        let Some(first) = self.agents.first().filter(|_| self.agents.len() < agents) else {
            return;
        };
        let mut fresh = first.clone();
        fresh.position.fill(0);
        self.agents.resize(agents, fresh);
        for script in &mut self.sensed {
            script.positions.resize(agents, 0);
        }
    }

    /// Continues where another host is in its lists, for leaves with the same labels.
    pub fn go_on_from(&mut self, other: &Self) {
        for (script, known) in self.agents.iter_mut().zip(&other.agents) {
            for (label, position) in self.labels.iter().zip(&mut script.position) {
                let place = other.place_of(label);
                *position = place.map_or(0, |place| known.position[place]);
            }
        }
    }

    /// The same, but it records what agents log and emit, for [`take_messages`](Self::take_messages).
    #[must_use]
    pub fn listening(mut self) -> Self {
        self.messages = Some(Vec::new());
        self
    }

    /// What agents have logged and emitted since the last call, in order; empty unless the host is
    /// [listening](Self::listening).
    pub fn take_messages(&mut self) -> Vec<Message> {
        self.messages.as_mut().map_or_else(Vec::new, std::mem::take)
    }

    /// Sets the values of a sensed key, which must be of its type: one for each time that it is computed for an
    /// agent, and the last one repeats. `None` stands for a sensor that writes nothing.
    pub fn set_sensed(&mut self, key: KeyId, values: &[Option<Value>]) {
        self.sensed.retain(|known| known.key != key);
        self.sensed.push(SensedScript {
            key,
            values: values.to_vec(),
            positions: vec![0; self.agents.len()],
        });
    }

    /// Sets what a leaf of the kind `candidates` lists, each time and for every agent; nothing until then.
    pub fn set_candidates(&mut self, leaf: LeafId, candidates: &[Value]) {
        self.candidates.insert(leaf, candidates.to_vec());
    }

    /// Sets what a measure says: one number for each candidate, by its place among those of its agent; the last one
    /// repeats. Until then, it is 0.
    pub fn set_measure(&mut self, leaf: LeafId, values: &[f32]) {
        self.measures.insert(leaf, values.to_vec());
    }

    /// The values passed to `Echo` since the last call, in order.
    pub fn take_echoes(&mut self) -> Vec<Echo> {
        std::mem::take(&mut self.echoes)
    }

    /// The labels that can have answers.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Sets the answers of one agent for a label; returns `false` when no leaf has that label. The last answer repeats.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn set(&mut self, agent: usize, label: &str, answers: &[Status]) -> bool {
        let Some(place) = self.place_of(label) else {
            return false;
        };
        self.agents[agent].answers[place] = answers.to_vec();
        self.agents[agent].position[place] = 0;
        self.agents[agent].is_drawn[place] = false;
        self.agents[agent].is_each_run[place] = false;
        self.rules.remove(&place);
        true
    }

    /// Lets the answers of one agent for a label begin anew when a run has ended, until the label gets other answers:
    /// after success, failure or skipped, or when it was aborted. Returns `false` when no leaf has that label.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn set_each_run(&mut self, agent: usize, label: &str) -> bool {
        let place = self.place_of(label);
        if let Some(place) = place {
            self.agents[agent].is_each_run[place] = true;
        }
        place.is_some()
    }

    /// Lets a function decide on each answer of a label, for all agents, until the label gets other answers; returns
    /// `false` when no leaf has that label.
    pub fn set_rule(
        &mut self,
        label: &str,
        rule: impl Fn(&mut Call<'_>, Due) -> Status + Send + Sync + 'static,
    ) -> bool {
        let place = self.place_of(label);
        if let Some(place) = place {
            self.rules.insert(place, Rule(Arc::new(rule)));
        }
        place.is_some()
    }

    /// Lets each call of the leaves with a label draw one of these answers, for all agents; returns `false` when no leaf
    /// has that label.
    pub fn draw_all(&mut self, label: &str, answers: &[Status]) -> bool {
        let is_known = self.set_all(label, answers);
        if let Some(place) = self.place_of(label) {
            let agents = self.agents.iter_mut();
            agents.for_each(|script| script.is_drawn[place] = true);
        }
        is_known
    }

    /// Sets the answers of all agents for a label; returns `false` when no leaf has that label.
    pub fn set_all(&mut self, label: &str, answers: &[Status]) -> bool {
        (0..self.agents.len()).all(|agent| self.set(agent, label, answers))
            && self.labels.iter().any(|l| l == label)
    }

    /// Whether a node has a list for an agent.
    fn is_answered(&self, node: NodeId, agent: usize) -> bool {
        self.places[node.index()].is_some_and(|place| !self.agents[agent].answers[place].is_empty())
    }

    fn place_of(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|known| known == label)
    }

    /// The next answer of the node of a call for an agent.
    fn next(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let Some(place) = self.places[call.node().index()] else {
            return Status::Success;
        };
        let script = &mut self.agents[agent];
        let (answers, position) = (&script.answers[place], &mut script.position[place]);
        let drawn = script.is_drawn[place] && !answers.is_empty();
        let nth = match drawn {
            true => {
                let draw = Draw {
                    seed: 0,
                    agent: agent as u64,
                    node: place as u32,
                    tick: *position as u64,
                    nth: 0,
                };
                draw.below(answers.len() as u32) as usize
            }
            false => *position,
        };
        let Some(&answer) = answers.get(nth).or(answers.last()) else {
            return self.fallback[place];
        };
        *position += 1;
        let is_last = *position >= answers.len();
        let answer = match self.rules.get(&place) {
            None => answer,
            Some(rule) => (rule.0)(
                call,
                Due {
                    agent,
                    answer,
                    is_last,
                },
            ),
        };
        if script.is_each_run[place] && answer != Status::Running {
            script.position[place] = 0;
        }
        answer
    }

    /// A run of a node has ended for an agent.
    fn end(&mut self, node: NodeId, agent: usize) {
        let script = &mut self.agents[agent];
        if let Some(place) = self.places[node.index()]
            && script.is_each_run[place]
        {
            script.position[place] = 0;
        }
    }
}

/// The action `Echo` and the position of its parameter `in`, if they exist.
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
            answers.set(agent, self.next(call, agent));
        }
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        if Nav2::knows(call) {
            lanes.iter().for_each(|agent| self.nav2.begin(call, agent));
        }
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if let Some((echo, param)) = self.echo
            && echo == call.leaf()
        {
            let node = call.node();
            let said = lanes.iter().map(|agent| Echo {
                agent,
                node,
                value: match call.arg_key(param) {
                    Some(key) => call.find(key, agent),
                    None => Some(call.arg(param, agent)),
                },
            });
            self.echoes.extend(said);
        }
        self.ask(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        lanes.iter().for_each(|agent| self.end(call.node(), agent));
        if Nav2::knows(call) {
            let agents = lanes.iter();
            agents.for_each(|agent| self.nav2.end(call, agent, outcome));
        }
    }

    /// Does nothing: services have no answers.
    fn serve(&mut self, _: &mut Call<'_>, _: Lanes<'_>) {}

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        let (node, children) = (call.node(), call.children());
        let is_known = Nav2::knows(call);
        for agent in lanes {
            if is_known && !self.is_answered(node, agent) {
                let next = self.nav2.decide(call, agent, moves.told(agent));
                moves.set(agent, next);
                continue;
            }
            let (next, status) = match moves.told(agent) {
                Told::Tick if self.is_answered(node, agent) => {
                    moves.set(agent, Move::Answer(self.next(call, agent)));
                    continue;
                }
                Told::Tick => (0, Status::Success),
                Told::Answered { child, status } => (child + 1, status),
                Told::Halted { child } => (child + 1, Status::Success),
            };
            let goes_on = matches!(status, Status::Success | Status::Skipped) && next < children;
            moves.set(
                agent,
                match goes_on {
                    true => Move::Tick(next),
                    false => Move::Answer(status),
                },
            );
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        let script = self.sensed.iter_mut().find(|script| script.key == key);
        let Some(SensedScript {
            values, positions, ..
        }) = script
        else {
            return;
        };
        for agent in lanes {
            let value = values.get(positions[agent]).or(values.last());
            positions[agent] += 1;
            if let Some(&Some(value)) = value
                && let Err(error) = call.board().set(key, agent, value)
            {
                call.fault(agent, error.to_string());
            }
        }
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        for candidate in self.candidates.get(&call.leaf()).into_iter().flatten() {
            for agent in lanes {
                candidates.push(agent, *candidate);
            }
        }
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        let values = self.measures.get(&call.leaf());
        let values = values.map_or(&[][..], Vec::as_slice);
        for pair in 0..pairs.len() {
            let value = values.get(pairs.place(pair)).or(values.last());
            pairs.set(pair, value.copied().unwrap_or(0.0));
        }
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let Some(messages) = &mut self.messages else {
            return;
        };
        messages.extend(lanes.iter().map(|agent| {
            Message {
                agent,
                node: call.node(),
                tick: call.tick(),
                text: call.text(agent),
                values: (0..call.args())
                    .map(|index| call.arg(index, agent))
                    .collect(),
            }
        }));
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.log(call, lanes);
    }
}

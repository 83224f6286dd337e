//! The last thing that each node did, for the outline.

mod carried;

use std::collections::{HashMap, VecDeque};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, Kind, LeafId, NodeId, Outcome, Population, Status};
use treemind_doc::About;
use treemind_explain::{Candidate, Verdict, Words};

/// The state of a node in the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Never reached, or not reached in the last tick.
    Idle,
    /// Answered in the last tick.
    Now(Status),
    /// The node's answer a moment ago; for a condition, the answer when it was last asked; for a branch of a parallel that
    /// has finished, its answer as long as the parallel counts it.
    Earlier(Status),
    /// It goes on, though it was not reached in the last tick or asked to be skipped in it.
    Open,
    /// Cut off in the last tick.
    Aborted,
    /// Cut off a moment ago.
    EarlierAborted,
    /// A state that is active, and was entered a moment ago.
    Entered,
    /// A state that was left in the last tick.
    Left,
    /// A state that was left a moment ago.
    EarlierLeft,
}

impl Mark {
    /// Whether the node goes on.
    pub fn is_running(self) -> bool {
        matches!(self, Mark::Now(Status::Running) | Mark::Open)
    }
}

#[derive(Clone, Debug, Default)]
struct NodeMarks {
    is_condition: bool,
    last: Option<(Status, u64)>,
    /// The last answers, each with its first and last tick, the newest last.
    recent: VecDeque<(Status, u64, u64)>,
    aborted: Option<u64>,
    score: Option<f32>,
}

impl NodeMarks {
    fn remember(&mut self, status: Status, tick: u64) {
        match self.recent.back_mut() {
            Some((last, _, to)) if *last == status && *to + 1 >= tick => *to = tick,
            _ => self.recent.push_back((status, tick, tick)),
        }
        if self.recent.len() > KEPT_ANSWERS {
            self.recent.pop_front();
        }
    }
}

/// What the view shows of a machine.
#[derive(Clone, Debug, Default)]
struct States {
    is_active: Vec<bool>,
    /// When each state was last entered or left.
    moved: Vec<Option<u64>>,
    /// When each transition was last taken.
    taken: Vec<Option<u64>>,
    /// What happened to each transition in the last tick.
    verdicts: Vec<Option<(Verdict, Words)>>,
}

/// What the view shows of a decision tree.
#[derive(Clone, Debug, Default)]
struct Tests {
    /// The way that each test took last, and in which tick.
    taken: HashMap<usize, (usize, u64)>,
}

/// The marks of all nodes.
#[derive(Clone, Debug)]
pub struct Marks {
    nodes: Vec<NodeMarks>,
    /// The nodes that are open after the last tick, in order.
    open: Vec<NodeId>,
    /// The branches of parallels that have finished and are counted, in order.
    finished: Vec<(NodeId, Status)>,
    machines: HashMap<NodeId, States>,
    decisions: HashMap<NodeId, Tests>,
    tick: u64,
}

/// For how many ticks the view shows that a node was aborted, or a state entered or left.
const ABORT_TICKS: u64 = 10;
/// For how many ticks the view shows what a node answered.
const FADE_TICKS: u64 = 20;
/// How many of its last answers are kept for a node.
const KEPT_ANSWERS: usize = 4;

impl Marks {
    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The marks before the first tick.
    pub fn new(behaviour: &Behaviour) -> Self {
        let node = |id| NodeMarks {
            is_condition: matches!(
                behaviour.node(id).kind,
                Kind::Condition { .. } | Kind::Check { .. }
            ),
            ..NodeMarks::default()
        };
        let machines = behaviour
            .node_ids()
            .filter_map(|id| match &behaviour.node(id).kind {
                Kind::Machine(machine) => {
                    let states = States {
                        is_active: vec![false; machine.states.len()],
                        moved: vec![None; machine.states.len()],
                        taken: vec![None; machine.transitions.len()],
                        verdicts: vec![None; machine.transitions.len()],
                    };
                    Some((id, states))
                }
                _ => None,
            });
        Self {
            nodes: behaviour.node_ids().map(node).collect(),
            open: Vec::new(),
            finished: Vec::new(),
            machines: machines.collect(),
            decisions: HashMap::new(),
            tick: 0,
        }
    }

    /// Takes over what is open already, and which states of machines are active, of an agent that is followed from now on.
    pub fn begin(&mut self, population: &Population, agent: usize) {
        self.open = population.open(agent, []);
        self.finished = population.finished_branches(agent);
        for (id, states) in &mut self.machines {
            for (state, is_active) in states.is_active.iter_mut().enumerate() {
                *is_active = population.is_in(agent, *id, state);
            }
        }
    }

    /// Adds the trace of an agent's tick, and what happened to transitions in it. The population is as it was after the tick.
    pub fn update(
        &mut self,
        (population, agent): (&Population, usize),
        trace: &Trace,
        candidates: Vec<Candidate>,
        tick: u64,
    ) {
        self.tick = tick;
        let open = population.open(agent, trace.agent(agent));
        let before = std::mem::replace(&mut self.open, open);
        self.finished = population.finished_branches(agent);
        let machines = self.machines.values_mut();
        machines.for_each(|states| states.verdicts.fill(None));
        for candidate in candidates {
            if let Some(states) = self.machines.get_mut(&candidate.node) {
                let verdict = (candidate.verdict, candidate.words);
                states.verdicts[candidate.transition] = Some(verdict);
            }
        }
        for (id, event) in trace.agent(agent) {
            let node = &mut self.nodes[id.index()];
            match event {
                Event::Tick(status) => {
                    node.last = Some((status, tick));
                    node.aborted = None;
                    node.remember(status, tick);
                }
                // What a guard cuts off has been cut off before.
                Event::Guard(status) => {
                    node.last = Some((status, tick));
                    node.aborted = node.aborted.filter(|aborted| *aborted == tick);
                    node.remember(status, tick);
                }
                Event::Stop(Outcome::Aborted) => node.aborted = Some(tick),
                Event::Score(bits) => node.score = Some(f32::from_bits(bits)),
                Event::Branch(test, way) => {
                    let tests = self.decisions.entry(id).or_default();
                    tests.taken.insert(test as usize, (way as usize, tick));
                }
                _ => self.update_machine(id, event),
            }
        }
        self.note_aborted(&before);
    }

    /// Notes what was cut off in the tick: what was open `before` or answered that it runs, and is not open any more. Only the
    /// end of an action is an event.
    fn note_aborted(&mut self, before: &[NodeId]) {
        for (nth, node) in self.nodes.iter_mut().enumerate() {
            let id = NodeId::new(nth);
            let answered = node.last.filter(|(_, tick)| *tick == self.tick);
            let ran = match answered {
                Some((status, _)) => status == Status::Running,
                None => before.binary_search(&id).is_ok(),
            };
            if ran && !node.is_condition && self.open.binary_search(&id).is_err() {
                node.aborted = Some(self.tick);
            }
        }
    }

    /// Records a tick in which nothing was done: nothing is active any longer.
    pub fn rest(&mut self, tick: u64) {
        self.tick = tick;
        self.open.clear();
        self.finished.clear();
        for states in self.machines.values_mut() {
            states.is_active.fill(false);
            states.verdicts.fill(None);
        }
    }

    /// The last answers of a node, each with the first and last tick in which it was given, the newest last.
    pub fn recent(&self, id: NodeId) -> impl Iterator<Item = (Status, u64, u64)> + '_ {
        self.nodes[id.index()].recent.iter().copied()
    }

    fn update_machine(&mut self, id: NodeId, event: Event) {
        let Some(states) = self.machines.get_mut(&id) else {
            return;
        };
        match event {
            Event::EnterState(state) | Event::LeaveState(state) => {
                let is_entered = matches!(event, Event::EnterState(_));
                states.is_active[state as usize] = is_entered;
                states.moved[state as usize] = Some(self.tick);
            }
            Event::Take(number) => states.taken[number as usize] = Some(self.tick),
            _ => {}
        }
    }

    /// What a line did since a tick and does not show any more, for whoever has looked at it only then: what came and
    /// went in the meantime is an answer of a moment ago.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn flash(&self, about: About, since: u64) -> Option<Mark> {
        match about {
            About::Node(id) => {
                let node = &self.nodes[id.index()];
                let aborted = node.aborted.filter(|tick| *tick > since);
                let (status, tick) = node.last?;
                match aborted {
                    Some(_) => Some(Mark::Aborted),
                    None => (tick > since).then_some(Mark::Earlier(status)),
                }
            }
            About::State(id, state) => {
                let moved = self.machines.get(&id)?.moved[state]?;
                (moved > since).then_some(Mark::Left)
            }
            About::Transition(id, number) => {
                let taken = self.machines.get(&id)?.taken[number]?;
                (taken > since).then_some(Mark::Earlier(Status::Success))
            }
            About::Test(..)
            | About::Way(..)
            | About::Goal(..)
            | About::Method(..)
            | About::Rule(..)
            | About::Part => None,
            _ => treemind_core::unlisted(&about),
        }
    }

    /// The mark of a state; an active state has the mark of a running node.
    pub fn of_state(&self, id: NodeId, state: usize) -> Mark {
        let Some(states) = self.machines.get(&id) else {
            return Mark::Idle;
        };
        let moved = states.moved[state];
        let has_moved = moved.is_some_and(|tick| self.tick - tick < ABORT_TICKS);
        match (states.is_active[state], has_moved) {
            (true, true) => Mark::Entered,
            (true, false) => Mark::Now(Status::Running),
            (false, true) if moved == Some(self.tick) => Mark::Left,
            (false, true) => Mark::EarlierLeft,
            (false, false) => Mark::Idle,
        }
    }

    /// The mark of a transition. The last one taken has the mark of success, until another is taken; one that was
    /// refused in the last tick has the mark of failure.
    pub fn of_transition(&self, id: NodeId, number: usize) -> Mark {
        let Some(states) = self.machines.get(&id) else {
            return Mark::Idle;
        };
        let (taken, last) = (states.taken[number], states.taken.iter().max());
        match &states.verdicts[number] {
            _ if taken == Some(self.tick) => Mark::Now(Status::Success),
            Some((Verdict::Refused(_), _)) => Mark::Now(Status::Failure),
            _ if taken.is_some() && Some(&taken) == last => Mark::Earlier(Status::Success),
            _ => Mark::Idle,
        }
    }

    /// The way that a test took in the last tick.
    fn way_taken(&self, id: NodeId, test: usize) -> Option<usize> {
        let (way, tick) = self.decisions.get(&id)?.taken.get(&test)?;
        (*tick == self.tick).then_some(*way)
    }

    /// The mark of a test: success if it led to one of `sides`, failure if it led past them.
    pub fn of_test(&self, id: NodeId, test: usize, sides: usize) -> Mark {
        match self.way_taken(id, test) {
            Some(way) if way < sides => Mark::Now(Status::Success),
            Some(_) => Mark::Now(Status::Failure),
            None => Mark::Idle,
        }
    }

    /// The mark of a way of a test; one that was taken in the last tick has the mark of success.
    pub fn of_way(&self, id: NodeId, test: usize, way: usize) -> Mark {
        if self.way_taken(id, test) == Some(way) {
            Mark::Now(Status::Success)
        } else {
            Mark::Idle
        }
    }

    /// The mark of a line of the outline.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub fn of(&self, behaviour: &Behaviour, about: About) -> Mark {
        match about {
            About::Node(id) => self.get(id),
            About::State(id, state) => self.of_state(id, state),
            About::Transition(id, number) => self.of_transition(id, number),
            About::Test(id, test) => self.of_test(id, test, sides(behaviour, id, test)),
            About::Way(id, test, way) => self.of_way(id, test, way),
            About::Goal(..) | About::Method(..) | About::Rule(..) | About::Part => Mark::Idle,
            _ => treemind_core::unlisted(&about),
        }
    }

    /// Whether a state of a machine is active.
    pub fn is_active(&self, id: NodeId, state: usize) -> bool {
        let states = self.machines.get(&id);
        states.is_some_and(|states| states.is_active[state])
    }

    /// The transition that a machine took last, and how many ticks ago.
    pub fn last_taken(&self, id: NodeId) -> Option<(usize, u64)> {
        let taken = self.machines.get(&id)?.taken.iter().enumerate();
        let (tick, number) = taken
            .filter_map(|(number, tick)| Some(((*tick)?, number)))
            .max()?;
        Some((number, self.tick - tick))
    }

    /// What happened to a transition in the last tick: as one word, and as a sentence.
    pub fn verdict_of(&self, id: NodeId, number: usize) -> Option<(&'static str, &Words)> {
        let verdict = self.machines.get(&id)?.verdicts[number].as_ref()?;
        Some((verdict.0.word(), &verdict.1))
    }

    /// The mark of a node.
    pub fn get(&self, id: NodeId) -> Mark {
        let node = &self.nodes[id.index()];
        let answered = node.last.filter(|(_, tick)| *tick == self.tick);
        let answered = answered.map(|(status, _)| status);
        let is_open = self.open.binary_search(&id).is_ok();
        let finished = self.finished.binary_search_by_key(&id, |(node, _)| *node);
        let finished = finished.ok().map(|place| self.finished[place].1);
        match (node.aborted, node.last) {
            _ if is_open && matches!(answered, None | Some(Status::Skipped)) => Mark::Open,
            (Some(aborted), _) if aborted == self.tick => Mark::Aborted,
            (None, Some((status, tick))) if tick == self.tick => Mark::Now(status),
            _ if finished.is_some() => finished.map_or(Mark::Idle, Mark::Earlier),
            (Some(aborted), _) if self.tick - aborted < ABORT_TICKS => Mark::EarlierAborted,
            (_, Some((status, _))) if node.is_condition => Mark::Earlier(status),
            (None, Some((status, tick))) if self.tick - tick < FADE_TICKS => Mark::Earlier(status),
            _ => Mark::Idle,
        }
    }

    /// The node's last answer.
    pub fn last(&self, id: NodeId) -> Option<Status> {
        self.nodes[id.index()].last.map(|(status, _)| status)
    }

    /// The score that a child of a `utility-selector` had when it was last computed.
    pub fn score(&self, id: NodeId) -> Option<f32> {
        self.nodes[id.index()].score
    }

    /// The action that runs, if one does.
    pub fn running_action(&self, behaviour: &Behaviour) -> Option<(NodeId, LeafId)> {
        let mut nodes = behaviour.node_ids();
        nodes.find_map(|id| match behaviour.node(id).kind {
            Kind::Action { leaf, .. } if self.is_running(id) => Some((id, leaf)),
            _ => None,
        })
    }

    /// What is being done: the label of the action that runs, or else the name of the innermost thing that runs and has one,
    /// be it a node or a state of a machine inside the root.
    pub fn doing<'b>(&self, behaviour: &'b Behaviour) -> Option<&'b str> {
        if let Some((id, _)) = self.running_action(behaviour) {
            return Some(behaviour.label(id));
        }
        let below = behaviour.node_ids().filter(|id| *id != behaviour.root());
        let running = below.filter(|id| self.is_running(*id));
        let named = running.filter_map(|id| {
            let node = behaviour.node(id);
            self.innermost_state(id, &node.kind)
                .or(node.name.as_deref())
        });
        named.last()
    }

    /// The name of the innermost active state of a machine, of several the first.
    fn innermost_state<'b>(&self, id: NodeId, kind: &'b Kind) -> Option<&'b str> {
        let Kind::Machine(machine) = kind else {
            return None;
        };
        let states = (0..machine.states.len()).rev();
        let active = states.filter(|state| *state > 0 && self.is_active(id, *state));
        let innermost = active.max_by_key(|state| machine.level(*state))?;
        Some(&machine.states[innermost].name)
    }

    /// The innermost active states, if the root is a machine.
    pub fn active_states(&self, behaviour: &Behaviour) -> String {
        let root = behaviour.root();
        let Kind::Machine(machine) = &behaviour.node(root).kind else {
            return String::new();
        };
        let states = 0..machine.states.len();
        let active =
            states.filter(|state| machine.is_atomic(*state) && self.is_active(root, *state));
        let paths = active.map(|state| machine.path(state).join(" › "));
        paths.collect::<Vec<String>>().join(" + ")
    }

    /// Whether a node goes on after the last tick, whether that reached it or not.
    pub fn is_running(&self, id: NodeId) -> bool {
        self.get(id).is_running()
    }
}

/// How many ways of a test lead further in; the last one leads to the lines below it.
pub fn sides(behaviour: &Behaviour, id: NodeId, test: usize) -> usize {
    let step = behaviour.node(id).kind.test(test);
    step.map_or(0, |step| step.ways().len() - 1)
}

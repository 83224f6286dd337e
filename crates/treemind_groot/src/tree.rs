//! A tree that is shown: what its nodes have answered last.

use crate::layout::{Layout, Resets};
use std::collections::VecDeque;
use std::sync::Arc;
use treemind_core::trace::{Event, Trace};
use treemind_core::{NodeId, Population, Program, Status};

/// How many changes are kept until somebody asks for them, as there.
const MAX_TRANSITIONS: usize = 1_000;

const RUNNING: u8 = 1;
const SKIPPED: u8 = 4;
/// Added to what a node answered last when it is idle again.
const IDLE: u8 = 10;

/// A change of the status of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub(crate) now_ns: u64,
    pub(crate) node: NodeId,
    pub(crate) status: u8,
}

/// Nodes and what they answer in place of being ticked.
type Answers = Vec<(NodeId, Status)>;

/// A tree with the statuses of its nodes.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) program: Arc<Program>,
    /// The same program with the answers that are replaced, and these, while there are some.
    pub(crate) replaced: Option<(Arc<Program>, Answers)>,
    /// What monitors see of it.
    pub(crate) layout: Layout,
    /// The status of each node.
    statuses: Vec<u8>,
    /// Which nodes were reached in the last tick.
    pub(crate) reached: Vec<bool>,
    /// The time of the agents after the last tick.
    pub(crate) now_ns: u64,
    /// The keys of the agent, as MessagePack: of the whole tree, or of each place of a tree of BehaviorTree.CPP.
    pub(crate) keys: Vec<Vec<u8>>,
    pub(crate) transitions: VecDeque<Transition>,
    pub(crate) is_recorded: bool,
    pub(crate) most_transitions: usize,
}

impl Tree {
    pub(crate) fn new(name: &str, program: &Arc<Program>) -> Self {
        let nodes = program.behaviour().nodes().len();
        Self {
            name: name.to_owned(),
            program: Arc::clone(program),
            replaced: None,
            layout: Layout::of(program.behaviour()),
            statuses: vec![0; nodes],
            reached: vec![false; nodes],
            now_ns: 0,
            keys: Vec::new(),
            transitions: VecDeque::new(),
            is_recorded: false,
            most_transitions: MAX_TRANSITIONS,
        }
    }

    /// Whether agents of this program are those that are shown.
    pub(crate) fn is_of(&self, program: &Arc<Program>) -> bool {
        let replaced = self.replaced.as_ref();
        Arc::ptr_eq(&self.program, program)
            || replaced.is_some_and(|(replaced, _)| Arc::ptr_eq(replaced, program))
    }

    /// The program in which these nodes answer so.
    pub(crate) fn replace(&mut self, answers: Answers) -> Arc<Program> {
        if answers.is_empty() {
            self.replaced = None;
            return Arc::clone(&self.program);
        }
        match &self.replaced {
            Some((program, known)) if *known == answers => Arc::clone(program),
            _ => {
                let behaviour = self.program.behaviour().clone();
                let behaviour = answers.iter().fold(behaviour, |whole, (node, status)| {
                    whole.with_answer(*node, *status)
                });
                let program = Arc::new(Program::new(behaviour));
                self.replaced = Some((Arc::clone(&program), answers));
                program
            }
        }
    }

    /// Takes in a tick.
    pub(crate) fn update(&mut self, population: &Population, trace: &Trace, agent: usize) {
        self.now_ns = population.now_ns();
        self.reached.fill(false);
        for (node, event) in trace.agent(agent) {
            let status = match event {
                Event::Tick(status) | Event::Guard(status) => code(status),
                Event::Abort => IDLE + RUNNING,
                Event::Enter | Event::Start => {
                    self.reached[node.index()] = true;
                    continue;
                }
                _ => continue,
            };
            self.reached[node.index()] |= status < IDLE;
            self.become_(node, status);
        }
        self.settle();
        let boards = &self.layout.blackboards;
        self.keys.resize_with(boards.len(), Vec::new);
        for (keys, board) in self.keys.iter_mut().zip(boards) {
            keys.clear();
            crate::pack::keys(keys, population, agent, board);
        }
    }

    /// The status of each number, in their order.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = u8> {
        let nodes = self.layout.nodes().iter();
        nodes.map(|node| self.statuses[node.index()])
    }

    /// What is idle after a tick: all below a node that is not running, what ran and was not reached, and what its parent
    /// has reset: a decorator its child that has ended, a reactive list all children but the one that runs.
    fn settle(&mut self) {
        let program = Arc::clone(&self.program);
        let behaviour = program.behaviour();
        for node in behaviour.node_ids() {
            let at = node.index();
            let status = self.statuses[at];
            if status == 0 || status >= IDLE {
                continue;
            }
            let is_idle = match behaviour.node(node).parent {
                // The root is reset when it has ended.
                None => status != RUNNING && status != SKIPPED,
                Some(parent) => {
                    let above = self.statuses[parent.index()];
                    let is_reset = status != RUNNING
                        && match self.layout.resets(node) {
                            Resets::AtEnd => false,
                            Resets::Ended => status != SKIPPED,
                            Resets::Other => true,
                        };
                    is_reset
                        || above != RUNNING
                        || (status == RUNNING && self.reached[parent.index()] && !self.reached[at])
                }
            };
            if is_idle {
                self.become_(node, IDLE + status);
            }
        }
    }

    fn become_(&mut self, node: NodeId, status: u8) {
        let known = &mut self.statuses[node.index()];
        if *known == status {
            return;
        }
        *known = status;
        if !self.is_recorded {
            return;
        }
        if self.transitions.len() == self.most_transitions {
            self.transitions.pop_front();
        }
        let now_ns = self.now_ns;
        self.transitions.push_back(Transition {
            now_ns,
            node,
            status,
        });
    }
}

fn code(status: Status) -> u8 {
    match status {
        Status::Running => RUNNING,
        Status::Success => 2,
        Status::Failure => 3,
        Status::Skipped => SKIPPED,
    }
}

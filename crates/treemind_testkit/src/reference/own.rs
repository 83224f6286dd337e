//! Own nodes of the host: the host decides what happens to their children.

use super::{Leaves, Reference};
use treemind_core::behaviour::Arg;
use treemind_core::host::{Move, Told};
use treemind_core::{Event, FaultKind, NodeId, Outcome, OwnNodeFault, Status};

/// How many moves other than answers a node may ask for, in one tick of one agent.
const MAX_WISHES: u32 = 1_000;

impl Reference<'_> {
    pub(super) fn visit_own(
        &mut self,
        node: NodeId,
        args: &[Arg],
        leaves: &mut dyn Leaves,
    ) -> Status {
        let is_first = !self.memory(node).open;
        if is_first {
            let Some(args) = self.args(node, args) else {
                self.report(node, Event::Tick(Status::Failure));
                return Status::Failure;
            };
            self.report(node, Event::Start);
            leaves.start(node, &args, &mut self.keys);
            let memory = self.memory(node);
            (memory.open, memory.args) = (true, args);
        }
        let answer = self.follow_wishes(node, leaves);
        let outcome = match answer {
            Status::Success => Some(Outcome::Success),
            Status::Failure => Some(Outcome::Failure),
            Status::Skipped if is_first => Some(Outcome::Aborted),
            Status::Skipped | Status::Running => None,
        };
        if outcome.is_some() {
            self.abort_children(node, leaves);
        }
        if let Some(outcome) = outcome {
            let memory = std::mem::take(self.memory(node));
            self.report(node, Event::Stop(outcome));
            leaves.stop(node, &memory.args, &mut self.keys, outcome);
        }
        self.report(node, Event::Tick(answer));
        answer
    }

    /// Makes the host's moves until it answers, or asks for an invalid move.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn follow_wishes(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let children = &behaviour.node(node).children;
        let args = self.memory(node).args.clone();
        let mut was_ticked = vec![false; children.len()];
        let mut told = Told::Tick;
        loop {
            let wish = leaves.decide(node, &args, &mut self.keys, told);
            match wish {
                Move::Answer(answer) => return answer,
                Move::Tick(child) | Move::Halt(child) if child >= children.len() => {
                    self.fault(node, FaultKind::OwnNode(OwnNodeFault::NoSuchChild));
                    return Status::Failure;
                }
                Move::Tick(child) => {
                    if was_ticked[child] && self.is_live(children[child]) {
                        self.fault(node, FaultKind::OwnNode(OwnNodeFault::TickedTwice));
                        return Status::Running;
                    }
                    let status = self.visit(children[child], leaves);
                    was_ticked[child] = true;
                    told = Told::Answered { child, status };
                }
                Move::Halt(child) => {
                    self.abort_node(children[child], leaves);
                    was_ticked[child] = false;
                    told = Told::Halted { child };
                }
                _ => treemind_core::unlisted(&wish),
            }
            self.counts[node.index()].wishes += 1;
            if self.counts[node.index()].wishes >= MAX_WISHES {
                self.fault(node, FaultKind::OwnNode(OwnNodeFault::NoAnswer));
                return Status::Running;
            }
        }
    }
}

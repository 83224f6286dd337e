//! What is open in an agent after a tick, also where the tick did not get to.

use crate::behaviour::Kind;
use crate::ids::NodeId;
use crate::population::Population;
use crate::program::op::Slot;
use crate::status::Status;
use crate::trace::Event;

impl Population {
    /// The nodes of an agent that are open, in document order: something in them goes on, whether the last tick reached it or
    /// not. A node of the game's own can leave its child alone for some ticks, an action can ask to be skipped in the middle of
    /// its run, and an agent may not be due. A node is also open while a condition in it answers running.
    ///
    /// `events` are those of the agent in its last tick, which say what conditions answered.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn open(
        &self,
        agent: usize,
        events: impl IntoIterator<Item = (NodeId, Event)>,
    ) -> Vec<NodeId> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let behaviour = self.durable.program.behaviour();
        let count = behaviour.nodes().len();
        let (mut is_open, mut waits) = (vec![false; count], vec![false; count]);
        for (slot, node) in self.own_slots() {
            is_open[node.index()] |= self.has_slot(agent, slot);
        }
        let mut is_running = vec![false; count];
        for (node, event) in events {
            if let Event::Tick(status) | Event::Guard(status) = event {
                is_running[node.index()] = status == Status::Running;
            }
        }
        // Children come behind their parents. A condition that runs keeps only those open that answered running, too: when
        // it is no longer asked, it is forgotten.
        for id in (0..count).rev().map(NodeId::new) {
            let (node, at) = (behaviour.node(id), id.index());
            waits[at] |= matches!(node.kind, Kind::Condition { .. });
            waits[at] &= is_running[at];
            if let Some(parent) = node.parent {
                is_open[parent.index()] |= is_open[at];
                waits[parent.index()] |= waits[at];
            }
        }
        for id in behaviour.node_ids() {
            if let Some(parent) = behaviour.node(id).parent {
                waits[id.index()] &= waits[parent.index()];
            }
        }
        let wanted = |id: &NodeId| is_open[id.index()] || waits[id.index()];
        behaviour.node_ids().filter(wanted).collect()
    }

    /// The branches of parallels that have finished in a run that goes on, and how, in document order: the parallel counts
    /// them, and does not tick them again in this run.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn finished_branches(&self, agent: usize) -> Vec<(NodeId, Status)> {
        assert!(
            agent < self.durable.len,
            "agent {agent} of {}",
            self.durable.len
        );
        let program = &self.durable.program;
        let behaviour = program.behaviour();
        let parallels = program.code.parallels.iter().flat_map(|parallel| {
            let children = parallel.children.iter().enumerate();
            children.filter_map(|(nth, child)| Some((nth, child.done?)))
        });
        // The first child of a `simple-parallel` is its task.
        let tasks = program.code.backeds.iter();
        let tasks = tasks.filter_map(|backed| Some((0, backed.done?)));
        let finished = parallels
            .chain(tasks)
            .filter_map(|(nth, [success, failure])| {
                let status = match (self.has_slot(agent, success), self.has_slot(agent, failure)) {
                    (true, _) => Status::Success,
                    (false, true) => Status::Failure,
                    (false, false) => return None,
                };
                let parallel = program.owners.slots[success as usize].node;
                Some((behaviour.node(parallel).children[nth], status))
            });
        let mut finished: Vec<_> = finished.collect();
        finished.sort_unstable_by_key(|(node, _)| *node);
        finished
    }

    /// Who has each node open, by the numbers of nodes: a bit for each agent, in words of 64. Conditions that answer running
    /// count only where something depends on that.
    pub fn who_has_open(&self) -> Vec<Vec<u64>> {
        let behaviour = self.durable.program.behaviour();
        let words = self.durable.size.words;
        let mut bits = vec![vec![0; self.state.len() * words]; behaviour.nodes().len()];
        for (slot, node) in self.own_slots() {
            let of_node = bits[node.index()].chunks_exact_mut(words);
            for (chunk, of_chunk) in of_node.enumerate() {
                let column = &self.chunk(chunk)[slot as usize * words..][..words];
                let both = of_chunk.iter_mut().zip(column);
                both.for_each(|(bits, column)| *bits |= column);
            }
        }
        for id in (0..bits.len()).rev().map(NodeId::new) {
            if let Some(parent) = behaviour.node(id).parent {
                // Children come behind their parents.
                let (before, behind) = bits.split_at_mut(id.index());
                let both = before[parent.index()].iter_mut().zip(&behind[0]);
                both.for_each(|(outer, inner)| *outer |= inner);
            }
        }
        let shown = self.durable.len.div_ceil(64);
        bits.iter_mut().for_each(|bits| bits.resize(shown, 0));
        bits
    }

    /// The slots that say of a node that it goes on, each with that node.
    fn own_slots(&self) -> impl Iterator<Item = (u32, NodeId)> + '_ {
        let slots = (0..).zip(&self.durable.program.slots);
        let owned = slots.zip(&self.durable.program.owners.slots);
        owned.filter_map(|((slot, kind), owner)| match kind {
            Slot::Alive | Slot::Hook(_) | Slot::Keeper(_) => None,
            Slot::Quiet | Slot::Action { .. } | Slot::Machine(_) => Some((slot, owner.node)),
        })
    }
}

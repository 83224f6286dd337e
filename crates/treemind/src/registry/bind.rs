//! A registry bound to a behaviour.

use super::bulk::{Leaf, Visit};
use super::keys::Wiring;
use crate::world::World;
use std::sync::Arc;
use treemind_core::host::{Answers, Call, Candidates, Host, Lanes, Move, Moves, Order, Pairs};
use treemind_core::{KeyId, Migration, NodeId, Outcome, Status};

pub(super) struct Slot<W: World + ?Sized> {
    pub(super) leaf: Arc<dyn Leaf<W>>,
    pub(super) has_start: bool,
    pub(super) has_stop: bool,
}

/// The leaves of one behaviour as closures over a world; from [`Registry::bind`](super::Registry::bind).
///
/// If some leaves are [types](super::ActionType) with a state, it keeps the states of the runs of *one* population:
/// bind again for each population. Before you drop a population, stop what it runs with
/// [`abort_all`](treemind_core::Population::abort_all). Otherwise the states of its runs are dropped without a
/// stop, either when their places are needed or together with this value.
pub struct Bound<W: World + ?Sized> {
    pub(super) slots: Vec<Slot<W>>,
    pub(super) log: Option<Arc<dyn Leaf<W>>>,
    pub(super) wiring: Wiring,
    pub(super) order: Order,
}

impl<W: World + ?Sized> Bound<W> {
    /// The host for one tick, or for as long as the world can be lent. This costs next to nothing and does not
    /// allocate.
    #[inline]
    pub fn host<'h, 'w>(&'h self, world: &'h mut W::At<'w>) -> BoundHost<'h, 'w, W> {
        BoundHost {
            bound: self,
            world,
            failed_starts: Vec::new(),
        }
    }

    /// Makes room for the states of `agents` agents, so that no tick allocates for them. Without this call, room is
    /// made when an agent first runs an action, and kept.
    pub fn reserve(&self, agents: usize) {
        for slot in &self.slots {
            slot.leaf.reserve(agents);
        }
    }
}

impl<W: World + ?Sized> Bound<W> {
    /// Takes over the states of runs that continue, after a population has
    /// [changed its program](treemind_core::Population::change_program): `old` was bound to the behaviour before. Both
    /// come from the same registry.
    pub fn take_over(&self, old: &Bound<W>, migration: &Migration) {
        for (number, slot) in old.slots.iter().enumerate() {
            let of_leaf = old.wiring.leaves_of_nodes();
            let of_leaf =
                of_leaf.filter(|(_, leaf)| leaf.is_some_and(|leaf| leaf.index() == number));
            let nodes = of_leaf.filter_map(|(node, _)| Some((node, migration.goes_on_as(node)?)));
            let nodes: Vec<_> = nodes.collect();
            let Some((_, first)) = nodes.first() else {
                continue;
            };
            let mut leaves = self.wiring.leaves_of_nodes();
            let leaf = leaves.find(|(node, _)| node == first);
            if let Some((_, Some(leaf))) = leaf {
                let places = nodes
                    .iter()
                    .map(|(from, to)| (old.wiring.ordinal(*from), self.wiring.ordinal(*to)));
                let places: Vec<(usize, usize)> = places.collect();
                self.slots[leaf.index()]
                    .leaf
                    .take_over(&*slot.leaf, &places);
            }
        }
    }
}

/// A [`Host`] that calls the closures of a [`Bound`] registry.
pub struct BoundHost<'h, 'w, W: World + ?Sized> {
    bound: &'h Bound<W>,
    world: &'h mut W::At<'w>,
    /// Runs whose start went wrong, until their first update, which is not called.
    failed_starts: Vec<(NodeId, usize)>,
}

impl<W: World + ?Sized> Host for BoundHost<'_, '_, W> {
    #[inline]
    fn order(&self) -> Order {
        self.bound.order
    }

    #[inline]
    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        let (slot, visit) = self.visit(call, lanes);
        slot.leaf.answer(visit, answers);
    }

    #[inline]
    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let slot = &self.bound.slots[call.leaf().index()];
        if slot.has_start {
            let (node, failed_starts) = (call.node(), &mut self.failed_starts);
            let failed = &mut |agent| failed_starts.push((node, agent));
            let visit = Visit {
                world: self.world,
                call,
                wiring: &self.bound.wiring,
                lanes,
            };
            slot.leaf.start(visit, failed);
        }
    }

    #[inline]
    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if self.failed_starts.is_empty() {
            self.ask(call, lanes, answers);
        } else {
            self.update_without_failed(call, lanes, answers);
        }
    }

    #[inline]
    fn ask_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        let slot = &self.bound.slots[call.leaf().index()];
        slot.leaf
            .answer_one(self.world, call, &self.bound.wiring, agent)
    }

    #[inline]
    fn update_one(&mut self, call: &mut Call<'_>, agent: usize) -> Status {
        if self.failed_starts.is_empty() {
            return self.ask_one(call, agent);
        }
        let started = self
            .failed_starts
            .iter()
            .position(|failed| *failed == (call.node(), agent));
        match started {
            Some(position) => {
                self.failed_starts.swap_remove(position);
                Status::Failure
            }
            None => self.ask_one(call, agent),
        }
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        let (slot, visit) = self.visit(call, lanes);
        slot.leaf.serve(visit);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        if self.failed_starts.is_empty() {
            let (slot, visit) = self.visit(call, lanes);
            slot.leaf.decide(visit, moves);
            return;
        }
        let mut words = lanes.words().to_vec();
        for agent in self.take_failed(call.node(), lanes, &mut words) {
            moves.set(agent, Move::Answer(Status::Failure));
        }
        if words.iter().any(|&word| word != 0) {
            let lanes = Lanes::new(lanes.first_agent(), &words);
            let (slot, visit) = self.visit(call, lanes);
            slot.leaf.decide(visit, moves);
        }
    }

    #[inline]
    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        let (slot, visit) = self.visit(call, lanes);
        if slot.has_stop {
            slot.leaf.stop(visit, outcome);
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.tell(call, Some(key), lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        let (slot, visit) = self.visit(call, lanes);
        slot.leaf.candidates(visit, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        let slot = &self.bound.slots[call.leaf().index()];
        slot.leaf
            .measure(self.world, call, &self.bound.wiring, pairs);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.tell(call, None, lanes);
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        if let Some(log) = &self.bound.log {
            let visit = Visit {
                world: self.world,
                call,
                wiring: &self.bound.wiring,
                lanes,
            };
            log.tell(visit, None);
        }
    }
}

impl<'w, W: World + ?Sized> BoundHost<'_, 'w, W> {
    /// The leaf that is called, and what it is called with.
    #[inline(always)]
    fn visit<'v, 'a>(
        &'v mut self,
        call: &'v mut Call<'a>,
        lanes: Lanes<'v>,
    ) -> (&'v Slot<W>, Visit<'v, 'w, 'a, W>) {
        let slot = &self.bound.slots[call.leaf().index()];
        let visit = Visit {
            world: self.world,
            call,
            wiring: &self.bound.wiring,
            lanes,
        };
        (slot, visit)
    }

    /// Calls a sensor or the listener of an event.
    fn tell(&mut self, call: &mut Call<'_>, key: Option<KeyId>, lanes: Lanes<'_>) {
        let (slot, visit) = self.visit(call, lanes);
        slot.leaf.tell(visit, key);
    }

    #[cold]
    #[inline(never)]
    fn update_without_failed(
        &mut self,
        call: &mut Call<'_>,
        lanes: Lanes<'_>,
        answers: &mut Answers<'_>,
    ) {
        let mut words = lanes.words().to_vec();
        for agent in self.take_failed(call.node(), lanes, &mut words) {
            answers.set(agent, Status::Failure);
        }
        if words.iter().any(|&word| word != 0) {
            self.ask(call, Lanes::new(lanes.first_agent(), &words), answers);
        }
    }

    /// The agents whose run of the node could not be started; removes them from the words.
    #[cold]
    fn take_failed(&mut self, node: NodeId, lanes: Lanes<'_>, words: &mut [u64]) -> Vec<usize> {
        let mut failed = Vec::new();
        for agent in lanes {
            let run = self
                .failed_starts
                .iter()
                .position(|&failed| failed == (node, agent));
            if let Some(position) = run {
                self.failed_starts.swap_remove(position);
                failed.push(agent);
                let lane = agent - lanes.first_agent();
                words[lane / 64] &= !(1 << (lane % 64));
            }
        }
        failed
    }
}

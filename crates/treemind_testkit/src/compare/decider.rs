//! Random moves of own nodes: mostly those of ordinary composites, now and then invalid ones.

use crate::random::Random;
use treemind_core::host::{Move, Told};
use treemind_core::{Behaviour, Kind, NodeId, Status};

/// One in this many pairs of label and place gets stuck once, and asks for more moves in a tick than are allowed.
const STUCK: u64 = 48;

/// Decides for the own nodes of one agent. Each decision depends on the seed, the place of the agent, the label of
/// the node, and the number of decisions made under that label. So it is the same on both sides, and in smaller
/// cases too.
#[derive(Clone, Debug)]
pub(super) struct Decider {
    /// Per node: the number for its label and agent, and the index of its counter.
    labels: Vec<Option<(u64, usize)>>,
    counts: Vec<u64>,
}

impl Decider {
    /// For the agent at a place.
    pub(super) fn new(behaviour: &Behaviour, seed: u64, place: usize) -> Self {
        let mut known: Vec<&str> = Vec::new();
        let of_node = |id: NodeId| {
            if !matches!(behaviour.node(id).kind, Kind::Own { .. }) {
                return None;
            }
            let label = behaviour.label(id);
            let index = known.iter().position(|known| *known == label);
            let index = index.unwrap_or_else(|| {
                known.push(label);
                known.len() - 1
            });
            let mixed = label.bytes().fold(seed ^ place as u64, |mixed, byte| {
                Random::new(mixed ^ u64::from(byte)).bits()
            });
            Some((mixed, index))
        };
        let labels: Vec<Option<(u64, usize)>> = behaviour.node_ids().map(of_node).collect();
        Self {
            labels,
            counts: vec![0; known.len()],
        }
    }

    /// The next move of the node, which has this many children.
    ///
    /// # Panics
    /// When it is not an own node of the host.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn decide(&mut self, node: NodeId, children: usize, told: Told) -> Move {
        let (mixed, index) = self.labels[node.index()].expect("an own node decides");
        let count = self.counts[index];
        self.counts[index] += 1;
        let mut random = Random::new(mixed.wrapping_add(count));
        let any = random.below(children);
        if is_stuck(mixed, count) {
            return if random.percent(6) {
                Move::Tick(any)
            } else {
                Move::Halt(any)
            };
        }
        if random.below(250) == 0 {
            let missing = *random.pick(&[children, children + 1, usize::MAX]);
            return *random.pick(&[Move::Tick(missing), Move::Halt(missing)]);
        }
        match told {
            Told::Tick => after_tick(&mut random, any),
            Told::Answered { child, status } => {
                after_answer(&mut random, (child + 1) % children, child, status)
            }
            Told::Halted { .. } => match random.weighted(&[4, 2, 2, 1, 1]) {
                0 => Move::Tick(any),
                1 => Move::Answer(Status::Running),
                2 => Move::Answer(Status::Failure),
                3 => Move::Answer(Status::Success),
                _ => Move::Answer(Status::Skipped),
            },
            _ => treemind_core::unlisted(&told),
        }
    }
}

/// Whether it keeps asking for moves without answering, for more moves than a tick allows.
fn is_stuck(mixed: u64, count: u64) -> bool {
    let from = mixed / STUCK % 40;
    mixed.is_multiple_of(STUCK) && (from..from + 1_050).contains(&count)
}

fn after_tick(random: &mut Random, any: usize) -> Move {
    match random.weighted(&[70, 4, 4, 7, 4, 6]) {
        0 => Move::Tick(any),
        1 => Move::Answer(Status::Success),
        2 => Move::Answer(Status::Failure),
        3 => Move::Answer(Status::Running),
        4 => Move::Answer(Status::Skipped),
        _ => Move::Halt(any),
    }
}

/// After a child that is still open, it continues or leaves the child alone; after an end, it ticks the next child
/// or gives the child's answer.
fn after_answer(random: &mut Random, next: usize, child: usize, status: Status) -> Move {
    if status == Status::Running {
        return match random.weighted(&[60, 14, 10, 4, 4, 3, 3]) {
            0 => Move::Answer(status),
            1 => Move::Tick(next),
            2 => Move::Halt(child),
            3 => Move::Answer(Status::Success),
            4 => Move::Answer(Status::Failure),
            5 => Move::Answer(Status::Skipped),
            _ => Move::Tick(child),
        };
    }
    match random.weighted(&[42, 38, 6, 8, 3]) {
        0 => Move::Answer(status),
        1 => Move::Tick(next),
        2 => Move::Tick(child),
        3 => Move::Answer(Status::Running),
        _ => Move::Halt(child),
    }
}

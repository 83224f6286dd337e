//! When each instruction has to be visited.

use super::op::{ActionOp, Code, ConditionOp, Op, Port, Range, Reg};

/// Where agents go when they are sent to a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) reg: Reg,
    pub(crate) consumer: u32,
}

/// Where a single agent continues, and the slots of what it jumps over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edge {
    pub(crate) via: Reg,
    pub(crate) to: u32,
    /// The slots as bits of one word: the number of the word, and the bits. No word has that number if the slots need
    /// several words.
    pub(crate) word: u32,
    pub(crate) over: u64,
}

/// The edges of a leaf, by answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edges {
    pub(crate) success: Edge,
    pub(crate) failure: Edge,
    pub(crate) running: Edge,
}

/// Where an instruction sends agents, perhaps past instructions in between, which stay as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Send {
    pub(crate) reg: Reg,
    pub(crate) past: bool,
}

/// Which instruction has to be visited when a register is filled or a slot is in use. Instructions are identified by
/// their positions; one past the last is the end of the code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Visits {
    /// Per register: the register that is actually filled, and its consumer.
    pub(crate) routes: Vec<Route>,
    /// The same for populations in which nothing was ever skipped: then no marks have to be removed.
    pub(crate) short_routes: Vec<Route>,
    /// Per instruction: where a single agent continues, by the routes and by the short ones. Of leaves
    /// only; the entries of others are never looked at.
    pub(crate) edges: Vec<Edges>,
    pub(crate) short_edges: Vec<Edges>,
    /// Per slot: the instruction that looks whether it is stale, and the beginnings of the loops around it, which say
    /// what stale means.
    owners: Lists<u32>,
    /// The registers without a consumer: the held agents, and what loops record about their bodies. They are cleared at
    /// the end of a sweep.
    pub(crate) held: Vec<Reg>,
    /// The registers that mark the agents skipped so far, with their consumers.
    pub(crate) marks: Vec<(Reg, u32)>,
    /// Per instruction, and for the end: where a single agent continues that is left running there. That is the check
    /// of the parallel around it, in traced code the exit of the composite around it, or the end.
    pub(crate) running: Vec<u32>,
    /// Per instruction, and for the end: how many slots belong to the instructions before it.
    pub(crate) slots_before: Vec<u32>,
    /// Per instruction.
    sends: Lists<Send>,
    wakes: Lists<u32>,
}

impl Visits {
    /// The instructions that a slot in use makes pending.
    pub(crate) fn of_slot(&self, slot: usize) -> &[u32] {
        self.owners.get(slot)
    }

    /// Where an instruction sends agents.
    #[inline(always)]
    pub(crate) fn sends(&self, place: u32) -> &[Send] {
        self.sends.get(place as usize)
    }

    /// The instructions that an instruction makes pending in addition to those that it sends agents to.
    #[inline(always)]
    pub(crate) fn wakes(&self, place: u32) -> &[u32] {
        self.wakes.get(place as usize)
    }

    /// Computes the visits for finished code.
    pub(super) fn of(code: &Code, slots: usize) -> Self {
        let mut found = Finder::new(code, slots);
        let mut ports = Vec::new();
        for (place, op) in (0..).zip(&code.ops) {
            ports.clear();
            op.ports(code, &mut |port| ports.push(port));
            found.visit(place, &ports);
        }
        let Finder {
            consumers,
            owners,
            mut visits,
            ..
        } = found;
        visits.slots_before.push(slots as u32);
        for ops in owners {
            visits.owners.push(ops);
        }
        let route = |(number, consumer): (u32, &u32)| Route {
            reg: Reg(number),
            consumer: *consumer,
        };
        let routes: Vec<Route> = (0..).zip(&consumers).map(route).collect();
        let shorten = |route: &Route| {
            let mut route = *route;
            while let Some(Op::Unskip { to, .. }) = code.ops.get(route.consumer as usize) {
                route = routes[to.0 as usize];
            }
            route
        };
        visits.short_routes = routes.iter().map(shorten).collect();
        visits.routes = routes;
        visits.edges = visits.edges_by(code, &visits.routes);
        visits.short_edges = visits.edges_by(code, &visits.short_routes);
        visits
    }

    /// The slots of the instructions between two, if the way leads forward.
    pub(crate) fn over(&self, from: u32, to: u32) -> Range {
        if to <= from {
            return Range::default();
        }
        let start = self.slots_before[from as usize + 1];
        Range {
            start,
            end: self.slots_before[to as usize].max(start),
        }
    }

    fn edges_by(&self, code: &Code, routes: &[Route]) -> Vec<Edges> {
        let limits = slot_limits(code);
        let edges = |(place, op): (u32, &Op)| {
            let edge = |(via, to): (Reg, u32)| {
                let over = self.over(place, to);
                let (word, over) = bits_of(over.start, over.end.min(limits[place as usize]));
                Edge {
                    via,
                    to,
                    word,
                    over,
                }
            };
            let along = |reg: Reg| {
                let route = routes[reg.0 as usize];
                edge((route.reg, route.consumer))
            };
            let stays = edge((Reg::NONE, self.running[place as usize]));
            let (success, failure, running) = match op {
                Op::Condition(op) if op.running != Reg::NONE => {
                    let out = op.out;
                    (along(out.success), along(out.failure), along(op.running))
                }
                Op::Condition(ConditionOp { out, .. }) | Op::Action(ActionOp { out, .. }) => {
                    (along(out.success), along(out.failure), stays)
                }
                Op::Check {
                    success, failure, ..
                } => (along(*success), along(*failure), stays),
                Op::Wait(index) => {
                    let out = code.waits[*index as usize].out;
                    (along(out.success), along(out.failure), stays)
                }
                _ => (stays, stays, stays),
            };
            Edges {
                success,
                failure,
                running,
            }
        };
        (0..).zip(&code.ops).map(edges).collect()
    }
}

/// Per instruction: the end of the slots that a single agent can jump over. In an activity, this is the end of the
/// slots of that activity.
fn slot_limits(code: &Code) -> Vec<u32> {
    let mut limits = vec![u32::MAX; code.ops.len()];
    // Outer machines come first, so that inner ones overwrite them.
    for state in code.machines.iter().flat_map(|machine| &machine.states) {
        if let Some(piece) = &state.activity {
            limits[piece.start as usize..piece.end as usize].fill(piece.slots.end);
        }
    }
    limits
}

/// Slots as bits of one word: the number of the word, and the bits.
fn bits_of(start: u32, end: u32) -> (u32, u64) {
    match start.checked_sub(end) {
        Some(_) => (0, 0),
        None if start / 64 == (end - 1) / 64 => {
            let below_end = u64::MAX >> (63 - (end - 1) % 64);
            (start / 64, below_end & (u64::MAX << (start % 64)))
        }
        None => (u32::MAX, 0),
    }
}

/// The facts about the instructions seen so far.
struct Finder {
    /// Behind the last instruction.
    end: u32,
    /// Per register, its consumer.
    consumers: Vec<u32>,
    /// Per slot, the instruction that looks after it.
    owners: Vec<Vec<u32>>,
    slots_so_far: u32,
    /// Where a running agent is seen next; innermost last.
    seen_at: Vec<u32>,
    /// The loops and similar nodes around the next instruction, innermost last: where they begin and end.
    loops: Vec<(u32, u32)>,
    visits: Visits,
}

impl Finder {
    fn new(code: &Code, slots: usize) -> Self {
        let end = code.ops.len() as u32;
        Self {
            end,
            consumers: vec![end; code.registers as usize],
            owners: vec![Vec::new(); slots],
            slots_so_far: 1,
            seen_at: Vec::new(),
            loops: Vec::new(),
            visits: Visits {
                running: vec![end; code.ops.len() + 1],
                ..Visits::default()
            },
        }
    }

    fn visit(&mut self, place: u32, ports: &[Port]) {
        self.loops.retain(|(_, last)| place <= *last);
        self.seen_at.retain(|seen| place < *seen);
        self.visits.running[place as usize] = self.seen_at.last().copied().unwrap_or(self.end);
        let before = ports.iter().find_map(|port| match port {
            Port::SlotsBefore(slots) => Some(*slots),
            _ => None,
        });
        self.slots_so_far = before.unwrap_or(self.slots_so_far);
        self.visits.slots_before.push(self.slots_so_far);
        let (mut sends, mut wakes) = (Vec::new(), Vec::new());
        let around = self.loops.len();
        for port in ports {
            match *port {
                Port::In(reg) => self.consume(reg, place),
                Port::Marked(reg) => {
                    self.consume(reg, place);
                    self.visits.marks.push((reg, place));
                }
                Port::Out(reg) => sends.push(Send { reg, past: false }),
                Port::OutPast(reg) => sends.push(Send { reg, past: true }),
                Port::Slot(slot) => {
                    let loops = self.loops[..around].iter().map(|(begin, _)| *begin);
                    self.owners[slot as usize].extend(loops.chain([place]));
                }
                Port::SlotsBefore(_) => {}
                Port::LastSlot(slot) => self.slots_so_far = slot + 1,
                Port::Held(reg) if reg == Reg::NONE => {}
                Port::Held(reg) => self.visits.held.push(reg),
                Port::Wakes(place) => wakes.push(place),
                Port::SeenAt(seen) => self.seen_at.push(seen),
                Port::LoopUntil(last) => self.loops.push((place, last)),
            }
        }
        sends.retain(|send| send.reg != Reg::NONE);
        self.visits.sends.push(sends);
        self.visits.wakes.push(wakes);
    }

    fn consume(&mut self, reg: Reg, place: u32) {
        if reg == Reg::NONE {
            return;
        }
        let consumer = &mut self.consumers[reg.0 as usize];
        debug_assert_eq!(*consumer, self.end, "a register has one consumer");
        *consumer = place;
    }
}

/// Lists in one array.
#[derive(Clone, Debug, PartialEq)]
struct Lists<T> {
    /// Per list, where it begins and ends.
    ranges: Vec<(u32, u32)>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            ranges: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    fn push(&mut self, items: impl IntoIterator<Item = T>) {
        let start = self.items.len() as u32;
        self.items.extend(items);
        self.ranges.push((start, self.items.len() as u32));
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &[T] {
        let (start, end) = self.ranges[index];
        &self.items[start as usize..end as usize]
    }
}

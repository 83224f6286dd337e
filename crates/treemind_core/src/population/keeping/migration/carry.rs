//! Carrying the state of agents from one program to another, column by column.

use super::planners;
use super::report::Migration;
use crate::behaviour::{Behaviour, Form};
use crate::blackboard::{Cells, CellsMut, Column, Due, KeySlot, Shared, Size, SlotForm};
use crate::ids::{KeyId, LeafId};
use crate::population::room::Parts;
use crate::program::matching::Matching;
use crate::program::op::Inbox;
use crate::value::Type;

/// How the columns of one program become those of another.
pub(super) struct Carrier<'p> {
    pub(super) matching: &'p Matching<'p>,
    pub(super) size: Size,
    pub(super) parts: [Parts; 2],
    /// The keys that continue: old and new.
    pub(super) keys: Vec<(KeyId, KeyId)>,
    /// Per key that continues, how many of its values could not.
    pub(super) reset: Vec<usize>,
    /// The clock.
    pub(super) now_ns: u64,
}

impl Carrier<'_> {
    /// The state of a chunk.
    pub(super) fn chunk(&mut self, old: &[u64], report: &mut Migration) -> Box<[u64]> {
        let [old_parts, parts] = self.parts;
        let mut chunk = vec![0; parts.end].into_boxed_slice();
        let words = self.size.words;
        for (from, to) in &self.matching.slots {
            let (from, to) = (*from as usize, *to as usize);
            let run = &old[from * words..][..words];
            chunk[to * words..][..words].copy_from_slice(run);
            if run.iter().any(|word| *word != 0) {
                chunk[parts.used + to / 64] |= 1 << (to % 64);
            }
        }
        let due = chunk[parts.due..].len().min(old[old_parts.due..].len());
        chunk[parts.due..][..due].copy_from_slice(&old[old_parts.due..][..due]);
        let from = Cells::new(
            &old_parts.board_layout,
            &old[old_parts.board..old_parts.run],
        );
        let to = &mut chunk[parts.board..parts.run];
        self.board(from, CellsMut::new(&parts.board_layout, to));
        let from = Cells::new(&old_parts.run_layout, &old[old_parts.run..old_parts.end]);
        let to = &mut chunk[parts.run..parts.end];
        self.run(from, CellsMut::new(&parts.run_layout, to), report);
        chunk
    }

    fn board(&mut self, from: Cells<'_>, mut to: CellsMut<'_>) {
        let matching = self.matching;
        let (old, new) = (&matching.old.board, &matching.new.board);
        new.begin(matching.names.new.keys(), to.reborrow(), 0..self.size.lanes);
        for (index, (key, other)) in self.keys.iter().enumerate() {
            let (source, target) = (old.keys[key.index()], new.keys[other.index()]);
            if source.is_own() {
                for lane in 0..self.size.lanes {
                    let copied = copy(matching, (source, from, lane), (target, &mut to, lane));
                    self.reset[index] += usize::from(!copied);
                    if copied {
                        self.times((source, from), (target, &mut to), lane);
                    }
                }
            }
            let (Some(source), Some(target)) = (source.sensed, target.sensed) else {
                continue;
            };
            let due = (
                old.sensed[source as usize].due,
                new.sensed[target as usize].due,
            );
            match due {
                (Due::EveryTick(source), Due::EveryTick(target)) => {
                    to.bits_mut(target).copy_from_slice(from.bits(source));
                }
                (Due::From { column, .. }, Due::From { column: target, .. }) => {
                    to.wide_mut(target).copy_from_slice(from.wide(column));
                }
                _ => {}
            }
        }
        for (node, column) in old.looks() {
            let there = matching.nodes[node.index()].and_then(|node| new.look_of(node));
            if let Some(target) = there {
                to.bits_mut(target).copy_from_slice(from.bits(column));
            }
        }
    }

    /// When a key was written and changed, if both programs ask for it.
    fn times(
        &self,
        (source, from): (KeySlot, Cells<'_>),
        (target, to): (KeySlot, &mut CellsMut<'_>),
        lane: usize,
    ) {
        let (old, new) = (&self.matching.old.board, &self.matching.new.board);
        if let (Some(known), Some(age)) = (old.age(source), new.age(target)) {
            let value = |value| self.matching.names.value(value, target.ty);
            age.carry((known, from, lane), (target, to, lane), value, self.now_ns);
        }
    }

    fn run(&self, from: Cells<'_>, mut to: CellsMut<'_>, report: &mut Migration) {
        let columns = &self.matching.columns;
        for (source, target) in &columns.bits {
            to.bits_mut(*target).copy_from_slice(from.bits(*source));
        }
        for (source, target) in &columns.wide {
            to.wide_mut(*target).copy_from_slice(from.wide(*source));
        }
        for (source, target) in &columns.narrow {
            to.narrow_mut(*target).copy_from_slice(from.narrow(*source));
        }
        for column in self.matching.anys() {
            for lane in 0..self.size.lanes {
                self.translate(column, lane, &mut to);
            }
        }
        for planner in &self.matching.planners {
            planners::carry(self.matching, planner, from, &mut to);
        }
        for machine in &self.matching.machines {
            let old = &self.matching.old.code.machines[machine.old];
            let new = &self.matching.new.code.machines[machine.new];
            let is_chart = old.statechart && new.statechart;
            let offered = is_chart.then_some((old.offered, new.offered));
            let moved = |old, new, offered| Moved {
                old,
                new,
                due: None,
                offered,
            };
            let inboxes = [
                (old.inbox.as_ref(), new.inbox.as_ref(), offered),
                (old.raised.as_ref(), new.raised.as_ref(), None),
            ];
            for (old, new, offered) in inboxes {
                if let Some(old) = old {
                    self.events(&moved(old, new, offered), from, &mut to, report);
                }
            }
            if let Some(old) = &old.delayed {
                let there = new.delayed.as_ref();
                let mut inbox = moved(&old.queue, there.map(|there| &there.queue), None);
                inbox.due = there.map(|there| (old.due, there.due));
                self.events(&inbox, from, &mut to, report);
            }
        }
    }

    /// Values of enumerations have other numbers now.
    fn translate(&self, column: Column, lane: usize, cells: &mut CellsMut<'_>) {
        let value = cells.read().get(column, Type::Any, lane);
        if let Some(value) = self.matching.names.value(value, Type::Any) {
            cells.set(column, lane, value);
        }
    }

    /// Moves the events that wait for a machine.
    fn events(
        &self,
        inbox: &Moved<'_>,
        from: Cells<'_>,
        to: &mut CellsMut<'_>,
        report: &mut Migration,
    ) {
        let names = self.matching.names;
        for lane in 0..self.size.lanes {
            let mut kept = 0;
            let mut offered = 0;
            for row in 0..from.narrow(inbox.old.count)[lane] {
                let event = LeafId(from.narrow(inbox.old.events + row)[lane]);
                let Some(target) = inbox.new_event(self.matching, event) else {
                    report.lose_events(&names.old.leaf(event).name, 1);
                    continue;
                };
                inbox.copy(
                    (event, target),
                    (row, kept),
                    (self.matching, lane),
                    (from, &mut *to),
                );
                if let Some((source, _)) = inbox.offered {
                    offered += u32::from(row < from.narrow(source)[lane]);
                }
                kept += 1;
            }
            if let Some(new) = inbox.new {
                to.narrow_mut(new.count)[lane] = kept;
                if let Some((_, target)) = inbox.offered {
                    to.narrow_mut(target)[lane] = offered;
                }
            }
        }
    }

    /// Groups, and the keys that agents share.
    pub(super) fn shared(&mut self, old: &Shared) -> Shared {
        let matching = self.matching;
        let new = matching.new;
        let keys = new.behaviour.keys();
        let mut shared = old.for_board(&new.board, keys);
        for (index, (key, other)) in self.keys.iter().enumerate() {
            let source = matching.old.board.keys[key.index()];
            let target = new.board.keys[other.index()];
            if source.is_own() {
                continue;
            }
            for lane in old.lanes_of(source) {
                let copied = shared.carry(target, lane, (old, source), |cells| {
                    let from = old.cells();
                    let copied = copy(matching, (source, from, lane), (target, cells, lane));
                    if copied {
                        self.times((source, from), (target, cells), lane);
                    }
                    copied
                });
                self.reset[index] += usize::from(!copied);
            }
        }
        shared
    }
}

/// A row of events that wait, and the one that takes its place.
struct Moved<'c> {
    old: &'c Inbox,
    new: Option<&'c Inbox>,
    /// Wide columns of the moments when the events come.
    due: Option<(u32, u32)>,
    /// Narrow columns of how many of them were offered already.
    offered: Option<(u32, u32)>,
}

impl Moved<'_> {
    /// The event of the new program, if somebody waits for it.
    fn new_event(&self, matching: &Matching<'_>, event: LeafId) -> Option<LeafId> {
        let event = matching.leaves[event.index()]?;
        let new = self.new?;
        new.listens.binary_search(&event).is_ok().then_some(event)
    }

    fn copy(
        &self,
        (event, target): (LeafId, LeafId),
        (row, place): (u32, u32),
        (matching, lane): (&Matching<'_>, usize),
        (from, to): (Cells<'_>, &mut CellsMut<'_>),
    ) {
        let Some(new) = self.new else { return };
        to.narrow_mut(new.events + place)[lane] = target.0;
        to.narrow_mut(new.ticks + place)[lane] = from.narrow(self.old.ticks + row)[lane];
        if let Some((source, column)) = self.due {
            to.wide_mut(column + place)[lane] = from.wide(source + row)[lane];
        }
        let params = matching.names.old.leaf(event).params.len() as u32;
        let there = &matching.names.new.leaf(target).params;
        for (param, wanted) in (0..params).zip(there) {
            let source = self.old.payload.item(row * self.old.params + param);
            let value = from.get(source, Type::Any, lane);
            let value = matching.names.value(value, wanted.ty).unwrap_or(value);
            to.set(new.payload.item(place * new.params + param), lane, value);
        }
    }
}

/// Whether a key can keep its values.
pub(super) fn is_same_key(matching: &Matching<'_>, key: KeyId, other: KeyId) -> bool {
    let (old, new): (&Behaviour, &Behaviour) = (matching.names.old, matching.names.new);
    let (old, new) = (old.key(key), new.key(other));
    let is_list = |form: &Form| matches!(form, Form::List { .. });
    old.scope == new.scope
        && is_list(&old.form) == is_list(&new.form)
        && matching.names.may_fit(old.ty, new.ty)
}

/// Copies the content of a key. Returns whether all of it fits; otherwise the key is at its default.
fn copy(
    matching: &Matching<'_>,
    (source, from, source_lane): (KeySlot, Cells<'_>, usize),
    (target, to, lane): (KeySlot, &mut CellsMut<'_>, usize),
) -> bool {
    let names = matching.names;
    if let SlotForm::List { bound, .. } = target.form {
        let items = source.len(from, source_lane);
        let fits = (0..items.min(bound)).filter(|index| {
            let item = source.item(from, source_lane, *index);
            let item = names.value(item, target.ty);
            item.map(|item| to.set(target.column.item(*index), lane, item))
                .is_some()
        });
        if fits.count() as u32 != items {
            return items == 0;
        }
        target.set_len(to, lane, items);
        return true;
    }
    match source.get(from, source_lane) {
        None => {
            target.unset(to, lane);
            true
        }
        Some(value) => match names.value(value, target.ty) {
            Some(value) => {
                target.set(to, lane, value);
                true
            }
            None => false,
        },
    }
}

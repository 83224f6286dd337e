//! Lists with memory, the ends of lists.

use super::Exec;
use super::bits::{Bits, add, and, any, for_each, or, remove, set_lane, without, zero};
use crate::program::op::{
    ListEnd, Mark, PlaceOp, Range, Reg, Resume, ResumeChild, Sticky, YieldOp,
};
use crate::trace::Sink;

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    /// Sends every agent to the last child that has something live, or to the first child; in a sticky list, to the
    /// child that it remembers.
    pub(super) fn resume(&mut self, input: Reg, resume: &Resume) {
        let all = self.take(input);
        let outer = self.regs[resume.held.0 as usize];
        if let Some(sticky) = resume.sticky {
            self.resume_sticky(resume, sticky, &all, &outer);
            return;
        }
        let mut rest = all;
        for (index, child) in resume.children.iter().enumerate().rev() {
            let asked = index > 0 || child.held != Reg::NONE || child.continued != Reg::NONE;
            let live = if asked {
                and(&self.live(child.range), &all)
            } else {
                zero()
            };
            let here = if index == 0 { rest } else { and(&live, &rest) };
            remove(&mut rest, &here);
            self.go_on(child, &here, &live, &outer);
            if index == 0 {
                self.unmark(resume.mark, &here);
            }
        }
    }

    pub(super) fn resume_sticky(
        &mut self,
        resume: &Resume,
        sticky: Sticky,
        all: &Bits<W>,
        outer: &Bits<W>,
    ) {
        let mut inside = zero();
        for child in &resume.children {
            add(&mut inside, &self.live(child.range));
        }
        let fresh = without(all, &inside);
        if let Some(left) = sticky.left {
            self.take_back(left as usize, &fresh);
        }
        self.unmark(resume.mark, &fresh);
        if let Some(begun) = sticky.begun {
            // A run that began, has not ended and is no longer live was aborted.
            let aborted = and(&fresh, &self.column(begun));
            let places = self.call.run.narrow_mut(sticky.place);
            for_each(&aborted, |lane| places[lane] = 0);
            add(self.column_mut(begun), all);
        }
        for (index, child) in resume.children.iter().enumerate() {
            let places = self.call.run.read().narrow(sticky.place);
            let mut here = zero();
            for_each(all, |lane| {
                if places[lane] as usize == index {
                    set_lane(&mut here, lane);
                }
            });
            let live = and(&self.live(child.range), all);
            self.go_on(child, &here, &live, outer);
        }
    }

    /// Sends agents on to a child of a list. For the other agents, the child is held if it is live.
    fn go_on(&mut self, child: &ResumeChild, here: &Bits<W>, live: &Bits<W>, outer: &Bits<W>) {
        self.hold(child.held, &or(&without(live, here), outer));
        if child.continued != Reg::NONE {
            let inside = self.live(child.own);
            self.hold(child.continued, &and(here, &inside));
        }
        self.send(child.input, here);
    }

    /// Marks agents as held.
    pub(super) fn hold(&mut self, held: Reg, set: &Bits<W>) {
        if held != Reg::NONE {
            self.regs[held.0 as usize] = *set;
            self.holds |= any(set);
        }
    }

    /// Between two children of a list.
    pub(super) fn yield_between(&mut self, op: &YieldOp) {
        let from = self.take(op.from);
        let resumed = self.take(op.resumed);
        let was = self.slots[op.slot as usize];
        let stale = self.stale(&was, &resumed, op.reach);
        self.slots[op.slot as usize] = without(&without(&was, &stale), &resumed);
        let goes_on = and(&from, &self.regs[op.continued.0 as usize]);
        self.occupy(op.slot, &without(&from, &goes_on));
        self.send(op.to, &or(&goes_on, &resumed));
    }

    /// Before a child of a sticky list.
    pub(super) fn place(&mut self, op: &PlaceOp) {
        let go = self.take(op.go);
        let skipped = self.take(op.skipped);
        let places = self.call.run.narrow_mut(op.column);
        for_each(&or(&go, &skipped), |lane| places[lane] = op.index);
        self.send(op.out_go, &go);
        self.send(op.out_skipped, &skipped);
    }

    /// Ends a sticky list: after every answer except failure, it begins at its first child again.
    pub(super) fn leave_sticky(&mut self, sticky: Sticky, ended: &Bits<W>, forgets: &Bits<W>) {
        let places = self.call.run.narrow_mut(sticky.place);
        for_each(forgets, |lane| places[lane] = 0);
        if let Some(begun) = sticky.begun {
            remove(self.column_mut(begun), ended);
        }
    }

    /// A sticky list fails. What its earlier children have open is put aside if the list leaves it open.
    pub(super) fn leave_open(&mut self, sticky: Sticky, failed: &Bits<W>) {
        let (Some(left), true) = (sticky.left, any(failed)) else {
            return;
        };
        let code = self.code;
        let entry = &code.left_open[left as usize];
        for (index, child) in entry.children.iter().enumerate() {
            let places = self.call.run.read().narrow(sticky.place);
            let mut passed = zero();
            for_each(failed, |lane| {
                if places[lane] as usize > index {
                    set_lane(&mut passed, lane);
                }
            });
            let open = and(&passed, &self.live(*child));
            self.put_child_aside(left, *child, &open);
        }
    }

    /// Puts aside what is open in children.
    pub(super) fn put_aside(&mut self, left: u32, lanes: &Bits<W>) {
        let code = self.code;
        for child in &code.left_open[left as usize].children {
            self.put_child_aside(left, *child, lanes);
        }
    }

    fn put_child_aside(&mut self, left: u32, child: Range, lanes: &Bits<W>) {
        let code = self.code;
        let left = &code.left_open[left as usize];
        for slot in child.start..child.end {
            let kept = and(&self.slots[slot as usize], lanes);
            if any(&kept) {
                remove(&mut self.slots[slot as usize], &kept);
                add(
                    self.column_mut(left.columns + slot - left.first_slot),
                    &kept,
                );
            }
        }
    }

    /// Reopens what was put aside. Returns whether there was anything.
    pub(super) fn take_back(&mut self, left: usize, lanes: &Bits<W>) -> bool {
        let code = self.code;
        let left = &code.left_open[left];
        let mut any_taken = false;
        for child in &left.children {
            for slot in child.start..child.end {
                let column = left.columns + slot - left.first_slot;
                let kept = and(&self.column(column), lanes);
                if any(&kept) {
                    remove(self.column_mut(column), &kept);
                    self.occupy(slot, &kept);
                    any_taken = true;
                }
            }
        }
        any_taken
    }

    pub(super) fn list_end(&mut self, end: &ListEnd) {
        let (mut go, stop, skipped) = (
            self.take(end.go),
            self.take(end.stop),
            self.take(end.skipped),
        );
        let mut all_skipped = zero();
        if any(&skipped) {
            all_skipped = match end.mark {
                Mark::None => zero(),
                Mark::Bits(index) => and(&skipped, &self.column(index)),
                Mark::Reg(reg) => and(&skipped, &self.regs[reg.0 as usize]),
            };
            add(&mut go, &without(&skipped, &all_skipped));
        }
        if let Mark::Reg(reg) = end.mark {
            self.take(reg);
        }
        if let Some(sticky) = end.sticky {
            self.leave_open(sticky, &stop);
        }
        let mut ended = or(&go, &stop);
        if !end.keep_open {
            add(&mut ended, &all_skipped);
        }
        self.abort(end.close, &ended);
        if let Some(sticky) = end.sticky {
            self.leave_sticky(sticky, &or(&ended, &all_skipped), &or(&go, &all_skipped));
        }
        self.send(end.out_go, &go);
        self.send(end.out_stop, &stop);
        self.skip(end.out_skipped, &all_skipped);
    }
}

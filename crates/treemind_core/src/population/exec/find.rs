//! `find`: looks at candidates, some in each tick, and keeps the best.

// long: it is one walk over the candidates of a tick, whose parts share its working memory.

use super::Exec;
use super::bits::{Bits, add, any, for_each, lanes_of, remove, set_lane, without, zero};
use super::find_words::same_in;
use crate::fault::FaultKind;
use crate::host::Lanes;
use crate::ids::ArgRange;
use crate::program::op::{Asked, FindOp, FindSource, MeasureArg};
use crate::status::Status;
use crate::trace::{Event, Sink};
use crate::value::Value;

/// A visit of the node.
struct Look<'o, const W: usize> {
    op: &'o FindOp,
    lanes: Bits<W>,
    /// How many candidates of an agent are looked at in this tick, at most.
    items: usize,
    /// The agents for which a fault has been recorded.
    faulted: Bits<W>,
    /// The measures that were asked.
    asked: Vec<bool>,
}

impl<const W: usize, S: Sink> Exec<'_, W, S> {
    pub(super) fn find(&mut self, op: &FindOp) {
        let input = self.take(op.input);
        let mut fresh = input;
        if let Some(slot) = op.slot {
            let was = self.slots[slot as usize];
            let stale = self.stale(&was, &input, op.reach);
            remove(&mut self.slots[slot as usize], &stale);
            remove(&mut self.slots[slot as usize], &input);
            remove(&mut fresh, &was);
            self.stir(&stale);
        }
        if !any(&input) {
            return;
        }
        self.stir(&input);
        let mut failure = self.list_candidates(op, &fresh);
        let lanes = without(&input, &failure);
        self.look_at_candidates(op, &lanes);
        let running = match op.slot {
            Some(_) => self.unfinished(op, &lanes),
            None => zero(),
        };
        let ended = without(&lanes, &running);
        let success = self.choose_found(op, &ended);
        add(&mut failure, &without(&ended, &success));
        if let Some(slot) = op.slot {
            self.occupy(slot, &running);
        }
        self.record_all(op.node, Event::Tick(Status::Success), &success);
        self.record_all(op.node, Event::Tick(Status::Failure), &failure);
        self.record_all(op.node, Event::Tick(Status::Running), &running);
        self.send(op.success, &success);
        self.send(op.failure, &failure);
    }

    /// The agents that have candidates left.
    fn unfinished(&self, op: &FindOp, lanes: &Bits<W>) -> Bits<W> {
        let run = self.call.run.read();
        let (counts, places) = (run.narrow(op.memory.count), run.narrow(op.memory.place));
        let mut left = zero();
        for_each(lanes, |lane| {
            if places[lane] < counts[lane] {
                set_lane(&mut left, lane);
            }
        });
        left
    }

    /// Begins with the candidates of some agents. Returns those for which a parameter failed.
    fn list_candidates(&mut self, op: &FindOp, fresh: &Bits<W>) -> Bits<W> {
        if !any(fresh) {
            return zero();
        }
        let memory = op.memory;
        for_each(fresh, |lane| {
            for column in [memory.count, memory.place, memory.kept, memory.best] {
                self.call.run.narrow_mut(column)[lane] = 0;
            }
            self.call.run.wide_mut(memory.best_score)[lane] = 0;
        });
        match op.from {
            FindSource::Leaf(leaf, args) => {
                let failed = match args.computed {
                    true => self.evaluate_args(op.node, args, fresh),
                    false => zero(),
                };
                let asked = without(fresh, &failed);
                if any(&asked) {
                    let first = self.call.at(op.node, leaf, args);
                    self.finds.listed.begin(first, op.max, op.ty);
                    self.before_call();
                    let lanes = Lanes::new(first, &asked);
                    self.host
                        .candidates(&mut self.call, lanes, &mut self.finds.listed);
                    if let Some(agent) = self.finds.listed.misfit {
                        self.call.fault(agent, "a candidate is of another type");
                    }
                    self.after_call();
                    self.keep_listed(op);
                }
                failed
            }
            FindSource::List(list) => {
                let slot = self.call.around.program.board.keys[list.index()];
                self.sense_slot(op.node, slot, fresh);
                self.keep_items(op, slot, fresh);
                zero()
            }
        }
    }

    /// Copies what the host has listed.
    fn keep_listed(&mut self, op: &FindOp) {
        let run = &mut self.call.run;
        for (lane, item) in &self.finds.listed.items {
            let lane = *lane as usize;
            let count = &mut run.narrow_mut(op.memory.count)[lane];
            let place = *count;
            *count += 1;
            run.set(op.memory.items.item(place), lane, *item);
            if let Some(scores) = op.memory.scores {
                run.wide_mut(scores + place)[lane] = 0;
            }
        }
    }

    /// Looks at the next candidates of some agents.
    fn look_at_candidates(&mut self, op: &FindOp, lanes: &Bits<W>) {
        let asked = std::mem::take(&mut self.finds.asked);
        let mut look = Look {
            op,
            lanes: *lanes,
            items: 0,
            faulted: zero(),
            asked,
        };
        look.asked.clear();
        look.asked.resize(op.measures.len(), false);
        self.begin_look(&mut look);
        for (number, keep) in (1..).zip(&op.keeps) {
            if look.items > 0 {
                self.filter(&mut look, keep, number);
            }
        }
        if look.items > 0 {
            self.judge(&mut look);
        }
        self.end_look(&look);
        self.finds.asked = look.asked;
    }

    /// Finds out which candidates it looks at.
    fn begin_look(&mut self, look: &mut Look<'_, W>) {
        let op = look.op;
        let run = self.call.run.read();
        let (counts, places) = (run.narrow(op.memory.count), run.narrow(op.memory.place));
        let left = &mut self.finds.left;
        left.clear();
        left.resize(op.per_tick as usize * W, 0);
        for (word, &mask) in look.lanes.iter().enumerate() {
            let ahead = |lane: usize| counts[lane].saturating_sub(places[lane]).min(op.per_tick);
            let items = same_in(word, mask, ahead);
            if let Some(items) = items {
                look.items = look.items.max(items as usize);
                (0..items as usize).for_each(|item| left[item * W + word] = mask);
                continue;
            }
            for lane in lanes_of(word, mask) {
                let items = ahead(lane) as usize;
                look.items = look.items.max(items);
                for item in 0..items {
                    left[item * W + word] |= 1 << (lane % 64);
                }
            }
        }
        self.finds.lanes = places.len();
        let all = op.per_tick as usize * self.finds.lanes;
        self.finds.measured.clear();
        self.finds.measured.resize(op.measures.len() * all, 0.0);
        if self.wants_values() {
            self.finds.outs.clear();
            self.finds.outs.resize(all, 0);
            self.finds.scores.clear();
            self.finds.scores.resize(all, 0.0);
            self.finds.told.clear();
            self.finds.told.resize(op.measures.len() * all, false);
        }
    }

    /// The agents of a word that have a candidate left.
    fn with_some_left(&self, look: &Look<'_, W>, word: usize) -> u64 {
        let left = (0..look.items).map(|item| self.finds.left[item * W + word]);
        left.fold(0, |all, left| all | left)
    }

    /// Asks about the sensed keys of an expression, for the agents that have a candidate left.
    fn sense_for(&mut self, look: &Look<'_, W>, expr: u32) {
        let program = self.call.around.program;
        if let Some(asks) = program.asks.get(expr as usize)
            && !asks.is_empty()
        {
            for word in 0..W {
                let active = self.with_some_left(look, word);
                if active != 0 {
                    self.sense_all(look.op.node, asks, word, active);
                }
            }
        }
    }

    /// Puts out the candidates for which an expression does not hold.
    fn filter(&mut self, look: &mut Look<'_, W>, keep: &Asked, number: u32) {
        self.prepare(look, keep, number);
        for item in 0..look.items {
            for word in 0..W {
                let active = self.finds.left[item * W + word];
                if active == 0 {
                    continue;
                }
                let bad = self.evaluate_for(look, keep, item, (word, active));
                let out = active & (bad | !self.stacks.mask());
                self.put_out(item, (word, out), number);
            }
        }
    }

    /// Reads the scores, and notes the best.
    fn judge(&mut self, look: &mut Look<'_, W>) {
        let op = look.op;
        let number = op.keeps.len() as u32 + 1;
        self.prepare(look, &op.score, number);
        for item in 0..look.items {
            for word in 0..W {
                let active = self.finds.left[item * W + word];
                if active == 0 {
                    continue;
                }
                let bad = self.evaluate_for(look, &op.score, item, (word, active));
                let (infinite, positive) = self.stacks.keep_score(0, active & !bad);
                let unnoted = infinite & !look.faulted[word];
                if unnoted != 0 {
                    self.fault(op.node, &FaultKind::BadScore, word, unnoted);
                    look.faulted[word] |= unnoted;
                }
                let good = active & positive & !bad & !infinite;
                self.put_out(item, (word, active & !good), number);
                self.note_scores(op, item, (word, good));
            }
        }
    }

    /// Notes that a candidate of some agents is out.
    fn put_out(&mut self, item: usize, (word, out): (usize, u64), number: u32) {
        self.finds.left[item * W + word] &= !out;
        if self.wants_values() {
            let mut rest = out;
            while rest != 0 {
                let lane = word * 64 + rest.trailing_zeros() as usize;
                self.finds.outs[item * self.finds.lanes + lane] = number;
                rest &= rest - 1;
            }
        }
    }

    /// Goes on to the next candidates, and leaves the keys of the node as they were.
    fn end_look(&mut self, look: &Look<'_, W>) {
        let op = look.op;
        let board = &self.call.around.program.board;
        let keys = op.measures.iter().map(|measure| measure.key);
        for key in [op.item].into_iter().chain(keys) {
            let slot = board.keys[key.index()];
            for_each(&look.lanes, |lane| {
                slot.set(&mut self.call.board, lane, slot.ty.zero());
            });
        }
        for_each(&look.lanes, |lane| {
            let run = &mut self.call.run;
            let count = run.narrow_mut(op.memory.count)[lane];
            let place = run.narrow_mut(op.memory.place)[lane];
            let next = place.saturating_add(op.per_tick).min(count);
            if self.wants_values() {
                self.note_candidates(op, lane, place..next);
            }
            self.call.run.narrow_mut(op.memory.place)[lane] = next;
        });
    }

    /// Records what became of the candidates of an agent in this tick.
    fn note_candidates(&mut self, op: &FindOp, lane: usize, places: std::ops::Range<u32>) {
        for (item, place) in places.enumerate() {
            let at = item * self.finds.lanes + lane;
            let column = op.memory.items.item(place);
            let value = self.call.run.read().get(column, op.ty, lane);
            let each = op.per_tick as usize * self.finds.lanes;
            for number in 0..op.measures.len() {
                if self.finds.told[number * each + at] {
                    let told = Value::Float(self.finds.measured[number * each + at]);
                    self.note_value(op.node, Event::Measure(number as u32), lane, told);
                }
            }
            let event = match self.finds.outs[at] {
                0 => Event::Keep(self.finds.scores[at].to_bits()),
                number if number as usize > op.keeps.len() => Event::Out(None),
                number => Event::Out(Some(number - 1)),
            };
            self.note_value(op.node, event, lane, value);
        }
    }

    /// Writes the best candidates of agents that have looked at all of theirs. Returns the agents that had one.
    fn choose_found(&mut self, op: &FindOp, ended: &Bits<W>) -> Bits<W> {
        let memory = op.memory;
        let mut success = zero();
        for_each(ended, |lane| {
            let run = self.call.run.read();
            let [count, kept, best] =
                [memory.count, memory.kept, memory.best].map(|column| run.narrow(column)[lane]);
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            let found = Event::Found(kept, count);
            if kept == 0 {
                self.record(op.node, found, word, bit);
                return;
            }
            set_lane(&mut success, lane);
            let (best, score) = match op.among {
                0 | 1 => (best, f64::from_bits(run.wide(memory.best_score)[lane])),
                _ => self.draw_found(op, lane, count),
            };
            let event = Event::Score((score as f32).to_bits());
            self.record(op.node, event, word, bit);
            self.record(op.node, found, word, bit);
            self.write_found(op, lane, best);
            self.record(op.node, Event::Write, word, bit);
        });
        success
    }

    /// The score of a candidate; 0 if it is out.
    fn score_of(&self, op: &FindOp, lane: usize, place: u32) -> f64 {
        let scores = op.memory.scores.expect("all scores are kept");
        f64::from_bits(self.call.run.read().wide(scores + place)[lane])
    }

    /// How many candidates come before another one.
    fn before(&self, op: &FindOp, lane: usize, (place, count): (u32, u32)) -> u32 {
        let score = self.score_of(op, lane, place);
        let comes = |other: &u32| {
            let its = self.score_of(op, lane, *other);
            its > score || its == score && *other < place
        };
        (0..count).filter(comes).count() as u32
    }

    /// Draws one of the best candidates in proportion to their scores.
    fn draw_found(&mut self, op: &FindOp, lane: usize, count: u32) -> (u32, f64) {
        let weight = |exec: &Self, place: u32| {
            let score = exec.score_of(op, lane, place);
            let is_among = score > 0.0
                && (op.among >= count || exec.before(op, lane, (place, count)) < op.among);
            if is_among { score } else { 0.0 }
        };
        let mut total = 0.0;
        for place in 0..count {
            total += weight(self, place);
        }
        let mut rest = self.next_draw(op.node, op.draws, lane).unit() * total;
        let mut last = (0, 0.0);
        for place in 0..count {
            let score = weight(self, place);
            if score > 0.0 {
                last = (place, score);
                if rest < score {
                    break;
                }
                rest -= score;
            }
        }
        last
    }

    /// Writes a candidate, or the best ones if the key is a list.
    fn write_found(&mut self, op: &FindOp, lane: usize, best: u32) {
        let slot = self.call.around.program.board.keys[op.into.index()];
        if slot.bound() == 0 {
            let item = self.candidate(op, lane, best);
            self.store_value(slot, lane, item);
            self.note_set_of((op.node, op.into), lane, item);
            return;
        }
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        self.unset(slot, word, bit);
        let draft = self.call.around.program.board.draft(slot);
        let run = self.call.run.read();
        let (kept, count) = (
            run.narrow(op.memory.kept)[lane],
            run.narrow(op.memory.count)[lane],
        );
        for rank in 0..kept.min(slot.bound()) {
            let places = 0..count;
            let is_next = |place: &u32| {
                self.score_of(op, lane, *place) > 0.0
                    && self.before(op, lane, (*place, count)) == rank
            };
            let Some(place) = places.into_iter().find(is_next) else {
                break;
            };
            let item = self.candidate(op, lane, place);
            let cells = &mut self.call.board;
            match draft {
                Some(draft) => draft.add(cells, lane, item),
                None => slot.push(cells, lane, item),
            };
        }
        if self.wants_values() {
            self.note_key(Event::Set(op.into), (op.node, op.into), word, bit);
        }
    }

    fn candidate(&self, op: &FindOp, lane: usize, place: u32) -> Value {
        let column = op.memory.items.item(place);
        self.call.run.read().get(column, op.ty, lane)
    }

    /// Asks what an expression needs: sensed keys, and the measures that were not asked yet.
    fn prepare(&mut self, look: &mut Look<'_, W>, asked: &Asked, number: u32) {
        self.sense_for(look, asked.expr);
        for measure in &asked.needs {
            if !std::mem::replace(&mut look.asked[*measure], true) {
                self.measure(look, *measure, number);
            }
        }
    }

    /// Asks the host about all candidates that are left.
    fn measure(&mut self, look: &mut Look<'_, W>, number: usize, out: u32) {
        let op = look.op;
        let measure = &op.measures[number];
        // Computed arguments may put candidates out, so they are known before the pairs are.
        let computed = |arg: &&MeasureArg| matches!(arg, MeasureArg::Expr(..));
        let others = measure.args.iter().skip(1);
        for arg in others.filter(computed) {
            if let MeasureArg::Expr(expr, _) = *arg {
                self.sense_for(look, expr);
            }
        }
        self.collect_pairs(look, number, out);
        if self.finds.pairs.is_empty() {
            return;
        }
        self.call.at(op.node, measure.leaf, ArgRange::default());
        self.before_call();
        self.host.measure(&mut self.call, &mut self.finds.pairs);
        self.after_call();
        let finds = &mut *self.finds;
        let base = number * op.per_tick as usize * finds.lanes;
        let mut pair = 0;
        for_each(&look.lanes, |lane| {
            for item in 0..look.items {
                if finds.left[item * W + lane / 64] >> (lane % 64) & 1 == 1 {
                    let at = base + item * finds.lanes + lane;
                    finds.measured[at] = finds.pairs.values[pair];
                    if let Some(told) = finds.told.get_mut(at) {
                        *told = true;
                    }
                    pair += 1;
                }
            }
        });
    }

    /// Evaluates the arguments of a measure for all candidates that are left, agent by agent.
    fn collect_pairs(&mut self, look: &mut Look<'_, W>, number: usize, out: u32) {
        let op = look.op;
        let measure = &op.measures[number];
        self.finds.pairs.begin(measure.args.len());
        let lanes = look.lanes;
        for_each(&lanes, |lane| {
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            for item in 0..look.items {
                if self.finds.left[item * W + word] & bit == 0 {
                    continue;
                }
                let candidate = self.next_candidate(op, lane, item);
                self.finds.args.clear();
                self.finds.args.push(candidate);
                for arg in &measure.args[1..] {
                    let value = match *arg {
                        MeasureArg::Value(value) => value,
                        MeasureArg::Expr(expr, ty) => {
                            let asked = Asked {
                                expr,
                                needs: Vec::new(),
                            };
                            let bad = self.evaluate_for(look, &asked, item, (word, bit));
                            if bad != 0 {
                                self.put_out(item, (word, bit), out);
                                break;
                            }
                            self.stacks.value(ty, lane % 64)
                        }
                    };
                    self.finds.args.push(value);
                }
                if self.finds.args.len() == measure.args.len() {
                    let finds = &mut *self.finds;
                    let run = self.call.run.read();
                    let place = run.narrow(op.memory.place)[lane] + item as u32;
                    finds.pairs.add(self.call.around.first + lane, place);
                    finds.args.iter().for_each(|arg| finds.pairs.add_arg(*arg));
                }
            }
        });
    }

    /// The candidate with this number among those of this tick.
    pub(super) fn next_candidate(&self, op: &FindOp, lane: usize, item: usize) -> Value {
        let place = self.call.run.read().narrow(op.memory.place)[lane];
        self.candidate(op, lane, place + item as u32)
    }

    /// Evaluates an expression about a candidate of some agents of a word. Returns the agents for which it failed.
    fn evaluate_for(
        &mut self,
        look: &mut Look<'_, W>,
        asked: &Asked,
        item: usize,
        (word, active): (usize, u64),
    ) -> u64 {
        let op = look.op;
        self.lay_out(op, item, (word, active), &look.asked);
        let code = &self.call.around.program.exprs[asked.expr as usize];
        if code.asks_places {
            self.tell_free_places(word, active);
        }
        let bad = self.evaluate_quietly(asked.expr, word, active) & active;
        let unnoted = bad & !look.faulted[word];
        if unnoted != 0 {
            self.expr_faults(op.node, word, unnoted);
            look.faulted[word] |= unnoted;
        }
        bad
    }
}

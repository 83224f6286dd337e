//! `find`: candidates, and the choice among them.

use super::{Cell, Leaves, Reference};
use treemind_core::behaviour::{Find, FindFrom, Measured, Policy, Score};
use treemind_core::{Event, Expr, FaultKind, KeyId, NodeId, Status, Type, Value};

/// A search in progress.
#[derive(Clone, Debug)]
pub(super) struct Search {
    candidates: Vec<Value>,
    /// Those that were looked at, each with its score: 0 if it is out.
    scores: Vec<f64>,
}

/// The candidates of a tick.
struct Batch {
    /// The place of the first one.
    first: usize,
    candidates: Vec<Value>,
    /// Why each is out, if it is: because of a `keep`, or `None` for the score.
    outs: Vec<Option<Option<u32>>>,
    scores: Vec<f64>,
    /// Per measure that was asked: a number for each candidate that was in.
    measured: Vec<Option<Vec<Option<f32>>>>,
    has_fault: bool,
}

impl Reference<'_> {
    pub(super) fn find(&mut self, node: NodeId, find: &Find, leaves: &mut dyn Leaves) -> Status {
        if self.memory(node).search.is_none() {
            let Some(candidates) = self.candidates(node, find, leaves) else {
                return Status::Failure;
            };
            self.memory(node).search = Some(Search {
                candidates,
                scores: Vec::new(),
            });
        }
        self.look_at_some(node, find, leaves);
        let search = self.memory(node).search.as_ref().expect("it has begun");
        if search.scores.len() < search.candidates.len() {
            return Status::Running;
        }
        let search = self.memory(node).search.take().expect("it has begun");
        self.choose_candidate(node, find, &search)
    }

    /// The first candidates; `None` after a fault in a parameter.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn candidates(
        &mut self,
        node: NodeId,
        find: &Find,
        leaves: &mut dyn Leaves,
    ) -> Option<Vec<Value>> {
        let mut candidates = match &find.from {
            FindFrom::Leaf(_, args) => {
                let args = self.args(node, args)?;
                leaves.candidates(node, &args, &mut self.keys)
            }
            FindFrom::List(list) => {
                self.ask_for(node, *list);
                match &self.keys()[list.index()] {
                    Cell::List(items) => items.clone(),
                    Cell::One(_) | Cell::Unset => Vec::new(),
                }
            }
        };
        candidates.truncate(find.max as usize);
        Some(candidates)
    }

    /// Looks at the candidates of this tick: each `keep` after the other, then the score.
    fn look_at_some(&mut self, node: NodeId, find: &Find, leaves: &mut dyn Leaves) {
        let search = self.memory(node).search.as_ref().expect("it has begun");
        let first = search.scores.len();
        let rest = &search.candidates[first..];
        let candidates = rest[..rest.len().min(find.per_tick as usize)].to_vec();
        let mut batch = Batch {
            first,
            outs: vec![None; candidates.len()],
            scores: vec![0.0; candidates.len()],
            measured: vec![None; find.measures.len()],
            has_fault: false,
            candidates,
        };
        for (number, keep) in (0..).zip(&find.keeps) {
            self.prepare(node, find, &[keep], &mut batch, Some(number), leaves);
            for place in batch.left() {
                self.show_candidate(find, &batch, place);
                let held = self.value_of(node, keep, &mut batch);
                if held != Some(Value::Bool(true)) {
                    batch.outs[place] = Some(Some(number));
                }
            }
        }
        let exprs: Vec<&Expr> = find.score.exprs().collect();
        self.prepare(node, find, &exprs, &mut batch, None, leaves);
        for place in batch.left() {
            self.show_candidate(find, &batch, place);
            let score = self.score_of_candidate(node, &find.score, &mut batch);
            match score {
                Some(score) if score > 0.0 => batch.scores[place] = score,
                _ => batch.outs[place] = Some(None),
            }
        }
        self.hide_candidate(find);
        for (place, candidate) in batch.candidates.iter().enumerate() {
            let event = match batch.outs[place] {
                Some(keep) => Event::Out(keep),
                None => Event::Keep((batch.scores[place] as f32).to_bits()),
            };
            for (number, told) in (0..).zip(&batch.measured) {
                if let Some(told) = told.as_ref().and_then(|told| told[place]) {
                    self.report_also(node, Event::Measure(number), Some(Value::Float(told)));
                }
            }
            self.report_also(node, event, Some(*candidate));
        }
        let search = self.memory(node).search.as_mut();
        let search = search.expect("it has begun");
        search.scores.extend(batch.scores);
    }

    /// Asks what expressions need, if a candidate is left: sensed keys, then measures that were not asked yet.
    fn prepare(
        &mut self,
        node: NodeId,
        find: &Find,
        exprs: &[&Expr],
        batch: &mut Batch,
        keep: Option<u32>,
        leaves: &mut dyn Leaves,
    ) {
        if batch.left().is_empty() {
            return;
        }
        let keys = keys_of(exprs);
        keys.iter().for_each(|key| self.ask_for(node, *key));
        for (number, measured) in find.measures.iter().enumerate() {
            let is_needed = find.needs(&mut exprs.iter().copied()).contains(&number);
            if is_needed && batch.measured[number].is_none() {
                self.measure(node, (find, number, measured), batch, keep, leaves);
            }
        }
    }

    /// Asks for a measure of all candidates that are left.
    fn measure(
        &mut self,
        node: NodeId,
        (find, number, measured): (&Find, usize, &Measured),
        batch: &mut Batch,
        keep: Option<u32>,
        leaves: &mut dyn Leaves,
    ) {
        let mut numbers = vec![None; batch.candidates.len()];
        let others = || measured.args[1..].iter();
        if !batch.left().is_empty() {
            let exprs: Vec<&Expr> = others().filter_map(|arg| arg.expr()).collect();
            for expr in exprs {
                let keys = keys_of(&[expr]);
                keys.iter().for_each(|key| self.ask_for(node, *key));
            }
        }
        let (mut places, mut pairs) = (Vec::new(), Vec::new());
        for place in batch.left() {
            self.show_candidate(find, batch, place);
            let mut args = Some(vec![batch.candidates[place]]);
            for arg in others() {
                let value = match (arg.expr(), arg) {
                    (_, treemind_core::behaviour::Arg::Value(value)) => Some(*value),
                    (Some(expr), _) if args.is_some() => self.value_of(node, expr, batch),
                    _ => None,
                };
                args = args.and_then(|mut args| {
                    args.push(value?);
                    Some(args)
                });
            }
            match args {
                Some(args) => {
                    places.push(place);
                    pairs.push((batch.first + place, args));
                }
                None => batch.outs[place] = Some(keep),
            }
        }
        if !pairs.is_empty() {
            let said = leaves.measure(node, measured.leaf, &pairs, &mut self.keys);
            for (place, number) in places.into_iter().zip(said) {
                numbers[place] = Some(number);
            }
        }
        batch.measured[number] = Some(numbers);
    }

    /// Writes a candidate and its measures to the keys of the node.
    fn show_candidate(&mut self, find: &Find, batch: &Batch, place: usize) {
        self.keys.set(find.item, Cell::One(batch.candidates[place]));
        for (measured, numbers) in find.measures.iter().zip(&batch.measured) {
            if let Some(numbers) = numbers {
                let number = Value::Float(numbers[place].unwrap_or(f32::NAN));
                self.keys.set(measured.key, Cell::One(number));
            }
        }
    }

    /// The keys of the node are as they were.
    fn hide_candidate(&mut self, find: &Find) {
        let keys = find.measures.iter().map(|measured| measured.key);
        for key in [find.item].into_iter().chain(keys) {
            let zero: Type = self.behaviour.key(key).ty;
            self.keys.set(key, Cell::One(zero.zero()));
        }
    }

    /// The value of an expression about a candidate. The first fault of a tick is recorded.
    fn value_of(&mut self, node: NodeId, expr: &Expr, batch: &mut Batch) -> Option<Value> {
        match self.eval_silently(node, expr) {
            Ok(value) => Some(value),
            Err(kind) => {
                self.fault_once(node, kind, batch);
                None
            }
        }
    }

    fn fault_once(&mut self, node: NodeId, kind: FaultKind, batch: &mut Batch) {
        if !std::mem::replace(&mut batch.has_fault, true) {
            self.fault(node, kind);
        }
    }

    fn score_of_candidate(
        &mut self,
        node: NodeId,
        score: &Score,
        batch: &mut Batch,
    ) -> Option<f64> {
        let made = self.score_by(score, &mut |reference, expr| match reference
            .value_of(node, expr, batch)?
        {
            Value::Double(value) => Some(value),
            other => unreachable!("{other} is no double"),
        })?;
        if made.is_finite() {
            return Some(made);
        }
        self.fault_once(node, FaultKind::BadScore, batch);
        None
    }

    /// Chooses among all candidates, and writes what was chosen.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn choose_candidate(&mut self, node: NodeId, find: &Find, search: &Search) -> Status {
        let scores = &search.scores;
        let mut best: Vec<usize> = (0..scores.len())
            .filter(|place| scores[*place] > 0.0)
            .collect();
        let found = Event::Found(best.len() as u32, scores.len() as u32);
        // Equal scores stay in order.
        best.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]));
        let Some(&first) = best.first() else {
            self.report(node, found);
            return Status::Failure;
        };
        let most = match find.policy {
            Policy::Highest => 1,
            Policy::WeightedRandom => find.max as usize,
            Policy::Top(number) => number as usize,
            _ => treemind_core::unlisted(&find.policy),
        };
        let chosen = match most {
            1 => first,
            most => {
                let mut among = best.clone();
                among.truncate(most);
                among.sort_unstable();
                self.draw_by_score(node, scores, &among)
            }
        };
        let score = scores[chosen] as f32;
        self.report(node, Event::Score(score.to_bits()));
        self.report(node, found);
        self.write_candidates(node, find.into, search, &best, chosen);
        self.report(node, Event::Write);
        Status::Success
    }

    fn draw_by_score(&mut self, node: NodeId, scores: &[f64], among: &[usize]) -> usize {
        let total: f64 = among.iter().map(|place| scores[*place]).sum();
        let mut rest = self.draw_share(node) * total;
        for place in among {
            if scores[*place] > rest {
                return *place;
            }
            rest -= scores[*place];
        }
        *among.last().expect("there is a candidate")
    }

    fn write_candidates(
        &mut self,
        node: NodeId,
        into: KeyId,
        search: &Search,
        best: &[usize],
        chosen: usize,
    ) {
        if !self.behaviour.key(into).form.is_list() {
            return self.set(node, into, search.candidates[chosen]);
        }
        self.keys.unset(into);
        for place in best {
            if !self.keys.push(into, search.candidates[*place]) {
                break;
            }
        }
        self.report_length(node, into);
    }
}

impl Batch {
    /// The candidates that are not out.
    fn left(&self) -> Vec<usize> {
        let all = 0..self.outs.len();
        all.filter(|place| self.outs[*place].is_none()).collect()
    }
}

/// The keys that expressions name, in their order.
fn keys_of(exprs: &[&Expr]) -> Vec<KeyId> {
    let mut keys = Vec::new();
    for expr in exprs {
        expr.for_each_key(&mut |key| keys.push(key));
    }
    keys
}

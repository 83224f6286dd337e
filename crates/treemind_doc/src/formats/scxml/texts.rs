//! Which texts a script may give, inferred from all assignments. Names of events and lengths of time that are computed
//! while a machine runs are among the texts in its document.

use super::chart::Chart;
use super::script::{ExprKind, Script};
use std::collections::{BTreeSet, HashMap};

/// How many texts a variable may hold if one of them is the name of an event, or a length of time.
const MAX_TEXTS: usize = 32;

/// The texts that a script may give; `None` if it may give any text, too many texts, or a value that is not a text.
pub(super) type Known<'c> = Option<BTreeSet<&'c str>>;

/// For each variable, the texts that it may hold.
#[derive(Debug)]
pub(super) struct Texts<'c> {
    name: &'c str,
    of: HashMap<&'c str, Known<'c>>,
}

impl<'c> Texts<'c> {
    /// Learns from all assignments of a chart.
    pub(super) fn of(chart: &'c Chart, assignments: &[(&'c str, &'c Script)]) -> Self {
        let names = chart.data.iter().map(|data| data.name.as_str());
        let mut texts = Texts {
            name: &chart.name,
            of: names.map(|name| (name, Some(BTreeSet::new()))).collect(),
        };
        // The texts of a variable grow a few times at most. Each time, only the assignments that read the variable are
        // looked at again.
        let mut made_of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, (_, script)) in assignments.iter().enumerate() {
            for_all_names(script, &mut |name| {
                made_of.entry(name).or_default().push(place)
            });
        }
        let mut pending: Vec<usize> = (0..assignments.len()).collect();
        while let Some(place) = pending.pop() {
            let (name, script) = assignments[place];
            let more = texts.given_by(script);
            let Some(held) = texts.of.get_mut(name) else {
                continue;
            };
            let joined = join(held.clone(), more);
            if *held != joined {
                *held = joined;
                pending.extend(made_of.get(name).into_iter().flatten());
            }
        }
        texts
    }

    /// The texts that a script may give.
    pub(super) fn given_by(&self, script: &'c Script) -> Known<'c> {
        match &script.what {
            ExprKind::Text(text) => Some(BTreeSet::from([text.as_str()])),
            // Reading an unset value is a fault.
            ExprKind::Nothing => Some(BTreeSet::new()),
            ExprKind::Name(name) if name == "_name" => Some(BTreeSet::from([self.name])),
            ExprKind::Name(name) => self.of.get(name.as_str()).cloned().flatten(),
            ExprKind::Choice(_, then, other) => join(self.given_by(then), self.given_by(other)),
            _ => None,
        }
    }
}

/// Calls `each` with the variables whose values a script may give unchanged.
fn for_all_names<'c>(script: &'c Script, each: &mut impl FnMut(&'c str)) {
    match &script.what {
        ExprKind::Name(name) => each(name),
        ExprKind::Choice(_, then, other) => {
            for_all_names(then, each);
            for_all_names(other, each);
        }
        _ => {}
    }
}

fn join<'c>(one: Known<'c>, other: Known<'c>) -> Known<'c> {
    let mut all = one?;
    all.extend(other?);
    (all.len() <= MAX_TEXTS).then_some(all)
}

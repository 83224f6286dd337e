//! What a page shows of the searches of an agent for the best of several candidates.

use super::protocol::{CandidateState, FindState};
use crate::follow::Follower;
use treemind_core::behaviour::Find;
use treemind_core::{Behaviour, Kind, Population, Value};
use treemind_doc::expression_text;
use treemind_explain::{Judged, Looked, Sought, candidate_text};

/// The `find`s of an agent that have looked at something, the one that looked last first.
pub(super) fn finds(mind: &Follower, population: &Population) -> Vec<FindState> {
    let behaviour = population.program().behaviour();
    let looked = mind.finds().iter().filter(|one| one.tick > 0);
    let mut all: Vec<FindState> = looked.filter_map(|one| find(behaviour, one)).collect();
    all.sort_by_key(|one| std::cmp::Reverse(one.tick));
    all
}

fn find(behaviour: &Behaviour, one: &Sought) -> Option<FindState> {
    let Kind::Find(find) = &behaviour.node(one.node).kind else {
        return None;
    };
    // Of equal candidates, the first was chosen.
    let is_chosen = |looked: &Looked| {
        matches!(looked.judged, Judged::Kept(_)) && Some(looked.value) == one.search.chosen
    };
    let chosen = one.search.looked.iter().position(is_chosen);
    let candidates = one.search.looked.iter().enumerate();
    let candidates =
        candidates.map(|(at, looked)| candidate((behaviour, find), looked, chosen == Some(at)));
    Some(FindState {
        node: one.node.index(),
        name: behaviour.label(one.node).to_owned(),
        tick: one.tick,
        is_over: one.search.found.is_some(),
        candidates: candidates.collect(),
    })
}

fn candidate(
    (behaviour, find): (&Behaviour, &Find),
    looked: &Looked,
    chosen: bool,
) -> CandidateState {
    let (score, out) = match looked.judged {
        Judged::Kept(score) => (Some(f64::from(score)), None),
        Judged::Out(keep) => {
            let keep = keep.and_then(|keep| find.keeps.get(keep as usize));
            let text = keep.map(|keep| expression_text(behaviour, keep, &|_| None));
            (None, Some(text.unwrap_or_default()))
        }
    };
    let measured = looked.measured.iter().filter_map(|(number, told)| {
        let measure = find.measures.get(*number as usize)?;
        let name = behaviour.leaf(measure.leaf).name.clone();
        Some((name, f64::from(*told)))
    });
    let at = match looked.value {
        Value::Vec2([x, y]) => Some((f64::from(x), f64::from(y))),
        _ => None,
    };
    CandidateState {
        value: candidate_text(behaviour, looked.value),
        at,
        score,
        out,
        chosen,
        measured: measured.collect(),
    }
}

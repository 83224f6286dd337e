//! What agents that plan keep when their document changes.

use crate::blackboard::{Cells, CellsMut, Column};
use crate::program::matching::{Matching, PlannerMatch};
use crate::program::op::{KeptFact, PlannerOp};
use crate::value::{Type, Value};

/// Carries a plan over, if its goal and all its steps that are still to be done are there; a search begins anew, and no
/// goal is fruitless any more.
pub(super) fn carry(
    matching: &Matching<'_>,
    planner: &PlannerMatch,
    from: Cells<'_>,
    to: &mut CellsMut<'_>,
) {
    let (old, new) = planner.ops((matching.old, matching.new));
    let (was, is) = (&old.memory, &new.memory);
    to.bits_mut(is.failed)
        .copy_from_slice(from.bits(was.failed));
    to.bits_mut(is.ended).copy_from_slice(from.bits(was.ended));
    let knows_same_facts = has_same_facts(matching, old, new);
    if knows_same_facts {
        let promised = from.bits(was.promised);
        to.bits_mut(is.promised).copy_from_slice(promised);
        to.wide_mut(is.at_start)
            .copy_from_slice(from.wide(was.at_start));
    }
    if planner.is_same {
        carry_search(matching, (old, new), from, to);
    }
    for (index, there) in planner.steps.iter().enumerate() {
        if let Some(there) = there {
            let left_out = from.bits(was.left_out + index as u32);
            let column = is.left_out + u32::from(*there);
            to.bits_mut(column).copy_from_slice(left_out);
        }
    }
    for (index, there) in planner.goals.iter().enumerate() {
        if let Some(there) = there {
            let pursues = from.bits(was.pursues + index as u32);
            to.bits_mut(is.pursues + there).copy_from_slice(pursues);
        }
    }
    for lane in 0..to.lanes() {
        let (word, bit) = (lane / 64, 1 << (lane % 64));
        let pursues = |goal: &Option<u32>| {
            goal.is_some_and(|goal| to.read().bits(is.pursues + goal)[word] & bit != 0)
        };
        if from.bits(was.planned)[word] & bit == 0 || !planner.goals.iter().any(pursues) {
            continue;
        }
        let place = from.narrow(was.place)[lane];
        let (length, cursor) = (place & 0xff, (place >> 8 & 0xff) as usize);
        let fits = length <= is.steps.room().min(was.steps.room());
        let narrow = |column: u32| from.narrow(column)[lane];
        let steps = (0..length).map(|nth| {
            let (column, shift) = was.steps.place(nth);
            let step = narrow(column) >> shift & was.steps.mask();
            match planner.steps.get(step as usize).copied().flatten() {
                // What is done already does not matter.
                None if (nth as usize) < cursor => Some(0),
                there => there,
            }
        });
        let steps: Option<Vec<u8>> = steps.collect();
        let Some(steps) = steps.filter(|_| fits) else {
            continue;
        };
        to.bits_mut(is.planned)[word] |= bit;
        to.narrow_mut(is.place)[lane] = place;
        for (nth, step) in (0..).zip(steps) {
            let (column, shift) = is.steps.place(nth);
            to.narrow_mut(column)[lane] |= u32::from(step) << shift;
        }
    }
}

/// The search in progress, and the goals for which there was nothing to be found.
fn carry_search(
    matching: &Matching<'_>,
    (old, new): (&PlannerOp, &PlannerOp),
    from: Cells<'_>,
    to: &mut CellsMut<'_>,
) {
    let (was, is) = (&old.memory, &new.memory);
    let goals = 0..old.goals.len() as u32;
    let mut bits: Vec<(u32, u32)> = goals
        .clone()
        .map(|goal| (was.fruitless + goal, is.fruitless + goal))
        .collect();
    let mut narrow = Vec::new();
    let mut wide = vec![(was.fruitless_for, is.fruitless_for)];
    wide.extend(was.searched_with.zip(is.searched_with));
    if let (Some(search), Some(there)) = (&was.search, &is.search) {
        bits.extend(goals.map(|goal| (search.goals + goal, there.goals + goal)));
        narrow.push((search.expansions, there.expansions));
        let steps = 0..old.children.len() as u32;
        bits.extend(steps.map(|step| (search.left_out + step, there.left_out + step)));
        for fact in &search.facts {
            let other = matching.keys[fact.key.index()];
            let target = there.facts.iter().find(|kept| Some(kept.key) == other);
            if let Some(target) = target {
                carry_fact((old, new), (fact, target), from, to);
            }
        }
    }
    for (source, target) in bits {
        to.bits_mut(target).copy_from_slice(from.bits(source));
    }
    for (source, target) in narrow {
        to.narrow_mut(target).copy_from_slice(from.narrow(source));
    }
    for (source, target) in wide {
        to.wide_mut(target).copy_from_slice(from.wide(source));
    }
}

fn carry_fact(
    (old, new): (&PlannerOp, &PlannerOp),
    (fact, target): (&KeptFact, &KeptFact),
    from: Cells<'_>,
    to: &mut CellsMut<'_>,
) {
    if let (Some(source), Some(target)) = (fact.set, target.set) {
        to.bits_mut(target).copy_from_slice(from.bits(source));
    }
    let types = (old.domain.type_of(fact.key), new.domain.type_of(target.key));
    for lane in 0..to.lanes() {
        match (types, fact.column, target.column) {
            ((None, None), Column::Narrow(source), Column::Narrow(target)) => {
                to.narrow_mut(target)[lane] = from.narrow(source)[lane];
            }
            ((Some(ty), Some(into)), source, target) => {
                let value = match (from.get(source, ty, lane), into) {
                    // The enumeration may have another number now.
                    (Value::Enum(_, value), Type::Enum(list)) => Value::Enum(list, value),
                    (value, _) => value,
                };
                to.set(target, lane, value);
            }
            _ => {}
        }
    }
}

fn has_same_facts(matching: &Matching<'_>, old: &PlannerOp, new: &PlannerOp) -> bool {
    let facts = old.domain.facts().map(|key| matching.keys[key.index()]);
    facts.eq(new.domain.facts().map(Some))
}

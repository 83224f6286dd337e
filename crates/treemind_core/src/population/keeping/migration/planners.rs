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
    for lane in 0..to.lanes() {
        let step = |column: u32, index: usize| {
            from.narrow(column + index as u32 / 4)[lane].to_le_bytes()[index % 4]
        };
        for (index, there) in planner.steps.iter().enumerate() {
            let columns = (was.left_out + index as u32 / 32, index % 32);
            if let (Some(there), 1) = (there, from.narrow(columns.0)[lane] >> columns.1 & 1) {
                let column = is.left_out + u32::from(*there) / 32;
                to.narrow_mut(column)[lane] |= 1 << (there % 32);
            }
        }
        let pursued = from.narrow(was.pursues)[lane] as usize;
        let goal = pursued
            .checked_sub(1)
            .and_then(|goal| *planner.goals.get(goal)?);
        let Some(goal) = goal else {
            continue;
        };
        to.narrow_mut(is.pursues)[lane] = goal + 1;
        let place = from.narrow(was.place)[lane];
        let (length, cursor) = ((place & 0xff) as usize, (place >> 8 & 0xff) as usize);
        let fits = length <= 4 * is.step_columns.min(was.step_columns) as usize;
        let steps = (0..length).map(|index| {
            let there = planner.steps.get(usize::from(step(was.steps, index)));
            match there.copied().flatten() {
                // What is done already does not matter.
                None if index < cursor => Some(0),
                there => there,
            }
        });
        let steps: Option<Vec<u8>> = steps.collect();
        let Some(steps) = steps.filter(|_| fits) else {
            continue;
        };
        to.narrow_mut(is.place)[lane] = place;
        for (column, four) in (is.steps..).zip(steps.chunks(4)) {
            let mut bytes = [0; 4];
            bytes[..four.len()].copy_from_slice(four);
            to.narrow_mut(column)[lane] = u32::from_le_bytes(bytes);
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
    let mut narrow = vec![(was.fruitless, is.fruitless)];
    let mut wide = vec![(was.fruitless_for, is.fruitless_for)];
    wide.extend(was.searched_with.zip(is.searched_with));
    if let (Some(search), Some(there)) = (&was.search, &is.search) {
        narrow.push((was.searches, is.searches));
        narrow.push((search.expansions, there.expansions));
        let left_out = 0..was.left_out_columns;
        narrow.extend(left_out.map(|nth| (search.left_out + nth, there.left_out + nth)));
        for fact in &search.facts {
            let other = matching.keys[fact.key.index()];
            let target = there.facts.iter().find(|kept| Some(kept.key) == other);
            if let Some(target) = target {
                carry_fact((old, new), (fact, target), from, to);
            }
        }
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

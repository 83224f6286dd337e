//! Edits that consist of several steps.

use treemind_doc::edit::{Editor, SourceNode, SourceOutline, SourceRole};
use treemind_doc::{Said, said, vocabulary};
use treemind_replay::view::protocol::{Beside, Edit, Where};

/// The same edit in steps, each about one node.
pub(super) fn steps(editor: &Editor, edit: &Edit) -> Vec<Edit> {
    match edit {
        Edit::Remove { ids } => {
            let one = |id: &u64| Edit::Remove { ids: vec![*id] };
            ids.iter().map(one).collect()
        }
        Edit::Move { ids, spot } => moves(&editor.outline(), ids, *spot),
        Edit::Add { spot, others, .. } if !others.is_empty() => {
            let mut steps = vec![edit.clone()];
            steps.extend(moves(&editor.outline(), others, behind(spot.id)));
            steps
        }
        Edit::Duplicate { ids } => duplicates(&editor.outline(), ids),
        Edit::Disable { ids, is_on } => {
            let outline = editor.outline();
            let nodes = ids.iter().filter_map(|id| outline.node(*id));
            let others = nodes.filter(|node| node.is_disabled != *is_on);
            let one = |node: &SourceNode| Edit::Disable {
                ids: vec![node.id],
                is_on: *is_on,
            };
            others.map(one).collect()
        }
        Edit::SetAll { id, entries } => {
            let outline = editor.outline();
            let has = |name: &str| {
                let node = outline.node(*id);
                node.is_some_and(|node| node.properties.iter().any(|one| one.name == name))
            };
            let steps = entries.iter().filter_map(|entry| match &entry.value {
                Some(value) => Some(Edit::Set {
                    id: *id,
                    name: entry.name.clone(),
                    value: value.clone(),
                }),
                None => has(&entry.name).then(|| Edit::Unset {
                    id: *id,
                    name: entry.name.clone(),
                }),
            });
            steps.collect()
        }
        Edit::SetCurve { id, curve } => other_curve(&editor.outline(), *id, curve),
        // First the question becomes a branch, then the answer leads there.
        Edit::Lead {
            id,
            side,
            to,
            name: Some(_),
        } => {
            let lead = Edit::Lead {
                id: *id,
                side: side.clone(),
                to: *to,
                name: None,
            };
            vec![edit.clone(), lead]
        }
        edit => vec![edit.clone()],
    }
}

/// What an edit of several nodes is called; nothing if it is called like its only step.
pub(super) fn label(edit: &Edit, changes: usize) -> Option<Said> {
    match edit {
        Edit::PutIn { .. } => Some(said!("put in what was kept")),
        _ if changes < 2 => None,
        Edit::Remove { ids } => Some(said!("remove {} nodes", ids.len())),
        Edit::Move { ids, .. } if ids.len() > 1 => Some(said!("move {} nodes", ids.len())),
        Edit::Duplicate { ids } => Some(said!("duplicate {} nodes", ids.len())),
        Edit::Disable { is_on: true, .. } => Some(said!("switch off {} nodes", changes)),
        Edit::Disable { is_on: false, .. } => Some(said!("switch on {} nodes", changes)),
        _ => None,
    }
}

fn behind(id: u64) -> Beside {
    let side = Where::After;
    Beside { id, side }
}

/// Puts a copy behind each node. Nodes that stand one after the other then go together, before their copies.
fn duplicates(outline: &SourceOutline, ids: &[u64]) -> Vec<Edit> {
    let copy = |id: &u64| Edit::Duplicate { ids: vec![*id] };
    let mut steps: Vec<Edit> = ids.iter().map(copy).collect();
    let Some((first, others)) = ids.split_first() else {
        return steps;
    };
    let parent = outline.node(*first).and_then(|node| node.parent);
    let peers = match parent.and_then(|parent| outline.node(parent)) {
        Some(parent) => parent.children.clone(),
        None => {
            let nodes = outline.nodes().iter();
            let tops = nodes.filter(|node| node.parent.is_none());
            tops.map(|node| node.id).collect()
        }
    };
    if peers.windows(ids.len()).any(|row| row == ids) {
        steps.extend(moves(outline, others, behind(*first)));
    }
    steps
}

/// Two points make a line, as the usual curve is one.
const FIRST_POINTS: &str = "point 0.0 0.0\npoint 1.0 1.0";

/// Gives a `consider` another curve, and takes from it what belongs to the one before.
fn other_curve(outline: &SourceOutline, id: u64, curve: &str) -> Vec<Edit> {
    let mut steps = vec![Edit::Set {
        id,
        name: "curve".to_owned(),
        value: curve.to_owned(),
    }];
    let Some(node) = outline.node(id) else {
        return steps;
    };
    let curves = vocabulary::curves();
    let has = |curve: &vocabulary::Curve, name: &str| {
        let mut parameters = curve.parameters().iter();
        parameters.any(|(parameter, _)| *parameter == name)
    };
    let is_gone = |name: &str| {
        let mut all = curves.iter();
        let is_own = curves
            .iter()
            .any(|one| one.name() == curve && has(one, name));
        !is_own && all.any(|one| has(one, name))
    };
    let gone = node.properties.iter().filter(|one| is_gone(&one.name));
    steps.extend(gone.map(|one| Edit::Unset {
        id,
        name: one.name.clone(),
    }));
    let points = node.children.iter().filter_map(|id| outline.node(*id));
    let points: Vec<u64> = points
        .filter(|one| one.word == "point")
        .map(|one| one.id)
        .collect();
    if curve != "points" {
        steps.extend(points.into_iter().map(|id| Edit::Remove { ids: vec![id] }));
    } else if points.is_empty() {
        steps.push(Edit::Add {
            text: FIRST_POINTS.to_owned(),
            spot: Beside {
                id,
                side: Where::Into,
            },
            others: Vec::new(),
        });
    }
    steps
}

/// Moves nodes, each behind the one before it; states with what says where their machines begin.
fn moves(outline: &SourceOutline, ids: &[u64], mut spot: Beside) -> Vec<Edit> {
    let home = match spot.side {
        Where::Into => Some(spot.id),
        _ => outline.node(spot.id).and_then(|node| node.parent),
    };
    let mut steps = Vec::with_capacity(ids.len());
    for id in ids {
        steps.push(Edit::Move {
            ids: vec![*id],
            spot,
        });
        spot = behind(*id);
    }
    let is_state = |id: &&u64| {
        let node = outline.node(**id);
        node.is_some_and(|node| node.role == SourceRole::State && node.parent != home)
    };
    let states: Vec<u64> = ids.iter().filter(is_state).copied().collect();
    if let Some(first) = states.first() {
        steps.extend(begins_with(outline, home, *first));
        steps.extend(begins_without(outline, &states));
    }
    steps
}

/// What contains no states yet begins with the first one that comes.
fn begins_with(outline: &SourceOutline, home: Option<u64>, state: u64) -> Option<Edit> {
    let home = home.and_then(|home| outline.node(home))?;
    let is_known = initial(outline, home).is_some() || home.word == "parallel";
    (!is_known).then_some(Edit::SetInitial { id: state })
}

/// Where states have left that something began with, it begins with the first one that is still there.
fn begins_without(outline: &SourceOutline, gone: &[u64]) -> Vec<Edit> {
    let parents = gone.iter().filter_map(|id| outline.node(*id)?.parent);
    let mut parents: Vec<u64> = parents.collect();
    parents.sort_unstable();
    parents.dedup();
    let mut steps = Vec::new();
    for parent in parents.iter().filter_map(|id| outline.node(*id)) {
        let Some(initial) = initial(outline, parent) else {
            continue;
        };
        let begins = initial.values.first().map(|value| value.value.as_str());
        let has_left = gone
            .iter()
            .filter_map(|id| outline.node(*id))
            .any(|state| state.parent == Some(parent.id) && state.name.as_deref() == begins);
        if !has_left {
            continue;
        }
        let children = parent.children.iter().filter_map(|id| outline.node(*id));
        let mut stay = children.filter(|child| {
            child.role == SourceRole::State && !child.is_disabled && !gone.contains(&child.id)
        });
        steps.push(match stay.next() {
            Some(state) => Edit::SetInitial { id: state.id },
            None => Edit::Remove {
                ids: vec![initial.id],
            },
        });
    }
    steps
}

/// What says with which state something begins.
fn initial<'o>(outline: &'o SourceOutline, of: &SourceNode) -> Option<&'o SourceNode> {
    let children = of.children.iter().filter_map(|id| outline.node(*id));
    children.into_iter().find(|child| child.word == "initial")
}

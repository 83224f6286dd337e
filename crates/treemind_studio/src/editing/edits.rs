//! What an edit of a page does to the text.

use treemind_doc::edit::{self, At, Change, Editor, NewValue, Utf16};
use treemind_replay::view::protocol::{Beside, Edit, Where};

/// The same edit in steps, each about one node.
pub(super) fn steps(edit: &Edit) -> Vec<Edit> {
    match edit {
        Edit::Remove { ids } => {
            let one = |id: &u64| Edit::Remove { ids: vec![*id] };
            ids.iter().map(one).collect()
        }
        Edit::Move { ids, spot } => {
            // Each goes behind the one before it.
            let mut spot = *spot;
            let steps = ids.iter().map(|id| {
                let step = Edit::Move {
                    ids: vec![*id],
                    spot,
                };
                spot = Beside {
                    id: *id,
                    side: Where::After,
                };
                step
            });
            steps.collect()
        }
        edit => vec![edit.clone()],
    }
}

/// What a step will leave behind that nothing needs any more, in sentences.
pub(super) fn left_behind(editor: &Editor, step: &Edit) -> Vec<String> {
    let Edit::Remove { ids } = step else {
        return Vec::new();
    };
    let places = ids.iter().filter_map(|id| editor.place_of(*id));
    let left = places
        .filter_map(|at| editor.left_behind(at).ok())
        .flatten();
    left.map(|one| one.message().to_owned()).collect()
}

/// What a step does.
pub(super) fn change(editor: &Editor, edit: &Edit) -> Result<Change, String> {
    let at = |id: &u64| editor.place_of(*id).ok_or("this node is gone".to_owned());
    let first = |ids: &[u64]| {
        ids.first()
            .ok_or("no node is chosen".to_owned())
            .and_then(at)
    };
    let change = match edit {
        Edit::Add { text, spot } => match place(at(&spot.id)?, spot.side) {
            Some(place) => editor.insert(place, text),
            None => editor.wrap(at(&spot.id)?, text),
        },
        Edit::Remove { ids } => editor.remove(first(ids)?),
        Edit::Move { ids, spot } => match place(at(&spot.id)?, spot.side) {
            Some(place) => editor.move_node(first(ids)?, place),
            None => return Err("only a new node can be put around another one".to_owned()),
        },
        Edit::Reorder { id, by } => editor.reorder(at(id)?, *by as isize),
        Edit::AddState { id, name } => editor.add_state(at(id)?, name),
        Edit::SetInitial { id } => editor.set_initial(at(id)?),
        Edit::AddTransition { from, to, trigger } => {
            editor.add_transition(at(from)?, at(to)?, trigger)
        }
        Edit::Retarget { id, to } => editor.retarget(at(id)?, at(to)?),
        Edit::ChangeKind { id, word } => editor.change_kind(at(id)?, word),
        Edit::Duplicate { id } => editor.duplicate(at(id)?),
        Edit::Inline { id } => editor.inline(at(id)?, true),
        Edit::Unwrap { id } => editor.unwrap(at(id)?),
        Edit::Set { id, name, value } => match name.parse::<usize>() {
            Ok(nth) => editor.set_value(at(id)?, nth, typed(value)),
            Err(_) => editor.set(at(id)?, name, typed(value)),
        },
        Edit::Unset { id, name } => editor.unset(at(id)?, name),
        Edit::Rename { id, name } => editor.rename(name_of(editor, at(id)?)?, name),
        Edit::Extract { id, name } => editor.extract(at(id)?, name),
        Edit::Type {
            file,
            from,
            to,
            text,
        } => {
            let places = Utf16::new(editor.text(*file));
            let from = places.to_byte(*from);
            editor.replace(*file, from..places.to_byte(*to).max(from), text)
        }
        Edit::Undo
        | Edit::Redo
        | Edit::Save { .. }
        | Edit::SaveAtOnce { .. }
        | Edit::Settle { .. } => {
            return Err("this does not change a text".to_owned());
        }
    };
    change.map_err(|error| error.to_string())
}

/// What may stand at a place.
pub(super) fn fits(editor: &Editor, spot: Beside) -> Result<Vec<edit::Fit>, String> {
    let at = editor.place_of(spot.id).ok_or("this node is gone")?;
    let fits = match place(at, spot.side) {
        Some(place) => editor.fits(place),
        None => editor.fits_around(at),
    };
    fits.map_err(|error| error.to_string())
}

/// Where a node goes; `None` for around.
fn place(at: At, side: Where) -> Option<edit::Spot> {
    match side {
        Where::Before => Some(edit::Spot::Before(at)),
        Where::After => Some(edit::Spot::After(at)),
        Where::Into => Some(edit::Spot::Into(at, usize::MAX)),
        Where::Around => None,
    }
}

/// What somebody types as a value: `true`, a number, or a text.
fn typed(value: &str) -> NewValue {
    match value {
        "true" | "#true" => NewValue::Bool(true),
        "false" | "#false" => NewValue::Bool(false),
        _ if value.parse::<f64>().is_ok_and(f64::is_finite) => NewValue::Number(value.to_owned()),
        _ => NewValue::Text(value.to_owned()),
    }
}

/// The name that a node defines: its first value.
fn name_of(editor: &Editor, at: At) -> Result<At, String> {
    let node = editor.node(at).map_err(|error| error.to_string())?;
    let mut entries = node.entries.iter();
    let name = entries.find(|entry| entry.name.is_none());
    let name = name.ok_or_else(|| format!("`{}` has no name", node.word))?;
    Ok(At {
        file: at.file,
        offset: name.value.start,
    })
}

//! What an edit of a page does to the text.

use treemind_core::behaviour::Scope;
use treemind_doc::edit::{self, At, Change, Editor, NewValue, SourceRole, Utf16};
use treemind_doc::{Document, Said, Severity, said};
use treemind_replay::view::problems;
use treemind_replay::view::protocol::{Beside, Edit, KeyScope, Problem, SaidKey, Where};

/// What a step will leave behind that nothing needs any more, in sentences, and where that is before the step.
pub(super) fn left_behind(editor: &Editor, step: &Edit) -> Vec<(Said, At)> {
    let Edit::Remove { ids } = step else {
        return Vec::new();
    };
    let places = ids.iter().filter_map(|id| editor.place_of(*id));
    let left = places
        .filter_map(|at| editor.left_behind(at).ok())
        .flatten();
    left.map(|one| (one.message().clone(), one.place()))
        .collect()
}

/// The same sentences with the lines that they are about, each sentence once. `texts` are those of the files then.
pub(super) fn with_lines(left: &[(Said, At)], texts: &[String]) -> Vec<Said> {
    let mut lines: Vec<(&Said, Vec<usize>)> = Vec::new();
    for (said, at) in left {
        let before = texts[at.file].as_bytes().iter().take(at.offset);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        match lines.iter_mut().find(|(known, _)| *known == said) {
            Some((_, all)) if all.contains(&line) => {}
            Some((_, all)) => all.push(line),
            None => lines.push((said, vec![line])),
        }
    }
    let said = lines.into_iter().map(|(said, lines)| {
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        match &lines[..] {
            [line] => said!("{}: line {}", said, line),
            lines => said!("{}: lines {}", said, lines.join(", ")),
        }
    });
    said.collect()
}

/// The errors of a document.
pub(super) fn errors(of: &Document) -> Vec<Problem> {
    let all = problems(of.diagnostics()).into_iter();
    let errors = all.filter(|one| one.severity == Severity::Error.as_str());
    errors.collect()
}

/// The errors that were not there before, with their lines.
pub(super) fn new_errors(before: Vec<Problem>, after: Vec<Problem>) -> Vec<Said> {
    let mut known: Vec<Said> = before.into_iter().map(|one| one.text).collect();
    let mut said = Vec::new();
    for one in after {
        match known.iter().position(|other| *other == one.text) {
            Some(nth) => {
                known.swap_remove(nth);
            }
            None => said.push(said!("{}: line {}", one.text, one.at[0])),
        }
    }
    said
}

/// What is typed does: the text takes the place of what is between two places, in units of UTF-16.
pub(super) fn typed(
    editor: &Editor,
    file: usize,
    [from, to]: [usize; 2],
    text: &str,
) -> Result<Change, Said> {
    let places = Utf16::new(editor.text(file));
    if from > to || to > places.of_byte(usize::MAX) {
        return Err(said!("this place is gone"));
    }
    let change = editor.replace(file, places.to_byte(from)..places.to_byte(to), text);
    change.map_err(Said::from)
}

/// What a step does. On the site, the code for it is loaded by the first edit that is not typed, so it stays by itself.
#[inline(never)]
pub(super) fn change(editor: &Editor, edit: &Edit) -> Result<Change, Said> {
    let at = |id: &u64| editor.place_of(*id).ok_or_else(gone);
    let first = |ids: &[u64]| {
        ids.first()
            .ok_or_else(|| said!("no node is chosen"))
            .and_then(at)
    };
    let change = match edit {
        Edit::Add { text, spot, .. } if is_empty_document(editor, *spot) => editor.paste(END, text),
        Edit::Add { text, spot, .. } => {
            let place = place(at(&spot.id)?, spot.side);
            match (first_state(editor, *spot, text), place) {
                (Some(name), _) => editor.add_state(at(&spot.id)?, name),
                (None, Some(place)) => editor.paste(place, text),
                (None, None) => editor.wrap(at(&spot.id)?, text),
            }
        }
        Edit::Remove { ids } => editor.remove(first(ids)?),
        Edit::Move { ids, spot } => match place(at(&spot.id)?, spot.side) {
            Some(place) => {
                let from = first(ids)?;
                let may_move = editor.may_move(from, place);
                may_move.and_then(|()| editor.move_node(from, place))
            }
            None => return Err(said!("only a new node can be put around another one")),
        },
        Edit::Reorder { id, by } => editor.reorder(at(id)?, *by as isize),
        Edit::AddState { id, name } => editor.add_state(at(id)?, name),
        Edit::Comment { id, text } => editor.set_comment(at(id)?, text),
        Edit::MakeParallel { id } => editor.make_parallel(at(id)?),
        Edit::MakeSequential { id } => editor.make_sequential(at(id)?),
        Edit::SetInitial { id } => editor.set_initial(at(id)?),
        Edit::AddTransition { from, to, trigger } => {
            editor.add_transition(at(from)?, at(to)?, trigger)
        }
        Edit::Retarget { id, to } => editor.retarget(at(id)?, at(to)?),
        Edit::SetHistory { id, depth } => editor.set_history(at(id)?, depth.as_deref()),
        Edit::Lead {
            id,
            side,
            to,
            name: None,
        } => {
            let branch = branch_at(editor, *to)?;
            editor.lead_to(at(id)?, side.as_deref(), &branch)
        }
        Edit::Lead {
            to,
            name: Some(name),
            ..
        } => editor.share(at(to)?, name),
        Edit::Share { id, name } => editor.share(at(id)?, name),
        Edit::ChangeKind { id, word } => editor.change_kind(at(id)?, word),
        Edit::Duplicate { ids } => editor.duplicate(first(ids)?),
        Edit::Disable { ids, is_on } => editor.disable(first(ids)?, *is_on),
        Edit::Inline { id } => editor.inline(at(id)?, true),
        Edit::Unwrap { id } => editor.unwrap(at(id)?),
        // Others name what a node defines.
        Edit::Set { id, name, value } if name == "0" && defines(editor, *id) => {
            editor.rename(name_of(editor, at(id)?)?, value.trim())
        }
        // Methods of a planner call a step by its name.
        Edit::Set { id, name, value } if name == "name" && step_at(editor, at(id)?).is_some() => {
            let step = step_at(editor, at(id)?).ok_or_else(gone)?;
            editor.rename(step, value.trim())
        }
        Edit::Set { id, name, value } => match name.parse::<usize>() {
            Ok(nth) => editor.set_value(at(id)?, nth, NewValue::typed(value)),
            // A sentence stays one, even if it is a number.
            Err(_) if name == "doc" => editor.set(at(id)?, name, NewValue::Text(value.clone())),
            Err(_) => editor.set(at(id)?, name, NewValue::typed(value)),
        },
        Edit::Unset { id, name } => editor.unset(at(id)?, name),
        Edit::Rename { id, name } => editor.rename(name_of(editor, at(id)?)?, name),
        Edit::Extract { id, name } => editor.extract(at(id)?, name),
        Edit::AddKey { key, scope } => editor.add_key(&key_said(key), scope_said(*scope)),
        Edit::SetType { id, ty, values } => editor.set_type(at(id)?, ty, values),
        Edit::SetDefault { id, value } => editor.set_default(at(id)?, value),
        Edit::SetScope { id, scope } => editor.set_scope(at(id)?, scope_said(*scope)),
        Edit::AddLeaf { kind, name, doc } => editor.add_leaf_of(kind, name, doc),
        Edit::AddParam { id, param } => editor.add_param(at(id)?, &key_said(param)),
        Edit::Fix {
            file,
            line,
            column,
            label,
        } => {
            let places = Utf16::new(editor.text(*file));
            let offset = places.at_line(line.saturating_sub(1), *column);
            let mut fixes = treemind_ide::fixes(editor, (*file, offset)).into_iter();
            let fix = fixes.find(|fix| fix.label == **label);
            return fix
                .map(|fix| fix.change)
                .ok_or_else(|| said!("this problem is gone"));
        }
        Edit::RenameAt {
            file,
            line,
            column,
            name,
        } => {
            let places = Utf16::new(editor.text(*file));
            let offset = places.at_line(line.saturating_sub(1), *column);
            editor.rename((*file, offset), name)
        }
        Edit::Format { file } => {
            let (text, name) = (editor.text(*file), editor.name(*file));
            let new = treemind_doc::format(text, name);
            let new =
                new.map_err(|_| said!("a text with mistakes in its form cannot be laid out"))?;
            editor.rewrite(*file, &new)
        }
        Edit::SetAll { .. } | Edit::SetCurve { .. } => {
            return Err(said!("nothing is to be written"));
        }
        Edit::Accept { .. } => return Err(said!("this advice is not known any more")),
        Edit::Type { .. } | Edit::PutIn { .. } => {
            return Err(said!("what is typed is no edit of nodes"));
        }
        Edit::Undo
        | Edit::Redo
        | Edit::Save { .. }
        | Edit::SaveAtOnce { .. }
        | Edit::Settle { .. } => {
            return Err(said!("this does not change a text"));
        }
    };
    change.map_err(Said::from)
}

/// What may stand at a place.
pub(super) fn fits(editor: &Editor, spot: Beside) -> Result<Vec<edit::Fit>, Said> {
    if is_empty_document(editor, spot) {
        return editor.fits(END).map_err(Said::from);
    }
    let at = editor.place_of(spot.id).ok_or_else(gone)?;
    let fits = match place(at, spot.side) {
        Some(place) => editor.fits(place),
        None => editor.fits_around(at),
    };
    fits.map_err(Said::from)
}

/// Why nothing fits at a place where nothing does.
pub(super) fn why_nothing_fits(editor: &Editor, spot: Beside) -> Option<Said> {
    let place = place(editor.place_of(spot.id)?, spot.side)?;
    editor.why_nothing_fits(place).ok()?
}

/// The end of the first file.
const END: edit::Spot = edit::Spot::Top(0, usize::MAX);

/// Whether a place is in a document beside no node: there is none yet.
fn is_empty_document(editor: &Editor, spot: Beside) -> bool {
    spot.id == 0 && spot.side == Where::Into && editor.outline().nodes().is_empty()
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

/// The name of a state that is added as the first one of a machine or a state: that begins with it.
fn first_state<'t>(editor: &Editor, spot: Beside, text: &'t str) -> Option<&'t str> {
    let name = text.trim().strip_prefix("state ")?.trim();
    let is_plain = name
        .chars()
        .all(|one| one.is_alphanumeric() || "-_".contains(one));
    let outline = editor.outline();
    let around = outline.node(spot.id)?;
    let holds = ["machine", "state"].contains(&around.word.as_str());
    let mut inside = around.children.iter().filter_map(|id| outline.node(*id));
    let is_first = !inside.any(|node| ["state", "parallel", "initial"].contains(&&*node.word));
    (spot.side == Where::Into && is_plain && holds && is_first).then_some(name)
}

/// The branch of which a question is the beginning, or to which it leads.
fn branch_at(editor: &Editor, question: u64) -> Result<String, Said> {
    let outline = editor.outline();
    let found = outline.node(question).ok_or_else(gone)?;
    let named = |node: &edit::SourceNode| node.values.first().map(|value| value.value.clone());
    if found.word == "goto" || found.role == SourceRole::Branch {
        return named(found).ok_or_else(|| said!("it names no branch"));
    }
    let around = found.parent.and_then(|parent| outline.node(parent));
    let is_first = |branch: &&edit::SourceNode| {
        branch.role == SourceRole::Branch && branch.children.first() == Some(&question)
    };
    let branch = around.filter(is_first).and_then(named);
    branch.ok_or_else(|| {
        said!("only one answer can lead to this; give it a name, so that others can, too")
    })
}

/// The name that a node defines: its first value.
fn name_of(editor: &Editor, at: At) -> Result<At, Said> {
    if let Some(step) = step_at(editor, at) {
        return Ok(step);
    }
    let node = editor.node(at).map_err(Said::from)?;
    let mut entries = node.entries.iter();
    let name = entries.find(|entry| entry.name.is_none());
    let name = name.ok_or_else(|| said!("`{}` has no name", &node.word))?;
    let place = At {
        file: at.file,
        offset: name.value.start,
    };
    match editor.occurrences(place).is_empty() {
        true => Err(said!(
            "`{}` has no name that the document defines",
            &node.word
        )),
        false => Ok(place),
    }
}

/// Whether the first value of a node is the name of what it defines, which others may name.
fn defines(editor: &Editor, id: u64) -> bool {
    let outline = editor.outline();
    let Some(node) = outline.node(id) else {
        return false;
    };
    let first = node.values.first().map(|value| value.value.as_str());
    let has_name = node.properties.iter().any(|one| one.name == "name");
    let place = editor.place_of(id);
    let is_known = place.is_some_and(|place| name_of(editor, place).is_ok());
    first.is_some() && first == node.name.as_deref() && !has_name && is_known
}

/// Where the name of a node is that something else names, too: of a step of a planner.
fn step_at(editor: &Editor, at: At) -> Option<At> {
    let node = editor.node(at).ok()?;
    let mut entries = node.entries.iter();
    let name = entries.find(|entry| entry.name.as_deref() == Some("name"))?;
    let place = At {
        file: at.file,
        offset: name.value.start,
    };
    (editor.occurrences(place).len() > 1).then_some(place)
}

fn key_said(of: &SaidKey) -> edit::NewKey<'_> {
    edit::NewKey {
        name: &of.name,
        ty: &of.ty,
        default: &of.default,
        doc: &of.doc,
        values: &of.values,
    }
}

fn scope_said(of: KeyScope) -> Scope {
    match of {
        KeyScope::Agent => Scope::Agent,
        KeyScope::Group => Scope::Group,
        KeyScope::World => Scope::World,
    }
}

pub(super) fn gone() -> Said {
    said!("this node is gone")
}

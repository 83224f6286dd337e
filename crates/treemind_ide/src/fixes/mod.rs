//! Changes that solve a problem, as its help says.
//!
//! The help of a diagnostic is for people, and says the same in a few forms: "did you mean `x`?", "declare it: `…`",
//! "write `x`", "add `x`", "remove it". Each form gives changes that could be meant. A change is offered only if it
//! really solves the problem and makes none: the texts are checked with it.

mod forms;
mod numbers;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use treemind_doc::Said;
use treemind_doc::edit::{At, Change, Editor, NewValue, written_word};
use treemind_doc::{Code, Diagnostic, Severity, said};

/// A change that solves a problem.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does, for menus; no two fixes of a place have the same one.
    pub label: Said,
    /// The problem that it solves.
    pub code: Code,
    /// The change.
    pub change: Change,
    /// Something else could be meant as well.
    is_guess: bool,
}

/// How many changes are tried for a place.
const MOST_TRIED: usize = 40;

/// What solves the problems at a byte, the likely ones first.
pub fn fixes(editor: &Editor, at: impl Into<At>) -> Vec<Fix> {
    let at = at.into();
    fixes_in(editor, at.file, at.offset..at.offset)
}

/// What solves the problems that touch a range of a file, the likely ones first.
pub fn fixes_in(editor: &Editor, file: usize, range: Range<usize>) -> Vec<Fix> {
    let mut found: Vec<Fix> = Vec::new();
    let mut tried = 0;
    let undecided = editor.document().undecided();
    let undecided = undecided.iter().flat_map(|found| found.iter());
    for problem in editor.document().diagnostics().iter().chain(undecided) {
        let span = problem.span();
        let is_here = problem.source().name() == editor.name(file)
            && span.start <= range.end
            && range.start <= span.end.max(span.start + 1);
        if is_here {
            solve(editor, (file, problem), &mut tried, &mut found);
        }
    }
    found
}

/// Adds what solves a problem, as long as not too much has been tried.
fn solve(
    editor: &Editor,
    (file, problem): (usize, &Diagnostic),
    tried: &mut usize,
    found: &mut Vec<Fix>,
) {
    let offset = problem.span().start;
    let at = At { file, offset };
    let help = problem.help().unwrap_or_default();
    let quoted: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let sure = candidates(editor, problem, at, &quoted).into_iter();
    let sure = sure.map(|(label, change)| (label, change, false));
    let guessed = forms::candidates(editor, problem, at, &quoted).into_iter();
    let guessed = guessed.map(|(label, change)| (label, change, true));
    for (label, change, is_guess) in sure.chain(guessed) {
        *tried += 1;
        let is_known = found.iter().any(|known| known.label == label);
        if !is_known && *tried <= MOST_TRIED && solves(editor, &change, problem) {
            let code = problem.code();
            found.push(Fix {
                label,
                code,
                change,
                is_guess,
            });
        }
    }
}

/// How many problems are solved at once at most.
const MOST_AT_ONCE: usize = 50;

/// Solves all problems of a file that have only one solution: one after the other, each in the text that is there then.
/// To allow a warning is no solution, and to remove the whole node none that one would want unasked. `None` when there is nothing to do.
pub fn fix_all(editor: &Editor, file: usize) -> Option<Change> {
    let mut trial = editor.clone();
    let mut given_up: HashSet<(Code, String)> = HashSet::new();
    for _ in 0..MOST_AT_ONCE {
        let problems = trial.document().diagnostics().iter();
        let next = problems
            .filter(|one| one.source().name() == editor.name(file))
            .find(|one| !given_up.contains(&(one.code(), one.message().to_owned())));
        let Some(problem) = next else {
            break;
        };
        let mut found = Vec::new();
        solve(&trial, (file, problem), &mut 0, &mut found);
        found.retain(|fix| !fix.is_allowance() && !fix.removes_all() && !fix.is_guess);
        match found.as_slice() {
            [fix] => {
                let change = fix.change.clone();
                trial.apply(&change).ok()?;
            }
            _ => {
                given_up.insert((problem.code(), problem.message().to_owned()));
            }
        }
    }
    let change = editor.rewrite(file, trial.text(file)).ok()?;
    (!change.is_empty()).then_some(change)
}

impl Fix {
    /// Whether it removes the node as a whole.
    fn removes_all(&self) -> bool {
        self.label.to_string().starts_with("remove this ")
    }

    /// Whether it only turns a warning off.
    pub fn is_allowance(&self) -> bool {
        self.label.to_string().starts_with("allow ")
    }
}

/// Whether a change takes a problem away and makes no other.
fn solves(editor: &Editor, change: &Change, problem: &Diagnostic) -> bool {
    let mut trial = editor.clone();
    if change.is_empty() || trial.apply(change).is_err() {
        return false;
    }
    let count = |editor: &Editor| {
        let mut counts: HashMap<(Severity, Code), usize> = HashMap::new();
        // Only where it is asked for: a file for others to import need not say what runs.
        let undecided = (problem.code() == Code::NoTree).then(|| editor.document().undecided());
        let undecided = undecided.iter().flatten().flat_map(|found| found.iter());
        for one in editor.document().diagnostics().iter().chain(undecided) {
            *counts.entry((one.severity(), one.code())).or_default() += 1;
        }
        counts
    };
    let (before, after) = (count(editor), count(&trial));
    let own = (problem.severity(), problem.code());
    let is_less = after.get(&own).unwrap_or(&0) < before.get(&own).unwrap_or(&0);
    let is_worse = |(what, many): (&(Severity, Code), &usize)| {
        // What nothing uses yet is a hint, and what is left to do.
        what.0 == Severity::Error && *many > *before.get(what).unwrap_or(&0)
    };
    is_less && !after.iter().any(is_worse)
}

type Candidates = Vec<(Said, Change)>;

/// What could be meant by the help of a problem.
fn candidates(editor: &Editor, problem: &Diagnostic, at: At, quoted: &[&str]) -> Candidates {
    let help = problem.help().unwrap_or_default();
    let mut all = Candidates::new();
    for meant in quoted {
        if let Some(declared) = declaration(help, meant) {
            declare(editor, declared, at, &mut all);
        } else if help.contains("did you mean") || help.contains("write") || help.contains("use") {
            replace(editor, problem, meant, at, &mut all);
        }
        if help.contains("add") {
            add(editor, meant, at, &mut all);
        }
    }
    if let [first, ..] = quoted
        && help.starts_with("declare it as")
    {
        port(editor, first, at, &mut all);
    }
    let is_too_much = matches!(
        problem.code(),
        Code::UnusedKey
            | Code::UnknownProperty
            | Code::UnknownParameter
            | Code::ExtraValue
            | Code::NoEffect
    );
    if is_too_much || help.contains("remove") || help.contains("delete") {
        remove(editor, problem, at, &mut all);
    }
    if problem.code() == Code::Unclosed {
        let end = editor.text(at.file).len();
        let behind = editor.text(at.file).ends_with('\n');
        let brace = if behind { "}\n" } else { "\n}\n" };
        push(
            said!("add `}` at the end"),
            editor.replace(at.file, end..end, brace),
            &mut all,
        );
    }
    if problem.severity() == Severity::Warning && problem.code().can_be_a_warning() {
        allow(editor, problem.code(), at, &mut all);
    }
    all
}

fn push<E>(label: Said, change: Result<Change, E>, all: &mut Candidates) {
    if let Ok(change) = change {
        all.push((label, change));
    }
}

/// What a help wants to have declared: `blackboard { key x type=…; }`.
fn declaration<'h>(help: &str, meant: &'h str) -> Option<&'h str> {
    let is_one = meant.starts_with("leaves {") || meant.starts_with("blackboard {");
    (help.contains("declare it") && is_one).then_some(meant)
}

fn declare(editor: &Editor, declared: &str, at: At, all: &mut Candidates) {
    let inner = declared.split_once('{').map_or("", |(_, inner)| inner);
    let inner = inner.trim_end_matches('}').trim().trim_end_matches(';');
    if declared.starts_with("leaves") {
        return push(said!("declare `{}`", inner), editor.add_leaf(inner), all);
    }
    // The type is what fits.
    let name = inner.split_whitespace().nth(1).unwrap_or_default();
    let numbers = match numbers::is_whole(editor, name) {
        true => ["int", "float"],
        false => ["float", "int"],
    };
    for ty in ["bool", numbers[0], numbers[1], "vec2", "entity", "string"] {
        let key = inner.replace('…', ty);
        push(said!("declare `{}`", &*key), add_key(editor, &key, at), all);
    }
}

/// The type that a key that nothing declares may have, by how it is used: the one with which the fewest errors are left. Where
/// several leave as few, it is a number.
pub fn fitting_type(editor: &Editor, name: &str) -> &'static str {
    let [first, second] = match numbers::is_whole(editor, name) {
        true => ["int", "float"],
        false => ["float", "int"],
    };
    let name = written_word(name);
    let left = |ty: &&&'static str| {
        let mut trial = editor.clone();
        let at = At { file: 0, offset: 0 };
        let change = add_key(editor, &format!("key {name} type={ty}"), at).ok();
        let is_done = change.is_some_and(|change| trial.apply(&change).is_ok());
        let all = trial.document().diagnostics().iter();
        let errors = all.filter(|one| one.severity() == Severity::Error).count();
        (!is_done, errors)
    };
    let all = [first, "bool", "string", "entity", "vec2", second];
    all.iter().min_by_key(left).copied().unwrap_or(first)
}

/// Adds a key to the blackboard of a file; to a new one, if there is none.
fn add_key(editor: &Editor, key: &str, at: At) -> Result<Change, treemind_doc::edit::EditError> {
    let nodes = editor.read_nodes(at.file);
    let mut top = nodes.iter().filter(|one| one.parent.is_none());
    let board = top.find(|one| one.node.word == "blackboard" && one.node.entries.is_empty());
    let spot = match board {
        Some(board) => {
            treemind_doc::edit::Spot::Into((at.file, board.node.start).into(), usize::MAX)
        }
        None => {
            let place = treemind_doc::edit::Spot::Top(at.file, 0);
            return editor.insert(place, &format!("blackboard {{\n    {key}\n}}"));
        }
    };
    editor.insert(spot, key)
}

/// Writes something else in the place of what is wrong.
fn replace(editor: &Editor, problem: &Diagnostic, meant: &str, at: At, all: &mut Candidates) {
    let span = problem.span();
    let text = editor.text(at.file);
    let Some(old) = text.get(span.clone()) else {
        return;
    };
    let is_whole = old.starts_with('"') || text[..span.start].ends_with(['"', '=']);
    let new = match old.starts_with('"') {
        true => format!("\"{meant}\""),
        false => meant.to_owned(),
    };
    let label = said!("write `{}`", meant);
    push(
        label.clone(),
        editor.replace(at.file, span.clone(), &new),
        all,
    );
    let word = written_word(meant);
    if !is_whole && word != new {
        push(label, editor.replace(at.file, span, &word), all);
    }
}

/// Adds a property to the line of the node.
fn add(editor: &Editor, meant: &str, at: At, all: &mut Candidates) {
    let Some((name, value)) = meant.split_once('=') else {
        return;
    };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-');
    if !is_name || value.contains('…') {
        return;
    }
    if let Ok(node) = editor.node(at) {
        let end = node.line.end;
        let change = editor.replace(at.file, end..end, &format!(" {meant}"));
        push(said!("add `{}`", meant), change, all);
    }
}

/// Declares a port or key in another way: `inout x`.
fn port(editor: &Editor, meant: &str, at: At, all: &mut Candidates) {
    let mut words = meant.split_whitespace();
    let (Some(word), Some(name)) = (words.next(), words.next()) else {
        return;
    };
    let nodes = editor.read_nodes(at.file);
    let is_it = |node: &&treemind_doc::edit::ReadNode| {
        matches!(node.node.word.as_str(), "in" | "out") && node.node.name() == Some(name)
    };
    for node in nodes.iter().filter(is_it) {
        let start = node.node.start;
        let end = start + node.node.word.len();
        push(
            said!("declare it as `{}`", word),
            editor.replace(at.file, start..end, word),
            all,
        );
    }
}

/// Removes the property, the value or the node that is wrong.
fn remove(editor: &Editor, problem: &Diagnostic, at: At, all: &mut Candidates) {
    let span = problem.span();
    let Ok(node) = editor.node(at) else {
        return;
    };
    let mut entries = node.entries.iter();
    let is_in = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    if let Some(entry) = entries.find(|entry| is_in(&entry.span)) {
        match &entry.name {
            Some(name) => push(said!("remove `{}`", &**name), editor.unset(at, name), all),
            None => {
                let text = editor.text(at.file);
                let start = text[..entry.span.start].trim_end_matches(' ').len();
                push(
                    said!("remove it"),
                    editor.replace(at.file, start..entry.span.end, ""),
                    all,
                );
            }
        }
    }
    push(
        said!("remove this `{}`", &*node.word),
        editor.remove(at),
        all,
    );
}

/// Turns a warning off for the node.
fn allow(editor: &Editor, code: Code, at: At, all: &mut Candidates) {
    let nodes = editor.read_nodes(at.file);
    let mut around = nodes.iter().filter(|one| {
        let extent = one.extent();
        extent.start <= at.offset && at.offset <= extent.end
    });
    let Some(node) = around.next_back() else {
        return;
    };
    let known = node.node.property("allow").map(|known| format!("{known} "));
    let codes = format!("{}{code}", known.unwrap_or_default());
    let change = editor.set((at.file, node.node.start), "allow", NewValue::Text(codes));
    push(said!("allow {} here", code.to_string()), change, all);
}

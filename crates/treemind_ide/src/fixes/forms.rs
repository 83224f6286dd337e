//! What else a help may say: another kind of node, a line for a block, a property of a declaration, another name. Which of
//! several is meant is for people to say, so none of these is done unasked.

use super::{Candidates, push};
use treemind_doc::Said;
use treemind_doc::edit::{At, Change, Editor, NewValue, NodeView, ReadNode, Spot, written_word};
use treemind_doc::{Code, Diagnostic, said};

/// How many names of a list are offered at most.
const MOST_NAMES: usize = 8;

/// How many definitions are offered at most as what runs.
const MOST_RUNNING: usize = 4;

/// How many keys are tried for a parameter.
const MOST_KEYS: usize = 12;

/// The values that one begins with: of a number, a flag, a position, a text.
const FIRST_VALUES: [&str; 5] = ["0", "0.0", "#false", "\"0.0, 0.0\"", "\"\""];

/// What else could be meant by the help of a problem; `quoted` is what stands in it between backticks.
pub(super) fn candidates(
    editor: &Editor,
    problem: &Diagnostic,
    at: At,
    quoted: &[&str],
) -> Candidates {
    let asked = Asked {
        editor,
        problem,
        help: problem.help().unwrap_or_default(),
        at,
    };
    let mut all = Candidates::new();
    for meant in quoted {
        asked.other_head(meant, &mut all);
        asked.line_of_block(meant, &mut all);
        asked.property_elsewhere(meant, quoted, &mut all);
    }
    match problem.code() {
        Code::Duplicate => asked.other_name(&mut all),
        Code::Unclosed => asked.closed(&mut all),
        Code::ChainedComparison => asked.two_comparisons(quoted, &mut all),
        Code::NothingInIt => asked.first_tree(&mut all),
        Code::NoTree => asked.what_runs(&mut all),
        Code::UnknownStep => asked.task_with_step(quoted, &mut all),
        Code::MissingParameter => asked.parameter(quoted, &mut all),
        _ => {}
    }
    asked.names_of_a_list(quoted, &mut all);
    all
}

/// A problem, and where it is.
struct Asked<'e> {
    editor: &'e Editor,
    problem: &'e Diagnostic,
    help: &'e str,
    at: At,
}

impl Asked<'_> {
    fn node(&self) -> Option<NodeView> {
        self.editor.node(self.at).ok()
    }

    fn text(&self) -> &str {
        self.editor.text(self.at.file)
    }

    /// The nodes around the place, the outermost first, with the one there.
    fn around(&self) -> Vec<ReadNode> {
        let mut nodes = self.editor.read_nodes(self.at.file);
        nodes.retain(|one| {
            let extent = one.extent();
            extent.start <= self.at.offset && self.at.offset < extent.end.max(extent.start + 1)
        });
        nodes
    }

    fn replace(&self, range: std::ops::Range<usize>, new: &str, label: Said, all: &mut Candidates) {
        push(label, self.editor.replace(self.at.file, range, new), all);
    }

    /// "write `condition near`", "use `subtree guard`", "use `reactive-sequence`".
    fn other_head(&self, meant: &str, all: &mut Candidates) {
        let says = ["write", "use"].iter().any(|word| self.help.contains(word));
        let is_plain = !meant.contains(['=', '{', '…', '"', '<', '(']) && !meant.is_empty();
        if !says || !is_plain {
            return;
        }
        if meant.contains(' ') {
            let Some(node) = self.node() else { return };
            let mut entries = node.entries.iter();
            let name = entries.find(|entry| entry.name.is_none());
            let end = name.map_or(node.at.offset + node.word.len(), |name| name.span.end);
            return self.replace(node.at.offset..end, meant, said!("write `{}`", meant), all);
        }
        for node in self.around().iter().rev().take(3) {
            let at = (self.at.file, node.node.start);
            let change = self.editor.change_kind(at, meant);
            push(said!("make it a `{}`", meant), change, all);
        }
    }

    /// "add `initial a` to its block", "or `method ""`", "or `none`".
    fn line_of_block(&self, meant: &str, all: &mut Candidates) {
        let is_line = !meant.contains(['=', '{', '…']) && meant.starts_with(char::is_lowercase);
        let meant = match meant.starts_with("method ") {
            true => "method \"\"",
            false if is_line => meant,
            false => return,
        };
        let Some(node) = self.node().filter(|_| self.help.contains("add ")) else {
            return;
        };
        let node = self
            .around()
            .into_iter()
            .rev()
            .find(|one| one.block.is_some())
            .map_or(node.at, |around| (self.at.file, around.node.start).into());
        for index in [0, usize::MAX] {
            let change = self.editor.insert(Spot::Into(node, index), meant);
            push(said!("add `{}`", meant), change, all);
        }
    }

    /// "add `merge=add` to the key `hurt`", "declare it with `instant=#true`", "use `mode=alarm`", "add `gives="…"` to the
    /// step that does".
    fn property_elsewhere(&self, meant: &str, quoted: &[&str], all: &mut Candidates) {
        let Some((name, value)) = meant.split_once('=') else {
            return;
        };
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '-');
        if !is_name || name.is_empty() || value.contains('…') {
            return;
        }
        let value = match value {
            "#true" => NewValue::Bool(true),
            value => NewValue::Text(value.trim_matches('"').to_owned()),
        };
        let mut set = |file: usize, node: &ReadNode, label: Said| {
            let change = self
                .editor
                .set((file, node.node.start), name, value.clone());
            push(label, change, all);
        };
        match name {
            "merge" => {
                let key = quoted.iter().find(|other| !other.contains('='));
                for (file, node) in self.declared(|one| one.node.word == "key") {
                    if node.node.name() == key.copied() {
                        set(file, &node, said!("add `{}`", meant));
                    }
                }
            }
            "instant" => {
                let leaf = self.node().filter(|node| node.word == "action");
                let leaf = leaf.and_then(|node| {
                    let own = self.around();
                    let own = own.last().filter(|one| one.node.start == node.at.offset)?;
                    own.node.name().map(str::to_owned)
                });
                for (file, node) in self.declared(|one| one.node.word == "action") {
                    let is_it = node.node.name().is_some() && node.node.name() == leaf.as_deref();
                    if is_it && self.is_leaf(file, &node) {
                        set(file, &node, said!("declare it with `{}`", meant));
                    }
                }
            }
            "mode" => {
                if let Some(machine) = self.around().first() {
                    set(self.at.file, machine, said!("add `{}`", meant));
                }
            }
            "gives" => {
                let around = self.around();
                let Some(planner) = around.first() else {
                    return;
                };
                let all_nodes = self.editor.read_nodes(self.at.file);
                let parent = all_nodes
                    .iter()
                    .position(|one| one.node.start == planner.node.start);
                let steps = all_nodes
                    .iter()
                    .filter(|one| one.parent.is_some() && one.parent == parent);
                let steps = steps.filter(|one| one.node.row.is_some_and(|row| row.is_node()));
                for step in steps
                    .filter(|one| one.node.property("gives").is_none())
                    .take(MOST_NAMES)
                {
                    let called = step.node.property("name").or(step.node.name());
                    let called = called.unwrap_or(&step.node.word);
                    set(self.at.file, step, said!("add `{}` to `{}`", meant, called));
                }
            }
            _ => {}
        }
    }

    /// The nodes of all files for which something holds.
    fn declared(&self, is_one: impl Fn(&ReadNode) -> bool) -> Vec<(usize, ReadNode)> {
        let files = 0..self.editor.file_count();
        let all = files.flat_map(|file| {
            let nodes = self.editor.read_nodes(file).into_iter();
            nodes.map(move |node| (file, node))
        });
        all.filter(|(_, node)| is_one(node)).collect()
    }

    /// Whether a node stands in the manifest.
    fn is_leaf(&self, file: usize, node: &ReadNode) -> bool {
        let nodes = self.editor.read_nodes(file);
        node.parent
            .is_some_and(|parent| nodes[parent].node.word == "leaves")
    }

    /// A name that is there twice.
    fn other_name(&self, all: &mut Candidates) {
        let span = self.problem.span();
        let Some(old) = self.text().get(span.clone()) else {
            return;
        };
        let name = old.trim_matches('"');
        if name.is_empty() || name.contains(['"', '\n', ' ', '{']) {
            return;
        }
        let is_used = |new: &String| {
            let files = 0..self.editor.file_count();
            files
                .into_iter()
                .any(|file| self.editor.text(file).contains(new.as_str()))
        };
        let mut free = (2..100)
            .map(|nth| format!("{name}-{nth}"))
            .filter(|new| !is_used(new));
        if let Some(new) = free.next() {
            let written = match old.starts_with('"') {
                true => format!("\"{new}\""),
                false => new.clone(),
            };
            self.replace(span, &written, said!("call it `{}`", new), all);
        }
    }

    /// A block, text or comment without its end.
    fn closed(&self, all: &mut Candidates) {
        let text = self.text();
        let start = self.problem.span().start;
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = &text[start..line_end];
        let end = start + end.trim_end_matches([' ', '\r']).len();
        // A quote at the end of the line, or before what closes the line.
        let before = end
            - (text[start..end].len() - text[start..end].trim_end_matches([' ', '}', ';']).len());
        self.replace(
            end..end,
            "\"",
            said!("add `\"` at the end of the line"),
            all,
        );
        self.replace(before..before, "\"", said!("add `\"`"), all);
        self.replace(
            text.len()..text.len(),
            "*/\n",
            said!("add `*/` at the end"),
            all,
        );
        // A brace where the indentation says that the block is over.
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let indent = blanks(&text[line..]);
        let mut at = line_end;
        for next in text[line_end..].split_inclusive('\n').skip(1) {
            at = next.as_ptr().addr() - text.as_ptr().addr();
            if !next.trim().is_empty() && blanks(next) <= indent {
                break;
            }
            at += next.len();
        }
        let brace = format!("{}}}\n", &text[line..line + indent]);
        self.replace(at..at, &brace, said!("add `}` where the block ends"), all);
    }

    /// "combine two comparisons: `0 < x && x < …`": the problem is at the second sign.
    fn two_comparisons(&self, quoted: &[&str], all: &mut Candidates) {
        let meant = quoted.first().and_then(|meant| meant.split_once(" && "));
        if let Some((_, second)) = meant {
            let second = format!("&& {}", second.trim_end_matches(['…', ' ']));
            self.replace(
                self.problem.span(),
                &second,
                said!("combine two comparisons"),
                all,
            );
        }
    }

    fn first_tree(&self, all: &mut Candidates) {
        let tree = "tree main {\n    succeed\n}";
        let change = self
            .editor
            .insert(Spot::Top(self.at.file, usize::MAX), tree);
        push(said!("add a tree"), change, all);
    }

    /// The definitions that could run; a tree, where there is none.
    fn what_runs(&self, all: &mut Candidates) {
        let could_run = self.editor.could_run();
        if could_run.is_empty() {
            return self.first_tree(all);
        }
        for (word, name) in could_run.into_iter().take(MOST_RUNNING) {
            let change = self.editor.let_run(word, name);
            push(said!("let `{}` run", name), change, all);
        }
    }

    /// "add `target=…` with an entity": a key of that type, or a value that one begins with.
    fn parameter(&self, quoted: &[&str], all: &mut Candidates) {
        let name = quoted.iter().find_map(|meant| meant.strip_suffix("=…"));
        let (Some(name), Some(node)) = (name, self.node()) else {
            return;
        };
        let end = node.line.end;
        let keys = self.declared(|one| one.node.word == "key");
        let keys = keys.iter().filter_map(|(_, key)| key.node.name());
        let keys = keys.map(|key| format!("\"{{{key}}}\"")).take(MOST_KEYS);
        let values = FIRST_VALUES.map(str::to_owned).into_iter();
        for value in keys.chain(values) {
            let new = format!("{name}={value}");
            self.replace(end..end, &format!(" {new}"), said!("add `{}`", new), all);
        }
    }

    /// "write a task with it: `task do-a { method "a"; }`": its name takes the place of the step.
    fn task_with_step(&self, quoted: &[&str], all: &mut Candidates) {
        let task = quoted.iter().find(|meant| meant.starts_with("task "));
        let name = task.and_then(|task| task.split_whitespace().nth(1));
        let (Some(task), Some(name)) = (task, name) else {
            return;
        };
        let change = || -> Option<Change> {
            let mut trial = self.editor.clone();
            let range = self.problem.span();
            let named = trial
                .replace(self.at.file, range, &written_word(name))
                .ok()?;
            trial.apply(&named).ok()?;
            let planner = self.around().first()?.node.start;
            let into = Spot::Into((self.at.file, planner).into(), usize::MAX);
            let added = trial.insert(into, task).ok()?;
            trial.apply(&added).ok()?;
            self.editor
                .rewrite(self.at.file, trial.text(self.at.file))
                .ok()
        };
        if let Some(change) = change() {
            all.push((said!("write `{}`", *task), change));
        }
    }

    /// "the curves are `linear` and `power`".
    fn names_of_a_list(&self, quoted: &[&str], all: &mut Candidates) {
        let is_list = self.help.starts_with("the ") && self.help.contains(" are `");
        let names = quoted.iter().filter(|name| !name.contains(['{', '=', '…']));
        let names: Vec<&&str> = names.collect();
        if is_list && (2..=MOST_NAMES).contains(&names.len()) {
            for name in names {
                super::replace(self.editor, self.problem, name, self.at, all);
            }
        }
    }
}

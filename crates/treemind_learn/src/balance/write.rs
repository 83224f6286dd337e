//! Writes a decision tree as text again: its original lines in the new order.

use super::NotBalanced;
use super::forest::{Forest, Tree, TreeId};
use super::question::Questions;
use super::text::{LAST, LEAD, Line, TRAIL, Written};
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::DecisionStep;
use treemind_doc::internals::{Layout, always_draws, is_item, word};

/// The lines of tests and tasks, by their positions in the decision tree.
pub(super) struct Lines {
    pub(super) steps: Vec<usize>,
    /// By child; for a condition that is asked, the line of its test.
    pub(super) leaves: Vec<usize>,
}

/// The text being written.
pub(super) struct Page<'a> {
    pub(super) written: &'a Written<'a>,
    pub(super) layout: &'a Layout,
    pub(super) questions: &'a Questions<'a>,
    pub(super) forest: &'a Forest,
    pub(super) lines: &'a Lines,
    /// The names of parts that are written as branches.
    branches: HashMap<TreeId, String>,
    /// Branches that a `goto` names, in the order in which the `goto`s are written.
    waiting: Vec<TreeId>,
    out: String,
    /// Lines whose comments have been written.
    used: HashSet<usize>,
    /// The tasks and draws, in the order of the text.
    pub(super) leaves: Vec<usize>,
    pub(super) randoms: Vec<usize>,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        written: &'a Written<'a>,
        layout: &'a Layout,
        questions: &'a Questions<'a>,
        forest: &'a Forest,
        lines: &'a Lines,
    ) -> Self {
        Self {
            written,
            layout,
            questions,
            forest,
            lines,
            branches: HashMap::new(),
            waiting: Vec::new(),
            out: String::new(),
            used: HashSet::new(),
            leaves: Vec::new(),
            randoms: Vec::new(),
        }
    }

    /// The whole definition; `named` holds the parts that had a name.
    pub(super) fn print(
        &mut self,
        root: TreeId,
        named: &[(TreeId, String, usize)],
    ) -> Result<String, NotBalanced> {
        self.name_branches(root, named);
        self.list(root);
        let mut next = 0;
        while let Some(tree) = self.waiting.get(next).copied() {
            next += 1;
            let old = named.iter().find(|(known, ..)| *known == tree);
            let line = old.map(|(.., line)| *line);
            let comments = line.filter(|line| self.lead(*line));
            self.out.push_str("branch ");
            let name = self.branches.remove(&tree).unwrap_or_default();
            word(&name, &mut self.out);
            // At its own place, the branch is written in full.
            self.block(comments, "", tree);
            self.branches.insert(tree, name);
        }
        let list = std::mem::take(&mut self.out);
        self.frame(&list)
    }

    /// Writes the head of the definition, its keys, comments that lost the line they belonged to, and then the list.
    fn frame(&mut self, list: &str) -> Result<String, NotBalanced> {
        let written = self.written;
        let mut text = format!("{} {{", written.slice(&written.head));
        end_line(&written.first, &mut text);
        for (number, line) in written.lines.iter().enumerate() {
            if line.above.is_none() && is_item(&line.word) {
                self.lead(number);
                text.push_str(&std::mem::take(&mut self.out));
                text.push_str(written.slice(&line.whole));
                end_line(&line.comments[TRAIL], &mut text);
            }
        }
        for (number, line) in written.lines.iter().enumerate() {
            if !self.used.contains(&number) {
                let all = line.comments.iter().flatten();
                all.for_each(|comment| {
                    text.push_str(comment);
                    text.push('\n');
                });
            }
        }
        text.push_str(list);
        for comment in &written.last {
            text.push_str(comment);
            text.push('\n');
        }
        text.push('}');
        let text = text.replace("\r\n", "\n");
        let text = if written.crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        };
        let formatted = treemind_doc::format(&text, "balanced.kdl");
        let mut formatted = formatted.map_err(|errors| NotBalanced::Defect(errors.to_plain()))?;
        formatted.truncate(formatted.trim_end().len());
        Ok(formatted)
    }

    /// Names the parts that several ways lead to; existing names are kept.
    fn name_branches(&mut self, root: TreeId, named: &[(TreeId, String, usize)]) {
        let uses = self.forest.uses(root);
        let mut taken: HashSet<String> = HashSet::new();
        for (tree, name, _) in named {
            let is_there = uses.iter().any(|(used, _)| used == tree);
            let is_part = !matches!(self.forest.get(*tree), Tree::Nothing) && *tree != root;
            if is_there && is_part && !self.branches.contains_key(tree) {
                taken.insert(name.clone());
                self.branches.insert(*tree, name.clone());
            }
        }
        for (tree, count) in uses {
            if count < 2 || self.branches.contains_key(&tree) {
                continue;
            }
            let name = match self.forest.get(tree) {
                Tree::Nothing => continue,
                Tree::Leaf(leaf) => self.leaf_name(*leaf),
                Tree::Ask(..) | Tree::Random(..) => "part".to_owned(),
            };
            let mut own = name.clone();
            let mut count = 1;
            while !taken.insert(own.clone()) {
                count += 1;
                own = format!("{name}-{count}");
            }
            self.branches.insert(tree, own);
        }
    }

    fn leaf_name(&self, leaf: usize) -> String {
        let head = self.written.slice(&self.line(self.lines.leaves[leaf]).head);
        let mut words = head.split_whitespace();
        let word = words.next().unwrap_or("part");
        let is_name = |name: &&str| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        words.next().filter(is_name).unwrap_or(word).to_owned()
    }

    fn line(&self, number: usize) -> &'a Line {
        &self.written.lines[number]
    }

    /// Writes the comments above a line, the first time that the line is written; returns whether it is the first time.
    fn lead(&mut self, number: usize) -> bool {
        let is_first = self.used.insert(number);
        if is_first {
            let line = self.line(number);
            let last = last_of_line(line);
            let early = line.comments[TRAIL].iter();
            let early =
                early.filter(|comment| last.is_none_or(|last| !std::ptr::eq(*comment, last)));
            let all = line.comments[LEAD].iter().chain(early);
            for comment in all.chain(&line.comments[LAST]) {
                self.out.push_str(comment);
                self.out.push('\n');
            }
        }
        is_first
    }

    /// The block of a line, and the comment after its brace; `first` is written before the list.
    fn block(&mut self, line: Option<usize>, first: &str, tree: TreeId) {
        let comment = line.and_then(|line| last_of_line(self.line(line)));
        let comment = comment.map(String::as_str).unwrap_or_default();
        let start = self.out.len();
        self.list(tree);
        let inner = self.out.split_off(start);
        let (inner, own) = match self.lone_task(tree) {
            Some(parts) if comment.is_empty() => parts,
            _ => (inner.trim_end(), ""),
        };
        let is_short = !inner.contains('\n') && !inner.contains("//") && !inner.contains("/-");
        let text = match (is_short, comment.is_empty()) {
            (true, true) => format!(" {{ {first}{inner}; }} {own}\n"),
            (true, false) => format!(" {{ {first}{inner}; }} {comment}\n"),
            (false, _) => format!(" {{ {comment}\n{first}\n{inner}\n}}\n"),
        };
        self.out.push_str(&text);
    }

    /// A task that fits on one line, with the comment after it, if it has nothing else.
    fn lone_task(&self, tree: TreeId) -> Option<(&'a str, &'a str)> {
        let Tree::Leaf(leaf) = self.forest.get(tree) else {
            return None;
        };
        let line = self.line(self.lines.leaves[*leaf]);
        let text = self.written.slice(&line.whole);
        let is_lone = line.comments[LEAD].is_empty() && line.comments[TRAIL].len() <= 1;
        let is_plain = is_lone && !text.contains('\n') && !self.branches.contains_key(&tree);
        let comment = last_of_line(line).map_or("", String::as_str);
        (is_plain && (line.comments[TRAIL].is_empty() || !comment.is_empty()))
            .then_some((text, comment))
    }

    /// The content of a block; it may be a `goto` to a branch.
    fn list(&mut self, tree: TreeId) {
        match self.branches.get(&tree) {
            Some(name) => {
                self.out.push_str("goto ");
                let name = name.clone();
                word(&name, &mut self.out);
                self.out.push('\n');
                if !self.waiting.contains(&tree) {
                    self.waiting.push(tree);
                }
            }
            None => self.part(tree),
        }
    }

    /// The content itself, written at this place.
    fn part(&mut self, tree: TreeId) {
        match self.forest.get(tree) {
            Tree::Nothing => self.out.push_str("none\n"),
            Tree::Leaf(leaf) => {
                let number = self.lines.leaves[*leaf];
                self.leaves.push(*leaf);
                self.lead(number);
                let line = self.line(number);
                self.out.push_str(self.written.slice(&line.whole));
                if let Some(comment) = last_of_line(line) {
                    self.out.push(' ');
                    self.out.push_str(comment);
                }
                self.out.push('\n');
            }
            Tree::Ask(question, ways) => {
                let step = self.questions.all[*question].step;
                match self.layout.decision.steps[step] {
                    DecisionStep::Switch { .. } => self.switch(step, ways),
                    _ => self.test(step, [ways[0], ways[1]]),
                }
            }
            Tree::Random(step, ways) => {
                let ways: Vec<Option<TreeId>> = ways.iter().copied().map(Some).collect();
                self.randoms.push(*step);
                self.cases(*step, &ways);
                let is_over = always_draws(&self.layout.decision.steps[*step]);
                self.go_on(ways[ways.len() - 1].filter(|_| !is_over));
            }
        }
    }

    /// The part that follows a test in its list; `None` writes nothing.
    fn go_on(&mut self, tree: Option<TreeId>) {
        if let Some(tree) = tree
            && *self.forest.get(tree) != Tree::Nothing
        {
            self.list(tree);
        }
    }

    fn is_end(&self, tree: TreeId) -> bool {
        let is_task = matches!(self.forest.get(tree), Tree::Leaf(_));
        is_task || self.branches.contains_key(&tree)
    }

    /// The side that continues is written below the test, so that blocks are not nested without need.
    fn test(&mut self, step: usize, ways: [Option<TreeId>; 2]) {
        let number = self.lines.steps[step];
        let comments = self.lead(number).then_some(number);
        let line = self.line(number);
        self.out.push_str(self.written.slice(&line.head));
        let params = line.below.iter().map(|below| self.line(*below));
        let params = params.filter(|below| line.word == "test-condition" && below.word == "param");
        let params: String = params
            .map(|param| format!("{}; ", self.written.slice(&param.whole)))
            .collect();
        let turned = match ways {
            [Some(yes), Some(no)] => {
                let goes_on = !self.is_end(yes) && *self.forest.get(yes) != Tree::Nothing;
                self.is_end(no) && goes_on
            }
            [yes, _] => yes.is_none(),
        };
        match ways {
            [yes, Some(no)] if turned => {
                let start = self.out.len();
                self.block(comments, "", no);
                let side = self.out.split_off(start);
                self.out
                    .push_str(&match side.trim_end().contains(['\n', '/']) {
                        true => format!(" {{\n{params}\nno{side}}}\n"),
                        false => format!(" {{ {params}no{}; }}\n", side.trim_end()),
                    });
                self.go_on(yes);
            }
            [Some(yes), no] => {
                self.block(comments, &params, yes);
                self.go_on(no);
            }
            _ => {}
        }
    }

    fn switch(&mut self, step: usize, ways: &[Option<TreeId>]) {
        self.cases(step, ways);
        self.go_on(ways[ways.len() - 1]);
    }

    /// A `switch` or `random`, with those of its cases or options that lead somewhere.
    fn cases(&mut self, step: usize, ways: &[Option<TreeId>]) {
        let number = self.lines.steps[step];
        let comments = self.lead(number);
        let line = self.line(number);
        self.out.push_str(self.written.slice(&line.head));
        self.out.push_str(" {");
        if comments && let Some(comment) = last_of_line(line) {
            self.out.push(' ');
            self.out.push_str(comment);
        }
        self.out.push('\n');
        let is_case = |line: &&usize| matches!(self.line(**line).word.as_str(), "case" | "option");
        let cases: Vec<usize> = line.below.iter().filter(is_case).copied().collect();
        for (case, way) in cases.into_iter().zip(ways) {
            let Some(way) = way else { continue };
            let comments = self.lead(case).then_some(case);
            self.out.push_str(self.written.slice(&self.line(case).head));
            self.block(comments, "", *way);
        }
        self.out.push_str("}\n");
    }
}

/// The comment up to the end of the line, after a line's text.
fn last_of_line(line: &Line) -> Option<&String> {
    let mut all = line.comments[TRAIL].iter().rev();
    all.find(|comment| !comment.starts_with("/*"))
}

/// Comments after the text of a line; a comment that runs to the end of its line ends it.
fn end_line(comments: &[String], out: &mut String) {
    for comment in comments {
        if !out.ends_with('\n') {
            out.push(' ');
        }
        out.push_str(comment);
        if !comment.starts_with("/*") {
            out.push('\n');
        }
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

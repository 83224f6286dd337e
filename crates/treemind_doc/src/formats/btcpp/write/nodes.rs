//! The nodes of a tree.

use super::scripts::Script;
use super::three::is_waiting;
use super::xml::{Element, is_name};
use super::{Writer, first, literal, words};
use crate::formats::btcpp::kept::Kept;
use crate::formats::btcpp::words::{self as dialect, SCRIPTS};
use crate::syntax::{Entry, Node, Value, shortened};
use crate::{Said, said};

/// Nodes that have the same children in the XML: the word, the element, and the properties that are written here.
const PLAIN: &[(&str, &str)] = &[
    ("reactive-sequence", "ReactiveSequence"),
    ("reactive-selector", "ReactiveFallback"),
    ("if", "IfThenElse"),
    ("reactive-if", "WhileDoElse"),
    ("invert", "Inverter"),
    ("force-success", "ForceSuccess"),
    ("force-failure", "ForceFailure"),
    ("keep-running-until-failure", "KeepRunningUntilFailure"),
    ("succeed", "AlwaysSuccess"),
    ("fail", "AlwaysFailure"),
];

impl<'n> Writer<'n, '_> {
    /// A node with everything below it; `None` if the XML cannot say it, which is reported.
    pub(super) fn node(&mut self, node: &'n Node) -> Option<Element> {
        if let Some(element) = self.kept(node) {
            return Some(element);
        }
        if let Some(element) = self.items(node) {
            return Some(element);
        }
        if is_waiting(node) {
            let mut element = Element::new("KeepRunningUntilFailure");
            element.children.push(Element::new("AlwaysSuccess"));
            return Some(element);
        }
        let mut known: Vec<&str> = Vec::new();
        let element = self.line(node, &mut known);
        let children = node.children().iter();
        let children = children.filter(|child| !is_no_child(child));
        let below: Vec<&Node> = match node.name.value.as_str() {
            "switch" => children.flat_map(|case| case.children()).collect(),
            _ => children.collect(),
        };
        let count = below.len();
        let below: Vec<Element> = below.into_iter().filter_map(|one| self.node(one)).collect();
        let mut element = element?;
        element.children.extend(below);
        self.common(node, &mut element, &mut known);
        self.noted(node, &mut element, count);
        self.leftovers(node, &known);
        Some(element)
    }

    /// The element that has become this node and others, if none of them was changed.
    fn kept(&mut self, node: &'n Node) -> Option<Element> {
        let notes = self.notes.before.get(&node.span.start)?;
        let kept = notes.iter().find_map(|note| Kept::in_note(note))?;
        let children = kept.children(node)?;
        self.use_leaves(node);
        self.note_call(&kept.tag);
        let mut element = Element::new(&kept.tag.name);
        element.attributes = kept.tag.attributes;
        for child in &children {
            element.children.extend(self.node(child));
        }
        self.notes_of(node, &children, &mut element);
        Some(element)
    }

    /// A node without its children; `known` becomes the properties that are written.
    fn line(&mut self, node: &'n Node, known: &mut Vec<&'n str>) -> Option<Element> {
        let word = node.name.value.as_str();
        if let Some((_, name)) = PLAIN.iter().find(|(ours, _)| *ours == word) {
            return Some(Element::new(name));
        }
        match word {
            "sequence" | "selector" | "sticky-sequence" => self.list(node, known),
            "parallel" => self.parallel(node, known),
            "parallel-all" => {
                known.push("max-failures");
                let most = node
                    .entry("max-failures")
                    .map(|entry| literal(&entry.value));
                let most = most.unwrap_or_else(|| "1".to_owned());
                Some(Element::new("ParallelAll").with("max_failures", most))
            }
            "try-catch" => {
                known.push("on-abort");
                let mut element = Element::new("TryCatch");
                if is_on(node, "on-abort") {
                    element.set("catch_on_halt", "true");
                }
                Some(element)
            }
            "repeat" => self.counted(node, ("Repeat", "num_cycles"), known),
            "retry" => self.counted(node, ("RetryUntilSuccessful", "num_attempts"), known),
            "run-once" => {
                known.push("then");
                let then = node
                    .property_text("then")
                    .map(|then| then.value == "skipped");
                let element = Element::new("RunOnce");
                Some(match then {
                    Some(true) => element,
                    _ => element.with("then_skip", "false"),
                })
            }
            "delay" => {
                known.push("across-skips");
                self.timed(node, "Delay", "delay_msec")
            }
            "timeout" => {
                known.push("across-skips");
                self.timed(node, "Timeout", "msec")
            }
            "wait" => self.timed(node, "Sleep", "msec"),
            "check" => {
                if let Some(same) = self.same_value(node) {
                    return Some(same);
                }
                let code = self.expression(node, first(node)?)?;
                Some(Element::new("ScriptCondition").with("code", code))
            }
            "set" => self.set(node, known),
            "unset" => {
                let key = self.key(words(node).next()?);
                Some(Element::new("UnsetBlackboard").with("key", key))
            }
            "changed" => {
                let key = self.key(words(node).next()?);
                Some(Element::new("WasEntryUpdated").with("entry", key))
            }
            "on-change" => {
                known.extend(["else", "leaves-open"]);
                let waits = node
                    .property_text("else")
                    .is_some_and(|it| it.value == "running");
                let name = if waits {
                    "WaitValueUpdate"
                } else {
                    "SkipUnlessUpdated"
                };
                let key = self.key(words(node).next()?);
                Some(Element::new(name).with("entry", key))
            }
            "switch" => self.switch(node),
            "subtree" => self.subtree(node, known),
            "condition" | "action" | "node" => self.leaf(node, known),
            _ => {
                let message = said!("BehaviorTree.CPP has no `{}`", shortened(word));
                self.lacks(&node.name.span, message);
                None
            }
        }
    }

    fn list(&mut self, node: &Node, known: &mut Vec<&str>) -> Option<Element> {
        known.extend(["yields", "leaves-open"]);
        let yields = node
            .property_text("yields")
            .map(|yields| yields.value.as_str());
        let name = match (node.name.value.as_str(), yields) {
            ("sequence", None | Some("never")) => "Sequence",
            ("sequence", Some("fresh")) => "AsyncSequence",
            ("selector", None | Some("never")) => "Fallback",
            ("selector", Some("fresh")) => "AsyncFallback",
            ("sticky-sequence", yields) => {
                if yields != Some("fresh") {
                    self.note(
                        "`SequenceWithMemory` answers running after a child that began and ended in one tick, and `sticky-sequence` does not",
                    );
                }
                if !is_on(node, "leaves-open") {
                    self.note(
                        "`SequenceWithMemory` leaves a child open that was skipped in the middle of its run, and `sticky-sequence` does not",
                    );
                }
                "SequenceWithMemory"
            }
            (_, yields) => {
                let word = shortened(yields.unwrap_or_default());
                let message = said!("BehaviorTree.CPP has no list with `yields={}`", word);
                self.lacks(&node.name.span, message);
                return None;
            }
        };
        Some(Element::new(name))
    }

    fn parallel(&mut self, node: &Node, known: &mut Vec<&str>) -> Option<Element> {
        known.extend(["success", "failure", "skipped"]);
        let count = |name: &str, default: &str| {
            let given = node.entry(name).map(|entry| literal(&entry.value));
            let given = given.unwrap_or_else(|| default.to_owned());
            match given.as_str() {
                "all" => "-1".to_owned(),
                "one" => "1".to_owned(),
                "exactly-0" => "0".to_owned(),
                other => match other.strip_prefix("all-but-").map(str::parse::<i64>) {
                    Some(Ok(less)) => (-1 - less).to_string(),
                    _ => given,
                },
            }
        };
        let (success, failure) = (count("success", "all"), count("failure", "one"));
        let skipped = node
            .property_text("skipped")
            .map(|skipped| skipped.value.as_str());
        let is_same = match success.starts_with('-') {
            true => skipped == Some("absent-even-all"),
            false => skipped == Some("pending"),
        };
        if !is_same {
            self.note(match success.starts_with('-') {
                true => "a `Parallel` whose children are all skipped succeeds, and `parallel` is skipped",
                false => "a child of a `Parallel` that is skipped still has to end",
            });
        }
        let mut element = Element::new("Parallel");
        if success != "-1" {
            element.set("success_count", success);
        }
        if failure != "1" {
            element.set("failure_count", failure);
        }
        Some(element)
    }

    /// `repeat 3` and `retry forever`
    fn counted(
        &mut self,
        node: &Node,
        (name, port): (&str, &str),
        known: &mut Vec<&str>,
    ) -> Option<Element> {
        known.extend(["yields", "rereads"]);
        if node
            .property_text("yields")
            .is_none_or(|yields| yields.value != "fresh")
        {
            self.note(&format!(
                "`{name}` answers running only after a run that began and ended in one tick"
            ));
        }
        let entry = first(node)?;
        let count = match &entry.value {
            Value::Text(text) if text.value == "forever" => "-1".to_owned(),
            Value::Text(_) => self.pointer(node, entry)?,
            value => literal(value),
        };
        Some(Element::new(name).with(port, count))
    }

    /// Seconds as milliseconds.
    fn timed(&mut self, node: &Node, name: &str, port: &str) -> Option<Element> {
        let entry = first(node)?;
        let msec = match entry.value {
            Value::Int(secs) => (secs * 1_000).to_string(),
            Value::Decimal(secs, _) => {
                let msec = secs * 1_000.0;
                if (msec - msec.round()).abs() > 1e-3 {
                    self.note(&format!(
                        "the time of a `{name}` is rounded to milliseconds"
                    ));
                }
                format!("{:.0}", msec.round())
            }
            _ => self.pointer(node, entry)?,
        };
        Some(Element::new(name).with(port, msec))
    }

    /// The key that an entry stands for, in braces.
    fn pointer(&mut self, node: &Node, entry: &Entry) -> Option<String> {
        let text = entry.value.text()?;
        let script = Script::expression(text, &self.keys, self.sink);
        match script.and_then(|script| script.one_key()) {
            Some(key) => Some(format!("{{{key}}}")),
            None => {
                let word = shortened(&node.name.value);
                let message = said!(
                    "`{}` takes a number or a key in BehaviorTree.CPP, and no expression",
                    word
                );
                self.lacks(&entry.span, message);
                None
            }
        }
    }

    fn key(&self, name: &str) -> String {
        self.keys
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    /// An expression as a script.
    fn expression(&mut self, node: &Node, entry: &Entry) -> Option<String> {
        let Value::Text(text) = &entry.value else {
            return Some(literal(&entry.value));
        };
        let script = Script::expression(text, &self.keys, self.sink)?;
        let written = script.written();
        self.or_lacks(node, entry, written)
    }

    fn or_lacks(
        &mut self,
        node: &Node,
        entry: &Entry,
        written: Result<String, Said>,
    ) -> Option<String> {
        match written {
            Ok(text) => Some(text),
            Err(what) => {
                let word = shortened(&node.name.value);
                let message = said!(
                    "scripts of BehaviorTree.CPP have no {}, which this `{}` needs",
                    what,
                    word
                );
                self.lacks(&entry.span, message);
                None
            }
        }
    }

    /// `set "a = 1"`; a copy of a key that may be unset is a node of its own there.
    fn set(&mut self, node: &'n Node, known: &mut Vec<&str>) -> Option<Element> {
        let entry = first(node)?;
        let script = Script::statements(entry.value.text()?, &self.keys, self.sink)?;
        if let (Some((to, from)), Some(when)) = (script.copied(), node.property_text("when")) {
            let when = Script::expression(when, &self.keys, self.sink);
            if when.and_then(|when| when.asked()).as_ref() == Some(&from) {
                known.push("when");
                let element = Element::new("SetBlackboard").with("value", format!("{{{from}}}"));
                return Some(element.with("output_key", to));
            }
        }
        let written = script.all_statements();
        let code = self.or_lacks(node, entry, written)?;
        Some(Element::new("Script").with("code", code))
    }

    fn switch(&mut self, node: &'n Node) -> Option<Element> {
        let cases = node
            .children()
            .iter()
            .filter(|case| case.name.value == "case");
        let cases: Vec<&Node> = cases.collect();
        let has_default = node
            .children()
            .last()
            .is_some_and(|last| last.name.value == "default");
        if !(2..=6).contains(&cases.len()) || !has_default {
            let message =
                said!("BehaviorTree.CPP has a `switch` of two to six cases, with a `default`");
            self.lacks(&node.name.span, message);
            return None;
        }
        if let Some(element) = self.numbered(node, &cases) {
            return Some(element);
        }
        let entry = first(node)?;
        let variable = self.pointer(node, entry)?;
        let name = format!("Switch{}", cases.len());
        let mut element = Element::new(&name).with("variable", variable);
        for (nth, case) in cases.iter().enumerate() {
            let mut values = case.entries.iter().filter(|entry| entry.name.is_none());
            let (Some(value), None) = (values.next(), values.next()) else {
                let message = said!("a case has one value in BehaviorTree.CPP");
                self.lacks(&case.name.span, message);
                return None;
            };
            element.set(&format!("case_{}", nth + 1), literal(&value.value));
        }
        Some(element)
    }

    fn subtree(&mut self, node: &'n Node, known: &mut Vec<&'n str>) -> Option<Element> {
        known.push("keeps-name");
        let mut element = Element::new("SubTree").with("ID", words(node).next()?);
        self.given(node, &mut element, known);
        Some(element)
    }

    /// `condition`, `action` and `node`, with the element of the leaf's name if that is possible.
    fn leaf(&mut self, node: &'n Node, known: &mut Vec<&'n str>) -> Option<Element> {
        let name = words(node).next()?;
        self.used.insert(name);
        if node.entry("not").is_some() {
            let message = said!("BehaviorTree.CPP has no `not=`: put an `invert` around it");
            self.lacks(&node.name.span, message);
        }
        let is_taken = dialect::all().any(|known| known == name)
            || dialect::EXPLICIT.contains(&name)
            || dialect::AROUND.contains(&name)
            || matches!(name, "SubTree" | "SubTreePlus");
        let leaf = self.leaves.get(name).map(|leaf| leaf.name.value.as_str());
        let mut element = match is_name(name) && !is_taken {
            true => Element::new(name),
            false => Element::new(match (node.name.value.as_str(), leaf) {
                ("condition", _) => "Condition",
                ("node", Some("decorator")) => "Decorator",
                ("node", _) => "Control",
                _ => "Action",
            })
            .with("ID", name),
        };
        self.given(node, &mut element, known);
        Some(element)
    }

    /// What a node gives to a leaf or a tree: properties of its own, and `param` in its block.
    fn given(&mut self, node: &'n Node, element: &mut Element, known: &mut Vec<&'n str>) {
        let is_own = |name: &str| {
            crate::language::is_common_property(name)
                || crate::language::node_word(&node.name.value).is_some_and(|word| word.has(name))
        };
        let mut given: Vec<(&str, &Entry)> = Vec::new();
        for entry in &node.entries {
            let Some(name) = entry.name.as_ref().map(|name| name.value.as_str()) else {
                continue;
            };
            if !is_own(name) {
                known.push(name);
                given.push((name, entry));
            }
        }
        let params = node.children().iter();
        let params = params.filter(|child| child.name.value == "param");
        let below = params.filter_map(|param| Some((words(param).next()?, param.entries.get(1)?)));
        let before = given.len();
        given.extend(below);
        if given.len() > before {
            // Those in the line and those in the block, in the order in which the leaf has them.
            let leaf = words(node).next().and_then(|name| self.leaves.get(name));
            let params = leaf.map_or(&[][..], |leaf| leaf.children());
            let place = |name: &str| {
                params
                    .iter()
                    .position(|one| words(one).next() == Some(name))
            };
            given.sort_by_key(|(name, _)| place(name));
        }
        for (name, entry) in given {
            let value = self.argument(node, entry);
            self.port(entry, name, value, element);
        }
    }

    fn port(&mut self, entry: &Entry, name: &str, value: Option<String>, element: &mut Element) {
        if !is_name(name) || matches!(name, "ID" | "name") || name.starts_with('_') {
            let message = said!(
                "`{}` cannot name a port of BehaviorTree.CPP",
                shortened(name)
            );
            self.lacks(&entry.span, message);
        } else if let Some(value) = value {
            element.set(name, value);
        }
    }

    /// An argument: a key in braces, or a literal.
    fn argument(&mut self, node: &Node, entry: &Entry) -> Option<String> {
        let Value::Text(text) = &entry.value else {
            return Some(literal(&entry.value));
        };
        let inner = text
            .value
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        if let Some(key) = inner {
            return Some(match self.literals.get(key) {
                Some(literal) => literal.clone(),
                None => format!("{{{}}}", self.key(key)),
            });
        }
        let is_text = text.value.starts_with("='") && text.value.ends_with('\'');
        if text.value.starts_with('=') && !is_text {
            let word = shortened(&node.name.value);
            let message = said!(
                "`{}` takes a literal or a key in BehaviorTree.CPP, and no expression",
                word
            );
            self.lacks(&entry.span, message);
            return None;
        }
        Some(literal(&entry.value))
    }

    /// The name, the description, and the scripts around a node.
    pub(super) fn common(
        &mut self,
        node: &'n Node,
        element: &mut Element,
        known: &mut Vec<&'n str>,
    ) {
        if let Some(name) = node.property_text("name") {
            element
                .attributes
                .insert(0, ("name".to_owned(), name.value.clone()));
        }
        let scripts = SCRIPTS.iter();
        let scripts = scripts.map(|one| (one.property, one.name, one.is_condition));
        // They have no condition that must hold, only its opposite.
        for (ours, theirs, is_condition) in scripts.chain([("when", "_failureIf", true)]) {
            let Some(entry) = node.entry(ours).filter(|_| !known.contains(&ours)) else {
                continue;
            };
            known.push(ours);
            let written = match is_condition {
                true => self.expression(node, entry),
                false => {
                    let text = entry.value.text();
                    let script =
                        text.and_then(|text| Script::statements(text, &self.keys, self.sink));
                    let written = script.map(|script| script.all_statements());
                    written.and_then(|written| self.or_lacks(node, entry, written))
                }
            };
            let Some(mut code) = written else {
                continue;
            };
            if ours == "when" {
                code = format!("!({code})");
            }
            if element.attributes.iter().any(|(name, _)| name == theirs) {
                let message = said!(
                    "BehaviorTree.CPP has one `{}` for `fail-if` and `when`",
                    theirs
                );
                self.lacks(&entry.span, message);
                continue;
            }
            element.set(theirs, code);
        }
        if let Some(doc) = node.property_text("doc") {
            element.set("_description", &doc.value);
        }
    }

    /// Reports properties that have no place in the XML.
    pub(super) fn leftovers(&mut self, node: &Node, known: &[&str]) {
        for entry in &node.entries {
            let Some(name) = entry.name.as_ref().map(|name| name.value.as_str()) else {
                continue;
            };
            let is_said = matches!(name, "name" | "doc" | "allow" | "not" | "score" | "weight")
                || known.contains(&name);
            if !is_said {
                let message = said!(
                    "BehaviorTree.CPP has no `{}=` for `{}`",
                    shortened(name),
                    shortened(&node.name.value)
                );
                self.lacks(&entry.span, message);
            }
        }
    }
}

/// Whether a line in a block is no node of the tree.
fn is_no_child(node: &Node) -> bool {
    matches!(node.name.value.as_str(), "param")
}

fn is_on(node: &Node, name: &str) -> bool {
    node.entry(name)
        .is_some_and(|entry| entry.value == Value::Bool(true))
}

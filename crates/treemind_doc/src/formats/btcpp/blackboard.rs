//! Built-in nodes that work on the blackboard.

use super::dialect;
use super::facts::Guess;
use super::nodes::{Nodes, declared_key, here, last, span_of};
use super::ports::given;
use super::tag;
use crate::code::Code;
use crate::expression::quoted;
use crate::language;
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

/// How many keys all nodes of a document together may unset of which keys say the name.
const MAX_UNSET_BY_KEY: usize = 10_000;

/// A keyword, the entries on its line, and its block.
type OfScript = (&'static str, Vec<Entry>, Option<Vec<syntax::Node>>);

impl Nodes<'_> {
    /// One of these nodes, without its children.
    pub(super) fn on_blackboard(
        &mut self,
        element: Node<'_, '_>,
        (name, at): (&str, &Span),
        others: &[Attribute<'_, '_>],
        common: Vec<Entry>,
    ) -> Option<syntax::Node> {
        let ports = ports_of(name);
        for attribute in others {
            if attribute.name() != "ID" && !ports.contains(&attribute.name()) {
                self.unknown_attribute(name, *attribute, ports);
            }
        }
        let children = self.elements(element).len();
        let (word, mut entries, block) = match name {
            // BehaviorTree.CPP takes an empty script here, and nowhere else.
            "Script" => {
                let code = *self.needed(element, others, "code")?;
                let statements = match code.value() {
                    "" => Vec::new(),
                    // Nobody sees its value.
                    _ => self.script(code, false)?.statements,
                };
                match statements.is_empty() {
                    true => ("succeed", Vec::new(), None),
                    false => {
                        let entry = Entry::word(&statements.join("; "), at.clone());
                        ("set", vec![entry], None)
                    }
                }
            }
            "ScriptCondition" => {
                let code = *self.needed(element, others, "code")?;
                self.script_condition(code)?
            }
            "Precondition" => self.precondition(element, others)?,
            _ if name.starts_with("BlackboardCheck") => {
                let block = self.blackboard_check(element, at, others)?;
                ("reactive-if", Vec::new(), Some(block))
            }
            "SetBlackboard" => ("set", self.set_blackboard(element, others)?, None),
            "UnsetBlackboard" => {
                let key = *self.needed(element, others, "key")?;
                match dialect::pointer_of(key, self.version) {
                    Some(raw) => ("sequence", Vec::new(), Some(self.unset_by_key(raw, at))),
                    None if self.is_of_others(key) => ("succeed", Vec::new(), None),
                    None => {
                        let mut entries = self.key_port(element, others, "key")?;
                        entries.extend(self.forgets(at));
                        ("unset", entries, None)
                    }
                }
            }
            "WasEntryUpdated" | "EntryUpdatedAction" => {
                ("changed", self.key_port(element, others, "entry")?, None)
            }
            "SkipUnlessUpdated" | "EntryUpdatedDecorator" | "WaitValueUpdate" => {
                let mut entries = self.key_port(element, others, "entry")?;
                entries.push(leaves_open(at));
                if name == "WaitValueUpdate" {
                    entries.push(Entry::word("running", at.clone()).named("else"));
                }
                ("on-change", entries, None)
            }
            _ => {
                let (entries, cases) = self.switch(element, (name, at), others, children)?;
                ("switch", entries, Some(cases))
            }
        };
        let wanted = match word {
            "switch" => children,
            "on-change" | "reactive-if" => 1,
            "if" | "scope" if name == "Precondition" => 1,
            _ => 0,
        };
        if children != wanted {
            let message = match wanted {
                0 => said!("`{}` is a leaf and takes no children", name),
                _ if children == 0 => said!("`{}` needs a child", name),
                _ => said!("`{}` takes one child, and has {}", name, children),
            };
            let code = match children < wanted {
                true => Code::MissingChildren,
                false => Code::ExtraChildren,
            };
            self.sink.error(code, tag(element), message);
            return None;
        }
        let made = |word, entries| {
            syntax::Node::made(Text::made(word, at.clone()), span_of(element), entries)
        };
        let is_guard = |entry: &Entry| {
            let name = entry.name.as_ref().map_or("", |name| &name.value);
            language::is_guard_or_hook(name)
        };
        if entries.iter().any(is_guard) && common.iter().any(is_guard) {
            // The guards of the element come before the one that the node itself is.
            let inner = made(word, entries);
            let inner = match wanted {
                0 => inner,
                _ => inner.block(vec![here(at)]),
            };
            return Some(made("sequence", common).block(vec![inner]));
        }
        entries.extend(common);
        let node = made(word, entries);
        Some(match block {
            Some(block) => node.block(block),
            None => node,
        })
    }

    /// The attribute that a node needs.
    pub(super) fn needed<'o, 'a, 'd>(
        &mut self,
        element: Node<'_, '_>,
        others: &'o [Attribute<'a, 'd>],
        port: &str,
    ) -> Option<&'o Attribute<'a, 'd>> {
        let found = given(others, port);
        if found.is_none() {
            let name = shortened(element.tag_name().name());
            let message = said!("`{}` needs its attribute `{}`", name, port);
            self.sink
                .error(Code::MissingParameter, tag(element), message)
                .with_help(said!("write `{}=\"…\"`", port));
        }
        found
    }

    /// A script as a condition: a check, after what it assigns.
    fn script_condition(&mut self, code: Attribute<'_, '_>) -> Option<OfScript> {
        let lowered = self.script(code, true)?;
        let at = code.range();
        let condition = self.truth(code, &lowered)?;
        let check = vec![Entry::word(&condition, at.clone())];
        if lowered.statements.is_empty() {
            return Some(("check", check, None));
        }
        let made =
            |word, entries| syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries);
        let set = made(
            "set",
            vec![Entry::word(&lowered.statements.join("; "), at.clone())],
        );
        Some((
            "sequence",
            Vec::new(),
            Some(vec![set, made("check", check)]),
        ))
    }

    /// `<Precondition if="…" else="FAILURE">`: asked when the child is about to start.
    fn precondition(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
    ) -> Option<OfScript> {
        let code = *self.needed(element, others, "if")?;
        let otherwise = given(others, "else");
        if let Some(otherwise) = otherwise
            && let Some(raw) = dialect::pointer_of(*otherwise, self.version)
        {
            return self.precondition_by_key(code, raw);
        }
        if let Some(otherwise) = otherwise {
            self.has_blanks(otherwise);
        }
        let guard = match otherwise.map_or("FAILURE", |otherwise| otherwise.value().trim()) {
            "FAILURE" => "fail-if",
            "SUCCESS" => "succeed-if",
            "SKIPPED" => "skip-if",
            "RUNNING" => "running",
            other => {
                let message = said!(
                    "expected `FAILURE`, `SUCCESS`, `SKIPPED` or `RUNNING` for `else`, found `{}`",
                    shortened(other)
                );
                let at = otherwise.map_or(tag(element), Attribute::range_value);
                self.sink.error(Code::BadChoice, at, message);
                return None;
            }
        };
        let (word, check, assigns) = self.script_condition(code)?;
        let at = code.range();
        let node =
            |word, entries| syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries);
        let test = node(word, check);
        let test = match assigns {
            Some(parts) => test.block(parts),
            None => test,
        };
        // What a test assigns is assigned whenever it is made.
        let block = match guard {
            "running" => vec![
                node("until-success", Vec::new()).block(vec![test]),
                here(&at),
            ],
            guard => {
                let always = Entry::word("true", at.clone()).named("skip-if");
                let otherwise = match guard {
                    "fail-if" => node("fail", Vec::new()),
                    "succeed-if" => node("succeed", Vec::new()),
                    _ => node("succeed", vec![always]),
                };
                vec![test, here(&at), otherwise]
            }
        };
        Some(("if", vec![leaves_open(&at)], Some(block)))
    }

    /// `<Precondition if="…" else="{key}">`: a text on the blackboard says what it answers; any other value is a
    /// failure.
    fn precondition_by_key(&mut self, code: Attribute<'_, '_>, raw: &str) -> Option<OfScript> {
        let lowered = self.script(code, true)?;
        let condition = self.truth(code, &lowered)?;
        let at = code.range();
        let node = |word: &str, entries: Vec<Entry>| {
            syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
        };
        if lowered.statements.is_empty() {
            let mut entries = self.answer_by_key(raw, Some(&format!("!({condition})")), &at);
            entries.push(leaves_open(&at));
            let check = node("check", vec![Entry::word(&condition, at.clone())]);
            let waits = node("until-success", Vec::new()).block(vec![check]);
            return Some(("if", entries, Some(vec![waits, here(&at)])));
        }
        // What the test assigns is assigned whenever it is made, so a key remembers what came of it.
        let holds = self.facts.names.fresh("holds");
        let mut entries = self.answer_by_key(raw, Some(&format!("!{holds}")), &at);
        entries.push(leaves_open(&at));
        let tree = self.tree.clone();
        let key = self.facts.key_in(&tree, raw);
        let statements = lowered.statements.join("; ");
        let test = format!("{statements}; {holds} = {condition}");
        let decided = format!("{holds} || !(has({key}) && {key} == 'RUNNING')");
        let tests = vec![
            node("set", vec![Entry::word(&test, at.clone())]),
            node("check", vec![Entry::word(&decided, at.clone())]),
        ];
        let tests = node("sequence", Vec::new()).block(tests);
        let waits = node("until-success", Vec::new()).block(vec![tests]);
        let child = vec![node("succeed", Vec::new()), here(&at)];
        let child = node("if", entries).block(child);
        let declared = declared_key("key", (&holds, "bool"), Some(Value::Bool(false)), &at);
        let both = node("if", vec![leaves_open(&at)]).block(vec![waits, child]);
        Some(("scope", Vec::new(), Some(vec![declared, both])))
    }

    /// The guards with which a node answers what a text on the blackboard says, if a condition holds; it runs for
    /// `RUNNING`, and fails for any other value.
    pub(super) fn answer_by_key(
        &mut self,
        raw: &str,
        condition: Option<&str>,
        at: &Span,
    ) -> Vec<Entry> {
        let tree = self.tree.clone();
        let key = self.facts.key_in(&tree, raw);
        let says = |word: &str| format!("(has({key}) && {key} == '{word}')");
        let [success, skipped, running] = ["SUCCESS", "SKIPPED", "RUNNING"].map(says);
        let failure = format!("!({success} || {skipped} || {running})");
        let guards = [
            ("fail-if", failure),
            ("succeed-if", success),
            ("skip-if", skipped),
        ];
        let guards = guards.map(|(name, test)| {
            let text = match condition {
                Some(condition) => format!("{condition} && {test}"),
                None => test,
            };
            Entry::word(&text, at.clone()).named(name)
        });
        guards.into()
    }

    /// `<TryCatch catch_on_halt="{key}">`: the key is read when the node is halted.
    pub(super) fn try_catch_by_key(
        &mut self,
        element: Node<'_, '_>,
        at: &Span,
        (port, common): (Attribute<'_, '_>, Vec<Entry>),
    ) -> Option<syntax::Node> {
        let raw = dialect::pointer_of(port, self.version)?;
        let tree = self.tree.clone();
        let key = self.facts.key_in(&tree, raw);
        let is_on = match self.facts.type_of(&tree, raw) {
            "any" => format!("({key} == true || {key} == 1 || {key} == 'true')"),
            _ => format!("{key} != 0"),
        };
        let caught = self.facts.names.fresh("is_caught");
        let node = |word: &str, entries: Vec<Entry>, block: Vec<syntax::Node>| {
            syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries).block(block)
        };
        let value = |name: &str, value: Value| Entry::value(value, at.clone()).named(name);
        let text = |name: &str, text: &str| value(name, Value::Text(Text::made(text, at.clone())));
        let declared = vec![
            Entry::word(&caught, at.clone()),
            text("type", "bool"),
            value("default", Value::Bool(false)),
        ];
        let declared = syntax::Node::made(Text::made("key", at.clone()), at.clone(), declared);
        let tried = text("on-failure", &format!("{caught} = true"));
        let unless = text("skip-if", &format!("!{caught} && !(has({key}) && {is_on})"));
        let parts = vec![
            node("sequence", vec![tried], vec![here(at)]),
            node("sequence", vec![unless], vec![last(at)]),
        ];
        let tries = node(
            "try-catch",
            vec![value("on-abort", Value::Bool(true))],
            parts,
        );
        let word = Text::made("scope", at.clone());
        let scope = syntax::Node::made(word, span_of(element), common);
        Some(scope.block(vec![declared, tries]))
    }

    /// A key whose name may stand in braces or not.
    fn named_key(&mut self, attribute: &Attribute<'_, '_>) -> String {
        let raw = dialect::pointer_of(*attribute, self.version);
        let raw = raw.unwrap_or(attribute.value().trim());
        let tree = self.tree.clone();
        self.facts.key_in(&tree, raw)
    }

    fn key_port(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
        port: &str,
    ) -> Option<Vec<Entry>> {
        let attribute = self.needed(element, others, port)?;
        let key = self.named_key(attribute);
        Some(vec![Entry::word(&key, attribute.range_value())])
    }

    /// Reports a port that names a key if a key says which one: in BehaviorTree.CPP, its value is the name.
    fn named_by_key(&mut self, others: &[Attribute<'_, '_>], port: &str) {
        let given = given(others, port);
        let key = given.and_then(|given| dialect::pointer_of(*given, self.version));
        let (Some(given), Some(key)) = (given, key) else {
            return;
        };
        let key = shortened(key);
        let message = said!(
            "the key `{}` is written; BehaviorTree.CPP writes the key that it names",
            key
        );
        self.sink
            .warning(Code::BadName, given.range_value(), message)
            .with_help(said!("write `{}=\"{}\"`", port, key));
    }

    /// Whether a key that is to be unset is not one of the tree itself, and so stays; this is reported.
    fn is_of_others(&mut self, key: Attribute<'_, '_>) -> bool {
        let raw = key.value().trim();
        let tree = self.facts.trees.get(&self.tree);
        let is_port = tree.is_some_and(|tree| tree.ports.contains(raw));
        let is_of_others = is_port || raw.starts_with('@');
        if is_of_others {
            let message = said!(
                "`{}` is not unset: BehaviorTree.CPP unsets only the tree's own keys",
                shortened(raw)
            );
            self.sink.warning(Code::BadName, key.range_value(), message);
        }
        is_of_others
    }

    /// `<UnsetBlackboard key="{k}"/>`: what `k` holds is the name of the key, one of those that the tree knows.
    fn unset_by_key(&mut self, raw: &str, at: &Span) -> Vec<syntax::Node> {
        let node = |word: &str, entries| {
            syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
        };
        let tree = self.tree.clone();
        let by = self.facts.key_in(&tree, raw);
        let test = Entry::word(&format!("has({by})"), at.clone());
        let mut nodes = vec![node("check", vec![test])];
        if self.facts.type_of(&tree, raw) != "any" {
            // No key has a number as its name.
            return nodes;
        }
        let keys = self.facts.said_keys_of(&tree);
        self.unset_by_key += keys.len();
        if self.unset_by_key > MAX_UNSET_BY_KEY {
            let message = said!("too many keys could be unset here");
            self.sink.error(Code::TooLarge, at.clone(), message);
            return nodes;
        }
        // A port stays what it is.
        let facts = self.facts.trees.get(&tree);
        let is_own = |raw: &String| facts.is_none_or(|facts| !facts.ports.contains(raw));
        let own = keys.iter().filter(|(raw, _)| is_own(raw));
        let forgets = self.forgets(at);
        for (raw, name) in own {
            let other = format!("!(has({by}) && {by} == {})", quoted(raw));
            let mut entries = vec![
                Entry::word(name, at.clone()),
                Entry::word(&other, at.clone()).named("skip-if"),
            ];
            entries.extend(forgets.clone());
            nodes.push(node("unset", entries));
        }
        nodes
    }

    /// What is not there was not updated. Nobody sees that if no node looks.
    fn forgets(&self, at: &Span) -> Option<Entry> {
        let forgets = || Entry::value(Value::Bool(true), at.clone()).named("forgets");
        self.looks_for_updates.then(forgets)
    }

    /// A key of this tree that holds the text of an attribute.
    pub(super) fn held_text(&mut self, attribute: &Attribute<'_, '_>, ty: &str) -> String {
        let plain = super::names::plain(&format!("text_{}", attribute.name()));
        self.held((&plain, attribute.value()), ty, attribute.range_value())
    }

    /// A key of this tree that holds a text, with a name that is like this one.
    pub(super) fn held(&mut self, (plain, text): (&str, &str), ty: &str, at: Span) -> String {
        let name = self.facts.names.fresh(plain);
        let text = Value::Text(Text::made(text, at.clone()));
        self.given
            .push(declared_key("key", (&name, ty), Some(text), &at));
        name
    }

    /// `<SetBlackboard value="…" output_key="…"/>`: a key without a value is not copied, and the node fails.
    fn set_blackboard(
        &mut self,
        element: Node<'_, '_>,
        others: &[Attribute<'_, '_>],
    ) -> Option<Vec<Entry>> {
        let value = self.needed(element, others, "value")?;
        let target = self.needed(element, others, "output_key")?;
        self.named_by_key(others, "output_key");
        let target_key = self.named_key(target);
        let at = value.range();
        if let Some(raw) = dialect::pointer_of(*value, self.version) {
            let tree = self.tree.clone();
            let source = self.facts.key_in(&tree, raw);
            let to = dialect::pointer_of(*target, self.version);
            let to = to.unwrap_or(target.value().trim());
            let types = [to, raw].map(|raw| self.facts.type_of(&tree, raw));
            // A key of numbers keeps its type.
            let copied = match types {
                ["double", "any"] => format!("number({source})"),
                ["int", "any" | "double"] => format!("int({source})"),
                _ => source.clone(),
            };
            let copy = Entry::word(&format!("{target_key} = {copied}"), at.clone());
            let is_there = Entry::word(&format!("has({source})"), at).named("when");
            return Some(vec![copy, is_there]);
        }
        let literal = match written(value.value()) {
            Some(literal) => literal,
            // No expression can write it, so a key holds it.
            None => self.held_text(value, "any"),
        };
        Some(vec![Entry::word(&format!("{target_key} = {literal}"), at)])
    }
}

/// A branch that is skipped in the middle of its run stays open.
pub(super) fn leaves_open(at: &Span) -> Entry {
    Entry::value(Value::Bool(true), at.clone()).named("leaves-open")
}

/// A literal as expressions have it; only numbers have a type of their own.
pub(super) fn written(text: &str) -> Option<String> {
    Some(match Guess::of(text) {
        Guess::Int | Guess::Double if text.starts_with('-') => {
            format!("-{}", decimal(&text[1..]))
        }
        Guess::Int | Guess::Double => decimal(text),
        Guess::Bool | Guess::Text => {
            if text.contains('\'') {
                return None;
            }
            format!("'{text}'")
        }
    })
}

/// A number as expressions have it.
pub(super) fn decimal(text: &str) -> String {
    match text.parse::<i64>() {
        Ok(int) => int.to_string(),
        Err(_) => {
            dialect::double(text).map_or_else(|| "0".to_owned(), |number| format!("{number:?}"))
        }
    }
}

fn ports_of(name: &str) -> &'static [&'static str] {
    match name {
        "Script" | "ScriptCondition" => &["code"],
        "Precondition" => &["if", "else"],
        "SetBlackboard" => &["value", "output_key"],
        "UnsetBlackboard" => &["key"],
        _ if name.starts_with("Switch") => {
            const ALL: &[&str] = &[
                "variable", "case_1", "case_2", "case_3", "case_4", "case_5", "case_6",
            ];
            let count: usize = name["Switch".len()..].parse().unwrap_or(2);
            &ALL[..=count]
        }
        _ if name.starts_with("BlackboardCheck") => &["value_A", "value_B", "return_on_mismatch"],
        _ => &["entry"],
    }
}

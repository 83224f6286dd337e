//! What the XML of py_trees has beside that of BehaviorTree.CPP: composites with `memory` and `policy`, its decorators,
//! and names in letters of any case.

use super::dialect;
use super::nodes::{Nodes, declared_key, here, span_of};
use super::ports::WHOLE;
use crate::code::Code;
use crate::said;
use crate::syntax::{self, Entry, Span, Text, Value, shortened};
use roxmltree::{Attribute, Node};

/// The name in BehaviorTree.CPP of a node that has another one in py_trees, which does not look at the case of letters.
/// A file that says its version of BehaviorTree.CPP is none of py_trees.
fn current(element: Node<'_, '_>, name: &str) -> Option<&'static str> {
    const NAMES: [(&str, &str); 7] = [
        ("selector", "Fallback"),
        ("failureissuccess", "ForceSuccess"),
        ("successisfailure", "ForceFailure"),
        ("sequence", "Sequence"),
        ("fallback", "Fallback"),
        ("parallel", "Parallel"),
        ("inverter", "Inverter"),
    ];
    if dialect::says_version(element) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let mut names = NAMES.iter();
    let found = names.find(|(known, now)| *known == lower && name != *now);
    found.map(|(_, now)| *now)
}

/// Whether an element is a decorator that only py_trees has, and which one.
fn decorator(element: Node<'_, '_>, name: &str) -> Option<&'static str> {
    const NAMES: [&str; 12] = [
        "repeat",
        "retry",
        "timeout",
        "condition",
        "oneshot",
        "count",
        "passthrough",
        "runningisfailure",
        "runningissuccess",
        "failureisrunning",
        "successisrunning",
        "statustoblackboard",
    ];
    if dialect::says_version(element) {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let found = NAMES.into_iter().find(|known| *known == lower)?;
    let has = |port: &str| element.has_attribute(port);
    let is_it = match found {
        "repeat" => has("num_success") && !has("num_cycles"),
        "retry" => has("num_failures"),
        "timeout" => has("duration") && !has("msec"),
        "condition" => has("status") && !has("ID"),
        "count" | "passthrough" => element.attributes().all(|one| one.name() == "name"),
        "statustoblackboard" => name == "StatusToBlackboard" && has("variable_name"),
        _ => true,
    };
    let is_it = is_it && element.children().filter(Node::is_element).count() == 1;
    is_it.then_some(found)
}

/// What a `Parallel` of py_trees does that has no `policy`.
const DEFAULT_POLICY: &str = "success_on_one";

/// Whether a file uses something that only py_trees has, so that it means the defaults of py_trees.
pub(super) fn is_file(root: Node<'_, '_>) -> bool {
    let is_sign = |element: Node<'_, '_>| {
        let name = element.tag_name().name();
        let has = |port: &str| element.has_attribute(port);
        match name.to_ascii_lowercase().as_str() {
            "sequence" | "fallback" | "selector" => name == "Selector" || has("memory"),
            "parallel" => has("policy"),
            "include" | "import" => name != "include",
            _ => decorator(element, name).is_some(),
        }
    };
    let mut elements = root.descendants().filter(Node::is_element);
    !dialect::says_version(root) && elements.any(is_sign)
}

/// Whether an attribute says that a `Parallel` is that of BehaviorTree.CPP.
fn has_threshold(element: Node<'_, '_>) -> bool {
    let mut attributes = element.attributes();
    attributes.any(|one| one.name().ends_with("_count") || one.name().ends_with("threshold"))
}

impl Nodes<'_> {
    /// The node that py_trees means, by the name in BehaviorTree.CPP, and what its attributes say beside that; they are
    /// taken out. Nodes that the file declares are those of the host.
    pub(super) fn of_py_trees<'n>(
        &mut self,
        element: Node<'_, '_>,
        name: &'n str,
        others: &mut Vec<Attribute<'_, '_>>,
    ) -> (&'n str, Vec<Entry>) {
        let name = match current(element, name) {
            Some(now) if self.models.get(name).is_none() => now,
            _ => name,
        };
        if dialect::says_version(element) {
            return (name, Vec::new());
        }
        let mut take = |wanted: &str| {
            let at = others.iter().position(|one| one.name() == wanted)?;
            Some(others.remove(at))
        };
        match name {
            "Sequence" | "Fallback" => {
                let memory = take("memory");
                let keeps = memory.is_none_or(|one| one.value().eq_ignore_ascii_case("true"));
                let reactive = match name {
                    "Sequence" => "ReactiveSequence",
                    _ => "ReactiveFallback",
                };
                (if keeps { name } else { reactive }, Vec::new())
            }
            "Parallel" => match take("policy") {
                Some(policy) => (name, self.policy(policy.value(), policy.range_value())),
                None if self.is_of_py_trees && !has_threshold(element) => {
                    (name, self.policy(DEFAULT_POLICY, super::tag(element)))
                }
                None => (name, Vec::new()),
            },
            _ => (name, Vec::new()),
        }
    }

    /// The properties of a parallel with this policy: all children are ticked before the answers count.
    fn policy(&mut self, policy: &str, at: Span) -> Vec<Entry> {
        let word = |word: &str, name: &str| Entry::word(word, at.clone()).named(name);
        let end = word("end", "check");
        match policy.trim() {
            "success_on_all" => vec![word("all", "success"), word("one", "failure"), end],
            // Of inverted children, so that a failure counts before a success.
            "success_on_one" => vec![
                word("one", "success"),
                word("one", "failure"),
                end,
                Entry::value(Value::Bool(true), at.clone()).named("repeat-finished"),
            ],
            other => {
                let message = said!(
                    "expected `success_on_all` or `success_on_one` for `policy`, found `{}`",
                    shortened(other)
                );
                self.sink.error(Code::BadChoice, at, message);
                Vec::new()
            }
        }
    }

    /// Whether a node is a parallel that one success ends, and one failure before that. Its children are inverted, and
    /// so is it.
    pub(super) fn is_inverted(&self, element: Node<'_, '_>) -> bool {
        let name = element.tag_name().name();
        let is_one = match element.attribute("policy") {
            Some(policy) => policy.trim() == "success_on_one",
            None => self.is_of_py_trees && !has_threshold(element),
        };
        !dialect::says_version(element)
            && is_one
            && current(element, name).unwrap_or(name) == "Parallel"
            && self.models.get(name).is_none()
    }

    /// The children of such a parallel.
    pub(super) fn inverted(element: Node<'_, '_>, children: &mut [syntax::Node]) {
        let at = super::nodes::name_of(element);
        for child in children {
            let invert = made("invert", Vec::new(), &at);
            let inner = std::mem::replace(child, here(&at));
            *child = invert.block(vec![inner]);
        }
    }

    /// A decorator of py_trees, with the place of its child. Nodes that the file declares are those of the host.
    pub(super) fn decorator_of_py_trees(
        &mut self,
        element: Node<'_, '_>,
        name: &str,
    ) -> Option<syntax::Node> {
        let which = decorator(element, name).filter(|_| self.models.get(name).is_none())?;
        let at = super::nodes::name_of(element);
        let mut others = Vec::new();
        let common = self.common(element, &mut others);
        others.retain(|one| one.name() != "ID");
        let read = self.decorated(element, which, &others, &at);
        let read = read.unwrap_or_else(|| made("sequence", Vec::new(), &at).block(vec![here(&at)]));
        let well = read.entries.is_empty() || common.is_empty();
        Some(match well {
            true => {
                let mut node = read;
                node.span = span_of(element);
                node.entries.extend(common);
                node
            }
            // Its own guards and hooks are inside.
            false => {
                let word = Text::made("sequence", at);
                syntax::Node::made(word, span_of(element), common).block(vec![read])
            }
        })
    }

    fn decorated(
        &mut self,
        element: Node<'_, '_>,
        which: &str,
        others: &[Attribute<'_, '_>],
        at: &Span,
    ) -> Option<syntax::Node> {
        let given = |port: &str| others.iter().find(|one| one.name() == port);
        let word = |word: &str, name: &str| Entry::word(word, at.clone()).named(name);
        let around =
            |word: &str, entries: Vec<Entry>| made(word, entries, at).block(vec![here(at)]);
        let beside = |answer: &str| {
            let entries = vec![word("one", "success"), word("one", "failure")];
            let other = made(answer, Vec::new(), at);
            made("parallel", entries, at).block(vec![here(at), other])
        };
        Some(match which {
            "repeat" | "retry" => {
                let port = match which {
                    "repeat" => "num_success",
                    _ => "num_failures",
                };
                let count = self.number((element, given(port)), port, WHOLE, None)?;
                // A run counts before it is compared: no number of successes is 0 or less, and the first failure is as
                // many as that.
                let count = match (which, count) {
                    ("repeat", ..=0) => Entry::word("forever", at.clone()),
                    (_, count) => Entry::value(Value::Int(count.max(1).into()), at.clone()),
                };
                around(which, vec![count, word("always", "yields")])
            }
            "timeout" => {
                let duration = given("duration")?;
                let secs: Option<f64> = duration.value().trim().parse().ok();
                let Some(secs) = secs.filter(|secs| secs.is_finite() && *secs >= 0.0) else {
                    let message = said!(
                        "expected seconds for `duration`, found `{}`",
                        shortened(duration.value())
                    );
                    self.sink
                        .error(Code::BadNumber, duration.range_value(), message);
                    return None;
                };
                let secs = Value::Decimal(secs, format!("{secs:?}"));
                around("timeout", vec![Entry::value(secs, duration.range())])
            }
            "condition" => match self.said_status(given("status")?)? {
                "SUCCESS" => around("until-success", Vec::new()),
                "FAILURE" => {
                    let inner = around("invert", Vec::new());
                    made("until-success", Vec::new(), at).block(vec![inner])
                }
                // A child that ends is a failure, and one that runs is given up.
                _ => {
                    let entries = vec![word("one", "success"), word("one", "failure")];
                    let ends = around("force-failure", Vec::new());
                    let runs = made("succeed", Vec::new(), at);
                    let both = made("parallel", entries, at).block(vec![ends, runs]);
                    made("until-success", Vec::new(), at).block(vec![both])
                }
            },
            "oneshot" => {
                let policy = given("policy").map_or("ON_COMPLETION", |one| one.value().trim());
                match policy.rsplit('.').next().unwrap_or_default() {
                    "ON_COMPLETION" => around("run-once", Vec::new()),
                    "ON_SUCCESSFUL_COMPLETION" => {
                        let done = self.facts.names.fresh("is_done");
                        let no = Some(Value::Bool(false));
                        self.given
                            .push(declared_key("key", (&done, "bool"), no, at));
                        let has_ended = word(&done, "succeed-if");
                        let ended = word(&format!("{done} = true"), "on-success");
                        around("sequence", vec![has_ended, ended])
                    }
                    other => {
                        let message = said!(
                            "expected `ON_COMPLETION` or `ON_SUCCESSFUL_COMPLETION` for `policy`, found `{}`",
                            shortened(other)
                        );
                        let at = given("policy").map_or(at.clone(), Attribute::range_value);
                        self.sink.error(Code::BadChoice, at, message);
                        return None;
                    }
                }
            }
            "runningisfailure" => beside("fail"),
            "runningissuccess" => beside("succeed"),
            "failureisrunning" => around("until-success", Vec::new()),
            "successisrunning" => around("keep-running-until-failure", Vec::new()),
            "statustoblackboard" => {
                let variable = given("variable_name")?;
                let tree = self.tree.clone();
                let key = self.facts.key_in(&tree, variable.value().trim());
                let set = |status: &str, name: &str| word(&format!("{key} = '{status}'"), name);
                let running = Entry::word(&format!("{key} = 'RUNNING'"), at.clone());
                let says = made("set", vec![running], at);
                let ends = vec![set("SUCCESS", "on-success"), set("FAILURE", "on-failure")];
                made("sequence", ends, at).block(vec![says, here(at)])
            }
            _ => around("sequence", Vec::new()),
        })
    }

    /// A status by its name: `SUCCESS`, or `Status.SUCCESS`.
    fn said_status(&mut self, attribute: &Attribute<'_, '_>) -> Option<&'static str> {
        let said = attribute.value().trim().rsplit('.').next();
        let found = ["SUCCESS", "FAILURE", "RUNNING"]
            .into_iter()
            .find(|status| said == Some(*status));
        if found.is_none() {
            let message = said!(
                "expected `SUCCESS`, `FAILURE` or `RUNNING` for `status`, found `{}`",
                shortened(attribute.value())
            );
            self.sink
                .error(Code::BadChoice, attribute.range_value(), message);
        }
        found
    }
}

fn made(word: &str, entries: Vec<Entry>, at: &Span) -> syntax::Node {
    syntax::Node::made(Text::made(word, at.clone()), at.clone(), entries)
}

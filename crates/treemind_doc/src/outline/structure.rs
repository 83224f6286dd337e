//! What the lines of an outline say, in parts that a program can read.

use super::lines::{About, OutlineLine};
use super::{
    Printer, key_of, literal, number_text, quoted, statements, utility, weight, when_and_fail_if,
};
use crate::language::{self, Show, key_text};
use std::cell::RefCell;
use treemind_core::behaviour::{
    Aim, Arg, DecisionStep, Lasts, Machine, Planner, Rule, Stack, StateKind, Target, Transition,
    Trigger,
};
use treemind_core::expr::Assign;
use treemind_core::{Behaviour, Expr, Kind, LeafId, NodeId, Value};

/// What a line of an outline says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineParts {
    /// Its word: the kind of the node, or `state`, `parallel`, `transition`, `test`, `case`, `entry`, and so on.
    pub word: String,
    /// What stands right behind the word: the leaf of an action, the name of a state, the test of a `check`.
    pub values: Vec<LineValue>,
    /// Its properties, in the order in which documents write them.
    pub properties: Vec<LineProperty>,
}

/// A value on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineValue {
    /// As documents have it, without quotes.
    pub text: String,
    /// In pieces, if it is an expression; empty for anything else.
    pub parts: Vec<ExprPart>,
}

/// A property of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct LineProperty {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: LineValue,
}

/// A piece of an expression. All pieces together are the expression as documents write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprPart {
    /// What is written.
    pub text: String,
    /// The number of the key that it stands for, if it is a key.
    pub key: Option<usize>,
}

/// A number that a key is compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// The number of the key.
    pub key: usize,
    /// The number.
    pub value: f64,
}

/// An expression in pieces.
pub fn expression_parts(behaviour: &Behaviour, expr: &Expr) -> Vec<ExprPart> {
    let mut text = String::new();
    let mut keys = Vec::new();
    Printer {
        behaviour,
        known: &|_| None,
        out: &mut text,
        keys: Some(&mut keys),
    }
    .print(expr, 0);
    let mut parts = Vec::new();
    let mut end = 0;
    let mut push = |text: &str, key: Option<usize>| {
        if !text.is_empty() {
            parts.push(ExprPart {
                text: text.to_owned(),
                key,
            });
        }
    };
    for (range, key) in keys {
        push(&text[end..range.start], None);
        push(&text[range.clone()], Some(key.index()));
        end = range.end;
    }
    push(&text[end..], None);
    parts
}

/// What the lines of an outline say, and the numbers that keys are compared with in them, each pair once.
pub fn line_parts(
    behaviour: &Behaviour,
    lines: &[OutlineLine],
) -> (Vec<LineParts>, Vec<Threshold>) {
    let mut thresholds = Vec::new();
    let parts = lines.iter().map(|line| {
        let mut collect = Collect {
            behaviour,
            out: LineParts::default(),
            written: RefCell::default(),
            thresholds: &mut thresholds,
        };
        collect.line(line);
        collect.out
    });
    (parts.collect(), thresholds)
}

/// What was found of a line so far.
struct Collect<'a> {
    behaviour: &'a Behaviour,
    out: LineParts,
    /// The expressions that were asked for since the last value, as they are written.
    written: RefCell<Vec<(String, Expr)>>,
    thresholds: &'a mut Vec<Threshold>,
}

impl Collect<'_> {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn line(&mut self, line: &OutlineLine) {
        match line.about {
            About::Node(id) => self.node(id),
            About::State(id, state) => {
                let Kind::Machine(machine) = &self.behaviour.node(id).kind else {
                    return;
                };
                let state = &machine.states[state];
                let is_parallel = matches!(state.kind, StateKind::Parallel);
                self.word(if is_parallel { "parallel" } else { "state" });
                self.say(&state.name);
                if let StateKind::Final { success } = state.kind {
                    self.plain("final", "true");
                    if !success {
                        self.plain("result", "failure");
                    }
                }
                if let Some(test) = &state.enter_if {
                    self.test("enter-if", test);
                }
            }
            About::Transition(id, number) => {
                if let Kind::Machine(machine) = &self.behaviour.node(id).kind {
                    self.transition(machine, &machine.transitions[number]);
                }
            }
            About::Test(id, number) => {
                if let Some(step) = self.behaviour.node(id).kind.test(number) {
                    self.decision(id, step);
                }
            }
            About::Way(id, number, way) => {
                if let Some(step) = self.behaviour.node(id).kind.test(number) {
                    self.way(step, way);
                }
            }
            About::Goal(id, number) => {
                if let Kind::Planner(planner) = &self.behaviour.node(id).kind {
                    self.goal(planner, number);
                }
            }
            About::Method(id, task, number) => {
                if let Kind::Planner(planner) = &self.behaviour.node(id).kind {
                    let method = &planner.tasks[task].methods[number];
                    self.word("method");
                    self.say(&super::planner::names_of(planner, method));
                    if let Some(when) = &method.when {
                        self.test("when", when);
                    }
                }
            }
            About::Rule(id, number) => {
                if let Kind::Rules { rules, .. } = &self.behaviour.node(id).kind {
                    self.rule(&rules[number]);
                }
            }
            About::Part => {
                let (word, value) = line.text.split_once(' ').unwrap_or((&line.text, ""));
                self.word(word);
                let (value, history) = match value.split_once(" history=") {
                    Some((value, depth)) if word == "initial" => (value, Some(depth)),
                    _ => (value, None),
                };
                if !value.is_empty() {
                    self.say(value.trim_matches('"'));
                }
                if let Some(depth) = history {
                    self.plain("history", depth);
                }
            }
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.word("rule");
        self.say(&rule.name);
        self.test("when", &rule.when);
        if rule.priority != 0 {
            self.plain("priority", &rule.priority.to_string());
        }
        if let Some(secs) = &rule.cooldown {
            let text = number_text(self.behaviour, secs);
            self.number_property("cooldown", &text, secs);
        }
        if rule.again {
            self.plain("again", "true");
        }
    }

    fn word(&mut self, word: &str) {
        word.clone_into(&mut self.out.word);
    }

    fn plain(&mut self, name: &str, text: &str) {
        self.put(name, text.to_owned(), Vec::new());
    }

    fn put(&mut self, name: &str, text: String, parts: Vec<ExprPart>) {
        self.out.properties.push(LineProperty {
            name: name.to_owned(),
            value: LineValue { text, parts },
        });
    }

    fn say(&mut self, text: &str) {
        self.out.values.push(LineValue {
            text: text.to_owned(),
            parts: Vec::new(),
        });
    }

    /// A value as the table of the language writes it, in pieces if it is an expression.
    fn written(&mut self, text: &str) -> LineValue {
        let asked = self.written.take();
        let expr = asked.into_iter().find(|(written, _)| written == text);
        LineValue {
            text: plain_text(text),
            parts: expr.map_or_else(Vec::new, |(_, expr)| self.parts(&expr)),
        }
    }

    fn test(&mut self, name: &str, expr: &Expr) {
        self.find_thresholds(expr);
        let parts = expression_parts(self.behaviour, expr);
        let text = parts.iter().map(|part| part.text.as_str()).collect();
        self.put(name, text, parts);
    }

    /// An expression in pieces, with the numbers that it compares keys with.
    fn parts(&mut self, expr: &Expr) -> Vec<ExprPart> {
        self.find_thresholds(expr);
        match expr {
            Expr::Value(_) => Vec::new(),
            expr => expression_parts(self.behaviour, expr),
        }
    }

    fn find_thresholds(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            pending.extend(expr.parts());
            match expr {
                Expr::Compare(_, left, right) => match (key_of(left), key_of(right)) {
                    (Some(key), None) => found.extend(number_in(right).map(|value| (key, value))),
                    (None, Some(key)) => found.extend(number_in(left).map(|value| (key, value))),
                    _ => {}
                },
                Expr::Between(value, low, high) => {
                    if let Some(key) = key_of(value) {
                        let ends = [number_in(low), number_in(high)];
                        found.extend(ends.into_iter().flatten().map(|value| (key, value)));
                    }
                }
                _ => {}
            }
        }
        for (key, value) in found {
            let one = Threshold {
                key: key.index(),
                value,
            };
            if !self.thresholds.contains(&one) {
                self.thresholds.push(one);
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        let behaviour = self.behaviour;
        let node = behaviour.node(id);
        self.word(node.kind.keyword());
        for place in node.written.places() {
            let place = place.strip_prefix("subtree ").unwrap_or(place);
            self.plain("subtree", place);
        }
        match (&node.kind, &node.name) {
            (Kind::Machine(machine), _) => self.say(&machine.states[0].name),
            (Kind::Decide(_) | Kind::Planner(_), Some(name)) => self.say(name),
            _ => {}
        }
        if let Some(task) = language::of_kind(&node.kind) {
            (task.show)(&node.kind, self);
        }
        if let Some(name) = &node.name {
            self.plain("name", name);
        }
        if let Some(weight) = weight(behaviour, id) {
            let value = super::number_text(behaviour, weight);
            self.number_property("weight", &value, weight);
        }
        for (name, text, expr) in utility::score_properties(behaviour, id) {
            match expr {
                Some(expr) => self.number_property(name, &text, expr),
                None => self.plain(name, &plain_text(&text)),
            }
        }
        if let Some(step) = super::planner::step_of(behaviour, id) {
            if !step.gives.is_empty() {
                self.plain("gives", &statements(behaviour, &step.gives));
            }
            if let Some(cost) = &step.cost {
                let text = super::number_text(behaviour, cost);
                self.number_property("cost", &text, cost);
            }
        }
        let (when, fail_if) = when_and_fail_if(&node.guards, &node.written);
        let tests = [
            ("when", when),
            ("fail-if", fail_if),
            ("succeed-if", node.guards.succeed_if.as_ref()),
            ("skip-if", node.guards.skip_if.as_ref()),
            ("while", node.guards.while_holds.as_ref()),
        ];
        for (name, test) in tests {
            if let Some(test) = test {
                self.test(name, test);
            }
        }
        let hooks = &node.hooks;
        if let Some(key) = hooks.on_fault {
            self.plain("on-fault", &key_text(behaviour, key));
        }
        let hooks = [
            ("on-success", &hooks.on_success),
            ("on-failure", &hooks.on_failure),
            ("on-abort", &hooks.on_abort),
            ("on-end", &hooks.on_end),
        ];
        for (name, assigns) in hooks {
            if !assigns.is_empty() {
                let text = statements(behaviour, assigns);
                self.plain(name, &text);
            }
        }
    }

    fn number_property(&mut self, name: &str, text: &str, expr: &Expr) {
        let parts = self.parts(expr);
        self.put(name, plain_text(text), parts);
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn transition(&mut self, machine: &Machine, transition: &Transition) {
        self.word("transition");
        let targets = transition.targets.iter();
        for target in targets {
            self.say(&machine.states[Machine::target_state(target)].name);
        }
        match transition.stack {
            Stack::Pop => self.plain("stack", "pop"),
            Stack::Push => self.plain("stack", "push"),
            Stack::Keep => {}
        }
        let mut targets = transition.targets.iter();
        let depth = targets.find_map(|target| match target {
            Target::History { depth, .. } => Some(*depth),
            Target::State(_) => None,
            _ => treemind_core::unlisted(&target),
        });
        if let Some(depth) = depth {
            self.plain("history", super::machine::depth_word(depth));
        }
        match &transition.trigger {
            Trigger::Polled => {}
            Trigger::Event(events) => {
                let names = events.iter();
                let names = names.map(|event| self.behaviour.leaf(*event).name.clone());
                let names: Vec<String> = names.collect();
                self.plain("on", &names.join(" "));
            }
            Trigger::After(secs) => {
                let text = super::number_text(self.behaviour, secs);
                self.number_property("after", &text, secs);
            }
            Trigger::Done(with) => self.plain("done", super::machine::done_word(*with)),
            _ => treemind_core::unlisted(&transition.trigger),
        }
        if let Some(when) = &transition.when {
            self.test("when", when);
        }
        if transition.priority != 0 {
            self.plain("priority", &transition.priority.to_string());
        }
        if transition.local {
            self.plain("kind", "local");
        }
        if transition.reenter {
            self.plain("reenter", "true");
        }
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn decision(&mut self, node: NodeId, step: &DecisionStep) {
        match step {
            DecisionStep::Test { test, .. } => {
                self.word("test");
                self.test("test", test);
            }
            DecisionStep::Ask { child, .. } => {
                self.word("test-condition");
                let child = self.behaviour.node(node).children[*child];
                let child = self.behaviour.node(child);
                if let Some(task) = language::of_kind(&child.kind) {
                    (task.show)(&child.kind, self);
                }
                if let Some(name) = &child.name {
                    self.plain("name", name);
                }
            }
            DecisionStep::Switch { .. } => self.word("switch"),
            DecisionStep::Random { lasts, .. } => {
                self.word("random");
                match lasts {
                    Lasts::Always => {}
                    Lasts::Secs(secs) => {
                        let text = super::number_text(self.behaviour, secs);
                        self.number_property("timeout", &text, secs);
                    }
                    Lasts::Ticks(ticks) => self.plain("timeout-ticks", &ticks.to_string()),
                    _ => treemind_core::unlisted(&lasts),
                }
            }
            DecisionStep::Best { hysteresis, .. } => {
                self.word("best");
                if *hysteresis != Expr::Value(Value::Double(0.0)) {
                    let text = super::number_text(self.behaviour, hysteresis);
                    self.number_property("hysteresis", &text, hysteresis);
                }
            }
            _ => treemind_core::unlisted(&step),
        }
    }

    fn goal(&mut self, planner: &'_ Planner, number: usize) {
        let goal = &planner.goals[number];
        self.word("goal");
        self.say(&goal.name);
        match &goal.aim {
            Aim::Wants(wants) => self.test("wants", wants),
            Aim::Does(task) => self.plain("does", &planner.tasks[*task].name),
        }
        if let Some(when) = &goal.when {
            self.test("when", when);
        }
        for (name, text, expr) in super::planner::score_of(self.behaviour, goal) {
            match expr {
                Some(expr) => self.number_property(name, &text, expr),
                None => self.plain(name, &plain_text(&text)),
            }
        }
    }

    fn way(&mut self, step: &DecisionStep, way: usize) {
        match step {
            DecisionStep::Switch { cases, .. } => match cases.get(way) {
                Some((case, _)) => {
                    self.word("case");
                    self.test("case", case);
                }
                None => self.word("default"),
            },
            DecisionStep::Random { options, .. } | DecisionStep::Best { options, .. } => {
                match options.get(way) {
                    Some((weight, _)) => {
                        self.word("option");
                        let text = super::number_text(self.behaviour, weight);
                        self.number_property("weight", &text, weight);
                    }
                    None => self.word("none"),
                }
            }
            _ => self.word(if way == 0 { "yes" } else { "no" }),
        }
    }
}

impl Show for Collect<'_> {
    fn behaviour(&self) -> &Behaviour {
        self.behaviour
    }

    fn value(&mut self, text: &str) {
        let value = self.written(text);
        self.out.values.push(value);
    }

    fn property(&mut self, name: &str, text: &str) {
        let value = self.written(text);
        let name = name.to_owned();
        self.out.properties.push(LineProperty { name, value });
    }

    fn number(&self, expr: &Expr) -> String {
        let text = super::number_text(self.behaviour, expr);
        self.written.borrow_mut().push((text.clone(), expr.clone()));
        text
    }

    fn expression(&self, expr: &Expr) -> String {
        let text = format!("\"{}\"", super::expression(self.behaviour, expr));
        self.written.borrow_mut().push((text.clone(), expr.clone()));
        text
    }

    fn statements(&self, assigns: &[Assign]) -> String {
        format!("\"{}\"", statements(self.behaviour, assigns))
    }

    fn name(&self, name: &str) -> String {
        quoted(name)
    }

    fn leaf(&mut self, leaf: LeafId, args: &[Arg]) {
        let behaviour = self.behaviour;
        self.say(&behaviour.leaf(leaf).name);
        self.args(leaf, args);
    }

    fn args(&mut self, leaf: LeafId, args: &[Arg]) {
        let behaviour = self.behaviour;
        let leaf = behaviour.leaf(leaf);
        for (param, arg) in leaf.params.iter().zip(args) {
            match arg {
                Arg::Value(value) => {
                    self.plain(&param.name, &plain_text(&literal(behaviour, *value)))
                }
                Arg::Expr(expr) => self.test(&param.name, expr),
                Arg::Key(key) => self.plain(&param.name, &key_text(behaviour, *key)),
            }
        }
    }
}

/// A value as documents have it, without quotes and without the sign of an expression.
fn plain_text(text: &str) -> String {
    let inner = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let inner = inner.unwrap_or(text);
    inner.strip_prefix('=').unwrap_or(inner).to_owned()
}

/// The number that an expression is.
fn number_in(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(Value::Int(value)) => Some(*value as f64),
        Expr::Value(Value::Float(value)) => Some(f64::from(*value)),
        Expr::Value(Value::Double(value)) => Some(*value),
        Expr::Widen(_, inner) => number_in(inner),
        Expr::Neg(inner) => number_in(inner).map(|value| -value),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

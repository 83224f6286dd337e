//! Behaviours as an indented outline, for people.

mod decision;
mod lines;
mod machine;
mod planner;
mod rules;
mod structure;
mod utility;

#[cfg(any(feature = "diagram", feature = "internals"))]
pub use decision::always_draws;
pub use decision::{test_text, way_text};
pub use lines::{About, OutlineLine, marked_outline, outline, outline_lines};
#[cfg(feature = "diagram")]
pub(crate) use lines::{brief, case, lines_of};
pub use machine::transition_text;
#[cfg(feature = "diagram")]
pub(crate) use machine::{condition, when};
#[cfg(feature = "diagram")]
pub(crate) use planner::{goal_text, method_text};
#[cfg(feature = "diagram")]
pub(crate) use rules::rule_text;
pub use structure::{
    ExprPart, LineParts, LineProperty, LineValue, Threshold, expression_parts, line_parts,
};
#[cfg(feature = "diagram")]
pub(crate) use utility::{considerations, considered};

use crate::language::{self, Show, key_text};
use std::fmt::Write;
use std::ops::Range;
use treemind_core::behaviour::{Arg, Guards, Hooks, StateIndex, Written};
use treemind_core::expr::{Arith, Assign, Change, Compare};
use treemind_core::{Behaviour, Expr, KeyId, Kind, LeafId, NodeId, Status, Type, Value};

/// The weight of a child of a `weighted-selector`.
fn weight(behaviour: &Behaviour, id: NodeId) -> Option<&Expr> {
    let parent = behaviour.node(behaviour.node(id).parent?);
    let Kind::WeightedSelector { weights } = &parent.kind else {
        return None;
    };
    let index = parent
        .children
        .partition_point(|child| child.index() < id.index());
    weights.get(index)
}

/// The guards of a node, as its document writes them.
fn guards(behaviour: &Behaviour, guards: &Guards, written: &Written, out: &mut String) {
    let Guards {
        fail_if: _,
        succeed_if,
        skip_if,
        while_holds,
        while_else,
        aborts_lower,
    } = guards;
    let (when, fail_if) = when_and_fail_if(guards, written);
    // With `aborts=both`, the `when` is also the `while`.
    let aborts_both = *aborts_lower && when.is_some() && while_holds.as_ref() == when;
    let while_holds = while_holds.as_ref().filter(|_| !aborts_both);
    let write = |name: &str, test: Option<&Expr>, out: &mut String| {
        if let Some(test) = test {
            let _ = write!(out, " {name}=\"{}\"", expression(behaviour, test));
        }
    };
    write("when", when, out);
    if *aborts_lower {
        out.push_str(if aborts_both {
            " aborts=both"
        } else {
            " aborts=lower"
        });
    }
    write("fail-if", fail_if, out);
    write("succeed-if", succeed_if.as_ref(), out);
    write("skip-if", skip_if.as_ref(), out);
    write("while", while_holds, out);
    let otherwise = match while_else {
        Status::Success => " while-else=success",
        // What `aborts=both` does unless it says otherwise.
        Status::Failure if !aborts_both => " while-else=failure",
        Status::Skipped if aborts_both => " while-else=skipped",
        _ => "",
    };
    if while_holds.is_some() || aborts_both {
        out.push_str(otherwise);
    }
}

/// What `when=` and `fail-if=` of a node say: a `when` is kept as its opposite, behind what `fail-if` says.
pub fn when_and_fail_if<'g>(
    guards: &'g Guards,
    written: &Written,
) -> (Option<&'g Expr>, Option<&'g Expr>) {
    match guards.fail_if.as_ref() {
        // Only a `when` aborts others.
        Some(Expr::Not(when)) if written.has_when() || guards.aborts_lower => (Some(when), None),
        Some(Expr::Or(fail_if, not)) if written.has_when() => match &**not {
            Expr::Not(when) => (Some(when), Some(fail_if)),
            _ => (None, guards.fail_if.as_ref()),
        },
        fail_if => (None, fail_if),
    }
}

fn hooks(behaviour: &Behaviour, hooks: &Hooks, out: &mut String) {
    let Hooks {
        on_success,
        on_failure,
        on_abort,
        on_end,
        on_fault,
    } = hooks;
    for (name, assigns) in [
        ("on-success", on_success),
        ("on-failure", on_failure),
        ("on-abort", on_abort),
        ("on-end", on_end),
    ] {
        if !assigns.is_empty() {
            let _ = write!(out, " {name}=\"{}\"", statements(behaviour, assigns));
        }
    }
    if let Some(key) = on_fault {
        let _ = write!(out, " on-fault=\"{{{}}}\"", behaviour.key(*key).name);
    }
}

fn statements(behaviour: &Behaviour, assigns: &[Assign]) -> String {
    let all: Vec<String> = assigns
        .iter()
        .map(|assign| statement(behaviour, assign))
        .collect();
    all.join("; ")
}

/// The line of a node, as the table of the language writes it.
fn details(behaviour: &Behaviour, kind: &Kind, out: &mut String) {
    if let Some(task) = language::of_kind(kind) {
        (task.show)(kind, &mut Shown { behaviour, out });
    }
}

/// The line of a node while it is being written.
struct Shown<'a> {
    behaviour: &'a Behaviour,
    out: &'a mut String,
}

impl Show for Shown<'_> {
    fn behaviour(&self) -> &Behaviour {
        self.behaviour
    }

    fn value(&mut self, text: &str) {
        let _ = write!(self.out, " {text}");
    }

    fn property(&mut self, name: &str, text: &str) {
        let _ = write!(self.out, " {name}={text}");
    }

    fn number(&self, expr: &Expr) -> String {
        number_text(self.behaviour, expr)
    }

    fn expression(&self, expr: &Expr) -> String {
        format!("\"{}\"", expression(self.behaviour, expr))
    }

    fn statements(&self, assigns: &[Assign]) -> String {
        format!("\"{}\"", statements(self.behaviour, assigns))
    }

    fn name(&self, name: &str) -> String {
        quoted(name)
    }

    fn args(&mut self, leaf: LeafId, args: &[Arg]) {
        let behaviour = self.behaviour;
        let leaf = behaviour.leaf(leaf);
        for (param, arg) in leaf.params.iter().zip(args) {
            let text = match arg {
                // Written as text it would be read as text, because the type is `any`.
                Arg::Value(value) if param.ty == Type::Any && value.ty().parts().is_some() => {
                    format!("\"={}\"", in_expression(behaviour, *value))
                }
                Arg::Value(value) => literal(behaviour, *value),
                Arg::Expr(expr) => match key_of(expr) {
                    Some(key) => format!("\"{{{}}}\"", key_text(behaviour, key)),
                    None => format!("\"={}\"", expression(behaviour, expr)),
                },
                Arg::Key(key) => format!("\"{{{}}}\"", key_text(behaviour, *key)),
            };
            self.property(&param.name, &text);
        }
    }
}

/// The key, if the expression is a key, possibly widened.
fn key_of(expr: &Expr) -> Option<KeyId> {
    match expr {
        Expr::Key(key, _) => Some(*key),
        Expr::Widen(_, inner) => key_of(inner),
        _ => None,
    }
}

fn number_text(behaviour: &Behaviour, expr: &Expr) -> String {
    match expr {
        Expr::Value(value) => literal(behaviour, *value),
        expr => format!("\"={}\"", expression(behaviour, expr)),
    }
}

/// A value as KDL writes it.
fn literal(behaviour: &Behaviour, value: Value) -> String {
    match value {
        Value::Bool(value) => format!("#{value}"),
        Value::Vec2(parts) => format!("\"{}\"", joined(&parts)),
        Value::Vec3(parts) => format!("\"{}\"", joined(&parts)),
        // At the beginning, these characters have a special meaning.
        Value::Text(text) if text.as_str().starts_with(['=', '{']) => {
            format!("\"={}\"", crate::expression::quoted(text.as_str()))
        }
        Value::Text(text) => format!("{:?}", text.as_str()),
        other => in_expression(behaviour, other),
    }
}

/// A value as expressions write it: floats keep a decimal point.
fn in_expression(behaviour: &Behaviour, value: Value) -> String {
    match value {
        Value::Float(value) => format!("{value:?}"),
        Value::Double(value) => format!("{value:?}"),
        Value::Text(text) => crate::expression::quoted(text.as_str()),
        Value::Vec2(parts) => format!("vec2({})", joined(&parts)),
        Value::Vec3(parts) => format!("vec3({})", joined(&parts)),
        other => behaviour.display_value(other),
    }
}

/// The components of a vector, with decimal points.
fn joined(parts: &[f32]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{part:?}")).collect();
    parts.join(", ")
}

/// A name as KDL writes it.
pub(crate) fn quoted(name: &str) -> String {
    let bare = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if bare {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}

/// A state by its name, if it is clear which machine it belongs to.
fn state_text(behaviour: &Behaviour, state: StateIndex) -> String {
    let mut machines = behaviour
        .nodes()
        .iter()
        .filter_map(|node| match &node.kind {
            Kind::Machine(machine) => Some(machine),
            _ => None,
        });
    match (machines.next(), machines.next()) {
        (Some(machine), None) => format!("'{}'", machine.states[state].name),
        _ => format!("{state}"),
    }
}

/// A statement as documents write it, but without the escapes that a text in quotes needs.
pub fn statement_text(behaviour: &Behaviour, assign: &Assign) -> String {
    let key = &behaviour.key(assign.key).name;
    let text = |expr: &Expr| expression_text(behaviour, expr, &|_| None);
    let sign = match assign.change {
        Change::Set => "=",
        Change::Add => "+=",
        Change::Remove => "-=",
    };
    if let Expr::Arith(op, left, right) = &assign.value
        && matches!(**left, Expr::Key(read, _) if read == assign.key)
        && *op != Arith::Rem
    {
        return format!("{key} {}= {}", arith_sign(*op), text(right));
    }
    format!("{key} {sign} {}", text(&assign.value))
}

fn statement(behaviour: &Behaviour, assign: &Assign) -> String {
    escaped(statement_text(behaviour, assign))
}

/// The expression as documents write it, with only the necessary brackets, but without the escapes that a text in
/// quotes needs. A key, the length of a list or a time for which `known` returns a value is written as that value:
/// `health < 20.0` becomes `18.0 < 20.0`, and `age(alarm) > 3.0` becomes `4.5 > 3.0`.
pub fn expression_text(
    behaviour: &Behaviour,
    expr: &Expr,
    known: &dyn Fn(&Expr) -> Option<Value>,
) -> String {
    let mut out = String::new();
    Printer {
        behaviour,
        known,
        out: &mut out,
        keys: None,
    }
    .print(expr, 0);
    out
}

/// The expression as documents write it.
pub(crate) fn expression(behaviour: &Behaviour, expr: &Expr) -> String {
    escaped(expression_text(behaviour, expr, &|_| None))
}

/// A text as it stands in quotes.
fn escaped(text: String) -> String {
    match text.contains(['"', '\\']) {
        true => text.replace('\\', "\\\\").replace('"', "\\\""),
        false => text,
    }
}

struct Printer<'a> {
    behaviour: &'a Behaviour,
    known: &'a dyn Fn(&Expr) -> Option<Value>,
    out: &'a mut String,
    /// Where keys stand in it, if somebody wants to know.
    keys: Option<&'a mut Vec<(Range<usize>, KeyId)>>,
}

impl Printer<'_> {
    /// Recursion is bounded: expressions are at most 256 deep.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn print(&mut self, expr: &Expr, least: u8) {
        if let Some(value) = self.looked_up(expr) {
            let text = in_expression(self.behaviour, value);
            self.out.push_str(&text);
            return;
        }
        let power = power(expr);
        let brackets = power < least;
        if brackets {
            self.out.push('(');
        }
        match expr {
            Expr::Value(value) => {
                let text = in_expression(self.behaviour, *value);
                self.out.push_str(&text);
            }
            Expr::Key(key, _) => self.key(*key),
            Expr::Has(key) => self.of_key("has", *key),
            Expr::Active(state) => {
                let text = state_text(self.behaviour, *state);
                let _ = write!(self.out, "In({text})");
            }
            Expr::Len(key) => self.of_key("len", *key),
            Expr::Me => self.out.push_str("me()"),
            Expr::Members => self.out.push_str("members()"),
            Expr::Index(key, value) => self.of_list("index", *key, value),
            Expr::Contains(key, value) => self.of_list("contains", *key, value),
            Expr::Item(key, _, place) => self.of_list("item", *key, place),
            Expr::Nearest(key, _, to) => self.of_list("nearest", *key, to),
            Expr::Now => self.out.push_str("now()"),
            Expr::Age(key) => self.of_key("age", *key),
            Expr::SinceWritten(key) => self.of_key("since_written", *key),
            Expr::Alive(agent) => {
                self.out.push_str("alive(");
                self.print(agent, 0);
                self.out.push(')');
            }
            Expr::Free(semaphore) => {
                let name = &self.behaviour.semaphores()[semaphore.index()].name;
                let _ = write!(self.out, "free({})", name.replace('-', "_"));
            }
            Expr::Part(part, vector) => {
                let is_choice = matches!(**vector, Expr::If(..));
                self.print(vector, if is_choice { 8 } else { 7 });
                let _ = write!(self.out, ".{}", part.name());
            }
            Expr::Vector(parts) => {
                self.call(if parts.len() == 2 { "vec2" } else { "vec3" }, parts);
            }
            Expr::Length(vector) => {
                if let Expr::Arith(Arith::Sub, from, to) = &**vector {
                    self.call("distance", [&**from, &**to]);
                } else {
                    self.call("length", [&**vector]);
                }
            }
            Expr::OfVectors(func, args) => self.call(func.name(), args),
            Expr::OfTexts(func, args) => self.call(func.name(), args),
            Expr::Curve(curve, x) => self.call(&curve.name.replace('-', "_"), [&**x]),
            Expr::Random(low, high) => self.call("random", [&**low, &**high]),
            Expr::Not(inner) => self.prefixed("!", inner),
            Expr::Neg(inner) => self.prefixed("-", inner),
            Expr::Arith(op, left, right) | Expr::Scale(op, left, right) => {
                self.infix(left, arith_sign(*op), right, power)
            }
            Expr::Compare(op, left, right) => self.infix(left, compare_sign(*op), right, power),
            Expr::And(left, right) => self.infix(left, "&&", right, power),
            Expr::Or(left, right) => self.infix(left, "||", right, power),
            Expr::If(cond, then, other) => {
                self.out.push_str("if ");
                self.print(cond, 0);
                self.out.push_str(" { ");
                self.print(then, 0);
                self.out.push_str(" } else { ");
                self.print(other, 0);
                self.out.push_str(" }");
            }
            Expr::Between(value, low, high) => {
                self.infix(value, "in", low, power);
                self.out.push_str("..=");
                self.print(high, power + 1);
            }
            // Conversions are added again when the text is read.
            Expr::Widen(_, inner) => self.print(inner, 0),
            Expr::Call(func, args) => self.call(func.name(), args),
            _ => treemind_core::unlisted(&expr),
        }
        if brackets {
            self.out.push(')');
        }
    }

    /// The value of something that is looked up, and not computed, if it is known.
    fn looked_up(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Key(..) | Expr::Len(_) | Expr::Now | Expr::Age(_) | Expr::SinceWritten(_) => {
                (self.known)(expr)
            }
            _ => None,
        }
    }

    fn of_key(&mut self, function: &str, key: KeyId) {
        let _ = write!(self.out, "{function}(");
        self.key(key);
        self.out.push(')');
    }

    fn of_list(&mut self, function: &str, list: KeyId, value: &Expr) {
        let _ = write!(self.out, "{function}(");
        self.key(list);
        self.out.push_str(", ");
        self.print(value, 0);
        self.out.push(')');
    }

    fn key(&mut self, key: KeyId) {
        let start = self.out.len();
        self.out.push_str(&key_text(self.behaviour, key));
        if let Some(keys) = &mut self.keys {
            keys.push((start..self.out.len(), key));
        }
    }

    fn call<'e>(&mut self, function: &str, args: impl IntoIterator<Item = &'e Expr>) {
        self.out.push_str(function);
        self.out.push('(');
        for (index, arg) in args.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.print(arg, 0);
        }
        self.out.push(')');
    }

    fn prefixed(&mut self, sign: &str, inner: &Expr) {
        self.out.push_str(sign);
        self.print(inner, 6);
    }

    fn infix(&mut self, left: &Expr, sign: &str, right: &Expr, power: u8) {
        // Comparisons cannot be chained, so neither side may be a comparison without brackets.
        let left_least = if power == 3 { power + 1 } else { power };
        self.print(left, left_least);
        let _ = write!(self.out, " {sign} ");
        self.print(right, power + 1);
    }
}

/// How tightly an expression binds.
#[warn(clippy::wildcard_enum_match_arm)]
fn power(expr: &Expr) -> u8 {
    match expr {
        Expr::Or(..) => 1,
        Expr::And(..) => 2,
        Expr::Compare(..) | Expr::Between(..) => 3,
        Expr::Arith(Arith::Add | Arith::Sub, ..) => 4,
        Expr::Arith(..) | Expr::Scale(..) => 5,
        Expr::Not(_) | Expr::Neg(_) => 6,
        Expr::Widen(_, inner) => power(inner),
        Expr::Value(_)
        | Expr::Key(..)
        | Expr::Has(_)
        | Expr::Active(_)
        | Expr::Len(_)
        | Expr::Me
        | Expr::Members
        | Expr::Now
        | Expr::Index(..)
        | Expr::Contains(..)
        | Expr::Item(..)
        | Expr::Nearest(..)
        | Expr::Age(_)
        | Expr::SinceWritten(_)
        | Expr::Alive(_)
        | Expr::Free(_)
        | Expr::If(..)
        | Expr::Part(..)
        | Expr::Vector(_)
        | Expr::Length(_)
        | Expr::OfVectors(..)
        | Expr::OfTexts(..)
        | Expr::Curve(..)
        | Expr::Call(..)
        | Expr::Random(..) => 7,
        _ => treemind_core::unlisted(&expr),
    }
}

fn arith_sign(op: Arith) -> &'static str {
    match op {
        Arith::Add => "+",
        Arith::Sub => "-",
        Arith::Mul => "*",
        Arith::Div => "/",
        Arith::Rem => "%",
    }
}

fn compare_sign(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "==",
        Compare::Ne => "!=",
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
    }
}

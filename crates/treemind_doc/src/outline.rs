//! Behaviours as an indented outline, for people.

use std::fmt::Write;
use treemind_core::behaviour::{Arg, Guards, Hooks, LogPart, Skips, Threshold, Times, Yields};
use treemind_core::expr::{Arith, Assign, Compare};
use treemind_core::{Behaviour, Expr, Kind, NodeId, Status, Value};

/// The tree, one line per node: kind, leaf and arguments, name, and its one line for people.
///
/// ```text
/// tree guard
///   reactive-selector
///     reactive-sequence name=fight
///       condition see-enemy  // an enemy is in sight
///       action attack range=2.5
/// ```
pub fn outline(behaviour: &Behaviour) -> String {
    let mut out = format!("tree {}\n", behaviour.name());
    let mut indents: Vec<usize> = Vec::with_capacity(behaviour.nodes().len());
    for id in behaviour.node_ids() {
        let parent = behaviour.node(id).parent;
        let mut indent = parent.map_or(2, |parent| indents[parent.index()] + 2);
        if let Some(parent) = parent
            && case(behaviour, parent, id, indent, &mut out)
        {
            indent += 2;
        }
        indents.push(indent);
        line(behaviour, id, indent, &mut out);
    }
    out
}

/// The line of a case, or of the default, above the child of a `switch`; no other child has one.
fn case(
    behaviour: &Behaviour,
    parent: NodeId,
    id: NodeId,
    indent: usize,
    out: &mut String,
) -> bool {
    let parent = behaviour.node(parent);
    let Kind::Switch { cases, .. } = &parent.kind else {
        return false;
    };
    let index = parent
        .children
        .partition_point(|child| child.index() < id.index());
    let _ = match cases.get(index) {
        Some(test) => writeln!(
            out,
            "{:indent$}case \"{}\"",
            "",
            expression(behaviour, test)
        ),
        None => writeln!(out, "{:indent$}default", ""),
    };
    true
}

fn line(behaviour: &Behaviour, id: NodeId, indent: usize, out: &mut String) {
    let node = behaviour.node(id);
    let _ = write!(out, "{:indent$}{}", "", node.kind.keyword());
    details(behaviour, &node.kind, out);
    if let Some(name) = &node.name {
        let _ = write!(out, " name={}", quoted(name));
    }
    if let Some(weight) = weight(behaviour, id) {
        out.push_str(" weight=");
        out.push_str(number_text(behaviour, weight).as_str());
    }
    guards(behaviour, &node.guards, out);
    hooks(behaviour, &node.hooks, out);
    let leaf = node.kind.leaf().map(|leaf| behaviour.leaf(leaf));
    let leaf_doc = leaf.and_then(|leaf| leaf.doc.as_ref());
    if let Some(doc) = node.doc.as_ref().or(leaf_doc) {
        let one_line: Vec<&str> = doc.split_whitespace().collect();
        let _ = write!(out, "  // {}", one_line.join(" "));
    }
    out.push('\n');
}

/// What a child of a `weighted-selector` weighs.
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

fn guards(behaviour: &Behaviour, guards: &Guards, out: &mut String) {
    let Guards {
        fail_if,
        succeed_if,
        skip_if,
        while_holds,
        while_else,
    } = guards;
    for (name, test) in [
        ("fail-if", fail_if),
        ("succeed-if", succeed_if),
        ("skip-if", skip_if),
        ("while", while_holds),
    ] {
        if let Some(test) = test {
            let _ = write!(out, " {name}=\"{}\"", expression(behaviour, test));
        }
    }
    if while_holds.is_some() {
        out.push_str(match while_else {
            Status::Success => " while-else=success",
            Status::Failure => " while-else=failure",
            _ => "",
        });
    }
}

fn hooks(behaviour: &Behaviour, hooks: &Hooks, out: &mut String) {
    let Hooks {
        on_success,
        on_failure,
        on_abort,
        on_end,
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
}

fn statements(behaviour: &Behaviour, assigns: &[Assign]) -> String {
    let all: Vec<String> = assigns
        .iter()
        .map(|assign| statement(behaviour, assign))
        .collect();
    all.join("; ")
}

fn details(behaviour: &Behaviour, kind: &Kind, out: &mut String) {
    match kind {
        Kind::Condition {
            leaf,
            args,
            negated,
        } => {
            leaf_details(behaviour, *leaf, args, out);
            if *negated {
                out.push_str(" not=#true");
            }
        }
        Kind::Action { leaf, args } => leaf_details(behaviour, *leaf, args, out),
        Kind::Check { expr } => {
            let _ = write!(out, " \"{}\"", expression(behaviour, expr));
        }
        Kind::Set { assigns } => {
            let _ = write!(out, " \"{}\"", statements(behaviour, assigns));
        }
        Kind::Wait { secs } => number(behaviour, secs, out),
        Kind::Sequence { yields } | Kind::Selector { yields } => {
            yielding(*yields, Yields::Never, out);
        }
        Kind::StickySequence {
            yields,
            reset_on_abort,
        } => {
            yielding(*yields, Yields::Never, out);
            flag("reset-on-abort", *reset_on_abort, out);
        }
        Kind::Parallel {
            success,
            failure,
            skips,
        } => {
            let _ = write!(
                out,
                " success={} failure={}",
                threshold(*success),
                threshold(*failure)
            );
            out.push_str(match skips {
                Skips::Absent => "",
                Skips::AbsentEvenAll => " skipped=absent-even-all",
                Skips::Pending => " skipped=pending",
            });
        }
        Kind::ParallelAll { max_failures } => {
            let _ = write!(out, " max-failures={max_failures}");
        }
        Kind::RandomSelector { replacement } | Kind::RandomSequence { replacement } => {
            flag("replacement", *replacement, out);
        }
        Kind::TryCatch { on_abort } => flag("on-abort", *on_abort, out),
        Kind::Switch { once, .. } => flag("once", *once, out),
        Kind::RunOnce { then_skip: true } => out.push_str(" then=skipped"),
        Kind::Limit { runs } => number(behaviour, runs, out),
        Kind::Cooldown { secs, else_skipped } => {
            number(behaviour, secs, out);
            if *else_skipped {
                out.push_str(" else=skipped");
            }
        }
        Kind::Timeout { secs } | Kind::Delay { secs } => number(behaviour, secs, out),
        Kind::Changed { key } => {
            let _ = write!(out, " {}", quoted(&behaviour.key(*key).name));
        }
        Kind::OnChange { key, else_running } => {
            let _ = write!(out, " {}", quoted(&behaviour.key(*key).name));
            if *else_running {
                out.push_str(" else=running");
            }
        }
        Kind::Scope { keys } => {
            for key in keys {
                let _ = write!(out, " {}", quoted(&behaviour.key(*key).name));
            }
        }
        Kind::Log { text } => {
            let _ = write!(out, " {:?}", log_text(behaviour, text));
        }
        Kind::Emit { leaf, args } => leaf_details(behaviour, *leaf, args, out),
        Kind::Chance { probability } => number(behaviour, probability, out),
        Kind::UntilFailure { yields } | Kind::UntilSuccess { yields } => {
            yielding(*yields, Yields::Always, out);
        }
        Kind::Repeat { times, yields } | Kind::Retry { times, yields } => {
            match times {
                Times::Forever => out.push_str(" forever"),
                Times::Count(expr) => number(behaviour, expr, out),
            }
            yielding(*yields, Yields::Always, out);
        }
        _ => {}
    }
}

/// The text of a `log` as it was written.
fn log_text(behaviour: &Behaviour, text: &[LogPart]) -> String {
    let part = |part: &LogPart| match part {
        LogPart::Text(text) => text.replace('{', "{{").replace('}', "}}"),
        LogPart::Key(key) => format!("{{{}}}", behaviour.key(*key).name),
    };
    text.iter().map(part).collect()
}

fn yielding(yields: Yields, default: Yields, out: &mut String) {
    if yields != default {
        out.push_str(match yields {
            Yields::Always => " yields=always",
            Yields::Fresh => " yields=fresh",
            Yields::Never => " yields=never",
        });
    }
}

fn flag(name: &str, value: bool, out: &mut String) {
    if value {
        let _ = write!(out, " {name}=#true");
    }
}

fn leaf_details(
    behaviour: &Behaviour,
    leaf: treemind_core::LeafId,
    args: &[Arg],
    out: &mut String,
) {
    let leaf = behaviour.leaf(leaf);
    let _ = write!(out, " {}", quoted(&leaf.name));
    for (param, arg) in leaf.params.iter().zip(args) {
        let _ = match arg {
            Arg::Value(value) => write!(out, " {}={}", param.name, literal(behaviour, *value)),
            Arg::Expr(Expr::Key(key, _)) => {
                write!(out, " {}=\"{{{}}}\"", param.name, behaviour.key(*key).name)
            }
            Arg::Expr(expr) => write!(out, " {}=\"={}\"", param.name, expression(behaviour, expr)),
        };
    }
}

fn number(behaviour: &Behaviour, expr: &Expr, out: &mut String) {
    let _ = write!(out, " {}", number_text(behaviour, expr));
}

fn number_text(behaviour: &Behaviour, expr: &Expr) -> String {
    match expr {
        Expr::Value(value) => literal(behaviour, *value),
        expr => format!("\"={}\"", expression(behaviour, expr)),
    }
}

fn threshold(threshold: Threshold) -> String {
    match threshold {
        Threshold::All | Threshold::AllBut(0) => "all".to_owned(),
        Threshold::AllBut(count) => format!("all-but-{count}"),
        Threshold::Exactly(count) => format!("exactly-{count}"),
        Threshold::Count(1) => "one".to_owned(),
        Threshold::Count(count) => count.to_string(),
    }
}

/// A value as KDL writes it.
fn literal(behaviour: &Behaviour, value: Value) -> String {
    match value {
        Value::Bool(value) => format!("#{value}"),
        other => in_expression(behaviour, other),
    }
}

/// A value as expressions write it: floats keep a point.
fn in_expression(behaviour: &Behaviour, value: Value) -> String {
    match value {
        Value::Float(value) => format!("{value:?}"),
        Value::Double(value) => format!("{value:?}"),
        other => behaviour.display_value(other),
    }
}

/// A name as KDL writes it.
fn quoted(name: &str) -> String {
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

fn statement(behaviour: &Behaviour, assign: &Assign) -> String {
    let key = &behaviour.key(assign.key).name;
    if let Expr::Arith(op, left, right) = &assign.value
        && matches!(**left, Expr::Key(read, _) if read == assign.key)
        && *op != Arith::Rem
    {
        return format!(
            "{key} {}= {}",
            arith_sign(*op),
            expression(behaviour, right)
        );
    }
    format!("{key} = {}", expression(behaviour, &assign.value))
}

/// The expression as documents write it, with no more brackets than it needs.
fn expression(behaviour: &Behaviour, expr: &Expr) -> String {
    let mut out = String::new();
    Printer {
        behaviour,
        out: &mut out,
    }
    .print(expr, 0);
    out
}

struct Printer<'a> {
    behaviour: &'a Behaviour,
    out: &'a mut String,
}

impl Printer<'_> {
    /// Recursion is bounded: expressions are at most 256 deep.
    fn print(&mut self, expr: &Expr, least: u8) {
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
            Expr::Key(key, _) => self.out.push_str(&self.behaviour.key(*key).name),
            Expr::Not(inner) => self.prefixed("!", inner),
            Expr::Neg(inner) => self.prefixed("-", inner),
            Expr::Arith(op, left, right) => self.infix(left, arith_sign(*op), right, power),
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
            // Conversions are made anew when the text is read.
            Expr::Widen(_, inner) => self.print(inner, 0),
            Expr::Call(func, args) => {
                self.out.push_str(func.name());
                self.out.push('(');
                for (index, arg) in args.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.print(arg, 0);
                }
                self.out.push(')');
            }
        }
        if brackets {
            self.out.push(')');
        }
    }

    fn prefixed(&mut self, sign: &str, inner: &Expr) {
        self.out.push_str(sign);
        self.print(inner, 6);
    }

    fn infix(&mut self, left: &Expr, sign: &str, right: &Expr, power: u8) {
        // Comparisons do not stand in a row, so neither side may be one without brackets.
        let left_least = if power == 3 { power + 1 } else { power };
        self.print(left, left_least);
        let _ = write!(self.out, " {sign} ");
        self.print(right, power + 1);
    }
}

/// How strongly an expression holds together.
fn power(expr: &Expr) -> u8 {
    match expr {
        Expr::Or(..) => 1,
        Expr::And(..) => 2,
        Expr::Compare(..) | Expr::Between(..) => 3,
        Expr::Arith(Arith::Add | Arith::Sub, ..) => 4,
        Expr::Arith(..) => 5,
        Expr::Not(_) | Expr::Neg(_) => 6,
        Expr::Widen(_, inner) => power(inner),
        Expr::Value(_) | Expr::Key(..) | Expr::If(..) | Expr::Call(..) => 7,
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

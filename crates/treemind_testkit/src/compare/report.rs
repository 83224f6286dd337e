//! Reports for people: the tree, the agent's script, what both sides did.

use super::Mismatch;
use super::machines::show_machine;
use crate::generate::Case;
use crate::reference::Cell;
use crate::scripts::letter;
use std::fmt::Write as _;
use treemind_core::behaviour::{Arg, Counting, Decision, DecisionStep, Pace, Scoring, Times, Way};
use treemind_core::expr::{Arith, Assign, Compare};
use treemind_core::{Behaviour, Expr, Kind, NodeId};

/// How many lines are shown before the first that differs, and how many from it on.
const LINES_BEFORE: usize = 20;
const LINES_AFTER: usize = 12;

/// Everything that is needed to understand a mismatch.
pub fn report(case: &Case, mismatch: &Mismatch) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} agents, {:?}, seed {}; differs: {}",
        case.agents, case.order, case.seed, mismatch.what
    );
    match case.behaviour() {
        Ok(behaviour) => out.push_str(&outline(&behaviour)),
        Err(error) => out.push_str(&error.to_string()),
    }
    for (place, key) in case.parts.keys.iter().enumerate() {
        let start = Cell::start(key);
        let _ = write!(out, "key {place} {} {:?} = {start:?}", key.name, key.form);
        let _ = match (&key.sensed, case.readings.get(place)) {
            (Some(sensed), Some(readings)) => writeln!(out, " {sensed:?} {readings:?}"),
            _ => writeln!(out, " {:?}", key.scope),
        };
    }
    let agent = mismatch.agent;
    let _ = writeln!(out, "script of agent {agent}:");
    for (label, answers) in case.scripts.get(agent).into_iter().flatten() {
        let letters: Vec<String> = answers.iter().map(|s| letter(*s).to_string()).collect();
        let _ = writeln!(out, "  {label}: {}", letters.join(" "));
    }
    for write in &case.writes {
        let _ = writeln!(out, "  {write:?}");
    }
    for (index, step) in case.steps.iter().enumerate() {
        if !step.ops.is_empty() {
            let _ = writeln!(out, "before tick {}: {:?}", index + 1, step.ops);
        }
    }
    let dts: Vec<u128> = case.steps.iter().map(|step| step.dt.as_millis()).collect();
    let _ = writeln!(out, "dt in ms: {dts:?}");
    let _ = writeln!(out, "tick {}, agent {agent}", mismatch.tick);
    let (executor, reference) = (&mismatch.executor, &mismatch.reference);
    let alike = executor
        .iter()
        .zip(reference)
        .take_while(|(a, b)| a == b)
        .count();
    for (whose, lines) in [("executor", executor), ("reference", reference)] {
        let _ = writeln!(out, "{whose}:");
        out.push_str(&window(lines, alike));
    }
    out
}

/// The lines around the first that differs.
fn window(lines: &[String], alike: usize) -> String {
    let from = alike.saturating_sub(LINES_BEFORE);
    let to = lines.len().min(alike + LINES_AFTER);
    let mut out = String::new();
    if from > 0 {
        let _ = writeln!(out, "  ({from} lines alike)");
    }
    for (index, line) in lines.iter().enumerate().take(to).skip(from) {
        let mark = if index == alike { '>' } else { ' ' };
        let _ = writeln!(out, "{mark} {line}");
    }
    if to < lines.len() {
        let _ = writeln!(out, "  ({} more lines)", lines.len() - to);
    }
    out
}

/// The tree, a line per node, with the numbers of nodes.
pub fn outline(behaviour: &Behaviour) -> String {
    let mut out = String::new();
    for id in behaviour.node_ids() {
        let node = behaviour.node(id);
        let indent = "  ".repeat(node.depth as usize);
        let _ = writeln!(out, "#{:<3}{indent}{}", id.index(), line(behaviour, id));
        if let Kind::Machine(machine) = &node.kind {
            out.push_str(&show_machine(behaviour, id, machine, &indent));
        }
        if let Kind::Decide(decision) = &node.kind {
            let leaf = |child: usize| format!("#{}", node.children[child].index());
            out.push_str(&show_decision(behaviour, (id, &leaf), decision, &indent));
        }
    }
    out
}

/// The tests of a decision tree, a line each, with where they lead.
pub(super) fn show_decision(
    behaviour: &Behaviour,
    (node, leaf): (NodeId, &dyn Fn(usize) -> String),
    decision: &Decision,
    indent: &str,
) -> String {
    let children = &behaviour.node(node).children;
    let way = |way: Way| match way {
        Way::Step(step) => format!("test {step}"),
        Way::Leaf(number) => leaf(number),
        Way::None => "none".to_owned(),
    };
    let mut out = format!("    {indent}  to {}\n", way(decision.first));
    for (number, step) in decision.steps.iter().enumerate() {
        let kind = match step {
            DecisionStep::Test { .. } => "test".to_owned(),
            DecisionStep::Ask { child, .. } => format!("asks #{}", children[*child].index()),
            DecisionStep::Switch { .. } => "switch".to_owned(),
            DecisionStep::Random { lasts, .. } => format!("random {lasts:?}"),
        };
        let exprs = step.exprs().into_iter();
        let exprs: Vec<String> = exprs.map(|expr| show_expr(behaviour, expr)).collect();
        let ways: Vec<String> = step.ways().into_iter().map(way).collect();
        let (exprs, ways) = (exprs.join("; "), ways.join(", "));
        let _ = writeln!(out, "    {indent}  {number} {kind} [{exprs}] to {ways}");
    }
    out
}

fn line(behaviour: &Behaviour, id: NodeId) -> String {
    let node = behaviour.node(id);
    let mut out = node.kind.keyword().to_owned();
    if node.kind.leaf().is_some() || node.name.is_some() {
        let _ = write!(out, " {}", behaviour.label(id));
    }
    match &node.kind {
        Kind::Condition {
            leaf,
            args,
            negated,
        } => {
            let _ = write!(out, "{}", if *negated { " not" } else { "" });
            let _ = write!(
                out,
                " ({}){}",
                behaviour.leaf(*leaf).name,
                show_args(behaviour, args)
            );
        }
        Kind::Action { leaf, args } | Kind::Own { leaf, args } => {
            let leaf = behaviour.leaf(*leaf);
            let _ = write!(
                out,
                " ({}, {:?}){}",
                leaf.name,
                leaf.kind,
                show_args(behaviour, args)
            );
        }
        Kind::Check { expr } => {
            let _ = write!(out, " {}", show_expr(behaviour, expr));
        }
        Kind::Changed { key } => {
            let _ = write!(out, " {}", behaviour.key(*key).name);
        }
        Kind::OnChange { key, else_running } => {
            let key = &behaviour.key(*key).name;
            let _ = write!(out, " {key} else_running={else_running}");
        }
        Kind::Scope { keys } => {
            for key in keys {
                let _ = write!(out, " {}", behaviour.key(*key).name);
            }
        }
        Kind::Log { .. } => {
            for key in node.kind.logged() {
                let _ = write!(out, " {{{}}}", behaviour.key(key).name);
            }
        }
        Kind::Emit { args, .. } => out.push_str(&show_args(behaviour, args)),
        Kind::Set { assigns } => out.push_str(&show_statements(behaviour, assigns)),
        Kind::Unset { key } => {
            let _ = write!(out, " {}", behaviour.key(*key).name);
        }
        Kind::ForEach {
            var,
            list,
            if_empty,
            max_runs,
        } => {
            let (var, list) = (behaviour.key(*var), behaviour.key(*list));
            let _ = write!(
                out,
                " {} in {} if_empty={if_empty} max_runs={max_runs}",
                var.name, list.name
            );
        }
        Kind::RandomSelector { replacement } | Kind::RandomSequence { replacement } => {
            let _ = write!(out, " replacement={replacement}");
        }
        Kind::WeightedSelector { weights } => {
            for weight in weights {
                let _ = write!(out, " [{}]", show_expr(behaviour, weight));
            }
        }
        Kind::UtilitySelector {
            scores,
            policy,
            hysteresis,
            reactive,
            fails,
        } => {
            let hysteresis = show_expr(behaviour, hysteresis);
            let _ = write!(
                out,
                " {policy:?} hysteresis={hysteresis} reactive={reactive} fails={fails}"
            );
            for score in scores {
                let exprs: Vec<String> = score
                    .exprs()
                    .map(|expr| show_expr(behaviour, expr))
                    .collect();
                let curves = score.considerations().iter().map(|one| &one.curve);
                let curves: Vec<_> = curves.collect();
                let combine = match &score.made {
                    Scoring::Combined(combine, _) => Some(*combine),
                    Scoring::Expr(_) => None,
                };
                let _ = write!(out, " [{combine:?} {} {curves:?}]", exprs.join(", "));
            }
        }
        Kind::Service {
            leaf,
            args,
            interval,
            jitter,
        } => {
            let _ = write!(
                out,
                " ({}){} every {}{}",
                behaviour.leaf(*leaf).name,
                show_args(behaviour, args),
                show_expr(behaviour, interval),
                show_jitter(behaviour, jitter.as_ref())
            );
        }
        Kind::Wait { secs, jitter } => {
            let _ = write!(
                out,
                " {}{}",
                show_expr(behaviour, secs),
                show_jitter(behaviour, jitter.as_ref())
            );
        }
        Kind::Timeout { secs } | Kind::Delay { secs } => {
            let _ = write!(out, " {}", show_expr(behaviour, secs));
        }
        Kind::Interrupt { label, result } => {
            let label = &behaviour.labels()[label.index()];
            let _ = write!(out, " {label} result={}", letter(*result));
        }
        Kind::Interruptible { label } => {
            let _ = write!(out, " {}", behaviour.labels()[label.index()]);
        }
        Kind::Semaphore { semaphore, waits } => {
            let semaphore = &behaviour.semaphores()[semaphore.index()];
            let _ = write!(out, " {semaphore:?} waits={waits}");
        }
        Kind::SimpleParallel { waits } => {
            let _ = write!(out, " waits={waits}");
        }
        Kind::ForceSuccess { even_running } | Kind::ForceFailure { even_running } => {
            let _ = write!(out, " even_running={even_running}");
        }
        Kind::Cooldown { secs, else_skipped } => {
            let _ = write!(
                out,
                " {} else_skipped={else_skipped}",
                show_expr(behaviour, secs)
            );
        }
        Kind::Chance { probability } => {
            let _ = write!(out, " {}", show_expr(behaviour, probability));
        }
        Kind::Limit { runs, per_parent } => {
            let runs = show_expr(behaviour, runs);
            let _ = write!(out, " {runs} per_parent={per_parent}");
        }
        Kind::Switch { cases, once } => {
            let _ = write!(out, " once={once}");
            for case in cases {
                let _ = write!(out, " [{}]", show_expr(behaviour, case));
            }
        }
        Kind::SubtreeBy { cases } => {
            for case in cases {
                let _ = write!(out, " [{}]", show_expr(behaviour, case));
            }
        }
        Kind::TryCatch { on_abort } => {
            let _ = write!(out, " on_abort={on_abort}");
        }
        Kind::RunOnce { then_skip } => {
            let _ = write!(out, " then_skip={then_skip}");
        }
        Kind::Parallel {
            success,
            failure,
            skips,
            judging,
        } => {
            let _ = write!(
                out,
                " success={success:?} failure={failure:?} skips={skips:?} {judging:?}"
            );
        }
        Kind::Machine(machine) => {
            let _ = write!(out, " {:?}", machine.mode);
        }
        Kind::Send {
            leaf,
            args,
            delay,
            id,
        } => {
            let name = &behaviour.leaf(*leaf).name;
            let args = show_args(behaviour, args);
            let delay = show_expr(behaviour, delay);
            let id = id.as_ref().map(|id| show_expr(behaviour, id));
            let _ = write!(out, " {name}{args} after {delay} as {id:?}");
        }
        Kind::Cancel { id } => {
            let _ = write!(out, " {}", show_expr(behaviour, id));
        }
        Kind::ParallelAll { max_failures } => {
            let _ = write!(out, " max_failures={max_failures}");
        }
        Kind::Sequence { yields } | Kind::Selector { yields } => {
            let _ = write!(out, " yields={yields:?}");
        }
        Kind::UntilFailure { pace } | Kind::UntilSuccess { pace } => {
            out.push_str(&show_pace(*pace));
        }
        Kind::StickySequence {
            yields,
            reset_on_abort,
            leaves_open,
        } => {
            let _ = write!(
                out,
                " yields={yields:?} reset_on_abort={reset_on_abort} leaves_open={leaves_open}"
            );
        }
        Kind::Repeat {
            times,
            pace,
            counting,
            ignores_result,
        }
        | Kind::Retry {
            times,
            pace,
            counting,
            ignores_result,
        } => {
            let times = match times {
                Times::Forever => "forever".to_owned(),
                Times::Count(expr) => show_expr(behaviour, expr),
            };
            let counted = if *counting == Counting::Ticks {
                " ticks"
            } else {
                ""
            };
            let pace = show_pace(*pace);
            let _ = write!(
                out,
                " {times}{counted}{pace} ignores_result={ignores_result}"
            );
        }
        _ => {}
    }
    let guards = &node.guards;
    for (word, test) in [
        ("fail_if", &guards.fail_if),
        ("succeed_if", &guards.succeed_if),
        ("skip_if", &guards.skip_if),
        ("while", &guards.while_holds),
    ] {
        if let Some(test) = test {
            let _ = write!(out, " {word}=[{}]", show_expr(behaviour, test));
        }
    }
    if guards.while_holds.is_some() {
        let _ = write!(out, " else={}", letter(guards.while_else));
    }
    if guards.aborts_lower {
        out.push_str(" aborts_lower");
    }
    let hooks = &node.hooks;
    for (word, statements) in [
        ("on_success", &hooks.on_success),
        ("on_failure", &hooks.on_failure),
        ("on_abort", &hooks.on_abort),
        ("on_end", &hooks.on_end),
    ] {
        if !statements.is_empty() {
            let _ = write!(
                out,
                " {word}={{{} }}",
                show_statements(behaviour, statements)
            );
        }
    }
    out
}

fn show_pace(pace: Pace) -> String {
    let Pace { yields, max_runs } = pace;
    format!(" yields={yields:?} max_runs={max_runs}")
}

fn show_jitter(behaviour: &Behaviour, jitter: Option<&Expr>) -> String {
    jitter.map_or(String::new(), |jitter| {
        format!(" jitter={}", show_expr(behaviour, jitter))
    })
}

fn show_statements(behaviour: &Behaviour, statements: &[Assign]) -> String {
    let mut out = String::new();
    for Assign { key, value } in statements {
        let key = &behaviour.key(*key).name;
        let _ = write!(out, " {key} = {};", show_expr(behaviour, value));
    }
    out
}

fn show_args(behaviour: &Behaviour, args: &[Arg]) -> String {
    let mut out = String::new();
    for arg in args {
        let shown = match arg {
            Arg::Value(value) => behaviour.display_value(*value),
            Arg::Expr(expr) => show_expr(behaviour, expr),
        };
        let _ = write!(out, " [{shown}]");
    }
    out
}

/// An expression with all its parentheses.
pub fn show_expr(behaviour: &Behaviour, expr: &Expr) -> String {
    let show = |inner: &Expr| show_expr(behaviour, inner);
    match expr {
        Expr::Value(value) => behaviour.display_value(*value),
        Expr::Key(key, _) => behaviour.key(*key).name.clone(),
        Expr::Active(state) => format!("In({state})"),
        Expr::Has(key) => format!("has({})", behaviour.key(*key).name),
        Expr::Free(semaphore) => {
            format!("free({})", behaviour.semaphores()[semaphore.index()].name)
        }
        Expr::Len(key) => format!("len({})", behaviour.key(*key).name),
        Expr::Part(part, inner) => format!("{}.{}", show(inner), part.name()),
        Expr::Vector(parts) => {
            let shown: Vec<String> = parts.iter().map(show).collect();
            format!("vec{}({})", parts.len(), shown.join(", "))
        }
        Expr::Length(inner) => format!("length({})", show(inner)),
        Expr::Random(low, high) => format!("random({}, {})", show(low), show(high)),
        Expr::Not(inner) => format!("!{}", show(inner)),
        Expr::Neg(inner) => format!("-({})", show(inner)),
        Expr::Arith(op, left, right) | Expr::Scale(op, left, right) => {
            let op = match op {
                Arith::Add => "+",
                Arith::Sub => "-",
                Arith::Mul => "*",
                Arith::Div => "/",
                Arith::Rem => "%",
            };
            format!("({} {op} {})", show(left), show(right))
        }
        Expr::Compare(op, left, right) => {
            let op = match op {
                Compare::Eq => "==",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Le => "<=",
                Compare::Gt => ">",
                Compare::Ge => ">=",
            };
            format!("({} {op} {})", show(left), show(right))
        }
        Expr::And(left, right) => format!("({} && {})", show(left), show(right)),
        Expr::Or(left, right) => format!("({} || {})", show(left), show(right)),
        Expr::If(cond, then, other) => {
            format!(
                "if {} {{ {} }} else {{ {} }}",
                show(cond),
                show(then),
                show(other)
            )
        }
        Expr::Between(value, low, high) => {
            format!("({} in {}..={})", show(value), show(low), show(high))
        }
        Expr::Widen(to, inner) => format!("{to}({})", show(inner)),
        Expr::Call(func, args) => {
            let args: Vec<String> = args.iter().map(show).collect();
            format!("{}({})", func.name(), args.join(", "))
        }
    }
}

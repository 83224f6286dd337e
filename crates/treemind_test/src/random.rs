//! Tries in which the game behaves at random, and the shortest way to a failure that one of them found.

use crate::Script;
use crate::condition::Conditions;
use crate::coverage::Covered;
use crate::failure::Failure;
use crate::player::Player;
use crate::written;
use std::sync::atomic::Ordering;
use treemind_core::Value;
use treemind_doc::testing::{Action, Choice, Random, Values};

/// What the game does before each tick.
pub(crate) type Plan = Vec<Vec<Action>>;

/// How often a failing try is played again to find a shorter one.
const MOST_REPLAYS: usize = 5_000;

/// Plays all tries until one fails.
pub(crate) fn play(
    script: &Script<'_>,
    random: &Random,
    conditions: &mut Conditions,
    covered: &mut Covered,
) -> Result<(), Box<Failure>> {
    for run in 0..random.runs {
        let plan = plan(random, run);
        if let Err(failure) = replay(script, &plan, conditions, Some(covered)) {
            let mut failure = shortest(script, random, plan, failure, conditions);
            failure.attempt = Some(run + 1);
            return Err(failure);
        }
    }
    Ok(())
}

/// What the game does in a try.
#[warn(clippy::wildcard_enum_match_arm)]
pub(crate) fn plan(random: &Random, run: u64) -> Plan {
    // Each try has numbers of its own, so that it stays the same when their count changes.
    let mut rng = fastrand::Rng::with_seed(random.seed);
    let rng = &mut fastrand::Rng::with_seed(rng.u64(..) ^ run.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut plan = Plan::new();
    for _ in 0..random.ticks {
        let mut changes = Vec::new();
        for choice in &random.choices {
            match choice {
                Choice::Answer(names, answers) => {
                    for name in names {
                        let answer = answers[rng.usize(..answers.len())];
                        changes.push(Action::Answer(vec![name.clone()], vec![answer]));
                    }
                }
                Choice::Key(key, values, chance) if happens(*chance, rng) => {
                    let given = (key.clone(), Some(value(values, rng)));
                    changes.push(Action::Given(vec![given]));
                }
                Choice::Send(event, values, chance) if happens(*chance, rng) => {
                    changes.push(Action::Send(event.clone(), values.clone()));
                }
                Choice::Items(key, values, most, chance) if happens(*chance, rng) => {
                    let count = rng.u32(0..=*most);
                    let items = (0..count).map(|_| value(values, rng)).collect();
                    changes.push(Action::Items(key.clone(), items));
                }
                Choice::Key(..) | Choice::Items(..) | Choice::Send(..) => {}
                _ => treemind_core::unlisted(&choice),
            }
        }
        plan.push(changes);
    }
    plan
}

fn happens(chance: f64, rng: &mut fastrand::Rng) -> bool {
    chance >= 1.0 || rng.f64() < chance
}

#[warn(clippy::wildcard_enum_match_arm)]
fn value(values: &Values, rng: &mut fastrand::Rng) -> Value {
    match values {
        Values::Of(all) => all[rng.usize(..all.len())],
        Values::Int(low, high) => Value::Int(rng.i64(low..=high)),
        Values::Entity(low, high) => Value::Entity(rng.u64(low..=high)),
        Values::Float(low, high) => Value::Float(between(*low, *high, rng)),
        Values::Double(low, high) => Value::Double(low + (high - low) * rng.f64()),
        Values::Vec2(low, high) => {
            Value::Vec2(std::array::from_fn(|at| between(low[at], high[at], rng)))
        }
        Values::Vec3(low, high) => {
            Value::Vec3(std::array::from_fn(|at| between(low[at], high[at], rng)))
        }
        _ => treemind_core::unlisted(&values),
    }
}

fn between(low: f32, high: f32, rng: &mut fastrand::Rng) -> f32 {
    low + (high - low) * rng.f32()
}

/// Plays a plan after the steps of the test.
fn replay(
    script: &Script<'_>,
    plan: &Plan,
    conditions: &mut Conditions,
    covered: Option<&mut Covered>,
) -> Result<(), Box<Failure>> {
    let mut player = Player::new(script);
    let played = script.play_steps(&mut player, conditions).and_then(|()| {
        for changes in plan {
            player.begin_window();
            for change in changes {
                player.act(change, &script.test.span)?;
            }
            player.pass(None, conditions)?;
            player.no_faults(&script.test.span)?;
        }
        player.judge_end()
    });
    if let Some(covered) = covered {
        covered.add(&player.covered);
    }
    played
}

/// Leaves out what is not needed for the failure, and writes the rest as a test.
fn shortest(
    script: &Script<'_>,
    random: &Random,
    plan: Plan,
    failure: Box<Failure>,
    conditions: &mut Conditions,
) -> Box<Failure> {
    let mut shrinking = Shrinking {
        script,
        conditions,
        plan,
        failure,
        replays: 0,
    };
    shrinking.leave_out_ticks();
    shrinking.join_ticks();
    shrinking.leave_out_changes();
    shrinking.round(random);
    let Shrinking {
        plan, mut failure, ..
    } = shrinking;
    failure.fixed = Some(written::test(script, &plan));
    failure.shortest = Some(plan);
    failure
}

/// A failing try that becomes shorter and shorter.
struct Shrinking<'s, 't> {
    script: &'s Script<'t>,
    conditions: &'s mut Conditions,
    /// The shortest that was found.
    plan: Plan,
    /// How it fails.
    failure: Box<Failure>,
    replays: usize,
}

impl Shrinking<'_, '_> {
    /// Takes another plan if it fails in the same way. What is never met within some ticks needs these ticks: a plan that
    /// ends before them fails because it ends, and that is another failure.
    fn takes(&mut self, plan: Plan) -> bool {
        if self.replays >= MOST_REPLAYS || self.script.stop.load(Ordering::Relaxed) {
            return false;
        }
        self.replays += 1;
        let Err(found) = replay(self.script, &plan, self.conditions, None) else {
            return false;
        };
        let what = |one: &Failure| (one.at.clone(), one.expected.clone(), one.cause.clone());
        let is_same = what(&found) == what(&self.failure);
        if is_same {
            (self.plan, self.failure) = (plan, found);
        }
        is_same
    }

    fn leave_out_ticks(&mut self) {
        let mut size = self.plan.len();
        while size > 0 {
            let mut at = 0;
            while at < self.plan.len() {
                let mut shorter = self.plan.clone();
                shorter.drain(at..(at + size).min(shorter.len()));
                if !self.takes(shorter) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Two ticks may become one.
    fn join_ticks(&mut self) {
        let mut tick = 0;
        while tick + 1 < self.plan.len() {
            let mut shorter = self.plan.clone();
            let changes = shorter.remove(tick);
            shorter[tick].splice(0..0, changes);
            if !self.takes(shorter) {
                tick += 1;
            }
        }
    }

    fn leave_out_changes(&mut self) {
        for tick in 0..self.plan.len() {
            let mut simpler = self.plan.clone();
            simpler[tick].clear();
            if self.plan[tick].is_empty() || self.takes(simpler) {
                continue;
            }
            let mut at = 0;
            while at < self.plan[tick].len() {
                let mut shorter = self.plan.clone();
                shorter[tick].remove(at);
                if !self.takes(shorter) {
                    at += 1;
                }
            }
        }
    }

    fn leave_out_items(&mut self, tick: usize, at: usize) {
        let mut nth = 0;
        loop {
            let mut shorter = self.plan.clone();
            match &mut shorter[tick][at] {
                Action::Items(_, items) if nth < items.len() => items.remove(nth),
                _ => return,
            };
            if !self.takes(shorter) {
                nth += 1;
            }
        }
    }

    fn round(&mut self, random: &Random) {
        for tick in 0..self.plan.len() {
            for at in 0..self.plan[tick].len() {
                self.leave_out_items(tick, at);
                if let Some(rounder) = rounder(&self.plan[tick][at], random) {
                    let mut simpler = self.plan.clone();
                    simpler[tick][at] = rounder;
                    self.takes(simpler);
                }
            }
        }
    }
}

/// The same with a rounder number, if the test can draw that.
fn rounder(change: &Action, random: &Random) -> Option<Action> {
    let Action::Given(given) = change else {
        return None;
    };
    let is_drawn = |key: &str, value: Value| {
        random.choices.iter().any(|choice| match choice {
            Choice::Key(name, values, _) if name == key => match (values, value) {
                (Values::Float(low, high), Value::Float(value)) => (*low..=*high).contains(&value),
                (Values::Double(low, high), Value::Double(value)) => {
                    (*low..=*high).contains(&value)
                }
                (Values::Vec2(low, high), Value::Vec2(value)) => is_within(low, high, &value),
                (Values::Vec3(low, high), Value::Vec3(value)) => is_within(low, high, &value),
                _ => false,
            },
            _ => false,
        })
    };
    let given = given.iter().map(|(key, value)| {
        let rounder = match (*value)? {
            Value::Float(value) => Value::Float(value.round()),
            Value::Double(value) => Value::Double(value.round()),
            Value::Vec2(value) => Value::Vec2(value.map(f32::round)),
            Value::Vec3(value) => Value::Vec3(value.map(f32::round)),
            _ => return None,
        };
        is_drawn(key, rounder).then(|| (key.clone(), Some(rounder)))
    });
    Some(Action::Given(given.collect::<Option<_>>()?))
}

fn is_within(low: &[f32], high: &[f32], value: &[f32]) -> bool {
    let mut parts = low.iter().zip(high).zip(value);
    parts.all(|((low, high), part)| (*low..=*high).contains(part))
}

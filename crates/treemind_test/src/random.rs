//! Tries in which the game behaves at random, and the shortest way to a failure that one of them found.

use crate::Script;
use crate::condition::Conditions;
use crate::coverage::Covered;
use crate::failure::Failure;
use crate::player::Player;
use crate::written;
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
            return Err(shortest(script, plan, failure, conditions));
        }
    }
    Ok(())
}

/// What the game does in a try.
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
                Choice::Key(..) | Choice::Send(..) => {}
            }
        }
        plan.push(changes);
    }
    plan
}

fn happens(chance: f64, rng: &mut fastrand::Rng) -> bool {
    chance >= 1.0 || rng.f64() < chance
}

fn value(values: &Values, rng: &mut fastrand::Rng) -> Value {
    match values {
        Values::Of(all) => all[rng.usize(..all.len())],
        Values::Int(low, high) => Value::Int(rng.i64(low..=high)),
        Values::Float(low, high) => Value::Float(low + (high - low) * rng.f32()),
        Values::Double(low, high) => Value::Double(low + (high - low) * rng.f64()),
    }
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
    mut plan: Plan,
    mut failure: Box<Failure>,
    conditions: &mut Conditions,
) -> Box<Failure> {
    let mut replays = 0;
    let mut fails = |plan: &Plan, conditions: &mut Conditions| {
        replays += 1;
        let result = replay(script, plan, conditions, None);
        let is_same = |found: &Failure| found.at == failure.at;
        let found = result.err().filter(|found| is_same(found))?;
        Some((found, replays < MOST_REPLAYS))
    };
    // What comes after the failure does nothing for it, except that `eventually` needs its time.
    let mut kept: Option<Box<Failure>> = None;
    let mut size = plan.len();
    while size > 0 {
        let mut at = 0;
        while at < plan.len() {
            let mut shorter = plan.clone();
            shorter.drain(at..(at + size).min(plan.len()));
            match fails(&shorter, conditions) {
                Some((found, goes_on)) => {
                    plan = shorter;
                    kept = Some(found);
                    if !goes_on {
                        break;
                    }
                }
                None => at += size,
            }
        }
        size /= 2;
    }
    // Two ticks may become one.
    let mut tick = 0;
    while tick + 1 < plan.len() {
        let mut shorter = plan.clone();
        let changes = shorter.remove(tick);
        shorter[tick].splice(0..0, changes);
        match fails(&shorter, conditions) {
            Some((found, true)) => {
                plan = shorter;
                kept = Some(found);
            }
            _ => tick += 1,
        }
    }
    for tick in 0..plan.len() {
        let mut at = 0;
        while at < plan[tick].len() {
            let mut shorter = plan.clone();
            shorter[tick].remove(at);
            match fails(&shorter, conditions) {
                Some((found, true)) => {
                    plan = shorter;
                    kept = Some(found);
                }
                _ => at += 1,
            }
        }
    }
    for tick in 0..plan.len() {
        for at in 0..plan[tick].len() {
            if let Some(rounder) = rounder(&plan[tick][at]) {
                let mut simpler = plan.clone();
                simpler[tick][at] = rounder;
                if let Some((found, true)) = fails(&simpler, conditions) {
                    plan = simpler;
                    kept = Some(found);
                }
            }
        }
    }
    if let Some(found) = kept {
        failure = found;
    }
    failure.fixed = Some(written::test(script, &plan));
    failure
}

/// The same with a rounder number.
fn rounder(change: &Action) -> Option<Action> {
    let Action::Given(given) = change else {
        return None;
    };
    let rounder = |value: &Value| match *value {
        Value::Float(value) => Some(Value::Float(value.round())),
        Value::Double(value) => Some(Value::Double(value.round())),
        _ => None,
    };
    let given = given.iter().map(|(key, value)| {
        let value = value.as_ref()?;
        Some((key.clone(), Some(rounder(value)?)))
    });
    Some(Action::Given(given.collect::<Option<_>>()?))
}

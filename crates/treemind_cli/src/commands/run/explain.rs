//! `treemind explain`: why an agent did in a tick of a recording what it did.

use super::player::Player;
use super::replay::{failed, open, what_there_is};
use super::screening::agent_name;
use super::{named_mind, notes};
use crate::io::{self, Failure};
use crate::numbers::positive;
use crate::spoken::Spoken;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::tape::Stage;
use treemind_core::{Behaviour, Kind, NodeId, Population, PopulationId};
use treemind_explain::{Explainer, Explanation, Reason};
use treemind_recording::{Recording, ReplayError, Tape};
use treemind_replay::history::History;

/// Explain why an agent did what it did, in a tick of a recording.
///
/// Prints what the agent did and what led there; what began and what was cut off in the tick; and why it did nothing
/// else. Gives the values that decided, when they last changed, and who wrote them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The recording.
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// The tick.
    #[arg(long, value_name = "TICK", value_parser = positive)]
    tick: u64,
    /// The agent: its name, or its number from 1. Default: the first one.
    ///
    /// In a recording of a game other than the arena, its name is that of its population, `-` and its number there.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Of a file with several recordings, this one, counted from 1.
    #[arg(long, value_name = "N", value_parser = positive)]
    run: Option<u64>,
    /// Only this node: why it answered what it answered, or why it was not reached. Or only this rule: why it fired or
    /// did not, and when it fired last. Or only this goal or task of a planner: why it is pursued or is not.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    #[command(flatten)]
    spoken: Spoken,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Examples:
  treemind run guard.kdl --no-ui --ticks 400 --record guard.mcap
  treemind explain guard.mcap --tick 190
  treemind explain guard.mcap --tick 190 --node patrol
  treemind explain guard.mcap --tick 190 --language zh
  treemind explain guard.mcap --tick 190 --json

In the live view of `treemind run` and `treemind replay`, the key y shows the
same.";

/// What is said.
enum Told {
    Tick(Box<Explanation>),
    Nodes(Vec<Reason>),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let recording = Arc::new(open(&args.file, args.run)?);
    let stretches = recording.stretches();
    let mut stretches = stretches.iter();
    let Some(ticks) = stretches.find(|ticks| ticks.contains(&args.tick)) else {
        let there = what_there_is(&recording);
        let text = match recording.ticks().contains(&args.tick) {
            true => format!("tick {} is missing; {there}", args.tick),
            false => there,
        };
        return Err(failed(&args.file, &text));
    };
    let begin = ticks.start() - 1;
    let told = match notes::player(&recording, begin)? {
        Some(player) => in_arena(player, args)?,
        None => elsewhere(&recording, ticks.clone(), args)?,
    };
    if args.json {
        let json = match &told {
            Told::Tick(explanation) => serde_json::to_string_pretty(explanation),
            Told::Nodes(reasons) => serde_json::to_string_pretty(reasons),
        };
        let json = json.map_err(|error| failed(&args.file, &error.to_string()))?;
        return io::print_exact(|out| writeln!(out, "{json}"));
    }
    io::print_shown(|out| match &told {
        Told::Tick(explanation) => write!(out, "{explanation}"),
        Told::Nodes(reasons) => reasons.iter().try_for_each(|one| write!(out, "{one}")),
    })
}

/// Plays the arena to the tick, and asks there.
fn in_arena(mut player: Player, args: &Args) -> Result<Told, Failure> {
    let mind = named_mind(args.agent.as_deref(), &player)?;
    while player.tick() < args.tick {
        player.step();
    }
    let absent = || {
        let name = player.minds()[mind].name();
        failed(
            &args.file,
            &format!("{name} does not decide in tick {}", args.tick),
        )
    };
    let explainer = player.minds()[mind].explainer().ok_or_else(absent)?;
    told(explainer, player.population(mind), args)
}

/// What is asked for.
fn told(explainer: &Explainer, population: &Population, args: &Args) -> Result<Told, Failure> {
    let Some(name) = &args.node else {
        let explanation = explainer.explain_in(population, args.spoken.language());
        return Ok(Told::Tick(Box::new(explanation)));
    };
    let language = args.spoken.language();
    let found = named_in(population.program().behaviour(), name)?.into_iter();
    let reasons = found.filter_map(|(node, part)| match part {
        Named::Node => Some(explainer.why_in(population, node, language)),
        Named::Rule(rule) => explainer.why_rule_in(population, node, rule, language),
        Named::Goal(goal) => Some(explainer.why_goal_in(population, (node, goal), language)),
    });
    Ok(Told::Nodes(reasons.collect()))
}

/// Plays the agents of another game to the tick, and asks there.
fn elsewhere(
    recording: &Recording,
    ticks: RangeInclusive<u64>,
    args: &Args,
) -> Result<Told, Failure> {
    let unplayed = |error: ReplayError| failed(&args.file, &error.to_string());
    let mut history = History::at_begin(Tape::of(recording, ticks)).map_err(unplayed)?;
    history.go_to(args.tick).map_err(unplayed)?;
    let wanted = args.agent.as_deref().unwrap_or("1");
    let absent = |history: &History<Tape>| {
        let there = listed(history.stage());
        let text = format!(
            "there is no agent `{wanted}` in tick {}; {there}",
            args.tick
        );
        failed(&args.file, &text)
    };
    let found = named(wanted, &history);
    let nth = found.ok_or_else(|| absent(&history))?;
    history.look_at(nth).map_err(unplayed)?;
    let both = history.follower(nth).zip(history.population(nth));
    let (follower, (_, population)) = both.ok_or_else(|| absent(&history))?;
    let explainer = follower.explainer().ok_or_else(|| absent(&history))?;
    told(explainer, population, args)
}

/// The number of an agent that the command line names, if it lives: `guard`, `guard-3`, or `3`.
fn named(wanted: &str, history: &History<Tape>) -> Option<usize> {
    let stage = history.stage();
    let number = wanted.parse::<usize>().ok();
    let number = number.and_then(|number| number.checked_sub(1));
    let ids = stage.populations();
    let mut places = ids.iter().flat_map(|id| {
        let count = stage.population(*id).map_or(0, Population::len);
        (0..count).map(move |agent| (*id, agent))
    });
    let is_wanted = |(id, agent): &(PopulationId, usize)| match number {
        // A number is one of the first population.
        Some(number) => *agent == number && ids.first() == Some(id),
        None => {
            let name = stage.name(*id);
            let count = stage.population(*id).map_or(0, Population::len);
            wanted == agent_name(name, count == 1, *agent)
                || wanted == agent_name(name, false, *agent)
                || wanted == name && *agent == 0
        }
    };
    let (id, agent) = places.find(is_wanted)?;
    let is_alive = stage.population(id)?.is_alive(agent);
    is_alive.then(|| history.roster().number(id, agent))?
}

/// The populations of a recording, for people.
fn listed(stage: &Stage) -> String {
    let told = stage.populations().into_iter().map(|id| {
        let count = stage.population(id).map_or(0, Population::len);
        let name = stage.name(id);
        match count {
            1 => format!("`{name}`"),
            _ => format!("`{name}-1` to `{name}-{count}`"),
        }
    });
    let told: Vec<String> = told.collect();
    format!("there are {}", told.join(", "))
}

/// What a name is of: the node itself, or something of it by its number.
#[derive(Clone, Copy)]
enum Named {
    Node,
    Rule(usize),
    Goal(usize),
}

/// The names of a node and of what it has. A task of a planner says what the planner does.
fn names(behaviour: &Behaviour, id: NodeId) -> Vec<(&str, Named)> {
    let mut names = vec![(behaviour.label(id), Named::Node)];
    match &behaviour.node(id).kind {
        Kind::Rules { rules, .. } => {
            let rules = rules.iter().enumerate();
            names.extend(rules.map(|(number, rule)| (rule.name.as_str(), Named::Rule(number))));
        }
        Kind::Planner(planner) => {
            let goals = planner.goals.iter().enumerate();
            names.extend(goals.map(|(number, goal)| (goal.name.as_str(), Named::Goal(number))));
            let tasks = planner.tasks.iter();
            names.extend(tasks.map(|task| (task.name.as_str(), Named::Node)));
        }
        _ => {}
    }
    names
}

/// What has this name: nodes, rules, and goals and tasks of planners.
fn named_in(behaviour: &Behaviour, name: &str) -> Result<Vec<(NodeId, Named)>, Failure> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for id in behaviour.node_ids() {
        for (own, part) in names(behaviour, id) {
            known.insert(own);
            if own == name {
                found.push((id, part));
            }
        }
    }
    if found.is_empty() {
        let known: Vec<&str> = known.into_iter().collect();
        let text = format!(
            "no node, rule, goal or task is named `{name}`; there are `{}`",
            known.join("`, `")
        );
        return Err(Failure::failed(text));
    }
    // A step comes before a goal of the same name.
    found.sort_by_key(|(_, part)| matches!(part, Named::Goal(_)));
    Ok(found)
}

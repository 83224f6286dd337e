//! `treemind explain`: why an agent did in a tick of a recording what it did.

use super::player::Player;
use super::replay::{failed, open, what_there_is};
use super::{named_mind, notes};
use crate::io::{self, Failure};
use crate::numbers::positive;
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::{Behaviour, NodeId, Population};
use treemind_explain::{Explainer, Explanation, Fellows, Reason};
use treemind_recording::{Film, Recording};

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
    /// Only this node: why it answered what it answered, or why it was not reached.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Examples:
  treemind run guard.kdl --no-ui --ticks 400 --record guard.mcap
  treemind explain guard.mcap --tick 190
  treemind explain guard.mcap --tick 190 --node patrol
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
        None => {
            let begin = recording.cast_since(args.tick).max(begin);
            elsewhere(&recording, begin, args)?
        }
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
    let Some(name) = &args.node else {
        let explanation = player.explanation(mind).ok_or_else(absent)?;
        return Ok(Told::Tick(Box::new(explanation)));
    };
    let nodes = nodes(player.behaviour(mind), name)?;
    let reasons: Option<Vec<Reason>> = nodes.iter().map(|node| player.why(mind, *node)).collect();
    reasons.map(Told::Nodes).ok_or_else(absent)
}

/// Plays the agents of another game to the tick, and asks there.
fn elsewhere(recording: &Arc<Recording>, begin: u64, args: &Args) -> Result<Told, Failure> {
    let broken = |error: &dyn std::fmt::Display| failed(&args.file, &error.to_string());
    let mut film = Film::at(Arc::clone(recording), begin).map_err(|error| broken(&error))?;
    let mut explainer: Option<Explainer> = None;
    let wanted = Wanted::read(args.agent.as_deref().unwrap_or("1"));
    while film.tick() < args.tick {
        let agent = wanted.find(&film);
        // An agent that is not there yet, or whose place somebody else has got, has no past.
        match (&mut explainer, agent) {
            (Some(known), Some((_, population, agent))) if known.agent() == agent => {
                known.before_tick(population);
            }
            (known, Some((name, population, agent))) => {
                let follow = Explainer::new(population, agent).among(Fellows::numbered(name));
                let named = format!("{name}-{}", agent + 1);
                let mut follow = if population.len() == 1 {
                    follow.named(name)
                } else {
                    follow.named(named)
                };
                follow.before_tick(population);
                *known = Some(follow);
            }
            (known, None) => *known = None,
        }
        if !film.step().map_err(|error| broken(&error))? {
            break;
        }
        let place = wanted.find(&film);
        if let (Some(known), Some((_, population, _))) = (&mut explainer, place)
            && let Some(trace) = film.trace(wanted.population(&film))
        {
            known.after_tick(population, trace);
        }
    }
    let (Some(explainer), Some((_, population, _))) = (&explainer, wanted.find(&film)) else {
        let text = format!(
            "there is no agent `{}` in tick {}; {}",
            wanted.text,
            args.tick,
            listed(&film)
        );
        return Err(failed(&args.file, &text));
    };
    let Some(name) = &args.node else {
        return Ok(Told::Tick(Box::new(explainer.explain(population))));
    };
    let nodes = nodes(population.program().behaviour(), name)?;
    let reasons = nodes.iter().map(|node| explainer.why(population, *node));
    Ok(Told::Nodes(reasons.collect()))
}

/// An agent as the command line names it: `guard`, `guard-3`, or `3`.
struct Wanted<'t> {
    text: &'t str,
    /// The name of the population; the first one without a name.
    population: Option<&'t str>,
    agent: usize,
}

impl<'t> Wanted<'t> {
    fn read(text: &'t str) -> Self {
        let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let (population, agent) = match (number(text), text.rsplit_once('-')) {
            (Some(agent), _) => (None, agent),
            (None, Some((name, nth))) if number(nth).is_some() => {
                (Some(name), number(nth).unwrap_or(0))
            }
            (None, _) => (Some(text), 0),
        };
        Self {
            text,
            population,
            agent,
        }
    }

    fn population(&self, film: &Film<Arc<Recording>>) -> treemind_core::PopulationId {
        let stage = film.stage();
        let ids = stage.populations();
        let mut named = ids
            .iter()
            .filter(|id| self.population == Some(stage.name(**id)));
        named.next().copied().unwrap_or(ids[0])
    }

    /// Its population with its name, and its index there.
    fn find<'f>(&self, film: &'f Film<Arc<Recording>>) -> Option<(&'f str, &'f Population, usize)> {
        let (stage, id) = (film.stage(), self.population(film));
        let population = stage.population(id)?;
        let name = stage.name(id);
        let is_it = self.population.is_none_or(|wanted| wanted == name);
        let is_there = self.agent < population.len() && population.is_alive(self.agent);
        (is_it && is_there).then_some((name, population, self.agent))
    }
}

/// The populations of a recording, for people.
fn listed(film: &Film<Arc<Recording>>) -> String {
    let stage = film.stage();
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

/// The nodes with a label.
fn nodes(behaviour: &Behaviour, name: &str) -> Result<Vec<NodeId>, Failure> {
    let all = behaviour.node_ids();
    let found: Vec<NodeId> = all.filter(|id| behaviour.label(*id) == name).collect();
    if found.is_empty() {
        let labels = behaviour.node_ids().map(|id| behaviour.label(id));
        let mut labels: Vec<&str> = labels.collect();
        labels.sort_unstable();
        labels.dedup();
        let text = format!(
            "no node is named `{name}`; there are `{}`",
            labels.join("`, `")
        );
        return Err(Failure::Failed(text));
    }
    Ok(found)
}

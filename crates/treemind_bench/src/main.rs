//! What Treemind costs, beside code written by hand and other crates. `cargo xtask bench` has it write
//! docs/performance.md.

mod ablation;
mod by_hand;
mod case;
mod contender;
mod count;
mod crowd;
mod facts;
mod load;
mod long_searches;
mod measure;
mod minds;
mod ours;
mod page;
mod peers;
mod planners;
mod plot;
mod post;
mod rollback;
mod runner;
mod saving;
mod spawn;
mod table;

use case::Case;
use clap::{Args, Parser, Subcommand};
use facts::Change;
use runner::{By, Setting};
use std::path::PathBuf;
use std::process::ExitCode;

/// What Treemind costs, beside code written by hand and other crates.
#[derive(Parser)]
#[command(after_help = EXAMPLES)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  treemind_bench one guard --by closures
  treemind_bench one guard --agents 100000 --by columns --steady
  treemind_bench one guard --agents 1000000 --by columns --threads 2
  treemind_bench load 5000
  treemind_bench spawn 100000
  treemind_bench post 100000
  treemind_bench crowd 1000000
  treemind_bench planners
  treemind_bench ablation
  valgrind --tool=callgrind target/dist/treemind_bench play machine --ticks 10000";

#[derive(Subcommand)]
enum Command {
    /// Measures one case
    One(One),
    /// Plays one case without reading the clock, for valgrind and perf
    Play {
        #[command(flatten)]
        one: One,
        /// The number of ticks
        #[arg(long, default_value_t = 1_000)]
        ticks: usize,
    },
    /// Measures what it costs to read, check and lower a document of this many nodes
    Load { nodes: usize },
    /// Measures what it costs to add this many agents to a population, and to remove them
    Spawn { agents: usize },
    /// Measures what it costs when this many agents emit events to one another
    Post { agents: usize },
    /// Measures what it costs when few of this many agents have to think in a tick
    Crowd { agents: usize },
    /// Says how many bytes the last 60 ticks of this many agents take, of whom one in 20 changes in each tick
    Rollback { agents: usize },
    /// Measures what it costs to save this many agents, to restore them, and to move one to another population
    Save { agents: usize },
    /// Measures what planners cost, and rules, searches for places and networks
    Planners,
    /// Measures what each shortcut of a tick gains alone
    Ablation,
    /// Plays everything whose instructions `cargo xtask counts` counts
    Counts,
    /// Measures everything and writes docs/performance.md, its plots and the figures of README.md
    Page {
        /// The repository
        #[arg(long, default_value = ".")]
        root: PathBuf,
        /// The commit that is measured, for the page
        #[arg(long)]
        commit: String,
    },
}

#[derive(Args)]
struct One {
    /// The case
    #[arg(value_enum)]
    case: Case,
    /// The number of agents
    #[arg(long, default_value_t = 1)]
    agents: usize,
    /// The contender
    #[arg(long, value_enum, default_value_t = By::Closures)]
    by: By,
    /// Draw the facts only once instead of for every tick
    #[arg(long)]
    steady: bool,
    /// Draw new facts for only this share of the agents in every tick, from 0 to 1
    #[arg(long, conflicts_with = "steady")]
    share: Option<f64>,
    /// The number of threads; with several, wall time is measured
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl One {
    fn setting(&self) -> Result<Setting, String> {
        let setting = Setting {
            case: self.case,
            agents: self.agents.max(1),
            change: match self.share {
                Some(share) => Change::Share(share),
                None if self.steady => Change::Nothing,
                None => Change::All,
            },
            by: self.by,
            threads: self.threads.max(1),
            without: None,
        };
        match setting.can_be_done() {
            true => Ok(setting),
            false => Err(format!(
                "`{}` is not done by {} on {} threads",
                self.case.name(),
                self.by.name(),
                setting.threads
            )),
        }
    }
}

fn main() -> ExitCode {
    match run(Program::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("treemind_bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), String> {
    match command {
        Command::One(one) => {
            let measured = measure::measure(&one.setting()?).expect("it can be done");
            println!(
                "{:.3} ns per agent and tick, {:.3} at least; {} allocations; {:.3} bytes per agent",
                measured.median(),
                measured.least(),
                measured.allocations,
                measured.bytes_per_agent
            );
        }
        Command::Play { one, ticks } => {
            let setting = one.setting()?;
            let mut runner = setting.runner().expect("it can be done");
            let mut facts = setting.facts();
            let batch = measure::ticks_of_batch(&setting, &*runner);
            for first in (0..ticks).step_by(batch) {
                let now = batch.min(ticks - first);
                facts.draw(now);
                runner.get_ready(&facts, now);
                runner.run(now);
            }
        }
        Command::Load { nodes } => {
            let loaded = load::measure(nodes);
            println!(
                "{} nodes: {:.0} ns each to read and check, {:.0} to lower; the crate kdl takes {:.0} to parse",
                loaded.nodes, loaded.read, loaded.lower, loaded.parse
            );
        }
        Command::Spawn { agents } => {
            let spawned = spawn::measure(agents.max(1));
            println!(
                "{} agents: {:.1} ns each to add one by one, {:.1} to add together, {:.1} to remove every second one, {:.1} to add others in their places",
                spawned.agents,
                spawned.one_by_one,
                spawned.together,
                spawned.removed,
                spawned.refilled
            );
        }
        Command::Post { agents } => {
            let agents = agents.max(1);
            for talk in post::TALKS {
                let step = post::measure(talk, agents);
                let each = step / agents as f64;
                let words = talk.words();
                println!("{agents} agents {words}: {step:.0} ns a step, {each:.3} per agent");
            }
        }
        Command::Crowd { agents } => {
            let agents = agents.max(1);
            for idling in crowd::CROWDS {
                let tick = crowd::measure(idling, agents, None);
                let each = tick / agents as f64;
                let words = idling.words();
                println!("{agents} agents {words}: {tick:.0} ns a tick, {each:.3} per agent");
            }
        }
        Command::Rollback { agents } => {
            let guards = rollback::Guards::new(agents.max(1), true);
            let (window, state) = (guards.window_bytes(), guards.state_bytes());
            println!("{agents} guards: {window} bytes for 60 ticks, {state} bytes of state");
        }
        Command::Save { agents } => {
            let agents = agents.max(1);
            let saved = saving::measure(agents);
            println!(
                "{agents} guards: {} bytes, {:.1} ns each to save, {:.1} to restore; one alone: {} bytes, {:.0} ns to move",
                saved.bytes, saved.save, saved.restore, saved.bytes_of_one, saved.one_move
            );
        }
        Command::Planners => {
            let figures = planners::measure(&|_| ());
            for figure in figures.into_iter().chain(minds::measure(&|_| ())) {
                println!(
                    "{}: {} (target {})",
                    figure.what, figure.found, figure.wanted
                );
            }
        }
        Command::Ablation => println!(
            "{}",
            ablation::table(&|what| eprintln!("treemind_bench: {what}"))
        ),
        Command::Counts => count::run(),
        Command::Page { root, commit } => {
            page::write(&root, &commit).map_err(|error| format!("cannot write: {error}"))?;
        }
    }
    Ok(())
}

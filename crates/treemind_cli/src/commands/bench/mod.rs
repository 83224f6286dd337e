//! `treemind bench`: what a tick costs.

mod case;
mod closures;
mod columns;
mod facts;
mod load;
mod peers;
mod report;
mod threads;

use crate::io::{Failure, print_exact, tell};
use case::Case;
use clap::ValueEnum;
use report::Measured;

/// Measure what a tick costs in one of the built-in cases.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The case to measure.
    #[arg(value_enum)]
    case: Case,
    /// The number of agents, up to 4 000 000.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    agents: u32,
    /// The number of threads. With more than one, wall time is measured.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// How the game answers conditions and carries out actions.
    #[arg(long, value_enum, default_value_t = HostKind::Closures)]
    host: HostKind,
    /// The number of ticks. Default: 100 000 for one agent, else enough for a second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ticks: Option<u32>,
    /// For `load`: the number of nodes of the document.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: Option<u32>,
    /// Choose the facts once instead of anew for every tick.
    #[arg(long)]
    steady: bool,
    /// Print nothing but the JSON object.
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Cases:
  guard        a guard that attacks an enemy in sight, runs away when its health
               is low, and patrols otherwise; its facts are booleans
  guard-expr   the same; the document compares floats
  utility      the same by utility: four considerations on curves
  decide       the guard as a decision tree
  decide-expr  the same; the document compares floats
  inverters    a condition below 100 `invert`
  row          a sequence of 100 conditions that all hold
  machine      a state machine with the facts of the guard: idle, walk, attack,
               with an alarm. With one thread, standard error compares it with
               the same machine written by hand and with statig
  load         reads, checks and lowers a document of 5 000 nodes (or --nodes),
               and compares that with the parser of the crate kdl

Hosts:
  columns      facts and requests are columns of bits; nothing is called
  closures     the game's closures are called for each agent

With one agent, choosing the facts is part of the figure; with more it is not.
The last line on standard output is a JSON object. Its ns_per_agent_tick is the
median over batches of the thread's CPU time, or of wall time with several
threads.

Examples:
  treemind bench guard
  treemind bench guard --agents 100000 --host columns
  treemind bench guard-expr --agents 10000 --host columns --json
  treemind bench load --nodes 20000";

/// What stands in for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HostKind {
    /// Columns of bits.
    Columns,
    /// Closures of the registry.
    Closures,
}

impl HostKind {
    fn name(self) -> &'static str {
        match self {
            HostKind::Columns => "columns",
            HostKind::Closures => "closures",
        }
    }
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.case == Case::Load {
        return load::run(args);
    }
    if args.nodes.is_some() {
        return Err(Failure::Usage(
            "`--nodes` is for the case `load`".to_owned(),
        ));
    }
    if args.threads > 1 && args.agents == 1 {
        return Err(Failure::Usage(
            "one agent is ticked by one thread; give more `--agents`, or leave out `--threads`"
                .to_owned(),
        ));
    }
    let mut measured: Measured = match args.host {
        _ if args.threads > 1 => threads::measure(args)?,
        HostKind::Columns => columns::measure(args)?,
        HostKind::Closures => closures::measure(args)?,
    };
    if args.case == Case::Machine && args.threads == 1 {
        measured.peers = peers::measure(args, &measured)?;
        if !args.json {
            tell(report::table(args, &measured));
        }
    }
    print_exact(|out| {
        if !args.json {
            out.write_all(report::for_people(args, &measured).as_bytes())?;
        }
        writeln!(out, "{}", report::json(args, &measured))
    })
}

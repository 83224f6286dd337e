//! `treemind bench`: what a tick costs.

mod case;
mod closures;
mod columns;
mod facts;
mod load;
mod peers;
mod report;
mod threads;

use crate::io::{Failure, print_result, tell};
use case::Case;
use clap::ValueEnum;
use report::Measured;

/// Measure what a tick of a known case costs.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// What is measured.
    #[arg(value_enum)]
    case: Case,
    /// How many agents, up to 4 000 000.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    agents: u32,
    /// How many threads; with more than one the figure is of wall time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// What answers the conditions and carries out the actions.
    #[arg(long, value_enum, default_value_t = HostKind::Closures)]
    host: HostKind,
    /// How many ticks; without it 100 000 for one agent, else enough for a second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ticks: Option<u32>,
    /// Of `load`: how many nodes the document has.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    nodes: Option<u32>,
    /// Draw the facts once and let them stay, instead of drawing them anew for every tick.
    #[arg(long)]
    steady: bool,
    /// Print nothing but the JSON object.
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Cases:
  guard        sees an enemy? low on health: runs away, enemy not dead: attacks;
               else patrols; its facts are yes or no
  guard-expr   the same with comparisons of floats in the document
  utility      the same by scores, from four considerations on curves
  decide       the guard as a decision tree
  decide-expr  the same with comparisons of floats in the document
  inverters    a condition under 100 `invert`
  row          a sequence of 100 conditions that all hold
  machine      a state machine with the facts of the guard: idle, walk, attack,
               with an alarm; with one thread beside the same machine written
               by hand and with the library statig, in a table on standard error
  load         reads, checks and lowers a document of 5 000 nodes (or --nodes),
               beside what the crate kdl takes to parse it

Hosts:
  columns      facts are bits in columns, requests are bit masks: no calls
  closures     a closure of the game's is called for every agent that gets there

With one agent the drawing of facts is part of the figure, with more it is not.
The last line on standard output is one JSON object; ns_per_agent_tick is the
median over batches of the thread's CPU time; with several threads, of wall
time.

Examples:
  treemind bench guard
  treemind bench guard --agents 100000 --host columns
  treemind bench guard-expr --agents 10000 --host columns --json
  treemind bench load --nodes 100000";

/// What stands in for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HostKind {
    /// Bits in columns
    Columns,
    /// Closures of the registry
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
            "one agent is ticked by one thread; give more `--agents`, or leave `--threads` away"
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
            tell(&report::table(args, &measured));
        }
    }
    print_result(|out| {
        if !args.json {
            out.write_all(report::for_people(args, &measured).as_bytes())?;
        }
        writeln!(out, "{}", report::json(args, &measured))
    })
}

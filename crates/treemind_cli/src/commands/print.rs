//! `treemind print`: a tree as an outline, and its size.

use crate::io::{self, Failure, What, print_result};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::{Behaviour, Kind, Population, Program};
use treemind_doc::Archetype;

/// A population large enough to show what an agent takes among many.
const MANY: usize = 1_024;

/// Print a tree or a state machine as an indented outline.
///
/// One line per node: its kind, its name, and its doc; of a machine the states, and where transitions lead.
/// In front of the tree of an archetype stands what that is given.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: What,
    /// Print its size and that of an agent instead.
    #[arg(long)]
    stats: bool,
}

const AFTER: &str = "\
Examples:
  treemind print guard.kdl
  treemind print guard.kdl --stats
  treemind print hunters.kdl --archetype archer";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let document = io::sound_document(&args.file, args.what.known())?;
    let behaviour = io::behaviour_of(&document, &args.what)?;
    if args.stats {
        return print_result(|out| stats(behaviour, out));
    }
    let name = args.what.archetype.as_deref();
    let archetype = name.and_then(|name| document.archetype(name));
    print_result(|out| {
        if let Some(archetype) = archetype {
            head(archetype, &behaviour, out)?;
        }
        out.write_all(treemind_doc::outline(&behaviour).as_bytes())
    })
}

/// What an archetype says beyond its tree.
fn head(archetype: &Archetype, behaviour: &Behaviour, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "archetype {}", archetype.name())?;
    if let Some(number) = archetype.number() {
        write!(out, " number={number}")?;
    }
    if let Some(doc) = archetype.doc() {
        let one_line: Vec<&str> = doc.split_whitespace().collect();
        write!(out, "  // {}", one_line.join(" "))?;
    }
    writeln!(out)?;
    for (key, value) in archetype.given() {
        writeln!(out, "  given {key}={}", behaviour.display_value(value))?;
    }
    Ok(())
}

/// How many states and transitions its machines have.
fn machines(behaviour: &Behaviour, out: &mut dyn Write) -> std::io::Result<()> {
    let machines = behaviour
        .nodes()
        .iter()
        .filter_map(|node| match &node.kind {
            Kind::Machine(machine) => Some(machine),
            _ => None,
        });
    for machine in machines {
        // The first state is the machine itself.
        let states = machine.states.len() - 1;
        let levels = (0..machine.states.len()).map(|state| machine.level(state));
        writeln!(
            out,
            "  machine {}: {states} states on {} levels, {} transitions",
            machine.states[0].name,
            levels.max().unwrap_or(0),
            machine.transitions.len()
        )?;
    }
    Ok(())
}

/// How much its decision trees ask.
fn decisions(behaviour: &Behaviour, out: &mut dyn Write) -> std::io::Result<()> {
    for id in behaviour.node_ids() {
        let node = behaviour.node(id);
        let Kind::Decide(decision) = &node.kind else {
            continue;
        };
        let size = treemind_doc::decision_size(decision, node.children.len());
        writeln!(
            out,
            "  decision tree {}: {} tests, {} deep, {} leaves, {} shared parts; {:.2} tests on average, each way being as likely",
            behaviour.label(id),
            size.tests,
            size.depth,
            size.leaves,
            size.shared,
            size.expected_tests
        )?;
    }
    Ok(())
}

/// How large the tree is, how much of it is what, and what an agent takes.
fn stats(behaviour: Behaviour, out: &mut dyn Write) -> std::io::Result<()> {
    let word = io::word_of(&behaviour);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for node in behaviour.nodes() {
        *kinds.entry(node.kind.keyword()).or_default() += 1;
    }
    let levels = behaviour
        .nodes()
        .iter()
        .map(|node| node.depth + 1)
        .max()
        .unwrap_or(0);
    writeln!(out, "{word} {}", behaviour.name())?;
    writeln!(
        out,
        "  nodes: {}, on {levels} levels",
        behaviour.nodes().len()
    )?;
    let width = kinds.keys().map(|kind| kind.len()).max().unwrap_or(0);
    for (kind, count) in kinds {
        writeln!(out, "    {kind:width$}  {count}")?;
    }
    machines(&behaviour, out)?;
    decisions(&behaviour, out)?;
    writeln!(out, "  leaves of the host: {}", behaviour.leaves().len())?;
    writeln!(out, "  keys of the blackboard: {}", behaviour.keys().len())?;
    let program = Arc::new(Program::new(behaviour));
    writeln!(out, "  instructions: {}", program.instructions())?;
    writeln!(out, "  slots per agent: {}", program.slots())?;
    let alone = Population::new(Arc::clone(&program), 1).state_bytes();
    let many = Population::new(program, MANY).state_bytes() as f64 / MANY as f64;
    writeln!(out, "  state of one agent alone: {alone} bytes")?;
    writeln!(out, "  state per agent of {MANY}: {many:.2} bytes")
}

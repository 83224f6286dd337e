//! `treemind print`: a tree as an outline, and its size.

use super::profile;
use crate::io::{self, Failure, Line, Selection, print_shown};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use treemind_core::behaviour::TestName;
use treemind_core::{Behaviour, Kind, Population, Program};
use treemind_doc::{About, Archetype, Document, visible_line};
use treemind_learn::Profile;

/// A population large enough to show the memory of one agent among many.
const MANY: usize = 1_024;

/// Print a tree or a state machine as an indented outline.
///
/// One line per node, with its kind, name and doc. For a state machine, its states and transitions. For an archetype,
/// first the keys that it sets.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// The document, in any format; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    what: Selection,
    /// Print statistics instead: nodes by kind, and the memory of an agent.
    #[arg(long)]
    stats: bool,
    /// Show how often each test of a decision tree was asked and what it answered; with `--stats`, the expected cost.
    #[arg(long, value_name = "JSON")]
    profile: Option<PathBuf>,
    /// Run the tests of the document, and mark with `!` what none of them reached.
    #[arg(long, conflicts_with_all = ["stats", "profile"])]
    coverage: bool,
}

const AFTER: &str = "\
Examples:
  treemind print guard.kdl
  treemind print guard.kdl --stats
  treemind print examples/01-guard/guard.kdl --coverage
  treemind print examples/08-hunter/hunter.kdl --archetype elf-archer
  cd examples/09-watchman
  treemind trace watchman.kdl --script night.txt --ticks 99 --profile night.json
  treemind print watchman.kdl --profile night.json";

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    io::one_stdin([
        Some(&args.file),
        args.profile.as_ref(),
        args.what.manifest.as_ref(),
    ])?;
    let document = io::sound_document(&args.file, args.what.known())?;
    let behaviour = io::behaviour_of(&document, &args.what)?;
    if args.coverage {
        return coverage(&document, &args.what, &behaviour);
    }
    let profile = args.profile.as_deref().map(profile::read).transpose()?;
    if let Some(profile) = &profile {
        warn(&behaviour, profile);
    }
    if args.stats {
        return print_shown(|out| stats(behaviour, profile.as_ref(), out));
    }
    let name = args.what.archetype.as_deref();
    let archetype = name.and_then(|name| document.archetype(name));
    print_shown(|out| {
        if let Some(archetype) = archetype {
            head(archetype, &behaviour, out)?;
        }
        match &profile {
            Some(profile) => profiled(&behaviour, profile, out),
            None => out.write_all(treemind_doc::outline(&behaviour).as_bytes()),
        }
    })
}

/// The outline, in which lines that no test reached are marked.
fn coverage(document: &Document, what: &Selection, behaviour: &Behaviour) -> Result<(), Failure> {
    let report = treemind_test::run(document, "").map_err(|diagnostics| {
        io::show(&diagnostics);
        Failure::Reported
    })?;
    if report.outcomes.is_empty() {
        let text = "the document has no tests; docs/testing.md describes how they are written";
        return Err(Failure::failed(text.to_owned()));
    }
    let subject = what.subject().or(document.main_subject());
    let subject = subject.map(|subject| document.definition_of(&subject));
    let all = &report.coverage.outlines;
    let found = all
        .iter()
        .find(|one| Some(&one.subject) == subject.as_ref());
    let Some(outline) = found else {
        let name = visible_line(behaviour.name());
        let text = format!("no test runs `{name}` alone; its nodes count where it is used");
        return Err(Failure::failed(text));
    };
    let failed = report.outcomes.iter().filter(|one| !one.passed()).count();
    if failed > 0 {
        let sentence = format!("{failed} of the tests failed: `treemind test` says why");
        io::tell(Line::warning(&sentence));
    }
    print_shown(|out| {
        let head = treemind_doc::outline(behaviour);
        writeln!(out, " {}", head.lines().next().unwrap_or_default())?;
        write!(out, "{outline}")
    })
}

/// Warns where the profile and the decision trees do not match.
fn warn(behaviour: &Behaviour, profile: &Profile) {
    let own = Profile::of(behaviour);
    for (name, of) in own.decisions() {
        let Some(known) = profile.decision(name) else {
            let sentence = format!("the profile has no counts for `{name}`");
            io::tell(Line::warning(&sentence));
            continue;
        };
        let tests = of.tests().iter().map(|test| TestName {
            of: name.to_owned(),
            test: test.test.clone(),
            ways: test.ways.clone(),
        });
        let stale = known.stale(&tests.collect::<Vec<_>>());
        profile::warn_of_stale(name, &stale);
    }
}

/// The outline, with the counts of the profile after each test.
fn profiled(behaviour: &Behaviour, profile: &Profile, out: &mut dyn Write) -> std::io::Result<()> {
    let mut taken = BTreeMap::new();
    for line in treemind_doc::outline_lines(behaviour) {
        write!(out, "{}{}", " ".repeat(line.indent), line.text)?;
        let (node, step, way) = match line.about {
            About::Test(node, step) => (node, step, None),
            About::Way(node, step, way) => (node, step, Some(way)),
            _ => {
                writeln!(out)?;
                continue;
            }
        };
        let Kind::Decide(decision) = &behaviour.node(node).kind else {
            writeln!(out)?;
            continue;
        };
        let taken = taken.entry(node.index());
        let taken = taken.or_insert_with(|| profile.taken(decision));
        match (&taken[step], way) {
            (None, _) => writeln!(out)?,
            (Some(counts), Some(way)) => writeln!(out, "  // {}", counts[way])?,
            (Some(counts), None) => {
                let asked: u64 = counts.iter().sum();
                match decision.steps[step].ways().len() {
                    2 if decision.tests[step].ways == ["yes", "no"] => {
                        writeln!(
                            out,
                            "  // asked {asked}: yes {}, no {}",
                            counts[0], counts[1]
                        )?;
                    }
                    _ => writeln!(out, "  // asked {asked}")?,
                }
            }
        }
    }
    Ok(())
}

/// The parts of an archetype other than its tree.
fn head(archetype: &Archetype, behaviour: &Behaviour, out: &mut dyn Write) -> std::io::Result<()> {
    write!(out, "archetype {}", archetype.name())?;
    if let Some(number) = archetype.number() {
        write!(out, " number={number}")?;
    }
    if archetype.interval() > 1 {
        write!(out, " every={}", archetype.interval())?;
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

/// How many states and transitions the machines of the behaviour have.
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

/// How many tests the decision trees of the behaviour have, and their expected cost.
fn decisions(
    behaviour: &Behaviour,
    profile: Option<&Profile>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for id in behaviour.node_ids() {
        let node = behaviour.node(id);
        let Kind::Decide(decision) = &node.kind else {
            continue;
        };
        let size = treemind_learn::decision_size(decision, node.children.len());
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
    let own = Profile::of(behaviour);
    for (name, _) in own.decisions() {
        let known = profile.and_then(|profile| profile.decision(name));
        if let Some(known) = known
            && let (Some(tests), Some(cost)) = (known.expected_tests(), known.cost())
        {
            let asked = known.asked();
            writeln!(
                out,
                "  decision tree {name}, profiled: asked {asked} times, {tests:.2} tests at a cost of {cost:.2} on average"
            )?;
        }
    }
    Ok(())
}

/// The size of the tree, its nodes by kind, and the memory of an agent.
fn stats(
    behaviour: Behaviour,
    profile: Option<&Profile>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let word = treemind_replay::follow::word_of(&behaviour);
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
    decisions(&behaviour, profile, out)?;
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

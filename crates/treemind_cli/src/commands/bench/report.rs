//! What was measured, for people and for programs.

use super::Args;
use super::peers::Peer;
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;
use treemind::{Population, Program};

/// The time of a tick, as batches gave it.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// Nanoseconds per agent and tick, one per batch.
    pub(super) batches: Vec<f64>,
    pub(super) ticks: u64,
    pub(super) allocations: u64,
    pub(super) state_bytes: usize,
    pub(super) working_bytes: usize,
    /// Ticks spent in what the [case](super::case::Case::counted) counts, over all agents.
    pub(super) histogram: Option<[u64; 3]>,
    pub(super) nodes: usize,
    pub(super) instructions: usize,
    /// The same elsewhere.
    pub(super) peers: Vec<Peer>,
}

impl Measured {
    /// Nothing yet.
    pub(super) fn of(args: &Args, program: &Program) -> Self {
        Self {
            histogram: args.case.has_facts().then_some([0; 3]),
            nodes: program.behaviour().nodes().len(),
            instructions: program.instructions(),
            ..Self::default()
        }
    }

    /// One batch more. The allocations of the first are not counted: memory is set aside in it.
    pub(super) fn batch(&mut self, spent: Duration, ticks: u64, agents: usize, allocations: u64) {
        if self.ticks > 0 {
            self.allocations += allocations;
        }
        self.ticks += ticks;
        self.batches
            .push(spent.as_nanos() as f64 / (ticks as f64 * agents as f64));
    }

    /// The last: what the population weighs.
    pub(super) fn weigh(mut self, population: &Population) -> Self {
        self.state_bytes = population.state_bytes();
        self.working_bytes = population.working_bytes();
        self
    }

    /// Nanoseconds per agent and tick: the middle one of the batches.
    fn median(&self) -> f64 {
        median(&self.batches)
    }
}

/// The middle one of some figures.
pub(super) fn median(batches: &[f64]) -> f64 {
    let mut sorted = batches.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The CPU time of this thread: it does not count what other programs do meanwhile.
pub(super) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

pub(super) fn json(args: &Args, measured: &Measured) -> serde_json::Value {
    let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let per_tick = |count: u64| round(count as f64 / measured.ticks.max(1) as f64);
    let mut object = json!({
        "case": args.case.name(),
        "agents": args.agents,
        "threads": args.threads,
        "host": args.host.name(),
        "steady": args.steady,
        "clock": if args.threads > 1 { "wall" } else { "thread-cpu" },
        "ticks": measured.ticks,
        "ns_per_agent_tick": round(measured.median()),
        "allocs_per_tick": per_tick(measured.allocations),
        "bytes_per_agent": round(measured.state_bytes as f64 / f64::from(args.agents)),
        "working_bytes": measured.working_bytes,
        "nodes": measured.nodes,
        "instructions": measured.instructions,
    });
    if let Some(histogram) = measured.histogram {
        object["histogram"] = json!(histogram);
    }
    if !measured.peers.is_empty() {
        let peers = measured.peers.iter().map(|peer| {
            json!({
                "name": peer.name,
                "version": peer.version,
                "ns_per_agent_tick": round(peer.ns_per_agent_tick),
                "bytes_per_agent": peer.bytes_per_agent,
            })
        });
        object["peers"] = peers.collect();
    }
    object
}

pub(super) fn for_people(args: &Args, measured: &Measured) -> String {
    let per_agent = measured.state_bytes as f64 / f64::from(args.agents);
    let mut text = format!(
        "{}: {} agent{}, host {}, {} ticks\n\
         {:>10.3} ns per agent and tick (median of {} batches), {:.3} per node\n\
         {:>10.3} allocations per tick\n\
         {per_agent:>10.3} bytes of state per agent; a tick works in {} bytes more, whatever the number of agents\n\
         {:>10} nodes became {} instructions\n",
        args.case.name(),
        args.agents,
        if args.agents == 1 { "" } else { "s" },
        args.host.name(),
        measured.ticks,
        measured.median(),
        measured.batches.len(),
        measured.median() / measured.nodes as f64,
        measured.allocations as f64 / measured.ticks.max(1) as f64,
        measured.working_bytes,
        measured.nodes,
        measured.instructions,
    );
    if let (Some([first, second, third]), Some(names)) = (measured.histogram, args.case.counted()) {
        let [one, two, three] = names;
        text += &format!("{first:>10} ticks in {one}, {second} in {two}, {third} in {three}\n");
    }
    text
}

/// The same machine here and elsewhere, side by side.
pub(super) fn table(args: &Args, measured: &Measured) -> String {
    let per_agent = measured.state_bytes as f64 / f64::from(args.agents);
    let mut rows = vec![("treemind".to_owned(), measured.median(), per_agent)];
    for peer in &measured.peers {
        let name = match peer.version {
            Some(version) => format!("{} {version}", peer.name),
            None => peer.name.to_owned(),
        };
        rows.push((name, peer.ns_per_agent_tick, peer.bytes_per_agent as f64));
    }
    let mut text = format!("{:<16}{:>10}{:>16}", "", "ns", "bytes per agent");
    for (name, ns, bytes) in rows {
        let _ = write!(text, "\n{name:<16}{ns:>10.3}{bytes:>16.3}");
    }
    text
}

//! A plain, recursive interpreter for one agent, written from `docs/semantics.md` and `docs/machine-semantics.md`, and nothing
//! else.
//!
//! It is meant to be obviously right rather than fast: every node has a record of what it remembers, every visit
//! checks in the tree itself what is still open, and nothing is precomputed.

// long: what every node shares, and an arm for every kind.

mod abort;
mod ages;
mod census;
mod choices;
mod decision;
mod eval;
mod find;
mod gates;
mod guards;
mod interrupts;
mod keys;
mod leaf;
mod letters;
mod lists;
mod loops;
mod machine;
mod memory;
mod own;
mod parallel;
mod planner;
mod policy;
mod random;
mod reads;
mod rules;
mod semaphores;
mod services;
mod texts;
mod utility;
mod wrappers;

pub use ages::Age;
pub use census::{count_agents, count_agents_between_ticks};
pub use eval::{Surroundings, eval};
pub use keys::{Cell, Keys, Overflow, Readings, Staged, settle};
pub use letters::deliver;
pub use planner::{Answer, Model, Searched, Situation};
pub use semaphores::{count_places, hand_out};

use census::Census;
use keys::Sensing;
use letters::{Letter, Mailed};

use memory::{Counts, Lasting, Memory};
use random::share_of;
use std::time::Duration;
use treemind_core::behaviour::Family;
use treemind_core::chance::Draw;
use treemind_core::host::{Move, Told};
use treemind_core::{
    Behaviour, Event, Expr, FaultKind, KeyId, Kind, LeafId, NodeId, Outcome, Status, Text, Value,
};

/// The stand-in for a host: answers for the conditions and actions of one agent.
///
/// `args` holds the values of the leaf's parameters, as they were at the start of the run (for a condition: when it
/// is asked); `keys` is the blackboard, which a leaf may write.
pub trait Leaves {
    /// Asks a condition.
    fn ask(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status;

    /// A run of an action, or of an own node of the host, starts.
    fn start(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>);

    /// Updates an action.
    fn update(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Status;

    /// A run of an action, or of an own node of the host, has ended.
    fn stop(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>, outcome: Outcome);

    /// Calls a service.
    fn serve(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>);

    /// Decides for an own node of the host, which has been started.
    fn decide(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>, told: Told) -> Move;

    /// Lists the candidates of a `find`.
    fn candidates(&mut self, node: NodeId, args: &[Value], keys: &mut Keys<'_>) -> Vec<Value> {
        let _ = (node, args, keys);
        Vec::new()
    }

    /// Measures candidates: each is given with its place, and with all arguments of the measure.
    fn measure(
        &mut self,
        node: NodeId,
        leaf: LeafId,
        pairs: &[(usize, Vec<Value>)],
        keys: &mut Keys<'_>,
    ) -> Vec<f32> {
        let _ = (node, leaf, keys);
        vec![0.0; pairs.len()]
    }

    /// A `log` is carried out.
    fn log(&mut self, node: NodeId, text: String) {
        let _ = (node, text);
    }

    /// An event is emitted.
    fn event(&mut self, node: NodeId, args: &[Value]) {
        let _ = (node, args);
    }
}

/// A fault in a tick of the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFault {
    /// The node.
    pub node: NodeId,
    /// The tick, from 1.
    pub tick: u64,
    /// The kind of fault.
    pub kind: FaultKind,
}

/// An event at a node, with its value if it has one.
pub type Happening = (NodeId, Event, Option<Value>);

/// One agent that runs a behaviour.
#[derive(Clone, Debug)]
pub struct Reference<'b> {
    behaviour: &'b Behaviour,
    seed: u64,
    agent: u64,
    /// It is ticked in every tick with a number that is, plus its id, a multiple of this.
    interval: u64,
    /// Whether it is due in any case: because it is new, or because it was due and there was no budget for it.
    is_left_over: bool,
    tick: u64,
    /// The last two ticks in which it was ticked itself, the latest first.
    own_ticks: [u64; 2],
    now_ns: u64,
    keys: Keys<'b>,
    /// Per key.
    sensing: Vec<Sensing>,
    memories: Vec<Memory>,
    lasting: Vec<Lasting>,
    counts: Vec<Counts>,
    /// How often loops went back in this tick.
    turns: u32,
    most_turns: u32,
    /// How many nodes are being aborted at the moment, one inside the other.
    aborting: usize,
    /// While the agent is removed, when lists no longer leave anything open: the nodes that contain something left
    /// open by a list, and that were not running before.
    leaving: Option<Vec<bool>>,
    /// Its handle as a number; 0 if it has none.
    handle: u64,
    census: Census,
    /// Whether it has died, and only what it has emitted is still delivered.
    is_dead: bool,
    /// The group whose semaphores it shares.
    group: u32,
    /// How many places of each semaphore were taken at the start of the tick, by all agents that share it.
    taken_at_start: Vec<u32>,
    /// The events that it has emitted to others since the last delivery.
    posts: Vec<Letter>,
    /// How many events it has emitted to others in this tick.
    posted: usize,
    /// The events that have come to it since its last tick began, for nodes that look for them.
    mailbox: Vec<Mailed>,
    /// How many of them it keeps.
    mailbox_size: usize,
    /// In a tick: those that had come when it began.
    mail: Vec<Mailed>,
    events: Vec<(NodeId, Event)>,
    /// The same, with values and with what only a trace with values has.
    valued: Vec<Happening>,
    faults: Vec<ReferenceFault>,
}

impl<'b> Reference<'b> {
    /// An agent with the default of every key. `agent` is its stable id, which its draws depend on.
    pub fn new(behaviour: &'b Behaviour, seed: u64, agent: u64) -> Self {
        let nodes = behaviour.nodes().len();
        Self {
            behaviour,
            seed,
            agent,
            interval: u64::from(behaviour.interval()),
            is_left_over: true,
            tick: 0,
            own_ticks: [0; 2],
            now_ns: 0,
            keys: Keys::new(behaviour),
            sensing: vec![Sensing::default(); behaviour.keys().len()],
            memories: vec![Memory::default(); nodes],
            lasting: vec![Lasting::default(); nodes],
            counts: vec![Counts::default(); nodes],
            turns: 0,
            most_turns: behaviour.max_turns(),
            aborting: 0,
            leaving: None,
            handle: 0,
            census: Census::of_one(0),
            is_dead: false,
            group: 0,
            taken_at_start: Vec::new(),
            posts: Vec::new(),
            posted: 0,
            mailbox: Vec::new(),
            mailbox_size: behaviour.mailbox() as usize,
            mail: Vec::new(),
            events: Vec::new(),
            valued: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// The same agent with a handle, as a number, that tells others who has sent an event.
    #[must_use]
    pub fn with_handle(mut self, handle: u64) -> Self {
        self.handle = handle;
        self.census = Census::of_one(handle);
        self
    }

    /// The same agent, but its mailbox keeps this many events.
    #[must_use]
    pub fn with_mailbox(mut self, events: usize) -> Self {
        self.mailbox_size = events;
        self
    }

    /// The same agent, joining a population after `tick` ticks, with its clock at `now_ns`.
    #[must_use]
    pub fn joining_at(mut self, tick: u64, now_ns: u64) -> Self {
        (self.tick, self.now_ns) = (tick, now_ns);
        self.own_ticks = [tick; 2];
        self
    }

    /// It is dead from now on. What it has emitted is still delivered.
    pub fn die(&mut self) {
        self.is_dead = true;
    }

    /// Its group.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// Its handle as a number.
    pub fn handle(&self) -> u64 {
        self.handle
    }

    /// Has it ticked in every so many ticks only.
    pub fn set_interval(&mut self, ticks: u32) {
        self.interval = u64::from(ticks);
    }

    /// Whether it is due in the next tick.
    pub fn is_due(&self) -> bool {
        // The first agents have turns of their own; the others take turns in groups.
        let turn = if self.agent < 1_024 {
            self.agent
        } else if self.agent < 16_384 {
            self.agent / 64
        } else {
            self.agent / 1_024
        };
        self.is_left_over || (self.tick + 1 + turn).is_multiple_of(self.interval)
    }

    /// A tick of the population in which it is not ticked: only the clock advances.
    pub fn pass(&mut self, dt: Duration) {
        self.is_left_over = self.is_due();
        self.keys.end_period(self.now_ns);
        self.tick += 1;
        self.now_ns += u64::try_from(dt.as_nanos()).expect("a tick is shorter than 584 years");
        self.events.clear();
        self.valued.clear();
    }

    /// A tick if it is due.
    pub fn tick_if_due(&mut self, leaves: &mut dyn Leaves, dt: Duration) -> Option<Status> {
        if self.is_due() {
            return Some(self.tick(leaves, dt));
        }
        self.pass(dt);
        None
    }

    /// One tick: the clock advances by `dt`, then the root is ticked.
    pub fn tick(&mut self, leaves: &mut dyn Leaves, dt: Duration) -> Status {
        self.pass(dt);
        self.is_left_over = false;
        self.own_ticks = [self.tick, self.own_ticks[0]];
        self.counts.fill(Counts::default());
        self.turns = 0;
        self.posted = 0;
        self.mail = std::mem::take(&mut self.mailbox);
        let status = self.visit(self.behaviour.root(), leaves);
        self.mail.clear();
        status
    }

    /// What happened in the last tick or abort, in order.
    pub fn events(&self) -> &[(NodeId, Event)] {
        &self.events
    }

    /// The same as a trace with values has it.
    pub fn valued(&self) -> &[Happening] {
        &self.valued
    }

    /// Every fault so far.
    pub fn faults(&self) -> &[ReferenceFault] {
        &self.faults
    }

    /// The number of ticks so far.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    /// The clock: the sum of all `dt`.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// Whether something in the node has an open run, without loose runs.
    pub fn is_live(&self, node: NodeId) -> bool {
        self.is_open(node, false)
    }

    /// Whether something in the node has an open run, with or without loose runs.
    fn is_open(&self, node: NodeId, with_loose: bool) -> bool {
        let memory = &self.memories[node.index()];
        let placed = self.behaviour.node(node);
        let itself = match &placed.kind {
            Kind::ForceSuccess { even_running: true }
            | Kind::ForceFailure { even_running: true }
                if !with_loose =>
            {
                return false;
            }
            Kind::Parallel { judging, .. } if judging.repeat_finished => memory.open,
            Kind::Interruptible { .. } => memory.pending.is_some(),
            Kind::Semaphore { .. } => memory.has_place || memory.asks,
            Kind::Machine(_) => memory.machine.is_some(),
            Kind::Planner(_) => memory.planning.is_some(),
            Kind::Find(_) => memory.search.is_some(),
            Kind::Action { .. }
            | Kind::Own { .. }
            | Kind::Condition { .. }
            | Kind::Interrupt { .. }
            | Kind::Received { waits: true, .. }
            | Kind::Run
            | Kind::KeepRunningUntilFailure
            | Kind::ForEach { .. }
            | Kind::Repeat { .. }
            | Kind::Retry { .. }
            | Kind::UntilFailure { .. }
            | Kind::UntilSuccess { .. }
            | Kind::RandomSelector { replacement: true }
            | Kind::RandomSequence { replacement: true }
            | Kind::TryCatch { on_abort: true }
            | Kind::OnChange {
                else_running: true, ..
            } => memory.open,
            Kind::If {
                asks_again: true, ..
            } => memory.goes_on,
            Kind::Wait { .. }
            | Kind::Delay { .. }
            | Kind::Timeout {
                across_skips: true, ..
            } => memory.deadline_ns.is_some(),
            Kind::Parallel { .. } | Kind::ParallelAll { .. } | Kind::Monitor => {
                memory.answers.iter().any(Option::is_some)
            }
            Kind::Sequence { .. } | Kind::Selector { .. } | Kind::StickySequence { .. } => {
                memory.next.is_some()
            }
            _ => false,
        };
        itself
            || self
                .children_in_reach(node)
                .iter()
                .any(|child| self.is_open(*child, with_loose))
    }

    /// Ticks one node and the nodes below it, unless a guard answers in its place; then runs its statements.
    fn visit(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        self.visit_guarded(node, false, leaves)
    }

    /// The same; `when_holds` says that its `when` has just been found to hold.
    fn visit_guarded(&mut self, node: NodeId, when_holds: bool, leaves: &mut dyn Leaves) -> Status {
        let guarded = self.guard(node, when_holds, leaves);
        let status = guarded.unwrap_or_else(|| self.visit_itself(node, leaves));
        self.after_answer(node, status);
        status
    }

    /// Ticks one node, without its guards.
    fn visit_itself(&mut self, node: NodeId, leaves: &mut dyn Leaves) -> Status {
        let behaviour = self.behaviour;
        let kind = &behaviour.node(node).kind;
        let family = kind.facts().family;
        match kind {
            Kind::Machine(machine) => return self.visit_machine(node, machine, leaves),
            _ if family == Family::Leaf => return self.visit_leaf(node, leaves),
            _ => {}
        }
        self.begin_counting_of_children(node);
        self.report(node, Event::Enter);
        let status = match (family, kind) {
            (Family::Host, Kind::Own { args, .. }) => return self.visit_own(node, args, leaves),
            (Family::List, _) => self.list_answer(node, kind, leaves),
            (Family::Draw, _) => self.draw_answer(node, kind, leaves),
            (Family::Parallel, _) => self.parallel_answer(node, kind, leaves),
            (Family::Choice, _) => self.choice_answer(node, kind, leaves),
            (Family::Wrapper, _) => self.wrapper_answer(node, kind, leaves),
            (Family::Gate, _) => self.gate_answer(node, kind, leaves),
            (Family::Loop, _) => self.loop_answer(node, kind, leaves),
            (_, Kind::Planner(planner)) => self.visit_planner(node, planner, leaves),
            (Family::Leaf | Family::Machine | Family::Planner | Family::Host, _) => {
                wrong_family(kind)
            }
        };
        if status.is_end() && family.is_composite() {
            self.abort_children(node, leaves);
        }
        assert!(
            self.is_live(node) == (status == Status::Running) || status == Status::Skipped,
            "what runs has something open, and what has ended has nothing"
        );
        self.report(node, Event::Tick(status));
        status
    }

    fn memory(&mut self, node: NodeId) -> &mut Memory {
        &mut self.memories[node.index()]
    }

    fn lasting(&mut self, node: NodeId) -> &mut Lasting {
        &mut self.lasting[node.index()]
    }

    fn report(&mut self, node: NodeId, event: Event) {
        self.events.push((node, event));
        self.valued.push((node, event, None));
    }

    /// Records what only a trace with values has.
    fn report_also(&mut self, node: NodeId, event: Event, value: Option<Value>) {
        self.valued.push((node, event, value));
    }

    /// Writes a value to a key for a node.
    fn set(&mut self, node: NodeId, key: KeyId, value: Value) {
        self.keys.set(key, Cell::One(value));
        self.report_also(node, Event::Set(key), Some(value));
    }

    /// Records a fault, in the trace too.
    fn fault(&mut self, node: NodeId, kind: FaultKind) {
        self.report(node, Event::Fault);
        let code = Value::Text(Text::new(kind.code()));
        self.faults.push(ReferenceFault {
            node,
            tick: self.tick,
            kind,
        });
        let mut around = Some(node);
        while let Some(id) = around {
            let placed = self.behaviour.node(id);
            if let Some(key) = placed.hooks.on_fault {
                return self.set(node, key, code);
            }
            around = placed.parent;
        }
    }

    /// As [`eval_at`](Self::eval_at), for keys that are asked for and reported, and a result that is not reported.
    fn eval_unreported(&mut self, node: NodeId, expr: &Expr) -> Option<Value> {
        match self.eval_silently(node, expr) {
            Ok(value) => Some(value),
            Err(kind) => {
                self.fault(node, kind);
                None
            }
        }
    }

    /// The value of an expression. Nothing but its draws is reported.
    fn eval_silently(&mut self, node: NodeId, expr: &Expr) -> Result<Value, FaultKind> {
        let first = self.counts[node.index()].draws;
        let mut draws = std::mem::take(&mut self.counts[node.index()].draws);
        let (seed, agent, tick) = (self.seed, self.agent, self.tick);
        let mut drawn = Vec::new();
        let mut draw = || {
            draws += 1;
            let draw = Draw {
                seed,
                agent,
                node: node.index() as u32,
                tick,
                nth: draws - 1,
            };
            drawn.push(share_of(draw));
            draw
        };
        let active = self.active_around(node);
        let value = eval(
            expr,
            &mut Surroundings {
                keys: self.behaviour.keys(),
                cells: self.keys.values(),
                active: &active,
                draw: &mut draw,
                free: &|semaphore| self.free(semaphore),
                me: self.handle,
                members: self.census.members,
                alive: &self.census.alive,
                now_ns: self.now_ns,
                ages: self.keys.ages(),
            },
        );
        self.counts[node.index()].draws = draws;
        for (nth, share) in (first..).zip(drawn) {
            self.report_also(node, Event::Draw(nth), Some(Value::Double(share)));
        }
        value
    }

    /// The current value of an expression as a duration, in whole nanoseconds. A fault in it, and a value that is
    /// not a duration, are recorded at the node.
    fn duration_at(&mut self, node: NodeId, secs: &Expr) -> Option<u128> {
        self.jittered_at(node, secs, None)
    }

    /// The same, plus a random share of `jitter`.
    fn jittered_at(&mut self, node: NodeId, secs: &Expr, jitter: Option<&Expr>) -> Option<u128> {
        let mut secs = self.double_at(node, secs)?;
        if let Some(jitter) = jitter {
            let jitter = self.double_at(node, jitter)?;
            secs += self.draw_share(node) * jitter;
        }
        let nanoseconds = (secs * 1e9).round();
        let fits = secs >= 0.0 && nanoseconds < u64::MAX as f64;
        if !fits {
            self.fault(node, FaultKind::BadDuration);
            return None;
        }
        Some(nanoseconds as u128)
    }

    /// The current value of an expression as a double; a fault in it is recorded at the node.
    fn double_at(&mut self, node: NodeId, expr: &Expr) -> Option<f64> {
        match self.eval_at(node, expr)? {
            Value::Double(value) => Some(value),
            other => unreachable!("{other} is no double"),
        }
    }

    /// The clock, for sums that may not fit into 64 bits.
    fn now(&self) -> u128 {
        u128::from(self.now_ns)
    }
}

fn inverted(status: Status) -> Status {
    match status {
        Status::Success => Status::Failure,
        Status::Failure => Status::Success,
        other => other,
    }
}

/// For a kind that does not belong to the family.
fn wrong_family(kind: &Kind) -> ! {
    unreachable!("{} is not of its family", kind.keyword())
}

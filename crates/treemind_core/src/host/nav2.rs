//! The controls and decorators of the navigation stack of ROS 2, and of MoveIt Pro, as composites and decorators of a
//! host.

use super::by_key::{self, Ended};
use super::each::Loop;
use super::robot::{Pausing, Robot, Seen};
use super::{Answers, Call, Candidates, Host, Lanes, Move, Moves, Order, Pairs, Told};
use crate::behaviour::{Kind, Known};
use crate::ids::{KeyId, NodeId};
use crate::status::{Outcome, Status};
use crate::value::Value;
use std::collections::HashMap;

/// The controls and decorators of the navigation stack of ROS 2 (Nav2): `RecoveryNode`, `PipelineSequence`,
/// `RoundRobin`, `NonblockingSequence`, `PersistentSequence`, `PauseResumeController`, `RateController`,
/// `DistanceController`, `SpeedController`, `SingleTrigger`, `GoalUpdater`, `GoalUpdatedController` and
/// `PathLongerOnApproach`; and `ForEach` and `RepeatUnlessFailureEachTick` of MoveIt Pro. They are known by their names.
/// Beside them are nodes of BehaviorTree.CPP that are nodes of the host where a key says what they do: `Parallel`,
/// `ParallelAll`, `RunOnce`, `LoopInt`, `LoopBool`, `LoopDouble` and `LoopString`.
///
/// They do what Nav2's do, with the clock of the population in place of that of the wall. A child that has ended and
/// is reached again runs again, also where Nav2 would go on to see its old answer. Where a robot is and how fast it
/// is, [`set_position`](Self::set_position) and [`set_speed`](Self::set_speed) say; until then, it stands still.
/// [`pause`](Self::pause), [`resume`](Self::resume) and [`update_goal`](Self::update_goal) are what their services and
/// topics are there. `PathLongerOnApproach` compares lengths: its `path` is a number, or it lets its child rest. A
/// `ForEach`, and loops, take a text apart at its semicolons; with another value, they do
/// what their child does.
///
/// [`around`](Self::around) puts them around a host, which then decides for all other nodes of its own.
/// [`Scripted`](super::Scripted) has them built in.
#[derive(Clone, Debug, Default)]
pub struct Nav2 {
    places: HashMap<(NodeId, usize), Place>,
    robots: HashMap<usize, Robot>,
}

/// What a node remembers of an agent.
#[derive(Clone, Debug, Default)]
struct Place {
    /// How many runs have begun.
    runs: u64,
    /// The run of the node around it in which this one began afresh.
    run_around: Option<u64>,
    /// The child that it is at, or the last one that it has reached.
    child: usize,
    /// How often it has recovered, or how many children have failed.
    failed: u64,
    /// In this tick: how many children were skipped, and whether all have succeeded.
    skipped: usize,
    is_done: bool,
    /// Whether the child runs, and whether it has been ticked at all.
    runs_child: bool,
    has_begun: bool,
    since_ns: u64,
    goals: Vec<Option<Value>>,
    ended: Ended,
    seen: Seen,
    pausing: Pausing,
    items: Loop,
}

impl Nav2 {
    /// Nobody has run anything yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The names of the nodes.
    pub const NAMES: [&'static str; 22] = Known::NAMES;

    /// Where the robot of an agent is, in metres. The default is 0, 0, 0.
    pub fn set_position(&mut self, agent: usize, position: [f64; 3]) {
        self.robots.entry(agent).or_default().position = position;
    }

    /// How fast the robot of an agent is, in metres per second. The default is 0.
    pub fn set_speed(&mut self, agent: usize, speed: f64) {
        self.robots.entry(agent).or_default().speed = speed;
    }

    /// Asks the `PauseResumeController`s of an agent to pause, as a call of their service does: at its next tick, each
    /// that was running stops what its child does and goes on with its third child, then with its second one.
    pub fn pause(&mut self, agent: usize) {
        self.robots.entry(agent).or_default().asked.pause();
    }

    /// Asks the `PauseResumeController`s of an agent that have paused to go on: with their fourth child, and then with
    /// their first one again.
    pub fn resume(&mut self, agent: usize) {
        self.robots.entry(agent).or_default().asked.resume();
    }

    /// A newer goal for the `GoalUpdater`s of an agent: they hand it on in place of their `input_goal`, until that
    /// changes.
    pub fn update_goal(&mut self, agent: usize, goal: Value) {
        self.robots.entry(agent).or_default().update(0, goal);
    }

    /// Newer goals, in place of `input_goals`; see [`update_goal`](Self::update_goal).
    pub fn update_goals(&mut self, agent: usize, goals: Value) {
        self.robots.entry(agent).or_default().update(1, goals);
    }

    /// A host that has these nodes, and leaves everything else to another one.
    pub fn around<H: Host>(&mut self, host: H) -> WithNav2<'_, H> {
        WithNav2 { nodes: self, host }
    }

    /// Whether the node of a call is one of these.
    pub(super) fn knows(call: &Call<'_>) -> bool {
        known(call, call.node()).is_some()
    }

    pub(super) fn begin(&mut self, call: &Call<'_>, agent: usize) {
        let node = call.node();
        let Some(kind) = known(call, node) else {
            return;
        };
        let around = call.around.program.behaviour().node(node).parent;
        let around =
            around.filter(|around| known(call, *around).is_some_and(Known::keeps_children));
        let run_around = around.map(|around| self.place(around, agent).runs);
        let is_global = is_global(call, agent);
        let asked = match kind {
            Known::PauseResume => self.robots.get(&agent).map_or(0, |it| it.asked.count()),
            _ => 0,
        };
        let place = self.place(node, agent);
        place.runs += 1;
        let goes_on = run_around.is_some() && place.run_around == run_around;
        place.run_around = run_around;
        let lasts = match kind {
            Known::RoundRobin
            | Known::Persistent
            | Known::RunOnce
            | Known::PathLonger
            | Known::GoalUpdater => true,
            Known::SingleTrigger => is_global,
            Known::Recovery => place.failed > 0,
            _ => false,
        };
        if !goes_on && !lasts {
            *place = Place {
                runs: place.runs,
                run_around,
                since_ns: call.now_ns(),
                pausing: Pausing::since(asked),
                ..Place::default()
            };
        }
    }

    pub(super) fn end(&mut self, call: &Call<'_>, agent: usize, outcome: Outcome) {
        let Some(kind) = known(call, call.node()) else {
            return;
        };
        let lasts = match kind {
            Known::Persistent | Known::RunOnce | Known::PathLonger | Known::GoalUpdater => true,
            Known::SingleTrigger => is_global(call, agent),
            _ => false,
        };
        let place = self.place(call.node(), agent);
        if outcome == Outcome::Aborted && !lasts {
            *place = Place {
                runs: place.runs,
                ..Place::default()
            };
        }
        place.runs_child = false;
    }

    fn place(&mut self, node: NodeId, agent: usize) -> &mut Place {
        self.places.entry((node, agent)).or_default()
    }

    /// The next move of the node of a call.
    pub(super) fn decide(&mut self, call: &mut Call<'_>, agent: usize, told: Told) -> Move {
        let Some(kind) = known(call, call.node()) else {
            return Move::Answer(Status::Failure);
        };
        let children = call.children();
        let robot = self.robots.get(&agent).copied().unwrap_or_default();
        let place = self.place(call.node(), agent);
        if let Told::Answered { status, .. } = told {
            place.runs_child = status == Status::Running;
        }
        match kind {
            Known::Recovery => place.recover(arg_int(call, "number_of_retries", agent, 1), told),
            Known::Pipeline => place.pipeline(children, told),
            Known::RoundRobin => {
                let wraps = arg(call, "wrap_around", agent).is_none_or(|wraps| !is_false(wraps));
                place.round_robin(children, wraps, told)
            }
            Known::Nonblocking => place.nonblocking(children, told),
            Known::Persistent => persistent(place, call, agent, children, told),
            Known::PauseResume => {
                let at = (told, &mut place.runs_child);
                place.pausing.decide(robot.asked, children, at)
            }
            Known::Rate => {
                let hz = arg_double(call, "hz", agent, 10.0);
                place.rate(call.now_ns(), hz, told)
            }
            Known::SingleTrigger => match told {
                Told::Tick if place.has_begun && !place.runs_child => Move::Answer(Status::Failure),
                Told::Answered { status, .. } => {
                    place.has_begun = status.is_end();
                    Move::Answer(status)
                }
                told => passed(told),
            },
            Known::Distance => {
                let at = (told, place.runs_child);
                place.seen.distance((call, agent), robot, at)
            }
            Known::Speed => {
                let at = (told, place.runs_child);
                place.seen.speed((call, agent), robot, at)
            }
            Known::GoalUpdater => place.seen.hand_on((call, agent), robot, told),
            Known::PathLonger => place.seen.path((call, agent), told),
            Known::ForEach => {
                let at = (told, place.runs_child);
                place.items.each((call, agent), at)
            }
            Known::RepeatEachTick => {
                let times = by_key::times(call, "num_cycles", agent, -1);
                times.map_or(Move::Answer(Status::Failure), |times| {
                    place.items.again(times, told)
                })
            }
            Known::LoopInt | Known::LoopBool | Known::LoopDouble | Known::LoopString => {
                let at = (told, place.runs_child);
                place.items.next_item(kind, (call, agent), at)
            }
            Known::Parallel => {
                let counts =
                    by_key::count(call, &["success_count", "success_threshold"], agent, -1).zip(
                        by_key::count(call, &["failure_count", "failure_threshold"], agent, 1),
                    );
                let Some((well, badly)) = counts else {
                    return Move::Answer(Status::Failure);
                };
                place.ended.parallel([well, badly], children, told)
            }
            Known::ParallelAll => match by_key::count(call, &["max_failures"], agent, 1) {
                Some(most) => place.ended.parallel_all(most, children, told),
                None => Move::Answer(Status::Failure),
            },
            Known::RunOnce => {
                let then_skip = by_key::then_skip(call, agent);
                place.ended.run_once(then_skip, told)
            }
            Known::GoalUpdated => {
                let goals = ["goal", "goals"].map(|name| arg(call, name, agent));
                place.goal_updated(goals.to_vec(), told)
            }
        }
    }
}

/// Ticks the child, and answers what it answers.
pub(super) fn passed(told: Told) -> Move {
    match told {
        Told::Tick => Move::Tick(0),
        Told::Answered { status, .. } => Move::Answer(status),
        Told::Halted { .. } => Move::Answer(Status::Running),
    }
}

impl Place {
    /// After each failure of the first child the second one is ticked, and then the first again.
    fn recover(&mut self, most: u64, told: Told) -> Move {
        let Told::Answered { child, status } = told else {
            return Move::Tick(self.child.min(1));
        };
        let ended = |place: &mut Self, status| {
            (place.child, place.failed) = (0, 0);
            Move::Answer(status)
        };
        match (child, status) {
            (_, Status::Running) => Move::Answer(Status::Running),
            (0, Status::Failure) if self.failed < most => {
                self.child = 1;
                Move::Tick(1)
            }
            (1, Status::Success) => {
                self.failed += 1;
                self.child = 0;
                match self.failed <= most {
                    true => Move::Tick(0),
                    false => ended(self, Status::Failure),
                }
            }
            // The recoveries so far are still counted.
            (1, Status::Skipped) => {
                self.child = 0;
                Move::Answer(Status::Failure)
            }
            (0, status) => ended(self, status),
            _ => ended(self, Status::Failure),
        }
    }

    /// All children up to the one that was reached last are ticked in each tick.
    fn pipeline(&mut self, children: usize, told: Told) -> Move {
        let Told::Answered { child, status } = told else {
            return Move::Tick(0);
        };
        match status {
            Status::Failure => {
                self.child = 0;
                Move::Answer(status)
            }
            Status::Running if child >= self.child => {
                self.child = child;
                Move::Answer(status)
            }
            _ if child + 1 < children => Move::Tick(child + 1),
            _ => {
                self.child = 0;
                Move::Answer(Status::Success)
            }
        }
    }

    /// Goes on with the next child after every answer, also in the next run.
    fn round_robin(&mut self, children: usize, wraps: bool, told: Told) -> Move {
        let Told::Answered { status, .. } = told else {
            self.skipped = 0;
            if self.child >= children {
                (self.child, self.failed) = (0, 0);
                return Move::Answer(Status::Failure);
            }
            return Move::Tick(self.child);
        };
        if status == Status::Running {
            return Move::Answer(status);
        }
        self.child += 1;
        if self.child == children && wraps {
            self.child = 0;
        }
        match status {
            Status::Success => {
                self.failed = 0;
                return Move::Answer(status);
            }
            Status::Skipped => self.skipped += 1,
            _ => self.failed += 1,
        }
        let tried = self.skipped as u64 + self.failed;
        if tried < children as u64 && self.child < children {
            return Move::Tick(self.child);
        }
        let all_skipped = self.failed == 0;
        (self.child, self.failed) = (0, 0);
        Move::Answer(match all_skipped {
            true => Status::Skipped,
            false => Status::Failure,
        })
    }

    /// All children are ticked in each tick, until one fails, or all succeed in one tick.
    fn nonblocking(&mut self, children: usize, told: Told) -> Move {
        let Told::Answered { child, status } = told else {
            self.is_done = true;
            return Move::Tick(0);
        };
        if status == Status::Failure {
            return Move::Answer(status);
        }
        self.is_done &= status != Status::Running;
        if child + 1 < children {
            return Move::Tick(child + 1);
        }
        Move::Answer(match self.is_done {
            true => Status::Success,
            false => Status::Running,
        })
    }

    /// The child is ticked at first, while it runs, and when the time since its last success is over.
    fn rate(&mut self, now_ns: u64, hz: f64, told: Told) -> Move {
        match told {
            Told::Tick => {
                let elapsed = now_ns.saturating_sub(self.since_ns) as f64 / 1e9;
                let is_due = !self.has_begun || self.runs_child || elapsed >= 1.0 / hz;
                self.has_begun = true;
                match is_due {
                    true => Move::Tick(0),
                    false => Move::Answer(Status::Running),
                }
            }
            told => {
                if let Told::Answered {
                    status: Status::Success,
                    ..
                } = told
                {
                    self.since_ns = now_ns;
                }
                passed(told)
            }
        }
    }

    /// The child is ticked at first, while it runs, and when a goal has changed.
    fn goal_updated(&mut self, goals: Vec<Option<Value>>, told: Told) -> Move {
        if told != Told::Tick {
            return passed(told);
        }
        let is_new = !self.has_begun || self.goals != goals;
        self.goals = goals;
        self.has_begun = true;
        match is_new || self.runs_child {
            true => Move::Tick(0),
            false => Move::Answer(Status::Running),
        }
    }
}

/// Like a sequence; the place is kept in a key, and survives an abort.
fn persistent(
    place: &mut Place,
    call: &mut Call<'_>,
    agent: usize,
    children: usize,
    told: Told,
) -> Move {
    let key = param(call, "current_child_idx").and_then(|index| call.arg_key(index));
    if let Told::Tick = told {
        let held = key.and_then(|key| call.find(key, agent));
        if let Some(Value::Int(held)) = held {
            place.child = usize::try_from(held).unwrap_or(0);
        }
    }
    let answer = match told {
        Told::Answered { status, .. } => match status {
            Status::Running => Some(status),
            Status::Failure => {
                place.child = 0;
                Some(status)
            }
            _ => {
                place.child += 1;
                None
            }
        },
        _ => None,
    };
    let next = match answer {
        Some(status) => Move::Answer(status),
        None if place.child < children => Move::Tick(place.child),
        None => {
            place.child = 0;
            Move::Answer(Status::Success)
        }
    };
    if let (Some(key), Told::Answered { .. }) = (key, told) {
        note(call, key, agent, place.child);
    }
    next
}

/// Writes the place into the key that the node gave.
fn note(call: &mut Call<'_>, key: KeyId, agent: usize, child: usize) {
    let value = Value::Int(i64::try_from(child).unwrap_or(0));
    if let Err(error) = call.board().set(key, agent, value) {
        call.fault(agent, error.to_string());
    }
}

/// Which of the nodes a node is.
fn known(call: &Call<'_>, node: NodeId) -> Option<Known> {
    Known::of(call.around.program.behaviour(), node)
}

/// The number of a parameter.
pub(super) fn param(call: &Call<'_>, name: &str) -> Option<usize> {
    let behaviour = call.around.program.behaviour();
    let Kind::Own { leaf, .. } = behaviour.node(call.node()).kind else {
        return None;
    };
    let mut params = behaviour.leaf(leaf).params.iter();
    params.position(|param| param.name == name)
}

/// The value of a parameter, if the leaf has it.
pub(super) fn arg(call: &Call<'_>, name: &str, agent: usize) -> Option<Value> {
    param(call, name).map(|index| call.arg(index, agent))
}

fn arg_int(call: &Call<'_>, name: &str, agent: usize, default: u64) -> u64 {
    match arg(call, name, agent) {
        Some(Value::Int(value)) => u64::try_from(value).unwrap_or(0),
        Some(Value::Double(value)) => value as u64,
        _ => default,
    }
}

pub(super) fn arg_double(call: &Call<'_>, name: &str, agent: usize, default: f64) -> f64 {
    match arg(call, name, agent) {
        Some(Value::Int(value)) => value as f64,
        Some(Value::Double(value)) => value,
        Some(Value::Float(value)) => value.into(),
        _ => default,
    }
}

/// Whether a `SingleTrigger` lets its child run once for the whole life of the agent.
fn is_global(call: &Call<'_>, agent: usize) -> bool {
    arg(call, "is_global", agent).is_some_and(|value| match value {
        Value::Bool(value) => value,
        Value::Int(value) => value != 0,
        _ => false,
    })
}

fn is_false(value: Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => value == 0,
        _ => false,
    }
}

/// A host with the nodes of Nav2; see [`Nav2::around`].
#[derive(Debug)]
pub struct WithNav2<'n, H> {
    nodes: &'n mut Nav2,
    host: H,
}

impl<H: Host> Host for WithNav2<'_, H> {
    fn order(&self) -> Order {
        self.host.order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.host.ask(call, lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        match Nav2::knows(call) {
            true => lanes.iter().for_each(|agent| self.nodes.begin(call, agent)),
            false => self.host.start(call, lanes),
        }
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.host.update(call, lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        match Nav2::knows(call) {
            true => {
                let agents = lanes.iter();
                agents.for_each(|agent| self.nodes.end(call, agent, outcome));
            }
            false => self.host.stop(call, lanes, outcome),
        }
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.host.serve(call, lanes);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        if !Nav2::knows(call) {
            return self.host.decide(call, lanes, moves);
        }
        for agent in lanes {
            let next = self.nodes.decide(call, agent, moves.told(agent));
            moves.set(agent, next);
        }
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        self.host.sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.host.candidates(call, lanes, candidates);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        self.host.measure(call, pairs);
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.host.log(call, lanes);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.host.event(call, lanes);
    }
}

//! For each kind of call that a game gets, lets one call after the other go wrong, until a run has no further call
//! of that kind. Whatever happens, every start has one stop, and the population can still be ticked.

use crate::trees::DT;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use treemind::NodeType;
use treemind::core::OwnNodeFault;
use treemind::leaves::Late;
use treemind::leaves::{Action, Move, Order, Told};
use treemind::population::Bound;
use treemind::population::{Population, Program};
use treemind::prelude::*;
use treemind::trace::{FaultKind, NodeId};

const DOCUMENT: &str = r#"
leaves {
    condition see
    action go
    action hold
    action carry reports=#true
    service look
    sensor radar
    composite turns
    decorator keeps
    event noise { param near type=float; }
}
blackboard { key near type=float sensor=radar; key n type=int; }
tree t {
    service look interval=0.1 {
        reactive-sequence {
            check "near < 100.0"
            condition see
            node turns on-abort="n += 1" {
                sequence { emit noise near="{near}"; log "{near}"; action go; }
                node keeps { repeat 4 yields=never max-runs=2 { sequence { action go; emit noise near=1.0; }; }; }
                parallel success=one { action hold; action carry; node keeps { action hold; }; }
            }
        }
    }
}"#;

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Point {
    Ask,
    Start,
    Update,
    Stop,
    Serve,
    Sense,
    Begin,
    Decide,
    End,
    Hear,
    Read,
}

const ALL: [Point; 11] = [
    Point::Ask,
    Point::Start,
    Point::Update,
    Point::Stop,
    Point::Serve,
    Point::Sense,
    Point::Begin,
    Point::Decide,
    Point::End,
    Point::Hear,
    Point::Read,
];

/// What goes wrong in the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    Panics,
    Errs,
    /// The call answers skipped, if it answers at all.
    Skips,
    /// The node keeps asking for moves, and does not answer in this tick.
    Spins,
}

struct World {
    point: Point,
    nth: usize,
    wrong: Wrong,
    calls: Cell<usize>,
    /// The tick, agent and node that do not answer.
    spinning: Cell<Option<(u64, usize, NodeId)>>,
    open: BTreeSet<(NodeId, usize)>,
    starts: usize,
    broken: Vec<String>,
}

impl World {
    fn new(point: Point, nth: usize, wrong: Wrong) -> Self {
        Self {
            point,
            nth,
            wrong,
            calls: Cell::new(0),
            spinning: Cell::new(None),
            open: BTreeSet::new(),
            starts: 0,
            broken: Vec::new(),
        }
    }

    fn is_reached(&self) -> bool {
        self.calls.get() >= self.nth
    }

    /// A call of that kind; returns whether its answer is to be skipped.
    fn reach(&self, point: Point, me: &Agent) -> Result<bool, TaskError> {
        if point != self.point {
            return Ok(false);
        }
        self.calls.set(self.calls.get() + 1);
        if self.calls.get() != self.nth {
            return Ok(false);
        }
        match self.wrong {
            Wrong::Nothing => Ok(false),
            Wrong::Panics => panic!("here"),
            Wrong::Errs => Err("here".into()),
            Wrong::Skips => Ok(true),
            Wrong::Spins => {
                let place = (me.tick(), me.index(), me.node());
                self.spinning.set(Some(place));
                Ok(false)
            }
        }
    }

    fn begin(&mut self, me: &Agent) {
        self.starts += 1;
        if !self.open.insert((me.node(), me.index())) {
            self.broken.push(format!("{:?} starts again", me.node()));
        }
    }

    /// Checks a call that only an open run may get.
    fn expect_open(&mut self, me: &Agent, what: &str) {
        if !self.open.contains(&(me.node(), me.index())) {
            self.broken.push(format!("{what} at {:?}", me.node()));
        }
    }

    fn end(&mut self, me: &Agent) {
        self.expect_open(me, "a stop without a start");
        self.open.remove(&(me.node(), me.index()));
    }
}

/// Ticks its children in turn, each once, as long as they do not run.
#[derive(serde::Deserialize)]
struct Turns {}

/// Ticks its child, and gives the child's answer.
#[derive(serde::Deserialize)]
struct Keeps {}

fn decide(world: &mut World, me: &Agent, wanted: Move) -> Result<Move, TaskError> {
    world.expect_open(me, "a decision without a start");
    if world.reach(Point::Decide, me)? {
        return Ok(Move::Answer(Status::Skipped));
    }
    if world.spinning.get() == Some((me.tick(), me.index(), me.node())) {
        return Ok(Move::Halt(0));
    }
    Ok(wanted)
}

fn begin(world: &mut World, me: &Agent) -> Result<(), TaskError> {
    world.begin(me);
    world.reach(Point::Begin, me).map(|_| ())
}

fn end(world: &mut World, me: &Agent) -> Result<(), TaskError> {
    world.end(me);
    world.reach(Point::End, me).map(|_| ())
}

impl NodeType<World> for Turns {
    type State = usize;

    fn start(&self, _: &mut usize, world: &mut World, me: &mut Agent) -> Result<(), TaskError> {
        begin(world, me)
    }

    fn decide(
        &self,
        next: &mut usize,
        world: &mut World,
        me: &mut Agent,
        told: Told,
    ) -> Result<Move, TaskError> {
        let mut wanted = Move::Answer(Status::Running);
        if told
            != (Told::Answered {
                child: *next,
                status: Status::Running,
            })
        {
            *next += usize::from(matches!(told, Told::Answered { .. }));
            wanted = match *next < me.children() {
                true => Move::Tick(*next),
                false => Move::Answer(Status::Success),
            };
        }
        decide(world, me, wanted)
    }

    fn stop(
        &self,
        _: &mut usize,
        world: &mut World,
        me: &mut Agent,
        _: Outcome,
    ) -> Result<(), TaskError> {
        end(world, me)
    }
}

impl NodeType<World> for Keeps {
    type State = ();

    fn start(&self, (): &mut (), world: &mut World, me: &mut Agent) -> Result<(), TaskError> {
        begin(world, me)
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn decide(
        &self,
        (): &mut (),
        world: &mut World,
        me: &mut Agent,
        told: Told,
    ) -> Result<Move, TaskError> {
        let wanted = match told {
            Told::Answered { status, .. } => Move::Answer(status),
            Told::Tick | Told::Halted { .. } => Move::Tick(0),
            _ => treemind_core::unlisted(&told),
        };
        decide(world, me, wanted)
    }

    fn stop(
        &self,
        (): &mut (),
        world: &mut World,
        me: &mut Agent,
        _: Outcome,
    ) -> Result<(), TaskError> {
        end(world, me)
    }
}

/// An action that records its starts and stops and succeeds in every tick whose number is a multiple of this one.
struct Noted(u64);

impl Action<World> for Noted {
    fn start(&self, world: &mut World, me: &mut Agent) -> Result<(), TaskError> {
        world.begin(me);
        world.reach(Point::Start, me).map(|_| ())
    }

    fn update(&self, world: &mut World, me: &mut Agent) -> Result<Status, TaskError> {
        world.expect_open(me, "an update without a start");
        if world.reach(Point::Update, me)? {
            return Ok(Status::Skipped);
        }
        Ok(match me.tick() % self.0 {
            0 => Status::Success,
            _ => Status::Running,
        })
    }

    fn stop(&self, world: &mut World, me: &mut Agent, _: Outcome) -> Result<(), TaskError> {
        world.end(me);
        world.reach(Point::Stop, me).map(|_| ())
    }
}

fn registry(order: Order) -> Registry<World> {
    let mut registry = Registry::<World>::new();
    registry
        .order(order)
        .condition("see", |world: &World, me: &Agent| {
            let skips = world.reach(Point::Ask, me)?;
            let sees = Status::from(!(me.tick() + me.index() as u64).is_multiple_of(7));
            Ok::<_, TaskError>(if skips { Status::Skipped } else { sees })
        })
        .action_with("go", Noted(2))
        .action_with("hold", Noted(3))
        .action_with("carry", Noted(1))
        .service("look", |world: &mut World, me: &mut Agent| {
            world.reach(Point::Serve, me).map(|_| ())
        })
        .sensor("radar", |world: &World, me: &Agent| {
            world.reach(Point::Sense, me).map(|_| me.tick() as f32)
        })
        .on_event("noise", |world: &mut World, me: &mut Agent| {
            world.reach(Point::Hear, me).map(|_| ())
        })
        .on_log(|world: &mut World, me: &mut Agent, _: &str| {
            world.reach(Point::Read, me).map(|_| ())
        })
        .composite_type::<Turns>("turns")
        .decorator_type::<Keeps>("keeps");
    registry
}

/// A population in which something goes wrong.
struct Play {
    population: Population,
    bound: Bound<World>,
    world: World,
    carries: NodeId,
    faults: Vec<String>,
    /// The kinds of nodes that have used up their budget for a tick.
    spent: BTreeSet<&'static str>,
}

impl Play {
    fn new(order: Order, agents: usize, world: World) -> Self {
        let document = Document::parse(DOCUMENT, "t.kdl");
        let behaviour = document
            .behaviour(None)
            .expect("the document has no errors");
        let bound = registry(order)
            .bind(&behaviour)
            .expect("everything is there");
        let mut ids = behaviour.node_ids();
        let carries = ids.find(|id| behaviour.label(*id) == "carry");
        Self {
            population: Population::new(Arc::new(Program::new(behaviour)), agents),
            bound,
            world,
            carries: carries.expect("somebody carries"),
            faults: Vec::new(),
            spent: BTreeSet::new(),
        }
    }

    /// Ticks, and checks that every agent of the population has an answer.
    fn tick(&mut self) {
        let tally = self
            .population
            .tick(&mut self.bound.host(&mut self.world), DT);
        let answers = tally.success + tally.failure + tally.running + tally.skipped;
        let is_there = |agent: &usize| self.population.is_alive(*agent);
        let alive = (0..self.population.len()).filter(is_there).count();
        assert_eq!(answers, alive as u64);
        let faults = self.population.take_faults();
        let behaviour = self.population.program().behaviour();
        for fault in faults.kept() {
            let is_spent = matches!(
                fault.kind,
                FaultKind::LoopBudget(_) | FaultKind::OwnNode(OwnNodeFault::NoAnswer)
            );
            if is_spent {
                self.spent.insert(behaviour.node(fault.node).kind.keyword());
            }
            self.faults.push(fault.kind.to_string());
        }
    }

    fn remove(&mut self, agent: usize) {
        self.population
            .remove(agent, &mut self.bound.host(&mut self.world));
        let mut open = self.world.open.iter();
        assert!(open.all(|(_, whose)| *whose != agent), "agent {agent} runs");
    }

    /// Plays some ticks, in which agents are aborted, removed and added, and actions are finished; then everything
    /// ends.
    fn played_out(mut self, removed: Option<(u64, usize)>) -> Self {
        for tick in 1..=14 {
            match tick {
                4 => {
                    let host = &mut self.bound.host(&mut self.world);
                    self.population.abort(0, host);
                }
                6 | 11 => {
                    for agent in 0..self.population.len() {
                        if let Some(run) = self.population.ticket(agent, self.carries) {
                            assert_eq!(self.population.finish(run, tick == 6), Ok(()));
                            assert_eq!(self.population.finish(run, true), Err(Late::Over));
                        }
                    }
                }
                9 => {
                    self.population.spawn();
                }
                _ => {}
            }
            if let Some((_, agent)) = removed.filter(|(when, _)| *when == tick) {
                self.remove(agent);
            }
            self.tick();
        }
        self.population
            .abort_all(&mut self.bound.host(&mut self.world));
        assert_eq!(self.world.open, BTreeSet::new(), "after all were aborted");
        (0..3).for_each(|_| self.tick());
        (0..self.population.len()).for_each(|agent| self.remove(agent));
        self.tick();
        assert_eq!(self.world.broken, [""; 0]);
        assert_eq!(self.world.open, BTreeSet::new(), "after all were removed");
        assert!(self.world.starts > 0);
        self
    }
}

/// Lets every call of a kind go wrong, each in its own run, until a run has no further call of that kind. Returns
/// how many there were.
fn at_every_call(point: Point, wrong: Wrong, mut check: impl FnMut(&Play)) -> usize {
    let mut reached = 0;
    for (order, agents) in [(Order::Independent, 2), (Order::Sequential, 1)] {
        for nth in 1.. {
            let play = Play::new(order, agents, World::new(point, nth, wrong));
            let play = play.played_out(Some((8, agents - 1)));
            if !play.world.is_reached() {
                break;
            }
            check(&play);
            reached += 1;
        }
    }
    reached
}

/// Panics and errors at every call of a kind become faults, and have no other effect.
fn goes_wrong_at_every_call(points: &[Point]) {
    for point in points {
        for (wrong, text) in [(Wrong::Panics, "panicked: here"), (Wrong::Errs, "here")] {
            let reached = at_every_call(*point, wrong, |play| {
                // Faults from the end of an abort or a removal are taken with the next tick.
                let count = play.faults.iter().filter(|fault| *fault == text).count();
                assert_eq!(count, 1, "{point:?} {wrong:?} {}", play.world.nth);
            });
            assert!(reached >= 10, "{point:?}: {reached} calls");
        }
    }
}

#[test]
fn services_go_wrong_at_every_call() {
    goes_wrong_at_every_call(&[Point::Serve]);
}

#[test]
fn sensors_go_wrong_at_every_call() {
    goes_wrong_at_every_call(&[Point::Sense]);
}

#[test]
fn own_nodes_go_wrong_at_every_decision() {
    goes_wrong_at_every_call(&[Point::Decide]);
}

#[test]
fn own_nodes_go_wrong_at_every_start_and_stop() {
    goes_wrong_at_every_call(&[Point::Begin, Point::End]);
}

#[test]
fn listeners_go_wrong_at_every_call() {
    goes_wrong_at_every_call(&[Point::Hear, Point::Read]);
}

#[test]
fn conditions_and_actions_among_them_go_wrong_at_every_call() {
    goes_wrong_at_every_call(&[Point::Ask, Point::Start, Point::Update, Point::Stop]);
}

#[test]
fn whoever_answers_can_be_skipped_at_every_call() {
    for point in [Point::Ask, Point::Update, Point::Decide] {
        let reached = at_every_call(point, Wrong::Skips, |_| {});
        assert!(reached >= 20, "{point:?}: {reached} calls");
    }
}

#[test]
fn own_nodes_use_up_their_decisions_at_every_call() {
    let reached = at_every_call(Point::Decide, Wrong::Spins, |play| {
        assert!(play.spent.contains("node"), "decision {}", play.world.nth);
    });
    assert!(reached >= 20, "{reached} decisions");
}

#[test]
fn loops_use_up_what_a_tick_allows_and_agents_leave_before_any_tick() {
    for order in [Order::Independent, Order::Sequential] {
        for (tick, agent) in (1..=14).flat_map(|tick| [0, 1, 2].map(|agent| (tick, agent))) {
            let play = Play::new(order, 3, World::new(Point::Ask, 1, Wrong::Nothing));
            let play = play.played_out(Some((tick, agent)));
            let spent: Vec<&str> = play.spent.iter().copied().collect();
            assert_eq!(spent, ["repeat"]);
            for point in ALL {
                for nth in [1, 2, 5, 9] {
                    let world = World::new(point, nth, Wrong::Errs);
                    Play::new(order, 3, world).played_out(Some((tick, agent)));
                }
            }
        }
    }
}

#[test]
fn word_after_word_of_agents_goes_wrong() {
    for point in ALL {
        for nth in [1, 64, 65, 130] {
            let world = World::new(point, nth, Wrong::Errs);
            let play = Play::new(Order::Independent, 130, world).played_out(Some((8, 64)));
            assert!(play.world.is_reached(), "{point:?} {nth}");
        }
    }
}

//! A tree at play, in the arena or with scripted leaves, and what is to be seen of it.

use super::marks::Marks;
use crate::commands::why::Before;
use std::collections::VecDeque;
use std::sync::Arc;
use treemind_arena::{Arena, Doing, GUARD_HEALTH, Happening, Session, TICK, TICKS_PER_SEC, Who};
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{
    Behaviour, Faults, KeyId, Kind, LeafId, NodeId, Outcome, Population, Program, Status,
};

/// What a line of the log is about; it decides the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Calm,
    Notice,
    Fight,
    Fault,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) tick: u64,
    pub(super) tone: Tone,
    pub(super) text: String,
}

impl Line {
    /// How far into the run it was, in seconds.
    pub(super) fn secs(&self) -> f64 {
        treemind_arena::secs(self.tick)
    }
}

enum Stage {
    Arena(Box<Session>),
    Scripted(Box<(Population, Scripted)>),
}

/// The tree, its world, and what has happened.
pub(super) struct Player {
    stage: Stage,
    trace: Trace,
    tick: u64,
    root: Option<Status>,
    marks: Marks,
    keys: Vec<(String, String)>,
    /// The last lines of the log, the newest last.
    log: VecDeque<Line>,
    fresh: usize,
    faults: u64,
    hits: [Option<u64>; 2],
}

/// How many lines of the log are kept.
const KEPT_LINES: usize = 200;
/// For how many ticks one sees that somebody was hit.
const HIT_TICKS: u64 = 5;

impl Player {
    pub(super) fn arena(session: Session) -> Self {
        let marks = Marks::new(session.behaviour());
        Self::new(Stage::Arena(Box::new(session)), marks)
    }

    pub(super) fn scripted(behaviour: Behaviour, host: Scripted, seed: u64) -> Self {
        let marks = Marks::new(&behaviour);
        let population = Population::new(Arc::new(Program::new(behaviour)), 1).with_seed(seed);
        let both = (population, host.listening());
        Self::new(Stage::Scripted(Box::new(both)), marks)
    }

    fn new(stage: Stage, marks: Marks) -> Self {
        let mut player = Self {
            stage,
            trace: Trace::new(),
            tick: 0,
            root: None,
            marks,
            keys: Vec::new(),
            log: VecDeque::new(),
            fresh: 0,
            faults: 0,
            hits: [None; 2],
        };
        player.read_keys();
        player
    }

    /// One tick.
    pub(super) fn step(&mut self) {
        self.tick += 1;
        self.fresh = 0;
        let mut lines = Vec::new();
        let before = Before::look(self.population(), 0);
        let faults = match &mut self.stage {
            Stage::Arena(session) => {
                for event in session.step_traced(&mut self.trace) {
                    if let Happening::Hit { whom, .. } = event.what {
                        self.hits[whom as usize] = Some(event.tick);
                    }
                    lines.push((tone(event.what), event.what.to_string()));
                }
                let said = session.arena().said().iter();
                lines.extend(said.map(|text| (Tone::Calm, text.clone())));
                session.take_faults()
            }
            Stage::Scripted(both) => {
                let (population, host) = &mut **both;
                population.tick_traced(host, TICK, &mut self.trace);
                lines = changes(population.program().behaviour(), &self.trace, &self.marks);
                let said = host.take_messages().into_iter();
                lines.extend(said.map(|message| (Tone::Calm, message.text)));
                population.take_faults()
            }
        };
        self.note_faults(&faults, &mut lines);
        let candidates = before.explain(self.population(), &self.trace, 0);
        self.marks.update(&self.trace, candidates, self.tick);
        self.root = self.trace.root(self.behaviour(), 0);
        for (tone, text) in lines {
            let tick = self.tick;
            self.push(Line { tick, tone, text });
        }
        self.read_keys();
    }

    fn note_faults(&mut self, faults: &Faults, lines: &mut Vec<(Tone, String)>) {
        self.faults += faults.total();
        for fault in faults.kept() {
            let label = self.behaviour().label(fault.node);
            lines.push((Tone::Fault, format!("{label}: {}", fault.kind)));
        }
    }

    fn push(&mut self, line: Line) {
        self.log.push_back(line);
        self.fresh += 1;
        if self.log.len() > KEPT_LINES {
            self.log.pop_front();
        }
    }

    fn read_keys(&mut self) {
        let count = self.behaviour().keys().len();
        self.keys.clear();
        for key in (0..count).map(KeyId::new) {
            let held = match &self.stage {
                Stage::Arena(session) => session.held(key),
                Stage::Scripted(both) => both.0.held(0, key),
            };
            let behaviour = self.behaviour();
            let pair = (
                behaviour.key(key).name.clone(),
                behaviour.display_held(held),
            );
            self.keys.push(pair);
        }
    }

    fn population(&self) -> &Population {
        match &self.stage {
            Stage::Arena(session) => session.population(),
            Stage::Scripted(both) => &both.0,
        }
    }

    pub(super) fn behaviour(&self) -> &Behaviour {
        match &self.stage {
            Stage::Arena(session) => session.behaviour(),
            Stage::Scripted(both) => both.0.program().behaviour(),
        }
    }

    /// The world, when there is one.
    pub(super) fn world(&self) -> Option<&Arena> {
        match &self.stage {
            Stage::Arena(session) => Some(session.arena()),
            Stage::Scripted(_) => None,
        }
    }

    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// What the root answered in the last tick.
    pub(super) fn root(&self) -> Option<Status> {
        self.root
    }

    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Names and values of the blackboard.
    pub(super) fn keys(&self) -> &[(String, String)] {
        &self.keys
    }

    /// The log, the oldest line first.
    pub(super) fn log(&self) -> impl DoubleEndedIterator<Item = &Line> + ExactSizeIterator {
        self.log.iter()
    }

    /// The lines of the last tick.
    pub(super) fn fresh(&self) -> impl Iterator<Item = &Line> {
        self.log
            .iter()
            .skip(self.log.len() - self.fresh.min(self.log.len()))
    }

    pub(super) fn faults(&self) -> u64 {
        self.faults
    }

    /// Whether somebody was hit a moment ago.
    pub(super) fn was_hit(&self, whom: Who) -> bool {
        self.hits[whom as usize].is_some_and(|tick| self.tick - tick < HIT_TICKS)
    }

    /// What the character is doing: the label of the action that runs, if there is one.
    pub(super) fn doing(&self) -> Option<&str> {
        self.running_action()
            .map(|(id, _)| self.behaviour().label(id))
    }

    /// What that action is for, in the words of the document.
    pub(super) fn doing_doc(&self) -> Option<&str> {
        let (id, leaf) = self.running_action()?;
        let behaviour = self.behaviour();
        let doc = behaviour.node(id).doc.as_deref();
        doc.or(behaviour.leaf(leaf).doc.as_deref())
    }

    fn running_action(&self) -> Option<(NodeId, LeafId)> {
        let behaviour = self.behaviour();
        behaviour
            .node_ids()
            .find_map(|id| match behaviour.node(id).kind {
                Kind::Action { leaf, .. } if self.marks.is_running(id) => Some((id, leaf)),
                _ => None,
            })
    }

    /// How it stands, in a sentence.
    pub(super) fn summary(&self) -> String {
        let (tick, secs) = (self.tick, self.tick as f64 / TICKS_PER_SEC as f64);
        let faults = match self.faults {
            0 => "no faults".to_owned(),
            1 => "1 fault".to_owned(),
            count => format!("{count} faults"),
        };
        let Some(arena) = self.world() else {
            let root = self.root.map_or("nothing", Status::as_str);
            return format!("{tick} ticks, {secs:.2} s, {faults}; the root answers {root}");
        };
        let intruder = match arena.intruder().doing() {
            Doing::Outside => "has not come yet".to_owned(),
            Doing::Walking | Doing::Fighting => {
                format!("is there, with {} hit points", arena.intruder().health())
            }
            Doing::Dead => "is dead".to_owned(),
            Doing::Gone => "is gone".to_owned(),
        };
        let guard = match arena.guard().health() {
            0 => "is dead".to_owned(),
            health => format!("has {health} of {GUARD_HEALTH} hit points"),
        };
        format!("{tick} ticks, {secs:.2} s, {faults}; the guard {guard}, the intruder {intruder}")
    }
}

fn tone(what: Happening) -> Tone {
    match what {
        Happening::Arrived | Happening::Saw | Happening::AttackStarted | Happening::FleeStarted => {
            Tone::Notice
        }
        Happening::Hit { .. } | Happening::Died(_) => Tone::Fight,
        _ => Tone::Calm,
    }
}

/// What a tick with scripted leaves changed: actions that started or ended, conditions that answer otherwise.
fn changes(behaviour: &Behaviour, trace: &Trace, marks: &Marks) -> Vec<(Tone, String)> {
    let mut lines = Vec::new();
    for (node, event) in trace.agent(0) {
        let label = behaviour.label(node);
        let is_condition = matches!(behaviour.node(node).kind, Kind::Condition { .. });
        // The answer is the turned one, so the label says so; a name already means the whole.
        let not = match &behaviour.node(node).kind {
            Kind::Condition { negated: true, .. } if behaviour.node(node).name.is_none() => "not ",
            _ => "",
        };
        match event {
            Event::Start => lines.push((Tone::Notice, format!("{label} starts"))),
            Event::Stop(Outcome::Aborted) => {
                lines.push((Tone::Fight, format!("{label} is cut off")))
            }
            Event::Stop(outcome) => {
                lines.push((Tone::Calm, format!("{label} ends with {outcome}")))
            }
            Event::EnterState(_) | Event::LeaveState(_) | Event::Take(_) => {
                lines.extend(moves(behaviour, node, event));
            }
            Event::Tick(status) if is_condition && marks.last(node) != Some(status) => {
                lines.push((
                    Tone::Calm,
                    format!("{not}{label} answers {}", status.as_str().to_lowercase()),
                ));
            }
            _ => {}
        }
    }
    lines
}

/// What a machine does, in words.
fn moves(behaviour: &Behaviour, node: NodeId, event: Event) -> Option<(Tone, String)> {
    let Kind::Machine(machine) = &behaviour.node(node).kind else {
        return None;
    };
    let label = behaviour.label(node);
    let name = |state: u32| &machine.states[state as usize].name;
    Some(match event {
        // The first state is the machine itself, which begins and ends with it.
        Event::EnterState(0) | Event::LeaveState(0) => return None,
        Event::EnterState(state) => (Tone::Notice, format!("{label} enters {}", name(state))),
        Event::LeaveState(state) => (Tone::Calm, format!("{label} leaves {}", name(state))),
        Event::Take(number) => {
            let transition = &machine.transitions[number as usize];
            let text = treemind_doc::transition_text(behaviour, node, transition);
            let from = &machine.states[transition.source].name;
            (Tone::Calm, format!("{label} takes {from} {text}"))
        }
        _ => return None,
    })
}

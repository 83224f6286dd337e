//! A tree at play, in the arena or with scripted leaves, and what is to be seen of it.

use super::marks::Marks;
use crate::commands::why::Before;
use std::collections::VecDeque;
use std::sync::Arc;
use treemind_arena::{Body, BodyId, Session, TICK, TICKS_PER_SEC, Vital, What, World};
use treemind_core::host::Scripted;
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, Kind, LeafId, NodeId, Outcome, Population, Program, Status};

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
}

/// How many lines of the log are kept.
const KEPT_LINES: usize = 200;

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
        };
        player.read_keys();
        player
    }

    /// One tick.
    pub(super) fn step(&mut self) {
        self.tick += 1;
        self.fresh = 0;
        let mut lines = Vec::new();
        let agent = self.agent();
        let before = Before::look(self.population(), agent);
        let (faults, said) = match &mut self.stage {
            Stage::Arena(session) => {
                session.step_traced(&mut self.trace);
                let world = session.world();
                for event in world.events() {
                    lines.push((tone(event.what), world.tell(event)));
                }
                let said = world.said().iter();
                lines.extend(said.map(|text| (Tone::Calm, text.clone())));
                session.take_faults()
            }
            Stage::Scripted(both) => {
                let (population, host) = &mut **both;
                population.tick_traced(host, TICK, &mut self.trace);
                lines = changes(population.program().behaviour(), &self.trace, &self.marks);
                let said = host.take_messages().into_iter();
                lines.extend(said.map(|message| (Tone::Calm, message.text)));
                let faults = population.take_faults();
                let behaviour = population.program().behaviour();
                let said = faults.kept().iter();
                let said =
                    said.map(|fault| format!("{}: {}", behaviour.label(fault.node), fault.kind));
                (faults.total(), said.collect())
            }
        };
        self.faults += faults;
        lines.extend(said.into_iter().map(|text| (Tone::Fault, text)));
        let agent = self.agent();
        let candidates = before.explain(self.population(), &self.trace, agent);
        self.marks.update(&self.trace, agent, candidates, self.tick);
        self.root = self.trace.root(self.behaviour(), agent);
        for (tone, text) in lines {
            let tick = self.tick;
            self.push(Line { tick, tone, text });
        }
        self.read_keys();
    }

    /// The agent that one looks at.
    fn agent(&self) -> usize {
        match &self.stage {
            Stage::Arena(session) => session.focus_agent(),
            Stage::Scripted(_) => 0,
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
    pub(super) fn world(&self) -> Option<&World> {
        match &self.stage {
            Stage::Arena(session) => Some(session.world()),
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

    /// Whether there are several minds to look at.
    pub(super) fn has_choice(&self) -> bool {
        self.world().is_some_and(|world| {
            world
                .bodies()
                .iter()
                .filter(|body| body.traits().mind.is_some())
                .count()
                > 1
        })
    }

    /// Looks at the next actor with a mind.
    pub(super) fn look_at_next(&mut self) {
        let Stage::Arena(session) = &mut self.stage else {
            return;
        };
        let focus = session.focus();
        let ids = session.world().ids();
        let (before, behind): (Vec<BodyId>, Vec<BodyId>) = ids.partition(|who| *who <= focus);
        if behind
            .into_iter()
            .chain(before)
            .any(|who| session.look_at(who))
        {
            self.marks = Marks::new(session.behaviour());
            self.marks
                .catch_up(session.population(), session.focus_agent());
            self.trace.clear();
            self.root = None;
            self.read_keys();
        }
    }

    /// The body that one looks at.
    pub(super) fn focus(&self) -> Option<BodyId> {
        match &self.stage {
            Stage::Arena(session) => Some(session.focus()),
            Stage::Scripted(_) => None,
        }
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
        let Some(world) = self.world() else {
            let root = self.root.map_or("nothing", Status::as_str);
            return format!("{tick} ticks, {secs:.2} s, {faults}; the root answers {root}");
        };
        let mut bodies: Vec<String> = world.bodies().iter().map(standing).collect();
        let more = bodies.len().saturating_sub(MOST_TOLD);
        bodies.truncate(MOST_TOLD);
        if more > 0 {
            bodies.push(format!("and {more} more"));
        }
        format!("{tick} ticks, {secs:.2} s, {faults}; {}", bodies.join(", "))
    }
}

/// Of how many bodies the last sentence tells.
const MOST_TOLD: usize = 8;

/// How somebody is, in words.
fn standing(body: &Body) -> String {
    let name = body.name();
    match body.vital() {
        Vital::Outside => format!("the {name} has not come yet"),
        Vital::Up => format!(
            "the {name} has {} of {} hit points",
            body.health(),
            body.traits().health
        ),
        Vital::Out(_) => format!("the {name} is knocked out"),
        Vital::Tied => format!("the {name} is tied up"),
        Vital::Dead => format!("the {name} is dead"),
        Vital::Gone => format!("the {name} is gone"),
    }
}

fn tone(what: What) -> Tone {
    match what {
        What::Arrives | What::Sees(_) | What::Hears(_) | What::Noise(_) => Tone::Notice,
        What::Begins("attack" | "run-away" | "swing" | "hide" | "run-for-cover") => Tone::Notice,
        What::IsHit { .. } | What::Misses | What::Dies | What::Falls | What::Ties(_) => Tone::Fight,
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

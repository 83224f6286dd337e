//! What a machine did about each transition in a tick: whether it was taken, and if not, what stopped it.

use crate::outscored::{MachineEvents, outscored};
use crate::say;
use crate::words::{Language, Words};
use std::collections::HashMap;
use treemind_core::behaviour::{DoneWith, Machine, Mode, Stack, StateIndex, Transition, Trigger};
use treemind_core::trace::{Event, Refusal, Trace};
use treemind_core::{Behaviour, Kind, NodeId, Population};

/// The state of the machines before a tick.
#[derive(Clone, Debug, Default)]
pub struct Before {
    machines: HashMap<NodeId, Standing>,
}

#[derive(Clone, Debug)]
struct Standing {
    is_active: Vec<bool>,
    /// When each transition with `after` is due.
    due_ns: Vec<Option<u64>>,
}

/// A transition whose state was active, and what happened to it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The machine.
    pub node: NodeId,
    /// The position of the transition in the machine.
    pub transition: usize,
    /// What happened.
    pub verdict: Verdict,
    /// The same as a sentence.
    pub words: Words,
}

/// What happened to a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was taken.
    Taken,
    /// It was a candidate and was not taken.
    Refused(Refusal),
    /// The event or time that it waits for had not come.
    NotArmed,
}

impl Verdict {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Taken => "taken",
            Verdict::Refused(why) => refusal_word(why),
            Verdict::NotArmed => "not-armed",
        }
    }
}

/// Why a transition was not taken, as a word.
#[warn(clippy::wildcard_enum_match_arm)]
pub fn refusal_word(why: Refusal) -> &'static str {
    match why {
        Refusal::Beaten => "beaten",
        Refusal::Active => "active",
        Refusal::Guard => "guard",
        Refusal::Stack => "stack",
        Refusal::Closed => "closed",
        Refusal::Conflict => "conflict",
        _ => treemind_core::unlisted(&why),
    }
}

impl Before {
    /// Reads the state of an agent's machines before it is ticked.
    pub fn look(population: &Population, agent: usize) -> Self {
        let behaviour = population.program().behaviour();
        let machines = machines(behaviour).map(|(node, machine)| {
            let states = 0..machine.states.len();
            let transitions = 0..machine.transitions.len();
            let standing = Standing {
                is_active: states
                    .map(|state| population.is_in(agent, node, state))
                    .collect(),
                due_ns: transitions
                    .map(|number| population.due_ns(agent, node, number))
                    .collect(),
            };
            (node, standing)
        });
        Self {
            machines: machines.collect(),
        }
    }

    /// What happened to each transition of every state that was active at the start of the tick, or that a
    /// statechart entered during it. First come the transitions that were taken, then those that were refused, each
    /// in the order of events, then those that were not armed. Only machines that were ticked have any.
    pub fn explain(&self, population: &Population, trace: &Trace, agent: usize) -> Vec<Candidate> {
        let behaviour = population.program().behaviour();
        let mut found = Vec::new();
        for (node, machine) in machines(behaviour) {
            let Some(standing) = self.machines.get(&node) else {
                continue;
            };
            let events = trace.valued(agent).filter(|(at, ..)| *at == node);
            let events: Vec<_> = events.map(|(_, event, value)| (event, value)).collect();
            if (events.iter()).any(|(event, _)| matches!(event, Event::Tick(_))) {
                let case = Case {
                    behaviour,
                    machine,
                    events: &events,
                    standing,
                    now_ns: population.now_ns(),
                };
                let told = case.candidates();
                found.extend(told.iter().map(|&(transition, verdict)| Candidate {
                    node,
                    transition,
                    verdict,
                    words: case.words(transition, verdict, &told),
                }));
            }
        }
        found
    }
}

fn machines(behaviour: &Behaviour) -> impl Iterator<Item = (NodeId, &Machine)> {
    behaviour
        .node_ids()
        .filter_map(|node| match &behaviour.node(node).kind {
            Kind::Machine(machine) => Some((node, &**machine)),
            _ => None,
        })
}

/// One machine in one tick.
struct Case<'a> {
    behaviour: &'a Behaviour,
    machine: &'a Machine,
    events: &'a MachineEvents,
    standing: &'a Standing,
    now_ns: u64,
}

impl Case<'_> {
    fn candidates(&self) -> Vec<(usize, Verdict)> {
        let is_statechart = self.machine.mode == Mode::Statechart;
        let mut looked_at = self.standing.is_active.clone();
        let mut told: Vec<(usize, Verdict)> = Vec::new();
        for (event, _) in self.events {
            let next = match event {
                Event::Take(number) => (*number as usize, Verdict::Taken),
                Event::Refuse(number, why) => (*number as usize, Verdict::Refused(*why)),
                Event::EnterState(state) => {
                    looked_at[*state as usize] |= is_statechart;
                    continue;
                }
                _ => continue,
            };
            // A statechart may refuse the same transition in every microstep.
            if !told.contains(&next) {
                told.push(next);
            }
        }
        // A machine reports what it takes after all refusals; here the transitions taken come first.
        told.sort_by_key(|(_, verdict)| *verdict != Verdict::Taken);
        let transitions = self.machine.transitions.iter().enumerate();
        for (number, transition) in transitions {
            let is_told = told.iter().any(|(known, _)| *known == number);
            if looked_at[transition.source] && !is_told {
                told.push((number, Verdict::NotArmed));
            }
        }
        told
    }

    fn words(&self, number: usize, verdict: Verdict, told: &[(usize, Verdict)]) -> Words {
        let transition = &self.machine.transitions[number];
        match verdict {
            Verdict::Taken => say!(IsTaken),
            Verdict::NotArmed => {
                let lost = outscored(self.behaviour, self.machine, transition, self.events);
                lost.unwrap_or_else(|| self.what_is_missing(transition, number))
            }
            Verdict::Refused(why) => self.why_refused(transition, why, told),
        }
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn why_refused(
        &self,
        transition: &Transition,
        why: Refusal,
        told: &[(usize, Verdict)],
    ) -> Words {
        let has_guard = transition.when.is_some() || transition.conditions.is_some();
        match why {
            Refusal::Guard if transition.decided.is_some() => match has_guard {
                true => say!(ConditionOrNoState),
                false => say!(NoState),
            },
            Refusal::Guard => say!(ConditionNotMet),
            Refusal::Stack => match transition.stack {
                Stack::Pop => say!(NothingToGoBackTo),
                Stack::Push | Stack::Keep => say!(StackFull),
            },
            Refusal::Beaten => match self.taken_before(transition, told).map(Words::code) {
                Some(other) if matches!(transition.trigger, Trigger::Event(_)) => {
                    say!(EventButTaken, other)
                }
                Some(other) => say!(OtherTaken, other),
                None => say!(OtherComesFirst),
            },
            Refusal::Active => say!(IsActive),
            Refusal::Closed => match self.closed_state(transition).map(Words::code) {
                Some(state) => say!(StateClosed, state),
                None => say!(SomeStateClosed),
            },
            Refusal::Conflict => say!(Conflicts),
            _ => treemind_core::unlisted(&why),
        }
    }

    /// The transition that was taken where this one could have been, such as `walk → run`.
    fn taken_before(&self, transition: &Transition, told: &[(usize, Verdict)]) -> Option<String> {
        let taken = told
            .iter()
            .filter(|(_, verdict)| *verdict == Verdict::Taken);
        let mut taken = taken.map(|(number, _)| &self.machine.transitions[*number]);
        let other = taken.find(|other| {
            let (one, two) = (other.source, transition.source);
            one == two || self.machine.is_inside(one, two) || self.machine.is_inside(two, one)
        })?;
        let name = |state: StateIndex| self.machine.states[state].name.as_str();
        let targets = other.targets.iter().map(Machine::target_state).map(name);
        let targets: Vec<&str> = targets.collect();
        Some(match &targets[..] {
            [] => format!("{} →", name(other.source)),
            targets => format!("{} → {}", name(other.source), targets.join(", ")),
        })
    }

    /// What a transition waits for and has not got.
    #[warn(clippy::wildcard_enum_match_arm)]
    fn what_is_missing(&self, transition: &Transition, number: usize) -> Words {
        match &transition.trigger {
            Trigger::Polled => say!(NotChecked),
            Trigger::Event(_) => say!(NoSuchEvent),
            Trigger::After(_) => match self.standing.due_ns[number] {
                Some(due) if due > self.now_ns => {
                    let secs = (due - self.now_ns) as f64 / 1e9;
                    say!(ToGo, secs = Words::plain(format!("{secs:.2}")))
                }
                Some(_) => say!(NotChecked),
                None if self.standing.is_active[transition.source] => say!(TimeUnknown),
                None => say!(TimeBegun),
            },
            Trigger::Done(with) => match with {
                DoneWith::Any => say!(NotDone),
                DoneWith::Success => say!(NotDoneWithSuccess),
                DoneWith::Failure => say!(NotDoneWithFailure),
                _ => treemind_core::unlisted(&with),
            },
            _ => treemind_core::unlisted(&transition.trigger),
        }
    }

    /// The state on the way with an enter condition, if there is exactly one.
    fn closed_state(&self, transition: &Transition) -> Option<&str> {
        let is_on_the_way = |state: &StateIndex| {
            let states = &self.machine.states;
            let mut targets = transition.targets.iter().map(Machine::target_state);
            states[*state].enter_if.is_some()
                && targets.any(|target| target == *state || self.machine.is_inside(target, *state))
        };
        let mut closed = (0..self.machine.states.len()).filter(is_on_the_way);
        let name = &self.machine.states[closed.next()?].name;
        closed.next().is_none().then_some(name)
    }
}

/// A line about a candidate: `robot: search → rest after=1.0: 0.70 s to go`.
pub fn transition_line(behaviour: &Behaviour, candidate: &Candidate) -> String {
    transition_words(behaviour, candidate).written(Language::English)
}

/// The same in words.
pub(crate) fn transition_words(behaviour: &Behaviour, candidate: &Candidate) -> Words {
    let Kind::Machine(machine) = &behaviour.node(candidate.node).kind else {
        return Words::Nothing;
    };
    let transition = &machine.transitions[candidate.transition];
    let text = treemind_doc::transition_text(behaviour, candidate.node, transition);
    let (label, from) = (
        behaviour.label(candidate.node),
        &machine.states[transition.source].name,
    );
    let line = Words::value(format!("{label}: {from} {text}"));
    say!(Colon, one = line, more = candidate.words.clone())
}

//! Follows an agent, and explains its last tick.

use crate::causes::Begun;
use crate::explanation::{Explanation, Reason, Told, tell_once};
use crate::facts::Case;
use crate::fellows::Fellows;
use crate::find::Sought;
use crate::history::{History, Writer};
use crate::names::names;
use crate::plans::followed::Made;
use crate::plans::thoughts::Thoughts;
use crate::rules::Firings;
use crate::say;
use crate::tick::TickEvents;
use crate::transitions::{Before, Candidate};
use crate::words::{Language, Words};
use std::collections::BTreeMap;
use std::sync::Arc;
use treemind_core::planning::StepSet;
use treemind_core::trace::Trace;
use treemind_core::{Fault, FaultKind, KeyId, Kind, NodeId, Population, Program, Status, Value};

/// How an agent came to be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// At some tick; what it did before was not seen.
    Late,
    /// When it got another program.
    Changed,
}

/// Follows one agent of a population from tick to tick, and explains why it did in the last one what it did.
///
/// It does not know what happened before it began to follow the agent, and says nothing about it.
#[derive(Clone, Debug)]
pub struct Explainer {
    agent: usize,
    name: Option<String>,
    program: Arc<Program>,
    /// The names of the nodes of the program.
    names: Arc<[Words]>,
    fellows: Fellows,
    /// The nodes that are open after the last tick, in order.
    open: Vec<NodeId>,
    history: History,
    thoughts: Thoughts,
    /// The plans that its planners follow, of those that were seen when they were made.
    made: BTreeMap<NodeId, Made>,
    before: Before,
    events: Arc<TickEvents>,
    /// What happened in the tick before, if that was seen.
    earlier: Option<Arc<TickEvents>>,
    /// Why the leaves and the machines that are open began, of those whose beginning was seen.
    begun: BTreeMap<NodeId, Begun>,
    /// Why each transition was taken when it was taken last, by its machine and its position.
    took: BTreeMap<(NodeId, usize), Begun>,
    /// Whether the actions that ran were aborted between the ticks.
    was_aborted: bool,
    /// The first tick of the agent, if that was seen.
    first: Option<u64>,
    /// The last tick before it began to follow the agent, and how it came to that.
    begin: u64,
    met: Met,
    candidates: Vec<Candidate>,
    /// What its searches for the best of several candidates have looked at.
    sought: Vec<Sought>,
    /// When its rules fired.
    firings: Firings,
    /// What went wrong for it in the last tick.
    faults: Vec<Fault>,
    tick: u64,
    now_ns: u64,
}

impl Explainer {
    /// Begins to follow an agent, between two ticks.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn new(population: &Population, agent: usize) -> Self {
        let mut explainer = Self {
            agent,
            name: None,
            program: Arc::clone(population.program()),
            names: names(population.program().behaviour()).into(),
            fellows: Fellows::default(),
            open: population.open(agent, []),
            history: History::new(population, agent),
            thoughts: Thoughts::new(population.program().behaviour()),
            made: BTreeMap::new(),
            before: Before::default(),
            events: Arc::default(),
            earlier: None,
            begun: BTreeMap::new(),
            took: BTreeMap::new(),
            was_aborted: false,
            first: population.is_newborn(agent).then(|| population.ticks() + 1),
            begin: population.ticks(),
            met: Met::Late,
            candidates: Vec::new(),
            sought: Sought::all(population.program().behaviour()),
            firings: Firings::new(population.program().behaviour()),
            faults: Vec::new(),
            tick: population.ticks(),
            now_ns: population.now_ns(),
        };
        explainer
            .history
            .before_tick(population, agent, explainer.tick);
        explainer
    }

    /// The same, but explanations call the agent by this name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same, but sentences call the other agents of the population by these names.
    #[must_use]
    pub fn among(mut self, fellows: Fellows) -> Self {
        self.fellows = fellows;
        self
    }

    /// The same, but of an agent that a test of the document plays: what would be the game's doing is told as the test's.
    #[must_use]
    pub fn of_test(mut self, is_of_test: bool) -> Self {
        self.history.is_of_test = is_of_test;
        self
    }

    /// The same, but of an agent that has just got another program: what begins in the next tick may begin because of that.
    #[must_use]
    pub fn after_change(mut self) -> Self {
        self.met = Met::Changed;
        self
    }

    /// Goes on after the population got a program that differs at most in texts for people, as after a change of a comment:
    /// everything that is known stays known. Returns whether it is such a program; otherwise nothing has changed.
    pub fn go_on_with(&mut self, population: &Population) -> bool {
        let program = population.program();
        if program.fingerprint() != self.program.fingerprint() {
            return false;
        }
        self.names = names(program.behaviour()).into();
        self.program = Arc::clone(program);
        true
    }

    /// Looks at the agent before each tick: what was written since the last one. If the population has got another
    /// program, it forgets what happened with the old one.
    ///
    /// # Panics
    /// When the population no longer has the agent.
    pub fn before_tick(&mut self, population: &Population) {
        if !self.is_same(population) {
            *self = self.anew(population);
        }
        let tick = population.ticks() + 1;
        self.history.before_tick(population, self.agent, tick);
        self.thoughts.before_tick(population, self.agent);
        self.before = Before::look(population, self.agent);
        let behaviour = population.program().behaviour();
        let is_action = |id: &NodeId| matches!(behaviour.node(*id).kind, Kind::Action { .. });
        self.was_aborted =
            self.open.iter().any(is_action) && population.running(self.agent).is_empty();
    }

    /// Says that somebody who watches the game has typed a value that a key has in the next tick, or gets at its begin:
    /// otherwise, sentences would say that the game wrote it. To be called after [`before_tick`](Self::before_tick).
    pub fn typed(&mut self, population: &Population, typed: (KeyId, Value)) {
        self.history
            .given(typed, Writer::Typed, population.ticks() + 1);
    }

    /// Says that a key has a value in the next tick, or gets it at its begin, that it had before its name changed. To be called
    /// after [`before_tick`](Self::before_tick).
    pub fn kept(&mut self, population: &Population, kept: (KeyId, Value)) {
        self.history
            .given(kept, Writer::Kept, population.ticks() + 1);
    }

    /// Takes in the trace of the tick; it should be one [with values](Trace::with_values).
    ///
    /// # Panics
    /// When the population no longer has the agent.
    pub fn after_tick(&mut self, population: &Population, trace: &Trace) {
        if !self.is_same(population) {
            *self = self.anew(population);
            return;
        }
        let is_next = self.tick + 1 == population.ticks();
        self.tick = population.ticks();
        self.now_ns = population.now_ns();
        let faults = population.latest_faults();
        let events = Arc::new(TickEvents::new(trace, self.agent, faults));
        let earlier = std::mem::replace(&mut self.events, events);
        self.earlier = is_next.then_some(earlier);
        let now = (population.program().behaviour(), self.tick);
        self.thoughts.after_tick(now, &self.events, is_next);
        let before = std::mem::take(&mut self.open);
        self.open = population.open(self.agent, trace.agent(self.agent));
        self.candidates = self.before.explain(population, trace, self.agent);
        let faults = population.latest_faults().iter();
        let own = faults.filter(|fault| fault.agent == self.agent);
        self.faults = own.cloned().collect();
        let now = (population, self.agent, self.tick);
        self.history.after_tick(now, &self.events, trace);
        self.note_plans(population, &before);
        self.note_beginnings(population, &before);
        self.note_rules(population);
        // While an agent is not ticked, as between two intervals, its searches are only delayed.
        if !self.events.all().is_empty() {
            for one in &mut self.sought {
                let events = self.events.of(one.node);
                let events = events.map(|(_, event, value)| (one.node, event, value));
                let events: Vec<_> = events.collect();
                one.follow(population.program().behaviour(), events, self.tick);
            }
        }
    }

    /// Notes which rules fired in this tick, and which held.
    fn note_rules(&mut self, population: &Population) {
        let case = self.case(population);
        let looks = self.firings.looks(&case);
        let is_whole = self.first.is_some();
        self.firings.note(looks, self.tick, is_whole);
    }

    /// Notes which plans were made in this tick, and forgets those that are over.
    /// `before` was open before the tick.
    fn note_plans(&mut self, population: &Population, before: &[NodeId]) {
        let case = self.case(population);
        let planners = self.thoughts.planners().iter();
        let made = planners.filter_map(|id| {
            let made = case.makes(*id).or_else(|| self.made.get(id).cloned())?;
            case.follows(*id, &made).then_some((*id, made))
        });
        self.made = made.collect();
        let events = Arc::clone(&self.events);
        let who = (population, self.agent);
        self.thoughts.note_starts(who, &events, before);
    }

    /// Finds out why something began in this tick, and forgets what is over. `before` was open before the tick.
    fn note_beginnings(&mut self, population: &Population, before: &[NodeId]) {
        let case = self.case(population);
        let machines = self.open.iter().copied().filter(|id| {
            let kind = &case.behaviour.node(*id).kind;
            matches!(kind, Kind::Machine(_))
        });
        let machines: Vec<NodeId> = machines.collect();
        let mut begun = BTreeMap::new();
        for id in case.running().into_iter().chain(machines.iter().copied()) {
            let known = match case.has_begun(id, before) {
                true => Some(case.begins(id)),
                false => self.begun.get(&id).cloned(),
            };
            begun.extend(known.map(|known| (id, known)));
        }
        let of_machine = |id: &NodeId| {
            let id = *id;
            let takes = case.takes(id).into_iter();
            takes.map(move |(number, begun)| ((id, number), begun))
        };
        let took: Vec<_> = machines.iter().flat_map(of_machine).collect();
        self.took.extend(took);
        self.begun = begun;
    }

    /// The agent that it follows.
    pub fn agent(&self) -> usize {
        self.agent
    }

    /// What happened to the transitions of machines in the last tick.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The steps that a planner left out of its last search for a goal that found no plan. A planner that has ended since
    /// leaves nothing out any more. `None` if that search was not seen.
    pub fn left_out(&self, planner: NodeId, goal: usize) -> Option<StepSet> {
        let thought = self.thoughts.fruitless(planner, goal)?.thought.as_ref()?;
        Some(thought.left_out)
    }

    /// When a key last changed, and who wrote it; `None` if it has not changed since the explainer began. `population`
    /// is as it was after the last tick.
    pub fn written(
        &self,
        population: &Population,
        key: KeyId,
        language: Language,
    ) -> Option<Reason> {
        if !self.is_same(population) {
            return None;
        }
        let told = self.case(population).writers([(key, None)]).pop()?;
        Some(told.written(self.program.behaviour(), language))
    }

    /// Explains the last tick, in English. `population` is as it was after that tick. If the population has got
    /// another program since, there is nothing to say.
    pub fn explain(&self, population: &Population) -> Explanation {
        self.explain_in(population, Language::English)
    }

    /// The same in a language.
    pub fn explain_in(&self, population: &Population, language: Language) -> Explanation {
        if !self.is_same(population) {
            return self.anew(population).explain_in(population, language);
        }
        let case = self.case(population);
        let behaviour = case.behaviour;
        let root = behaviour.root();
        let status = self.events.status(root);
        let running = case.running();
        let waiting = case.waiting(&running);
        let mut does: Vec<Told> = running.iter().map(|leaf| case.way_to(*leaf)).collect();
        if running.is_empty() {
            does = match status {
                Some(Status::Running) if waiting.is_empty() => case.between(),
                Some(_) => case.facts(root),
                None => (waiting.iter())
                    .flat_map(|machine| case.active_states(*machine))
                    .collect(),
            };
        }
        let acting = running.iter().chain(&waiting);
        let mut because = case.began(acting.copied());
        let mut changed = case.changes();
        let has_changed = !changed.is_empty();
        let mut faults = self.told_faults(&case);
        let acting = running.iter().chain(&waiting);
        let mut instead: Vec<Told> = acting.flat_map(|node| case.alternatives(*node)).collect();
        if self.is_unseen() {
            // What the old program did cannot be told in the words of the new one.
            for list in [&mut does, &mut because, &mut faults, &mut instead] {
                list.clear();
            }
            changed = vec![Told::about(root, say!(ChangedSince))];
        }
        tell_once([&mut does, &mut faults, &mut changed, &mut instead]);
        tell_once([&mut because]);
        let written = |told: Vec<Told>| {
            let told = told.iter();
            told.map(|one| one.written(behaviour, language)).collect()
        };
        Explanation {
            language,
            behaviour: behaviour.name().to_owned(),
            agent: self.agent,
            name: self.name.clone(),
            tick: self.tick,
            secs: self.now_ns as f64 / 1e9,
            answer: status.map(answer),
            does: written(does),
            because: written(because),
            faults: written(faults),
            has_changed,
            changed: written(changed),
            instead: written(instead),
        }
    }

    /// Explains one node in the last tick, in English: why it answered what it answered, or why it was not reached.
    ///
    /// # Panics
    /// When the behaviour has no such node.
    pub fn why(&self, population: &Population, node: NodeId) -> Reason {
        self.why_in(population, node, Language::English)
    }

    /// The same in a language.
    ///
    /// # Panics
    /// When the behaviour has no such node.
    pub fn why_in(&self, population: &Population, node: NodeId, language: Language) -> Reason {
        if !self.is_same(population) {
            return self.anew(population).why_in(population, node, language);
        }
        let mut told = vec![match self.is_unseen() {
            true => Told::about(node, say!(ChangedSince)),
            false => self.case(population).why(node),
        }];
        tell_once([&mut told]);
        told[0].written(self.program.behaviour(), language)
    }

    /// What went wrong, each kind once.
    fn told_faults(&self, case: &Case<'_>) -> Vec<Told> {
        let faults = self.faults.iter();
        let told = faults.map(|fault| {
            let name = self.names[fault.node.index()].clone();
            let kind = &self.program.behaviour().node(fault.node).kind;
            let words = match (&fault.kind, kind) {
                (FaultKind::BadScore, Kind::Semaphore { .. }) => {
                    say!(Colon, one = name, more = say!(BidIsNone))
                }
                (FaultKind::BadScore, Kind::Find(_)) => {
                    say!(Colon, one = name, more = say!(CandidateScoreIsNone))
                }
                _ => Words::fault(name, fault),
            };
            let told = Told::about(fault.node, words);
            let cost = case
                .cost_of(fault.node)
                .filter(|_| fault.kind == FaultKind::BadScore);
            told.because(cost.into_iter().collect())
        });
        told.collect()
    }

    /// One that knows nothing yet.
    pub(crate) fn anew(&self, population: &Population) -> Self {
        Self {
            name: self.name.clone(),
            fellows: self.fellows.clone(),
            met: Met::Changed,
            ..Self::new(population, self.agent).of_test(self.history.is_of_test)
        }
    }

    /// Whether the agent got its program after the last tick: nothing was seen of it so far.
    fn is_unseen(&self) -> bool {
        self.met == Met::Changed && self.tick == self.begin && self.begin > 0
    }

    /// Whether the population still has the program of the last tick.
    fn is_same(&self, population: &Population) -> bool {
        Arc::ptr_eq(population.program(), &self.program)
    }

    /// The last tick, unless the population has got another program since.
    pub(crate) fn known_case<'a>(&'a self, population: &'a Population) -> Option<Case<'a>> {
        self.is_same(population).then(|| self.case(population))
    }

    fn case<'a>(&'a self, population: &'a Population) -> Case<'a> {
        Case {
            population,
            behaviour: self.program.behaviour(),
            agent: self.agent,
            tick: self.tick,
            events: &self.events,
            earlier: self.earlier.as_deref(),
            was_aborted: self.was_aborted,
            is_first: self.first == Some(self.tick),
            met: (self.tick == self.begin + 1).then_some(self.met),
            begun: &self.begun,
            took: &self.took,
            history: &self.history,
            thoughts: &self.thoughts,
            made: &self.made,
            names: &self.names,
            fellows: &self.fellows,
            open: &self.open,
            candidates: &self.candidates,
            sought: &self.sought,
            firings: &self.firings,
        }
    }
}

/// An answer in lower case.
fn answer(status: Status) -> &'static str {
    match status {
        Status::Success => "success",
        Status::Failure => "failure",
        Status::Running => "running",
        Status::Skipped => "skipped",
    }
}

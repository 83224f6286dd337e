//! Behaviours played in a world, tick by tick.

mod cast;
mod look;
mod reloading;
pub(crate) mod saving;

use crate::body::{Key, Mind};
use crate::event::Event;
use crate::ids::BodyId;
use crate::time::TICK;
use crate::world::World;
use cast::Cast;
pub use saving::LoadError;
use std::collections::BTreeMap;
use std::fmt;
use treemind::blackboard::{Held, KeyId, Value};
use treemind::core::behaviour::LeafKind;
use treemind::core::host::Stub;
use treemind::core::society::{ChangeError, JoinError};
use treemind::doc::Archetype;
use treemind::population::{Behaviour, Limits, Population, Society};
use treemind::trace::Trace;
use treemind::{BindError, Document, Faults};
use treemind_recording::Recorder;

/// How leaves without code answer, by their names.
type Stubbed = BTreeMap<String, Stub>;

/// The behaviours of all minds, and the world that they live in.
///
/// All bodies with the same behaviour are the agents of one population, and all populations are in one
/// [`Society`]: they share what their documents declare with `scope=world` and `scope=group`. The actors of one team are
/// one group. In each tick, the world
/// steps; the keys that the arena provides are written; then the populations are ticked, one after the other, agent by
/// agent. A body that is dead or not in the world does not decide: its agent is removed, and what it was running is aborted.
/// The body gets a new agent when it is back.
///
/// A clone continues exactly as the original does.
#[derive(Clone)]
pub struct Session {
    world: World,
    society: Society,
    /// One cast per behaviour; the first is that of the `main` mind.
    casts: Vec<Cast>,
    /// The selected body, and its cast.
    focus: (BodyId, usize),
    /// How many faults were taken.
    faults: u64,
    limits: Limits,
    /// The names and texts of the document's files; the first is that of the document.
    files: Vec<(String, String)>,
    /// Keys that are written before each tick, after the world has written its own.
    held: Vec<(BodyId, KeyId, Value)>,
    /// How some of the leaves answer that the arena does not have; `None` if it must have all.
    stubbed: Option<Stubbed>,
}

/// Why behaviours cannot be played in a world.
#[derive(Debug)]
pub enum SessionError {
    /// A behaviour needs leaves that the arena does not offer.
    Bind(BindError),
    /// No body on the map has the mind `main`.
    Nobody,
    /// A mind of the map is not in the document, with the reason.
    Mind(String),
    /// Behaviours declare something differently that they share.
    Join(JoinError),
    /// A changed behaviour declares something differently that it shares with others.
    Change(ChangeError),
}

impl fmt::Display for SessionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Bind(error) => error.fmt(out),
            SessionError::Nobody => out.write_str("no actor of the map has `mind=main`"),
            SessionError::Mind(text) => out.write_str(text),
            SessionError::Join(error) => error.fmt(out),
            SessionError::Change(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<BindError> for SessionError {
    fn from(error: BindError) -> Self {
        Self::Bind(error)
    }
}

impl From<JoinError> for SessionError {
    fn from(error: JoinError) -> Self {
        Self::Join(error)
    }
}

impl From<ChangeError> for SessionError {
    fn from(error: ChangeError) -> Self {
        Self::Change(error)
    }
}

impl Session {
    /// Connects a world with the behaviour of all bodies whose mind is `main`, and with other behaviours of the
    /// same document.
    ///
    /// # Errors
    /// When a behaviour needs leaves that the arena does not offer; when no body has the mind `main`; when a mind
    /// of the map is not in the document; when behaviours declare something differently that they share.
    pub fn new(
        main: Behaviour,
        document: Option<&Document>,
        world: World,
    ) -> Result<Self, SessionError> {
        Self::begun(main, document, world, (false, false))
    }

    /// The same, but a leaf that the arena does not have is a [stub](Self::stub): it has no code, and answers as one says.
    ///
    /// # Errors
    /// As [`new`](Self::new), except for leaves that the arena does not offer.
    pub fn with_stubs(
        main: Behaviour,
        document: Option<&Document>,
        world: World,
    ) -> Result<Self, SessionError> {
        Self::begun(main, document, world, (true, false))
    }

    /// The same as [`new`](Self::new), for a map on which perhaps nobody has the mind `main`, because a body is steered from
    /// outside instead. Then there is no agent to [look at](Self::focus_agent).
    pub(crate) fn around_steered(
        main: Behaviour,
        document: &Document,
        world: World,
    ) -> Result<Self, SessionError> {
        Self::begun(main, Some(document), world, (false, true))
    }

    fn begun(
        main: Behaviour,
        document: Option<&Document>,
        world: World,
        (has_stubs, may_be_nobody): (bool, bool),
    ) -> Result<Self, SessionError> {
        let limits = world.scenario().rules.limits();
        let mut session = Self {
            limits,
            casts: Vec::new(),
            society: Society::new(),
            world,
            focus: (BodyId(0), 0),
            faults: 0,
            files: document.map_or_else(Vec::new, Document::texts),
            held: Vec::new(),
            stubbed: has_stubs.then(Stubbed::new),
        };
        let minds = session.minds();
        let first = minds.iter().filter(|(_, mind)| *mind == Mind::Main);
        let first: Vec<BodyId> = first.map(|&(who, _)| who).collect();
        if first.is_empty() && !may_be_nobody {
            return Err(SessionError::Nobody);
        }
        let groups = first.iter().map(|who| (*who, session.group_of(*who)));
        let groups: Vec<(BodyId, u32)> = groups.collect();
        let society = &mut session.society;
        let mut cast = Cast::new(Mind::Main, main, &session.world, society, has_stubs)?;
        for member in groups {
            cast.add(society, member, (&[], 1));
        }
        session.focus.0 = first.first().copied().unwrap_or(BodyId(0));
        cast.set_limits(&mut session.society, limits);
        session.casts.push(cast);
        for (who, mind) in minds {
            if mind != Mind::Main {
                session.add(who, &mind, document)?;
            }
        }
        Ok(session)
    }

    /// The group of a body: that of its team, from 1 in the order in which the teams first occur on the map; 0
    /// without a team.
    fn group_of(&self, who: BodyId) -> u32 {
        let team = |who: BodyId| self.world.body(who).traits().team.as_str();
        let own = team(who);
        if own.is_empty() {
            return 0;
        }
        let mut teams: Vec<&str> = Vec::new();
        for team in self.world.ids().map(team).filter(|team| !team.is_empty()) {
            if !teams.contains(&team) {
                teams.push(team);
            }
        }
        let place = teams.iter().position(|team| *team == own);
        place.map_or(0, |place| place as u32 + 1)
    }

    fn minds(&self) -> Vec<(BodyId, Mind)> {
        let mind = |who: BodyId| Some((who, self.world.body(who).traits().mind.clone()?));
        self.world.ids().filter_map(mind).collect()
    }

    fn add(
        &mut self,
        who: BodyId,
        mind: &Mind,
        document: Option<&Document>,
    ) -> Result<(), SessionError> {
        let name = self.world.body(who).name();
        let fail = |what: &str| SessionError::Mind(format!("the {name} of the map: {what}"));
        let document = document.ok_or_else(|| fail(NO_DOCUMENT))?;
        // An archetype is its tree with other start values of keys.
        let archetype = match mind {
            Mind::Archetype(name) => Some(
                document
                    .archetype(name)
                    .ok_or_else(|| fail(&format!("unknown archetype `{name}`")))?,
            ),
            _ => None,
        };
        let role = archetype.map_or_else(|| mind.clone(), role_of);
        let known = self.casts.iter().position(|cast| *cast.mind() == role);
        let nth = match known {
            Some(nth) => nth,
            None => {
                let behaviour = definition_of(&role, Some(document)).map_err(|what| fail(&what))?;
                let cast = Cast::new(
                    role,
                    behaviour,
                    &self.world,
                    &mut self.society,
                    self.stubbed.is_some(),
                )?;
                cast.set_limits(&mut self.society, self.limits);
                self.casts.push(cast);
                self.casts.len() - 1
            }
        };
        let member = (who, self.group_of(who));
        let cast = &mut self.casts[nth];
        let start = archetype.map_or_else(Vec::new, |of| of.start(cast.behaviour()));
        let interval = archetype.map_or(1, |of| of.interval());
        cast.add(&mut self.society, member, (&start, interval));
        let weapon = cast.named_weapon(&self.society, who);
        if let Some(weapon) = weapon {
            self.world.body_mut(who).traits.weapon = weapon;
        }
        Ok(())
    }

    /// The leaves that have no code, each with its kind and how it answers.
    pub fn stubs(&self) -> Vec<(&str, LeafKind, Stub)> {
        let mut known: BTreeMap<&str, LeafKind> = BTreeMap::new();
        known.extend(self.casts.iter().flat_map(Cast::stubs));
        let stub = |name: &str| {
            let stubbed = self.stubbed.as_ref();
            let stub = stubbed.and_then(|all| all.get(name));
            stub.cloned().unwrap_or_default()
        };
        let known = known.into_iter();
        known.map(|(name, kind)| (name, kind, stub(name))).collect()
    }

    /// Lets a leaf without code answer in a way, from its next call on.
    pub fn stub(&mut self, leaf: &str, stub: &Stub) {
        if let Some(stubbed) = &mut self.stubbed {
            stubbed.insert(leaf.to_owned(), stub.clone());
        }
        self.casts.iter_mut().for_each(|cast| cast.stub(leaf, stub));
    }

    /// Sets limits of a tick from now on, for all agents. What they do not say is as the map says.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits.or(self.world.scenario().rules.limits());
        for cast in &self.casts {
            cast.set_limits(&mut self.society, self.limits);
        }
    }

    /// Plays one tick; returns what happened in it.
    pub fn step(&mut self) -> &[Event] {
        let mut traces: Vec<_> = self.casts.iter().map(|_| None).collect();
        self.step_tracing(&mut traces, None)
    }

    /// Like [`step`](Self::step), and also records what every node did for the agents of the
    /// [selected](Self::look_at) behaviour. The previous content of the trace is discarded.
    pub fn step_traced(&mut self, trace: &mut Trace) -> &[Event] {
        trace.clear();
        let mut traces: Vec<_> = self.casts.iter().map(|_| None).collect();
        traces[self.focus.1] = Some(trace);
        self.step_tracing(&mut traces, None)
    }

    /// Plays one tick, with traces for some of the behaviours, and records it if there is a recorder.
    fn step_tracing(
        &mut self,
        traces: &mut [Option<&mut Trace>],
        mut recorder: Option<&mut Recorder>,
    ) -> &[Event] {
        if let Some(recorder) = recorder.as_deref_mut() {
            self.record_state(recorder);
        }
        let (society, world) = (&mut self.society, &mut self.world);
        world.step();
        for (cast, trace) in self.casts.iter_mut().zip(&mut *traces) {
            cast.prepare(society, world, trace.as_deref_mut());
            // If no agent is left, the trace keeps what the removed agents aborted.
            if !cast.is_anybody_there(society) {
                *trace = None;
            }
        }
        let held = std::mem::take(&mut self.held);
        for (who, key, value) in &held {
            self.set_key(*who, *key, *value);
        }
        self.held = held;
        let (society, world) = (&mut self.society, &mut self.world);
        if let Some(known) = recorder.take()
            && known.begin(society, TICK)
        {
            recorder = Some(known);
        }
        let mut step = society.step(TICK);
        for (cast, trace) in self.casts.iter_mut().zip(traces) {
            let recorder = recorder.as_deref_mut();
            cast.tick(&mut step, world, trace.as_deref_mut(), recorder);
        }
        step.end();
        if let Some(recorder) = recorder {
            recorder.end(society);
        }
        self.world.events()
    }

    /// Writes the whole game into a recording, if that is due. A recorded step does so itself; call this before
    /// [`press`](Self::press), because keys are no part of the last tick.
    pub fn record_state(&mut self, recorder: &mut Recorder) {
        if recorder.is_state_due(&self.society) {
            let game = self.save();
            recorder.state(&mut self.society, &game);
        }
    }

    /// Presses a key for the hero of the map. It takes effect in the next tick.
    pub fn press(&mut self, key: Key) {
        self.world.press(key);
    }

    /// Presses a key for one body that is steered.
    pub(crate) fn press_for(&mut self, who: BodyId, key: Key) {
        self.world.press_for(who, key);
    }

    /// Removes all agents: what they run is aborted, and everything that they took is given back.
    pub fn dismiss(&mut self) {
        for cast in &mut self.casts {
            cast.dismiss(&mut self.society, &mut self.world);
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The selected body: at first, the first one with the mind `main`.
    pub fn focus(&self) -> BodyId {
        self.focus.0
    }

    /// Selects another body; returns `false`, and changes nothing, if it has no mind.
    pub fn look_at(&mut self, who: BodyId) -> bool {
        let cast = self.casts.iter().position(|cast| cast.has(who));
        if let Some(cast) = cast {
            self.focus = (who, cast);
        }
        cast.is_some()
    }

    /// The agent of the selected body in its [`population`](Self::population).
    pub fn focus_agent(&self) -> usize {
        let cast = &self.casts[self.focus.1];
        let agent = cast.agent_of(cast.population(&self.society), self.focus.0);
        agent.unwrap_or(0)
    }

    /// The population of the selected behaviour.
    pub fn population(&self) -> &Population {
        self.casts[self.focus.1].population(&self.society)
    }

    /// The behaviour of the selected body.
    pub fn behaviour(&self) -> &Behaviour {
        self.casts[self.focus.1].behaviour()
    }

    /// What a key of the selected body's blackboard holds.
    pub fn held(&self, key: KeyId) -> Held<'_> {
        self.population().held(self.focus_agent(), key)
    }

    /// How many faults there were, up to the last call of [`take_faults`](Self::take_faults).
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The faults since the last call, of each behaviour that has any.
    pub fn take_faults(&mut self) -> Vec<FaultsOf> {
        let mut all = Vec::new();
        for cast in &self.casts {
            let faults = cast.take_faults(&mut self.society);
            self.faults += faults.total();
            if faults.total() > 0 {
                let name = |who: &BodyId| self.world.body(*who).name().to_owned();
                all.push(FaultsOf {
                    behaviour: cast.behaviour().name().to_owned(),
                    agents: cast.agents().iter().map(name).collect(),
                    faults,
                });
            }
        }
        all
    }
}

/// The faults of the agents of a behaviour.
#[derive(Clone, Debug)]
pub struct FaultsOf {
    /// The name of the behaviour.
    pub behaviour: String,
    /// The names of the bodies, by the indices of their agents.
    pub agents: Vec<String>,
    /// The faults.
    pub faults: Faults,
}

const NO_DOCUMENT: &str = "there is no document to take its mind from";

/// The behaviour of a mind, or why there is none.
fn definition_of(mind: &Mind, document: Option<&Document>) -> Result<Behaviour, String> {
    let document = document.ok_or(NO_DOCUMENT)?;
    let found = match mind {
        Mind::Machine(name) => document.machine(name),
        Mind::Decision(name) => document.decision(name),
        Mind::Planner(name) => document.planner(name),
        Mind::Tree(name) => document.behaviour(Some(name)),
        Mind::Main | Mind::Archetype(_) => document.behaviour(None),
    };
    found.map_err(|diagnostics| {
        let first = diagnostics.first();
        first
            .map_or("no such mind", |first| first.message())
            .to_owned()
    })
}

/// The mind that an archetype is based on.
fn role_of(archetype: &Archetype) -> Mind {
    let name = |name: &str| name.to_owned();
    match (
        archetype.machine(),
        archetype.decision(),
        archetype.planner(),
    ) {
        (Some(machine), ..) => Mind::Machine(name(machine)),
        (_, Some(decision), _) => Mind::Decision(name(decision)),
        (_, _, Some(planner)) => Mind::Planner(name(planner)),
        _ => Mind::Tree(name(archetype.tree().unwrap_or_default())),
    }
}

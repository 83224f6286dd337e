//! A wrapper around a host that checks, at every call, the executor's promises to hosts.

use super::{CallKind, Called, same_value};
use treemind_core::behaviour::{LeafKind, Life};
use treemind_core::host::{
    Answers, Call, Candidates, Host, Lanes, Move, Moves, Order, Pairs, Told,
};
use treemind_core::{Behaviour, KeyId, LeafId, NodeId, Outcome, Status, Value};

/// How many broken promises are kept: one is enough to fail, a few help to understand the problem.
const KEPT: usize = 20;

/// The role of a node for a host.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Asked,
    /// Started, updated and stopped.
    CarriedOut,
    /// Started and stopped.
    Reported,
    Served,
    /// Started and stopped, with decisions in between.
    Own,
    /// Passed to a listener.
    Heard,
    /// Lists candidates.
    Lists,
    /// Measures candidates of nodes with other leaves.
    Measures,
}

impl Role {
    #[warn(clippy::wildcard_enum_match_arm)]
    fn of(kind: LeafKind) -> Self {
        match kind {
            LeafKind::Condition | LeafKind::Sensor => Role::Asked,
            LeafKind::Event => Role::Heard,
            LeafKind::Candidates { .. } => Role::Lists,
            LeafKind::Measure => Role::Measures,
            LeafKind::Action {
                life: Life::Reported,
            } => Role::Reported,
            LeafKind::Action { .. } => Role::CarriedOut,
            LeafKind::Service => Role::Served,
            LeafKind::Composite { .. } | LeafKind::Decorator => Role::Own,
            _ => treemind_core::unlisted(&kind),
        }
    }
}

/// Passes every call on to the inner host and checks the contract for each node and agent: a start only when
/// closed; an update only when open and once per run and tick; exactly one stop per start; a key computed at most
/// once per tick; and only agents that exist. Own nodes are told in every tick that they are reached, and then the
/// result of each move; actions that the host reports on are never updated.
#[derive(Clone, Debug)]
pub struct Paired<H> {
    host: H,
    leaves: Vec<Option<LeafId>>,
    /// Per node, its role for the host, and how many parameters it has.
    roles: Vec<Option<Role>>,
    params: Vec<usize>,
    /// Per key, its sensor with the sensor's arguments, if it has one.
    sensors: Vec<Option<(LeafId, Vec<Value>)>>,
    /// Per key and agent: one more than the tick in which it was last computed.
    sensed: Vec<Vec<u64>>,
    alive: Vec<bool>,
    /// Per node and agent: the run is open.
    open: Vec<Vec<bool>>,
    /// Per node and agent: the last tick in which the open run was updated, or in which an own node was told that
    /// it is reached.
    updated: Vec<Vec<u64>>,
    /// Per node and agent: the last move of an own node.
    wanted: Vec<Vec<Option<Move>>>,
    tick: u64,
    now_ns: u64,
    calls: Vec<Vec<Called>>,
    notes_calls: bool,
    is_teasing: bool,
    broken: Vec<String>,
}

/// A run that goes on in another population.
#[derive(Clone, Copy, Debug)]
pub struct OpenRun {
    node: NodeId,
    was_updated: bool,
    wanted: Option<Move>,
}

impl<H> Paired<H> {
    /// A check around a host, with this many agents, all of which exist.
    pub fn new(host: H, behaviour: &Behaviour, agents: usize) -> Self {
        let nodes = behaviour.nodes();
        let leaves: Vec<Option<LeafId>> = nodes.iter().map(|node| node.kind.leaf()).collect();
        let kind_of = |leaf: &Option<LeafId>| leaf.map(|leaf| behaviour.leaf(leaf).kind);
        Self {
            host,
            roles: leaves
                .iter()
                .map(|leaf| kind_of(leaf).map(Role::of))
                .collect(),
            params: nodes
                .iter()
                .map(|node| node.kind.leaf())
                .map(|leaf| leaf.map_or(0, |leaf| behaviour.leaf(leaf).params.len()))
                .collect(),
            leaves,
            sensors: behaviour
                .keys()
                .iter()
                .map(|key| key.sensed.as_ref())
                .map(|sensed| sensed.map(|sensed| (sensed.sensor, sensed.args.clone())))
                .collect(),
            sensed: vec![vec![0; agents]; behaviour.keys().len()],
            alive: vec![true; agents],
            open: vec![vec![false; agents]; nodes.len()],
            updated: vec![vec![0; agents]; nodes.len()],
            wanted: vec![vec![None; agents]; nodes.len()],
            tick: 0,
            now_ns: 0,
            calls: vec![Vec::new(); agents],
            notes_calls: false,
            is_teasing: false,
            broken: Vec::new(),
        }
    }

    /// The same, but it keeps a list of the calls of each agent.
    #[must_use]
    pub fn noting_calls(mut self) -> Self {
        self.notes_calls = true;
        self
    }

    /// The same, but it gives the inner host's answers in forms that are harder to read: with bits of agents who
    /// were not in the call, and with one answer for all others. The inner host must give every agent its own
    /// answer.
    #[must_use]
    pub fn teasing(mut self) -> Self {
        self.is_teasing = true;
        self
    }

    /// The check goes on for the agents' new program, with its host: `goes_on` gives the node in place of an old one.
    /// Runs of other nodes have to be closed. Both programs have the same keys, but for some at the end.
    #[must_use]
    pub fn for_program(
        mut self,
        host: H,
        behaviour: &Behaviour,
        goes_on: impl Fn(NodeId) -> Option<NodeId>,
    ) -> Self {
        let agents = self.alive.len();
        let mut next = Self::new(host, behaviour, agents);
        for (key, ticks) in self.sensed.iter().enumerate() {
            next.sensed[key].clone_from(ticks);
        }
        for node in 0..self.leaves.len() {
            match goes_on(NodeId::new(node)) {
                Some(new) => {
                    let new = new.index();
                    next.open[new].clone_from(&self.open[node]);
                    next.updated[new].clone_from(&self.updated[node]);
                    next.wanted[new].clone_from(&self.wanted[node]);
                }
                None if self.open[node].contains(&true) => {
                    self.complain(format!("#{node} is open and does not go on"));
                }
                None => {}
            }
        }
        next.alive = self.alive;
        next.broken = self.broken;
        (next.tick, next.now_ns) = (self.tick, self.now_ns);
        (next.notes_calls, next.is_teasing) = (self.notes_calls, self.is_teasing);
        next
    }

    /// The inner host.
    pub fn host(&self) -> &H {
        &self.host
    }

    /// The inner host, mutable.
    pub fn host_mut(&mut self) -> &mut H {
        &mut self.host
    }

    /// Must be called before every tick, with its number and clock.
    pub fn begin_tick(&mut self, tick: u64, now_ns: u64) {
        (self.tick, self.now_ns) = (tick, now_ns);
    }

    /// Must be called when an agent has joined.
    pub fn joined(&mut self, agent: usize) {
        if agent >= self.alive.len() {
            let agents = agent + 1;
            self.alive.resize(agents, false);
            self.calls.resize(agents, Vec::new());
            for node in 0..self.leaves.len() {
                self.open[node].resize(agents, false);
                self.updated[node].resize(agents, 0);
                self.wanted[node].resize(agents, None);
            }
            for ticks in &mut self.sensed {
                ticks.resize(agents, 0);
            }
        }
        for ticks in &mut self.sensed {
            ticks[agent] = 0;
        }
        if self.alive[agent] {
            self.complain(format!("agent {agent} joined and was there already"));
        }
        self.alive[agent] = true;
    }

    /// Must be called when an agent has left (and its runs were stopped).
    pub fn left(&mut self, agent: usize) {
        self.alive[agent] = false;
        for node in 0..self.leaves.len() {
            if self.open[node][agent] {
                self.complain(format!("agent {agent} left with #{node} still open"));
                self.open[node][agent] = false;
            }
        }
    }

    /// Must be called when an agent was taken out. Its open runs are for [`put_in`](Self::put_in).
    pub fn taken_out(&mut self, agent: usize) -> Vec<OpenRun> {
        self.alive[agent] = false;
        let open = self.open_of(agent).into_iter().map(|node| {
            let index = node.index();
            self.open[index][agent] = false;
            OpenRun {
                node,
                was_updated: self.updated[index][agent] > 0,
                wanted: self.wanted[index][agent],
            }
        });
        open.collect()
    }

    /// Must be called when an agent was put in, with its open runs.
    pub fn put_in(&mut self, agent: usize, open: &[OpenRun]) {
        self.joined(agent);
        for run in open {
            let node = run.node.index();
            self.open[node][agent] = true;
            // No tick has the last number.
            self.updated[node][agent] = if run.was_updated { u64::MAX } else { 0 };
            self.wanted[node][agent] = run.wanted;
        }
    }

    /// The nodes with open runs of an agent.
    pub fn open_of(&self, agent: usize) -> Vec<NodeId> {
        let nodes = (0..self.leaves.len()).filter(|node| self.open[*node][agent]);
        nodes.map(NodeId::new).collect()
    }

    /// How many runs are open.
    pub fn open_runs(&self) -> usize {
        self.open.iter().flatten().filter(|open| **open).count()
    }

    /// The calls of an agent since the last [`forget_calls`](Self::forget_calls).
    pub fn calls(&self, agent: usize) -> &[Called] {
        &self.calls[agent]
    }

    /// Forgets the calls of all agents.
    pub fn forget_calls(&mut self) {
        self.calls.iter_mut().for_each(Vec::clear);
    }

    /// The promises that have been broken so far, up to a limit.
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    fn complain(&mut self, what: String) {
        if self.broken.len() < KEPT {
            self.broken.push(what);
        }
    }

    /// Checks that apply to every call about a leaf.
    fn check_call(&mut self, call: &Call<'_>, lanes: Lanes<'_>, what: &str, roles: &[Role]) {
        let node = call.node().index();
        let is_due = self.roles[node].is_some_and(|role| roles.contains(&role));
        if self.leaves[node] != Some(call.leaf()) || !is_due {
            self.complain(format!("{what} #{node} with leaf {:?}", call.leaf()));
        }
        self.check_agents(call, lanes, what);
    }

    /// Checks that apply to every call.
    fn check_agents(&mut self, call: &Call<'_>, lanes: Lanes<'_>, what: &str) {
        let node = call.node().index();
        if lanes.count() == 0 {
            self.complain(format!("{what} #{node} without any agent"));
        }
        if !lanes.first_agent().is_multiple_of(64) {
            self.complain(format!("{what} #{node} from agent {}", lanes.first_agent()));
        }
        let (tick, now_ns) = (self.tick, self.now_ns);
        if (call.tick(), call.now_ns()) != (tick, now_ns) {
            let given = format!("tick {} at {} ns", call.tick(), call.now_ns());
            self.complain(format!(
                "{what} #{node} in {given}, not {tick} at {now_ns} ns"
            ));
        }
        for agent in lanes {
            if !self.alive.get(agent).is_some_and(|alive| *alive) {
                self.complain(format!(
                    "{what} #{node} for agent {agent}, who is not there"
                ));
            }
        }
    }

    /// The agents of a call that exist.
    fn known<'a>(&self, lanes: Lanes<'a>) -> impl Iterator<Item = usize> + use<'a, H> {
        let agents = self.alive.len();
        lanes.iter().filter(move |agent| *agent < agents)
    }

    fn note(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, what: impl Fn(usize) -> CallKind) {
        if !self.notes_calls {
            return;
        }
        let node = call.node();
        for agent in self.known(lanes) {
            let args = (0..self.params[node.index()]).map(|index| call.arg(index, agent));
            let text = match what(agent) {
                CallKind::Log => call.text(agent),
                _ => String::new(),
            };
            self.calls[agent].push(Called {
                node,
                what: what(agent),
                args: args.collect(),
                text,
            });
            for key in 0..self.sensors.len() {
                // Reading is enough of a check: the board must reach every agent of the call.
                let _ = call.board().held(KeyId::new(key), agent);
            }
        }
    }

    /// Gives the same answers in another form. If no agent is running, the most frequent answer is given as that of
    /// all others.
    fn tease(&self, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        if !self.is_teasing {
            return;
        }
        let given = copy_of(answers);
        let asked = lanes.words();
        let is_answered = (0..asked.len())
            .all(|word| asked[word] & !(given[0][word] | given[1][word] | given[2][word]) == 0);
        let count = |words: &[u64]| -> u32 {
            let both = words.iter().zip(asked).map(|(given, asked)| given & asked);
            both.map(u64::count_ones).sum()
        };
        let all = [Status::Success, Status::Failure, Status::Skipped];
        let others = (0..3)
            .max_by_key(|index| count(&given[*index]))
            .filter(|_| is_answered);
        for index in 0..3 {
            let words = match index {
                0 => answers.success_mut(),
                1 => answers.failure_mut(),
                _ => answers.skipped_mut(),
            };
            for (word, asked) in words.iter_mut().zip(asked) {
                let kept = if others == Some(index) {
                    0
                } else {
                    *word & asked
                };
                *word = kept | !asked;
            }
        }
        if let Some(others) = others {
            answers.set_others(all[others]);
        }
    }

    /// Checks that an own node is told once per tick that it is reached, and then the result of each move.
    fn check_told(&mut self, node: usize, agent: usize, told: Told) {
        if !self.open[node][agent] {
            self.complain(format!("decide #{node} for agent {agent}, not open"));
        }
        let is_first = self.updated[node][agent] != self.tick;
        self.updated[node][agent] = self.tick;
        let fits = match (told, self.wanted[node][agent]) {
            (Told::Tick, _) => is_first,
            (Told::Answered { child, .. }, Some(Move::Tick(wanted))) => {
                !is_first && child == wanted
            }
            (Told::Halted { child }, Some(Move::Halt(wanted))) => !is_first && child == wanted,
            _ => false,
        };
        if !fits {
            let wanted = self.wanted[node][agent];
            self.complain(format!(
                "decide #{node} for agent {agent}: told {told:?} after {wanted:?}"
            ));
        }
    }

    fn check_answers(&mut self, lanes: Lanes<'_>, answers: &mut Answers<'_>, node: NodeId) {
        let words = lanes.words().len();
        let given = [
            answers.success_mut().len(),
            answers.failure_mut().len(),
            answers.skipped_mut().len(),
        ];
        if given != [words; 3] {
            let node = node.index();
            self.complain(format!(
                "#{node}: {words} words of lanes, {given:?} of answers"
            ));
        }
    }
}

/// The roles that have runs.
const STARTED: &[Role] = &[Role::CarriedOut, Role::Reported, Role::Own];

/// The bits of success, failure and skipped.
fn copy_of(answers: &mut Answers<'_>) -> [Vec<u64>; 3] {
    [
        answers.success_mut().to_vec(),
        answers.failure_mut().to_vec(),
        answers.skipped_mut().to_vec(),
    ]
}

impl<H: Host> Host for Paired<H> {
    fn order(&self) -> Order {
        self.host.order()
    }

    fn ask(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.check_call(call, lanes, "ask", &[Role::Asked]);
        self.check_answers(lanes, answers, call.node());
        self.host.ask(call, lanes, answers);
        self.note(call, lanes, |agent| CallKind::Ask(answers.get(agent)));
        self.tease(lanes, answers);
    }

    fn start(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.check_call(call, lanes, "start", STARTED);
        let node = call.node().index();
        for agent in self.known(lanes) {
            if self.open[node][agent] {
                self.complain(format!("start #{node} for agent {agent}, already open"));
            }
            self.open[node][agent] = true;
            self.updated[node][agent] = 0;
        }
        self.host.start(call, lanes);
        self.note(call, lanes, |_| CallKind::Start);
    }

    fn update(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, answers: &mut Answers<'_>) {
        self.check_call(call, lanes, "update", &[Role::CarriedOut]);
        self.check_answers(lanes, answers, call.node());
        let node = call.node().index();
        for agent in self.known(lanes) {
            if !self.open[node][agent] {
                self.complain(format!("update #{node} for agent {agent}, not open"));
            }
            if self.updated[node][agent] == self.tick {
                self.complain(format!("update #{node} for agent {agent} twice in a tick"));
            }
            self.updated[node][agent] = self.tick;
        }
        self.host.update(call, lanes, answers);
        self.note(call, lanes, |agent| CallKind::Update(answers.get(agent)));
        self.tease(lanes, answers);
    }

    fn stop(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, outcome: Outcome) {
        self.check_call(call, lanes, "stop", STARTED);
        let node = call.node().index();
        for agent in self.known(lanes) {
            if !self.open[node][agent] {
                self.complain(format!("stop #{node} for agent {agent}, not open"));
            }
            if self.updated[node][agent] == 0 && self.roles[node] != Some(Role::Reported) {
                self.complain(format!("stop #{node} for agent {agent}, never updated"));
            }
            self.open[node][agent] = false;
        }
        self.host.stop(call, lanes, outcome);
        self.note(call, lanes, |_| CallKind::Stop(outcome));
    }

    fn serve(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.check_call(call, lanes, "serve", &[Role::Served]);
        self.host.serve(call, lanes);
        self.note(call, lanes, |_| CallKind::Serve);
    }

    fn decide(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, moves: &mut Moves<'_>) {
        self.check_call(call, lanes, "decide", &[Role::Own]);
        let node = call.node().index();
        for agent in self.known(lanes) {
            self.check_told(node, agent, moves.told(agent));
        }
        self.host.decide(call, lanes, moves);
        for agent in self.known(lanes) {
            self.wanted[node][agent] = Some(moves.get(agent));
        }
        self.note(call, lanes, |agent| {
            CallKind::Decide(moves.told(agent), moves.get(agent))
        });
    }

    fn sense(&mut self, call: &mut Call<'_>, key: KeyId, lanes: Lanes<'_>) {
        let index = key.index();
        self.check_agents(call, lanes, "sense for");
        for agent in self.known(lanes) {
            let args = (0..call.args()).map(|index| call.arg(index, agent));
            let given = (call.leaf(), args.collect());
            if !same_sensor(self.sensors[index].as_ref(), &given) {
                self.complain(format!("key {index} is sensed by {given:?}"));
            }
            if self.sensed[index][agent] == self.tick + 1 {
                let complaint = format!("key {index} is sensed twice in a tick for agent {agent}");
                self.complain(complaint);
            }
            self.sensed[index][agent] = self.tick + 1;
        }
        self.host.sense(call, key, lanes);
    }

    fn candidates(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>, candidates: &mut Candidates) {
        self.check_call(call, lanes, "candidates of", &[Role::Lists]);
        self.host.candidates(call, lanes, candidates);
        self.note(call, lanes, |_| CallKind::List);
    }

    fn measure(&mut self, call: &mut Call<'_>, pairs: &mut Pairs) {
        if pairs.is_empty() {
            self.complain(format!("measure #{} without any pair", call.node().index()));
        }
        if !(1..pairs.len()).all(|pair| pairs.agent(pair - 1) <= pairs.agent(pair)) {
            self.complain("the pairs of agents do not follow one another".to_owned());
        }
        self.host.measure(call, pairs);
        if self.notes_calls {
            for pair in 0..pairs.len() {
                let agent = pairs.agent(pair);
                if !self.alive.get(agent).is_some_and(|alive| *alive) {
                    self.complain(format!("measure for agent {agent}, which is not there"));
                    continue;
                }
                self.calls[agent].push(Called {
                    node: call.node(),
                    what: CallKind::Measure,
                    args: pairs.args_of(pair).to_vec(),
                    text: String::new(),
                });
            }
        }
    }

    fn log(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.check_agents(call, lanes, "log of");
        self.host.log(call, lanes);
        self.note(call, lanes, |_| CallKind::Log);
    }

    fn event(&mut self, call: &mut Call<'_>, lanes: Lanes<'_>) {
        self.check_call(call, lanes, "event of", &[Role::Heard]);
        self.host.event(call, lanes);
        self.note(call, lanes, |_| CallKind::Event);
    }
}

/// Whether a sensor and its arguments are the expected ones.
fn same_sensor(wanted: Option<&(LeafId, Vec<Value>)>, given: &(LeafId, Vec<Value>)) -> bool {
    wanted.is_some_and(|(sensor, args)| {
        *sensor == given.0
            && args.len() == given.1.len()
            && args.iter().zip(&given.1).all(|(a, b)| same_value(*a, *b))
    })
}

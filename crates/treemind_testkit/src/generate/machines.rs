//! Random state machines, with random trees in them.

use super::trees::{EVENTS, TreeMaker};
use crate::random::Random;
use treemind_core::behaviour::{
    ChildIndex, Decided, DecisionStep, Depth, DoneWith, Initial, Key, MAX_MICROSTEPS, Machine,
    Mode, Scope, Stack, State, StateIndex, StateKind, Target, Transition, Trigger,
};
use treemind_core::expr::Assign;
use treemind_core::{Expr, KeyId, Kind, LeafId, Node, Text, Type, Value};

/// How many levels of states there may be, without the machine itself.
const LEVELS: usize = 4;

impl TreeMaker<'_> {
    pub(super) fn machine(&mut self, depth: usize) -> Node {
        let mode = if self.percent(50) {
            Mode::Statechart
        } else {
            Mode::Alarm
        };
        let max_microsteps = if self.percent(20) { 5 } else { MAX_MICROSTEPS };
        let mut maker = MachineMaker {
            machine: Machine {
                mode,
                states: Vec::new(),
                transitions: Vec::new(),
                deciders: Vec::new(),
                max_microsteps,
            },
            children: Vec::new(),
            depth,
            trees: self,
        };
        maker.states();
        maker.initials();
        for state in 0..maker.machine.states.len() {
            maker.equip(state);
        }
        for state in 0..maker.machine.states.len() {
            maker.transitions(state);
        }
        maker.shuffle();
        let MachineMaker {
            machine, children, ..
        } = maker;
        Node::with(Kind::Machine(Box::new(machine)), children)
    }
}

struct MachineMaker<'m, 'a> {
    machine: Machine,
    /// The children that states and transitions carry out.
    children: Vec<Node>,
    /// How deep the node of the machine may be.
    depth: usize,
    trees: &'m mut TreeMaker<'a>,
}

impl MachineMaker<'_, '_> {
    fn random(&mut self) -> &mut Random {
        self.trees.exprs.random
    }

    fn percent(&mut self, percent: usize) -> bool {
        self.trees.percent(percent)
    }

    /// The states, parents before children, without content.
    fn states(&mut self) {
        let kind = if self.percent(6) {
            StateKind::Parallel
        } else {
            composite()
        };
        self.machine.states.push(state(0, None, kind));
        let most = self.random().between(2, 11);
        self.states_in(0, 0, most);
    }

    fn states_in(&mut self, parent: StateIndex, level: usize, most: usize) {
        let is_parallel = self.machine.states[parent].kind == StateKind::Parallel;
        let number = 1 + self.random().weighted(&[2, 5, 4, 2]);
        for place in 0..number.min(if is_parallel { 3 } else { 4 }) {
            let index = self.machine.states.len();
            if place > 0 && index >= most {
                return;
            }
            let kind = self.kind(is_parallel, place, level, most);
            let has_states = matches!(kind, StateKind::Composite { .. } | StateKind::Parallel);
            self.machine.states.push(state(index, Some(parent), kind));
            if has_states {
                self.states_in(index, level + 1, most);
            }
        }
    }

    fn kind(&mut self, in_parallel: bool, place: usize, level: usize, most: usize) -> StateKind {
        let may_hold = level + 1 < LEVELS && self.machine.states.len() + 1 < most;
        let holding = if may_hold { [35, 18] } else { [0, 0] };
        let end = match (in_parallel, place) {
            (true, _) => 0,
            (false, 0) => 3,
            (false, _) => 32,
        };
        match self.random().weighted(&[50, holding[0], holding[1], end]) {
            0 => StateKind::Atomic,
            1 => composite(),
            2 => StateKind::Parallel,
            _ => StateKind::Final {
                success: self.percent(60),
            },
        }
    }

    /// Sets the initial targets of composites.
    fn initials(&mut self) {
        for index in 0..self.machine.states.len() {
            if !matches!(self.machine.states[index].kind, StateKind::Composite { .. }) {
                continue;
            }
            let children: Vec<StateIndex> = self.machine.children(index).collect();
            let targets = match self.random().weighted(&[68, 12, 10, 10]) {
                0 => vec![Target::State(children[0])],
                1 => vec![Target::State(*self.random().pick(&children))],
                2 => self.targets(index),
                // Its own initial leads here, so it needs a default that is not its own beginning.
                _ => vec![self.history(index, true)],
            };
            let tasks = self.tasks(20);
            let initial = Initial { targets, tasks };
            self.machine.states[index].kind = StateKind::Composite { initial };
        }
    }

    /// One target somewhere in a state, or several in different regions.
    fn targets(&mut self, within: StateIndex) -> Vec<Target> {
        let all = 0..self.machine.states.len();
        let inside: Vec<StateIndex> = all
            .filter(|state| self.machine.is_inside(*state, within))
            .collect();
        let mut targets = vec![self.target(&inside)];
        for _ in 0..3 {
            if !self.percent(40) {
                break;
            }
            let machine = &self.machine;
            let fits = |state: &StateIndex| {
                let others = targets.iter().map(Machine::target_state);
                others
                    .into_iter()
                    .all(|other| machine.are_orthogonal(*state, other))
            };
            let others: Vec<StateIndex> = inside.iter().copied().filter(fits).collect();
            if !others.is_empty() {
                targets.push(self.target(&others));
            }
        }
        targets
    }

    fn target(&mut self, among: &[StateIndex]) -> Target {
        let state = *self.random().pick(among);
        if !self.machine.is_atomic(state) && self.percent(30) {
            self.history(state, false)
        } else {
            Target::State(state)
        }
    }

    fn history(&mut self, of: StateIndex, has_fallback: bool) -> Target {
        let depth = if self.percent(50) {
            Depth::Deep
        } else {
            Depth::Shallow
        };
        let fallback = if has_fallback || self.percent(65) {
            let children: Vec<StateIndex> = self.machine.children(of).collect();
            let targets = match self.random().below(3) {
                0 => self.targets(of),
                _ => vec![Target::State(*self.random().pick(&children))],
            };
            let states = targets.iter().map(Machine::target_state);
            states.map(Target::State).collect()
        } else {
            Vec::new()
        };
        let tasks = self.tasks(30);
        Target::History {
            of,
            depth,
            fallback,
            tasks,
        }
    }

    /// Sets what a state does, and whether it can be entered.
    fn equip(&mut self, index: StateIndex) {
        let entry = self.tasks(35);
        let exit = self.tasks(35);
        let wanted = if self.trees.budget == 0 { 10 } else { 55 };
        let activity = self.percent(wanted).then(|| self.activity());
        let enter_if = self.percent(8).then(|| self.trees.test(true));
        let is_statechart = self.machine.mode == Mode::Statechart;
        let done_event = (is_statechart && self.percent(65)).then(|| self.event());
        let defers = if self.percent(10) {
            vec![self.event()]
        } else {
            Vec::new()
        };
        let state = &mut self.machine.states[index];
        (state.entry, state.exit, state.activity) = (entry, exit, activity);
        (state.enter_if, state.done_event, state.defers) = (enter_if, done_event, defers);
    }

    fn event(&mut self) -> LeafId {
        LeafId::new(EVENTS.start + self.random().below(EVENTS.len()))
    }

    fn transitions(&mut self, source: StateIndex) {
        if matches!(self.machine.states[source].kind, StateKind::Final { .. }) {
            return;
        }
        let weights = if source == 0 {
            [6, 3, 1, 0]
        } else {
            [2, 5, 4, 2]
        };
        for _ in 0..self.random().weighted(&weights) {
            let transition = self.transition(source);
            if transition.stack == Stack::Keep && self.percent(10) {
                self.decided(transition);
            } else {
                self.machine.transitions.push(transition);
            }
        }
    }

    fn transition(&mut self, source: StateIndex) -> Transition {
        let trigger = self.trigger();
        let is_polled = trigger == Trigger::Polled;
        let goes_on_and_on = is_polled && self.machine.mode == Mode::Statechart;
        let when = self.percent(if is_polled { 75 } else { 25 }).then(|| {
            // In a statechart, mostly a condition that does not hold at once, because one that holds would never
            // come to rest.
            let wanted = self.percent(if goes_on_and_on { 12 } else { 60 });
            let when = self.trees.test(wanted);
            if self.percent(15) {
                self.asking_states(when)
            } else {
                when
            }
        });
        let payload = self.payload(&trigger);
        let is_free = is_polled && when.is_none();
        let wanted = if is_free { 85 } else { 12 };
        let conditions = self.percent(wanted).then(|| self.conditions(3));
        let conditions = conditions.map(|conditions| self.add(conditions));
        let mut targets = self.targets_of(source);
        let mut stack = Stack::Keep;
        if targets.len() == 1 && self.percent(10) {
            stack = Stack::Push;
        } else if self.percent(8) {
            stack = Stack::Pop;
            targets.clear();
        }
        let waits = when.is_some() || conditions.is_some() || !is_polled;
        if targets.is_empty() && stack == Stack::Keep && !waits {
            targets = vec![Target::State(1)];
        }
        Transition {
            source,
            targets,
            trigger,
            when,
            conditions,
            priority: [0, 0, 0, 0, -1, 1, 2][self.random().below(7)],
            local: self.percent(30),
            reenter: self.percent(20),
            tasks: self.tasks(30),
            stack,
            payload,
            decided: None,
        }
    }

    /// Makes several transitions of one, with a decision tree that decides between them.
    fn decided(&mut self, transition: Transition) {
        let by = self.machine.deciders.len();
        let leaves = 1 + self.trees.below(3);
        for leaf in 0..leaves {
            let mut targets = transition.targets.clone();
            if leaf > 0 || targets.is_empty() {
                targets = self.targets(0);
            }
            // The first has the tasks that were made already, so that every child of the machine is used.
            let tasks = if leaf == 0 {
                transition.tasks.clone()
            } else {
                self.tasks(30)
            };
            let transition = Transition {
                targets,
                tasks,
                local: self.percent(30),
                reenter: self.percent(20),
                decided: Some(Decided { by, leaf }),
                ..transition.clone()
            };
            self.machine.transitions.push(transition);
        }
        let decider = self.trees.decider(leaves, &mut self.children);
        self.machine.deciders.push(decider);
    }

    fn trigger(&mut self) -> Trigger {
        let weights = match self.machine.mode {
            Mode::Alarm => [45, 25, 28, 2],
            Mode::Statechart => [25, 27, 23, 25],
        };
        match self.random().weighted(&weights) {
            0 => Trigger::Polled,
            1 => Trigger::After(self.trees.exprs.secs()),
            2 => {
                let ends = [DoneWith::Any, DoneWith::Success, DoneWith::Failure];
                Trigger::Done(*self.random().pick(&ends))
            }
            _ => {
                let events = 1 + self.random().below(2);
                Trigger::Event((0..events).map(|_| self.event()).collect())
            }
        }
    }

    /// No target, the state itself, one beside it, one inside it, or any state.
    fn targets_of(&mut self, source: StateIndex) -> Vec<Target> {
        let parent = self.machine.states[source].parent;
        let beside = parent.unwrap_or(0);
        match self.random().weighted(&[12, 6, 40, 15, 27]) {
            0 => Vec::new(),
            1 if source > 0 => vec![Target::State(source)],
            2 => {
                let beside: Vec<StateIndex> = self.machine.children(beside).collect();
                vec![self.target(&beside)]
            }
            3 if !self.machine.is_atomic(source) => self.targets(source),
            _ => self.targets(0),
        }
    }

    /// Tasks, with this probability in percent.
    fn tasks(&mut self, percent: usize) -> Vec<ChildIndex> {
        if !self.percent(percent) || self.trees.budget == 0 {
            return Vec::new();
        }
        let number = 1 + self.random().weighted(&[5, 2, 1]);
        (0..number)
            .map(|_| {
                let children = self.children.len();
                if children > 0 && self.percent(5) {
                    // Several states may share a task, but not an activity.
                    let shared = self.random().below(children);
                    if !self.is_activity(shared) {
                        return shared;
                    }
                }
                let task = self.task();
                self.add(task)
            })
            .collect()
    }

    fn is_activity(&self, child: ChildIndex) -> bool {
        let mut states = self.machine.states.iter();
        states.any(|state| state.activity == Some(child))
    }

    fn task(&mut self) -> Node {
        let task = match self.random().weighted(&[36, 20, 18, 6, 6, 2, 10, 10, 3]) {
            0 => self.trees.set(),
            1 => match self.trees.exprs.some_key(is_switch) {
                Some(key) => {
                    let value = Expr::Not(Box::new(Expr::Key(key, Type::Bool)));
                    let assigns = vec![Assign::set(key, value)];
                    Kind::Set { assigns }
                }
                None => Kind::Succeed,
            },
            2 => {
                let (leaf, args) = self.trees.use_of(11, 12);
                Kind::Action { leaf, args }
            }
            3 => self.trees.leaf(),
            4 => return self.tree(2),
            5 => Kind::Fail,
            6 => {
                let (leaf, args) = self.trees.use_of(EVENTS.start, EVENTS.end);
                let to = self.trees.audience();
                Kind::Emit { leaf, args, to }
            }
            7 => self.send(),
            _ => Kind::Cancel { id: self.id() },
        };
        self.trees.dressed(task)
    }

    /// An event to the machine itself, mostly soon.
    fn send(&mut self) -> Kind {
        let (leaf, args) = self.trees.use_of(EVENTS.start, EVENTS.end);
        let soon = *self.random().pick(&[0.0, 0.05, 0.1, 0.2, 0.3, 1.0]);
        let delay = match self.percent(85) {
            true => Expr::Value(Value::Double(soon)),
            false => self.trees.exprs.secs(),
        };
        let id = self.percent(60).then(|| self.id());
        Kind::Send {
            leaf,
            args,
            delay,
            id,
        }
    }

    /// One of two names, rarely any other text or none.
    fn id(&mut self) -> Expr {
        if self.percent(10) {
            return self.trees.exprs.expr(Type::Text, 1);
        }
        let name = *self.random().pick(&["later", "later", "soon", ""]);
        Expr::Value(Value::Text(Text::new(name)))
    }

    /// The keys to which the data of an event is written, mostly with the types of its parameters.
    fn payload(&mut self, trigger: &Trigger) -> Vec<KeyId> {
        let Trigger::Event(events) = trigger else {
            return Vec::new();
        };
        let params: Vec<Type> = self.trees.leaves[events[0].index()]
            .params
            .iter()
            .map(|param| param.ty)
            .collect();
        let wanted = self.random().between(0, params.len());
        let keys = params.into_iter().take(wanted).filter_map(|ty| {
            let is_own =
                |key: &Key| key.scope == Scope::Agent && !key.form.is_list() && !key.is_computed();
            let fits = |key: &Key| is_own(key) && ty.widens_to(key.ty);
            match self.trees.exprs.some_key(fits) {
                Some(key) => Some(key),
                None => self.trees.exprs.some_key(is_own),
            }
        });
        keys.collect()
    }

    /// Asks whether a state of this machine is active, or whether none is, or adds this to another condition.
    fn asking_states(&mut self, when: Expr) -> Expr {
        let states = self.machine.states.len();
        let asked = Expr::Active(self.random().below(states));
        let asked = match self.percent(40) {
            true => Expr::Not(Box::new(asked)),
            false => asked,
        };
        match self.percent(50) {
            true => Expr::And(Box::new(asked), Box::new(when)),
            false => Expr::Or(Box::new(when), Box::new(asked)),
        }
    }

    fn activity(&mut self) -> ChildIndex {
        let activity = self.tree(self.depth - 1);
        self.add(activity)
    }

    /// Any tree, nested at most `depth` levels deep, and no deeper than there is room for.
    fn tree(&mut self, depth: usize) -> Node {
        self.trees.node(depth.min(self.depth - 1).max(1))
    }

    /// A condition that takes no time; now and then something else.
    fn conditions(&mut self, depth: usize) -> Node {
        if self.percent(5) {
            return self.tree(depth);
        }
        if depth == 1 || self.percent(55) {
            let leaf = match self.random().weighted(&[7, 2, 1]) {
                0 => self.trees.condition(),
                1 => Kind::Check {
                    expr: self.trees.test(true),
                },
                _ => Kind::Succeed,
            };
            return self.trees.dressed(leaf);
        }
        let number = 1 + self.random().below(3);
        let children: Vec<Node> = (0..number).map(|_| self.conditions(depth - 1)).collect();
        let kind = match self.random().below(4) {
            0 => Kind::ReactiveSequence,
            1 => Kind::ReactiveSelector,
            2 => {
                let first = children.into_iter().next();
                return Node::with(Kind::Invert, first.into_iter().collect());
            }
            _ => Kind::Monitor,
        };
        Node::with(kind, children)
    }

    fn add(&mut self, child: Node) -> ChildIndex {
        self.children.push(child);
        self.children.len() - 1
    }

    /// Now and then puts the children in another order than the states that they belong to.
    fn shuffle(&mut self) {
        if self.children.is_empty() || !self.percent(15) {
            return;
        }
        let mut order: Vec<usize> = (0..self.children.len()).collect();
        for place in (1..order.len()).rev() {
            let other = self.random().below(place + 1);
            order.swap(place, other);
        }
        let mut moved: Vec<(usize, Node)> =
            order.iter().copied().zip(self.children.drain(..)).collect();
        moved.sort_by_key(|(place, _)| *place);
        self.children = moved.into_iter().map(|(_, child)| child).collect();
        for_all_children(&mut self.machine, |child| *child = order[*child]);
    }
}

/// Applies a change to every reference from a machine to its node's children.
pub fn for_all_children(machine: &mut Machine, mut change: impl FnMut(&mut ChildIndex)) {
    fn of_targets(targets: &mut [Target], change: &mut impl FnMut(&mut ChildIndex)) {
        for target in targets {
            if let Target::History { tasks, .. } = target {
                tasks.iter_mut().for_each(&mut *change);
            }
        }
    }
    for state in &mut machine.states {
        if let StateKind::Composite { initial } = &mut state.kind {
            of_targets(&mut initial.targets, &mut change);
            initial.tasks.iter_mut().for_each(&mut change);
        }
        let carried = state.entry.iter_mut().chain(&mut state.exit);
        carried.chain(&mut state.activity).for_each(&mut change);
    }
    for transition in &mut machine.transitions {
        of_targets(&mut transition.targets, &mut change);
        let carried = transition.tasks.iter_mut();
        carried
            .chain(&mut transition.conditions)
            .for_each(&mut change);
    }
    for step in machine.deciders.iter_mut().flat_map(|one| &mut one.steps) {
        if let DecisionStep::Ask { child, .. } = step {
            change(child);
        }
    }
}

/// A composite without an initial target so far.
fn composite() -> StateKind {
    StateKind::Composite {
        initial: Initial {
            targets: Vec::new(),
            tasks: Vec::new(),
        },
    }
}

fn state(index: StateIndex, parent: Option<StateIndex>, kind: StateKind) -> State {
    State {
        name: format!("s{index}"),
        parent,
        kind,
        entry: Vec::new(),
        exit: Vec::new(),
        activity: None,
        enter_if: None,
        defers: Vec::new(),
        done_event: None,
    }
}

/// Whether a task may invert this key.
fn is_switch(key: &Key) -> bool {
    key.ty == Type::Bool && !key.form.is_list() && !key.is_computed()
}

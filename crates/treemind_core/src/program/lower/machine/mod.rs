//! The code of state machines: their tables, and the pieces of code that states and transitions run.

mod asked;
mod rules;
mod stack;
mod table;

use super::enclosing::answers_out;
use super::{Context, Lowering, RUNS};
use crate::behaviour::{
    ChildIndex, MAX_EVENTS, Machine, Mode, Stack, StateIndex, StateKind, Target, Trigger,
};
use crate::blackboard::{Holds, Label, Part};
use crate::ids::{LeafId, NodeId};
use crate::program::op::{
    DecidedOp, History, Inbox, MachineOp, MachineRegs, Memory, Op, Out, Piece, Range, Reach, Reg,
    Secs, Slot, StackUse, StateOp, Step, Table, TransitionOp, TriggerOp,
};
use crate::value::Type;
use rules::{Place, conflicts, histories_of, mark_entered, once_in_a_tick, pushed_in};

/// The facts about a machine while its code is emitted.
struct Draft<'a> {
    node: NodeId,
    machine: &'a Machine,
    context: Context,
    histories: Vec<History>,
    /// The column of the first state.
    first_state: u32,
}

/// What is known of each event that waits.
#[derive(Clone, Copy)]
pub(super) enum Stamps {
    /// In which tick it came.
    Ticks,
    /// The name by which it can be cancelled.
    Names,
}

/// How many events wait.
const MOST_EVENTS: Holds = Holds::AtMost(MAX_EVENTS as u32);

impl Lowering<'_> {
    pub(super) fn machine(
        &mut self,
        node: NodeId,
        machine: &Machine,
        input: Reg,
        out: Out,
        context: Context,
    ) {
        let index = self.code.machines.len();
        let ended = [self.register(), self.register()];
        // Its place is reserved: machines inside come after it.
        self.code.machines.push(MachineOp {
            node,
            input,
            out,
            reach: context.reach,
            ended,
            slot: 0,
            statechart: machine.mode == Mode::Statechart,
            microsteps: match machine.mode {
                Mode::Alarm => 0,
                Mode::Statechart => self.run.add_narrow(Holds::NUMBER, "microsteps"),
            },
            max_microsteps: machine.max_microsteps,
            offered: match machine.mode {
                Mode::Alarm => 0,
                Mode::Statechart => self.run.add_narrow(MOST_EVENTS, "events_offered"),
            },
            states: Vec::new(),
            transitions: Vec::new(),
            chosen_for: Vec::new(),
            by_document: Vec::new(),
            histories: Vec::new(),
            deciders: Vec::new(),
            regs: MachineRegs::default(),
            table: None,
            inbox: None,
            raised: None,
            delayed: None,
            stack: None,
            interruptibles: Vec::new(),
            activities: Range::default(),
            begin: self.code.ops.len() as u32,
            end: 0,
        });
        self.code.ops.push(Op::MachineBegin(index as u32));
        let first_state = self.state_columns(machine);
        let mut draft = Draft {
            node,
            machine,
            context,
            histories: Vec::new(),
            first_state,
        };
        let around = self.machine_around.replace(index as u32);
        let states_around = self.states_around.replace(first_state);
        let start = self.next_slot();
        let activities = self.activities(&draft);
        let range = self.range_from(start);
        let mut states = self.states(&mut draft, &activities);
        let transitions = self.transitions(&mut draft, &mut states);
        let deciders = self.deciders(&draft);
        let histories = std::mem::take(&mut draft.histories);
        for (number, history) in (0..).zip(&histories) {
            states[history.of as usize].histories.push(number);
        }
        self.machine_around = around;
        self.states_around = states_around;
        let regs = self.machine_registers(&states, &transitions, &histories);
        let mut by_document: Vec<u32> = (0..transitions.len() as u32).collect();
        by_document.sort_by_key(|place| transitions[*place as usize].number);
        let chosen_for = transitions
            .iter()
            .flat_map(|transition| &transition.chosen_for);
        let mut chosen_for: Vec<u32> = chosen_for.copied().collect();
        chosen_for.sort_unstable();
        chosen_for.dedup();
        let (inbox, raised) = self.inboxes(machine, &transitions);
        let delayed = self.delayed(node, inbox.as_ref());
        let stack = self.stack(machine, states.len());
        let slot = self.slot(Slot::Machine(index as u32), RUNS);
        let placed = &mut self.code.machines[index];
        placed.slot = slot;
        placed.table = Table::of(machine, &states, &transitions);
        placed.states = states;
        placed.transitions = transitions;
        placed.chosen_for = chosen_for;
        placed.by_document = by_document;
        placed.histories = histories;
        placed.deciders = deciders;
        placed.regs = regs;
        placed.inbox = inbox;
        placed.raised = raised;
        placed.delayed = delayed;
        placed.stack = stack;
        placed.activities = range;
        placed.end = self.code.ops.len() as u32;
        self.code.ops.push(Op::MachineEnd(index as u32));
    }

    /// The columns with the agents in each state, consecutively; returns the first.
    fn state_columns(&mut self, machine: &Machine) -> u32 {
        let first = self.run.add_bits(Label::run(("states", Part::State(0))));
        (1..machine.states.len() as u32).for_each(|state| {
            self.run
                .add_bits(Label::run(("states", Part::State(state))));
        });
        first
    }

    /// A piece of code for a child of the machine's node.
    pub(super) fn piece(&mut self, child: NodeId, context: Context) -> Piece {
        let input = self.register();
        let answers = std::array::from_fn(|_| self.register());
        let start = self.code.ops.len() as u32;
        let slots = self.node(child, input, answers_out(answers), context);
        Piece {
            input,
            answers,
            start,
            end: self.code.ops.len() as u32,
            slots,
        }
    }

    /// Pieces of code that end at once.
    fn tasks(&mut self, draft: &Draft<'_>, children: &[ChildIndex]) -> Vec<Piece> {
        let context = Context {
            reach: Reach {
                scope: Reg::NONE,
                held: Reg::NONE,
            },
            observed: true,
            drop: false,
        };
        let behaviour = self.behaviour;
        let all = &behaviour.node(draft.node).children;
        children
            .iter()
            .map(|child| self.piece(all[*child], context))
            .collect()
    }

    /// Per state its activity; those of inner states come first.
    fn activities(&mut self, draft: &Draft<'_>) -> Vec<Option<Piece>> {
        let context = Context {
            observed: true,
            drop: false,
            ..draft.context
        };
        let behaviour = self.behaviour;
        let all = &behaviour.node(draft.node).children;
        let mut pieces = vec![None; draft.machine.states.len()];
        for (state, piece) in draft.machine.states.iter().zip(&mut pieces).rev() {
            *piece = state.activity.map(|child| self.piece(all[child], context));
        }
        pieces
    }

    fn states(&mut self, draft: &mut Draft<'_>, activities: &[Option<Piece>]) -> Vec<StateOp> {
        let machine = draft.machine;
        let statechart = machine.mode == Mode::Statechart;
        let remembered: Vec<StateIndex> = histories_of(machine);
        let mut states = Vec::with_capacity(machine.states.len());
        for (index, state) in machine.states.iter().enumerate() {
            let entry = self.tasks(draft, &state.entry);
            let exit = self.tasks(draft, &state.exit);
            let (initial, initial_tasks) = match &state.kind {
                StateKind::Composite { initial } => (
                    self.entry_set(draft, &initial.targets, index),
                    self.tasks(draft, &initial.tasks),
                ),
                StateKind::Parallel => {
                    let regions = machine.children(index);
                    (
                        regions.map(|region| Step::Descend(region as u32)).collect(),
                        Vec::new(),
                    )
                }
                StateKind::Atomic | StateKind::Final { .. } => (Vec::new(), Vec::new()),
            };
            let memory = remembered.contains(&index).then(|| Memory {
                left: self
                    .run
                    .add_bits(("has_history", Part::State(index as u32))),
                inside: (0..machine.states.len())
                    .filter(|inner| machine.is_inside(*inner, index))
                    .map(|inner| {
                        let part = Part::StateOf(index as u32, inner as u32);
                        (inner as u32, self.run.add_bits(("history", part)))
                    })
                    .collect(),
            });
            let is_parallel = state.kind == StateKind::Parallel;
            let finals =
                machine
                    .children(index)
                    .filter_map(|child| match machine.states[child].kind {
                        StateKind::Final { success } => Some((child as u32, success)),
                        _ => None,
                    });
            states.push(StateOp {
                parent: state.parent.map(|parent| parent as u32),
                active: draft.first_state + index as u32,
                stable: match statechart {
                    true => self
                        .run
                        .add_bits(Label::run(("stable", Part::State(index as u32)))),
                    false => 0,
                },
                entry,
                exit,
                activity: activities[index],
                over: match state.activity {
                    Some(_) => ["activity_succeeded", "activity_failed"].map(|name| {
                        self.run
                            .add_bits(Label::run((name, Part::State(index as u32))))
                    }),
                    None => [0; 2],
                },
                initial,
                initial_tasks,
                memory,
                histories: Vec::new(),
                finals: finals.collect(),
                regions: if is_parallel {
                    machine
                        .children(index)
                        .map(|region| region as u32)
                        .collect()
                } else {
                    Vec::new()
                },
                left_by: Vec::new(),
                timers: Vec::new(),
                once: once_in_a_tick(machine, index),
                defers: state.defers.clone(),
                done_event: state.done_event,
            });
        }
        states
    }

    /// How the states are entered that targets below a state lead to, in document order.
    fn entry_set(
        &mut self,
        draft: &mut Draft<'_>,
        targets: &[Target],
        domain: StateIndex,
    ) -> Vec<Step> {
        let machine = draft.machine;
        let mut steps: Vec<Step> = Vec::new();
        for target in targets {
            let state = Machine::target_state(target);
            if let Target::History {
                of,
                depth,
                fallback,
                tasks,
            } = target
            {
                let history = History {
                    of: *of as u32,
                    depth: *depth,
                    fallback: if fallback.is_empty() {
                        Vec::new()
                    } else {
                        self.entry_set(draft, fallback, *of)
                    },
                    tasks: self.tasks(draft, tasks),
                };
                draft.histories.push(history);
                let number = draft.histories.len() as u32 - 1;
                // The history of the domain itself is restored without entering it.
                steps.push(Step::Restore(state as u32, number));
            } else {
                steps.push(Step::Descend(state as u32));
            }
            let mut above = machine.states[state].parent;
            while let Some(outer) = above.filter(|outer| *outer != domain && state != domain) {
                steps.push(Step::Pass(outer as u32));
                above = machine.states[outer].parent;
            }
        }
        steps.sort_by_key(|step| (step.state(), matches!(step, Step::Pass(_))));
        steps.dedup_by(|later, first| {
            later == first || later.state() == first.state() && matches!(later, Step::Pass(_))
        });
        // A parallel on the way, or as the domain, continues into the states that no target leads to.
        let passed = steps.iter().filter(|step| matches!(step, Step::Pass(_)));
        let mut passed: Vec<StateIndex> = passed.map(|step| step.state() as usize).collect();
        if steps.iter().all(|step| step.state() as usize != domain) {
            passed.push(domain);
        }
        for outer in passed {
            if machine.states[outer].kind != StateKind::Parallel {
                continue;
            }
            for region in machine.children(outer) {
                let is_led_to = steps.iter().any(|step| {
                    let state = step.state() as usize;
                    state == region || machine.is_inside(state, region)
                });
                if !is_led_to {
                    steps.push(Step::Descend(region as u32));
                }
            }
        }
        steps.sort_by_key(|step| step.state());
        steps
    }

    fn transitions(&mut self, draft: &mut Draft<'_>, states: &mut [StateOp]) -> Vec<TransitionOp> {
        let machine = draft.machine;
        // A transition that goes back has a place in the table for each state whose contents it may leave.
        let mut places: Vec<Place> = Vec::new();
        let mut ops = Vec::with_capacity(machine.transitions.len());
        for (number, transition) in machine.transitions.iter().enumerate() {
            let domain = machine.domain(transition);
            let place = |stack, domain| Place {
                number,
                stack,
                domain,
            };
            match transition.stack {
                Stack::Keep => places.push(place(StackUse::Keep, domain)),
                Stack::Push => {
                    let pushed = domain.unwrap_or(0) as u32;
                    places.push(place(StackUse::Push(pushed), domain));
                }
                Stack::Pop => {
                    places.push(place(StackUse::PopNothing, None));
                    for pushed in pushed_in(machine) {
                        places.push(place(StackUse::Pop(pushed as u32), Some(pushed)));
                    }
                }
            }
            ops.push(self.transition(draft, number));
        }
        places.sort_by_key(|place| {
            let transition = &machine.transitions[place.number];
            let level = machine.level(transition.source) as i64;
            let turn = match machine.mode {
                Mode::Alarm => level,
                Mode::Statechart => -level,
            };
            (-i64::from(transition.priority), turn, place.number)
        });
        let mut placed = Vec::with_capacity(places.len());
        for (index, place) in (0..).zip(&places) {
            for (inner, state) in states.iter_mut().enumerate() {
                let is_left = |domain| machine.is_inside(inner, domain);
                if place.domain.is_some_and(is_left) {
                    state.left_by.push(index);
                }
            }
            let mut op = ops[place.number].clone();
            op.stack = place.stack;
            op.conflicts = conflicts(machine, &places, place);
            if let (StackUse::Keep | StackUse::Push(_), Some(domain)) = (place.stack, place.domain)
            {
                let targets = &machine.transitions[place.number].targets;
                op.entries = self.entry_set(draft, targets, domain);
                op.enter_ifs = self.enter_ifs(draft, targets, domain);
            }
            let timers = &mut states[op.source as usize].timers;
            if matches!(op.trigger, TriggerOp::After(..))
                && timers.iter().all(|(number, _)| *number != op.number)
            {
                timers.push((op.number, index));
            }
            placed.push(op);
        }
        for state in states {
            state.timers.sort_unstable();
        }
        placed
    }

    /// What is the same at every place of a transition in the table.
    fn transition(&mut self, draft: &Draft<'_>, number: usize) -> TransitionOp {
        let machine = draft.machine;
        let transition = &machine.transitions[number];
        let trigger = match &transition.trigger {
            Trigger::Polled => TriggerOp::Polled,
            Trigger::Event(events) => TriggerOp::Event(events.clone()),
            Trigger::After(secs) => {
                let secs = Secs {
                    expr: self.expr(draft.node, secs),
                    jitter: None,
                };
                let label = Label::run(("due_in_secs", Part::Transition(number as u32)));
                TriggerOp::After(secs, self.run.add_moment(label))
            }
            Trigger::Done(with) => TriggerOp::Done(*with),
        };
        let mut states = machine.states.iter();
        let is_parallel = states.any(|state| state.kind == StateKind::Parallel);
        let chosen_for = if is_parallel {
            (0..machine.states.len())
                .filter(|state| machine.is_atomic(*state))
                .filter(|state| {
                    *state == transition.source || machine.is_inside(*state, transition.source)
                })
                .map(|state| state as u32)
                .collect()
        } else {
            vec![0]
        };
        let unless_active = match &transition.targets[..] {
            [target] if machine.mode == Mode::Alarm && !transition.reenter => {
                let target = Machine::target_state(target);
                let is_below = machine.is_inside(target, transition.source);
                is_below.then_some(target as u32)
            }
            _ => None,
        };
        let when = transition.when.as_ref();
        TransitionOp {
            number: number as u32,
            source: transition.source as u32,
            chosen_for,
            trigger,
            when: when.map(|when| self.expr(draft.node, when)),
            conditions: transition
                .conditions
                .map(|child| self.conditions(draft, child)),
            unless_active,
            enter_ifs: Vec::new(),
            entries: Vec::new(),
            tasks: self.tasks(draft, &transition.tasks),
            conflicts: Vec::new(),
            payload: transition.payload.clone(),
            stack: StackUse::Keep,
            decided: transition.decided.map(|decided| DecidedOp {
                by: decided.by as u32,
                leaf: decided.leaf as u32,
                leaves: machine.looked_at_with(number).len() as u32,
                uses_draws: machine.uses_draws(transition),
            }),
        }
    }

    /// The tests of the states that are entered whatever the histories remember, in document order.
    fn enter_ifs(&mut self, draft: &Draft<'_>, targets: &[Target], domain: StateIndex) -> Vec<u32> {
        let machine = draft.machine;
        let mut entered = vec![false; machine.states.len()];
        mark_entered(machine, targets, domain, &mut entered);
        let states = machine.states.iter().zip(entered);
        states
            .filter(|(_, is_entered)| *is_entered)
            .filter_map(|(state, _)| state.enter_if.as_ref())
            .map(|test| self.expr(draft.node, test))
            .collect()
    }

    fn machine_registers(
        &mut self,
        states: &[StateOp],
        transitions: &[TransitionOp],
        histories: &[History],
    ) -> MachineRegs {
        let mut row = |count: usize| {
            let first = self.code.registers;
            (0..count).for_each(|_| {
                self.register();
            });
            first
        };
        MachineRegs {
            taken: row(transitions.len()),
            spent: row(transitions.len()),
            chosen: row(states.len()),
            entering: row(states.len()),
            descending: row(states.len()),
            entered: row(states.len()),
            left: row(states.len()),
            restoring: row(histories.len()),
            consumed: row(MAX_EVENTS),
        }
    }

    /// The columns of events from outside and from inside.
    fn inboxes(
        &mut self,
        machine: &Machine,
        transitions: &[TransitionOp],
    ) -> (Option<Inbox>, Option<Inbox>) {
        let mut listens: Vec<LeafId> = Vec::new();
        for transition in transitions {
            if let TriggerOp::Event(events) = &transition.trigger {
                listens.extend(events);
            }
        }
        listens.sort_unstable();
        listens.dedup();
        if listens.is_empty() {
            return (None, None);
        }
        let inbox = self.inbox(listens.clone(), Stamps::Ticks);
        let raised = (machine.mode == Mode::Statechart).then(|| self.inbox(listens, Stamps::Ticks));
        (Some(inbox), raised)
    }

    /// The columns of waiting events.
    pub(super) fn inbox(&mut self, listens: Vec<LeafId>, stamps: Stamps) -> Inbox {
        let params = listens
            .iter()
            .map(|event| self.behaviour.leaf(*event).params.len())
            .max()
            .unwrap_or(0) as u32;
        let rows = MAX_EVENTS as u32;
        let last = (self.behaviour.leaves().len() as u32).saturating_sub(1);
        let events = self
            .run
            .add_narrows(rows, Holds::AtMost(last), Label::APART);
        let ticks = match stamps {
            Stamps::Ticks => self.run.add_ticks(rows, Label::APART),
            Stamps::Names => self.run.add_narrows(rows, Holds::Text, Label::APART),
        };
        Inbox {
            count: self.run.add_narrow(MOST_EVENTS, Label::APART),
            events,
            ticks,
            payload: self
                .run
                .add_items(Type::Any, (rows * params).max(1), Label::APART),
            params,
            listens,
        }
    }
}

impl Step {
    pub(crate) fn state(self) -> u32 {
        match self {
            Step::Pass(state) | Step::Descend(state) | Step::Restore(state, _) => state,
        }
    }
}

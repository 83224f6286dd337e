//! State machines: random ones do everything that machines can do, every part of them matters, and events reach them.

use std::collections::BTreeMap;
use std::time::Duration;
use treemind_core::behaviour::{
    Depth, Initial, Key, Leaf, LeafKind, MAX_MICROSTEPS, Machine, Mode, Parts, Stack, State,
    StateKind, Target, Transition, Trigger,
};
use treemind_core::{
    Behaviour, Event, Expr, FaultKind, KeyId, Kind, LeafId, Node, NodeId, Refusal, Type, Value,
};
use treemind_testkit::compare::{ScriptedAgent, case_of_seed};
use treemind_testkit::generate::{Case, Op};
use treemind_testkit::reference::Reference;
use treemind_testkit::scripts::Scripts;

/// The events and faults of machines in the ticks of a case.
fn play(case: &Case) -> (Vec<Vec<(NodeId, Event)>>, Vec<FaultKind>) {
    let behaviour = case.behaviour().expect("a case's parts fit together");
    let mut leaves = ScriptedAgent::new(case, &behaviour, 0);
    let mut reference = Reference::new(&behaviour, case.seed, 0);
    let is_machine = |node: NodeId| matches!(behaviour.node(node).kind, Kind::Machine(_));
    let mut all = Vec::new();
    for step in &case.steps {
        let mut note = |reference: &Reference<'_>| {
            let events = reference.events().iter().copied();
            all.push(events.filter(|(node, _)| is_machine(*node)).collect());
        };
        let is_aborted = |op: &Op| matches!(op, Op::AbortAll | Op::Abort(0));
        if step.ops.iter().any(is_aborted) {
            reference.abort(&mut leaves);
            note(&reference);
        }
        reference.tick(&mut leaves, step.dt);
        note(&reference);
        leaves.forget_calls();
    }
    let faults = reference.faults().iter();
    let faults = faults.filter(|fault| is_machine(fault.node));
    (all, faults.map(|fault| fault.kind.clone()).collect())
}

/// The name of an event, without numbers.
fn named(event: Event) -> String {
    match event {
        Event::EnterState(_) => "EnterState".to_owned(),
        Event::LeaveState(_) => "LeaveState".to_owned(),
        Event::Take(_) => "Take".to_owned(),
        Event::Refuse(_, why) => format!("Refuse {why:?}"),
        other => format!("{other:?}"),
    }
}

/// Calls something for every machine of a tree.
fn for_all_machines(node: &mut Node, change: &mut dyn FnMut(&mut Machine)) {
    if let Kind::Machine(machine) = &mut node.kind {
        change(machine);
    }
    for child in &mut node.children {
        for_all_machines(child, change);
    }
}

#[test]
fn random_machines_do_everything() {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..super::cases(4_000, 1_600) {
        let mut case = case_of_seed(seed, 1, 40);
        let mut modes = Vec::new();
        for_all_machines(&mut case.parts.root, &mut |machine| {
            modes.push(machine.mode);
        });
        if modes.is_empty() {
            continue;
        }
        let (ticks, faults) = play(&case);
        let kind = |fault: &FaultKind| match fault {
            FaultKind::Livelock(round) if round.starts_with('…') => "Livelock of many".to_owned(),
            FaultKind::Livelock(_) => "Livelock".to_owned(),
            FaultKind::EventLost { .. } => "EventLost".to_owned(),
            other => format!("{other:?}"),
        };
        let mut once: Vec<String> = faults.iter().map(kind).collect();
        once.extend(modes.iter().map(|mode| format!("{mode:?}")));
        once.extend(ticks.iter().flatten().map(|(_, event)| named(*event)));
        let takes = |tick: &&Vec<(NodeId, Event)>| {
            let taken = tick
                .iter()
                .filter(|(_, event)| matches!(event, Event::Take(_)));
            taken.count() > 1
        };
        once.extend(ticks.iter().find(takes).map(|_| "several".to_owned()));
        once.sort_unstable();
        once.dedup();
        for what in once {
            *seen.entry(what).or_default() += 1;
        }
    }
    for what in [
        "Alarm",
        "Statechart",
        "Enter",
        "EnterState",
        "LeaveState",
        "Take",
        "several",
        "Refuse Beaten",
        "Refuse Active",
        "Refuse Guard",
        "Refuse Stack",
        "Refuse Closed",
        "Refuse Conflict",
        "Tick(Running)",
        "Tick(Success)",
        "Tick(Failure)",
        "Guard(Skipped)",
        "Write",
        "TaskRan",
        "Livelock",
        "StackFull",
        "EventLost",
        "BadDuration",
    ] {
        // The number of cases in which it happened.
        let cases = seen.get(what).copied().unwrap_or(0);
        assert!(cases >= enough(), "{what} in {cases} cases: {seen:?}");
    }
}

/// Removes a part of a machine.
type Without = fn(&mut Machine);

fn for_all_targets(machine: &mut Machine, change: fn(&mut Target)) {
    for state in &mut machine.states {
        if let StateKind::Composite { initial } = &mut state.kind {
            initial.targets.iter_mut().for_each(change);
        }
    }
    for transition in &mut machine.transitions {
        transition.targets.iter_mut().for_each(change);
    }
}

fn for_all_transitions(machine: &mut Machine, change: fn(&mut Transition)) {
    machine.transitions.iter_mut().for_each(change);
}

const PARTS: [(&str, Without); 13] = [
    ("mode", |machine| {
        machine.mode = match machine.mode {
            Mode::Alarm => Mode::Statechart,
            Mode::Statechart => Mode::Alarm,
        };
    }),
    ("priority", |machine| {
        for_all_transitions(machine, |transition| transition.priority = 0);
    }),
    ("local", |machine| {
        for_all_transitions(machine, |transition| transition.local = false);
    }),
    ("reenter", |machine| {
        for_all_transitions(machine, |transition| transition.reenter = false);
    }),
    ("push", |machine| {
        for_all_transitions(machine, |transition| {
            if transition.stack == Stack::Push {
                transition.stack = Stack::Keep;
            }
        });
    }),
    ("when", |machine| {
        for_all_transitions(machine, |transition| {
            if transition.trigger != Trigger::Polled {
                transition.when = None;
            }
        });
    }),
    ("the order of transitions", |machine| {
        machine.transitions.reverse();
    }),
    ("enter_if", |machine| {
        let states = machine.states.iter_mut();
        states.for_each(|state| state.enter_if = None);
    }),
    ("done_event", |machine| {
        let states = machine.states.iter_mut();
        states.for_each(|state| state.done_event = None);
    }),
    ("activity", |machine| {
        let states = machine.states.iter_mut();
        states.for_each(|state| state.activity = None);
    }),
    ("depth of histories", |machine| {
        for_all_targets(machine, |target| {
            if let Target::History { depth, .. } = target {
                *depth = match depth {
                    Depth::Deep => Depth::Shallow,
                    Depth::Shallow => Depth::Deep,
                };
            }
        });
    }),
    ("fallback tasks", |machine| {
        for_all_targets(machine, |target| {
            if let Target::History { tasks, .. } = target {
                tasks.clear();
            }
        });
    }),
    ("histories", |machine| {
        for_all_transitions(machine, |transition| {
            for target in &mut transition.targets {
                if let Target::History { of: 1.., .. } = target {
                    *target = Target::State(Machine::target_state(target));
                }
            }
        });
    }),
];

/// The least number of cases in which each part has to matter.
fn enough() -> u64 {
    super::cases(5, 2)
}

#[test]
fn every_part_of_a_machine_changes_what_happens_in_some_cases() {
    let enough = enough();
    let mut changed = [0; PARTS.len()];
    for seed in 0..40_000 {
        if changed.iter().all(|changed| *changed >= enough) {
            return;
        }
        let mut case = case_of_seed(seed, 1, 40);
        let mut machines = 0;
        for_all_machines(&mut case.parts.root, &mut |_| machines += 1);
        if machines == 0 {
            continue;
        }
        let events = play(&case).0;
        for (place, (_, without)) in PARTS.iter().enumerate() {
            if changed[place] >= enough {
                continue;
            }
            let mut other = case.clone();
            for_all_machines(&mut other.parts.root, &mut |machine| without(machine));
            let is_same = format!("{:?}", other.parts.root) == format!("{:?}", case.parts.root);
            // The transitions that a decision tree decides between must be alike, so some of their parts cannot be
            // removed.
            let is_sound = other.behaviour().is_ok();
            changed[place] += u64::from(is_sound && !is_same && play(&other).0 != events);
        }
    }
    for ((name, _), changed) in PARTS.iter().zip(changed) {
        assert!(changed >= enough, "{name} matters in {changed} cases only");
    }
}

fn state(name: &str, parent: Option<usize>, kind: StateKind) -> State {
    State {
        name: name.to_owned(),
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

const NOISE: LeafId = LeafId::new(0);
const LIGHT: LeafId = LeafId::new(1);

/// A transition between two states, given by their numbers, on an event.
fn on(source: usize, event: LeafId, target: usize) -> Transition {
    Transition {
        source,
        targets: vec![Target::State(target)],
        trigger: Trigger::Event(vec![event]),
        when: None,
        conditions: None,
        priority: 0,
        local: false,
        reenter: false,
        tasks: Vec::new(),
        stack: Stack::Keep,
        payload: Vec::new(),
        decided: None,
    }
}

/// A machine of three sibling states, `1` to `3`, that starts in the first, with a key `heard` and two events.
fn listening(mode: Mode, transitions: Vec<Transition>) -> Machine {
    let initial = Initial {
        targets: vec![Target::State(1)],
        tasks: Vec::new(),
    };
    let composite = StateKind::Composite { initial };
    let atomic = |name| state(name, Some(0), StateKind::Atomic);
    Machine {
        mode,
        states: vec![
            state("machine", None, composite),
            atomic("a"),
            atomic("b"),
            atomic("c"),
        ],
        transitions,
        deciders: Vec::new(),
        max_microsteps: MAX_MICROSTEPS,
    }
}

fn behaviour_of(machine: Machine) -> Behaviour {
    let event = |name: &str| Leaf {
        name: name.to_owned(),
        kind: LeafKind::Event,
        params: Vec::new(),
        number: None,
        doc: None,
    };
    Behaviour::new(Parts {
        name: "listens".to_owned(),
        enums: Vec::new(),
        keys: vec![Key::new("heard", Value::Int(0))],
        leaves: vec![event("noise"), event("light")],
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: Node::leaf(Kind::Machine(Box::new(machine))),
    })
    .expect("the parts fit together")
}

/// Ticks a machine once, then sends events and ticks; returns the events of the last tick and the kinds of all faults.
fn after(machine: &Machine, ticks: &[&[(LeafId, i64)]]) -> (Vec<Event>, Vec<FaultKind>) {
    let behaviour = behaviour_of(machine.clone());
    let mut leaves = Scripts::new(&behaviour);
    let mut reference = Reference::new(&behaviour, 0, 0);
    reference.tick(&mut leaves, Duration::ZERO);
    for sent in ticks {
        for (event, value) in *sent {
            reference.send(*event, &[Value::Int(*value)]);
        }
        reference.tick(&mut leaves, Duration::ZERO);
    }
    let events = reference.events().iter().map(|(_, event)| *event);
    let inner = events.filter(|event| !matches!(event, Event::Enter | Event::Tick(_)));
    let faults = reference.faults().iter().map(|fault| fault.kind.clone());
    (inner.collect(), faults.collect())
}

#[test]
fn an_alarm_uses_each_event_once_and_drops_the_rest() {
    let machine = listening(Mode::Alarm, vec![on(1, NOISE, 2), on(2, NOISE, 3)]);
    let to_b = vec![Event::Take(0), Event::LeaveState(1), Event::EnterState(2)];
    let twice: &[(LeafId, i64)] = &[(NOISE, 0), (NOISE, 0)];
    assert_eq!(after(&machine, &[twice]).0, to_b);
    assert_eq!(after(&machine, &[twice, &[]]).0, []);
    // No state waits for light.
    assert_eq!(after(&machine, &[&[(LIGHT, 0)]]).0, []);
}

#[test]
fn a_statechart_deals_with_one_event_after_the_other() {
    let machine = listening(Mode::Statechart, vec![on(1, NOISE, 2), on(2, LIGHT, 3)]);
    let steps = [
        Event::Take(0),
        Event::LeaveState(1),
        Event::EnterState(2),
        Event::Take(1),
        Event::LeaveState(2),
        Event::EnterState(3),
    ];
    assert_eq!(after(&machine, &[&[(NOISE, 0), (LIGHT, 0)]]).0, steps);
    // Light comes too early, and is lost.
    let early = after(&machine, &[&[(LIGHT, 0), (NOISE, 0)]]).0;
    assert_eq!(early, steps[..3]);
}

#[test]
fn the_first_event_counts_for_which_the_guard_holds() {
    let mut transition = on(1, NOISE, 2);
    transition.payload = vec![KeyId::new(0)];
    let heard = Box::new(Expr::Key(KeyId::new(0), Type::Int));
    let loud = Box::new(Expr::Value(Value::Int(5)));
    let compare = treemind_core::expr::Compare::Gt;
    transition.when = Some(Expr::Compare(compare, heard, loud));
    let machine = listening(Mode::Alarm, vec![transition]);
    let events = after(&machine, &[&[(NOISE, 1), (NOISE, 9), (NOISE, 2)]]).0;
    assert_eq!(events[0], Event::Take(0));
    let events = after(&machine, &[&[(NOISE, 1), (NOISE, 5)]]).0;
    assert_eq!(events, [Event::Refuse(0, Refusal::Guard)]);
}

#[test]
fn what_is_deferred_comes_first_in_the_next_tick() {
    for mode in [Mode::Alarm, Mode::Statechart] {
        let mut machine = listening(mode, vec![on(1, NOISE, 2), on(2, LIGHT, 3)]);
        machine.states[1].defers = vec![LIGHT];
        let light: &[(LeafId, i64)] = &[(LIGHT, 0)];
        let noise: &[(LeafId, i64)] = &[(NOISE, 0)];
        // No state uses it before the machine is in `b`.
        assert_eq!(after(&machine, &[light, &[]]).0, []);
        machine.states[2].defers = vec![LIGHT];
        let events = after(&machine, &[light, noise, &[]]).0;
        assert_eq!(events.first(), Some(&Event::Take(1)), "{mode:?}");
        machine.states[1].defers.clear();
        assert_eq!(after(&machine, &[light, noise, &[]]).0, [], "{mode:?}");
    }
}

#[test]
fn sixteen_events_wait_and_one_that_nobody_waits_for_takes_no_place() {
    let behaviour = behaviour_of(listening(Mode::Alarm, vec![on(1, NOISE, 2)]));
    let mut leaves = Scripts::new(&behaviour);
    let mut reference = Reference::new(&behaviour, 0, 0);
    reference.tick(&mut leaves, Duration::ZERO);
    let values = [Value::Int(0)];
    assert!((0..30).all(|_| !reference.send(LIGHT, &values)));
    assert!((0..16).all(|_| reference.send(NOISE, &values)));
    assert!(!reference.send(NOISE, &values));
    reference.tick(&mut leaves, Duration::ZERO);
    assert!(reference.send(NOISE, &values));
}

//! Good machines, and what they are lowered to.

use treemind_core::behaviour::{
    Depth, DoneWith, Initial, Machine, Mode, Stack, StateKind, Target, Trigger,
};
use treemind_core::{Behaviour, Expr, Kind, NodeId, Type, Value};
use treemind_doc::{About, Code, Document, dot, mermaid, outline, outline_lines};

fn document(text: &str) -> Document {
    let document = Document::parse(text, "test.kdl");
    let errors = document.diagnostics().iter();
    let errors: Vec<String> = errors.map(|item| item.to_plain()).collect();
    assert!(!document.has_errors(), "{}", errors.concat());
    document
}

fn behaviour(text: &str) -> Behaviour {
    match document(text).behaviour(None) {
        Ok(behaviour) => behaviour,
        Err(error) => panic!("{}", error.to_plain()),
    }
}

/// The machine of the root.
fn machine(behaviour: &Behaviour) -> &Machine {
    match &behaviour.node(behaviour.root()).kind {
        Kind::Machine(machine) => machine,
        kind => panic!("a {}", kind.keyword()),
    }
}

fn codes(text: &str) -> Vec<Code> {
    let document = Document::parse(text, "test.kdl");
    document
        .diagnostics()
        .iter()
        .map(|item| item.code())
        .collect()
}

fn names(machine: &Machine) -> Vec<&str> {
    machine
        .states
        .iter()
        .map(|state| state.name.as_str())
        .collect()
}

fn history(of: usize, depth: Depth, fallback: Vec<Target>) -> Target {
    Target::History {
        of,
        depth,
        fallback,
        tasks: Vec::new(),
    }
}

#[test]
fn the_machines_of_the_fixture_lower() {
    let document = document(&super::good("machines.kdl"));
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.main(), None);
    assert_eq!(document.main_machine(), Some("robot"));
    let of = |trees: &[treemind_doc::Tree]| -> Vec<String> {
        trees.iter().map(|tree| tree.name().to_owned()).collect()
    };
    assert_eq!(of(document.trees()), ["shift", "tidy"]);
    assert_eq!(of(document.machines()), ["robot", "doors"]);
    assert_eq!(
        document.machines()[0].doc(),
        Some("a cleaning robot with two levels of alarm")
    );
    let robot = document.behaviour(None).expect("no errors");
    assert_eq!(robot.name(), "robot");
    assert_eq!(robot.label(robot.root()), "robot");
    assert_eq!(
        document.machine("robot").expect("no errors"),
        robot,
        "`main` names it"
    );
    let machine = machine(&robot);
    assert_eq!(machine.mode, Mode::Alarm);
    let expected = [
        "robot", "on-duty", "clean", "search", "pick-up", "charge", "hide",
    ];
    assert_eq!(names(machine), expected);
    let parents: Vec<Option<usize>> = machine.states.iter().map(|state| state.parent).collect();
    assert_eq!(
        parents,
        [None, Some(0), Some(1), Some(2), Some(2), Some(1), Some(0)]
    );
}

#[test]
fn what_states_are() {
    let robot = behaviour(
        "blackboard { key go type=bool; }
        machine m {
            initial \"both.left.a\"
            parallel both { state left { initial b; state a; state b; }; state right { initial \"d\" history=shallow; state c; state d; }; }
            state over final=#true; state lost final=#true result=failure
            state off disabled=#true { initial nowhere; }
            state shut enter-if=\"go\"
            transition to=over when=\"go\"; transition to=lost when=\"go && go\"; transition to=shut when=\"!go\"
            transition to=shut disabled=#true
        }",
    );
    let machine = machine(&robot);
    let names = names(machine);
    assert_eq!(
        names,
        [
            "m", "both", "left", "a", "b", "right", "c", "d", "over", "lost", "shut"
        ]
    );
    let kinds: Vec<&StateKind> = machine.states.iter().map(|state| &state.kind).collect();
    let begins = |targets: Vec<Target>| StateKind::Composite {
        initial: Initial {
            targets,
            tasks: Vec::new(),
        },
    };
    assert_eq!(*kinds[0], begins(vec![Target::State(3)]));
    assert_eq!(*kinds[1], StateKind::Parallel);
    assert_eq!(*kinds[2], begins(vec![Target::State(4)]));
    let fallback = vec![Target::State(7)];
    assert_eq!(
        *kinds[5],
        begins(vec![history(5, Depth::Shallow, fallback)])
    );
    assert_eq!(*kinds[8], StateKind::Final { success: true });
    assert_eq!(*kinds[9], StateKind::Final { success: false });
    assert!(machine.states[10].enter_if.is_some());
    assert_eq!(machine.transitions.len(), 3);
}

#[test]
fn what_transitions_are() {
    let robot = behaviour(
        "leaves { condition near; action hit instant=#true; }
        blackboard { key go type=bool; key n type=int; key secs type=double; }
        machine m mode=statechart {
            initial a
            state a {
                transition to=b when=\"go\" priority=-3 kind=local reenter=#true { action hit; set \"n += 1\"; }
                transition to=c history=shallow after=\"=secs\"
                transition to=c history=deep after=2 when=\"n > 1\"
                transition to=b done=any; transition to=b done=success; transition to=b done=failure
                do { action hit; }
                transition push=b when=\"n > 2\"
                transition pop=#true when=\"n > 3\"
                transition { when { all { condition near; any { check \"go\"; not { condition near not=#true; }; }; }; }; set \"n = 0\"; }
                transition to=\"c.left.x right.y\" when=\"n > 4\"
            }
            state b
            parallel c { state left { initial z; state x; state z; }; state right { initial y; state y; }; }
        }",
    );
    let machine = machine(&robot);
    assert_eq!(machine.mode, Mode::Statechart);
    let all = &machine.transitions;
    assert!(all.iter().all(|transition| transition.source == 1));
    assert_eq!(
        (all[0].priority, all[0].local, all[0].reenter),
        (-3, true, true)
    );
    let children = &robot.node(robot.root()).children;
    let words = |tasks: &[usize]| -> Vec<&str> {
        let nodes = tasks.iter().map(|task| robot.node(children[*task]));
        nodes.map(|node| node.kind.keyword()).collect()
    };
    assert_eq!(words(&all[0].tasks), ["action", "set"]);
    assert_eq!(all[1].targets, [history(3, Depth::Shallow, Vec::new())]);
    assert!(matches!(all[1].trigger, Trigger::After(Expr::Key(..))));
    assert_eq!(all[2].targets, [history(3, Depth::Deep, Vec::new())]);
    let two = Trigger::After(Expr::Value(Value::Double(2.0)));
    assert_eq!((&all[2].trigger, all[2].when.is_some()), (&two, true));
    let done: Vec<&Trigger> = all[3..6]
        .iter()
        .map(|transition| &transition.trigger)
        .collect();
    let with = [DoneWith::Any, DoneWith::Success, DoneWith::Failure].map(Trigger::Done);
    assert_eq!(done, with.iter().collect::<Vec<_>>());
    assert_eq!(
        (all[6].stack, &all[6].targets[..]),
        (Stack::Push, &[Target::State(2)][..])
    );
    assert_eq!((all[7].stack, all[7].targets.len()), (Stack::Pop, 0));
    assert_eq!(
        (all[8].targets.len(), words(&all[8].tasks)),
        (0, vec!["set"])
    );
    let test = all[8].conditions.expect("conditions");
    assert_eq!(words(&[test]), ["sequence"]);
    assert_eq!(all[9].targets, [Target::State(5), Target::State(8)]);
    assert!(machine.states[1].activity.is_some());
}

#[test]
fn names_are_looked_for_from_inside_out() {
    let robot = behaviour(
        "blackboard { key go type=bool; }
        machine m {
            initial x
            state x { initial a; state a { transition to=b when=\"go\"; transition to=z when=\"go && !go\"; }; state b { transition to=y.b when=\"go\"; transition to=m.y.b when=\"!go\"; }; }
            state y { initial b; state a; state b { transition to=a when=\"go\"; }; state z { transition to=z when=\"go\"; }; }
            transition to=z when=\"!go\"
            state z
        }",
    );
    let machine = machine(&robot);
    // Names that several states have are told apart by as much of their path as that needs.
    let expected = ["m", "x", "x.a", "x.b", "y", "y.a", "y.b", "y.z", "z"];
    assert_eq!(names(machine), expected);
    let targets: Vec<(usize, usize)> = machine
        .transitions
        .iter()
        .map(|transition| {
            let target = Machine::target_state(&transition.targets[0]);
            (transition.source, target)
        })
        .collect();
    let expected = [(2, 3), (2, 8), (3, 6), (3, 6), (6, 5), (7, 7), (0, 8)];
    assert_eq!(targets, expected);
}

#[test]
fn the_robot_of_the_specification_lowers() {
    let document = Document::parse(&super::good("robot.kdl"), "robot.kdl");
    assert_eq!(document.diagnostics(), []);
    let robot = document.behaviour(None).expect("no errors");
    let transition = &machine(&robot).transitions[1];
    let noise = robot.leaf_id("noise").expect("an event");
    assert_eq!(transition.trigger, Trigger::Event(vec![noise]));
    let volume = robot.key_id("robot.noise.volume").expect("a key for it");
    assert_eq!(transition.payload, [volume]);
    assert_eq!(robot.key(volume).ty, Type::Float);
    let reads = Expr::Key(volume, Type::Float);
    assert!(
        matches!(&transition.when, Some(Expr::Compare(_, left, _)) if **left == reads),
        "{:?}",
        transition.when
    );
    assert_file("robot.outline", &outline(&robot));
    assert_file("robot.mmd", &mermaid(&robot));
}

#[test]
fn what_is_known_of_events() {
    let robot = behaviour(
        "blackboard { key loudest type=float; }
        leaves {
            event noise { param volume type=float; param near type=bool; }
            event fight.near; event fight.far { param metres type=float; }
            action beep instant=#true { param loud type=float; }
        }
        machine m {
            initial a
            state a {
                defer \"fight.near *\"
                transition to=b on=noise when=\"event.near\" {
                    set \"loudest = max(loudest, event.volume)\"
                    action beep loud=\"{event.volume}\"
                    action beep loud=\"=event.volume * 2\"
                    log \"a noise of {event.volume}\"
                }
                transition to=b on=fight
                transition to=b on=\"fight.* noise\"
                transition to=b on=\"*\"
                transition on=noise { set \"loudest = 0.0\"; }
                transition on=\"fight.far\" { set \"loudest = event.metres\"; }
                transition on=noise when=\"event.volume > loudest\" priority=1
            }
            state b
        }",
    );
    let machine = machine(&robot);
    let events = |number: usize| -> Vec<&str> {
        match &machine.transitions[number].trigger {
            Trigger::Event(events) => {
                let names = events.iter().map(|event| robot.leaf(*event).name.as_str());
                names.collect()
            }
            trigger => panic!("{trigger:?}"),
        }
    };
    assert_eq!(events(0), ["noise"]);
    assert_eq!(events(1), ["fight.near", "fight.far"]);
    assert_eq!(events(2), ["noise", "fight.near", "fight.far"]);
    assert_eq!(events(3), events(2));
    assert_eq!(machine.states[1].defers.len(), 3);
    let keys = |number: usize| -> Vec<&str> {
        let keys = machine.transitions[number].payload.iter();
        keys.map(|key| robot.key(*key).name.as_str()).collect()
    };
    assert_eq!(keys(0), ["m.noise.volume", "m.noise.near"]);
    // Values that nobody reads have no keys. Values that are read have their own keys.
    assert_eq!([keys(1), keys(2), keys(3), keys(4)], [[""; 0]; 4]);
    assert_eq!(keys(5), ["m.fight.far.metres"]);
    assert_eq!(keys(6), ["m.noise-2.volume", "m.noise-2.near"]);
}

#[test]
fn machines_and_trees_hold_one_another() {
    let document = document(&super::good("machines.kdl"));
    let shift = document.behaviour(Some("shift")).expect("no errors");
    let words: Vec<(&str, &str)> = shift
        .node_ids()
        .map(|id| (shift.node(id).kind.keyword(), shift.label(id)))
        .collect();
    let machines: Vec<&str> = words
        .iter()
        .filter(|(word, _)| *word == "machine")
        .map(|(_, label)| *label)
        .collect();
    assert_eq!(machines, ["front", "doors"]);
    // Each place has its own keys. For a port, the given key is used.
    let keys: Vec<&str> = shift.keys().iter().map(|key| key.name.as_str()).collect();
    assert!(
        keys.contains(&"front.times") && keys.contains(&"doors.times"),
        "{keys:?}"
    );
    assert!(!keys.contains(&"front.locked"), "{keys:?}");
    assert!(!keys.contains(&"doors.locked"), "{keys:?}");
    let doors = document.machine("doors").expect("no errors");
    assert_eq!(doors.name(), "doors");
    assert!(doors.keys().iter().any(|key| key.name == "doors.locked"));
}

#[test]
fn what_runs_when_nothing_is_said() {
    let one = document("machine m { initial a; state a; }");
    assert_eq!(one.behaviour(None).expect("the only one").name(), "m");
    let two = document("machine m { initial a; state a; }\n machine n { initial a; state a; }");
    let error = two.behaviour(None).expect_err("there are two");
    assert_eq!(error[0].code(), Code::NoTree);
    assert_eq!(
        error[0].help(),
        Some("add `main machine=NAME`, or name one; the machines are `m` and `n`")
    );
    let both = document("machine m { initial a; state a; }\n tree t { machine m; }");
    let error = both.behaviour(None).expect_err("there are two");
    assert_eq!(
        error[0].help(),
        Some("add `main tree=NAME`, or name one; the trees are `t`; the machines are `m`")
    );
    assert!(both.behaviour(Some("t")).is_ok() && both.machine("m").is_ok());
    let error = both.behaviour(Some("m")).expect_err("it is no tree");
    assert_eq!(error[0].code(), Code::UnknownTree);
    let error = both.machine("n").expect_err("there is none");
    assert_eq!(error[0].code(), Code::UnknownMachine);
    assert_eq!(error[0].help(), Some("the machines are `m`"));
    let trees = document("tree t { run; }");
    let error = trees.machine("t").expect_err("there is none");
    assert_eq!(
        error[0].help(),
        Some("there are no machines in this document")
    );
}

#[test]
fn sixteen_machines_stand_in_one_another() {
    let text = |count: usize| {
        let of = |number: usize| {
            let inner = if number == count {
                "run".to_owned()
            } else {
                format!("machine m{}", number + 1)
            };
            format!("machine m{number} {{ initial a; state a {{ do {{ {inner}; }}; }}; }}\n")
        };
        let all = (1..=count).map(of);
        format!("main machine=m1\n{}", all.collect::<String>())
    };
    let most = treemind_core::behaviour::MAX_MACHINES;
    assert!(document(&text(most)).behaviour(None).is_ok());
    assert_eq!(codes(&text(most + 1)), [Code::TooDeep]);
}

#[test]
fn machines_stay_within_bounds() {
    let states = |count: usize| {
        let all = (0..count).map(|number| {
            format!("state s{number} {{ transition to=s0 when=\"go && n > {number}\"; }}\n")
        });
        let to =
            (0..count).map(|number| format!("transition to=s{number} when=\"n == {number}\"\n"));
        format!(
            "blackboard {{ key go type=bool; key n type=int; }}\nmachine m {{ initial s0\n{}{} }}",
            all.collect::<String>(),
            to.collect::<String>()
        )
    };
    assert_eq!(codes(&states(1_000)), []);
    assert_eq!(codes(&states(1_001)), [Code::TooLarge]);
    // Each tree contains the one before twice, so the states multiply.
    let mut text = states(500);
    for number in 0..12 {
        let inner = if number == 0 {
            "machine m".to_owned()
        } else {
            format!("subtree t{}", number - 1)
        };
        text.push_str(&format!(
            "\ntree t{number} {{ parallel {{ {inner}; {inner} name=x; }}; }}"
        ));
    }
    let found = codes(&text);
    assert!(found.contains(&Code::TooLarge), "{found:?}");
}

#[test]
fn deeply_nested_states_are_well() {
    let mut text = String::from("blackboard { key go type=bool; }\nmachine m { initial s0; ");
    let depth = 250;
    for number in 0..depth {
        text.push_str(&format!(
            "state s{number} {{ transition to=s{number} when=\"go\"; "
        ));
        if number + 1 < depth {
            text.push_str(&format!("initial s{}; ", number + 1));
        }
    }
    text.push_str(&"}; ".repeat(depth));
    text.push('}');
    let robot = behaviour(&text);
    assert_eq!(machine(&robot).states.len(), depth + 1);
}

#[test]
fn names_that_are_all_alike_take_no_time() {
    let mut text = String::from("machine m { initial s; ");
    for _ in 0..200 {
        text.push_str("state s { initial s; ");
    }
    text.push_str("state s; ");
    text.push_str(&"}; ".repeat(200));
    text.push('}');
    let document = Document::parse(&text, "test.kdl");
    let names: Vec<&str> = document
        .diagnostics()
        .iter()
        .map(|item| item.message())
        .collect();
    assert_eq!(names, [""; 0]);
}

/// Compares a text with a file of the good documents; `UPDATE_EXPECTED=1` writes the file.
#[track_caller]
pub(super) fn assert_file(name: &str, found: &str) {
    let path = super::fixtures().join("good").join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, found).expect("a written expectation");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected.replace("\r\n", "\n"), "{name}");
}

#[test]
fn outlines() {
    let document = document(&super::good("machines.kdl"));
    let robot = document.behaviour(None).expect("no errors");
    assert_file("machines.outline", &outline(&robot));
    let shift = document.behaviour(Some("shift")).expect("no errors");
    assert_file("machines-in-a-tree.outline", &outline(&shift));
}

#[test]
#[warn(clippy::wildcard_enum_match_arm)]
fn lines_of_outlines_know_what_they_are_about() {
    let robot = behaviour(&super::good("machines.kdl"));
    let lines = outline_lines(&robot);
    let mut nodes = Vec::new();
    let mut states = Vec::new();
    let mut transitions = Vec::new();
    for line in &lines {
        match line.about {
            About::Node(id) => nodes.push(id),
            About::State(id, state) => {
                assert_eq!(id, robot.root());
                states.push(state);
            }
            About::Transition(_, number) => transitions.push(number),
            About::Test(..)
            | About::Way(..)
            | About::Goal(..)
            | About::Method(..)
            | About::Rule(..) => {
                panic!("it decides and plans nothing")
            }
            About::Part => {}
            _ => treemind_core::unlisted(&line.about),
        }
    }
    // The machine itself is the head; everything else has one line.
    let mut all: Vec<NodeId> = robot.node_ids().skip(1).collect();
    nodes.sort_unstable();
    all.sort_unstable();
    assert_eq!(nodes, all);
    let machine = machine(&robot);
    assert_eq!(states, (1..machine.states.len()).collect::<Vec<_>>());
    transitions.sort_unstable();
    let numbers: Vec<usize> = (0..machine.transitions.len()).collect();
    assert_eq!(transitions, numbers);
}

#[test]
fn diagrams_of_mermaid() {
    let document = document(&super::good("machines.kdl"));
    let robot = document.behaviour(None).expect("no errors");
    assert_file("machines.mmd", &mermaid(&robot));
    let doors = document.machine("doors").expect("no errors");
    assert_file("machines-parallel.mmd", &mermaid(&doors));
    let shift = document.behaviour(Some("shift")).expect("no errors");
    assert_file("machines-in-a-tree.mmd", &mermaid(&shift));
}

#[test]
fn diagrams_of_graphviz() {
    let document = document(&super::good("machines.kdl"));
    let robot = document.behaviour(None).expect("no errors");
    assert_file("machines.dot", &dot(&robot));
    let doors = document.machine("doors").expect("no errors");
    assert_file("machines-parallel.dot", &dot(&doors));
    let shift = document.behaviour(Some("shift")).expect("no errors");
    assert_file("machines-in-a-tree.dot", &dot(&shift));
}

#[test]
fn trees_as_diagrams() {
    let text =
        "leaves { condition near; action flee; action fight { param what type=int default=1; }; }
        blackboard { key n type=int; }
        tree guard {
            selector name=\"a <b> & \\\"c\\\"\" {
                if { condition near not=#true; action flee; action fight; }
                switch \"n\" { case 1 2 { run; }; default { check \"n > 3\"; }; }
            }
        }";
    let guard = behaviour(text);
    assert_file("trees.mmd", &mermaid(&guard));
    assert_file("trees.dot", &dot(&guard));
}

//! Changed documents: what goes on in a running game, what is aborted, and what the report says.

use serde::Deserialize;
use std::time::Duration;
use treemind::blackboard::{Type, Value};
use treemind::prelude::*;

/// What the leaves have done.
type Told = Vec<String>;

const SECOND: Duration = Duration::from_secs(1);

/// An action with a state for each run.
#[derive(Deserialize)]
struct Dig {
    depth: u32,
}

impl ActionType<Told> for Dig {
    type State = u32;

    fn start(&self, _: &mut u32, told: &mut Told, _: &mut Agent) -> Result<(), TaskError> {
        told.push("dig starts".to_owned());
        Ok(())
    }

    fn update(&self, dug: &mut u32, told: &mut Told, _: &mut Agent) -> Result<Status, TaskError> {
        *dug += 1;
        told.push(format!("dug {dug}"));
        Ok(match *dug >= self.depth {
            true => Status::Success,
            false => Status::Running,
        })
    }

    fn stop(
        &self,
        _: &mut u32,
        told: &mut Told,
        _: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        told.push(format!("dig stops: {outcome:?}"));
        Ok(())
    }
}

fn leaves() -> Registry<Told> {
    let mut leaves = Registry::new();
    leaves.action_type::<Dig>("dig");
    for name in ["rest", "sing"] {
        leaves.action_with(
            name,
            update(|_: &mut Told, _: &mut Agent| Status::Running)
                .start(move |told: &mut Told, _: &mut Agent| told.push(format!("{name} starts")))
                .stop(move |told: &mut Told, _: &mut Agent, outcome| {
                    told.push(format!("{name} stops: {outcome:?}"));
                }),
        );
    }
    leaves
}

const HEAD: &str =
    "leaves { action dig { param depth type=int; }; action rest; action sing; event bell; }\n";

fn document(text: &str) -> Document {
    let document = Document::parse(&format!("{HEAD}{text}"), "miner.kdl");
    assert!(!document.has_errors(), "{:?}", document.diagnostics());
    document
}

/// Plays some ticks with one text and then some with another; returns what the leaves did from the change on, and the
/// report.
fn changed(old: &str, new: &str, ticks: [u32; 2]) -> (Told, String) {
    let (leaves, mut told) = (leaves(), Told::new());
    let mut mind = Mind::read(format!("{HEAD}{old}").as_bytes(), "miner.kdl", &leaves).unwrap();
    (0..ticks[0]).for_each(|_| {
        mind.tick(&mut told, SECOND);
    });
    told.clear();
    let report = mind.reload(&document(new), &leaves, &mut told).unwrap();
    (0..ticks[1]).for_each(|_| {
        mind.tick(&mut told, SECOND);
    });
    assert_eq!(mind.take_faults().total(), 0);
    (told, report.to_string())
}

#[test]
fn the_state_of_a_run_goes_on_although_other_nodes_come_and_go() {
    let old = "tree miner { sequence { wait 0.5; action dig depth=4; }; }";
    let new = "tree miner { sequence { action rest; action dig depth=4; action sing; }; }";
    let (told, report) = changed(old, new, [3, 3]);
    assert_eq!(
        told,
        ["dug 3", "dug 4", "dig stops: Success", "sing starts"]
    );
    let lines = [
        "node sequence/wait: removed",
        "node sequence/rest: added",
        "node sequence/sing: added",
    ];
    assert_eq!(report.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn a_run_with_other_arguments_is_another_run() {
    let old = "tree miner { sequence { action dig depth=9; }; }";
    let new = "tree miner { sequence { action dig depth=2; }; }";
    let (told, report) = changed(old, new, [2, 2]);
    let wanted = [
        "dig stops: Aborted",
        "dig starts",
        "dug 1",
        "dug 2",
        "dig stops: Success",
    ];
    assert_eq!(told, wanted);
    assert_eq!(
        report,
        "node sequence/dig: has other arguments; aborted for 1 agent"
    );
}

#[test]
fn a_wait_ends_when_it_would_have() {
    let old = "tree miner { sequence { wait 5; action sing; }; }";
    let new = "tree miner { sequence { wait 5; action rest; action sing; }; }";
    let (told, _) = changed(old, new, [4, 1]);
    assert_eq!(told, Told::new());
    let (told, _) = changed(old, new, [4, 2]);
    assert_eq!(told, ["rest starts"]);
}

fn tick_twice(mind: &mut Mind<Told>, told: &mut Told) {
    mind.tick(told, SECOND);
    mind.tick(told, SECOND);
}

const MACHINE: &str = "
    blackboard { key strength type=int default=1; }
    machine miner {
        initial asleep
        state asleep { do { action rest; }; transition to=awake on=bell; }
        state awake {
            do { action sing; }
            transition to=asleep after=4
        }
    }";

#[test]
fn a_machine_stays_in_its_state_and_its_times_go_on() {
    let new = MACHINE.replace(
        "state awake",
        "state lazy { do { action rest; } }\nstate awake",
    );
    let (leaves, mut told) = (leaves(), Told::new());
    let text = format!("{HEAD}{MACHINE}");
    let mut mind = Mind::read(text.as_bytes(), "miner.kdl", &leaves).unwrap();
    mind.tick(&mut told, SECOND);
    let bell = |mind: &mut Mind<Told>| {
        let (population, _) = mind.parts();
        let bell = population.program().behaviour().leaf_id("bell").unwrap();
        population.send(0, bell, &[]);
    };
    bell(&mut mind);
    mind.tick(&mut told, SECOND);
    mind.tick(&mut told, SECOND);
    mind.set("strength", 7_i64).unwrap();
    told.clear();
    let report = mind.reload(&document(&new), &leaves, &mut told).unwrap();
    assert_eq!(report.to_string(), "node miner/lazy: rest: added");
    assert_eq!(mind.get::<i64>("strength"), Ok(7));
    tick_twice(&mut mind, &mut told);
    assert_eq!(told, Told::new());
    tick_twice(&mut mind, &mut told);
    assert_eq!(told, ["sing stops: Aborted", "rest starts"]);
    // The state in which it is now disappears, and an event waits that nobody knows any more.
    bell(&mut mind);
    told.clear();
    let other = "machine miner { initial awake; state awake { do { action sing; }; }; }";
    let report = mind.reload(&document(other), &leaves, &mut told).unwrap();
    tick_twice(&mut mind, &mut told);
    assert_eq!(told, ["rest stops: Aborted", "sing starts"]);
    let lines: Vec<String> = report.to_string().lines().map(str::to_owned).collect();
    let wanted = [
        "node miner: was in a state that has changed; aborted for 1 agent",
        "node miner/asleep: rest: removed; aborted for 1 agent",
        "node miner/lazy: rest: removed",
        "key strength: removed",
        "event bell: 1 waiting event lost",
    ];
    assert_eq!(lines, wanted);
}

/// What did not hold at the last look takes over when it comes to hold, also after a reload: in front of a machine as of any
/// node.
#[test]
fn what_a_selector_knows_of_the_guard_of_a_machine_goes_on() {
    let guarded = |last: &str| {
        format!(
            "main tree=miner; blackboard {{ key n type=int; }}
            tree miner {{ selector {{ machine trap when=\"n == 1\" aborts=lower; action sing; {last}; }}; }}
            machine trap {{ initial shut; state shut {{ do {{ action rest; }}; }}; }}"
        )
    };
    let (leaves, mut told) = (leaves(), Told::new());
    let text = format!("{HEAD}{}", guarded(""));
    let mut mind = Mind::read(text.as_bytes(), "miner.kdl", &leaves).unwrap();
    mind.set("n", 0_i64).unwrap();
    tick_twice(&mut mind, &mut told);
    let new = document(&guarded("action dig depth=1"));
    let report = mind.reload(&new, &leaves, &mut told).unwrap();
    assert_eq!(report.to_string(), "node selector/dig: added");
    mind.set("n", 1_i64).unwrap();
    tick_twice(&mut mind, &mut told);
    assert_eq!(told, ["sing starts", "sing stops: Aborted", "rest starts"]);
}

#[test]
fn keys_go_on_by_name_and_type() {
    let keys = |keys: &str| format!("blackboard {{ {keys} }}\ntree miner {{ action rest; }}");
    let old = keys(
        "key gold type=int default=0; key mood type=enum default=calm { value calm wary angry; }; key name type=string default=\"x\"; \
         key list type=int list=4; key old type=int default=3;",
    );
    let new = keys(
        "key fresh type=int default=5; key name type=int default=8; key mood type=enum default=angry { value angry calm; }; \
         key gold type=double default=0; key list type=int list=2;",
    );
    let (leaves, mut told) = (leaves(), Told::new());
    let text = format!("{HEAD}{old}");
    let mut minds = Minds::read(text.as_bytes(), "miner.kdl", &leaves, 3).unwrap();
    minds.set(0, "gold", 12_i64).unwrap();
    let (population, _) = minds.parts();
    let mood = population.program().behaviour().key_id("mood").unwrap();
    let list = population.program().behaviour().key_id("list").unwrap();
    for (agent, value) in [2, 1, 0].into_iter().enumerate() {
        let Type::Enum(of) = population.program().behaviour().key(mood).ty else {
            panic!("it is an enumeration");
        };
        population.set(agent, mood, Value::Enum(of, value)).unwrap();
        let mut board = population.board(agent);
        let mut items = board.list_mut(list, agent).unwrap();
        (0..=agent).for_each(|item| items.push(Value::Int(item as i64)).unwrap());
    }
    let report = minds.reload(&document(&new), &leaves, &mut told).unwrap();
    assert_eq!(minds.get::<f64>(0, "gold"), Ok(12.0));
    assert_eq!(minds.get::<i64>(1, "fresh"), Ok(5));
    assert_eq!(minds.get::<i64>(1, "name"), Ok(8));
    let (population, _) = minds.parts();
    let behaviour = population.program().behaviour();
    let shown = |agent: usize, key: &str| {
        let key = behaviour.key_id(key).unwrap();
        behaviour.display_held(population.held(agent, key))
    };
    // `wary` is not known any more.
    assert_eq!(
        [0, 1, 2].map(|agent| shown(agent, "mood")),
        ["angry", "angry", "calm"]
    );
    assert_eq!(
        [0, 1, 2].map(|agent| shown(agent, "list")),
        ["[0]", "[0, 1]", "[]"]
    );
    let wanted = [
        "key mood: 1 value not known any more; set to the default",
        "key name: has another type; set to its default",
        "key list: 1 value not known any more; set to the default",
        "key old: removed",
        "key fresh: added",
    ];
    assert_eq!(report.to_string().lines().collect::<Vec<_>>(), wanted);
}

#[test]
fn a_document_with_errors_changes_nothing() {
    let (leaves, mut told) = (leaves(), Told::new());
    let text = format!("{HEAD}tree miner {{ action rest; }}");
    let mut mind = Mind::read(text.as_bytes(), "miner.kdl", &leaves).unwrap();
    mind.tick(&mut told, SECOND);
    let before = mind.parts().0.save();
    for wrong in [
        "tree miner { action fly; }",
        "leaves { action fly; }\ntree miner { action fly; }",
    ] {
        let document = Document::parse(wrong, "miner.kdl");
        let refused = mind.reload(&document, &leaves, &mut told);
        assert!(refused.is_err());
        assert!(mind.parts().0.save() == before);
    }
    assert_eq!(told, ["rest starts"]);
}

#[test]
fn what_is_around_a_change_begins_again_if_nothing_is_left_in_it() {
    let tree = |inner: &str| {
        format!(
            "tree miner {{ sequence on-abort=\"n += 1\" {{ {inner}; }}; }}\nblackboard {{ key n type=int default=0; }}"
        )
    };
    let (told, report) = changed(&tree("action rest"), &tree("action sing"), [1, 1]);
    assert_eq!(told, ["rest stops: Aborted", "sing starts"]);
    let wanted = [
        "node sequence: begins again, because what it ran has changed; aborted for 1 agent",
        "node sequence/rest: removed; aborted for 1 agent",
        "node sequence/sing: added",
    ];
    assert_eq!(report.lines().collect::<Vec<_>>(), wanted);
}

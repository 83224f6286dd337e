//! The front door: one agent, or many, from a document.

use std::time::Duration;
use treemind::blackboard::Entity;
use treemind::leaves::BindProblem;
use treemind::prelude::*;
use treemind::{Error, KeyError};

const DT: Duration = Duration::from_millis(100);

const GUARD: &str = r#"
blackboard {
    key health type=float default=100.0
    key name type=string default="Bo"
    key enemy type=entity optional=#true
    key seen type=int list=4
}
leaves { action flee; action patrol; }
tree guard {
    reactive-selector {
        reactive-sequence { check "health < 20"; action flee; }
        action patrol
    }
}"#;

/// What was done, and how often anything was stopped.
#[derive(Default)]
struct World {
    log: Vec<(usize, &'static str)>,
    stops: usize,
}

fn leaves() -> Registry<World> {
    let mut leaves = Registry::new();
    leaves
        .action("flee", |world: &mut World, me| {
            world.log.push((me.index(), "flee"));
            Status::Success
        })
        .action_with(
            "patrol",
            update(|world: &mut World, me: &mut Agent<'_, '_>| {
                world.log.push((me.index(), "patrol"));
                Status::Running
            })
            .stop(|world: &mut World, _: &mut Agent<'_, '_>, _| world.stops += 1),
        );
    leaves
}

#[test]
fn a_mind_answers_as_its_tree_does() {
    let mut world = World::default();
    let mut guard = Mind::read(GUARD.as_bytes(), "guard.kdl", &leaves()).unwrap();
    assert_eq!(guard.tick(&mut world, DT), Status::Running);
    guard.set("health", 19.0).unwrap();
    assert_eq!(guard.tick(&mut world, DT), Status::Success);
    assert_eq!(world.log, [(0, "patrol"), (0, "flee")]);
    assert_eq!(world.stops, 1);
    assert_eq!(guard.take_faults().total(), 0);
}

#[test]
fn every_status_of_a_root_is_answered() {
    for (task, status) in [
        ("succeed", Status::Success),
        ("fail", Status::Failure),
        ("succeed skip-if=\"true\"", Status::Skipped),
        ("run", Status::Running),
    ] {
        let text = format!("tree t {{ {task} }}");
        let mut mind = Mind::read(text.as_bytes(), "t.kdl", &leaves()).unwrap();
        assert_eq!(mind.tick(&mut World::default(), DT), status, "{task}");
    }
}

#[test]
fn a_mind_that_is_stopped_has_a_stop_for_every_start() {
    let mut world = World::default();
    let mut guard = Mind::read(GUARD.as_bytes(), "guard.kdl", &leaves()).unwrap();
    guard.stop(&mut world);
    assert_eq!(world.stops, 0);
    guard.tick(&mut world, DT);
    guard.stop(&mut world);
    guard.stop(&mut world);
    assert_eq!(world.stops, 1);
    assert_eq!(guard.tick(&mut world, DT), Status::Running);
}

#[test]
fn keys_are_read_and_set_by_their_names() {
    let mut guard = Mind::read(GUARD.as_bytes(), "guard.kdl", &leaves()).unwrap();
    assert_eq!(guard.get::<f32>("health"), Ok(100.0));
    // An int widens, and a double is rounded, to the type of the key.
    guard.set("health", 7_i64).unwrap();
    assert_eq!(guard.get::<f64>("health"), Ok(7.0));
    guard.set("health", 0.1).unwrap();
    assert_eq!(guard.get::<f32>("health"), Ok(0.1));
    guard.set("name", "Jo").unwrap();
    assert_eq!(guard.get::<&str>("name"), Ok("Jo"));

    let said = |error: KeyError| error.to_string();
    let missing = guard.set("helth", 1.0).map_err(said);
    assert_eq!(
        missing.unwrap_err(),
        "unknown key `helth`; did you mean `health`?"
    );
    let wrong = guard.set("name", 1.0).map_err(said);
    assert_eq!(
        wrong.unwrap_err(),
        "the key `name` is `string`, but the code has `double`"
    );
    let wrong = guard.get::<bool>("health").map_err(said);
    assert_eq!(
        wrong.unwrap_err(),
        "the key `health` is `float`, but the code has `bool`"
    );
    let list = guard.get::<i64>("seen").map_err(said);
    assert_eq!(
        list.unwrap_err(),
        "the key `seen` is a list, not a single value"
    );
    assert!(matches!(guard.set("seen", 1), Err(KeyError::List { .. })));
    let unset = guard.get::<Entity>("enemy").map_err(said);
    assert_eq!(unset.unwrap_err(), "the key `enemy` has no value");
}

#[test]
fn many_minds_share_a_document() {
    let mut world = World::default();
    let mut guards = Minds::read(GUARD.as_bytes(), "guard.kdl", &leaves(), 3).unwrap();
    guards.set(1, "health", 3.0).unwrap();
    let tally = guards.tick(&mut world, DT);
    assert_eq!((tally.success, tally.running), (1, 2));
    world.log.sort_unstable();
    assert_eq!(world.log, [(0, "patrol"), (1, "flee"), (2, "patrol")]);
    let (population, bound) = guards.parts();
    population.remove(0, &mut bound.host(&mut world));
    assert_eq!(world.stops, 1);
    guards.stop(&mut world);
    assert_eq!(world.stops, 2);
}

#[test]
fn what_does_not_fit_is_said_in_full() {
    let typo = GUARD.replace("action patrol\n", "action patrl\n");
    let error = Mind::read(typo.as_bytes(), "guard.kdl", &leaves()).unwrap_err();
    let shown = error.to_string();
    assert!(matches!(error, Error::Document(_)));
    assert!(shown.contains("did you mean `patrol`?"), "{shown}");
    // The text that `main` prints for an error that it returns.
    let printed = format!("{error:?}");
    if cfg!(feature = "fancy") {
        assert!(printed.contains("12 │         action patrl\n"), "{printed}");
        assert!(printed.contains("did you mean `patrol`?"), "{printed}");
    } else {
        assert_eq!(printed, shown);
    }

    let empty = Registry::<World>::new();
    let error = Mind::read(GUARD.as_bytes(), "guard.kdl", &empty).unwrap_err();
    let Error::Bind(error) = error else {
        panic!("{error}")
    };
    let names: Vec<_> = error
        .problems()
        .iter()
        .map(|problem| match problem {
            BindProblem::MissingLeaf { name, .. } => name.as_str(),
            problem => panic!("{problem}"),
        })
        .collect();
    assert_eq!(names, ["flee", "patrol"]);
}

#[test]
fn a_file_is_loaded_with_its_imports() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("guard.kdl");
    let missing = Mind::load(&path, &leaves()).unwrap_err();
    assert!(matches!(missing, Error::Read(_)), "{missing}");
    assert!(missing.to_string().contains("guard.kdl: "), "{missing}");

    std::fs::create_dir(folder.path().join("parts")).expect("a folder");
    let parts = "leaves { action patrol; }";
    std::fs::write(folder.path().join("parts/leaves.kdl"), parts).expect("it is written");
    let text = "import \"parts/leaves.kdl\"\ntree guard { action patrol; }";
    std::fs::write(&path, text).expect("it is written");
    let mut world = World::default();
    let mut guards = Minds::load(&path, &leaves(), 3).unwrap();
    let tally = guards.tick(&mut world, Duration::from_millis(50));
    assert_eq!(tally.running, 3);

    let outside = "import \"../elsewhere.kdl\"\ntree guard { run; }";
    std::fs::write(&path, outside).expect("it is written");
    let error = Mind::load(&path, &leaves()).unwrap_err();
    assert!(matches!(error, Error::Document(_)), "{error}");
}

//! Casts are saved with their documents, and go on with changed ones.

use serde::Deserialize;
use std::time::Duration;
use treemind::population::Dead;
use treemind::prelude::*;
use treemind::saving::CastRollback;

/// What the leaves have done.
type Log = Vec<String>;

const TENTH: Duration = Duration::from_millis(100);

/// Counts its ticks.
#[derive(Deserialize)]
struct March {
    far: u32,
}

impl ActionType<Log> for March {
    type State = u32;

    fn update(&self, done: &mut u32, log: &mut Log, me: &mut Agent) -> Result<Status, TaskError> {
        *done += 1;
        log.push(format!("{:?} marches {done} of {}", me.id(), self.far));
        Ok(match *done < self.far {
            true => Status::Running,
            false => Status::Success,
        })
    }

    fn stop(
        &self,
        done: &mut u32,
        log: &mut Log,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        log.push(format!("{:?} stops after {done}: {outcome:?}", me.id()));
        Ok(())
    }
}

fn leaves() -> Registry<Log> {
    let mut leaves = Registry::new();
    leaves
        .for_saving()
        .saved_action_type::<March>("march")
        .action("shout", |log: &mut Log, me: &mut Agent| {
            log.push(format!("{:?} shouts", me.id()));
            Status::Success
        });
    leaves
}

const COMMON: &str = "
leaves { action march { param far type=int; }; action shout; event halt; }
blackboard scope=world { key ammo type=int default=9 merge=add; }
blackboard scope=group { key heard type=int merge=max; }
";

const SOLDIERS: &str = "
import \"common.kdl\"
blackboard { key courage type=int default=1; }
tree soldier {
    sequence { semaphore gate max=1 scope=world wait=#true { action march far=3; }; check \"ammo > 0\"; set \"ammo -= 1\"; wait 0.25; action shout; }
}
machine drill {
    initial stand
    state stand { transition to=walk after=0.3; }
    state walk { do { action march far=9; }; transition to=stand on=halt; }
}
archetype rookie tree=soldier
archetype veteran tree=soldier every=2 { given courage=5; }
archetype sergeant machine=drill
";

const COOKS: &str = "
import \"common.kdl\"
tree cook { sequence { wait 0.8; set \"ammo += 5\"; set \"heard += 1\"; emit halt to=world; }; }
";

fn read(name: &str, text: &str) -> Document {
    Document::read_with(text.as_bytes(), name, |path| match path {
        "common.kdl" => Ok(COMMON.as_bytes().to_vec()),
        _ => Err("there is no such file"),
    })
}

fn documents() -> [Document; 2] {
    [read("soldiers.kdl", SOLDIERS), read("cooks.kdl", COOKS)]
}

fn cast() -> Cast<Log> {
    let [soldiers, cooks] = documents();
    let mut cast = Cast::new(leaves()).with_seed(7);
    cast.add(&soldiers).unwrap();
    cast.add_as("north", &cooks).unwrap();
    cast.add_as("south", &cooks).unwrap();
    cast.spawn("rookie", 3).unwrap();
    cast.spawn("sergeant", 2).unwrap();
    cast.spawn("veteran", 2).unwrap();
    let cooks = [
        cast.spawn("north/cook", 2).unwrap(),
        cast.spawn("south/cook", 1).unwrap(),
    ];
    for (group, cook) in (1..).zip(cooks.concat()) {
        cast.set_group(cook, group).unwrap();
    }
    cast
}

#[test]
fn resumed_is_uninterrupted_at_every_step() {
    let [soldiers, cooks] = documents();
    let (mut straight, mut resumed) = (cast(), cast());
    let (mut log, mut again) = (Log::new(), Log::new());
    for step in 0..40 {
        let saved = resumed.save();
        // The documents come in any order.
        resumed = match step % 3 {
            0 => Cast::restore(&saved, &[&cooks, &soldiers], leaves()).unwrap(),
            1 => Cast::restore_as_saved(&saved, leaves()).unwrap(),
            _ => {
                let (cast, migrations) =
                    Cast::restore_changed(&saved, &[&soldiers, &cooks], leaves(), &mut again)
                        .unwrap();
                assert!(migrations.is_empty());
                cast
            }
        };
        assert!(resumed.save() == saved, "step {step}");
        straight.step(&mut log, TENTH);
        resumed.step(&mut again, TENTH);
        assert_eq!(log, again, "step {step}");
        if step == 20 {
            // Archetypes can be spawned in what was restored.
            for cast in [&mut straight, &mut resumed] {
                cast.spawn("veteran", 1).unwrap();
                cast.spawn("south/cook", 1).unwrap();
            }
        }
    }
    assert!(log.len() > 50, "{log:#?}");
    assert!(straight.save() == resumed.save());
    assert!(resumed.take_faults().is_empty());
    straight.stop(&mut log);
    resumed.stop(&mut again);
    assert_eq!(log, again);
}

#[test]
fn a_reload_of_the_same_documents_does_nothing() {
    let [soldiers, cooks] = documents();
    let mut cast = cast();
    let mut log = Log::new();
    for _ in 0..12 {
        cast.step(&mut log, TENTH);
        let (before, lines) = (cast.save(), log.len());
        let migrations = cast.reload(&[&soldiers, &cooks], &mut log).unwrap();
        assert!(migrations.is_empty() && log.len() == lines);
        assert!(cast.save() == before);
    }
}

/// What differs from the documents that were saved, and what is reported then.
fn changed() -> [(Document, &'static str); 4] {
    let changed = |from: &str, to: &str| {
        let text = SOLDIERS.replace(from, to);
        assert_ne!(text, SOLDIERS);
        read("soldiers.kdl", &text)
    };
    [
        (changed("wait 0.25", "wait 0.35"), ""),
        (changed("after=0.3", "after=0.2"), ""),
        (
            changed("action march far=9", "action march far=8"),
            "drill: node drill/walk: march: has other arguments; aborted for 2 agents",
        ),
        (
            changed("sequence { semaphore", "selector { semaphore"),
            "soldier: node sequence: replaced by a node of another kind; aborted for 5 agents",
        ),
    ]
}

#[test]
fn a_cast_goes_on_with_changed_documents_like_one_that_runs() {
    let [_, cooks] = documents();
    for (document, _) in changed() {
        for steps in 0..9 {
            let mut live = cast();
            let mut log = Log::new();
            for _ in 0..steps {
                live.step(&mut log, TENTH);
            }
            let saved = live.save();
            let refused = Cast::restore(&saved, &[&document, &cooks], leaves());
            let refused = refused.err().unwrap().to_string();
            assert!(
                refused.ends_with("the document has changed since"),
                "{refused}"
            );
            let mut again = log.clone();
            let told = live.reload(&[&document], &mut log).unwrap();
            let restored =
                Cast::restore_changed(&saved, &[&cooks, &document], leaves(), &mut again);
            let (mut restored, migrations) = restored.unwrap();
            assert_eq!(told, migrations);
            for _ in 0..9 {
                assert!(live.save() == restored.save());
                live.step(&mut log, TENTH);
                restored.step(&mut again, TENTH);
                assert_eq!(log, again);
            }
            // What is saved then is of the new documents.
            Cast::restore(&live.save(), &[&document, &cooks], leaves()).unwrap();
        }
    }
}

#[test]
fn each_start_has_its_stop_in_changed_casts_and_the_report_is_true() {
    for (document, report) in changed() {
        let mut cast = cast();
        let mut log = Log::new();
        for _ in 0..6 {
            cast.step(&mut log, TENTH);
        }
        let before = log.len();
        let told = cast.reload(&[&document], &mut log).unwrap();
        let lines = told.iter().flat_map(|(name, migration)| {
            let text = migration.to_string();
            let lines = text.lines().map(|line| format!("{name}: {line}"));
            lines.collect::<Vec<_>>()
        });
        let lines: Vec<String> = lines.collect();
        let aborted = lines.iter().filter(|line| line.contains("aborted for"));
        let aborted: Vec<&str> = aborted.map(String::as_str).collect();
        let expected: Vec<&str> = report.lines().collect();
        for line in &expected {
            assert!(aborted.contains(line), "{line} is not in {lines:#?}");
        }
        let stops = log[before..]
            .iter()
            .filter(|line| line.contains("Aborted"))
            .count();
        assert_eq!(
            stops > 0,
            !expected.is_empty(),
            "{lines:#?}\n{:#?}",
            &log[before..]
        );
        cast.stop(&mut log);
    }
}

#[test]
fn new_archetypes_come_and_old_ones_go() {
    let mut cast = cast();
    let mut log = Log::new();
    cast.step(&mut log, TENTH);
    let text = SOLDIERS
        .replace(
            "archetype rookie tree=soldier",
            "archetype guard tree=stand\ntree stand { wait 1.0; }",
        )
        .replace("courage=5", "courage=6");
    let document = read("soldiers.kdl", &text);
    cast.reload(&[&document], &mut log).unwrap();
    let names: Vec<&str> = cast.archetypes().collect();
    assert_eq!(
        names,
        ["veteran", "sergeant", "north/cook", "south/cook", "guard"]
    );
    assert!(cast.spawn("rookie", 1).is_err());
    cast.spawn("guard", 2).unwrap();
    let veteran = cast.spawn("veteran", 1).unwrap()[0];
    assert_eq!(cast.get::<i64>(veteran, "courage"), Ok(6));
    cast.step(&mut log, TENTH);
    let saved = cast.save();
    let [_, cooks] = documents();
    let restored = Cast::restore(&saved, &[&document, &cooks], leaves()).unwrap();
    assert!(restored.save() == saved);
    let names: Vec<&str> = restored.archetypes().collect();
    assert_eq!(
        names,
        ["veteran", "sergeant", "north/cook", "south/cook", "guard"]
    );
}

#[test]
fn what_cannot_go_on_changes_nothing_and_says_why() {
    let [soldiers, cooks] = documents();
    let mut cast = cast();
    let mut log = Log::new();
    for _ in 0..4 {
        cast.step(&mut log, TENTH);
    }
    let (before, lines) = (cast.save(), log.len());
    let without_drill = {
        let begin = SOLDIERS.find("machine drill").unwrap();
        let end = SOLDIERS.find("archetype rookie").unwrap();
        let text = format!("{}{}", &SOLDIERS[..begin], &SOLDIERS[end..]);
        text.replace("archetype sergeant machine=drill", "")
    };
    for (name, text, said) in [
        (
            "soldiers.kdl",
            SOLDIERS.replace("march far=3", "fly"),
            "fly",
        ),
        (
            "others.kdl",
            SOLDIERS.to_owned(),
            "the cast has no document `others.kdl`",
        ),
        (
            "soldiers.kdl",
            without_drill,
            "`drill` is gone, and 2 agents run it: remove them before",
        ),
        (
            "soldiers.kdl",
            SOLDIERS.replace("action shout", "action swim").replacen(
                "blackboard {",
                "leaves { action swim; }\nblackboard {",
                1,
            ),
            "the action `swim` is not registered",
        ),
    ] {
        let error = cast.reload(&[&read(name, &text)], &mut log).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(cast.save() == before && log.len() == lines, "{said}");
    }
    let saved = &before;
    let missing = Cast::restore(saved, &[&soldiers], leaves()).err().unwrap();
    assert_eq!(
        missing.to_string(),
        "the cast was saved with the document `cooks.kdl`, which is not given"
    );
    let mut others = Registry::<Log>::new();
    others.action("shout", |_: &mut Log, _: &mut Agent| Status::Success);
    assert!(Cast::restore(saved, &[&soldiers, &cooks], others).is_err());
    for place in 0..saved.len() {
        let mut flipped = saved.clone();
        flipped[place] ^= 1 << (place % 8);
        for bytes in [&flipped[..], &saved[..place]] {
            assert!(Cast::restore_as_saved(bytes, leaves()).is_err(), "{place}");
        }
    }
    // A society that is no cast.
    let bare = cast.society().save();
    let error = Cast::restore_as_saved(&bare, leaves()).err().unwrap();
    assert!(
        error.to_string().contains("saved without documents"),
        "{error}"
    );
}

#[test]
fn a_saved_cast_is_shown_without_its_leaves() {
    let mut cast = cast();
    for _ in 0..6 {
        cast.step(&mut Log::new(), TENTH);
    }
    let shown = treemind::saving::readable(&cast.save(), None).unwrap();
    assert_eq!(shown.get("steps").unwrap().to_string(), "6");
    let gate = shown.get("semaphores").unwrap().get("gate").unwrap();
    assert_eq!(gate.get("holders").unwrap().items().len(), 1);
    assert_eq!(gate.get("line").unwrap().items().len(), 3);
    let drill = shown.get("populations").unwrap().get("drill").unwrap();
    let sergeant = &drill.get("agents").unwrap().items()[0];
    let nodes = sergeant.get("nodes").unwrap().to_string();
    assert!(
        nodes.contains("walk") && nodes.contains("leaf: march"),
        "{nodes}"
    );
}

#[test]
fn rolled_back_and_replayed_is_straight() {
    let mut cast = cast();
    let mut rollback = CastRollback::new(&cast, 6).unwrap();
    let mut courses = vec![Log::new()];
    for _ in 0..16 {
        let mut log = Log::new();
        cast.step(&mut log, TENTH);
        rollback.record(&cast);
        courses.push(log);
    }
    let end = cast.save();
    for step in (10..=16).chain([10, 14]) {
        assert!(rollback.go_back(&mut cast, step).unwrap());
        assert_eq!(rollback.newest(), step);
        for course in &courses[step as usize + 1..] {
            let mut log = Log::new();
            cast.step(&mut log, TENTH);
            rollback.record(&cast);
            assert_eq!(&log, course, "from step {step}");
        }
        assert!(cast.save() == end);
    }
    assert!(!rollback.go_back(&mut cast, 9).unwrap());
    assert!(cast.take_faults().is_empty());
    // Agents that have come since are gone again, with what they run.
    let rookie = cast.spawn("rookie", 1).unwrap()[0];
    cast.step(&mut Log::new(), TENTH);
    rollback.record(&cast);
    assert!(rollback.go_back(&mut cast, 16).unwrap());
    assert!(!cast.is_alive(rookie) && cast.save() == end);
}

#[test]
fn agents_move_to_another_cast_with_the_states_of_their_runs() {
    let (mut north, mut south) = (cast(), cast());
    let (mut log, mut other) = (Log::new(), Log::new());
    for _ in 0..6 {
        north.step(&mut log, TENTH);
        south.step(&mut other, TENTH);
    }
    let movers = [
        north.spawn("rookie", 1).unwrap(),
        north.spawn("sergeant", 1).unwrap(),
    ]
    .concat();
    for _ in 0..6 {
        north.step(&mut log, TENTH);
    }
    // The sergeant marches.
    let of_sergeant = format!("{:?} marches", movers[1]);
    assert!(log.last().is_some() && log.iter().any(|line| line.starts_with(&of_sergeant)));
    let done = log
        .iter()
        .filter(|line| line.starts_with(&of_sergeant))
        .count();
    let (before, lines) = (south.save(), log.len());
    let bytes = north.take_out(&movers).unwrap();
    assert_eq!(log.len(), lines);
    assert!(movers.iter().all(|agent| !north.is_alive(*agent)));
    assert_eq!(north.take_out(&movers), Err(Dead));
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        for bytes in [&flipped[..], &bytes[..place]] {
            assert!(south.put_in(bytes).is_err(), "{place}");
        }
    }
    assert!(south.save() == before);
    let here = south.put_in(&bytes).unwrap();
    assert_eq!(here.len(), 2);
    other.clear();
    south.step(&mut other, TENTH);
    let next = format!("{:?} marches {} of 9", here[1], done + 1);
    assert!(other.contains(&next), "{next} is not in {other:#?}");
    assert!(south.take_faults().is_empty());
}

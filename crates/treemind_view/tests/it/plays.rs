//! The games that the tests play, each in a program of its own: this one again.

use crate::museum;
use std::process::Command;
use std::time::Duration;
use treemind::prelude::*;
use treemind_view::View;

/// The game that the program is to play.
const PLAYS: &str = "TREEMIND_VIEW_PLAYS";
const TICK: Duration = Duration::from_millis(50);

/// A program that plays a game.
pub(crate) fn played(game: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "plays::plays", "--nocapture", "--test-threads=1"]);
    command.env(PLAYS, game).env_remove("NO_COLOR");
    command
}

/// This is not a test, but what the tests play.
#[test]
fn plays() {
    let game = std::env::var(PLAYS);
    if game.is_ok() {
        // The name of this test is in front of what is printed.
        println!();
    }
    match game.as_deref() {
        Ok("museum") => museum::play(View::new()).unwrap(),
        Ok("museum paused") => museum::play(View::new().paused()).unwrap(),
        Ok("museum for long") => museum::play(View::new().ticks(100_000)).unwrap(),
        Ok("panics") => count(3, |world| assert!(*world < 5, "the game is broken")),
        Ok("faults") => count(2, |_| {}),
        Ok("crowd") => count(5_000, |_| {}),
        Ok("cast") => cast(),
        Ok("reload") => reload(),
        Ok("gap") => gap(),
        Ok("empty") => {
            let mut view = View::new().title("stage").paused();
            while view.goes_on().unwrap() {
                view.panel("nobody is here");
            }
            view.finish().unwrap();
        }
        Ok("nobody") => {
            let error = museum::play(View::new().agent("cook")).unwrap_err();
            println!("{error}");
        }
        Ok(other) => panic!("there is no game {other}"),
        Err(_) => {}
    }
}

/// So many agents who count, and a panel; a leaf of the first one panics in its third tick.
fn count(agents: usize, rest: fn(&mut u64)) {
    let mut leaves = Registry::<u64>::new();
    leaves.action("count", |_, me| {
        let count = me.get::<i64>("count") + 1;
        me.set("count", count);
        assert!(me.index() > 0 || count != 3, "the leaf is broken");
        Status::Running
    });
    let text = "leaves { action count; }
        blackboard { key count type=int; }
        tree counter { action count; }";
    let mut counters = Minds::read(text.as_bytes(), "counter.kdl", &leaves, agents).unwrap();
    let mut world = 0;
    let mut view = View::new().paused().ticks(6);
    view.watch(&mut counters, "counter");
    while view.goes_on().unwrap() {
        counters.tick(&mut world, TICK);
        world += 1;
        rest(&mut world);
        view.panel(format!("the world is at {world}"));
    }
    view.finish().unwrap();
}

/// A cast of two documents, whose agents come and go.
fn cast() {
    let cooks = "leaves { action cook; }
        tree cook { action cook; }
        archetype cook tree=cook";
    let guests = "leaves { action eat; }
        tree guest { repeat 2 { action eat; }; }
        archetype guest tree=guest";
    let mut leaves = Registry::<u64>::new();
    leaves
        .action("cook", |meals, _| {
            *meals += 1;
            Status::Running
        })
        .action("eat", |_, _| Status::Success);
    let mut cast = Cast::new(leaves);
    cast.add(&Document::parse(cooks, "cooks.kdl")).unwrap();
    cast.add(&Document::parse(guests, "guests.kdl")).unwrap();
    cast.spawn("cook", 1).unwrap();
    let mut guests = cast.spawn("guest", 2).unwrap();
    let mut meals = 0;
    let mut view = View::new().ticks(12);
    view.watch(&mut cast, "inn");
    while view.goes_on().unwrap() {
        cast.step(&mut meals, TICK);
        if meals.is_multiple_of(4) {
            cast.remove(guests.remove(0), &mut meals).unwrap();
            guests.extend(cast.spawn("guest", 2).unwrap());
            view.note(format!("there are {} guests now", guests.len()));
        }
    }
    assert_eq!(meals, 12);
}

/// A guard that goes on with another document.
fn reload() {
    let mut leaves = Registry::<()>::new();
    leaves
        .action("patrol", |(), _| Status::Running)
        .action("sleep", |(), _| Status::Running);
    let document = |action: &str| {
        let text = format!("leaves {{ action {action}; }}\ntree guard {{ action {action}; }}");
        Document::parse(&text, "guard.kdl")
    };
    let text = "leaves { action patrol; }\ntree guard { action patrol; }";
    let mut guard = Mind::read(text.as_bytes(), "guard.kdl", &leaves).unwrap();
    let mut view = View::new().ticks(9);
    view.watch(&mut guard, "guard");
    let mut ticks = 0;
    while view.goes_on().unwrap() {
        guard.tick(&mut (), TICK);
        ticks += 1;
        if ticks == 4 {
            guard.reload(&document("sleep"), &leaves, &mut ()).unwrap();
        }
    }
}

/// A guard who was ticked before the view came, and is once ticked without it.
fn gap() {
    let mut leaves = Registry::<u64>::new();
    leaves.action("patrol", |ticks, _| {
        *ticks += 1;
        match ticks.is_multiple_of(5) {
            true => Status::Success,
            false => Status::Running,
        }
    });
    let text = "leaves { action patrol; }\ntree guard { action patrol; }";
    let mut guard = Mind::read(text.as_bytes(), "guard.kdl", &leaves).unwrap();
    let mut ticks = 0;
    for _ in 0..7 {
        guard.tick(&mut ticks, TICK);
    }
    let mut view = View::new().ticks(6);
    view.watch(&mut guard, "guard");
    while view.goes_on().unwrap() {
        guard.tick(&mut ticks, TICK);
        if ticks == 9 {
            let (population, bound) = guard.parts();
            population.tick(&mut bound.host(&mut ticks), TICK);
        }
    }
    assert_eq!(ticks, 14);
}

//! The work to run under callgrind. `cargo xtask counts` counts the instructions of each call of [`counted`]
//! separately, and compares them with the recorded figures. Nothing here reads a clock.

use crate::case::Case;
use crate::crowd::{self, Crowd};
use crate::facts::Change::{All, Nothing};
use crate::load;
use crate::planners::Soldiers;
use crate::post::{self, Talkers};
use crate::rollback::{Camp, Guards};
use crate::runner::By::{Closures, ClosuresRecorded, ClosuresTraced, Columns, ColumnsRecorded};
use crate::runner::Setting;
use crate::spawn;
use std::hint::black_box;

/// As many agents as many games have, and few enough that to count them takes seconds.
const SOME: usize = 200;

/// Enough agents to fill several chunks of the executor, and one more.
const CROWD: usize = 10_000;

/// How many ticks are counted, after the same number of ticks in which memory is allocated.
const TICKS_OF_ONE: usize = 1_000;
/// As many as are in half a minute, so that what a recording writes now and then is counted in its share.
const TICKS_OF_SOME: usize = 600;
const TICKS_OF_CROWD: usize = 5;

/// The number of nodes of the document that is read.
const NODES: usize = 200;

/// What is counted.
pub(crate) fn settings() -> Vec<Setting> {
    let one = |case, change, by| Setting::new(case, 1, change, by);
    let some = |by| Setting::new(Case::Guard, SOME, All, by);
    let crowd = |case, change, by| Setting::new(case, CROWD, change, by);
    vec![
        one(Case::Guard, All, Closures),
        one(Case::Guard, Nothing, Closures),
        one(Case::Guard, All, ClosuresTraced),
        one(Case::Guard, All, Columns),
        one(Case::GuardExpr, All, Closures),
        one(Case::Machine, All, Closures),
        one(Case::Timers, All, Closures),
        one(Case::Utility, All, Closures),
        one(Case::Selector, All, Closures),
        one(Case::Leaves, All, Closures),
        one(Case::Row, Nothing, Closures),
        some(Closures),
        some(ClosuresRecorded),
        some(Columns),
        some(ColumnsRecorded),
        crowd(Case::Guard, All, Closures),
        crowd(Case::Guard, All, Columns),
        crowd(Case::Guard, Nothing, Columns),
        crowd(Case::GuardExpr, All, Columns),
        crowd(Case::Decide, All, Columns),
        crowd(Case::Utility, All, Columns),
        crowd(Case::Machine, All, Columns),
        crowd(Case::Timers, All, Columns),
        crowd(Case::Leaves, All, Columns),
        crowd(Case::Waiting, Nothing, Columns),
        crowd(Case::Draws, Nothing, Columns),
    ]
}

/// Runs everything, and prints a line for each item: its name, the divisor of its count, and the calls of the
/// allocator.
pub(crate) fn run() {
    for setting in settings() {
        let mut runner = setting.runner().expect("ours can play everything");
        let ticks = match setting.agents {
            1 => TICKS_OF_ONE,
            SOME => TICKS_OF_SOME,
            _ => TICKS_OF_CROWD.min(runner.most_ticks()),
        };
        let mut facts = setting.facts();
        facts.draw(ticks);
        runner.get_ready(&facts, ticks);
        runner.run(ticks);
        facts.draw(ticks);
        runner.get_ready(&facts, ticks);
        let count = allocation_counter::measure(|| counted(&mut || runner.run(ticks)));
        let agent_ticks = ticks * setting.agents;
        println!("{}\t{agent_ticks}\t{}", name(&setting), count.count_total);
    }
    count_agents(
        "one by one",
        CROWD,
        &mut spawn::population(),
        |population| {
            spawn::one_by_one(population, CROWD);
        },
    );
    count_agents("together", CROWD, &mut spawn::population(), |population| {
        spawn::together(population, CROWD);
    });
    let mut crowd = spawn::crowd(CROWD);
    count_agents("removed", CROWD / 2, &mut crowd, spawn::remove_half);
    count_agents("in their places", CROWD / 2, &mut crowd, spawn::refill);
    for talk in post::TALKS {
        let mut talkers = Talkers::new(talk, CROWD);
        count_agents(talk.words(), CROWD, &mut talkers, Talkers::talk);
    }
    for idling in crowd::CROWDS {
        let mut crowd = Crowd::new(idling, CROWD, None);
        count_agents(&idling.words(), CROWD, &mut crowd, Crowd::run);
    }
    let mut soldiers = Soldiers::without_plans(CROWD);
    for how in ["who make plans", "who follow their plans"] {
        count_agents(how, CROWD, &mut soldiers, Soldiers::tick);
    }
    for (keeps, how) in [(false, ""), (true, ", kept for a rollback")] {
        let how = format!("of whom one in 20 changes{how}");
        let mut guards = Guards::new(CROWD, keeps);
        count_agents(&how, CROWD, &mut guards, Guards::run);
    }
    for (keeps, how) in [(false, ""), (true, ", kept for a rollback")] {
        let how = format!("of a society, of whom one in 20 changes{how}");
        let mut camp = Camp::new(CROWD, keeps);
        count_agents(&how, CROWD, &mut camp, Camp::run);
    }
    let (text, nodes) = load::document(NODES);
    let mut programs = 0;
    let count = allocation_counter::measure(|| counted(&mut || programs = load::once(&text)));
    black_box(programs);
    println!("load of {nodes} nodes\t{nodes}\t{}", count.count_total);
}

fn count_agents<P>(how: &str, agents: usize, of: &mut P, work: impl Fn(&mut P)) {
    let count = allocation_counter::measure(|| counted(&mut || work(of)));
    println!("{agents} agents {how}\t{agents}\t{}", count.count_total);
}

fn name(setting: &Setting) -> String {
    let Setting {
        case, agents, by, ..
    } = *setting;
    let facts = setting.facts_name();
    format!("{}, {agents}, {facts}, {}", case.name(), by.name())
}

/// The function that callgrind finds by its name.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Prevents a tail call, so that the call above returns here.
    black_box(());
}

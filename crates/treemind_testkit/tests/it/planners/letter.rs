//! The table of known answers, row by row: each row has a name, and the test says which one is wrong.

use super::Draft;
use super::classic::blocks as blocks_with_a_hand;
use super::known::{blocks, robber, soldier, soldier_who_fetches};
use treemind_core::Value;
use treemind_doc::Document;

/// A row: its name, the problem, and what is known of the plan.
type Row = (&'static str, Draft, Known);

enum Known {
    /// Cost, expansions and steps.
    All(&'static str),
    /// Cost and expansions.
    Counts(&'static str),
    /// The cost.
    Costs(&'static str),
    /// The steps.
    Steps(&'static str),
    /// The cost and the steps.
    Both(&'static str, &'static str),
}

use Known::{All, Both, Costs, Counts, Steps};

impl Known {
    fn is_right(&self, plan: &str) -> bool {
        let (numbers, steps) = plan.split_once(": ").unwrap_or((plan, ""));
        let cost = numbers.split(' ').next().unwrap_or("");
        match self {
            All(known) => plan == *known,
            Counts(known) => numbers == *known,
            Costs(known) => cost == *known,
            Steps(known) => steps.trim() == *known,
            Both(known, list) => cost == *known && steps.trim() == *list,
        }
    }

    fn text(&self) -> String {
        match self {
            All(known) => (*known).to_owned(),
            Counts(numbers) => (*numbers).to_owned(),
            Costs(cost) => format!("costs {cost}"),
            Steps(steps) => (*steps).to_owned(),
            Both(cost, steps) => format!("costs {cost}: {steps}"),
        }
    }
}

fn are_right(rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for (name, draft, known) in rows {
        let plan = draft.plan();
        if !known.is_right(&plan) {
            wrong.push(format!(
                "{name}: known is `{}`, found `{plan}`",
                known.text()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SHOOT: &str = "6 / 6: draw-gun reload take-cover shoot";
const FETCH: &str = "12 / 11: draw-gun fetch-mags reload take-cover shoot";
const ROB: &str = "9 / 56: sleep sleep sleep eat eat eat rob rob rob";

#[test]
fn goals_of_games() {
    let soldier_at = |mags| soldier_who_fetches().given("mags", Value::Int(mags));
    let none = soldier().given("mags", Value::Int(0));
    let near = soldier_who_fetches().given("enemy_distance", Value::Int(1));
    let ready = soldier_who_fetches()
        .given("armed", Value::Bool(true))
        .given("ammo", Value::Int(3))
        .given("in_cover", Value::Bool(true));
    let orkin = Draft::new("drawn loaded dead")
        .wants("kill", "dead", 1.0)
        .step("draw", "", "drawn = true", "")
        .step("load", "drawn", "loaded = true", "")
        .step("attack", "loaded", "dead = true", "");
    let day = Draft::new("fit fed rested=true clean=true")
        .wants("well", "fit && fed && rested && clean", 1.0)
        .step("eat", "", "fed = true", "")
        .step("sleep", "", "rested = true; fed = false", "")
        .step("train", "", "fit = true; rested = false; clean = false", "")
        .step("shower", "", "clean = true; rested = false", "");
    let buyer = Draft::new("money food")
        .wants("both", "food && money", 1.0)
        .step("mine", "", "money = true", "10")
        .step("buy", "money", "food = true; money = false", "2");
    let counter = |by: &str| {
        let counter = Draft::new("i=0").wants("many", "i > 100", 1.0);
        counter.step("count", "", by, "0.5")
    };
    let smith = Draft::new("wood=0 iron=0 store=1 tool")
        .wants("tool", "tool", 1.0)
        .step("chop", "", "wood += 1", "3")
        .step("mine", "", "iron += 1", "4")
        .step("take-wood", "store > 0", "wood += 1; store -= 1", "1")
        .step(
            "forge",
            "wood >= 2 && iron >= 1",
            "tool = true; wood -= 2; iron -= 1",
            "2",
        );
    let cutter = Draft::new("axe_there=true axe wood=0 delivered")
        .wants("firewood", "delivered", 1.0)
        .step("get-axe", "axe_there && !axe", "axe = true", "2")
        .step("chop", "axe", "wood += 1", "4")
        .step("gather", "", "wood += 1", "8")
        .step("deliver", "wood > 0", "delivered = true; wood -= 1", "1");
    let without = cutter.clone().given("axe_there", Value::Bool(false));
    are_right(vec![
        ("the soldier", soldier_at(1), All(SHOOT)),
        ("the soldier, no magazine", soldier_at(0), All(FETCH)),
        (
            "the soldier, no magazine and none to fetch",
            none,
            All("none / 4"),
        ),
        ("the soldier, the enemy is near", near, All("3 / 1: club")),
        ("the soldier, ready", ready, All("2 / 1: shoot")),
        ("draw, load, attack", orkin, Both("3", "draw load attack")),
        ("four facts", day, All("4 / 11: train shower sleep eat")),
        ("food and money", buyer, All("22 / 3: mine buy mine")),
        ("counting up", counter("i += 10"), Counts("5.5 / 11")),
        ("counting down", counter("i -= 10"), All("limit")),
        (
            "the robber, three pieces of gold",
            robber("gold >= 3", 16),
            All(ROB),
        ),
        (
            "the robber, seven pieces",
            robber("gold >= 7", 32),
            Costs("17"),
        ),
        (
            "the smith",
            smith,
            All("10 / 11: chop mine take-wood forge"),
        ),
        (
            "the woodcutter",
            cutter.clone(),
            Both("7", "get-axe chop deliver"),
        ),
        (
            "the woodcutter, without an axe",
            without,
            Both("9", "gather deliver"),
        ),
    ]);
}

#[test]
fn blocks_and_parcels() {
    let sussman = "unstack-3-1 put-3 pick-2 stack-2-3 pick-1 stack-1-2";
    let turned = |count: usize| {
        let on: Vec<i64> = (2..=count as i64).chain([0]).collect();
        let wanted = (2..=count).map(|block| format!("b{block} == {}", block - 1));
        blocks(&on, &wanted.collect::<Vec<_>>().join(" && "))
    };
    let tower = "b1 == 2 && b2 == 3 && b3 == 4 && b4 == 5";
    are_right(vec![
        (
            "one move each: Sussman",
            blocks(&[0, 0, 1], "b1 == 2 && b2 == 3"),
            Costs("3"),
        ),
        ("one move each: three turned", turned(3), Costs("3")),
        ("one move each: four turned", turned(4), Costs("4")),
        ("one move each: five turned", turned(5), Costs("5")),
        (
            "one move each: a tower of five from the table",
            blocks(&[0; 5], tower),
            Costs("4"),
        ),
        (
            "a hand: Sussman",
            blocks_with_a_hand(&[0, 0, 1], &[(1, 2), (2, 3)]),
            Both("6", sussman),
        ),
        ("parcels", parcels(), Counts("11 / 43")),
    ]);
}

/// Two cities with outskirts (0, 3) and airports (1, 2), a truck in each, and a plane in the second. The parcel is at a
/// place, or in the first truck (4), the second (5) or the plane (6).
fn parcels() -> Draft {
    let mut draft = Draft::new("parcel=0 one=1 two=2 plane=2").wants("there", "parcel == 3", 1.0);
    for (name, inside, places) in [("one", 4, [0, 1]), ("two", 5, [2, 3]), ("plane", 6, [1, 2])] {
        for place in places {
            let load = format!("{name} == {place} && parcel == {place}");
            let unload = format!("{name} == {place} && parcel == {inside}");
            draft = draft
                .step(
                    &format!("{name}-to-{place}"),
                    &format!("{name} != {place}"),
                    &format!("{name} = {place}"),
                    "",
                )
                .step(
                    &format!("load-{name}-{place}"),
                    &load,
                    &format!("parcel = {inside}"),
                    "",
                )
                .step(
                    &format!("unload-{name}-{place}"),
                    &unload,
                    &format!("parcel = {place}"),
                    "",
                );
        }
    }
    draft
}

#[test]
fn tasks() {
    let first = |a, b, c| {
        Draft::new("a b c")
            .given("a", Value::Bool(a))
            .given("b", Value::Bool(b))
            .given("c", Value::Bool(c))
            .step("get-a", "", "a = true", "")
            .step("get-b", "", "b = true", "")
            .step("get-c", "", "c = true", "")
            .tasks(&[(
                "get",
                &[
                    ("", "a && b && c"),
                    ("get-c", "a && b"),
                    ("get-a get-b", "!a || !b"),
                ],
            )])
            .does("all", "get", 1.0)
    };
    let travel = |cash: i64, far: i64| {
        Draft::new("cash=0 far=0 there taxi")
            .given("cash", Value::Int(cash))
            .given("far", Value::Int(far))
            .step("walk", "", "there = true", "")
            .step("call-taxi", "", "taxi = true", "")
            .step("ride", "taxi", "there = true", "")
            .step("pay", "cash >= 10", "cash -= 10", "")
            .tasks(&[(
                "travel",
                &[("walk", "far <= 2"), ("call-taxi ride pay", "")],
            )])
            .does("go", "travel", 1.0)
    };
    let swap = |kiwi| {
        Draft::new("kiwi banjo")
            .given("kiwi", Value::Bool(kiwi))
            .step("drop-kiwi", "kiwi", "kiwi = false", "")
            .step("pick-banjo", "!kiwi", "banjo = true", "")
            .step("drop-banjo", "banjo", "banjo = false", "")
            .step("pick-kiwi", "!banjo", "kiwi = true", "")
            .tasks(&[(
                "swap",
                &[
                    ("drop-kiwi pick-banjo", "kiwi"),
                    ("drop-banjo pick-kiwi", "banjo"),
                ],
            )])
            .does("go", "swap", 1.0)
    };
    let troll = |sees, trunk| {
        Draft::new("sees trunk=0")
            .given("sees", Value::Bool(sees))
            .given("trunk", Value::Int(trunk))
            .step("sprint", "", "", "")
            .step("slam", "trunk > 0", "trunk -= 1", "")
            .step("find-trunk", "", "", "")
            .step("uproot", "", "trunk = 3", "")
            .step("choose", "", "", "")
            .step("walk", "", "", "")
            .step("check", "", "", "")
            .tasks(&[
                ("be", &[("fight", "sees"), ("choose walk check", "")]),
                (
                    "fight",
                    &[
                        ("sprint slam", "trunk > 0"),
                        ("find-trunk uproot fight", ""),
                    ],
                ),
            ])
            .does("live", "be", 1.0)
    };
    let undone = Draft::new("a never c")
        .step("do-a", "", "a = true", "")
        .step("do-b", "never", "", "")
        .step("do-c", "!a", "c = true", "")
        .tasks(&[("try", &[("do-a do-b", ""), ("do-c", "")])])
        .does("go", "try", 1.0);
    let inner = Draft::new("p q")
        .step("p1", "", "p = true", "")
        .step("p2", "", "q = true", "")
        .step("b2", "q", "", "")
        .tasks(&[
            ("inner", &[("p1", ""), ("p2", "")]),
            ("outer", &[("inner b2", "")]),
        ])
        .does("go", "outer", 1.0);
    let grow = Draft::new("a=0")
        .step("do-a", "", "a += 1", "")
        .tasks(&[("grow", &[("do-a grow", "")])])
        .does("go", "grow", 1.0);
    let villager = Draft::new("wood=0 coins=0")
        .step("chop", "", "wood += 1", "")
        .step("sell", "wood >= 3", "wood -= 3; coins += 3", "")
        .tasks(&[
            ("trade", &[("stock sell", "")]),
            ("stock", &[("", "wood >= 3"), ("chop stock", "")]),
        ])
        .does("earn", "trade", 1.0);
    are_right(vec![
        (
            "the first domain",
            first(false, false, false),
            Steps("get-a get-b"),
        ),
        (
            "the first domain, then",
            first(true, true, false),
            Steps("get-c"),
        ),
        (
            "the first domain, done",
            first(true, true, true),
            Both("0", ""),
        ),
        (
            "travel, cash 20",
            travel(20, 8),
            Steps("call-taxi ride pay"),
        ),
        ("travel, cash 5", travel(5, 8), Costs("none")),
        ("travel, 2 miles", travel(5, 2), Steps("walk")),
        ("swap a kiwi", swap(true), Steps("drop-kiwi pick-banjo")),
        ("swap nothing", swap(false), Costs("none")),
        ("the troll", troll(true, 1), Steps("sprint slam")),
        (
            "the troll without a trunk",
            troll(true, 0),
            Steps("find-trunk uproot sprint slam"),
        ),
        (
            "the troll alone",
            troll(false, 1),
            Steps("choose walk check"),
        ),
        ("what came to nothing is undone", undone, Steps("do-c")),
        ("another method of an inner task", inner, Steps("p2 b2")),
        ("a task without end", grow, All("limit")),
        (
            "the villager trades",
            villager,
            Steps("chop chop chop sell"),
        ),
    ]);
}

#[test]
fn a_task_that_begins_with_itself_is_refused() {
    let text = "leaves { action a; }\nplanner p { goal g does=loop; task loop { method \"loop\"; }; action a; }\n";
    let document = Document::parse(text, "loop.kdl");
    let found = document.diagnostics();
    assert!(
        found
            .iter()
            .any(|one| one.message().contains("`loop` can never end")),
        "{found:?}"
    );
}

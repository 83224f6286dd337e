//! What is said of plans that change, of searches that take several ticks, and of limits.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::planning::NoPlan;
use treemind_core::trace::Trace;
use treemind_core::{Behaviour, Population, Program, Status, Value};
use treemind_explain::{Explainer, Language, Prospect, outlook};

const FIGHTER: &str = r#"
blackboard {
    key armed type=bool default=#true
    key ammo type=int
    key in_cover type=bool
    key enemy_dead type=bool
    key dist type=float default=9.0
    key threat type=float
}
leaves { action load; action cover; action fire; action club; }
planner fighter OPTIONS {
    goal kill wants="enemy_dead" score=0.4
    goal survive wants="in_cover" score="threat"
    action load name=reload when="armed && ammo == 0" gives="ammo = 6"
    action cover gives="in_cover = true" cost=2
    action fire name=shoot when="armed && ammo > 0 && in_cover" gives="enemy_dead = true" cost=2
    action club when="dist < 2" gives="enemy_dead = true" cost=3
}
"#;

/// An agent that is followed.
pub(crate) struct Followed {
    pub(crate) agents: Population,
    pub(crate) host: Scripted,
    pub(crate) explainer: Explainer,
}

impl Followed {
    pub(crate) fn new(text: &str, planner: &str, leaves: &[(&str, Status)]) -> Self {
        let document = treemind_doc::Document::read(text.as_bytes(), "test.kdl");
        Self::of(document.planner(planner).expect("a planner"), leaves)
    }

    fn of(behaviour: Behaviour, leaves: &[(&str, Status)]) -> Self {
        let agents = Population::new(Arc::new(Program::new(behaviour)), 1);
        let mut host = Scripted::idle(agents.program().behaviour(), 1);
        for (leaf, status) in leaves {
            host.set(0, leaf, &[*status]);
        }
        let explainer = Explainer::new(&agents, 0);
        Self {
            agents,
            host,
            explainer,
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: Value) {
        let key = self
            .agents
            .program()
            .behaviour()
            .key_id(key)
            .expect("a key");
        self.agents.set(0, key, value).expect("of its type");
    }

    pub(crate) fn tick(&mut self) -> String {
        self.explainer.before_tick(&self.agents);
        let mut trace = Trace::with_values();
        let step = Duration::from_millis(100);
        self.agents.tick_traced(&mut self.host, step, &mut trace);
        self.explainer.after_tick(&self.agents, &trace);
        self.explainer.explain(&self.agents).to_string()
    }

    /// Why a node did what it did, by its label.
    pub(crate) fn why_of(&self, label: &str) -> String {
        let behaviour = self.agents.program().behaviour();
        let mut nodes = behaviour.node_ids();
        let node = nodes.find(|node| behaviour.label(*node) == label);
        self.explainer
            .why(&self.agents, node.expect("a node"))
            .to_string()
    }

    pub(crate) fn why(&self) -> String {
        let root = self.agents.program().behaviour().root();
        self.explainer.why(&self.agents, root).to_string()
    }
}

pub(crate) fn has(text: &str, part: &str) {
    assert!(text.contains(part), "`{part}` is not in:\n{text}");
}

pub(crate) fn lacks(text: &str, part: &str) {
    assert!(!text.contains(part), "`{part}` is in:\n{text}");
}

#[test]
fn the_facts_of_a_search_are_those_of_its_beginning() {
    let text = FIGHTER.replace("OPTIONS", "slice=2");
    let mut one = Followed::new(&text, "fighter", &[]);
    let mut ticks = 0;
    while one
        .agents
        .plan(0, one.agents.program().behaviour().root())
        .unwrap()
        .steps
        .is_empty()
    {
        one.tick();
        ticks += 1;
        assert!(ticks < 10);
    }
    assert!(ticks > 1, "it takes several turns");
    let why = one.why();
    has(&why, "`reload`, because `shoot` needs `ammo > 0`");
    has(&why, "`cover`, because `shoot` needs `in_cover`");
    lacks(&why, "needs `armed`");
}

#[test]
fn nothing_is_made_up_of_a_search_that_began_unseen() {
    let text = FIGHTER.replace("OPTIONS", "slice=2");
    let mut one = Followed::new(&text, "fighter", &[]);
    one.tick();
    one.explainer = Explainer::new(&one.agents, 0);
    let root = one.agents.program().behaviour().root();
    for _ in 0..10 {
        if !one.agents.plan(0, root).unwrap().steps.is_empty() {
            break;
        }
        one.tick();
    }
    let why = one.why();
    has(&why, "the plan is `reload cover shoot`, for 5");
    lacks(&why, "because");
}

#[test]
fn a_step_that_is_left_out_is_named() {
    let text = FIGHTER.replace("OPTIONS", "");
    let mut one = Followed::new(&text, "fighter", &[("reload", Status::Failure)]);
    one.tick();
    one.tick();
    let why = one.why();
    has(&why, "there is no plan for `kill`");
    has(&why, "`reload` was left out");
    has(
        &why,
        "one thing is missing: `shoot` needs `ammo > 0`: `ammo` is 0, no other step gives `ammo > 0`",
    );
}

#[test]
fn a_task_says_which_step_is_left_out() {
    let text = r#"
        blackboard { key fed type=bool; }
        leaves { action eat; }
        planner day { goal live does=dine; task dine { method "eat"; }; action eat gives="fed = true"; }
    "#;
    let mut one = Followed::new(text, "day", &[("eat", Status::Failure)]);
    one.tick();
    one.tick();
    has(&one.why(), "then `eat` was left out");
}

fn limit(wants: &str, options: &str) -> (Vec<String>, Option<NoPlan>) {
    let text = format!(
        "blackboard {{ key wood type=int; key day type=bool; }}\nleaves {{ action chop; }}\n\
         planner p {options} {{ goal g wants=\"{wants}\"; action chop gives=\"wood += 1\"; }}"
    );
    let one = Followed::new(&text, "p", &[]);
    let behaviour = one.agents.program().behaviour();
    let prospect = Prospect::new(behaviour, behaviour.root(), |key| one.agents.held(0, key));
    let why = prospect.expect("a planner").why_none(0);
    let why = why
        .iter()
        .map(|one| one.written(Language::English))
        .collect();
    let goals = outlook(
        behaviour,
        behaviour.root(),
        |key| one.agents.held(0, key),
        None,
    );
    (why, goals.expect("an answer")[0].no_plan)
}

#[test]
fn a_limit_is_named_with_its_number() {
    let steps = [
        "there is no plan for `g`",
        "no plan of up to 16 steps leads there",
        "`max-steps=` allows more, up to 32",
        "the situation that came nearest lacked `wood >= 100`",
    ];
    let (said, why) = limit("wood >= 100", "");
    assert_eq!(
        (said, why),
        (steps.map(str::to_owned).to_vec(), Some(NoPlan::Limit))
    );
    let (said, why) = limit("wood >= 100", "max-expansions=8");
    let situations = [
        steps[0],
        "the search gave up after 8 situations",
        "`max-expansions=` allows more, up to 65536",
        steps[3],
    ];
    assert_eq!(
        (said, why),
        (situations.map(str::to_owned).to_vec(), Some(NoPlan::Limit))
    );
    let (said, why) = limit("wood >= 100", "max-steps=32");
    assert_eq!(
        said[1..],
        ["no plan of up to 32 steps leads there", steps[3]]
    );
    assert_eq!(why, Some(NoPlan::Limit));
    assert_eq!(limit("wood >= 3", ""), (vec![], None));
    assert_eq!(limit("day", "").1, Some(NoPlan::None));
}

#[test]
fn what_a_plan_gave_way_to_is_told_where_its_step_is_cut_off() {
    let text = FIGHTER.replace("OPTIONS", "replan=changed hysteresis=0.1");
    let mut one = Followed::new(&text, "fighter", &[]);
    has(&one.tick(), "`fighter` pursues `kill` (score 0.4)");
    one.set("ammo", Value::Int(2));
    one.tick();
    one.set("dist", Value::Float(1.0));
    let cheaper = one.tick();
    has(
        &cheaper,
        "`cover` was cut off: the plan `club` is possible now and cheaper (3 against 4)",
    );
    has(&cheaper, "`fighter` pursues `kill` by `club`, for 3");
    one.set("threat", Value::Float(0.9));
    let other = one.tick();
    has(
        &other,
        "`club` was cut off: there is a plan for `survive`, which is wanted more",
    );
    let later = one.tick();
    has(
        &later,
        "there is a plan for `survive`, which is wanted more; `fighter` pursues `survive` by `cover`, for 2 in tick 4",
    );
    one.set("threat", Value::Float(0.0));
    one.set("in_cover", Value::Bool(true));
    one.set("dist", Value::Float(9.0));
    one.tick();
    one.tick();
    one.set("armed", Value::Bool(false));
    let none = one.tick();
    has(&none, "there is no plan for `kill` any more");
    lacks(&none, "no longer wanted");
}

const FAULTY: &str = r#"
blackboard { key n type=int; key u type=int optional=#true; key a type=bool; key b type=bool; key m type=int default=1; }
leaves { action go; action stay; }
planner p {
    goal one wants="a" when="10 / n > 1"
    goal two wants="a" score="double(10 / n)"
    goal three wants="a" when="m > 3"
    goal four wants="b" when="u > 3" score="0.4"
    goal five wants="b && m > 0" score="0.5"
    action go gives="a = true"
    action stay gives="b = true"
}
"#;

const FAULTY_SAID: [&str; 4] = [
    "`one` is not pursued: its condition `10 / n > 1` has a fault: an int was divided by zero",
    "`two` is not pursued: its score has a fault: an int was divided by zero",
    "`three` is not pursued: `m > 3` does not hold",
    "`four` is not pursued: its condition `u > 3` has a fault: the key `u` is unset",
];

#[test]
fn a_goal_whose_condition_or_score_has_a_fault_says_so() {
    let mut one = Followed::new(FAULTY, "p", &[]);
    one.tick();
    let why = one.why();
    FAULTY_SAID.iter().for_each(|said| has(&why, said));
    has(&why, "`p` pursues `five` (score 0.5)");
}

/// Also where nobody has seen the planner think.
#[test]
fn an_outlook_says_what_has_a_fault() {
    let one = Followed::new(FAULTY, "p", &[]);
    let behaviour = one.agents.program().behaviour();
    let held = |key| one.agents.held(0, key);
    let goals = outlook(behaviour, behaviour.root(), held, None).expect("an answer");
    let prospect = Prospect::new(behaviour, behaviour.root(), held).expect("a planner");
    let said = goals[..4].iter().map(|goal| {
        let words = prospect.why_not_searched(goal, &goals).expect("a reason");
        words.written(Language::English)
    });
    assert_eq!(said.collect::<Vec<_>>(), FAULTY_SAID);
    assert_eq!(goals[1].score, None);
    assert!(goals[4].plan.is_some());
}

/// The `when` of a goal says the times that it asks for.
#[test]
fn the_when_of_a_goal_has_its_times() {
    let text = r#"
        blackboard { key alarm type=bool; key safe type=bool; key rich type=bool; }
        leaves { action dig; action hide; }
        planner p {
            goal calm wants="safe" when="age(alarm) > 5" score=2
            goal gold wants="rich"
            action dig gives="rich = true"
            action hide gives="safe = true"
        }
    "#;
    let mut agent = Followed::new(text, "p", &[("dig", Status::Running)]);
    agent.tick();
    let said = agent.tick();
    assert!(
        said.contains("`age(alarm) > 5.0` does not hold: 0.2 > 5.0"),
        "{said}"
    );
}

/// Of a list, a planner knows the length.
#[test]
fn a_list_is_told_by_its_length() {
    let text = r#"
        blackboard { key stops type=int list=4 { default 7 8; }; key there type=bool; }
        leaves { action ride; }
        planner p {
            goal go wants="there"
            action ride when="len(stops) > 2" gives="there = true"
        }
    "#;
    let agent = Followed::new(text, "p", &[]);
    let behaviour = agent.agents.program().behaviour();
    let held = |key| agent.agents.held(0, key);
    let prospect = Prospect::new(behaviour, behaviour.root(), held).expect("a planner");
    let wanted = "one thing is missing: `ride` needs `len(stops) > 2`: `len(stops)` is 2, no step gives `len(stops) > 2`";
    let why = prospect.why_none(0);
    let why: Vec<String> = why
        .iter()
        .map(|one| one.written(Language::English))
        .collect();
    assert_eq!(why[1], wanted);
    let mut agent = agent;
    let said = agent.tick();
    assert!(said.contains(wanted), "{said}");
}

/// Each goal that has no plan is explained, also where two lack the same.
#[test]
fn all_goals_without_a_plan_are_explained() {
    let text = r#"
        blackboard { key ammo type=int; key dead type=bool; key safe type=bool; key lit type=bool; }
        leaves { action fire; action wave; }
        planner p {
            goal kill wants="dead" score=2
            goal calm wants="safe && dead"
            goal light wants="lit" score=3
            action fire when="ammo > 0" gives="dead = true"
            action wave when="dead" gives="safe = true"
        }
    "#;
    let mut agent = Followed::new(text, "p", &[]);
    let missing =
        "one thing is missing: `fire` needs `ammo > 0`: `ammo` is 0, no step gives `ammo > 0`";
    let light = "    one thing is missing: `light` wants `lit`: `lit` is false, no step gives `lit`
      with it, nothing is left to do\n";
    let kill = format!("    {missing}\n      with it, the plan is `fire`, for 1\n");
    let calm = format!("    {missing}\n      with it, the plan is `fire wave`, for 2\n");
    for tick in 1..4 {
        agent.tick();
        let said = agent.why_of("p");
        for (goal, why) in [("light", light), ("kill", &kill), ("calm", &calm)] {
            let since = if tick == 1 { "" } else { ", since tick 1" };
            has(
                &said,
                &format!("there is no plan for `{goal}`{since}\n  {why}"),
            );
        }
    }
}

/// A planner fails, and what is done in its place has ended: nothing that runs leads to it.
#[test]
fn why_a_planner_failed_is_said_where_something_else_succeeded() {
    let text = r#"
        blackboard { key ammo type=int; key dead type=bool; }
        leaves { action fire; action wave; }
        main tree=soldier
        tree soldier { selector { planner p; action wave; }; }
        planner p {
            goal kill wants="dead"
            action fire when="ammo > 0" gives="dead = true"
        }
    "#;
    let document = treemind_doc::Document::read(text.as_bytes(), "test.kdl");
    let behaviour = document.behaviour(None).expect("a tree");
    let mut agent = Followed::of(behaviour, &[("wave", Status::Success)]);
    let said = agent.tick();
    let missing = "one thing is missing: `fire` needs `ammo > 0`";
    has(
        &said,
        "`p` found no plan for `kill`\n    there is no plan for `kill`\n",
    );
    assert_eq!(said.matches(missing).count(), 1, "{said}");
    // Where it is told already, it is not told again.
    agent.host.set(0, "wave", &[Status::Running]);
    agent.set("ammo", Value::Int(-1));
    let said = agent.tick();
    assert_eq!(said.matches(missing).count(), 1, "{said}");
}

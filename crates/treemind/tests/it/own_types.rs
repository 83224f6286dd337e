//! Conditions and actions as types: their parameters, and the state of every run.

use crate::trees::DT;
use serde::{Deserialize, Deserializer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use treemind::Manifest;
use treemind::blackboard::{Entity, Value};
use treemind::leaves::Order;
use treemind::population::Bound;
use treemind::population::{Behaviour, Population, Program};
use treemind::prelude::*;

pub(crate) fn behaviour(text: &str) -> Behaviour {
    match Document::parse(text, "test.kdl").behaviour(None) {
        Ok(behaviour) => behaviour,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// A population, and what it is bound to.
fn bound<W: 'static>(registry: &Registry<W>, text: &str, agents: usize) -> (Population, Bound<W>) {
    let behaviour = behaviour(text);
    let bound = registry.bind(&behaviour).unwrap();
    (
        Population::new(Arc::new(Program::new(behaviour)), agents),
        bound,
    )
}

/// One world for many tests: the whole executor is compiled once more for each type of world.
#[derive(Default)]
pub(crate) struct Stage {
    said: Vec<Say>,
    pub(crate) sum: i64,
    ends: Vec<(usize, Outcome)>,
    pub(crate) log: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Mood {
    Calm,
    VeryAngry,
}

fn three() -> u8 {
    3
}

/// A parameter of every type.
#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Say {
    loud: bool,
    times: u8,
    range: f32,
    far: f64,
    whom: Entity,
    mood: Mood,
    #[serde(default = "three")]
    spare: u8,
    perhaps: Option<f32>,
    #[serde(rename = "words")]
    text: String,
}

impl ActionType<Stage> for Say {
    type State = ();

    fn update(&self, _: &mut (), stage: &mut Stage, _: &mut Agent) -> Result<Status, TaskError> {
        stage.said.push(self.clone());
        Ok(Status::Success)
    }
}

const SAY: &str = r#"
blackboard { key n type=int default=2; key x type=float default=1.5; key who type=entity default=7; key m type=enum default=very_angry { value calm very_angry; } }
leaves {
    action say {
        param words type=enum default=hello { value hello goodbye; }
        param mood type=enum { value calm very_angry; }
        param whom type=entity
        param range type=int
        param far type=float
        param times type=int
        param loud type=bool
        param unknown_to_code type=bool default=#true
        param perhaps type=float default=0.25
    }
}
"#;

#[test]
fn parameters_are_read_by_name_literal_or_computed() {
    let text = format!(
        "{SAY} tree t {{ sequence {{
            action say loud=#true times=200 range=4 far=0.5 whom=9 mood=calm
            action say loud=\"=n > 1\" times=\"=n * 100\" range=\"{{n}}\" far=\"{{x}}\" whom=\"{{who}}\" mood=\"{{m}}\" words=goodbye perhaps=\"=x\"
        }} }}"
    );
    let mut registry = Registry::new();
    registry.action_type::<Say>("say");
    let (mut population, bound) = bound(&registry, &text, 1);
    let mut stage = Stage::default();
    population.tick(&mut bound.host(&mut stage), DT);
    assert_eq!(population.faults().kept(), []);
    let literal = Say {
        loud: true,
        times: 200,
        range: 4.0,
        far: 0.5,
        whom: Entity(9),
        mood: Mood::Calm,
        spare: 3,
        perhaps: Some(0.25),
        text: "hello".to_owned(),
    };
    let computed = Say {
        range: 2.0,
        far: 1.5,
        whom: Entity(7),
        mood: Mood::VeryAngry,
        perhaps: Some(1.5),
        text: "goodbye".to_owned(),
        ..literal.clone()
    };
    assert_eq!(stage.said, [literal, computed]);
}

#[test]
fn what_a_parameter_cannot_be_is_a_fault_at_the_start_of_the_run() {
    let text = format!(
        "{SAY} tree t {{ action say loud=#true times=\"=n * 1000\" range=4 far=0.5 whom=9 mood=calm }}"
    );
    let mut registry = Registry::new();
    registry.action_type::<Say>("say");
    let (mut population, bound) = bound(&registry, &text, 1);
    let mut stage = Stage::default();
    let tally = population.tick(&mut bound.host(&mut stage), DT);
    assert_eq!((tally.failure, stage.said.len()), (1, 0));
    assert_eq!(
        population.faults().kept()[0].kind.to_string(),
        "parameter `times`: invalid value: integer `2000`, expected u8"
    );
}

#[test]
fn what_a_literal_cannot_be_is_said_when_the_registry_is_bound() {
    let text = format!(
        "{SAY} tree t {{ sequence name=talk {{
            action say loud=#true times=300 range=4 far=0.5 whom=9 mood=calm
            action say name=again loud=#true times=-1 range=4 far=0.5 whom=9 mood=calm
        }} }}"
    );
    let mut registry = Registry::<Stage>::new();
    registry.action_type::<Say>("say");
    let error = registry.bind(&behaviour(&text)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "talk > say: parameter `times`: invalid value: integer `300`, expected u8\n\
         talk > again: parameter `times`: invalid value: integer `-1`, expected u8"
    );
}

#[test]
fn what_a_type_takes_is_held_against_what_is_declared() {
    let text = "
        leaves { action say number=4 {
            param word type=enum { value hello; }
            param mood type=enum { value calm furious; }
            param whom type=entity
            param rang type=float
            param far type=float
            param times type=float
            param loud type=int
        } }
        tree t { succeed; }";
    let mut registry = Registry::<Stage>::new();
    registry.action_type::<Say>("say").number(5);
    let error = registry.bind(&behaviour(text)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "`say` has the number 4 in the behaviour, but is registered with 5\n\
         the parameter `loud` of `say` is `int`, but the code takes `bool`\n\
         the parameter `times` of `say` is `float`, but the code takes `int`\n\
         the code of `say` takes a parameter `range` of type float, which the behaviour does not declare; did you mean `rang`?\n\
         the parameter `mood` of `say` has values that are unknown to the code\n\
         the code of `say` takes a parameter `words` of type string, which the behaviour does not declare; did you mean `word`?"
    );
}

/// How often it has been read.
static READ: AtomicUsize = AtomicUsize::new(0);

struct Counted(i64);

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        READ.fetch_add(1, Relaxed);
        i64::deserialize(from).map(Counted)
    }
}

#[derive(Deserialize)]
struct Step {
    n: Counted,
}

impl ActionType<Stage> for Step {
    type State = ();

    fn update(&self, _: &mut (), stage: &mut Stage, _: &mut Agent) -> Result<Status, TaskError> {
        stage.sum += self.n.0;
        Ok(Status::Success)
    }
}

impl ConditionType<Stage> for Step {
    fn ask(&self, stage: &Stage, _: &Agent) -> Result<Status, TaskError> {
        Ok((stage.sum >= self.n.0).into())
    }
}

#[test]
fn literals_are_read_once_and_what_is_computed_for_each_run() {
    let mut registry = Registry::<Stage>::new();
    registry
        .action_type::<Step>("step")
        .condition_type::<Step>("enough");
    let text = |n: &str| {
        format!(
            "blackboard {{ key k type=int default=3; }}
             leaves {{ action step {{ param n type=int; }}; condition enough {{ param n type=int; }}; }}
             tree t {{ sequence {{ action step n={n}; condition enough n={n}; }} }}"
        )
    };
    for (n, per_tick) in [("3", 0), ("\"{k}\"", 2)] {
        let (mut population, bound) = bound(&registry, &text(n), 1);
        let before = READ.load(Relaxed);
        let mut stage = Stage::default();
        for _ in 0..10 {
            let tally = population.tick(&mut bound.host(&mut stage), DT);
            assert_eq!(tally.success, 1);
        }
        assert_eq!(stage.sum, 30);
        assert_eq!(READ.load(Relaxed) - before, 10 * per_tick);
    }
}

/// Runs as many ticks as its parameter says, with a state that counts them.
#[derive(Deserialize)]
struct Walk {
    ticks: i64,
}

impl ActionType<Stage> for Walk {
    type State = i64;

    fn update(&self, done: &mut i64, _: &mut Stage, _: &mut Agent) -> Result<Status, TaskError> {
        *done += 1;
        Ok(if *done == self.ticks {
            Status::Success
        } else {
            Status::Running
        })
    }

    fn stop(
        &self,
        done: &mut i64,
        stage: &mut Stage,
        me: &mut Agent,
        outcome: Outcome,
    ) -> Result<(), TaskError> {
        assert!(*done <= self.ticks);
        stage.ends.push((me.index(), outcome));
        Ok(())
    }
}

const WALK: &str = "
blackboard { key k type=int default=4; }
leaves { action walk { param ticks type=int; }; }
tree t { parallel { action walk ticks=2; action walk name=computed ticks=\"{k}\"; } }";

#[test]
fn every_node_and_agent_has_a_state_of_its_own() {
    let mut registry = Registry::new();
    registry.action_type::<Walk>("walk");
    for order in [Order::Independent, Order::Sequential] {
        registry.order(order);
        for agents in [1, 3, 200] {
            let (mut population, bound) = bound(&registry, WALK, agents);
            for agent in 0..agents {
                let ticks = Value::Int(2 + agent as i64 % 4);
                population
                    .set(agent, treemind::blackboard::KeyId::new(0), ticks)
                    .unwrap();
            }
            // The first runs take 2 and `k` ticks, so the whole takes the longer of the two.
            let mut stage = Stage::default();
            let mut over = [0; 6];
            for over in &mut over[1..] {
                *over = population.tick(&mut bound.host(&mut stage), DT).success;
            }
            if agents == 3 {
                assert_eq!(over, [0, 0, 1, 1, 2, 0]);
            }
            assert_eq!(population.faults().total(), 0);
        }
    }
}

#[test]
fn aborted_and_removed_agents_leave_no_state_behind() {
    let mut registry = Registry::new();
    registry.action_type::<Walk>("walk");
    let (mut population, bound) = bound(&registry, WALK, 3);
    let mut stage = Stage::default();
    population.tick(&mut bound.host(&mut stage), DT);
    population.abort(0, &mut bound.host(&mut stage));
    population.remove(1, &mut bound.host(&mut stage));
    assert_eq!(
        stage
            .ends
            .iter()
            .filter(|end| end.1 == Outcome::Aborted)
            .count(),
        4
    );
    assert_eq!(population.spawn().index(), 1);
    // If the old states were still there, the runs of agents 0 and 1 would end after one tick.
    let tally = population.tick(&mut bound.host(&mut stage), DT);
    assert_eq!((tally.running, stage.ends.len()), (3, 4 + 1));
    assert_eq!(population.faults().total(), 0);
}

#[test]
fn a_population_that_was_dropped_is_no_hindrance() {
    let mut registry = Registry::new();
    registry.action_type::<Walk>("walk");
    let (population, bound) = bound(&registry, WALK, 2);
    let mut stage = Stage::default();
    for _ in 0..3 {
        let mut population = population.clone();
        let running = population.tick(&mut bound.host(&mut stage), DT).running;
        assert_eq!((running, population.faults().total()), (2, 0));
    }
    assert_eq!(stage.ends, []);
}

#[test]
fn a_run_that_began_elsewhere_fails_with_a_reason() {
    let mut registry = Registry::new();
    registry.action_type::<Walk>("walk");
    let (mut population, first) = bound(&registry, WALK, 1);
    let second = registry.bind(population.program().behaviour()).unwrap();
    let mut stage = Stage::default();
    population.tick(&mut first.host(&mut stage), DT);
    let tally = population.tick(&mut second.host(&mut stage), DT);
    assert_eq!((tally.failure, stage.ends.len()), (1, 0));
    assert_eq!(
        population.faults().kept()[0].kind.to_string(),
        "this run was started by another host, so its state is not available"
    );
}

#[derive(Deserialize)]
struct Picky {
    #[serde(rename = "even")]
    _even: Even,
}

#[derive(Deserialize)]
#[serde(try_from = "i64")]
struct Even;

impl TryFrom<i64> for Even {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number % 2 == 0 {
            Ok(Even)
        } else {
            Err(format!("{number} is odd"))
        }
    }
}

impl ConditionType<()> for Picky {
    fn ask(&self, (): &(), _: &Agent) -> Result<Status, TaskError> {
        Ok(Status::Success)
    }
}

/// Closures, and types with their own way of reading, reveal no parameters beyond those declared for them.
#[test]
fn a_type_that_refuses_made_up_values_still_works() {
    let mut registry = Registry::<()>::new();
    registry.condition_type::<Picky>("even");
    assert_eq!(registry.manifest().leaves[0].params, []);
    let text = "leaves { condition even { param even type=int; }; }
        tree t { condition even even=";
    registry.check(&behaviour(&format!("{text}4; }}"))).unwrap();
    let error = registry
        .check(&behaviour(&format!("{text}5; }}")))
        .unwrap_err();
    assert_eq!(error.to_string(), "even: parameter `even`: 5 is odd");
}

#[test]
fn a_manifest_of_types_and_closures_is_read_by_documents_and_fits_the_registry() {
    let mut registry = Registry::<Stage>::new();
    registry
        .action_type::<Say>("say")
        .number(3)
        .doc("says something")
        .param("times", 1, "how often")
        .param("far", 0.5_f32, "")
        .choice("words", &["hello", "bye"], Some("hello"), "what")
        .condition("near", |_, me| me.arg::<f32>("range") > 1.0)
        .required::<f32>("range", "metres")
        .action("wave", |_, _| Status::Success)
        .instant();
    let manifest = registry.manifest();
    let text = manifest.to_kdl();
    assert_eq!(
        text,
        "leaves {
    action say number=3 doc=\"says something\" {
        param loud type=bool
        param times type=int default=1 doc=\"how often\"
        param range type=float
        param far type=double default=0.5
        param whom type=entity
        param mood type=enum { value calm very_angry; }
        param spare type=int
        param perhaps type=float
        param words type=enum default=hello doc=what { value hello bye; }
    }
    condition near {
        param range type=float doc=metres
    }
    action wave instant=#true
}
"
        .replace("doc=what", "doc=\"what\"")
        .replace("doc=metres", "doc=\"metres\"")
    );
    let document = Document::parse(&format!("{text} tree t {{ action wave; }}"), "leaves.kdl");
    assert_eq!(document.diagnostics(), []);
    assert_eq!(document.manifest(), manifest);
    registry.check(&document.behaviour(None).unwrap()).unwrap();
    let empty: Manifest = Registry::<()>::new().manifest();
    assert_eq!(empty, Manifest::default());
}

#[test]
fn what_makes_no_sense_in_a_registry_is_said_when_it_is_bound() {
    let mut registry = Registry::<Stage>::new();
    registry
        .number(3)
        .action("wave", |_, _| Status::Success)
        .number(3)
        .choice("how", &["slowly"], Some("fast"), "")
        .action_type::<Say>("say")
        .number(3)
        .param("times", 1.5_f32, "");
    let error = registry
        .bind(&behaviour("tree t { succeed; }"))
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "`number` was called before any leaf was registered\n\
         `wave` as it is registered: `fast` is not one of the values of `how`\n\
         `say` as it is registered: the parameter `times` is described as `float`, but the code takes `int`\n\
         `wave` and `say` are both registered with the number 3"
    );
}

#[test]
fn closures_may_read_their_arguments_as_a_type() {
    #[derive(Deserialize)]
    struct Two {
        a: i64,
        b: i64,
    }
    let mut registry = Registry::<Stage>::new();
    registry.action("add", |stage, me| {
        let two: Two = me.args()?;
        stage.sum += two.a + two.b;
        Ok::<_, TaskError>(Status::Success)
    });
    let text = "leaves { action add { param a type=int; param b type=int; }; }
        tree t { action add a=1 b=2; }";
    let (mut population, bound) = bound(&registry, text, 1);
    let mut stage = Stage::default();
    population.tick(&mut bound.host(&mut stage), DT);
    assert_eq!(stage.sum, 3);
}

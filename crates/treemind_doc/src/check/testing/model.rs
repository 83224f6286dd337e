//! The parts of a test.

use super::super::DefinitionKind;
use crate::expression::Question;
use crate::source::Source;
use std::ops::Range;
use std::sync::Arc;
use treemind_core::behaviour::{Enum, Key, Scope};
use treemind_core::{Behaviour, Expr, Kind, Outcome, Parts, Status, Value, behaviour};

/// A test that a document contains.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name; in the cases of a table, `{COLUMN}` stands for the value of a column.
    pub name: String,
    /// The file that contains it.
    pub source: Arc<Source>,
    /// The bytes of its name there. All other spans are in the same file.
    pub span: Range<usize>,
    /// What it runs.
    pub subject: Subject,
    /// The time from tick to tick in seconds, at least 0.
    pub dt: f64,
    /// The seed of the agent's random numbers.
    pub seed: u64,
    /// When a step of a planner succeeds, what it gives is written.
    pub as_planned: bool,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// What must hold in the whole test.
    pub rules: Vec<Rule>,
    /// The rows of its table; without a table the test runs once.
    pub cases: Option<Vec<Case>>,
    /// The tries in which the game behaves at random.
    pub random: Option<Random>,
    /// What its conditions ask about nodes and states.
    pub questions: Vec<(Question, String)>,
    /// What its conditions may read: the keys of the document and of the definition, and the answers to the questions.
    pub(super) keys: Vec<Key>,
    pub(super) enums: Vec<Enum>,
}

/// What a test runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// A tree.
    Tree(String),
    /// A state machine.
    Machine(String),
    /// A decision tree.
    Decision(String),
    /// A planner.
    Planner(String),
    /// An archetype, with its starting values.
    Archetype(String),
}

/// Something that happens in a test.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it is written.
    pub span: Range<usize>,
    /// What happens.
    pub action: Action,
}

/// What happens in a step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Action {
    /// From now on, conditions and actions with these names give these answers, one per call.
    Answer(Vec<String>, Vec<Status>),
    /// The same, but the answers begin anew with each run, the last one depends on keys, or answers write keys.
    AnswerBy(Vec<String>, Vec<Status>, Arc<ByKeys>),
    /// From now on, leaves with these names list these candidates, or measure these numbers: one for each candidate.
    Found(Vec<String>, Vec<Value>),
    /// Keys get values, or lose them. A sensor computes its value from now on.
    Given(Vec<(String, Option<Value>)>),
    /// A list gets these items.
    Items(String, Vec<Value>),
    /// The game sends an event, with the values of its parameters.
    Send(String, Vec<Value>),
    /// The game reports that an action ended, and whether it succeeded.
    Report(String, bool),
    /// Some ticks pass, with this time between them or that of the test.
    Tick(u64, Option<f64>),
    /// The game aborts the agent.
    Abort,
    /// Something is expected.
    Expect(Box<Expectation>),
}

/// How leaves answer by the values of keys, and what they write. Each part is a behaviour of one node with the keys that
/// a test knows, under their names in behaviours: it is carried out beside the agent, on copies.
#[derive(Clone, Debug, Default)]
pub struct ByKeys {
    /// The list of answers begins anew with each run.
    pub each_run: bool,
    /// Answers that take the place of the last one: each counts if its node answers success. The first one does.
    pub conditions: Vec<(Status, Arc<Behaviour>)>,
    /// What is carried out after these answers, in order.
    pub statements: Vec<(&'static [Status], Arc<Behaviour>)>,
}

impl ByKeys {
    pub(super) fn is_empty(&self) -> bool {
        !self.each_run && self.conditions.is_empty() && self.statements.is_empty()
    }
}

/// What is expected after the ticks of the last [`Action::Tick`].
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// The answer of the root in the last tick.
    pub status: Option<Status>,
    /// Nodes and states that are running.
    pub active: Vec<String>,
    /// Nodes and states that are not running.
    pub inactive: Vec<String>,
    /// Nodes that were ticked.
    pub ran: Vec<String>,
    /// Actions that started.
    pub started: Vec<String>,
    /// Actions that stopped.
    pub stopped: Vec<String>,
    /// How they stopped.
    pub outcome: Option<Outcome>,
    /// The actions that were ticked in the last tick: exactly these.
    pub chosen: Vec<String>,
    /// Rules that fired.
    pub fired: Vec<String>,
    /// Events that were emitted.
    pub emitted: Vec<String>,
    /// What holds now.
    pub that: Option<Condition>,
    /// The steps of a plan that is followed, from the one in progress on: exactly these.
    pub plan: Option<Vec<String>>,
    /// The goal that is pursued.
    pub goal: Option<String>,
    /// What the plan cost when it was made.
    pub plan_cost: Option<f64>,
    /// Goals for which no plan was found when they were looked at last.
    pub no_plan: Vec<String>,
    /// A fault happened.
    pub fault: bool,
}

/// An expression that is asked between ticks.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Where it is written.
    pub span: Range<usize>,
    /// As it is written.
    pub text: String,
    pub(super) expr: Expr,
}

/// What must hold in a whole test.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Where it is written.
    pub span: Range<usize>,
    /// What must hold.
    pub kind: RuleKind,
}

/// The kinds of rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RuleKind {
    /// It holds after every tick.
    Always(Condition),
    /// It holds after one of this many first ticks.
    Eventually(Condition, u64),
    /// None of these nodes is ticked, and none of these states is entered.
    Never(Vec<String>),
}

/// A row of a table of cases.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it is written.
    pub span: Range<usize>,
    /// The columns with their values, as they are written.
    pub cells: Vec<(String, String)>,
    /// What it sets.
    pub steps: Vec<Step>,
    /// The name in its column `expect`.
    pub expected: Option<String>,
}

/// Tries in which the game behaves at random.
#[derive(Clone, Debug)]
pub struct Random {
    /// Where it is written.
    pub span: Range<usize>,
    /// How many tries there are.
    pub runs: u64,
    /// How many ticks each try has.
    pub ticks: u64,
    /// The seed of the game's behaviour.
    pub seed: u64,
    /// What the game does.
    pub choices: Vec<Choice>,
}

/// Something that the game does at random.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Choice {
    /// Each of these leaves gives one of these answers in each tick.
    Answer(Vec<String>, Vec<Status>),
    /// A key gets a value, with this probability in each tick.
    Key(String, Values, f64),
    /// A list gets at most so many items, with this probability in each tick.
    Items(String, Values, u32, f64),
    /// An event is sent, with this probability in each tick.
    Send(String, Vec<Value>, f64),
}

/// The values among which one is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// One of these.
    Of(Vec<Value>),
    /// Whole numbers, both ends included.
    Int(i64, i64),
    /// Handles, both ends included.
    Entity(u64, u64),
    /// Numbers of type `float`.
    Float(f32, f32),
    /// Numbers of type `double`.
    Double(f64, f64),
    /// Vectors with each part between those of both.
    Vec2([f32; 2], [f32; 2]),
    /// The same with three parts.
    Vec3([f32; 3], [f32; 3]),
}

impl Test {
    /// The name of the key that holds the answer to a question, in the behaviour of a [condition](Self::condition).
    pub fn key_of(question: Question, name: &str) -> String {
        format!("{question:?}({name})")
    }

    /// A behaviour that answers success if the condition holds. It has the keys of the document and of what the test
    /// runs, under their names in behaviours, and a key for each question.
    ///
    /// # Errors
    /// When the condition asks something that cannot be asked from outside an agent.
    pub fn condition(&self, condition: &Condition) -> Result<Behaviour, String> {
        let kind = Kind::Check {
            expr: condition.expr.clone(),
        };
        aside(&self.name, &self.keys, &self.enums, kind)
    }
}

/// A behaviour of one node with the keys that a test knows, which nobody else writes.
pub(super) fn aside(
    name: &str,
    keys: &[Key],
    enums: &[Enum],
    kind: Kind,
) -> Result<Behaviour, String> {
    let keys = keys.iter().cloned().map(|key| Key {
        scope: Scope::Agent,
        merge: behaviour::Merge::Last,
        sensed: None,
        mates: false,
        ..key
    });
    Behaviour::new(Parts {
        name: name.to_owned(),
        enums: enums.to_vec(),
        keys: keys.collect(),
        leaves: Vec::new(),
        semaphores: Vec::new(),
        labels: Vec::new(),
        root: behaviour::Node::leaf(kind),
    })
    .map_err(|error| error.to_string())
}

impl Subject {
    pub(crate) fn new(what: DefinitionKind, name: String) -> Self {
        match what {
            DefinitionKind::Tree => Subject::Tree(name),
            DefinitionKind::Machine => Subject::Machine(name),
            DefinitionKind::Decision => Subject::Decision(name),
            DefinitionKind::Planner => Subject::Planner(name),
        }
    }

    /// The name of the definition or archetype.
    pub fn name(&self) -> &str {
        match self {
            Subject::Tree(name)
            | Subject::Machine(name)
            | Subject::Decision(name)
            | Subject::Planner(name)
            | Subject::Archetype(name) => name,
        }
    }
}

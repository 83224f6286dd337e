//! How good a decision tree is that a document has already, so that it can be compared with one that is learned anew.

use crate::document::Names;
use crate::examples::Examples;
use crate::table::Cells;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use treemind_core::behaviour::{DecisionStep, Enum, Form, Key, Kind, Leaf, Node, Parts, Scope};
use treemind_core::host::Scripted;
use treemind_core::{
    Behaviour, Event, Expr, KeyId, NodeId, Population, Program, Status, Text, Trace, Type, Value,
};
use treemind_doc::{Document, Said, said};

/// Why nobody can tell from a table how good a decision tree of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotJudged {
    /// The document has errors.
    Errors,
    /// The document has no such decision tree, or one that leads to states and not to tasks.
    NoTasks(String),
    /// A test asks the game, draws by chance, or depends on what was before.
    Beyond(String),
    /// A test needs a key that is none of the columns.
    NoColumn(String),
    /// A key cannot have a value that its column has in one of the rows.
    Value(String, String),
    /// A key that always has a value has none in one of the rows.
    Missing(String),
    /// A task has several of the actions that are to be predicted.
    Several(Vec<String>),
}

impl NotJudged {
    /// Why, as a sentence that can be said in other languages, too.
    pub fn said(&self) -> Said {
        match self {
            NotJudged::Errors => said!("the document has errors"),
            NotJudged::NoTasks(name) => {
                said!("`{}` is no decision tree that leads to tasks", name)
            }
            NotJudged::Beyond(test) => {
                said!("`{}` depends on more than the values of keys", test)
            }
            NotJudged::NoColumn(key) => {
                said!(
                    "it needs the key `{}`, and the table has no such column that tests can use",
                    key
                )
            }
            NotJudged::Value(key, value) => {
                said!("the key `{}` cannot be `{}`, as in the table", key, value)
            }
            NotJudged::Missing(key) => {
                said!("the key `{}` always has a value, but not in the table", key)
            }
            NotJudged::Several(names) => said!(
                "one of its tasks has several of these actions: {}",
                names.join(", ")
            ),
        }
    }
}

impl fmt::Display for NotJudged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(out)
    }
}

impl std::error::Error for NotJudged {}

/// How many of these rows a decision tree of a document gets right: where its tests lead, by the values in the row, to a
/// task with the action that [`document`](crate::document()) would write for the class of the row. Rows in which it leads
/// to something else, or to nothing, are wrong.
///
/// # Errors
/// When its tests need more than the table has.
///
/// ```
/// use treemind_doc::Document;
/// use treemind_learn::{Examples, Table, right_rows};
///
/// let table = Table::read(b"far,does\n1,strike\n2,rest\n9,rest\n")?;
/// let examples = Examples::of(table, "does", &[])?;
/// let text = "
///     blackboard { key far type=int default=0; }
///     leaves { action strike; action rest; }
///     decide watch { test \"far < 5\" { action strike; }; action rest; }";
/// let document = Document::parse(text, "watch.kdl");
/// assert_eq!(right_rows(&document, "watch", &examples, &[0, 1, 2]), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn right_rows(
    document: &Document,
    name: &str,
    examples: &Examples,
    rows: &[usize],
) -> Result<u32, NotJudged> {
    if !document.can_run() {
        return Err(NotJudged::Errors);
    }
    let no_tasks = || NotJudged::NoTasks(name.to_owned());
    let whole = document.decision(name).map_err(|_| no_tasks())?;
    let names = Names::of(examples);
    let keys = asked_keys(&whole).ok_or_else(no_tasks)??;
    let classes = classes(&whole, examples, &names)?;
    let (alone, tasks) = alone(&whole).ok_or_else(no_tasks)?;
    let mut host = Scripted::idle(&alone, rows.len());
    let program = Arc::new(Program::new(alone));
    let mut population = Population::new(Arc::clone(&program), rows.len());
    for id in keys {
        let key = program.behaviour().key(id);
        let column = column_of(key, examples, &names);
        let column = column.ok_or_else(|| NotJudged::NoColumn(key.name.clone()))?;
        for (agent, &row) in rows.iter().enumerate() {
            let enums = program.behaviour().enums();
            match value((key, enums), examples, &names, (column, row))? {
                // It has the type of the key, so this cannot fail.
                Some(value) => drop(population.set(agent, id, value)),
                None if key.form == Form::One => {
                    return Err(NotJudged::Missing(key.name.clone()));
                }
                None => {
                    population.board(agent).unset(id, agent);
                }
            }
        }
    }
    let mut trace = Trace::new();
    population.tick_traced(&mut host, Duration::ZERO, &mut trace);
    let mut right = 0;
    for record in trace.records() {
        let task = tasks.iter().position(|task| *task == record.node);
        let (Event::Tick(Status::Running), Some(task)) = (record.event, task) else {
            continue;
        };
        let agents = (0..64).filter(|bit| record.mask >> bit & 1 == 1);
        let agents = agents.map(|bit| record.word as usize * 64 + bit);
        let is_right = |agent: &usize| classes[task] == Some(examples.class_of[rows[*agent]]);
        right += agents.filter(is_right).count() as u32;
    }
    Ok(right)
}

/// The keys that the tests of a decision tree need; `None` if this is not a decision tree.
fn asked_keys(whole: &Behaviour) -> Option<Result<BTreeSet<KeyId>, NotJudged>> {
    let Kind::Decide(decision) = &whole.node(whole.root()).kind else {
        return None;
    };
    let mut keys = BTreeSet::new();
    for (nth, step) in decision.steps.iter().enumerate() {
        let exprs = step.exprs();
        let is_known = matches!(
            step,
            DecisionStep::Test { .. } | DecisionStep::Switch { .. }
        );
        if !is_known || !exprs.iter().all(|expr| is_of_keys(expr)) {
            let test = decision.tests.get(nth).map(|name| name.test.clone());
            return Some(Err(NotJudged::Beyond(test.unwrap_or_default())));
        }
        for expr in exprs {
            expr.for_each_key(&mut |key| {
                keys.insert(key);
            });
        }
    }
    Some(Ok(keys))
}

/// Whether an expression depends on nothing but the values that keys have now.
fn is_of_keys(expr: &Expr) -> bool {
    let is_beyond = matches!(
        expr,
        Expr::Active(_)
            | Expr::Free(_)
            | Expr::Me
            | Expr::Members
            | Expr::Now
            | Expr::Age(_)
            | Expr::SinceWritten(_)
            | Expr::Alive(_)
            | Expr::Random(..)
    );
    !is_beyond && expr.parts().all(is_of_keys)
}

/// For each task the class that it stands for: that of the action in it.
fn classes(
    whole: &Behaviour,
    examples: &Examples,
    names: &Names,
) -> Result<Vec<Option<usize>>, NotJudged> {
    let class_of = |leaf: &Leaf| {
        let as_it_is = examples.classes.iter().position(|name| *name == leaf.name);
        as_it_is.or_else(|| names.tasks.iter().position(|name| *name == leaf.name))
    };
    let tasks = whole.node(whole.root()).children.iter();
    let of_task = |task: &NodeId| {
        let (mut found, mut pending) = (BTreeSet::new(), vec![*task]);
        while let Some(id) = pending.pop() {
            let node = whole.node(id);
            if let Kind::Action { leaf, .. } = node.kind {
                found.extend(class_of(whole.leaf(leaf)));
            }
            pending.extend(&node.children);
        }
        let mut all = found.iter();
        match (all.next(), all.next()) {
            (only, None) => Ok(only.copied()),
            _ => {
                let names = found.iter().map(|class| names.tasks[*class].clone());
                Err(NotJudged::Several(names.collect()))
            }
        }
    };
    tasks.map(of_task).collect()
}

/// The tests of a decision tree, with tasks that run for ever and do nothing; and these tasks.
fn alone(whole: &Behaviour) -> Option<(Behaviour, Vec<NodeId>)> {
    let root = whole.node(whole.root());
    let stand_ins = root.children.iter().map(|_| Node::leaf(Kind::Run));
    let keys = whole.keys().iter().cloned().map(|key| Key {
        sensed: None,
        scope: Scope::Agent,
        ..key
    });
    let behaviour = Behaviour::new(Parts {
        name: whole.name().to_owned(),
        enums: whole.enums().to_vec(),
        keys: keys.collect(),
        leaves: whole.leaves().to_vec(),
        semaphores: whole.semaphores().to_vec(),
        labels: Vec::new(),
        root: Node::with(root.kind.clone(), stand_ins.collect()),
    });
    let behaviour = behaviour.ok()?;
    let tasks = behaviour.node(behaviour.root()).children.clone();
    Some((behaviour, tasks))
}

/// The column that has the values of a key.
fn column_of(key: &Key, examples: &Examples, names: &Names) -> Option<usize> {
    if key.form.is_list() || key.heard.is_some() {
        return None;
    }
    let mut columns = examples.columns.iter();
    let as_it_is = columns.position(|column| column.name == key.name);
    as_it_is.or_else(|| names.keys.iter().position(|name| *name == key.name))
}

/// What a key has in a row; `None` if the value is missing.
fn value(
    (key, enums): (&Key, &[Enum]),
    examples: &Examples,
    names: &Names,
    (column, row): (usize, usize),
) -> Result<Option<Value>, NotJudged> {
    let cells = &examples.columns[column].cells;
    if cells.is_missing(row) {
        return Ok(None);
    }
    let (found, text) = match (cells, key.ty) {
        (Cells::Bool(cells), ty) => {
            let value = cells[row];
            let found = value.filter(|_| ty == Type::Bool).map(Value::Bool);
            (found, value.map(|value| value.to_string()))
        }
        (Cells::Int(cells), ty) => {
            let value = cells[row];
            let is_number = matches!(ty, Type::Int | Type::Float | Type::Double);
            let found = value.filter(|_| is_number).map(Value::Int);
            (found, value.map(|value| value.to_string()))
        }
        (Cells::Double(cells), ty) => {
            let value = cells[row];
            let found = match ty {
                Type::Float => value.map(|value| Value::Float(value as f32)),
                Type::Double => value.map(Value::Double),
                _ => None,
            };
            (found, value.map(|value| value.to_string()))
        }
        (Cells::Category { values, cells }, ty) => {
            let nth = cells[row].map(|cell| cell as usize);
            let text = nth.map(|nth| values[nth].clone());
            let found = match ty {
                Type::Enum(list) => nth.and_then(|nth| {
                    let known = &enums.get(list.index())?.values;
                    let mut spelled = [&values[nth], &names.values[column][nth]].into_iter();
                    let place =
                        spelled.find_map(|name| known.iter().position(|value| value == name))?;
                    Some(Value::Enum(list, place as u32))
                }),
                Type::Text => text.as_deref().map(|text| Value::Text(Text::new(text))),
                _ => None,
            };
            (found, text)
        }
    };
    match found {
        Some(value) => Ok(Some(value)),
        None => Err(NotJudged::Value(key.name.clone(), text.unwrap_or_default())),
    }
}

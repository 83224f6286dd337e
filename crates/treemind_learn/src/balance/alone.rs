//! A decision tree without the content of its tasks, so that a test can see what it decides.

use super::question::{Asks, Questions};
use super::{Balanced, NotBalanced, Subject};
use treemind_core::behaviour::{DecisionStep, Leaf, LeafKind, Node, Parts, Scope, TestName};
use treemind_core::{Behaviour, Kind, LeafId, NodeId};
use treemind_doc::Document;
use treemind_doc::internals::Layout;

/// A decision tree whose tasks run for ever and do nothing. Each question to the host is a condition without
/// parameters; no key is shared or sensed. The task that runs shows what it decides.
#[derive(Clone, Debug)]
pub struct Alone {
    /// The decision tree as a behaviour.
    pub behaviour: Behaviour,
    /// The stand-ins for its tasks. They are in the same order for both forms of a decision tree.
    pub tasks: Vec<NodeId>,
}

impl Alone {
    /// The names of its tests.
    pub fn tests(&self) -> &[TestName] {
        match &self.behaviour.node(self.behaviour.root()).kind {
            Kind::Decide(decision) => &decision.tests,
            _ => &[],
        }
    }
}

/// A decision tree of a document in its original form, and in its form in `after`, so that both can be asked with
/// the same facts: they have the same keys and conditions, in the same order.
///
/// # Errors
/// When there is no such decision tree, or the two do not fit together.
pub fn decisions_alone(
    document: &Document,
    after: &Document,
    name: &str,
    balanced: &Balanced,
) -> Result<[Alone; 2], NotBalanced> {
    let (old, new) = (Subject::of(document, name)?, Subject::of(after, name)?);
    let questions = Questions::new(old.layout, old.declared());
    let questions = questions.ok_or(NotBalanced::TooLarge)?;
    let before = old.alone(&questions)?;
    let mut after = new.alone(&questions)?;
    let places = old.leaves();
    let mut tasks = before.tasks.clone();
    for (task, leaf) in after.tasks.iter().zip(&balanced.leaves) {
        let place = places.iter().position(|place| place == leaf);
        let slot = place.and_then(|place| tasks.get_mut(place));
        *slot.ok_or_else(|| NotBalanced::Defect("a task is not there".to_owned()))? = *task;
    }
    after.tasks = tasks;
    Ok([before, after])
}

/// A decision tree of a document alone: its tasks run for ever and do nothing.
///
/// # Errors
/// When there is no such decision tree.
pub fn decision_alone(document: &Document, name: &str) -> Result<Alone, NotBalanced> {
    let subject = Subject::of(document, name)?;
    let questions = Questions::new(subject.layout, subject.declared());
    subject.alone(&questions.ok_or(NotBalanced::TooLarge)?)
}

impl Subject<'_> {
    fn alone(&self, questions: &Questions<'_>) -> Result<Alone, NotBalanced> {
        let layout = self.layout;
        let hosts = questions.all.iter();
        let hosts: Vec<&Asks<'_>> = hosts
            .map(|question| &question.asks)
            .filter(|asks| matches!(asks, Asks::Host(_)))
            .collect();
        let leaves =
            (0..hosts.len()).map(|number| Leaf::new(format!("asks-{number}"), LeafKind::Condition));
        let keys = self.keys.iter().cloned().map(|mut key| {
            (key.sensed, key.scope) = (None, Scope::Agent);
            key
        });
        let children = children(layout, &hosts)?;
        let behaviour = Behaviour::new(Parts {
            name: self.tree.name().to_owned(),
            enums: self.enums.to_vec(),
            keys: keys.collect(),
            leaves: leaves.collect(),
            semaphores: self.semaphores.to_vec(),
            labels: Vec::new(),
            root: Node::with(Kind::Decide(Box::new(layout.decision.clone())), children),
        });
        let behaviour = behaviour.map_err(|error| NotBalanced::Defect(error.to_string()))?;
        let all = &behaviour.node(behaviour.root()).children;
        let tasks = self.leaves().into_iter().map(|leaf| all[leaf]).collect();
        Ok(Alone { behaviour, tasks })
    }
}

fn children(layout: &Layout, hosts: &[&Asks<'_>]) -> Result<Vec<Node>, NotBalanced> {
    let mut children: Vec<Node> = layout
        .children
        .iter()
        .map(|_| Node::leaf(Kind::Run))
        .collect();
    for step in &layout.decision.steps {
        if let DecisionStep::Ask { child, .. } = step {
            let asks = Asks::Host(&layout.children[*child]);
            let leaf = hosts.iter().position(|host| host.is_same(&asks));
            let leaf =
                leaf.ok_or_else(|| NotBalanced::Defect("it asks something else".to_owned()))?;
            children[*child] = Node::leaf(Kind::Condition {
                leaf: LeafId::new(leaf),
                args: Vec::new(),
                negated: false,
            });
        }
    }
    Ok(children)
}

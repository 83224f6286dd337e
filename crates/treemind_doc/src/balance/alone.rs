//! A decision tree without what it leads to, so that it can be asked what it decides.

use super::question::{Asks, Questions};
use super::{Balanced, NotBalanced, Subject};
use crate::check::Layout;
use crate::document::Document;
use treemind_core::behaviour::{DecisionStep, Leaf, LeafKind, Node, Parts, Scope, TestName};
use treemind_core::{Behaviour, Kind, LeafId, NodeId};

/// A decision tree whose tasks do nothing, for ever, and whose questions to the host are as many conditions, without
/// parameters; no key is shared or sensed. What it decides can be seen from what runs.
#[derive(Clone, Debug)]
pub struct Alone {
    /// The decision tree as a behaviour.
    pub behaviour: Behaviour,
    /// What stands for its tasks. Of the two forms of a decision tree they are in the same order.
    pub tasks: Vec<NodeId>,
}

impl Alone {
    /// What its tests are called.
    pub fn tests(&self) -> &[TestName] {
        match &self.behaviour.node(self.behaviour.root()).kind {
            Kind::Decide(decision) => &decision.tests,
            _ => &[],
        }
    }
}

impl Document {
    /// A decision tree as it was, and as it is in `after`, to be asked with the same facts: their keys and conditions are
    /// the same, in the same order.
    ///
    /// # Errors
    /// When there is no such decision tree, or the two do not fit together.
    pub fn decisions_alone(
        &self,
        after: &Document,
        name: &str,
        balanced: &Balanced,
    ) -> Result<[Alone; 2], NotBalanced> {
        let (old, new) = (self.subject(name)?, after.subject(name)?);
        let questions = Questions::new(old.layout, old.declared(self));
        let questions = questions.ok_or(NotBalanced::TooLarge)?;
        let before = self.alone(name, &old, &questions)?;
        let mut after = after.alone(name, &new, &questions)?;
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

    /// A decision tree by itself: its tasks do nothing, for ever.
    ///
    /// # Errors
    /// When there is no such decision tree.
    pub fn decision_alone(&self, name: &str) -> Result<Alone, NotBalanced> {
        let subject = self.subject(name)?;
        let questions = Questions::new(subject.layout, subject.declared(self));
        self.alone(name, &subject, &questions.ok_or(NotBalanced::TooLarge)?)
    }

    fn alone(
        &self,
        name: &str,
        subject: &Subject<'_>,
        questions: &Questions<'_>,
    ) -> Result<Alone, NotBalanced> {
        let layout = subject.layout;
        let hosts = questions.all.iter();
        let hosts: Vec<&Asks<'_>> = hosts
            .map(|question| &question.asks)
            .filter(|asks| matches!(asks, Asks::Host(_)))
            .collect();
        let leaves =
            (0..hosts.len()).map(|number| Leaf::new(format!("asks-{number}"), LeafKind::Condition));
        let keys = subject.keys.iter().cloned().map(|mut key| {
            (key.sensed, key.scope) = (None, Scope::Agent);
            key
        });
        let children = children(layout, &hosts)?;
        let behaviour = Behaviour::new(Parts {
            name: name.to_owned(),
            enums: self.checked.enums.clone(),
            keys: keys.collect(),
            leaves: leaves.collect(),
            semaphores: layout.found.semaphores.clone(),
            labels: Vec::new(),
            root: Node::with(Kind::Decide(Box::new(layout.decision.clone())), children),
        });
        let behaviour = behaviour.map_err(|error| NotBalanced::Defect(error.to_string()))?;
        let all = &behaviour.node(behaviour.root()).children;
        let tasks = subject.leaves().into_iter().map(|leaf| all[leaf]).collect();
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

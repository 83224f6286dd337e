//! What a decision tree decides, independent of the order of its tests: a diagram that holds every function once.
//!
//! Reduced ordered decision diagrams (Bryant, 1986), with several ways per question. They are ordered by the
//! numbers of the questions; this order has nothing to do with the order that the search looks for.

use std::collections::HashMap;

/// A function, by its number.
pub(super) type Func = usize;

/// Larger diagrams are not built.
const MOST_NODES: usize = 50_000;

/// Where tests lead in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    /// A task, by its position among the children.
    Leaf(usize),
    /// A `random`, by the position of its test: everything after it is a separate decision.
    Random(usize),
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    End(End),
    Ask(usize, Vec<Func>),
}

/// Functions from answers to ends.
#[derive(Default)]
pub(super) struct Diagram {
    nodes: Vec<Node>,
    /// The questions that each function depends on.
    supports: Vec<u128>,
    known: HashMap<Node, Func>,
    restricted: HashMap<(Func, usize, usize), Func>,
    cases: HashMap<(usize, Vec<Func>), Func>,
}

impl Diagram {
    /// Whether there are too many functions to continue.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() > MOST_NODES
    }

    pub(super) fn end(&mut self, end: End) -> Func {
        self.node(Node::End(end))
    }

    /// The end that a function always leads to, if there is one.
    pub(super) fn always(&self, func: Func) -> Option<End> {
        match self.nodes[func] {
            Node::End(end) => Some(end),
            Node::Ask(..) => None,
        }
    }

    /// The questions that a function depends on, as bits.
    pub(super) fn support(&self, func: Func) -> u128 {
        self.supports[func]
    }

    /// The function that chooses one of these functions by the answer to a question.
    pub(super) fn by_answer(&mut self, question: usize, ways: Vec<Func>) -> Func {
        let ways = ways.into_iter().enumerate();
        let ways: Vec<Func> = ways
            .map(|(way, func)| self.restrict(func, question, way))
            .collect();
        if ways.iter().all(|way| *way == ways[0]) || self.is_full() {
            return ways[0];
        }
        let key = (question, ways.clone());
        if let Some(known) = self.cases.get(&key) {
            return *known;
        }
        let all = ways.iter().fold(0, |all, way| all | self.supports[*way]);
        let top = all.trailing_zeros() as usize;
        let func = if question < top {
            self.node(Node::Ask(question, ways))
        } else {
            let first = ways.iter().find_map(|way| match &self.nodes[*way] {
                Node::Ask(asked, ways) if *asked == top => Some(ways.len()),
                _ => None,
            });
            let inner = (0..first.unwrap_or(0)).map(|answer| {
                let ways = ways.iter().map(|way| self.restrict(*way, top, answer));
                let ways = ways.collect();
                self.by_answer(question, ways)
            });
            let inner = inner.collect();
            self.node(Node::Ask(top, inner))
        };
        self.cases.insert(key, func);
        func
    }

    /// The function with a question already answered.
    pub(super) fn restrict(&mut self, func: Func, question: usize, way: usize) -> Func {
        if self.supports[func] >> question & 1 == 0 {
            return func;
        }
        let key = (func, question, way);
        if let Some(known) = self.restricted.get(&key) {
            return *known;
        }
        let Node::Ask(asked, ways) = self.nodes[func].clone() else {
            return func;
        };
        let restricted = if asked == question {
            ways[way]
        } else {
            let ways = ways.into_iter();
            let ways = ways.map(|inner| self.restrict(inner, question, way));
            let ways = ways.collect();
            self.node(Node::Ask(asked, ways))
        };
        self.restricted.insert(key, restricted);
        restricted
    }

    fn node(&mut self, node: Node) -> Func {
        if let Node::Ask(_, ways) = &node
            && ways.iter().all(|way| *way == ways[0])
        {
            return ways[0];
        }
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let support = match &node {
            Node::End(_) => 0,
            Node::Ask(question, ways) => {
                let below = ways.iter().fold(0, |all, way| all | self.supports[*way]);
                below | 1 << question
            }
        };
        self.nodes.push(node.clone());
        self.supports.push(support);
        self.known.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }
}

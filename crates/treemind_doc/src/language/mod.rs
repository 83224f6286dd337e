//! The language, defined in one place: every word, where it is allowed, its line and its block.
//!
//! Checks read nodes with it, and outlines show them with it. The JSON Schema, the printer, the editor, rename and
//! trees in code ask it what a property takes. To add a word, add a row here.
//!
//! A row is found by its place and its name: `switch`, `parallel`, `machine` and `test` mean something else in
//! another place. Rules about several properties together are code, beside the row or in the checks.

/// The functions that read and write the line of a node whose fields are exactly its value and properties.
macro_rules! node {
    ($kind:ident $({ $($field:ident: $property:ident),* })?) => {
        (
            |from| {
                let names: &[&str] = &[$($($property.name),*)?];
                if !names.contains(&"") {
                    from.no_values();
                }
                $($(let $field = $property.read(from);)*)?
                Some(Kind::$kind $({ $($field: $field?),* })?)
            },
            |_kind, _to| {
                $(if let Kind::$kind { $($field),* } = _kind {
                    $($property.show($field, _to);)*
                })?
            },
        )
    };
}

mod audience;
mod common;
mod decisions;
mod declarations;
mod decorators;
mod finds;
mod foreign;
mod foreign_properties;
mod forms;
mod key_text;
mod leaves;
mod lists;
mod loops;
mod machines;
mod networks;
#[cfg(test)]
mod pages;
mod parallels;
mod planners;
// Rows also hold what only tools ask for, so a game that is built without tools uses a part of them.
#[cfg_attr(
    not(all(feature = "convert", feature = "edit", feature = "schema")),
    allow(dead_code)
)]
mod property;
mod rates;
mod read;
mod rules;
#[cfg(test)]
mod sheet;
mod special_nodes;
mod testing;
#[cfg(test)]
mod tests;
mod utility;
pub mod vocabulary;

pub(crate) use audience::AUDIENCE;
#[cfg(feature = "schema")]
pub(crate) use common::ALL as COMMON;
#[cfg(feature = "edit")]
pub(crate) use common::is_read_below;
pub(crate) use common::{
    ABORTS, Aborts, COST, GIVES, PLACED, WHILE_ELSE, common, is_common_property, is_guard_or_hook,
    of_all_tasks,
};
pub(crate) use decisions::{TIMEOUT_TICKS, is_list as is_decision_list, words as decision_words};
pub(crate) use declarations::{
    COMPOSITE_MAX, COMPOSITE_MIN, MERGE, SCOPE as BLACKBOARD_SCOPE, TYPES,
};
pub(crate) use finds::{FOUND_POLICY, FOUND_TOP, MAX as MAX_FOUND, PER_TICK, USUAL_CANDIDATES};
pub(crate) use foreign::{foreign, foreign_way, spelt_otherwise};
pub(crate) use foreign_properties::foreign_property;
pub(crate) use forms::{Amount, Count};
pub use key_text::{event_part, key_text};
pub(crate) use leaves::{NEGATED, SERVICE_INTERVAL, SERVICE_JITTER, WHERE};
pub(crate) use loops::is_continue;
pub(crate) use machines::{DONE, HISTORY, KIND, MODE, RESULT};
pub(crate) use parallels::{FOR as SEMAPHORE_FOR, SCOPE as SEMAPHORE_SCOPE};
#[cfg(feature = "edit")]
pub(crate) use planners::holds_steps;
pub(crate) use planners::{
    EVERY as THINKS_EVERY, HYSTERESIS as GOAL_HYSTERESIS, MAX_EXPANSIONS, MAX_STEPS, REPLAN, SLICE,
    has as is_planned_word, options as planner_options,
};
pub(crate) use property::{AnyProperty, Form, Named, Plain, Property, Shape, Words};
pub(crate) use read::{Read, Show};
pub(crate) use rules::{AGAIN, COOLDOWN, FIRE};
pub(crate) use special_nodes::IF_EMPTY;
pub(crate) use testing::{
    ANSWER, ANSWERED_IF, CARRIED_OUT, OUTCOME, RESULT as REPORTED, STATUSES, answers_help, by_keys,
};

pub(crate) use utility::{COMBINE, CURVES, is_choice_of_failure};

use crate::Said;
use treemind_core::Kind;
use vocabulary::{Circle, Learned};

/// A word, in one place.
pub(crate) struct Word {
    pub(crate) name: &'static str,
    /// The value on its line without a name.
    pub(crate) value: Option<&'static dyn AnyProperty>,
    /// What that is, as its page says it; empty without one.
    value_doc: &'static str,
    /// Its properties; for a task, in addition to those of every task.
    pub(crate) properties: &'static [&'static dyn AnyProperty],
    /// What it is for, as its page says it.
    pub(crate) doc: &'static str,
    /// When somebody who learns the language needs it.
    pub(crate) learned: Learned,
    pub(crate) block: Block,
    /// Its role as a node of a tree.
    pub(crate) task: Option<Task>,
}

/// The block of a node.
#[derive(Clone, Copy)]
pub(crate) enum Block {
    None,
    /// Words of these places; it may be left out.
    May(&'static [Spot]),
    /// The same, and it must not be empty.
    Must(&'static [Spot]),
}

/// A word as a node of a tree.
pub(crate) struct Task {
    pub(crate) children: Children,
    pub(crate) build: Build,
    /// The meaning of its children, if they have different roles.
    pub(crate) shape: Option<&'static str>,
    /// Writes the line of a node of this kind.
    pub(crate) show: Shower,
}

/// How many children a node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    None,
    One,
    Two,
    Many,
    TwoOrThree,
    TwoOrMore,
    /// `case` and `default`, each with one child.
    Cases,
}

/// How a node is read.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    /// From its line.
    Of(Reader),
    /// By special checks.
    By(Special),
    /// Never: documents of other systems create it.
    Import,
}

/// Reads a node from its line, after its children.
pub(crate) type Reader = for<'a, 'n> fn(&'a mut (dyn Read<'n> + 'a)) -> Option<Kind>;

/// Writes the line of a node; does nothing for other kinds.
pub(crate) type Shower = for<'a> fn(&Kind, &'a mut (dyn Show + 'a));

/// Nodes that special checks read, because they depend on leaves, on other definitions, or on their block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Condition,
    Action,
    Set,
    Service,
    Own,
    Emit,
    Received,
    Rate,
    Find,
    Policy,
    Rules,
    Switch,
    Scope,
    ForEach,
    Subtree,
    SubtreeBy,
    Machine,
    Decide,
    Planner,
}

/// A place where words are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spot {
    /// The top level of a document.
    Top,
    /// Declarations in a blackboard, before the root of a tree, and similar places.
    Key,
    Port,
    /// The block of a key or parameter.
    KeyBlock,
    /// The block of `leaves`.
    Leaves,
    /// The block of a declared leaf.
    LeafBlock,
    Archetype,
    /// Nodes of a tree.
    Task,
    /// The parameters that a node gives its leaf or tree.
    Given,
    /// The score of a child of a `utility-selector`.
    Score,
    Considered,
    Points,
    /// The block of a `network`.
    Network,
    /// The block of a tree's `switch`.
    Case,
    /// The block of `rules`.
    Rule,
    /// The block of `find`.
    Found,
    /// The block of a state or machine.
    State,
    Transition,
    /// The conditions of transitions.
    When,
    /// A list of a decision tree, in addition to tasks.
    Decision,
    /// The top level of a decision tree.
    Branch,
    /// The sides of a test.
    Side,
    /// The block of a decision tree's `switch`.
    DecisionCase,
    /// The block of a `random`.
    Option,
    /// The leaves of a decision tree that leads to states.
    DecidedState,
    /// The block of a planner, in addition to its steps.
    Planner,
    /// The block of a task of a planner.
    Method,
    /// The block of a `test`.
    Test,
    /// The rows of a table of cases.
    Row,
    /// The block of a test's `random`.
    Random,
    /// Nodes that occur only in documents of other systems.
    Imported,
}

/// Where it is, in messages.
impl From<Spot> for Said {
    fn from(spot: Spot) -> Self {
        Self::plain(spot.place())
    }
}

impl Spot {
    pub(crate) const ALL: [Spot; 31] = [
        Spot::Top,
        Spot::Key,
        Spot::Port,
        Spot::KeyBlock,
        Spot::Leaves,
        Spot::LeafBlock,
        Spot::Archetype,
        Spot::Task,
        Spot::Given,
        Spot::Score,
        Spot::Considered,
        Spot::Points,
        Spot::Network,
        Spot::Case,
        Spot::Rule,
        Spot::Found,
        Spot::State,
        Spot::Transition,
        Spot::When,
        Spot::Decision,
        Spot::Branch,
        Spot::Side,
        Spot::DecisionCase,
        Spot::Option,
        Spot::DecidedState,
        Spot::Planner,
        Spot::Method,
        Spot::Test,
        Spot::Row,
        Spot::Random,
        Spot::Imported,
    ];

    /// The words that are allowed there.
    pub(crate) fn words(self) -> &'static [&'static Word] {
        match self {
            Spot::Top => declarations::TOP,
            Spot::Key => declarations::KEY,
            Spot::Port => declarations::PORTS,
            Spot::KeyBlock => declarations::KEY_BLOCK,
            Spot::Leaves => declarations::LEAVES,
            Spot::LeafBlock => declarations::LEAF_BLOCK,
            Spot::Archetype => declarations::ARCHETYPE_BLOCK,
            Spot::Task => TASKS,
            Spot::Given => leaves::GIVEN,
            Spot::Score => utility::SCORES,
            Spot::Considered => utility::CONSIDERED,
            Spot::Points => utility::POINTS,
            Spot::Network => networks::PARTS,
            Spot::Case => special_nodes::CASES,
            Spot::Rule => rules::RULE_BLOCK,
            Spot::Found => finds::FOUND,
            Spot::State => machines::STATE_BLOCK,
            Spot::Transition => machines::TRANSITION_BLOCK,
            Spot::When => machines::WHEN_BLOCK,
            Spot::Decision => decisions::DECISION,
            Spot::Branch => decisions::BRANCHES,
            Spot::Side => decisions::SIDES,
            Spot::DecisionCase => decisions::CASES,
            Spot::Option => decisions::OPTIONS,
            Spot::DecidedState => decisions::STATES,
            Spot::Planner => planners::PARTS,
            Spot::Method => planners::METHODS,
            Spot::Test => testing::STEPS,
            Spot::Row => testing::ROWS,
            Spot::Random => testing::RANDOM_BLOCK,
            Spot::Imported => leaves::IMPORTED,
        }
    }

    pub(crate) fn word(self, name: &str) -> Option<&'static Word> {
        let found = self.words().iter().find(|word| word.name == name);
        found.copied()
    }

    pub(crate) fn names<'a>(self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.words().iter().map(|word| -> &'a str { word.name })
    }

    pub(crate) fn has(self, name: &str) -> bool {
        self.word(name).is_some()
    }

    /// The words that are allowed there, the first circle first.
    pub(crate) fn by_circle(self) -> Vec<&'static Word> {
        let mut all = self.words().to_vec();
        all.sort_by_key(|word| word.learned.circle());
        all
    }

    /// Their names in this order.
    pub(crate) fn list(self) -> Vec<&'static str> {
        self.by_circle().iter().map(|word| word.name).collect()
    }

    /// Where that is.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Spot::Top => "at the top of a document",
            Spot::Key => "in a `blackboard`, before the root of a tree, or in a `scope`",
            Spot::Port => "before the root of a tree",
            Spot::KeyBlock => "in the block of a key, port or parameter",
            Spot::Leaves => "in `leaves`",
            Spot::LeafBlock => "in the block of a leaf",
            Spot::Archetype => "in an `archetype`",
            Spot::Task => "in a tree",
            Spot::Given => "in the block of a node that takes parameters",
            Spot::Score => "in a child of a `utility-selector`, or in a goal",
            Spot::Considered => "in a `score` or a `rate`",
            Spot::Points => "in a `consider` or a `curve`",
            Spot::Network => "in a `network`",
            Spot::Case => "in a `switch`",
            Spot::Rule => "in `rules`",
            Spot::Found => "in a `find`",
            Spot::State => "in a machine or state",
            Spot::Transition => "in a `transition`",
            Spot::When => "in the `when` of a transition",
            Spot::Decision => "in a decision tree",
            Spot::Branch => "at the top of a decision tree",
            Spot::Side => "in a test of a decision tree",
            Spot::DecisionCase => "in a `switch` of a decision tree",
            Spot::Option => "in a `random` of a decision tree",
            Spot::DecidedState => "in a decision tree that leads to states",
            Spot::Planner => "in a planner",
            Spot::Method => "in a `task` of a planner",
            Spot::Test => "in a `test`",
            Spot::Row => "in a `table`",
            Spot::Random => "in the `random` of a test",
            Spot::Imported => "in documents of other systems",
        }
    }
}

/// Every kind of node of a tree, family by family.
const TASKS: &[&Word] = &joined::<{ count(FAMILIES) }>(FAMILIES);

const FAMILIES: &[&[&Word]] = &[
    leaves::TASKS,
    lists::TASKS,
    parallels::TASKS,
    utility::TASKS,
    rates::TASKS,
    finds::TASKS,
    networks::TASKS,
    rules::TASKS,
    special_nodes::TASKS,
    decorators::TASKS,
    loops::TASKS,
];

const fn count(lists: &[&[&Word]]) -> usize {
    let (mut count, mut list) = (0, 0);
    while list < lists.len() {
        count += lists[list].len();
        list += 1;
    }
    count
}

const fn joined<const N: usize>(lists: &'static [&'static [&'static Word]]) -> [&'static Word; N] {
    let mut all = [lists[0][0]; N];
    let (mut at, mut list) = (0, 0);
    while list < lists.len() {
        let mut word = 0;
        while word < lists[list].len() {
            all[at] = lists[list][word];
            at += 1;
            word += 1;
        }
        list += 1;
    }
    all
}

impl Word {
    pub(crate) const fn new(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            value: None,
            value_doc: "",
            properties: &[],
            doc,
            learned: Learned::FirstWeek,
            block: Block::None,
            task: None,
        }
    }

    /// A first character needs it.
    const fn first_day(mut self) -> Self {
        self.learned = Learned::FirstDay;
        self
    }

    /// Few characters need it: these words are more usual, and differ as a sentence says.
    const fn seldom(mut self, usual: &'static [&'static str], how: &'static str) -> Self {
        self.learned = Learned::seldom(usual, how);
        self
    }

    /// Its value without a name: what that is, and in what unit, then what there is to know of it.
    const fn value(mut self, value: &'static dyn AnyProperty, doc: &'static str) -> Self {
        self.value = Some(value);
        self.value_doc = doc;
        self
    }

    const fn with(mut self, properties: &'static [&'static dyn AnyProperty]) -> Self {
        self.properties = properties;
        self
    }

    const fn block(mut self, block: Block) -> Self {
        self.block = block;
        self
    }

    /// Makes it a node of a tree that is read from its line.
    const fn task(self, children: Children, (read, show): (Reader, Shower)) -> Self {
        self.built(children, Build::Of(read), show)
    }

    /// Makes it a node of a tree that special checks read.
    const fn by(self, children: Children, special: Special, show: Shower) -> Self {
        self.built(children, Build::By(special), show)
    }

    const fn built(mut self, children: Children, build: Build, show: Shower) -> Self {
        self.task = Some(Task {
            children,
            build,
            shape: None,
            show,
        });
        if let Block::None = self.block {
            self.block = match children {
                Children::None => Block::May(&[Spot::Score]),
                Children::Cases => Block::Must(&[Spot::Case, Spot::Score]),
                _ => Block::Must(&[Spot::Task, Spot::Score]),
            };
        }
        self
    }

    /// Sets the meaning of its children.
    const fn of_children(mut self, shape: &'static str) -> Self {
        if let Some(task) = &mut self.task {
            task.shape = Some(shape);
        }
        self
    }

    /// How many children it takes as a node of a tree.
    pub(crate) fn children(&self) -> Children {
        let task = self.task.as_ref();
        task.map_or(Children::None, |task| task.children)
    }

    /// One of its own properties.
    pub(crate) fn property(&self, name: &str) -> Option<&'static dyn AnyProperty> {
        let found = self.properties.iter().find(|one| one.name() == name);
        found.copied()
    }

    /// Whether a property is its own, and not a parameter.
    pub(crate) fn has(&self, property: &str) -> bool {
        self.property(property).is_some()
    }

    /// Its own properties, without those that only readers of other systems make.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &'static dyn AnyProperty> + Clone + use<> {
        let all = self.properties.iter().copied();
        all.filter(|one| !one.is_imported_only())
    }

    /// When somebody who learns the language needs one of its properties: no earlier than the word itself.
    fn circle_of(&self, property: &dyn AnyProperty) -> Circle {
        self.learned.circle().max(property.learned().circle())
    }

    /// The names of its own properties, the first circle first.
    pub(crate) fn own<'a>(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let mut own: Vec<&'static dyn AnyProperty> = self.offered().collect();
        own.sort_by_key(|one| self.circle_of(*one));
        own.into_iter().map(|one| -> &'a str { one.name() })
    }

    /// What a property takes, including properties that every node of a tree may have.
    pub(crate) fn shape(&self, property: &str) -> Option<Shape> {
        let own = self.property(property);
        let of_all = || self.task.as_ref().and_then(|_| common(property));
        own.or_else(of_all).map(|found| found.shape())
    }

    /// The places whose words its block may contain.
    pub(crate) fn holds(&self) -> &'static [Spot] {
        match self.block {
            Block::None => &[],
            Block::May(spots) | Block::Must(spots) => spots,
        }
    }
}

/// The word with this name in the first of some places that has it.
pub(crate) fn find(spots: &[Spot], name: &str) -> Option<&'static Word> {
    spots.iter().find_map(|spot| spot.word(name))
}

/// The kind of node of a tree with this name.
pub(crate) fn node_word(name: &str) -> Option<&'static Word> {
    Spot::Task.word(name)
}

/// Whether a node with this name takes parameters.
pub(crate) fn takes_params(name: &str) -> bool {
    node_word(name).is_some_and(|word| word.holds().contains(&Spot::Given))
}

/// Whether this is the name of an item before the root of a tree: a key or port.
pub fn is_item(name: &str) -> bool {
    Spot::Key.has(name) || Spot::Port.has(name)
}

/// The row of a kind of node.
pub(crate) fn of_kind(kind: &Kind) -> Option<&'static Task> {
    find(&[Spot::Task, Spot::Imported], kind.keyword())?
        .task
        .as_ref()
}

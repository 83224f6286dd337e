//! Nodes that run their children one after the other.

use super::forms::Flag;
use super::loops::LIST_YIELDS;
use super::property::{Property, Shape};
use super::{Children, Plain, Word};
use crate::syntax::Value as Written;
use treemind_core::Kind;

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[
    &SEQUENCE,
    &SELECTOR,
    &STICKY_SEQUENCE,
    &REACTIVE_SEQUENCE,
    &REACTIVE_SELECTOR,
    &FILTER,
    &MONITOR,
    &RANDOM_SELECTOR,
    &RANDOM_SEQUENCE,
    &WEIGHTED_SELECTOR,
    &IF,
    &REACTIVE_IF,
    &TRY_CATCH,
];

static SEQUENCE: Word = Word::new(
    "sequence",
    "Runs its children in order: each one is finished before the next begins, and the first failure ends it.",
)
.first_day()
.with(&[&LIST_YIELDS])
.task(Children::Many, node!(Sequence { yields: LIST_YIELDS }));

static SELECTOR: Word = Word::new(
    "selector",
    "Tries its children in order until one works: once a child has begun, the children before it are not asked again.",
)
.first_day()
.with(&[&LIST_YIELDS])
.task(Children::Many, node!(Selector { yields: LIST_YIELDS }));

static RESET_ON_ABORT: Property<Flag> =
    Property::new("reset-on-abort", Flag, "an abort forgets the place");
static LEAVES_OPEN: Property<Flag> = Property::new(
    "leaves-open",
    Flag,
    "a child that is skipped in the middle of its run stays open when a later one fails",
)
.imported_only();

static STICKY_SEQUENCE: Word = Word::new("sticky-sequence", "A sequence that does not repeat finished steps: after a failure, the next run begins at the step that failed.")
    .seldom(&["sequence"], "After a failure, it begins again at its first child.")
    .with(&[&LIST_YIELDS, &RESET_ON_ABORT, &LEAVES_OPEN])
    .task(Children::Many, node!(StickySequence { yields: LIST_YIELDS, reset_on_abort: RESET_ON_ABORT, leaves_open: LEAVES_OPEN }));

static REACTIVE_SEQUENCE: Word = Word::new(
    "reactive-sequence",
    "Does something as long as its conditions hold: they come first, and are asked on every tick.",
)
.first_day()
.task(Children::Many, node!(ReactiveSequence));

static FILTER: Word = Word::new(
    "filter",
    "A `reactive-sequence` whose name states its purpose: conditions first, then the work that they allow.",
)
.seldom(&["reactive-sequence"], "It does exactly the same.")
.task(Children::Many, node!(ReactiveSequence));

static REACTIVE_SELECTOR: Word = Word::new(
    "reactive-selector",
    "Runs the most important child that applies now, which takes over from any less important child.",
)
.first_day()
.task(Children::Many, node!(ReactiveSelector));

static MONITOR: Word = Word::new(
    "monitor",
    "Watches conditions while it works: they are asked on every tick, wherever they are among its children; the work is done once.",
)
.first_day()
.task(Children::Many, node!(Monitor));

static UNTIL_SUCCESS: Property<Flag> = Property::new(
    "replacement",
    Flag,
    "draws among all children, one draw per tick, until one works; it never fails",
)
.seldom(&[], "No child is drawn twice in one run.");
static UNTIL_FAILURE: Property<Flag> = Property::new(
    "replacement",
    Flag,
    "draws among all children, one draw per tick, until one fails; it never succeeds",
)
.seldom(&[], "No child is drawn twice in one run.");

static RANDOM_SELECTOR: Word = Word::new(
    "random-selector",
    "Tries its children in random order, until one works.",
)
.with(&[&UNTIL_SUCCESS])
.task(
    Children::Many,
    node!(RandomSelector {
        replacement: UNTIL_SUCCESS
    }),
);

static RANDOM_SEQUENCE: Word = Word::new(
    "random-sequence",
    "Runs all its children in random order, unless one fails.",
)
.seldom(
    &["sequence"],
    "It runs its children in the order in which they are written.",
)
.with(&[&UNTIL_FAILURE])
.task(
    Children::Many,
    node!(RandomSequence {
        replacement: UNTIL_FAILURE
    }),
);

static WEIGHTED_SELECTOR: Word = Word::new(
    "weighted-selector",
    "Tries its children in random order, drawn in proportion to their weights, until one works.",
)
.seldom(
    &["random-selector"],
    "It has no weights: each child is as likely to be drawn as any other.",
)
.task(
    Children::Many,
    (
        |from| {
            from.no_values();
            let weights = from.weights()?;
            Some(Kind::WeightedSelector { weights })
        },
        // The children hold the weights.
        |_, _| {},
    ),
);

static ASKS_AGAIN: Property<Flag> = Property::new(
    "asks-again",
    Flag,
    "the test is asked again unless the branch answered running last; if it fails, what is open in the branch stays open",
)
.imported_only();

static BRANCH_LEFT_OPEN: Property<Flag> = Property::new(
    "leaves-open",
    Flag,
    "a branch that is skipped in the middle of its run stays open",
)
.imported_only();

static IF: Word = Word::new(
    "if",
    "Asks a test once, then runs one branch or the other to its end. Children: test, then, and optionally else.",
)
.with(&[&ASKS_AGAIN, &BRANCH_LEFT_OPEN])
.task(Children::TwoOrThree, node!(If { asks_again: ASKS_AGAIN, leaves_open: BRANCH_LEFT_OPEN }))
.of_children("write the test, the node for success and, optionally, the node for failure");

static REACTIVE_IF: Word = Word::new(
    "reactive-if",
    "Runs one branch while the test holds and the other while it does not. Children: test, then, and optionally else.",
)
.with(&[&BRANCH_LEFT_OPEN])
.task(Children::TwoOrThree, node!(ReactiveIf { leaves_open: BRANCH_LEFT_OPEN }))
.of_children("write the test, the node that runs while it succeeds and, optionally, the node that runs while it fails");

/// A flag on this node; statements in quotes mean the same as on any node.
static ON_ABORT: Property<Plain> = Property::new(
    "on-abort",
    Plain(Shape::Statements(&[])),
    "the last child is also ticked, once, when the first ones are aborted",
)
.without("`false`");

static TRY_CATCH: Word = Word::new("try-catch", "Tries something, and cleans up when it fails. The last child cleans up; the children before it are a `sequence`.")
.seldom(&["selector"], "It also goes on to its next child after a failure, but it succeeds when that child does. A `try-catch` fails even after it has cleaned up.").with(&[&ON_ABORT]).task(
    Children::TwoOrMore,
    (
        |from| {
            from.no_values();
            let is_hook = from
                .property(ON_ABORT.name)
                .is_some_and(|entry| matches!(entry.value, Written::Text(_)));
            let on_abort = !is_hook && from.flag(ON_ABORT.name);
            Some(Kind::TryCatch { on_abort })
        },
        |kind, to| {
            if let Kind::TryCatch { on_abort: true } = kind {
                to.property(ON_ABORT.name, "#true");
            }
        },
    ),
).of_children("write the nodes to try, and then the node that runs when one of them fails");

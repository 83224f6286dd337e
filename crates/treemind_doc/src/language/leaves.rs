//! Nodes without children, and nodes for leaves of the host.

use super::audience::AUDIENCE;
use super::forms::{Choice, Flag, MoreSeconds, Seconds};
use super::key_text::{key_text, part_name};
use super::property::{Form, Named, Plain, Property, Shape, Shaped};
use super::read::{Read, Show};
use super::{Block, Build, Children, Special, Spot, Word};
use crate::code::Code;
use crate::said;
use crate::syntax::Value as Written;
use treemind_core::behaviour::{Awaited, LogPart};
use treemind_core::{Expr, KeyId, Kind, LabelId, Status, Type, Value};

/// The words of this file that are nodes of trees.
pub(super) const TASKS: &[&Word] = &[
    &CONDITION,
    &ACTION,
    &CHECK,
    &SET,
    &UNSET,
    &WAIT,
    &SUCCEED,
    &FAIL,
    &RUN,
    &INTERRUPT,
    &SERVICE,
    &NODE,
    &CHANGED,
    &LOG,
    &EMIT,
    &RECEIVED,
    &WAIT_FOR_EVENT,
];

/// The block of nodes that take parameters.
pub(super) const PARAMETERS: Block = Block::May(&[Spot::Given, Spot::Score]);

const LEAF: Plain = Plain(Shape::Names(Named::Leaf));

static LEAF_NAME: Property<Plain> = Property::value(LEAF);
pub(crate) static NEGATED: Property<Flag> =
    Property::new("not", Flag, "swaps success and failure").first_day();

pub(super) static CONDITION: Word = Word::new("condition", "Asks the game a question.")
    .first_day()
    .value(&LEAF_NAME, "the name: of a condition in `leaves`")
    .with(&[&NEGATED])
    .block(PARAMETERS)
    .by(Children::None, Special::Condition, |kind, to| {
        if let Kind::Condition {
            leaf,
            args,
            negated,
        } = kind
        {
            to.leaf(*leaf, args);
            NEGATED.show(negated, to);
        }
    });

static ACTION: Word = Word::new(
    "action",
    "Has the game do something, in one tick or over many.",
)
.first_day()
.value(&LEAF_NAME, "the name: of an action in `leaves`")
.block(PARAMETERS)
.by(Children::None, Special::Action, |kind, to| {
    if let Kind::Action { leaf, args } = kind {
        to.leaf(*leaf, args);
    }
});

pub(crate) static SERVICE_INTERVAL: Property<MoreSeconds> = Property::new(
    "interval",
    MoreSeconds,
    "seconds between two calls, a `double` expression read at each call; 0 is every tick",
)
.without("`0`");
pub(crate) static SERVICE_JITTER: Property<MoreSeconds> = Property::new(
    "jitter",
    MoreSeconds,
    "up to this many seconds are added each time, drawn uniformly, so that not all agents call in the same tick",
)
.seldom(&[], "The calls come at equal intervals.");

static SERVICE: Word = Word::new("service", "Has the game do something at intervals while its child runs, such as looking around twice a second.")
    .value(&LEAF_NAME, "the name: of a `service` in `leaves`")
    .with(&[&SERVICE_INTERVAL, &SERVICE_JITTER])
    .block(Block::Must(&[Spot::Task, Spot::Given, Spot::Score]))
    .by(Children::One, Special::Service, |kind, to| {
        if let Kind::Service {
            leaf,
            args,
            interval,
            jitter,
        } = kind
        {
            to.leaf(*leaf, args);
            to.property(SERVICE_INTERVAL.name, &to.number(interval));
            SERVICE_JITTER.show(jitter, to);
        }
    });

static NODE: Word = Word::new("node", "A composite or decorator that the game provides: it does something that no node of the language does, is written in Rust, and is used in documents like any other node.")
    .seldom(&["action"], "It is also code of the game, but has no children: the nodes of the language decide when it runs.")
    .value(&LEAF_NAME, "the name: of a `composite` or `decorator` in `leaves`")
    .block(Block::Must(&[Spot::Task, Spot::Given, Spot::Score]))
    .by(Children::Many, Special::Own, |kind, to| {
        if let Kind::Own { leaf, args } = kind {
            to.leaf(*leaf, args);
        }
    });

static EVENT: Property<Plain> = Property::value(Plain(Shape::Names(Named::Event)));
static EVENT_VALUE: Property<Plain> = Property::new(
    "value",
    Plain(Shape::Expr(Type::Any)),
    "the value of an event that has one parameter: a literal, or an expression",
);

static EMIT: Word = Word::new(
    "emit",
    "Tells the game that something has happened, with the values that describe it.",
)
.value(
    &EVENT,
    "the event: declared in `leaves`: `event noise { param volume type=float; }`",
)
.with(&[&EVENT_VALUE, &AUDIENCE])
.block(PARAMETERS)
.by(Children::None, Special::Emit, |kind, to| {
    if let Kind::Emit {
        leaf,
        args,
        to: audience,
    } = kind
    {
        to.leaf(*leaf, args);
        AUDIENCE.show(audience, to);
    }
});

static AWAITED: Property<Plain> = Property::value(Plain(Shape::AllNames(Named::Event)));
pub(crate) static WHERE: Property<Plain> = Property::new(
    "where",
    Plain(Shape::Expr(Type::Bool)),
    "which events it takes: an expression about the parameters, `event.NAME`, and the keys",
);

static RECEIVED: Word = Word::new(
    "received",
    "Has this event arrived since the agent's last tick?",
)
.value(&AWAITED, "the event: a name, the beginning of names up to a dot, or `*` for all; several, separated by spaces")
.with(&[&WHERE])
.block(PARAMETERS)
.by(Children::None, Special::Received, |kind, to| {
    if let Kind::Received {
        awaited,
        waits: false,
    } = kind
    {
        show_awaited(awaited, to);
    }
});

static WAIT_FOR_EVENT: Word = Word::new("wait-for-event", "Waits until an event arrives.")
    .value(&AWAITED, "the event: a name, the beginning of names up to a dot, or `*` for all; several, separated by spaces")
    .with(&[&WHERE])
    .block(PARAMETERS)
    .by(Children::None, Special::Received, |kind, to| {
        if let Kind::Received {
            awaited,
            waits: true,
        } = kind
        {
            show_awaited(awaited, to);
        }
    });

fn show_awaited(awaited: &Awaited, to: &mut dyn Show) {
    let behaviour = to.behaviour();
    let events = awaited.events.iter();
    let events: Vec<&str> = events.map(|id| behaviour.leaf(*id).name.as_str()).collect();
    let events = to.name(&events.join(" "));
    let test = awaited.test.as_ref().map(|test| to.expression(test));
    let bound = awaited.bound.iter();
    let bound: Vec<(String, String)> = bound
        .map(|(part, key)| {
            let name = part_name(behaviour, awaited.events[0], *part);
            (
                name.to_owned(),
                format!("\"{{{}}}\"", behaviour.key(*key).name),
            )
        })
        .collect();
    to.value(&events);
    if let Some(test) = test {
        to.property(WHERE.name, &test);
    }
    for (name, key) in bound {
        to.property(&name, &key);
    }
}

static AFTER: Property<MoreSeconds> = Property::new("after", MoreSeconds, "");
static ID: Property<MoreSeconds> = Property::new("id", MoreSeconds, "");

static SEND: Word = Word::new("send", "")
    .value(&EVENT, "the event: declared in `leaves`")
    .with(&[&AFTER, &ID])
    .built(Children::None, Build::Import, |kind, to| {
        if let Kind::Send {
            leaf,
            args,
            delay,
            id,
        } = kind
        {
            to.leaf(*leaf, args);
            to.property(AFTER.name, &to.number(delay));
            ID.show(id, to);
        }
    });

static CANCEL: Word =
    Word::new("cancel", "")
        .with(&[&ID])
        .built(Children::None, Build::Import, |kind, to| {
            if let Kind::Cancel { id } = kind {
                to.property(ID.name, &to.number(id));
            }
        });

/// Nodes that occur only in documents of other systems.
pub(super) const IMPORTED: &[&Word] = &[&SEND, &CANCEL];

static PARAM_NAME: Property<Plain> = Property::value(Plain(Shape::Names(Named::Param)));
static PARAM: Word = Word::new("param", "the value of a parameter").value(
    &PARAM_NAME,
    "the name: of a parameter of the leaf, or of a port; then its value",
);

/// The block in which a leaf, event or tree gets its parameters.
pub(super) const GIVEN: &[&Word] = &[&PARAM];

static TEST: Property<Test> = Property::value(Test);

pub(super) static CHECK: Word = Word::new(
    "check",
    "Asks whether an expression over the blackboard is true.",
)
.first_day()
.value(&TEST, "the expression: of type `bool`, over keys")
.task(Children::None, node!(Check { expr: TEST }));

static STATEMENTS: Property<Plain> = Property::value(Plain(Shape::Statements(&[])));

static SET: Word = Word::new("set", "Writes to the blackboard.")
    .value(&STATEMENTS, "the statements: over keys, and components of vectors: `=`, `+=`, `-=`, `*=`, `/=`, with `;` between; also `list += item` and `list -= item` (lists); each statement sees the earlier ones, and later nodes of the same tick see all of them")
    .by(Children::None, Special::Set, |kind, to| {
        if let Kind::Set { assigns } = kind {
            to.value(&to.statements(assigns));
        }
    });

static UNSET_KEY: Property<KeyName> = Property::value(KeyName(NamedKey::Unset));

static FORGETS: Property<Flag> =
    Property::new("forgets", Flag, "the key counts as not written afterwards").imported_only();

static UNSET: Word = Word::new(
    "unset",
    "Removes the value of a key, or the items of a list.",
)
.seldom(
    &["set"],
    "It gives a key another value, but cannot leave it without one.",
)
.value(
    &UNSET_KEY,
    "the key: by its name, without braces; the key must have `optional=#true` or `list=`",
)
.with(&[&FORGETS])
.task(
    Children::None,
    node!(Unset {
        key: UNSET_KEY,
        forgets: FORGETS
    }),
);

static CHANGED_KEY: Property<KeyName> = Property::value(KeyName(NamedKey::Read));

static CHANGED: Word = Word::new("changed", "Has this key been written since I last asked?")
    .seldom(
        &["check"],
        "It asks for the value of a key, not whether the key was written.",
    )
    .value(&CHANGED_KEY, "the key: by its name, without braces; if a sensor computes the key, a look has it computed first")
    .task(Children::None, node!(Changed { key: CHANGED_KEY }));

static FOR: Property<Seconds> = Property::value(Seconds("wait 0.5"));
static JITTER: Property<MoreSeconds> = Property::new(
    "jitter",
    MoreSeconds,
    "up to this many seconds are added, drawn uniformly at the start; an expression or a number",
)
.seldom(&[], "The pause always has the same length.");

static WAIT: Word = Word::new("wait", "Lets time pass.")
    .value(&FOR, "the seconds: measured by the clock that ticks advance; a `double` expression or a number, read at the start; 0 is success at once")
    .with(&[&JITTER])
    .task(
        Children::None,
        node!(Wait {
            secs: FOR,
            jitter: JITTER
        }),
    );

static SUCCEED: Word =
    Word::new("succeed", "Does nothing, and succeeds.").task(Children::None, node!(Succeed));

static FAIL: Word = Word::new("fail", "Does nothing, and fails.").task(Children::None, node!(Fail));

static RUN: Word = Word::new(
    "run",
    "Does nothing, and keeps running until something else takes over.",
)
.task(Children::None, node!(Run));

static SAID: Property<Said> = Property::value(Said);

static LOG: Word = Word::new(
    "log",
    "Tells the game, or anyone who watches it, what is happening.",
)
.value(&SAID, "the text: keys are written in braces, `{ammo}`, and are replaced by their current values; a literal brace is doubled: `{{`, `}}`")
.task(Children::None, node!(Log { text: SAID }));

static LABEL: Property<Label> = Property::value(Label(false));
static RESULT: Property<Choice<Status>> = Property::new(
    "result",
    Choice::new(&[("success", Status::Success), ("failure", Status::Failure)]),
    "the answer of each `interruptible` that it cuts off: `success` or `failure`",
);

static INTERRUPT: Word = Word::new("interrupt", "Cuts off work elsewhere in the tree of the same agent: every running `interruptible` with its label.")
    .seldom(&["reactive-selector"], "A more important child of it cuts off a less important one, but nothing elsewhere in the tree can.")
    .value(&LABEL, "the label: of an `interruptible`; a label that no tree of the document has is an error")
    .with(&[&RESULT])
    .task(Children::None, node!(Interrupt { label: LABEL, result: RESULT }));

/// An expression that is true or false.
#[derive(Clone, Copy)]
struct Test;

impl Shaped for Test {
    fn shape(&'static self) -> Shape {
        Shape::Expr(Type::Bool)
    }
}

impl Form for Test {
    type Value = Expr;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Expr> {
        let entry = from.value(&said!("an expression"), "check \"health < 20\"")?;
        match &entry.value {
            Written::Text(text) => from.test(text),
            Written::Bool(value) => Some(Expr::Value(Value::Bool(*value))),
            Written::Bad => None,
            _ => {
                let message = said!("`check` needs an expression that is true or false");
                from.sink()
                    .error(Code::WrongType, entry.span.clone(), message)
                    .with_help(said!("put it in quotes: `check \"health < 20\"`"));
                None
            }
        }
    }

    fn show(&self, _: &str, value: &Expr, to: &mut (dyn Show + '_)) {
        to.value(&to.expression(value));
    }
}

/// How a node uses a key that it names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedKey {
    Read,
    Unset,
}

/// The name of a key.
#[derive(Clone, Copy)]
pub(super) struct KeyName(pub(super) NamedKey);

impl Shaped for KeyName {
    fn shape(&'static self) -> Shape {
        match self.0 {
            NamedKey::Read => Shape::Key,
            NamedKey::Unset => Shape::WrittenKey,
        }
    }
}

impl Form for KeyName {
    type Value = KeyId;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<KeyId> {
        match self.0 {
            NamedKey::Read => from.key(),
            NamedKey::Unset => from.key_to_unset(),
        }
    }

    fn show(&self, _: &str, key: &KeyId, to: &mut (dyn Show + '_)) {
        let name = to.name(&to.behaviour().key(*key).name);
        to.value(&name);
    }
}

/// A text with keys in braces.
#[derive(Clone, Copy)]
struct Said;

impl Shaped for Said {
    fn shape(&'static self) -> Shape {
        Shape::Log
    }
}

impl Form for Said {
    type Value = Vec<LogPart>;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<Vec<LogPart>> {
        let entry = from.value(&said!("a text"), "log \"ammunition: {ammo}\"")?;
        let Written::Text(text) = &entry.value else {
            if entry.value != Written::Bad {
                let message = said!("`log` needs a text");
                from.sink()
                    .error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("put it in quotes"));
            }
            return None;
        };
        from.log(text)
    }

    #[warn(clippy::wildcard_enum_match_arm)]
    fn show(&self, _: &str, parts: &Vec<LogPart>, to: &mut (dyn Show + '_)) {
        let part = |part: &LogPart| match part {
            LogPart::Text(text) => text.replace('{', "{{").replace('}', "}}"),
            LogPart::Key(key) => format!("{{{}}}", key_text(to.behaviour(), *key)),
            _ => treemind_core::unlisted(&part),
        };
        let text: String = parts.iter().map(part).collect();
        to.value(&format!("{text:?}"));
    }
}

/// The label of an `interruptible`; `true` where the label is defined.
#[derive(Clone, Copy)]
pub(super) struct Label(pub(super) bool);

impl Shaped for Label {
    fn shape(&'static self) -> Shape {
        match self.0 {
            true => Shape::Declares(Named::Label),
            false => Shape::Names(Named::Label),
        }
    }
}

impl Form for Label {
    type Value = LabelId;

    fn read<'n>(&self, _: &str, from: &mut (dyn Read<'n> + '_)) -> Option<LabelId> {
        match self.0 {
            true => from.interruptible(),
            false => from.interrupted(),
        }
    }

    fn show(&self, _: &str, label: &LabelId, to: &mut (dyn Show + '_)) {
        let name = to.name(&to.behaviour().labels()[label.index()]);
        to.value(&name);
    }
}

//! State machines written in code: the parts of a machine, for [`Declarations::machine`].
//!
//! ```
//! use treemind_doc::tree::{self, Declarations, states};
//!
//! let declared = Declarations::new()
//!     .condition("fight")
//!     .action("sweep", tree::NO_PARAMS)
//!     .action("hide", tree::NO_PARAMS)
//!     .key("hits", 0_i64)
//!     .machine("robot", states::machine([
//!         states::initial("clean"),
//!         states::transition_to("hide").reenter().tests(tree::condition("fight")),
//!         states::state("clean", [
//!             states::activity(tree::action("sweep")),
//!             states::transition_to("rest").after(5.0),
//!         ]),
//!         states::state("rest", [states::transition_to("clean").when("hits < 3")]),
//!         states::state("hide", [
//!             states::entry([tree::set("hits += 1")]),
//!             states::activity(tree::action("hide")),
//!             states::transition_to("clean").done("any"),
//!         ]),
//!     ]));
//! let behaviour = tree::machine("robot").behaviour("main", &declared)?;
//! assert_eq!(behaviour.nodes().len(), 5);
//!
//! let lost = Declarations::new().machine("lamp", states::machine([
//!     states::initial("off"),
//!     states::state("off", [states::transition_to("onn")]),
//!     states::state("on", [states::transition_to("off")]),
//! ]));
//! let error = tree::machine("lamp").behaviour("main", &lost).unwrap_err();
//! assert_eq!(error.to_string(), "lamp > off > transition to=onn: unknown state `onn`; did you mean `on`?");
//! # Ok::<(), treemind_doc::tree::TreeError>(())
//! ```
//!
//! As with trees, they may contain whatever documents may contain, and the same code checks them.
//!
//! [`Declarations::machine`]: super::Declarations::machine

use super::{Given, Node};

fn part(word: &str, children: impl IntoIterator<Item = Node>) -> Node {
    Node::new(word).children(children)
}

/// A machine with its parts, at least `initial` and states.
pub fn machine(parts: impl IntoIterator<Item = Node>) -> Node {
    part("machine", parts)
}

/// `state`: a state with what it does and, optionally, states inside.
pub fn state(name: impl Into<Given>, parts: impl IntoIterator<Item = Node>) -> Node {
    part("state", parts).value(name)
}

/// `parallel`: a state whose states are all active.
pub fn parallel(name: impl Into<Given>, parts: impl IntoIterator<Item = Node>) -> Node {
    part("parallel", parts).value(name)
}

/// `state` with `final=#true`: ends the state that contains it with success, or with the [`result`](Node::result)
/// given.
pub fn final_state(name: impl Into<Given>) -> Node {
    state(name, []).option("final", true)
}

/// `initial`: the states in which a machine or a state begins.
pub fn initial(names: impl Into<Given>) -> Node {
    part("initial", []).value(names)
}

/// `entry`: tasks at each entry of a state.
pub fn entry(tasks: impl IntoIterator<Item = Node>) -> Node {
    part("entry", tasks)
}

/// `exit`: tasks at each exit of a state.
pub fn exit(tasks: impl IntoIterator<Item = Node>) -> Node {
    part("exit", tasks)
}

/// `do`: the task that runs while a state is active.
pub fn activity(task: Node) -> Node {
    part("do", [task])
}

/// `defer`: events that are kept for later if they are not used while a state is active.
pub fn defer(events: impl Into<Given>) -> Node {
    part("defer", []).value(events)
}

/// `transition` without targets: its children are carried out as tasks, and no state is left.
pub fn transition() -> Node {
    part("transition", [])
}

/// `transition to=`: to a state, or to several states in the regions of a `parallel`.
pub fn transition_to(names: impl Into<Given>) -> Node {
    transition().option("to", names)
}

/// `transition push=`: to a state, until a [`pop`].
pub fn push(name: impl Into<Given>) -> Node {
    transition().option("push", name)
}

/// `transition pop=#true`: back to where the last [`push`] came from.
pub fn pop() -> Node {
    transition().option("pop", true)
}

/// `transition decide=`: to where a decision tree leads, built with [`decisions`](super::decisions).
pub fn transition_by(decision: impl Into<Given>) -> Node {
    transition().option("decide", decision)
}

/// `all`: conditions that hold together, for [`Node::tests`].
pub fn all(conditions: impl IntoIterator<Item = Node>) -> Node {
    part("all", conditions)
}

/// `any`: conditions of which at least one holds, for [`Node::tests`].
pub fn any(conditions: impl IntoIterator<Item = Node>) -> Node {
    part("any", conditions)
}

/// `not`: a condition that does not hold, for [`Node::tests`].
pub fn not(condition: Node) -> Node {
    part("not", [condition])
}

/// Options of machines, states and transitions.
impl Node {
    /// `when { … }` in a transition: a condition, or several in [`all`], [`any`] and [`not`].
    #[must_use]
    pub fn tests(self, condition: Node) -> Self {
        self.child(part("when", [condition]))
    }

    /// `on=` of a transition: the events that trigger it.
    #[must_use]
    pub fn on(self, events: impl Into<Given>) -> Self {
        self.option("on", events)
    }

    /// `after=` of a transition: the number of seconds after its state was entered.
    #[must_use]
    pub fn after(self, secs: impl Into<Given>) -> Self {
        self.option("after", secs)
    }

    /// `done=` of a transition: `any`, `success` or `failure`, depending on how the state's activity has ended.
    #[must_use]
    pub fn done(self, how: impl Into<Given>) -> Self {
        self.option("done", how)
    }

    /// `priority=` of a transition: higher ones are considered first.
    #[must_use]
    pub fn priority(self, priority: i32) -> Self {
        self.option("priority", priority)
    }

    /// `kind=local` of a transition: if its target is inside its own state, that state is not left.
    #[must_use]
    pub fn local(self) -> Self {
        self.option("kind", "local")
    }

    /// `reenter=#true` of a transition: it is also taken when its target is already active.
    #[must_use]
    pub fn reenter(self) -> Self {
        self.option("reenter", true)
    }

    /// `history=` of a transition or an `initial`: `shallow` or `deep`, back to what was active when the target was
    /// left.
    #[must_use]
    pub fn history(self, depth: impl Into<Given>) -> Self {
        self.option("history", depth)
    }

    /// `enter-if=` of a state: while it does not hold, no transition leads here.
    #[must_use]
    pub fn enter_if(self, test: impl Into<Given>) -> Self {
        self.option("enter-if", test)
    }

    /// `mode=statechart` of a machine: it follows the rules of SCXML.
    #[must_use]
    pub fn statechart(self) -> Self {
        self.option("mode", "statechart")
    }
}

//! A constructor and a method of the builder for every kind of node, and a method for every option.
//!
//! Whoever adds a kind of node to the language adds a line here; a test says so.

use super::{Given, Node, TreeBuilder};

/// The kinds of nodes by what they take: nothing, a value, children, or several of these.
macro_rules! kinds {
    ($($shape:ident $name:ident $word:literal $doc:literal;)*) => {
        $(kinds!(@$shape $name $word $doc);)*

        impl TreeBuilder {
            $(kinds!(@builder $shape $name $word $doc);)*
        }

        /// Every word that has a constructor.
        #[cfg(test)]
        pub(super) const WORDS: &[&str] = &[$($word),*];
    };
    (@plain $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name() -> Node {
            Node::new($word)
        }
    };
    (@valued $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>) -> Node {
            Node::new($word).value(value)
        }
    };
    (@list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(children: impl IntoIterator<Item = Node>) -> Node {
            Node::new($word).children(children)
        }
    };
    (@valued_list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>, children: impl IntoIterator<Item = Node>) -> Node {
            Node::new($word).value(value).children(children)
        }
    };
    (@one $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(child: Node) -> Node {
            Node::new($word).child(child)
        }
    };
    (@valued_one $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>, child: Node) -> Node {
            Node::new($word).value(value).child(child)
        }
    };
    (@builder plain $name:ident $word:literal $doc:literal) => {
        kinds!(@builder list $name $word $doc);
    };
    (@builder one $name:ident $word:literal $doc:literal) => {
        kinds!(@builder list $name $word $doc);
    };
    (@builder list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("Adds `", $word, "`: ", $doc)]
        #[must_use]
        pub fn $name(self) -> Self {
            self.open($word, None)
        }
    };
    (@builder $shape:ident $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("Adds `", $word, "`: ", $doc)]
        #[must_use]
        pub fn $name(self, value: impl Into<Given>) -> Self {
            self.open($word, Some(value.into()))
        }
    };
}

kinds! {
    valued condition "condition" "asks the host.";
    valued action "action" "has the host do something.";
    valued check "check" "an expression that holds or does not.";
    valued set "set" "statements.";
    valued changed "changed" "whether a key was written since it last looked.";
    valued log "log" "tells whoever listens a text, with keys in braces.";
    valued emit "emit" "tells whoever listens that an event has happened.";
    valued unset "unset" "takes away what a key holds.";
    valued wait "wait" "running for so many seconds, then success.";
    plain succeed "succeed" "success.";
    plain fail "fail" "failure.";
    plain run "run" "running.";
    list sequence "sequence" "children in order; the first failure ends it.";
    list selector "selector" "children in order; the first success ends it.";
    list sticky_sequence "sticky-sequence" "as `sequence`, resumed after a failure at the child that failed.";
    list reactive_sequence "reactive-sequence" "as `sequence`, from the first child every tick.";
    list reactive_selector "reactive-selector" "as `selector`, from the first child every tick.";
    list filter "filter" "as `reactive-sequence`, conditions first.";
    list monitor "monitor" "conditions are asked every tick while the others run.";
    list parallel "parallel" "all children side by side, until enough have succeeded or failed.";
    list parallel_all "parallel-all" "all children side by side, to the end of each.";
    list simple_parallel "simple-parallel" "a task and a background that goes on beside it.";
    list random_selector "random-selector" "as `selector`, in an order that is drawn.";
    list random_sequence "random-sequence" "as `sequence`, in an order that is drawn.";
    list weighted_selector "weighted-selector" "as `random-selector`, in proportion to weights.";
    list utility_selector "utility-selector" "the child with the best score.";
    valued subtree "subtree" "another tree in this place.";
    valued subtree_by "subtree-by" "the tree whose name is in a key.";
    valued decide "decide" "a decision tree in this place, by its name.";
    valued machine "machine" "a state machine in this place, by its name.";
    valued interrupt "interrupt" "ends the `interruptible` of that label.";
    list if_then "if" "a test, what follows on success, and on failure.";
    list reactive_if "reactive-if" "as `if`, with a test that is asked every tick.";
    valued_list switch "switch" "the child of the first `case` that takes the value.";
    valued_one case "case" "what a `switch` does at a value; more values with `value`, a range with `Node::new(\"case\")`, `min` and `max`.";
    one default_case "default" "what a `switch` does when no `case` takes the value.";
    list try_catch "try-catch" "the last child runs when one of the others fails.";
    one invert "invert" "success and failure change places.";
    one force_success "force-success" "success whatever its child's end is.";
    one force_failure "force-failure" "failure whatever its child's end is.";
    valued_one repeat "repeat" "its child so many times, or [`FOREVER`](super::FOREVER).";
    valued_one retry "retry" "its child again, so many times, until it succeeds.";
    one until_failure "until-failure" "its child again until it fails.";
    one until_success "until-success" "its child again until it succeeds.";
    one keep_running_until_failure "keep-running-until-failure" "running until its child fails.";
    one run_once "run-once" "its child's first end is kept for ever.";
    valued_one limit "limit" "its child so many times at most.";
    valued_one cooldown "cooldown" "not again within so many seconds of its child's end.";
    valued_one timeout "timeout" "its child for so many seconds at most.";
    valued_one delay "delay" "its child after so many seconds.";
    valued_one chance "chance" "its child with that probability.";
    valued_one interruptible "interruptible" "its child, until an `interrupt` of that label.";
    valued_one semaphore "semaphore" "its child, while it has a place of that name.";
    valued_one service "service" "calls a service of the host's beside its child.";
    valued_one on_change "on-change" "its child whenever a key was written.";
    list local_keys "scope" "its child with keys of its own, each a `Node::new(\"key\")` in front of it.";
    valued_one for_each "for-each" "its child for each item of a list.";
    valued_list node "node" "a composite or decorator of the host's own.";
}

/// Options of nodes, as methods of nodes and of the builder.
macro_rules! options {
    ($($shape:ident $name:ident $word:literal $doc:literal;)*) => {
        impl Node {
            $(options!(@$shape $name $word $doc);)*
        }

        impl TreeBuilder {
            $(options!(@$shape $name $word $doc);)*
        }
    };
    (@given $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "=`: ", $doc)]
        #[must_use]
        pub fn $name(self, value: impl Into<Given>) -> Self {
            self.option($word, value)
        }
    };
    (@flag $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "=#true`: ", $doc)]
        #[must_use]
        pub fn $name(self) -> Self {
            self.option($word, true)
        }
    };
}

options! {
    given name "name" "what tools and traces call it.";
    given doc "doc" "one line for people.";
    flag disabled "disabled" "as if it were not there.";
    given allow "allow" "the codes of warnings that are left out, such as `\"T0604\"`.";
    given fail_if "fail-if" "a test before it: it fails.";
    given succeed_if "succeed-if" "a test before it: it succeeds.";
    given skip_if "skip-if" "a test before it: it is skipped.";
    given when "when" "a test before it, which it fails without.";
    given while_holds "while" "a test before it and while it runs.";
    given while_else "while-else" "what it answers when `while` does not hold.";
    given aborts "aborts" "`lower` or `both`: its `when` cuts off later children.";
    given on_success "on-success" "statements after its success.";
    given on_failure "on-failure" "statements after its failure; of `repeat`, `continue`; of `utility-selector`, `fail`.";
    given on_abort "on-abort" "statements after it was cut off; of `try-catch`, `true`.";
    given on_end "on-end" "statements after its success or failure.";
    given weight "weight" "how likely a `weighted-selector` draws it; what its score is multiplied with.";
    given score "score" "what speaks for it, under a `utility-selector`; considerations are a `Node::new(\"score\")` in it.";
    given policy "policy" "of a `utility-selector`: `highest`, `weighted-random` or `top`.";
    given top "top" "of `policy=top`: among how many of the best it draws.";
    given hysteresis "hysteresis" "of a `utility-selector`: by how much others have to exceed the child that runs.";
    flag reactive "reactive" "of a `utility-selector`: it looks at the scores every tick.";
    flag negated "not" "of a condition: success and failure change places.";
    given yields "yields" "`never`, `fresh` or `always`: when it answers running in between.";
    flag reset_on_abort "reset-on-abort" "an abort forgets the place.";
    given success "success" "of a `parallel`: how many successes it needs.";
    given failure "failure" "of a `parallel`: how many failures end it.";
    given skipped "skipped" "of a `parallel`: `absent` or `pending`.";
    given judged "check" "of a `parallel`: `each` or `end`.";
    flag repeat_finished "repeat-finished" "of a `parallel`: children that have ended begin again.";
    given max_failures "max-failures" "of a `parallel-all`: how many failures make it fail.";
    given finish "finish" "of a `simple-parallel`: `immediate` or `delayed`.";
    flag replacement "replacement" "of random lists: draws among all children.";
    flag inherit "inherit" "of a `subtree`: other names are the caller's.";
    given of "of" "of a `subtree-by`: the trees that may be meant.";
    given result "result" "of an `interrupt`: `success` or `failure`.";
    flag once "once" "of a `switch`: the choice is made when it starts.";
    given min "min" "of a `case`: the least value that it takes.";
    given max "max" "of a `case`: the greatest value that it takes; of a `semaphore`: how many places there are.";
    flag even_running "even-running" "of `force-success` and `force-failure`: also while its child runs.";
    given count "count" "of a loop: `runs` or `ticks`.";
    given max_runs "max-runs" "of a loop: how many runs it may begin in one tick.";
    given in_list "in" "of a `for-each`: the list, in braces.";
    given if_empty "if-empty" "of a `for-each`: what it answers without an item.";
    given then "then" "of `run-once`: `answer` or `skipped`.";
    given per "per" "of `limit`: `life` or `parent`.";
    given otherwise "else" "of `cooldown`: `failure` or `skipped`; of `on-change`: `skipped` or `running`.";
    given scope "scope" "of a `semaphore`: `agent`, `group` or `world`.";
    flag waits "wait" "of a `semaphore`: it waits for a place.";
    given event_value "value" "of an `emit`: the value of the only parameter of its event.";
    given interval "interval" "of a `service`: seconds between calls.";
    given jitter "jitter" "of `wait` and `service`: so many seconds more at most.";
}

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::vocabulary::{COMMON_PROPERTIES, GUARDS_AND_HOOKS, NODES, PLACED_PROPERTIES};
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_of_node_has_a_constructor() {
        let mut language: BTreeSet<&str> = NODES.iter().map(|node| node.name).collect();
        language.extend(["case", "default"]);
        let here: BTreeSet<&str> = WORDS.iter().copied().collect();
        assert_eq!(here, language);
        assert_eq!(here.len(), WORDS.len());
    }

    #[test]
    fn every_option_has_a_method() {
        let source = include_str!("words.rs");
        let of_nodes = NODES.iter().flat_map(|node| node.properties);
        let of_all = [COMMON_PROPERTIES, GUARDS_AND_HOOKS, PLACED_PROPERTIES].concat();
        for option in of_nodes.chain(&of_all) {
            let has = |shape: &str| {
                source.lines().any(|line| {
                    line.trim_start().starts_with(shape)
                        && line.contains(&format!(" \"{option}\" "))
                })
            };
            assert!(has("given ") || has("flag "), "`{option}=` has no method");
        }
    }
}

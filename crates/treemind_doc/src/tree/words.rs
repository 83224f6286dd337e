//! A constructor and a method of the builder for every kind of node, and a method for every option.
//!
//! It is made from the table of the language. To make it anew:
//! `UPDATE_EXPECTED=1 cargo test -p treemind_doc --lib tree::generated`.

// long: one line for every word of trees.

use super::macros::{functions, kinds, options};
use super::{Given, Node, TreeBuilder};

kinds! {
    valued condition "condition" "Asks the game a question.";
    valued action "action" "Has the game do something, in one tick or over many.";
    valued check "check" "Asks whether an expression over the blackboard is true.";
    valued set "set" "Writes to the blackboard.";
    valued unset "unset" "Removes the value of a key, or the items of a list.";
    valued wait "wait" "Lets time pass.";
    plain succeed "succeed" "Does nothing, and succeeds.";
    plain fail "fail" "Does nothing, and fails.";
    plain run "run" "Does nothing, and keeps running until something else takes over.";
    valued interrupt "interrupt" "Cuts off work elsewhere in the tree of the same agent: every running `interruptible` with its label.";
    valued_one service "service" "Has the game do something at intervals while its child runs, such as looking around twice a second.";
    valued_list node "node" "A composite or decorator that the game provides: it does something that no node of the language does, is written in Rust, and is used in documents like any other node.";
    valued changed "changed" "Has this key been written since I last asked?.";
    valued log "log" "Tells the game, or anyone who watches it, what is happening.";
    valued emit "emit" "Tells the game that something has happened, with the values that describe it.";
    valued received "received" "Has this event arrived since the agent's last tick?.";
    valued wait_for_event "wait-for-event" "Waits until an event arrives.";
    list sequence "sequence" "Runs its children in order: each one is finished before the next begins, and the first failure ends it.";
    list selector "selector" "Tries its children in order until one works: once a child has begun, the children before it are not asked again.";
    list sticky_sequence "sticky-sequence" "A sequence that does not repeat finished steps: after a failure, the next run begins at the step that failed.";
    list reactive_sequence "reactive-sequence" "Does something as long as its conditions hold: they come first, and are asked on every tick.";
    list reactive_selector "reactive-selector" "Runs the most important child that applies now, which takes over from any less important child.";
    list filter "filter" "A `reactive-sequence` whose name states its purpose: conditions first, then the work that they allow.";
    list monitor "monitor" "Watches conditions while it works: they are asked on every tick, wherever they are among its children; the work is done once.";
    list random_selector "random-selector" "Tries its children in random order, until one works.";
    list random_sequence "random-sequence" "Runs all its children in random order, unless one fails.";
    list weighted_selector "weighted-selector" "Tries its children in random order, drawn in proportion to their weights, until one works.";
    list if_then "if" "Asks a test once, then runs one branch or the other to its end. Children: test, then, and optionally else.";
    list reactive_if "reactive-if" "Runs one branch while the test holds and the other while it does not. Children: test, then, and optionally else.";
    list try_catch "try-catch" "Tries something, and cleans up when it fails. The last child cleans up; the children before it are a `sequence`.";
    list parallel "parallel" "Runs its children at the same time, until enough of them have ended.";
    list parallel_all "parallel-all" "Runs its children at the same time, waits until all have ended, and then counts the failures.";
    list simple_parallel "simple-parallel" "Runs a task, and something else beside it: walk there, and look around on the way.";
    valued_one semaphore "semaphore" "Holds one of a limited number of places while its child runs. The places may be a door, two path finders, or three positions around the player.";
    list utility_selector "utility-selector" "Gives each child a score, and runs the best one.";
    valued rate "rate" "Writes a score to a key: how strongly something speaks for it, from 0 to 1.";
    valued find "find" "Finds the best of several candidates, such as a place to hide, and writes it to a key.";
    valued run_network "policy" "Runs a small neural network, and writes what comes out of it to keys.";
    list rules "rules" "Does something at once whenever something comes to hold: for remarks and notes, beside what the character does.";
    valued subtree "subtree" "Runs another tree of the document in this place: write it once, use it wherever it fits.";
    valued subtree_by "subtree-by" "Runs another tree of the document in this place; a key says which. The choice can be made elsewhere and written to the key.";
    valued_list switch "switch" "Chooses a child by a value: each child has a case.";
    valued_one for_each "for-each" "Runs its child for each item of a list.";
    list local_keys "scope" "Gives its child keys of its own, which start at their defaults in each run; each key is a [`key`](super::key()) in front of the child.";
    valued machine "machine" "Runs a state machine of the document as a task, until it reaches one of its final states.";
    valued decide "decide" "Runs a decision tree of the document as a task: its tests lead down to one thing to do, and are asked again in every tick.";
    valued planner "planner" "Runs a planner of the document as a task: it chooses a goal, finds the steps that lead there, and carries them out.";
    one invert "invert" "Swaps success and failure.";
    one force_success "force-success" "Succeeds even when its child fails.";
    one force_failure "force-failure" "Fails even when its child succeeds, so that a `selector` moves on to its next child.";
    one run_once "run-once" "Runs its child once in the life of the agent.";
    valued_one limit "limit" "Limits how many times its child runs, in the life of the agent or in a run of the node above.";
    valued_one cooldown "cooldown" "Pauses after each run of its child, and fails during the pause.";
    valued_one timeout "timeout" "Limits how long its child may take: a child that takes longer is aborted, and the answer is failure.";
    valued_one delay "delay" "Waits before each run of its child.";
    valued_one chance "chance" "Runs its child with a given probability.";
    valued_one interruptible "interruptible" "Lets an `interrupt` cut off its child, from anywhere in the tree of the same agent.";
    valued_one on_change "on-change" "Runs its child whenever a key was written.";
    one forever "forever" "Runs its child again and again, one run per tick, whatever it answers.";
    valued_one repeat "repeat" "Runs its child a given number of times; a failure ends it; without end with [`FOREVER`](super::FOREVER).";
    valued_one retry "retry" "Runs its child until it works, at most a given number of times; without end with [`FOREVER`](super::FOREVER).";
    one until_failure "until-failure" "Runs its child again and again until it fails, and then succeeds.";
    one until_success "until-success" "Runs its child again and again until it works.";
    one keep_running_until_failure "keep-running-until-failure" "Runs its child for ever, one run per tick, until it fails.";
    valued_one case "case" "what a `switch` does at a value, or in a range; more values with `value`, a range with `Node::new(\"case\")`, `min` and `max`.";
    one default_case "default" "what a `switch` does when no `case` takes the value.";
    valued_list rule "rule" "what `rules` do when something comes to hold.";
    valued key "key" "a key; the values of an enumeration are a `Node::new(\"value\")` in it.";
    valued input "in" "a port that is read.";
    valued output "out" "a port that is written.";
    valued inout "inout" "a port that is read and written.";
}

pub(super) mod decisions {
    use super::{Given, Node, functions, kinds};

    functions! {
        valued_list test "test" "asks an expression.";
        valued_list range "range" "asks whether a value is between two numbers.";
        valued_list test_condition "test-condition" "asks a condition of the game.";
        valued_list switch "switch" "chooses by a value.";
        list random "random" "draws one of its options.";
        list best "best" "leads to the state with the highest score.";
        valued goto "goto" "leads to a branch.";
        plain none "none" "leads to nothing.";
        valued_list branch "branch" "a part that `goto` leads to.";
        list yes "yes" "where a test leads if it holds.";
        list no "no" "where a test leads if it does not hold.";
        valued_list option "option" "an option, with its weight in a draw, or its score in a `best`.";
        valued_list case "case" "where a `switch` leads at a value, or in a range; more values with `value`, a range with `Node::new(\"case\")`, `min` and `max`.";
        list default_case "default" "where a `switch` leads when no `case` takes the value.";
        valued_list state "state" "the state that a transition leads to.";
    }
}

options! {
    given name "name" "Shown in tools and traces; unique among its siblings.";
    given doc "doc" "What it is for, in a sentence for people.";
    flag disabled "disabled" "As if it were not there.";
    given allow "allow" "Codes of warnings, separated by spaces, that are not reported for this node and the nodes in it.";
    given fail_if "fail-if" "An expression: if it holds when the node is about to start, the answer is failure.";
    given succeed_if "succeed-if" "An expression: if it holds when the node is about to start, the answer is success.";
    given skip_if "skip-if" "An expression: if it holds when the node is about to start, it is as if the node were not there.";
    given when "when" "An expression: if it does not hold when the node is about to start, the answer is failure; of `rule`: an expression: the rule fires when it begins to hold.";
    given while_holds "while" "An expression, evaluated in every tick: if it does not hold, the node is aborted and gives the answer of `while-else`.";
    given while_else "while-else" "The answer of a node whose `while` does not hold.";
    given aborts "aborts" "Whether its `when` takes over from a lower sibling (`lower`), and also ends the node itself (`both`).";
    given on_success "on-success" "Statements after success; of `retry`: `continue`: a success is a run like any other. Statements are a hook as on any node, so a loop has one or the other.";
    given on_failure "on-failure" "Statements after failure; of `utility-selector`: `fail`: a child that fails ends it; `next`: the next best runs. Statements are a hook as on any node; of `repeat`: `continue`: a failure is a run like any other. Statements are a hook as on any node, so a loop has one or the other.";
    given on_abort "on-abort" "Statements when the node is cut off in the middle of a run; of `try-catch`: the last child is also ticked, once, when the first ones are aborted.";
    given on_end "on-end" "Statements after success or failure.";
    given on_fault "on-fault" "A key in braces, of type `string`: what went wrong in this node or below it, as a word such as `unset` or `overflow`.";
    given weight "weight" "Under a `weighted-selector`, its share of the draws; under a `utility-selector`, a factor of its score; of `rate`: the factor by which it is multiplied.";
    given score "score" "Under a `utility-selector`: an expression for the score of this child; considerations are a `Node::new(\"score\")` in it.";
    given gives "gives" "In a planner: statements about what this step achieves. They are for plans only, and are never carried out.";
    given cost "cost" "In a planner: an expression for what this step costs; 1 without it.";
    flag negated "not" "of `condition` and `test-condition`: swaps success and failure.";
    given jitter "jitter" "of `wait`: up to this many seconds are added, drawn uniformly at the start; an expression or a number; of `service`: up to this many seconds are added each time, drawn uniformly, so that not all agents call in the same tick.";
    given result "result" "of `interrupt`: the answer of each `interruptible` that it cuts off: `success` or `failure`.";
    given interval "interval" "of `service`: seconds between two calls, a `double` expression read at each call; 0 is every tick; of `key`: after how many seconds its sensor is asked again.";
    given event_value "value" "of `emit`: the value of an event that has one parameter: a literal, or an expression.";
    given to "to" "of `emit`: who receives it when the step ends: the agent itself (`self`), the others in its group or in the world (`group`, `world`), or the agent in a key (`\"{key}\"`).";
    given fitting "where" "of `received` and `wait-for-event`: which events it takes: an expression about the parameters, `event.NAME`, and the keys.";
    given yields "yields" "of `sequence`, `selector` and `sticky-sequence`: when it answers running between two children: `never`, `always` (one child per tick), `fresh` (after a child that began and ended in this tick); of `repeat`, `retry`, `until-failure` and `until-success`: when it answers running between two runs: `always` (one run per tick), `fresh` (after a run that began and ended in this tick), `never` (all runs in one tick; after `max-runs` it answers running, with a fault).";
    flag reset_on_abort "reset-on-abort" "of `sticky-sequence`: an abort forgets the place.";
    flag replacement "replacement" "of `random-selector`: draws among all children, one draw per tick, until one works; it never fails; of `random-sequence`: draws among all children, one draw per tick, until one fails; it never succeeds.";
    given success "success" "of `parallel`: how many successes make it succeed: `all`, `all-but-1` and so on, `one`, or a number from 1 to the number of children.";
    given failure "failure" "of `parallel`: how many failures make it fail, with the same values.";
    given skipped "skipped" "of `parallel`: `pending`: a child that is skipped has to succeed or fail later; `absent-even-all`: like `absent`, but if all children are skipped, the node succeeds, as in BehaviorTree.CPP.";
    given judged "check" "of `parallel`: when the thresholds are checked: after `each` child, so that later ones are no longer ticked, or at the `end` of the tick.";
    flag repeat_finished "repeat-finished" "of `parallel`: children that have ended are ticked again in the next tick; only the answers of the current tick count, and the node does not fail because `success` can no longer be met.";
    given max_failures "max-failures" "of `parallel-all`: this many failures make it fail; from 1 to the number of children.";
    given finish "finish" "of `simple-parallel`: what happens to the background when the task ends: it is aborted (`immediate`), or waited for (`delayed`).";
    given max "max" "of `semaphore`: how many places there are, a number from 1; other nodes with that name may leave it out or give the same number; of `find`: how many candidates it takes, up to 256: the first ones; of `case` and `range`: the greatest value that it takes.";
    given scope "scope" "of `semaphore`: who shares them: `agent`, the branches of one tree; `group`; `world`, all agents. Given once, it applies to all nodes with that name.";
    flag waits "wait" "of `semaphore`: answers running instead of failure as long as there is no place.";
    given for_whom "for" "of `semaphore`: who gets a free place: `first`, whoever has waited longest; `best`, whoever has the highest `bid`. `best` needs `scope=group` or `scope=world`. Given once, it applies to all nodes with that name.";
    given bid "bid" "of `semaphore`: with `for=best`, which requires it: an expression for what this node bids; with 0 or less it gets no place.";
    given hysteresis "hysteresis" "of `semaphore`: with `for=best`: by how much a bid has to exceed that of a holder, which then loses its place; a number from 0. Without it, nobody loses a place. Given once; of `utility-selector`: by how much another child has to exceed the running child, in units of the score; 0 or more; of `best`: by how much another score must exceed that of a state that is active.";
    given min_hold "min-hold" "of `semaphore`: with `hysteresis`: for so many seconds a holder cannot lose its place. Given once.";
    given policy "policy" "of `utility-selector`: Which child runs: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best; of `find`: which one is chosen: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best.";
    given top "top" "of `utility-selector`: From how many of the best children `policy=top` draws; of `find`: from how many of the best candidates `policy=top` draws.";
    flag reactive "reactive" "of `utility-selector`: reads the scores on every tick, even while a child runs.";
    given combine "combine" "of `rate`: how the considerations become one number.";
    flag compensate "compensate" "of `rate`: the factors of a product are raised, since a product of many numbers below 1 is small.";
    given in_list "in" "of `find`: where the candidates come from: a leaf that lists them, or a list in braces; of `for-each`: the list, in braces: `in=\"{spotted}\"`.";
    given into "into" "of `find`: the key that gets the best one, in braces; a list gets the best ones, as many as fit.";
    given per_tick "per-tick" "of `find`: how many candidates it looks at in one tick.";
    given fire "fire" "of `rules`: `first`: no other rule is looked at after one that has fired.";
    flag inherit "inherit" "of `subtree`: names that are not ports refer to the caller's keys; without it a tree sees its own keys and the document's; of `machine`, `decide` and `planner`: names that are not ports refer to the caller's keys.";
    given of "of" "of `subtree-by`: only these trees: `of=\"flee fight\"`.";
    flag once "once" "of `switch`: the choice is made at the start, and kept until the end.";
    given if_empty "if-empty" "of `for-each`: the answer when there is no item at the start: `success`, `failure` or `skipped`.";
    given max_runs "max-runs" "of `for-each`: after this many runs in one tick it answers running, with a fault, and continues in the next tick; the same happens when all loops of the agent together have gone back 100 000 times in the tick; of `repeat`, `retry`, `until-failure` and `until-success`: how many runs may end in one tick, a number from 1; all loops of an agent together go back 100 000 times in one tick at most.";
    flag even_running "even-running" "of `force-success` and `force-failure`: answers at once, in every tick, while the child keeps running.";
    given then "then" "of `run-once`: after the first end: `answer`, the same answer again, or `skipped`.";
    given per "per" "of `limit`: `parent`: counts within a run of the node directly above; the next run of that node begins at 0 again. Not allowed at the root of a tree, which has no node above.";
    given otherwise "else" "of `cooldown`: the answer while it is cooling: `failure` or `skipped`; of `on-change`: the answer if the key was not written: `skipped`, or `running`, to wait for a write.";
    given count "count" "of `repeat`: what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; after that many ticks a live child is aborted, and the answer is success; of `retry`: what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; after that many ticks a live child is aborted, and the answer is failure.";
    given min "min" "of `case` and `range`: the least value that it takes.";
    given rule_priority "priority" "of `rule`: rules with a higher number come first; of equals, those that are written first.";
    given cooldown_secs "cooldown" "of `rule`: for so many seconds after it has fired, it does not fire again.";
    flag again "again" "of `rule`: it fires again while its `when` goes on to hold.";
    given of_type "type" "of `key`, `in`, `out` and `inout`: the type of its value.";
    given default_value "default" "of `key`, `in`, `out` and `inout`: what it holds at first.";
    flag optional "optional" "of `key`, `in`, `out` and `inout`: it may hold nothing.";
    given list "list" "of `key`, `in`, `out` and `inout`: it is a list with room for this many items.";
    given merge "merge" "of `key`: for a shared key: what becomes of the values that several agents write in one tick.";
    given sensor "sensor" "of `key`: the sensor that computes it.";
    given timeout_secs "timeout" "of `random`: for how many seconds a draw is kept.";
    given timeout_ticks "timeout-ticks" "of `random`: for how many ticks a draw is kept.";
}

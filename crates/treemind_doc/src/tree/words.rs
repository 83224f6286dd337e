//! A constructor and a method of the builder for every kind of node, and a method for every option.
//!
//! It is made from the table of the language. To make it anew:
//! `UPDATE_EXPECTED=1 cargo test -p treemind_doc --lib tree::generated`.

// long: one line for every word of trees.

use super::macros::{kinds, options};
use super::{Given, Node, TreeBuilder};

kinds! {
    valued condition "condition" "Asks the game something.";
    valued action "action" "Has the game do something, now or over many ticks.";
    valued check "check" "Asks the blackboard something.";
    valued set "set" "Writes to the blackboard.";
    valued unset "unset" "Takes away what a key holds.";
    valued wait "wait" "Lets time pass.";
    plain succeed "succeed" "Does nothing, and that works.";
    plain fail "fail" "Does nothing, and that does not work.";
    plain run "run" "Does nothing, and goes on doing so, until something else takes over.";
    valued interrupt "interrupt" "Cuts off what runs elsewhere in the tree of the same agent: every `interruptible` of its label that is running.";
    valued_one service "service" "Has the game do something now and then while its child runs: look around twice a second, as long as this matters.";
    valued_list node "node" "A composite or decorator of the game's own: what no node of the language does is written in Rust, and stands in documents like the others.";
    valued changed "changed" "Has this key been written since I last asked?.";
    valued log "log" "Tells the game, or whoever looks on, what is going on.";
    valued emit "emit" "Tells the game that something has happened, with what there is to know about it.";
    list sequence "sequence" "One thing after the other; what is begun is finished, and the first failure ends it.";
    list selector "selector" "The first thing that works; once it is begun, nothing before it is asked again.";
    list sticky_sequence "sticky-sequence" "A list of steps that are not done twice: after a failure the next run begins at the step that failed.";
    list reactive_sequence "reactive-sequence" "Do this as long as that holds: conditions first, and they are asked on every tick.";
    list reactive_selector "reactive-selector" "The most important thing that applies now; it takes over from whatever runs below it.";
    list filter "filter" "A `reactive-sequence` whose name says: conditions first, then what they allow.";
    list monitor "monitor" "Work under watch: conditions are asked on every tick, wherever they stand; the work is done once.";
    list random_selector "random-selector" "Tries its children in an order that chance draws, until one works.";
    list random_sequence "random-sequence" "Does all its children, in an order that chance draws, unless one fails.";
    list weighted_selector "weighted-selector" "Tries its children in an order that chance draws in proportion to their weights, until one works.";
    list if_then "if" "Asks once, then does one thing or the other to its end. Children: test, then, and perhaps else.";
    list reactive_if "reactive-if" "Does one thing while the test holds and the other while it does not. Children: test, then, and perhaps else.";
    list try_catch "try-catch" "Tries something, and cleans up when it fails. The last child cleans up, those before it are a `sequence`.";
    list parallel "parallel" "Several things at the same time, until enough of them have ended.";
    list parallel_all "parallel-all" "Several things at the same time; it waits until all have ended, and judges then.";
    list simple_parallel "simple-parallel" "A task, and something that goes on beside it: walk there, and look around on the way.";
    valued_one semaphore "semaphore" "A place of something that there are only so many of, held while its child runs: a door, two path finders, three attackers around the player.";
    list utility_selector "utility-selector" "Does what there is most to be said for: each child has a score, and the best one runs.";
    valued subtree "subtree" "Another tree of the document, in this place: written once, used wherever it fits.";
    valued subtree_by "subtree-by" "Another tree of the document in this place, and a key says which: what a character does next may be decided elsewhere, and written down.";
    valued_list switch "switch" "Chooses by a value: one case for each thing to do.";
    valued_one for_each "for-each" "Does something for each item of a list.";
    list local_keys "scope" "Keys for one piece of work: its child's own, and fresh for each run; each key is a `Node::new(\"key\")` in front of the child.";
    valued machine "machine" "A state machine of the document, as a task: it runs until one of its final states is reached.";
    valued decide "decide" "A decision tree of the document, as a task: tests lead down to one thing to do, and they are asked afresh in every tick.";
    one invert "invert" "Turns an answer round.";
    one force_success "force-success" "Lets something fail without harm.";
    one force_failure "force-failure" "Does something on the way to the next choice.";
    one run_once "run-once" "Once in the life of the agent.";
    valued_one limit "limit" "At most so many times in the life of the agent, or in a run of the node above.";
    valued_one cooldown "cooldown" "Not again so soon: a pause after each run, in which it fails.";
    valued_one timeout "timeout" "Only so long: what takes longer is aborted, and has failed.";
    valued_one delay "delay" "A pause before each run.";
    valued_one chance "chance" "Sometimes: something happens with a probability.";
    valued_one interruptible "interruptible" "What is in it may be cut off by an `interrupt` from anywhere in the tree of the same agent.";
    valued_one on_change "on-change" "Something to do whenever a key was written.";
    valued_one repeat "repeat" "Does something so many times; a failure ends it; without end with [`FOREVER`](super::FOREVER).";
    valued_one retry "retry" "Tries something up to so many times, until it works; without end with [`FOREVER`](super::FOREVER).";
    one until_failure "until-failure" "Does something again and again until it fails, which is what is wanted.";
    one until_success "until-success" "Does something again and again until it works.";
    one keep_running_until_failure "keep-running-until-failure" "Goes on for ever, one run per tick, until it fails.";
    valued_one case "case" "what a `switch` does at a value, or in a range; more values with `value`, a range with `Node::new(\"case\")`, `min` and `max`.";
    one default_case "default" "what a `switch` does when no `case` takes the value.";
}

options! {
    given name "name" "Shown in tools and traces; unique among its siblings.";
    given doc "doc" "What it is for, in a sentence for people.";
    flag disabled "disabled" "As if it were not there.";
    given allow "allow" "Codes of warnings, with spaces between them, that are not told about this node and what stands in it.";
    given fail_if "fail-if" "An expression: when it holds as the node is about to start, the answer is failure.";
    given succeed_if "succeed-if" "An expression: when it holds as the node is about to start, the answer is success.";
    given skip_if "skip-if" "An expression: when it holds as the node is about to start, it is as if the node were not there.";
    given when "when" "An expression: when it does not hold as the node is about to start, the answer is failure.";
    given while_holds "while" "An expression, looked at in every tick: when it does not hold, the node is aborted and answers what `while-else` says.";
    given while_else "while-else" "What a node answers whose `while` does not hold.";
    given aborts "aborts" "Whether its `when` takes over from a lower sibling (`lower`), and also ends the node itself (`both`).";
    given on_success "on-success" "Statements after success; of `retry`: `continue`: a success is a run like any other. Statements are a hook as on any node, so there is either the one or the other.";
    given on_failure "on-failure" "Statements after failure; of `utility-selector`: `fail`: a child that fails ends it; `next`: the next best runs. Statements are a hook as on any node; of `repeat`: `continue`: a failure is a run like any other. Statements are a hook as on any node, so there is either the one or the other.";
    given on_abort "on-abort" "Statements when the node is cut off in the middle of a run; of `try-catch`: the last child is also ticked, once, when the first ones are aborted.";
    given on_end "on-end" "Statements after success or failure.";
    given weight "weight" "Under a `weighted-selector` its share of the draws, under a `utility-selector` a factor of its score.";
    given score "score" "Under a `utility-selector`: an expression for what speaks for this child; considerations are a `Node::new(\"score\")` in it.";
    flag negated "not" "of `condition`: success and failure change places.";
    given jitter "jitter" "of `wait`: so many seconds at most are added, drawn evenly at the start; an expression or a number; of `service`: so many seconds at most are added each time, drawn evenly, so that not all agents call in the same tick.";
    given result "result" "of `interrupt`: what is cut off answers: `success` or `failure`.";
    given interval "interval" "of `service`: seconds between two calls, a `double` expression read at each call; 0 is every tick.";
    given event_value "value" "of `emit`: the value of an event that has one parameter: a literal, or an expression.";
    given yields "yields" "of `sequence`, `selector` and `sticky-sequence`: when it answers running between two children: `never`, `always` (one child per tick), `fresh` (after a child that began and ended in this tick); of `repeat`, `retry`, `until-failure` and `until-success`: when it answers running between two runs: `always` (one run per tick), `fresh` (after a run that began and ended in this tick), `never` (all runs in one tick; after `max-runs` it answers running, with a fault).";
    flag reset_on_abort "reset-on-abort" "of `sticky-sequence`: an abort forgets the place.";
    flag replacement "replacement" "of `random-selector`: draws among all children, one draw per tick, until one works; it never fails; of `random-sequence`: draws among all children, one draw per tick, until one fails; it never succeeds.";
    given success "success" "of `parallel`: how many successes make it succeed: `all`, `one`, a number from 1 to that of the children.";
    given failure "failure" "of `parallel`: how many failures make it fail, likewise.";
    given skipped "skipped" "of `parallel`: `pending`: a child that is skipped has to succeed or fail later; `absent-even-all`: as `absent`, but when all are skipped it succeeds, as in BehaviorTree.CPP.";
    given judged "check" "of `parallel`: when the thresholds are looked at: after `each` child, so that later ones are not ticked any more, or at the `end` of the tick.";
    flag repeat_finished "repeat-finished" "of `parallel`: children that have ended are ticked again in the next tick; only the answers of this tick count, and that `success` can no longer be met does not matter.";
    given max_failures "max-failures" "of `parallel-all`: so many failures make it fail; from 1 to the number of children.";
    given finish "finish" "of `simple-parallel`: what happens to the background when the task ends: it is aborted (`immediate`), or waited for (`delayed`).";
    given max "max" "of `semaphore`: how many places there are, a number from 1; other nodes of that name may leave it out or say the same; of `case`: the greatest value that it takes.";
    given scope "scope" "of `semaphore`: who shares them: `agent`, the branches of one tree; `group`; `world`, all agents. Said once it holds for all nodes of that name.";
    flag waits "wait" "of `semaphore`: running instead of failure as long as there is no place.";
    given policy "policy" "of `utility-selector`: Which child runs: the one with the best score, one that is drawn in proportion to the scores, or one of the `top` best.";
    given top "top" "of `utility-selector`: Among how many of the best `policy=top` draws.";
    given hysteresis "hysteresis" "of `utility-selector`: by how much others have to exceed the child that runs, in units of the score; 0 or more.";
    flag reactive "reactive" "of `utility-selector`: looks at the scores on every tick, also while a child runs.";
    flag inherit "inherit" "of `subtree`: names that are not ports mean the caller's keys; without it a tree sees its own keys and the document's; of `machine` and `decide`: names that are not ports mean the caller's keys.";
    given of "of" "of `subtree-by`: only these trees: `of=\"flee fight\"`.";
    flag once "once" "of `switch`: the choice is made when it starts and kept to the end.";
    given in_list "in" "of `for-each`: the list, in braces: `in=\"{spotted}\"`.";
    given if_empty "if-empty" "of `for-each`: the answer when there is no item at the start: `success`, `failure` or `skipped`.";
    given max_runs "max-runs" "of `for-each`: after so many runs in one tick it answers running, with a fault, and goes on in the next; so it does when all loops of the agent together have gone back 100 000 times in the tick; of `repeat`, `retry`, `until-failure` and `until-success`: how many runs may end in one tick, a number from 1; all loops of an agent together go back 100 000 times in one tick at most.";
    flag even_running "even-running" "of `force-success` and `force-failure`: answers at once, in every tick, while the child goes on.";
    given then "then" "of `run-once`: after the first end: `answer` as then, or `skipped`.";
    given per "per" "of `limit`: `parent`: in a run of the node right above; the next run of that one begins at 0 again. Not at the root of a tree, where nothing is above.";
    given otherwise "else" "of `cooldown`: the answer while it is cooling: `failure` or `skipped`; of `on-change`: the answer when it was not written: `skipped`, or `running`, which waits for it.";
    given count "count" "of `repeat`: what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; when those are over a live child is aborted, and that is success; of `retry`: what the number counts: `runs` of the child that have ended, or `ticks` that reached the loop; when those are over a live child is aborted, and that is failure.";
    given min "min" "of `case`: the least value that it takes.";
}

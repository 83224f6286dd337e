//! State machines declared in code are the same as those in documents.

use super::code_trees::{DECLARED, declared};
use treemind_doc::tree::{self, Node};
use treemind_doc::{Document, outline};

/// Checks that a machine in code is the same as one in a document.
fn same_machine(machine: Node, written: &str) {
    let declared = declared().event("noise").machine("m", machine);
    let built = match tree::machine("m").behaviour("t", &declared) {
        Ok(built) => built,
        Err(error) => panic!("{error}"),
    };
    let text = format!(
        "leaves {{ event noise; }} {DECLARED} machine m {written}; tree t {{ machine m; }}"
    );
    let read = Document::parse(&text, "whole.kdl").behaviour(Some("t"));
    let read = read.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(outline(&built), outline(&read));
    assert_eq!(built.nodes(), read.nodes(), "{written}");
}

#[test]
fn every_part_of_a_machine_is_what_it_is_in_a_document() {
    use treemind_doc::tree::states::{self, state};
    same_machine(
        states::machine([
            states::initial("work"),
            states::transition_to("rest")
                .reenter()
                .priority(2)
                .tests(states::all([
                    tree::condition("see-enemy").negated(),
                    states::any([tree::condition("see-enemy"), tree::check("health < 5")]),
                    states::not(tree::condition("see-enemy")),
                ]))
                .child(tree::set("ammo = 0")),
            states::push("rest").when("ammo < 1"),
            state(
                "work",
                [
                    states::initial("dig").history("deep"),
                    states::entry([tree::set("ammo += 1"), tree::log("works")]),
                    states::exit([tree::set("ammo -= 1")]),
                    states::activity(tree::action("patrol")),
                    states::transition_to("fill").local().when("ammo > 3"),
                    state("dig", [states::transition_to("fill").after(2.5)]),
                    state("fill", [states::transition().done("any")]),
                ],
            )
            .enter_if("health > 0"),
            states::parallel(
                "rest",
                [
                    state("legs", [states::pop().when("health > 90")]),
                    state("eyes", [states::transition_to("over").after("health / 10")]),
                ],
            ),
            states::final_state("over").result("failure"),
        ]),
        r#"{
            initial work
            transition to=rest reenter=#true priority=2 {
                when { all { condition see-enemy not=#true; any { condition see-enemy; check "health < 5"; }; not { condition see-enemy; }; }; }
                set "ammo = 0"
            }
            transition push=rest when="ammo < 1"
            state work enter-if="health > 0" {
                initial dig history=deep
                entry { set "ammo += 1"; log "works"; }
                exit { set "ammo -= 1"; }
                do { action patrol; }
                transition to=fill kind=local when="ammo > 3"
                state dig { transition to=fill after=2.5; }
                state fill { transition done=any; }
            }
            parallel rest {
                state legs { transition pop=#true when="health > 90"; }
                state eyes { transition to=over after="health / 10"; }
            }
            state over final=#true result=failure
        }"#,
    );
    let written = "{ initial a; state a { transition to=b on=\"*\"; }; state b { transition to=a on=noise; }; }";
    let parts = || {
        [
            states::initial("a"),
            state("a", [states::transition_to("b").on("*")]),
            state("b", [states::transition_to("a").on("noise")]),
        ]
    };
    same_machine(states::machine(parts()), written);
    let statechart = states::machine(parts()).statechart();
    same_machine(statechart, &format!("mode=statechart {written}"));
    same_machine(
        states::machine([
            states::initial("a"),
            state(
                "a",
                [states::defer("noise"), states::transition().on("noise")],
            ),
        ]),
        "{ initial a; state a { defer noise; transition on=noise; }; }",
    );
}

#[test]
fn what_is_wrong_with_a_machine_is_said_of_its_part() {
    use treemind_doc::tree::states::{self, state};
    let error = |parts: Vec<Node>| {
        let mut all = vec![
            states::initial("a"),
            state("b", [states::transition_to("a")]),
        ];
        all.extend(parts);
        let declared = declared().machine("m", states::machine(all));
        tree::machine("m")
            .behaviour("t", &declared)
            .unwrap_err()
            .to_string()
    };
    let of_a = |part: Node| {
        error(vec![state(
            "a",
            [part, states::transition_to("b").when("ammo > 1")],
        )])
    };
    let begins = |error: String, path: &str| assert!(error.starts_with(path), "{error}");
    begins(
        of_a(states::transition_to("c").when("ammo > 2")),
        "m > a > transition to=c: ",
    );
    begins(
        of_a(states::push("b").when("amo > 2")),
        "m > a > transition push=b: ",
    );
    begins(
        of_a(states::entry([tree::action("atack")])),
        "m > a > entry > atack: ",
    );
    begins(of_a(states::initial("nowhere")), "m > a > initial: ");
    begins(error(vec![state("a", []), state("a", [])]), "m > a: ");
    begins(
        of_a(states::transition_to("b").tests(tree::wait(1.0))),
        "m > a > transition to=b > when > wait: ",
    );
}

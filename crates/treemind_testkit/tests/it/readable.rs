//! The view of a state for people has what the queries say, and is the same after a restore.

use std::sync::Arc;
use treemind_core::behaviour::Scope;
use treemind_core::{Kind, Population, Program, Readable};
use treemind_testkit::compare::{Meddler, case_of_seed, resumed};

/// The entries of an agent's nodes.
fn nodes(agent: &Readable) -> &[Readable] {
    agent.get("nodes").map_or(&[], Readable::items)
}

fn text(of: &Readable, name: &str) -> String {
    of.get(name).map_or_else(String::new, ToString::to_string)
}

#[test]
fn every_key_run_and_state_is_shown() {
    let [mut runs, mut states] = [0; 2];
    for seed in 0..super::cases(2_000, 80) {
        let case = case_of_seed(seed, [1, 3, 66][seed as usize % 3], 8);
        let program = Arc::new(Program::new(case.behaviour().expect("the parts fit")));
        let mut population = Population::new(Arc::clone(&program), case.agents);
        let behaviour = program.behaviour();
        let mut host = Meddler::new(&case, behaviour);
        for step in &case.steps {
            population.tick(&mut host, step.dt);
            let shown = population.readable();
            let json = shown.to_json();
            assert!(
                resumed(&population).readable().to_json() == json,
                "seed {seed}"
            );
            serde_json::from_str::<serde_json::Value>(&json).expect("it is JSON");
            let living = (0..population.len()).filter(|agent| population.is_alive(*agent));
            let agents = shown.get("agents").expect("it has agents").items();
            assert_eq!(agents.len(), living.clone().count(), "seed {seed}");
            for (agent, shown) in living.zip(agents) {
                let own = behaviour.keys().iter();
                for key in own.filter(|key| key.scope == Scope::Agent) {
                    let keys = shown.get("keys").expect("it has keys");
                    assert!(keys.get(&key.name).is_some(), "seed {seed}: {}", key.name);
                }
                for node in population.running(agent) {
                    let leaf = behaviour.node(node).kind.leaf().expect("it runs a leaf");
                    let leaf = &behaviour.leaf(leaf).name;
                    let is_shown = |one: &Readable| {
                        text(one, "leaf") == *leaf && one.get("runs") == Some(&Readable::Bool(true))
                    };
                    assert!(
                        nodes(shown).iter().any(is_shown),
                        "seed {seed}: {leaf}\n{shown}"
                    );
                    runs += 1;
                }
                for node in behaviour.node_ids() {
                    let Kind::Machine(machine) = &behaviour.node(node).kind else {
                        continue;
                    };
                    for state in 1..machine.states.len() {
                        let path = machine.path(state).join(".");
                        let is_shown = |one: &Readable| {
                            let states = one.get("states").map_or(&[][..], Readable::items);
                            states.contains(&Readable::Text(path.clone()))
                        };
                        if population.is_in(agent, node, state) {
                            assert!(nodes(shown).iter().any(is_shown), "seed {seed}: {path}");
                            states += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(runs > 1_000 && states > 100, "{runs} runs, {states} states");
}

//! Machines and decision trees with mistakes in every place.

use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Population, Program};
use treemind_doc::{Code, Document, dot, mermaid, outline};

/// No text causes a panic, and every document without errors can be built and run.
fn survives(text: &[u8]) {
    let document = Document::read(text, "cut.kdl");
    if document.has_errors() {
        return;
    }
    let trees = document.trees().iter();
    let trees = trees.map(|tree| document.behaviour(Some(tree.name())));
    let machines = document.machines().iter();
    let machines = machines.map(|machine| document.machine(machine.name()));
    let decisions = document.decisions().iter();
    let decisions = decisions.map(|decision| document.decision(decision.name()));
    for behaviour in trees.chain(machines).chain(decisions) {
        match behaviour {
            Ok(behaviour) => {
                let _ = (outline(&behaviour), mermaid(&behaviour), dot(&behaviour));
                let mut host = Scripted::new(&behaviour, 1);
                let program = Arc::new(Program::new(behaviour));
                let mut population = Population::new(program, 1);
                for _ in 0..4 {
                    population.tick(&mut host, Duration::from_millis(500));
                }
            }
            Err(refusal) => assert_ne!(refusal[0].code(), Code::Internal, "{}", refusal.to_plain()),
        }
    }
}

/// Random numbers, always the same.
fn noise(length: usize, seed: u64) -> Vec<usize> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let step = || {
        x = x
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (x >> 40) as usize
    };
    std::iter::repeat_with(step).take(length).collect()
}

#[test]
fn machines_with_one_byte_more_or_less() {
    for name in ["robot.kdl", "machines.kdl", "decisions.kdl"] {
        let text = super::good(name).into_bytes();
        for at in (0..text.len()).step_by(3) {
            let mut less = text.clone();
            less.remove(at);
            let mut more = text.clone();
            more.insert(at, text[at]);
            let mut changed = vec![less, more];
            for sign in [b'"', b'{', b'}', b'.', b' ', b'a'] {
                let mut other = text.clone();
                other[at] = sign;
                changed.push(other);
            }
            let tried = (at / 3..).zip(changed);
            for (_, text) in tried.filter(|(case, _)| super::is_tried(*case)) {
                survives(&text);
            }
        }
    }
}

#[test]
fn machines_with_parts_moved_about() {
    for name in ["robot.kdl", "machines.kdl", "decisions.kdl"] {
        let text = super::good(name);
        // Whole lines and blocks, so that many of the results have no errors.
        let parts: Vec<&str> = text.split_inclusive(['\n', ';']).collect();
        let words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '=']).collect();
        for seed in 0..super::cases(3_000) as u64 {
            let mut moved = if seed % 2 == 0 {
                parts.clone()
            } else {
                words.clone()
            };
            let draws = noise(9, seed);
            for step in draws.chunks(3) {
                let (from, to) = (step[0] % moved.len(), step[1] % moved.len());
                let part = moved[from];
                match step[2] % 3 {
                    0 => moved.insert(to, part),
                    1 => drop(moved.remove(from)),
                    _ => moved[to] = part,
                }
            }
            survives(moved.concat().as_bytes());
        }
    }
}

//! What minds that weigh and remark cost: `rules`, `find` and `policy`, beside the same by hand.

use crate::measure::repeated_on;
use crate::planners::Figure;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use treemind::Document;
use treemind::core::host::Columns;
use treemind::doc::Format;
use treemind::population::{Population, Program};

const RULES: usize = 20;
const CANDIDATES: usize = 64;
/// Inputs, hidden units and outputs of the network.
const NETWORK: [usize; 3] = [16, 32, 4];

const CROWD: usize = 100_000;
const SEEKERS: usize = 10_000;

/// Rules about one number, none of which fires.
fn rules() -> String {
    let rules = (0..RULES).fold(String::new(), |all, rule| {
        all + &format!("rule r{rule} when=\"health < {rule}\" {{ set \"said += 1\"; }}\n")
    });
    format!(
        "blackboard {{ key health type=float default=100.0; key said type=int; }}\ntree t {{ rules {{ {rules} }}; }}\n"
    )
}

/// A search among candidates that are known: those that are near, and of these the nearest.
fn seek() -> String {
    let spots = (0..CANDIDATES).fold(String::new(), |all, spot| {
        let (x, y) = place(spot);
        all + &format!(" \"{x:?},{y:?}\"")
    });
    format!(
        "blackboard {{
    key spots type=vec2 list={CANDIDATES} {{ default{spots}; }}
    key pos type=vec2
    key spot type=vec2 optional=#true
}}
tree t {{
    find place in=\"{{spots}}\" into=\"{{spot}}\" {{
        keep \"distance(place, pos) < 25\"
        score \"1 - distance(place, pos) / 25\"
    }}
}}
"
    )
}

fn place(spot: usize) -> (f32, f32) {
    (
        (spot % 8) as f32 * 4.0 + 0.5,
        (spot / 8) as f32 * 5.0 + 0.25,
    )
}

/// A weight of the network, by its number.
fn weight(number: usize) -> f32 {
    ((number * 37 + 11) % 64) as f32 / 64.0 - 0.5
}

/// The file of the weights.
fn weights() -> String {
    let mut text = format!("inputs {}\n", NETWORK[0]);
    let mut number = 0;
    for (layer, kind) in [(1, "relu"), (2, "identity")] {
        let _ = writeln!(text, "layer {} {kind}", NETWORK[layer]);
        for _ in 0..NETWORK[layer] {
            for _ in 0..=NETWORK[layer - 1] {
                let _ = write!(text, "{} ", weight(number));
                number += 1;
            }
            text.push('\n');
        }
    }
    text
}

fn brain() -> String {
    let names = |count: usize, each: &dyn Fn(usize) -> String| {
        (0..count).fold(String::new(), |all, one| all + &each(one))
    };
    let keys = names(NETWORK[0], &|one| {
        format!("key in{one} type=float default=0.{one}; ")
    });
    let outs = names(NETWORK[2], &|one| format!("key out{one} type=float; "));
    let inputs = names(NETWORK[0], &|one| format!("in \"in{one}\"; "));
    let outputs = names(NETWORK[2], &|one| format!("out o{one}; "));
    let given = names(NETWORK[2], &|one| format!(" o{one}=\"{{out{one}}}\""));
    format!(
        "blackboard {{ {keys} {outs} }}\nnetwork brain from=\"brain.weights\" {{ {inputs} {outputs} }}\ntree t {{ policy brain{given}; }}\n"
    )
}

/// Nanoseconds of a tick of a document for each of some agents.
fn ticked(text: &str, agents: usize) -> f64 {
    let load = |_: &str| Ok::<_, String>(weights().into_bytes());
    let document = Document::read_as_with(text.as_bytes(), "minds.kdl", Format::Kdl, load);
    let behaviour = document.behaviour(None).expect("it has no errors");
    let host = Columns::new(&behaviour, agents);
    let population = Population::new(Arc::new(Program::new(behaviour)), agents);
    let game = RefCell::new((population, host));
    let tick = || {
        let (population, host) = &mut *game.borrow_mut();
        host.clear();
        population.tick(host, Duration::from_millis(16));
    };
    (0..3).for_each(|_| tick());
    repeated_on(|| (), |()| tick()) * 1e9 / agents as f64
}

/// Nanoseconds of work by hand for each of some agents.
fn by_hand(agents: usize, mut work: impl FnMut()) -> f64 {
    let work = RefCell::new(&mut work);
    repeated_on(|| (), |()| (work.borrow_mut())()) * 1e9 / agents as f64
}

/// The same rules as loops over columns.
fn rules_by_hand() -> f64 {
    let health = vec![100.0_f32; CROWD];
    let mut held = vec![0_u32; CROWD];
    let mut said = vec![0_i64; CROWD];
    by_hand(CROWD, || {
        for ((health, held), said) in black_box(&health).iter().zip(&mut held).zip(&mut said) {
            let holds = (0..RULES).fold(0, |all, rule| {
                all | u32::from(*health < rule as f32) << rule
            });
            *said += i64::from((holds & !*held).count_ones());
            *held = holds;
        }
    })
}

/// The same search as a loop over the candidates of each agent.
fn seek_by_hand() -> f64 {
    let spots: Vec<[f32; 2]> = (0..SEEKERS * CANDIDATES)
        .map(|spot| place(spot % CANDIDATES).into())
        .collect();
    let agents = vec![[0.0_f32; 2]; SEEKERS];
    let mut found = vec![None; SEEKERS];
    by_hand(SEEKERS, || {
        let spots = black_box(&spots).chunks(CANDIDATES);
        for ((spots, pos), found) in spots.zip(&agents).zip(&mut found) {
            let mut best = 0.0;
            for spot in spots {
                let (x, y) = (spot[0] - pos[0], spot[1] - pos[1]);
                let far = (x * x + y * y).sqrt();
                let score = 1.0 - far / 25.0;
                if far < 25.0 && score > best {
                    best = score;
                    *found = Some(*spot);
                }
            }
        }
    })
}

/// The same network, agent by agent.
fn brain_by_hand() -> f64 {
    let mut number = 0..;
    let mut layer = |from: usize, to: usize| -> Vec<Vec<f32>> {
        let unit = |_| number.by_ref().take(from + 1).map(weight).collect();
        (0..to).map(unit).collect()
    };
    let first = layer(NETWORK[0], NETWORK[1]);
    let second = layer(NETWORK[1], NETWORK[2]);
    let inputs = vec![[0.5_f32; NETWORK[0]]; CROWD];
    let mut outputs = vec![[0.0_f32; NETWORK[2]]; CROWD];
    let sum = |unit: &[f32], from: &[f32]| {
        let products = unit[1..].iter().zip(from);
        products.fold(unit[0], |sum, (weight, value)| sum + weight * value)
    };
    by_hand(CROWD, || {
        for (inputs, outputs) in black_box(&inputs).iter().zip(&mut outputs) {
            let mut hidden = [0.0; NETWORK[1]];
            for (hidden, unit) in hidden.iter_mut().zip(&first) {
                *hidden = sum(unit, inputs).max(0.0);
            }
            for (output, unit) in outputs.iter_mut().zip(&second) {
                *output = sum(unit, &hidden);
            }
        }
    })
}

/// Measures minds; `tell` hears what is measured.
pub(crate) fn measure(tell: &dyn Fn(&str)) -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut add = |what: &str, nanos: f64, wanted| {
        let found = match nanos {
            0.0..1_000.0 => format!("{nanos:.2} ns"),
            _ => format!("{:.2} µs", nanos / 1e3),
        };
        tell(&format!("{what}: {found}"));
        let what = what.to_owned();
        figures.push(Figure {
            what,
            found,
            wanted,
        });
    };
    add(
        "`rules`, 20 rules, nobody fires",
        ticked(&rules(), CROWD),
        "3 ns",
    );
    add("the same by hand", rules_by_hand(), "");
    add(
        "`find`, 64 candidates of a list",
        ticked(&seek(), SEEKERS),
        "1 µs",
    );
    add("the same by hand", seek_by_hand(), "");
    add("`policy`, 16-32-4", ticked(&brain(), CROWD), "120 ns");
    add("the same by hand", brain_by_hand(), "");
    figures
}

//! The page about utility: its plots, and its watchman. `UPDATE_EXPECTED=1` redraws the plots.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use treemind_core::host::Scripted;
use treemind_core::{Behaviour, Curve, Event, Population, Program, Status, Trace, Value};
use treemind_doc::Document;
use treemind_testkit::random::Random;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The lines of a plot: a curve, and its label.
type Plot = (&'static str, Vec<(Curve, &'static str)>);

fn plots() -> Vec<Plot> {
    let linear = |slope, offset| Curve::Linear { slope, offset };
    let power = |exponent| Curve::Power { exponent };
    let logistic = |mid, steep| Curve::Logistic { mid, steep };
    let exponential = |steep| Curve::Exponential { steep };
    vec![
        (
            "linear",
            vec![
                (linear(1.0, 0.0), "slope=1"),
                (linear(-1.0, 1.0), "slope=-1 offset=1"),
                (linear(2.0, -0.5), "slope=2 offset=-0.5"),
            ],
        ),
        (
            "power",
            vec![
                (power(0.5), "exponent=0.5"),
                (power(2.0), "exponent=2"),
                (power(4.0), "exponent=4"),
            ],
        ),
        (
            "logistic",
            vec![
                (logistic(0.5, 10.0), "mid=0.5 steep=10"),
                (logistic(0.7, 30.0), "mid=0.7 steep=30"),
                (logistic(0.4, -10.0), "mid=0.4 steep=-10"),
            ],
        ),
        (
            "exponential",
            vec![
                (exponential(2.0), "steep=2"),
                (exponential(6.0), "steep=6"),
                (exponential(-4.0), "steep=-4"),
            ],
        ),
        ("step", vec![(Curve::Step { at: 0.5 }, "at=0.5")]),
        (
            "points",
            vec![(
                Curve::Points(vec![[0.2, 0.0], [0.4, 0.7], [0.6, 0.7], [0.9, 0.0]]),
                "0.2 0, 0.4 0.7, 0.6 0.7, 0.9 0",
            )],
        ),
    ]
}

const COLOURS: [&str; 3] = ["#2563eb", "#dc2626", "#059669"];

/// A plot, 0 to 1 in both directions, on 200 × 200 of 240 × 270 points.
fn svg(name: &str, lines: &[(Curve, &str)]) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 240 270\" width=\"240\" height=\"270\" font-family=\"sans-serif\" font-size=\"11\">\n<title>The curve {name}</title>\n<rect width=\"240\" height=\"270\" fill=\"#ffffff\"/>\n"
    );
    for step in 0..=4 {
        let at = 50 * step;
        let _ = writeln!(
            out,
            "<path d=\"M{x} 10V210M25 {y}H225\" stroke=\"#e5e7eb\"/>",
            x = 25 + at,
            y = 10 + at
        );
    }
    out.push_str("<text x=\"12\" y=\"14\">1</text><text x=\"12\" y=\"213\">0</text><text x=\"220\" y=\"222\">1</text>\n");
    for ((curve, label), (row, colour)) in lines.iter().zip((0..).zip(COLOURS)) {
        let mut path = String::new();
        for step in 0..=200 {
            let x = f64::from(step) / 200.0;
            let sign = if step == 0 { 'M' } else { 'L' };
            let _ = write!(
                path,
                "{sign}{} {:.1}",
                25 + step,
                210.0 - 200.0 * curve.value(x)
            );
        }
        let y = 232 + 14 * row;
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n<path d=\"M25 {line}h16\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"46\" y=\"{y}\">{label}</text>",
            line = y - 4
        );
    }
    out.push_str("</svg>\n");
    out
}

#[test]
fn the_plots_show_the_curves_as_they_are() {
    let folder = docs().join("curves");
    let page = fs::read_to_string(docs().join("utility.md")).expect("the page can be read");
    let mut expected = Vec::new();
    for (name, lines) in plots() {
        for (curve, _) in &lines {
            assert_eq!(curve.name(), name);
        }
        let file = format!("{name}.svg");
        assert!(
            page.contains(&format!("(curves/{file})")),
            "{file} is not shown"
        );
        let drawn = svg(name, &lines);
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(folder.join(&file), &drawn).expect("the plot can be written");
        }
        let stored = fs::read_to_string(folder.join(&file)).unwrap_or_default();
        assert!(
            stored == drawn,
            "{file} is old; UPDATE_EXPECTED=1 draws it anew"
        );
        expected.push(file);
    }
    let files = fs::read_dir(folder).expect("there is a folder of plots");
    for file in files {
        let name = file.expect("it can be listed").file_name();
        let name = name.to_string_lossy().into_owned();
        assert!(expected.contains(&name), "{name} shows no curve");
    }
}

/// The document of the page, with another hysteresis.
fn watchman(hysteresis: &str) -> Behaviour {
    let page = fs::read_to_string(docs().join("utility.md")).expect("the page can be read");
    let (_, text) = page
        .split_once("```kdl\n")
        .expect("the page shows a document");
    let (text, _) = text.split_once("```").expect("the document ends");
    assert!(text.contains("hysteresis=0.25"));
    let text = text.replace("hysteresis=0.25", &format!("hysteresis={hysteresis}"));
    let document = Document::parse(&text, "watchman.kdl");
    document.behaviour(None).expect("it is a sound document")
}

/// How often each of the three actions was begun in 10 000 ticks. A stranger comes and goes, there and back in 1
/// 000 ticks; his apparent distance varies by a metre.
fn begun(hysteresis: &str) -> [usize; 3] {
    let behaviour = watchman(hysteresis);
    let actions = ["chase", "shout", "patrol"];
    let mut host = Scripted::new(&behaviour, 1);
    for action in actions {
        assert!(host.set_all(action, &[Status::Running]));
    }
    let keys = behaviour.keys();
    let distance = keys.iter().position(|key| key.name == "distance");
    let distance = treemind_core::KeyId::new(distance.expect("there is such a key"));
    let mut population = Population::new(Arc::new(Program::new(behaviour.clone())), 1);
    let mut random = Random::new(1);
    let mut trace = Trace::new();
    let mut begun = [0; 3];
    for tick in 0..10_000i32 {
        let way = f64::from((tick % 1_000 - 500).abs()) / 500.0;
        let noise = random.below(2_001) as f64 / 1_000.0 - 1.0;
        let metres = (1.0 + 19.0 * way + noise).max(0.0) as f32;
        let written = population.set(0, distance, Value::Float(metres));
        written.expect("distances are floats");
        trace.clear();
        population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
        for (node, event) in trace.agent(0) {
            let label = behaviour.label(node);
            if let Some(action) = actions.iter().position(|action| *action == label)
                && event == Event::Start
            {
                begun[action] += 1;
            }
        }
    }
    assert_eq!(population.faults().total(), 0);
    begun
}

#[test]
fn the_watchman_neither_flickers_nor_freezes() {
    let [with, without] = [begun("0.25"), begun("0.0")];
    // Ten times there and back: without the variation, four changes each time.
    assert!(
        with.iter().all(|begun| (10..=40).contains(begun)),
        "{with:?}"
    );
    let [sum, sum_without] = [with, without].map(|begun| begun.iter().sum::<usize>());
    assert!(sum * 3 < sum_without, "{with:?} and {without:?}");
    // The numbers on the page.
    let page = fs::read_to_string(docs().join("utility.md")).expect("the page can be read");
    let said = format!(
        "something new {sum} times in 10 000 ticks; without hysteresis, {sum_without} times"
    );
    assert!(page.contains(&said), "the page does not say: {said}");
    // A hysteresis that demands too much of the others gets stuck.
    assert!(begun("1.5").iter().sum::<usize>() < 10);
}

#[test]
fn scores_are_in_the_trace_and_nowhere_else() {
    let behaviour = watchman("0.25");
    let mut host = Scripted::new(&behaviour, 1);
    let mut population = Population::new(Arc::new(Program::new(behaviour.clone())), 1);
    let mut trace = Trace::new();
    population.tick_traced(&mut host, Duration::from_millis(100), &mut trace);
    let scores: Vec<(String, f32)> = trace
        .agent(0)
        .filter_map(|(node, event)| match event {
            Event::Score(bits) => Some((behaviour.label(node).to_owned(), f32::from_bits(bits))),
            _ => None,
        })
        .collect();
    let [(chase, low), (shout, none), (patrol, some)] = &scores[..] else {
        panic!("{scores:?}");
    };
    assert_eq!([chase, shout, patrol], ["chase", "shout", "patrol"]);
    assert!(*low > 0.0 && *low < 0.001, "{low}");
    assert_eq!((*none, *some), (0.0, 0.3));
}

//! Random statecharts that both languages can express, as text in each: KDL and SCXML.
//!
//! Features that only one language has are left out: priorities, stacks, `enter-if`, host conditions and activities
//! of KDL; event data, `done.state` events and content of initial transitions of SCXML. Every eventless transition,
//! and every transition for an event that the chart raises itself, counts down a budget, so that all charts come to
//! rest.

use crate::random::Random;
use std::fmt::Write as _;

/// The events that are sent to a chart, and those that it raises itself.
pub const TOLD: [&str; 5] = ["go", "door", "door.opened", "door.closed", "refill"];
const RAISED: [&str; 2] = ["inner", "inner.most"];

/// How many levels of states there may be.
const LEVELS: usize = 4;
/// The budget for transitions without an external event.
const BUDGET: usize = 9;

/// A statechart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// In document order, parents before children; the first is the chart itself.
    states: Vec<ChartState>,
}

#[derive(Clone, Debug)]
struct ChartState {
    kind: ChartKind,
    children: Vec<usize>,
    /// For a composite: the initial state inside.
    initial: usize,
    entry: Vec<Deed>,
    exit: Vec<Deed>,
    transitions: Vec<ChartTransition>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ChartKind {
    Atomic,
    Composite,
    Parallel,
    Final,
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Raise(&'static str),
    /// Leaves a number in the trail, which shows the order of all actions.
    Mark(usize),
    Spend,
    Refill,
}

#[derive(Clone, Debug)]
struct ChartTransition {
    event: Option<&'static str>,
    /// Only while some of the budget is left.
    if_left: bool,
    targets: Vec<usize>,
    history: Option<bool>,
    is_local: bool,
    deeds: Vec<Deed>,
}

impl Chart {
    /// The chart of a seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut chart = Chart { states: Vec::new() };
        let most = random.between(3, 14);
        chart.grow(&mut random, 0, 0, most);
        for index in 0..chart.states.len() {
            chart.equip(&mut random, index);
        }
        chart
    }

    fn grow(&mut self, random: &mut Random, parent: usize, level: usize, most: usize) -> usize {
        let index = self.states.len();
        let in_composite = index > 0 && self.states[parent].kind == ChartKind::Composite;
        let holds = level + 1 < LEVELS && index + 1 < most;
        let kind = match index {
            0 => ChartKind::Composite,
            _ if holds => [ChartKind::Atomic, ChartKind::Composite, ChartKind::Parallel]
                [random.weighted(&[4, 4, 3])],
            _ => ChartKind::Atomic,
        };
        let is_first = index == 0 || self.states[parent].children.is_empty();
        let ends = kind == ChartKind::Atomic && in_composite && !is_first && random.percent(15);
        self.states.push(ChartState {
            kind: if ends { ChartKind::Final } else { kind },
            children: Vec::new(),
            initial: index,
            entry: Vec::new(),
            exit: Vec::new(),
            transitions: Vec::new(),
        });
        let number = match kind {
            ChartKind::Atomic | ChartKind::Final => 0,
            ChartKind::Composite => random.between(if index == 0 { 2 } else { 1 }, 4),
            ChartKind::Parallel => random.between(2, 3),
        };
        for _ in 0..number {
            let child = self.grow(random, index, level + 1, most);
            self.states[index].children.push(child);
        }
        index
    }

    fn equip(&mut self, random: &mut Random, index: usize) {
        let inside = self.inside(index);
        if self.states[index].kind == ChartKind::Composite {
            let child = *random.pick(&self.states[index].children);
            self.states[index].initial = match random.percent(20) {
                true => *random.pick(&inside),
                false => child,
            };
        }
        self.states[index].entry = self.deeds(random, 40);
        self.states[index].exit = self.deeds(random, 30);
        if self.states[index].kind == ChartKind::Final {
            return;
        }
        let number = random.weighted(&[2, 4, 3, 1]);
        for _ in 0..number {
            let transition = self.transition(random, index, &inside);
            self.states[index].transitions.push(transition);
        }
    }

    fn deeds(&self, random: &mut Random, percent: usize) -> Vec<Deed> {
        let mut deeds = Vec::new();
        while random.percent(percent) && deeds.len() < 3 {
            deeds.push(match random.percent(25) {
                true => Deed::Raise(RAISED[random.below(RAISED.len())]),
                false => Deed::Mark(random.between(1, 96)),
            });
        }
        deeds
    }

    fn transition(&self, random: &mut Random, source: usize, inside: &[usize]) -> ChartTransition {
        let event = match random.weighted(&[15, 20, 65]) {
            0 => None,
            1 => Some(*random.pick(&RAISED)),
            _ => Some(*random.pick(&TOLD)),
        };
        let is_told = event.is_some_and(|event| TOLD.contains(&event));
        let mut deeds = self.deeds(random, 35);
        if event == Some("refill") && random.percent(80) {
            deeds.push(Deed::Refill);
        } else if !is_told {
            deeds.push(Deed::Spend);
        }
        let if_left = !is_told || random.percent(10);
        let others: Vec<usize> = (1..self.states.len()).collect();
        let mut is_local = false;
        let mut history = None;
        let targets = match random.weighted(&[12, 18, 50, 10, 10]) {
            0 => Vec::new(),
            1 if self.states[source].kind == ChartKind::Composite && !inside.is_empty() => {
                is_local = random.percent(70);
                vec![*random.pick(inside)]
            }
            3 => {
                let composites = others.iter().copied();
                let composites: Vec<usize> = composites
                    .filter(|state| self.states[*state].kind == ChartKind::Composite)
                    .collect();
                match composites.is_empty() {
                    true => vec![*random.pick(&others)],
                    false => {
                        history = Some(random.percent(50));
                        vec![*random.pick(&composites)]
                    }
                }
            }
            4 => self.several(random),
            _ => vec![*random.pick(&others)],
        };
        ChartTransition {
            event,
            if_left,
            targets,
            history,
            is_local,
            deeds,
        }
    }

    /// One state in each of two regions of a parallel state, if there is one.
    fn several(&self, random: &mut Random) -> Vec<usize> {
        let all = 1..self.states.len();
        let parallels: Vec<usize> = all
            .filter(|state| self.states[*state].kind == ChartKind::Parallel)
            .collect();
        if parallels.is_empty() {
            return vec![random.between(1, self.states.len() - 1)];
        }
        let parallel = *random.pick(&parallels);
        let regions = &self.states[parallel].children[..2];
        let pick = |region: &usize| {
            let mut states = self.inside(*region);
            states.push(*region);
            *random.pick(&states)
        };
        regions.iter().map(pick).collect()
    }

    /// All states inside a state.
    fn inside(&self, outer: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut pending = self.states[outer].children.clone();
        while let Some(state) = pending.pop() {
            found.push(state);
            pending.extend(&self.states[state].children);
        }
        found.sort_unstable();
        found
    }

    /// The chart as a document in KDL: `machine chart` in mode statechart.
    pub fn to_kdl(&self) -> String {
        let mut out = "main machine=chart\nblackboard {\n    key trail type=int\n    key left type=int default=".to_owned();
        let _ = writeln!(out, "{BUDGET}\n}}\nleaves {{");
        for event in TOLD.iter().chain(&RAISED) {
            let _ = writeln!(out, "    event {event}");
        }
        out.push_str("}\nmachine chart mode=statechart {\n");
        self.kdl_inside(&mut out, 0, 1);
        out.push_str("}\n");
        out
    }

    fn kdl_state(&self, out: &mut String, index: usize, level: usize) {
        let state = &self.states[index];
        let indent = "    ".repeat(level);
        let word = match state.kind {
            ChartKind::Parallel => "parallel",
            _ => "state",
        };
        let end = if state.kind == ChartKind::Final {
            " final=#true"
        } else {
            ""
        };
        let _ = writeln!(out, "{indent}{word} s{index}{end} {{");
        self.kdl_inside(out, index, level + 1);
        let _ = writeln!(out, "{indent}}}");
    }

    fn kdl_inside(&self, out: &mut String, index: usize, level: usize) {
        let state = &self.states[index];
        let indent = "    ".repeat(level);
        if state.kind == ChartKind::Composite {
            let _ = writeln!(out, "{indent}initial s{}", state.initial);
        }
        for (word, deeds) in [("entry", &state.entry), ("exit", &state.exit)] {
            if !deeds.is_empty() && index > 0 {
                let _ = writeln!(out, "{indent}{word} {{ {} }}", kdl_deeds(deeds));
            }
        }
        for transition in &state.transitions {
            let mut line = format!("{indent}transition");
            if !transition.targets.is_empty() {
                let _ = write!(line, " to=\"{}\"", names(&transition.targets, "s"));
            }
            if let Some(event) = transition.event {
                let _ = write!(line, " on={event}");
            }
            if transition.if_left {
                line.push_str(" when=\"left > 0\"");
            }
            if let Some(is_deep) = transition.history {
                line.push_str(if is_deep {
                    " history=deep"
                } else {
                    " history=shallow"
                });
            }
            if transition.is_local {
                line.push_str(" kind=local");
            }
            let _ = writeln!(out, "{line} {{ {} }}", kdl_deeds(&transition.deeds));
        }
        for child in &state.children {
            self.kdl_state(out, *child, level);
        }
    }

    /// The chart as a document in SCXML.
    pub fn to_scxml(&self) -> String {
        let mut out = format!(
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"chart\" datamodel=\"ecmascript\" initial=\"s{}\">\n\
             <datamodel><data id=\"trail\" expr=\"0\"/><data id=\"left\" expr=\"{BUDGET}\"/></datamodel>\n",
            self.states[0].initial
        );
        self.scxml_inside(&mut out, 0);
        out.push_str("</scxml>\n");
        out
    }

    fn scxml_state(&self, out: &mut String, index: usize) {
        let state = &self.states[index];
        let (tag, initial) = match state.kind {
            ChartKind::Parallel => ("parallel", String::new()),
            ChartKind::Final => ("final", String::new()),
            ChartKind::Atomic => ("state", String::new()),
            ChartKind::Composite => ("state", format!(" initial=\"s{}\"", state.initial)),
        };
        let _ = writeln!(out, "<{tag} id=\"s{index}\"{initial}>");
        self.scxml_inside(out, index);
        if state.kind == ChartKind::Composite {
            for (id, kind) in [("h", "shallow"), ("d", "deep")] {
                let _ = writeln!(
                    out,
                    "<history id=\"{id}{index}\" type=\"{kind}\"><transition target=\"s{}\"/></history>",
                    state.initial
                );
            }
        }
        let _ = writeln!(out, "</{tag}>");
    }

    fn scxml_inside(&self, out: &mut String, index: usize) {
        let state = &self.states[index];
        for (tag, deeds) in [("onentry", &state.entry), ("onexit", &state.exit)] {
            if !deeds.is_empty() && index > 0 {
                let _ = writeln!(out, "<{tag}>{}</{tag}>", scxml_deeds(deeds));
            }
        }
        for transition in &state.transitions {
            out.push_str("<transition");
            if !transition.targets.is_empty() {
                let prefix = match transition.history {
                    None => "s",
                    Some(false) => "h",
                    Some(true) => "d",
                };
                let _ = write!(out, " target=\"{}\"", names(&transition.targets, prefix));
            }
            if let Some(event) = transition.event {
                let _ = write!(out, " event=\"{event}\"");
            }
            if transition.if_left {
                out.push_str(" cond=\"left &gt; 0\"");
            }
            if transition.is_local {
                out.push_str(" type=\"internal\"");
            }
            let _ = writeln!(out, ">{}</transition>", scxml_deeds(&transition.deeds));
        }
        for child in &state.children {
            self.scxml_state(out, *child);
        }
    }
}

fn names(states: &[usize], prefix: &str) -> String {
    let names: Vec<String> = states
        .iter()
        .map(|state| format!("{prefix}{state}"))
        .collect();
    names.join(" ")
}

fn kdl_deeds(deeds: &[Deed]) -> String {
    let said = deeds.iter().map(|deed| match deed {
        Deed::Raise(event) => format!("emit {event};"),
        Deed::Mark(number) => format!("set \"trail = (trail * 31 + {number}) % 1000003\";"),
        Deed::Spend => "set \"left -= 1\";".to_owned(),
        Deed::Refill => format!("set \"left = {BUDGET}\";"),
    });
    said.collect::<Vec<_>>().join(" ")
}

fn scxml_deeds(deeds: &[Deed]) -> String {
    let said = deeds.iter().map(|deed| match deed {
        Deed::Raise(event) => format!("<raise event=\"{event}\"/>"),
        Deed::Mark(number) => {
            format!("<assign location=\"trail\" expr=\"(trail * 31 + {number}) % 1000003\"/>")
        }
        Deed::Spend => "<assign location=\"left\" expr=\"left - 1\"/>".to_owned(),
        Deed::Refill => format!("<assign location=\"left\" expr=\"{BUDGET}\"/>"),
    });
    said.collect()
}

//! What is said about the examples is true: each sentence agrees with the trace, with the keys, and with the others.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use treemind_arena::{Rules, Session, World};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, Kind, NodeId, Outcome, Population, Status};
use treemind_doc::Document;
use treemind_explain::{Explainer, Explanation, Reason};

/// The examples that play in the arena: documents and their maps.
const EXAMPLES: [(&str, &str); 14] = [
    ("01-guard/guard.kdl", "01-guard/yard.map"),
    ("01-guard/guard-classic.kdl", "01-guard/yard.map"),
    ("02-pet/pet.kdl", "02-pet/garden.map"),
    ("03-boss/boss.kdl", "03-boss/hall.map"),
    (
        "04-cleaning-robot/robot.kdl",
        "04-cleaning-robot/square.map",
    ),
    ("05-intruder/intruder.kdl", "05-intruder/house.map"),
    ("06-squad/squad.kdl", "06-squad/ridge.map"),
    ("07-stage/stage.kdl", "07-stage/stage.map"),
    ("08-hunter/hunter.kdl", "08-hunter/forest.map"),
    ("09-watchman/watchman.kdl", "09-watchman/yard.map"),
    ("10-soldier/soldier.kdl", "10-soldier/valley.map"),
    ("11-child/child.kdl", "11-child/home.map"),
    ("13-hero/castle.kdl", "13-hero/castle.map"),
    ("15-layers/boss.kdl", "15-layers/pit.map"),
];

const TICKS: usize = 400;

/// Somebody who is followed, with what is known of it apart from what is said.
struct Followed {
    nth: usize,
    agent: usize,
    explainer: Explainer,
    /// The actions that were started and not stopped.
    open: BTreeSet<NodeId>,
    /// The contents of each key after the last tick, and in this tick what it came to hold, one after the other.
    keys: Vec<String>,
    /// Per tick and key, its contents in their order.
    seen: HashMap<(u64, KeyId), Vec<String>>,
    /// The last answer of each node in this tick.
    answers: HashMap<NodeId, Status>,
}

impl Followed {
    fn new(population: &Population, nth: usize, agent: usize) -> Self {
        Self {
            nth,
            agent,
            explainer: Explainer::new(population, agent),
            open: population.running(agent).into_iter().collect(),
            keys: contents(population, agent),
            seen: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    fn before_tick(&mut self, population: &Population) {
        self.explainer.before_tick(population);
        let tick = population.ticks() + 1;
        self.look(population, tick);
    }

    fn look(&mut self, population: &Population, tick: u64) {
        let now = contents(population, self.agent);
        for (nth, (before, now)) in self.keys.iter().zip(&now).enumerate() {
            let seen = self.seen.entry((tick, KeyId::new(nth))).or_default();
            if seen.is_empty() {
                seen.push(before.clone());
            }
            if seen.last() != Some(now) {
                seen.push(now.clone());
            }
        }
        self.keys = now;
    }

    fn after_tick(&mut self, population: &Population, trace: &Trace) {
        self.explainer.after_tick(population, trace);
        let (behaviour, tick) = (population.program().behaviour(), population.ticks());
        self.answers.clear();
        for (node, event, value) in trace.valued(self.agent) {
            let is_action = matches!(behaviour.node(node).kind, Kind::Action { .. });
            match event {
                Event::Start if is_action => {
                    self.open.insert(node);
                }
                Event::Stop(Outcome::Success | Outcome::Failure | Outcome::Aborted) => {
                    self.open.remove(&node);
                }
                Event::Tick(status) | Event::Guard(status) => {
                    self.answers.insert(node, status);
                }
                Event::Set(key) | Event::HostSet(key) => {
                    if let Some(value) = value {
                        let seen = self.seen.entry((tick, key)).or_default();
                        seen.push(behaviour.display_value(value));
                    }
                }
                _ => {}
            }
        }
        self.look(population, tick);
    }

    /// Checks what is said about the last tick.
    fn check(&self, behaviour: &Behaviour, explanation: &Explanation) {
        let mut lines = BTreeSet::new();
        let parts = [
            &explanation.does,
            &explanation.changed,
            &explanation.instead,
        ];
        for part in parts {
            self.check_all(behaviour, part, &mut lines, explanation);
        }
        let name = |node: &NodeId| behaviour.label(*node);
        let open: BTreeSet<&str> = self.open.iter().map(name).collect();
        let does = explanation.does.iter().filter_map(|reason| {
            let node = NodeId::new(reason.number?);
            let is_action = matches!(behaviour.node(node).kind, Kind::Action { .. });
            (is_action && reason.text.contains("` is running")).then(|| behaviour.label(node))
        });
        let does: BTreeSet<&str> = does.collect();
        assert_eq!(does, open, "{explanation}");
    }

    fn check_all(
        &self,
        behaviour: &Behaviour,
        reasons: &[Reason],
        lines: &mut BTreeSet<String>,
        explanation: &Explanation,
    ) {
        for reason in reasons {
            let text = &reason.text;
            assert!(
                lines.insert(text.clone()),
                "`{text}` is said twice in\n{explanation}"
            );
            assert!(!text.contains("another program"), "{explanation}");
            self.check_answer(behaviour, reason, explanation);
            self.check_change(behaviour, text, explanation);
            self.check_all(behaviour, &reason.because, lines, explanation);
        }
    }

    /// What is said to hold, to run or to have failed answered so.
    fn check_answer(&self, behaviour: &Behaviour, reason: &Reason, explanation: &Explanation) {
        let Some(node) = reason.number.map(NodeId::new) else {
            return;
        };
        let is_test = matches!(
            behaviour.node(node).kind,
            Kind::Condition { .. } | Kind::Check { .. }
        );
        let said = [
            ("does not hold", Status::Failure),
            ("holds", Status::Success),
        ];
        let said = said.iter().find(|(words, _)| reason.text.contains(words));
        if let Some((_, status)) = said.filter(|_| is_test && !reason.text.contains("guard `")) {
            let answer = self.answers.get(&node);
            assert_eq!(answer, Some(status), "`{}` in\n{explanation}", reason.text);
        }
    }

    /// What is said to have changed did so in that tick.
    fn check_change(&self, behaviour: &Behaviour, text: &str, explanation: &Explanation) {
        let Some((name, rest)) = text.split_once("` changed from ") else {
            return;
        };
        let Some((values, when)) = rest.rsplit_once(": ") else {
            panic!("`{text}`")
        };
        assert!(!when.is_empty());
        let (values, tick) = match values.rsplit_once(" in tick ") {
            Some((values, tick)) => (values, tick.parse().unwrap()),
            None => (
                values.strip_suffix(" in this tick").unwrap(),
                explanation.tick,
            ),
        };
        let (from, to) = values.split_once(" to ").unwrap();
        let keys = behaviour.keys().iter();
        let mut named = keys.enumerate().filter(|(nth, _)| {
            treemind_doc::key_text(behaviour, KeyId::new(*nth)) == name.trim_start_matches('`')
        });
        let (nth, _) = named.next().unwrap_or_else(|| panic!("`{text}`"));
        let seen = &self.seen[&(tick, KeyId::new(nth))];
        let first = seen.iter().position(|value| value == from);
        let last = seen.iter().rposition(|value| value == to);
        let is_so = first.zip(last).is_some_and(|(first, last)| first < last);
        assert!(is_so, "`{text}`, but it was {seen:?}\n{explanation}");
    }
}

fn contents(population: &Population, agent: usize) -> Vec<String> {
    let behaviour = population.program().behaviour();
    let keys = 0..behaviour.keys().len();
    keys.map(|nth| behaviour.display_held(population.held(agent, KeyId::new(nth))))
        .collect()
}

fn play(file: &str, map: &str) -> usize {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = |name: &str| std::fs::read_to_string(examples.join(name)).unwrap();
    let document = Document::parse(&read(file), file);
    let world = World::load(&read(map), Rules::default()).unwrap();
    let main = document.behaviour(None).unwrap();
    let mut session = Session::new(main, Some(&document), world).unwrap();
    let minded = session.minded();
    let mut all: HashMap<_, Followed> = HashMap::new();
    let mut traces = Vec::new();
    let mut told = 0;
    for _ in 0..TICKS {
        for (who, nth) in &minded {
            let Some(agent) = session.agent_of(*who) else {
                all.remove(who);
                continue;
            };
            let population = session.population_at(*nth);
            let known = all.entry(*who);
            let followed = known.or_insert_with(|| Followed::new(population, *nth, agent));
            if followed.agent != agent {
                *followed = Followed::new(population, *nth, agent);
            }
            followed.before_tick(population);
        }
        session.step_all_traced(&mut traces, None);
        for (who, followed) in &mut all {
            if session.agent_of(*who) != Some(followed.agent) {
                continue;
            }
            let population = session.population_at(followed.nth);
            followed.after_tick(population, &traces[followed.nth]);
            let explanation = followed.explainer.explain(population);
            let behaviour = population.program().behaviour();
            followed.check(behaviour, &explanation);
            for node in behaviour.node_ids() {
                let why = followed.explainer.why(population, node);
                followed.check_all(behaviour, &[why], &mut BTreeSet::new(), &explanation);
            }
            told += 1;
        }
    }
    told
}

#[test]
fn whatever_is_said_about_the_examples_is_so() {
    for (file, map) in EXAMPLES {
        let told = play(file, map);
        assert!(told > 50, "{file}: {told}");
    }
}

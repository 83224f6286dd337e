//! What is said about the examples is true: each sentence agrees with the trace, with the keys, and with the others.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use treemind_arena::{Rules, Session, World};
use treemind_core::trace::{Event, Trace};
use treemind_core::{Behaviour, KeyId, Kind, NodeId, Outcome, Population, Status};
use treemind_doc::Document;
use treemind_explain::{Explainer, Explanation, Language, Reason};

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

/// Each so many explanations, one is also read in Chinese.
const IN_CHINESE: usize = 16;

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
    /// The last answer of each node in this tick, and in every tick.
    answers: HashMap<NodeId, Status>,
    all_answers: HashMap<(u64, NodeId), Status>,
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
            all_answers: HashMap::new(),
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
                    self.all_answers.insert((tick, node), status);
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

    /// Checks what is said about the last tick. Returns how many planted differences it found.
    fn check(&self, behaviour: &Behaviour, explanation: &Explanation) -> usize {
        let mut lines = BTreeSet::new();
        let parts = [
            &explanation.does,
            &explanation.changed,
            &explanation.instead,
        ];
        for part in parts {
            self.check_all(behaviour, part, &mut lines, explanation);
        }
        let mut planted = 0;
        for reason in &explanation.because {
            let fault = self.check_cause(behaviour, reason, explanation.tick);
            assert_eq!(fault, Ok(()), "`{}` in\n{explanation}", reason.text);
            planted += self.find_planted(behaviour, reason, explanation.tick);
        }
        let started = explanation.changed.iter().any(|reason| {
            let is_open = |number| self.open.contains(&NodeId::new(number));
            reason.text.ends_with("` started") && reason.number.is_some_and(is_open)
        });
        assert!(!started || !explanation.because.is_empty(), "{explanation}");
        let name = |node: &NodeId| behaviour.label(*node);
        let open: BTreeSet<&str> = self.open.iter().map(name).collect();
        let does = explanation.does.iter().filter_map(|reason| {
            let node = NodeId::new(reason.number?);
            let is_action = matches!(behaviour.node(node).kind, Kind::Action { .. });
            (is_action && reason.text.contains("` is running")).then(|| behaviour.label(node))
        });
        let does: BTreeSet<&str> = does.collect();
        assert_eq!(does, open, "{explanation}");
        planted
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

impl Followed {
    /// What is said to have turned did so in that tick, with those values.
    fn check_cause(&self, behaviour: &Behaviour, reason: &Reason, tick: u64) -> Result<(), String> {
        let (turned, moved) = match reason.text.split_once(": ") {
            Some((turned, moved)) => (turned, Some(moved)),
            None => (reason.text.as_str(), None),
        };
        let turned = turned
            .split_once(", and began anew")
            .map_or(turned, |(before, _)| before);
        let (turned, tick) = match turned.rsplit_once(" in tick ") {
            Some((turned, tick)) => (turned, tick.parse().map_err(|_| "no tick")?),
            None => (turned, tick),
        };
        let node = NodeId::new(reason.number.ok_or("about nothing")?);
        let answer = |tick| self.all_answers.get(&(tick, node)).copied();
        let is_test = matches!(
            behaviour.node(node).kind,
            Kind::Condition { .. } | Kind::Check { .. }
        ) && !turned.starts_with("the guard");
        for (words, now, then) in [
            ("began to hold", Status::Success, Status::Failure),
            ("ceased to hold", Status::Failure, Status::Success),
        ] {
            if is_test && turned.ends_with(words) {
                let answers = (answer(tick - 1), answer(tick));
                if answers != (Some(then), Some(now)) {
                    return Err(format!("it answered {answers:?}"));
                }
            }
        }
        let ends = [
            ("ended with success", Status::Success),
            ("ended with failure", Status::Failure),
        ];
        for (words, status) in ends {
            if turned.ends_with(words) && answer(tick) != Some(status) {
                return Err(format!("it answered {:?}", answer(tick)));
            }
        }
        let moved = moved.map(|moved| moved.split(", `")).into_iter().flatten();
        for one in moved {
            let (name, values) = one.split_once("` ").ok_or("no key")?;
            let (word, values) = values.split_once(" from ").ok_or("no value")?;
            let (from, to) = values.split_once(" to ").ok_or("one value")?;
            let name = name.trim_start_matches('`');
            let mut keys = (0..behaviour.keys().len()).map(KeyId::new);
            let key = keys.find(|key| treemind_doc::key_text(behaviour, *key) == name);
            let key = key.ok_or("no such key")?;
            let held = |tick, value: &str| {
                let seen = self.seen.get(&(tick, key));
                seen.is_some_and(|seen| seen.iter().any(|one| one == value))
            };
            if from == to || !held(tick - 1, from) || !held(tick, to) {
                let seen = [tick - 1, tick].map(|tick| self.seen.get(&(tick, key)));
                return Err(format!("it was {seen:?}"));
            }
            let numbers = from.parse::<f64>().ok().zip(to.parse::<f64>().ok());
            let wanted = match numbers {
                Some((from, to)) if to < from => "fell",
                Some(_) => "rose",
                None => "changed",
            };
            if word != wanted {
                return Err(format!("it {wanted}"));
            }
        }
        Ok(())
    }
}

impl Followed {
    /// Plants differences in what is said to have turned; each has to be found.
    fn find_planted(&self, behaviour: &Behaviour, reason: &Reason, tick: u64) -> usize {
        let plants = [
            (" from ", " from 9"),
            (" fell from ", " rose from "),
            ("` began to hold", "` ceased to hold"),
            ("` ended with success", "` ended with failure"),
        ];
        let is_asked = matches!(
            behaviour.node(NodeId::new(reason.number.unwrap())).kind,
            Kind::Condition { .. } | Kind::Check { .. } | Kind::Action { .. }
        );
        let mut found = 0;
        for (words, others) in plants {
            let is_value = words.contains("from");
            if !reason.text.contains(words) || !is_value && !is_asked {
                continue;
            }
            let mut planted = reason.clone();
            planted.text = reason.text.replacen(words, others, 1);
            let fault = self.check_cause(behaviour, &planted, tick);
            assert!(fault.is_err(), "`{}` was not found", planted.text);
            found += 1;
        }
        found
    }
}

/// Whether reasons in Chinese are those in English, and have no word of English outside of names and values.
fn are_same(english: &[Reason], chinese: &[Reason]) {
    assert_eq!(english.len(), chinese.len());
    for (here, there) in english.iter().zip(chinese) {
        assert_eq!(
            (here.number, here.tick),
            (there.number, there.tick),
            "{here}"
        );
        let mut words = there.text.split('`').step_by(2).flat_map(str::chars);
        let has_english = words.any(|letter| letter.is_ascii_alphabetic());
        assert!(!has_english && there.text != here.text, "{there}");
        are_same(&here.because, &there.because);
    }
}

fn contents(population: &Population, agent: usize) -> Vec<String> {
    let behaviour = population.program().behaviour();
    let keys = 0..behaviour.keys().len();
    keys.map(|nth| behaviour.display_held(population.held(agent, KeyId::new(nth))))
        .collect()
}

/// Plays an example. Returns how many ticks were explained, and how many planted differences were found.
fn play(file: &str, map: &str) -> (usize, usize) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let read = |name: &str| std::fs::read_to_string(examples.join(name)).unwrap();
    let document = Document::parse(&read(file), file);
    let world = World::load(&read(map), Rules::default()).unwrap();
    let main = document.behaviour(None).unwrap();
    let mut session = Session::new(main, Some(&document), world).unwrap();
    let minded = session.minded();
    let mut all: HashMap<_, Followed> = HashMap::new();
    let mut traces = Vec::new();
    let (mut told, mut planted) = (0, 0);
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
            planted += followed.check(behaviour, &explanation);
            let is_told_twice = told % IN_CHINESE == 0;
            if is_told_twice {
                let chinese = (followed.explainer).explain_in(population, Language::Chinese);
                are_same(&explanation.does, &chinese.does);
                are_same(&explanation.because, &chinese.because);
                are_same(&explanation.changed, &chinese.changed);
                are_same(&explanation.instead, &chinese.instead);
            }
            for node in behaviour.node_ids() {
                let why = [followed.explainer.why(population, node)];
                if is_told_twice {
                    let chinese = (followed.explainer).why_in(population, node, Language::Chinese);
                    are_same(&why, &[chinese]);
                }
                followed.check_all(behaviour, &why, &mut BTreeSet::new(), &explanation);
            }
            told += 1;
        }
    }
    (told, planted)
}

#[test]
fn whatever_is_said_about_the_examples_is_so() {
    let mut found = 0;
    for (file, map) in EXAMPLES {
        let (told, planted) = play(file, map);
        assert!(told > 50, "{file}: {told}");
        found += planted;
    }
    assert!(found > 1_000, "{found} planted differences");
}

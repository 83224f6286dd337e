//! The indented log: the tree as far as a tick reached it, with the answer of each node and the values behind it.

use super::asked::{is_part, named, next_rule};
use super::json::measured;
use super::lists::Lists;
use std::collections::{HashMap, HashSet};
use treemind_core::behaviour::{Aim, Stack};
use treemind_core::trace::{Event, Refusal};
use treemind_core::{Behaviour, Expr, FaultKind, KeyId, Kind, NodeId, Status, Value};
use treemind_doc::{About, event_part, key_text, marked_outline, outline_lines};
use treemind_doc::{expression_text, visible_line, when_and_fail_if};
use treemind_explain::{Asked, goal_asked, guards_read, is_of_expression, score_text};

/// What stands before the value of an expression that is no test.
const COMES_TO: &str = "comes to ";

/// What happened at one line of the outline.
#[derive(Debug, Default)]
struct Told {
    mark: Option<&'static str>,
    notes: Vec<String>,
}

/// What happened in a tick, line by line of the outline.
pub(super) struct Log<'b> {
    behaviour: &'b Behaviour,
    told: HashMap<About, Told>,
    /// What was read at a node since its last event of another kind.
    open: HashMap<NodeId, Notes>,
    /// What the conditions of a machine's transitions read that hold. Which of them is taken comes out later.
    held: HashMap<NodeId, Vec<Notes>>,
    /// What is looked at next: of a planner its goal, of `rules` the rule in the order in which they are looked at, of
    /// other nodes the guard.
    next: HashMap<NodeId, usize>,
    /// The planners of which the `when` of this goal holds, so that its score comes.
    may: HashSet<NodeId>,
    /// Of planners, the goal whose score was told last: what it wants is read next.
    wants: HashMap<NodeId, usize>,
    /// Of `rules`, the rule that fired last and begins to cool, and whether it is known for how long.
    cools: HashMap<NodeId, (usize, bool)>,
    /// Whether the last event was such a condition.
    just_held: bool,
    /// The faults and the texts of `log` and `emit` that have not been told.
    faults: std::vec::IntoIter<FaultKind>,
    texts: std::vec::IntoIter<String>,
    lists: Lists,
}

/// What was read for one thing.
#[derive(Debug, Default)]
struct Notes {
    keys: Vec<KeyId>,
    texts: Vec<String>,
    /// What each key was, by the position of its text.
    keyed: Vec<(usize, KeyId)>,
}

impl<'b> Log<'b> {
    pub(super) fn new(
        behaviour: &'b Behaviour,
        faults: Vec<FaultKind>,
        texts: Vec<String>,
        lists: Lists,
    ) -> Self {
        Self {
            behaviour,
            told: HashMap::new(),
            open: HashMap::new(),
            held: HashMap::new(),
            next: HashMap::new(),
            may: HashSet::new(),
            wants: HashMap::new(),
            cools: HashMap::new(),
            just_held: false,
            faults: faults.into_iter(),
            texts: texts.into_iter(),
            lists,
        }
    }

    /// Takes one event in; `echo` is the value that an `Echo` showed.
    #[warn(clippy::wildcard_enum_match_arm)]
    pub(super) fn note(
        &mut self,
        (node, event, value): (NodeId, Event, Option<Value>),
        echo: Option<String>,
    ) {
        let behaviour = self.behaviour;
        let just_held = std::mem::take(&mut self.just_held);
        let holds = value == Some(Value::Bool(true));
        let result = value;
        let list = value.and_then(|length| self.lists.at(behaviour, event, length));
        let value = value.map_or(String::new(), |value| behaviour.display_value(value));
        let value = list.unwrap_or(value);
        let kind = &behaviour.node(node).kind;
        let at = About::Node(node);
        match event {
            Event::Enter => {
                self.next.remove(&node);
                self.may.remove(&node);
                self.wants.remove(&node);
                self.mark(at, "ENTERED");
            }
            Event::Tick(status) => {
                self.next.remove(&node);
                self.mark(at, status.as_str());
                self.close_wanted(node, &[], at);
                if status != Status::Running {
                    self.task_ended(node);
                }
                let texts = &mut self.texts;
                let is_said = super::tells(behaviour, node) && status == Status::Success;
                let text = is_said.then(|| texts.next()).flatten();
                let notes = &mut self.told.entry(at).or_default().notes;
                notes.extend(text.map(|text| format!("says: {text}")));
                notes.extend(echo.map(|value| format!("in = {value}")));
            }
            Event::Guard(status) => {
                self.mark(at, status.as_str());
                self.close(node, at);
                self.task_ended(node);
                self.tell(at, "by its guard".to_owned());
            }
            Event::Start => {
                self.close(node, at);
                self.tell(at, "starts".to_owned());
            }
            Event::Abort => self.mark(at, "ABORTED"),
            Event::Stop(_) | Event::Write => {}
            Event::Serve => self.tell(at, "calls its service".to_owned()),
            Event::Fire(number) => {
                if let Kind::Rules { rules, .. } = kind {
                    let name = &rules[number as usize].name;
                    self.tell(at, format!("fires {name}"));
                    self.mark(About::Rule(node, number as usize), "FIRED");
                }
            }
            Event::Found(kept, of) => self.tell(at, format!("keeps {kept} of {of}")),
            Event::Measure(number) => {
                let measure = measured(behaviour, node, number);
                self.tell(at, format!("measures {measure} = {value}"));
            }
            Event::Keep(bits) => {
                let score = f32::from_bits(bits);
                self.tell(at, format!("{value} scores {score}"));
            }
            Event::Out(_) => self.tell(at, format!("{value} is out")),
            Event::Score(bits) => self.tell(at, format!("score {}", f32::from_bits(bits))),
            Event::Sense(key) => self.read(node, format!("sensed {}", key_text(behaviour, key))),
            Event::Read(key) => {
                let open = self.open.entry(node).or_default();
                open.keyed.push((open.texts.len(), key));
                self.read(node, format!("{} = {value}", key_text(behaviour, key)));
                self.open.entry(node).or_default().keys.push(key);
            }
            Event::Time(time) => {
                let time = expression_text(behaviour, &time.expr(), &|_| None);
                self.read(node, format!("{time} = {value}"));
            }
            Event::Result if holds && matches!(kind, Kind::Machine(_)) => {
                let notes = self.open.remove(&node).unwrap_or_default();
                self.held.entry(node).or_default().push(notes);
                self.just_held = true;
            }
            // The answer, the way or the verdict says it.
            Event::Result
                if matches!(
                    kind,
                    Kind::Check { .. } | Kind::Set { .. } | Kind::Decide(_) | Kind::Machine(_)
                ) => {}
            Event::Result => self.result(node, result, &value),
            Event::Draw(_) => self.read(node, format!("draws {value:.5}")),
            // What an event says is told where it is read.
            Event::Set(key) if event_part(behaviour, key).is_some() => {}
            Event::Set(key) => {
                // What the expression gave is what was written.
                let open = self.open.entry(node).or_default();
                open.texts.pop_if(|note| note.starts_with(COMES_TO));
                self.read(node, format!("{} := {value}", key_text(behaviour, key)));
            }
            Event::Unset(key) => {
                self.read(node, format!("{} := unset", key_text(behaviour, key)));
            }
            Event::HostSet(key) => {
                let key = key_text(behaviour, key);
                self.read(node, format!("the game: {key} := {value}"));
            }
            Event::HostUnset(key) => {
                let key = key_text(behaviour, key);
                self.read(node, format!("the game: {key} := unset"));
            }
            Event::Send(leaf) => self.read(node, format!("sends {}", behaviour.leaf(leaf).name)),
            Event::Offer(leaf) if matches!(kind, Kind::Machine(_)) => {
                self.tell(at, format!("event {}", behaviour.leaf(leaf).name));
            }
            Event::Use(leaf) if matches!(kind, Kind::Machine(_)) => {
                self.tell(at, format!("uses {}", behaviour.leaf(leaf).name));
            }
            Event::Offer(leaf) => self.read(node, format!("event {}", behaviour.leaf(leaf).name)),
            Event::Use(leaf) => self.read(node, format!("uses {}", behaviour.leaf(leaf).name)),
            Event::EnterState(state) => self.mark(About::State(node, state as usize), "ENTERED"),
            Event::LeaveState(state) => self.mark(About::State(node, state as usize), "LEFT"),
            Event::Take(number) => {
                let at = About::Transition(node, number as usize);
                self.mark(at, "TAKEN");
                self.close_held(node, number as usize);
                self.close(node, at);
            }
            Event::Refuse(number, why) => {
                let at = About::Transition(node, number as usize);
                self.mark(at, "REFUSED");
                match why {
                    // It was not looked at.
                    Refusal::Beaten => {}
                    Refusal::Guard => self.close(node, at),
                    Refusal::Active | Refusal::Closed | Refusal::Conflict | Refusal::Stack => {
                        self.close_held(node, number as usize);
                    }
                    _ => treemind_core::unlisted(&why),
                }
                let words = match why {
                    Refusal::Beaten => "another was chosen before",
                    Refusal::Active => "its target is active",
                    Refusal::Guard => "its condition does not hold",
                    Refusal::Closed => "its target cannot be entered",
                    Refusal::Conflict => "it does not go together with another",
                    Refusal::Stack if is_push(kind, number) => "its stack is full",
                    Refusal::Stack => "there is no state to go back to",
                    _ => treemind_core::unlisted(&why),
                };
                self.tell(at, words.to_owned());
            }
            Event::Branch(test, way) => {
                // The tests of a machine's own decision trees have no line.
                let Kind::Decide(decision) = kind else {
                    // What held was no condition of a transition.
                    let held = self.held.get_mut(&node).filter(|_| just_held);
                    if let Some(notes) = held.and_then(Vec::pop) {
                        self.open.insert(node, notes);
                    }
                    return;
                };
                let (test, at) = (test as usize, About::Test(node, test as usize));
                let step = &decision.steps[test];
                let way = treemind_doc::way_text(behaviour, step, way as usize);
                self.close(node, at);
                self.mark(at, "ASKED");
                self.tell(at, format!("leads to {way}"));
            }
            Event::GoalScore(goal) => {
                let at = About::Goal(node, goal as usize);
                if let Kind::Planner(planner) = kind {
                    let score = &planner.goals[goal as usize].score;
                    self.close_wanted(node, &named(score.exprs()), at);
                }
                let score = match result {
                    Some(Value::Double(score)) => score_text(score),
                    _ => value,
                };
                self.tell(at, format!("scores {score}"));
                self.next.insert(node, goal as usize + 1);
                self.may.remove(&node);
                self.wants.insert(node, goal as usize);
            }
            Event::Think(_)
            | Event::Goal(_)
            | Event::Plan(_)
            | Event::Intend(_)
            | Event::NoPlan(..)
            | Event::Drop(_) => {
                let (name, about) = event.of_plan(behaviour, node).unwrap_or_default();
                // What was read before is about what the plan before it wants, or what the search knows.
                self.close_wanted(node, &[], at);
                self.tell(at, format!("{name}: {about}"));
            }
            Event::Fault => {
                let fault = self.faults.next();
                let (at, asked) = self.faulty(node, fault.as_ref());
                let fault = fault.map_or(String::new(), |fault| fault.to_string());
                self.tell(at, format!("{asked}fault: {fault}"));
            }
            _ => treemind_core::unlisted(&event),
        }
    }

    /// What a fault is about, and what was asked of it: the goal of a planner, or a rule, where that is known.
    fn faulty(&mut self, node: NodeId, fault: Option<&FaultKind>) -> (About, &'static str) {
        let at = About::Node(node);
        let next = self.next.get(&node).copied().unwrap_or(0);
        match &self.behaviour.node(node).kind {
            Kind::Planner(planner) => {
                let asked = goal_asked(planner, (next, self.may.contains(&node)), true);
                if let Some((goal, asked)) = asked {
                    let at = About::Goal(node, goal);
                    if asked == Asked::Score {
                        // It comes to a score of 0, which is told next.
                        self.close_wanted(node, &named(planner.goals[goal].score.exprs()), at);
                        return (at, "");
                    }
                    self.close_wanted(node, &named(&planner.goals[goal].when), at);
                    self.next.insert(node, goal + 1);
                    return (at, "when: ");
                }
            }
            Kind::Rules { rules, .. } => {
                let is_when = fault.is_some_and(is_of_expression);
                // Its own guards come first.
                let guards = guards_read(&self.behaviour.node(node).guards);
                let next = next.max(guards) - guards;
                match (self.cools.get(&node).copied(), next_rule(rules, next)) {
                    (Some((rule, is_known)), _) if !is_known || !is_when => {
                        self.cools.remove(&node);
                        let at = About::Rule(node, rule);
                        self.close(node, at);
                        return (at, "cooldown: ");
                    }
                    (_, Some((place, rule))) if is_when => {
                        let at = About::Rule(node, rule);
                        self.close(node, at);
                        self.next.insert(node, guards + place + 1);
                        return (at, "when: ");
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        self.close_wanted(node, &[], at);
        (at, "")
    }

    /// A task of a rule has answered. After the last one the rule begins to cool.
    fn task_ended(&mut self, task: NodeId) {
        let Some(node) = self.behaviour.node(task).parent else {
            return;
        };
        let placed = self.behaviour.node(node);
        let Kind::Rules { rules, .. } = &placed.kind else {
            return;
        };
        let mut left = placed
            .children
            .iter()
            .take_while(|child| **child != task)
            .count()
            + 1;
        for (number, rule) in rules.iter().enumerate() {
            if left <= rule.tasks {
                let secs = rule.cooldown.as_ref().filter(|_| left == rule.tasks);
                if secs.is_some_and(|secs| !matches!(secs, Expr::Value(_))) {
                    self.cools.insert(node, (number, false));
                }
                return;
            }
            left -= rule.tasks;
        }
    }

    /// What an expression came to: what was asked is said where that is known.
    fn result(&mut self, node: NodeId, result: Option<Value>, text: &str) {
        let holds = match result {
            Some(Value::Bool(holds)) => holds,
            _ => {
                if let Some((rule, is_known)) = self.cools.get_mut(&node) {
                    *is_known = true;
                    let at = About::Rule(node, *rule);
                    self.close(node, at);
                    return self.tell(at, format!("cooldown {COMES_TO}{text}"));
                }
                return self.read(node, format!("{COMES_TO}{text}"));
            }
        };
        let said = |holds: bool| if holds { "holds" } else { "does not hold" };
        let placed = self.behaviour.node(node);
        let next = self.next.get(&node).copied().unwrap_or(0);
        match &placed.kind {
            Kind::Planner(planner) => {
                let asked = goal_asked(planner, (next, self.may.contains(&node)), false);
                let Some((goal, _)) = asked else {
                    return self.read(node, said(holds).to_owned());
                };
                let about = About::Goal(node, goal);
                self.close_wanted(node, &named(&planner.goals[goal].when), about);
                self.tell(about, format!("when {}", said(holds)));
                self.next.insert(node, goal + usize::from(!holds));
                if holds {
                    self.may.insert(node);
                }
            }
            Kind::Rules { rules, .. } => {
                self.cools.remove(&node);
                let guards = guards_read(&placed.guards);
                if next < guards {
                    let words = self.guard(node, 0, holds);
                    self.next.insert(node, next + 1);
                    self.close(node, About::Node(node));
                    return self.tell(
                        About::Node(node),
                        words.unwrap_or_else(|| said(holds).to_owned()),
                    );
                }
                let Some((place, rule)) = next_rule(rules, next - guards) else {
                    return self.read(node, said(holds).to_owned());
                };
                let at = About::Rule(node, rule);
                self.close(node, at);
                self.tell(at, format!("when {}", said(holds)));
                self.next.insert(node, guards + place + 1);
            }
            _ => {
                let words = self.guard(node, next, holds);
                let words = words.unwrap_or_else(|| format!("{COMES_TO}{text}"));
                self.read(node, words);
            }
        }
    }

    /// Which guard was asked, and whether it holds: one that reads what was read. `fail-if` and `when` are asked as one.
    fn guard(&mut self, node: NodeId, next: usize, holds: bool) -> Option<String> {
        let placed = self.behaviour.node(node);
        let guards = &placed.guards;
        let (when, fail_if) = when_and_fail_if(guards, &placed.written);
        let all = [
            ("", guards.fail_if.as_ref()),
            ("succeed-if", guards.succeed_if.as_ref()),
            ("skip-if", guards.skip_if.as_ref()),
            ("while", guards.while_holds.as_ref()),
        ];
        let read = self.open.get(&node).map_or(&[][..], |notes| &notes.keys);
        let fits = |expr: &Expr| {
            let keys = named([expr]);
            !matches!(expr, Expr::Value(_)) && read.iter().all(|key| keys.contains(key))
        };
        let mut asked = all.into_iter().enumerate().skip(next);
        let (place, word) =
            asked.find_map(|(at, (word, expr))| expr.filter(|it| fits(it)).map(|_| (at, word)))?;
        self.next.insert(node, place + 1);
        if let Some(notes) = self.open.get_mut(&node) {
            notes.keys.clear();
        }
        let said = |holds: bool| if holds { "holds" } else { "does not hold" };
        Some(match (word, when, fail_if) {
            ("", Some(_), None) => format!("when {}", said(!holds)),
            ("", Some(_), Some(_)) if holds => "fail-if holds, or when does not".to_owned(),
            ("", Some(_), Some(_)) => "when holds; fail-if does not hold".to_owned(),
            ("", ..) => format!("fail-if {}", said(holds)),
            (word, ..) => format!("{word} {}", said(holds)),
        })
    }

    /// What was read for this line with these keys is told at it, and what was read before for what the goal before it
    /// wants, at that goal.
    fn close_wanted(&mut self, node: NodeId, own: &[KeyId], at: About) {
        let wants = self.wants.remove(&node);
        let goal = match (&self.behaviour.node(node).kind, wants) {
            (Kind::Planner(planner), Some(goal)) => match &planner.goals[goal].aim {
                Aim::Wants(wants) => Some((goal, named(Some(wants)))),
                Aim::Does(_) => None,
            },
            _ => None,
        };
        let Some((goal, wanted)) = goal else {
            return self.close(node, at);
        };
        let Some(mut notes) = self.open.remove(&node) else {
            return;
        };
        let read: Vec<KeyId> = notes.keyed.iter().map(|(_, key)| *key).collect();
        let is_split = |split: &usize| {
            let (before, last) = read.split_at(*split);
            is_part(before, &wanted) && (own.is_empty() || is_part(last, own))
        };
        // A line without keys of its own, that of the planner, has what the goal did not read.
        let split = match own {
            [] => (0..=read.len()).rev().find(is_split),
            _ => (0..=read.len()).find(is_split),
        };
        let texts = match split {
            None | Some(0) => 0,
            Some(split) => notes.keyed[split - 1].0 + 1,
        };
        let last = notes.texts.split_off(texts);
        let goal = About::Goal(node, goal);
        self.told.entry(goal).or_default().notes.extend(notes.texts);
        self.told.entry(at).or_default().notes.extend(last);
    }

    /// The lines of the tick; `is_active` says which states are active after it.
    pub(super) fn text(mut self, head: &str, is_active: impl Fn(NodeId, usize) -> bool) -> String {
        // No event of the trace is about a fault at the end of a tick, such as an event that was lost.
        for fault in std::mem::take(&mut self.faults) {
            let root = About::Node(self.behaviour.root());
            self.tell(root, format!("fault: {fault}"));
        }
        // What no line is about: the root of a document that is one machine, and what was read for no transition.
        let open: Vec<NodeId> = self.open.keys().copied().collect();
        for node in open {
            self.close(node, About::Node(node));
        }
        let root = self.told.remove(&About::Node(self.behaviour.root()));
        let has_line = outline_lines(self.behaviour)
            .first()
            .is_some_and(|line| line.about == About::Node(self.behaviour.root()));
        let mut out = visible_line(head).into_owned();
        match root {
            Some(root) if has_line => {
                self.told.insert(About::Node(self.behaviour.root()), root);
            }
            Some(root) => out += &bracketed(&root.notes),
            None => {}
        }
        out.push('\n');
        out += &marked_outline(self.behaviour, |about| {
            let told = self.told.get(&about);
            let mark = match (told.and_then(|told| told.mark), about) {
                (Some(mark), _) => mark,
                (None, About::State(machine, state)) if is_active(machine, state) => "ACTIVE",
                _ => "",
            };
            if mark.is_empty() && told.is_none() {
                return None;
            }
            let notes = told.map_or(&[][..], |told| &told.notes);
            Some((mark, bracketed(notes)))
        });
        out
    }

    fn mark(&mut self, at: About, mark: &'static str) {
        self.told.entry(at).or_default().mark = Some(mark);
    }

    fn tell(&mut self, at: About, note: String) {
        self.told.entry(at).or_default().notes.push(note);
    }

    /// Keeps what was read until it is known what for.
    fn read(&mut self, node: NodeId, note: String) {
        self.open.entry(node).or_default().texts.push(note);
    }

    /// What was read at a node was read for this line.
    fn close(&mut self, node: NodeId, at: About) {
        if let Some(notes) = self.open.remove(&node) {
            self.told.entry(at).or_default().notes.extend(notes.texts);
        }
    }

    /// What the condition of a transition read is told at the transition: it is the first that read only keys which are
    /// in the condition.
    fn close_held(&mut self, node: NodeId, number: usize) {
        let Kind::Machine(machine) = &self.behaviour.node(node).kind else {
            return;
        };
        let (Some(when), Some(held)) =
            (&machine.transitions[number].when, self.held.get_mut(&node))
        else {
            return;
        };
        let known = named([when]);
        let fits = |notes: &Notes| notes.keys.iter().all(|key| known.contains(key));
        if let Some(place) = held.iter().position(fits) {
            let notes = held.remove(place);
            self.told
                .entry(About::Transition(node, number))
                .or_default()
                .notes
                .extend(notes.texts);
        }
    }
}

fn bracketed(notes: &[String]) -> String {
    match notes {
        [] => String::new(),
        _ => format!("  [{}]", visible_line(&notes.join("; "))),
    }
}

/// Whether a transition puts the state that it leaves on the stack of its machine.
fn is_push(kind: &Kind, transition: u32) -> bool {
    let Kind::Machine(machine) = kind else {
        return false;
    };
    machine.transitions[transition as usize].stack == Stack::Push
}

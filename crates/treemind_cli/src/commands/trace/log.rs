//! The indented log: the tree as far as a tick reached it, with the answer of each node and the values behind it.

use super::json::measured;
use std::collections::HashMap;
use treemind_core::behaviour::Stack;
use treemind_core::trace::{Event, Refusal};
use treemind_core::{Behaviour, KeyId, Kind, NodeId, Status, Value};
use treemind_doc::{About, event_part, key_text, marked_outline, outline_lines, visible_line};

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
    /// Whether the last event was such a condition.
    just_held: bool,
    /// The faults and the texts of `log` and `emit` that have not been told.
    faults: std::vec::IntoIter<String>,
    texts: std::vec::IntoIter<String>,
}

/// What was read for one thing.
#[derive(Debug, Default)]
struct Notes {
    keys: Vec<KeyId>,
    texts: Vec<String>,
}

impl<'b> Log<'b> {
    pub(super) fn new(behaviour: &'b Behaviour, faults: Vec<String>, texts: Vec<String>) -> Self {
        Self {
            behaviour,
            told: HashMap::new(),
            open: HashMap::new(),
            held: HashMap::new(),
            just_held: false,
            faults: faults.into_iter(),
            texts: texts.into_iter(),
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
        let value = value.map_or(String::new(), |value| behaviour.display_value(value));
        let kind = &behaviour.node(node).kind;
        let at = About::Node(node);
        match event {
            Event::Enter => self.mark(at, "ENTERED"),
            Event::Tick(status) => {
                self.mark(at, status.as_str());
                self.close(node, at);
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
                }
            }
            Event::Found(kept, of) => self.tell(at, format!("keeps {kept} of {of}")),
            Event::Measure(number) => {
                let measure = measured(behaviour, node, number);
                self.tell(at, format!("measures {measure} = {value}"));
            }
            Event::Keep(bits) => {
                let score = f32::from_bits(bits);
                self.tell(at, format!("{value} has {score}"));
            }
            Event::Out(_) => self.tell(at, format!("{value} is out")),
            Event::Score(bits) => self.tell(at, format!("score {}", f32::from_bits(bits))),
            Event::Sense(key) => self.read(node, format!("sensed {}", key_text(behaviour, key))),
            Event::Read(key) => {
                self.read(node, format!("{} = {value}", key_text(behaviour, key)));
                self.open.entry(node).or_default().keys.push(key);
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
            Event::Result => self.read(node, format!("gives {value}")),
            Event::Draw(_) => self.read(node, format!("draws {value:.5}")),
            // What an event says is told where it is read.
            Event::Set(key) if event_part(behaviour, key).is_some() => {}
            Event::Set(key) => {
                // What the expression gave is what was written.
                let open = self.open.entry(node).or_default();
                open.texts.pop_if(|note| note.starts_with("gives "));
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
            Event::GoalScore(_) => {
                let (_, about) = event.of_plan(behaviour, node).unwrap_or_default();
                self.tell(at, format!("goal {about} scores {value}"));
            }
            Event::Think(_)
            | Event::Goal(_)
            | Event::Plan(_)
            | Event::Intend(_)
            | Event::NoPlan(..)
            | Event::Drop(_) => {
                let (name, about) = event.of_plan(behaviour, node).unwrap_or_default();
                self.tell(at, format!("{name}: {about}"));
            }
            Event::Fault => {
                self.close(node, at);
                let fault = self.faults.next().unwrap_or_default();
                self.tell(at, format!("fault: {fault}"));
            }
            _ => treemind_core::unlisted(&event),
        }
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
        let mut known = Vec::new();
        when.for_each_key(&mut |key| known.push(key));
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

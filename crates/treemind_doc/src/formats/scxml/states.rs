//! States, transitions, histories and variables.

use super::Trouble;
use super::chart::{Data, HistoryOf, Id, KindOf, StateOf, TransitionOf, Way};
use super::reader::{Reader, tag};
use super::types::{SYSTEM, is_name};
use crate::code::Code;
use crate::syntax::shortened;
use crate::{Said, said};
use roxmltree::Node;
use treemind_core::behaviour::StateIndex;

/// How many states and transitions there may be. The effect of transitions on each other is worked out for each pair.
const MAX_STATES: usize = 2_000;
const MAX_TRANSITIONS: usize = 4_000;

/// How many variables there may be.
const MAX_DATA: usize = 500;

/// How many targets a transition may have, and all transitions together. Each target is compared with the others of
/// its transition.
const MAX_TARGETS: usize = 32;
const MAX_ALL_TARGETS: usize = 8_000;

const IN_MACHINE: [&str; 6] = [
    "state",
    "parallel",
    "final",
    "datamodel",
    "initial",
    "transition",
];
const IN_STATE: [&str; 9] = [
    "state",
    "parallel",
    "final",
    "history",
    "transition",
    "onentry",
    "onexit",
    "initial",
    "datamodel",
];
const IN_PARALLEL: [&str; 7] = [
    "state",
    "parallel",
    "history",
    "transition",
    "onentry",
    "onexit",
    "datamodel",
];
const IN_FINAL: [&str; 3] = ["onentry", "onexit", "donedata"];

impl Reader<'_> {
    /// Reads the root element.
    pub(super) fn machine(&mut self, root: Node<'_, '_>) {
        self.expect_attributes(
            root,
            &["name", "initial", "version", "datamodel", "binding"],
        );
        if let Some(model) = self.attribute(root, "datamodel")
            && !["null", "ecmascript", "", "x-null"].contains(&model.value().trim())
        {
            let word = shortened(model.value());
            let message = said!("the data model `{}` is not supported", word);
            let help = said!("use `null` or `ecmascript`, with numbers, texts and booleans");
            let trouble = Trouble::new(Code::NotYet, model.range_value(), message);
            self.report(trouble.with_help(help));
        }
        if let Some(binding) = self.attribute(root, "binding") {
            self.is_late = binding.value() == "late";
            if !["early", "late"].contains(&binding.value()) {
                let message = said!("unknown binding `{}`", shortened(binding.value()));
                let help = said!("use `early` or `late`");
                let trouble = Trouble::new(Code::BadChoice, binding.range_value(), message);
                self.report(trouble.with_help(help));
            }
        }
        if let Some(name) = self.attribute(root, "name") {
            self.chart.name = name.value().trim().to_owned();
        }
        self.chart.states.push(StateOf {
            id: None,
            span: tag(root),
            kind: KindOf::State,
            parent: None,
            initial: None,
            entry: Vec::new(),
            exit: Vec::new(),
            done: None,
        });
        self.inside(root, 0, &IN_MACHINE);
    }

    /// Reads a state and everything in it.
    fn state(&mut self, element: Node<'_, '_>, parent: StateIndex, kind: KindOf) {
        if self.chart.states.len() >= MAX_STATES {
            self.too_many(element, said!("states"), MAX_STATES);
            return;
        }
        let index = self.chart.states.len();
        let known: &[&str] = match kind {
            KindOf::State => &["id", "initial"],
            KindOf::Parallel | KindOf::Final => &["id"],
        };
        self.expect_attributes(element, known);
        let id = self.attribute(element, "id");
        let id = id.and_then(|id| {
            let name = id.value().trim().to_owned();
            let is_new = self.note_id(&name, id.range_value(), Id::State(index));
            is_new.then_some(name)
        });
        self.chart.states.push(StateOf {
            id,
            span: tag(element),
            kind,
            parent: Some(parent),
            initial: None,
            entry: Vec::new(),
            exit: Vec::new(),
            done: None,
        });
        let known: &[&str] = match kind {
            KindOf::State => &IN_STATE,
            KindOf::Parallel => &IN_PARALLEL,
            KindOf::Final => &IN_FINAL,
        };
        self.inside(element, index, known);
    }

    pub(super) fn too_many(&mut self, element: Node<'_, '_>, what: Said, most: usize) {
        // Reported once, at the first one that is too many.
        if !self.too_many.contains(&what) {
            let message = said!("there are more than {} {}", most, what);
            self.too_many.push(what);
            self.report(Trouble::new(Code::TooLarge, tag(element), message));
        }
    }

    /// Reads the content of the machine or of a state.
    fn inside(&mut self, parent: Node<'_, '_>, index: StateIndex, known: &[&str]) {
        if let Some(initial) = self.attribute(parent, "initial") {
            let mut targets = self.words(initial);
            if targets.len() > MAX_TARGETS {
                self.too_many(parent, said!("states to begin with"), MAX_TARGETS);
                targets.truncate(MAX_TARGETS);
            }
            self.chart.states[index].initial = Some(Way {
                targets,
                span: initial.range_value(),
                block: Vec::new(),
            });
        }
        for element in self.elements(parent) {
            let word = element.tag_name().name();
            if !known.contains(&word) {
                match word {
                    "invoke" => self.not_read(
                        element,
                        said!("remove it: a machine cannot start other machines"),
                    ),
                    "script" => self.not_read(
                        element,
                        said!("set the variables instead: `<data id=\"…\" expr=\"…\"/>`"),
                    ),
                    _ => self.misplaced(element, known),
                }
                continue;
            }
            match word {
                "state" => self.state(element, index, KindOf::State),
                "parallel" => self.state(element, index, KindOf::Parallel),
                "final" => self.state(element, index, KindOf::Final),
                "history" => self.history(element, index),
                "transition" => self.transition(element, index),
                "onentry" => {
                    self.expect_attributes(element, &[]);
                    let block = self.block(element);
                    self.chart.states[index].entry.push(block);
                }
                "onexit" => {
                    self.expect_attributes(element, &[]);
                    let block = self.block(element);
                    self.chart.states[index].exit.push(block);
                }
                "initial" => self.initial(element, index),
                "donedata" => {
                    self.expect_attributes(element, &[]);
                    let load = self.load(element);
                    self.chart.states[index].done = Some(load);
                }
                _ => self.data_model(element, index),
            }
        }
    }

    fn initial(&mut self, element: Node<'_, '_>, index: StateIndex) {
        self.expect_attributes(element, &[]);
        if self.chart.states[index].initial.is_some() {
            let message = said!("this has two initial states");
            self.report(Trouble::new(Code::Duplicate, tag(element), message));
        }
        self.chart.states[index].initial = self.only_transition(element);
    }

    /// The single transition in `<initial>` and `<history>`, which waits for nothing.
    fn only_transition(&mut self, element: Node<'_, '_>) -> Option<Way> {
        let mut way = None;
        for inner in self.elements(element) {
            if inner.tag_name().name() != "transition" || way.is_some() {
                self.misplaced(inner, &["transition"]);
                continue;
            }
            self.expect_attributes(inner, &["target", "type"]);
            if self.needed(inner, "target").is_some() {
                way = Some(self.way(inner));
            }
        }
        if way.is_none() {
            let word = element.tag_name().name();
            let message = said!("`<{}>` needs a `<transition target=\"…\"/>`", word);
            self.report(Trouble::new(Code::MissingChildren, tag(element), message));
        }
        way
    }

    fn way(&mut self, element: Node<'_, '_>) -> Way {
        let target = self.attribute(element, "target");
        let mut targets = target.map_or_else(Vec::new, |target| self.words(target));
        if targets.len() > MAX_TARGETS {
            self.too_many(element, said!("targets of a transition"), MAX_TARGETS);
            targets.truncate(MAX_TARGETS);
        }
        self.targets += targets.len();
        if self.targets > MAX_ALL_TARGETS {
            self.too_many(element, said!("targets"), MAX_ALL_TARGETS);
            targets.clear();
        }
        Way {
            targets,
            span: target.map_or_else(|| tag(element), |target| target.range_value()),
            block: self.block(element),
        }
    }

    fn history(&mut self, element: Node<'_, '_>, of: StateIndex) {
        self.expect_attributes(element, &["id", "type"]);
        let is_deep = match self.attribute(element, "type") {
            Some(kind) if kind.value() == "deep" => true,
            Some(kind) if kind.value() != "shallow" => {
                let message = said!("unknown type `{}` of a history", shortened(kind.value()));
                let help = said!("use `shallow` or `deep`");
                let trouble = Trouble::new(Code::BadChoice, kind.range_value(), message);
                self.report(trouble.with_help(help));
                false
            }
            _ => false,
        };
        let number = self.chart.histories.len();
        if let Some(id) = self.attribute(element, "id") {
            let name = id.value().trim().to_owned();
            self.note_id(&name, id.range_value(), Id::History(number));
        }
        let has_content = element.children().any(|child| child.is_element());
        let default = has_content.then(|| self.only_transition(element)).flatten();
        self.chart.histories.push(HistoryOf {
            span: tag(element),
            of,
            is_deep,
            default,
        });
    }

    fn transition(&mut self, element: Node<'_, '_>, source: StateIndex) {
        if self.chart.transitions.len() >= MAX_TRANSITIONS {
            self.too_many(element, said!("transitions"), MAX_TRANSITIONS);
            return;
        }
        self.expect_attributes(element, &["event", "cond", "target", "type"]);
        let is_internal = match self.attribute(element, "type") {
            Some(kind) if kind.value() == "internal" => true,
            Some(kind) if kind.value() != "external" => {
                let message = said!("unknown type `{}` of a transition", shortened(kind.value()));
                let help = said!("use `external` or `internal`");
                let trouble = Trouble::new(Code::BadChoice, kind.range_value(), message);
                self.report(trouble.with_help(help));
                false
            }
            _ => false,
        };
        let events = self.attribute(element, "event");
        let events = events.map(|attribute| {
            let mut events = Vec::new();
            for (word, span) in self.words(attribute) {
                let name = word.strip_suffix('*').unwrap_or(&word);
                let name = name.strip_suffix('.').unwrap_or(name);
                // A test of the W3C writes `.*` for any event.
                if ["*", ".*"].contains(&word.as_str()) || self.is_event_name(name, &span) {
                    events.push(name.to_owned());
                }
            }
            events
        });
        let cond = self.attribute(element, "cond");
        let cond = cond.and_then(|cond| self.script(cond));
        let way = self.way(element);
        let is_free = events.is_none() && !element.has_attribute("cond");
        if is_free && way.targets.is_empty() && way.block.is_empty() {
            let message = said!("this transition has no event, no condition and no target");
            let help =
                said!("add an `event`, a `cond` or a `target`, or it would be taken forever");
            let trouble = Trouble::new(Code::FreeTransition, tag(element), message);
            self.report(trouble.with_help(help));
        }
        self.chart.transitions.push(TransitionOf {
            span: tag(element),
            source,
            events,
            cond,
            way,
            is_internal,
        });
    }

    fn data_model(&mut self, element: Node<'_, '_>, index: StateIndex) {
        let of = if self.is_late { index } else { 0 };
        self.expect_attributes(element, &[]);
        for data in self.elements(element) {
            if data.tag_name().name() != "data" {
                self.misplaced(data, &["data"]);
                continue;
            }
            self.expect_attributes(data, &["id", "expr", "src"]);
            if self.chart.data.len() >= MAX_DATA {
                self.too_many(data, said!("variables"), MAX_DATA);
                return;
            }
            let Some(id) = self.needed(data, "id") else {
                continue;
            };
            let name = id.value().trim().to_owned();
            let is_taken = SYSTEM.contains(&name.as_str())
                || ["In", "Math", "true", "false", "null", "undefined"].contains(&name.as_str());
            if !is_name(&name) || is_taken {
                let message = said!("`{}` is not a valid name for a variable", shortened(&name));
                self.report(Trouble::new(Code::BadName, id.range_value(), message));
                continue;
            }
            if let Some(src) = self.attribute(data, "src") {
                let message = said!("data from other files is not supported");
                self.report(Trouble::new(Code::NotYet, src.range_value(), message));
                continue;
            }
            if self.chart.data.iter().any(|known| known.name == name) {
                let message = said!("the variable `{}` is declared twice", shortened(&name));
                self.report(Trouble::new(Code::Duplicate, id.range_value(), message));
                continue;
            }
            let value = match self.attribute(data, "expr") {
                Some(attribute) => self.script(attribute),
                None => {
                    let text = data.text().map_or("", str::trim);
                    (!text.is_empty())
                        .then(|| self.text_script(text, tag(data)))
                        .flatten()
                }
            };
            self.chart.data.push(Data { name, value, of });
        }
    }
}

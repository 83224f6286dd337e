//! Executable content: what is raised, sent, assigned, and under which conditions.

use super::Trouble;
use super::chart::{Action, Block, Delay, Load, Logged, Said};
use super::reader::{Reader, tag};
use super::script::Script;
use crate::code::Code;
use crate::said;
use crate::syntax::{Span, shortened};
use roxmltree::Node;

/// The type of events that machines send.
const PROCESSOR: &str = "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";

/// The target of a sent event.
enum SendWay {
    /// The machine itself, as an event from outside.
    Itself,
    /// The machine itself, like an event that is raised.
    Internal,
    /// A receiver that is not there.
    Unreachable,
    /// A receiver that cannot exist.
    Invalid,
}

/// How many actions there may be.
const MAX_ACTIONS: usize = 20_000;

/// How deep `<if>`s may be nested.
const MAX_NESTING: usize = 40;

const KNOWN: [&str; 6] = ["raise", "send", "cancel", "log", "assign", "if"];

impl Reader<'_> {
    /// The actions in an element.
    pub(super) fn block(&mut self, parent: Node<'_, '_>) -> Block {
        let elements = self.elements(parent);
        let mut block = Vec::new();
        for element in elements {
            self.action(element, &mut block);
        }
        block
    }

    fn action(&mut self, element: Node<'_, '_>, block: &mut Block) {
        self.actions += 1;
        if self.actions > MAX_ACTIONS {
            self.too_many(element, said!("actions"), MAX_ACTIONS);
            return;
        }
        match element.tag_name().name() {
            "raise" => {
                self.expect_attributes(element, &["event"]);
                let Some(event) = self.needed(element, "event") else {
                    return;
                };
                let name = event.value().trim().to_owned();
                if self.is_event_name(&name, &event.range_value()) {
                    let (event, load) = (Said::Plainly(name), Vec::new());
                    block.push(Action::Raise { event, load });
                }
            }
            "send" => self.send(element, block),
            "cancel" => {
                self.expect_attributes(element, &["sendid", "sendidexpr"]);
                let id = match self.attribute(element, "sendidexpr") {
                    Some(attribute) => self.script(attribute),
                    None => self
                        .needed(element, "sendid")
                        .and_then(|id| self.text_literal(id.value(), id.range_value())),
                };
                block.extend(id.map(|id| Action::Cancel { id }));
            }
            "assign" => self.assign(element, block),
            "if" => self.choice(element, block),
            "log" => {
                let said = self.log(element);
                block.push(Action::Log(said));
            }
            "script" => self.not_read(
                element,
                said!("assign the variables one by one: `<assign location=\"…\" expr=\"…\"/>`"),
            ),
            "foreach" => self.not_read(element, said!("lists are not supported as values")),
            _ => self.misplaced(element, &KNOWN),
        }
    }

    fn text_literal(&mut self, text: &str, span: Span) -> Option<Script> {
        let quoted = format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
        self.text_script(&quoted, span)
    }

    fn log(&mut self, element: Node<'_, '_>) -> Logged {
        self.expect_attributes(element, &["label", "expr"]);
        let label = self.attribute(element, "label");
        let expr = self.attribute(element, "expr");
        let expr = expr.filter(|expr| !expr.value().trim().is_empty());
        Logged {
            label: label.map_or_else(String::new, |label| label.value().to_owned()),
            value: expr.and_then(|expr| self.script_if_read(expr)),
            text: expr.map_or_else(String::new, |expr| expr.value().to_owned()),
        }
    }

    fn assign(&mut self, element: Node<'_, '_>, block: &mut Block) {
        self.expect_attributes(element, &["location", "expr"]);
        let Some(location) = self.needed(element, "location") else {
            return;
        };
        let name = location.value().trim().to_owned();
        let value = match self.attribute(element, "expr") {
            Some(attribute) => self.script(attribute),
            None => match element.text().map(str::trim) {
                Some(text) if !text.is_empty() => self.text_script(text, tag(element)),
                _ => {
                    self.needed(element, "expr");
                    None
                }
            },
        };
        let span = location.range_value();
        block.extend(value.map(|value| Action::Assign { name, span, value }));
    }

    /// `<if>` with its `<elseif>`s and its `<else>`.
    fn choice(&mut self, element: Node<'_, '_>, block: &mut Block) {
        self.expect_attributes(element, &["cond"]);
        if self.open >= MAX_NESTING {
            let message = said!("`<if>`s are nested deeper than {}", MAX_NESTING);
            self.report(Trouble::new(Code::TooDeep, tag(element), message));
            return;
        }
        self.open += 1;
        let mut branches: Vec<(Script, Block)> = Vec::new();
        let mut otherwise = None::<Block>;
        let mut test = self.condition(element);
        let mut current = Vec::new();
        for inner in self.elements(element) {
            let word = inner.tag_name().name();
            if !matches!(word, "elseif" | "else") {
                self.action(inner, &mut current);
                continue;
            }
            self.elements(inner);
            if otherwise.is_some() {
                let message = said!("`<{}/>` is not allowed after `<else/>`", word);
                self.report(Trouble::new(Code::MisplacedNode, tag(inner), message));
                continue;
            }
            let done = std::mem::take(&mut current);
            branches.extend(test.take().map(|test| (test, done)));
            if word == "else" {
                self.expect_attributes(inner, &[]);
                otherwise = Some(Vec::new());
            } else {
                self.expect_attributes(inner, &["cond"]);
                test = self.condition(inner);
            }
        }
        match &mut otherwise {
            Some(otherwise) => *otherwise = current,
            None => branches.extend(test.map(|test| (test, current))),
        }
        self.open -= 1;
        let otherwise = otherwise.unwrap_or_default();
        block.push(Action::If {
            branches,
            otherwise,
        });
    }

    fn condition(&mut self, element: Node<'_, '_>) -> Option<Script> {
        let attribute = self.needed(element, "cond")?;
        self.script(attribute)
    }

    fn send(&mut self, element: Node<'_, '_>, block: &mut Block) {
        self.expect_attributes(
            element,
            &[
                "event",
                "eventexpr",
                "target",
                "targetexpr",
                "type",
                "typeexpr",
                "id",
                "idlocation",
                "delay",
                "delayexpr",
                "namelist",
            ],
        );
        let way = self.send_way(element);
        let delay = self.delay(element);
        let mut load = self.load(element);
        let id = self.send_id(element, block);
        let Some((event, span)) = self.stated(element, "event", "eventexpr") else {
            let is_said = ["event", "eventexpr"]
                .iter()
                .any(|name| element.has_attribute(*name));
            if !is_said {
                self.needed(element, "event");
            }
            return;
        };
        if let Said::Plainly(event) = &event
            && !self.is_event_name(event, &span)
        {
            return;
        }
        load.extend(id.clone().map(|id| ("sendid".to_owned(), id)));
        block.push(match way {
            SendWay::Internal => Action::Raise { event, load },
            SendWay::Itself => {
                let kind = self.text_literal(PROCESSOR, span);
                load.extend(kind.map(|kind| ("origintype".to_owned(), kind)));
                Action::Send {
                    event,
                    load,
                    delay,
                    id,
                    span: tag(element),
                }
            }
            SendWay::Unreachable => Action::Raise {
                event: Said::Plainly("error.communication".to_owned()),
                load: Vec::new(),
            },
            SendWay::Invalid => Action::Fail { load },
        });
    }

    /// The target of a sent event. A target that cannot be reached is an error while the machine runs, as the W3C
    /// specifies.
    fn send_way(&mut self, element: Node<'_, '_>) -> SendWay {
        let help = || said!("remove it: events can only be sent to the machine itself");
        let mut way = SendWay::Itself;
        if let Some((target, span)) = self.said(element, "target", "targetexpr") {
            way = match target.as_str() {
                "" => SendWay::Itself,
                "#_internal" => return SendWay::Internal,
                other => {
                    let message = said!("cannot send to `{}`", shortened(other));
                    self.sink
                        .warning(Code::NotYet, span, message)
                        .with_help(help());
                    match other.starts_with("#_") {
                        true => SendWay::Unreachable,
                        false => SendWay::Invalid,
                    }
                }
            };
        }
        if let Some((kind, span)) = self.said(element, "type", "typeexpr")
            && !["", "scxml", "http://www.w3.org/TR/scxml/", PROCESSOR].contains(&kind.as_str())
        {
            let message = said!("cannot send events of the type `{}`", shortened(&kind));
            self.sink
                .warning(Code::NotYet, span, message)
                .with_help(help());
            way = SendWay::Invalid;
        }
        way
    }

    /// The id of a sent event: the given one, or a generated one if a variable is to receive it.
    fn send_id(&mut self, element: Node<'_, '_>, block: &mut Block) -> Option<Script> {
        if let Some(id) = self.attribute(element, "id") {
            return self.text_literal(id.value().trim(), id.range_value());
        }
        let location = self.attribute(element, "idlocation")?;
        self.unnamed += 1;
        let name = format!("send.{}", self.unnamed);
        let span = location.range_value();
        let value = self.text_literal(&name, span.clone())?;
        block.push(Action::Assign {
            name: location.value().trim().to_owned(),
            span,
            value: value.clone(),
        });
        Some(value)
    }

    fn delay(&mut self, element: Node<'_, '_>) -> Delay {
        let (delay, span) = match self.stated(element, "delay", "delayexpr") {
            None => return Delay::Secs(0.0),
            Some((Said::By(script), _)) => return Delay::By(script),
            Some((Said::Plainly(delay), span)) => (delay, span),
        };
        Delay::Secs(seconds(&delay).unwrap_or_else(|| {
            let message = said!("`{}` is not a valid duration", shortened(&delay));
            let help = said!("write a duration such as `1.5s` or `200ms`");
            self.report(Trouble::new(Code::BadNumber, span, message).with_help(help));
            0.0
        }))
    }

    /// The data that an event carries.
    pub(super) fn load(&mut self, element: Node<'_, '_>) -> Load {
        let mut load = Vec::new();
        if let Some(names) = self.attribute(element, "namelist") {
            for (name, span) in self.words(names) {
                load.extend(
                    self.text_script(&name, span)
                        .map(|value| (format!("data.{name}"), value)),
                );
            }
        }
        for inner in self.elements(element) {
            match inner.tag_name().name() {
                "param" => {
                    self.expect_attributes(inner, &["name", "expr", "location"]);
                    let name = self.needed(inner, "name");
                    let value = match self.attribute(inner, "expr") {
                        Some(attribute) => Some(attribute),
                        None => self.attribute(inner, "location"),
                    };
                    let value = match value {
                        Some(attribute) => self.script(attribute),
                        None => {
                            self.needed(inner, "expr");
                            None
                        }
                    };
                    if let (Some(name), Some(value)) = (name, value) {
                        load.push((format!("data.{}", name.value().trim()), value));
                    }
                }
                "content" => {
                    load.extend(self.content(inner).map(|value| ("data".to_owned(), value)))
                }
                _ => self.misplaced(inner, &["param", "content"]),
            }
        }
        load
    }

    fn content(&mut self, element: Node<'_, '_>) -> Option<Script> {
        self.expect_attributes(element, &["expr"]);
        if let Some(attribute) = self.attribute(element, "expr") {
            return self.script(attribute);
        }
        if element.children().any(|child| child.is_element()) {
            self.not_read(
                element,
                said!("use numbers, texts or booleans as the data of an event"),
            );
            return None;
        }
        let text = element.text().unwrap_or("");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_structured = text.starts_with(['{', '[']);
        if is_structured {
            self.not_read(
                element,
                said!("use numbers, texts or booleans as the data of an event"),
            );
            return None;
        }
        match text.parse::<f64>() {
            Ok(_) => self.text_script(&text, tag(element)),
            Err(_) => self.text_literal(&text, tag(element)),
        }
    }
}

/// A length of time in the notation of CSS.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => match text.strip_suffix('s') {
            Some(number) => (number, 1.0),
            None if text == "0" => (text, 1.0),
            None => return None,
        },
    };
    let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = number.parse().ok().filter(|_| is_plain)?;
    Some(number * unit)
}

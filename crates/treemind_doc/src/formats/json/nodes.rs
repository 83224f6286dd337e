//! From values to the nodes that the KDL reader gives.

use super::RESERVED;
use super::reader::{Item, Json, Member};
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::suggest;
use crate::syntax::{Entry, MAX_NESTING, Node, Parsed, Span, Text, Value, shortened};
use crate::{Said, said};

/// The nodes of a document.
pub(super) fn document(item: Item, sink: &mut Sink) -> Parsed {
    let mut reader = Nodes {
        sink,
        deepest: 0,
        whole: true,
    };
    let nodes = reader.top(item);
    Parsed {
        nodes,
        whole: reader.whole,
        depth: reader.deepest,
    }
}

struct Nodes<'s> {
    sink: &'s mut Sink,
    deepest: usize,
    /// Nothing is missing that the checks need.
    whole: bool,
}

impl Nodes<'_> {
    /// `{ "nodes": [ … ] }`
    fn top(&mut self, item: Item) -> Vec<Node> {
        let start = item.span.start;
        let Json::Object(members) = item.json else {
            let message = said!("expected an object with `nodes`");
            self.sink
                .error(Code::WrongType, start..start + 1, message)
                .with_help(said!("write `{ \"nodes\": [ … ] }`"));
            self.whole = false;
            return Vec::new();
        };
        let mut nodes: Option<Vec<Node>> = None;
        for Member { name, item } in members {
            match name.value.as_str() {
                "nodes" if nodes.is_some() => self.twice(&name),
                "nodes" => nodes = Some(self.list(item, 0)),
                // Editors find the schema by this member.
                "$schema" => {}
                other => {
                    let word = shortened(other);
                    let message = said!("unknown member `{}` of a document", word);
                    let known = ["nodes", "$schema"];
                    let help = suggest::did_you_mean(&word, known, || {
                        Some(said!(
                            "put definitions into `nodes`, as objects with a `node`"
                        ))
                    });
                    let span = name.span;
                    self.sink
                        .error(Code::UnknownProperty, span, message)
                        .with_perhaps(help);
                    self.whole = false;
                }
            }
        }
        nodes.unwrap_or_else(|| {
            if self.whole {
                let message = said!("this document has no `nodes`");
                self.sink
                    .error(Code::MissingValue, start..start + 1, message)
                    .with_help(said!("write `{ \"nodes\": [ … ] }`"));
            }
            self.whole = false;
            Vec::new()
        })
    }

    fn twice(&mut self, name: &Text) {
        let message = said!("`{}` is given twice", shortened(&name.value));
        self.sink.error(Code::Duplicate, name.span.clone(), message);
        self.whole = false;
    }

    fn wrong(&mut self, span: Span, message: Said, help: Said) {
        self.sink
            .error(Code::WrongType, span, message)
            .with_help(help);
        self.whole = false;
    }

    /// The nodes of an array. It recurses once per level; the reader lets no more levels pass than the limit.
    fn list(&mut self, item: Item, level: usize) -> Vec<Node> {
        self.deepest = self.deepest.max(level);
        match item.json {
            Json::Array(items) => items
                .into_iter()
                .filter_map(|item| self.node(item, level))
                .collect(),
            Json::Bad => {
                self.whole = false;
                Vec::new()
            }
            _ => {
                let help = said!("write `[ { \"node\": … }, … ]`");
                self.wrong(first_of(&item), said!("expected an array of nodes"), help);
                Vec::new()
            }
        }
    }

    fn node(&mut self, item: Item, level: usize) -> Option<Node> {
        let (first, start) = (first_of(&item), item.span.start);
        let Json::Object(members) = item.json else {
            if !matches!(item.json, Json::Bad) {
                let help = said!("try `{ \"node\": \"action\", \"values\": [\"attack\"] }`");
                self.wrong(first, said!("expected an object for a node"), help);
            }
            self.whole = false;
            return None;
        };
        let mut name: Option<Text> = None;
        let mut values: Option<Vec<Entry>> = None;
        let mut properties = Vec::new();
        let mut children: Option<Vec<Node>> = None;
        let mut grouped = false;
        let mut has_word = false;
        for member in members {
            if self.sink.is_full() {
                self.whole = false;
                return None;
            }
            let Member { name: called, item } = member;
            let is_again = match called.value.as_str() {
                "node" => std::mem::replace(&mut has_word, true),
                "values" => values.is_some(),
                "children" => children.is_some(),
                "properties" => std::mem::replace(&mut grouped, true),
                _ => false,
            };
            if is_again {
                self.twice(&called);
                continue;
            }
            match called.value.as_str() {
                "node" => name = self.word(item),
                "values" => values = Some(self.values(item)),
                "children" => children = self.block(item, &called.span, level),
                "properties" => self.grouped(item, &mut properties),
                _ => properties.extend(self.property(called, item)),
            }
        }
        let Some(name) = name else {
            if !has_word {
                let message = said!("this object has no `node`");
                let help = said!("begin it with the kind of node: `{ \"node\": \"sequence\", … }`");
                self.sink
                    .error(Code::MissingValue, first, message)
                    .with_help(help);
            }
            self.whole = false;
            return None;
        };
        let mut entries = values.unwrap_or_default();
        entries.extend(properties);
        // As in KDL, the span covers everything but the block, unless the block comes before other members.
        let ends = entries.iter().map(|entry| entry.span.end);
        let end = ends.fold(name.span.end, usize::max);
        Some(Node {
            span: start..end,
            name,
            entries,
            children,
            block: None,
        })
    }

    fn word(&mut self, item: Item) -> Option<Text> {
        match item.json {
            Json::Text(text) => Some(text),
            Json::Bad => {
                self.whole = false;
                None
            }
            _ => {
                let help = said!("try `\"node\": \"sequence\"`");
                self.wrong(first_of(&item), said!("expected a text for `node`"), help);
                None
            }
        }
    }

    /// `"children": [ … ]`
    fn block(&mut self, item: Item, name: &Span, level: usize) -> Option<Vec<Node>> {
        if level == MAX_NESTING {
            let message = said!("nodes are nested deeper than {}", MAX_NESTING);
            self.sink
                .error(Code::TooDeep, name.clone(), message)
                .with_help(said!(
                    "use fewer levels; if a program wrote this document, check that program"
                ));
            self.whole = false;
            return None;
        }
        Some(self.list(item, level + 1))
    }

    fn values(&mut self, item: Item) -> Vec<Entry> {
        let span = first_of(&item);
        let Json::Array(items) = item.json else {
            if !matches!(item.json, Json::Bad) {
                let help =
                    said!("write an array even for a single value: `\"values\": [\"attack\"]`");
                self.wrong(span, said!("expected an array of values"), help);
            }
            self.whole = false;
            return Vec::new();
        };
        let items = items.into_iter();
        items
            .filter_map(|item| {
                let span = item.span.clone();
                let value = self.value(item)?;
                Some(Entry {
                    name: None,
                    value,
                    value_span: span.clone(),
                    span,
                })
            })
            .collect()
    }

    /// `"properties": { … }`
    fn grouped(&mut self, item: Item, properties: &mut Vec<Entry>) {
        let span = first_of(&item);
        let Json::Object(members) = item.json else {
            if !matches!(item.json, Json::Bad) {
                let help = said!("try `\"properties\": { \"range\": 2.5 }`");
                self.wrong(span, said!("expected an object with properties"), help);
            }
            self.whole = false;
            return;
        };
        for Member { name, item } in members {
            properties.extend(self.property(name, item));
        }
    }

    fn property(&mut self, name: Text, item: Item) -> Option<Entry> {
        let value_span = item.span.clone();
        if matches!(item.json, Json::Array(_) | Json::Object(_)) {
            let word = shortened(&name.value);
            let message = said!(
                "expected a text, a number, `true`, `false` or `null` for `{}`",
                word
            );
            let help = suggest::did_you_mean(&word, RESERVED, || {
                Some(said!(
                    "write a vector as a text, `\"1.0, 2.0\"`, and the nodes of a block in `children`"
                ))
            });
            let span = first_of(&item);
            self.sink
                .error(Code::WrongType, span, message)
                .with_perhaps(help);
            self.whole = false;
            return None;
        }
        let value = self.value(item)?;
        Some(Entry {
            span: name.span.start..value_span.end,
            name: Some(name),
            value,
            value_span,
        })
    }

    fn value(&mut self, item: Item) -> Option<Value> {
        Some(match item.json {
            Json::Text(text) => Value::Text(text),
            Json::Int(number) => Value::Int(number),
            Json::Decimal(number, text) => Value::Decimal(number, text),
            Json::Bool(value) => Value::Bool(value),
            Json::Null => Value::Null,
            Json::Bad => Value::Bad,
            Json::Array(_) | Json::Object(_) => {
                let message = said!("expected a text, a number, `true`, `false` or `null`");
                let help = said!("write a vector as a text: `\"1.0, 2.0\"`");
                self.wrong(first_of(&item), message, help);
                return None;
            }
        })
    }
}

/// What a diagnostic shows of a wrong value. Arrays and objects may be long, so only their first character is shown.
fn first_of(item: &Item) -> Span {
    match item.json {
        Json::Array(_) | Json::Object(_) => item.span.start..item.span.start + 1,
        _ => item.span.clone(),
    }
}

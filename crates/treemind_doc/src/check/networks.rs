//! `network`, with the file of its weights, and `policy`.

use super::expressions::value_of;
use super::leaf::{Given, given_in_block, key_in_braces};
use super::line::{Line, quoted};
use super::reading::finish_in;
use super::{Checker, stranger};
use crate::code::Code;
use crate::language::{self, Spot, Word};
use crate::said;
use crate::suggest;
use crate::syntax::{Entry, Node, Span, Text, Value as Written, shortened};
use crate::text::{BadWeights, Noun, Weights, beside, counted};
use std::sync::Arc;
use treemind_core::behaviour::PolicyRun;
use treemind_core::{Expr, KeyId, Kind, Network, Type};

/// A network that is declared.
pub(super) struct DeclaredNetwork {
    name: String,
    span: Span,
    outputs: Vec<String>,
    /// What runs; nothing after a mistake.
    ready: Option<(Arc<Network>, Vec<Expr>)>,
}

impl Checker<'_> {
    /// `network NAME from="FILE" { in "EXPR"; out NAME; }`, all of them. Keys and semaphores are known.
    pub(super) fn networks(&mut self, nodes: &[Node]) {
        for node in nodes.iter().filter(|node| node.name.value == "network") {
            if self.sink.is_full() {
                return;
            }
            self.network(node);
        }
    }

    fn network(&mut self, node: &Node) {
        let mut line = Line::new(node, self.sink);
        let name = line.name(&said!("the network"), self.sink);
        line.only_name(self.sink);
        line.doc(self.sink);
        let from = line.property("from");
        let from = from.or_else(|| {
            let message = said!("a network needs the file with its weights");
            self.sink
                .error(Code::MissingValue, node.name.span.clone(), message)
                .with_help(said!("add `from=\"NAME.weights\"`"));
            None
        });
        let weights = from.and_then(|from| self.weights(node, from));
        finish_in(line, Spot::Top, self.sink);
        let (inputs, outputs) = self.parts_of_network(node);
        let Some(name) = name else { return };
        let mut known = self.networks.iter();
        if let Some(first) = known.find(|known| known.name == name.value) {
            let word = shortened(&name.value);
            let place = self.sink.place_of(&first.span, &name.span);
            let message = said!("the network `{}` is defined twice", word);
            self.sink
                .error(Code::Duplicate, name.span.clone(), message)
                .with_help(said!("the first one is at {}", place));
            return;
        }
        let ready = match (weights, inputs, &outputs) {
            (Some(weights), Some(inputs), Some(outputs)) => {
                self.fitting(name, weights, inputs, outputs)
            }
            _ => None,
        };
        self.networks.push(DeclaredNetwork {
            name: name.value.clone(),
            span: name.span.clone(),
            outputs: outputs.unwrap_or_default(),
            ready,
        });
    }

    /// The inputs and the names of the outputs; nothing after a mistake in one of them.
    fn parts_of_network(&mut self, node: &Node) -> (Option<Vec<Expr>>, Option<Vec<String>>) {
        let (mut inputs, mut outputs) = (Some(Vec::new()), Some(Vec::<String>::new()));
        for child in node.children() {
            let line = Line::new(child, self.sink);
            match child.name.value.as_str() {
                "in" => {
                    let entry = value_of(
                        &line,
                        &said!("an expression"),
                        "in \"health / 100\"",
                        self.sink,
                    );
                    let input = entry.and_then(|entry| {
                        let read = |checker: &mut Self| {
                            checker.number(entry, Type::Double, &said!("an input"))
                        };
                        self.asked(read).ok()
                    });
                    inputs = inputs.zip(input).map(|(mut all, one)| {
                        all.push(one);
                        all
                    });
                }
                "out" => {
                    let name = line.name(&said!("an output"), self.sink);
                    line.only_name(self.sink);
                    outputs = outputs.zip(name).map(|(mut all, name)| {
                        if all.contains(&name.value) {
                            let word = shortened(&name.value);
                            let message = said!("the output `{}` is named twice", word);
                            self.sink.error(Code::Duplicate, name.span.clone(), message);
                        }
                        all.push(name.value.clone());
                        all
                    });
                }
                _ => {
                    stranger(
                        child,
                        &said!("in a network"),
                        &Spot::Network.list(),
                        self.sink,
                    );
                    continue;
                }
            }
            finish_in(line, Spot::Network, self.sink);
        }
        (inputs, outputs)
    }

    /// The file of weights, which has been loaded with the document.
    fn weights(&mut self, node: &Node, from: &Entry) -> Option<Weights> {
        let text = match &from.value {
            Written::Bad => return None,
            Written::Text(text) => text,
            _ => {
                let message = said!("`from` must be the path of a file");
                self.sink
                    .error(Code::WrongType, from.value_span.clone(), message)
                    .with_help(said!("put it in quotes"));
                return None;
            }
        };
        let (document, _) = self.sink.locate(&node.span);
        let path = beside(document.name(), &text.value);
        let Some((begin, source)) = self.sink.source_named(&path) else {
            if !self.sink.has_errors() {
                let message = said!("cannot read `{}`", shortened(&text.value));
                self.sink
                    .error(Code::Import, from.value_span.clone(), message);
            }
            return None;
        };
        match Weights::read(source.text()) {
            Ok(weights) => Some(weights),
            Err(BadWeights { span, message }) => {
                let span = begin + span.start..begin + span.end;
                self.sink
                    .error(Code::BadWeights, span, message)
                    .with_help(said!("such a file has `inputs N`, then for each layer `layer UNITS FUNCTION` and a line for each unit: its bias, and a weight for each input; `treemind convert brain.onnx mood.weights` makes one"));
                None
            }
        }
    }

    /// The network, if the document says as much about it as its file.
    fn fitting(
        &mut self,
        name: &Text,
        Weights { inputs, layers }: Weights,
        given: Vec<Expr>,
        outputs: &[String],
    ) -> Option<(Arc<Network>, Vec<Expr>)> {
        let units = layers.last().map_or(0, |layer| layer.width);
        let word = shortened(&name.value);
        for (what, found, wanted) in [("in", given.len(), inputs), ("out", outputs.len(), units)] {
            if found != wanted {
                let lines = counted(found, Noun::Line);
                let message = match what {
                    "in" => said!(
                        "`{}` has {} `in`, and its file has {}",
                        word,
                        lines,
                        counted(wanted, Noun::Input)
                    ),
                    _ => said!(
                        "`{}` has {} `out`, and the last layer in its file has {}",
                        word,
                        lines,
                        counted(wanted, Noun::Unit)
                    ),
                };
                self.sink
                    .error(Code::NetworkSize, name.span.clone(), message)
                    .with_help(said!(
                        "write one `{}` for each, in the order in which the network was trained",
                        what
                    ));
                return None;
            }
        }
        match Network::new(name.value.clone(), inputs, outputs.to_vec(), layers) {
            Ok(network) => Some((Arc::new(network), given)),
            Err(reason) => {
                self.sink
                    .error(Code::NetworkSize, name.span.clone(), reason.into());
                None
            }
        }
    }

    /// `policy NETWORK OUTPUT="{key}" …`
    pub(super) fn policy(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let name = line.name(&said!("the network"), self.sink);
        line.only_name(self.sink);
        let mut given = Given::new();
        for (output, entry) in line.unread() {
            let is_own = word.has(&output.value) || language::is_common_property(&output.value);
            if !is_own {
                line.take(&output.value);
                given.push((output, Some(entry)));
            }
        }
        given_in_block(line.node, &mut given, self.sink);
        let name = name?;
        let mut known = self.networks.iter();
        let Some(network) = known.find(|known| known.name == name.value) else {
            self.unknown_network(name);
            return None;
        };
        let (names, ready) = (network.outputs.clone(), network.ready.clone());
        let outputs = self.outputs(name, &names, given);
        let (network, inputs) = ready?;
        let outputs = outputs?;
        Some(Kind::Policy(Box::new(PolicyRun {
            network,
            inputs,
            outputs,
        })))
    }

    fn unknown_network(&mut self, name: &Text) {
        let word = shortened(&name.value);
        let names = self.networks.iter().map(|known| known.name.as_str());
        let help = suggest::among(&word, said!("the networks"), names, || {
            let name = quoted(&word);
            Some(said!(
                "declare it: `network {} from=\"{}.weights\" { in \"EXPR\"; out NAME; }`",
                name,
                word
            ))
        });
        let at = (name.value.as_str(), name.span.clone());
        let message = said!("unknown network `{}`", word);
        self.sink
            .missing(Code::UnknownNetwork, at, message)
            .with_perhaps(help);
    }

    /// The keys that outputs are written to, in the order of the network.
    fn outputs(
        &mut self,
        network: &Text,
        names: &[String],
        given: Given<'_>,
    ) -> Option<Vec<(usize, KeyId)>> {
        if given.is_empty() {
            let word = shortened(&network.value);
            let example = names.first().map_or("NAME", String::as_str);
            let message = said!("this writes no output of `{}`", word);
            self.sink
                .error(Code::MissingParameter, network.span.clone(), message)
                .with_help(said!("add `{}=\"{KEY}\"`", quoted(example)));
            return None;
        }
        let mut keys = vec![None; names.len()];
        let mut is_sound = true;
        for (output, entry) in given {
            let Some(index) = names.iter().position(|known| *known == output.value) else {
                self.unknown_output(network, output, names);
                is_sound = false;
                continue;
            };
            if keys[index].is_some() {
                let message = said!("the output `{}` is given twice", names[index]);
                self.sink
                    .error(Code::Duplicate, output.span.clone(), message);
            }
            match entry.and_then(|entry| self.output_key(&names[index], entry)) {
                Some(key) => keys[index] = Some(key),
                None => is_sound = false,
            }
        }
        let keys = keys.into_iter().enumerate();
        let keys = keys.filter_map(|(index, key)| Some((index, key?)));
        is_sound.then(|| keys.collect())
    }

    fn unknown_output(&mut self, network: &Text, name: &Text, names: &[String]) {
        let word = shortened(&name.value);
        let known = names.iter().map(String::as_str);
        let own = language::of_all_tasks();
        let help = suggest::did_you_mean(&word, known.clone().chain(own), || {
            let known = suggest::listed(known.clone());
            (!names.is_empty()).then(|| said!("its outputs are {}", known))
        });
        let message = said!("`{}` has no output `{}`", shortened(&network.value), word);
        self.sink
            .error(Code::UnknownOutput, name.span.clone(), message)
            .with_perhaps(help);
    }

    /// The key in braces that an output is written to.
    fn output_key(&mut self, output: &str, entry: &Entry) -> Option<KeyId> {
        let name = match &entry.value {
            Written::Bad => return None,
            value => key_in_braces(value),
        };
        let Some((text, name)) = name else {
            let message = said!(
                "`{}` must be a key in braces, which gets the output",
                output
            );
            self.sink
                .error(Code::WrongType, entry.value_span.clone(), message)
                .with_help(said!("write `{}=\"{KEY}\"`", quoted(output)));
            return None;
        };
        self.real_key(text, name, ("policy", "an output"))
    }
}

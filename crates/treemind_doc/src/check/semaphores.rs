//! `semaphore`: a counted number of places; its name is known in the whole document.

use super::DefinitionKind;
use super::declare::plain_name;
use super::line::{Line, quoted};
use super::tree::present;
use crate::code::Code;
use crate::diagnostic::Sink;
use crate::expression::{KeyScope, Semaphores};
use crate::language::{Amount, SEMAPHORE_FOR, SEMAPHORE_SCOPE};
use crate::said;
use crate::syntax::{Entry, Node, Span, Value as Written, shortened};
use std::collections::HashMap;
use treemind_core::SemaphoreId;
use treemind_core::behaviour::{Bidding, Scope, Semaphore};

/// What the nodes of one semaphore declare.
struct Said {
    /// The first place of its name.
    span: Span,
    /// One of the nodes has a `max=`, possibly with a mistake.
    has_max: bool,
    max: Option<(u32, Span)>,
    scope: Option<(Scope, Span)>,
    /// Whether its places go to the best bidder.
    best: Option<(bool, Span)>,
    hysteresis: Option<(f64, Span)>,
    min_hold: Option<(f64, Span)>,
    /// How places are given was said with a mistake, which is reported where it is read.
    is_unclear: bool,
    /// The bids of its nodes, and the nodes without one.
    bids: Vec<Span>,
    without_bid: Vec<Span>,
}

impl Said {
    fn at(span: Span) -> Self {
        Self {
            span,
            has_max: false,
            max: None,
            scope: None,
            best: None,
            hysteresis: None,
            min_hold: None,
            is_unclear: false,
            bids: Vec::new(),
            without_bid: Vec::new(),
        }
    }

    fn scope(&self) -> Scope {
        let said = self.scope.as_ref();
        said.map_or(Scope::Agent, |(scope, _)| *scope)
    }

    fn bidding(&self) -> Option<Bidding> {
        let (best, _) = self.best.as_ref()?;
        let number = |said: &Option<(f64, Span)>| said.as_ref().map(|(number, _)| *number);
        best.then(|| Bidding {
            hysteresis: number(&self.hysteresis),
            min_hold: number(&self.min_hold).unwrap_or(0.0),
        })
    }
}

/// Calls `work` for every node of every tree and machine, in document order, except disabled ones.
fn each_in_use<'n>(nodes: &'n [Node], mut work: impl FnMut(&'n Node)) {
    let trees = nodes
        .iter()
        .filter(|node| DefinitionKind::of(node).is_some());
    let mut pending: Vec<&Node> = trees.collect();
    pending.reverse();
    while let Some(node) = pending.pop() {
        work(node);
        pending.extend(present(node.children()).into_iter().rev());
    }
}

/// Finds all semaphores, and reports nodes that contradict each other about one. Returns those that agents share, with
/// the first place of the name.
pub(super) fn find(
    nodes: &[Node],
    semaphores: &mut Semaphores,
    sink: &mut Sink,
) -> Vec<(Span, Semaphore)> {
    let mut shared = Vec::new();
    let mut order: Vec<String> = Vec::new();
    let mut all: HashMap<String, Said> = HashMap::new();
    each_in_use(nodes, |node| {
        let name = match node.name.value.as_str() {
            "semaphore" => node.first_text(),
            _ => None,
        };
        let Some(name) = name else {
            return;
        };
        let said = all.entry(name.value.clone()).or_insert_with(|| {
            order.push(name.value.clone());
            Said::at(name.span.clone())
        });
        add(&name.value, said, node, sink);
    });
    for name in order {
        let said = &all[&name];
        if !said.has_max {
            let message = said!("semaphore `{}` has no `max=`", shortened(&name));
            sink.error(Code::MissingValue, said.span.clone(), message)
                .with_help(said!(
                    "add its number of places to one of its nodes: `semaphore {} max=1`",
                    quoted(&name)
                ));
        }
        judge_bids(&name, said, sink);
        let semaphore = Semaphore {
            places: said.max.as_ref().map_or(1, |(max, _)| *max),
            scope: said.scope(),
            bidding: said.bidding(),
            name,
        };
        if semaphore.scope != Scope::Agent {
            shared.push((said.span.clone(), semaphore.clone()));
        }
        semaphores.declare(semaphore);
    }
    shared
}

/// Adds what one node declares.
fn add(name: &str, said: &mut Said, node: &Node, sink: &mut Sink) {
    if let Some(entry) = node.entry("max") {
        said.has_max = true;
        let max = match entry.value {
            Written::Int(max) => u32::try_from(max).ok().filter(|max| *max > 0),
            _ => None,
        };
        once(name, &mut said.max, max, entry, sink);
    }
    if let Some(entry) = node.entry("scope") {
        let text = entry.value.text();
        let scope = text.and_then(|text| SEMAPHORE_SCOPE.form.meaning(&text.value));
        once(name, &mut said.scope, scope, entry, sink);
    }
    if let Some(entry) = node.entry("for") {
        let text = entry.value.text();
        let best = text.and_then(|text| SEMAPHORE_FOR.form.meaning(&text.value));
        said.is_unclear |= best.is_none();
        once(name, &mut said.best, best, entry, sink);
    }
    for (property, known) in [
        ("hysteresis", &mut said.hysteresis),
        ("min-hold", &mut said.min_hold),
    ] {
        if let Some(entry) = node.entry(property) {
            let amount = Amount::of(&entry.value);
            said.is_unclear |= amount.is_none();
            once(name, known, amount, entry, sink);
        }
    }
    match node.entry("bid") {
        Some(entry) => said.bids.push(entry.span.clone()),
        None => said.without_bid.push(node.name.span.clone()),
    }
}

/// Keeps what is said for the first time; later nodes may only say the same.
fn once<T: PartialEq>(
    name: &str,
    known: &mut Option<(T, Span)>,
    value: Option<T>,
    entry: &Entry,
    sink: &mut Sink,
) {
    let Some(value) = value else { return };
    match known {
        None => *known = Some((value, entry.span.clone())),
        Some((first, _)) if *first == value => {}
        Some((_, span)) => {
            // The message quotes the value as it is written.
            let first = sink.slice(span).to_owned();
            differs(name, entry, &first, span, sink);
        }
    }
}

/// Reports bids for places that do not go to the best bidder, and what is missing where they do.
fn judge_bids(name: &str, said: &Said, sink: &mut Sink) {
    if said.is_unclear {
        return;
    }
    let shown = shortened(name);
    if let Some((true, span)) = &said.best {
        if said.scope() == Scope::Agent {
            let message = said!("`for=best` needs a semaphore that agents share");
            sink.error(Code::Contradiction, span.clone(), message)
                .with_help(said!("add `scope=group` or `scope=world`: an agent takes its own places at once, and nobody else bids for them"));
        }
        for span in &said.without_bid {
            let message = said!(
                "places of `{}` go to the best bidder, and this has no `bid=`",
                shown
            );
            sink.error(Code::MissingValue, span.clone(), message)
                .with_help(said!("write what it bids: `bid=\"EXPRESSION\"`"));
        }
        if let (None, Some((_, span))) = (&said.hysteresis, &said.min_hold) {
            let message = said!("`min-hold` has no effect here");
            sink.warning(Code::NoEffect, span.clone(), message)
                .with_help(said!(
                    "without `hysteresis=`, nobody loses a place before it gives it back"
                ));
        }
        return;
    }
    let numbers = [&said.hysteresis, &said.min_hold].into_iter().flatten();
    for span in said.bids.iter().chain(numbers.map(|(_, span)| span)) {
        let message = said!("places of `{}` do not go to the best bidder", shown);
        sink.error(Code::Contradiction, span.clone(), message)
            .with_help(said!("remove this, or add `for=best` to one of its nodes"));
    }
}

fn differs(name: &str, entry: &Entry, first: &str, span: &Span, sink: &mut Sink) {
    // Lines may be long, and each report counts through them.
    if sink.is_full() {
        return;
    }
    let place = sink.place_of(span, &entry.span);
    let message = said!(
        "semaphore `{}` is declared differently elsewhere",
        shortened(name)
    );
    sink.error(Code::Contradiction, entry.span.clone(), message)
        .with_help(said!(
            "write it once only; {} has `{}`",
            place,
            shortened(first)
        ));
}

impl KeyScope {
    /// The semaphore of `semaphore NAME max=N scope=world wait=#true { CHILD }`.
    pub(super) fn semaphore(&mut self, line: &Line<'_>, sink: &mut Sink) -> Option<SemaphoreId> {
        let name = line.name(&said!("the semaphore"), sink);
        line.only_name(sink);
        let name = name.filter(|name| plain_name(name, &said!("semaphore"), sink))?;
        self.semaphores.take(&name.value)
    }
}

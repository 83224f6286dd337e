//! `find`, and the measures that its expressions call.

use super::leaf::{braced, key_in_braces};
use super::line::Line;
use super::reading::finish_in;
use super::tree::present;
use super::{Checker, stranger};
use crate::code::Code;
use crate::expression::{Finding, a_type};
use crate::language::{
    FOUND_POLICY, FOUND_TOP, Form, MAX_FOUND, PER_TICK, Property, Spot, USUAL_CANDIDATES, Word,
};
use crate::said;
use crate::syntax::{Entry, Node, Text, Value as Written, shortened};
use treemind_core::behaviour::{
    Find, FindFrom, Key, LeafKind, MAX_CANDIDATES, Policy, Score, Scoring,
};
use treemind_core::{Expr, KeyId, Kind, Type, Value};

/// What the block of a `find` says.
struct Judged {
    keeps: Vec<Expr>,
    score: Score,
}

impl Checker<'_> {
    /// `find ITEM in=CANDIDATES into="{key}" … { keep "EXPR"; score "EXPR"; }`
    pub(super) fn find(&mut self, line: &mut Line<'_>, word: &'static Word) -> Option<Kind> {
        let name = line.name(&said!("the candidate that is looked at"), self.sink);
        line.only_name(self.sink);
        let from = self.candidates_of(line, word);
        let into = self.found_key(line);
        let max = self.number_found(line, &MAX_FOUND);
        let per_tick = self.number_found(line, &PER_TICK);
        let policy = self.found_policy(line);
        let name =
            name.filter(|name| super::declare::expression_name(name, &said!("key"), self.sink));
        let (Some(name), Some((_, ty))) = (name, &from) else {
            self.skip_block(line.node, name);
            return None;
        };
        let ty = *ty;
        if self.scope.knows(&name.value) {
            let message = said!("`{}` is a key already", shortened(&name.value));
            self.sink
                .error(Code::Duplicate, name.span.clone(), message)
                .with_help(said!(
                    "use another name: a `find` makes a key of its own for the candidate"
                ));
            return None;
        }
        let item = self.make_item_key(&name.value, ty);
        let outer = self.scope.finding.replace(Finding {
            item: name.value.clone(),
            key: item,
            ty,
            measures: Vec::new(),
        });
        self.scope.push_item(name, item);
        let judged = self.judged_candidates(line.node);
        self.scope.pop();
        let finding = std::mem::replace(&mut self.scope.finding, outer)?;
        let (into, into_ty) = into?;
        if into_ty != ty {
            let message = said!(
                "the candidates are {}, but `into` is {}",
                a_type(ty),
                a_type(into_ty)
            );
            let span = line.node.entry("into")?.value_span.clone();
            self.sink.error(Code::WrongType, span, message);
            return None;
        }
        let (policy, Judged { keeps, score }) = (policy?, judged?);
        if self.scope.is_list(into) && policy != Policy::Highest {
            let message =
                said!("a list gets the best candidates, so there is no `policy` to choose one");
            self.sink
                .error(Code::Contradiction, line.node.name.span.clone(), message)
                .with_help(said!(
                    "remove `policy`, or write the best one into a key that is no list"
                ));
            return None;
        }
        Some(Kind::Find(Box::new(Find {
            from: from?.0,
            item,
            measures: finding.measures,
            keeps,
            score,
            into,
            max: max?,
            per_tick: per_tick?,
            policy,
        })))
    }

    /// After a mistake: what the block says cannot be checked, but a misspelt word is found.
    fn skip_block(&mut self, node: &Node, name: Option<&Text>) {
        let is_new = name.is_some_and(|name| {
            !self.scope.knows(&name.value) && self.scope.broken.insert(name.value.clone())
        });
        for child in present(node.children()) {
            if ![Spot::Found, Spot::Given]
                .iter()
                .any(|spot| spot.has(&child.name.value))
            {
                self.no_part(child);
            }
        }
        if let Some(name) = name.filter(|_| is_new) {
            self.scope.broken.remove(&name.value);
        }
    }

    fn no_part(&mut self, child: &Node) {
        stranger(child, &said!("in a `find`"), &Spot::Found.list(), self.sink);
    }

    /// `in=CANDIDATES`, with its parameters, or `in="{list}"`; and the type of the candidates.
    fn candidates_of(
        &mut self,
        line: &mut Line<'_>,
        word: &'static Word,
    ) -> Option<(FindFrom, Type)> {
        let Some(entry) = line.property("in") else {
            let message = said!("`find` needs candidates");
            self.sink
                .error(Code::MissingValue, line.node.name.span.clone(), message)
                .with_help(said!(
                    "add `in=NAME` with a leaf of the kind `candidates`, or `in=\"{LIST}\"`"
                ));
            self.leaves.given(line, word, None, self.sink);
            return None;
        };
        let text = match &entry.value {
            Written::Text(text) => text,
            Written::Bad => return None,
            _ => {
                let message =
                    said!("`in` must be the name of candidates, or a list's key in braces");
                self.sink
                    .error(Code::WrongType, entry.value_span.clone(), message)
                    .with_help(said!("write `in=NAME` or `in=\"{LIST}\"`"));
                return None;
            }
        };
        if let Some(name) = braced(text) {
            return self.list_of_candidates(text, name);
        }
        let leaf = self.find_leaf(text, "candidates");
        let given = self.leaves.given(line, word, leaf, self.sink);
        let leaf = leaf.filter(|leaf| !self.leaves.is_broken(*leaf))?;
        let args = self.args(word, text, leaf, given, true, Self::arg)?;
        match self.leaves[leaf.index()].kind {
            LeafKind::Candidates { ty } => Some((FindFrom::Leaf(leaf, args), ty)),
            _ => None,
        }
    }

    fn list_of_candidates(&mut self, text: &Text, name: &str) -> Option<(FindFrom, Type)> {
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return None;
        };
        if !self.scope.is_list(key) {
            let message = said!(
                "expected a list, but `{}` is {}",
                shortened(name),
                a_type(ty)
            );
            self.sink
                .error(Code::WrongType, text.span.clone(), message)
                .with_help(said!("declare the key with `list=` to make it a list"));
            return None;
        }
        Some((FindFrom::List(key), ty))
    }

    /// `into="{key}"`
    fn found_key(&mut self, line: &mut Line<'_>) -> Option<(KeyId, Type)> {
        let entry = line.property("into");
        let name = match entry.map(|entry| &entry.value) {
            Some(Written::Bad) => return None,
            value => value.and_then(key_in_braces),
        };
        let Some((text, name)) = name else {
            let span = entry.map_or(line.node.name.span.clone(), |entry| entry.span.clone());
            let message = said!("`find` needs a key in braces, which gets what it finds");
            self.sink
                .error(Code::MissingValue, span, message)
                .with_help(said!("write `into=\"{spot}\"`"));
            return None;
        };
        let Some((key, ty)) = self.scope.find(name) else {
            self.scope.unknown_key(text, name, self.sink);
            return None;
        };
        let Some(refusal) = self.scope.why_not_written(key, name) else {
            return Some((key, ty));
        };
        let message = said!(
            "`find` cannot write to `{}`: it is {}",
            shortened(name),
            refusal
        );
        self.sink.error(Code::WrongType, text.span.clone(), message);
        None
    }

    fn number_found<F: Form<Value = Option<u32>>>(
        &mut self,
        line: &mut Line<'_>,
        property: &'static Property<F>,
    ) -> Option<u32> {
        let count = self.read(line, property)?.unwrap_or(USUAL_CANDIDATES);
        if count > MAX_CANDIDATES {
            let span = line.node.entry(property.name)?.value_span.clone();
            let message = said!("`{}` is at most {}", property.name, MAX_CANDIDATES);
            self.sink.error(Code::BadNumber, span, message);
            return None;
        }
        Some(count)
    }

    fn found_policy(&mut self, line: &mut Line<'_>) -> Option<Policy> {
        let policy = self.read(line, &FOUND_POLICY);
        let top = self.read(line, &FOUND_TOP);
        let name = line.node.name.span.clone();
        match (policy?, top?) {
            (Policy::Top(_), Some(top)) => Some(Policy::Top(top)),
            (Policy::Top(_), None) => {
                let message =
                    said!("`policy=top` needs `top`, the number of best candidates to draw from");
                self.sink
                    .error(Code::MissingValue, name, message)
                    .with_help(said!("try `policy=top top=3`"));
                None
            }
            (_, Some(_)) => {
                let message = said!("`top` is only allowed with `policy=top`");
                self.sink
                    .error(Code::Contradiction, name, message)
                    .with_help(said!("remove it, or write `policy=top`"));
                None
            }
            (policy, None) => Some(policy),
        }
    }

    /// What the block of a `find` says.
    fn judged_candidates(&mut self, node: &Node) -> Option<Judged> {
        let (mut keeps, mut score, mut is_sound) = (Vec::new(), None, true);
        for child in present(node.children()) {
            match child.name.value.as_str() {
                "keep" => {
                    if score.is_some() {
                        let message =
                            said!("a `keep` comes before the `score`, and is looked at before it");
                        self.sink
                            .error(Code::MisplacedNode, child.name.span.clone(), message)
                            .with_help(said!("move the `score` to the end of the block"));
                        is_sound = false;
                    }
                    super::planner::no_block(child, self.sink);
                    let keep = self.keep(child);
                    is_sound &= keep.is_some();
                    keeps.extend(keep);
                }
                "score" if score.is_some() => {
                    let message = said!("this `find` already has a score");
                    self.sink
                        .error(Code::Duplicate, child.name.span.clone(), message)
                        .with_help(said!(
                            "to consider several things, write several `consider` into one `score`"
                        ));
                    is_sound = false;
                }
                "score" => {
                    let read = self.found_score(child);
                    is_sound &= read.is_some();
                    score = Some(read);
                }
                word if Spot::Given.has(word) => {}
                _ => {
                    self.no_part(child);
                    is_sound = false;
                }
            }
        }
        let one = Score::of(Expr::Value(Value::Double(1.0)));
        is_sound.then(|| Judged {
            keeps,
            score: score.flatten().unwrap_or(one),
        })
    }

    fn keep(&mut self, node: &Node) -> Option<Expr> {
        let mut line = Line::new(node, self.sink);
        line.flag("disabled", self.sink);
        let entry = super::expressions::value_of(
            &line,
            &said!("an expression"),
            "keep \"distance(place, pos) < 25\"",
            self.sink,
        );
        let keep = entry.and_then(|entry| {
            self.asked(|checker| checker.number(entry, Type::Bool, &said!("`keep`")))
                .ok()
        });
        finish_in(line, Spot::Found, self.sink);
        keep
    }

    /// `score "EXPR"`, or `score { consider "EXPR"; … }`
    fn found_score(&mut self, node: &Node) -> Option<Score> {
        let mut line = Line::new(node, self.sink);
        let weight = self.own_weight(&mut line);
        let value: Option<&Entry> = line.values().first().copied();
        let score = match value {
            Some(_) if !node.children().is_empty() => {
                let message = said!("a score is either an expression or a block with `consider`");
                self.sink
                    .error(Code::Contradiction, node.name.span.clone(), message);
                None
            }
            Some(entry) => {
                line.only_value(self.sink);
                let made = self
                    .not_negative(entry, &said!("`score`"))
                    .map(Scoring::Expr);
                made.and_then(|made| {
                    Some(Score {
                        made,
                        weight: weight?,
                    })
                })
            }
            None => self.combined(&mut line, weight),
        };
        finish_in(line, Spot::Found, self.sink);
        score
    }

    /// Creates a key for the items of one node.
    pub(super) fn make_item_key(&mut self, name: &str, ty: Type) -> KeyId {
        let place = self.scope.prefix();
        let full = self.key_names.item(&format!("{place}.{name}"));
        self.scope.add_key(Key {
            ty,
            ..Key::new(full, ty.zero())
        })
    }
}

//! Expressions and statements of ours as scripts of BehaviorTree.CPP.

use crate::diagnostic::Sink;
use crate::expression::ast::{Ast, AstId, AstKind};
use crate::expression::{self, Fragment, Grammar};
use crate::syntax::Text;
use crate::{Said, said};
use std::collections::HashMap;
use treemind_core::expr::{Arith, Compare};

/// The names of keys, and what they are called in the XML.
pub(super) type Keys = HashMap<String, String>;

/// The key that gets the items of a loop, if there is one, and the items, each with the loop that has such items.
pub(super) type Items = (Option<String>, Vec<(String, &'static str)>);

/// An expression that was read.
pub(super) struct Script<'a> {
    text: &'a str,
    ast: Ast,
    keys: &'a Keys,
}

impl<'a> Script<'a> {
    /// `None` if it cannot be read, which checks have reported.
    pub(super) fn expression(text: &'a Text, keys: &'a Keys, sink: &mut Sink) -> Option<Self> {
        let fragment = Fragment::of_value(text);
        let ast = expression::parse(fragment, Grammar::Expression, sink).ok()?;
        Some(Self {
            text: fragment.text,
            ast,
            keys,
        })
    }

    pub(super) fn statements(text: &'a Text, keys: &'a Keys, sink: &mut Sink) -> Option<Self> {
        let fragment = Fragment::new(text, 0);
        let ast = expression::parse(fragment, Grammar::Statements, sink).ok()?;
        Some(Self {
            text: fragment.text,
            ast,
            keys,
        })
    }

    /// The expression as a script, or what of it no script can say.
    pub(super) fn written(&self) -> Result<String, Said> {
        let text = self.part(self.ast.root())?;
        Ok(without_parentheses(text))
    }

    /// The statements as a script.
    pub(super) fn all_statements(&self) -> Result<String, Said> {
        let mut all = Vec::new();
        for statement in &self.ast.statements {
            if statement.part.is_some() {
                return Err(said!("components of vectors"));
            }
            let key = self.key(&self.text[statement.key.clone()]);
            let there = self.if_there(&key, statement.value);
            let there = there.filter(|_| statement.op.is_none());
            let value = without_parentheses(self.part(there.unwrap_or(statement.value))?);
            let sign = match statement.op {
                None if there.is_some() => "=".to_owned(),
                None => ":=".to_owned(),
                Some(op) => format!("{}=", sign(op)?),
            };
            all.push(format!("{key} {sign} {value}"));
        }
        Ok(all.join("; "))
    }

    /// The keys of `to = from`, if that is all.
    pub(super) fn copied(&self) -> Option<(String, String)> {
        let [statement] = &self.ast.statements[..] else {
            return None;
        };
        let AstKind::Name(from) = &self.ast.nodes[statement.value].kind else {
            return None;
        };
        let is_plain = statement.op.is_none() && statement.part.is_none();
        let known = self.keys.contains_key(&self.text[from.clone()]);
        (is_plain && known).then(|| {
            let to = self.key(&self.text[statement.key.clone()]);
            (to, self.key(&self.text[from.clone()]))
        })
    }

    /// The key of `has(key)`.
    pub(super) fn asked(&self) -> Option<String> {
        self.has(self.ast.root())
    }

    /// The key whose value the expression is: `key`, `if has(key) { key } else { … }`, and what the reader makes of
    /// counts and milliseconds.
    pub(super) fn one_key(&self) -> Option<String> {
        let kind = |id: AstId| &self.ast.nodes[id].kind;
        match kind(self.ast.root()) {
            AstKind::If(test, then, other) => {
                let is_asked = self.has(*test).is_some();
                let is_count = matches!(kind(*test), AstKind::Compare(Compare::Eq, key, _) if self.counted(*key).is_some())
                    && matches!(kind(*then), AstKind::Int(Some(count)) if *count == i64::MAX as u64);
                // The time of a timeout, where zero is no limit.
                let is_limit = matches!(kind(*test), AstKind::Compare(Compare::Eq, key, zero)
                        if self.counted(*key).is_some() && matches!(kind(*zero), AstKind::Int(Some(0))))
                    && matches!(kind(*then), AstKind::Decimal(_));
                match (is_asked, is_count, is_limit) {
                    (true, _, _) => self.name(*then),
                    (_, true, _) => self.counted(*other),
                    (_, _, true) => self.msec(*other),
                    _ => None,
                }
            }
            AstKind::Arith(Arith::Div, ..) => self.msec(self.ast.root()),
            _ => self.name(self.ast.root()),
        }
    }

    /// The key that holds the milliseconds of `key / 1000.0`.
    fn msec(&self, id: AstId) -> Option<String> {
        match &self.ast.nodes[id].kind {
            AstKind::Arith(Arith::Div, key, by) => match &self.ast.nodes[*by].kind {
                AstKind::Decimal(by) if &self.text[by.clone()] == "1000.0" => self.counted(*key),
                _ => None,
            },
            _ => None,
        }
    }

    /// The key and the value, as a port has it, of `has(key) && (key == 3 || key == '3')` and of
    /// `has(key) && has(other) && key == other`.
    pub(super) fn same_value(&self) -> Option<(String, String)> {
        self.same_value_in(self.ast.root())
    }

    fn same_value_in(&self, id: AstId) -> Option<(String, String)> {
        let AstKind::And(asked, same) = self.ast.nodes[id].kind else {
            return None;
        };
        if let AstKind::And(one, two) = self.ast.nodes[asked].kind {
            let (one, two) = (self.has(one)?, self.has(two)?);
            let (key, other) = self.compared(same)?;
            let is_same = key == one && self.name(other).as_ref() == Some(&two);
            return is_same.then(|| (one, format!("{{{two}}}")));
        }
        let key = self.has(asked)?;
        let mut value = None;
        let mut pending = vec![same];
        while let Some(id) = pending.pop() {
            if let AstKind::Or(left, right) = self.ast.nodes[id].kind {
                pending.extend([left, right]);
                continue;
            }
            let (other, literal) = self.compared(id)?;
            let text = match &self.ast.nodes[literal].kind {
                AstKind::Str(span) => {
                    Some(expression::unquoted(&self.text[span.clone()]).into_owned())
                }
                _ => None,
            };
            let is_text = text.is_some();
            let text = text.or_else(|| self.part(literal).ok());
            let text = text.filter(|_| other == key)?;
            // The text is the value as it was given; a number may be another form of it.
            if is_text || value.is_none() {
                value = Some(text);
            }
            if self.name(literal).is_some() {
                return None;
            }
        }
        value.map(|value| (key, value))
    }

    /// The value of `if has(key) { value } else { key }`, which only a key that is there gets.
    fn if_there(&self, key: &str, id: AstId) -> Option<AstId> {
        let AstKind::If(test, then, other) = self.ast.nodes[id].kind else {
            return None;
        };
        let is_asked = self.has(test).is_some_and(|asked| asked == key);
        (is_asked && self.name(other).is_some_and(|other| other == key)).then_some(then)
    }

    /// The key of `if has(key) && key == 'a' { 1 } else { … 0 }`, and what it is compared with, by the number.
    pub(super) fn numbered(&self) -> Option<(String, Vec<(String, String)>)> {
        let (mut id, mut known, mut cases) = (self.ast.root(), None, Vec::new());
        while let AstKind::If(test, then, other) = self.ast.nodes[id].kind {
            let number = self.int(then)?.to_string();
            id = other;
            // What no key can be.
            if self.bool(test) == Some(false) {
                continue;
            }
            let (key, value) = self.same_value_in(test)?;
            if known.get_or_insert(key.clone()) != &key {
                return None;
            }
            cases.push((number, value));
        }
        known
            .filter(|_| self.int(id) == Some(0))
            .map(|key| (key, cases))
    }

    /// The items of `key = if nth == 0 { … } else { … }; nth += 1`.
    pub(super) fn items(&self, nth: &str) -> Option<Items> {
        let (given, counts) = match &self.ast.statements[..] {
            [counts] => (None, counts),
            [given, counts] => (Some(given), counts),
            _ => return None,
        };
        let is_count = &self.text[counts.key.clone()] == nth
            && counts.op == Some(Arith::Add)
            && self.int(counts.value) == Some(1);
        let Some(given) = given.filter(|_| is_count) else {
            return is_count.then(|| (None, Vec::new()));
        };
        if given.op.is_some() || given.part.is_some() {
            return None;
        }
        let mut items = Vec::new();
        let mut pending = vec![given.value];
        while let Some(id) = pending.pop() {
            let kind = match &self.ast.nodes[id].kind {
                AstKind::If(test, then, other) => {
                    let AstKind::Compare(Compare::Eq | Compare::Lt, key, _) =
                        self.ast.nodes[*test].kind
                    else {
                        return None;
                    };
                    let is_nth = match &self.ast.nodes[key].kind {
                        AstKind::Name(name) => &self.text[name.clone()] == nth,
                        _ => false,
                    };
                    if !is_nth {
                        return None;
                    }
                    pending.extend([*other, *then]);
                    continue;
                }
                AstKind::Str(span) => {
                    let text = expression::unquoted(&self.text[span.clone()]);
                    items.push((text.into_owned(), "LoopString"));
                    continue;
                }
                AstKind::Int(_) => "LoopInt",
                AstKind::Bool(_) => "LoopBool",
                AstKind::Decimal(_) => "LoopDouble",
                AstKind::Neg(inner) => match self.ast.nodes[*inner].kind {
                    AstKind::Int(_) => "LoopInt",
                    AstKind::Decimal(_) => "LoopDouble",
                    _ => return None,
                },
                _ => return None,
            };
            items.push((self.part(id).ok()?, kind));
        }
        Some((Some(self.key(&self.text[given.key.clone()])), items))
    }

    fn has(&self, id: AstId) -> Option<String> {
        match &self.ast.nodes[id].kind {
            AstKind::Call(name, args) if &self.text[name.clone()] == "has" => {
                args.first().and_then(|key| self.name(*key))
            }
            _ => None,
        }
    }

    /// The key of `key` and `int(key)`.
    fn counted(&self, id: AstId) -> Option<String> {
        match &self.ast.nodes[id].kind {
            AstKind::Call(name, args)
                if matches!(&self.text[name.clone()], "int" | "leading_int") =>
            {
                args.first().and_then(|key| self.name(*key))
            }
            _ => self.name(id),
        }
    }

    /// The key that a part names.
    fn name(&self, id: AstId) -> Option<String> {
        match &self.ast.nodes[id].kind {
            AstKind::Name(span) => self.keys.get(&self.text[span.clone()]).cloned(),
            _ => None,
        }
    }

    fn key(&self, name: &str) -> String {
        self.keys
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    fn part(&self, id: AstId) -> Result<String, Said> {
        let two = |left: AstId, sign: &str, right: AstId| {
            Ok(format!(
                "({} {sign} {})",
                self.part(left)?,
                self.part(right)?
            ))
        };
        match &self.ast.nodes[id].kind {
            AstKind::Int(value) => Ok(value.unwrap_or(0).to_string()),
            AstKind::Decimal(span) => Ok(self.text[span.clone()].replace('_', "")),
            AstKind::Bool(value) => Ok(value.to_string()),
            AstKind::Str(span) => {
                let text = expression::unquoted(&self.text[span.clone()]);
                match (text.contains('\''), text.contains('"')) {
                    (true, true) => Err(said!("texts with both `'` and `\"`")),
                    (true, false) => Ok(format!("\"{text}\"")),
                    (false, _) => Ok(format!("'{text}'")),
                }
            }
            AstKind::Name(span) => {
                let name = &self.text[span.clone()];
                // A value of an enumeration is a text there.
                Ok(self
                    .keys
                    .get(name)
                    .cloned()
                    .unwrap_or_else(|| format!("'{name}'")))
            }
            AstKind::Not(inner) => match self.truth(*inner) {
                Some((key, value)) => Ok(format!("({key} != {value})")),
                None => Ok(format!("!{}", self.part(*inner)?)),
            },
            AstKind::Neg(inner) => Ok(format!("-{}", self.part(*inner)?)),
            AstKind::Arith(op, left, right) => two(*left, sign(*op)?, *right),
            AstKind::Compare(op, left, right) => match self.ordered(*left, *right) {
                Some((one, other)) => two(one, compared(*op), other),
                None => two(*left, compared(*op), *right),
            },
            AstKind::And(left, right) => match self.holds(*left, *right) {
                Some(key) => Ok(key),
                None => two(*left, "&&", *right),
            },
            AstKind::Or(left, right) => match self.truth(id) {
                Some((key, value)) => Ok(format!("({key} == {value})")),
                None => two(*left, "||", *right),
            },
            AstKind::If(test, then, other) => {
                let test = self.chosen(*test).map_or_else(|| self.part(*test), Ok)?;
                let (then, other) = (self.part(*then)?, self.part(*other)?);
                Ok(format!("({test} ? {then} : {other})"))
            }
            AstKind::Between(value, low, high) => {
                let (value, low, high) = (self.part(*value)?, self.part(*low)?, self.part(*high)?);
                Ok(format!("({low} <= {value} && {value} <= {high})"))
            }
            AstKind::Call(name, args) => {
                let name = &self.text[name.clone()];
                let sign = match name {
                    "joined" => "..",
                    "bit_and" => "&",
                    "bit_or" => "|",
                    "bit_xor" => "^",
                    "int" | "double" | "number" if args.len() == 1 => return self.part(args[0]),
                    _ => return Err(format!("`{name}()`").into()),
                };
                match args[..] {
                    [left, right] => two(left, sign, right),
                    _ => Err(format!("`{name}()`").into()),
                }
            }
            AstKind::Part(..) => Err(said!("components of vectors")),
        }
    }

    /// The sides of `text_order(a, b) < 0` and `likeness(a, b) == 0`.
    fn ordered(&self, left: AstId, right: AstId) -> Option<(AstId, AstId)> {
        let AstKind::Call(name, args) = &self.ast.nodes[left].kind else {
            return None;
        };
        let name = &self.text[name.clone()];
        let is_order = matches!(name, "text_order" | "likeness") && self.int(right) == Some(0);
        match args[..] {
            [one, other] if is_order => Some((one, other)),
            _ => None,
        }
    }

    /// `key != '' && joined(key, '') == key || number(key) != 0.0`, which is `key` before a `?` there.
    fn chosen(&self, id: AstId) -> Option<String> {
        let AstKind::Or(text, number) = self.ast.nodes[id].kind else {
            return None;
        };
        let AstKind::And(filled, is_text) = self.ast.nodes[text].kind else {
            return None;
        };
        let AstKind::Compare(Compare::Ne, key, _) = self.ast.nodes[filled].kind else {
            return None;
        };
        let AstKind::Compare(Compare::Eq, joined, _) = self.ast.nodes[is_text].kind else {
            return None;
        };
        let AstKind::Compare(Compare::Ne, number, _) = self.ast.nodes[number].kind else {
            return None;
        };
        let is_of_key = |call: AstId, of: &str| match &self.ast.nodes[call].kind {
            AstKind::Call(name, args) if &self.text[name.clone()] == of => {
                args.first().and_then(|arg| self.name(*arg)) == self.name(key)
            }
            _ => false,
        };
        let is_it = is_of_key(joined, "joined") && is_of_key(number, "number");
        self.name(key).filter(|_| is_it)
    }

    /// `key == true || key == 1`, which is `key == true` there; or the same with `false`.
    fn truth(&self, id: AstId) -> Option<(String, bool)> {
        let AstKind::Or(left, right) = self.ast.nodes[id].kind else {
            return None;
        };
        let (one, two) = (self.compared(left)?, self.compared(right)?);
        let (value, number) = (self.bool(one.1)?, self.int(two.1)?);
        let is_pair = one.0 == two.0 && number == u64::from(value);
        is_pair.then_some((one.0, value))
    }

    /// `!(key == false) && !(key == 0)`, which is `key` there.
    fn holds(&self, left: AstId, right: AstId) -> Option<String> {
        let inner = |id: AstId| match self.ast.nodes[id].kind {
            AstKind::Not(inner) => Some(inner),
            _ => None,
        };
        let (one, two) = (self.compared(inner(left)?)?, self.compared(inner(right)?)?);
        let is_pair =
            one.0 == two.0 && self.bool(one.1) == Some(false) && self.int(two.1) == Some(0);
        is_pair.then_some(one.0)
    }

    /// The sides of `key == …` and `spelled_alike(key, …)`.
    fn compared(&self, id: AstId) -> Option<(String, AstId)> {
        match &self.ast.nodes[id].kind {
            AstKind::Compare(Compare::Eq, left, right) => {
                let (left, right) = self.ordered(*left, *right).unwrap_or((*left, *right));
                Some((self.name(left)?, right))
            }
            AstKind::Call(name, args) if &self.text[name.clone()] == "spelled_alike" => {
                let [left, right] = args[..] else { return None };
                Some((self.name(left)?, right))
            }
            _ => None,
        }
    }

    fn bool(&self, id: AstId) -> Option<bool> {
        match self.ast.nodes[id].kind {
            AstKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn int(&self, id: AstId) -> Option<u64> {
        match self.ast.nodes[id].kind {
            AstKind::Int(value) => value,
            _ => None,
        }
    }
}

fn compared(op: Compare) -> &'static str {
    match op {
        Compare::Eq => "==",
        Compare::Ne => "!=",
        Compare::Lt => "<",
        Compare::Le => "<=",
        Compare::Gt => ">",
        Compare::Ge => ">=",
    }
}

fn sign(op: Arith) -> Result<&'static str, Said> {
    Ok(match op {
        Arith::Add => "+",
        Arith::Sub => "-",
        Arith::Mul => "*",
        Arith::Div => "/",
        Arith::Rem => return Err("`%`".into()),
    })
}

/// The text without parentheses around the whole of it.
fn without_parentheses(text: String) -> String {
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return text;
    };
    // The first one may end before the last one does. Texts in quotes do not count.
    let (mut depth, mut quote) = (0usize, None);
    for c in inner.chars() {
        match c {
            '\'' | '"' => match quote {
                None => quote = Some(c),
                Some(open) if open == c => quote = None,
                Some(_) => {}
            },
            '(' if quote.is_none() => depth += 1,
            ')' if quote.is_none() => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return text,
            },
            _ => {}
        }
    }
    inner.to_owned()
}

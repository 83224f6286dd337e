//! The names in an expression.

use super::ast::{Ast, AstId, AstKind};
use super::functions::is_function;
use super::questions::Question;
use std::ops::Range;

/// A name in an expression or statement.
#[derive(Clone, Debug)]
pub(crate) struct NameUse {
    /// Its place in the text of the expression, in bytes.
    pub(crate) span: Range<usize>,
    pub(crate) of: UseOf,
}

/// What a name in an expression refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UseOf {
    /// A key or the value of an enumeration.
    Value,
    /// A key of which a component is taken, with the place of the component's name.
    Part(Range<usize>),
    /// A key that a statement writes.
    Written,
    /// The same, but the statement also reads the key: `+=`.
    Changed,
    /// The semaphore in `free`.
    Semaphore,
    /// A curve that is called.
    Curve,
    /// The node or state that a test asks about.
    Traced,
    /// The event in `event`.
    Event,
    /// A parameter of the event in `event`, with the place of the event's name.
    EventPart(Range<usize>),
}

/// The names in the tree of a text, in their order.
pub(crate) fn names_in(ast: &Ast, text: &str) -> Vec<NameUse> {
    let mut found = Vec::new();
    // Names inside nodes that already include them.
    let mut taken = vec![false; ast.nodes.len()];
    for node in &ast.nodes {
        if let AstKind::Call(name, args) = &node.kind
            && &text[name.clone()] == "event"
        {
            names_of_event(ast, args, &mut taken, &mut found);
        }
    }
    for (id, node) in ast.nodes.iter().enumerate() {
        match &node.kind {
            AstKind::Part(whole, part) if !taken[id] => {
                if let AstKind::Name(name) = &ast.nodes[*whole].kind {
                    taken[*whole] = true;
                    let (span, of) = (name.clone(), UseOf::Part(part.clone()));
                    found.push(NameUse { span, of });
                }
            }
            AstKind::Call(name, args) if &text[name.clone()] == "free" => {
                for arg in args {
                    if let AstKind::Name(name) = &ast.nodes[*arg].kind {
                        taken[*arg] = true;
                        let (span, of) = (name.clone(), UseOf::Semaphore);
                        found.push(NameUse { span, of });
                    }
                }
            }
            AstKind::Call(name, args) if Question::named(&text[name.clone()]).is_some() => {
                for arg in args {
                    let span = ast.nodes[*arg].span.clone();
                    for (node, taken) in ast.nodes.iter().zip(&mut taken) {
                        *taken |= span.start <= node.span.start && node.span.end <= span.end;
                    }
                    found.push(NameUse {
                        span,
                        of: UseOf::Traced,
                    });
                }
            }
            AstKind::Call(name, _) if !is_function(&text[name.clone()]) => {
                let (span, of) = (name.clone(), UseOf::Curve);
                found.push(NameUse { span, of });
            }
            _ => {}
        }
    }
    for (node, taken) in ast.nodes.iter().zip(taken) {
        if let AstKind::Name(name) = &node.kind
            && !taken
        {
            let (span, of) = (name.clone(), UseOf::Value);
            found.push(NameUse { span, of });
        }
    }
    for statement in &ast.statements {
        let is_partial = statement.op.is_some() || statement.part.is_some();
        let of = if is_partial {
            UseOf::Changed
        } else {
            UseOf::Written
        };
        let span = statement.key.clone();
        found.push(NameUse { span, of });
    }
    found.sort_unstable_by_key(|name| name.span.start);
    found
}

/// The names in `event(NAME, PARAMETER)`; the name of an event may have dots.
fn names_of_event(ast: &Ast, args: &[AstId], taken: &mut [bool], found: &mut Vec<NameUse>) {
    let Some(&event) = args.first() else { return };
    let mut id = event;
    taken[id] = true;
    while let AstKind::Part(whole, _) = &ast.nodes[id].kind {
        id = *whole;
        taken[id] = true;
    }
    let span = ast.nodes[event].span.clone();
    if matches!(ast.nodes[id].kind, AstKind::Name(_)) {
        let of = UseOf::Event;
        found.push(NameUse {
            span: span.clone(),
            of,
        });
    }
    if let Some(&part) = args.get(1)
        && let AstKind::Name(name) = &ast.nodes[part].kind
    {
        taken[part] = true;
        let of = UseOf::EventPart(span);
        found.push(NameUse {
            span: name.clone(),
            of,
        });
    }
}

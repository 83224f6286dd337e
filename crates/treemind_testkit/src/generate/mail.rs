//! Nodes and keys that look into the mailbox.

use super::ExprMaker;
use super::trees::{EVENTS, TreeMaker};
use treemind_core::behaviour::{Awaited, EventPart, Form, Heard, Key, Leaf, Scope};
use treemind_core::{LeafId, Type};

/// Says something about an event in the mailbox, or lists the agents of the group.
pub(super) fn hear(maker: &mut ExprMaker<'_>, leaves: &[Leaf], key: &mut Key) {
    if maker.random.percent(25) {
        key.ty = Type::Entity;
        key.default = key.ty.zero();
        key.form = Form::List {
            bound: 1 + maker.random.below(4) as u32,
            items: Vec::new(),
        };
        key.mates = true;
        return;
    }
    let event = EVENTS.start + maker.random.below(EVENTS.len());
    let params = &leaves[event].params;
    let part = match params.len() {
        0 => None,
        _ if maker.random.percent(50) => None,
        count => Some(maker.random.below(count)),
    };
    key.ty = part.map_or(Type::Bool, |param| params[param].ty);
    key.form = match part {
        None => Form::One,
        Some(_) => Form::Optional { starts_set: false },
    };
    key.default = key.ty.zero();
    key.heard = Some(Heard {
        event: LeafId::new(event),
        part: part.map(EventPart::Param),
    });
}

impl TreeMaker<'_> {
    /// One or two events, and for one often keys for its parameters.
    pub(super) fn awaited(&mut self) -> Awaited {
        let first = EVENTS.start + self.below(EVENTS.len());
        let mut events = vec![LeafId::new(first)];
        if self.percent(20) && first + 1 < EVENTS.end {
            events.push(LeafId::new(first + 1));
        }
        let (mut shown, mut bound) = (Vec::new(), Vec::new());
        if events.len() == 1 {
            for (index, param) in self.leaves[first].params.iter().enumerate() {
                let fits = |key: &Key| {
                    !key.form.is_list() && !key.is_computed() && param.ty.widens_to(key.ty)
                        || !key.form.is_list() && !key.is_computed() && param.ty == key.ty
                };
                let is_own = |key: &Key| key.scope == Scope::Agent && fits(key);
                if self.exprs.random.percent(40)
                    && let Some(key) = self.exprs.some_key(is_own)
                {
                    shown.push((EventPart::Param(index), key));
                }
                if self.exprs.random.percent(40)
                    && let Some(key) = self.exprs.some_key(fits)
                {
                    bound.push((EventPart::Param(index), key));
                }
            }
        }
        let test = self.percent(50);
        let test = test.then(|| self.without_draws(|exprs| exprs.expr(Type::Bool, 2)));
        Awaited {
            events,
            shown,
            test,
            bound,
        }
    }
}

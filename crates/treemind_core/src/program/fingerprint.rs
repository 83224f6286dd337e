//! A number that says which program a snapshot belongs to.

use super::Program;
use crate::behaviour::{Behaviour, PlacedNode};
use crate::blackboard::{Key, Sensed};
use crate::snapshot;
use std::fmt::Write as _;

impl Program {
    /// A number that is the same wherever the same behaviour is lowered by the same version of Treemind, and differs
    /// where anything that the state of an agent depends on differs. Texts for people do not count: the names of the
    /// tree and of nodes, documentation, and places in files.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| self.find_fingerprint())
    }

    fn find_fingerprint(&self) -> u64 {
        let mut text = String::new();
        describe(&self.behaviour, &mut text);
        let Self {
            board, run, slots, ..
        } = self;
        let columns = (&board.shape, &board.shared_shape, run, slots);
        // Writing to a string cannot fail.
        let _ = write!(text, "{columns:?}");
        snapshot::hash(text.as_bytes())
    }
}

/// Everything about a behaviour that decides what its agents do.
fn describe(behaviour: &Behaviour, out: &mut String) {
    let _ = write!(
        out,
        "{:?}{:?}{:?}{}/{}/{}",
        behaviour.enums(),
        behaviour.semaphores(),
        behaviour.labels(),
        behaviour.max_turns(),
        behaviour.interval(),
        behaviour.mailbox(),
    );
    for key in behaviour.keys() {
        let Key {
            name,
            ty,
            default,
            form,
            scope,
            merge,
            sensed,
            heard,
            mates,
            doc: _,
        } = key;
        let sensed = sensed.as_ref().map(|sensed| {
            let Sensed {
                sensor,
                args,
                interval_secs,
            } = sensed;
            (sensor, args, interval_secs)
        });
        let key = (name, ty, default, form, scope, merge, sensed, heard);
        let _ = write!(out, "{key:?}");
        if *mates {
            out.push_str("mates");
        }
    }
    for leaf in behaviour.leaves() {
        let params = leaf.params.iter();
        let params: Vec<_> = params
            .map(|param| (&param.name, param.ty, param.default))
            .collect();
        let _ = write!(out, "{:?}", (&leaf.name, leaf.kind, leaf.number, params));
    }
    for node in behaviour.nodes() {
        let PlacedNode {
            kind,
            name: _,
            doc: _,
            guards,
            hooks,
            written: _,
            parent,
            depth: _,
            children,
        } = node;
        let _ = write!(out, "{:?}", (kind, guards, hooks, parent, children));
    }
}

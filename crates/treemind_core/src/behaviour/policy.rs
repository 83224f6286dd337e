//! What a `policy` reads and writes.

use super::{Access, Behaviour, KindPart, keys};
use crate::expr::Expr;
use crate::ids::KeyId;
use crate::network::Network;
use crate::value::Type;
use std::sync::Arc;

/// A network that is run, with what it reads and writes.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyRun {
    /// The network, which all nodes that run it share.
    pub network: Arc<Network>,
    /// A `double` expression for each input, in their order.
    pub inputs: Vec<Expr>,
    /// The outputs that are written, by their numbers in the network, each with its key. At least one, in their order.
    pub outputs: Vec<(usize, KeyId)>,
}

impl PolicyRun {
    pub(super) fn parts<'k>(&'k self, see: &mut dyn FnMut(KindPart<'k>)) {
        for input in &self.inputs {
            see(KindPart::test(input, Type::Double));
        }
        for (_, key) in &self.outputs {
            see(KindPart::Key(*key, Access::Write));
        }
    }
}

/// Checks that inputs and outputs are those of the network.
pub(super) fn check(behaviour: &Behaviour, policy: &PolicyRun) -> Result<(), String> {
    let PolicyRun {
        network,
        inputs,
        outputs,
    } = policy;
    if inputs.len() != network.inputs() {
        let (found, wanted) = (inputs.len(), network.inputs());
        return Err(format!(
            "a network with {wanted} inputs, of which {found} are given"
        ));
    }
    if outputs.is_empty() {
        return Err("a policy that writes nothing".to_owned());
    }
    let mut next = 0;
    for (output, key) in outputs {
        if *output < next || *output >= network.outputs().len() {
            return Err("outputs that are not there, or not in their order".to_owned());
        }
        next = output + 1;
        let key = keys::find(behaviour, *key)?;
        if key.form.is_list() || !matches!(key.ty, Type::Float | Type::Double) {
            return Err(format!("`{}` cannot hold an output", key.name));
        }
    }
    Ok(())
}

//! What a node gives to its ports, and what the model of the node says of them. Models are often older than the trees,
//! so that a difference is a warning.

use super::dialect;
use super::facts::Guess;
use super::loops::number_part;
use super::model::Declared;
use super::nodes::Nodes;
use super::packs;
use super::ports::whole_part;
use crate::code::Code;
use crate::said;
use crate::suggest;
use crate::syntax::shortened;
use roxmltree::Attribute;

impl Nodes<'_> {
    /// Reports a port that the model does not have, and a literal that is not of the type that it says.
    pub(super) fn against_model(&mut self, node: &str, attribute: Attribute<'_, '_>) {
        let word = shortened(attribute.name());
        let packed = packs::port(node, attribute.name());
        let Some(model) = self.models.get(node) else {
            if let Some((said, _)) = packed {
                self.of_type(node, attribute, said);
            }
            return;
        };
        // Models without ports come from editors that knew none.
        if model.declared == Declared::SubTree || model.ports.is_empty() {
            return;
        }
        let Some(port) = model.ports.get(attribute.name()) else {
            let mut known: Vec<&str> = model.ports.keys().map(String::as_str).collect();
            known.sort_unstable();
            // No model that people write has so many.
            known.truncate(100);
            let help = suggest::did_you_mean(&word, known.iter().copied(), || {
                let listed = suggest::listed(known.iter().copied());
                Some(match known.len() {
                    1 => said!("its port is {}", listed),
                    _ => said!("its ports are {}", listed),
                })
            });
            let node = shortened(node);
            let message = said!("`{}` has no port `{}` in the model", node, word);
            self.sink
                .warning(Code::UnknownProperty, attribute.range_qname(), message)
                .with_perhaps(help);
            return;
        };
        if let Some(said) = port.ty {
            self.of_type(node, attribute, said);
        }
    }

    /// Reports a literal that is not of a type.
    fn of_type(&mut self, node: &str, attribute: Attribute<'_, '_>, said: Guess) {
        let is_key = self.models.key(node, attribute, self.version).is_some();
        // A release may have other types than those that we know.
        let is_declared = self.models.get(node).is_some();
        let is_cut = is_declared && is_cut_off(attribute.value(), said);
        if is_key || (is_read_as(attribute.value(), said) && !is_cut) {
            return;
        }
        let message = said!(
            "expected {} for `{}`, found `{}`",
            super::leaves::wanted(said),
            shortened(attribute.name()),
            shortened(attribute.value())
        );
        let help = match self.models.get(node) {
            Some(_) => said!("correct the value, or the `type` of the port in the model"),
            None => said!("correct the value"),
        };
        self.sink
            .warning(Code::WrongType, attribute.range_value(), message)
            .with_help(help);
    }
}

/// Whether BehaviorTree.CPP reads a literal as a value of a type. It ignores what stands behind a number, and nodes read
/// no port that is empty.
fn is_read_as(text: &str, ty: Guess) -> bool {
    let text = text.trim();
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    match ty {
        _ if text.is_empty() => true,
        Guess::Text => true,
        Guess::Bool => dialect::flag(text).is_some(),
        Guess::Int => number.starts_with(|c: char| c.is_ascii_digit()),
        Guess::Double => {
            let number = number.strip_prefix('.').unwrap_or(number);
            number.starts_with(|c: char| c.is_ascii_digit())
                || ["inf", "infinity", "nan"]
                    .iter()
                    .any(|word| number.eq_ignore_ascii_case(word))
        }
    }
}

/// Whether something stands behind the number that a literal begins with.
fn is_cut_off(text: &str, ty: Guess) -> bool {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text);
    let number = match ty {
        Guess::Int => whole_part(text),
        Guess::Double => number_part(text),
        Guess::Bool | Guess::Text => return false,
    };
    !number.is_empty() && number.len() < text.len()
}

//! Diagnostics for documents in a format that this program was built without.

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::text::Format;

/// Reports which feature reads a format.
pub(super) fn without_feature(format: Format, sink: &mut Sink) {
    let (what, feature) = match format {
        Format::Kdl | Format::Json => return,
        Format::BtCpp => ("trees of BehaviorTree.CPP", "btcpp"),
        Format::Scxml => ("state machines in SCXML", "scxml"),
        Format::Table => ("trees that are flat tables", "table"),
    };
    let message = format!("this program was built without `{feature}`, which reads {what}");
    sink.error(Code::NoFeature, 0..0, message)
        .with_help(format!(
            "enable the feature `{feature}` of the crate `treemind` in the program's Cargo.toml"
        ));
}

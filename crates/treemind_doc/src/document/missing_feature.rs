//! Diagnostics for documents in a format that this program was built without.

use crate::code::Code;
use crate::diagnostic::Sink;
use crate::said;
use crate::text::Format;

/// Reports which feature reads a format.
pub(super) fn without_feature(format: Format, sink: &mut Sink) {
    let (message, feature) = match format {
        Format::Kdl | Format::Json => return,
        Format::BtCpp => (
            said!("this program was built without `btcpp`, which reads trees of BehaviorTree.CPP"),
            "btcpp",
        ),
        Format::Scxml => (
            said!("this program was built without `scxml`, which reads state machines in SCXML"),
            "scxml",
        ),
        Format::Table => (
            said!("this program was built without `table`, which reads trees that are flat tables"),
            "table",
        ),
    };
    sink.error(Code::NoFeature, 0..0, message).with_help(said!(
        "enable the feature `{}` of the crate `treemind` in the program's Cargo.toml",
        feature
    ));
}

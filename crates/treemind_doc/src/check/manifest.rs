//! What `leaves` says of the kinds of leaves.

use super::Checker;
use super::line::Line;
use crate::code::Code;
use treemind_core::behaviour::{LeafKind, Life};

/// The kind of a leaf, the properties that it has, and those that it will have.
type KindOf = (LeafKind, &'static [&'static str], &'static [&'static str]);

impl Checker<'_> {
    /// What kind of leaf the line declares, and which properties it knows, now and later.
    pub(super) fn leaf_kind(&mut self, line: &mut Line<'_>) -> KindOf {
        match line.node.name.value.as_str() {
            "condition" => (LeafKind::Condition, &["doc", "number"], &[]),
            "sensor" => (LeafKind::Sensor, &["doc", "number"], &[]),
            "event" => (LeafKind::Event, &["doc", "number"], &[]),
            "service" => (LeafKind::Service, &["doc", "number"], &[]),
            "decorator" => (LeafKind::Decorator, &["doc", "number"], &[]),
            "composite" => (self.composite(line), &["doc", "min", "max", "number"], &[]),
            _ => {
                let life = self.life(line);
                (
                    LeafKind::Action { life },
                    &["doc", "instant", "reports", "number"],
                    &[],
                )
            }
        }
    }

    /// `instant=` and `reports=`.
    fn life(&mut self, line: &mut Line<'_>) -> Life {
        let instant = line.flag("instant", self.sink);
        let reports = line.flag("reports", self.sink);
        match (instant, reports) {
            (false, false) => Life::Updated,
            (true, false) => Life::Instant,
            (false, true) => Life::Reported,
            (true, true) => {
                if let Some(entry) = line.property("reports") {
                    let message = "what is `instant` is over at once, so nobody can report its end";
                    self.sink
                        .error(Code::Contradiction, entry.span.clone(), message)
                        .with_help("leave one of the two out");
                }
                Life::Instant
            }
        }
    }

    /// `min=` and `max=`: how many children it takes.
    fn composite(&mut self, line: &mut Line<'_>) -> LeafKind {
        let zero = "without a child it is an action";
        let least = self.count(line, "min", zero).flatten().unwrap_or(1);
        let mut most = self.count(line, "max", zero).flatten();
        if most.is_some_and(|most| most < least)
            && let Some(entry) = line.property("max")
        {
            let message = "a composite cannot have at most fewer children than at least";
            self.sink
                .error(Code::BadNumber, entry.span.clone(), message)
                .with_help(format!("`min` is {least}"));
            most = None;
        }
        LeafKind::Composite { least, most }
    }
}
